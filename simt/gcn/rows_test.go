package gcn

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt/softfloat/floattest"
	"simtgdb/testdata/sweep"
)

// Every row that has semantics is executed by a test that compares with an
// expectation of its own making: a model written from the ISA documents, exact
// arithmetic, or numbers; in every path that the host has, and what counts with
// lanes by all of them and by some.

// unexecuted are the executions that no test has made, of rows with semantics.
func unexecuted() []string {
	var names []string
	for _, rows := range opTables() {
		for i := range rows {
			op := &rows[i]
			if !op.executes() {
				continue
			}
			for _, p := range paths() {
				all, some := executions[execution{op, p, false}], executions[execution{op, p, true}]
				switch {
				case all+some == 0:
					names = append(names, fmt.Sprintf("%v %s, %v", op.Enc, op.Name, p))
				case op.Enc < VOP2 || wholeRows[op.Name]:
				case all == 0:
					names = append(names, fmt.Sprintf("%v %s, %v, by all lanes", op.Enc, op.Name, p))
				case some == 0:
					names = append(names, fmt.Sprintf("%v %s, %v, by some lanes", op.Enc, op.Name, p))
				}
			}
		}
	}
	names = append(names, laterUnexecuted()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// laterUnexecuted are the rows of gfx10 and later that no test has executed on any of the processors that
// have them, in any path.
func laterUnexecuted() []string {
	type row struct {
		enc  Enc
		name string
	}
	done, on := map[row]bool{}, map[row][]Target{}
	for e := range executions {
		done[row{e.op.Enc, e.op.Name}] = true
	}
	for _, t := range columns {
		for enc, rows := range tablesFor(t).rows {
			for _, op := range rows {
				if op != nil && op.Enc == Enc(enc) && op.executes() && !op.idles() && op.Name != unexplained {
					k := row{op.Enc, op.Name}
					on[k] = append(on[k], t)
				}
			}
		}
	}
	var names []string
	for k, targets := range on {
		if !done[k] {
			names = append(names, fmt.Sprintf("%v %s of %v", k.enc, k.name, targets))
		}
	}
	return names
}

// wholeRows are rows of encodings with lanes for which EXEC does not count.
var wholeRows = map[string]bool{"ds_gws_init": true, "ds_gws_barrier": true, "ds_gws_sema_v": true,
	"ds_gws_sema_br": true, "ds_gws_sema_p": true, "ds_gws_sema_release_all": true}

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	all := true
	for _, name := range []string{"test.run", "test.skip", "test.bench", "test.fuzz", "test.list"} {
		all = all && flag.Lookup(name).Value.String() == ""
	}
	if *updateAssembled && all {
		if err := writeAssembled(); err != nil {
			fmt.Println("FAIL:", err)
			status = 1
		}
	}
	if wrong := judgeAssembled(); len(wrong) > 0 {
		fmt.Printf("FAIL: %s\n", strings.Join(wrong, "\n"))
		status = 1
	}
	if names := unexecuted(); all && status == 0 && len(names) > 0 {
		fmt.Printf("FAIL: no test executes and compares %d of the rows in each path:\n%s\n", len(names),
			strings.Join(names, "\n"))
		status = 1
	}
	os.Exit(status)
}

// operands are those of one lane: the sources a, b and c, of which the last is
// the destination's old value for rows that read it.
type operands struct {
	a, b, c uint64
	lane    int
	in      bool // the lane's bit of the mask source
	out     bool // what the model says of the mask destination
}

// A model says what a row makes of a lane's operands; what is beyond the
// destination's width does not count.
type model func(x *operands) uint64

// rowWords encodes a row of the vector encodings with its destination in v0
// and its sources in v2, v4 and v6.
func rowWords(op *Op) []uint32 {
	code := uint32(op.Code)
	switch op.Enc {
	case VOP1:
		return []uint32{0x7e000000 | code<<9 | 258}
	case VOP2:
		w := []uint32{code<<25 | 4<<9 | 258}
		if op.literalSource() >= 0 {
			w = append(w, rowLiteral)
		}
		return w
	case VOPC:
		return []uint32{0x7c000000 | code<<17 | 4<<9 | 258}
	}
	src := [3]uint32{258, 260, 262}
	w0 := 0xd0000000 | code<<16
	for i := range src {
		switch {
		case i >= op.namedSources():
			src[i] = 0
		case op.src[i] == ssrc32 || op.src[i] == mask:
			src[i] = regVCC
		}
	}
	if op.flag&writesVCC != 0 {
		w0 |= regVCC << 8
	}
	w1 := src[0] | src[1]<<9 | src[2]<<18
	if op.flag&truthTable != 0 {
		w0 |= rowTable >> 3 & 7 << 8
		w1 |= rowTable>>6<<27 | rowTable&7<<29
	}
	if op.Enc == VOP3P {
		w0, w1 = 0xd3800000|code<<16, w1|3<<27
		if op.srcCount() > 2 {
			w0 |= 1 << 14
		}
		if op.src[0] == mixed || op.src[0] == mixedB {
			w0, w1 = w0&^(1<<14), w1&^(3<<27)
		}
	}
	return []uint32{w0, w1}
}

const rowTable = 0b01101010 // for v_bitop3

const rowLiteral = 0x40404200 // near 3 with 32 bits, 3 with 16

// sample is a random operand of a type: any bits, or interesting numbers.
func sample(r *rand.Rand, t typ) uint64 {
	if f, ok := formatOf(t); ok && r.IntN(4) > 0 {
		v := floattest.Random(r, f)
		switch t {
		case v2f16:
			v |= floattest.Random(r, f) << 16
		case v2f32:
			v |= floattest.Random(r, f) << 32
		case f16:
			v |= r.Uint64() & 0xffff << 16
		}
		return v
	}
	v := r.Uint64()
	switch r.IntN(6) {
	case 0:
		return v & 0x3f
	case 1:
		return -(v & 0xff)
	case 2:
		ends := []uint64{0, 1 << 31, 1<<31 - 1, 1<<32 - 1, 1 << 63, 1<<63 - 1, all64, 0x7fff8000, 0x80007fff}
		return ends[r.IntN(len(ends))]
	}
	return v
}

// run1 executes a row on 64 lanes of operands and returns the lanes'
// destinations (2 dwords) and the mask destination.
func (r *vectorRun) run1(t *testing.T, op *Op, in *Inst, x *[64]operands, exec uint64) {
	t.Helper()
	last := op.srcCount() - 1
	vcc := uint64(0)
	for l := range x {
		for i, v := range [3]uint64{x[l].a, x[l].b, x[l].c} {
			r.regs.V[2+2*i][l], r.regs.V[3+2*i][l] = uint32(v), uint32(v>>32)
			if i == last && op.flag&readsDst != 0 {
				r.regs.V[0][l], r.regs.V[1][l] = uint32(v), uint32(v>>32)
			}
		}
		if x[l].in {
			vcc |= 1 << l
		}
	}
	setPair(r.regs, regVCC, vcc)
	setExec(r.w, exec)
	r.run(t, in)
}

// TestVectorRows compares every row of the vector encodings with its model, on every processor: a row that
// several processors have on the first of them, and on all with `make check-all`.
func TestVectorRows(t *testing.T) {
	type kind struct {
		enc  Enc
		name string
		dst  typ
		src  [4]typ
		flag flags
	}
	checked, seen := map[*Op]bool{}, map[kind]bool{}
	for _, processor := range slices.Concat(Targets(), laterProcessors) {
		r := newVectorRun(t, processor)
		if r.isa.Target.IsLater() {
			r = newLaterRun(t, processor)
		}
		rnd := rand.New(sweep.PCG(11, uint64(len(processor))))
		for op := range r.modelled() {
			m := modelOf(op)
			switch {
			case m == nil && !slices.Contains(otherVectorRows, op.Name):
				t.Errorf("%s: %v %s has no model", processor, op.Enc, op.Name)
			case m != nil && (!checked[op] || sweep.All()):
				rounds, k := sweep.Times(2, 6), kind{op.Enc, op.Name, op.dst, op.src, op.flag}
				if seen[k] && r.isa.Target.IsLater() && !sweep.All() {
					continue // another processor's row of what was compared already
				}
				r.checkRow(t, rnd, op, m, rounds)
				checked[op], seen[k] = true, true
			}
		}
	}
}

// modelled are the rows of a processor that models are for.
func (r *vectorRun) modelled() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for _, enc := range []Enc{VOP1, VOP2, VOPC, VOP3, VOP3P} {
			for _, op := range r.isa.tables.rows[enc] {
				if op != nil && op.Enc == enc && op.vec != nil && !yield(op) {
					return
				}
			}
		}
	}
}

// checkRow compares a row with its model on random operands, so many times: by turns with all lanes and with
// some.
func (r *vectorRun) checkRow(t *testing.T, rnd *rand.Rand, op *Op, m model, rounds int) {
	t.Helper()
	words := rowWords(op)
	if r.isa.Target.IsLater() {
		words = laterRowWords(op)
	}
	var code []byte
	for _, w := range words {
		code = append(code, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	in := r.decode(t, code)
	width := ^uint64(0) >> (64 - 32*max(typDwords[op.dst], 1))
	for round := range rounds {
		exec := r.w.Valid
		if round%2 != 0 {
			exec &= rnd.Uint64()
		}
		var x [64]operands
		for l := range x {
			x[l] = operands{a: sample(rnd, op.src[0]), b: sample(rnd, op.src[1]), c: sample(rnd, op.src[2]),
				lane: l, in: rnd.IntN(2) == 0}
			if rnd.IntN(6) == 0 {
				x[l].b = x[l].a
			}
		}
		old := x
		for l := range r.regs.V[0] {
			r.regs.V[0][l], r.regs.V[1][l] = oldDst, oldDst
		}
		r.run1(t, op, in, &x, exec)
		masks := uint64(0)
		for l := range x {
			o := old[l]
			literal := uint64(rowLiteral)
			if typDwords[op.dst] == 2 {
				literal |= literal << 32
			}
			switch op.literalSource() {
			case 1: // what follows the literal is the second register
				o.b, o.c = literal, o.b
			case 2:
				o.c = literal
			}
			want := m(&o)
			active := exec>>l&1 != 0
			if o.out && active {
				masks |= 1 << l
			}
			if op.dst == none {
				continue
			}
			if !active {
				was := uint64(oldDst | oldDst<<32)
				if op.flag&readsDst != 0 {
					was = [...]uint64{old[l].a, old[l].b, old[l].c}[op.srcCount()-1]
				}
				if got := r.pair(0, l); got&width != was&width {
					t.Errorf("%v %s: lane %d, which is inactive, has %#x", r.isa.Target, op.Name, l, got)
					return
				}
				continue
			}
			if op.dst.is16() {
				want &= 0xffff
				if preservesHigh(op) || r.isa.Target.IsLater() && op.flag&keeps != 0 {
					before := uint64(oldDst)
					if op.flag&readsDst != 0 && op.srcCount() == 3 {
						before = old[l].c
					}
					if op.flag&high != 0 {
						want = want<<16 | before&0xffff
					} else {
						want |= before & 0xffff_0000
					}
				}
			}
			if got := r.pair(0, l); !agree(op, got&width, want&width) {
				t.Errorf("%v %s of %#x, %#x, %#x (%v): %#x, want %#x", r.isa.Target, op.Name, old[l].a,
					old[l].b, old[l].c, old[l].in,
					got&width, want&width)
				return
			}
		}
		if in.sdst.kind != noOperand {
			if got := pair(r.regs, uint8(in.sdst.reg)) & r.w.Valid; got != masks {
				t.Errorf("%v %s: mask %#x, want %#x (lane 0: %#x, %#x, %#x)", r.isa.Target, op.Name, got,
					masks, old[0].a, old[0].b, old[0].c)
				return
			}
			if op.flag&writesExec != 0 && pair(r.regs, regExec)&r.w.Valid != masks {
				t.Errorf("%s: EXEC %#x, want %#x", op.Name, pair(r.regs, regExec), masks)
			}
		}
	}
}

// BenchmarkMade measures how long the rows of gfx9 take, which whoever starts a program for it waits for.
func BenchmarkMade(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		made(families)
	}
}
