package intelgt

import (
	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
)

// attrLanes is IGC's attribute of a subprogram that says for how many lanes its code is.
const attrLanes dwarf.At = 0x2400

// Object implements arch.ObjectReader.
func (*Arch) Object(v *dwarf.DIE, location []byte, size uint64) (object []byte, ok bool) {
	lanes := uint64(0)
	for d := v; d != nil && lanes == 0; d = d.Parent {
		lanes, _ = d.Uint(attrLanes)
	}
	f := expr.Format{AddressSize: int(v.Unit.AddrSize), DWARF64: v.Unit.Is64, Version: int(v.Unit.Version)}
	return expr.IntelObject(location, f, size, int(min(lanes, 32)))
}
