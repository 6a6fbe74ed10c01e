package gcn

// Data-share rows: source 0 is the address, 1 and 2 the data.
var _ = register(dsRows)

func dsRows() []Op {
	return []Op{
		{Enc: DS, Code: 0x0d, Name: "ds_write_b32", src: srcs(b32, b32), mem: store32},
		{Enc: DS, Code: 0x0e, Name: "ds_write2_b32", src: srcs(b32, b32, b32), mem: twice(store32, 1)},
		{Enc: DS, Code: 0x0f, Name: "ds_write2st64_b32", src: srcs(b32, b32, b32), mem: twice(store32, 64)},
		{Enc: DS, Code: 0x14, Name: "ds_nop", run: noop},
		{Enc: DS, Code: 0x1d, Name: "ds_write_addtid_b32", src: srcs(none, b32), flag: readsM0,
			run: runAddTID(store32)},
		{Enc: DS, Code: 0x1e, Name: "ds_write_b8", src: srcs(b32, b32), mem: store8},
		{Enc: DS, Code: 0x1f, Name: "ds_write_b16", src: srcs(b32, b32), mem: store16},
		{Enc: DS, Code: 0x2e, Name: "ds_wrxchg2_rtn_b32", dst: b64, src: srcs(b32, b32, b32),
			mem: twice(atomicSwap, 1)},
		{Enc: DS, Code: 0x2f, Name: "ds_wrxchg2st64_rtn_b32", dst: b64, src: srcs(b32, b32, b32),
			mem: twice(atomicSwap, 64)},
		{Enc: DS, Code: 0x34, Name: "ds_wrap_rtn_b32", dst: b32, src: srcs(b32, b32, b32),
			mem: atomic32(wrapSub)},
		{Enc: DS, Code: 0x36, Name: "ds_read_b32", dst: b32, src: srcs(b32), mem: load32},
		{Enc: DS, Code: 0x37, Name: "ds_read2_b32", dst: b64, src: srcs(b32), mem: twice(load32, 1)},
		{Enc: DS, Code: 0x38, Name: "ds_read2st64_b32", dst: b64, src: srcs(b32), mem: twice(load32, 64)},
		{Enc: DS, Code: 0x39, Name: "ds_read_i8", dst: b32, src: srcs(b32), mem: loadI8},
		{Enc: DS, Code: 0x3a, Name: "ds_read_u8", dst: b32, src: srcs(b32), mem: loadU8},
		{Enc: DS, Code: 0x3b, Name: "ds_read_i16", dst: b32, src: srcs(b32), mem: loadI16},
		{Enc: DS, Code: 0x3c, Name: "ds_read_u16", dst: b32, src: srcs(b32), mem: loadU16},
		{Enc: DS, Code: 0x3d, Name: "ds_swizzle_b32", dst: b32, src: srcs(b32), flag: swizzles,
			run: runSwizzle},
		{Enc: DS, Code: 0x3e, Name: "ds_permute_b32", dst: b32, src: srcs(b32, b32), run: runPermute},
		{Enc: DS, Code: 0x3f, Name: "ds_bpermute_b32", dst: b32, src: srcs(b32, b32), run: runBackPermute},
		{Enc: DS, Code: 0x4d, Name: "ds_write_b64", src: srcs(b32, b64), mem: store64},
		{Enc: DS, Code: 0x4e, Name: "ds_write2_b64", src: srcs(b32, b64, b64), mem: twice(store64, 1)},
		{Enc: DS, Code: 0x4f, Name: "ds_write2st64_b64", src: srcs(b32, b64, b64), mem: twice(store64, 64)},
		{Enc: DS, Code: 0x54, Name: "ds_write_b8_d16_hi", src: srcs(b32, b32), mem: store8High},
		{Enc: DS, Code: 0x55, Name: "ds_write_b16_d16_hi", src: srcs(b32, b32), mem: store16High},
		{Enc: DS, Code: 0x56, Name: "ds_read_u8_d16", dst: b32, src: srcs(b32), mem: loadU8Low},
		{Enc: DS, Code: 0x57, Name: "ds_read_u8_d16_hi", dst: b32, src: srcs(b32), mem: loadU8High},
		{Enc: DS, Code: 0x58, Name: "ds_read_i8_d16", dst: b32, src: srcs(b32), mem: loadI8Low},
		{Enc: DS, Code: 0x59, Name: "ds_read_i8_d16_hi", dst: b32, src: srcs(b32), mem: loadI8High},
		{Enc: DS, Code: 0x5a, Name: "ds_read_u16_d16", dst: b32, src: srcs(b32), mem: loadLow16},
		{Enc: DS, Code: 0x5b, Name: "ds_read_u16_d16_hi", dst: b32, src: srcs(b32), mem: loadHigh16},
		{Enc: DS, Code: 0x6e, Name: "ds_wrxchg2_rtn_b64", dst: b128, src: srcs(b32, b64, b64),
			mem: twice(atomicSwap64, 1)},
		{Enc: DS, Code: 0x6f, Name: "ds_wrxchg2st64_rtn_b64", dst: b128, src: srcs(b32, b64, b64),
			mem: twice(atomicSwap64, 64)},
		{Enc: DS, Code: 0x76, Name: "ds_read_b64", dst: b64, src: srcs(b32), mem: load64},
		{Enc: DS, Code: 0x77, Name: "ds_read2_b64", dst: b128, src: srcs(b32), mem: twice(load64, 1)},
		{Enc: DS, Code: 0x78, Name: "ds_read2st64_b64", dst: b128, src: srcs(b32), mem: twice(load64, 64)},
		{Enc: DS, Code: 0x7e, Name: "ds_condxchg32_rtn_b64", dst: b64, src: srcs(b32, b64)},
		{Enc: DS, Code: 0x98, Name: "ds_gws_sema_release_all", flag: gdsOnly | ends | readsM0,
			run: runGWS(gwsReleaseAll)},
		{Enc: DS, Code: 0x99, Name: "ds_gws_init", src: srcs(b32), flag: gdsOnly | ends | readsM0,
			run: runGWS(gwsInit)},
		{Enc: DS, Code: 0x9a, Name: "ds_gws_sema_v", flag: gdsOnly | ends | readsM0, run: runGWS(gwsV)},
		{Enc: DS, Code: 0x9b, Name: "ds_gws_sema_br", src: srcs(b32), flag: gdsOnly | ends | readsM0,
			run: runGWS(gwsBr)},
		{Enc: DS, Code: 0x9c, Name: "ds_gws_sema_p", flag: gdsOnly | ends | readsM0, run: runGWS(gwsP)},
		{Enc: DS, Code: 0x9d, Name: "ds_gws_barrier", src: srcs(b32), flag: gdsOnly | ends | readsM0,
			run: runGWS(gwsBarrier)},
		{Enc: DS, Code: 0xb6, Name: "ds_read_addtid_b32", dst: b32, flag: readsM0, run: runAddTID(load32)},
		{Enc: DS, Code: 0xbd, Name: "ds_consume", dst: b32, run: runCount(^uint32(0))},
		{Enc: DS, Code: 0xbe, Name: "ds_append", dst: b32, run: runCount(1)},
		{Enc: DS, Code: 0xbf, Name: "ds_ordered_count", dst: b32, src: srcs(b32), flag: gdsOnly | readsM0,
			on: graphics},
		{Enc: DS, Code: 0xde, Name: "ds_write_b96", src: srcs(b32, b96), mem: store96},
		{Enc: DS, Code: 0xdf, Name: "ds_write_b128", src: srcs(b32, b128), mem: store128},
		{Enc: DS, Code: 0xfe, Name: "ds_read_b96", dst: b96, src: srcs(b32), mem: load96},
		{Enc: DS, Code: 0xff, Name: "ds_read_b128", dst: b128, src: srcs(b32), mem: load128},
	}
}

// twice makes an access go to two places, whose offsets count in units of so
// many items.
func twice(a *access, unit int) *access {
	b := *a
	b.places = unit
	return &b
}

// A dsAtomic is an atomic operation of the data share, which has forms with
// and without the old value as its result, and on gfx900 one whose data comes
// from LDS itself (src2).
type dsAtomic struct {
	plain, rtn, src2 uint16 // opcodes; noPlain, or 0 for the others, if there is no such form
	op, typ          string // "add", "u32"
	data             typ
	two              bool // has a second data
	mem              *access
	on               Target
}

const noPlain = 0xffff

var dsAtomics = []dsAtomic{
	{plain: 0x00, rtn: 0x20, src2: 0x80, op: "add", typ: "u32", data: u32, mem: atomicAdd},
	{plain: 0x01, rtn: 0x21, src2: 0x81, op: "sub", typ: "u32", data: u32, mem: atomicSub},
	{plain: 0x02, rtn: 0x22, src2: 0x82, op: "rsub", typ: "u32", data: u32, mem: atomic32(rsub[uint32])},
	{plain: 0x03, rtn: 0x23, src2: 0x83, op: "inc", typ: "u32", data: u32, mem: atomicInc},
	{plain: 0x04, rtn: 0x24, src2: 0x84, op: "dec", typ: "u32", data: u32, mem: atomicDec},
	{plain: 0x05, rtn: 0x25, src2: 0x85, op: "min", typ: "i32", data: i32, mem: atomicSMin},
	{plain: 0x06, rtn: 0x26, src2: 0x86, op: "max", typ: "i32", data: i32, mem: atomicSMax},
	{plain: 0x07, rtn: 0x27, src2: 0x87, op: "min", typ: "u32", data: u32, mem: atomicUMin},
	{plain: 0x08, rtn: 0x28, src2: 0x88, op: "max", typ: "u32", data: u32, mem: atomicUMax},
	{plain: 0x09, rtn: 0x29, src2: 0x89, op: "and", typ: "b32", data: b32, mem: atomicAnd},
	{plain: 0x0a, rtn: 0x2a, src2: 0x8a, op: "or", typ: "b32", data: b32, mem: atomicOr},
	{plain: 0x0b, rtn: 0x2b, src2: 0x8b, op: "xor", typ: "b32", data: b32, mem: atomicXor},
	{plain: 0x0c, rtn: 0x2c, op: "mskor", typ: "b32", data: b32, two: true, mem: atomic32(maskOr[uint32])},
	{plain: noPlain, rtn: 0x2d, op: "wrxchg", typ: "b32", data: b32, mem: atomicSwap},
	{plain: noPlain, src2: 0x8d, op: "write", typ: "b32", data: b32},
	{plain: 0x10, rtn: 0x30, op: "cmpst", typ: "b32", data: b32, two: true, mem: atomic32(ifSwap[uint32])},
	{plain: 0x11, rtn: 0x31, op: "cmpst", typ: "f32", data: f32, two: true, mem: atomic32(ifSwapF32)},
	{plain: 0x12, rtn: 0x32, src2: 0x92, op: "min", typ: "f32", data: f32, mem: atomicMinF32},
	{plain: 0x13, rtn: 0x33, src2: 0x93, op: "max", typ: "f32", data: f32, mem: atomicMaxF32},
	{plain: 0x15, rtn: 0x35, src2: 0x95, op: "add", typ: "f32", data: f32, mem: atomicAddF32},
	{plain: 0x17, rtn: 0xb7, op: "pk_add", typ: "f16", data: v2f16, mem: atomicAddH, on: gfx942P},
	{plain: 0x18, rtn: 0xb8, op: "pk_add", typ: "bf16", data: b32, mem: atomicAddB, on: gfx942P},
	{plain: 0x40, rtn: 0x60, src2: 0xc0, op: "add", typ: "u64", data: u64, mem: atomicAdd64},
	{plain: 0x41, rtn: 0x61, src2: 0xc1, op: "sub", typ: "u64", data: u64, mem: atomicSub64},
	{plain: 0x42, rtn: 0x62, src2: 0xc2, op: "rsub", typ: "u64", data: u64, mem: atomic64(rsub[uint64])},
	{plain: 0x43, rtn: 0x63, src2: 0xc3, op: "inc", typ: "u64", data: u64, mem: atomicInc64},
	{plain: 0x44, rtn: 0x64, src2: 0xc4, op: "dec", typ: "u64", data: u64, mem: atomicDec64},
	{plain: 0x45, rtn: 0x65, src2: 0xc5, op: "min", typ: "i64", data: i64, mem: atomicSMin64},
	{plain: 0x46, rtn: 0x66, src2: 0xc6, op: "max", typ: "i64", data: i64, mem: atomicSMax64},
	{plain: 0x47, rtn: 0x67, src2: 0xc7, op: "min", typ: "u64", data: u64, mem: atomicUMin64},
	{plain: 0x48, rtn: 0x68, src2: 0xc8, op: "max", typ: "u64", data: u64, mem: atomicUMax64},
	{plain: 0x49, rtn: 0x69, src2: 0xc9, op: "and", typ: "b64", data: b64, mem: atomicAnd64},
	{plain: 0x4a, rtn: 0x6a, src2: 0xca, op: "or", typ: "b64", data: b64, mem: atomicOr64},
	{plain: 0x4b, rtn: 0x6b, src2: 0xcb, op: "xor", typ: "b64", data: b64, mem: atomicXor64},
	{plain: 0x4c, rtn: 0x6c, op: "mskor", typ: "b64", data: b64, two: true, mem: atomic64(maskOr[uint64])},
	{plain: noPlain, rtn: 0x6d, op: "wrxchg", typ: "b64", data: b64, mem: atomicSwap64},
	{plain: noPlain, src2: 0xcd, op: "write", typ: "b64", data: b64},
	{plain: 0x50, rtn: 0x70, op: "cmpst", typ: "b64", data: b64, two: true, mem: atomic64(ifSwap[uint64])},
	{plain: 0x51, rtn: 0x71, op: "cmpst", typ: "f64", data: f64, two: true, mem: atomic64(ifSwapF64)},
	{plain: 0x52, rtn: 0x72, src2: 0xd2, op: "min", typ: "f64", data: f64, mem: atomicMinF64},
	{plain: 0x53, rtn: 0x73, src2: 0xd3, op: "max", typ: "f64", data: f64, mem: atomicMaxF64},
	{plain: 0x5c, rtn: 0x7c, op: "add", typ: "f64", data: f64, mem: atomicAddF64, on: gfx90aP},
}

func dsAtomicOps() []Op {
	ops := make([]Op, 0, 3*len(dsAtomics))
	for _, r := range dsAtomics {
		op := Op{Enc: DS, on: r.on, mem: r.mem, src: srcs(b32, r.data)}
		if r.two {
			op.src[2] = r.data
		}
		if r.plain != noPlain {
			plain := op
			plain.Code, plain.Name = r.plain, "ds_"+r.op+"_"+r.typ
			ops = append(ops, plain)
		}
		if r.rtn != 0 {
			rtn := op
			rtn.Code, rtn.Name, rtn.dst = r.rtn, "ds_"+r.op+"_rtn_"+r.typ, r.data
			ops = append(ops, rtn)
		}
		if r.src2 != 0 {
			ops = append(ops, Op{Enc: DS, Code: r.src2, Name: "ds_" + r.op + "_src2_" + r.typ, src: srcs(b32),
				on: graphics})
		}
	}
	return ops
}

var _ = register(dsAtomicOps)
