package expr

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// printed are expressions whose spelling is compared with llvm-dwarfdump's.
// The base type at unit offset 0x2a is called u32.
var printed = []string{
	"030102030405060708", "06", "08c8", "09c8", "0a0180", "0b0180", "0c01020380", "0d01020380",
	"0e0102030405060780", "0f0102030405060780", "10ac02", "11d47d", "11ac02", "1100",
	"12", "13", "14", "1503", "16", "17", "18", "19", "1a", "1b", "1c", "1d", "1e", "1f", "20", "21", "22",
	"23f403",
	"24", "25", "26", "27", "2802003031", "28fdff", "29", "2a", "2b", "2c", "2d", "2e", "2f0000", "30", "4f",
	"50", "6f", "7005", "8f7b", "9041", "9005", "908014", "90a08d06", "9158", "924108", "92800c78", "9304",
	"9404", "9504",
	"96", "97", "982a00", "992a000000", "9a2a000000", "9b", "9c", "9d040c", "9e03010203", "9e00", "9f",
	"a02a0000007c",
	"a103", "a203", "a30155", "a3029041", "a5412a", "a5800c2a", "a82a", "a800", "a82b",
	"e0", "e901", "e902", "e903", "e904", "e905ac02", "e906", "e90711", "e907800c", "e908", "e9094108",
	"e909800c04", "e90a", "e90b2040", "e90c2040",
	"f22a00000004", "f30155", "fb03", "fc03", "91083116", "9108351618",
	"908014e90334 1ee9049304 908114e90334 1ee9049304e90a",
	"e900", "e90d", "e1030405", "ec030405", "ff", "00", "0c0102",
	"9083149304" + "9304" + "92821478" + "9304", "",
}

func TestPrintLikeDwarfdump(t *testing.T) {
	targets := []struct {
		name, triple string
		register     func(uint64) string
	}{
		{"amdgcn", "amdgcn-amd-amdhsa -mcpu=gfx90a", AMDGPUDumpName},
		{"x86-64", "x86_64-linux-gnu", X86DumpName},
	}
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			want := dwarfdump(t, target.triple, printed)
			p := Printer{Register: target.register,
				BaseType: func(off uint64) (uint64, string, bool) { return off, "u32", off == 0x2a }}
			var got []string
			for _, s := range printed {
				got = append(got, p.String(unhex(squeeze(s))))
			}
			// What llvm-dwarfdump gives up on after reading part of it.
			for i, w := range want {
				if strings.HasSuffix(w, "0x0, <decoding error> 01 02") {
					want[i] = "<decoding error> 0c 01 02"
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// dwarfdump assembles the expressions into variables and returns how
// llvm-dwarfdump spells them.
func dwarfdump(t *testing.T, triple string, exprs []string) []string {
	t.Helper()
	mc, err := exec.LookPath("llvm-mc-22")
	if err != nil {
		t.Skip("skipped: no llvm-mc-22")
	}
	dump, err := exec.LookPath("llvm-dwarfdump-22")
	if err != nil {
		t.Skip("skipped: no llvm-dwarfdump-22")
	}
	var b strings.Builder
	b.WriteString(`
	.section .debug_abbrev,"",@progbits
	.byte 1,0x11,1,0x25,8,0,0, 2,0x24,0,3,8,0x3e,0xb,0xb,0xb,0,0, 3,0x34,0,2,0x18,0,0, 0
	.section .debug_info,"",@progbits
	.long .Lend-.Lstart
.Lstart:
	.short 5
	.byte 1, 8
	.long 0
	.byte 1
	.ascii "a producer of twenty-eight b\0"
	.byte 2
	.ascii "u32\0"
	.byte 7, 4
`)
	for _, s := range exprs {
		code := unhex(squeeze(s))
		fmt.Fprintf(&b, "\t.byte 3\n\t.uleb128 %d\n", len(code))
		for _, c := range code {
			fmt.Fprintf(&b, "\t.byte %d\n", c)
		}
	}
	b.WriteString("\t.byte 0\n.Lend:\n")
	obj := filepath.Join(t.TempDir(), "x.o")
	src := obj + ".s"
	if err := os.WriteFile(src, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mc,
		append(strings.Fields("-triple="+triple), "-filetype=obj", src, "-o",
			obj)...).CombinedOutput(); err != nil {
		t.Fatalf("llvm-mc: %v\n%s", err, out)
	}
	out, err := exec.Command(dump, "--debug-info", obj).Output()
	if err != nil {
		t.Fatalf("llvm-dwarfdump: %v", err)
	}
	var list []string
	for line := range strings.Lines(string(out)) {
		if _, rest, ok := strings.Cut(line, "DW_AT_location"); ok {
			rest = strings.TrimSpace(rest)
			list = append(list, rest[1:len(rest)-1])
		}
	}
	if len(list) != len(exprs) {
		t.Fatalf("llvm-dwarfdump shows %d expressions of %d:\n%s", len(list), len(exprs), out)
	}
	return list
}

// The register names must be those of llvm-dwarfdump, number by number.
func TestDumpNames(t *testing.T) {
	for _, test := range []struct {
		triple string
		count  uint64
		name   func(uint64) string
	}{
		{"amdgcn-amd-amdhsa -mcpu=gfx90a", 4200, AMDGPUDumpName},
		{"x86_64-linux-gnu", 300, X86DumpName},
		{"aarch64-linux-gnu", 300, AArch64DumpName},
	} {
		t.Run(test.triple, func(t *testing.T) {
			var exprs, got []string
			for n := range test.count {
				exprs = append(exprs, fmt.Sprintf("90%02x%02x", n&0x7f|0x80, n>>7))
				name := test.name(n)
				if name == "" {
					name = fmt.Sprintf("0x%x", n)
				}
				got = append(got, "DW_OP_regx "+name)
			}
			if diff := cmp.Diff(dwarfdump(t, test.triple, exprs), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPrintBaseTypes prints references to base types: that of a type with a
// name, without one, and to something else, and where no unit is known, as in
// the location lists that llvm-dwarfdump prints by themselves.
func TestPrintBaseTypes(t *testing.T) {
	known := func(off uint64) (uint64, string, bool) {
		return off + 0x100, map[uint64]string{0x2a: "u\\32"}[off], off < 0x40
	}
	for _, test := range []struct {
		code, want string
		p          Printer
	}{
		{"a82a", `DW_OP_convert (0x0000012a) "u\32"`, Printer{BaseType: known}},
		{"a82b", "DW_OP_convert (0x0000012b)", Printer{BaseType: known}},
		{"a82a", `DW_OP_convert (0x0000002a -> 0x0000012a) "u\32"`, Printer{BaseType: known, Verbose: true}},
		{"a84a", "DW_OP_convert <invalid base_type ref: 0x4a>", Printer{BaseType: known, Verbose: true}},
		{"a800", "DW_OP_convert 0x0", Printer{BaseType: known}},
		{"a84a", "DW_OP_convert 0x4a", Printer{}},
	} {
		if got := test.p.String(unhex(test.code)); got != test.want {
			t.Errorf("%s: %s, want %s", test.code, got, test.want)
		}
	}
}
