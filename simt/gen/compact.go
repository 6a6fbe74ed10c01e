package gen

// The 64-bit forms of instructions replace groups of fields by indices into
// tables (PRM volume 7, "EU Compact Instructions"). The entries of a table
// are the fields' values, the first field in the highest bits.

// A field is where a part of an entry goes in the full instruction.
type field struct{ pos, n uint }

// compactTable is one kind of index.
type compactTable struct {
	entries []uint64
	fields  []field // from the highest bits of an entry down
}

var (
	compactControl = compactTable{
		[]uint64{0x2, 0x4000, 0x4001, 0x4002, 0x4003, 0x4004, 0x4005, 0x4007, 0x4008, 0x4009, 0x400d,
			0x6000,
			0x6001, 0x6002, 0x6003, 0x6004, 0x6005, 0x6007, 0x6009, 0x600d, 0x6010, 0x6100, 0x8000,
			0x8002, 0x8004,
			0x8100, 0x16000, 0x16010, 0x18000, 0x18100, 0x28000, 0x28100},
		[]field{{31, 3}, {12, 12}, {9, 2}, {34, 1}, {8, 1}},
	}
	compactTypes = compactTable{
		[]uint64{0x40001, 0x40040, 0x40041, 0x400c1, 0x4015d, 0x405dd, 0x40741, 0x40745, 0x4075d, 0x41041,
			0x43040,
			0x43041, 0x45145, 0x47144, 0x47145, 0x5c75d, 0x5d71d, 0x5d75c, 0x5d75d, 0x5f75c, 0x40c,
			0x4005d, 0x40145,
			0x41040, 0x45144, 0x47104, 0x49209, 0x5775d, 0x5f75d, 0x4f34c, 0x49248, 0x4b248},
		[]field{{61, 3}, {89, 6}, {35, 12}},
	}
	compactSubregs = compactTable{
		[]uint64{0x0, 0x1, 0x8, 0xf, 0x10, 0x80, 0x100, 0x180, 0x200, 0x210, 0x280, 0x1000, 0x1001,
			0x1081, 0x1082,
			0x1083, 0x1084, 0x1087, 0x1088, 0x108e, 0x108f, 0x1180, 0x11e8, 0x2000, 0x2180, 0x3000,
			0x3c87, 0x4000,
			0x5000, 0x6000, 0x7000, 0x701c},
		[]field{{96, 5}, {64, 5}, {48, 5}},
	}
	compactSource = []uint64{0x0, 0x2, 0x10, 0x12, 0x18, 0x20, 0x28, 0x48, 0x50, 0x70, 0x78, 0x300, 0x302,
		0x308,
		0x310, 0x312, 0x320, 0x328, 0x338, 0x340, 0x342, 0x348, 0x350, 0x360, 0x368, 0x370, 0x371, 0x378,
		0x468, 0x469,
		0x46a, 0x588}
	compactTernaryControl = compactTable{
		[]uint64{0x806001, 0x6001, 0x8001, 0x8021},
		[]field{{35, 2}, {32, 3}, {8, 21}},
	}
	compactTernarySource = compactTable{
		[]uint64{0x7272720f000, 0x7272720f002, 0x7272720f008, 0x7272720f020},
		[]field{{125, 2}, {104, 2}, {84, 1}, {83, 1}, {107, 8}, {86, 8}, {65, 8}, {37, 19}},
	}
)

func (t *compactTable) expand(w *word, index uint32) {
	entry, shift := t.entries[index], uint(0)
	for _, f := range t.fields {
		shift += f.n
	}
	for _, f := range t.fields {
		shift -= f.n
		w.set(f.pos, f.n, entry>>shift)
	}
}

const compactBit = 29

// expand returns the full form of a compact instruction.
func expand(_ *Generation, c word, op *Op) word {
	var w word
	w.set(0, 7, uint64(c.bits(0, 7)))
	if op.form == formTernary {
		expandTernary(&w, c)
		return w
	}
	w.set(30, 1, uint64(c.bits(7, 1)))
	compactControl.expand(&w, c.bits(8, 5))
	compactTypes.expand(&w, c.bits(13, 5))
	w.set(28, 1, uint64(c.bits(23, 1)))
	w.set(24, 4, uint64(c.bits(24, 4)))
	w.set(53, 8, uint64(c.bits(40, 8)))
	subregs := c.bits(18, 5)
	w.set(77, 12, compactSource[c.bits(30, 5)])
	if w.bits(41, 2) == immediateFile || w.bits(89, 2) == immediateFile {
		// The sub-registers' entry goes in whole where the immediate does
		// not lie over it; the immediate has 13 bits.
		entry := compactSubregs.entries[subregs]
		w.set(48, 5, entry)
		w.set(64, 5, entry>>5)
		w.set(69, 8, uint64(c.bits(48, 8)))
		imm := uint32(signExtend(c.bits(35, 5), 5))<<8 | c.bits(56, 8)
		w.set(96, 32, uint64(imm))
		return w
	}
	compactSubregs.expand(&w, subregs)
	w.set(69, 8, uint64(c.bits(48, 8)))
	w.set(109, 12, compactSource[c.bits(35, 5)])
	w.set(101, 8, uint64(c.bits(56, 8)))
	return w
}

func expandTernary(w *word, c word) {
	compactTernaryControl.expand(w, c.bits(8, 2))
	compactTernarySource.expand(w, c.bits(10, 2))
	for _, f := range [...]struct{ from, n, to uint }{
		{30, 1, 30}, {12, 7, 56}, {28, 1, 64}, {32, 1, 85}, {33, 1, 106}, {31, 1, 31},
		{34, 3, 73}, {37, 3, 94}, {40, 3, 115}, {43, 7, 76}, {50, 7, 97}, {57, 7, 118},
	} {
		w.set(f.to, f.n, uint64(c.bits(f.from, f.n)))
	}
}
