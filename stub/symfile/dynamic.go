package symfile

import (
	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// DynamicShared is the name under which gdb finds the dynamic shared memory of a launch. clang writes neither
// an entry nor a symbol for what a program declares as `extern __shared__ T x[]`; all such variables of a
// kernel are the same memory.
const DynamicShared = "__dynamic_shared"

// dynamicShared adds the launch's dynamic shared memory, as bytes, to the unit of the launched kernel. In
// OpenCL C it is what arguments lead to.
func (t *translator) dynamicShared(kernel *dwarf.DIE) {
	d := t.layout.Dynamic
	if root, err := kernel.Unit.Root(); d.Size == 0 || err != nil || types.IsOpenCL(root) {
		return
	}
	char := dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "char"),
		dwarf.UintAttr(dwarf.AttrByteSize, 1), dwarf.UintAttr(dwarf.AttrEncoding, dwarf.ATESignedChar))
	array := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, char))
	array.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrCount, d.Size)))
	t.root.Add(char, array)
	t.addMade(t.root, dwarf.TagVariable, nil, Made{Name: DynamicShared, Type: array, Addr: d.Addr})
}
