package ptx_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric/numerictest"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/reference"
	"simtgdb/testdata/sweep"
)

func words(seed uint64, n int) []uint32 {
	out := make([]uint32, n)
	for i, v := range numerictest.Numbers(seed, n) {
		out[i] = uint32(v)
	}
	return out
}

// ints are from 0 to below a limit.
func ints(seed uint64, n int, limit uint64) []int32 {
	out := make([]int32, n)
	for i, v := range numerictest.Numbers(seed, n) {
		out[i] = int32(v % limit)
	}
	return out
}

// eachLevel runs a test for what each level of optimisation makes of a kernel.
func eachLevel(t *testing.T, name string, f func(t *testing.T, p *program)) {
	for _, level := range simttest.Share(name, levels...) {
		t.Run(level, func(t *testing.T) { f(t, compiled(t, name, level)) })
	}
}

func grid(n, block uint32) launch {
	return launch{grid: [3]uint32{n, 1, 1}, block: [3]uint32{block, 1, 1}}
}

func TestWarp(t *testing.T) {
	const results = 16
	in := words(1, 64)
	var want []uint32
	for w := range 2 {
		want = append(want, warpOf(in[w*32:][:32])...)
	}
	eachLevel(t, "warp", func(t *testing.T, p *program) {
		l := grid(64, 32)
		got := make([]uint32, 64*results)
		l.args = []any{in, got}
		p.run("warp", &l)
		equal(t, "output", got, want)
	})
}

// warpOf is what the kernel does for a warp.
func warpOf(v []uint32) (out []uint32) {
	same := func(key func(x uint32) uint32, l int) (m uint32) {
		for i, x := range v {
			if key(x) == key(v[l]) {
				m |= 1 << i
			}
		}
		return
	}
	ballot := func(f func(x uint32) bool) (m uint32) {
		for i, x := range v {
			if f(x) {
				m |= 1 << i
			}
		}
		return
	}
	odd := ballot(func(x uint32) bool { return x&1 != 0 })
	any, all, sum := uint32(0), uint32(1), uint32(0)
	for _, x := range v {
		if x%64 == 0 { // of the value as a signed number, the same
			any = 1
		}
		if x == 0 {
			all = 0
		}
		sum += x & 0xffff
	}
	for l, x := range v {
		o := make([]uint32, 16)
		o[0], o[1] = x, x
		if l >= 3 {
			o[0] = v[l-3]
		}
		if l+5 < 32 {
			o[1] = v[l+5]
		}
		o[2], o[3] = v[l^9], v[x&31]
		o[4] = x
		if l%8+2 < 8 {
			o[4] = v[l+2]
		}
		o[5] = v[l&^7|1]
		o[6], o[7] = odd, any|all<<1|1<<2
		o[8] = same(func(x uint32) uint32 { return x & 7 }, l)
		o[9] = same(func(x uint32) uint32 { return x & 3 }, l)
		if x&1 != 0 {
			o[10], o[11] = odd, v[bits.TrailingZeros32(odd)]
			o[12] = ballot(func(x uint32) bool { return x&3 == 3 })
		} else {
			o[10], o[11] = 1, 2
			o[12] = ballot(func(x uint32) bool { return x&5 == 4 })
		}
		o[13] = v[l^16]
		if l < 16 {
			o[13]++
		}
		o[14] = sum
		for i, y := range v {
			if o[8]>>i&1 != 0 {
				o[15] += y
			}
		}
		out = append(out, o...)
	}
	return out
}

// Every lane of two warps gets the lock as often as it wants, though they wait for each other.
func TestSpin(t *testing.T) {
	const lanes = 64
	rounds := sweep.Times(1, 3)
	eachLevel(t, "spin", func(t *testing.T, p *program) {
		l := grid(lanes, lanes)
		log, count := make([]uint32, lanes*rounds), make([]uint32, 1)
		l.args = []any{log, count, int32(rounds)}
		p.run("spin", &l)
		if int(count[0]) != lanes*rounds {
			t.Fatalf("the lock was taken %d times, want %d", count[0], lanes*rounds)
		}
		times := make([]int, lanes)
		for _, id := range log {
			times[id]++
		}
		for id, n := range times {
			if n != rounds {
				t.Errorf("lane %d took it %d times", id, n)
			}
		}
	})
}

func TestShapes(t *testing.T) {
	in := ints(2, 100, 1000)
	want := make([]int32, 100)
	for id, v := range in {
		area := []int32{v % 50 * (v % 50), v % 20 * int32(id), -1}
		edges := []int32{4, 4, 1}
		total := int32(0)
		for k := range int32(2) {
			i := (v + k) % 3
			total = total*3 + area[i]*10 + edges[i]
		}
		want[id] = total + v%50 + 100
	}
	eachLevel(t, "shapes", func(t *testing.T, p *program) {
		l := grid(128, 64)
		got := make([]int32, 100)
		l.args = []any{in, got, int32(100)}
		p.run("shapes", &l)
		equal(t, "output", got, want)
	})
}

// A printer notes what kernels print; it is a host of a machine.
type printer struct{ lines []string }

func (p *printer) Printf(w *simt.Wave, lane int, _ string, format, args uint64,
	read func(addr uint64, b []byte) error) (int32, error) {
	text := func(addr uint64) string {
		var s []byte
		for {
			var b [1]byte
			if err := read(addr+uint64(len(s)), b[:]); err != nil || b[0] == 0 {
				return string(s)
			}
			s = append(s, b[0])
		}
	}
	word := func(off uint64, n int) (v uint64) {
		b := make([]byte, n)
		if err := read(args+off, b); err != nil {
			return 0
		}
		for i, x := range b {
			v |= uint64(x) << (8 * i)
		}
		return
	}
	id := w.Group.ID[0]*w.Group.Size[0] + uint32(w.Index*w.Size+lane)
	f := text(format)
	n := int32(strings.Count(f, "%") - 2*strings.Count(f, "%%"))
	if n == 1 {
		p.lines = append(p.lines, fmt.Sprintf("%d: %d %s", id, int32(word(0, 4)), f))
		return n, nil
	}
	p.lines = append(p.lines, fmt.Sprintf("%d: %d %c %s %d %g %d %s", id, int32(word(0, 4)), rune(word(4, 4)),
		text(word(8, 8)), int64(word(16, 8)), math.Float64frombits(word(24, 8)), int32(word(32, 4)), f))
	return n, nil
}

func (p *printer) Assert(_ *simt.Wave, lane int, message, file string, line uint32, function string) {
	p.lines = append(p.lines, fmt.Sprintf("lane %d: %s %s:%d %s", lane, message, file, line, function))
}

func TestPrint(t *testing.T) {
	in := ints(3, 40, 100)
	var want []string
	written := make([]int32, 40)
	for id, v := range in {
		if written[id] = 1; id%3 != 0 {
			want = append(want, fmt.Sprintf("%d: %d plain %%d%%%%\n", id, id))
			continue
		}
		written[id] = 6
		want = append(want, fmt.Sprintf("%d: %d %c %s %d %g %d %%d: %%c %%s %%lld %%.3f %%x|\n", id, id,
			rune('a'+id%26), []string{"even", "odd"}[v&1], int64(v)<<33, float64(v)*0.125, v))
	}
	slices.Sort(want)
	eachLevel(t, "print", func(t *testing.T, p *program) {
		host := &printer{}
		l := grid(64, 64)
		l.host = host
		got := make([]int32, 40)
		l.args = []any{in, got, int32(40)}
		p.run("print", &l)
		slices.Sort(host.lines)
		equal(t, "lines", host.lines, want)
		equal(t, "written", got, written)
	})
}

func TestMathlib(t *testing.T) {
	const n = 60
	in := make([]float64, n)
	for i, v := range numerictest.Numbers(4, n) {
		in[i] = float64(v>>11) / (1 << 53)
	}
	var doubles []float64
	var floats []float32
	var whole []int32
	for _, v := range in {
		x := v*20 - 10
		f := float32(x)
		frac, exp := math.Frexp(x)
		w, part := math.Modf(x)
		third := x / 3
		if r := math.FMA(-third, 3, x); r > 0 {
			third = math.Nextafter(third, math.Inf(1))
		}
		doubles = append(doubles, math.Sin(x), math.Pow(x*x, 1.25), math.Exp(x)+math.Log(float64(x*x)+1),
			math.Mod(x*100, 7.5), third, frac, part, w, math.Sin(x)-math.Cos(x))
		sum := float64(f) + float64(float32(1e-3))
		towards := float32(sum)
		if math.Abs(float64(towards)) > math.Abs(sum) {
			towards = math.Nextafter32(towards, 0)
		}
		floats = append(floats, float32(math.Sin(float64(f))), float32(math.Sqrt(float64(float32(f*f)+1))),
			reference.FMA32(f, f, -1), float32(math.Floor(float64(f)))+min(f, 0.5), towards)
		b := int32(x * 1e8)
		perm := uint32(b)&0xff | ^uint32(b)&0xff<<8 | uint32(b)>>8&0xff<<16 | ^uint32(b)>>8&0xff<<24
		whole = append(whole, int32(exp), int32(bits.OnesCount32(uint32(b))),
			int32(bits.LeadingZeros64(uint64(int64(b)*int64(b)))), int32(int64(b)*0x12345678>>32),
			int32(perm), int32(x*1e3))
	}
	eachLevel(t, "mathlib", func(t *testing.T, p *program) {
		l := grid(64, 32)
		d, f, i := make([]float64, 9*n), make([]float32, 5*n), make([]int32, 6*n)
		l.args = []any{in, d, f, i, int32(n)}
		p.run("mathlib", &l)
		for i, want := range doubles { // Go's functions are off by units of the last place
			if math.Abs(d[i]-want) > 1e-14*max(1, math.Abs(want)) {
				t.Errorf("doubles[%d] = %v, want %v", i, d[i], want)
			}
		}
		equal(t, "floats", f, floats)
		equal(t, "ints", i, whole)
	})
}

// A function that nobody has stops the lanes that call it, with its name.
func TestUnknownFunction(t *testing.T) {
	p := compiled(t, "mathlib", "O0")
	l := grid(32, 32)
	const n = 12345 // what makes the kernel call it
	l.args = []any{make([]float64, n), make([]float64, 9*n), make([]float32, 5*n), make([]int32, 6*n),
		int32(n)}
	ev := p.event("mathlib", &l)
	if ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, "__nv_unknown_function") {
		t.Errorf("stopped by %v: %v", ev.Kind, ev.Fault)
	}
}

func TestNamed(t *testing.T) {
	const rounds = 3
	in := ints(5, 64, 50)
	totals := make([]int32, 128)
	for r := range int32(rounds) {
		slot := make([]int32, 64)
		for i := range slot {
			slot[i] = in[i] * (r + 1)
		}
		for i := range int32(64) {
			totals[64+i] += slot[i^5] + r
			totals[i] += r // what the users have left
		}
	}
	count := int32(0)
	for _, v := range totals {
		if v > 100 {
			count++
		}
	}
	want := make([]int32, 128)
	for i, v := range totals {
		want[i] = v + count*1000000 + 2 + 1
	}
	eachLevel(t, "named", func(t *testing.T, p *program) {
		l := grid(128, 128)
		got := make([]int32, 128)
		l.args = []any{in, got, int32(rounds)}
		p.run("named", &l)
		equal(t, "output", got, want)
	})
}

func TestDynamic(t *testing.T) {
	const size, groups = 64, 2
	in := ints(6, size*groups, 1<<20)
	want := make([]int32, size*groups)
	const dynamic = size*4 + size*8
	for i := range want {
		g, l := i/size, i%size
		want[i] = in[g*size+size-1-l] + int32((l+1)%size*2) + int32(l%32*3) + dynamic*1000
	}
	eachLevel(t, "dynamic", func(t *testing.T, p *program) {
		l := grid(size*groups, size)
		l.dynamic = dynamic
		got := make([]int32, size*groups)
		l.args = []any{in, got, int32(0)}
		p.run("dynamic", &l)
		equal(t, "output", got, want)
	})
}

func TestTables(t *testing.T) {
	const n = 90
	in := words(7, n)
	primes := []int32{2, 3, 5, 7, 11, 13, 17, 19}
	output, weights := make([]int32, n), make([]float64, n)
	for id, v := range in {
		r := v % 3
		changed := []int32{0, 4 - 1, 32}[r]
		letters := []int32{4, 3, 3}[v/3%3]
		tag := []int32{'b', 'd', 0}[r]
		output[id] = changed + primes[v%8]*100 + letters*10000 + tag*100000
		weights[id] = []float64{0.5, -2, 8}[r] * float64(primes[id%8])
	}
	eachLevel(t, "tables", func(t *testing.T, p *program) {
		l := grid(96, 32)
		got, w := make([]int32, n), make([]float64, n)
		l.args = []any{in, got, w, int32(n)}
		p.run("tables", &l)
		equal(t, "output", got, output)
		equal(t, "weights", w, weights)
	})
}

func TestSearch(t *testing.T) {
	const n, length = 50, 12
	in := make([]int16, n*length)
	for i, v := range numerictest.Numbers(8, len(in)) {
		in[i] = int16(v)
	}
	sorted := slices.Clone(in)
	want := make([]int32, 2*n)
	var ackermann func(m, n int) int
	ackermann = func(m, n int) int {
		switch {
		case m == 0:
			return n + 1
		case n == 0:
			return ackermann(m-1, 1)
		}
		return ackermann(m-1, ackermann(m, n-1))
	}
	for id := range n {
		part := sorted[id*length:][:length-id%4]
		sort.Slice(part, func(i, j int) bool { return part[i] < part[j] })
		want[2*id], want[2*id+1] = int32(ackermann(id%3, id%5)), []int32{2, 10, 4}[id%3]
	}
	eachLevel(t, "search", func(t *testing.T, p *program) {
		l := grid(64, 32)
		s, got := make([]int16, n*length), make([]int32, 2*n)
		l.args = []any{in, s, got, int32(n)}
		p.run("search", &l)
		equal(t, "sorted", s, sorted)
		equal(t, "output", got, want)
	})
}

func TestInterpreter(t *testing.T) {
	const n, length = 70, 40
	code := make([]byte, n*length)
	for i, v := range numerictest.Numbers(9, len(code)) {
		code[i] = byte(v)
	}
	want := make([]int32, n)
	for id := range n {
		pc, end := id*length, (id+1)*length
		a, b := int32(id), int32(1)
		stopped := false
		for pc < end && !stopped {
			op := int32(code[pc])
			pc++
			switch op % 10 {
			case 0:
				a += b
			case 1:
				b = a ^ 0x55
			case 2:
				a *= 3
			case 3:
				b -= a
			case 4:
				a = int32(uint32(a) >> 3)
			case 5:
				pc += int(a & 1)
			case 6:
				a, b = b, a
			case 7:
				a -= op
			case 8:
				stopped = b > 1000
			default:
				b += 17
			}
		}
		if want[id] = a + b*31; stopped {
			want[id] = b
		}
	}
	eachLevel(t, "interpreter", func(t *testing.T, p *program) {
		l := grid(96, 96)
		got := make([]int32, n)
		l.args = []any{code, got, int32(length), int32(n)}
		p.run("interpreter", &l)
		equal(t, "output", got, want)
	})
}

func TestScan(t *testing.T) {
	const n = 250
	in := ints(10, n, 1000)
	want := make([]int32, n)
	sum := int32(0)
	for i, v := range in {
		if i%128 == 0 {
			sum = 0
		}
		sum += v
		want[i] = sum
	}
	eachLevel(t, "scan", func(t *testing.T, p *program) {
		l := grid(256, 128)
		got := make([]int32, n)
		l.args = []any{in, got, int32(n)}
		p.run("scan", &l)
		equal(t, "output", got, want)
	})
}

func TestHistogram(t *testing.T) {
	const n = 500
	in := words(11, n)
	bins, least, most := make([]int32, 16), int32(math.MaxInt32), int32(math.MinInt32)
	var sum uint64
	var weight float32
	for _, v := range in {
		bins[v%16]++
		least, most = min(least, int32(v)), max(most, int32(v))
		sum += uint64(v) * 3
		weight += float32(v % 4)
	}
	eachLevel(t, "histogram", func(t *testing.T, p *program) {
		l := grid(128, 64)
		l.workers = 2
		b, lo, hi := make([]int32, 16), []int32{math.MaxInt32}, []int32{math.MinInt32}
		s, w := make([]uint64, 1), make([]float32, 1)
		l.args = []any{in, b, lo, hi, s, w, int32(n)}
		p.run("histogram", &l)
		equal(t, "bins", b, bins)
		if lo[0] != least || hi[0] != most || s[0] != sum || w[0] != weight {
			t.Errorf("got %d %d %d %g, want %d %d %d %g", lo[0], hi[0], s[0], w[0], least, most, sum, weight)
		}
	})
}

func TestHash(t *testing.T) {
	const n, size = 70, 16
	message := words(12, size)
	want := make([]uint32, 4*n)
	for id := range n {
		a, b, c, d := uint32(0x67452301), uint32(0xefcdab89), uint32(0x98badcfe), uint32(0x10325476)
		for i := range size {
			w := message[(id*7+i)%size]
			f, g := b&c|^b&d, b^c^d
			a = b + bits.RotateLeft32(a+f+w+0x5a827999, 7)
			d = c ^ bits.RotateLeft32(d+g+uint32(id), 12+i%3)
			c = bits.ReverseBytes32(c) + a>>3&0x1fffff
			b = bits.Reverse32(b) - uint32(bits.OnesCount32(a))*0x9e3779b9
			a, d, c, b = d, c, b, a
		}
		copy(want[4*id:], []uint32{a, b, c, d})
	}
	eachLevel(t, "hash", func(t *testing.T, p *program) {
		l := grid(96, 32)
		got := make([]uint32, 4*n)
		l.args = []any{message, got, int32(size), int32(n)}
		p.run("hash", &l)
		equal(t, "digest", got, want)
	})
}

func TestLists(t *testing.T) {
	const n = 90
	in := ints(13, n, 1000)
	want := make([]int32, n)
	for id, v := range in {
		for k := id % 6; k >= 0; k-- {
			want[id] = want[id]*3 + v + int32(k*k)
		}
	}
	eachLevel(t, "lists", func(t *testing.T, p *program) {
		l := grid(96, 32)
		l.heap = 1 << 16
		got := make([]int32, n)
		l.args = []any{in, got, int32(n)}
		p.run("lists", &l)
		equal(t, "output", got, want)
		l.heap = 256 // there is none for most
		p.run("lists", &l)
		if !slices.Contains(got, -1) {
			t.Error("no allocation fails where the heap is small")
		}
	})
}

func TestBitonic(t *testing.T) {
	const size, groups = 64, 3
	in := ints(14, size*groups, 1<<30)
	want := slices.Clone(in)
	for g := range groups {
		slices.Sort(want[g*size:][:size])
	}
	eachLevel(t, "bitonic", func(t *testing.T, p *program) {
		l := grid(size*groups, size)
		got := slices.Clone(in)
		l.args = []any{got, local(4 * size)}
		p.run("bitonic", &l)
		equal(t, "data", got, want)
	})
}

func TestBlur(t *testing.T) {
	const width, height = 19, 13
	image := make([]float32, 4*width*height)
	for i, v := range numerictest.Numbers(15, len(image)) {
		image[i] = float32(v>>40) / (1 << 24)
	}
	weights := [3][3]float32{{0.0625, 0.125, 0.0625}, {0.125, 0.25, 0.125}, {0.0625, 0.125, 0.0625}}
	shift := []int32{1, -1}
	want := make([]float32, len(image))
	for y := range height {
		for x := range width {
			var sum [4]float32
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					sx, sy := x+dx+1, y+dy-1
					if sx < 0 || sx >= width || sy < 0 || sy >= height {
						continue
					}
					for k := range sum {
						sum[k] += float32(image[4*(sy*width+sx)+k] * weights[dy+1][dx+1])
					}
				}
			}
			sum[3] *= 2
			copy(want[4*(y*width+x):], sum[:])
		}
	}
	eachLevel(t, "blur", func(t *testing.T, p *program) {
		l := launch{grid: [3]uint32{24, 16, 1}, block: [3]uint32{8, 4, 1}, workers: 2}
		got := make([]float32, len(image))
		l.args = []any{image, got, shift, int32(width), int32(height)}
		p.run("blur", &l)
		equal(t, "output", got, want)
	})
}

// toHalf and ofHalf are a second opinion on numbers of 16 bits: by the neighbours of a number, found by
// search.
func ofHalf(h uint16) float64 {
	v := math.Ldexp(float64(h&0x3ff), -24)
	if e := int(h >> 10 & 31); e > 0 {
		v = math.Ldexp(float64(h&0x3ff|0x400), e-25)
	}
	if h>>15 != 0 {
		v = -v
	}
	return v
}

func toHalf(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign, v = 0x8000, -v
	}
	i := sort.Search(0x7c00, func(i int) bool { return ofHalf(uint16(i)) >= v })
	if i > 0 && i < 0x7c00 {
		below, above := v-ofHalf(uint16(i-1)), ofHalf(uint16(i))-v
		if below < above || below == above && i&1 != 0 {
			i--
		}
	}
	return sign | uint16(i)
}

func TestHalf(t *testing.T) {
	const n = 60
	a, b := make([]uint16, n), make([]uint16, n)
	for i, v := range numerictest.Numbers(16, 2*n) {
		h := toHalf(math.Ldexp(float64(int64(v>>40)-1<<23), -20))
		if i < n {
			a[i] = h
		} else {
			b[i-n] = h
		}
	}
	half := func(v float64) float64 { return ofHalf(toHalf(v)) }
	want, sums := make([]uint16, 8*n), make([]float32, n)
	for i := range n {
		x, y := ofHalf(a[i]), ofHalf(b[i])
		o := want[8*i:]
		o[0], o[1], o[2] = toHalf(x+y), toHalf(x-y), toHalf(x*y)
		o[3], o[4] = toHalf(x*y+0.5), a[i]^0x8000
		o[5], o[6] = toHalf(half(x*y)+x), toHalf(half(y*3)+y)
		o[7] = toHalf(min(x, y))
		sums[i] = float32(x) + float32(y)*2
	}
	eachLevel(t, "half", func(t *testing.T, p *program) {
		l := grid(64, 64)
		got, s := make([]uint16, 8*n), make([]float32, n)
		l.args = []any{a, b, got, s, int32(n)}
		p.run("half", &l)
		equal(t, "output", got, want)
		equal(t, "sums", s, sums)
	})
}
