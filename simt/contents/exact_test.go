package contents_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/contents"
	"simtgdb/testdata/sweep"
)

// bytes8 are registers of a byte in four lanes, and an instruction that computes the last from the others.
type bytes8 struct {
	*contents.Rows
	v [3][simt.MaxLanes]uint64
	f func(a, b uint64) uint64
}

func (r *bytes8) Truth(contents.Operand) uint64           { return 0 }
func (r *bytes8) Name(o contents.Operand) string          { return "r" + string(rune('0'+o)) }
func (r *bytes8) Width(contents.Operand) uint64           { return 0xff }
func (r *bytes8) Value(o contents.Operand, l int) uint64  { return r.v[o][l] }
func (r *bytes8) Put(o contents.Operand, l int, v uint64) { r.v[o][l] = v }
func (r *bytes8) SetBits(o contents.Operand, l int, lacking uint64, mere bool, from uint64) {
	r.Rows.SetBits(o, l, lacking, 0xff, mere, from)
}
func (r *bytes8) Try() {
	for l := range 4 {
		r.v[2][l] = r.f(r.v[0][l], r.v[1][l]) & 0xff
	}
}

// depends are the bits of f that differ for some two ways to fill bits without contents: all ways are tried.
func depends(f func(a, b uint64) uint64, a, b, lackA, lackB uint64) (differs uint64) {
	first, any := uint64(0), false
	for x := range uint64(256) {
		for y := range uint64(256) {
			if x&^lackA != 0 || y&^lackB != 0 {
				continue
			}
			got := f(a&^lackA|x, b&^lackB|y) & 0xff
			if !any {
				first, any = got, true
			}
			differs |= got ^ first
		}
	}
	return differs
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// TestTry: what is found to depend on bits without contents does, and of what does most is found: of what
// moves bits or compares all, of what carries something.
func TestTry(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func(a, b uint64) uint64
		whole bool // all bits are found
	}{
		{"and", func(a, b uint64) uint64 { return a & b }, true},
		{"or", func(a, b uint64) uint64 { return a | b }, true},
		{"xor", func(a, b uint64) uint64 { return a ^ b }, true},
		{"twice the same", func(a, _ uint64) uint64 { b := a; return a - b }, true},
		{"shift left", func(a, _ uint64) uint64 { return a << 3 }, true},
		{"shift right", func(a, _ uint64) uint64 { return a >> 5 }, true},
		{"equal to a number", func(a, _ uint64) uint64 { return truth(a == 0) }, true},
		{"below", func(a, b uint64) uint64 { return truth(a < b) }, true},
		{"below with sign", func(a, b uint64) uint64 { return truth(int8(a) < int8(b)) }, true},
		{"equal", func(a, b uint64) uint64 { return truth(a == b) }, false},
		{"sum", func(a, b uint64) uint64 { return a + b }, false},
		{"product", func(a, b uint64) uint64 { return a * b }, false},
	} {
		r := &bytes8{Rows: contents.NewRows(3, 0), f: c.f}
		random := rand.New(sweep.PCG(1, 2))
		found, all := 0, 0
		for range 100 {
			in := contents.Inst{Moves: []contents.Move{{To: 2, From: []contents.Operand{0, 1},
				Way: contents.Computed}}}
			var lack [2][4]uint64
			for o := range lack {
				for l := range 4 {
					r.v[o][l], lack[o][l] = random.Uint64N(256), random.Uint64N(256)&random.Uint64N(256)
					if o == 1 && l < 2 { // one operand is all there
						lack[o][l] = 0
					}
					r.SetBits(contents.Operand(o), l, lack[o][l], false, 0x10)
				}
			}
			before := r.v
			var f contents.Follower
			f.Begin(&simt.Machine{}, nil, r, &in, 0x20, 0xf, 0xf)
			if r.v != before {
				t.Fatalf("%s: registers are not what they were: %v, before %v", c.name, r.v, before)
			}
			f.End()
			for l := range 4 {
				want := depends(c.f, r.v[0][l], r.v[1][l], lack[0][l], lack[1][l])
				got, _, _ := r.Bits(2, l)
				if got &= 0xff; got&^want != 0 || c.whole && l < 2 && got != want {
					t.Errorf("%s of %#x and %#x without %#x and %#x: bits %#x, want %#x", c.name, r.v[0][l],
						r.v[1][l], lack[0][l], lack[1][l], got, want)
				}
				all += int(truth(want != 0))
				found += int(truth(got != 0))
			}
		}
		if found < all*3/4 {
			t.Errorf("%s: %d of %d results are found to depend on what is not there", c.name, found, all)
		}
	}
}

// TestBytes: what has contents only in part is told of where it is used; what is only copied may be padding.
func TestBytes(t *testing.T) {
	load := func(lacks uint64) *bytes8 {
		r := &bytes8{Rows: contents.NewRows(3, 0), f: func(a, b uint64) uint64 { return a + b }}
		for l := range 4 {
			r.SetBits(0, l, lacks, true, 0x10)
		}
		return r
	}
	for _, c := range []struct {
		name  string
		lacks uint64
		in    contents.Inst
		write bool
		uses  []string
	}{
		{name: "an address", lacks: 0x80, in: contents.Inst{Address: []contents.Operand{0}},
			uses: []string{"r0, of which a part has not been written, is an address in 0xf from 0x10"}},
		{name: "a copy", lacks: 0x80, write: true, in: contents.Inst{Data: []contents.Operand{0}, Part: 1}},
		{name: "a branch", lacks: 0x80, in: contents.Inst{Decides: []contents.Operand{0}},
			uses: []string{"r0, of which a part has not been written, is what decides a branch in 0xf from " +
				"0x10"}},
		{name: "a vector before what is there", lacks: 0xff, write: true,
			in: contents.Inst{Data: []contents.Operand{0, 1}, Part: 1, Vector: true}},
	} {
		m, o := &simt.Machine{}, &told{}
		m.AddObserver(o)
		r := load(c.lacks)
		var f contents.Follower
		f.Begin(m, nil, r, &c.in, 0x20, 0xf, 0xf)
		if c.write {
			f.Access(&simt.Access{Space: simt.Global, Write: true, Size: len(c.in.Data), Lanes: 0xf}, false)
		}
		f.End()
		if !slices.Equal(o.uses, c.uses) {
			t.Errorf("%s: %q, want %q", c.name, o.uses, c.uses)
		}
	}
}
