package gen

import (
	"encoding/binary"
	"fmt"

	"simtgdb/simt"
)

// Fields of r0 (PRM volume 7, "R0 Header"; what compiled code reads of it).
const (
	r0Indirect     = offGRF + 0x00 // from Xe-HPG on: where arguments are in memory
	r0GroupX       = offGRF + 0x04
	r0Barrier      = offGRF + 0x08
	r0Thread       = offGRF + 0x14 // bits 8:0 the thread's number, 31:10 its scratch slot
	r0GroupY       = offGRF + 0x18
	r0GroupZ       = offGRF + 0x1c
	slotAlign      = 1 << 10
	threadBits     = 0x1ff
	barrierBits    = 0x8000_0000
	barrierThreads = 24 // from this bit on, Xe-HPC has how many threads meet
)

// StartWave implements simt.ISA: r0, the local ids, the cross-thread data, and
// zeros.
func (a *ISA) StartWave(w *simt.Wave, d *simt.Dispatch) error {
	if w.PC > uint64(noWake) {
		return fmt.Errorf("the kernel is at %#x: code addresses have 32 bits", w.PC)
	}
	n, err := a.number(w.ID)
	if err != nil {
		return err
	}
	r, ok := w.Regs.(*Regs)
	if !ok || r.gen != a.Kernel.generation() {
		r = newRegs(a.Kernel.generation())
	}
	clear(r.file[offAcc:])
	r.named, r.notified, r.standsAt, r.paired, r.lent = [namedBarriers]namedBarrier{}, 0, 0, false, nil
	if r.known != nil {
		r.spareKnown = r.known
	}
	r.known, r.hints, r.tokens = nil, nil, nil
	w.Regs = r
	for l := range r.ip {
		r.ip[l], r.from[l] = uint32(w.PC), uint32(w.PC)
	}
	a.give(w, r, n)
	return a.clearPrivate(n)
}

// give gives a thread of a number the registers that it starts with: the others are 0, and its channels stand
// at the entry.
func (a *ISA) give(w *simt.Wave, r *Regs, n int) {
	if r.setU32(r0Barrier, barrierBits); a.Kernel.Indirect != nil {
		a.inline(w, r)
	} else {
		a.payload(w, r)
	}
	a.place(w, r, n)
}

// place gives it those that depend on which one it is of all of its place in a workgroup.
func (a *ISA) place(w *simt.Wave, r *Regs, n int) {
	r.callMask, r.wake, r.arrived = ^uint32(0), noWake, false
	slot := (w.ScratchLimit + slotAlign - 1) &^ (slotAlign - 1)
	r.slot = uint32(slot * uint64(n))
	r.setU32(r0GroupX, w.Group.ID[0])
	r.setU32(r0Thread, r.slot|uint32(n)&threadBits)
	r.setU32(r0GroupY, w.Group.ID[1])
	r.setU32(r0GroupZ, w.Group.ID[2])
	if a.Kernel.Indirect != nil {
		r.setU32(offSR, r.gen.spread(uint32(n)))
	}
	r.setU32(offCE, uint32(w.Exec))
	r.setU32(offIP, uint32(w.PC))
}

// payload writes local ids and cross-thread data from r1 on.
func (a *ISA) payload(w *simt.Wave, r *Regs) {
	k := &a.Kernel
	at := r.gen.grf(1)
	if k.PerThread > 0 {
		a.localIDs(r.file[at:at+k.PerThread], w)
		at += k.PerThread
	} else {
		at += r.gen.regBytes // there is a register for them that nobody reads
	}
	copy(r.file[at:], k.CrossThread)
	for _, off := range k.LocalSize {
		for i := range w.Group.Size {
			r.setU32(at+off+4*i, w.Group.Size[i])
		}
	}
}

// inline gives a thread what its code finds the rest of its arguments by: where they are in memory, its
// number in the workgroup and among all, and the first of them.
func (a *ISA) inline(w *simt.Wave, r *Regs) {
	k := &a.Kernel
	r.setU32(r0Indirect, k.Indirect(w.Group.Size))
	barrier := uint32(barrierBits)
	if r.gen.wide {
		items := w.Group.Size[0] * w.Group.Size[1] * w.Group.Size[2]
		barrier = (items + uint32(w.Size) - 1) / uint32(w.Size) << barrierThreads
	}
	r.setU32(r0Barrier, barrier|uint32(w.Index)&0xff)
	first := r.file[r.gen.grf(1):][:r.gen.regBytes]
	copy(first, k.CrossThread[:min(k.Inline, len(k.CrossThread))])
	for _, off := range k.LocalSize {
		for i := range w.Group.Size {
			if at := off + 4*i; at+4 <= k.Inline {
				binary.LittleEndian.PutUint32(first[at:], w.Group.Size[i])
			}
		}
	}
}

// spread is a thread's number as sr0.0 has it: bits 3 and 6, and on Xe-HPC 7, are no part of it. (Observed of
// IGC.)
func (g *Generation) spread(n uint32) uint32 {
	gap := 1
	if g.wide {
		gap = 2
	}
	n = n&7 | n&^7<<1
	return n&63 | n&^63<<gap
}

// An idTable has the local ids of a workgroup's threads, one after the other, for workgroups of one size.
type idTable struct {
	size [3]uint32
	ids  []byte
}

// localIDs writes the work-item ids of a thread's channels: words, one dimension after the other. Most
// workgroups have the same size.
func (a *ISA) localIDs(p []byte, w *simt.Wave) {
	t := a.ids.Load()
	if t == nil {
		t = &idTable{size: w.Group.Size}
		items := w.Group.Size[0] * w.Group.Size[1] * w.Group.Size[2]
		for n := range (int(items) + w.Size - 1) / w.Size {
			t.ids = append(t.ids, make([]byte, len(p))...)
			writeIDs(t.ids[n*len(p):], len(p)/3, &simt.Wave{Size: w.Size, Index: n, Group: w.Group})
		}
		a.ids.Store(t)
	}
	if t.size == w.Group.Size {
		copy(p, t.ids[w.Index*len(p):])
		return
	}
	writeIDs(p, len(p)/3, w)
}

// writeIDs writes the ids of a wave's channels, those of a dimension in so many bytes.
func writeIDs(p []byte, part int, w *simt.Wave) {
	for l := range w.Size {
		id := w.WorkItem(l)
		for i := range id {
			binary.LittleEndian.PutUint16(p[i*part+2*l:], uint16(id[i]))
		}
	}
}

// PrivateMemory implements simt.PrivateOwner.
func (a *ISA) PrivateMemory(w *simt.Wave) (simt.Extent, bool) {
	a.mu.Lock()
	n, ok := a.numbers[w.ID]
	a.mu.Unlock()
	lo := a.Kernel.PrivateBase + uint64(n)*a.Kernel.PrivateSlot
	return simt.Extent{Lo: lo, Hi: lo + a.Kernel.PrivateSlot}, ok && a.Kernel.PrivateSlot > 0
}

// clearPrivate makes a thread's private memory zeros, so that what a thread
// finds there does not depend on who had the number before.
func (a *ISA) clearPrivate(n int) error {
	k := &a.Kernel
	if k.PrivateSlot == 0 {
		return nil
	}
	base := k.PrivateBase + uint64(n)*k.PrivateSlot
	reg := a.mem.Find(base)
	if reg == nil || !reg.Holds(base, k.PrivateSlot) {
		return fmt.Errorf("no private memory for thread %d at %#x", n, base)
	}
	clear(reg.Data[base-reg.Base:][:k.PrivateSlot])
	return nil
}
