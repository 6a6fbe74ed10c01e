package gcn

import (
	"strings"
	"sync"
)

// pairOps are the operations of VOPD by their codes; only the second instruction has those from 16 on
// (RDNA 3 ISA, section "VOPD").
var pairOps = map[uint32]string{0: "v_fmac_f32", 1: "v_fmaak_f32", 2: "v_fmamk_f32", 3: "v_mul_f32",
	4: "v_add_f32", 5: "v_sub_f32", 6: "v_subrev_f32", 7: "v_mul_legacy_f32", 8: "v_mov_b32",
	9: "v_cndmask_b32", 10: "v_max_f32", 11: "v_min_f32", 12: "v_dot2c_f32_f16", 13: "v_dot2c_f32_bf16",
	16: "v_add_u32", 17: "v_lshlrev_b32", 18: "v_and_b32"}

// pairOps1250 are those that gfx1250 has besides; those of three sources and of 64 bits, and v_bitop2_b32 in
// the place of v_and_b32, are in the long form alone.
var pairOps1250 = map[uint32]string{18: "v_bitop2_b32", 19: "v_fma_f32", 20: "v_sub_u32", 21: "v_lshrrev_b32",
	22: "v_ashrrev_i32", 23: "v_max_i32", 24: "v_min_i32", 32: "v_fma_f64", 33: "v_add_f64", 34: "v_mul_f64",
	35: "v_max_f64", 36: "v_min_f64"}

// pairOp is the row for a code of VOPD.
func (d *decoder) pairOp(code uint32) *Op {
	if d.isa.Target == GFX1250 {
		if name, ok := pairOps1250[code]; ok {
			return d.isa.tables.named(name)
		}
	}
	if op := d.isa.tables.named(pairOps[code]); op != nil {
		return op
	}
	return pairsAlone()[pairOps[code]]
}

// pair decodes VOPD: two instructions that read their sources before either writes.
func (d *decoder) pair(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	if w>>24 == longPair {
		return d.longPair(w, w1)
	}
	dstX := w1 >> 24
	dstY := w1>>17&0x7f<<1 | ^dstX&1
	codes := [2]uint32{w >> 22 & 0xf, w >> 17 & 0x1f}
	dsts := [2]uint32{dstX, dstY}
	nums := [2][2]uint32{{w & 0x1ff, w >> 9 & 0xff}, {w1 & 0x1ff, w1 >> 9 & 0xff}}
	return d.makePair(codes, func(one *decoder, i int) error { return one.half(dsts[i], nums[i]) })
}

// longPair is what VOPD of three dwords (VOPD3 of gfx1250) begins with.
const longPair = 0xcf

// longPair decodes VOPD3, whose registers are any, and whose instructions have three sources and signs.
func (d *decoder) longPair(w, w1 uint32) error {
	if d.isa.Target != GFX1250 {
		return d.fail("no encoding begins so")
	}
	w2, err := d.word()
	if err != nil {
		return err
	}
	codes := [2]uint32{w >> 18 & 0x3f, w >> 12 & 0x3f}
	dsts := [2]uint32{w2 & 0xff, w2 >> 24}
	nums := [2][3]uint32{{w & 0x1ff, w1 >> 16 & 0xff, w1 >> 24},
		{w1 & 0x1ff, w2 >> 8 & 0xff, w2 >> 16 & 0xff}}
	negs := [2]uint8{uint8(w1 >> 9 & 7), uint8(w1 >> 12 & 7)}
	return d.makePair(codes,
		func(one *decoder, i int) error { return one.longHalf(dsts[i], nums[i], negs[i]) })
}

// longHalf makes the operands of one instruction of VOPD3. Its third source is a register, of a lane mask a
// scalar one, or the table of v_bitop2_b32.
func (d *decoder) longHalf(dst uint32, nums [3]uint32, neg uint8) error {
	in, op := d.in, d.in.Op
	if err := d.vectorDst(&in.dst, op.dst, dst, false); err != nil {
		return err
	}
	d.implied()
	if op.literalSource() >= 0 {
		return d.fail("VOPD3 has no %s", op.display())
	}
	if nums[0] >= srcSDWA && nums[0] <= srcDPP || nums[0] == srcLiteral || nums[0] == srcLDSDirect {
		return d.fail("VOPD3 takes no literal")
	}
	if err := d.vectorSource(0, nums[0], false); err != nil {
		return err
	}
	if op.namedSources() > 1 {
		if err := d.source(1, nums[1]+srcVGPR); err != nil {
			return err
		}
	}
	third := op.namedSources() > 2
	switch {
	case op.flag&truthTable != 0:
		in.simm = int32(nums[2])
	case third && op.maskSource() == 2:
		if err := d.operand(&in.src[2], mask, nums[2]); err != nil {
			return err
		}
	case third:
		if err := d.source(2, nums[2]+srcVGPR); err != nil {
			return err
		}
	}
	if neg &= 1<<op.namedSources() - 1; neg != 0 {
		for i := range op.namedSources() {
			if !op.src[i].isFloat() && op.maskSource() < 0 {
				neg &^= 1 << i
			}
		}
		in.mod = &modifiers{neg: neg}
	}
	return nil
}

// makePair decodes the two instructions.
func (d *decoder) makePair(codes [2]uint32, operands func(one *decoder, i int) error) error {
	in := d.in
	in.form, in.pair = vopd, &[2]Inst{}
	for i := range in.pair {
		op := d.pairOp(codes[i])
		if op == nil {
			return d.fail("VOPD has no operation %d", codes[i])
		}
		in.Op = op
		one := &decoder{isa: d.isa, in: &in.pair[i], code: d.code, high: d.high, lit: d.lit}
		one.in.Op, one.in.form, one.in.PC, one.in.on = op, op.Enc, in.PC, in.on
		one.in.Size, one.in.words = in.Size, in.words
		if err := operands(one, i); err != nil {
			return err
		}
		d.lit, in.Size, in.words = one.lit, one.in.Size, one.in.words
		one.raise()
		one.in.prepare()
	}
	x, y := &in.pair[0], &in.pair[1]
	in.dst, in.src = x.dst, x.src
	in.Op, in.high, in.past = &pairRow, d.high, x.past || y.past
	x.Size, y.Size = in.Size, in.Size
	in.prepare()
	return nil
}

// bitop2Row is v_bitop2_b32, which is in pairs alone.
var bitop2Row = Op{Enc: VOP2, Name: "v_bitop2_b32", dst: b32, src: srcs(b32, b32), flag: truthTable | noSDWA,
	on: GFX1250, vec: func(x *lanes) {
		var none Vector
		x.c = &none
		bitOp3(x)
	}}

// pairsAlone are rows that a processor may have in pairs alone, by the names that they have elsewhere.
var pairsAlone = sync.OnceValue(func() map[string]*Op {
	all, ops := map[string]*Op{}, operations()
	for name, title := range map[string]string{"v_dot2c_f32_f16": "v_dot2acc_f32_f16",
		"v_dot2c_f32_bf16": "v_dot2acc_f32_bf16"} {
		all[name] = ops.find(VOP2, name).later(VOP2, 0, title, gfx11P, false)
	}
	return all
})

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
	if name == bitop2Row.Name {
		return &bitop2Row
	}
	for _, e := range []Enc{VOP2, VOP1, VOP3} {
		for _, op := range dt.rows[e] {
			if op != nil && op.Name == name && (e != VOP3 || op.Enc == VOP3) {
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
	if in.Op.Name == "v_cndmask_b32" && in.words[0]>>24 != longPair {
		rest = rest[:strings.LastIndex(rest, ", ")]
	}
	return strings.Replace(name, "v_", "v_dual_", 1) + " " + rest
}

// runPair executes a pair. The second instruction sees what the first one's destination held before.
func runPair(c *Core, in *Inst) {
	x, y := &in.pair[0], &in.pair[1]
	if !y.reads(&x.dst) {
		x.exec(c, x)
		y.exec(c, y)
		return
	}
	d := c.r.V[x.dst.reg:][:typDwords[x.dst.typ]]
	var before, after [2]Vector
	copy(before[:], d)
	x.exec(c, x)
	copy(after[:], d)
	copy(d, before[:])
	y.exec(c, y)
	copy(d, after[:])
}

// reads reports whether a source has a vector register of an operand.
func (in *Inst) reads(dst *operand) bool {
	for i := range in.src {
		if overlap(&in.src[i], dst) {
			return true
		}
	}
	return false
}

// overlap reports whether two operands have a vector register in common.
func overlap(a, b *operand) bool {
	return a.kind == vectorReg && b.kind == vectorReg && a.reg < b.reg+uint16(typDwords[b.typ]) &&
		b.reg < a.reg+uint16(typDwords[a.typ])
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
