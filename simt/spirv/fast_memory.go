package spirv

// Loads and stores that nobody observes and that are all within one part of memory, scalar by scalar. What is
// not so is left to [execLoad] and [execStore], which say what is wrong with it.

// loadQuickly loads a scalar of size bytes for each active lane at c.addr. It reports whether it could.
func (c *core) loadQuickly(m *access, size uint64, d []uint64) bool {
	if m.space == scratch {
		return c.loadScratch(size, d)
	}
	w, ok := c.part(m)
	if !ok {
		return false
	}
	for l := range d {
		if c.mask>>l&1 == 0 {
			continue
		}
		off := c.addr[l] - w.base
		if off >= uint64(len(w.data)) || size > uint64(len(w.data))-off {
			if m.space != global || c.bytes(&w, m, c.addr[l], size) == nil {
				return false
			}
			off = c.addr[l] - w.base
		}
		d[l] = little(w.data[off : off+size])
	}
	return true
}

// part is where the addresses of an access most likely are: in memory of the workgroup, all of them.
func (c *core) part(m *access) (window, bool) {
	switch m.space {
	case global:
		return c.window(m), true
	case lds:
		return window{LDSAperture, c.w.Group.LDS, true}, true
	}
	return window{}, false
}

// loadScratch is loadQuickly for private memory, where a scalar of 4 bytes or fewer that is at a multiple of
// its size is in one piece.
func (c *core) loadScratch(size uint64, d []uint64) bool {
	if !c.inPieces(size) {
		return false
	}
	for l := range d {
		if c.mask>>l&1 != 0 {
			at := c.scratchByte(l, c.addr[l]&^apertureMask)
			d[l] = little(c.w.Scratch[at : at+size])
		}
	}
	return true
}

// inPieces reports whether the scalars of all active lanes at c.addr are such.
func (c *core) inPieces(size uint64) bool {
	if size == 0 || size > 4 {
		return false
	}
	for l := range c.lanes {
		a := c.addr[l] &^ apertureMask
		if c.mask>>l&1 != 0 && (a%size != 0 || a >= c.p.scratch || size > c.p.scratch-a) {
			return false
		}
	}
	return true
}

// storeQuickly stores all scalars of an instruction. It reports whether it could; otherwise nothing was
// stored.
func (c *core) storeQuickly(in *inst) bool {
	m := in.mem
	w, ok := c.part(m)
	if !ok && m.space != scratch {
		return false
	}
	for k := range m.leaves {
		offset, size := m.leaves[k].offset, m.leaves[k].typ.size
		if !c.untold(m, offset, size) {
			return false
		}
		c.addresses(m, offset)
		if m.space == scratch && !c.inPieces(size) || m.space != scratch && !c.inside(&w, size) {
			return false
		}
	}
	for k := range m.leaves {
		size, s := m.leaves[k].typ.size, c.one(in.a+int32(k))
		if len(m.leaves) > 1 {
			c.addresses(m, m.leaves[k].offset)
		}
		for l := range s {
			if c.mask>>l&1 == 0 {
				continue
			}
			data, at := w.data, c.addr[l]-w.base
			if m.space == scratch {
				data, at = c.w.Scratch, c.scratchByte(l, c.addr[l]&^apertureMask)
			}
			putLittle(data[at:at+size], s[l])
		}
	}
	return true
}

// inside reports whether the scalars of all active lanes at c.addr are in a window.
func (c *core) inside(w *window, size uint64) bool {
	for l := range c.lanes {
		off := c.addr[l] - w.base
		if c.mask>>l&1 != 0 && (off >= uint64(len(w.data)) || size > uint64(len(w.data))-off) {
			return false
		}
	}
	return true
}
