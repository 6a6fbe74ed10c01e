package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// Scalar memory rows: source 0 is the base (an address, or a buffer
// descriptor), source 1 the data of a store.
var _ = register([]Op{
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
})

// The scalar atomics, which compilers do not emit: names only.
var _ = register(scalarAtomics())

func scalarAtomics() []Op {
	var rows []Op
	for i, name := range []string{"swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax",
		"and", "or", "xor", "inc", "dec"} {
		data, wide := b32, b64
		if name == "cmpswap" {
			data, wide = b64, b128
		}
		code := uint16(i)
		rows = append(rows,
			Op{Enc: SMEM, Code: 0x40 + code, Name: "s_buffer_atomic_" + name, src: srcs(b128, data)},
			Op{Enc: SMEM, Code: 0x60 + code, Name: "s_buffer_atomic_" + name + "_x2", src: srcs(b128, wide)},
			Op{Enc: SMEM, Code: 0x80 + code, Name: "s_atomic_" + name, src: srcs(b64, data)},
			Op{Enc: SMEM, Code: 0xa0 + code, Name: "s_atomic_" + name + "_x2", src: srcs(b64, wide)})
	}
	return rows
}

// scalarAddress is the address of a scalar access (MI200 ISA, section "Scalar
// memory addressing"): its two low bits do not count. inside is false for an
// access past the end of a buffer.
func (c *Core) scalarAddress(in *Inst, size int) (addr uint64, inside bool) {
	offset := int64(0)
	m := &in.mem
	if m.soffset.kind == noOperand || m.immOffset {
		offset = int64(in.simm)
	}
	if m.soffset.kind != noOperand {
		offset += int64(c.s32(&m.soffset))
	}
	if in.src[0].typ != b128 {
		return (c.s64(&in.src[0]) + uint64(offset)) &^ 3, true
	}
	b := c.descriptor(&in.src[0])
	limit := uint64(b.records)
	if b.stride != 0 {
		limit *= uint64(b.stride)
	}
	offset &^= 3
	return (b.base + uint64(offset)) &^ 3, offset >= 0 && uint64(offset)+uint64(size) <= limit
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
	if c.observed {
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
