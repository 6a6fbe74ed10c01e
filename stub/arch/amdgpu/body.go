package amdgpu

import (
	"simtgdb/dwarf"
	"simtgdb/loader"
)

// Body implements arch.BodyFinder. clang makes two functions of an OpenCL kernel:
// one with the kernel's name, which launches enter, and the body, which other
// kernels can call (clang, CodeGenFunction::GenerateCode, "device kernel stub").
// Optimisation puts the body into the first.
func (*Arch) Body(m *loader.Module, k *loader.Kernel, d *dwarf.Data) (entry uint64, ok bool) {
	for _, s := range m.Symbols {
		if s.Kind == loader.SymbolFunc && !s.Undefined && s.Name == clangKernelBody+k.Name {
			return s.Addr, s.Addr != k.Entry && !isInlined(d, k.Entry, s.Addr)
		}
	}
	return 0, false
}

// BodyName implements arch.BodyFinder.
func (*Arch) BodyName(k *loader.Kernel) string { return clangKernelBody + k.Name }

// isInlined reports whether the function at an address has the one at another in
// it, as far as debugging information tells.
func isInlined(d *dwarf.Data, outer, inner uint64) bool {
	if d == nil {
		return true
	}
	o, i := d.UnitAt(outer), d.UnitAt(inner)
	if o == nil || i == nil {
		return true
	}
	f, body := o.FunctionAt(outer), i.FunctionAt(inner)
	if f == nil || body == nil {
		return true
	}
	origin, ok := body.Attr(dwarf.AttrAbstractOrigin)
	if !ok {
		return false
	}
	for _, c := range f.Children {
		a, ok := c.Attr(dwarf.AttrAbstractOrigin)
		if ok && c.Tag == dwarf.TagInlinedSubroutine && c.Target(&a) == body.Target(&origin) {
			return true
		}
	}
	return false
}
