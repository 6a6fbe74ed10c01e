package amdgpu

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
)

// Stock clang loses the locations of variables in LDS: the pass that gathers a
// kernel's LDS variables in one structure (LLVM, AMDGPULowerModuleLDS) does not
// rewrite their debug information. The structure's layout follows from the
// variables alone, and the kernel's metadata says how large it is: where the
// two agree to the byte, the variables get their locations back.

// An ldsVariable is a variable of a function that has no location.
type ldsVariable struct {
	die         *dwarf.DIE
	size, align uint64
	key         string // what LLVM sorts by
	offset      uint64
}

// model is how wide the family's pointers are.
var model = types.AMDGPU

// Model implements arch.Arch.
func (*Arch) Model() types.Model { return model }

// Locations implements arch.Arch: those of the LDS variables of a unit and its
// functions.
func (*Arch) Locations(m *loader.Module, launched *loader.Kernel, u *dwarf.Unit,
	root *dwarf.DIE) map[*dwarf.DIE][]byte {
	out := map[*dwarf.DIE][]byte{}
	if !strings.Contains(u.Producer(), "clang") {
		return out
	}
	shared := lostVariables(root)
	for v, offset := range placeCalled(m, root, shared, launched) {
		out[v] = ldsLocation(offset)
	}
	for _, f := range root.Children {
		if f.Tag != dwarf.TagSubprogram {
			continue
		}
		vars := leadingVariables(f)
		k := kernelOf(m, f)
		if k == nil || k.LDSSize == 0 || launched != nil && k.Entry != launched.Entry {
			continue
		}
		vars, ok := withShared(vars, shared, 0, k.LDSSize)
		if !ok {
			continue
		}
		for _, v := range vars {
			l := ldsLocation(v.offset)
			if other, ok := out[v.die]; ok && !bytes.Equal(other, l) {
				l = nil // it is elsewhere in another kernel
			}
			out[v.die] = l
		}
	}
	maps.DeleteFunc(out, func(_ *dwarf.DIE, l []byte) bool { return l == nil })
	markLost(root, out)
	for _, f := range root.Children {
		markLost(f, out)
	}
	return out
}

// markLost gives the variables among an entry's children that have lost their places, and have not got them
// back, a location that is none.
func markLost(of *dwarf.DIE, places map[*dwarf.DIE][]byte) {
	for _, d := range of.Children {
		_, located := d.Attr(dwarf.AttrLocation)
		if d.Tag == dwarf.TagVariable && located && !hasPlace(d) && places[d] == nil {
			places[d] = []byte{}
		}
	}
}

// hasPlace reports whether debugging information says where a variable is, or what it is. A variable in LDS
// that is at nothing of the table of addresses it has lost: the linker puts 0 where the structure took a
// variable's place after its function had been compiled.
func hasPlace(d *dwarf.DIE) bool {
	if _, constant := d.Attr(dwarf.AttrConstValue); constant {
		return true
	}
	a, located := d.Attr(dwarf.AttrLocation)
	if !located || a.Class != dwarf.ClassExprLoc || len(a.Bytes) == 0 || a.Bytes[0] != expr.OpAddrx {
		return located
	}
	index, n := binary.Uvarint(a.Bytes[1:])
	if n <= 0 || !bytes.Equal(a.Bytes[1+n:], inLDS) {
		return true
	}
	at, err := d.Unit.Addr(index)
	return err != nil || at != 0
}

// inLDS is what makes an address one in LDS, in the form that clang uses.
var inLDS = []byte{expr.OpLit0 + expr.SpaceLocal, expr.OpSwap, expr.OpXderef}

// lostVariables are the variables of a unit itself that have no location.
func lostVariables(root *dwarf.DIE) []ldsVariable {
	var vars []ldsVariable
	for _, d := range root.Children {
		if d.Tag == dwarf.TagVariable && !hasPlace(d) && !d.Flag(dwarf.AttrDeclaration) && d.Name() != "" {
			vars = append(vars, ldsVariableOf(d, d.Name()))
		}
	}
	return vars
}

// ldsVariableOf gives a variable its size and alignment.
func ldsVariableOf(d *dwarf.DIE, key string) ldsVariable {
	v := ldsVariable{die: d, key: key, size: model.Size(d.TypeDIE())}
	v.align = max(model.DeclaredAlign(d.TypeDIE()), raisedAlign(v.size))
	if a, ok := d.Uint(dwarf.AttrAlignment); ok {
		v.align = max(v.align, a)
	}
	return v
}

// leadingVariables are a function's variables of static duration, which clang
// puts before parameters and other variables; none if one of them has a
// location after all.
func leadingVariables(f *dwarf.DIE) []ldsVariable {
	language, _ := rootOf(f).Uint(dwarf.AttrLanguage)
	var vars []ldsVariable
	for _, d := range f.Children {
		_, described := d.Attr(dwarf.AttrAbstractOrigin)
		if d.Tag != dwarf.TagVariable || hasPlace(d) || described {
			break
		}
		key := d.Name()
		if language != dwarf.LangOpenCL {
			// The end of its mangled name; what comes before is the same for
			// all variables of the function.
			key = strconv.Itoa(len(key)) + key
		}
		vars = append(vars, ldsVariableOf(d, key))
	}
	if len(vars) == len(f.Children) {
		return nil // nothing shows where the statics end
	}
	return vars
}

func rootOf(d *dwarf.DIE) *dwarf.DIE {
	for d.Parent != nil {
		d = d.Parent
	}
	return d
}

// raisedAlign is the alignment that the pass gives variables of a size.
func raisedAlign(size uint64) uint64 {
	switch {
	case size > 8:
		return 16
	case size > 4:
		return 8
	case size > 2:
		return 4
	case size > 1:
		return 2
	}
	return 1
}

// kernelOf is the kernel that a function is, or is the body of.
func kernelOf(m *loader.Module, f *dwarf.DIE) *loader.Kernel {
	r, ok := f.LowHigh()
	if !ok {
		return nil
	}
	name := ""
	if s, offset, found := m.SymbolAt(r.Low); found && offset == 0 {
		name = strings.TrimPrefix(s.Name, clangKernelBody)
	}
	for i := range m.Kernels {
		if k := &m.Kernels[i]; k.Entry == r.Low || k.Name == name {
			return k
		}
	}
	return nil
}

// clangKernelBody begins the name of the function that clang makes of an
// OpenCL kernel's body.
const clangKernelBody = "__clang_ocl_kern_imp_"

// maxShared is of how many variables of a unit each selection is tried.
const maxShared = 8

// withShared lays out the variables of a kernel, from an offset on, so that they make up its LDS: by
// themselves, with those of the whole unit, or with some of them if nothing else fits than these.
func withShared(own, shared []ldsVariable, base, size uint64) ([]ldsVariable, bool) {
	if makeUp(own, base, size) {
		return own, true
	}
	if len(shared) > maxShared {
		all := slices.Concat(own, shared)
		return all, makeUp(all, base, size)
	}
	var found []ldsVariable
	for choice := 1; choice < 1<<len(shared); choice++ {
		vars := slices.Clone(own)
		for i, v := range shared {
			if choice>>i&1 != 0 {
				vars = append(vars, v)
			}
		}
		switch {
		case !makeUp(vars, base, size):
		case found != nil:
			return own, false
		default:
			found = vars
		}
	}
	return found, found != nil
}

// makeUp lays variables out from an offset on, and reports whether they end at another, or where their
// structure does.
func makeUp(vars []ldsVariable, base, size uint64) bool {
	end, ok := layOutFrom(vars, base)
	if !ok || len(vars) == 0 {
		return ok && base == size
	}
	return end == size || roundUp(end, vars[0].align) == size
}

// layOutFrom gives variables of a structure their offsets: by decreasing alignment, decreasing size, and
// name. Where that order would leave a gap the pass may fill it: then nothing is certain.
func layOutFrom(vars []ldsVariable, base uint64) (end uint64, ok bool) {
	slices.SortStableFunc(vars, func(a, b ldsVariable) int {
		return cmp.Or(cmp.Compare(b.align, a.align), cmp.Compare(b.size, a.size), cmp.Compare(a.key, b.key))
	})
	at := base
	for i := range vars {
		v := &vars[i]
		if i == 0 {
			at = roundUp(at, v.align)
		}
		if v.size == 0 || v.size > maxLDS || at%v.align != 0 {
			return 0, false
		}
		v.offset = at
		at += v.size
	}
	return at, true
}

func roundUp(n, align uint64) uint64 { return (n + align - 1) / align * align }

// DynamicShared implements arch.DynamicSharer: behind the static LDS, the size of which has been rounded up
// to how its variables are aligned (LLVM, AMDGPUMachineFunction, setDynLDSAlign).
func (*Arch) DynamicShared(k *loader.Kernel) uint64 { return k.LDSSize }

// ldsLocation is an address in LDS in the form that clang uses.
func ldsLocation(offset uint64) []byte {
	e := binary.LittleEndian.AppendUint32([]byte{expr.OpConst4u}, uint32(offset))
	return append(e, inLDS...)
}
