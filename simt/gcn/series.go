package gcn

import (
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
)

// Waves in bulk begin without a return to Go in between: where one comes to its end, the code notes what it
// has executed, gives the registers what the next wave begins with, and goes on at the kernel's entry. It
// does so for workgroups that are whole and beside each other in the first direction, which differ in that
// number alone, once their waves are known to begin alike (bulk.alike).

// A series is such waves, as translated code knows them.
type series struct {
	left  uint64  // waves that are to begin behind the one that executes; no code looks further if it is 0
	turn  uint64  // how many instructions each may execute
	entry uintptr // of the kernel's code

	first, end uintptr        // the waveStarts of a workgroup, from one address up to another
	at         uintptr        // that of the wave that executes
	group      uint32         // the number of its workgroup in the first direction,
	number     uintptr        // and the scalar register for that, or spare
	values     unsafe.Pointer // a valueState: what of registers has no contents when a wave begins
	spare      uint32

	stale  uintptr // by how far vector registers are behind the first that are to be 0 when a wave begins
	stales uint64  // how many those are

	done, ends uintptr // where what the next wave that ends has executed is noted, and where it has ended
	from       uintptr // done, when the core looked at it last
}

// seriesField is where translated code finds a field of the series.
func (t *translator) seriesField(offset uintptr) native.Mem {
	return t.field(unsafe.Offsetof(t.c.context.series) + offset)
}

// whereSeries makes a wave that comes to its end begin the next one, if it is one of a series.
func (t *translator) whereSeries(in *Inst) {
	if !t.isClosed {
		return
	}
	of, alone := t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W64, t.seriesField(unsafe.Offsetof(series{}.left)), 0)
	t.Jcc(native.NE, of)
	t.Set(alone)
	t.stubs = append(t.stubs, func() {
		t.Set(of)
		t.foreseeNext(alone)
		t.MovImm(native.RAX, in.PC+uint64(in.Size))
		t.Jmp(t.next)
	})
}

// beginNext makes the code that begins the next wave of a series. In RAX is the PC at which one has ended.
func (t *translator) beginNext() {
	t.Set(t.next)
	if !t.isClosed {
		return
	}
	t.noteEnd()
	t.beginFollowed()
	var s series
	same := t.NewLabel()
	at := native.RDX // the waveStart
	t.Load(native.W64, at, t.seriesField(unsafe.Offsetof(s.at)))
	t.OpImm(native.ADD, native.W64, at, int32(unsafe.Sizeof(waveStart{})))
	t.OpMem(native.CMP, native.W64, at, t.seriesField(unsafe.Offsetof(s.end)))
	t.Jcc(native.NE, same)
	t.Load(native.W64, at, t.seriesField(unsafe.Offsetof(s.first)))
	t.OpMemImm(native.ADD, native.W32, t.seriesField(unsafe.Offsetof(s.group)), 1)
	t.Set(same)
	t.Store(native.W64, t.seriesField(unsafe.Offsetof(s.at)), at)
	const hidden = 4 * int32(regMode)
	t.copyBytes(native.Mem{Base: regS}, native.Mem{Base: at}, 4*lastNumbered)
	t.copyBytes(native.Mem{Base: regS, Disp: hidden}, native.Mem{Base: at, Disp: hidden}, 4*hiddenOnes)
	t.Load(native.W32, native.RAX, native.Mem{Base: at, Disp: 4 * int32(regSCC)})
	t.Store(native.W32, scalar(regSCC), native.RAX)
	t.Load(native.W64, native.RCX, t.seriesField(unsafe.Offsetof(s.number)))
	t.Load(native.W32, native.RAX, t.seriesField(unsafe.Offsetof(s.group)))
	t.Store(native.W32, native.Mem{Base: native.RCX}, native.RAX)
	t.giveRows(at)
	t.Load(t.laneWidth(), regMask, scalar(regExec))
	t.quarters()
	t.JmpMem(t.seriesField(unsafe.Offsetof(s.entry)))
}

// mostBegun is how many vector registers a kernel's blocks name at most whose waves begin as a series while
// it is followed what registers contain.
const mostBegun = 128

// beginFollowed makes what of registers has no contents what it is as a wave begins: what the interpreter
// makes of it besides it makes of waves that leave the series.
func (t *translator) beginFollowed() {
	vectors := 0
	for _, b := range t.blocks {
		vectors = max(vectors, b.vectors)
	}
	if !t.valued || vectors > mostBegun {
		return
	}
	var v valueState
	const cache = 64
	from, to := native.RSI, native.RCX
	t.Load(native.W64, from, t.seriesField(unsafe.Offsetof(series{}.values)))
	t.Load(native.W64, to, t.field(unsafe.Offsetof(t.c.context.values)))
	named := (int32(unsafe.Offsetof(v.lanes)) + 8*int32(vectors) + cache - 1) / cache * cache
	t.copyBytes(native.Mem{Base: to}, native.Mem{Base: from}, named)
	for i := range scalarWords {
		empty := int32(unsafe.Offsetof(v.scalars)+unsafe.Offsetof(v.scalars.empty)) + 8*int32(i)
		t.Load(native.W64, native.RAX, native.Mem{Base: from, Disp: empty})
		t.Store(native.W64, native.Mem{Base: to, Disp: empty}, native.RAX)
	}
}

// noteEnd notes where a wave has ended and what it has executed.
func (t *translator) noteEnd() {
	var s series
	var done simt.Stats
	var end simt.WaveEnd
	field := func(base native.Reg, offset uintptr) native.Mem {
		return native.Mem{Base: base, Disp: int32(offset)}
	}
	t.Load(native.W64, native.RCX, t.seriesField(unsafe.Offsetof(s.ends)))
	t.Store(native.W64, field(native.RCX, unsafe.Offsetof(end.PC)), native.RAX)
	t.Store(native.W64, field(native.RCX, unsafe.Offsetof(end.Exec)), regMask)
	t.OpImm(native.ADD, native.W64, native.RCX, int32(unsafe.Sizeof(end)))
	t.Store(native.W64, t.seriesField(unsafe.Offsetof(s.ends)), native.RCX)
	t.Load(native.W64, native.RCX, t.seriesField(unsafe.Offsetof(s.done)))
	t.Load(native.W64, native.RDX, t.seriesField(unsafe.Offsetof(s.turn)))
	t.Mov(native.W64, native.RAX, native.RDX)
	t.Op(native.SUB, native.W64, native.RAX, regBudget)
	t.Mov(native.W64, regBudget, native.RDX)
	t.StoreImm(native.W64, field(native.RCX, unsafe.Offsetof(done.Waves)), 1)
	t.Store(native.W64, field(native.RCX, unsafe.Offsetof(done.Insts)), native.RAX)
	lanes := t.field(unsafe.Offsetof(t.c.context.lanes))
	t.Load(native.W64, native.RAX, lanes)
	t.Store(native.W64, field(native.RCX, unsafe.Offsetof(done.LaneInsts)), native.RAX)
	t.StoreImm(native.W64, lanes, 0)
	t.OpImm(native.ADD, native.W64, native.RCX, int32(unsafe.Sizeof(done)))
	t.Store(native.W64, t.seriesField(unsafe.Offsetof(s.done)), native.RCX)
	t.OpMemImm(native.SUB, native.W64, t.seriesField(unsafe.Offsetof(s.left)), 1)
}

// giveRows gives the vector registers what a wave begins with, of which at is the waveStart: first those that
// are to be 0, since it may be given some of them.
func (t *translator) giveRows(at native.Reg) {
	var s series
	zero, zeroed, give := t.NewLabel(), t.NewLabel(), t.NewLabel()
	from, to, left := native.RSI, native.RDI, native.RCX
	step := int32(unsafe.Sizeof(Vector{}))
	t.Load(native.W64, left, t.seriesField(unsafe.Offsetof(s.stales)))
	t.Test(native.W64, left, left)
	t.Jcc(native.E, zeroed)
	t.Load(native.W64, from, t.seriesField(unsafe.Offsetof(s.stale)))
	t.Set(zero)
	t.Mov(native.W64, to, regV)
	t.OpMem(native.ADD, native.W64, to, native.Mem{Base: from})
	t.clearBytes(native.Mem{Base: to}, 4*int32(t.lanes))
	t.OpImm(native.ADD, native.W64, from, int32(unsafe.Sizeof(uintptr(0))))
	t.OpImm(native.SUB, native.W64, left, 1)
	t.Jcc(native.NE, zero)
	t.Set(zeroed)
	rows := int32(unsafe.Offsetof(waveStart{}.rows))
	t.Load(native.W64, from, native.Mem{Base: at, Disp: rows})
	t.Load(native.W64, left, native.Mem{Base: at, Disp: rows + int32(unsafe.Sizeof(uintptr(0)))})
	t.Mov(native.W64, to, regV)
	t.Set(give)
	t.copyBytes(native.Mem{Base: to}, native.Mem{Base: from}, 4*int32(t.lanes))
	t.OpImm(native.ADD, native.W64, from, step)
	t.OpImm(native.ADD, native.W64, to, step)
	t.OpImm(native.SUB, native.W64, left, 1)
	t.Jcc(native.NE, give)
}

// copyBytes copies so many bytes, a multiple of 64.
func (t *translator) copyBytes(to, from native.Mem, n int32) {
	z, width := native.Z(16), int32(64)
	if t.octets {
		z, width = 0, 32
	}
	for o := int32(0); o < n; o += width {
		t.moveWide(vmovdqu32, z, native.Mem{Base: from.Base, Disp: from.Disp + o})
		t.moveWide(vmovdqu32to, z, native.Mem{Base: to.Base, Disp: to.Disp + o})
	}
}

// clearBytes makes so many bytes 0, a multiple of 64.
func (t *translator) clearBytes(at native.Mem, n int32) {
	if t.octets {
		t.V256(vpxord, 0, 0, native.InReg(0))
		for o := int32(0); o < n; o += 32 {
			t.moveWide(vmovdqu32to, 0, native.Mem{Base: at.Base, Disp: at.Disp + o})
		}
		return
	}
	const z = 16
	t.V(vpxord, z, z, native.InReg(z), 0)
	for o := int32(0); o < n; o += 64 {
		t.moveWide(vmovdqu32to, z, native.Mem{Base: at.Base, Disp: at.Disp + o})
	}
}

// moveWide moves a vector register to memory, or from there.
func (t *translator) moveWide(in native.Instruction, z native.Z, m native.Mem) {
	if t.octets {
		t.V256(in, z, 0, native.InMem(m))
	} else {
		t.V(in, z, 0, native.InMem(m), 0)
	}
}

// beginSeries lets code begin the waves behind the bulk's, so many, each with n instructions at most, if it
// is known what they begin with.
func (c *Core) beginSeries(waves int, n uint64) {
	s, k := &c.context.series, &c.bulk
	w, perGroup := &k.Wave, len(k.starts)
	*s = series{}
	if size := w.Group.Size; waves == 0 || !k.alike || perGroup*w.Size != int(size[0]*size[1]*size[2]) ||
		c.valued && k.entry.vectors > mostBegun {
		return
	}
	for i := range k.starts { // which another workgroup has begun with
		c.isa.giveGroup(&k.starts[i].scalars, w.Group)
	}
	const size = unsafe.Sizeof(waveStart{})
	first := uintptr(unsafe.Pointer(&k.starts[0]))
	noted, ends := k.Room(waves)
	done := uintptr(unsafe.Pointer(noted))
	cleared := k.cleared[len(k.cleared)-len(k.notGiven(w.Index)):]
	*s = series{left: uint64(waves), turn: n, entry: k.entry.entry,
		first: first, end: first + uintptr(perGroup)*size, at: first + uintptr(w.Index)*size,
		group: w.Group.ID[0], number: uintptr(unsafe.Pointer(&s.spare)),
		stale: uintptr(unsafe.Pointer(unsafe.SliceData(cleared))), stales: uint64(len(cleared)),
		done: done, from: done, ends: uintptr(unsafe.Pointer(ends))}
	if c.valued {
		s.values = unsafe.Pointer(c.begun.values(c.r.given, w.Valid))
	}
	if reg, ok := c.isa.groupRegister(); ok {
		s.number = uintptr(unsafe.Pointer(&c.r.S[reg]))
	}
}

// onInSeries makes the bulk's wave the one that code has come to.
func (c *Core) onInSeries() {
	s, k := &c.context.series, &c.bulk
	n := int((s.done - s.from) / unsafe.Sizeof(simt.Stats{}))
	if n == 0 {
		return
	}
	s.from = s.done
	k.Told(n)
	done := k.Done()
	for i := range done[len(done)-n:] {
		c.counted.Insts += done[len(done)-n+i].Insts
	}
	c.m.PlaceBehind(&k.Wave, n)
}
