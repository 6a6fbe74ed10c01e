package ptx

import (
	"encoding/binary"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// frameAccess prepares an access to one place of the frame in all lanes. It reports whether it may be.
func (c *Core) frameAccess(in *inst, addr uint64, mask uint32, need simt.Perm) bool {
	size := uint64(in.size) * uint64(in.elements)
	if end := addr + size; end < addr || end > uint64(len(c.w.Scratch))/warpSize || addr&(size-1) != 0 ||
		c.want.Touched(simt.Scratch, need&simt.PermWrite != 0, addr, end) {
		for m := mask; m != 0; m &= m - 1 {
			c.access.addr[first(m)] = addr
		}
		c.access.bad.Lanes = 0
		if addr&(size-1) != 0 {
			c.misaligned(Local, mask, int(size))
		}
		c.check(Local, mask, addr, addr, need, size)
		return c.allowed(in, Local, mask, need, int(size), addr, addr)
	}
	return true
}

// loadFrame loads from one place of the frame in all lanes: dwords of the lanes lie side by side.
func (c *Core) loadFrame(in *inst, addr uint64, mask uint32) {
	if !c.frameAccess(in, addr, mask, simt.PermRead) {
		return
	}
	for e := range int(in.elements) {
		if in.regs[e] < 0 {
			continue
		}
		d := &c.act.r[in.regs[e]]
		at := addr + uint64(e)*uint64(in.size)
		side := c.w.Scratch[at/4*4*warpSize:]
		if in.size >= 4 {
			vec.LoadRow(d, side, in.upperHalf(side), mask)
			if !in.signed {
				continue
			}
		}
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			switch v := side[uint64(l)*4+at&3:]; in.size {
			case 1:
				d[l] = in.extend(uint64(v[0]))
			case 2:
				d[l] = in.extend(uint64(binary.LittleEndian.Uint16(v)))
			default:
				d[l] = in.extend(d[l])
			}
		}
	}
}

// upperHalf is where the upper halves of numbers of 8 bytes lie, nil for numbers of 4.
func (in *inst) upperHalf(side []byte) []byte {
	if in.size == 4 {
		return nil
	}
	return side[4*warpSize:]
}

// extend makes a loaded value that of a wider register.
func (in *inst) extend(v uint64) uint64 {
	if !in.signed {
		return v
	}
	n := 64 - 8*uint(in.size)
	return uint64(int64(v<<n)>>n) & in.imm
}

func (c *Core) storeFrame(in *inst, addr uint64, mask uint32) {
	if !c.frameAccess(in, addr, mask, simt.PermWrite) {
		return
	}
	for e := range int(in.elements) {
		v := c.element(in, e)
		at := addr + uint64(e)*uint64(in.size)
		side := c.w.Scratch[at/4*4*warpSize:]
		if in.size >= 4 {
			vec.StoreRow(v, side, in.upperHalf(side), mask)
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			putWord(side[uint64(l)*4+at&3:], int(in.size), v[l])
		}
	}
}

// copyLocal copies bytes of private memory in the lanes of a mask.
func (c *Core) copyLocal(to, from, size uint64, mask uint32) {
	c.w.GrowScratch((max(to, from) + size + 3) / 4 * 4 * warpSize)
	if c.m.Ordered() && size > 0 {
		c.tellCopied(to, from, size, mask)
		c.copied(to, from, size, mask)
	}
	mem := c.w.Scratch
	for size >= 4 && (to|from)&3 == 0 {
		d, s := mem[to*warpSize:], mem[from*warpSize:]
		if mask == fullMask {
			copy(d[:4*warpSize], s)
		} else {
			for m := mask; m != 0; m &= m - 1 {
				l := first(m) * 4
				copy(d[l:l+4], s[l:l+4])
			}
		}
		to, from, size = to+4, from+4, size-4
	}
	for ; size > 0; to, from, size = to+1, from+1, size-1 {
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			c.storeLocal(l, to, 1, c.loadLocal(l, from, 1))
		}
	}
}

// knownFrame says that a register has the address of a byte of the frame, generic or in local memory.
type knownFrame struct {
	off     uint64
	generic bool
}

// frameRegister reports what a register is known to be because its function writes it once, from an
// address of the frame: that is how compilers make %SP and %SPL.
func (b *builder) frameRegister(o *Operand) (knownFrame, bool) {
	if o.Kind != Reg {
		return knownFrame{}, false
	}
	k, ok := b.fn.known()[o.Reg]
	return k, ok
}

// known finds the registers that frameRegister is about.
func (fn *function) known() map[int]knownFrame {
	if fn.frameRegs != nil {
		return fn.frameRegs
	}
	writes := fn.written()
	fn.frameRegs = map[int]knownFrame{}
	for i := range fn.body {
		in := &fn.body[i]
		if len(in.Args) < 2 || in.Guard >= 0 || in.Args[0].Kind != Reg || writes[in.Args[0].Reg] != 1 {
			continue
		}
		if k, ok := fn.frameValue(in); ok {
			fn.frameRegs[in.Args[0].Reg] = k
		}
	}
	return fn.frameRegs
}

// written counts the statements that write each register.
func (fn *function) written() map[int]int {
	writes := map[int]int{}
	for i := range fn.body {
		in := &fn.body[i]
		if len(in.Args) == 0 {
			continue
		}
		written := []Operand{in.Args[0]}
		if in.Args[0].Kind == Vector {
			written = in.Args[0].List
		}
		for _, o := range written {
			if o.Kind == Reg {
				writes[o.Reg]++
			}
		}
	}
	return writes
}

// frameValue is the address of the frame that a statement computes.
func (fn *function) frameValue(in *Inst) (knownFrame, bool) {
	from := in.Args[1]
	k, ok := fn.frameRegs[from.Reg]
	ok = ok && from.Kind == Reg
	if from.Kind == FrameAddr {
		k, ok = knownFrame{off: from.Value}, true
	}
	switch in.Op {
	case "mov.b64", "mov.u64":
		return k, ok
	case "cvta.local.u64":
		return knownFrame{k.off, true}, ok && !k.generic
	case "cvta.to.local.u64":
		return knownFrame{k.off, false}, ok && k.generic
	case "add.u64", "add.s64":
		if !ok || len(in.Args) != 3 || in.Args[2].Kind != Int {
			return knownFrame{}, false
		}
		return knownFrame{k.off + in.Args[2].Value, k.generic}, true
	}
	return knownFrame{}, false
}
