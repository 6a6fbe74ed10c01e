package gen

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"math/bits"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

const (
	codeBase = 0x1_0000
	codeSize = 0x1000
)

// A bench is one thread with some code.
type bench struct {
	t    testing.TB
	m    *simt.Machine
	w    *simt.Wave
	r    *Regs
	core *Core
	code *simt.Region
	data *simt.Region

	halves bool // an instruction is executed by the even channels, then by the odd ones
}

func newBench(t testing.TB, simd int) *bench {
	t.Helper()
	mem := simt.NewMemory()
	code, err := mem.Map("code", codeBase, make([]byte, codeSize), simt.PermRead|simt.PermExec)
	if err != nil {
		t.Fatal(err)
	}
	data, err := mem.Map("data", 0x2_0000, make([]byte, 0x1000), simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	isa, err := New(mem, Kernel{SIMD: simd, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{uint32(simd), 1, 1},
		Block: [3]uint32{uint32(simd), 1, 1},
		Entry: codeBase, LDSSize: 0x400, ScratchSize: 64, ScratchLimit: 64})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, m: m, w: m.Waves()[0], code: code, data: data}
	b.r, b.core = regsOf(b.w), isa.NewCore(m).(*Core)
	b.r.setU32(offCR, crDenormDF|crDenormF|crDenormHF)
	return b
}

// load puts code where the thread goes on.
func (b *bench) load(digits ...string) {
	b.t.Helper()
	at := 0
	for _, d := range digits {
		code, err := hex.DecodeString(d)
		if err != nil {
			b.t.Fatal(err)
		}
		at += copy(b.code.Data[at:], code)
	}
	b.w.PC, b.w.State, b.w.Exec = codeBase, simt.Ready, b.w.Valid
	b.core.forget()
	b.covering(at)
}

func (b *bench) set(reg int, v [8]uint32) {
	for i, x := range v {
		b.r.setU32(b.r.gen.grf(reg)+4*i, x)
	}
}

func (b *bench) get(reg int) (v [8]uint32) {
	for i := range v {
		v[i] = b.r.u32(b.r.gen.grf(reg) + 4*i)
	}
	return v
}

// assembled reads the encodings of exec.asm by their names.
func assembled(t testing.TB) map[string]string {
	t.Helper()
	return assembledFrom(t, "testdata/exec.txt")
}

// assembledFrom is assembled of another file.
func assembledFrom(t testing.TB, path string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		name, code, _ := strings.Cut(l, " ")
		all[name] = code
	}
	return all
}

// TestAssembledDrift assembles the files of instructions anew where iga64 is installed.
func TestAssembledDrift(t *testing.T) {
	if _, err := exec.LookPath("iga64"); err != nil {
		t.Skip("iga64 is not installed")
	}
	files, err := filepath.Glob("testdata/*.asm")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".asm")
		t.Run(name, func(t *testing.T) {
			got, err := exec.Command(filepath.Join("testdata", "exec.sh"), name).Output()
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("iga64 assembles %s to something else now; run exec.sh", file)
			}
		})
	}
}

// in are the inputs of a lane: r12, r14, r16, what the destination held, and
// all of the sources.
type in struct {
	a, b, c, old uint32
	i            int
	A            [16]uint32 // all of r12 and r13
	f0, f1       uint32
}

func f(v uint32) float32  { return math.Float32frombits(v) }
func fb(v float32) uint32 { return math.Float32bits(v) }
func fd(v float64) uint32 { return fb(float32(v)) }
func d(v uint32) int32    { return int32(v) }
func pick(on bool, a, b uint32) uint32 {
	if on {
		return a
	}
	return b
}

func clamp(v, lo, hi int64) uint32 { return uint32(min(max(v, lo), hi)) }

// fma is a*b + c rounded once, by arbitrary precision.
func fma(a, b, c float32) uint32 { return products(a, b, 1, c) }

// lrp is a*b + (1-a)*c rounded once; 1-a is exact or next to 1.
func lrp(a, b, c float32) uint32 { return products(a, b, 1-float64(a), c) }

// products is a*b + c*d rounded once, by arbitrary precision.
func products(a, b float32, c float64, d float32) uint32 {
	x, y, z := float64(a), float64(b), float64(d)
	near := fd(math.FMA(x, y, c*z)) // as infinities, NaNs and zeros are
	for _, v := range []float64{x, y, c, z} {
		if v != v || math.IsInf(v, 0) {
			return near
		}
	}
	p := new(big.Float).SetPrec(2000).SetFloat64(x)
	q := new(big.Float).SetPrec(2000).SetFloat64(c)
	p.Mul(p, big.NewFloat(y)).Add(p, q.Mul(q, big.NewFloat(z)))
	if p.Sign() == 0 {
		return near
	}
	r, _ := p.Float32()
	return fb(r)
}

func toInt(v float32, lo, hi float64) uint32 {
	switch x := math.Trunc(float64(v)); {
	case x != x:
		return 0
	case x <= lo:
		return uint32(int64(lo))
	case x >= hi:
		return uint32(int64(hi))
	default:
		return uint32(int64(x))
	}
}

// group reports whether any, or every, one of the flags of a lane's group is
// set.
func group(flags uint32, i, size int, every bool) bool {
	n := bits.OnesCount32(flags >> (i / size * size) & (1<<size - 1))
	return n == size || !every && n > 0
}

// semantics are what instructions of exec.asm give, worked out by themselves.
var semantics = map[string]func(x in) uint32{
	"add-d":   func(x in) uint32 { return x.a + x.b },
	"sub-d":   func(x in) uint32 { return x.a - x.b },
	"add-abs": func(x in) uint32 { return pick(d(x.a) < 0, -x.a, x.a) + x.b },
	"add-sat": func(x in) uint32 {
		return clamp(int64(d(x.a))+int64(d(x.b)), math.MinInt32,
			math.MaxInt32)
	},
	"add-sat-ud": func(x in) uint32 { return clamp(int64(x.a)+int64(x.b), 0, math.MaxUint32) },
	"add-imm":    func(x in) uint32 { return x.a - 7 },
	"add-v":      func(x in) uint32 { return x.a + [4]uint32{1<<32 - 8, 2, 4, 6}[x.i&3] },
	"add-uv":     func(x in) uint32 { return x.a + 8 + 2*uint32(x.i&3) },
	"mul-d":      func(x in) uint32 { return x.a * x.b },
	"mach-ud":    func(x in) uint32 { hi, _ := bits.Mul32(x.a, x.b); return hi },
	"mach-d":     func(x in) uint32 { return uint32(int64(d(x.a)) * int64(d(x.b)) >> 32) },
	"avg":        func(x in) uint32 { return uint32((int64(d(x.a)) + int64(d(x.b)) + 1) >> 1) },
	"and-not":    func(x in) uint32 { return x.b &^ x.a },
	"or":         func(x in) uint32 { return x.a | x.b },
	"xor":        func(x in) uint32 { return x.a ^ x.b },
	"not":        func(x in) uint32 { return ^x.a },
	"shl":        func(x in) uint32 { return x.a << (x.b % 32) },
	"shr":        func(x in) uint32 { return x.a >> (x.b % 32) },
	"asr":        func(x in) uint32 { return uint32(d(x.a) >> (x.b % 32)) },
	"lzd":        func(x in) uint32 { return uint32(bits.LeadingZeros32(x.a)) },
	"fbh-d":      func(x in) uint32 { return firstHigh(pick(d(x.a) < 0, ^x.a, x.a)) },
	"fbh-ud":     func(x in) uint32 { return firstHigh(x.a) },
	"fbl": func(x in) uint32 {
		return pick(x.a == 0, math.MaxUint32,
			uint32(bits.TrailingZeros32(x.a)))
	},
	"cbit":        func(x in) uint32 { return uint32(bits.OnesCount32(x.a)) },
	"bfrev":       func(x in) uint32 { return bits.Reverse32(x.a) },
	"bfe-ud":      func(x in) uint32 { return uint32(field64(uint64(x.c), x.a%32, x.b%32)) },
	"bfe-d":       func(x in) uint32 { return uint32(signed64(int64(d(x.c)), x.a%32, x.b%32)) },
	"bfi1":        func(x in) uint32 { return uint32((uint64(1)<<(x.a%32) - 1) << (x.b % 32)) },
	"bfi2":        func(x in) uint32 { return x.a&x.b | x.c&^x.a },
	"sel-lt":      func(x in) uint32 { return uint32(min(d(x.a), d(x.b))) },
	"sel-ge":      func(x in) uint32 { return max(x.a, x.b) },
	"sel-pred":    func(x in) uint32 { return pick(x.f0>>x.i&1 != 0, x.a, x.b) },
	"mov-pred":    func(x in) uint32 { return pick(x.f0>>x.i&1 != 0, x.a, x.old) },
	"mov-notpred": func(x in) uint32 { return pick(x.f0>>x.i&1 == 0, x.a, x.old) },
	"mov-any4h":   func(x in) uint32 { return pick(group(x.f0, x.i, 4, false), x.a, x.old) },
	"mov-all2h":   func(x in) uint32 { return pick(group(x.f0, x.i, 2, true), x.a, x.old) },
	"mov-any8h":   func(x in) uint32 { return pick(!group(x.f0, x.i, 8, false), x.a, x.old) },
	"mov-anyv":    func(x in) uint32 { return pick((x.f0|x.f1)>>x.i&1 != 0, x.a, x.old) },
	"mov-allv":    func(x in) uint32 { return pick(x.f0&x.f1>>x.i&1 != 0, x.a, x.old) },
	"smov":        func(x in) uint32 { return pick(0x5a>>x.i&1 != 0, x.a, x.old) },
	"iqot":        func(x in) uint32 { return quotient(int64(d(x.a)), int64(d(x.b))) },
	"irem":        func(x in) uint32 { return remainder(int64(d(x.a)), int64(d(x.b))) },
	"iqot-ud":     func(x in) uint32 { return quotient(int64(x.a), int64(x.b)) },
	"add-f":       func(x in) uint32 { return fb(f(x.a) + f(x.b)) },
	"sub-f":       func(x in) uint32 { return fb(f(x.a) - f(x.b)) },
	"mul-f":       func(x in) uint32 { return fb(f(x.a) * f(x.b&^(1<<31))) },
	"mul-sat": func(x in) uint32 {
		p := f(x.a) * f(x.b)
		return pick(p > 0, fb(min(p, 1)), 0)
	},
	"mul-vf": func(x in) uint32 { return fb(f(x.a) * [4]float32{0.5, 4, 3, 1}[x.i%4]) },
	"mad-f":  func(x in) uint32 { return fma(f(x.b), f(x.c), f(x.a)) },
	"lrp":    func(x in) uint32 { return lrp(f(x.a), f(x.b), f(x.c)) },
	"csel":   func(x in) uint32 { return pick(f(x.c) >= 0, x.a, x.b) },
	"frc":    func(x in) uint32 { return fd(float64(f(x.a)) - math.Floor(float64(f(x.a)))) },
	"rndd":   func(x in) uint32 { return fd(math.Floor(float64(f(x.a)))) },
	"rndu":   func(x in) uint32 { return fd(math.Ceil(float64(f(x.a)))) },
	"rnde":   func(x in) uint32 { return fd(math.RoundToEven(float64(f(x.a)))) },
	"rndz":   func(x in) uint32 { return fd(math.Trunc(float64(f(x.a)))) },
	"inv":    func(x in) uint32 { return fd(1 / float64(f(x.a))) },
	"sqt":    func(x in) uint32 { return fd(math.Sqrt(math.Abs(float64(f(x.a))))) },
	"fdiv":   func(x in) uint32 { return fb(f(x.a) / f(x.b)) },
	"sel-lt-f": func(x in) uint32 {
		a, b := f(x.a), f(x.b)
		return pick(b != b || a < b, x.a, x.b)
	},
	"mov-f-d":  func(x in) uint32 { return fb(float32(d(x.a))) },
	"mov-f-ud": func(x in) uint32 { return fb(float32(x.a)) },
	"mov-d-f":  func(x in) uint32 { return toInt(f(x.a), math.MinInt32, math.MaxInt32) },
	"mov-ud-f": func(x in) uint32 { return toInt(f(x.a), 0, math.MaxUint32) },
	// Whether they are zero, or below, is asked of the integers.
	"mov-eq-d-f": func(x in) uint32 { return toInt(f(x.a), math.MinInt32, math.MaxInt32) },
	"add-lt-d-f": func(x in) uint32 { return toInt(f(x.a)+f(x.b), math.MinInt32, math.MaxInt32) },
	"mov-d-b":    func(x in) uint32 { return uint32(int32(int8(x.A[x.i/4] >> (8 * (x.i % 4))))) },
	"mov-d-uw2":  func(x in) uint32 { return x.a & 0xffff },
	"mov-scalar": func(x in) uint32 { return x.A[3] },
	"mov-rows":   func(x in) uint32 { return x.A[1+x.i/4*2+x.i%4] },
	"cmp-lt":     func(x in) uint32 { return pick(d(x.a) < d(x.b), math.MaxUint32, 0) },
	"cmpn-lt":    func(x in) uint32 { return pick(d(x.a) < d(x.b), math.MaxUint32, 0) },
	"cmp-gt-ud":  func(x in) uint32 { return pick(x.a > x.b, math.MaxUint32, 0) },
	"cmp-le-f":   func(x in) uint32 { return pick(f(x.a) <= f(x.b), math.MaxUint32, 0) },
	"cmp-mixed":  func(x in) uint32 { return pick(int64(d(x.a)) < int64(x.b), math.MaxUint32, 0) },
	"mac-d":      func(x in) uint32 { return x.c + x.a*x.b },
	"mac-f":      func(x in) uint32 { return fma(f(x.a), f(x.b), f(x.c)) },
	"addc":       func(x in) uint32 { return x.a + x.b },
	"subb":       func(x in) uint32 { return x.a - x.b },
	// Addresses lead to r13 and, a dword each, to r12 backwards.
	"mov-indirect": func(x in) uint32 { return x.A[x.i] },
	"sin-f":        func(x in) uint32 { return fd(math.Sin(float64(f(x.a)))) },
	"cos-f":        func(x in) uint32 { return fd(math.Cos(float64(f(x.a)))) },
	"exp-f":        func(x in) uint32 { return fd(math.Exp2(float64(f(x.a)))) },
	"log-f":        func(x in) uint32 { return fd(math.Log2(math.Abs(float64(f(x.a))))) },
	"rsqt-f":       func(x in) uint32 { return fd(1 / math.Sqrt(math.Abs(float64(f(x.a))))) },
	"pow-f":        func(x in) uint32 { return fd(math.Pow(math.Abs(float64(f(x.a))), float64(f(x.b)))) },
	"idiv":         func(x in) uint32 { return quotient(int64(d(x.a)), int64(d(x.b))) },
	"invm-f":       func(x in) uint32 { return fb(f(x.a) / f(x.b)) },
	"rsqtm-f":      func(x in) uint32 { return fd(math.Sqrt(float64(f(x.a)))) },
	"mov-vxh":      func(x in) uint32 { return x.A[7-x.i] },
}

func firstHigh(v uint32) uint32 { return pick(v == 0, math.MaxUint32, uint32(bits.LeadingZeros32(v))) }

func field64(v uint64, width, at uint32) uint64 { return v >> at & (1<<width - 1) }

func signed64(v int64, width, at uint32) int64 {
	if width == 0 {
		return 0
	}
	return v >> at << (64 - width) >> (64 - width)
}

func quotient(a, b int64) uint32 {
	if b == 0 {
		return math.MaxUint32
	}
	return uint32(a / b)
}

func remainder(a, b int64) uint32 {
	if b == 0 {
		return math.MaxUint32
	}
	return uint32(a % b)
}

// sameFloat reports whether two results are equal; all NaNs are.
func sameFloat(a, b uint32) bool { return a == b || f(a) != f(a) && f(b) != f(b) }

// near reports whether two results are the same or next to each other: lrp is
// expected of sums that are rounded twice.
func near(a, b uint32) bool { return a-b+1 <= 2 }

// TestExecute executes each instruction of exec.asm on random and on special values, with all channels and
// with some, and compares the destination with what it means. What takes its sources element by element runs
// with 16 channels too, whose operands have two registers.
func TestExecute(t *testing.T) {
	codes := assembled(t)
	for name, want := range semantics {
		testExecute(t, name, codes[name], 8, want)
		if !eightOnly[name] {
			testExecute(t, name, codes[name], 16, want)
		}
	}
}

// eightOnly are instructions whose regions, or constants, are for eight channels.
var eightOnly = map[string]bool{"mov-d-b": true, "mov-d-uw2": true, "mov-rows": true, "mov-indirect": true,
	"mov-vxh": true, "smov": true, "invm-f": true, "rsqtm-f": true}

// ofWidth is the code of an instruction of 8 channels with another number of them (bits 23:21).
func ofWidth(t *testing.T, digits string, width int) string {
	code, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	code[2] = code[2]&^0xe0 | byte(bits.TrailingZeros(uint(width)))<<5
	return hex.EncodeToString(code)
}

// specialWords are numbers at the edges of integers and floats.
var specialWords = []uint32{0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, fb(1), fb(-1.5), fb(2.5),
	fb(0.1), 0x7f800000, 0xff800000, 0x7fc00000, 1 << 20, fb(3e9), fb(-3e9), fb(1e-40), fb(1e38)}

// randomWord is one of them, anything, or a float of moderate size.
func randomWord(r *rand.Rand) uint32 {
	switch r.Intn(3) {
	case 0:
		return specialWords[r.Intn(len(specialWords))]
	case 1:
		return r.Uint32()
	}
	return fb(float32(r.NormFloat64() * 100))
}

func testExecute(t *testing.T, name, code string, width int, want func(x in) uint32) {
	t.Helper()
	b := newBench(t, width)
	r := rand.New(sweep.Source(int64(len(name))))
	float := strings.Contains(name, "-f") ||
		strings.Contains("lrp frc rndd rndu rnde rndz inv sqt fdiv mul-vf mul-sat", name)
	b.load(ofWidth(t, code, width))
	for round := range 60 {
		var v [4][16]uint32
		for k, reg := range [4]int{12, 14, 16, 10} {
			for i := range v[k] {
				v[k][i] = randomWord(r)
				b.r.setU32(offGRF+reg*regBytes+4*i, v[k][i])
			}
		}
		b.w.PC, b.w.Exec = codeBase, b.w.Valid
		if round%2 != 0 {
			b.w.Exec = max(uint64(r.Uint32())&b.w.Valid, 1)
		}
		f0, f1 := r.Uint32(), r.Uint32()
		b.r.setFlags(uint64(f0) | uint64(f1)<<32)
		for k := range 8 {
			binary.LittleEndian.PutUint16(b.r.file[offA0+2*k:], uint16(12*regBytes+4*(7-k)))
		}
		if name == "mov-indirect" {
			binary.LittleEndian.PutUint16(b.r.file[offA0+2:], uint16(11*regBytes))
		}
		if strings.HasPrefix(name, "mac") {
			copy(b.r.file[offAcc:offAcc+2*regBytes], b.r.file[offGRF+16*regBytes:])
		}
		exec := b.w.Exec
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
			t.Fatalf("%s: %v %v", name, ev.Kind, ev.Fault)
		}
		for i := range width {
			x, got := in{v[0][i], v[1][i], v[2][i], v[3][i], i, v[0], f0, f1}, b.r.u32(offGRF+10*regBytes+4*i)
			if exec>>i&1 == 0 {
				if got != x.old {
					t.Fatalf("%s, round %d: lane %d is written, which does not execute", name, round, i)
				}
				continue
			}
			if w := want(x); got != w && !(float && sameFloat(got, w)) && !(name == "lrp" && near(got, w)) {
				t.Fatalf("%s, round %d, lane %d of %d: %#x, want %#x for %#x %#x %#x", name, round, i, width,
					got, w, x.a, x.b, x.c)
			}
			b.checkFlags(name, i, got, x)
		}
	}
}

// checkFlags looks at what a lane leaves besides its element.
func (b *bench) checkFlags(name string, i int, got uint32, x in) {
	b.t.Helper()
	if strings.HasPrefix(name, "cmp") && uint32(b.r.flags())>>i&1 != got&1 {
		b.t.Fatalf("%s: flags %#x where lane %d is %#x", name, b.r.flags(), i, got)
	}
	for test, holds := range map[string]bool{"mov-eq": got == 0, "add-lt": d(got) < 0} {
		if strings.HasPrefix(name, test) && b.r.flags()>>i&1 != 0 != holds {
			b.t.Fatalf("%s: flags %#x where lane %d is %#x", name, b.r.flags(), i, got)
		}
	}
	if _, carry := bits.Add32(x.a, x.b, 0); name == "addc" && b.r.u32(offAcc+4*i) != carry {
		b.t.Fatalf("%s: carry %#x", name, b.r.u32(offAcc+4*i))
	}
	if _, borrow := bits.Sub32(x.a, x.b, 0); name == "subb" && b.r.u32(offAcc+4*i) != borrow {
		b.t.Fatalf("%s: borrow %#x", name, b.r.u32(offAcc+4*i))
	}
}

// TestLrpCancels: between two equal ends there is nothing else, however far outside.
func TestLrpCancels(t *testing.T) {
	x := &operands{}
	end := float64(float32(0.1))
	x.f[0][0], x.f[1][0], x.f[2][0] = 3e9, end, end
	floatLrp(nil, &Inst{width: 1}, x)
	if x.num[0] != end {
		t.Errorf("3e9*0.1 + (1-3e9)*0.1 is %v, not %v", x.num[0], end)
	}
}
