package dwarf

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simtgdb/dwarf/internal/dwarftest"
	"simtgdb/dwarf/line"
	"simtgdb/testdata/forkedgdb"
)

// rewrite reads the units of a file, writes them, and puts the sections into a copy of the file.
func rewrite(t *testing.T, file string) string {
	t.Helper()
	d := dataOf(t, file)
	units, err := Copy(d.Units(), CopyOptions{Expr: exprRefs})
	if err != nil {
		t.Fatal(err)
	}
	return dwarftest.PutSections(t, file, written(t, units, WriteOptions{BigEndian: d.big}))
}

func written(t *testing.T, units []*OutUnit, o WriteOptions) map[string][]byte {
	t.Helper()
	sections, err := Write(units, o)
	if err != nil {
		t.Fatal(err)
	}
	return sections
}

// exprRefs finds the offsets of entries in expressions. It knows the operands of the operations that
// compilers write.
func exprRefs(u *Unit, expr []byte) ([]byte, []ExprRef) {
	var out []byte
	var refs []ExprRef
	leb := func(i int) int {
		n := 1
		for expr[i+n-1]&0x80 != 0 {
			n++
		}
		return n
	}
	value := func(i, n int) (v uint64) {
		for k := n - 1; k >= 0; k-- {
			v = v<<7 | uint64(expr[i+k]&0x7f)
		}
		return v
	}
	typeRef := func(i int) int { // an ULEB128 type offset, 0 for the generic type
		n := leb(i)
		v := value(i, n)
		if v == 0 {
			out = append(out, 0)
			return n
		}
		refs = append(refs, ExprRef{Pos: len(out), Size: 5, Kind: RefUnitLEB, Target: u.DIEAt(u.Offset + v)})
		out = append(out, make([]byte, 5)...)
		return n
	}
	fixed := func(i, n int, kind ExprRefKind, base uint64) int {
		var v uint64
		for k := n - 1; k >= 0; k-- {
			v = v<<8 | uint64(expr[i+k])
		}
		target := u.Data.DIEAt(base + v)
		refs = append(refs, ExprRef{Pos: len(out), Size: n, Kind: kind, Target: target})
		out = append(out, make([]byte, n)...)
		return n
	}
	for i := 0; i < len(expr); {
		op := expr[i]
		start := i
		out = append(out, op)
		i++
		keep := func(n int) {
			out = append(out, expr[i:i+n]...)
			i += n
		}
		switch {
		case op == 0x03:
			keep(int(u.AddrSize))
		case op == 0x08 || op == 0x09 || op == 0x15 || op == 0x94 || op == 0x95:
			keep(1)
		case op == 0x0a || op == 0x0b || op == 0x28 || op == 0x2f:
			keep(2)
		case op == 0x0c || op == 0x0d:
			keep(4)
		case op == 0x0e || op == 0x0f:
			keep(8)
		case op == 0x10 || op == 0x11 || op == 0x23 || op >= 0x70 && op <= 0x91 || op == 0x93 ||
			op == 0xa1 || op == 0xa2 || op == 0xfb || op == 0xfc:
			keep(leb(i))
		case op == 0x92 || op == 0x9d:
			keep(leb(i))
			keep(leb(i))
		case op == 0x9e:
			n := leb(i)
			keep(n + int(value(i, n)))
		case op == 0x99: // call4
			i += fixed(i, 4, RefUnitFixed, u.Offset)
		case op == 0xa0 || op == 0xf2: // implicit_pointer
			i += fixed(i, u.refAddrSize(), RefSection, 0)
			keep(leb(i))
		case op == 0xfa: // GNU_parameter_ref
			i += fixed(i, 4, RefUnitFixed, u.Offset)
		case op == 0xfd: // GNU_variable_value
			i += fixed(i, u.refAddrSize(), RefSection, 0)
		case op == 0xa8 || op == 0xa9 || op == 0xf7 || op == 0xf9: // convert, reinterpret
			i += typeRef(i)
		case op == 0xa5 || op == 0xf5: // regval_type
			keep(leb(i))
			i += typeRef(i)
		case op == 0xa6 || op == 0xf6: // deref_type
			keep(1)
			i += typeRef(i)
		case op == 0xa4 || op == 0xf4: // const_type
			i += typeRef(i)
			keep(1 + int(expr[i]))
		case op == 0xa3 || op == 0xf3: // entry_value
			n := leb(i)
			size := int(value(i, n))
			i += n
			inner, innerRefs := exprRefs(u, expr[i:i+size])
			i += size
			out = appendLEB(out, uint64(len(inner)))
			for _, r := range innerRefs {
				r.Pos += len(out)
				refs = append(refs, r)
			}
			out = append(out, inner...)
		}
		if i == start {
			panic("no progress")
		}
	}
	return out, refs
}

func appendLEB(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// shape gives what a tree says, without the offsets of entries and forms.
func shape(t *testing.T, d *Data) []string {
	t.Helper()
	number := make(map[*DIE]int)
	for _, u := range d.Units() {
		root, err := u.Root()
		if err != nil {
			t.Fatal(err)
		}
		root.Walk(func(e *DIE) bool {
			number[e] = len(number)
			return true
		})
	}
	var out []string
	for _, u := range d.Units() {
		root, _ := u.Root()
		out = append(out, fmt.Sprintf("unit %d %v %d %x", u.Version, u.Type, u.AddrSize, u.Signature))
		root.Walk(func(e *DIE) bool {
			for _, a := range e.Attrs {
				if s, ok := attrShape(t, u, e, a, number); ok {
					out = append(out, fmt.Sprintf("%d %v %d: %s", number[e], e.Tag, len(e.Children), s))
				}
			}
			return true
		})
	}
	return out
}

func attrShape(t *testing.T, u *Unit, e *DIE, a Attr, number map[*DIE]int) (string, bool) {
	t.Helper()
	v := fmt.Sprint(a.Val)
	switch a.Class {
	case ClassAddrPtr, ClassLocListsPtr, ClassMacPtr, ClassRngListsPtr, ClassSecOffset, ClassStrOffsetsPtr:
		return "", false
	case ClassLinePtr:
		v = ""
	case ClassString, ClassBlock:
		v = string(a.Bytes)
	case ClassExprLoc:
		v = exprShape(u, a.Bytes, number)
	case ClassReference, ClassReferenceSig:
		target := e.Ref(a.Name)
		if target == nil && a.Name == AttrSibling {
			return "", false
		}
		v = fmt.Sprint("entry ", number[target])
	case ClassLocList:
		locs, err := u.LocList(a)
		if err != nil {
			t.Error(err)
		}
		v = ""
		for _, l := range locs {
			v += fmt.Sprintf("[%x,%x) %s ", l.Low, l.High, exprShape(u, l.Expr, number))
		}
	case ClassRngList:
		ranges, err := u.RangeList(a)
		if err != nil {
			t.Error(err)
		}
		v = fmt.Sprint(ranges)
	}
	return fmt.Sprintf("%v %v %s", a.Name, a.Class, v), true
}

func exprShape(u *Unit, expr []byte, number map[*DIE]int) string {
	bytes, refs := exprRefs(u, expr)
	s := fmt.Sprintf("% x", bytes)
	for _, r := range refs {
		s += fmt.Sprint(" entry ", number[r.Target])
	}
	return s
}

// TestRewrite reads what compilers write, writes it again, and checks that readers see the same.
func TestRewrite(t *testing.T) {
	dwarftest.Need(t, "llvm-objcopy-22")
	var names, files []string // of builds, and of each the compiler's file and what is written
	for _, b := range dwarftest.Some(dwarftest.AllBuilds()) {
		t.Run(b.Name, func(t *testing.T) {
			file := b.Make(t)
			again := rewrite(t, file)
			before, after := dataOf(t, file), dataOf(t, again)
			if old, now := shape(t, before), shape(t, after); !slices.Equal(old, now) {
				t.Errorf("the tree has changed (-read +written):\n%.4000s", cmp.Diff(old, now))
			}
			for i, u := range before.Units() {
				old, err := u.Lines()
				if err != nil {
					t.Fatal(err)
				}
				table, err := after.Units()[i].Lines()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(old, table, cmpopts.IgnoreUnexported(line.Table{}),
					cmpopts.IgnoreFields(line.Header{}, "Offset", "End", "Length", "HeaderLength",
						"AddrSize"),
					cmpopts.IgnoreFields(line.Row{}, "View"), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("the line table has changed (-read +written):\n%.4000s", diff)
				}
			}
			if b.Tool != "g++" { // of whose entries that contain themselves the verifier finds no end
				kept := dwarftest.Kept(t, b.Name+" again", func(out string) {
					if err := os.Rename(again, out); err != nil {
						t.Fatal(err)
					}
				})
				names, files = append(names, b.Name), append(files, file, kept)
			}
		})
	}
	if len(files) > 0 {
		verifyLikeBefore(t, names, files)
	}
}

// verifyLikeBefore checks that llvm-dwarfdump finds no kind of fault that the compiler's output did not
// have.
func verifyLikeBefore(t *testing.T, names, files []string) {
	t.Helper()
	kinds := faults(t, files...)
	for i, name := range names {
		for kind := range kinds[2*i+1] {
			if !kinds[2*i][kind] {
				t.Errorf("%s: llvm-dwarfdump --verify finds a fault in what was written: %s", name, kind)
			}
		}
	}
}

// TestGDBReadsTheSame compares what gdb says of a program and of the program with its debug information
// written again.
func TestGDBReadsTheSame(t *testing.T) {
	dwarftest.Need(t, "gdb")
	dwarftest.Need(t, "llvm-objcopy-22")
	commands := []string{"info line main", "info source", "info types", "info functions -n",
		"info variables -n", "info scope main"}
	c := []string{"info line sum", "info scope sum", "info scope clamp", "info scope variable",
		"ptype struct list",
		"ptype sum", "print sizeof(struct list)", "whatis table", "print (enum color)5", "list variadic",
		"info address table", "info scope add"}
	// With its types: the function that a lambda in `use` becomes answers to the bare name as well, and of
	// two such functions gdb shows first the one that lies lower in gdb's own memory (gdb 13.1,
	// compare_symbols in linespec.c), which differs from run to run.
	const use = "use(outer::v1::Base const&, int&&)"
	cc := []string{"info scope " + use, "ptype Holder", "ptype Shape<double, 5>", "whatis " + use,
		"list " + use, "info line " + use}
	for _, b := range dwarftest.Some(dwarftest.HostBuilds()) {
		t.Run(b.Name, func(t *testing.T) {
			file := b.Make(t)
			again := rewrite(t, file)
			list := append(slices.Clone(commands), c...)
			if strings.HasSuffix(b.Source, ".cc") {
				list = append(slices.Clone(commands), cc...)
			}
			want, got := gdb(t, file, list), gdb(t, again, list)
			if !strings.Contains(want, "starts at address") {
				t.Fatalf("gdb knows no lines of the original:\n%s", want)
			}
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("gdb reads something else (-original +written):\n%.4000s", diff)
			}
		})
	}
}

// gdb runs commands on a file and gives what gdb says, with the name of the file taken out.
func gdb(t *testing.T, file string, commands []string) string {
	t.Helper()
	// Which of several functions of a name gdb takes depends on the order in which its threads read (gdb
	// 13.1, cooked_index_vector): one thread makes it the same in every run.
	args := []string{"-batch", "-nx", "-iex", "maint set worker-threads 0", "-ex", "set pagination off",
		"-ex", "set complaints 100"}
	for _, c := range commands {
		args = append(args, "-ex", "echo > "+c+"\\n", "-ex", c)
	}
	out, err := forkedgdb.CombinedOutput(t.Context(), exec.Command("gdb", append(args, file)...))
	if err != nil {
		t.Fatalf("gdb: %v\n%s", err, out)
	}
	text := strings.ReplaceAll(string(out), file, "FILE")
	text = listBase.ReplaceAllString(text, "")
	return entryOffset.ReplaceAllString(text, "offset")
}

var (
	// listBase matches what gdb shows for the base entries of lists, which say nothing themselves.
	listBase = regexp.MustCompile(`Base address 0x[0-9a-f]+  `)
	// entryOffset matches the offsets of entries that gdb shows in expressions and messages.
	entryOffset = regexp.MustCompile(`\[0x[0-9a-f]+\]|<0x[0-9a-f]+>|DIE 0x[0-9a-f]+|at offset 0x[0-9a-f]+`)
)
