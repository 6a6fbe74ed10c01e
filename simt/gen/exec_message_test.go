package gen

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"simtgdb/simt"
)

// TestBranches branches by brd and brc, to constant places and to those that a
// register has.
func TestBranches(t *testing.T) {
	a := assembled(t)
	for _, name := range []string{"brd", "brd-r", "brc", "brc-r"} {
		for _, c := range [][2]uint32{{0x0f, 0xff}, {0xff, 0xff}, {0x00, 0xff}, {0x0f, 0x8c}, {0xff, 0x8c}} {
			f0, exec := c[0], c[1]
			b := newBench(t, 8)
			// 0: branch to 0x20, or of brc to 0x30 by way of 0x20; 0x10: r10; 0x20: r11; 0x30: endif; 0x40:
			// r13
			b.load(a[name], a["mov-10"], a["mov-11"], a["endif"], a["mov-13"])
			b.r.setU32(offGRF+5*regBytes, 0x20)
			b.r.setU32(offGRF+5*regBytes+4, 0x30)
			b.r.setFlags(uint64(f0))
			b.w.Exec = uint64(exec)
			b.steps(0x50)
			stay := ^f0 & exec
			want := [3]uint32{stay, stay, exec}
			if name[:3] == "brd" {
				// The thread goes with the channels that branch; the others wait behind it.
				want = [3]uint32{0, f0 & exec, f0 & exec}
				if f0 == 0 {
					want = [3]uint32{exec, exec, exec}
				}
			}
			if got := [3]uint32{b.marked(10), b.marked(11), b.marked(13)}; got != want {
				t.Errorf("%s of %#x: %#x, want %#x", name, f0, got, want)
			}
			if lane := 7; name[:3] == "brd" && f0 == 0x0f && (b.r.ip[lane] != codeBase+0x10 ||
				b.r.LanePC(b.w, lane) != codeBase) {
				t.Errorf("%s: a channel that waits has IP %#x, is shown at %#x", name, b.r.ip[lane],
					b.r.LanePC(b.w, lane))
			}
		}
	}
}

// TestCallRegister calls places that a register has, relative and absolute.
func TestCallRegister(t *testing.T) {
	for name, to := range map[string]uint32{"call-r": 0x20, "calla-r": codeBase + 0x20} {
		testCallRegister(t, name, to, 0xff)
		testCallRegister(t, name, to, 0x3c)
	}
}

func testCallRegister(t *testing.T, name string, to, exec uint32) {
	t.Helper()
	b := newBench(t, 8)
	b.program(exec, step{name, 0, 0}, step{"mov-10", 0, 0}, step{"mov-11", 0, 0}, step{"ret-6", 0, 0})
	b.r.setU32(offGRF+5*regBytes, to)
	b.steps(0x30)
	if b.marked(11) != exec || b.marked(10) != 0 || b.r.u32(offGRF+6*regBytes) != codeBase+0x10 {
		t.Errorf("%s: return address %#x", name, b.r.u32(offGRF+6*regBytes))
	}
	b.steps(0x10)
}

// TestJump jumps with all channels, or some, past an instruction.
func TestJump(t *testing.T) {
	for _, exec := range []uint32{0xff, 0x3c} {
		b := newBench(t, 8)
		b.program(exec, step{"jmpi-r", 0, 0}, step{"mov-10", 0, 0}, step{"mov-11", 0, 0})
		b.r.setU32(offGRF+5*regBytes, 0x10)
		b.steps(0x30)
		if b.marked(10) != 0 || b.marked(11) != exec {
			t.Errorf("channels %#x: %#x and %#x", exec, b.marked(10), b.marked(11))
		}
	}
}

// TestJumpCalls checks that the record has the calls that jmpi makes: when
// the frame descriptor has got the address behind it.
func TestJumpCalls(t *testing.T) {
	a := assembled(t)
	b := newBench(t, 8)
	// 0: jump to 0x20; 0x10: r10; 0x20: r11; 0x30: jump to 0x10
	b.load(a["jmpi-r"], a["mov-10"], a["mov-11"], a["jmpi-r"])
	b.w.Track = &simt.Track{}
	b.r.setU32(offGRF+5*regBytes, 0x10)
	b.r.setU32(offGRF+127*regBytes, codeBase+0x10)
	b.steps(0x20)
	c := b.w.Track.Innermost[3]
	if c == nil || c.Site != codeBase || c.Return != codeBase+0x10 || c.Target != codeBase+0x20 ||
		c.Lanes != 0xff {
		t.Fatalf("recorded %+v", c)
	}
	b.steps(0x30)
	b.r.setU32(offGRF+5*regBytes, 1<<32-0x30)
	b.steps(0x10)
	if b.w.Track.Innermost[3] != nil || b.w.Track.Returned[3] != c {
		t.Error("the return is not recorded")
	}
	b.load(a["jmpi-r"])
	b.r.setU32(offGRF+5*regBytes, 0x10)
	b.r.setU32(offGRF+127*regBytes, codeBase+0x30)
	b.steps(0x20)
	if b.w.Track.Innermost[3] != nil {
		t.Error("a jump is taken for a call")
	}
}

// TestFloatAtomics compares atomic operations on numbers in local and global
// memory with what they mean, one channel after the other.
func TestFloatAtomics(t *testing.T) { inHalves(t, testFloatAtomics) }

func testFloatAtomics(t *testing.T, halves bool) {
	t.Helper()
	a := assembled(t)
	nan := float32(math.NaN())
	old := []float32{1, -2, nan, 4, 0, 6, 7, 8}
	data := []float32{3, -5, 3, nan, -1, 6, 100, -8}
	for name, want := range map[string][]float32{
		"slm-fmax": {3, -2, 3, 4, 0, 6, 100, 8}, "fmax": {3, -2, 3, 4, 0, 6, 100, 8},
		"slm-fmin":   {1, -5, 3, 4, -1, 6, 7, -8},
		"slm-fcmpwr": {1, -2, nan, 4, 0, 60, 7, 8}, // only lane 5 has what it compares with
	} {
		b := newBench(t, 8)
		b.halves = halves
		mem := b.w.Group.LDS[64:]
		if name == "fmax" {
			mem = b.data.Data[64:]
			b.addresses(func(i int) uint64 { return b.data.Base + 64 + 4*uint64(i) })
		} else {
			b.set(12, [8]uint32{64, 68, 72, 76, 80, 84, 88, 92})
		}
		var before [8]uint32
		for i := range old {
			before[i] = fb(old[i])
			binary.LittleEndian.PutUint32(mem[4*i:], before[i])
			b.r.setU32(offGRF+16*regBytes+4*i, fb(data[i]))
			b.r.setU32(offGRF+17*regBytes+4*i, fb(10*data[i]))
		}
		b.load(a[name])
		b.steps(0x10)
		for i := range want {
			if got := binary.LittleEndian.Uint32(mem[4*i:]); !sameFloat(got, fb(want[i])) {
				t.Errorf("%s: lane %d leaves %v, want %v", name, i, f(got), want[i])
			}
		}
		if got := b.get(10); got != before {
			t.Errorf("%s returns %#x, want %#x", name, got, before)
		}
	}
}

// TestWholeRegisters moves blocks of whole registers: of global memory, and of
// the thread's scratch.
func TestWholeRegisters(t *testing.T) { inHalves(t, testWholeRegisters) }

func testWholeRegisters(t *testing.T, halves bool) {
	t.Helper()
	a := assembled(t)
	values := [2][8]uint32{{1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}}
	for _, c := range [][2]string{{"hword-write", "hword-read"}, {"spill", "fill"}, {"spill", "fill-last"}} {
		b := newBench(t, 8)
		b.halves = halves
		b.addresses(func(int) uint64 { return b.data.Base + 0x24 })
		b.r.setU32(offGRF+12*regBytes+20, b.r.u32(r0Thread))
		b.set(16, values[0])
		b.set(17, values[1])
		b.load(a[c[0]], a[c[1]])
		if halves {
			b.w.Exec = 3 // which channels are on does not matter
		}
		b.steps(0x20)
		if b.get(10) != values[0] || b.get(11) != values[1] {
			t.Errorf("%s: %v %v", c[1], b.get(10), b.get(11))
		}
		mem := b.data.Data[0x24:]
		if c[0] == "spill" {
			mem = b.w.Scratch[0x20:] // its place counts registers
		}
		if mem[0] != 1 || mem[28] != 8 || mem[32] != 11 || mem[60] != 18 {
			t.Errorf("%s leaves % x", c[0], mem[:64])
		}
	}
}

// TestAlignedBlocks reads blocks whose offset counts bytes, of the thread's scratch and of local memory, from
// places that are multiples of a dword alone.
func TestAlignedBlocks(t *testing.T) { inHalves(t, testAlignedBlocks) }

func testAlignedBlocks(t *testing.T, halves bool) {
	t.Helper()
	a := assembled(t)
	const from = 0x24
	for name, want := range map[string]struct{ at, size int }{
		"aligned-x1": {0, 16}, "aligned-x1-high": {16, 16}, "aligned-x2": {0, 32}, "aligned-x4": {0, 64},
		"aligned-x8": {0, 128}, "aligned-slm": {0, 128},
	} {
		b := newBench(t, 8)
		b.halves = halves
		b.w.GrowScratch(0x100)
		mem := b.w.Scratch
		b.r.setU32(offGRF+12*regBytes+8, b.r.slot+from+1) // what is less than a dword is no part of a place
		if name == "aligned-slm" {
			mem = b.w.Group.LDS
			b.r.setU32(offGRF+12*regBytes+8, from)
		}
		for i := range mem[:0x100] {
			mem[i] = byte(3*i + 7)
		}
		registers := bytes.Repeat([]byte{0xee}, 5*regBytes)
		copy(b.r.file[offGRF+16*regBytes:], registers)
		copy(registers[want.at:], mem[from:from+want.size])
		b.load(a[name])
		if halves {
			b.w.Exec = 3 // which channels are on does not matter
		}
		b.steps(0x10)
		if got := b.r.file[offGRF+16*regBytes:][:len(registers)]; !bytes.Equal(got, registers) {
			t.Errorf("%s reads\n% x, want\n% x", name, got, registers)
		}
	}
}

// TestSpilledDwords writes blocks of which each channel writes its own dwords.
func TestSpilledDwords(t *testing.T) {
	a := assembled(t)
	for _, exec := range []uint64{0xffff, 0x5, 0xf0a1} {
		b := newBench(t, 16)
		b.r.setU32(offGRF+12*regBytes+20, b.r.u32(r0Thread))
		for r := range 2 {
			b.set(16+r, [8]uint32{1, 2, 3, 4, 5, 6, 7, 8})
		}
		b.w.GrowScratch(0x80)
		copy(b.w.Scratch[0x20:], slices.Repeat([]byte{0xee}, 64))
		b.load(a["spill-own"])
		b.w.Exec = exec
		b.steps(0x10)
		for i := range uint32(16) {
			want := uint32(0xeeeeeeee)
			if exec>>i&1 != 0 {
				want = i%8 + 1
			}
			if got := binary.LittleEndian.Uint32(b.w.Scratch[0x20+4*i:]); got != want {
				t.Errorf("channels %#x leave %#x in dword %d, want %#x", exec, got, i, want)
			}
		}
	}
}

// TestDescriptorsInA0 executes messages whose descriptors are in a0, also when
// these change.
func TestDescriptorsInA0(t *testing.T) {
	a := assembled(t)
	values := [8]uint32{9, 8, 7, 6, 5, 4, 3, 2}
	b := newBench(t, 8)
	b.addresses(func(i int) uint64 { return b.data.Base + 8*uint64(i) })
	b.set(16, values)
	b.load(a["write-a0"], a["read-a0"])
	b.r.setU32(offA0, 0x040681FF)   // a64 dword scattering write
	b.r.setU32(offA0+8, 0x0000004C) // to data cache 1, one register more
	b.steps(0x10)
	if b.data.Data[0] != 9 || b.data.Data[8*7] != 2 {
		t.Errorf("memory has % x", b.data.Data[:64])
	}
	b.r.setU32(offA0, 0x041401FF) // a64 dword gathering read
	b.steps(0x20)
	if b.get(10) != values {
		t.Errorf("the read gives %v", b.get(10))
	}
	for i := range 2 { // the same instruction, once with bytes, once with what is no message
		b.w.PC, b.w.State = codeBase+0x10, simt.Ready
		b.r.setU32(offA0, []uint32{0x041400FF, 0x04100003}[i])
		ev := b.core.Run(b.w, 1)
		if i == 0 && (ev.Kind != simt.NoEvent || b.get(10) != values) ||
			i == 1 && ev.Kind != simt.FaultEvent {
			t.Errorf("%d: %v, %v", i, ev.Kind, b.get(10))
		}
	}
}

// TestConditionalSends executes the forms of send that wait for threads before.
func TestConditionalSends(t *testing.T) { inHalves(t, testConditionalSends) }

func testConditionalSends(t *testing.T, halves bool) {
	t.Helper()
	a := assembled(t)
	values := [8]uint32{1, 2, 4, 8, 16, 32, 64, 128}
	b := newBench(t, 8)
	b.halves = halves
	b.addresses(func(i int) uint64 { return b.data.Base + 4*uint64(i) })
	b.set(16, values)
	b.load(a["sendsc"], a["sendc"])
	b.steps(0x20)
	if b.get(10) != values || !slices.Equal(b.data.Data[:8], []byte{1, 0, 0, 0, 2, 0, 0, 0}) {
		t.Errorf("%v", b.get(10))
	}
}

// TestScratchGrows has channels write far apart in scratch that has not been
// used yet: what the first of them write must be there when it has moved.
func TestScratchGrows(t *testing.T) {
	a := assembled(t)
	b := newBench(t, 8)
	b.w.ScratchLimit = 1 << 16
	values := [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}
	b.set(12, [8]uint32{16, 4000, 5000, 9000, 0x4000, 0x8000, 0xf000, 0xfffc})
	b.set(16, values)
	b.load(a["scatter"], a["gather"])
	b.steps(0x20)
	if b.get(10) != values || b.w.Scratch[16] != 1 || b.w.Scratch[0xfffc] != 8 {
		t.Errorf("read back: %v", b.get(10))
	}
}
