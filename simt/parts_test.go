package simt

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestFinite: floats are what package math says they are; those of 16 bits, what IEEE 754 does.
func TestFinite(t *testing.T) {
	for v := range uint64(1 << 16) {
		special, nan := v>>10&31 == 31, v>>10&31 == 31 && v&0x3ff != 0
		if IsFinite(v, 16) == special || IsNaN(v, 16) != nan {
			t.Fatalf("%#x of 16 bits: finite %v, NaN %v", v, IsFinite(v, 16), IsNaN(v, 16))
		}
		for _, low := range []uint64{0, 1, 0x8000} {
			f := float64(math.Float32frombits(uint32(v<<16 | low)))
			nan, finite := math.IsNaN(f), !math.IsNaN(f) && !math.IsInf(f, 0)
			if IsFinite(v<<16|low, 32) != finite || IsNaN(v<<16|low, 32) != nan {
				t.Fatalf("%#x of 32 bits", v<<16|low)
			}
			f = math.Float64frombits(v<<48 | low<<30)
			nan, finite = math.IsNaN(f), !math.IsNaN(f) && !math.IsInf(f, 0)
			if IsFinite(v<<48|low<<30, 64) != finite || IsNaN(v<<48|low<<30, 64) != nan {
				t.Fatalf("%#x of 64 bits", v<<48|low<<30)
			}
		}
	}
}

// TestMadeOf: of lanes that had finite sources judges are told which have made NaNs, and which infinities.
func TestMadeOf(t *testing.T) {
	results := []uint64{0x3f800000, 0x7f800000, 0x7fc00000, 0xff800000, 0xffc00001, 0x7f7fffff}
	for _, c := range []struct {
		finite uint64
		want   string
	}{
		{0, ""}, {0x21, ""}, {0x02, "0x2 " + MadeInfinity}, {0x04, "0x4 " + MadeNaN},
		{0x3f, "0x14 " + MadeNaN + ", 0xa " + MadeInfinity},
	} {
		for _, stop := range []bool{false, true} {
			e := &eye{stop: stop}
			m := looked(t, e)
			log := ""
			m.AddObserver(judge(func(u *Undefined) {
				if !u.NaN || u.PC != 7 {
					t.Errorf("told of %+v", u)
				}
				log += fmt.Sprintf(", %#x %s", u.Lanes, u.Text)
			}))
			stops := m.MadeOf(nil, 7, c.finite, 32, func(l int) uint64 { return results[l] })
			if log = strings.TrimPrefix(log, ", "); log != c.want || stops != (stop && log != "") {
				t.Errorf("%#x: told %q, stops %v; want %q", c.finite, log, stops, c.want)
			}
		}
	}
}

// A judge is told of what is undefined.
type judge func(u *Undefined)

func (judge) Observe(*Access) bool          { return false }
func (j judge) Undefined(u *Undefined) bool { j(u); return false }

// TestBlocks: what a core has decoded is found where it was kept, whole or one instruction of it, until all
// is forgotten.
func TestBlocks(t *testing.T) {
	var b Blocks[uint64, int]
	one, two, three := 1, 2, 3
	if b.Find(4) != nil || b.One(4) != nil || b.Kept() != 0 {
		t.Error("something is kept at first")
	}
	for range 2 {
		b.Add(4, &one, 5)
		b.Add(8, &two, 0) // which is kept all the same
		b.AddOne(4, &three)
		b.Recent[1] = &one
		if b.Find(4) != &one || b.Find(8) != &two || b.One(4) != &three || b.One(8) != nil || b.Kept() != 7 {
			t.Errorf("%v, %v and %v are kept, %d instructions", b.Find(4), b.Find(8), b.One(4), b.Kept())
		}
		var all []int
		for block := range b.All {
			all = append(all, *block)
		}
		if slices.Sort(all); !slices.Equal(all, []int{1, 2}) {
			t.Errorf("all blocks are %d", all)
		}
		for range b.All {
			break
		}
		if b.Forget(); b.Find(4) != nil || b.One(4) != nil || b.Recent[1] != nil || b.Kept() != 0 {
			t.Error("something is kept that was forgotten")
		}
	}
}

// TestStrips: bytes meet a strip where any of them is of an element.
func TestStrips(t *testing.T) {
	for _, s := range []Strip{{LDS, 100, 4, 4, 3}, {LDS, 100, 4, 16, 3}, {LDS, 100, 8, 9, 4}, {LDS, 100, 4,
		0, 1},
		{LDS, 100, 4, 16, 0}, {LDS, 100, 4, 16, 1}} {
		is := map[uint64]bool{}
		for i := range s.Count {
			for k := range s.Size {
				is[s.At+i*s.Stride+k] = true
			}
		}
		if end := s.End(); s.Count > 0 && (!is[end-1] || is[end]) {
			t.Errorf("%+v ends at %d", s, end)
		}
		for at := uint64(80); at < 170; at++ {
			for size := uint64(1); size < 40; size++ {
				want := false
				for k := range size {
					want = want || is[at+k]
				}
				if got := s.Meets(LDS, at, size); got != want || s.Meets(Global, at, size) {
					t.Fatalf("%+v: %d bytes at %d meet it %v", s, size, at, got)
				}
			}
		}
	}
}

// TestCopiers: who wants to know of copies is found among those who look on, until whoever asks has enough.
func TestCopiers(t *testing.T) {
	c := &copier{}
	m := looked(t, &eye{}, c, c)
	n := 0
	for range m.Copiers {
		n++
	}
	for range m.Copiers {
		n += 10
		break
	}
	if n != 12 {
		t.Errorf("%d of 12", n)
	}
}

type copier struct{ eye }

func (*copier) Begun(*Copy)                   {}
func (*copier) Joined(*Copy) (int, bool)      { return 0, false }
func (*copier) Committed(*Wave, uint64)       {}
func (*copier) Waited(*Wave, uint64, int)     {}
func (*copier) WaitedFor(*Wave, uint64, bool) {}

// TestEventText: what waves do, memories, events and faults have names.
func TestEventText(t *testing.T) {
	for _, c := range []struct {
		what fmt.Stringer
		want string
	}{
		{LDS, "LDS"}, {Flat, "flat"}, {BarrierEvent, "barrier"}, {WatchEvent, "watch"}, {NoTexel,
			"texel outside of its image"},
		{AtBarrier, "at barrier"}, {Faulted, "faulted"},
		{&Fault{Kind: Unmapped, Space: Global, Addr: 0x40, Size: 8, Text: "load"},
			"unmapped address: read of 8 bytes at 0x40 in global memory (load)"},
		{&Fault{Kind: Forbidden, Space: LDS, Addr: 0x40, Size: 4, Text: "store", Write: true},
			"forbidden access: write of 4 bytes at 0x40 in LDS memory (store)"},
		{&Fault{Kind: IllegalInstruction, Addr: 0x40, Text: "what it is"}, "illegal instruction: what it is"},
		{&Fault{Kind: Defect, Text: "what it is"}, "defect of simtgdb: what it is"},
		{&Fault{Kind: NoTexel, Text: "what it is"}, "texel outside of its image: what it is"},
	} {
		if got := c.what.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if l := (&Fault{Lanes: 0x50}).Lane(); l != 4 {
		t.Errorf("lane %d", l)
	}
	if got := (&LimitError{7}).Error(); got != "stopped after 7 instructions" {
		t.Error(got)
	}
	if got := (&AccessError{LDS, 0x40}).Error(); !strings.Contains(got, "LDS") || !strings.Contains(got,
		"0x40") {
		t.Error(got)
	}
}

// TestRegisterNames: a register has its own name, or its file's and its number; one that is alone, its
// file's.
func TestRegisterNames(t *testing.T) {
	for _, c := range []struct {
		f    RegFile
		n    int
		want string
	}{
		{RegFile{Name: "v", Count: 4}, 3, "v3"}, {RegFile{Name: "exec"}, 0, "exec"},
		{RegFile{Name: "id", PerLane: true}, 0, "id0"},
		{RegFile{Name: "r", Count: 4, Names: []string{"sp", "lr"}}, 1, "lr"},
		{RegFile{Name: "r", Count: 4, Names: []string{"sp", "lr"}}, 2, "r2"},
	} {
		if got := c.f.NameOf(c.n); got != c.want {
			t.Errorf("register %d of %+v is %s", c.n, c.f, got)
		}
	}
}

// TestTranslated: what cores count is added up over a machine's runs, from what they had counted before.
func TestTranslated(t *testing.T) {
	m := looked(t)
	var c counting
	c.did.Ran(10, false)
	for range 2 {
		before := translationOf(&c)
		c.did.Ran(5, true)
		c.did.Ran(7, false)
		m.translated(&c, before)
	}
	m.translated(&toy{}, translationOf(&toy{})) // which counts nothing
	if got := m.Translation(); got != (Translation{24, 2}) {
		t.Errorf("%+v", got)
	}
}

// A counting core may run translated code.
type counting struct {
	toy
	did Translation
}

func (c *counting) Translation() Translation { return c.did }

// TestCalls: the calls that a lane is in are counted from the outermost, and two are alike if all of them are
// of the same places.
func TestCalls(t *testing.T) {
	chain := func(sites ...uint64) (c *Call) {
		for _, s := range sites {
			c = &Call{Site: s, Return: s + 4, Target: 0x100, Outer: c, Depth: c.Count()}
		}
		return c
	}
	c := chain(8, 16, 24)
	for depth, want := range map[int]uint64{-1: 0, 0: 8, 1: 16, 2: 24, 3: 0} {
		if at := c.At(depth); (at == nil) != (want == 0) || at != nil && at.Site != want {
			t.Errorf("call %d is %+v", depth, at)
		}
	}
	if (*Call)(nil).At(0) != nil || (*Call)(nil).Count() != 0 {
		t.Error("the kernel itself is in calls")
	}
	other := func(change func(c *Call)) *Call {
		o := chain(8, 16, 24)
		change(o)
		return o
	}
	for _, x := range []struct {
		name string
		o    *Call
		want bool
	}{
		{"itself", c, true}, {"the same again", chain(8, 16, 24), true}, {"another inside", chain(8, 16,
			28), false},
		{"another outside", chain(4, 16, 24), false}, {"the outer two", chain(8, 16), false}, {"none", nil,
			false},
		{"deeper", chain(0, 8, 16, 24), false},
		{"another way back", other(func(c *Call) { c.Outer.Return++ }), false},
		{"another function", other(func(c *Call) { c.Target++ }), false},
		{"another depth", other(func(c *Call) { c.Depth++ }), false},
	} {
		if c.Like(x.o) != x.want || x.o.Like(c) != x.want {
			t.Errorf("%s: alike %v", x.name, !x.want)
		}
	}
}
