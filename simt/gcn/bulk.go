package gcn

import (
	"math/bits"
	"unsafe"

	"simtgdb/simt"
)

// Waves that nobody looks at, of a kernel whose code is one region, are executed one after the other with the
// registers of one wave: making a wave costs more than many a kernel executes. Of the vector registers those
// alone are made 0 that the kernel may read before it has written all of them.

// A bulk is what a core knows of the kernel that it executes so, and the wave that it does it with.
type bulk struct {
	simt.BulkWave
	entry   *block    // of the kernel; nil if none is known
	stale   []uint16  // vector registers that it writes and that must be 0 when a wave starts
	cleared []uintptr // how far behind the first they are

	foreseeing

	follows bool // somebody follows what instructions do

	alike  bool        // waves of the workgroup begin with what others did,
	starts []waveStart // those of one index with the same
}

// A waveStart is what a wave begins with, but for its workgroup's id.
type waveStart struct {
	scalars [256]uint32
	rows    []Vector // the first vector registers
}

// RunBulk implements simt.BulkRunner.
func (c *Core) RunBulk(g *simt.Workgroup, n uint64) (done []simt.Stats, tried bool) {
	return c.RunSeries(g, 1, n)
}

// RunSeries implements simt.SeriesRunner.
func (c *Core) RunSeries(g *simt.Workgroup, groups int, n uint64) (done []simt.Stats, tried bool) {
	d, k := &c.m.Dispatch, &c.bulk
	watched := c.m.Watched()
	if d.LDSSize > 0 || watched && !c.m.ForeseesAlike(g, true) {
		return nil, false
	}
	c.refresh()
	if !c.knowsKernel(d.Entry, n) {
		return nil, false
	}
	w := &k.Wave
	c.w = w
	k.Begin()
	k.alike = d.ScratchLimit == 0 && c.isa.Kernel.PreloadLength == 0 && g.Size == d.Block
	c.m.Place(w, g, 0)
	c.observeWhat()
	if k.by = nil; watched {
		k.by, k.follows = c.m.Foreseer(), c.m.Follows() != (simt.Following{})
	}
	defer func() { c.context.series, k.by = series{}, nil }()
	for left := groups * c.m.WavesOf(g); ; c.m.PlaceBehind(w, 1) {
		if !c.startBulk() {
			return k.Done(), len(k.Done()) > 0
		}
		rest := left - len(k.Done())
		if k.by != nil {
			rest = c.foresee(rest)
		}
		c.beginSeries(rest-1, n)
		c.runNative(k.entry, n)
		ended := k.Ran(c.stop.Kind, n)
		if ended && k.by != nil {
			c.endTold()
		}
		if !ended || len(k.Done()) == left {
			return k.Done(), true
		}
	}
}

// startBulk starts the bulk's wave and reports whether it can be executed so.
func (c *Core) startBulk() bool {
	k := &c.bulk
	w := &k.Wave
	r, again := k.registers()
	c.w, c.r, c.stop.Kind, r.pending = w, r, simt.NoEvent, 0
	if again && k.alike && w.Index < len(k.starts) {
		s := &k.starts[w.Index]
		copy(r.S[:lastNumbered], s.scalars[:])
		*(*[hiddenOnes]uint32)(r.S[regMode:]) = *(*[hiddenOnes]uint32)(s.scalars[regMode:])
		r.S[regSCC] = s.scalars[regSCC]
		c.isa.giveGroup(&r.S, w.Group)
		for i := range s.rows {
			copy(r.V[i][:bits.Len64(w.Valid)], s.rows[i][:])
		}
		c.beginValues()
		return true
	}
	r.restart()
	if err := c.isa.start(w, &c.m.Dispatch, r); err != nil || c.recordsExceptions() ||
		!c.fits(k.entry.region) {
		return false
	}
	c.beginValues()
	k.Again = true
	if k.alike && w.Index == len(k.starts) {
		k.starts = append(k.starts, waveStart{r.S, c.isa.ids.Load().waves[w.Index]})
	}
	return true
}

// beginValues makes what is followed of the bulk's wave what it is as a wave begins.
func (c *Core) beginValues() {
	r := c.r
	if !c.valued {
		return
	}
	if c.running = c.bulk.entry; r.follow != nil {
		r.followed()
		r.follow, r.spareFollow = nil, r.follow
	}
	c.following()
}

// Where the scalar registers end that have numbers; and how many there are, from MODE on, of the others that
// translated code writes, with SCC.
const lastNumbered, hiddenOnes = 128, 16

// knowsKernel reports whether the kernel that begins at an address is executed in bulk, where waves execute
// up to n instructions. A debugger's waves keep a record, which what executes here has not got: they must not
// stop amid it.
func (c *Core) knowsKernel(entry, n uint64) bool {
	k := &c.bulk
	if k.entry == nil || k.entry.pc != entry {
		b := c.block(codeAt{pc: entry})
		if b.err != nil || b.breaks || b.region == nil || !b.region.closed {
			return false
		}
		k.learn(b)
	}
	longest := k.entry.region.longest
	return c.m.MayStopAmid() || longest > 0 && n >= longest
}

// learn makes the bulk one of the kernel that begins with a block.
func (k *bulk) learn(b *block) {
	if r, ok := k.Wave.Regs.(*Regs); ok { // which have what another kernel left
		r.Release()
	}
	*k = bulk{BulkWave: k.BulkWave, entry: b}
	k.Wave = simt.Wave{}
	k.Learn()
	by := firstWrites(b.insts)
	for reg := range uint16(max(b.vectors, minVectors)) {
		if i, ok := by[reg]; ok {
			k.First = append(k.First, simt.FirstWrite{Reg: int(reg), By: i})
		} else if b.region.written[reg] || reg < minVectors {
			k.stale = append(k.stale, reg)
			k.cleared = append(k.cleared, uintptr(reg)*unsafe.Sizeof(Vector{}))
		}
	}
}

// registers are those of the bulk's wave, the vector registers 0 but for those that the kernel writes first.
// again says that a wave of the kernel has had them.
func (k *bulk) registers() (r *Regs, again bool) {
	w := &k.Wave
	n := max(k.entry.vectors, minVectors)
	r, ok := w.Regs.(*Regs)
	if !ok || len(r.V) < n {
		return newRegs(w, n), false
	}
	if w.Valid != ^uint64(0)>>(simt.MaxLanes-w.Size) { // lanes that are not there are not written
		clear(r.V)
		return r, k.Again
	}
	stale := k.stale
	if k.Again && k.alike && w.Index < len(k.starts) {
		stale = k.notGiven(w.Index)
	}
	for _, reg := range stale {
		r.V[reg] = Vector{}
	}
	return r, k.Again
}

// notGiven are stale registers that a wave of an index is not given: the others need not be 0 before.
func (k *bulk) notGiven(index int) []uint16 {
	stale := k.stale
	for len(stale) > 0 && int(stale[0]) < len(k.starts[index].rows) {
		stale = stale[1:]
	}
	return stale
}

// Finish implements simt.BulkRunner.
func (c *Core) Finish(w *simt.Wave) {
	pc, exec := c.bulk.End(w.Index)
	w.PC = pc
	setExec(w, exec)
}

// Begun implements simt.Resumer.
func (c *Core) Begun() bool { return c.bulk.Begun() }

// Resume implements simt.Resumer.
func (c *Core) Resume(w *simt.Wave) (whole bool) {
	k := &c.bulk
	r := regsOf(&k.Wave)
	if n := k.Wave.Insts; n < uint64(len(k.entry.insts)) {
		k.Unwritten(int(n), func(reg int) { r.V[reg] = Vector{} })
	}
	return k.BulkWave.Resume(w)
}

// firstWrites finds the vector registers that the instructions of a block, executed with all lanes, write
// whole before they read them, and by which instruction. It goes as far as it knows what instructions read.
func firstWrites(insts []Inst) map[uint16]int {
	by, read := map[uint16]int{}, map[uint16]bool{}
	for i := range insts {
		in := &insts[i]
		if in.writesExec() || !in.knownRegisters() {
			break
		}
		for _, part := range in.parts() {
			part.eachRead(func(reg uint16) { read[reg] = true })
		}
		for _, part := range in.parts() {
			if part.dst.kind != vectorReg {
				continue
			}
			for d := range uint16(typDwords[part.dst.typ]) {
				reg := part.dst.reg + d
				if _, ok := by[reg]; !ok && !read[reg] {
					by[reg] = i
				}
			}
		}
	}
	return by
}

// knownRegisters reports whether an instruction reads no vector registers but those that it names and the one
// behind an address, and writes the active lanes of its destination's.
func (in *Inst) knownRegisters() bool {
	for _, part := range in.parts() {
		load := part.Op.mem != nil && part.Op.mem.dwords && part.Op.mem.narrow == nil && !part.mem.tfe &&
			!part.mem.lds
		if part.form >= VOP2 && part.fast == nil && !load {
			return false
		}
	}
	return true
}

// eachWritten calls f for each vector register that an instruction may write.
func (in *Inst) eachWritten(f func(reg uint16)) {
	named := func(o *operand) {
		for d := range uint16(typDwords[o.typ]) {
			if o.kind == vectorReg {
				f(o.reg + d)
			}
		}
	}
	for _, part := range in.parts() {
		if named(&part.dst); part.knownRegisters() {
			continue
		}
		for i := range part.src {
			named(&part.src[i])
		}
	}
}

// eachRead calls f for each vector register that an instruction may read.
func (in *Inst) eachRead(f func(reg uint16)) {
	least := 1
	if in.Op.mem != nil {
		least = 2 // of an address
	}
	named := func(o *operand) {
		if o.kind != vectorReg {
			return
		}
		for d := range uint16(max(typDwords[o.typ], least)) {
			f(o.reg + d)
		}
	}
	for i := range in.src {
		named(&in.src[i])
	}
	if in.Op.flag&readsDst != 0 {
		named(&in.dst)
	}
}
