package debuginfo

import (
	"encoding/binary"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// A Table is a variable that is an array of buffers. Each buffer has an address of its own, so that gdb is
// shown an array of references, which launches put at [Table.Addresses], and the lengths of the arrays at
// the buffers' ends at [Table.Lengths].
type Table struct {
	Variable uint32 // its id
	Elements int    // that have a place
	first    int    // of the places of all tables
	index    int    // of the variable, for the number of buffers where the module does not say
	sized    bool
	tail     uint64 // where the array at a buffer's end begins
}

const (
	tablesBase   = LengthsBase + 2*8*MaxLengths
	maxPlaces    = 1024 // of all tables
	tableMost    = 64   // elements of a table that gdb is shown
	lengthsShown = 16   // elements of which it is shown the arrays at their ends
)

// Addresses is where the addresses of a table's buffers are, and Lengths where the lengths of the arrays at
// their ends are: 8 bytes each.
func (t *Table) Addresses() uint64 { return tablesBase + 8*uint64(t.first) }

// Lengths is described at Addresses.
func (t *Table) Lengths() uint64 { return tablesBase + 8*uint64(maxPlaces+t.first) }

// TablesSize is how many bytes from LengthsBase on lengths and tables take.
const TablesSize = 2*8*MaxLengths + 2*8*maxPlaces

// Tables are the arrays of buffers of a module, as far as there are places for them.
func Tables(m *spirv.Module) []Table {
	var out []Table
	next := 0
	for i, v := range m.Variables {
		if v.Storage != spirv.Uniform && v.Storage != spirv.StorageBuffer || v.Type == nil ||
			v.Type.Kind != spirv.Array && v.Type.Kind != spirv.RuntimeArray ||
			v.Type.Elem == nil || v.Type.Elem.Kind != spirv.Struct || i >= MaxLengths {
			continue
		}
		t := Table{Variable: v.ID, Elements: tableMost, first: next, index: i,
			sized: v.Type.Kind == spirv.Array}
		if t.sized {
			t.Elements = int(min(v.Type.Len, tableMost))
		}
		if n := len(v.Type.Elem.Members); n > 0 {
			t.tail = v.Type.Elem.Members[n-1].Offset
		}
		if next += t.Elements; next > maxPlaces {
			break
		}
		out = append(out, t)
	}
	return out
}

// table is the entry of an array of buffers.
func (t *translator) table(tab *Table, typ uint32, block *spirv.Type, number int) *dwarf.DIE {
	if d := t.debug[typ]; d != nil && d.number == dTypeArray {
		typ = d.arg(0)
	}
	array := dwarf.NewDIE(dwarf.TagArrayType)
	t.root.Add(array)
	sub := dwarf.NewDIE(dwarf.TagSubrangeType)
	if tab.sized {
		sub.Set(dwarf.UintAttr(dwarf.AttrCount, uint64(tab.Elements)))
	} else {
		sub.Set(lengthAttr(tab.index))
	}
	array.Add(sub)
	ref := dwarf.NewDIE(dwarf.TagReferenceType, dwarf.UintAttr(dwarf.AttrByteSize, 8))
	t.root.Add(ref)
	t.typed(array, ref)
	t.typed(ref, t.typeOf(typ, block, layout{}, -1-number))
	die := t.typed(dwarf.NewDIE(dwarf.TagVariable), array)
	at := binary.LittleEndian.AppendUint64([]byte{expr.OpAddr}, tab.Addresses())
	die.Set(dwarf.ExprAttr(dwarf.AttrLocation, at))
	return die
}

// tailAttr is the length of the array at the end of one of a table's buffers: that of the buffer whose
// array lies where the debugger asks for one.
func (tab *Table) tailAttr() dwarf.Attr {
	const opPushObjectAddress, opEq = 0x97, 0x29
	e := code(nil).op(expr.OpLit0)
	for i := range min(tab.Elements, lengthsShown) {
		place := func(base uint64) {
			e = append(binary.LittleEndian.AppendUint64(e.op(expr.OpAddr), base+8*uint64(i)), expr.OpDeref)
		}
		place(tab.Addresses())
		e = e.op(expr.OpPlusUconst).uleb(tab.tail).op(opPushObjectAddress, opEq)
		place(tab.Lengths())
		e = e.op(expr.OpMul, opPlus)
	}
	return dwarf.ExprAttr(dwarf.AttrCount, e)
}
