package main

import (
	"fmt"

	"simtgdb/loader"
	"simtgdb/loader/spirv"
)

// spirvModule prints what only SPIR-V modules have: what a shader is to be
// given.
func (p infoPrinter) spirvModule(m *loader.Module) {
	own, ok := m.Native.(*spirv.Module)
	if !ok {
		return
	}
	for _, b := range own.Bindings() {
		kind, tail, many := "uniform buffer", "", ""
		if b.Storage {
			kind = "storage buffer"
		}
		if b.Tail > 0 {
			tail = fmt.Sprintf(" and %d for each element of its array", b.Tail)
		}
		if b.Elements != 1 {
			many = fmt.Sprintf(", %d of them", b.Elements)
		}
		p.line("binding", "set %d, binding %d: %s %s of %s%s%s", b.Set, b.Binding, kind,
			orUnknown(shown(b.Name)), plural(int(b.Size), "byte"), tail, many)
	}
	if v := own.PushConstant(); v != nil {
		p.line("push", "%s of push constants", plural(int(v.Type.Size), "byte"))
	}
	for _, c := range own.SpecConstants() {
		p.line("constant", "%d: %s, %#x if nothing is said", c.SpecID, orUnknown(shown(own.Names[c.ID])),
			c.Bits)
	}
}
