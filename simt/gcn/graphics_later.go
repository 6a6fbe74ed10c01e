package gcn

import (
	"fmt"
	"strconv"
)

// Exports and interpolation of gfx10 to gfx12 (RDNA 1 to 4 ISA, sections "EXP", "VINTRP", "VINTERP" and
// "LDSDIR"). What of it needs no pixel shader is executed: the arithmetic of interpolation, which reads the
// lanes of a quad.

var _ = registerLater(graphicsLaterRows)

func graphicsLaterRows() []Op {
	return []Op{
		{Enc: EXP, Name: "exp"},
		{Enc: VINTRP, Name: "v_interp_p1_f32", dst: f32, src: srcs(f32)},
		{Enc: VINTRP, Name: "v_interp_p2_f32", dst: f32, src: srcs(f32)},
		{Enc: VINTRP, Name: "v_interp_mov_f32", dst: f32},
		{Enc: VOP3, Name: "v_interp_p1_f32", dst: f32, src: srcs(f32), flag: attribute},
		{Enc: VOP3, Name: "v_interp_p2_f32", dst: f32, src: srcs(f32), flag: attribute},
		{Enc: VOP3, Name: "v_interp_mov_f32", dst: f32, flag: attribute},
		{Enc: VOP3, Name: "v_interp_p1ll_f16", dst: f32, src: srcs(f32), flag: attribute},
		{Enc: VOP3, Name: "v_interp_p1lv_f16", dst: f32, src: srcs(f32, f32), flag: attribute},
		{Enc: VOP3, Name: "v_interp_p2_f16", dst: f16, src: srcs(f32, f32), flag: attribute | bare | clamps},
		{Enc: LDSDIR, Name: "lds_param_load", dst: b32},
		{Enc: LDSDIR, Name: "lds_direct_load", dst: b32},

		{Enc: VINTERP, Name: "v_interp_p10_f32", dst: f32, src: srcs(f32, f32, f32),
			run: interpolate(1, 0, false)},
		{Enc: VINTERP, Name: "v_interp_p2_f32", dst: f32, src: srcs(f32, f32, f32),
			run: interpolate(2, own, false)},
		{Enc: VINTERP, Name: "v_interp_p10_f16_f32", dst: f32, src: srcs(f16, f32, f16),
			run: interpolate(1, 0,
				false)},
		{Enc: VINTERP, Name: "v_interp_p2_f16_f32", dst: f16, src: srcs(f16, f32, f32),
			run: interpolate(2, own,
				false)},
		{Enc: VINTERP, Name: "v_interp_p10_rtz_f16_f32", dst: f32, src: srcs(f16, f32, f16),
			run: interpolate(1, 0, true)},
		{Enc: VINTERP, Name: "v_interp_p2_rtz_f16_f32", dst: f16, src: srcs(f16, f32, f32),
			run: interpolate(2, own, true)},
	}
}

// export decodes EXP.
func (d *decoder) export(w uint32) error {
	w1, err := d.word()
	for i := range d.in.src {
		if err == nil && w>>i&1 != 0 {
			n := w1 >> (8 * i) & 0xff
			if w>>10&1 != 0 && d.isa.Target&gfx10 != 0 { // two of 16 bits in each of two registers
				n = w1 >> (i / 2 * 8) & 0xff
			}
			err = d.vectorDst(&d.in.src[i], b32, n, false)
		}
	}
	return err
}

// exportTarget is the name of what is exported to.
func exportTarget(n uint32, on Target) string {
	switch {
	case n < 8:
		return fmt.Sprintf("mrt%d", n)
	case n == 8:
		return "mrtz"
	case n == 9 && on&gfx10 != 0:
		return "null"
	case n >= 12 && n <= 16:
		return fmt.Sprintf("pos%d", n-12)
	case n == 20:
		return "prim"
	case (n == 21 || n == 22) && on&gfx10 == 0:
		return fmt.Sprintf("dual_src_blend%d", n-21)
	case n >= 32 && on&gfx10 != 0:
		return fmt.Sprintf("param%d", n-32)
	}
	return fmt.Sprintf("invalid_target_%d", n)
}

// interpolate10 decodes VINTRP.
func (d *decoder) interpolate10(w uint32) error {
	if err := d.vectorDst(&d.in.dst, f32, w>>18&0xff, false); err != nil {
		return err
	}
	return d.vectorDst(&d.in.src[0], d.in.Op.src[0], w&0xff, false)
}

// interpolate decodes VINTERP.
func (d *decoder) interpolate(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, op := d.in, d.in.Op
	in.mod = &modifiers{neg: uint8(w1 >> 29), opSel: uint8(w >> 11 & 0xf), clamp: w>>15&1 != 0}
	in.simm = int32(w >> 8 & 7)
	if err := d.vectorDst(&in.dst, op.dst, w&0xff, false); err != nil {
		return err
	}
	for i := range 3 {
		if err := d.operand(&in.src[i], op.src[i], w1>>(9*i)&0x1ff); err != nil {
			return err
		}
		if in.src[i].kind != vectorReg {
			return d.fail("source %d of %s must be a vector register", i, op.display())
		}
	}
	if d.isa.Target&gfx11 != 0 {
		d.markHalves()
	}
	return nil
}

// directLoad decodes LDSDIR.
func (d *decoder) directLoad(w uint32) error { return d.vectorDst(&d.in.dst, b32, w&0xff, false) }

// attributeText names a component of an attribute of the pixel shader's inputs.
func attributeText(number, channel uint32) string {
	return "attr" + strconv.Itoa(int(number)) + "." + "xyzw"[channel:channel+1]
}

// parameterText names what v_interp_mov reads of an attribute.
func parameterText(n uint32) string {
	names := [...]string{"p10", "p20", "p0"}
	if int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("invalid_param_%d", n)
}

// graphicsText is the text of EXP, VINTRP, VINTERP and LDSDIR.
func (in *Inst) graphicsText() string {
	w, name := in.words[0], in.Op.display()
	var operands []string
	if in.form != EXP {
		operands = append(operands, in.halfText(&in.dst, 3))
	}
	switch in.form {
	case EXP:
		s := []string{in.src[0].text(), in.src[1].text(), in.src[2].text(), in.src[3].text()}
		s[0] = exportTarget(w>>4&0x3f, in.on) + " " + s[0]
		old := in.on&gfx10 != 0
		return instText(name, s, when(w>>11&1 != 0, "done"), when(old && w>>10&1 != 0, "compr"),
			when(old && w>>12&1 != 0, "vm"), when(!old && w>>13&1 != 0, "row_en"))
	case VINTRP:
		if in.Op.src[0] == none {
			operands = append(operands, parameterText(w&0xff))
		} else {
			operands = append(operands, in.src[0].text())
		}
		return instText(name+"_e32", append(operands, attributeText(w>>10&0x3f, w>>8&3)))
	case LDSDIR:
		if in.Op.Code == 0 {
			operands = append(operands, attributeText(w>>10&0x3f, w>>8&3))
		}
		if in.on&gfx11 != 0 {
			return instText(name, operands, fmt.Sprintf("wait_vdst:%d", w>>16&0xf))
		}
		return instText(name, operands, fmt.Sprintf("wait_va_vdst:%d wait_vm_vsrc:%d", w>>16&0xf, w>>23&1))
	}
	for i := range 3 {
		operands = append(operands, in.sourceText(i))
	}
	sel := when(in.mod.opSel != 0 && in.Op.src[0] == f16, bitsText("op_sel", in.mod.opSel, 4))
	return instText(name, operands, when(in.mod.clamp, "clamp"), sel, fmt.Sprintf("wait_exp:%d", in.simm))
}

// attributeOperands decodes interpolation in VOP3, whose first source is an attribute.
func (d *decoder) attributeOperands(w, w1 uint32) error {
	in, op := d.in, d.in.Op
	in.mod = &modifiers{clamp: w>>15&1 != 0, omod: uint8(w1 >> 27 & 3), neg: uint8(w1 >> 30),
		abs: uint8(w >> 9 & 3)}
	if err := d.vectorDst(&in.dst, op.dst, w&0xff, false); err != nil {
		return err
	}
	for i := range op.srcCount() {
		if err := d.vectorSource(i, w1>>(9*(i+1))&0x1ff, false); err != nil {
			return err
		}
		if in.src[i].kind != vectorReg {
			return d.fail("source %d of %s must be a vector register", i+1, op.display())
		}
	}
	return nil
}

// attributeTextLong is the text of interpolation in VOP3.
func (in *Inst) attributeTextLong() string {
	w1, op := in.words[1], in.Op
	operands := []string{in.dst.text()}
	attr := attributeText(w1&0x3f, w1>>6&3)
	name := op.display()
	switch op.Name {
	case "v_interp_mov_f32":
		operands = append(operands, parameterText(w1>>9&0x1ff), attr)
	default:
		operands = append(operands, in.sourceText(0), attr)
		if op.srcCount() > 1 {
			operands = append(operands, in.sourceText(1))
		}
	}
	half := op.Name == "v_interp_p1ll_f16" || op.Name == "v_interp_p1lv_f16" || op.Name == "v_interp_p2_f16"
	if !half {
		name += "_e64"
	}
	return instText(name, operands, when(half && w1>>8&1 != 0, "high"), when(in.mod.clamp, "clamp"),
		omodText[in.mod.omod])
}

const own = -1 // interpolation: the lane's own

// interpolate makes a step of interpolation: the product of what a lane of the quad has and the lane's own
// factor, plus what another lane has.
func interpolate(factor, addend int, towardZero bool) func(*Core, *Inst) {
	return func(c *Core, in *Inst) {
		mode, e := c.r.S[regMode], envOf(single, c.r.S[regMode])
		read := func(i, l int) uint64 {
			x := uint64(c.r.V[in.src[i].reg][l])
			if in.src[i].typ == f16 {
				x = convertFloat(half16, single, x>>(in.mod.opSel>>i&1*16)&0xffff, mode)
			}
			return x ^ uint64(in.mod.neg>>i&1)<<31
		}
		at := func(l, lane int) int {
			if lane == own {
				return l
			}
			return l&^3 | lane
		}
		round := mode
		if towardZero {
			round |= ModeRound64
		}
		got := &c.out[0]
		for l := range c.w.Size {
			v := single.FMAPlain(read(0, at(l, factor)), read(1, l), read(2, at(l, addend)), e)
			v = outputOf(single, v, 0, in.mod.clamp, true, e)
			if in.Op.dst == f16 {
				high := uint(in.mod.opSel >> 3 & 1 * 16)
				kept := uint64(c.r.V[in.dst.reg][l]) &^ (0xffff << high)
				v = convertFloat(single, half16, v, round)<<high | kept
			}
			got[l] = uint32(v)
		}
		merge(&c.r.V[in.dst.reg], got, c.w.Exec)
	}
}
