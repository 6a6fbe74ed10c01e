package gen

// The compact forms from Gen12LP on (PRM of DG1, volume 9, "EU Compact Instructions"). Entries have their
// first field in the lowest bits.

// A compactForm are the tables of a generation's compact forms.
type compactForm struct {
	control, types, subregs, source0, source1 compactTable
	ternaryControl, ternarySource, ternarySub compactTable
}

// xeFields are fields from the lowest bits of an entry up, in the order that compactTable has them.
func xeFields(up ...field) []field {
	down := make([]field, len(up))
	for i, f := range up {
		down[len(up)-1-i] = f
	}
	return down
}

var gen12Compact = compactForm{
	control: compactTable{
		[]uint64{0x4, 0x3, 0x2000, 0x2004, 0x2003, 0x80004, 0x24, 0xa0004, 0x0, 0x10004, 0x13, 0x60004,
			0x20004, 0x22004, 0x40004, 0x104, 0xa0003, 0x184, 0x2001, 0x144, 0x1c4, 0x82004, 0x23, 0x33,
			0xa2004, 0x80003, 0x22000, 0x10003, 0xa0084, 0x20003, 0x8003, 0x2024},
		xeFields(field{16, 13}, field{31, 1}, field{32, 3}, field{92, 4})},
	types: compactTable{
		[]uint64{0xd6954, 0x6954, 0x2b54, 0x56d54, 0xd4954, 0xd2954, 0x54d54, 0x800, 0xd0954, 0x2eccc,
			0xb68cc, 0x52d54, 0x96844, 0x50d54, 0x36ccc, 0x16c44, 0x7154, 0x2cccc, 0x822, 0x2844, 0x26c2a,
			0xec22, 0x97044, 0x694c, 0x8c8cc, 0x6854, 0x2ec4c, 0x2822, 0x6834, 0x6814, 0x68d4, 0x2954},
		xeFields(field{35, 9}, field{46, 5}, field{66, 1}, field{88, 4}, field{98, 1})},
	subregs: compactTable{
		[]uint64{0x0, 0x4000, 0x1000, 0x3000, 0x80, 0x2000, 0x5000, 0x8, 0x100, 0x6000, 0x7000, 0x200, 0x4,
			0x300, 0x280, 0x180, 0x380, 0x1c, 0x10, 0xc, 0x18, 0x14, 0x2, 0x140, 0x40, 0x84, 0x5c, 0x42,
			0x18c, 0x20, 0x60, 0x6300},
		xeFields(field{51, 5}, field{67, 5}, field{99, 5})},
	source0: compactTable{
		[]uint64{0x464, 0x0, 0x466, 0x465, 0x2, 0x200, 0x240, 0x340, 0x224, 0x300, 0x226, 0x344, 0x467, 0x100,
			0x1, 0xf10},
		xeFields(field{44, 2}, field{64, 2}, field{80, 8})},
	source1: compactTable{
		[]uint64{0x119, 0x0, 0x919, 0x800, 0x519, 0x8d0, 0x80, 0x89, 0x889, 0xd0, 0xd1, 0xc0, 0xd19, 0x400,
			0xc00, 0x8d1},
		xeFields(field{96, 2}, field{112, 10})},
	ternaryControl: compactTable{
		[]uint64{0x4a540004, 0x4a540003, 0x48540003, 0x4a542003, 0x48542003, 0x48540013, 0x4a540013,
			0x48542013, 0x4a542013, 0x4a542004, 0x48540004, 0x4a550004, 0x4a540024, 0x48542004, 0x4a542000,
			0x4a550003, 0x48542033, 0x48542023, 0x4a542033, 0x4a542023, 0x48540023, 0x48540033, 0x4a540023,
			0x4a540033, 0x48550004, 0x4a552004, 0x4a542024, 0x4a442000, 0x48540024, 0x4a550024, 0x4a542002,
			0x48550003},
		xeFields(field{16, 13}, field{31, 1}, field{32, 3}, field{36, 7}, field{48, 1}, field{50, 1},
			field{80, 3}, field{88, 3}, field{92, 4})},
	ternarySource: compactTable{
		[]uint64{0x12c300, 0x12c242, 0x16c343, 0x12c343, 0x160143, 0x16c34b, 0x14c343, 0x10c300, 0x16c300,
			0x16cb43, 0x16e343, 0x160100, 0x10c343, 0x12e300, 0x12e343, 0x12c34b, 0x120143, 0x12c308,
			0x120100, 0x16e300, 0x12cb00, 0x14c300, 0x12cb43, 0x16cb4b, 0x14c34b, 0x16e34b, 0x162143,
			0x160943, 0x16c308, 0x16cb00, 0x120943, 0x14cb43},
		xeFields(field{35, 1}, field{43, 5}, field{64, 3}, field{83, 5}, field{91, 1}, field{96, 3},
			field{112, 3})},
	ternarySub: compactTable{
		[]uint64{0x0, 0x20000, 0x180, 0xa0000, 0x80380, 0x60000, 0x40000, 0x2000, 0x1000, 0xc0000, 0x80000,
			0xe0000, 0x6000, 0x80, 0x4000, 0x3000, 0x5000, 0x7000, 0x100, 0x200, 0x300, 0x280, 0x380, 0xc0380,
			0x20100, 0x20180, 0x40180, 0x80300, 0x80280, 0x60080, 0xa0380, 0x40080},
		xeFields(field{51, 5}, field{67, 5}, field{99, 5}, field{115, 5})},
}

// xeHPGCompact are Xe-HPG's: other sources and instructions of three of them.
var xeHPGCompact = compactForm{
	control: gen12Compact.control, types: gen12Compact.types, subregs: gen12Compact.subregs,
	source0: compactTable{
		[]uint64{0x100, 0x0, 0x102, 0x101, 0x2, 0x200, 0x240, 0x340, 0x300, 0x103, 0x1, 0xf10, 0x460, 0x140,
			0x448, 0x202},
		gen12Compact.source0.fields},
	source1: compactTable{
		[]uint64{0x40, 0x0, 0x840, 0x800, 0x440, 0x8d0, 0x80, 0xd0, 0xc0, 0xc40, 0x400, 0xc00, 0x118, 0x880,
			0x809, 0x844},
		gen12Compact.source1.fields},
	ternaryControl: compactTable{
		[]uint64{0x94540004, 0x94540003, 0x90540003, 0x94542003, 0x90542003, 0x90540013, 0x94540013,
			0x90542013, 0x94542013, 0x94542004, 0x90540004, 0x94550004, 0x94540024, 0x90542004, 0x94542000,
			0x94550003, 0x90542023, 0x90542033, 0x94542023, 0x94542033, 0x90540033, 0x90540023, 0x27cc0003,
			0x7cc4003, 0x127cc4003, 0x107cc4003, 0x127cc0003, 0x7cc0003, 0x27cc4003, 0x107cc0003, 0x16f544003,
			0x16f540003},
		xeFields(field{16, 13}, field{31, 1}, field{32, 3}, field{36, 7}, field{48, 3}, field{80, 3},
			field{88, 2}, field{90, 1}, field{92, 4})},
	ternarySource: compactTable{
		[]uint64{0x120300, 0x120201, 0x160301, 0x120301, 0x160101, 0x160309, 0x140301, 0x160300, 0x100300,
			0x160b01, 0x162301, 0x160100, 0x100301, 0x122300, 0x122301, 0x120309, 0x120101, 0x120308,
			0x120100, 0x162300, 0x120b00, 0x140300, 0x120b01, 0x160b09, 0x122100, 0x120900, 0x122900,
			0x121100, 0x121900, 0x120500, 0x121500, 0x122500},
		gen12Compact.ternarySource.fields},
	ternarySub: gen12Compact.ternarySub,
}

// compactsXe reports whether the instruction has a compact form.
func (op *Op) compactsXe() bool {
	return op.form == formBasic || op.ternary() && op.Code != opMadm || op.form == formSync
}

func expandXe(g *Generation, c word, op *Op) word {
	t := g.compact
	var w word
	w.set(0, 7, uint64(c.bits(0, 7)))
	w.set(30, 1, uint64(c.bits(7, 1)))
	w.set(8, 8, uint64(c.bits(8, 8)))
	w.set(56, 8, uint64(c.bits(16, 8)))
	if op.ternary() {
		t.ternaryControl.expand(&w, c.bits(24, 5))
		t.ternarySource.expand(&w, c.bits(30, 5))
		t.ternarySub.expand(&w, c.bits(35, 5))
		w.set(72, 8, uint64(c.bits(40, 8)))
		w.set(104, 8, uint64(c.bits(56, 8)))
		w.set(120, 8, uint64(c.bits(48, 8)))
		return w
	}
	t.control.expand(&w, c.bits(24, 5))
	t.types.expand(&w, c.bits(30, 5))
	constant, typ := uint(47), uint(88)
	if op.sources == 1 {
		constant, typ = 46, 40
	}
	if !w.bit(constant) {
		t.subregs.expand(&w, c.bits(35, 5))
		t.source0.expand(&w, c.bits(48, 4))
		w.set(72, 8, uint64(c.bits(40, 8)))
		t.source1.expand(&w, c.bits(52, 4))
		w.set(104, 8, uint64(c.bits(56, 8)))
		return w
	}
	entry := t.subregs.entries[c.bits(35, 5)]
	w.set(51, 5, entry)
	t.source0.expand(&w, c.bits(48, 4))
	if op.sources == 2 {
		w.set(67, 5, entry>>5)
		w.set(72, 8, uint64(c.bits(40, 8)))
	}
	w.hi &= 1<<34 - 1 // a constant lies over the type of source 1 and its file
	w.set(96, 32, uint64(xeConstant(c.bits(52, 12), xeTypes.immediates[w.bits(typ, 4)])))
	return w
}

// xeConstant is a constant of a type by the 12 bits that the compact form has of it.
func xeConstant(v uint32, t Type) uint32 {
	switch t {
	case UW:
		return v | v<<16
	case W:
		half := uint32(uint16(signExtend(v, 12)))
		return half | half<<16
	case D:
		return uint32(signExtend(v, 12))
	case HF:
		return v<<4 | v<<20
	case F:
		return v << 20
	}
	return v
}
