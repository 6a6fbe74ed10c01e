package gcn

import (
	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// Vector instructions that are one operation of package vec, on registers and
// constants as they are: without modifiers but the signs of 32-bit floats and parts of sources. The
// operation writes the lanes of EXEC itself. Everything else, and these where
// MODE asks for something else, goes by the functions of their rows.

// A fastRow is what makes a row one operation.
type fastRow struct {
	op         vec.Op
	mode, want uint32 // the bits of MODE that matter, and what they must be
	swap       bool   // the first two sources are exchanged
	invert     bool   // the mask result is the opposite
	noIn       bool   // the mask source is 0
}

// What operations want of MODE.
const (
	plainBits32 = ModeRound32 | ModeDenorm32
	plainBits64 = ModeRound64 | ModeDenorm64
)

func single32(op vec.Op) fastRow  { return fastRow{op: op, mode: plainBits32, want: ModeDenorm32} }
func double64(op vec.Op) fastRow  { return fastRow{op: op, mode: plainBits64, want: ModeDenorm64} }
func rounded32(op vec.Op) fastRow { return fastRow{op: op, mode: ModeRound32} }
func swapped(f fastRow) fastRow   { f.swap = true; return f }

// fastRows are those there are, by the names of rows.
var fastRows = fastTable()

func fastTable() map[string]fastRow {
	rows := map[string]fastRow{
		"v_add_co_u32": {op: vec.AddCarry, noIn: true}, "v_sub_co_u32": {op: vec.SubBorrow, noIn: true},
		"v_subrev_co_u32": {op: vec.SubBorrow, noIn: true, swap: true},
		"v_addc_co_u32":   {op: vec.AddCarry}, "v_subb_co_u32": {op: vec.SubBorrow},
		"v_subbrev_co_u32": {op: vec.SubBorrow, swap: true}, "v_cndmask_b32": {op: vec.Select},
		"v_subrev_u32": {op: vec.Sub, swap: true}, "v_subrev_f32": swapped(single32(vec.SubF32)),
	}
	for name, op := range map[string]vec.Op{
		"v_mov_b32": vec.Mov, "v_not_b32": vec.Not, "v_add_u32": vec.Add, "v_add_i32": vec.Add,
		"v_sub_u32": vec.Sub, "v_sub_i32": vec.Sub, "v_and_b32": vec.And, "v_or_b32": vec.Or,
		"v_xor_b32": vec.Xor, "v_xnor_b32": vec.Xnor, "v_lshlrev_b32": vec.ShlRev,
		"v_lshrrev_b32": vec.ShrRev, "v_ashrrev_i32": vec.SarRev,
		"v_mul_lo_u32": vec.Mul, "v_mul_hi_u32": vec.MulHiU, "v_mul_hi_i32": vec.MulHiI,
		"v_mul_u32_u24": vec.MulU24, "v_mul_i32_i24": vec.MulI24, "v_min_u32": vec.MinU,
		"v_max_u32": vec.MaxU, "v_min_i32": vec.MinI, "v_max_i32": vec.MaxI, "v_add3_u32": vec.Add3,
		"v_lshl_add_u32": vec.ShlAdd, "v_add_lshl_u32": vec.AddShl, "v_lshl_or_b32": vec.ShlOr,
		"v_and_or_b32": vec.AndOr, "v_or3_b32": vec.Or3, "v_xad_u32": vec.XorAdd, "v_mad_u32_u24": vec.MadU24,
		"v_mad_i32_i24": vec.MadI24, "v_bfe_u32": vec.BfeU, "v_bfe_i32": vec.BfeI, "v_bfi_b32": vec.Bfi,
		"v_rcp_f32": vec.RcpF32, "v_rcp_iflag_f32": vec.RcpF32, "v_cvt_i32_f32": vec.IF32,
		"v_cvt_u32_f32": vec.UF32, "v_lshlrev_b64": vec.ShlRev64, "v_lshrrev_b64": vec.ShrRev64,
		"v_ashrrev_i64": vec.SarRev64, "v_lshl_add_u64": vec.ShlAdd64,
		"v_mad_u64_u32": vec.MadU64,
	} {
		rows[name] = fastRow{op: op}
	}
	for name, op := range map[string]vec.Op{
		"v_add_f32": vec.AddF32, "v_sub_f32": vec.SubF32, "v_mul_f32": vec.MulF32, "v_fma_f32": vec.FmaF32,
		"v_fmac_f32": vec.FmaF32, "v_fmamk_f32": vec.FmaF32, "v_fmaak_f32": vec.FmaF32,
		"v_min_f32": vec.MinF32, "v_max_f32": vec.MaxF32, "v_trunc_f32": vec.TruncF32,
		"v_floor_f32": vec.FloorF32, "v_ceil_f32": vec.CeilF32,
		"v_rndne_f32": vec.RintF32,
	} {
		rows[name] = single32(op)
	}
	for name, op := range map[string]vec.Op{"v_cvt_f32_i32": vec.F32I, "v_cvt_f32_u32": vec.F32U,
		"v_mac_f32": vec.MadF32, "v_mad_f32": vec.MadF32, "v_madmk_f32": vec.MadF32,
		"v_madak_f32": vec.MadF32} {
		rows[name] = rounded32(op)
	}
	for name, op := range map[string]vec.Op{"v_add_f64": vec.AddF64, "v_mul_f64": vec.MulF64,
		"v_fma_f64":  vec.FmaF64,
		"v_fmac_f64": vec.FmaF64} {
		rows[name] = double64(op)
	}
	for name, op := range map[string]vec.Op{"v_add_f16": vec.AddF16, "v_sub_f16": vec.SubF16,
		"v_mul_f16": vec.MulF16, "v_pk_add_f16": vec.PkAddF16, "v_pk_mul_f16": vec.PkMulF16,
		"v_pk_fma_f16": vec.PkFmaF16, "v_pk_fmac_f16": vec.PkFmaF16, "v_cvt_f16_f32": vec.F16F32,
		"v_cvt_f32_f16": vec.F32F16} {
		rows[name] = double64(op) // 16-bit floats share the fields of 64-bit ones
	}
	rows["v_subrev_f16"] = swapped(double64(vec.SubF16))
	rows["v_cvt_f64_f32"], rows["v_cvt_f32_f64"] = single32(vec.F64F32), single32(vec.F32F64)
	fastComparisons(rows)
	return rows
}

// fastComparisons adds those of VOPC that package vec has.
func fastComparisons(rows map[string]fastRow) {
	add := func(name string, f fastRow) {
		rows["v_cmp_"+name], rows["v_cmpx_"+name] = f, f
	}
	for typ, ops := range map[string][2]vec.Op{"u32": {vec.LtU, vec.LeU}, "i32": {vec.LtI, vec.LeI}} {
		add("eq_"+typ, fastRow{op: vec.EqU})
		add("ne_"+typ, fastRow{op: vec.NeU})
		add("lt_"+typ, fastRow{op: ops[0]})
		add("le_"+typ, fastRow{op: ops[1]})
		add("gt_"+typ, fastRow{op: ops[0], swap: true})
		add("ge_"+typ, fastRow{op: ops[1], swap: true})
	}
	for cond, o := range orderedF32 {
		f := single32(o.op)
		f.swap = o.swap
		add(floatConditions[cond]+"_f32", f)
		f.invert = true
		add(floatConditions[^cond&0xf]+"_f32", f)
	}
}

// A fastInst is what runFast wants to know of an instruction.
type fastInst struct {
	fastRow
	run     vec.Func
	n       int           // sources
	first   [3]int        // the place of each source: 0 for A, 1 for B, 2 for C
	changes [3]*srcChange // of sources that are changed on their way
	general func(*Core, *Inst)
}

// A srcChange is what becomes of a source on its way: an operation on it, and
// on two constants.
type srcChange struct {
	op   vec.Op
	b, c uint32
	rows [2]*Vector // b and c
}

func changeBy(op vec.Op, b, c uint32) *srcChange {
	return &srcChange{op, b, c, [2]*Vector{broadcast(b), broadcast(c)}}
}

// fastExec makes an instruction run by an operation of package vec if there is
// one that does what it wants.
func (in *Inst) fastExec() {
	row, ok := fastRows[in.Op.Name]
	if !ok || in.Op.vec == nil || in.Op.flag&(opSel|keeps) != 0 || in.readsLDSDirect() {
		return
	}
	f := &fastInst{fastRow: row, run: row.op.Func(), general: in.exec}
	if !f.takesModifiers(in) {
		return
	}
	for i := range min(in.Op.srcCount(), len(f.first)) {
		f.first[i] = i
		f.n++
	}
	if row.swap {
		f.first[0], f.first[1] = 1, 0
	}
	in.fast, in.exec = f, runFast
}

// takesModifiers reports whether an instruction has no modifiers, or only
// signs of 32-bit floats, or selects parts of its sources (SDWA): it notes
// these.
func (f *fastInst) takesModifiers(in *Inst) bool {
	if in.mod.plain(in) {
		return true
	}
	m := *in.mod
	if s := m.sdwa; s != nil {
		m.sdwa = nil
		return m.plain(in) && s.dstSel == selDword && f.selects(s)
	}
	neg, abs := m.neg, m.abs
	m.neg, m.abs = 0, 0
	if in.form == VOP3P || !m.plain(in) {
		return false
	}
	for i := range f.changes {
		var drop, flip uint32
		if abs>>i&1 != 0 {
			drop = 1 << 31
		}
		if neg>>i&1 != 0 {
			flip = 1 << 31
		}
		if drop|flip == 0 {
			continue
		}
		if in.src[i].typ != f32 {
			return false
		}
		f.changes[i] = changeBy(vec.Signs, drop, flip)
	}
	return true
}

// selects notes the parts of sources that SDWA selects.
func (f *fastInst) selects(s *sdwa) bool {
	for i, sel := range s.sel {
		shift, width := 8*uint32(sel), uint32(8)
		switch {
		case sel == selDword:
			continue
		case sel > selDword:
			return false
		case sel >= selWord0:
			shift, width = 16*uint32(sel-selWord0), 16
		}
		op := vec.BfeU
		if s.sext[i] {
			op = vec.BfeI
		}
		f.changes[i] = changeBy(op, shift, width)
	}
	return true
}

// runFast executes an instruction by an operation of package vec.
func runFast(c *Core, in *Inst) {
	f, w := in.fast, c.w
	mode := c.r.S[regMode]
	if mode&f.mode != f.want {
		f.general(c, in)
		return
	}
	if w.Exec == 0 && in.sdst.kind == noOperand {
		return
	}
	x := &c.x.args
	x.Mask, x.Quiet = w.Exec, mode&ModeIEEE != 0
	if in.Op.flag&readsVCC != 0 {
		x.In = c.laneMask(regVCC)
	}
	for i := range f.n {
		c.fastSource(in, x, i)
	}
	if in.dst.kind == vectorReg {
		x.D = (*vec.Row)(&c.r.V[in.dst.reg])
		if typDwords[in.dst.typ] > 1 {
			x.D1 = (*vec.Row)(&c.r.V[in.dst.reg+1])
		} else {
			x.D1 = nil
		}
	}
	if f.noIn {
		x.In = 0
	}
	f.run(x)
	if in.sdst.kind == scalarReg {
		if f.invert {
			x.Out = ^x.Out & w.Exec
		}
		c.setLaneMask(uint8(in.sdst.reg), x.Out)
		if in.Op.flag&writesExec != 0 {
			c.setLaneMask(regExec, x.Out)
		}
	}
}

// fastSource makes source i ready.
func (c *Core) fastSource(in *Inst, x *vec.Args, i int) {
	f, o := in.fast, &in.src[i]
	if o.typ == mask || o.typ == mask32 {
		if x.In = c.s64(o); c.w.Size < simt.MaxLanes && o.kind == scalarReg {
			x.In = c.laneMask(uint8(o.reg))
		}
		return
	}
	lo := c.vector(o, i, 0)
	if s := f.changes[i]; s != nil {
		lo = c.changed(s, i, lo)
	}
	var hi *Vector
	if typDwords[o.typ] > 1 {
		hi = c.vector(o, i, 1)
	}
	switch f.first[i] {
	case 0:
		x.A, x.A1 = (*vec.Row)(lo), (*vec.Row)(hi)
	case 1:
		x.B, x.B1 = (*vec.Row)(lo), (*vec.Row)(hi)
	default:
		x.C, x.C1 = (*vec.Row)(lo), (*vec.Row)(hi)
	}
}

// changed is source i after a change.
func (c *Core) changed(s *srcChange, i int, v *Vector) *Vector {
	t, x := &c.tmp[2*i], &c.change
	x.D, x.A, x.B, x.C = (*vec.Row)(t), (*vec.Row)(v), (*vec.Row)(s.rows[0]), (*vec.Row)(s.rows[1])
	x.Mask = ^uint64(0)
	s.op.Func()(x)
	return t
}
