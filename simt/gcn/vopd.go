package gcn

import "strings"

// pairOps are the operations of VOPD by their codes; only the second instruction has those from 16 on
// (RDNA 3 ISA, section "VOPD").
var pairOps = map[uint32]string{0: "v_fmac_f32", 1: "v_fmaak_f32", 2: "v_fmamk_f32", 3: "v_mul_f32", 4: "v_add_f32",
	5: "v_sub_f32", 6: "v_subrev_f32", 7: "v_mul_legacy_f32", 8: "v_mov_b32", 9: "v_cndmask_b32", 10: "v_max_f32",
	11: "v_min_f32", 12: "v_dot2c_f32_f16", 16: "v_add_u32", 17: "v_lshlrev_b32", 18: "v_and_b32"}

// pair decodes VOPD: two instructions that read their sources before either writes.
func (d *decoder) pair(w uint32) error {
	in := d.in
	w1, err := d.word()
	if err != nil {
		return err
	}
	const ySource, yDst = 16, 0xff
	dstX := w1 >> 24
	dstY := w1>>17&0x7f<<1 | ^dstX&1
	codes := [2]uint32{w >> 22 & 0xf, w >> 17 & 0x1f}
	dsts := [2]uint32{dstX, dstY}
	nums := [2][2]uint32{{w & 0x1ff, w >> 9 & 0xff}, {w1 & 0x1ff, w1 >> 9 & 0xff}}
	in.form, in.pair = vopd, &[2]Inst{}
	for i := range in.pair {
		op := d.isa.tables.named(pairOps[codes[i]])
		if op == nil {
			return d.fail("VOPD has no operation %d", codes[i])
		}
		in.Op = op
		one := &decoder{isa: d.isa, in: &in.pair[i], code: d.code, lit: d.lit}
		one.in.Op, one.in.form, one.in.PC, one.in.on = op, op.Enc, in.PC, in.on
		one.in.Size, one.in.words = in.Size, in.words
		if err := one.half(dsts[i], nums[i]); err != nil {
			return err
		}
		d.lit, in.Size, in.words = one.lit, one.in.Size, one.in.words
		one.in.prepare()
	}
	x, y := &in.pair[0], &in.pair[1]
	in.dst, in.src = x.dst, x.src
	in.Op = &pairRow
	x.Size, y.Size = in.Size, in.Size
	in.prepare()
	return nil
}

// pairRow is the row of all pairs, whose instructions have theirs.
var pairRow = Op{Enc: vopd, Name: "v_dual"}

// half makes the operands of one instruction of a pair.
func (d *decoder) half(dst uint32, nums [2]uint32) error {
	op := d.in.Op
	if err := d.vectorDst(&d.in.dst, op.dst, dst, false); err != nil {
		return err
	}
	d.implied()
	switch k := op.literalSource(); {
	case k >= 0:
		if !d.lit {
			if _, err := d.word(); err != nil {
				return err
			}
			d.lit = true
		}
		if err := d.operand(&d.in.src[k], op.src[k], srcLiteral); err != nil {
			return err
		}
		if err := d.source(0, nums[0]); err != nil {
			return err
		}
		return d.source(3-k, nums[1]+srcVGPR)
	case nums[0] == srcSDWA, nums[0] == srcDPP:
		return d.fail("VOPD has neither SDWA nor DPP")
	}
	if err := d.vectorSource(0, nums[0], false); err != nil {
		return err
	}
	if d.hasSecond() {
		return d.source(1, nums[1]+srcVGPR)
	}
	return nil
}

// named is the row with a name in one of the short encodings.
func (dt *decodeTables) named(name string) *Op {
	for _, e := range []Enc{VOP2, VOP1} {
		for _, op := range dt.rows[e] {
			if op != nil && op.Name == name {
				return op
			}
		}
	}
	return nil
}

// pairText is an instruction of a pair as LLVM writes it.
func (in *Inst) pairText() string {
	text := in.vectorText()
	name, rest, _ := strings.Cut(text, " ")
	name = strings.TrimSuffix(name, "_e32")
	if in.Op.Name == "v_cndmask_b32" {
		rest = rest[:strings.LastIndex(rest, ", ")]
	}
	return strings.Replace(name, "v_", "v_dual_", 1) + " " + rest
}

// runPair executes a pair. The second instruction sees what the first one's destination held before.
func runPair(c *Core, in *Inst) {
	x, y := &in.pair[0], &in.pair[1]
	if !y.reads(x.dst.reg) {
		x.exec(c, x)
		y.exec(c, y)
		return
	}
	d := &c.r.V[x.dst.reg]
	before := *d
	x.exec(c, x)
	after := *d
	*d = before
	y.exec(c, y)
	*d = after
}

// reads reports whether a source is a vector register.
func (in *Inst) reads(reg uint16) bool {
	for i := range in.src {
		if in.src[i].kind == vectorReg && in.src[i].reg == reg {
			return true
		}
	}
	return false
}

// halfText is the text of an operand, with the half of a register that it is.
func (in *Inst) halfText(o *operand, bit int) string {
	switch {
	case !o.half, in.on&gfx12 != 0 && (in.form == VOP3 || in.mod == nil || in.mod.opSel>>bit&1 == 0):
		return o.text()
	case in.mod != nil && in.mod.opSel>>bit&1 != 0:
		return o.text() + ".h"
	}
	return o.text() + ".l"
}

// parts are the instructions that an instruction is: those of a pair, or itself.
func (in *Inst) parts() []*Inst {
	if in.pair != nil {
		return []*Inst{&in.pair[0], &in.pair[1]}
	}
	return []*Inst{in}
}
