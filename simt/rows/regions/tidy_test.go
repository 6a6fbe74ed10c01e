package regions

import (
	"bytes"
	"math/bits"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A tidyTest is random operations on a small file.
type tidyTest struct {
	*rand.Rand
	of  Layout
	ops []*Op
}

const tidyFile, tidyFlags = 640, 512

// region is a random region of n elements, mostly side by side.
func (t *tidyTest) region(n uint8, dense bool) Region {
	r := Region{At: int32(32 * t.Intn(8)), Step: 4, Size: 4}
	switch t.Intn(8) {
	case 0:
		if !dense {
			r.Step = 0
		}
	case 1:
		r.Step = 8
	case 2:
		r.At += 4
	}
	return r
}

// flag is a region of one element among the flags.
func (t *tidyTest) flag() Region {
	size := int32(2 << t.Intn(2))
	return Region{At: tidyFlags + size*int32(t.Intn(int(8/size))), Step: size, Size: uint8(size)}
}

func (t *tidyTest) predicate(n uint8) (p Predicate) {
	if t.Intn(3) > 0 {
		return p
	}
	p = Predicate{On: true, Bit: uint8(16 * t.Intn(2)), Not: t.Intn(2) == 0}
	if t.Intn(2) == 0 {
		p.Group, p.Every = uint8(t.of.Channels), t.Intn(3) == 0
	}
	return p
}

// op appends an operation, and perhaps its other half.
func (t *tidyTest) op() {
	n := uint8(8 << t.Intn(2))
	o := &Op{Elem: 4, Lanes: n, Always: t.Intn(3) == 0, Part: t.Intn(6) == 0}
	source := func() Source {
		s := Source{Region: t.region(o.Lanes, false), Keep: ^uint64(0)}
		switch t.Intn(6) {
		case 0:
			s = Source{Const: []uint64{uint64(t.Intn(3))}, Keep: ^uint64(0)}
		case 1:
			s.Neg = true
		}
		return s
	}
	if n == 8 && t.Intn(2) == 0 {
		o.First = 8
	}
	o.Under = t.predicate(n)
	o.S = [3]Source{source(), source(), source()}
	o.D = t.region(n, true)
	switch t.Intn(8) {
	case 0, 1:
		o.Kind, o.Op = Calc, []vec.WideOp{vec.WideAdd32, vec.WideAnd, vec.WideMul32, vec.WideMad32}[t.Intn(4)]
		if t.Intn(4) == 0 {
			o.Also = Region{At: 384, Step: 4, Size: 4}
		}
	case 2, 3:
		o.Kind, o.Under = Copy, Predicate{}
	case 4:
		o.Kind, o.Cond, o.One = Test, Comparison{Op: vec.WideEqU, Swap: t.Intn(2) == 0,
			Not: t.Intn(4) == 0}, t.Intn(2) == 0
		if o.Flags, o.Bit = t.Intn(2) == 0, uint8(16*t.Intn(2))+o.First; t.Intn(2) == 0 {
			o.S[1] = o.S[0]
		}
		if o.Flags && t.Intn(2) == 0 {
			o.D = Region{}
		}
		if t.Intn(3) == 0 { // which is true in all channels that are on
			o.Lanes, o.First, o.Bit, o.Always, o.Flags, o.S[1] = 16, 0, o.Bit&16, false, true, o.S[0]
		}
	case 5:
		o.Kind, o.Under, o.In = Pick, Predicate{}, Predicate{On: true, Bit: uint8(16 * t.Intn(2)),
			Not: t.Intn(2) == 0}
	case 6: // flags are set to something
		o.Kind, o.Lanes, o.First, o.D = Copy, 1, 0, t.flag()
		o.S[0] = Source{Const: []uint64{-uint64(t.Intn(2))}, Keep: ^uint64(0)}
	case 7: // or kept, or brought back
		o.Kind, o.Lanes, o.First, o.D = Copy, 1, 0, t.flag()
		o.S[0] = Source{Region: Region{At: int32(4 * t.Intn(64)), Size: o.D.Size, Step: int32(o.D.Size)},
			Keep: ^uint64(0)}
		if t.Intn(2) == 0 {
			o.D, o.S[0].Region = o.S[0].Region, o.D
		}
	}
	t.ops = append(t.ops, o)
	if n := o.Lanes; n == 8 && (o.First == 0 || o.Always) && t.Intn(2) == 0 {
		for range t.Intn(3) {
			t.op()
		}
		t.ops = append(t.ops, o.with(func(o *Op) {
			o.First, o.Bit = o.First+n, o.Bit+n
			for _, p := range []*Predicate{&o.Under, &o.In} {
				if p.On && p.Group == 0 {
					p.Bit += n
				}
			}
			for _, r := range []*Region{&o.D, &o.Also, &o.S[0].Region, &o.S[1].Region, &o.S[2].Region} {
				if r.Size != 0 {
					r.At += int32(n) * r.Step
				}
			}
			if t.Intn(4) == 0 {
				t.otherwise(o)
			}
		}))
	}
}

// otherwise makes an operation one that does not go together with the half before it.
func (t *tidyTest) otherwise(o *Op) {
	s := &o.S[t.Intn(max(o.Sources(), 1))]
	switch t.Intn(10) {
	case 0:
		s.Flip ^= 1 << t.Intn(8)
	case 1:
		s.Keep &^= 1 << t.Intn(4)
	case 2:
		s.Neg = !s.Neg
	case 3:
		o.Cond.Not = !o.Cond.Not && o.Cond.Op != vec.WideNone
	case 4:
		o.One = !o.One
	case 5:
		if s.Const != nil {
			s.Const = []uint64{s.Const[0] + 1}
		}
	case 6:
		if o.Op == vec.WideAdd32 || o.Op == vec.WideAnd {
			o.Op ^= vec.WideAdd32 ^ vec.WideAnd
		}
	case 7:
		o.Under.Not = !o.Under.Not && o.Under.On
	case 8:
		o.In.Not = !o.In.Not && o.In.On
	default:
		if o.Flags {
			o.Bit++
		}
	}
}

// holds are the channels for which an operation is done.
func (o *Op) holds(file []byte, exec uint64) uint32 {
	mask := all(o.Lanes)
	if !o.Always {
		mask &= exec >> o.First
	}
	flags := le.Uint64(file[tidyFlags:])
	p, value := o.Under, uint64(0)
	switch of := flags >> p.Bit & all(p.Group); {
	case !p.On:
		return uint32(mask)
	case p.Group == 0:
		value = flags >> p.Bit
	case p.Every && of == all(p.Group), !p.Every && of != 0:
		value = ^uint64(0)
	}
	if p.Not {
		value = ^value
	}
	return uint32(mask & value)
}

// run executes operations, and counts the channels by predicates and others.
func (t *tidyTest) run(file []byte, ops []*Op, exec uint64) (out []byte, some int) {
	s := &State{File: bytes.Clone(file), Flags: tidyFlags}
	for _, o := range ops {
		mask := o.holds(s.File, exec)
		if !o.Always && !o.Part && o.Under.On {
			some += bits.OnesCount32(mask)
		}
		o.Step().Run(s, mask)
	}
	return s.File, some
}

// plain counts the channels of operations without predicates.
func plain(ops []*Op, exec uint64) (n int) {
	for _, o := range ops {
		if !o.Always && !o.Part && !o.Under.On {
			n += bits.OnesCount64(exec >> o.First & all(o.Lanes))
		}
	}
	return n
}

// TestTidy: what is left of operations does what they did, for all channels and for some, and counts as many.
func TestTidy(t *testing.T) {
	fewer, joined, byFlags, setFlags := 0, 0, 0, 0
	for seed := range int64(4000) {
		x := &tidyTest{Rand: rand.New(sweep.Source(seed)), of: Layout{Channels: 16, Flags: tidyFlags}}
		for range 3 + x.Intn(14) {
			x.op()
		}
		exec, whole := uint64(1+x.Intn(0xffff)), x.Intn(2) == 0
		if whole {
			exec = 0xffff
		}
		file := make([]byte, tidyFile)
		x.Read(file)
		left, counted := Tidy(x.ops, x.of, whole, 64)
		want, some := x.run(file, x.ops, exec)
		got, still := x.run(file, left, exec)
		total, now := some+plain(x.ops, exec), still+plain(counted, exec)
		if !bytes.Equal(got, want) || total != now {
			t.Errorf("seed %d, channels %#x: the file is the same: %v; %d channels are counted, want "+
				"%d\n%v\nbecame\n%v", seed,
				exec, bytes.Equal(got, want), now, total, &Unit{Ops: x.ops}, &Unit{Ops: left})
			return
		}
		fewer += len(x.ops) - len(left)
		for _, o := range left {
			if err := o.Verify(tidyFile, 16); err != nil {
				t.Fatal(err)
			}
			for _, half := range x.ops {
				if o.Lanes == 2*half.Lanes && o.Kind == half.Kind && sameRegion(&o.D, &half.D) {
					if joined++; o.Flags {
						setFlags++
					}
					if o.Under.On && o.Under.Group == 0 || o.In.On {
						byFlags++
					}
					break
				}
			}
		}
	}
	if fewer < 5000 || joined < 500 || byFlags < 500 || setFlags < 220 {
		t.Errorf("of all operations %d were left out and %d joined, %d by flags, %d that set some: too few",
			fewer, joined, byFlags, setFlags)
	}
}

// TestTidyDoubt: a comparison of something with itself is true in no channel that its predicate leaves out.
func TestTidyDoubt(t *testing.T) {
	none := Source{Const: []uint64{0}, Keep: ^uint64(0)}
	some := Source{Region: Region{Size: 4}, Keep: ^uint64(0)}
	flag := Region{At: tidyFlags, Step: 2, Size: 2}
	ops := []*Op{{Kind: Copy, Elem: 4, Lanes: 1, Always: true, D: flag, S: [3]Source{none}},
		{Kind: Test, Elem: 4, Lanes: 16, Under: Predicate{On: true, Bit: 16}, S: [3]Source{some, some},
			Flags: true, Cond: Comparison{Op: vec.WideEqU}},
		{Kind: Copy, Elem: 4, Lanes: 8, Always: true, Under: Predicate{On: true, Group: 16},
			D: Region{At: 32, Step: 4, Size: 4}, S: [3]Source{some}}}
	if left, _ := Tidy(ops, Layout{Channels: 16, Flags: tidyFlags}, false, 64); len(left) != 3 ||
		!left[2].Under.On {
		t.Errorf("became\n%v", &Unit{Ops: left})
	}
}

// TestTidyLeaves: what nobody reads is left out, what is only copied is computed where the copy goes, and
// halves become one operation; what is needed stays, and is done in an order that it may be done in.
func TestTidyLeaves(t *testing.T) {
	const lanes = 8 // of 4 bytes: a row is 32 bytes
	at := func(at int32) Region { return Region{At: at, Step: 4, Size: 4} }
	of := func(r Region) Source { return Source{Region: r, Keep: ^uint64(0)} }
	op := func(n uint8, d Region, s ...Source) *Op {
		o := &Op{Kind: Copy, Elem: 4, Lanes: n, D: d}
		if copy(o.S[:], s); len(s) > 1 {
			o.Kind, o.Op = Calc, vec.WideAdd32
		}
		return o
	}
	sum := func(d, a, b int32) *Op { return op(lanes, at(d), of(at(a)), of(at(b))) }
	last := func(o *Op) *Op { return o.with(func(o *Op) { o.First = lanes }) }
	under := func(o *Op, bit uint8) *Op {
		return o.with(func(o *Op) { o.Under = Predicate{On: true, Bit: bit} })
	}
	flagged := func(o *Op, bit uint8) *Op {
		return o.with(func(o *Op) { o.Flags, o.Bit, o.Cond.Op = true, bit, vec.WideEqU })
	}
	none := Source{Const: []uint64{0}, Keep: ^uint64(0)}
	// The end of each: both rows from 256 on are overwritten, which makes 16 lanes of 64 bytes.
	const over = "copy(16) [256+4]:u32 =  [0x0]"
	end := op(16, at(256), none)
	one := func(at int32) Source { return of(Region{At: at, Size: 4}) }
	for _, c := range []struct {
		name string
		some bool // not all channels are on
		ops  []*Op
		want []string
	}{
		{"overwritten", false, []*Op{sum(256, 0, 64), sum(288, 32, 128), end}, []string{over}},
		{"the first of two rows is read", false,
			[]*Op{sum(256, 0, 64), sum(288, 32, 128), sum(384, 256, 0), end},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [384+4]:u32 = Add32 [256+4]:u32 [0+4]:u32", over}},
		{"the second is", false,
			[]*Op{sum(256, 0, 64), sum(288, 32, 128), sum(384, 288, 0), end},
			[]string{"calc(8) [288+4]:u32 = Add32 [32+4]:u32 [128+4]:u32",
				"calc(8) [384+4]:u32 = Add32 [288+4]:u32 [0+4]:u32", over}},
		{"the last element of the first is", false,
			[]*Op{sum(256, 0, 64), sum(288, 32, 128), op(lanes, at(384), one(284), of(at(0))), end},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [384+4]:u32 = Add32 [284+0]:u32 [0+4]:u32", over}},
		{"two rows that lie side by side overwrite two", false,
			[]*Op{op(16, at(256), of(at(0)), of(at(64))), sum(288, 128, 0), sum(256, 160, 0)},
			[]string{"calc(8) [288+4]:u32 = Add32 [128+4]:u32 [0+4]:u32",
				"calc(8) [256+4]:u32 = Add32 [160+4]:u32 [0+4]:u32"}},
		{"not all channels overwrite it", true, []*Op{sum(256, 0, 64), op(lanes, at(256), none).with(
			func(o *Op) { o.Under = Predicate{On: true} })},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32", "copy(8 f0) [256+4]:u32 =  [0x0]"}},
		{"the same channels overwrite it", true, []*Op{sum(256, 0, 64), op(lanes, at(256), none)},
			[]string{"copy(8) [256+4]:u32 =  [0x0]"}},
		{"the other half of the channels does", true, []*Op{sum(256, 0, 64), last(op(lanes, at(256), none))},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32", "copy(8|8) [256+4]:u32 =  [0x0]"}},
		{"what is read before the same channels overwrite it", true,
			[]*Op{sum(256, 0, 64), sum(384, 256, 0), op(lanes, at(256), none)},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [384+4]:u32 = Add32 [256+4]:u32 [0+4]:u32", "copy(8) [256+4]:u32 =  [0x0]"}},
		{"computed to be copied", false, []*Op{sum(256, 0, 64), op(lanes, at(384), of(at(256))), end},
			[]string{"calc(8) [384+4]:u32 = Add32 [0+4]:u32 [64+4]:u32", over}},
		{"computed to be copied, and kept", false, []*Op{sum(256, 0, 64), op(lanes, at(384), of(at(256)))},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32", "copy(8) [384+4]:u32 =  [256+4]:u32"}},
		{"copied where something is read between", false,
			[]*Op{sum(256, 0, 64), sum(128, 384, 0), op(lanes, at(384), of(at(256))), end},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [128+4]:u32 = Add32 [384+4]:u32 [0+4]:u32", "copy(8) [384+4]:u32 =  [256+4]:u32", over}},
		{"copied with a sign changed", false, []*Op{sum(256, 0, 64),
			op(lanes, at(384), Source{Region: at(256), Keep: ^uint64(0), Flip: 1 << 31}), end},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"copy(8) [384+4]:u32 =  ([256+4]:u32 & 0xffffffffffffffff ^ 0x80000000)", over}},
		{"halves", false, []*Op{sum(256, 0, 64), last(sum(288, 32, 96))},
			[]string{"calc(16) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32"}},
		{"halves of which one has what the other needs", false, []*Op{sum(256, 0, 224), last(sum(288, 32, 256))},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [224+4]:u32",
				"calc(8|8) [288+4]:u32 = Add32 [32+4]:u32 [256+4]:u32"}},
		{"rows side by side of the same channels", true, []*Op{sum(256, 0, 64), sum(288, 32, 96)},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [288+4]:u32 = Add32 [32+4]:u32 [96+4]:u32"}},
		{"halves of two other halves", true, []*Op{last(sum(256, 0, 64)),
			sum(288, 32, 96).with(func(o *Op) { o.First = 2 * lanes })},
			[]string{"calc(8|8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8|16) [288+4]:u32 = Add32 [32+4]:u32 [96+4]:u32"}},
		{"halves of which one counts", false, []*Op{sum(256, 0, 64),
			last(sum(288, 32, 96)).with(func(o *Op) { o.Part = true })},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8|8) [288+4]:u32 = Add32 [32+4]:u32 [96+4]:u32"}},
		{"halves with flags that lie side by side", false, []*Op{under(flagged(sum(256, 0, 64), 32), 0),
			last(under(flagged(sum(288, 32, 96), 40), 8))},
			[]string{"calc(16 f0) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32 EqU " +
				"{Op:EqU Swap:false Not:false Loose:false} to f32"}},
		{"halves under flags that do not", false, []*Op{under(sum(256, 0, 64), 0),
			last(under(sum(288, 32, 96), 16))},
			[]string{"calc(8 f0) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8|8 f16) [288+4]:u32 = Add32 [32+4]:u32 [96+4]:u32"}},
		{"halves with something between that either may pass", false,
			[]*Op{sum(256, 0, 64), sum(128, 192, 0), last(sum(288, 32, 96))},
			[]string{"calc(16) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [128+4]:u32 = Add32 [192+4]:u32 [0+4]:u32"}},
		{"that the second needs", false, []*Op{sum(256, 0, 64), sum(96, 192, 0), last(sum(288, 32, 96))},
			[]string{"calc(8) [96+4]:u32 = Add32 [192+4]:u32 [0+4]:u32",
				"calc(16) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32"}},
		{"that needs the first, and the second needs", false,
			[]*Op{sum(256, 0, 64), sum(96, 256, 0), last(sum(288, 32, 96))},
			[]string{"calc(8) [256+4]:u32 = Add32 [0+4]:u32 [64+4]:u32",
				"calc(8) [96+4]:u32 = Add32 [256+4]:u32 [0+4]:u32",
				"calc(8|8) [288+4]:u32 = Add32 [32+4]:u32 [96+4]:u32"}},
	} {
		run, _ := Tidy(c.ops, Layout{Channels: 16, Flags: tidyFlags}, !c.some, 64)
		var got []string
		for _, o := range run {
			got = append(got, o.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: left are\n\t%s\nwant\n\t%s", c.name, strings.Join(got, "\n\t"),
				strings.Join(c.want, "\n\t"))
		}
	}
}
