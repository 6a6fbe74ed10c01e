package gcn

import "fmt"

// From gfx10 on one number says how an item's components lie and what numbers they are (RDNA 1 and 3 ISA,
// tables "Buffer image format"). Here it stands for a data format and a number format of gfx9.

// A formatGroup is a data format with the number formats that it has, whose numbers follow each other.
type formatGroup struct {
	data uint8
	nums []uint8
}

var (
	integral    = []uint8{formatUnorm, formatSnorm, formatUscaled, formatSscaled, formatUint, formatSint}
	anyNum      = append(integral[:6:6], formatFloat)
	plainNum    = []uint8{formatUint, formatSint, formatFloat}
	floating    = []uint8{formatFloat}
	unscaledNum = []uint8{formatUnorm, formatSnorm, formatUint, formatSint}

	formats10 = listFormats([]formatGroup{{1, integral}, {2, anyNum}, {3, integral}, {4, plainNum},
		{5, anyNum},
		{6, anyNum}, {7, anyNum}, {8, integral}, {9, integral}, {10, integral}, {11, plainNum}, {12, anyNum},
		{13, plainNum}, {14, plainNum}})
	formats11 = listFormats([]formatGroup{{1, integral}, {2, anyNum}, {3, integral}, {4, plainNum},
		{5, anyNum},
		{6, floating}, {7, floating}, {8, unscaledNum}, {9, integral}, {10, integral}, {11, plainNum},
		{12, anyNum},
		{13, plainNum}, {14, plainNum}})
)

// listFormats are the formats by their numbers: the first stands for none.
func listFormats(groups []formatGroup) [][2]uint8 {
	list := make([][2]uint8, 1)
	for _, g := range groups {
		for _, n := range g.nums {
			list = append(list, [2]uint8{g.data, n})
		}
	}
	return list
}

func formatsOf(t Target) [][2]uint8 {
	if t&gfx10 != 0 {
		return formats10
	}
	return formats11
}

// laterFormat is what a format's number stands for: data format 0 is none.
func laterFormat(n uint32, t Target) (data, num uint8) {
	if t&gfx10 == 0 {
		n &= 0x3f // of a descriptor there
	}
	list := formatsOf(t)
	if int(n) >= len(list) {
		return 0, 0
	}
	return list[n][0], list[n][1]
}

// laterFormatText is the format of an instruction, as far as it is not the usual one.
func laterFormatText(n uint32, t Target) string {
	list := formatsOf(t)
	switch {
	case n == 0:
		return "format:[BUF_FMT_INVALID]"
	case n == 1:
		return ""
	case int(n) >= len(list):
		return fmt.Sprintf("format:%d", n)
	}
	return "format:[BUF_FMT_" + dataFormatNames[list[n][0]] + "_" + numFormatNames[list[n][1]] + "]"
}

// typedBuffer10 decodes MTBUF of gfx10, whose opcode has its highest bit in the second dword.
func (d *decoder) typedBuffer10(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, m := d.in, &d.in.mem
	in.Op = d.isa.tables.rows[MTBUF][w>>16&7|w1>>21&1<<3]
	in.simm = int32(w & 0xfff)
	m.offen, m.idxen, m.glc, m.dlc = w>>12&1 != 0, w>>13&1 != 0, w>>14&1 != 0, w>>15&1 != 0
	m.slc, m.tfe, m.dfmt = w1>>22&1 != 0, w1>>23&1 != 0, uint8(w>>19&0x7f)
	return d.bufferOperands(w1, false)
}

// typedBuffer11 decodes MTBUF of gfx11.
func (d *decoder) typedBuffer11(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	in, m := d.in, &d.in.mem
	in.simm = int32(w & 0xfff)
	m.slc, m.dlc, m.glc, m.dfmt = w>>12&1 != 0, w>>13&1 != 0, w>>14&1 != 0, uint8(w>>19&0x7f)
	m.tfe, m.offen, m.idxen = w1>>21&1 != 0, w1>>22&1 != 0, w1>>23&1 != 0
	return d.bufferOperands(w1, false)
}
