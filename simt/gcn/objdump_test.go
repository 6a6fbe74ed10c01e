package gcn

import (
	"debug/elf"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// codeObjects are the committed kernels.
func codeObjects(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/co/*.co")
	if err != nil {
		t.Fatal(err)
	}
	later, err := filepath.Glob("../../testdata/rdna/co/*.co")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 || len(later) == 0 {
		t.Fatal("no code objects in testdata/co or testdata/rdna/co")
	}
	return append(paths, later...)
}

// processorOf is the processor in a code object's name, NAME.PROCESSOR.OPT.co.
func processorOf(path string) string {
	return strings.Split(filepath.Base(path), ".")[1]
}

// objdump is LLVM's listing of a code object: "address: text", without
// comments and labels.
func objdump(t *testing.T, path string) []string {
	t.Helper()
	tool, err := exec.LookPath("llvm-objdump-22")
	if err != nil {
		t.Skip("skipped: llvm-objdump-22 is not installed")
	}
	out, err := exec.Command(tool, "-d", "--no-show-raw-insn", "--mcpu="+processorOf(path), path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, line := range strings.Split(string(out), "\n") {
		at := strings.LastIndex(line, "// ") // remarks may come directly before it
		if at < 0 || !strings.HasPrefix(line, "\t") {
			continue
		}
		text := line[:at]
		addr, _, _ := strings.Cut(strings.TrimSpace(line[at+2:]), ":")
		list = append(list, strings.TrimLeft(addr, "0")+": "+strings.Join(strings.Fields(text), " "))
	}
	return list
}

// TestListingsAgreeWithObjdump disassembles every committed kernel.
func TestListingsAgreeWithObjdump(t *testing.T) {
	for _, path := range sweep.Some(3, codeObjects(t)...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := objdump(t, path)
			f, err := elf.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			isa, err := New(processorOf(path), nil, Kernel{})
			if err != nil {
				t.Fatal(err)
			}
			text := f.Section(".text")
			code, err := text.Data()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			listing := Listing{ISA: isa}
			for pc := text.Addr; len(code) > 0; {
				in, err := listing.Inst(code, pc)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%X: %s", pc, strings.Join(strings.Fields(in.Text), " ")))
				code, pc = code[in.Size:], pc+uint64(in.Size)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("listing (-objdump +own):\n%s", d)
			}
		})
	}
}
