package amdgpu

import (
	"encoding/binary"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/loader"
)

// LDS variables of functions that kernels call lie in the kernel's structure if one kernel comes to
// them; if several do, in one of the module, before it (LLVM, AMDGPULowerModuleLDS, strategy
// "hybrid"; where different kernels come to different ones some are found by tables, and nothing is
// certain). Which kernels come to a function is in the code alone.

// maxLDSKernels is how many kernels a set of them can have.
const maxLDSKernels = 64

// maxScanned bounds how many bytes of code are looked through, if functions of a damaged file overlap.
const maxScanned = 1 << 26

// An ldsFunction is a function with the LDS variables of its own, and of what was inlined into it.
type ldsFunction struct {
	kernel bool
	vars   []ldsVariable
	calls  []uint64
}

// An ldsUse is a variable with the kernels that come to it, a set.
type ldsUse struct {
	ldsVariable
	kernels uint64
	called  bool // it belongs to a function that is no kernel
}

// inModule reports whether a variable lies where it does for all kernels.
func (u *ldsUse) inModule() bool { return u.called && u.kernels&(u.kernels-1) != 0 }

// placeCalled gives the places of the LDS variables of functions: of each kernel for which they make up its LDS
// to the byte.
func placeCalled(m *loader.Module, root *dwarf.DIE, shared []ldsVariable) map[*dwarf.DIE]uint64 {
	functions := ldsFunctions(m, root)
	if len(m.Kernels) > maxLDSKernels {
		return nil
	}
	uses := ldsUses(m, functions)
	var module []ldsVariable
	kernels := uint64(0) // that come to the variables of the module
	for _, u := range uses {
		if u.inModule() {
			if kernels != 0 && kernels != u.kernels {
				return nil
			}
			kernels, module = u.kernels, append(module, u.ldsVariable)
		}
	}
	end, ok := layOutFrom(module, 0)
	places := map[*dwarf.DIE]uint64{}
	for i, k := range m.Kernels {
		base := uint64(0)
		if kernels>>i&1 != 0 {
			base = end
		}
		var own []ldsVariable
		for _, u := range uses {
			if u.kernels>>i&1 != 0 && !u.inModule() {
				own = append(own, u.ldsVariable)
			}
		}
		if !ok || !makeUp(own, base, k.LDSSize) && !makeUp(append(own, shared...), base, k.LDSSize) {
			if base != 0 {
				return nil // so nothing is certain of the module's
			}
			continue
		}
		for _, v := range own {
			places[v.die] = v.offset
		}
	}
	for _, v := range module {
		places[v.die] = v.offset
	}
	return places
}

// ldsUses finds which kernels come to which variables, in the order of the file.
func ldsUses(m *loader.Module, functions map[uint64]*ldsFunction) []*ldsUse {
	var uses []*ldsUse
	of := map[*dwarf.DIE]*ldsUse{}
	for i, k := range m.Kernels {
		for _, at := range reached(functions, k.Entry) {
			f := functions[at]
			for _, v := range f.vars {
				u := of[v.die]
				if u == nil {
					u = &ldsUse{ldsVariable: v}
					of[v.die], uses = u, append(uses, u)
				}
				u.kernels |= 1 << i
				u.called = u.called || !f.kernel
			}
		}
	}
	return uses
}

// reached are the functions that one comes to, with itself.
func reached(functions map[uint64]*ldsFunction, entry uint64) []uint64 {
	if functions[entry] == nil {
		return nil
	}
	seen, all := map[uint64]bool{entry: true}, []uint64{entry}
	for i := 0; i < len(all); i++ {
		for _, c := range functions[all[i]].calls {
			if !seen[c] && functions[c] != nil {
				seen[c], all = true, append(all, c)
			}
		}
	}
	return all
}

// ldsFunctions are the functions of a unit by their addresses.
func ldsFunctions(m *loader.Module, root *dwarf.DIE) map[uint64]*ldsFunction {
	kernels := map[uint64]bool{}
	for _, k := range m.Kernels {
		kernels[k.Entry] = true
	}
	statics := map[*dwarf.DIE][]ldsVariable{} // by the abstract entry, or that of the function
	for _, f := range root.Children {
		if f.Tag == dwarf.TagSubprogram {
			id := identity(f)
			statics[id] = append(statics[id], mangled(f, leadingVariables(f))...)
		}
	}
	functions, left := map[uint64]*ldsFunction{}, uint64(maxScanned)
	for _, f := range root.Children {
		r, ok := f.LowHigh()
		if f.Tag != dwarf.TagSubprogram || !ok || r.High-r.Low > left {
			continue
		}
		left -= r.High - r.Low
		own := &ldsFunction{kernel: kernels[r.Low], calls: calledFrom(m, r)}
		seen := map[*dwarf.DIE]bool{}
		f.Walk(func(d *dwarf.DIE) bool {
			if id := identity(d); (d == f || d.Tag == dwarf.TagInlinedSubroutine) && !seen[id] {
				seen[id], own.vars = true, append(own.vars, statics[id]...)
			}
			return true
		})
		functions[r.Low] = own
	}
	return functions
}

// identity is the abstract entry of a function, or its only one.
func identity(f *dwarf.DIE) *dwarf.DIE {
	if origin := f.Ref(dwarf.AttrAbstractOrigin); origin != nil {
		return origin
	}
	return f
}

// mangled gives a function's variables the names that LLVM sorts them by (Itanium C++ ABI, "Scope
// Encoding"; of OpenCL C "FUNCTION.VARIABLE").
func mangled(f *dwarf.DIE, vars []ldsVariable) []ldsVariable {
	language, _ := rootOf(f).Uint(dwarf.AttrLanguage)
	name := strings.TrimPrefix(f.LinkageName(), "_Z")
	for i := range vars {
		switch {
		case language == dwarf.LangOpenCL:
			vars[i].key = f.Name() + "." + vars[i].key
		case name == "" || name == f.LinkageName():
			vars[i].key = "_ZZ" + strconv.Itoa(len(f.Name())) + f.Name() + "E" + vars[i].key
		default:
			vars[i].key = "_ZZ" + name + "E" + vars[i].key
		}
	}
	return vars
}

// Encodings of what makes the address of a function (AMD, "Vega" Instruction Set Architecture, sections
// SOP1 and SOP2): s_getpc_b64, and s_add_u32 of a register and a literal to the same register.
const (
	getPC, getPCMask = 0xbe801c00, 0xff80ffff
	addLiteral       = 0x8000ff00
)

// calledFrom are the addresses that code makes relative to itself: those of the functions that it calls are among them.
func calledFrom(m *loader.Module, r dwarf.Range) []uint64 {
	code, ok := m.BytesAt(r.Low, r.High-r.Low)
	if !ok {
		return nil
	}
	var out []uint64
	for at := 0; at+12 <= len(code); at += 4 {
		w := binary.LittleEndian.Uint32(code[at:])
		d := w >> 16 & 0x7f
		if w&getPCMask == getPC && binary.LittleEndian.Uint32(code[at+4:]) == addLiteral|d<<16|d {
			// Counted from behind s_getpc_b64.
			distance := int32(binary.LittleEndian.Uint32(code[at+8:]))
			out = append(out, r.Low+uint64(at)+4+uint64(int64(distance)))
		}
	}
	return out
}
