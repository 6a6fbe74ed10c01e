package launch

import (
	"fmt"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// How a structure of a launch comes to lie as the kernel's declaration has it. A launch gives its numbers one
// after the other; the compiler may align members further, as vectors are, and adds bytes behind the last
// one.

// A leaf is one number of a declared object: a pointer is one of 64 bits.
type leaf struct {
	Field
	member int // which member of the object it belongs to
}

// maxLeaves bounds how much of a structure is looked through.
const maxLeaves = 1 << 10

// leavesOf are the numbers that an object of a type consists of; false if there is anything else in it, or
// nothing.
func leavesOf(typ *dwarf.DIE) ([]leaf, bool) {
	bare := types.Strip(typ)
	if bare == nil || !types.IsRecord(bare) || bare.Tag == dwarf.TagUnionType {
		return nil, false
	}
	var l leafing
	i := 0
	for m := range types.Members(bare) {
		before := len(l.all)
		if bitField(m) || !l.add(m.TypeDIE(), types.Offset(m)) {
			return nil, false
		}
		for j := range l.all[before:] {
			l.all[before+j].member = i
		}
		i++
	}
	return l.all, len(l.all) > 0
}

// A leafing collects leaves, in so many steps: types of damaged files may contain themselves.
type leafing struct {
	all   []leaf
	steps int
}

func (l *leafing) add(typ *dwarf.DIE, at uint64) bool {
	bare, model := types.Strip(typ), types.Model{}
	if l.steps++; bare == nil || l.steps > maxLeaves {
		return false
	}
	switch {
	case bare.Tag == dwarf.TagArrayType:
		size, of := model.Size(bare), model.Size(bare.TypeDIE())
		if of == 0 || size/of > maxLeaves {
			return false
		}
		for i := uint64(0); i+of <= size; i += of {
			if !l.add(bare.TypeDIE(), at+i) {
				return false
			}
		}
		return true
	case types.IsRecord(bare):
		for m := range types.Members(bare) {
			if bitField(m) || !l.add(m.TypeDIE(), at+types.Offset(m)) {
				return false
			}
			if bare.Tag == dwarf.TagUnionType { // any of its members has all of it
				break
			}
		}
		return true
	case types.IsPointer(bare):
		l.all = append(l.all, leaf{Field: Field{"u64", int(at)}})
		return true
	}
	element := elementOf(bare)
	if element != "" {
		l.all = append(l.all, leaf{Field: Field{element, int(at)}})
	}
	return element != ""
}

// vectorElement is the element type of an object that is numbers of one type, one behind the other, as
// vectors are in some producers' debugging information and in CUDA's and HIP's headers; "" of any other.
func vectorElement(typ *dwarf.DIE) string {
	leaves, ok := leavesOf(typ)
	if !ok {
		return ""
	}
	element := leaves[0].Type
	for i, l := range leaves {
		if l.Type != element || l.At != i*elementTypes[element].size {
			return ""
		}
	}
	return element
}

// laidOut is a structure that a launch gives, its numbers where the declaration has them, if there are as
// many of the same sizes.
func laidOut(a *Arg, typ *dwarf.DIE, size uint64) *Arg {
	leaves, ok := leavesOf(typ)
	if !ok || len(leaves) != len(a.Fields) || size > maxValue {
		return a
	}
	laid := *a
	laid.Value, laid.Fields = make([]byte, size), make([]Field, len(leaves))
	for i, f := range a.Fields {
		n, at := elementTypes[f.Type].size, leaves[i].At
		if !alike(f.Type, leaves[i].Type) || at < 0 || at+n > len(laid.Value) {
			return a
		}
		copy(laid.Value[at:at+n], a.Value[f.At:])
		laid.Fields[i] = Field{f.Type, at}
	}
	return &laid
}

// maxShownLeaves bounds the numbers of a structure that an example shows.
const maxShownLeaves = 16

// A fieldRun is neighbouring numbers of a structure of one type and one member.
type fieldRun struct {
	element string
	count   int
}

// fieldRuns is how a launch gives a structure of a declared type, nil if that is not known.
func fieldRuns(typ *dwarf.DIE) []fieldRun {
	leaves, ok := leavesOf(typ)
	if !ok || len(leaves) > maxShownLeaves {
		return nil
	}
	var runs []fieldRun
	for i, l := range leaves {
		if i > 0 && leaves[i-1].member == l.member && leaves[i-1].Type == l.Type {
			runs[len(runs)-1].count++
			continue
		}
		runs = append(runs, fieldRun{l.Type, 1})
	}
	return runs
}

// structureExample is a structure of a declared type as the command line has it, "" if that is not known.
func structureExample(typ *dwarf.DIE) string {
	var fields []string
	for _, r := range fieldRuns(typ) {
		fields = append(fields, fmt.Sprintf("%s:0%s", r.element, strings.Repeat(",0", r.count-1)))
	}
	if fields == nil {
		return ""
	}
	return "{" + strings.Join(fields, " ") + "}"
}

// structureTemplate is it as a launch file has it.
func structureTemplate(typ *dwarf.DIE) string {
	var fields []string
	for _, r := range fieldRuns(typ) {
		zero := "0"
		if r.count > 1 {
			zero = "[0" + strings.Repeat(", 0", r.count-1) + "]"
		}
		fields = append(fields, fmt.Sprintf("{%q: %s}", r.element, zero))
	}
	if fields == nil {
		return ""
	}
	return `{"struct": [` + strings.Join(fields, ", ") + "]}"
}
