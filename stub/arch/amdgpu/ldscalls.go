package amdgpu

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/bits"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/loader"
)

// LDS variables of functions that kernels call lie in the structure of the kernel if one kernel comes to
// them; if several do, perhaps in one of the module, before it (LLVM, AMDGPULowerModuleLDS, strategy
// "hybrid"): the variable that most kernels come to by calls, and those that no kernels come to
// besides. Others lie in the structure of each kernel, somewhere else in each, and functions find them
// by a table (llvm.amdgcn.lds.offset.table). Which kernels come to a function is in the code alone.

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

// An ldsUse is a variable with the kernels that use it, two sets: in code of their own, and by calls.
type ldsUse struct {
	ldsVariable
	direct, called uint64
	module         bool // it lies in the module's structure
}

// placeCalled gives the places of LDS variables in kernels for which they make up the LDS to the byte: in the
// launched one, or, if that is not known, of those variables that have one place in all kernels.
func placeCalled(m *loader.Module, root *dwarf.DIE, shared []ldsVariable,
	launched *loader.Kernel) map[*dwarf.DIE]uint64 {
	functions := ldsFunctions(m, root)
	if len(m.Kernels) > maxLDSKernels {
		return nil
	}
	uses := ldsUses(m, functions)
	kernels := chooseModule(uses)
	var module []ldsVariable
	for _, u := range uses {
		if u.module {
			module = append(module, u.ldsVariable)
		}
	}
	end, ok := layOutFrom(module, 0)
	places, several := map[*dwarf.DIE]uint64{}, map[*dwarf.DIE]bool{}
	for i, k := range m.Kernels {
		if launched != nil && k.Entry != launched.Entry {
			continue
		}
		base, inModule := uint64(0), kernels>>i&1 != 0
		if inModule {
			base = end
		}
		var own []ldsVariable
		for _, u := range uses {
			if (u.direct|u.called)>>i&1 != 0 && !(inModule && u.module) {
				own = append(own, u.ldsVariable)
			}
		}
		fits := false
		if ok {
			own, fits = withShared(own, shared, base, k.LDSSize)
		}
		switch {
		case !fits && inModule:
			return nil // so nothing is certain of the module's
		case !fits:
			continue
		}
		if inModule {
			own = append(own, module...)
		}
		for _, v := range own {
			other, placed := places[v.die]
			several[v.die] = several[v.die] || placed && other != v.offset
			places[v.die] = v.offset
		}
	}
	maps.DeleteFunc(places, func(d *dwarf.DIE, _ uint64) bool { return several[d] })
	return places
}

// chooseModule finds the variables of the module, and gives the kernels that allocate its structure. The
// variable that most kernels call for is the first: of several the smaller, of those the last by its name.
func chooseModule(uses []*ldsUse) (kernels uint64) {
	var first *ldsUse
	for _, u := range uses {
		if bits.OnesCount64(u.called) > 1 && (first == nil || cmp.Or(
			cmp.Compare(bits.OnesCount64(u.called), bits.OnesCount64(first.called)),
			cmp.Compare(first.size, u.size), cmp.Compare(u.key, first.key)) > 0) {
			first = u
		}
	}
	if first == nil {
		return 0
	}
	for _, u := range uses {
		u.module = bits.OnesCount64(u.called) > 1 && u.called&^first.called == 0
		if u.module {
			kernels |= u.called
		}
	}
	return kernels
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
				if f.kernel {
					u.direct |= 1 << i
				} else {
					u.called |= 1 << i
				}
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

// calledFrom are the addresses that code makes relative to itself: those of the functions that it calls are
// among them.
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
