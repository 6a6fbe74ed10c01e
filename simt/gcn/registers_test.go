package gcn

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

func read32(t *testing.T, r simt.Registers, reg simt.Reg, lane int) uint32 {
	t.Helper()
	p := make([]byte, 4)
	if err := r.Read(reg, lane, p); err != nil {
		t.Fatal(err)
	}
	return binary.LittleEndian.Uint32(p)
}

func write32(t *testing.T, r simt.Registers, reg simt.Reg, lane int, v uint32) {
	t.Helper()
	if err := r.Write(reg, lane, binary.LittleEndian.AppendUint32(nil, v)); err != nil {
		t.Fatal(err)
	}
}

// TestFiles: a debugger is shown what the kernel allocates.
func TestFiles(t *testing.T) {
	r := &Regs{vectors: 8, accs: 4, scalars: 112}
	want := []simt.RegFile{
		{Name: "v", Bits: 32, Count: 8, PerLane: true}, {Name: "a", Bits: 32, Count: 4, PerLane: true},
		{Name: "s", Bits: 32, Count: 102}, {Name: "exec", Bits: 64}, {Name: "vcc", Bits: 64},
		{Name: "flat_scratch", Bits: 64}, {Name: "m0", Bits: 32}, {Name: "scc", Bits: 32},
		{Name: "mode", Bits: 32},
	}
	if d := cmp.Diff(want, r.Files()); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}

// TestFilesLater: from gfx10 on there are 106 numbered scalar registers, null, the halves of masks and those
// of traps.
func TestFilesLater(t *testing.T) {
	h := newHarness(t, "gfx1200")
	h.regs.scalars = laterSGPRs
	named := map[string]int{}
	for file, f := range h.regs.Files() {
		named[f.Name] = file
		if want := map[string]int{"s": laterSGPRs, "ttmp": 16}[f.Name]; f.Count != want && f.Name != "v" &&
			f.Name != "a" {
			t.Errorf("%d registers %s, want %d", f.Count, f.Name, want)
		}
	}
	at := func(name string, index uint16) simt.Reg { return simt.Reg{File: uint8(named[name]), Index: index} }
	h.mustRun(assembledWords(t, "gfx1200", "s_mov_b32 vcc_hi, 7", "s_mov_b32 s105, 8",
		"s_mov_b32 null, 9")...)
	h.regs.S[regTTMP+9] = 6
	for _, c := range []struct {
		reg  simt.Reg
		want uint32
	}{{at("vcc_hi", 0), 7}, {at("s", 105), 8}, {at("null", 0), 0}, {at("ttmp", 9), 6},
		{at("exec_lo", 0), ^uint32(0)}} {
		if got := read32(t, h.w.Regs, c.reg, 0); got != c.want {
			t.Errorf("%v is %#x, want %#x", c.reg, got, c.want)
		}
	}
	write32(t, h.w.Regs, at("null", 0), 0, 5)
	write32(t, h.w.Regs, at("vcc_lo", 0), 0, 5)
	if got := read32(t, h.w.Regs, at("null", 0), 0); got != 0 || h.regs.S[regVCC] != 5 {
		t.Errorf("null is %#x, vcc_lo %#x", got, h.regs.S[regVCC])
	}
}

// TestReadAndWrite goes through every file; EXEC becomes the wave's own.
func TestReadAndWrite(t *testing.T) {
	h := newHarness(t, "gfx90a")
	r := h.w.Regs
	for file, f := range r.Files() {
		for _, index := range []uint16{0, uint16(max(f.Count-1, 0))} {
			if f.Bits != 32 || f.PerLane && f.Count == 0 {
				continue
			}
			reg := simt.Reg{File: uint8(file), Index: index}
			write32(t, r, reg, 9, 0x1234)
			if got := read32(t, r, reg, 9); got != 0x1234 {
				t.Errorf("%s%d = %#x", f.Name, index, got)
			}
			if f.PerLane && read32(t, r, reg, 8) == 0x1234 {
				t.Errorf("%s%d changed in another lane", f.Name, index)
			}
		}
	}
	if h.regs.V[0][9] != 0x1234 || h.regs.V[255][9] != 0x1234 || h.regs.S[101] != 0x1234 ||
		h.regs.S[regM0] != 0x1234 {
		t.Errorf("v0 %#x, v255 %#x, s101 %#x, m0 %#x", h.regs.V[0][9], h.regs.V[255][9], h.regs.S[101],
			h.regs.S[regM0])
	}
	if err := r.Write(RegExec, 0, binary.LittleEndian.AppendUint64(nil, 0xf0)); err != nil {
		t.Fatal(err)
	}
	if h.w.Active() != 0xf0 || h.w.Exec != 0xf0 {
		t.Errorf("active %#x, EXEC %#x; want 0xf0", h.w.Active(), h.w.Exec)
	}
	for _, reg := range []simt.Reg{{File: FileV, Index: 256}, {File: FileS, Index: 106}, {File: 9}} {
		if err := r.Read(reg, 0, make([]byte, 8)); err == nil {
			t.Errorf("register %v was read", reg)
		}
	}
}

// TestRegistersStartClean although a wave's are used again.
func TestRegistersStartClean(t *testing.T) {
	w := &simt.Wave{Size: 64}
	r := newRegs(w, vectorFile)
	r.S[7], r.V[5][2], r.V[300][1], r.vectors = 1, 1, 1, 4
	if again := newRegs(w, vectorFile); again.S[7]|again.V[5][2]|again.V[300][1] != 0 || again.vectors != 0 {
		t.Error("registers are not zero")
	}
}

// TestClone: a copy does not change with the wave.
func TestClone(t *testing.T) {
	h := newHarness(t, "gfx90a")
	h.regs.V[3][4], h.regs.S[5] = 6, 7
	c := h.w.Regs.Clone()
	h.regs.V[3][4], h.regs.S[5] = 8, 9
	if v, s := read32(t, c, simt.Reg{File: FileV, Index: 3}, 4), read32(t, c, simt.Reg{File: FileS, Index: 5},
		0); v != 6 || s != 7 {
		t.Errorf("copy has %d, %d; want 6, 7", v, s)
	}
}

// switchTo changes EXEC as an instruction at pc would, after others.
func (h *harness) switchTo(exec, pc uint64, whole bool) {
	old := h.w.Exec
	if l := &h.regs.lanes; !l.whole {
		l.last, l.end = pc-4, pc
	}
	h.exec(exec)
	h.regs.execChanged(h.w, old, pc, whole, nil)
}

// TestLanePC: an inactive lane stands where it was switched off.
func TestLanePC(t *testing.T) {
	h := newHarness(t, "gfx90a")
	h.track()
	w := h.w
	h.switchTo(0xff, 0x110, false)
	h.switchTo(0x0f, 0x120, false)
	w.PC = 0x130
	for lane, want := range map[int]uint64{0: 0x130, 4: 0x120, 63: 0x110} {
		if got := w.LanePC(lane); got != want {
			t.Errorf("lane %d at %#x, want %#x", lane, got, want)
		}
	}
	h.switchTo(0xf0, 0x140, false)
	w.PC = 0x150
	for lane, want := range map[int]uint64{0: 0x140, 4: 0x150, 63: 0x110} {
		if got := w.LanePC(lane); got != want {
			t.Errorf("lane %d at %#x, want %#x", lane, got, want)
		}
	}
}

// TestWholeRegisters: while EXEC is widened to save registers whole, the lanes that the program means stay
// the same.
func TestWholeRegisters(t *testing.T) {
	h := newHarness(t, "gfx90a")
	h.track()
	w := h.w
	h.switchTo(0x3, 0x110, false)
	h.switchTo(^uint64(0), 0x120, true)
	h.switchTo(^uint64(0), 0x124, true)
	w.PC = 0x128
	if w.Active() != 0x3 || w.LanePC(9) != 0x110 || w.LanePC(1) != 0x128 {
		t.Errorf("active %#x, lane 9 at %#x, lane 1 at %#x", w.Active(), w.LanePC(9), w.LanePC(1))
	}
	h.switchTo(0x1, 0x130, false) // comes back to fewer than there were
	w.PC = 0x134
	if w.Active() != 0x1 || w.LanePC(1) != 0x130 || w.LanePC(9) != 0x110 {
		t.Errorf("active %#x, lane 1 at %#x, lane 9 at %#x", w.Active(), w.LanePC(1), w.LanePC(9))
	}
}

// tracked is a wave of a kernel with few registers, which keeps records of calls.
func tracked(t *testing.T, vectors, accs int) (*harness, func(site uint64) *callRegs) {
	h := newHarness(t, "gfx90a")
	h.track()
	h.regs.hold(vectorFile)
	h.regs.vectors, h.regs.accs = vectors, accs
	return h, func(site uint64) *callRegs {
		h.w.EnterCall(site, site+4, 0x300, h.regs.saveCall(h.w))
		return h.w.Track.Innermost[7].Regs.(*callRegs)
	}
}

// TestCallersRegisters: a call keeps them, and what a debugger writes there comes true at the return.
func TestCallersRegisters(t *testing.T) {
	h, call := tracked(t, 8, 2)
	r := h.regs
	r.S[40], r.V[3][7], r.V[accBase+1][7] = 1, 2, 3
	c := call(0x200)
	r.S[40], r.V[3][7], r.V[accBase+1][7] = 11, 12, 13
	s40, v3, a1 := simt.Reg{File: FileS, Index: 40}, simt.Reg{File: FileV, Index: 3}, simt.Reg{File: FileA,
		Index: 1}
	if s, v, a := read32(t, c, s40, 0), read32(t, c, v3, 7), read32(t, c, a1, 7); s != 1 || v != 2 || a != 3 {
		t.Errorf("kept %d, %d, %d; want 1, 2, 3", s, v, a)
	}
	for _, reg := range []simt.Reg{{File: FileV, Index: 8}, {File: FileV, Index: 255},
		{File: FileA, Index: 2}} {
		if err := c.Read(reg, 0, make([]byte, 4)); !errors.Is(err, errNotAllocated) {
			t.Errorf("%v, which the kernel has not: %v", reg, err)
		}
	}
	write32(t, c, s40, 0, 21)
	write32(t, c, v3, 7, 22)
	if r.S[40] != 11 || r.V[3][7] != 12 || read32(t, c, s40, 0) != 21 || read32(t, c, v3, 7) != 22 {
		t.Error("writing to the caller's frame changed the callee's, or nothing")
	}
	h.w.LeaveCall(0x204, false)
	if r.S[40] != 21 || r.V[3][7] != 22 || r.V[3][8] != 0 {
		t.Errorf("after the return s40 = %d, v3 = %d, %d", r.S[40], r.V[3][7], r.V[3][8])
	}
}

// TestRecordsOfManyCalls holds every record of a random walk through calls against a full copy of the
// registers.
func TestRecordsOfManyCalls(t *testing.T) {
	rnd := rand.New(sweep.PCG(1, 2))
	h, call := tracked(t, 6, 3)
	r := h.regs
	type kept struct {
		c *callRegs
		s [256]uint32
		v []Vector
	}
	var stack []kept
	check := func(k kept) {
		t.Helper()
		for _, i := range []int{0, 7, 40, 105} {
			if got := read32(t, k.c, simt.Reg{File: FileS, Index: uint16(i)}, 0); got != k.s[i] {
				t.Fatalf("depth %d: s%d = %#x, want %#x", len(stack), i, got, k.s[i])
			}
		}
		for i := range k.v {
			reg := simt.Reg{File: FileV, Index: uint16(i)}
			if i >= 6 {
				reg = simt.Reg{File: FileA, Index: uint16(i - 6)}
			}
			for l := range simt.MaxLanes {
				if got := read32(t, k.c, reg, l); got != k.v[i][l] {
					t.Fatalf("depth %d: %v lane %d = %#x, want %#x", len(stack), reg, l, got, k.v[i][l])
				}
			}
		}
	}
	change := func() {
		r.S[[]int{0, 7, 40, 105}[rnd.IntN(4)]] = rnd.Uint32N(3)
		v := &r.V[rnd.IntN(6)]
		if rnd.IntN(2) == 0 {
			v = &r.V[accBase+rnd.IntN(3)]
		}
		mask, base, step := rnd.Uint64()|rnd.Uint64(), rnd.Uint32(), rnd.Uint32N(3)
		for l := range v {
			if mask>>l&1 != 0 {
				v[l] = base + uint32(l)*step
			}
		}
		v[rnd.IntN(64)] = rnd.Uint32()
	}
	for n := range 2000 {
		change()
		if len(stack) > 0 && rnd.IntN(100) < 45 {
			k := stack[len(stack)-1]
			check(k)
			stack = stack[:len(stack)-1]
			h.w.LeaveCall(uint64(0x1000+8*len(stack)+4), false)
			continue
		}
		c := call(uint64(0x1000 + 8*len(stack)))
		k := kept{c: c, s: r.S}
		k.v = append(append(k.v, r.V[:6]...), r.V[accBase:accBase+3]...)
		stack = append(stack, k)
		if n%50 == 0 {
			check(stack[rnd.IntN(len(stack))])
		}
	}
	for _, k := range stack {
		check(k)
	}
}

// TestRecordsAreSmall: 4,096 frames of a kernel with 64 vector registers in 32 waves take less than 200
// MiB, where each call changes an eighth of the registers: most lane by lane by the same, one anyhow.
func TestRecordsAreSmall(t *testing.T) {
	const frames, waves, most = 4096, 32, 200 << 20
	h, call := tracked(t, 64, 0)
	var before, after runtime.MemStats
	for range 3 { // what other tests left in pools goes with the second
		runtime.GC()
	}
	runtime.ReadMemStats(&before)
	rnd := rand.New(sweep.PCG(1, 2))
	for n := range frames {
		for i := range 7 {
			v := &h.regs.V[(n+9*i)%64]
			for l := range v {
				v[l] = uint32(n*i) + uint32(l)*4
			}
		}
		for l := range h.regs.V[n%64] {
			h.regs.V[n%64][l] = rnd.Uint32()
		}
		h.regs.S[32] += 64
		call(0x200)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) * waves; got > most {
		t.Errorf("%d frames in %d waves take %d MiB, more than %d", frames, waves, got>>20, most>>20)
	} else {
		t.Logf("%d MiB", got>>20)
	}
	runtime.KeepAlive(h)
}
