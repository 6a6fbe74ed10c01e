package symfile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/testdata/sweep"
)

// TestLocations goes through what gdb is given of each variable's places: an address of global memory, which
// the symbol table has as well; a distance from the base of its function, which the file knows; or a slot,
// which no other place has.
func TestLocations(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, file := range append(sweep.Some(5, objects(t)...), "../../testdata/debug/co/shared.O0.co",
		"../../testdata/co/calls.gfx90a.O0.co") {
		m, f := build(t, file)
		d, err := fileData(f)
		if err != nil {
			t.Fatal(err)
		}
		c := &placeChecker{t: t, file: file, m: m, f: f, slots: map[int64]int{}, found: found}
		for _, u := range d.Units() {
			root, err := u.Root()
			if err != nil {
				t.Fatal(err)
			}
			root.Walk(func(d *dwarf.DIE) bool { c.entry(d); return true })
		}
		for _, s := range f.Slots {
			if c.slots[s.At] != 1 {
				t.Errorf("%s: the slot of %s is read in %d places", file, s.Name, c.slots[s.At])
			}
		}
	}
	least := map[string]int{"slot": 50, "base": 50, "address": 2, "distance of an argument": 20}
	for what, least := range least {
		if found[what] < least {
			t.Errorf("%d places are a %s, want %d at least", found[what], what, least)
		}
	}
}

// A placeChecker looks at the places of one file.
type placeChecker struct {
	t     *testing.T
	file  string
	m     *loader.Module
	f     *File
	slots map[int64]int // how many places read them
	found map[string]int
}

func (c *placeChecker) entry(d *dwarf.DIE) {
	a, ok := d.Attr(dwarf.AttrLocation)
	if !ok {
		return
	}
	locs, err := d.Unit.LocList(a)
	if err != nil || len(locs) == 0 {
		c.t.Errorf("%s: %s: %v", c.file, d.Name(), err)
	}
	function := d.Parent
	for function != nil && function.Tag != dwarf.TagSubprogram {
		function = function.Parent
	}
	for i, l := range locs {
		if l.Default == (a.Class == dwarf.ClassLocList) || !l.Default && l.Low >= l.High ||
			i > 0 && l.Low < locs[i-1].High {
			c.t.Errorf("%s: %s: place %d is for [%#x, %#x)", c.file, d.Name(), i, l.Low, l.High)
		}
		c.place(d, function, l)
	}
}

// place looks at one place of an entry.
func (c *placeChecker) place(d, function *dwarf.DIE, l dwarf.LocEntry) {
	columns := c.f.facade.Columns()
	e := l.Expr
	switch {
	case e[0] == expr.OpAddr && len(e) == 9:
		c.address(d, binary.LittleEndian.Uint64(e[1:]))
	case e[0] == expr.OpFbreg:
		base, _ := function.Attr(dwarf.AttrFrameBase)
		if want := []byte{expr.OpBreg0 + byte(columns.Base), 0}; !slices.Equal(base.Bytes, want) {
			c.t.Errorf("%s: the base of %s is % x, want % x", c.file, function.Name(), base.Bytes, want)
		}
		if e[len(e)-1] != expr.OpNop || d.Tag != dwarf.TagFormalParameter {
			c.t.Errorf("%s: %s is %v, at % x", c.file, d.Name(), d.Tag, e)
		}
		c.distance(d, function, l)
	default:
		s := c.slot(e)
		if s == nil {
			c.t.Errorf("%s: %s is at %s", c.file, d.Name(), (&expr.Printer{}).String(e))
			return
		}
		if s.Name != strings.TrimSuffix(d.Name(), entrySuffix) || s.Unit == nil {
			c.t.Errorf("%s: %s has the slot of %s", c.file, d.Name(), s.Name)
		}
		c.slots[s.At]++
		c.found["slot"]++
	}
}

// slot is what an expression reads, or the pieces of it that are known.
func (c *placeChecker) slot(e []byte) *Slot {
	i := slices.IndexFunc(c.f.Slots, func(s Slot) bool {
		return bytes.Contains(e, readSlot(c.f.facade.Columns().SP, s.At))
	})
	if i < 0 {
		return nil
	}
	return &c.f.Slots[i]
}

// address looks for the symbol of a variable in memory; LDS has none.
func (c *placeChecker) address(d *dwarf.DIE, addr uint64) {
	for _, s := range c.m.Symbols {
		if s.Addr == addr && s.Kind == loader.SymbolObject {
			if s.Name != d.Name() && s.Name != d.LinkageName() {
				c.t.Errorf("%s: %s is where %s is", c.file, d.Name(), s.Name)
			}
			c.found["address"]++
			return
		}
	}
	if c.m.SegmentAt(addr) != nil && d.Name() != "" { // strings have none
		c.t.Errorf("%s: %s is at %#x, where no symbol is", c.file, d.Name(), addr)
	}
}

// distance looks for what the file knows of a parameter at a distance from its function's base.
func (c *placeChecker) distance(d, function *dwarf.DIE, l dwarf.LocEntry) {
	code, _ := function.LowHigh()
	pc := code.Low
	if !l.Default {
		pc = l.Low
	}
	base := c.f.BaseAt(pc)
	if base == nil {
		c.t.Errorf("%s: %s has no base at %#x", c.file, function.Name(), pc)
		return
	}
	size := c.f.arch.Model().Size(d.TypeDIE())
	if base == c.f.arguments {
		first := c.f.layout.Arguments[0].Addr
		if !slices.ContainsFunc(c.f.layout.Arguments, func(a Argument) bool {
			return a.Size == size && slices.Equal(l.Expr, atDistance(int64(a.Addr-first)))
		}) {
			c.t.Errorf("%s: %s of %d bytes at % x is no argument", c.file, d.Name(), size, l.Expr)
		}
		c.found["distance of an argument"]++
	} else if l.Default {
		if !slices.ContainsFunc(base.Parameters, func(p Extent) bool {
			return p.Size == size && slices.Equal(l.Expr, atDistance(p.Distance))
		}) {
			c.t.Errorf("%s: %s of %d bytes at % x is not among %v", c.file, d.Name(), size, l.Expr,
				base.Parameters)
		}
	}
	if b := c.f.BaseAt(code.High); b == base {
		c.t.Errorf("%s: what follows %s has its base", c.file, function.Name())
	}
	c.found["base"]++
}

// atDistance is an expression for what lies at a distance from a function's base.
func atDistance(n int64) []byte { return append(expr.AppendFbreg(nil, n), expr.OpNop) }
