package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// Scalar memory rows: source 0 is the base (an address, or a buffer
// descriptor), source 1 the data of a store.
var _ = register(smemRows)

func smemRows() []Op {
	return []Op{
		{Enc: SMEM, Code: 0x00, Name: "s_load_dword", dst: b32, src: srcs(b64), run: scalarLoad},
		{Enc: SMEM, Code: 0x01, Name: "s_load_dwordx2", dst: b64, src: srcs(b64), run: scalarLoad},
		{Enc: SMEM, Code: 0x02, Name: "s_load_dwordx4", dst: b128, src: srcs(b64), run: scalarLoad},
		{Enc: SMEM, Code: 0x03, Name: "s_load_dwordx8", dst: b256, src: srcs(b64), run: scalarLoad},
		{Enc: SMEM, Code: 0x04, Name: "s_load_dwordx16", dst: b512, src: srcs(b64), run: scalarLoad},
		{Enc: SMEM, Code: 0x05, Name: "s_scratch_load_dword", dst: b32, src: srcs(b64)},
		{Enc: SMEM, Code: 0x06, Name: "s_scratch_load_dwordx2", dst: b64, src: srcs(b64)},
		{Enc: SMEM, Code: 0x07, Name: "s_scratch_load_dwordx4", dst: b128, src: srcs(b64)},
		{Enc: SMEM, Code: 0x08, Name: "s_buffer_load_dword", dst: b32, src: srcs(b128), run: scalarLoad},
		{Enc: SMEM, Code: 0x09, Name: "s_buffer_load_dwordx2", dst: b64, src: srcs(b128), run: scalarLoad},
		{Enc: SMEM, Code: 0x0a, Name: "s_buffer_load_dwordx4", dst: b128, src: srcs(b128), run: scalarLoad},
		{Enc: SMEM, Code: 0x0b, Name: "s_buffer_load_dwordx8", dst: b256, src: srcs(b128), run: scalarLoad},
		{Enc: SMEM, Code: 0x0c, Name: "s_buffer_load_dwordx16", dst: b512, src: srcs(b128), run: scalarLoad},
		{Enc: SMEM, Code: 0x10, Name: "s_store_dword", src: srcs(b64, b32), run: scalarStore},
		{Enc: SMEM, Code: 0x11, Name: "s_store_dwordx2", src: srcs(b64, b64), run: scalarStore},
		{Enc: SMEM, Code: 0x12, Name: "s_store_dwordx4", src: srcs(b64, b128), run: scalarStore},
		{Enc: SMEM, Code: 0x15, Name: "s_scratch_store_dword", src: srcs(b64, b32)},
		{Enc: SMEM, Code: 0x16, Name: "s_scratch_store_dwordx2", src: srcs(b64, b64)},
		{Enc: SMEM, Code: 0x17, Name: "s_scratch_store_dwordx4", src: srcs(b64, b128)},
		{Enc: SMEM, Code: 0x18, Name: "s_buffer_store_dword", src: srcs(b128, b32), run: scalarStore},
		{Enc: SMEM, Code: 0x19, Name: "s_buffer_store_dwordx2", src: srcs(b128, b64), run: scalarStore},
		{Enc: SMEM, Code: 0x1a, Name: "s_buffer_store_dwordx4", src: srcs(b128, b128), run: scalarStore},
		{Enc: SMEM, Code: 0x20, Name: "s_dcache_inv", run: noop},
		{Enc: SMEM, Code: 0x21, Name: "s_dcache_wb", run: noop},
		{Enc: SMEM, Code: 0x22, Name: "s_dcache_inv_vol", run: noop},
		{Enc: SMEM, Code: 0x23, Name: "s_dcache_wb_vol", run: noop},
		{Enc: SMEM, Code: 0x24, Name: "s_memtime", dst: b64, run: readClock},
		{Enc: SMEM, Code: 0x25, Name: "s_memrealtime", dst: b64, run: readClock},
		{Enc: SMEM, Code: 0x26, Name: "s_atc_probe", src: srcs(b64), imm: numberImm, run: noop},
		{Enc: SMEM, Code: 0x27, Name: "s_atc_probe_buffer", src: srcs(b128), imm: numberImm, run: noop},
		{Enc: SMEM, Code: 0x28, Name: "s_dcache_discard", src: srcs(b64), run: noop},
		{Enc: SMEM, Code: 0x29, Name: "s_dcache_discard_x2", src: srcs(b64), run: noop},
	}
}

var _ = register(scalarAtomics)

// scalarAtomicOps are the scalar atomic operations in the order of their codes.
var scalarAtomicOps = []struct {
	name string
	op32 func(old, a, b uint32) uint32
	op64 func(old, a, b uint64) uint64
}{
	{"swap", swap[uint32], swap[uint64]}, {"cmpswap", swapIf[uint32], swapIf[uint64]},
	{"add", add[uint32], add[uint64]}, {"sub", sub[uint32], sub[uint64]},
	{"smin", smin32, smin64}, {"umin", umin[uint32], umin[uint64]},
	{"smax", smax32, smax64}, {"umax", umax[uint32], umax[uint64]},
	{"and", and[uint32], and[uint64]}, {"or", or[uint32], or[uint64]}, {"xor", xor[uint32], xor[uint64]},
	{"inc", inc[uint32], inc[uint64]}, {"dec", dec[uint32], dec[uint64]},
}

func scalarAtomics() []Op {
	var rows []Op
	for i, o := range scalarAtomicOps {
		data, wide := b32, b64
		if o.name == "cmpswap" {
			data, wide = b64, b128
		}
		narrow := scalarAtomic(4, func(old, a, b uint64) uint64 {
			return uint64(o.op32(uint32(old), uint32(a), uint32(b)))
		})
		twice := scalarAtomic(8, o.op64)
		code := uint16(i)
		rows = append(rows,
			Op{Enc: SMEM, Code: 0x40 + code, Name: "s_buffer_atomic_" + o.name, src: srcs(b128, data),
				run: narrow},
			Op{Enc: SMEM, Code: 0x60 + code, Name: "s_buffer_atomic_" + o.name + "_x2", src: srcs(b128, wide),
				run: twice},
			Op{Enc: SMEM, Code: 0x80 + code, Name: "s_atomic_" + o.name, src: srcs(b64, data), run: narrow},
			Op{Enc: SMEM, Code: 0xa0 + code, Name: "s_atomic_" + o.name + "_x2", src: srcs(b64, wide),
				run: twice})
	}
	return rows
}

// scalarAtomic executes an atomic operation on size bytes, whose data are
// scalar registers. With GLC the old value takes the place of the data. One
// that lies outside of its buffer does nothing but that, with 0.
func scalarAtomic(size int, f func(old, a, b uint64) uint64) func(*Core, *Inst) {
	a := &access{size: size, write: true, atomic: true}
	return func(c *Core, in *Inst) {
		addr, inside := c.scalarAddress(in, size)
		data, n := c.r.S[in.src[1].reg:], size/4
		old := uint64(0)
		if inside {
			r := c.scalarRegion(in, addr, size, a.perm())
			if r == nil {
				return
			}
			if addr%uint64(size) != 0 {
				c.fault(simt.Fault{Kind: simt.Misaligned, Space: simt.Global, Lanes: c.w.Exec, Addr: addr,
					Size: size, Write: true, Text: in.String()})
				return
			}
			if c.observed {
				c.observeScalar(in, a, addr)
			}
			if c.m.Concurrent {
				c.m.Shared.Lock()
				defer c.m.Shared.Unlock()
			}
			mem := r.Data[addr-r.Base:]
			value := func(s []uint32) uint64 {
				v := uint64(s[0])
				if n == 2 {
					v |= uint64(s[1]) << 32
				}
				return v
			}
			b := uint64(0)
			if typDwords[in.src[1].typ] > n {
				b = value(data[n:])
			}
			a := value(data)
			old = simt.ChangeWord(mem[:size], func(old uint64) uint64 { return f(old, a, b) })
		}
		if in.mem.glc {
			data[0] = uint32(old)
			if n == 2 {
				data[1] = uint32(old >> 32)
			}
		}
	}
}

// scalarAddress is the address of a scalar access (MI200 ISA, section "Scalar
// memory addressing"): its two low bits do not count. inside is false for an
// access past the end of a buffer.
func (c *Core) scalarAddress(in *Inst, size int) (addr uint64, inside bool) {
	addr, inside = c.scalarPlace(in, size)
	return addr &^ 3, inside
}

// scalarPlace is scalarAddress for accesses to bytes and halves of dwords.
func (c *Core) scalarPlace(in *Inst, size int) (addr uint64, inside bool) {
	offset := int64(0)
	m := &in.mem
	if m.soffset.kind == noOperand || m.immOffset {
		offset = int64(in.simm)
	}
	if m.soffset.kind != noOperand {
		by := int64(c.s32(&m.soffset))
		if m.scaled {
			by *= int64(size)
		}
		offset += by
	}
	if in.src[0].typ != b128 {
		return c.s64(&in.src[0]) + uint64(offset), true
	}
	b := c.descriptor(&in.src[0])
	limit := uint64(b.records)
	if b.stride != 0 {
		limit *= uint64(b.stride)
	}
	if size >= 4 {
		offset &^= 3
	}
	return b.base + uint64(offset), offset >= 0 && uint64(offset)+uint64(size) <= limit
}

// scalarRegion is the region of a scalar access, or nil after a fault.
func (c *Core) scalarRegion(in *Inst, addr uint64, size int, need simt.Perm) *simt.Region {
	r := c.region
	if r == nil || !r.Holds(addr, uint64(size)) {
		r = c.mem.Find(addr)
	}
	kind := simt.Unmapped
	if r != nil && r.Holds(addr, uint64(size)) {
		if r.Perm&need == need {
			return r
		}
		kind = simt.Forbidden
	}
	c.fault(simt.Fault{Kind: kind, Space: simt.Global, Lanes: c.w.Exec, Addr: addr, Size: size,
		Write: need&simt.PermWrite != 0, Text: in.String()})
	return nil
}

func scalarLoad(c *Core, in *Inst) {
	n := typDwords[in.dst.typ]
	addr, inside := c.scalarAddress(in, 4*n)
	dst := c.r.S[in.dst.reg:][:n]
	if !inside {
		clear(dst)
		return
	}
	r := c.scalarRegion(in, addr, 4*n, simt.PermRead)
	if r == nil {
		return
	}
	if c.wanted.loads {
		c.observeScalar(in, &access{size: 4 * n}, addr)
	}
	data := r.Data[addr-r.Base:]
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
}

func scalarStore(c *Core, in *Inst) {
	n := typDwords[in.src[1].typ]
	addr, inside := c.scalarAddress(in, 4*n)
	if !inside {
		return
	}
	r := c.scalarRegion(in, addr, 4*n, simt.PermWrite)
	if r == nil {
		return
	}
	if c.observed {
		c.observeScalar(in, &access{size: 4 * n, write: true}, addr)
	}
	data := r.Data[addr-r.Base:]
	for i, v := range c.r.S[in.src[1].reg:][:n] {
		binary.LittleEndian.PutUint32(data[4*i:], v)
	}
}

// observeScalar tells of a scalar access as one of the lowest active lane, of
// the first if none is active.
func (c *Core) observeScalar(in *Inst, a *access, addr uint64) {
	lanes := c.w.Exec
	if lanes == 0 {
		lanes = c.w.Valid
	}
	lanes &= -lanes
	c.addr[bits.TrailingZeros64(lanes)&63] = addr
	c.observe(in, a, simt.Global, lanes)
}

// readClock: time is the number of instructions that the wave has executed,
// so that a run can be repeated.
func readClock(c *Core, in *Inst) {
	setPair(c.r, uint8(in.dst.reg), c.executed(in))
}
