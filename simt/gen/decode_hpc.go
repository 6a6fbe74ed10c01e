package gen

// The encoding of Xe-HPC, where registers have 64 bytes: that of Gen12LP but for the controls and places in
// registers.

var xeHPCEncoding = encoding{(*Inst).controlsHPC, (*Inst).operandsXe, (*Op).compactsHPC, expandHPC,
	(*Inst).waitHPC}

// compactsHPC reports whether the instruction has a compact form.
func (op *Op) compactsHPC() bool { return op.compactsXe() || op.Code == opMadm }

// controlsHPC decodes what all instructions have.
func (in *Inst) controlsHPC(g *Generation, w word) {
	in.controlsXe(g, w)
	in.width, in.first = 1<<w.bits(18, 3), 8*int(w.bits(24, 2))
	in.flag, in.pred = uint8(w.bits(21, 3)), uint8(w.bits(26, 2))
	if in.accWrite {
		in.accWrite = false
		in.options &^= 1 << optionAccWrEn
	}
	in.waitHPC(w)
}

// waitHPC decodes what an instruction waits for: distances in four pipelines, and 32 tokens.
func (in *Inst) waitHPC(w word) {
	in.option(optionBreakpoint, w.bit(30))
	in.wait = in.waitOf10(uint16(w.bits(8, 10)))
}

// hpcPipes are the pipelines by the field's bits above a distance.
var hpcPipes = [8]string{0: "", 1: "A", 2: "F", 3: "I", 4: "L", 5: "M"}

func (in *Inst) waitOf10(v uint16) wait {
	switch {
	case v == 0xf0:
		return wait{plain: true}
	case v < 0x30:
		return wait{counts: v&7 != 0, distance: uint8(v & 7), pipe: hpcPipes[v>>3&7]}
	case v>>8 != 0:
		return in.bothOf10(v)
	}
	return wait{token: map[uint16]tokenUse{4: tokenDst, 5: tokenSrc, 6: tokenSet}[v>>5], id: uint8(v & 31)}
}

// bothOf10 is a wait for a distance and a token: which of them depends on the instruction.
func (in *Inst) bothOf10(v uint16) wait {
	t := wait{counts: true, distance: uint8(v >> 5 & 7), id: uint8(v & 31)}
	switch mode := v >> 8; in.Op.form {
	case formSendXe:
		t.token, t.pipe = tokenSet, [4]string{1: "A", 2: "F", 3: "I"}[mode]
	case formDpas:
		t.token = [4]tokenUse{1: tokenSet, 2: tokenSrc, 3: tokenDst}[mode]
	default:
		if t.token = [4]tokenUse{1: tokenDst, 2: tokenSrc, 3: tokenDst}[mode]; mode == 3 {
			t.pipe = "A"
		}
	}
	return t
}

// hpcCompact are the tables of its compact forms; those of dpas are hpcDpas.
var (
	hpcCompact = compactForm{
		control: compactTable{
			[]uint64{0x4, 0x800, 0x84, 0x0, 0x802, 0x5, 0x803, 0x804, 0x14802, 0x10802, 0x801, 0x10800,
				0x14800, 0x14803, 0x14004, 0x10803, 0x10004, 0x8000, 0x14005, 0xc000, 0x10005, 0xc800, 0x4800,
				0x884, 0x38800, 0x3, 0x4004, 0x104, 0x125, 0x2, 0x14025, 0x14015},
			xeFields(field{18, 11}, field{31, 1}, field{32, 1}, field{34, 1}, field{92, 4})},
		types: compactTable{
			[]uint64{0xbe8ee, 0x800, 0x6844, 0xd6954, 0x2ecee, 0x6954, 0x6866, 0x2b54, 0x36cce, 0xb68cc,
				0xde976, 0x7044, 0x2eccc, 0x68cc, 0x2a44, 0x2aac, 0x2cccc, 0x36cee, 0x68ee, 0xa40, 0xd4954,
				0x8c44, 0x968ee, 0x4844, 0x8c8cc, 0x7844, 0x695a, 0x2ec4e, 0x36ccc, 0xec44, 0x2ecce, 0x16c44},
			gen12Compact.types.fields},
		subregs: compactTable{
			[]uint64{0x0, 0x400, 0x80, 0x200, 0x100, 0x4, 0x8, 0x20, 0x180, 0x10, 0x600, 0x108, 0x500, 0x300,
				0xc, 0x210},
			xeFields(field{33, 1}, field{51, 5}, field{67, 5}, field{87, 1})},
		source0: compactTable{[]uint64{0x100, 0x0, 0x200, 0x300, 0x710, 0x102, 0x2, 0x110},
			xeFields(field{44, 2}, field{64, 2}, field{80, 7})},
		source1: compactTable{
			[]uint64{0x0, 0x800, 0x10, 0x50, 0x1000, 0x8800, 0x40, 0x20, 0x18, 0x8, 0x30, 0x60, 0x70, 0x840,
				0x820, 0x1808},
			xeFields(field{96, 2}, field{99, 5}, field{112, 7}, field{120, 2})},
		ternaryControl: compactTable{
			[]uint64{0x1b8ec004, 0x1b8ec084, 0x1b0ec004, 0x128a8005, 0x120a8005, 0x1b0ec084, 0x128a8004,
				0x36998005, 0x2a8a8004, 0x1b8ec800, 0x1b0ec003, 0x120a8004, 0x2a0a8004, 0x36998004,
				0x2a8b4004, 0x36998800},
			xeFields(field{18, 11}, field{31, 1}, field{32, 1}, field{34, 1}, field{36, 7}, field{48, 3},
				field{80, 3}, field{88, 3}, field{92, 2}, field{94, 2})},
		ternarySource: compactTable{
			[]uint64{0x160b01, 0x160301, 0x120201, 0x160a01, 0x160201, 0x16e142, 0x14c142, 0x122201, 0x120100,
				0x120301, 0x160001, 0x160101, 0x16c142, 0x120300, 0x122301, 0x140300},
			gen12Compact.ternarySource.fields},
		ternarySub: compactTable{
			[]uint64{0x0, 0x80000, 0x4000, 0xe0000, 0x40000, 0xa0000, 0x20000, 0x60000, 0xc0000, 0x2101,
				0x2102, 0xa103, 0x20806, 0x4e8, 0x20c27, 0x3a101, 0x22105, 0x29880, 0x804, 0x300, 0x1000,
				0x280, 0x2000, 0x10000, 0x800, 0xb0000, 0x90000, 0x30000, 0x50000, 0xd0000, 0x70000, 0xf0000},
			gen12Compact.ternarySub.fields},
	}
	hpcDpas = compactForm{
		ternaryControl: compactTable{
			[]uint64{0xf99004, 0x4f99004, 0x20f99004, 0x24f99004, 0xf98004, 0x24f98004, 0x2dea9004,
				0x2df69004, 0x2deb5004, 0x2df75004, 0x2dea8004, 0x9ea9004, 0x9e69004, 0x9ea5004, 0x9e65004,
				0x9ea8004},
			hpcCompact.ternaryControl.fields},
		ternarySource: compactTable{
			[]uint64{0x120100, 0x120500, 0x120900, 0x121100, 0x121500, 0x121900, 0x122100, 0x122500, 0x122900,
				0x120102, 0x120502, 0x121102, 0x121502, 0x122902, 0x12010e, 0x12150e},
			gen12Compact.ternarySource.fields},
	}
)

// expandHPC returns the full form of a compact instruction.
func expandHPC(_ *Generation, c word, op *Op) word {
	t := &hpcCompact
	var w word
	w.set(0, 7, uint64(c.bits(0, 7)))
	w.set(30, 1, uint64(c.bits(7, 1)))
	w.set(8, 10, uint64(c.bits(8, 10)))
	w.set(56, 8, uint64(c.bits(32, 8)))
	parted := c.bits(26, 3) | c.bits(30, 2)<<3
	if op.ternary() {
		control, source := &t.ternaryControl, &t.ternarySource
		if op.form == formDpas {
			control, source = &hpcDpas.ternaryControl, &hpcDpas.ternarySource
		}
		control.expand(&w, c.bits(18, 4))
		source.expand(&w, c.bits(22, 4))
		t.ternarySub.expand(&w, parted)
		w.set(72, 8, uint64(c.bits(40, 8)))
		w.set(104, 8, uint64(c.bits(56, 8)))
		w.set(120, 8, uint64(c.bits(48, 8)))
		return w
	}
	t.control.expand(&w, c.bits(18, 5))
	t.types.expand(&w, parted)
	t.subregs.expand(&w, c.bits(48, 4))
	t.source0.expand(&w, c.bits(23, 3))
	constant, typ := uint(47), uint(88)
	if op.sources == 1 {
		constant, typ = 46, 40
	}
	if !w.bit(constant) {
		w.set(72, 8, uint64(c.bits(40, 8)))
		t.source1.expand(&w, c.bits(52, 4))
		w.set(104, 8, uint64(c.bits(56, 8)))
		return w
	}
	if op.sources == 2 {
		w.set(72, 8, uint64(c.bits(40, 8)))
	}
	w.hi &= 1<<34 - 1 // a constant lies over the type of source 1 and its file
	w.set(96, 32, uint64(xeConstant(c.bits(52, 12), xeTypes.immediates[w.bits(typ, 4)])))
	return w
}
