package contents_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/testdata/sweep"
)

// words are registers of 32 bits in four lanes, of which bits are known apart. The instruction that is tried
// moves the first into the last, by some bits to the left.
type words struct {
	*contents.Rows
	v     [6][simt.MaxLanes]uint64
	truth uint64
	shift uint
}

func (r *words) Truth(contents.Operand) uint64           { return r.truth }
func (r *words) Name(o contents.Operand) string          { return fmt.Sprintf("r%d", o) }
func (r *words) Width(contents.Operand) uint64           { return 1<<32 - 1 }
func (r *words) Value(o contents.Operand, l int) uint64  { return r.v[o][l] }
func (r *words) Put(o contents.Operand, l int, v uint64) { r.v[o][l] = v }
func (r *words) SetBits(o contents.Operand, l int, lacking uint64, mere bool, from uint64) {
	r.Rows.SetBits(o, l, lacking, 1<<32-1, mere, from)
}
func (r *words) Try() {
	for l := range 4 {
		r.v[5][l] = r.v[0][l] << r.shift & (1<<32 - 1)
	}
}

// lacks are the bits of an operand that have no contents, by lanes; those that may be padding have a ?.
func (r *words) lacks(o contents.Operand) string {
	var all []string
	for l := range 4 {
		lacking, mere, _ := r.Bits(o, l)
		mark := ""
		if mere {
			mark = "?"
		}
		all = append(all, fmt.Sprintf("%x%s", lacking&(1<<32-1), mark))
	}
	return strings.Join(all, " ")
}

// newWords are registers of which the first lacks its second byte, which may be padding, the next the same
// and is not, the third all, and the fourth nothing.
func newWords() *words {
	r := &words{Rows: contents.NewRows(6, 0)}
	for l := range 4 {
		r.SetBits(0, l, 0xff00, true, 0x100)
		r.SetBits(1, l, 0xff00, false, 0x101)
		r.SetBits(2, l, 1<<32-1, false, 0x102)
	}
	return r
}

// bytesTold is an observer that says of reads which bytes have no contents.
type bytesTold struct {
	told
	lacks         uint64 // bytes of each lane
	spoilt, amid  uint64
	blank         uint64
	nothing       uint64 // what it was told of the last write
	wrote         [4]uint64
	spoiltByWrite uint64
}

func (o *bytesTold) Observe(a *simt.Access) bool {
	if a.Write {
		o.nothing, o.spoiltByWrite = a.Nothing, a.Spoilt
		if a.Bytes != nil {
			copy(o.wrote[:], a.Bytes[:4])
		}
		return false
	}
	a.Blank, a.Spoilt, a.Amid = o.blank, o.spoilt, o.amid
	for l := range a.Bytes {
		a.Bytes[l] = o.lacks
	}
	return false
}

// TestLoadedBytes: what is loaded lacks the bits of bytes that nothing has written; they may be padding where
// others beside them have been written, and not spoilt; what was reported is not told of again.
func TestLoadedBytes(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     contents.Inst
		size   int
		own    bool
		o      bytesTold
		r4, r5 string
	}{
		{"all there", contents.Inst{Loads: ops(4), Part: 4}, 4, false, bytesTold{}, "0 0 0 0", "0 0 0 0"},
		{"a byte", contents.Inst{Loads: ops(4), Part: 4}, 4, false, bytesTold{lacks: 2},
			"ff00? ff00? ff00? ff00?",
			"0 0 0 0"},
		{"spoilt in a lane", contents.Inst{Loads: ops(4), Part: 4}, 4, false, bytesTold{lacks: 2, spoilt: 1},
			"ff00 ff00? ff00? ff00?", "0 0 0 0"},
		{"all, reported", contents.Inst{Loads: ops(4), Part: 4}, 4, false, bytesTold{lacks: 15}, "0 0 0 0",
			"0 0 0 0"},
		{"all, not reported", contents.Inst{Loads: ops(4), Part: 4}, 4, true, bytesTold{lacks: 15, blank: 3},
			"ffffffff ffffffff 0 0", "0 0 0 0"},
		{"two words, one there", contents.Inst{Loads: ops(4, 5), Part: 4}, 8, true, bytesTold{lacks: 0xf0},
			"0 0 0 0", "ffffffff ffffffff ffffffff ffffffff"}, // a whole word is no padding
		{"a half of one", contents.Inst{Loads: ops(4, 5), Part: 4}, 8, true, bytesTold{lacks: 0xc0},
			"0 0 0 0",
			"ffff0000? ffff0000? ffff0000? ffff0000?"},
		{"a byte with its sign", contents.Inst{Loads: ops(4), Part: 1, Signed: true}, 2, true,
			bytesTold{lacks: 1},
			"ffffffff? ffffffff? ffffffff? ffffffff?", "0 0 0 0"},
		{"without", contents.Inst{Loads: ops(4), Part: 1}, 2, true, bytesTold{lacks: 1}, "ff? ff? ff? ff?",
			"0 0 0 0"},
		{"amid others", contents.Inst{Loads: ops(4), Part: 2}, 2, true, bytesTold{lacks: 3, blank: 15,
			amid: 15},
			"ffff? ffff? ffff? ffff?", "0 0 0 0"},
		{"nobody wants it", contents.Inst{Loads: ops(contents.Constant, 5), Part: 4}, 8, true,
			bytesTold{lacks: 0x12},
			"0 0 0 0", "ff? ff? ff? ff?"},
	} {
		m, r := &simt.Machine{}, newWords()
		m.AddObserver(&c.o)
		for o := range contents.Operand(2) {
			r.SetBits(4+o, 1, 0xff, false, 0x50) // what was before is forgotten
		}
		var f contents.Follower
		f.Begin(m, nil, r, &c.in, 0x20, 0xf, 0xf)
		if !f.On() || !f.Apart() {
			t.Errorf("%s: it is not followed", c.name)
		}
		a := &simt.Access{Space: simt.Scratch, Read: true, Size: c.size, Lanes: 0xf}
		if !c.own {
			a.Space = simt.Global
		}
		f.Access(a, c.own)
		m.Observe(a)
		f.Accessed(a)
		f.End()
		if c.in.Loads[0] == contents.Constant {
			r.Set(4, 0xf, 0, 0)
		} else if len(c.in.Loads) == 1 {
			r.Set(5, 0xf, 0, 0)
		}
		if got, other := r.lacks(4), r.lacks(5); got != c.r4 || other != c.r5 {
			t.Errorf("%s: lacks %s and %s, want %s and %s", c.name, got, other, c.r4, c.r5)
		}
	}
}

func ops(all ...contents.Operand) []contents.Operand { return all }

// TestStoredBytes: a store says which bytes have no contents, and which of these are no padding; a copy
// stores what it has loaded, an access of each operand its own. What is only in part there is told of where
// others see it, unless it may be padding.
func TestStoredBytes(t *testing.T) {
	const part = "r%d, of which a part has not been written, is stored where others see it in 0xf from %#x"
	for _, c := range []struct {
		name   string
		in     contents.Inst
		size   int
		wrote  uint64 // bytes of each lane
		spoilt uint64
		uses   []string
	}{
		{"padding", contents.Inst{Data: ops(0)}, 4, 2, 0, nil},
		{"no padding", contents.Inst{Data: ops(1)}, 4, 2, 15, []string{fmt.Sprintf(part, 1, 0x101)}},
		{"nothing", contents.Inst{Data: ops(2)}, 4, 15, 15,
			[]string{"r2, which nothing has written to, is stored where others see it in 0xf from 0x102"}},
		{"all there", contents.Inst{Data: ops(3)}, 4, 0, 0, nil},
		{"a byte of it", contents.Inst{Data: ops(1), Part: 1}, 1, 0, 0, nil}, // which is there
		{"side by side", contents.Inst{Data: ops(3, 0), Part: 4}, 8, 0x20, 0, nil},
		{"with what is nothing", contents.Inst{Data: ops(2, 3), Part: 4}, 8, 0x0f, 15, nil},
		{"of a vector", contents.Inst{Data: ops(2, 3), Part: 4, Vector: true}, 8, 0x0f, 15,
			[]string{"r2, which nothing has written to, is stored where others see it in 0xf from 0x102"}},
		{"its last, which may be nobody's", contents.Inst{Data: ops(3, 2), Part: 4, Vector: true}, 8, 0xf0,
			15, nil},
		{"which is somebody's", contents.Inst{Data: ops(3, 2), Part: 4, Vector: true, Last: true}, 8, 0xf0,
			15,
			[]string{"r3, which nothing has written to, is stored where others see it in 0xf from 0x102"}},
		{"where any matters", contents.Inst{Data: ops(3, 2), Part: 4, Any: true}, 8, 0xf0, 15,
			[]string{"r3, which nothing has written to, is stored where others see it in 0xf from 0x102"}},
		{"what never had anything", contents.Inst{Data: ops(contents.Undefined)}, 4, 15, 15,
			[]string{"r-2, which nothing has written to, is stored where others see it in 0xf from 0x20"}},
		{"a number", contents.Inst{Data: ops(contents.Constant)}, 4, 0, 0, nil},
	} {
		m, o := &simt.Machine{}, &bytesTold{}
		m.AddObserver(o)
		var f contents.Follower
		f.Begin(m, nil, newWords(), &c.in, 0x20, 0xf, 0xf)
		a := &simt.Access{Space: simt.Global, Write: true, Size: c.size, Lanes: 0xf}
		f.Access(a, false)
		m.Observe(a)
		f.Accessed(a)
		f.End()
		if !slices.Equal(o.uses, c.uses) || o.wrote != [4]uint64{c.wrote, c.wrote, c.wrote, c.wrote} ||
			c.wrote != 0 && o.spoiltByWrite != c.spoilt {
			t.Errorf("%s: bytes %#x, spoilt %#x, told %q; want %#x, %#x, %q", c.name, o.wrote,
				o.spoiltByWrite, o.uses,
				c.wrote, c.spoilt, c.uses)
		}
	}
	m, o := &simt.Machine{}, &bytesTold{lacks: 4, spoilt: 2}
	m.AddObserver(o)
	var f contents.Follower
	f.Begin(m, nil, newWords(), &contents.Inst{Copies: true}, 0x20, 0xf, 0xf)
	for _, write := range []bool{false, true} {
		a := &simt.Access{Space: simt.LDS, Read: !write, Write: write, Size: 4, Lanes: 0xf}
		f.Access(a, false)
		m.Observe(a)
		f.Accessed(a)
	}
	if f.End(); o.wrote != [4]uint64{4, 4, 4, 4} || o.spoiltByWrite != 2 {
		t.Errorf("a copy writes without bytes %#x, spoilt in lanes %#x", o.wrote, o.spoiltByWrite)
	}
	f.Begin(m, nil, newWords(), &contents.Inst{Data: ops(3, 1), Each: true}, 0x20, 0xf, 0xf)
	for _, want := range []uint64{0, 2} {
		a := &simt.Access{Space: simt.Scratch, Write: true, Size: 4, Lanes: 0xf}
		f.Access(a, true)
		if m.Observe(a); o.wrote[0] != want {
			t.Errorf("of each operand bytes %#x are missing, want %#x", o.wrote[0], want)
		}
	}
	f.Fault()
	if f.On() || f.Apart() {
		t.Error("an instruction that has faulted is followed")
	}
}

// TestPieces: pieces of what a lane stores in memory of its own, or loads from another's, are known byte by
// byte.
func TestPieces(t *testing.T) {
	m := &simt.Machine{}
	m.AddObserver(&bytesTold{})
	r := newWords()
	var f contents.Follower
	in := contents.Inst{Data: ops(3, 0, contents.Constant, 1, 2), Part: 4}
	f.Begin(m, nil, r, &in, 0x20, 0xf, 0xf)
	for _, c := range []struct {
		offset, n int
		lacking   uint64
		spoilt    bool
	}{{0, 4, 0, false}, {4, 4, 2, false}, {5, 1, 1, false}, {6, 4, 0, false}, {12, 4, 2, true}, {4, 12,
		0x202, true},
		{16, 4, 15, true}} {
		if lacking, spoilt := f.Stored(1, c.offset, c.n); lacking != c.lacking || spoilt != c.spoilt {
			t.Errorf("%d bytes from %d on: %#x, spoilt %v; want %#x, %v", c.n, c.offset, lacking, spoilt,
				c.lacking,
				c.spoilt)
		}
	}
	f.Fault()
	in = contents.Inst{Loads: ops(4, 5), Part: 4}
	f.Begin(m, nil, r, &in, 0x20, 0xf, 0xf)
	piece := func(lacks, spoilt uint64) *simt.Access {
		a := &simt.Access{Bytes: new([simt.MaxLanes]uint64), Spoilt: spoilt}
		a.Bytes[3] = lacks
		return a
	}
	f.Loaded(0, 0, piece(1, 0), 3)
	f.Loaded(0, 6, piece(1, 0), 3)
	f.Loaded(1, 4, piece(2, 8), 3)
	f.Loaded(2, 0, piece(2, 4), 3) // another lane's is spoilt
	f.Loaded(2, 4, piece(1, 8), 3)
	if f.End(); r.lacks(4) != "ff? 0 ff00 0" || r.lacks(5) != "ff0000? ff00 ff 0" {
		t.Errorf("loaded in pieces they lack %s and %s", r.lacks(4), r.lacks(5))
	}
}

// TestWays: bits without contents go with a move, a choice of it, and with a shift, where they may be padding
// as long as they are whole bytes.
func TestWays(t *testing.T) {
	for _, c := range []struct {
		name  string
		move  contents.Move
		shift uint
		truth uint64
		want  string
	}{
		{"moved", contents.Move{To: 5, From: ops(0), Way: contents.Moved}, 0, 0, "ff00? ff00? ff00? ff00?"},
		{"a number", contents.Move{To: 5, From: ops(contents.Constant), Way: contents.Moved}, 0, 0,
			"0 0 0 0"},
		{"chosen", contents.Move{To: 5, From: ops(0, 2, 3), Way: contents.Moved, Chosen: true}, 0, 5,
			"ff00? ffffffff ff00? ffffffff"},
		{"by what is not there", contents.Move{To: 5, From: ops(0, 1, 2), Way: contents.Moved,
			Chosen: true}, 0, 15,
			"ffffffff ffffffff ffffffff ffffffff"},
		{"placed", contents.Move{To: 5, From: ops(0), Way: contents.Placed}, 8, 0,
			"ff0000? ff0000? ff0000? ff0000?"},
		{"placed, no padding", contents.Move{To: 5, From: ops(1), Way: contents.Placed}, 0, 0, "0 0 0 0"},
		{"shifted by bytes", contents.Move{To: 5, From: ops(0), Way: contents.Shifted}, 16, 0,
			"ff000000? ff000000? ff000000? ff000000?"},
		{"shifted by bits", contents.Move{To: 5, From: ops(0), Way: contents.Shifted}, 4, 0,
			"ff000 ff000 ff000 ff000"},
		{"computed", contents.Move{To: 5, From: ops(0), Way: contents.Computed}, 8, 0,
			"ff0000 ff0000 ff0000 ff0000"},
		{"shifted out", contents.Move{To: 5, From: ops(0), Way: contents.Computed}, 24, 0, "0 0 0 0"},
		{"whole", contents.Move{To: 5, From: ops(2), Way: contents.Whole}, 0, 0,
			"ffffffff ffffffff ffffffff ffffffff"},
		{"whole of a part", contents.Move{To: 5, From: ops(0), Way: contents.Whole}, 8, 0,
			"ff0000 ff0000 ff0000 ff0000"},
		{"opaque", contents.Move{To: 5, From: ops(0)}, 0, 0, "0 0 0 0"},
	} {
		r := newWords()
		r.shift, r.truth = c.shift, c.truth
		var f contents.Follower
		f.Begin(&simt.Machine{}, nil, r, &contents.Inst{Moves: []contents.Move{c.move}}, 0x20, 0xf, 0xf)
		if f.End(); r.lacks(5) != c.want {
			t.Errorf("%s: lacks %s, want %s", c.name, r.lacks(5), c.want)
		}
	}
}

// TestTaken: what is known of an operand's lanes is what is given to another one, whatever becomes of the
// first; others of its lanes stay as they are.
func TestTaken(t *testing.T) {
	random := rand.New(sweep.PCG(1, 95))
	for range 200 {
		r := newWords()
		for o := range contents.Operand(6) {
			for l := range 4 {
				switch random.IntN(3) {
				case 0:
					r.SetBits(o, l, 0, false, 0)
				case 1:
					r.SetBits(o, l, uint64(random.Uint32()), random.IntN(2) == 0, 7)
				default:
					r.SetBits(o, l, 1<<32-1, false, 9)
				}
			}
		}
		clone := r.Rows.Clone()
		lanes := random.Uint64N(16)
		taken := r.Take(0, lanes)
		r.Set(0, 0xf, 0, 0)
		r.Give(4, taken)
		for l := range 4 {
			of := contents.Operand(4)
			if lanes>>l&1 != 0 {
				of = 0
			}
			lacking, mere, _ := clone.Bits(of, l)
			if got, is, _ := r.Bits(4, l); got&(1<<32-1) != lacking&(1<<32-1) || is != mere {
				t.Fatalf("lane %d of %#x lacks %#x, %v; want %#x, %v", l, lanes, got, is, lacking, mere)
			}
		}
		if whole := r.Lacks(0, 0xf); whole != 0 || clone.Whole() != (clone.Lacks(0, 15)|clone.Lacks(1, 15)|
			clone.Lacks(2, 15)|clone.Lacks(3, 15)|clone.Lacks(4, 15)|clone.Lacks(5, 15) == 0) {
			t.Fatalf("lanes %#x lack something that was set, or whether all is there is another question",
				whole)
		}
		if clone.Reset(0); !clone.Whole() || clone.Lacks(2, 0xf) != 0 {
			t.Fatal("set anew they lack something")
		}
		if clone.Reset(6); clone.Whole() || clone.Lacks(3, 0xf) != 6 {
			t.Fatal("set anew without contents in lanes they have some")
		}
	}
	if (*contents.Rows)(nil).Clone() != nil {
		t.Error("a copy of no registers is some")
	}
}

// TestCuts: a mask cuts a number that leaves more than half of it, and not all.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		mask  uint64
		width int
		want  bool
	}{{0xffff, 32, false}, {0x1ffff, 32, true}, {0xffffffff, 32, false}, {0x7fffffff, 32, true},
		{0xffffffff, 64, false}, {0x1ffffffff, 64, true}, {^uint64(0), 64, false}, {^uint64(0), 32, false},
		{0xf00000000, 32, false}} {
		if got := contents.Cuts(c.mask, c.width); got != c.want {
			t.Errorf("%#x of %d bits: %v", c.mask, c.width, got)
		}
	}
}

// TestBackFound: an instruction's loads are put back where what they give is stored at their place, or, of a
// vector that nothing else uses, where some of it is not used.
func TestBackFound(t *testing.T) {
	store := contents.Step{From: []int{4}, Uses: []int{1}, Stores: true, At: 0}
	second := contents.Step{From: []int{5}, Uses: []int{1}, Stores: true, At: 0}
	uses := contents.Step{Uses: []int{5}}
	for _, c := range []struct {
		name string
		in   contents.Inst
		rest []contents.Step
		all  bool
		want uint64
	}{
		{"stored back", contents.Inst{Loads: ops(4)}, []contents.Step{store}, false, ^uint64(0)},
		{"not used", contents.Inst{Loads: ops(4)}, nil, true, 0},
		{"a vector that is not used", contents.Inst{Loads: ops(4, 5)}, nil, true, ^uint64(0)},
		{"which others may use", contents.Inst{Loads: ops(4, 5)}, nil, false, 0},
		{"one of it is used", contents.Inst{Loads: ops(4, 5)}, []contents.Step{store, uses}, true, 0},
		{"each by itself", contents.Inst{Loads: ops(4, 5), Each: true}, []contents.Step{store, uses}, false,
			1},
		{"both", contents.Inst{Loads: ops(4, 5), Each: true}, []contents.Step{store, second}, false, 3},
		{"nothing", contents.Inst{Loads: ops(contents.Constant)}, []contents.Step{store}, false, 0},
	} {
		c.in.Address = ops(1)
		c.in.FindBack(0, slices.Values(c.rest), c.all)
		if c.in.Back != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, c.in.Back, c.want)
		}
		for n := range 3 { // as its accesses to LDS find it
			var f contents.Follower
			f.Begin(&simt.Machine{}, nil, newWords(), &c.in, 0, 0xf, 0xf)
			a := &simt.Access{Space: simt.LDS, Read: true, Size: 4, Lanes: 1}
			for range n {
				f.Accessed(&simt.Access{Read: true, Size: 4, Lanes: 1})
			}
			f.Access(a, false)
			want := c.want != 0
			if c.in.Each {
				want = c.want>>n&1 != 0
			}
			if a.Deferred != want {
				t.Errorf("%s: access %d is deferred %v", c.name, n, a.Deferred)
			}
		}
	}
}

// TestSteps: what an instruction does with cells: what it stores or loads by which addresses, and each move;
// where it does more than move bits, all its sources are used.
func TestSteps(t *testing.T) {
	moves := func(way contents.Way, from ...contents.Operand) []contents.Move {
		return []contents.Move{{To: 5, From: from, Way: way}}
	}
	for _, c := range []struct {
		name   string
		in     contents.Inst
		stores bool
		want   string
	}{
		{"a load", contents.Inst{Address: ops(1), Decides: ops(2, contents.Constant), Loads: ops(4)}, false,
			"[{[] [4] [1 2] false false at}]"},
		{"a store", contents.Inst{Address: ops(1), Data: ops(3)}, true, "[{[3] [] [1] false true at}]"},
		{"a move", contents.Inst{Moves: moves(contents.Moved, 3)}, false,
			"[{[] [] [] false false at} {[3] [5] [] true false <nil>}]"},
		{"a sum", contents.Inst{Moves: moves(contents.Computed, 3)}, false,
			"[{[8 9] [] [] false false at} {[3] [5] [] false false <nil>}]"},
		{"a result without sources", contents.Inst{Moves: moves(contents.Moved)}, false,
			"[{[8 9] [] [] false false at} {[] [5] [] true false <nil>}]"},
		{"anything else", contents.Inst{Data: ops(3)}, false, "[{[3 8 9] [] [] false false at}]"},
	} {
		var got []contents.Step
		whole := c.in.Steps("at", c.stores, ops(8, 9), func(s contents.Step) bool {
			got = append(got, s)
			return true
		})
		if text := fmt.Sprint(got); text != c.want || !whole {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
		for n := range got { // who wants no more is given none
			left := n
			if c.in.Steps("at", c.stores, nil, func(contents.Step) bool { left--; return left >= 0 }) ||
				left != -1 {
				t.Errorf("%s: %d steps are given behind what is wanted", c.name, -1-left)
			}
		}
	}
	for _, way := range []contents.Way{contents.Moved, contents.Placed, contents.Shifted, contents.Paired} {
		if !way.Carries() {
			t.Errorf("way %d does not carry bits as they are", way)
		}
	}
	if contents.Computed.Carries() || contents.Opaque.Carries() || contents.Moved.Tries() ||
		!contents.Whole.Tries() {
		t.Error("what computes carries bits, or what moves is tried")
	}
}

// TestUses: what is told of a use names what it is of, and which lanes of the wave.
func TestUses(t *testing.T) {
	m, o := &simt.Machine{}, &told{}
	m.AddObserver(o)
	w := &simt.Wave{Valid: 0xe}
	contents.UsedAsAddress(m, w, 1, 0x3, 7, "r1")
	contents.UsedAsData(m, nil, 1, 0x3, 7, "r1")
	contents.PartStored(m, w, 1, 0x1, 7, "r1") // lanes that are none: the first that is one
	contents.PartAsAddress(m, w, 1, 0x6, 7, "r1")
	contents.Decides(m, w, 1, 0, 7) // nobody
	contents.Decides(m, w, 1, 0x4, 7)
	want := []string{"r1, which nothing has written to, is an address in 0x2 from 0x7",
		"r1, which nothing has written to, is stored where others see it in 0x3 from 0x7",
		"r1, of which a part has not been written, is stored where others see it in 0x2 from 0x7",
		"r1, of which a part has not been written, is an address in 0x6 from 0x7",
		"what nothing has written to decides a branch in 0x4 from 0x7"}
	if !slices.Equal(o.uses, want) {
		t.Errorf("told %q, want %q", o.uses, want)
	}
	for _, c := range []struct {
		name  string
		logic contents.Logic
		want  [4]uint64 // of two truths that are 0, 1 or not there: where the second alone is not
	}{
		// Lanes: a is false, then true, with b not there; b is false, then true, with a not there.
		{"and", contents.And, [4]uint64{0, 1, 0, 1}}, {"or", contents.Or, [4]uint64{1, 0, 1, 0}},
		{"xor", contents.Xor, [4]uint64{1, 1, 1, 1}}, {"and not", contents.AndNot, [4]uint64{0, 1, 1, 0}},
		{"or not", contents.OrNot, [4]uint64{1, 0, 0, 1}}, {"copy", contents.Copy, [4]uint64{0, 0, 1, 1}},
	} {
		const a, b, ua, ub = 0b0010, 0b1000, 0b1100, 0b0011
		got := c.logic(ua, a, ub, b)
		for l, want := range c.want {
			if got>>l&1 != want {
				t.Errorf("%s: lanes %04b are not there, want %v", c.name, got, c.want)
				break
			}
		}
	}
}
