package vec

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// interesting are numbers at the edges of integers and of floats of 32 and 64
// bits: zeros, denormals, infinities, NaNs of both kinds with a payload.
var interesting = []uint32{0, 1, 2, 31, 32, 33, 0x7f, 0xff, 0xffff, 0xffffff, 0x7fffffff, 0x80000000,
	0x80000001,
	0xffffffff, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x40490fdb, 0x00800000, 0x007fffff, 0x807fffff,
	0x00000007, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xffa12345, 0x7fc00000,
	0xffc54321, 0x4f000000, 0x4effffff, 0x4f800000, 0x4f7fffff, 0xcf000000, 0xcf000001, 0xbf000000,
	0x7e800000, 0x7e000000, 0x7d800000, 0x7ff00000, 0x7ff80000, 0x7ff00001, 0xfff40000, 0x000fffff,
	0x3ff00000, 0x00100000, 0x4b000000, 0x4b7fffff,
	0x3effffff, 0x3f000001, 0x40200000, 0xc0200000, // and of 16 bits
	0x7c00fc00, 0x7c017e01, 0xfdab7fff, 0x04000001, 0x83ff03ff, 0x7bff3c00, 0xbc008000, 0x38018400,
	0x477fe000, 0x477ff000, 0x33000000, 0x33000001, 0x387fc000}

// number is a random one, often an interesting one.
func number(r *rand.Rand) uint32 {
	switch r.IntN(4) {
	case 0:
		return r.Uint32()
	case 1: // a float of moderate size
		return r.Uint32()&0x807fffff | uint32(100+r.IntN(56))<<23
	}
	v := interesting[r.IntN(len(interesting))]
	if r.IntN(4) == 0 {
		v ^= 1 << r.IntN(32)
	}
	return v
}

// A state is rows on which an operation works.
type state struct {
	rows [8]Row
	in   uint64
}

func randomState(r *rand.Rand) *state {
	s := &state{in: r.Uint64()}
	for i := range s.rows {
		same := r.IntN(8) == 0
		for l := range s.rows[i] {
			s.rows[i][l] = number(r)
			if same {
				s.rows[i][l] = s.rows[i][0]
			}
			if i > 0 && r.IntN(6) == 0 {
				s.rows[i][l] = s.rows[i-1][l]
			}
		}
	}
	return s
}

// masks are all lanes, none, and some.
func randomMask(r *rand.Rand) uint64 {
	switch r.IntN(6) {
	case 0, 1:
		return ^uint64(0)
	case 2:
		return 0
	case 3:
		return 1 << r.IntN(64)
	case 4:
		return 0xffff << (16 * r.IntN(4))
	}
	return r.Uint64()
}

// aliases say which rows are the destination: rows of their own, or sources.
var aliases = [][2]int{{6, 7}, {0, 1}, {2, 3}, {4, 5}, {1, 2}, {1, 0}}

// run runs an operation on a copy of a state.
func run(f Func, s state, mask uint64, d [2]int, quiet bool) (state, uint64) {
	x := Args{D: &s.rows[d[0]], D1: &s.rows[d[1]], A: &s.rows[0], A1: &s.rows[1], B: &s.rows[2],
		B1: &s.rows[3], C: &s.rows[4], C1: &s.rows[5], Mask: mask, In: s.in, Quiet: quiet}
	f(&x)
	return s, x.Out
}

// hasOut are the operations whose mask result counts.
var hasOut = map[Op]bool{AddCarry: true, SubBorrow: true, EqU: true, NeU: true, LtU: true, LeU: true,
	LtI: true,
	LeI: true, EqF32: true, LtF32: true, LeF32: true, NeF32: true, OrdF32: true, MadU64: true}

// is64 are those on pairs.
func is64(op Op) bool { return op >= ShlRev64 }

// compare runs an operation in a path and by its twin.
func compare(t *testing.T, p Path, op Op, s *state, mask uint64, d [2]int, quiet bool) {
	t.Helper()
	if !is64(op) {
		d[1] = 7
	}
	f := chosen[op]
	if f == nil {
		t.Fatalf("%v: %v runs by nothing", p, op)
	}
	want, wantOut := run(twins[op], *s, mask, d, quiet)
	got, gotOut := run(f, *s, mask, d, quiet)
	if hasOut[op] && gotOut != wantOut {
		t.Fatalf("%v: %v under %#x: mask %#x, want %#x", p, op, mask, gotOut, wantOut)
	}
	for i := range got.rows {
		if !is64(op) && i == 7 { // D1, which the twin may have written
			continue
		}
		for l := range got.rows[i] {
			if got.rows[i][l] != want.rows[i][l] {
				t.Fatalf("%v: %v to rows %v under %#x of %#x, %#x, %#x (high halves %#x, %#x, %#x): row %d "+
					"lane %d is %#x, want %#x",
					p, op, d, mask, s.rows[0][l], s.rows[2][l], s.rows[4][l], s.rows[1][l], s.rows[3][l],
					s.rows[5][l], i, l, got.rows[i][l], want.rows[i][l])
			}
		}
	}
}

// inPaths runs a test in each path that the processor can take.
func inPaths(t *testing.T, f func(t *testing.T, p Path)) {
	was := Current()
	defer Use(was)
	for _, p := range Paths() {
		Use(p)
		t.Run(fmt.Sprint(p), func(t *testing.T) { f(t, p) })
	}
}

// TestPaths: every operation does in every path what its twin does.
func TestPaths(t *testing.T) {
	inPaths(t, func(t *testing.T, p Path) {
		r := rand.New(sweep.PCG(1, uint64(p)))
		for range 400 {
			s := randomState(r)
			for op := None + 1; op < opCount; op++ {
				compare(t, p, op, s, randomMask(r), aliases[r.IntN(len(aliases))], r.IntN(2) == 0)
			}
		}
	})
}

// FuzzPaths is TestPaths with rows out of the fuzzer's hands.
func FuzzPaths(f *testing.F) {
	f.Add(uint8(Add), uint64(0xff00ff), uint8(0), []byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(uint8(FmaF32), ^uint64(0), uint8(1), []byte{0, 0, 0x80, 0x7f, 0, 0, 0, 0, 0, 0, 0xc0, 0x7f})
	f.Fuzz(func(t *testing.T, which uint8, mask uint64, how uint8, data []byte) {
		op := Op(which)%(opCount-1) + 1
		s := &state{in: mask * 0x9e3779b97f4a7c15}
		if len(data) < 4 {
			return
		}
		for i := range s.rows {
			for l := range s.rows[i] {
				at := (i*Lanes + l) * 4 % (len(data) - 3)
				s.rows[i][l] = binary.LittleEndian.Uint32(data[at:])
			}
		}
		was := Current()
		defer Use(was)
		for _, p := range Paths() {
			Use(p)
			compare(t, p, op, s, mask, aliases[int(how)%len(aliases)], how&0x80 != 0)
		}
	})
}

// TestMoves: offsets, loads and stores do in every path what the twins do.
func TestMoves(t *testing.T) {
	mem := make([]byte, 4096)
	inPaths(t, func(t *testing.T, p Path) {
		r := rand.New(sweep.PCG(2, uint64(p)))
		for range 4000 {
			testMove(t, r, mem)
		}
	})
}

func testMove(t *testing.T, r *rand.Rand, mem []byte) {
	for i := range mem {
		mem[i] = byte(r.Uint32())
	}
	const base = 0x7e0012345000
	var lo, hi Row
	start, pattern := uint64(r.IntN(3000)), r.IntN(5)
	size := 4 * (1 + r.IntN(4))
	out := r.IntN(4) == 0
	for l := range lo {
		at := start
		switch pattern {
		case 0:
			at += uint64(4 * l)
		case 1:
			at += uint64(16 * (l % 3))
		case 2:
			at = uint64(r.IntN(len(mem) - size + 1))
		case 3:
			at += uint64(4 * (l % 16))
		}
		if out && r.IntN(30) == 0 {
			at = []uint64{4093, 1 << 32, 1<<32 + 8, 4096, 1<<63 + 5, ^uint64(0)}[r.IntN(6)]
		}
		at += base
		lo[l], hi[l] = uint32(at), uint32(at>>32)
	}
	mask := randomMask(r)
	if mask == 0 {
		return
	}
	var o Offsets
	var row, data Row
	for l := range row {
		row[l], data[l] = r.Uint32(), r.Uint32()
	}
	add := uint64(r.IntN(9)) - 4
	inside := o.Find(mem, &lo, &hi, add, base, size, mask)
	want := row
	wantMem := append([]byte(nil), mem...)
	skip := size - 4
	for l := range Lanes {
		if mask>>l&1 == 0 {
			continue
		}
		at := uint64(lo[l]) | uint64(hi[l])<<32
		at += add - base
		if at > uint64(len(mem)-size) {
			if inside {
				t.Fatalf("lane %d at %#x is inside", l, at)
			}
			return
		}
		want[l] = binary.LittleEndian.Uint32(mem[at+uint64(skip):])
		binary.LittleEndian.PutUint32(wantMem[at+uint64(skip):], data[l])
	}
	if !inside {
		t.Fatalf("all lanes of %#x are inside, Find says they are not", mask)
	}
	o.Load(&row, skip)
	if row != want {
		t.Fatalf("pattern %d under %#x: loaded %x, want %x", pattern, mask, row, want)
	}
	o.Store(&data, skip)
	if string(mem) != string(wantMem) {
		t.Fatalf("pattern %d under %#x: stored other bytes", pattern, mask)
	}
}

// TestSteps: numbers that are followed by one that is a step more are found, of as many as there are, and
// nothing behind them counts; so are those that are a step more than others; places become addresses.
func TestSteps(t *testing.T) {
	inPaths(t, func(t *testing.T, p Path) {
		r := rand.New(sweep.PCG(3, uint64(p)))
		for range 2000 {
			step := []uint64{0, 4, 8, 1 << 40, ^uint64(3)}[r.IntN(5)]
			all := make([]uint64, Lanes+1)
			for i := range all {
				if all[i] = r.Uint64(); i > 0 && r.IntN(8) > 0 {
					all[i] = all[i-1] + step
				}
			}
			n := r.IntN(Lanes + 1)
			if r.IntN(2) == 0 {
				n &^= 7
			}
			want := uint64(0)
			for i := 1; i < n; i++ {
				if all[i] == all[i-1]+step {
					want |= 1 << (i - 1)
				}
			}
			if got := Steps(all[:n], step); got != want {
				t.Fatalf("%d numbers, step %d: %#x, want %#x", n, step, got, want)
			}
			than := make([]uint64, n)
			want = 0
			for i := range than {
				if than[i] = all[i] - step; r.IntN(4) == 0 {
					than[i] = r.Uint64()
				} else {
					want |= 1 << i
				}
			}
			if got := Further(all[:n], than, step); got != want {
				t.Fatalf("%d numbers, %d further: %#x, want %#x", n, step, got, want)
			}
			var o Offsets
			var to [Lanes]uint64
			for l := range o.At {
				o.At[l] = r.Uint32()
			}
			base := r.Uint64()
			o.Places(&to, base)
			for l, at := range to {
				if want := base + uint64(o.At[l]); at != want {
					t.Fatalf("lane %d is at %#x, want %#x", l, at, want)
				}
			}
		}
	})
}

// TestMoves32: addresses of 32 bits wrap around with Find32 and do not with
// Find.
func TestMoves32(t *testing.T) {
	inPaths(t, func(t *testing.T, p Path) {
		mem := make([]byte, 256)
		var lo Row
		for l := range lo {
			lo[l] = uint32(4*(l%60)) - 16
		}
		var o Offsets
		if !o.Find32(mem, &lo, 16, 4, ^uint64(0)) || o.At[5] != 20 || o.At[0] != 0 {
			t.Errorf("Find32: %v", o.At)
		}
		if o.Find32(mem, &lo, 12, 4, ^uint64(0)) {
			t.Error("lane 0 is at -4, which Find32 says is inside")
		}
		if !o.Find32(mem, &lo, 12, 4, 0xfe) {
			t.Error("lanes 1 to 7 are inside")
		}
		if o.Find(mem, &lo, nil, 16, 0, 4, ^uint64(0)) {
			t.Error("lane 0 is at 4 GiB, which Find says is inside")
		}
		if o.Find32(mem[:3], &lo, 16, 4, 1) || o.Find32(nil, &lo, 16, 4, 1) {
			t.Error("an item of 4 bytes is in a memory of fewer")
		}
	})
}

func BenchmarkOps(b *testing.B) {
	was := Current()
	defer Use(was)
	for _, p := range Paths() {
		Use(p)
		for _, op := range []Op{Add, Mul, FmaF32, MinF32, Select, LtF32, AddCarry, ShlRev64, MadU64, FmaF64,
			MadF32} {
			b.Run(fmt.Sprintf("%v/%v", op, p), func(b *testing.B) {
				var rows [8]Row
				for i := range rows {
					for l := range rows[i] {
						rows[i][l] = 0x3f800000 + uint32(i*l)
					}
				}
				x := Args{D: &rows[6], D1: &rows[7], A: &rows[0], A1: &rows[1], B: &rows[2], B1: &rows[3],
					C: &rows[4], C1: &rows[5], Mask: ^uint64(0)}
				f := op.Func()
				for b.Loop() {
					f(&x)
				}
			})
		}
	}
}
