package gcn

import (
	"fmt"
	"sync"

	"simtgdb/simt"
)

// decodeTables find the row for an encoding and an opcode.
type decodeTables struct {
	rows [encCount][]*Op
}

// opTables are all rows; each ops_*.go file adds its own.
var opTables [][]Op

func register(rows []Op) bool {
	opTables = append(opTables, rows)
	return true
}

// vop3Code is where the rows of the short encodings lie among the opcodes of
// VOP3 (MI200 ISA, section "VOP3: fields").
var vop3Code = map[Enc]uint16{VOPC: 0, VOP2: 0x100, VOP1: 0x140}

var tableCache sync.Map // Target -> *decodeTables

func tablesFor(t Target) *decodeTables {
	if c, ok := tableCache.Load(t); ok {
		return c.(*decodeTables)
	}
	dt := &decodeTables{}
	for _, rows := range opTables {
		for i := range rows {
			op := &rows[i]
			if op.on != 0 && op.on&t == 0 {
				continue
			}
			dt.add(op.Enc, op.Code, op)
			if base, ok := vop3Code[op.Enc]; ok && op.flag&noVOP3 == 0 {
				dt.add(VOP3, base+op.Code, op)
			}
		}
	}
	c, _ := tableCache.LoadOrStore(t, dt)
	return c.(*decodeTables)
}

func (dt *decodeTables) add(e Enc, code uint16, op *Op) {
	for int(code) >= len(dt.rows[e]) {
		dt.rows[e] = append(dt.rows[e], nil)
	}
	if o := dt.rows[e][code]; o != nil {
		panic(fmt.Sprintf("gcn: %s and %s are both %v %#x", o.Name, op.Name, e, code))
	}
	dt.rows[e][code] = op
}

// layouts tell an encoding by the top bits of its first dword and say where
// its opcode is. The first match counts.
var layouts = [...]struct {
	mask, value uint32
	enc         Enc
	shift, bits uint8 // of the opcode
	decode      func(*decoder, uint32) error
}{
	{0xff80_0000, 0xbe80_0000, SOP1, 8, 8, (*decoder).sop1},
	{0xff80_0000, 0xbf00_0000, SOPC, 16, 7, (*decoder).sopc},
	{0xff80_0000, 0xbf80_0000, SOPP, 16, 7, (*decoder).sopp},
	{0xf000_0000, 0xb000_0000, SOPK, 23, 5, (*decoder).sopk},
	{0xc000_0000, 0x8000_0000, SOP2, 23, 7, (*decoder).sop2},
	{0xfe00_0000, 0x7e00_0000, VOP1, 9, 8, (*decoder).vop1},
	{0xfe00_0000, 0x7c00_0000, VOPC, 17, 8, (*decoder).vopc},
	{0x8000_0000, 0x0000_0000, VOP2, 25, 6, (*decoder).vop2},
	{0xff80_0000, 0xd380_0000, VOP3P, 16, 7, (*decoder).vop3p},
	{0xfc00_0000, 0xd000_0000, VOP3, 16, 10, (*decoder).vop3},
	{0xfc00_0000, 0xd400_0000, VINTRP, 16, 2, (*decoder).other},
	{0xfc00_0000, 0xd800_0000, DS, 17, 8, (*decoder).ds},
	{0xfc00_c000, 0xdc00_0000, FLAT, 18, 7, (*decoder).flat},
	{0xfc00_c000, 0xdc00_4000, SCRATCH, 18, 7, (*decoder).flat},
	{0xfc00_c000, 0xdc00_8000, GLOBAL, 18, 7, (*decoder).flat},
	{0xfc00_0000, 0xe000_0000, MUBUF, 18, 7, (*decoder).mubuf},
	{0xfc00_0000, 0xe800_0000, MTBUF, 15, 4, (*decoder).other},
	{0xfc00_0000, 0xf000_0000, MIMG, 18, 7, (*decoder).other},
	{0xfc00_0000, 0xc000_0000, SMEM, 18, 8, (*decoder).smem},
	{0xfc00_0000, 0xc400_0000, EXP, 0, 0, (*decoder).other},
}

func (d *decoder) decode() error {
	w, err := d.word()
	if err != nil {
		return err
	}
	for i := range layouts {
		l := &layouts[i]
		if w&l.mask != l.value {
			continue
		}
		code := w >> l.shift & (1<<l.bits - 1)
		rows := d.isa.tables.rows[l.enc]
		if int(code) >= len(rows) || rows[code] == nil {
			return d.fail("%v has no opcode %#x on %v", l.enc, code, d.isa.Target)
		}
		d.in.Op, d.in.form = rows[code], l.enc
		if err := l.decode(d, w); err != nil {
			return err
		}
		d.in.prepare()
		return nil
	}
	return d.fail("no encoding begins so")
}

// other decodes the graphics encodings, which this machine does not execute:
// two dwords.
func (d *decoder) other(uint32) error {
	_, err := d.word()
	return err
}

func (d *decoder) scalarDst(o *operand, t typ, num uint32) error {
	if t == none {
		return nil
	}
	if num >= srcInlineInt {
		return d.fail("destination %d is no scalar register", num)
	}
	o.kind, o.typ, o.reg = scalarReg, t, uint16(num)
	return nil
}

func (d *decoder) vectorDst(o *operand, t typ, num uint32, acc bool) error {
	if t == none {
		return nil
	}
	if int(num)+typDwords[t] > simt.AccBase {
		return d.fail("v[%d:%d] is past the last register", num, int(num)+typDwords[t]-1)
	}
	o.kind, o.typ, o.reg = vectorReg, t, uint16(num)
	if t == sdst32 {
		o.kind = scalarReg
	}
	if acc {
		o.reg += simt.AccBase
	}
	return nil
}

func (d *decoder) sop2(w uint32) error {
	if err := d.scalarDst(&d.in.dst, d.in.Op.dst, w>>16&0x7f); err != nil {
		return err
	}
	return d.sources(w&0xff, w>>8&0xff)
}

func (d *decoder) sop1(w uint32) error {
	if err := d.scalarDst(&d.in.dst, d.in.Op.dst, w>>16&0x7f); err != nil {
		return err
	}
	return d.sources(w & 0xff)
}

func (d *decoder) sopc(w uint32) error { return d.sources(w&0xff, w>>8&0xff) }

func (d *decoder) sopp(w uint32) error {
	d.in.simm = int32(int16(w))
	return nil
}

func (d *decoder) sopk(w uint32) error {
	d.in.simm = int32(int16(w))
	if d.in.Op.src[0] != none { // the register is the source: compare, setreg
		if d.in.Op.Name == "s_setreg_imm32_b32" {
			return d.operand(&d.in.src[0], d.in.Op.src[0], srcLiteral)
		}
		return d.operand(&d.in.src[0], d.in.Op.src[0], w>>16&0x7f)
	}
	return d.scalarDst(&d.in.dst, d.in.Op.dst, w>>16&0x7f)
}

// sources makes as many operands as the row has from their numbers.
func (d *decoder) sources(nums ...uint32) error {
	for i, n := range nums {
		if d.in.Op.src[i] == none {
			break
		}
		if err := d.source(i, n); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) smem(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	m := &d.in.mem
	m.sbase = uint8(w & 0x3f << 1)
	m.glc, m.nv = w>>16&1 != 0, w>>15&1 != 0
	m.immOffset, m.sOffsetEn = w>>17&1 != 0, w>>14&1 != 0
	d.in.simm = int32(w1<<11) >> 11
	m.soffset = operand{kind: scalarReg, typ: u32, reg: uint16(w1 >> 25)}
	if !m.immOffset && !m.sOffsetEn {
		m.soffset.reg = uint16(w1 & 0x7f)
	}
	sdata := w >> 6 & 0x7f
	if d.in.Op.dst != none {
		if err := d.scalarDst(&d.in.dst, d.in.Op.dst, sdata); err != nil {
			return err
		}
	}
	return d.sources(sdata)
}

func (d *decoder) vop1(w uint32) error {
	if err := d.vectorDst(&d.in.dst, d.in.Op.dst, w>>17&0xff, false); err != nil {
		return err
	}
	return d.shortVector(w&0x1ff, 0)
}

func (d *decoder) vop2(w uint32) error {
	op := d.in.Op
	if err := d.vectorDst(&d.in.dst, op.dst, w>>17&0xff, false); err != nil {
		return err
	}
	if op.flag&writesVCC != 0 {
		d.in.sdst = operand{kind: scalarReg, typ: mask, reg: regVCC}
	}
	if op.flag&readsDst != 0 {
		d.in.src[op.srcCount()-1] = operand{kind: vectorReg, typ: op.src[op.srcCount()-1], reg: d.in.dst.reg}
	}
	if i := op.maskSource(); i >= 0 {
		d.in.src[i] = operand{kind: scalarReg, typ: mask, reg: regVCC}
	}
	return d.shortVector(w&0x1ff, w>>9&0xff)
}

// maskSource is the index of the row's lane mask source, or -1.
func (op *Op) maskSource() int {
	for i, t := range op.src {
		if t == mask {
			return i
		}
	}
	return -1
}

func (d *decoder) vopc(w uint32) error {
	d.in.sdst = operand{kind: scalarReg, typ: mask, reg: regVCC}
	return d.shortVector(w&0x1ff, w>>9&0xff)
}

// shortVector makes the sources of VOP1, VOP2 and VOPC, with the dword that
// SDWA, DPP or a literal adds. v_madmk and v_madak have their literal as one
// of three sources.
func (d *decoder) shortVector(src0, src1 uint32) error {
	op := d.in.Op
	switch src0 {
	case srcSDWA, srcDPP:
		return d.extended(src0, src1)
	}
	if k := op.literalSource(); k >= 0 {
		if err := d.operand(&d.in.src[k], op.src[k], srcLiteral); err != nil {
			return err
		}
		if err := d.source(0, src0); err != nil {
			return err
		}
		return d.source(3-k, src1+srcVGPR)
	}
	if op.src[0] != none {
		if err := d.source(0, src0); err != nil {
			return err
		}
	}
	if op.src[1] != none && op.src[1] != mask && d.in.form != VOP1 {
		return d.source(1, src1+srcVGPR)
	}
	return nil
}

// literalSource is the source that is always a literal (K), or -1.
func (op *Op) literalSource() int {
	switch op.Name {
	case "v_madmk_f32", "v_madmk_f16", "v_fmamk_f32":
		return 1
	case "v_madak_f32", "v_madak_f16", "v_fmaak_f32":
		return 2
	}
	return -1
}

func (d *decoder) vop3(w uint32) error {
	op, in := d.in.Op, d.in
	w1, err := d.word()
	if err != nil {
		return err
	}
	in.mod = &modifiers{
		clamp: w>>15&1 != 0,
		omod:  uint8(w1 >> 27 & 3),
		neg:   uint8(w1 >> 29 & 7),
	}
	switch {
	case op.Enc == VOPC:
		if err := d.scalarDst(&in.sdst, mask, w&0xff); err != nil {
			return err
		}
		in.mod.abs, in.mod.opSel = uint8(w>>8&7), uint8(w>>11&0xf)
	case op.dst == sdst32:
		if err := d.scalarDst(&in.dst, sdst32, w&0xff); err != nil {
			return err
		}
	default:
		if err := d.vectorDst(&in.dst, op.dst, w&0xff, false); err != nil {
			return err
		}
		if op.flag&writesVCC != 0 {
			if err := d.scalarDst(&in.sdst, mask, w>>8&0x7f); err != nil {
				return err
			}
		} else {
			in.mod.abs, in.mod.opSel = uint8(w>>8&7), uint8(w>>11&0xf)
		}
	}
	nums := [3]uint32{w1 & 0x1ff, w1 >> 9 & 0x1ff, w1 >> 18 & 0x1ff}
	n := op.srcCount()
	if op.flag&readsDst != 0 {
		n--
		in.src[n] = operand{kind: vectorReg, typ: op.src[n], reg: in.dst.reg}
	}
	if n > len(nums) {
		return d.fail("%s has no VOP3 form", op.Name)
	}
	for i := range n {
		if nums[i] == srcLiteral {
			return d.fail("VOP3 takes no literal")
		}
		if err := d.source(i, nums[i]); err != nil {
			return err
		}
	}
	if *in.mod == (modifiers{}) {
		in.mod = nil
	}
	return nil
}

func (d *decoder) vop3p(w uint32) error {
	op, in := d.in.Op, d.in
	w1, err := d.word()
	if err != nil {
		return err
	}
	in.mod = &modifiers{
		neg:     uint8(w1 >> 29 & 7),
		negHi:   uint8(w >> 8 & 7),
		opSel:   uint8(w >> 11 & 7),
		opSelHi: uint8(w1>>27&3 | w>>14&1<<2),
		clamp:   w>>15&1 != 0,
	}
	if err := d.vectorDst(&in.dst, op.dst, w&0xff, false); err != nil {
		return err
	}
	return d.sources(w1&0x1ff, w1>>9&0x1ff, w1>>18&0x1ff)
}
