package gcn

import (
	"fmt"
	"sync"
)

// decodeTables find the row for an encoding and an opcode.
type decodeTables struct {
	rows [encCount][]*Op

	unknown map[unknownCode]string // what rows have not got, by name
}

// families make the rows; each ops_*.go file adds its own. The rows are made when they are first asked for,
// so that those whose programs are for other machines do not wait for them when the program starts.
var families, laterFamilies []func() []Op

func register(family func() []Op) bool {
	families = append(families, family)
	return true
}

// opTables are all rows.
var opTables = sync.OnceValue(func() [][]Op {
	tables := made(families)
	for _, rows := range tables {
		for i := range rows {
			rows[i].setValues()
		}
	}
	return tables
})

func made(families []func() []Op) [][]Op {
	tables := make([][]Op, len(families))
	for i, family := range families {
		tables[i] = family()
	}
	return tables
}

// vop3Code is where the rows of the short encodings lie among the opcodes of
// VOP3 (MI200 ISA, section "VOP3: fields").
var vop3Code = map[Enc]uint16{VOPC: 0, VOP2: 0x100, VOP1: 0x140}

var tableCache sync.Map // Target -> *decodeTables

func tablesFor(t Target) *decodeTables {
	if c, ok := tableCache.Load(t); ok {
		return c.(*decodeTables)
	}
	if t.IsLater() {
		c, _ := tableCache.LoadOrStore(t, laterTables(t))
		return c.(*decodeTables)
	}
	dt := &decodeTables{}
	for _, rows := range opTables() {
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

// A layout tells an encoding by the top bits of its first dword and says where
// its opcode is. The first match counts.
type layout struct {
	mask, value uint32
	enc         Enc
	shift, bits uint8 // of the opcode
	decode      func(*decoder, uint32) error
}

// layouts9 are those of gfx9.
var layouts9 = []layout{
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
	{0xfc00_0000, 0xe800_0000, MTBUF, 15, 4, (*decoder).mtbuf},
	{0xfc00_0000, 0xf000_0000, MIMG, 18, 7, (*decoder).image9},
	{0xfc00_0000, 0xc000_0000, SMEM, 18, 8, (*decoder).smem},
	{0xfc00_0000, 0xc400_0000, EXP, 0, 0, (*decoder).other},
}

func (d *decoder) decode() error {
	w, err := d.word()
	if err != nil {
		return err
	}
	layouts := d.isa.layouts()
	for i := range layouts {
		l := &layouts[i]
		if w&l.mask != l.value {
			continue
		}
		code := w >> l.shift & (1<<l.bits - 1)
		rows := d.isa.tables.rows[l.enc]
		if int(code) >= len(rows) || rows[code] == nil {
			if l.enc == vopd {
				return d.pair(w)
			}
			return d.noRow(l.enc, code)
		}
		d.in.Op, d.in.form = rows[code], l.enc
		if err := l.decode(d, w); err != nil {
			return err
		}
		if d.in.image != nil {
			d.finishImage()
		}
		d.raise()
		d.in.prepare()
		return nil
	}
	return d.fail("no encoding begins so")
}

// noRow says of an opcode that there is none.
func (d *decoder) noRow(enc Enc, code uint32) error {
	name, ok := d.isa.tables.unknown[unknownCode{enc, uint16(code)}]
	switch {
	case enc == MIMG && !HasImages(d.isa.Target.String()): // compilers make some without a warning
		return d.fail("%v has no instructions for images, and opcode %#x of %v is one", d.isa.Target, code,
			enc)
	case ok:
		return d.fail("%s is not simulated", name)
	}
	return d.fail("%v has no opcode %#x on %v", enc, code, d.isa.Target)
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
	num = d.isa.scalarNumber(num)
	o.kind, o.typ, o.reg = scalarReg, t, uint16(num)
	return d.scalarRange(o)
}

// scalarRange checks that as many scalar registers as the operand has follow
// its number. Pairs begin at even numbers and larger groups at multiples of
// four: the hardware does not heed the lower bits.
func (d *decoder) scalarRange(o *operand) error {
	n, first := uint16(typDwords[o.typ]), o.reg
	switch {
	case first == srcSCC:
		return nil
	case d.isa.Target.IsLater():
		return d.laterRange(o)
	case n == 2 && (first < regFlatScratch || first >= regTTMP && first < regM0):
		o.reg &^= 1
	case n > 2:
		o.reg &^= 3
	}
	end := o.reg + max(n, 1)
	switch first, last := o.reg, end-1; {
	case last < regFlatScratch, first >= regTTMP && last < regM0:
	case n <= 1 && first != regM0+1:
	case n == 2 && first&1 == 0 && (first < regTTMP || first == regExec):
	case n > 2 && end <= regXnackMask:
	default:
		return d.fail("there is no group of %d scalar registers at number %d", n, o.reg)
	}
	return nil
}

func (d *decoder) vectorDst(o *operand, t typ, num uint32, acc bool) error {
	switch t {
	case none:
		return nil
	case sdst32:
		return d.scalarDst(o, t, num)
	}
	o.kind, o.typ, o.reg = vectorReg, t, uint16(num)
	if err := d.vectorRange(o); err != nil {
		return err
	}
	if acc {
		o.reg += accBase
	}
	return nil
}

// vectorRange checks that as many vector registers as the operand has follow its number. From gfx10 on such
// an instruction is read, but not executed.
func (d *decoder) vectorRange(o *operand) error {
	if last := int(o.reg) + typDwords[o.typ]; last > accBase {
		if !d.isa.Target.IsLater() {
			return d.fail("v[%d:%d] is past the last register", o.reg, last-1)
		}
		d.in.past = true
	}
	return nil
}

func (d *decoder) sop2(w uint32) error {
	if err := d.scalarDst(&d.in.dst, d.in.Op.dst, w>>16&0x7f); err != nil {
		return err
	}
	if k := d.in.Op.literalSource(); k >= 0 {
		if err := d.source(0, w&0xff); err != nil {
			return err
		}
		if err := d.source(3-k, w>>8&0xff); err != nil {
			return err
		}
		return d.source(k, srcLiteral)
	}
	return d.sources(w&0xff, w>>8&0xff)
}

func (d *decoder) sop1(w uint32) error {
	d.in.simm = int32(w & 0xff) // the message of s_sendmsg_rtn
	if err := d.scalarDst(&d.in.dst, d.in.Op.dst, w>>16&0x7f); err != nil {
		return err
	}
	return d.sources(w & 0xff)
}

func (d *decoder) sopc(w uint32) error {
	d.in.simm = int32(w >> 8 & 0xff) // the mode of s_set_gpr_idx_on
	return d.sources(w&0xff, w>>8&0xff)
}

func (d *decoder) sopp(w uint32) error {
	d.in.simm = int32(int16(w))
	return nil
}

func (d *decoder) sopk(w uint32) error {
	in := d.in
	in.simm = int32(int16(w))
	switch src := in.Op.src[0]; {
	case src == none:
		return d.scalarDst(&in.dst, in.Op.dst, w>>16&0x7f)
	case in.Op.flag&literal32 != 0:
		return d.operand(&in.src[0], src, srcLiteral)
	default: // the register is the source: compare, setreg
		return d.operand(&in.src[0], src, w>>16&0x7f)
	}
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
