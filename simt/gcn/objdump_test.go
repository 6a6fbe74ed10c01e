package gcn

import (
	"debug/elf"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
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

// objdump are LLVM's listings of code objects: "address: text", without comments and labels. It is started
// once for all of a processor.
func objdump(t *testing.T, paths []string) map[string][]string {
	t.Helper()
	tool, err := exec.LookPath("llvm-objdump-22")
	if err != nil {
		t.Skip("skipped: llvm-objdump-22 is not installed")
	}
	of, lists := map[string][]string{}, map[string][]string{}
	for _, path := range paths {
		of[processorOf(path)] = append(of[processorOf(path)], path)
	}
	for processor, paths := range of {
		args := append([]string{"-d", "--no-show-raw-insn", "--mcpu=" + processor}, paths...)
		out, err := exec.Command(tool, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			_, text, _ := strings.Cut(string(out), path+":\tfile format")
			text, _, _ = strings.Cut(text, ":\tfile format")
			lists[path] = listing(text)
		}
	}
	return lists
}

// listing is what LLVM says of one object.
func listing(out string) (list []string) {
	for line := range strings.Lines(out) {
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
	paths := sweep.Some(7, codeObjects(t)...)
	lists := objdump(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := lists[path]
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
			if !slices.Equal(want, got) { // cmp takes long for what is equal
				t.Errorf("listing (-objdump +own):\n%s", cmp.Diff(want, got))
			}
		})
	}
}
