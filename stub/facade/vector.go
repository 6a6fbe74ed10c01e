package facade

import (
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// OpenCL's language is never served: to gdb 13 `1 && 1` is 0 in it
// (opencl_logical_binary_operation), and no condition is compiled to agent code.
// The units are C99's, where gdb has no v.x for a vector (value_struct_elt wants a
// structure), so a vector is a structure of its components.

// maxComponents is the length of the longest vector of OpenCL C.
const maxComponents = 16

// Components are the names of the components of a vector that is shown as a
// structure (OpenCL C specification, "Vector Components"); none of a type that
// is shown as it is.
func Components(d *dwarf.DIE) []string {
	if !types.IsVector(d) || !types.IsOpenCL(d) {
		return nil
	}
	n := types.Elements(d)
	var names []string
	switch {
	case n > maxComponents:
	case n <= 4:
		for _, c := range "xyzw"[:n] {
			names = append(names, string(c))
		}
	default:
		for i := range n {
			names = append(names, fmt.Sprintf("s%x", i))
		}
	}
	return names
}
