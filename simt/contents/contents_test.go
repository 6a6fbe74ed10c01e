package contents_test

import (
	"fmt"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/contents"
)

// toy are registers of four lanes, with truths in the last.
type toy struct {
	*contents.Rows
	truth uint64
}

func (t *toy) Truth(contents.Operand) uint64  { return t.truth }
func (t *toy) Name(o contents.Operand) string { return fmt.Sprintf("r%d", o) }
func newToy(blank ...contents.Operand) *toy {
	t := &toy{Rows: contents.NewRows(8, 0)}
	for _, o := range blank {
		t.Set(o, 0xf, 0x3, 0x100+uint64(o))
	}
	return t
}

// told is an observer that answers what private memory holds, and hears of uses.
type told struct {
	blank uint64
	uses  []string
}

func (o *told) Observe(a *simt.Access) bool {
	if a.Parts != nil {
		for i := range a.Parts.Blank {
			a.Parts.Blank[i] = o.blank >> (4 * i) & 0xf
		}
	}
	a.Blank = o.blank & 0xf
	return false
}
func (o *told) Follows() simt.Following { return simt.Following{Values: true} }
func (o *told) Used(u *simt.Use) bool {
	o.uses = append(o.uses, fmt.Sprintf("%s in %#x from %#x", u.Text, u.Lanes, u.From))
	return true
}
func (o *told) Fence(*simt.Wave, simt.Fence) {}
func (o *told) Arrived(simt.Event)           {}
func (o *told) Came(*simt.Wave, uint8)       {}
func (o *told) Opened(simt.Meeting)          {}
func (o *told) Together(*simt.Wave, uint64)  {}
func (o *told) Ended(*simt.Wave)             {}
func (o *told) Quiet(bool)                   {}

// TestRule: what is used is told of, what is moved is none's concern, and what comes from it has no contents.
func TestRule(t *testing.T) {
	to := func(from ...contents.Operand) []contents.Move { return []contents.Move{{To: 4, From: from}} }
	global := &simt.Access{Space: simt.Global, Write: true, Size: 4, Lanes: 0xf}
	for _, c := range []struct {
		name   string
		in     contents.Inst
		access *simt.Access
		own    bool
		truth  uint64
		uses   []string
		blank  uint64 // of r4 behind it
	}{
		{name: "a copy", in: contents.Inst{Moves: to(0)}, blank: 3},
		{name: "a sum", in: contents.Inst{Moves: to(1, 0)}, blank: 3},
		{name: "what may not depend on it", in: contents.Inst{Moves: to()}},
		{name: "nothing at all", in: contents.Inst{Moves: to(contents.Undefined)}, blank: 0xf},
		{name: "an address", in: contents.Inst{Address: []contents.Operand{0}},
			uses: []string{"r0, which nothing has written to, is an address in 0x3 from 0x100"}},
		{name: "an address that is there", in: contents.Inst{Address: []contents.Operand{1}}},
		{name: "a branch", in: contents.Inst{Decides: []contents.Operand{0}},
			uses: []string{"what nothing has written to decides a branch in 0x3 from 0x100"}},
		{name: "a store", in: contents.Inst{Data: []contents.Operand{0}}, access: global,
			uses: []string{"r0, which nothing has written to, is stored where others see it in 0x3 from " +
				"0x100"}},
		{name: "a store of which a part is there", in: contents.Inst{Data: []contents.Operand{0, 1}},
			access: global},
		{name: "a store beside a constant", in: contents.Inst{Data: []contents.Operand{0, contents.Constant}},
			access: global},
		{name: "a spill", in: contents.Inst{Data: []contents.Operand{0}}, own: true,
			access: &simt.Access{Space: simt.Scratch, Write: true, Size: 4, Lanes: 0xf}},
		{name: "a choice of it", in: contents.Inst{Moves: []contents.Move{{To: 4, Chosen: true,
			From: []contents.Operand{0, 1, 2}}}}, truth: 1, blank: 1},
		{name: "false and it", in: contents.Inst{Moves: []contents.Move{{To: 4, Logic: contents.And,
			From: []contents.Operand{1, 0}}}}, truth: 1, blank: 1},
		{name: "true or it", in: contents.Inst{Moves: []contents.Move{{To: 4, Logic: contents.Or,
			From: []contents.Operand{1, 0}}}}, truth: 1, blank: 2},
	} {
		m, o := &simt.Machine{}, &told{}
		m.AddObserver(o)
		r, f := newToy(0), contents.Follower{}
		r.truth = c.truth
		f.Begin(m, nil, r, &c.in, 0x10, 0xf, 0xf)
		if c.access != nil {
			a := *c.access
			f.Access(&a, c.own)
			if c.own && a.Nothing != 3 {
				t.Errorf("%s: %#x lanes store nothing", c.name, a.Nothing)
			}
			f.Accessed(&a)
		}
		if stop := f.End(); stop != (len(c.uses) > 0) || !slices.Equal(o.uses, c.uses) {
			t.Errorf("%s: stop %v, %q, want %q", c.name, stop, o.uses, c.uses)
		}
		if blank, _ := r.Blank(4, 0xf); blank != c.blank {
			t.Errorf("%s: %#x has no contents, want %#x", c.name, blank, c.blank)
		}
	}
}

// TestParts: of an access of several parts each is known by itself.
func TestParts(t *testing.T) {
	o := &told{blank: 0x5c} // lanes 2 and 3 of the first part, 0 and 2 of the second
	m := &simt.Machine{}
	m.AddObserver(o)
	r, f := newToy(), contents.Follower{}
	in := contents.Inst{Loads: []contents.Operand{4, 5}, Part: 4}
	f.Begin(m, nil, r, &in, 0x10, 0xf, 0xf)
	a := simt.Access{Space: simt.Scratch, Read: true, Size: 8, Lanes: 0xf}
	f.Access(&a, true)
	if !a.Deferred {
		t.Error("a load of private memory is not deferred")
	}
	m.Observe(&a)
	f.Accessed(&a)
	f.End()
	for i, want := range []uint64{0xc, 0x5} {
		if blank, from := r.Blank(contents.Operand(4+i), 0xf); blank != want || from != 0x10 {
			t.Errorf("part %d: %#x from %#x, want %#x", i, blank, from, want)
		}
	}
	in = contents.Inst{Data: []contents.Operand{4, 5}, Part: 4}
	f.Begin(m, nil, r, &in, 0x14, 0xf, 0xf)
	a = simt.Access{Space: simt.Scratch, Write: true, Size: 8, Lanes: 0xf}
	f.Access(&a, true)
	if a.Nothing != 4 || !slices.Equal(a.Parts.Nothing, []uint64{0xc, 0x5}) {
		t.Errorf("%#x and %#x store nothing", a.Nothing, a.Parts.Nothing)
	}
}
