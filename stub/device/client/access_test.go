package client

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAccessBytes: how many bytes instructions of x86-64 access, as objdump says it of their operands; of
// those that the function does not know one, and never more than they do.
func TestAccessBytes(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("skipped: accesses are measured on x86-64")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	all := []struct {
		code  string
		bytes int
		text  string
	}{
		{"8a 07", 1, "mov al,BYTE PTR [rdi]"},
		{"66 89 07", 2, "mov WORD PTR [rdi],ax"},
		{"8b 47 04", 4, "mov eax,DWORD PTR [rdi+0x4]"},
		{"48 8b 07", 8, "mov rax,QWORD PTR [rdi]"},
		{"48 c7 07 01 00 00 00", 8, "mov QWORD PTR [rdi],0x1"},
		{"c6 07 01", 1, "mov BYTE PTR [rdi],0x1"},
		{"0f b6 07", 1, "movzx eax,BYTE PTR [rdi]"},
		{"48 0f bf 07", 2, "movsx rax,WORD PTR [rdi]"},
		{"48 63 07", 4, "movsxd rax,DWORD PTR [rdi]"},
		{"f0 48 0f b1 0f", 8, "lock cmpxchg QWORD PTR [rdi],rcx"},
		{"f0 48 0f c7 0f", 16, "lock cmpxchg16b XMMWORD PTR [rdi]"},
		{"01 07", 4, "add DWORD PTR [rdi],eax"},
		{"02 07", 1, "add al,BYTE PTR [rdi]"},
		{"48 83 07 01", 8, "add QWORD PTR [rdi],0x1"},
		{"48 f7 37", 8, "div QWORD PTR [rdi]"},
		{"ff 07", 4, "inc DWORD PTR [rdi]"},
		{"ff 17", 8, "call QWORD PTR [rdi]"},
		{"f3 a4", 1, "rep movs BYTE PTR es:[rdi],BYTE PTR ds:[rsi]"},
		{"f3 48 ab", 8, "rep stos QWORD PTR es:[rdi],rax"},
		{"f3 0f 10 07", 4, "movss xmm0,DWORD PTR [rdi]"},
		{"f2 0f 11 07", 8, "movsd QWORD PTR [rdi],xmm0"},
		{"0f 11 07", 16, "movups XMMWORD PTR [rdi],xmm0"},
		{"66 0f 6e 07", 4, "movd xmm0,DWORD PTR [rdi]"},
		{"66 48 0f 7e 07", 8, "movq QWORD PTR [rdi],xmm0"},
		{"f3 41 0f 6f 00", 16, "movdqu xmm0,XMMWORD PTR [r8]"},
		{"0f 6f 07", 8, "movq mm0,QWORD PTR [rdi]"},
		{"f3 0f 5a 07", 4, "cvtss2sd xmm0,DWORD PTR [rdi]"},
		{"c5 fa 10 07", 4, "vmovss xmm0,DWORD PTR [rdi]"},
		{"c5 fe 6f 07", 32, "vmovdqu ymm0,YMMWORD PTR [rdi]"},
		{"c4 c1 7e 7f 00", 32, "vmovdqu YMMWORD PTR [r8],ymm0"},
		{"62 f1 7c 48 11 07", 64, "vmovups ZMMWORD PTR [rdi],zmm0"},
		{"62 f1 7f 49 7f 07", 1, "vmovdqu8 ZMMWORD PTR [rdi]{k1},zmm0: its mask is not looked at"},
		{"d9 07", 4, "fld DWORD PTR [rdi]"},
		{"db 2f", 10, "fld TBYTE PTR [rdi]"},
		{"df 2f", 8, "fild QWORD PTR [rdi]"},
		{"66 0f 3a 0f 07 01", 1, "palignr xmm0,XMMWORD PTR [rdi],0x1: not known"},
	}
	var calls, want strings.Builder
	for _, i := range all {
		code := strings.ReplaceAll(" "+i.code, " ", "\\x")
		fmt.Fprintf(&calls, "  printf(\"%%u\\n\", dev_access_bytes((const uint8_t *)\"%s\"));\n", code)
		fmt.Fprintf(&want, "%d\n", i.bytes)
	}
	source := filepath.Join(t.TempDir(), "sizes.c")
	text := "#include <stdio.h>\n#include \"access.h\"\nint main(void) {\n" + calls.String() + "}\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	program := strings.TrimSuffix(source, ".c")
	compile := exec.Command(cc, "-Wall", "-Wextra", "-Werror", "-Isrc", source, "-o", program)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines, wanted := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
	for i, instruction := range all {
		if i < len(lines) && lines[i] != wanted[i] {
			t.Errorf("%s: %s bytes, want %s", instruction.text, lines[i], wanted[i])
		}
	}
	if len(lines) != len(wanted) {
		t.Errorf("%d answers to %d instructions", len(lines)-1, len(all))
	}
}
