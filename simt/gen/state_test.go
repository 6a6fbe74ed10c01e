package gen

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"simtgdb/simt"
)

// TestShown: what a debugger is shown of a thread's registers, and may write.
func TestShown(t *testing.T) {
	for _, g := range []*Generation{Gen9, XeHPC} {
		b := newBench(t, 8).of(g)
		r := b.r
		for i, f := range r.Files() {
			for _, n := range []int{0, max(f.Count, 1) - 1} {
				reg := simt.Reg{File: uint8(i), Index: uint16(n)}
				was, now := make([]byte, f.Bits/8), counting(f.Bits/8)
				if err := r.Read(reg, 0, was); err != nil {
					t.Errorf("%s: %s%d: %v", g.Name, f.Name, n, err)
				}
				if err := r.Write(reg, 0, now); (err != nil) != f.ReadOnly {
					t.Errorf("%s: %s%d, read only %v: %v", g.Name, f.Name, n, f.ReadOnly, err)
				} else if f.ReadOnly {
					now = was
				}
				if err := r.Read(reg, 0, was); err != nil || !bytes.Equal(was, now) {
					t.Errorf("%s: %s%d: %x, %v, want %x", g.Name, f.Name, n, was, err, now)
				}
			}
			past := simt.Reg{File: uint8(i), Index: uint16(max(f.Count, 1))}
			if err := r.Read(past, 0, make([]byte, 64)); err == nil && !f.ReadOnly {
				t.Errorf("%s: there is a %s%d", g.Name, f.Name, past.Index)
			}
		}
		if err := r.Read(simt.Reg{File: uint8(len(r.Files()))}, 0, make([]byte, 64)); err == nil {
			t.Errorf("%s: there is one more file", g.Name)
		}
		// A channel that is off is shown where it was switched off, and waits elsewhere.
		b.w.PC, b.w.Exec = codeBase+0x40, 0xf0
		r.setU32(offCE, 0xf0)
		r.setU32(offIP, codeBase+0x40)
		r.callMask, r.ip[1], r.from[1] = 0xf3, codeBase+0x80, codeBase+0x20
		for _, c := range []struct {
			file  uint8
			lane  int
			value uint32
			at    uint64
		}{{fileCE, 0, 0xf0, codeBase}, {fileCM, 0, 0xf3, codeBase},
			{fileIP, 1, codeBase + 0x80, codeBase + 0x20}, {fileIP, 4, codeBase + 0x40, codeBase + 0x40}} {
			var p [4]byte
			if err := r.Read(simt.Reg{File: c.file}, c.lane, p[:]); err != nil ||
				binary.LittleEndian.Uint32(p[:]) != c.value || r.LanePC(b.w, c.lane) != c.at {
				t.Errorf("%s: file %d of channel %d is %x (%v), at %#x", g.Name, c.file, c.lane, p, err,
					r.LanePC(b.w, c.lane))
			}
		}
		for pc, ok := range map[uint64]bool{codeBase + 8: true, codeBase + 4: false, 1 << 32: false} {
			if err := r.SetPC(b.w, pc); (err == nil) != ok ||
				ok && (b.w.PC != pc || r.u32(offIP) != uint32(pc)) {
				t.Errorf("%s: to %#x: %v, at %#x", g.Name, pc, err, b.w.PC)
			}
		}
	}
}

// TestCallersRegisters: what a debugger writes to the registers of a caller is what that finds when the call
// returns, and has contents then. The function has its own until then.
func TestCallersRegisters(t *testing.T) {
	a := assembled(t)
	b := newBench(t, 8)
	b.load(a["calla"], a["mov-10"], a["mov-11"], a["ret"])
	binary.LittleEndian.PutUint32(b.code.Data[12:], codeBase+0x20)
	b.core.forget()
	b.w.Track = &simt.Track{}
	b.r.known = &known{since: b.m.Followed()}
	b.r.known.set(b.r.gen.grf(40), 2*regBytes, true, codeBase)
	b.steps(0x20)
	c := b.w.Track.Innermost[0]
	if c == nil {
		t.Fatal("there is no call")
	}
	for _, w := range []struct {
		reg   int
		value byte
	}{{40, 1}, {41, 2}, {41, 3}} {
		if err := c.Regs.Write(GRF(w.reg), 0, bytes.Repeat([]byte{w.value}, regBytes)); err != nil {
			t.Fatal(err)
		}
	}
	if c.Regs.Write(simt.Reg{File: fileCE}, 0, make([]byte, 4)) == nil {
		t.Error("the caller's ce is written")
	}
	at := b.r.gen.grf(40)
	if b.r.u32(at) != 0 || !b.r.known.lacks(at, regBytes) {
		t.Error("the function has its caller's register")
	}
	b.steps(0x10)
	want := slices.Concat(bytes.Repeat([]byte{1}, regBytes), bytes.Repeat([]byte{3}, regBytes))
	if got := b.r.file[at:][:2*regBytes]; !bytes.Equal(got, want) {
		t.Errorf("the caller finds %x, want %x", got, want)
	}
	if b.r.known.lacks(at, 4) {
		t.Error("what was written has no contents")
	}
}
