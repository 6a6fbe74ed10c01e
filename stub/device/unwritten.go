package device

import "simtgdb/simt/check"

// What has been written of memory that was allocated, over all launches, copies and fills.

// mostUnwritten is how large an allocation may be of which it is kept what has been written: that takes a
// quarter of it.
const mostUnwritten = 256 << 20

// Unwritten has a checker of the launch look for reads of memory that neither a launch nor the host has
// written to since it was allocated.
func (l *Launch) Unwritten(c *check.Checker) {
	if c == nil {
		return
	}
	c.NoContents = "Neither a kernel nor the host has written to it since it was allocated."
	if l.again {
		for base, w := range l.unwritten {
			if r := l.Device.mem.Find(base); r != nil {
				own, _ := w.Copy(nil)
				c.BlankBut(r, own)
			}
		}
		return
	}
	for _, b := range l.Device.given {
		if b.written != nil && b.region != nil {
			c.BlankBut(b.region, b.written)
		}
	}
}

// keepUnwritten keeps for the past what had been written before the launch. The launch before, which may be
// nil, has kept the same of what has not changed since.
func (l *Launch) keepUnwritten(before *Launch) {
	l.unwritten = map[uint64]*check.Written{}
	for _, b := range l.Device.given {
		if b.written == nil {
			continue
		}
		var was *check.Written
		if before != nil {
			was = before.unwritten[b.base]
		}
		kept, own := b.written.Copy(was)
		l.unwritten[b.base] = kept
		l.marks += uint64(own)
	}
}

// wrote takes over what a launch has written. Where that was not followed all counts as written.
func (l *Launch) wrote() {
	if !l.Device.options.Unwritten || l.Program == nil {
		return
	}
	c := l.Program.Checker()
	for _, b := range l.Device.given {
		if b.written == nil {
			continue
		}
		if b.written = nil; c != nil {
			b.written = c.Written(b.region)
		}
	}
}

// written notes that the host has written to memory.
func (d *Device) written(addr, size uint64) {
	if b := d.heap.find(addr); b != nil && b.written != nil {
		off := addr - b.base
		if size = min(size, b.asked-min(off, b.asked)); size == b.asked {
			b.written = nil
		} else if size > 0 {
			b.written.Write(off, size)
		}
	}
}
