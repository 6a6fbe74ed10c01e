package spirv

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"
)

func TestLayout(t *testing.T) {
	forEach(t, "layout", func(t *testing.T, words []uint32, track bool) {
		// std140: three columns at 0, 16, 32; two rows of three at 48, 64; two structs of 32 bytes at 80; a
		// float at 144.
		u := make([]byte, 160)
		put := func(b []byte, at int, fs ...float32) {
			for i, f := range fs {
				binary.LittleEndian.PutUint32(b[at+4*i:], math.Float32bits(f))
			}
		}
		put(u, 0, 1, 2, 3)
		put(u, 16, 4, 5, 6)
		put(u, 32, 7, 8, 10)
		put(u, 48, 1, 3, 5)
		put(u, 64, 2, 4, 6)
		inner := [2][4]float32{{1, 2, 3, 4}, {5, 6, 7, 8}}
		q := [2][2]uint32{{10, 20}, {30, 40}}
		for i := range 2 {
			put(u, 80+32*i, inner[i][:]...)
			binary.LittleEndian.PutUint32(u[80+32*i+16:], q[i][0])
			binary.LittleEndian.PutUint32(u[80+32*i+20:], q[i][1])
		}
		put(u, 144, 0.5)
		// std430: a uint; two matrices of three rows of two at 8, 32; a struct of 32 bytes at 64; floats at
		// 96.
		s := make([]byte, 96+4*4)
		put(s, 8, 1, 2, 3, 4, 5, 6)
		put(s, 32, 7, 8, 9, 10, 11, 12)
		push := append(floatBytes(0.25, 0.5, 0.75, 1), bytes32(2)...)
		l := launch{track: track, joint: true, push: push,
			buffers: map[Slot][]byte{{0, 0, 0}: u, {0, 1, 0}: s}}
		r := l.run(t, words)
		ended(t, r)
		out := r.regions[Slot{0, 1, 0}].Data
		got := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(out[at:])) }
		for i := range 4 {
			x := []float32{1, 2, float32(i)}
			c := []float32{1*x[0] + 4*x[1] + 7*x[2], 2*x[0] + 5*x[1] + 8*x[2], 3*x[0] + 6*x[1] + 10*x[2]}
			d := []float32{1*c[0] + 3*c[1] + 5*c[2], 2*c[0] + 4*c[1] + 6*c[2]}
			m := [][]float32{{1, 2}, {3, 4}, {5, 6}}
			if i&1 == 1 {
				m = [][]float32{{7, 8}, {9, 10}, {11, 12}}
			}
			e := m[2][0]*d[0] + m[2][1]*d[1]
			v := inner[i&1]
			total := v[0] + v[1]*2 + v[2]*4 + v[3]*8 + float32(q[i&1][0]+q[i&1][1])
			want := c[0] + d[1] + e + 6 + 6 + m[2][1] + total*0.5 + 0.75 + 4
			if g := got(96 + 4*i); g != want {
				t.Errorf("tail[%d] = %v, want %v", i, g, want)
			}
		}
		same(t, binary.LittleEndian.Uint32(out), 4)
		// m[1][0] is a column: its rows lie 8 bytes apart. The determinant of the matrix is -3.
		same(t, []float32{got(32), got(40), got(48), got(28), got(76), got(64)},
			[]float32{7, 8, 9, 5, 3 + -3, 5})
	})
}

// Invocations that have nothing left to execute end, and do not wait for the one that has.
func TestEnds(t *testing.T) {
	for _, name := range variants(t, "layout") {
		l := launch{push: make([]byte, 20),
			buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 160), {0, 1, 0}: make([]byte, 112)}}
		r := l.start(t, testModule(t, name))
		if err := r.m.Fill(); err != nil {
			t.Fatal(err)
		}
		w := r.m.Waves()[0]
		for range 1000 {
			if w.Active() == 1 { // in what `if (i == 0u)` guards, behind which is the end
				break
			}
			if _, err := r.m.StepWave(w, 1); err != nil {
				t.Fatal(err)
			}
		}
		if active, ended := w.Active(), w.EndedLanes(); active != 1 || ended != w.Valid&^1 {
			t.Errorf("%s: lanes %#x have ended and %#x go on, of %#x", name, ended, active, w.Valid)
		}
	}
}

func TestSubgroup(t *testing.T) {
	forEach(t, "subgroup", func(t *testing.T, words []uint32, track bool) {
		for _, size := range []int{8, 16, 32, 64} {
			rnd := random(11)
			in := make([]uint32, 64)
			for i := range in {
				in[i] = rnd.next() % 200
			}
			in[20] = 77
			l := launch{o: Options{SubgroupSize: size}, track: track, buffers: map[Slot][]byte{
				{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 64*32*4)}}
			r := l.run(t, words)
			ended(t, r)
			got := r.words(Slot{0, 1, 0})
			for i := range 64 {
				lo := i / size * size
				want := subgroupReference(in[lo:lo+size], i-lo, i/size, 64/size)
				for k, w := range want {
					// spirv-opt moves what lanes do on their way out of a loop behind it, where all meet.
					if k == 24 && !strings.Contains(t.Name(), ".Od") {
						continue
					}
					if w != nil && got[i*32+k] != *w {
						t.Errorf("size %d, lane %d, result %d: %d, want %d", size, i, k, got[i*32+k], *w)
					}
				}
			}
		}
	})
}

// TestSubgroupOfSome: the same with half of a subgroup's lanes, to which the others are not there.
func TestSubgroupOfSome(t *testing.T) {
	const some = 32
	const shuffled, down = 13, 16 // results that a lane takes of others
	rnd := random(17)
	in := make([]uint32, wideGroup)
	for i := range in {
		in[i] = rnd.next() % 200
	}
	for _, name := range variants(t, "subgroup") {
		words, ok := divided(testModule(t, name), some)
		if !ok {
			t.Fatalf("%s cannot be run in parts", name)
		}
		l := launch{o: Options{SubgroupSize: wideGroup}, buffers: map[Slot][]byte{
			{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, wideGroup*32*4)}}
		r := l.run(t, words)
		ended(t, r)
		got := r.words(Slot{0, 1, 0})
		for i := range some {
			for k, w := range subgroupReference(in[:some], i, 0, 1) {
				if k == shuffled || k == down && i == some-1 || k == 24 && !strings.Contains(name, ".Od") {
					continue
				}
				if w != nil && got[i*32+k] != *w {
					t.Errorf("%s: lane %d, result %d: %d, want %d", name, i, k, got[i*32+k], *w)
				}
			}
		}
	}
}

// subgroupReference has nil for what a lane does not write.
func subgroupReference(v []uint32, l, id, count int) []*uint32 {
	n := len(v)
	var r []*uint32
	add := func(x uint32) { r = append(r, &x) }
	var sum, before, least, most, all, or, xor, odd, prod uint32 = 0, 0, math.MaxUint32, 0, 1023, 0, 0, 0, 1
	var ballot uint64
	for i, x := range v {
		if i < l {
			before += x
			odd += x & 1
		}
		sum += x
		least, most = min(least, x), max(most, x)
		all, or, xor = all&(x|16), or|x, xor^x
		ballot |= uint64(x&1) << i
		if x%3 == 0 {
			prod *= 2
		}
	}
	u := func(b bool) uint32 { return uint32(one(b)) }
	add(uint32(l))
	add(uint32(id*1000 + count))
	add(u(l == 0))
	add(sum)
	add(before + v[l])
	add(before)
	add(least ^ most)
	add(all + or + xor)
	add(v[3] + v[0])
	add(uint32(ballot))
	add(uint32(ballot >> 32))
	add(uint32(bits.OnesCount64(ballot)) + 100*(odd+v[l]&1) + 10000*odd)
	extract := uint32(0)
	if ballot>>l&1 != 0 {
		extract += 1000000
	}
	if ballot>>5&1 != 0 {
		extract += 2000000
	}
	add(uint32(bits.TrailingZeros64(ballot)) + 100*uint32(bits.Len64(ballot)-1) + extract)
	add(v[n-1-l])
	add(v[l^5])
	up, down := uint32(0), uint32(0)
	if l >= 2 {
		up = v[l-2]
	}
	if l+1 < n {
		down = v[l+1]
	}
	add(up)
	add(down)
	var four, eight uint32
	for i := l &^ 3; i < l&^3+4; i++ {
		four += v[i]
	}
	for i := l &^ 7; i < l&^7+8; i++ {
		eight = max(eight, v[i])
	}
	add(four + 1000*eight)
	add(v[l&^3|2] + v[l^1]*3 + v[l^2]*5 + v[l^3]*7)
	has77, equal := false, true
	for _, x := range v {
		has77 = has77 || x == 77
		equal = equal && x == v[0]
	}
	add(1 | u(has77)<<1 | u(equal)<<2 | 8)
	add(sum)
	add(prod)
	ones, group := uint32(0), uint32(0)
	for i := 1; i < n; i += 4 {
		ones += v[i]
	}
	for _, x := range v {
		if x&7 == v[l]&7 {
			group++
		}
	}
	if l&3 == 1 {
		x := ones + u(l == 1)*100000
		r = append(r, &x, nil, &group)
	} else {
		x := uint32(n - n/4)
		r = append(r, nil, &x, &group)
	}
	whole := uint32(n)
	return append(r, &whole)
}

func TestTypes(t *testing.T) {
	forEach(t, "types", func(t *testing.T, words []uint32, track bool) {
		b, h := []int8{-128, 5, 77, -3, 0, 127, -50, 9}, []uint16{65535, 3, 500, 40000, 1, 0, 77, 12345}
		l64 := []int64{math.MinInt64, 1, -1e15, 1 << 40, 0, -1, 77777777777, math.MaxInt64}
		d := []float64{1.5, -2.25, 1e10, math.Pi, 0, math.Copysign(0, -1), 1e-5, 123456.789}
		f := []float64{0.5, -1.25, 100, 3.140625, 0, 65504, 6e-8, -0.333251953125}
		buf := make([]byte, 64+128+512+512+128)
		for i := range 8 {
			buf[i] = byte(b[i])
			binary.LittleEndian.PutUint16(buf[64+2*i:], h[i])
			binary.LittleEndian.PutUint64(buf[192+8*i:], uint64(l64[i]))
			binary.LittleEndian.PutUint64(buf[704+8*i:], math.Float64bits(d[i]))
			binary.LittleEndian.PutUint16(buf[1216+2*i:], toHalf(f[i]))
		}
		l := launch{track: track, buffers: map[Slot][]byte{{0, 0, 0}: buf, {0, 1, 0}: make([]byte, 8*8*8)}}
		r := l.run(t, words)
		ended(t, r)
		out, back := r.regions[Slot{0, 1, 0}].Data, r.regions[Slot{0, 0, 0}].Data
		for i := range 8 {
			hf := half(toHalf(f[i]))
			want := []uint64{
				uint64(int64(int8(b[i]*3 + 100))), uint64(uint16(h[i]*h[i]+7) >> 3),
				uint64(l64[i]/1000*int64(b[i]) + l64[i]>>7),
				math.Float64bits(d[i]*3 + math.Sqrt(math.Abs(d[i])) - float64(l64[i])),
				uint64(toHalf(half(toHalf(hf*hf)) + 1.5)),
				(uint64(h[i]) | uint64(uint32(int32(b[i])))<<32) ^ uint64(toHalf(hf/3)),
				uint64(int64(float32(d[i])*0.5)) + one(d[i] < hf),
				one(true) + one(l64[i] < 0)*2,
			}
			for k, w := range want {
				if g := binary.LittleEndian.Uint64(out[64*i+8*k:]); g != w {
					t.Errorf("lane %d, result %d: %#x, want %#x", i, k, g, w)
				}
			}
			got := fmt.Sprint(int8(back[i]), binary.LittleEndian.Uint16(back[64+2*i:]),
				binary.LittleEndian.Uint16(back[1216+2*i:]))
			if w := fmt.Sprint(int8(i)-b[i], h[i]+uint16(i), toHalf(hf)^0x8000); got != w {
				t.Errorf("lane %d wrote %s, want %s", i, got, w)
			}
		}
	})
}

func TestStd450(t *testing.T) {
	forEach(t, "std450", func(t *testing.T, words []uint32, track bool) {
		rnd := random(13)
		in := make([]float32, 32)
		for i := range in {
			in[i] = float32(int(rnd.next()%2000)-1000) / 300
			if i%2 == 1 {
				in[i] = float32(int(rnd.next()%2000)-1000) / 1001
			}
		}
		in[0], in[2], in[4] = 2.5, -2.5, -0.75
		l := launch{track: track,
			buffers: map[Slot][]byte{{0, 0, 0}: floatBytes(in...), {0, 1, 0}: make([]byte, 16*48*4)}}
		r := l.run(t, words)
		ended(t, r)
		got := r.floats(Slot{0, 1, 0})
		for i := range 16 {
			for k, w := range std450Reference(float64(in[2*i]), float64(in[2*i+1])) {
				// One rounding may come earlier in optimised modules than in the reference.
				if g := float64(got[48*i+k]); math.Abs(g-w) > 1e-6*math.Max(1, math.Abs(w)) ||
					(g != g) != (w != w) {
					t.Errorf("x %v, y %v, result %d: %v, want %v", in[2*i], in[2*i+1], k, g, w)
				}
			}
		}
	})
}

func std450Reference(x, y float64) []float64 {
	a := math.Abs(x)
	sgn := 0.0
	if x != 0 {
		sgn = math.Copysign(1, x)
	}
	whole, fraction := math.Modf(x)
	fr, e := math.Frexp(x)
	ss := math.Max(0, math.Min(1, (x+2)/4))
	norm := math.Sqrt(x*x + y*y + 4)
	half2 := uint32(toHalf(x)) | uint32(toHalf(y))<<16
	u8 := func(v float64) uint32 { return uint32(math.RoundToEven(255 * math.Max(0, math.Min(1, v)))) }
	unorm := (u8(x) | u8(y)<<8 | u8(0.5)<<16 | u8(1.5)<<24) & 0x3fffffff
	sn := math.Max(-1, float64(int16(math.Float32bits(float32(y))>>16))/32767)
	d := x*0.6 + y*0.8
	k := 1 - 0.9*0.9*(1-0.8*0.8)
	face := -x
	if y*2 < 0 {
		face = x
	}
	asFloat := func(v uint32) float64 { return float64(math.Float32frombits(v)) }
	return []float64{
		math.RoundToEven(x), math.RoundToEven(x), math.Trunc(x), a, sgn, math.Floor(x), math.Ceil(x),
		x - math.Floor(x),
		x * math.Pi / 180, x * 180 / math.Pi, math.Sin(x), math.Cos(x), math.Tan(x), math.Asin(y),
		math.Acos(y), math.Atan(x),
		math.Sinh(y), math.Cosh(y), math.Tanh(x), math.Asinh(x), math.Acosh(a + 1), math.Atanh(y * 0.5),
		math.Atan2(x, y),
		math.Pow(a, y), math.Exp(y), math.Log(a + 0.5), math.Exp2(y), math.Log2(a + 0.5), math.Sqrt(a),
		1 / math.Sqrt(a+0.25),
		fraction, whole, x + y, math.Max(-1, math.Min(1, x)), x*0.75 + y*0.25, one64(y >= x),
		ss * ss * (3 - 2*ss), x*y + 1,
		fr, math.Ldexp(y, e), asFloat(half2), asFloat(unorm), sn,
		math.Sqrt(x*x+y*y+1) + math.Hypot(x-1, y-2), y / norm, x*2 - y*y,
		x - 2*d*0.6 + 0.9*-0.8 - (0.9*-0.8 + math.Sqrt(k)),
		math.Mod(math.Mod(x, 0.75)+0.75, 0.75) + face,
	}
}

func one64(b bool) float64 { return float64(one(b)) }

func TestBlur(t *testing.T) {
	forEach(t, "blur", func(t *testing.T, words []uint32, track bool) {
		const n = 128
		in := make([]float32, n)
		for i := range in {
			in[i] = float32(i*i%37) * 0.5
		}
		l := launch{groups: [3]uint32{2}, track: track,
			buffers: map[Slot][]byte{{0, 0, 0}: floatBytes(in...),
				{0, 1, 0}: make([]byte, 4*n), {0, 2, 0}: append(bytes32(n), floatBytes(0.25)...)}}
		r := l.run(t, words)
		ended(t, r)
		want := make([]float32, n)
		at := func(i int) float32 {
			if i < 0 || i >= n {
				return 0
			}
			return in[i]
		}
		for i := range want {
			want[i] = (at(i-1)+at(i+1))*0.25 + at(i)
		}
		same(t, r.floats(Slot{0, 1, 0}), want)
	})
}

func TestKernelSum(t *testing.T) {
	forEach(t, "cl_sum", func(t *testing.T, words []uint32, track bool) {
		rnd := random(17)
		in := make([]uint32, 300)
		var want [2]uint32
		for i := range in {
			in[i] = rnd.next()%2000 - 1000
			if int32(in[i]) >= 0 {
				want[i%64/32] += in[i]
			}
		}
		args := make([]byte, 28)
		args[16], args[24], args[25] = 64, 300&255, 300>>8 // part is behind what the module has itself
		l := launch{groups: [3]uint32{2}, block: [3]uint32{32, 1, 1}, track: track, args: args, local: 256,
			o: Options{SubgroupSize: 16}, pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}},
			buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 8)}}
		r := l.run(t, words)
		ended(t, r)
		same(t, r.words(Slot{0, 1, 0}), want[:])
	})
}

func TestKernelNodes(t *testing.T) {
	forEach(t, "cl_nodes", func(t *testing.T, words []uint32, track bool) {
		const size, n = 32, 7
		nodes := make([]byte, size*n)
		args := make([]byte, 48)
		binary.LittleEndian.PutUint32(args[16:], math.Float32bits(0.5))
		args[32+8] = 9
		for i := range n {
			binary.LittleEndian.PutUint32(nodes[size*i:], uint32(i+1))
			nodes[size*i+4], nodes[size*i+6] = byte(i*3), byte(i)
			for k := range 3 {
				binary.LittleEndian.PutUint32(nodes[size*i+16+4*k:], math.Float32bits(float32(i*10+k)))
			}
		}
		l := launch{block: [3]uint32{n, 1, 1}, track: track, joint: true, args: args,
			o: Options{SubgroupSize: 8}, pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}},
			buffers: map[Slot][]byte{{0, 0, 0}: nodes, {0, 1, 0}: make([]byte, 4*n)}}
		params, end := l.start(t, words).p.Params()
		if len(params) != 3 || params[2].Offset != 16 || end != 48 {
			t.Fatalf("parameters %+v, %d bytes", params, end)
		}
		r := l.run(t, words)
		ended(t, r)
		same(t, r.floats(Slot{0, 1, 0}), nodesReference(n))
	})
}

// nodesReference: all lanes write next in step, so that the last of the three stands: a link to the node
// three on.
func nodesReference(n int) []float32 {
	weights := []int{1, 10, 100, 1000}
	want := make([]float32, n)
	for i := range want {
		s, at := 0, i
		for k := i; at >= 0 && k > 0; {
			k--
			s += (at+1)*weights[k&3] + at*3 + at
			if at+2 < 6 {
				at += 3
			} else {
				at = -1
			}
		}
		d := float32(i*10)*0.5 + float32(i*10+1)*0.5*2 + float32(i*10+2)*0.5*3
		want[i] = float32(s) + d + 9
	}
	return want
}

func TestKernelMath(t *testing.T) {
	forEach(t, "cl_math", func(t *testing.T, words []uint32, track bool) {
		const n = 16
		rnd := random(19)
		in := make([]float32, n+4)
		for i := range in {
			in[i] = float32(int(rnd.next()%2000)-1000) / 70
		}
		l := launch{block: [3]uint32{n, 1, 1}, track: track, args: make([]byte, 24),
			pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}, 16: {0, 2, 0}},
			buffers: map[Slot][]byte{{0, 0, 0}: floatBytes(in...), {0, 1, 0}: make([]byte, 64*n),
				{0, 2, 0}: make([]byte, 32*n)}}
		r := l.run(t, words)
		ended(t, r)
		for i := range n {
			same(t, r.floats(Slot{0, 1, 0})[16*i:16*i+16], mathReference(in, i))
			same(t, r.words(Slot{0, 2, 0})[8*i:8*i+8], mathBits(in[i]))
		}
	})
}

func mathReference(in []float32, i int) []float32 {
	x := in[i]
	d := float64(x)
	f, e := math.Frexp(d)
	whole, part := math.Modf(d)
	k := i & 3
	return []float32{
		float32(math.Abs(d)) + max(x, 0.5), float32(math.FMA(d, d, 1)), x*2 + 1, float32(math.Sin(d)),
		float32(f), float32(e),
		float32(part), float32(whole), float32(math.RoundToEven(d)) + float32(math.Floor(d)),
		float32(math.Sqrt(math.Abs(d))),
		max(-1, min(1, x)), float32(d + (2-d)*0.5), in[k+3], in[k+2], in[k+1], in[k],
	}
}

func mathBits(x float32) []uint32 {
	k := math.Float32bits(x)
	hi, _ := bits.Mul32(k, 0x12345678)
	sat, c := bits.Add32(k, 0xc0000000, 0)
	if c != 0 {
		sat = math.MaxUint32
	}
	diff := max(int64(int32(k)), 5) - min(int64(int32(k)), 5)
	u8 := uint32(max(0, min(255, x*100)))
	return []uint32{
		uint32(bits.LeadingZeros32(k) + bits.OnesCount32(k)), bits.RotateLeft32(k, 7), hi, sat, uint32(diff),
		uint32((uint64(k)+3)/2) ^ uint32((uint64(k)+4+1)/2), uint32(max(0, x)) + u8,
		uint32(int32(math.RoundToEven(float64(x)))) ^ (k<<16 | k>>16),
	}
}

func TestKernelFlow(t *testing.T) {
	forEach(t, "cl_flow", func(t *testing.T, words []uint32, track bool) {
		for _, size := range []int{8, 64} {
			args := make([]byte, 12)
			args[8] = 20
			l := launch{block: [3]uint32{64, 1, 1}, track: track, args: args, o: Options{SubgroupSize: size},
				pointer: map[uint64]Slot{0: {0, 0, 0}},
				buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 256)}}
			r := l.run(t, words)
			ended(t, r)
			want := make([]uint32, 64)
			for i := range want {
				want[i] = flowReference(i, 20)
			}
			same(t, r.words(Slot{0, 0, 0}), want)
		}
	})
}

func flowReference(i, n int) uint32 {
	r := 0
	for a := range n {
		for b := a + i; b > 1; r += b {
			if b%3 == 0 {
				b /= 3
				continue
			}
			if b&1 != 0 {
				b--
			} else {
				b /= 2
			}
			if b == 7 {
				return uint32(r)
			}
		}
		switch (a + i) % 5 {
		case 1:
			r ^= 5
		case 3:
			r += 1000
		case 4:
			if r&1 != 0 {
				return uint32(r)
			}
			r += 2
		default:
			r += 2
		}
	}
	return uint32(r)
}

func TestKernelSay(t *testing.T) {
	forEach(t, "cl_say", func(t *testing.T, words []uint32, track bool) {
		var got []Printf
		l := launch{block: [3]uint32{3, 1, 1}, track: track, printed: &got, args: make([]byte, 8),
			pointer: map[uint64]Slot{0: {0, 0, 0}}, buffers: map[Slot][]byte{{0, 0, 0}: floatBytes(1, 2, 4)}}
		ended(t, l.run(t, words))
		if len(got) != 3 || len(got[2].Args) != 4 {
			t.Fatalf("printed %+v", got)
		}
		f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
		same(t, got[2].Format, "lane %d: %v4hlf %s %lu\n")
		same(t, got[2].Args[1].Values, []uint64{f(4), f(1), f(2), f(3)})
		same(t, got[2].Args[3].Values, []uint64{2 << 40})
		same(t, got[2].Args[2].Text, "text")
	})
}

// TestRobust: what is behind the end of a buffer reads 0 and cannot be written, or is a fault of those lanes.
func TestRobust(t *testing.T) {
	in := []uint32{1, 2, 3, 4, 5, 6}
	l := launch{o: Options{Robust: true},
		buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 16*24*4)}}
	r := l.run(t, testModule(t, "arith.Od.spv"))
	ended(t, r)
	got := r.words(Slot{0, 1, 0})
	for i := range 16 {
		x, y := uint32(0), uint32(1)
		if i < 3 {
			x, y = in[2*i], in[2*i+1]|1
		}
		same(t, got[24*i:24*i+24], arithReference(x, y))
	}
	l.o.Robust = false
	r = l.run(t, testModule(t, "arith.Od.spv"))
	f := r.event.Fault
	if f == nil || f.Lanes != 0xfff8 || f.Addr != r.regions[Slot{0, 0, 0}].Base+24 || f.Size != 4 || f.Write {
		t.Errorf("event %v, fault %+v", r.event.Kind, f)
	}
}

// TestBoundToNothing: a binding that has no memory reads 0 and takes what is written, without a fault.
func TestBoundToNothing(t *testing.T) {
	l := launch{nothing: []Slot{{0, 0, 0}}, buffers: map[Slot][]byte{{0, 1, 0}: make([]byte, 16*24*4)}}
	r := l.run(t, testModule(t, "arith.Od.spv"))
	ended(t, r)
	for i, got := 0, r.words(Slot{0, 1, 0}); i < 16; i++ {
		same(t, got[24*i:24*i+24], arithReference(0, 1))
	}
}

// TestMore: matrices, vectors by index, packing, atomic loads and stores, and what else compiled code seldom
// has.
func TestMore(t *testing.T) {
	forEach(t, "more", func(t *testing.T, words []uint32, track bool) {
		l := launch{track: track, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 64*32),
			{0, 1, 0}: make([]byte, 64*32),
			{0, 2, 0}: make([]byte, 12)}}
		r := l.run(t, words)
		ended(t, r)
		f, u := r.floats(Slot{0, 0, 0}), r.words(Slot{0, 1, 0})
		for i := range 32 {
			same(t, f[16*i:16*i+10], moreFloats(i))
			same(t, u[16*i:16*i+7], moreWords(i))
		}
		minus31 := int32(-31)
		same(t, r.words(Slot{0, 2, 0}), []uint32{77, uint32(minus31), math.Float32bits(16)})
	})
}

func moreFloats(i int) []float32 {
	x := float32(i)
	pick := func(b bool, v float32) float32 {
		if b {
			return v
		}
		return 0
	}
	v := []float32{1, 2, 3, 4}
	v[i%4] += x
	fr, e := math.Frexp(float64(i) + 1)
	s := float32(0)
	if i != 3 {
		s = float32(math.Copysign(1, float64(i-3)))
	}
	return []float32{
		(2*3 + -1*6) + (0.5*2+3*x)*100, (1 + x*2 + 2*3) + (4+x*x+2*6)*1000, x*3*0.5 + 2*2*0.5*100,
		0.5 + -0.125*10 + 0.25*100, v[(i+1)%4] + v[i&3]*100,
		pick(i != 3, 1) + pick(i == 3, 2) + pick(i <= 2, 4), 8 + -26*10 + -19*100,
		0 + 31*10 + 1000 + 2000 + 4000, float32(fr) + float32(e)*10 + 0.75*1000,
		s + float32(math.Abs(float64(i-5)))*10,
	}
}

func moreWords(i int) []uint32 {
	round := func(x float64, scale float64) uint32 { return uint32(int32(math.RoundToEven(x * scale))) }
	x := float64(float32(i) / 31)
	bits32 := func(a, b float64) uint32 { return math.Float32bits(float32(a) + float32(b)) }
	d := math.Float64frombits(uint64(i)|0x3ff00000<<32) * 2
	b := math.Float64bits(d)
	return []uint32{
		round(x, 127)&255 | 0x8100 | 64<<16 | 127<<24, round(x, 32767)&0xffff | round(-0.25, 32767)<<16,
		round(x, 65535) | round(0.75, 65535)<<16, bits32(float64(i*2049&0xffff)/65535, half(uint16(i<<8))),
		bits32(float64(i)/127, float64(i)/255), uint32(b) ^ uint32(b>>32), 0,
	}
}

// TestKernelMore: copies of structs, counters, pointers made of numbers, pointers to any memory.
func TestKernelMore(t *testing.T) {
	forAll(t, waysOf(t, "cl_more"), func(t *testing.T, words []uint32, track bool) {
		args := make([]byte, 24)
		args[16] = 16
		out := make([]byte, 128)
		l := launch{block: [3]uint32{8, 1, 1}, track: track, args: args, local: 64,
			o: Options{SubgroupSize: 8}, pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}},
			buffers: map[Slot][]byte{{0, 0, 0}: out, {0, 1, 0}: bytes32(5, 5, 50)}}
		r := l.run(t, words)
		ended(t, r)
		want := make([]uint32, 32)
		for g := range uint32(8) {
			own, local := 200+g, 100+g
			sum := local + 3
			if g&1 != 0 {
				own += 3
				sum = own
			} else {
				local += 3
			}
			v := []uint32{1, 2, 3, 4}
			v[g&3] = g
			want[g], want[g+8] = 1, 3*g+g
			want[g+16] = sum + 1 + own + local
			want[g+24] = v[0] + 10*v[1] + 100*v[2] + 1000*v[3]
		}
		same(t, r.words(Slot{0, 0, 0}), want)
		minus3 := int32(-3)
		same(t, r.words(Slot{0, 1, 0}), []uint32{13, uint32(minus3), 26})
	})
}
