package amdgpu

import (
	"math/bits"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// How a function's result is returned follows from its type: clang's convention
// for AMDGPU says which registers hold it (clang,
// AMDGPUABIInfo::classifyReturnType, and the layout of records in LLVM's types,
// CGRecordLayoutBuilder).

// Limits of AMDGPU's convention: a larger aggregate, and what no 32 registers
// hold, is returned in memory.
const (
	maxAggregateRegisters = 16
	maxReturnRegisters    = 32
)

// maxReturned is the largest object that is assembled from registers.
const maxReturned = 4096

// A leaf is a scalar part of a type.
type leaf struct{ offset, size uint64 }

// maxTypeDepth bounds how deep records and arrays lie in each other.
const maxTypeDepth = 32

// A layout lists the leaves of a type in the order of LLVM's type for it, each
// of which has registers of its own.
type layout struct {
	leaves       []leaf
	depth, steps int
}

// maxSteps bounds the work on one type.
const maxSteps = 1 << 14

// returnRegisters are what consecutive vector registers hold of a returned
// object, or nil if it is returned in memory. ok is false for types whose
// layout is not known.
func returnRegisters(typ *dwarf.DIE) (leaves []leaf, ok bool) {
	typ, size := types.Strip(typ), model.Size(typ)
	if typ == nil || size == 0 || size > maxReturned {
		return nil, false
	}
	aggregate := isAggregate(typ)
	if types.IsPassedByReference(typ) {
		return nil, true
	}
	if aggregate && size <= 8 {
		return []leaf{{0, size}}, true
	}
	var l layout
	if !l.add(typ, 0) {
		return nil, false
	}
	registers := uint64(0)
	for _, f := range l.leaves {
		if f.size > size || f.offset > size-f.size {
			return nil, false
		}
		registers += f.registers()
	}
	if aggregate && fieldRegisters(typ, 0) > maxAggregateRegisters || registers > maxReturnRegisters {
		return nil, true
	}
	return l.leaves, true
}

// registers is how many registers a leaf takes.
func (l leaf) registers() uint64 { return (l.size + 3) / 4 }

// fieldRegisters is how many registers clang counts for a type when it decides
// whether registers are to hold it: not as many as they are.
func fieldRegisters(d *dwarf.DIE, depth int) uint64 {
	d = types.Strip(d)
	switch {
	case d == nil || depth > maxTypeDepth:
		return 0
	case types.IsVector(d):
		n, element := types.Elements(d), model.Size(d.TypeDIE())
		if element == 2 {
			return (n + 1) / 2
		}
		return n * ((element + 3) / 4)
	case d.Tag == dwarf.TagStructureType, d.Tag == dwarf.TagClassType, d.Tag == dwarf.TagUnionType:
		n := uint64(0)
		for c := range types.Members(d) {
			if c.Tag == dwarf.TagMember && n <= maxAggregateRegisters {
				n += fieldRegisters(c.TypeDIE(), depth+1)
			}
		}
		return n
	}
	return (model.Size(d) + 3) / 4
}

// isAggregate reports whether clang's convention takes a type for an aggregate:
// complex numbers are.
func isAggregate(d *dwarf.DIE) bool {
	return types.IsRecord(d) || types.Encoding(d) == dwarf.ATEComplexFloat
}

// add appends the leaves of a type at an offset.
func (l *layout) add(d *dwarf.DIE, offset uint64) bool {
	d = types.Strip(d)
	l.steps++
	l.depth++
	defer func() { l.depth-- }()
	if d == nil || l.depth > maxTypeDepth || l.steps > maxSteps || len(l.leaves) > maxReturned {
		return false
	}
	switch d.Tag {
	case dwarf.TagStructureType, dwarf.TagClassType:
		return l.members(d, offset)
	case dwarf.TagUnionType:
		return l.union(d, offset)
	case dwarf.TagArrayType:
		return l.elements(d, offset)
	}
	leaves := scalar(d, offset)
	l.leaves = append(l.leaves, leaves...)
	return len(leaves) > 0
}

// scalar is a type without members: one leaf, or the two of a complex number.
func scalar(d *dwarf.DIE, offset uint64) []leaf {
	size, encoding := model.Size(d), types.Encoding(d)
	switch {
	case size == 0 || encoding == 0 && !types.IsPointer(d) && d.Tag != dwarf.TagEnumerationType:
		return nil
	case encoding == dwarf.ATEComplexFloat:
		return []leaf{{offset, size / 2}, {offset + size/2, size / 2}}
	}
	return []leaf{{offset, size}}
}

// members lists a structure. Those of its members that are empty LLVM's type
// does not have, and where one is not where its alignment puts it, there are
// bytes before it.
func (l *layout) members(d *dwarf.DIE, offset uint64) bool {
	end := uint64(0)
	var run bitRun
	flush := func(next uint64) {
		if f, ok := run.unit(next); ok {
			l.pad(offset, end, f.offset, f.size)
			end = f.offset + f.size
			f.offset += offset
			l.leaves = append(l.leaves, f)
		}
		run = bitRun{}
	}
	size := model.Size(d)
	for c := range types.Members(d) {
		if types.IsEmpty(c.TypeDIE()) {
			continue
		}
		if n, ok := c.Uint(dwarf.AttrBitSize); ok {
			at, ok := c.Uint(dwarf.AttrDataBitOffset)
			if !ok {
				return false
			}
			run.add(at, n)
			continue
		}
		at, _ := c.Uint(dwarf.AttrDataMemberLocation)
		flush(at)
		l.pad(offset, end, at, model.Align(c.TypeDIE()))
		if !l.add(c.TypeDIE(), offset+at) {
			return false
		}
		end = at + model.Size(c.TypeDIE())
	}
	flush(size)
	if size > maxReturned {
		return false
	}
	l.pad(offset, end, size, model.Align(d))
	return true
}

// pad adds the bytes between two members if alignment alone does not explain
// them.
func (l *layout) pad(offset, end, at, align uint64) {
	if align == 0 || (end+align-1)/align*align == at {
		return
	}
	for ; end < at && len(l.leaves) <= maxReturned; end++ {
		l.leaves = append(l.leaves, leaf{offset + end, 1})
	}
}

// A bitRun is a run of bit-fields, which share one integer.
type bitRun struct{ first, last uint64 } // bits; nothing if they are equal

func (r *bitRun) add(at, n uint64) {
	if r.first == r.last {
		r.first = at
	}
	r.last = max(r.last, at+n)
}

// unit is the integer, which does not reach beyond the byte next.
func (r *bitRun) unit(next uint64) (leaf, bool) {
	if r.first == r.last {
		return leaf{}, false
	}
	from, to := r.first/8, (r.last+7)/8
	size := to - from
	if whole := uint64(1) << bits.Len64(size-1); from+whole <= next && from%whole == 0 {
		size = whole
	}
	return leaf{from, size}, true
}

// union is in LLVM the member of the greatest alignment, then size, with bytes
// for the rest.
func (l *layout) union(d *dwarf.DIE, offset uint64) bool {
	var storage *dwarf.DIE
	var align, size uint64
	for _, c := range d.Children {
		if c.Tag != dwarf.TagMember {
			continue
		}
		if _, ok := c.Uint(dwarf.AttrBitSize); ok {
			return false
		}
		a, s := model.Align(c.TypeDIE()), model.Size(c.TypeDIE())
		if a > align || a == align && s > size {
			storage, align, size = c.TypeDIE(), a, s
		}
	}
	if storage == nil || !l.add(storage, offset) {
		return false
	}
	l.pad(offset, size, model.Size(d), 1)
	return true
}

// elements lists an array or a vector. Vectors of 16 bits have two elements in
// a register.
func (l *layout) elements(d *dwarf.DIE, offset uint64) bool {
	element, total := model.Size(d.TypeDIE()), model.Size(d)
	if element == 0 || total > maxReturned {
		return false
	}
	n := types.Elements(d)
	if types.IsVector(d) && element == 2 {
		l.leaves = append(l.leaves, leaf{offset, n * element})
		return n > 0
	}
	for i := range n {
		if !l.add(d.TypeDIE(), offset+i*element) {
			return false
		}
	}
	return n > 0
}
