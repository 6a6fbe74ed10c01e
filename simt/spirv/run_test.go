package spirv

import (
	"encoding/binary"
	"math"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		if len(d) > 2000 {
			d = d[:2000]
		}
		t.Errorf("results (-want +got):\n%s", d)
	}
}

func ended(t *testing.T, r *ran) {
	t.Helper()
	if r.event.Kind != simt.EndEvent {
		t.Fatalf("stopped: %v at %#x, fault %v", r.event.Kind, r.event.PC, r.event.Fault)
	}
}

func TestArith(t *testing.T) {
	forEach(t, "arith", func(t *testing.T, words []uint32, track bool) {
		rnd := random(1)
		in := rnd.words(128)
		in[0], in[1] = 0x80000000, 0xffffffff
		l := launch{groups: [3]uint32{4}, track: track, buffers: map[Slot][]byte{
			{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 64*24*4)}}
		r := l.run(t, words)
		ended(t, r)
		var want []uint32
		for i := range 64 {
			want = append(want, arithReference(in[2*i], in[2*i+1]|1)...)
		}
		same(t, r.words(Slot{0, 1, 0}), want)
	})
}

func arithReference(x, y uint32) []uint32 {
	sx, sy := int32(x), int32(y)
	b2u := func(b bool) uint32 { return uint32(one(b)) }
	msb := uint32(bits.Len32(x) - 1)
	lsb := uint32(bits.TrailingZeros32(x))
	if x == 0 {
		lsb = 0xffffffff
	}
	quotient := sx
	if sy == -1 {
		quotient = -sx
	} else {
		quotient = sx / sy
	}
	add, carry := bits.Add32(x, y, 0)
	sub, borrow := bits.Sub32(x, y, 0)
	f := math.Float32frombits(x&0x007fffff | 0x3f800000)
	g := float32(sy)
	m := uint32((1<<17 - 1) << 3)
	hi, _ := bits.Mul32(x, y)
	c := min(max(g, -5), 5)
	return []uint32{
		x + y, x - y, x * y, x / y, x % y, uint32(quotient), x << (y & 31), x >> (y & 31),
		uint32(sx >> (y & 31)),
		uint32(min(sx, sy)) ^ max(x, y),
		b2u(sx < sy) | b2u(x < y)<<1 | b2u(sx >= sy)<<2 | b2u(x >= y)<<3,
		uint32(bits.OnesCount32(x)) | lsb<<8 | msb<<16,
		bits.Reverse32(x), x >> 5 & 0x7ff, uint32(int32(x<<16) >> 21), x&^m | y<<3&m,
		hi, add + carry, sub + borrow, uint32(int64(sx) * int64(sy) >> 32),
		math.Float32bits(f * g), math.Float32bits(f / g),
		math.Float32bits(float32(math.Sqrt(float64(f))) - g),
		uint32(int32(f*1000)) + b2u(c > f),
	}
}

func TestControl(t *testing.T) {
	turn := int(vec.Current())
	forEach(t, "control", func(t *testing.T, words []uint32, track bool) {
		sizes := []int{8, 32, 64}
		if turn++; !sweep.All() {
			sizes = sizes[turn%len(sizes):][:1]
		}
		for _, size := range sizes {
			l := launch{o: Options{SubgroupSize: size}, groups: [3]uint32{4}, track: track,
				buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 128*4)}}
			r := l.run(t, words)
			ended(t, r)
			var want []uint32
			for i := range 128 {
				want = append(want, uint32(controlReference(int32(i))))
			}
			same(t, r.words(Slot{0, 0, 0}), want)
		}
	})
}

func controlReference(i int32) int32 {
	var sum int32
	for a := int32(0); a < 5; a++ {
		for j := a; j < 5; j++ {
			if (a+j)%3 != 1 {
				sum += a * j
			}
		}
	}
	sum += 0 + 1 + 2
	found := int32(-1)
	for k := int32(1); k < 100; k++ {
		if k*k > i*3 {
			found = k
			break
		}
	}
	for {
		sum += found
		found--
		if found <= i%4 {
			break
		}
	}
	if i == 77 {
		return 0
	}
	return collatz(i+1)*1000 + classifyReference(i) + sum
}

func collatz(n int32) int32 {
	var steps int32
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		if steps++; steps > 200 {
			return -1
		}
	}
	return steps
}

func classifyReference(i int32) int32 {
	switch i % 7 {
	case 0:
		return 100
	case 1, 2:
		i += 10
		i *= 2
	case 3:
		i *= 2
	case 5:
		for k := int32(0); k < i; k++ {
			if k == 3 {
				continue
			}
			if k == 9 {
				break
			}
			i -= k
		}
	default:
		i = -i
	}
	return i
}

func TestShared(t *testing.T) {
	forEach(t, "shared", func(t *testing.T, words []uint32, track bool) {
		for _, size := range []int{8, 16, 32, 64} {
			rnd := random(7)
			in := rnd.words(256)
			l := launch{o: Options{SubgroupSize: size}, groups: [3]uint32{4}, track: track, workers: 2,
				buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 48)}}
			r := l.run(t, words)
			ended(t, r)
			var want []uint32
			for g := range 4 {
				sum, lo, hi := uint32(0), uint32(math.MaxUint32), uint32(0)
				for _, v := range in[64*g : 64*g+64] {
					sum, lo, hi = sum+v, min(lo, v), max(hi, v)
				}
				want = append(want, sum, lo, hi)
			}
			same(t, r.words(Slot{0, 1, 0}), want)
		}
	})
}

func TestAtomics(t *testing.T) {
	forEach(t, "atomics", func(t *testing.T, words []uint32, track bool) {
		start := []uint32{0, ^uint32(0), 0, 0, 5000, 0, 1, 0, 0, 0, 0, uint32(0xffffff9c), 0, 0}
		l := launch{groups: [3]uint32{2}, track: track, tickets: Slot{0, 1, 0}, buffers: map[Slot][]byte{
			{0, 0, 0}: bytes32(start...), {0, 1, 0}: make([]byte, 256)}}
		r := l.run(t, words)
		ended(t, r)
		minus := func(n int32) uint32 { return uint32(n) }
		same(t, r.words(Slot{0, 0, 0})[:12],
			[]uint32{64, 0, ^uint32(0), 0, 937, 189, 77, 128, 0, 0, minus(-63), 13})
		old := make([]uint32, 64)
		for i := range old {
			old[i] = uint32(i)
		}
		same(t, r.words(Slot{0, 1, 0}), old)
	})
}

func TestCalls(t *testing.T) {
	forEach(t, "calls", func(t *testing.T, words []uint32, track bool) {
		l := launch{groups: [3]uint32{2}, track: track,
			buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 32*16)}}
		r := l.run(t, words)
		ended(t, r)
		var want []float32
		for i := range 32 {
			want = append(want, callsReference(i)...)
		}
		same(t, r.floats(Slot{0, 0, 0}), want)
	})
}

func callsReference(i int) []float32 {
	tags, mass := [3]int{1, 2, 3}, float32(1)
	for k := range i%4 + 1 {
		old := tags[2]
		tags = [3]int{k + 10, tags[0], tags[1]}
		mass += float32(k + 10)
		if old == 10 {
			mass += 100
		}
	}
	v := []float32{float32(i) * mass, float32(i) * 2 * mass, mass}
	if i&1 == 1 {
		v = []float32{v[2] * -1, v[1] * -1, v[0] * -1}
	}
	return append(v, float32(tags[0]*10000+tags[1]*100+tags[2]))
}

func TestNodes(t *testing.T) {
	forEach(t, "nodes", func(t *testing.T, words []uint32, track bool) {
		l := launch{track: track, push: make([]byte, 16), pointer: map[uint64]Slot{0: {9, 0, 0}},
			buffers: map[Slot][]byte{
				{0, 0, 0}: make([]byte, 32), {9, 0, 0}: make([]byte, 16*8)}}
		l.push[8] = 6
		r := l.start(t, words)
		nodes := r.regions[Slot{9, 0, 0}]
		for i := range 8 { // 0 -> 3 -> 6 -> 1 -> ...
			binary.LittleEndian.PutUint32(nodes.Data[16*i:], uint32(i*i+1))
			binary.LittleEndian.PutUint64(nodes.Data[16*i+8:], nodes.Base+16*uint64((i+3)%8))
		}
		var err error
		if r.event, err = r.m.Run(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		ended(t, r)
		var want []uint32
		for i := range 8 {
			sum, n := 0, 0
			for k := range min(i, 6) {
				sum += (n*n + 1) * (k + 1)
				n = (n + 3) % 8
			}
			want = append(want, uint32(sum))
		}
		same(t, r.words(Slot{0, 0, 0}), want)
		same(t, binary.LittleEndian.Uint32(nodes.Data[16:]), 1000) // lane 3 has gone three links: to node 1
	})
}

func TestSpec(t *testing.T) {
	forEach(t, "spec", func(t *testing.T, words []uint32, track bool) {
		for _, c := range []struct {
			count int
			scale float32
			flip  uint64
			x, y  uint64
		}{{5, 1.5, 0, 4, 2}, {9, 0.25, 1, 8, 3}} {
			l := launch{groups: [3]uint32{2, 2}, track: track,
				o: Options{Spec: map[uint32]uint64{0: c.x, 1: c.y,
					2: uint64(c.count), 3: uint64(math.Float32bits(c.scale)), 4: c.flip}},
				buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 4*4*c.x*c.y)}}
			r := l.run(t, words)
			ended(t, r)
			var s float32
			twice := c.count*2 + 1
			for k := range twice {
				v := k
				if c.flip != 0 {
					v = twice - 1 - k
				}
				s += float32(v) * c.scale * float32(k+1)
			}
			want := make([]float32, 4*c.x*c.y)
			for i := range want {
				want[i] = s + float32(c.x*100+c.y)
			}
			same(t, r.floats(Slot{0, 0, 0}), want)
		}
	})
}

func TestTable(t *testing.T) {
	forEach(t, "table", func(t *testing.T, words []uint32, track bool) {
		l := launch{track: track, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 32),
			{1, 2, 0}: bytes32(1, 2, 3), {1, 2, 1}: bytes32(10, 20, 30, 40, 50),
			{1, 2, 2}: bytes32(100, 200)}}
		r := l.run(t, words)
		ended(t, r)
		same(t, r.words(Slot{0, 0, 0}), []uint32{7, 35, 505, 19, 225, 2605, 56, 575})
	})
}

func TestSay(t *testing.T) {
	forEach(t, "say", func(t *testing.T, words []uint32, track bool) {
		var got []Printf
		l := launch{track: track, printed: &got, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 16)}}
		r := l.run(t, words)
		ended(t, r)
		same(t, r.words(Slot{0, 0, 0}), []uint32{0, 1, 4, 9})
		f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
		same(t, len(got), 4)
		same(t, got[2], Printf{"lane %u: %f %v3f %d", []PrintfArg{{Bits: 32, Values: []uint64{2}},
			{Bits: 32, Float: true, Values: []uint64{f(1)}},
			{Bits: 32, Float: true, Values: []uint64{f(1), f(2), f(2.5)}},
			{Bits: 32, Signed: true, Values: []uint64{0xfffffffe}}}})
	})
}

func TestMandel(t *testing.T) {
	forEach(t, "mandel", func(t *testing.T, words []uint32, track bool) {
		const width, limit = 512, 40
		l := launch{groups: [3]uint32{64}, track: track, workers: 2, push: bytes32(width, limit),
			buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 4*4096)}}
		r := l.run(t, words)
		ended(t, r)
		var want []uint32
		for i := range 4096 {
			want = append(want, mandelReference(i, width, limit))
		}
		same(t, r.words(Slot{0, 0, 0}), want)
	})
}

func mandelReference(i, width int, limit uint32) uint32 {
	cx := float32(float32(i%width)*float32(3.0/512.0)) - 2
	cy := float32(float32(i/width)*float32(3.0/512.0)) - 1.5
	var x, y float32
	for n := range limit {
		xx, yy := x*x, y*y
		if xx+yy > 4 {
			return n
		}
		xy := x * y
		y = float32(xy+xy) + cy
		x = float32(xx-yy) + cx
	}
	return limit
}

func TestMatmul(t *testing.T) {
	forEach(t, "matmul", func(t *testing.T, words []uint32, track bool) {
		const n = 32
		rnd := random(3)
		a, b := make([]float32, n*n), make([]float32, n*n)
		for i := range a {
			a[i], b[i] = float32(rnd.next()%1000)/37, float32(rnd.next()%1000)/53
		}
		l := launch{groups: [3]uint32{2, 2}, track: track, push: bytes32(n), buffers: map[Slot][]byte{
			{0, 0, 0}: floatBytes(a...), {0, 1, 0}: floatBytes(b...), {0, 2, 0}: make([]byte, 4*n*n)}}
		r := l.run(t, words)
		ended(t, r)
		want := make([]float32, n*n)
		for y := range n {
			for x := range n {
				var s float32
				for k := range n {
					s += float32(a[y*n+k] * b[k*n+x])
				}
				want[y*n+x] = s
			}
		}
		same(t, r.floats(Slot{0, 2, 0}), want)
	})
}

func TestNbody(t *testing.T) {
	forEach(t, "nbody", func(t *testing.T, words []uint32, track bool) {
		const n = 64
		rnd := random(5)
		p := make([]float32, 4*n)
		for i := range p {
			p[i] = float32(rnd.next()%1000) / 71
		}
		push := append(bytes32(n), floatBytes(0.25)...)
		l := launch{track: track, push: push, buffers: map[Slot][]byte{
			{0, 0, 0}: floatBytes(p...), {0, 1, 0}: make([]byte, 16*n)}}
		r := l.run(t, words)
		ended(t, r)
		same(t, r.floats(Slot{0, 1, 0}), nbodyReference(p, 0.25))
	})
}

func nbodyReference(p []float32, soft float32) []float32 {
	n := len(p) / 4
	a := make([]float32, 4*n)
	for i := range n {
		for j := range n {
			var d [3]float32
			for k := range d {
				d[k] = p[4*j+k] - p[4*i+k]
			}
			r2 := float32(d[0]*d[0]) + float32(d[1]*d[1])
			r2 += float32(d[2] * d[2])
			r2 += soft
			r := float32(math.Sqrt(float64(r2)))
			k := p[4*j+3] / float32(r2*r)
			for c := range d {
				a[4*i+c] += float32(d[c] * k)
			}
		}
	}
	return a
}
