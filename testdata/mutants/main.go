// Command mutants makes small changes of meaning in the machine, one at a time, and runs the nearest package's
// tests, which are to notice. The tree stays as it is (go test -overlay). Run it at the
// top of the module:
//
//	go run ./testdata/mutants
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A mutant is a change of one place of a file.
type mutant struct {
	file, from, to string
	tests          string // those that are to notice, all of the file's package if empty
}

var mutants = []mutant{
	{"simt/rows/rows.go", "|| g.Write && g.Space != Private && c.loads", "", ""},
	{"simt/rows/rows.go", "if c.stores || c.ops", "if c.ops", ""},
	{"simt/rows/rows.go", "c.rows[g.Reg] ||", "", ""},
	{"simt/rows/rows.go", "stores++; stores > 1", "stores++; stores > 9", "./simt/rows/x86"},
	{"simt/rows/x86/translate.go", "t.Kor8(4, 4, 6)\n\t\tt.V(vptestmq", "t.V(vptestmq", ""},
	{"simt/rows/x86/translate.go", "t.V(vptestmq, 6, 26,", "t.V(vptestmq, 6, 28,", ""},
	{"simt/rows/x86/translate.go", "t.Kandn8(k, 7, k)", "t.Kand8(k, 7, k)", ""},
	{"simt/rows/x86/translate.go", "t.OpImm(native.SUB, native.W64, native.RAX, int32(g.hi-g.lo))",
		"t.OpImm(native.SUB, native.W64, native.RAX, 0)", ""},
	{"simt/rows/x86/ops.go", "t.Kandn8(7, 5, 7)", "t.Kxor8(7, 7, 7)", ""},
	{"simt/rows/x86/ops.go", "t.V(vpbroadcastd, d, 0, native.InMem(t.constant(o.NaN)), 6)", "", ""},
	{"simt/rows/x86/ops.go", "t.V(vpandq, d, d, native.Each(t.constant(1<<32-1)), 0)", "", ""},
	{"simt/rows/x86/ops.go", "h.reg == o.D {\n\t\t\t*h = holding{}", "h.reg == o.D {\n", ""},
	{"simt/rows/x86/ops.go", "native.InMem(t.rowAt(h.reg, t.part)), 1)",
		"native.InMem(t.rowAt(h.reg, t.part)), 0)", ""},
	{"simt/rows/x86/translate.go", "t.Jcc(native.E, out)", "", "./simt/ptx"},
	{"simt/rows/x86/translate.go", "t.Jcc(native.NE, t.exit(end-1, 1, 1, 0))", "", "./simt/ptx"},
	{"simt/rows/x86/translate.go", "t.Jcc(native.S, t.exit(u.At, n, 0, 0))", "", "./simt/ptx"},
	{"simt/rows/x86/translate.go", "if stores > 1", "if stores > 9", ""},
	{"simt/rows/x86/translate.go", "t.Jcc(native.LE, out)", "t.Jcc(native.E, out)", "./simt/spirv"},
	{"simt/rows/x86/ops.go", "t.V(vpord, d, s[i], native.Each(t.constant(1<<22)), 7)", "", ""},
	{"simt/rows/x86/ops.go", "native.InMem(t.privateAt(o, false)), 5)", "native.InMem(t.privateAt(o, false)), 0)", ""},
	{"simt/spirv/lower.go", "return append(kept, copies...)", "return append(copies, kept...)", ""},
	{"simt/spirv/lower.go", "if !open {\n\t\t\t\tl.masks", "if false {\n\t\t\t\tl.masks", ""},
	{"simt/spirv/core.go", "!s.changed && c", "c", ""},
	{"simt/spirv/lower.go", "count.Imm &= 31", "count.Imm &= 63", ""},
	{"simt/spirv/native.go", "s.put(s.b, c.mask)\n\t\t\tc.next()", "", ""},
	{"simt/spirv/native.go", "x.Stop = int64(t.low.first[b.index])", "", ""},
	{"simt/spirv/native.go", "uint32(one(c.want.In(s, write)))", "uint32(one(c.want.In(s, write) && false))", ""},
	{"simt/spirv/native.go", "if v := c.native.low.buffers[a.Reg]; v", "if v := c.native.low.buffers[-1]; v", ""},
	{"simt/rows/regions/x86/hold.go", "h.lo < hi && lo < h.hi", "h.lo == lo && hi == h.hi", "./simt/gen"},
	{"simt/rows/regions/x86/memory.go", "t.lie(a, int(a.Size)*int(a.Count), side)", "t.lie(a, int(a.Size), side)",
		"./simt/gen"},
	{"simt/rows/regions/x86/translate.go", "t.Jcc(native.NE, t.exit(u.End, 0, 0, 0))", "", "./simt/gen"},
	{"simt/rows/regions/x86/translate.go", "whole && !t.whole", "false", "./simt/gen"},
	{"simt/gen/native.go", "x.Stop = int64(r.wake)", "", ""},
	{"simt/gen/native.go", "r.Perm&need != need", "r.Perm&need == 99", ""},
	{"simt/gen/native.go", "flag(c.want.In(simt.LDS, write))", "flag(write && false)", ""},
	{"simt/gen/lower.go", "s.Const[i] &= bits", "s.Const[i] &= 127", ""},
	{"simt/ptx/native.go", "c.st.spent += int(done)", "", ""},
	{"simt/ptx/native.go", "min(n, uint64(max(patience-c.st.spent, 0)))", "n", ""},
	{"simt/ptx/native.go", "c.arrive(p)", "", ""},
	{"simt/ptx/native.go", "bit(c.want.In(s, write))", "bit(c.want.In(s, write) && false)", ""},
	{"simt/ptx/native.go", "r.Perm&need == need", "r.Perm&need|1 != 0", ""},
	{"simt/ptx/lower.go", "!in.ordered && !in.atomic && !in.signed", "!in.ordered && !in.atomic", ""},
	{"simt/ptx/lower.go", `"le": {lt, true, true}, "ge"`, `"le": {lt, true, false}, "ge"`, ""},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	survive := 0
	for _, m := range mutants {
		lives, err := m.survives(dir)
		if err != nil {
			return err
		}
		said := "is noticed"
		if lives {
			survive++
			said = "SURVIVES"
		}
		fmt.Printf("%s: %q for %q %s\n", m.file, m.to, m.from, said)
	}
	fmt.Printf("%d of %d changes are noticed by no test\n", survive, len(mutants))
	return nil
}

// survives reports whether tests pass with the change.
func (m *mutant) survives(dir string) (bool, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return false, err
	}
	if strings.Count(string(text), m.from) != 1 {
		return false, fmt.Errorf("%s has %q %d times, expected once", m.file, m.from,
			strings.Count(string(text), m.from))
	}
	here, err := filepath.Abs(m.file)
	if err != nil {
		return false, err
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {here: changed}})
	if err != nil {
		return false, err
	}
	for path, p := range map[string][]byte{changed: []byte(strings.Replace(string(text), m.from, m.to, 1)),
		overlay: list} {
		if err := os.WriteFile(path, p, 0o666); err != nil {
			return false, err
		}
	}
	tests := m.tests
	if tests == "" {
		tests = "./" + filepath.Dir(m.file)
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, tests).CombinedOutput(); err != nil {
		return false, fmt.Errorf("%s with %q does not build: %w\n%s", m.file, m.to, err, out)
	}
	return exec.Command("go", "test", "-timeout", "1m", "-overlay", overlay, tests).Run() == nil, nil
}
