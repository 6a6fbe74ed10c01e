package regions

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A model is what an operation does with elements of 4 or 8 bytes.
type model struct {
	op   vec.WideOp
	elem uint8
	f    func(a, b, c uint64) uint64
}

func singles(f func(a, b, c float32) float32) func(a, b, c uint64) uint64 {
	of := func(v uint64) float32 { return math.Float32frombits(uint32(v)) }
	return func(a, b, c uint64) uint64 {
		return nanOf(uint64(math.Float32bits(f(of(a), of(b), of(c)))), 0x7f800000, 1<<22, 0xffc00000, a, b, c)
	}
}

func doubles(f func(a, b, c float64) float64) func(a, b, c uint64) uint64 {
	of := math.Float64frombits
	return func(a, b, c uint64) uint64 {
		return nanOf(math.Float64bits(f(of(a), of(b), of(c))), 0x7ff<<52, 1<<51, 0xfff8<<48, a, b, c)
	}
}

// nanOf is a result; where it is no number the first operand that is none, quiet, or the processor's own.
func nanOf(v, infinity, quiet, own uint64, operands ...uint64) uint64 {
	is := func(v uint64) bool { return v&(infinity|quiet|(quiet-1)) > infinity }
	if !is(v) {
		return v
	}
	for _, o := range operands {
		if is(o) {
			return o | quiet
		}
	}
	return own
}

// models are some operations; others are package vec's own matter.
var models = []model{
	{vec.WideAdd, 8, func(a, b, _ uint64) uint64 { return a + b }},
	{vec.WideAdd32, 4, func(a, b, _ uint64) uint64 { return uint64(uint32(a + b)) }},
	{vec.WideXor, 8, func(a, b, _ uint64) uint64 { return a ^ b }},
	{vec.WideXor, 4, func(a, b, _ uint64) uint64 { return a ^ b }},
	{vec.WideMad32, 4, func(a, b, c uint64) uint64 { return uint64(uint32(a*b + c)) }},
	{vec.WideAddF32, 4, singles(func(a, b, _ float32) float32 { return a + b })},
	{vec.WideMulF32, 4, singles(func(a, b, _ float32) float32 { return a * b })},
	{vec.WideAddF64, 8, doubles(func(a, b, _ float64) float64 { return a + b })},
	{vec.WideSqrtF32, 4, singles(func(a, _, _ float32) float32 { return float32(math.Sqrt(float64(a))) })},
	{vec.WideNone, 4, nil}, {vec.WideNone, 8, nil}, // Copy, Test and Pick
}

// stepTest is one operation on a file.
type stepTest struct {
	*rand.Rand
	file []byte
	o    Op
}

const stepFile, stepFlags = 2048, 2040

// number is an element's bits.
func (t *stepTest) number() uint64 {
	switch t.IntN(5) {
	case 0:
		return []uint64{0, 1, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f812345, 0xffc54321, 0x80000000,
			0x7ff << 52,
			0x7ff8<<48 | 5, 0xfff0<<48 | 7, ^uint64(0), 0xffff, 0x80, 0x8000}[t.IntN(15)]
	case 1:
		return uint64(math.Float32bits(float32(t.NormFloat64())))
	case 2:
		return math.Float64bits(t.NormFloat64())
	}
	return t.Uint64()
}

// region is one of n elements in a part of the file of its own.
func (t *stepTest) region(part, n int, table bool) Region {
	r := Region{Size: 1 << t.IntN(4), Signed: t.IntN(2) == 0, At: int32(256 * part)}
	switch r.Step = int32(r.Size); t.IntN(4) {
	case 0:
		r.Step = 0
	case 1:
		r.Step *= 2
	}
	if r.Step*int32(n) > 256 {
		r.Step = int32(256/n) &^ (int32(r.Size) - 1)
	}
	if table && t.IntN(5) == 0 {
		for range n {
			r.Table = append(r.Table, uint16(256*part+8*t.IntN(31)))
		}
	}
	return r
}

// get is an element as the operation has it.
func (t *stepTest) get(s *Source, k int) uint64 {
	cut := ^uint64(0) >> (64 - 8*t.o.Elem)
	v := uint64(0)
	if s.Const != nil {
		v = s.Const[min(k, len(s.Const)-1)]
	} else {
		at := s.Offset(k)
		for i := range int32(s.Size) {
			v |= uint64(t.file[at+i]) << (8 * i)
		}
		if top := uint(64 - 8*int(s.Size)); s.Signed {
			v = uint64(int64(v<<top) >> top)
		}
	}
	if s.Neg {
		return -v & cut
	}
	return (v&s.Keep ^ s.Flip) & cut
}

// holds reports whether the operation's comparison holds of two elements.
func (t *stepTest) holds(a, b uint64) bool {
	x, y, is := a, b, false
	if t.o.Cond.Swap {
		x, y = b, a
	}
	nan := func(v uint64) bool {
		if t.o.Elem == 8 {
			f := math.Float64frombits(v)
			return f != f
		}
		f := math.Float32frombits(uint32(v))
		return f != f
	}
	switch t.o.Cond.Op {
	case vec.WideEqU:
		is = x == y
	case vec.WideLtU:
		is = x < y
	case vec.WideLtF32:
		is = math.Float32frombits(uint32(x)) < math.Float32frombits(uint32(y))
	case vec.WideLtF64:
		is = math.Float64frombits(x) < math.Float64frombits(y)
	}
	return is != t.o.Cond.Not || t.o.Cond.Loose && nan(b)
}

// random makes an operation.
func (t *stepTest) random() (m model) {
	m = models[t.IntN(len(models))]
	n := 8 << t.IntN(3)
	if n*int(m.elem) > 128 {
		n = 128 / int(m.elem)
	}
	t.o = Op{Kind: Calc, Op: m.op, Elem: m.elem, Lanes: uint8(n)}
	compares := []vec.WideOp{vec.WideEqU, vec.WideLtU, map[uint8]vec.WideOp{4: vec.WideLtF32,
		8: vec.WideLtF64}[m.elem]}
	if m.f == nil {
		t.o.Kind, t.o.One = Copy+Kind(t.IntN(3)), t.IntN(2) == 0
	}
	if t.o.Kind == Test || t.o.Kind == Pick || t.IntN(3) == 0 {
		t.o.Cond = Comparison{Op: compares[t.IntN(3)], Swap: t.IntN(2) == 0, Not: t.IntN(2) == 0}
		t.o.Cond.Loose = t.o.Cond.Op >= vec.WideEqF32 && t.IntN(2) == 0
		if t.o.Flags = t.o.Kind == Test && t.IntN(2) == 0 || t.o.Kind != Test && t.o.Kind != Pick; t.o.Flags {
			t.o.Bit = uint8(t.IntN(64 - n + 1))
		}
	}
	if t.o.Kind == Pick && t.IntN(2) == 0 {
		t.o.In, t.o.Cond = Predicate{On: true, Bit: uint8(t.IntN(64 - n + 1)), Not: t.IntN(2) == 0},
			Comparison{}
	}
	for i := range t.o.S {
		s := Source{Region: t.region(i, n, true), Keep: ^uint64(0)}
		if t.IntN(4) == 0 {
			s = Source{Const: []uint64{t.number()}, Keep: ^uint64(0)}
			for t.IntN(2) == 0 && len(s.Const) < n || len(s.Const) > 1 && len(s.Const) < n {
				s.Const = append(s.Const, t.number())
			}
		}
		switch t.IntN(4) {
		case 0:
			s.Neg = true
		case 1:
			s.Keep, s.Flip = t.Uint64()|t.Uint64(), t.Uint64()&t.Uint64()
		}
		t.o.S[i] = s
	}
	t.o.D = t.region(4, n, false)
	if t.o.D.Size = min(t.o.D.Size, m.elem); t.o.D.Step == 0 {
		t.o.D.Step = int32(t.o.D.Size)
	}
	if t.IntN(4) == 0 {
		t.o.Also = Region{At: 5 * 256, Size: m.elem, Step: int32(m.elem)}
	}
	return m
}

// TestStep: an operation's result is that of its elements, extended, cut and changed as it says, in the
// channels of a mask alone; a result that is no number is the processor's.
func TestStep(t *testing.T) {
	r := rand.New(sweep.PCG(1, 99))
	for n := range sweep.Times(4000, 40000) {
		x := &stepTest{Rand: r, file: make([]byte, stepFile)}
		m := x.random()
		for at := 0; at < stepFile; at += 8 {
			le.PutUint64(x.file[at:], x.number())
			if r.IntN(2) == 0 {
				le.PutUint32(x.file[at+4:], uint32(x.number()))
			}
		}
		if err := x.o.Verify(stepFlags, 32); err != nil {
			t.Fatal(err)
		}
		lanes := int(x.o.Lanes)
		mask := uint32(uint64(1)<<lanes - 1)
		if r.IntN(3) == 0 {
			mask &= r.Uint32()
		}
		want := append([]byte(nil), x.file...)
		flags := le.Uint64(x.file[stepFlags:])
		set := func(d *Region, k int, v uint64) {
			for i := range int32(d.Size) {
				want[d.Offset(k)+i] = byte(v >> (8 * i))
			}
		}
		for k := range lanes {
			var s [3]uint64
			for i := range x.o.Sources() {
				s[i] = x.get(&x.o.S[i], k)
			}
			out, is := s[0], false
			switch x.o.Kind {
			case Calc:
				out = m.f(s[0], s[1], s[2])
			case Test:
				if is, out = x.holds(s[0], s[1]), 0; is {
					out = 1
					if !x.o.One {
						out = ^uint64(0)
					}
				}
			case Pick:
				if is = x.holds(s[0], s[1]); x.o.In.On {
					is = flags>>(int(x.o.In.Bit)+k)&1 != 0 != x.o.In.Not
				}
				if !is {
					out = s[1]
				}
			}
			if x.o.Flags && x.o.Kind != Test {
				is = x.holds(out, 0)
			}
			if mask>>k&1 == 0 {
				continue
			}
			if bit := uint64(1) << (int(x.o.Bit) + k); x.o.Flags && is {
				le.PutUint64(want[stepFlags:], le.Uint64(want[stepFlags:])|bit)
			} else if x.o.Flags {
				le.PutUint64(want[stepFlags:], le.Uint64(want[stepFlags:])&^bit)
			}
			set(&x.o.D, k, out)
			set(&x.o.Also, k, out)
		}
		s := State{File: append([]byte(nil), x.file...), Flags: stepFlags}
		x.o.Step().Run(&s, mask)
		for at := range want {
			if want[at] != s.File[at] {
				at &^= 7
				t.Fatalf("operation %d, mask %#x: bytes from %d on are %x, want %x\n%v", n, mask, at,
					s.File[at:][:8],
					want[at:][:8], &x.o)
			}
		}
	}
}

// TestFirstNaN: where several operands are no numbers, the first is the result, quiet. Of a fused
// multiply-add that is the second factor, then the first, then what is added, as of VFMADD213PS and
// VFMADD213PD, which translators have for it.
func TestFirstNaN(t *testing.T) {
	for _, c := range []struct {
		op   vec.WideOp
		elem uint8
		s    [3]uint64
		want uint64
	}{
		{vec.WideAddF32, 4, [3]uint64{0x7f812345, 0xffc54321}, 0x7fc12345},
		{vec.WideAddF32, 4, [3]uint64{0x7f800001, 0xffc54321}, 0x7fc00001},
		{vec.WideMulF32, 4, [3]uint64{0xff800000, 0x7fc54321}, 0x7fc54321},
		{vec.WideSubF32, 4, [3]uint64{0x3f800000, 0xff854321}, 0xffc54321},
		{vec.WideSubF32, 4, [3]uint64{0x7f800000, 0x7f800000}, 0xffc00000},
		{vec.WideFmaF32, 4, [3]uint64{0x7fc00001, 0xff800002, 0x7fc00003}, 0xffc00002},
		{vec.WideFmaF32, 4, [3]uint64{0x7fc00001, 0x40000000, 0x7fc00003}, 0x7fc00001},
		{vec.WideFmaF32, 4, [3]uint64{0, 0x7f800000, 0xff800003}, 0xffc00003},
		{vec.WideFmaF32, 4, [3]uint64{0, 0x7f800000, 0x40000000}, 0xffc00000},
		{vec.WideFmaF32, 4, [3]uint64{0x40000000, 0x40400000, 0x3f800000}, 0x40e00000},
		{vec.WideMulF64, 8, [3]uint64{0x7ff0000000000001, 0xfff8000000000002}, 0x7ff8000000000001},
		{vec.WideFmaF64, 8, [3]uint64{0x7ff8000000000001, 0xfff0000000000002, 3}, 0xfff8000000000002},
		{vec.WideFmaF64, 8, [3]uint64{0x7ff0000000000001, 1, 0xfff8000000000003}, 0x7ff8000000000001},
		{vec.WideFmaF64, 8, [3]uint64{0, 1, 0xfff0000000000003}, 0xfff8000000000003},
	} {
		o := Op{Kind: Calc, Op: c.op, Elem: c.elem, Lanes: 8,
			D: Region{At: 512, Step: int32(c.elem), Size: c.elem}}
		s := State{File: make([]byte, stepFile), Flags: stepFlags}
		for i, v := range c.s {
			o.S[i] = Source{Region: Region{At: int32(64 * i), Size: c.elem}, Keep: ^uint64(0)}
			le.PutUint64(s.File[64*i:], v)
		}
		o.Step().Run(&s, 1<<7)
		if got := element(s.File[o.D.Offset(7):], c.elem, false); got != c.want {
			t.Errorf("%v of %#x is %#x, want %#x", c.op, c.s, got, c.want)
		}
	}
}

// TestText: operations, predicates and units are printed with all that they depend on.
func TestText(t *testing.T) {
	all := ^uint64(0)
	row := Region{At: 64, Step: 4, Size: 4}
	for _, c := range []struct {
		what fmt.Stringer
		want string
	}{
		{&Region{At: 4, Step: 2, Size: 2, Signed: true}, "[4+2]:s16"},
		{&Region{Table: []uint16{8, 4}, Size: 1}, "[8 4]:u8"},
		{&Source{Const: []uint64{16, 1}, Keep: 15, Flip: 2}, "([0x10 0x1] & 0xf ^ 0x2)"},
		{&Source{Region: row, Keep: all, Neg: true}, "-[64+4]:u32"},
		{&Source{Region: row, Keep: all, Flip: 2}, "([64+4]:u32 & 0xffffffffffffffff ^ 0x2)"},
		{Predicate{}, ""}, {Predicate{On: true, Bit: 5, Not: true}, "!f5"},
		{Predicate{On: true, Bit: 5, Group: 8}, "f5.any8"},
		{Predicate{On: true, Group: 16, Every: true, Not: true}, "!f0.all16"},
		{&Op{Kind: Test, Lanes: 8, Always: true, Under: Predicate{On: true, Bit: 3},
			S: [3]Source{{Region: row, Keep: all},
				{Const: []uint64{1}, Keep: all}}, Cond: Comparison{Op: vec.WideLtU}, Flags: true, Bit: 7},
			"test(8 always f3)  [64+4]:u32 [0x1] LtU {Op:LtU Swap:false Not:false Loose:false} to f7"},
		{&Op{Kind: Pick, Lanes: 8, D: row, S: [3]Source{{Region: row, Keep: all}, {Region: row, Keep: all}},
			In: Predicate{On: true, Bit: 2}}, "pick(8) [64+4]:u32 =  [64+4]:u32 [64+4]:u32 by f2"},
		{&Op{Kind: Load, Lanes: 16, Access: Access{Count: 2, Size: 4, Addresses: 128, Data: 256}},
			"load(16) 2 of 4 bytes, addresses 128, data 256"},
		{&Op{Kind: Store, Lanes: 8, Access: Access{Data: 96, Block: &Block{Bytes: 64, Base: 16,
			Terms: []Term{{At: 32, Size: 8, Shift: 2, Keep: 255}}}}},
			"store(8) 64 bytes, address [32]:u64 & 0xff << 2 + 0x10, data 96"},
		{&Unit{At: 16, End: 48, Insts: 2, Ops: []*Op{{Kind: Copy, Lanes: 8, D: row,
			S: [3]Source{{Region: row, Keep: all}}}}},
			"0x10: 2 instructions\n\tcopy(8) [64+4]:u32 =  [64+4]:u32\n\tgo on at 0x30\n"},
		{&Unit{Flow: Flow{Kind: Jump, All: Leave}}, "0x0: 0 instructions\n\tgo to the machine\n"},
		{&Unit{Flow: Flow{Kind: Branch, All: 64, None: 32, Under: Predicate{On: true}}},
			"0x0: 0 instructions\n\tgo to 0x40 by f0, else to 0x20\n"},
	} {
		if got := c.what.String(); got != c.want {
			t.Errorf("printed %q, want %q", got, c.want)
		}
	}
	if err := (&Op{}).Verify(64, 8); err == nil || !strings.Contains(err.Error(), "number of channels") {
		t.Errorf("%v", err)
	}
}

// TestBlocks: a block of memory lies at a sum of numbers of the file; it is of whole dwords that are there.
func TestBlocks(t *testing.T) {
	file := make([]byte, 64)
	le.PutUint64(file[8:], 0x1_0000_00ff)
	b := Block{Bytes: 32, Base: 5, Terms: []Term{{At: 8, Size: 4, Shift: 4, Keep: 0xf0}, {At: 8, Size: 8,
		Keep: 1 << 32}}}
	if at := b.Address(file); at != 5+0xf00+1<<32 {
		t.Errorf("the address is %#x", at)
	}
	for _, c := range []struct {
		change func(o *Op)
		good   bool
	}{
		{func(*Op) {}, true}, {func(o *Op) { o.Access.Block.Bytes = 0 }, false},
		{func(o *Op) { o.Access.Block.Bytes = 6 }, false}, {func(o *Op) { o.Access.Data = 33 }, false},
		{func(o *Op) { o.Access.Data = -4 }, false}, {func(o *Op) { o.Access.Block.Terms[0].At = 60 }, true},
		{func(o *Op) { o.Access.Block.Terms[0].At = 64 }, false},
		{func(o *Op) { o.Access.Block.Terms[0].At = -4 }, false},
		{func(o *Op) { o.Access.Block.Terms[1].At = 60 }, false},
		{func(o *Op) { o.Access.Block.Terms[1].Size = 2 }, false},
	} {
		of := b
		of.Terms = append([]Term(nil), b.Terms...)
		o := &Op{Kind: Load, Lanes: 8, Access: Access{Data: 32, Block: &of}}
		if c.change(o); (o.Verify(64, 8) == nil) != c.good {
			t.Errorf("%v is good: %v", o, !c.good)
		}
	}
}
