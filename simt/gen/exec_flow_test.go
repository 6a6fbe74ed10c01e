package gen

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
)

// steps runs instructions one by one until the thread is at an offset of the
// code.
func (b *bench) steps(until uint64) {
	b.t.Helper()
	for range 100 {
		if b.w.PC == codeBase+until {
			return
		}
		if b.halves {
			pc, exec := b.w.PC, b.w.Exec
			b.w.Exec = exec & 0x5555
			b.step()
			b.w.PC, b.w.Exec = pc, exec&0xaaaa
			b.step()
			b.w.Exec = exec
			continue
		}
		b.step()
	}
	b.t.Fatalf("the thread does not come to %#x", until)
}

func (b *bench) step() {
	b.t.Helper()
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		b.t.Fatalf("%v at %#x: %v", ev.Kind, ev.PC, ev.Fault)
	}
}

// inHalves runs a test of instructions that channels execute by themselves, all at once and one half after
// the other.
func inHalves(t *testing.T, test func(t *testing.T, halves bool)) {
	t.Helper()
	test(t, false)
	test(t, true)
}

// marked tells by a register of ones and zeros which lanes have written it.
func (b *bench) marked(reg int) (mask uint32) {
	for i, v := range b.get(reg) {
		mask |= v & 1 << i
	}
	return mask
}

// TestLeave sends channels away by halt and cont: those whose flag is set go to
// UIP, the others go on, and the thread to JIP if there are none.
func TestLeave(t *testing.T) {
	a := assembled(t)
	for _, name := range []string{"halt", "cont"} {
		for _, c := range [][2]uint32{{0x0f, 0xff}, {0xff, 0xff}, {0x00, 0xff}, {0x0f, 0x3c}, {0xff, 0x3c}} {
			f0, exec := c[0], c[1]
			b := newBench(t, 8)
			// 0: leave to 0x30, or to 0x20 where nobody stays; 0x10: r10; 0x20: r11; 0x30: endif; 0x40: r13
			b.load(a[name], a["mov-10"], a["mov-11"], a["endif"], a["mov-13"])
			b.w.Exec = uint64(exec)
			b.r.setFlags(uint64(f0))
			b.steps(0x50)
			stay := ^f0 & exec
			want := [3]uint32{stay, stay, exec}
			if got := [3]uint32{b.marked(10), b.marked(11), b.marked(13)}; got != want {
				t.Errorf("%s of %#x: %#x, want %#x", name, f0, got, want)
			}
		}
	}
}

// TestStepsDecodeAlone: who steps has the instruction decoded that is stepped, and who runs then the rest,
// up to a breakpoint.
func TestStepsDecodeAlone(t *testing.T) {
	a, b := assembled(t), newBench(t, 8)
	b.load(a["mov-10"], a["mov-11"], a["mov-13"], a["mov-10"], a["mov-11"], a["mov-13"])
	b.core.forget()
	b.core.Run(b.w, 1)
	b.core.Run(b.w, 1)
	if kept := b.core.blocks.Kept(); kept != 2 || b.marked(11) == 0 || b.marked(13) != 0 {
		t.Errorf("%d instructions decoded, lanes %#x and %#x after 2 steps", kept, b.marked(11), b.marked(13))
	}
	b.core.m.SetBreakpoint(codeBase + 0x40)
	ev := b.core.Run(b.w, 10)
	if kept := b.core.blocks.Kept(); ev.Kind != simt.BreakEvent || ev.PC != codeBase+0x40 || kept < 4 ||
		len(b.core.blocks.Find(codeBase+0x20).insts) != 2 {
		t.Errorf("%+v, with %d instructions decoded", ev, kept)
	}
}

// TestCalla calls an absolute address with all channels, and comes back.
func TestCalla(t *testing.T) {
	for _, exec := range []uint32{0xff, 0x3c} {
		testCalla(t, exec)
	}
}

func testCalla(t *testing.T, exec uint32) {
	t.Helper()
	a := assembled(t)
	b := newBench(t, 8)
	// 0: call 0x20; 0x10: r10; 0x20: r11; 0x30: return
	b.load(a["calla"], a["mov-10"], a["mov-11"], a["ret"])
	binary.LittleEndian.PutUint32(b.code.Data[12:], codeBase+0x20)
	b.core.forget()
	b.covering(0x40)
	b.w.Exec = uint64(exec)
	b.steps(0x20)
	if b.r.u32(offGRF+5*regBytes) != codeBase+0x10 || b.r.u32(offGRF+5*regBytes+4) != math.MaxUint32 ||
		b.r.CallMask() != exec {
		t.Errorf("the call leaves %#x %#x, call mask %#x", b.r.u32(offGRF+5*regBytes),
			b.r.u32(offGRF+5*regBytes+4), b.r.CallMask())
	}
	b.steps(0x10)
	if b.marked(11) != exec || b.marked(10) != 0 || b.r.CallMask() != math.MaxUint32 {
		t.Errorf("back with call mask %#x, lanes %#x in the function", b.r.CallMask(), b.marked(11))
	}
}

// TestMadm checks that a sum and product whose rest an extended accumulator
// keeps are continued exactly.
func TestMadm(t *testing.T) { inHalves(t, testMadm) }

func testMadm(t *testing.T, halves bool) {
	t.Helper()
	a := assembled(t)
	b := newBench(t, 8)
	b.halves = halves
	b.load(a["madm"], a["madm-low"])
	put := func(reg int, v float64) {
		for k := range 4 {
			binary.LittleEndian.PutUint64(b.r.file[offGRF+reg*regBytes+8*k:], math.Float64bits(v))
		}
	}
	x, y, z, w, u := 1.0/3, 1e10+0.1, 3.7e-5, -12345.678, 2.0/7
	put(12, x)
	put(14, y)
	put(16, z)
	put(22, w)
	put(24, u)
	b.steps(0x20)
	exact := big.NewFloat(y).SetPrec(500)
	exact.Mul(exact, big.NewFloat(z)).Add(exact, big.NewFloat(x))
	want, _ := exact.Float64()
	if got := math.Float64frombits(binary.LittleEndian.Uint64(b.r.file[offGRF+10*regBytes:])); got != want {
		t.Errorf("madm is %v, want %v", got, want)
	}
	exact.Mul(exact, big.NewFloat(u)).Add(exact, big.NewFloat(w))
	want, _ = exact.Float64()
	if got := math.Float64frombits(binary.LittleEndian.Uint64(b.r.file[offGRF+20*regBytes:])); got != want {
		t.Errorf("madm with a rest is %v, want %v", got, want)
	}
}

// addresses fills r12 and r13 with 64-bit addresses of the lanes.
func (b *bench) addresses(f func(i int) uint64) {
	for i := range 8 {
		binary.LittleEndian.PutUint64(b.r.file[offGRF+12*regBytes+8*i:], f(i))
	}
}

// TestFaults checks what is said of accesses that cannot be, and that nothing
// of them has happened.
func TestFaults(t *testing.T) {
	a := assembled(t)
	const data = 0x2_0000
	for _, c := range []struct {
		name  string
		setup func(b *bench)
		lanes uint64
		addr  uint64
		kind  simt.FaultKind
		space simt.Space
		text  string
	}{
		{"read", func(b *bench) { b.addresses(func(i int) uint64 { return data + 0xff0 + 4*uint64(i) }) },
			0xf0, data + 0x1000,
			simt.Unmapped, simt.Global, "a64 dword gathering read"},
		{"write", func(b *bench) { b.addresses(func(i int) uint64 { return codeBase + 4*uint64(i) }) },
			0xff, codeBase,
			simt.Forbidden, simt.Global, "a64 dword scattering write"},
		{"atomic", func(b *bench) { b.addresses(func(i int) uint64 { return data + 2*uint64(i) }) }, 0xaa,
			data + 2,
			simt.Misaligned, simt.Global, "untyped a64 atomic int32 integer add"},
		{"slm-read", func(b *bench) {
			b.set(12, [8]uint32{0, 4, 8, 0x3fc, 0x10000004, 0x3fd, 0x400,
				12})
		}, 0x60, 0x3fd,
			simt.Unmapped, simt.LDS, "untyped surface read with x"},
		{"slm-write", func(b *bench) { b.set(12, [8]uint32{0, 4, 8, 12, 16, 20, 0x10000400, 28}) }, 0x40,
			0x400,
			simt.Unmapped, simt.LDS, "untyped surface write with x"},
		{"scratch-read", func(b *bench) { b.r.setU32(offGRF+12*regBytes+8, 31) }, 1, 31 * 16, simt.Unmapped,
			simt.Scratch,
			"oword block read x2"},
		{"sampler", func(*bench) {}, 0xff, codeBase, simt.IllegalInstruction, simt.Global,
			"simd8 sample using sampler index 0: surface 1 is no image of the launch"},
		{"surface", func(*bench) {}, 0xff, codeBase, simt.IllegalInstruction, simt.Global,
			"untyped surface read with x is not simulated"},
		{"wait", func(*bench) {}, 0xff, codeBase, simt.IllegalInstruction, simt.Global,
			"waits for a notification that nobody sends"},
		{"typed", func(*bench) {}, 0xff, codeBase, simt.IllegalInstruction, simt.Global,
			"typed surface read with xyzw; u,v: surface 3 is no image of the launch"},
		{"fadd", func(*bench) {}, 0xff, codeBase, simt.IllegalInstruction, simt.Global,
			"a64 float atomic add (32b) with return is not simulated"},
		{"hword-far", func(b *bench) { b.addresses(func(int) uint64 { return data + 0xf08 }) }, 1,
			data + 0xf08, simt.Unmapped, simt.Global, "a64 unaligned hword block read x8"},
		{"fill-far", func(b *bench) { b.r.setU32(offGRF+12*regBytes+20, 0x400) }, 1, 0x440, simt.Unmapped,
			simt.Scratch, "hword scratch block read x2"},
		{"mov-far", func(*bench) {}, 0xff, codeBase, simt.IllegalInstruction, simt.Global,
			"is not simulated"},
	} {
		b := newBench(t, 8)
		b.load(a[c.name])
		c.setup(b)
		before, memory := slices.Clone(b.r.file), string(b.data.Data)
		ev := b.core.Run(b.w, 1)
		if ev.Kind != simt.FaultEvent || ev.Fault == nil {
			t.Errorf("%s: %v", c.name, ev.Kind)
			continue
		}
		g := ev.Fault
		if g.Lanes != c.lanes || g.Addr != c.addr || g.Kind != c.kind || g.Space != c.space ||
			!strings.Contains(g.Text, c.text) {
			t.Errorf("%s: lanes %#x, address %#x, %v in %v: %q", c.name, g.Lanes, g.Addr, g.Kind, g.Space,
				g.Text)
		}
		if b.w.State != simt.Faulted || b.w.PC != codeBase || b.w.Insts != 0 {
			t.Errorf("%s: %v at %#x after %d instructions", c.name, b.w.State, b.w.PC, b.w.Insts)
		}
		copy(before[offCE:], b.r.file[offCE:offSR]) // what is worked out when it is looked at
		copy(before[offIP:], b.r.file[offIP:offDBG])
		if !slices.Equal(before, b.r.file) || memory != string(b.data.Data) {
			t.Errorf("%s has changed something", c.name)
		}
	}
}

// TestMessages moves data by each kind of memory and back.
func TestMessages(t *testing.T) { inHalves(t, testMessages) }

func testMessages(t *testing.T, halves bool) {
	t.Helper()
	a := assembled(t)
	values := [8]uint32{11, 22, 33, 44, 55, 66, 77, 88}
	b := newBench(t, 8)
	b.halves = halves
	b.addresses(func(i int) uint64 { return 0x2_0000 + 0x80*uint64(7-i) })
	b.set(16, values)
	b.load(a["write"], a["read"], a["atomic"], a["read"])
	b.steps(0x20)
	if b.get(10) != values || b.data.Data[0x80*7] != 11 || b.data.Data[0] != 88 {
		t.Errorf("global memory gives %v", b.get(10))
	}
	b.steps(0x30)
	if b.get(10) != values {
		t.Errorf("the atomic returns %v", b.get(10))
	}
	b.steps(0x40)
	for i, v := range b.get(10) {
		if v != 2*values[i] {
			t.Errorf("lane %d has %d after the atomic", i, v)
		}
	}
	b = newBench(t, 8)
	b.halves = halves
	b.addresses(func(i int) uint64 { return 0x2_0000 + 0x80*uint64(7-i) })
	b.set(16, values)
	b.load(a["untyped-write"], a["untyped-read"])
	b.steps(0x20)
	if b.get(10) != values || b.data.Data[0] != 88 {
		t.Errorf("untyped messages give %v", b.get(10))
	}
	b = newBench(t, 8)
	b.halves = halves
	b.addresses(func(int) uint64 { return 0x2_0010 })
	b.set(16, values)
	b.load(a["block-write"], a["block-read"])
	b.steps(0x20)
	if got := b.get(10); [4]uint32(got[:4]) != [4]uint32(values[:4]) || got[4] != 0 ||
		b.data.Data[0x1c] != 44 {
		t.Errorf("blocks give %v", got)
	}
	b = newBench(t, 8)
	b.halves = halves
	b.set(12, [8]uint32{0x1000001c, 24, 20, 16, 12, 8, 4, 0})
	b.set(16, values)
	b.load(a["slm-write"], a["slm-read"])
	b.steps(0x20)
	if b.get(10) != values || b.w.Group.LDS[0] != 88 {
		t.Errorf("local memory gives %v", b.get(10))
	}
	b = newBench(t, 8)
	b.halves = halves
	b.r.setU32(offGRF+12*regBytes+8, 3)
	b.r.setU32(offGRF+12*regBytes+20, b.r.u32(r0Thread))
	b.set(16, values)
	b.load(a["scratch-write"], a["scratch-read"])
	b.steps(0x20)
	if b.get(10) != values || b.w.Scratch[48] != 11 {
		t.Errorf("scratch gives %v", b.get(10))
	}
}

// An observer keeps what it is told.
type observer struct{ seen []simt.Access }

func (o *observer) Observe(a *simt.Access) bool {
	c, addr := *a, *a.Addr
	c.Addr = &addr
	o.seen = append(o.seen, c)
	return true
}

// TestObserve checks that observers are told of accesses, and can stop the
// thread behind them.
func TestObserve(t *testing.T) {
	a := assembled(t)
	b := newBench(t, 8)
	o := &observer{}
	b.m.AddObserver(o)
	b.addresses(func(i int) uint64 { return 0x2_0000 + 4*uint64(i) })
	b.load(a["write"], a["scratch-write"])
	if ev := b.core.Run(b.w, 10); ev.Kind != simt.WatchEvent || b.w.PC != codeBase+16 {
		t.Fatalf("%v at %#x", ev.Kind, b.w.PC)
	}
	if len(o.seen) != 1 || o.seen[0].Lanes != 0xff || !o.seen[0].Write || o.seen[0].Addr[3] != 0x2_000c ||
		o.seen[0].Size != 4 {
		t.Errorf("told of %+v", o.seen)
	}
	o.seen = nil
	b.set(12, [8]uint32{})
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.WatchEvent {
		t.Fatalf("%v", ev.Kind)
	}
	// 32 bytes of the thread's scratch are the first dword of 8 lanes.
	if len(o.seen) != 8 || o.seen[5].Space != simt.Scratch || o.seen[5].Lanes != 1<<5 ||
		o.seen[5].Addr[5] != 0 {
		t.Errorf("told of %+v", o.seen)
	}
}

// FuzzExecute executes anything. Whatever it is must end in an event, and
// never outside of what the thread has.
func FuzzExecute(f *testing.F) {
	simt.LetPanic = true
	for i, l := range lines(f, "testdata/forms.txt.gz") {
		if i%150 == 0 {
			digits, _, _ := strings.Cut(l, " ")
			f.Add([]byte(digits), uint64(i))
		}
	}
	b := newBench(f, 16)
	f.Fuzz(func(t *testing.T, code []byte, seed uint64) {
		b.t = t
		*b.r = *newRegs(Gen9)
		b.r.callMask, b.r.wake = ^uint32(0), noWake
		for i := 0; i < grfBytes; i += 8 {
			seed = seed*6364136223846793005 + 1442695040888963407
			binary.LittleEndian.PutUint64(b.r.file[offGRF+i:], seed)
		}
		clear(b.code.Data)
		if n, err := hex.Decode(b.code.Data, code[:min(len(code), 2*codeSize)&^1]); err != nil {
			copy(b.code.Data[n:], code)
		}
		b.load()
		for range 20 {
			if ev := b.core.Run(b.w, 50); ev.Kind != simt.NoEvent {
				break
			}
		}
		if b.w.Exec&^b.w.Valid != 0 {
			t.Errorf("lanes %#x execute", b.w.Exec)
		}
	})
}
