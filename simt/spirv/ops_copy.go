package spirv

import "simtgdb/simt"

// Instructions that copy memory.

// buildCopyMemory makes CopyMemory.
func buildCopyMemory(b *builder) (*inst, error) {
	to, t, err := b.access(0, true)
	if err != nil {
		return nil, err
	}
	from, s, err := b.access(1, false)
	if err != nil {
		return nil, err
	}
	if t.slots != s.slots {
		return nil, b.errorf("copies between objects of different types")
	}
	if t.empty {
		return nil, nil
	}
	slot, err := b.p.newSlots(b.in.word, t.slots)
	if err != nil {
		return nil, err
	}
	load := &inst{mem: from, d: slot, raw: b.in, pc: b.p.o.Base + 4*uint64(b.in.word), exec: execLoad}
	return &inst{mem: to, a: slot, flags: faults, exec: func(c *core, in *inst) {
		if load.exec(c, load); c.stop.Kind == simt.NoEvent || c.stop.Kind == simt.WatchEvent {
			execStore(c, in)
		}
	}}, nil
}

// buildCopySized makes CopyMemorySized, byte by byte.
func buildCopySized(b *builder) (*inst, error) {
	var ms [2]*access
	for i := range ms {
		v, ptr, err := b.pointer(i)
		if err != nil {
			return nil, err
		}
		ms[i] = v.accessed(ptr, i == 0, nil)
	}
	size, err := b.value(2)
	if err != nil {
		return nil, err
	}
	return &inst{mem: ms[0], e: size.slot, flags: faults, exec: func(c *core, in *inst) {
		c.copyBytes(in, ms[0], ms[1], c.one(in.e))
	}}, nil
}

// copied is how many bytes of a copy observers are told of at once.
const copied = 64

// copyBytes copies so many bytes for each active lane.
func (c *core) copyBytes(in *inst, to, from *access, sizes []uint64) {
	for l, size := range sizes {
		if c.mask>>l&1 == 0 || size == 0 {
			continue
		}
		whole := c.mask
		c.mask = 1 << l
		for _, m := range []*access{from, to} {
			for _, off := range []uint64{0, size - 1} { // the ends of one allocation have all between them
				c.addresses(m, off)
				if bad := c.check(m, 1); bad != 0 || size > 1<<32 {
					c.mask = whole
					c.faultAt(in, m, 1<<l, size, simt.Unmapped)
					return
				}
			}
		}
		for at := uint64(0); at < size && c.want.Any(); at += copied { // so many bytes can be told apart
			for _, m := range []*access{from, to} {
				c.addresses(m, at)
				c.observe(in, m, 1<<l, min(copied, size-at))
			}
		}
		buf := make([]byte, size)
		wf, wt := c.window(from), c.window(to)
		for i := range size {
			c.addresses(from, i)
			buf[i] = byte(c.read(&wf, from, l, 1))
		}
		for i := range size {
			c.addresses(to, i)
			c.write(&wt, to, l, 1, uint64(buf[i]))
		}
		c.mask = whole
	}
}
