// Package rowstest tests translators of row code: what random code does must be what [rows.Unit.Run] says. It
// knows no host.
//
// Entry point: [Translator.Test].
package rowstest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

const (
	testRows   = 40
	testMasks  = 3
	memoryBase = 0x10000
	memorySize = 4096

	privateBase = 1 << 40
	privateSize = 512 // of a lane
)

// A world is registers, masks and memory.
type world struct {
	rows    []vec.Wide
	masks   []uint32
	global  []byte
	shared  []byte
	private []byte
}

// differ says how two worlds do.
func differ(want, got *world) (all string) {
	note := func(what string, i int, want, got any) {
		all += fmt.Sprintf("%s %d:\n-%x\n+%x\n", what, i, want, got)
	}
	for i := range want.rows {
		if want.rows[i] != got.rows[i] {
			note("register", i, want.rows[i], got.rows[i])
		}
	}
	for i := range want.masks {
		if want.masks[i] != got.masks[i] {
			note("mask", i, want.masks[i], got.masks[i])
		}
	}
	for i, p := range [][2][]byte{{want.global, got.global}, {want.shared, got.shared},
		{want.private, got.private}} {
		if !bytes.Equal(p[0], p[1]) {
			at := 0
			for bytes.Equal(p[0][at:][:4], p[1][at:][:4]) {
				at += 4
			}
			note([]string{"global", "shared", "private"}[i], at, p[0][at:][:4], p[1][at:][:4])
		}
	}
	return all
}

func (w *world) clone() *world {
	return &world{append([]vec.Wide(nil), w.rows...), append([]uint32(nil), w.masks...),
		append([]byte(nil), w.global...), append([]byte(nil), w.shared...), append([]byte(nil), w.private...)}
}

func (w *world) state(active uint32) *rows.State {
	return &rows.State{Rows: w.rows, Masks: w.masks, Active: active, Memory: w.memory}
}

// memory gives the bytes of an access. Eight bytes of private memory are those of two dwords, which this test
// keeps apart from all others.
func (w *world) memory(space rows.Space, lane int, addr uint64, size int, write bool) []byte {
	mem := w.shared
	switch space {
	case rows.Private:
		if addr >= privateBase {
			addr -= privateBase
		}
		if addr > privateSize-uint64(size) {
			return nil
		}
		at := lane*privateSize + int(addr)
		return w.private[at : at+size]
	case rows.Uniform:
		return uniform[addr : addr+uint64(size)]
	case rows.Items:
		return binary.LittleEndian.AppendUint32(nil, items[int(addr)/4*rows.Lanes+lane])
	case rows.Global:
		mem, addr = w.global, addr-memoryBase
	}
	if addr > uint64(len(mem)-size) {
		return nil
	}
	return mem[addr : addr+uint64(size)]
}

// uniform and items are what the machine says of the wave.
var (
	uniform = []byte("what is the same in all lanes of a wave, and no lane stores to it")
	items   = func() (all []uint32) {
		for i := range 8 * rows.Lanes {
			all = append(all, uint32(i)*0x9e3779b9)
		}
		return all
	}()
)

// swizzled is private memory as translated code has it, or back.
func swizzled(p []byte, back bool) []byte {
	q := make([]byte, len(p))
	for lane := range rows.Lanes {
		for at := 0; at < privateSize; at += 4 {
			a, b := lane*privateSize+at, at*rows.Lanes+4*lane
			if back {
				a, b = b, a
			}
			copy(q[b:b+4], p[a:a+4])
		}
	}
	return q
}

// context has what translated code works on besides registers and masks.
func (w *world) context(active uint32, budget int64) *rows.Context {
	x := &rows.Context{Active: uint64(active), Budget: budget, Stop: -1, Shared: rows.SlotOf(0, w.shared),
		Private: rows.PrivateSlotOf(privateBase, privateSize, w.private, rows.Lanes)}
	x.Say(uniform, items)
	return x
}

var oddNumbers = []uint64{0, 1, 2, 31, 32, 33, 63, 64, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 63, ^uint64(0),
	0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000, 0xbf800000, 0x00000001, 0x807fffff,
	0x3c00, 0x7bff, 0x7c00, 0xfc01, 0x7e00, 0x8001, 0x3c01bc00, 0x7c01fe00, 0x04000001, 0x7bff7bff,
	math.Float64bits(1.5), math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN())}

func number(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return oddNumbers[r.IntN(len(oddNumbers))]
	case 1:
		return uint64(math.Float32bits(float32(r.NormFloat64())))
	case 2:
		return math.Float64bits(r.NormFloat64())
	}
	return r.Uint64() >> r.IntN(64)
}

// Registers 0 and 1 are numbers of 32 and 64 bits, 2 and 3 addresses of global memory, 4 and 5 of shared, 6
// and 7 of private memory.
func newWorld(r *rand.Rand) *world {
	w := &world{make([]vec.Wide, testRows), make([]uint32, testMasks), make([]byte, memorySize),
		make([]byte, memorySize), make([]byte, privateSize*rows.Lanes)}
	for i := range w.rows {
		how := r.IntN(3)
		for l := range w.rows[i] {
			v := number(r)
			switch {
			case i >= 2 && i < 8:
				at := uint64(256 + 8*(i&1))
				switch how {
				case 0:
					at += 8 * uint64(l)
				case 1:
					at += 4 * uint64(l) &^ 7
				}
				if r.IntN(200) == 0 {
					at = r.Uint64() % memorySize &^ 7
				}
				v = at
				switch {
				case i < 4:
					v += memoryBase
				case i >= 6:
					v = privateBase + at&31*4
				}
				if r.IntN(2000) == 0 {
					v++
				}
			case i%2 == 0:
				v = uint64(uint32(v))
			}
			w.rows[i][l] = v
		}
	}
	for i := range w.masks {
		w.masks[i] = r.Uint32()
	}
	for i := 0; i < memorySize; i += 8 {
		binary.LittleEndian.PutUint64(w.global[i:], number(r))
		binary.LittleEndian.PutUint64(w.shared[i:], number(r))
	}
	for i := 0; i < len(w.private); i += 4 {
		binary.LittleEndian.PutUint32(w.private[i:], uint32(number(r)))
	}
	return w
}

// narrow reports whether an operation takes and gives numbers of 32 bits: the upper halves of its operands
// must be 0.
func narrow(op vec.WideOp) bool {
	name := op.String()
	return name != "SignExtend32" && (strings.HasSuffix(name, "32") || strings.HasSuffix(name, "F16") ||
		name == "F32I" || name == "F32U")
}

// A Translator is what is tested.
type Translator struct {
	Translate func(units []rows.Unit, order bool, lanes int) (*rows.Code, error)
	Can       func(o *rows.Op) bool
	Fewer     int // tests do so many times less
	// Reach, if there is one, gets the memory that code will reach, besides its context and slots.
	Reach func(memory ...[]byte)

	calcs, tests []vec.WideOp
}

// Test runs all tests.
func (b Translator) Test(t *testing.T) {
	for op := vec.WideNone + 1; op <= vec.WideOrdF64; op++ {
		if b.Can(&rows.Op{Kind: rows.Calc, Op: op}) {
			b.calcs = append(b.calcs, op)
		}
		if b.Can(&rows.Op{Kind: rows.Test, Op: op}) {
			b.tests = append(b.tests, op)
		}
	}
	b.Fewer = max(b.Fewer, 1)
	t.Run("EveryOperation", b.everyOperation)
	t.Run("Translated", b.translated)
	if b.Can(&rows.Op{Kind: rows.Load, Size: 1}) {
		t.Run("Small", b.small)
	}
	t.Run("Quick", b.quick)
	t.Run("Again", b.again)
	t.Run("Edges", b.edges)
	t.Run("Wanted", b.wanted)
	t.Run("Noted", b.noted)
	t.Run("Later", b.later)
	t.Run("Flow", b.flow)
}

func one(r *rand.Rand, of []vec.WideOp) vec.WideOp { return of[r.IntN(len(of))] }

func (b *Translator) randomOp(r *rand.Rand) rows.Op {
	o := rows.Op{Under: rows.Mask{N: rows.Always}, NaN: 0x7fffffff, D: int32(8 + r.IntN(testRows-8))}
	if r.IntN(3) == 0 {
		o.NaN = rows.FirstNaN
	}
	if r.IntN(3) == 0 {
		o.Under = rows.Mask{N: int32(r.IntN(testMasks)), Not: r.IntN(2) == 0}
	}
	switch r.IntN(6) {
	case 0:
		return b.randomAccess(r, o)
	case 1:
		o.Kind, o.Op, o.P, o.Invert = rows.Test, one(r, b.tests), int32(r.IntN(testMasks)), r.IntN(2) == 0
	case 2:
		o.Kind = rows.Copy
		o.S[0] = value(r, o.D&1 == 0)
		return o
	default:
		o.Kind, o.Op = rows.Calc, one(r, b.calcs)
		o.In = rows.Mask{N: int32(r.IntN(testMasks)), Not: r.IntN(2) == 0}
	}
	even := narrow(o.Op)
	if o.Kind == rows.Calc {
		switch o.D &^= 1; o.Op {
		case vec.WideMulU32, vec.WideMulI32, vec.WideMadU32, vec.WideMadI32: // of 64 bits
			o.D |= 1
		default:
			if !even {
				o.D |= 1
			}
		}
	}
	for i := range o.S {
		o.S[i] = value(r, even)
	}
	if o.Kind == rows.Calc && !even && (o.Op == vec.WideShl || o.Op == vec.WideShr || o.Op == vec.WideSar) {
		o.S[1] = value(r, true)
	}
	return o
}

// value is a random operand; one that is even has 32 bits.
func value(r *rand.Rand, even bool) rows.Value {
	if r.IntN(5) == 0 {
		v := number(r)
		if even {
			v = uint64(uint32(v))
		}
		return rows.Value{Const: true, Imm: v}
	}
	reg := int32(r.IntN(testRows))
	if reg >= 2 && reg < 8 {
		reg = 0
	}
	if even {
		reg &^= 1
	}
	return rows.Value{Reg: reg}
}

// randomAccess makes an operation an access.
func (b *Translator) randomAccess(r *rand.Rand, o rows.Op) rows.Op {
	o.Kind, o.Size, o.Offset = rows.Load, 4<<r.IntN(2), int64(r.IntN(64))*8
	if r.IntN(4) == 0 {
		o.Align = 2 * o.Size
	}
	if r.IntN(5) == 0 {
		return known(r, o)
	}
	o.Space = rows.Space(r.IntN(3))
	o.S[0].Reg = int32(2 + 2*int(o.Space) + r.IntN(2))
	if o.Space == rows.Private {
		if o.Offset &= 127; r.IntN(2) == 0 {
			o.S[0] = rows.Value{Const: true, Imm: uint64(4 * r.IntN(8))}
		}
	}
	small := rows.Op{Kind: rows.Load, Size: 1}
	if o.Space != rows.Private && r.IntN(3) == 0 && b.Can(&small) {
		o.Size = 1 << r.IntN(2)
		o.Offset += int64(o.Size * r.IntN(4))
		o.Align = min(o.Align, o.Size)
	}
	o.D &^= 1
	if o.Size == 8 {
		o.D |= 1
	}
	if r.IntN(8) == 0 {
		o.Kind, o.S[1] = rows.Store, value(r, false)
	}
	return o
}

// known makes an operation a load of what the machine says.
func known(r *rand.Rand, o rows.Op) rows.Op {
	o.Space, o.Offset, o.S[0] = rows.Uniform, 0, rows.Value{Const: true, Imm: uint64(8 * r.IntN(4))}
	if o.D &^= 1; o.Size == 8 {
		o.D |= 1
	}
	if r.IntN(2) == 0 {
		o.Space, o.Size, o.Offset = rows.Items, 4, 4
	}
	return o
}

// randomInst has an operation, or several with registers of its own, or stores by one address.
func (b *Translator) randomInst(r *rand.Rand) rows.Inst {
	in := rows.Inst{Known: true, Ops: []rows.Op{b.randomOp(r)}}
	switch o := in.Ops[0]; {
	case o.Kind == rows.Store && r.IntN(2) == 0:
		o.Offset += int64(8 * r.IntN(3))
		if o.S[0].Const || o.Offset < privateSize/4 || o.Space != rows.Private {
			in.Ops = append(in.Ops, o)
		}
	case o.Kind == rows.Calc && o.Under.N == rows.Always && r.IntN(3) == 0:
		d := o.D
		in.Ops[0].D = -1 - int32(r.IntN(rows.Temps))
		in.Ops = append(in.Ops, rows.Op{Kind: rows.Copy, D: d, S: [3]rows.Value{{Reg: in.Ops[0].D}},
			Under: rows.Mask{N: int32(r.IntN(testMasks))}})
	}
	return in
}

// run runs code on a world.
func (b *Translator) run(code *rows.Code, x *rows.Context, entry uintptr, w *world) {
	if b.Reach != nil {
		b.Reach(Bytes(w.rows), Bytes(w.masks), w.global, w.shared, w.private, uniform, Bytes(items))
	}
	code.Run(x, entry, rows.Numbers(w.rows), w.masks)
}

// Bytes are those of some values.
func Bytes[T any](of []T) []byte {
	var each T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(of))), len(of)*int(unsafe.Sizeof(each)))
}

// runBoth executes a unit translated, what code leaves by the interpreter, and all by the interpreter. It
// reports whether code left nothing. What it works on may be changed before.
func (b *Translator) runBoth(t *testing.T, r *rand.Rand, u *rows.Unit, want *world,
	change ...func(x *rows.Context)) (whole bool) {
	t.Helper()
	if err := rows.Verify(u, testRows, testMasks); err != nil {
		t.Fatal(err)
	}
	code, err := b.Translate([]rows.Unit{*u}, false, rows.Lanes)
	if err != nil {
		t.Fatal(err)
	}
	active := ^uint32(0)
	if r.IntN(3) == 0 {
		active = someActive(r)
	}
	got := want.clone()
	done := u.Run(want.state(active))
	for i := range code.Accesses {
		code.Slots[i] = rows.SlotOf(memoryBase, got.global)
	}
	got.private = swizzled(got.private, false)
	x := got.context(active, 1000)
	for _, c := range change {
		c(x)
	}
	b.run(code, x, code.Entry[u.At], got)
	got.private = swizzled(got.private, true)
	ran := int(x.At - int64(u.At))
	if int64(1000-ran) != x.Budget || ran > done {
		t.Fatalf("%d instructions, budget %d, the interpreter %d:\n%v", ran, x.Budget, done, u)
	}
	rest := rows.Unit{At: u.At, Insts: u.Insts[ran:]}
	if whole = len(rest.Insts) == 0; !whole {
		if n := rest.Run(got.state(active)); ran+n != done {
			t.Fatalf("%d + %d instructions, the interpreter %d", ran, n, done)
		}
	}
	if diff := differ(want, got); diff != "" {
		t.Fatalf("active %#x, %d of %d translated, -interpreted +translated\n%s\n%v", active, ran,
			len(u.Insts), diff, u)
	}
	return whole
}

// floatInst is a load of a dword or a computation of floats, in few registers, so that these depend on each
// other.
func floatInst(r *rand.Rand) rows.Inst {
	o := rows.Op{Under: rows.Mask{N: rows.Always}, NaN: 0x7fffffff, D: int32(8 + 2*r.IntN(8))}
	if r.IntN(3) == 0 {
		o.NaN = rows.FirstNaN
	}
	if r.IntN(8) == 0 {
		o.Under = rows.Mask{N: int32(r.IntN(testMasks)), Not: r.IntN(2) == 0}
	}
	for i := range o.S {
		o.S[i].Reg = int32(8 + 2*r.IntN(8))
	}
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		o.Kind, o.Size, o.Offset = rows.Load, 4, int64(4*r.IntN(64))
		o.S[0].Reg = int32(2 + r.IntN(3))
		o.Space = rows.Space(o.S[0].Reg / 4) // global or shared
		o.Under.N = rows.Always
	case 4:
		o.Kind, o.Op, o.P, o.Invert = rows.Test, vec.WideLtF32, int32(r.IntN(testMasks)), r.IntN(2) == 0
	case 5:
		o.Kind, o.Op, o.In = rows.Calc, vec.WideSelect, rows.Mask{N: int32(r.IntN(testMasks))}
	case 6:
		o.Kind = rows.Copy
	case 7:
		o.Kind, o.Op = rows.Calc, vec.WideXor
	default:
		ops := []vec.WideOp{vec.WideAddF32, vec.WideMulF32, vec.WideFmaF32, vec.WideDivF32, vec.WideSqrtF32,
			vec.WideFmaF64}
		o.Kind, o.Op = rows.Calc, ops[r.IntN(len(ops))]
		if o.Op == vec.WideFmaF64 {
			o.D++
		}
	}
	return rows.Inst{Known: true, Ops: []rows.Op{o}}
}

// quick: loads of dwords that lie side by side, at one place or anyhow in each part, and chains of floats
// in which a NaN comes up or not.
func (b *Translator) quick(t *testing.T) {
	r := rand.New(sweep.PCG(5, 6))
	for range 600 / b.Fewer {
		u := rows.Unit{At: 10}
		for range 4 + r.IntN(60) {
			u.Insts = append(u.Insts, floatInst(r))
		}
		w := newWorld(r)
		tame := r.IntN(2) == 0
		for l := range rows.Lanes {
			for i := 8; i < 24 && tame; i++ {
				w.rows[i][l] = uint64(math.Float32bits(float32(1 + r.Float64())))
			}
		}
		for i := 0; i < memorySize && tame; i += 4 {
			binary.LittleEndian.PutUint32(w.global[i:], math.Float32bits(float32(1+r.Float64())))
			copy(w.shared[i:i+4], w.global[i:])
		}
		for i := 2; i < 5; i++ {
			step := r.IntN(3)
			for l := range rows.Lanes {
				if l%8 == 0 && r.IntN(3) == 0 {
					step = r.IntN(3)
				}
				if w.rows[i][l] = uint64(256 + 4*step*l); i < 4 {
					w.rows[i][l] += memoryBase
				}
			}
		}
		b.runBoth(t, r, &u, w)
	}
}

// again: parts in which a NaN comes up, whose bits go into something else before they are written over,
// and in which private memory is written that has been read.
func (b *Translator) again(t *testing.T) {
	always, r := rows.Mask{N: rows.Always}, rand.New(sweep.PCG(7, 8))
	reg := func(n int32) rows.Value { return rows.Value{Reg: n} }
	calc := func(op vec.WideOp, d int32, s ...rows.Value) rows.Op {
		o := rows.Op{Kind: rows.Calc, Op: op, D: d, Under: always, NaN: 0x7fffffff}
		copy(o.S[:], s)
		return o
	}
	private := func(kind rows.Kind, d int32, v rows.Value) rows.Op {
		return rows.Op{Kind: kind, Space: rows.Private, Size: 4, D: d, S: [3]rows.Value{{Const: true}, v},
			Under: always}
	}
	nan := calc(vec.WideSqrtF32, 8, reg(20)) // of what is less than 0
	for _, ops := range [][]rows.Op{
		{nan, calc(vec.WideXor, 10, reg(8), reg(22)), calc(vec.WideAddF32, 8, reg(24), reg(24)),
			calc(vec.WideMulF32, 12, reg(8), reg(8))},
		{private(rows.Load, 10, rows.Value{}), calc(vec.WideAddF32, 12, reg(10), reg(10)), nan,
			private(rows.Store, 0, reg(12))},
	} {
		u := rows.Unit{At: 10}
		for _, o := range ops {
			u.Insts = append(u.Insts, rows.Inst{Known: true, Ops: []rows.Op{o}})
		}
		for range 8 {
			w := newWorld(r)
			for l := range rows.Lanes {
				for i, v := range map[int]float32{20: -1, 22: 3, 24: 1.5} {
					w.rows[i][l] = uint64(math.Float32bits(v))
				}
				binary.LittleEndian.PutUint32(w.private[l*privateSize:], math.Float32bits(float32(l)))
			}
			b.runBoth(t, r, &u, w)
		}
	}
}

// small: accesses of bytes and words whose lanes lie side by side, at one place or anyhow.
func (b *Translator) small(t *testing.T) {
	r := rand.New(sweep.PCG(9, 27))
	for n := range 320 / b.Fewer {
		o := rows.Op{Kind: rows.Load, Space: rows.Space(n & 1), Size: 1 + n>>1&1, D: 20,
			Under: rows.Mask{N: rows.Always}}
		if n>>2&1 != 0 {
			o.Kind, o.S[1].Reg = rows.Store, 8
		}
		if r.IntN(3) == 0 {
			o.Under = rows.Mask{N: 1, Not: r.IntN(2) == 0}
		}
		reg := int32(2 + 2*o.Space)
		o.S[0].Reg, o.Offset = reg, int64(o.Size*r.IntN(64))
		w := newWorld(r)
		step := r.IntN(4)
		for l := range rows.Lanes {
			if l%8 == 0 && r.IntN(4) == 0 {
				step = r.IntN(4)
			}
			at := uint64(256 + step*l*o.Size)
			if step == 3 {
				at = r.Uint64() % (memorySize - 64) / 2 * 2
			}
			if w.rows[reg][l] = at; o.Space == rows.Global {
				w.rows[reg][l] += memoryBase
			}
		}
		b.runBoth(t, r, &rows.Unit{At: 10, Insts: []rows.Inst{{Known: true, Ops: []rows.Op{o}}}}, w)
	}
}

// translated: random row code does what the interpreter says, whatever the lanes; what code leaves has
// not happened.
func (b *Translator) translated(t *testing.T) {
	r := rand.New(sweep.PCG(1, 2))
	whole, left := 0, 0
	for range 400 / b.Fewer {
		u := rows.Unit{At: 10}
		for range 1 + r.IntN(60) {
			u.Insts = append(u.Insts, b.randomInst(r))
		}
		if b.runBoth(t, r, &u, newWorld(r)) {
			whole++
		} else {
			left++
		}
	}
	if whole < 100/b.Fewer || left < 8/b.Fewer {
		t.Errorf("%d units ran to their ends, %d did not: too few to tell", whole, left)
	}
}

// someActive is lanes that are active: at times none of some parts of four or eight.
func someActive(r *rand.Rand) uint32 {
	active, parts := r.Uint32(), uint32(0)
	size := 4 << r.IntN(2)
	for first := 0; first < rows.Lanes; first += size {
		if r.IntN(2) == 0 {
			parts |= (1<<size - 1) << first
		}
	}
	if r.IntN(2) == 0 || active&parts == 0 {
		return active
	}
	return active & parts
}

// everyOperation: each operation that has a translation, alone.
func (b *Translator) everyOperation(t *testing.T) {
	r := rand.New(sweep.PCG(3, 4))
	check := func(o rows.Op) {
		u := rows.Unit{Insts: []rows.Inst{{Known: true, Ops: []rows.Op{o}}}}
		code, err := b.Translate([]rows.Unit{u}, false, rows.Lanes)
		if err != nil {
			t.Fatal(err)
		}
		for i := range max(20/b.Fewer, 2) {
			want := newWorld(r)
			got := want.clone()
			active := r.Uint32() | -uint32(i&1)
			u.Run(want.state(active))
			x := &rows.Context{Active: uint64(active), Budget: 1, Stop: -1}
			b.run(code, x, code.Entry[0], got)
			if diff := differ(want, got); diff != "" {
				t.Fatalf("%v: -interpreted +translated\n%s", &o, diff)
			}
		}
	}
	always := rows.Mask{N: rows.Always}
	for _, op := range b.calcs {
		shifts := op == vec.WideShl || op == vec.WideShr || op == vec.WideSar
		for n := range int32(3) {
			o := rows.Op{Kind: rows.Calc, Op: op, D: 20, Under: always, NaN: 0x7fffffff,
				S: [3]rows.Value{{Reg: 8}, {Reg: 10}, {Reg: 12}}, In: rows.Mask{N: 1}}
			for i := range o.S {
				if !narrow(op) && n > 0 && !(shifts && i == 1) { // numbers of 64 bits
					o.S[i].Reg++
				}
			}
			check(o)
			o.Under = rows.Mask{N: 2, Not: true}
			o.S[1] = rows.Value{Const: true, Imm: uint64(uint32(number(r)))}
			check(o)
			o.S[1].Imm = 1 << r.IntN(6)
			check(o)
		}
		reg := int32(8)
		if shifts {
			reg++
		} else if op != vec.WideShl32 && op != vec.WideShr32 && op != vec.WideSar32 {
			continue
		}
		for _, by := range []uint64{0, 1, 31, 32, 33, 63, 64, 65, 255, 256, 1<<32 - 1} {
			check(rows.Op{Kind: rows.Calc, Op: op, D: 20, Under: always,
				S: [3]rows.Value{{Reg: reg}, {Const: true, Imm: by}}})
		}
	}
	for _, op := range b.tests {
		o := rows.Op{Kind: rows.Test, Op: op, P: 1, Under: always, S: [3]rows.Value{{Reg: 8}, {Reg: 10}}}
		check(o)
		if !narrow(op) {
			o.S[0].Reg, o.S[1].Reg = 9, 11
		}
		o.Under, o.Invert = rows.Mask{N: 1}, true
		check(o)
	}
}
