package vec

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// wideNumber is a random one, often of 32 bits, often an interesting one.
func wideNumber(r *rand.Rand) uint64 {
	v := uint64(number(r))
	switch r.IntN(3) {
	case 0:
		v |= uint64(number(r)) << 32
	case 1:
		v = uint64(r.IntN(70))
	}
	return v
}

// randomWide is a row of them, now and then all the same.
func randomWide(r *rand.Rand) (d Wide) {
	same := r.IntN(8) == 0
	for l := range d {
		d[l] = wideNumber(r)
		if same {
			d[l] = d[0]
		}
	}
	return d
}

func randomLanes(r *rand.Rand) uint32 { return uint32(randomMask(r)) }

// TestWides holds each operation, in each path, against its twin, which is held against a lane's own
// arithmetic by those who use it. The destination may be a source.
func TestWides(t *testing.T) {
	best := Current()
	defer Use(best)
	for _, p := range Paths() {
		Use(p)
		r := rand.New(sweep.PCG(1, 2))
		for op := WideNone + 1; op < wideOpCount; op++ {
			if op.Func() == nil || wideTwins[op] == nil {
				t.Fatalf("%v: %v runs by nothing", p, op)
			}
			for range 400 {
				compareWides(t, p, op, r)
			}
		}
	}
}

func compareWides(t *testing.T, p Path, op WideOp, r *rand.Rand) {
	t.Helper()
	rows := [4]Wide{randomWide(r), randomWide(r), randomWide(r), randomWide(r)}
	if r.IntN(3) == 0 {
		rows[1] = rows[0] // what is equal
	}
	args := WideArgs{Mask: randomLanes(r), In: r.Uint32(), NaN: 0x7fffffff}
	if op >= WideAddF64 {
		args.NaN = 0x7ff8000000000000
	}
	d := r.IntN(4)
	run := func(f WideFunc) ([4]Wide, uint32) {
		all, x := rows, args
		x.A, x.B, x.C, x.D = &all[0], &all[1], &all[2], &all[d]
		f(&x)
		return all, x.Out
	}
	want, wantOut := run(wideTwins[op])
	got, gotOut := run(op.Func())
	if gotOut != wantOut {
		t.Fatalf("%v: %v under %#x: mask %#x, want %#x", p, op, args.Mask, gotOut, wantOut)
	}
	for i := range got {
		for l := range got[i] {
			if got[i][l] != want[i][l] {
				t.Fatalf("%v: %v to row %d under %#x of %#x, %#x, %#x: row %d lane %d is %#x, want %#x", p,
					op, d, args.Mask,
					rows[0][l], rows[1][l], rows[2][l], i, l, got[i][l], want[i][l])
			}
		}
	}
}

// places are of items of some bytes in a memory that begins at base: side by side, one for some lanes or all,
// anywhere; those of lanes that are left out lead nowhere.
func widePlaces(r *rand.Rand, base uint64, length, size int, mask uint32) (at Wide) {
	kind := r.IntN(4)
	first := r.IntN(length - 32*size)
	for l := range at {
		switch kind {
		case 0:
			at[l] = uint64(first + size*l)
		case 1:
			at[l] = uint64(first + size*(l/8))
		case 2:
			at[l] = uint64(first + size*(l%8)) // some lanes have the same
		default:
			at[l] = uint64(r.IntN(length - size))
		}
		if at[l] += base; mask>>l&1 == 0 {
			at[l] = r.Uint64()
		}
	}
	return at
}

// TestWideMoves holds moves in each path against their twins.
func TestWideMoves(t *testing.T) {
	best := Current()
	defer Use(best)
	const base, length = 1 << 40, 700
	for _, p := range Paths() {
		Use(p)
		r := rand.New(sweep.PCG(3, 4))
		for range 4000 {
			mask, size := randomLanes(r), 4<<r.IntN(2)
			mem := make([]byte, length)
			for i := range mem {
				mem[i] = byte(r.Uint32())
			}
			at, row := widePlaces(r, base, length, size, mask), randomWide(r)
			run := func() (Wide, Wide, []byte, [3]uint64) {
				got, joined, own := row, row, bytes.Clone(mem)
				var w WideMover
				w.Load(&got, own, &at, base, size, mask)
				w.Store(&joined, own, &at, base, size, mask)
				var moved Wide
				lo, hi, low := w.Reach(&moved, &at, 77, mask|1)
				if moved[31] != at[31]+77 {
					t.Fatalf("%v: Reach gives %#x for %#x", p, moved[31], at[31])
				}
				high := own[512:]
				if size == 4 {
					high = nil
				}
				LoadRow(&joined, own[256:], high, mask)
				StoreRow(&row, own, high, mask)
				return got, joined, own, [3]uint64{lo, hi, low}
			}
			got, gotRow, gotMem, gotReach := run()
			wideMoves = wideTwinMoves
			want, wantRow, wantMem, wantReach := run()
			Use(p)
			if got != want || gotRow != wantRow || !bytes.Equal(gotMem, wantMem) || gotReach != wantReach {
				t.Fatalf("%v: items of %d bytes under %#x at %#x: %v %v %v %v", p, size, mask, at,
					got == want, gotRow == wantRow, bytes.Equal(gotMem, wantMem), gotReach == wantReach)
			}
		}
	}
}

// BenchmarkWides tells what operations cost by path.
func BenchmarkWides(b *testing.B) {
	best := Current()
	defer Use(best)
	r := rand.New(sweep.PCG(1, 2))
	mem := make([]byte, 256)
	rows := [3]Wide{}
	for l := range rows[0] {
		rows[0][l], rows[1][l] = uint64(r.Uint32()>>3), uint64(4*l)
	}
	for _, p := range Paths() {
		Use(p)
		x := WideArgs{D: &rows[2], A: &rows[0], B: &rows[1], C: &rows[0], Mask: 1<<32 - 1}
		for _, op := range []WideOp{WideAdd, WideAdd32, WideFmaF32, WideLtI32} {
			f := op.Func()
			b.Run(p.String()+"/"+op.String(), func(b *testing.B) {
				for b.Loop() {
					f(&x)
				}
			})
		}
		b.Run(p.String()+"/Load", func(b *testing.B) {
			var w WideMover
			for b.Loop() {
				w.Load(&rows[2], mem, &rows[1], 0, 4, x.Mask)
			}
		})
	}
}
