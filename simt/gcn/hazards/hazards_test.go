package hazards

import (
	"fmt"
	"slices"
	"testing"

	"simtgdb/simt/gcn/processor"
)

// plainNames are names of registers.
type plainNames struct{}

func (plainNames) Scalar(first uint16, n int) string { return fmt.Sprintf("s%d+%d", first, n) }
func (plainNames) Vector(reg uint16) string          { return fmt.Sprintf("v%d", reg) }
func (plainNames) Setting(id uint16) string          { return fmt.Sprintf("hw%d", id) }

// inst is an instruction that is one wait state.
func inst(pc uint64, leaves, needs []Touch) Inst {
	return Inst{PC: pc, Op: pc, States: 1, Leaves: leaves, Needs: needs}
}

// TestEnter: a wave is followed through blocks, of which each is walked once for each way to it, and
// however few instructions of a block it has executed.
func TestEnter(t *testing.T) {
	writes := inst(0, []Touch{{Kind: LeftScalar, First: 4, N: 2}}, nil)
	reads := inst(8, nil, []Touch{{Kind: NeedAddress, First: 5, N: 1}})
	nothing := inst(16, nil, nil)
	first, second := &Block{Insts: []Inst{writes, nothing}}, &Block{Insts: []Inst{nothing, reads}}
	f := New(processor.GFX90A, 64, plainNames{})
	for _, c := range []struct {
		executed uint64 // of the first block
		want     string
	}{
		{2,
			"a memory instruction reads s5+1, which a vector instruction has just written: needs 5 wait " +
				"states between, has 2"},
		{1,
			"a memory instruction reads s5+1, which a vector instruction has just written: needs 5 wait " +
				"states between, has 1"},
		{0, ""}, {3, ""},
	} {
		var s State
		f.Enter(&s, first, 100)
		if len(s.Early()) != 0 {
			t.Errorf("at the beginning: %v", s.Early())
		}
		for range 2 {
			at := s
			f.Enter(&at, second, 100+c.executed)
			want := []Early{{Index: 1, Text: c.want}}
			if c.want == "" {
				want = nil
			}
			if got := at.Early(); !slices.Equal(got, want) {
				t.Errorf("after %d instructions: %v, want %v", c.executed, got, want)
			}
		}
	}
	if len(second.edges) != 3 {
		t.Errorf("%d ways to the second block, want 3", len(second.edges))
	}
}

// TestFar: an instruction that goes to where a register says takes long enough.
func TestFar(t *testing.T) {
	for _, on := range []processor.Set{processor.GFX90A, processor.GFX1100} {
		leaves, needs := []Touch{{Kind: LeftScalar, First: 4, N: 1}}, []Touch{{Kind: NeedAddress, First: 4,
			N: 1}}
		if on.IsLater() {
			leaves, needs = []Touch{{Kind: LeftSlowly, First: 4, N: 1}}, []Touch{{Kind: AtRead, First: 4,
				N: 1}}
		}
		insts := []Inst{inst(0, leaves, nil), inst(4, nil, nil), inst(8, nil, needs)}
		f := New(on, 64, plainNames{})
		if _, all := f.Walk(nil, insts); len(all) != 1 || all[0].Index != 2 || all[0].From != 0 {
			t.Errorf("%s: %v", on, all)
		}
		insts[1].Far = true
		if _, all := f.Walk(nil, insts); len(all) != 0 {
			t.Errorf("%s: %v behind a jump", on, all)
		}
	}
}

// TestSupersede: what a matrix instruction leaves takes from what an earlier one has left.
func TestSupersede(t *testing.T) {
	left := leftBehind{which: []Touch{{Kind: LeftProduct, First: 8, N: 16, Count: 16},
		{Kind: LeftSum, First: 8, N: 4, Count: 16}, {Kind: LeftVector, First: 12, N: 4},
		{Kind: LeftProduct, First: 40, N: 4, Count: 16}}}
	left.supersede(Touch{Kind: LeftProduct, First: 12, N: 4, Count: 2})
	want := []Touch{{Kind: LeftProduct, First: 8, N: 4, Count: 16},
		{Kind: LeftProduct, First: 16, N: 8, Count: 16},
		{Kind: LeftSum, First: 8, N: 4, Count: 16}, {Kind: LeftVector, First: 12, N: 4},
		{Kind: LeftProduct, First: 40, N: 4, Count: 16}}
	if !slices.Equal(left.which, want) {
		t.Errorf("%v, want %v", left.which, want)
	}
}

// TestBounds: neither ways to a block nor tails are kept without end.
func TestBounds(t *testing.T) {
	f, b := New(processor.GFX90A, 64, plainNames{}), &Block{Insts: []Inst{inst(0, nil, nil)}}
	for i := range uint64(mostTails + 100) {
		before := &Block{Insts: []Inst{inst(4*i, []Touch{{Kind: LeftVector, First: 1, N: 1}}, nil)}}
		var s State
		f.Enter(&s, before, 0)
		f.Enter(&s, b, 1)
	}
	if len(b.edges) > mostEdges || len(f.tails) > mostTails {
		t.Errorf("%d ways, %d tails", len(b.edges), len(f.tails))
	}
}

// TestRows: no two rows are the same, so that each can be told from the others.
func TestRows(t *testing.T) {
	all := Rows()
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != len(hazards)+len(laterHazards) {
		t.Errorf("%d rows that differ, of %d", n, len(hazards)+len(laterHazards))
	}
}
