package facade

import (
	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// A leaf is a scalar part of a type.
type leaf struct {
	offset, size uint64
	float        bool
}

// maxTypeDepth bounds how deep records and arrays lie in each other.
const maxTypeDepth = 32

// maxSteps bounds the work on one type.
const maxSteps = 1 << 14

// systemV classifies a returned object: in memory, or for each of its one or two
// eightbytes whether it is in an SSE register. gdb takes an object with members
// off their alignment to be in memory.
func systemV(model types.Model, typ *dwarf.DIE) (sse []bool, memory bool) {
	typ, size := types.Strip(typ), model.Size(typ)
	c := classes{model: model}
	if typ == nil || size > 16 || types.IsPassedByReference(typ) || !c.add(typ, 0, 0) || c.unaligned {
		return nil, true
	}
	for i := range (size + 7) / 8 {
		sse = append(sse, c.float[i] && !c.integer[i])
	}
	return sse, false
}

// classes are what is in the eightbytes of a type.
type classes struct {
	model          types.Model
	float, integer [2]bool
	unaligned      bool
	steps          int
}

func (c *classes) add(d *dwarf.DIE, offset uint64, depth int) bool {
	d = types.Strip(d)
	if c.steps++; d == nil || depth > maxTypeDepth || c.steps > maxSteps {
		return false
	}
	switch d.Tag {
	case dwarf.TagStructureType, dwarf.TagClassType, dwarf.TagUnionType:
		for m := range types.Members(d) {
			if bit, ok := m.Uint(dwarf.AttrDataBitOffset); ok {
				c.integer[min((8*offset+bit)/64, 1)] = true
			} else if !c.add(m.TypeDIE(), offset+types.Offset(m), depth+1) {
				return false
			}
		}
		return true
	case dwarf.TagArrayType:
		element := c.model.Size(d.TypeDIE())
		for i := range min(types.Elements(d), 16) {
			if !c.add(d.TypeDIE(), offset+i*element, depth+1) {
				return false
			}
		}
		return element > 0
	}
	leaves := scalar(c.model, d, offset)
	for _, l := range leaves {
		c.unaligned = c.unaligned || l.offset%l.size != 0
		for i := l.offset / 8; i < 2 && i <= (l.offset+l.size-1)/8; i++ {
			c.float[i], c.integer[i] = c.float[i] || l.float, c.integer[i] || !l.float
		}
	}
	return len(leaves) > 0
}

// scalar is a type without members: one leaf, or the two of a complex number.
func scalar(model types.Model, d *dwarf.DIE, offset uint64) []leaf {
	size, encoding := model.Size(d), types.Encoding(d)
	switch {
	case size == 0 || encoding == 0 && !types.IsPointer(d) && d.Tag != dwarf.TagEnumerationType:
		return nil
	case encoding == dwarf.ATEComplexFloat:
		return []leaf{{offset, size / 2, true}, {offset + size/2, size / 2, true}}
	}
	return []leaf{{offset, size, encoding == dwarf.ATEFloat}}
}
