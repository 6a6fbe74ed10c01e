package spirv

import "slices"

// fixed makes a value in slots that are filled once.
func (p *Program) fixed(in *raw, id uint32, t *typ, bits []uint64) error {
	s, err := p.newSlots(in.word, len(bits))
	if err != nil {
		return err
	}
	p.constants = append(p.constants, bits...)
	p.once.f = p.constants
	p.values[id] = &value{typ: t, slot: s, fixed: true}
	return nil
}

// bitsOf is the value of a constant, scalar by scalar.
func (p *Program) bitsOf(v *value) []uint64 { return p.constants[v.slot : int(v.slot)+v.typ.slots] }

func (p *Program) readConstant(in *raw) error {
	t := p.types[in.typ]
	if t == nil || t.kind == kVoid || t.kind == kFunction {
		return p.errorf(in.word, "constant %%%d: its type %%%d is no type of values", in.res, in.typ)
	}
	if t.kind == kOpaque || t.refusal != "" {
		return nil // whoever uses it is told
	}
	if t.slots == 0 && !t.empty {
		return p.errorf(in.word, "constant %%%d has more than %d scalars", in.res, maxSlots)
	}
	bits := make([]uint64, t.slots)
	switch in.op {
	case opConstantTrue, opSpecConstantTrue:
		bits[0] = 1
	case opConstant, opSpecConstant:
		if t.kind != kInt && t.kind != kFloat || len(in.args) < int(t.bits+31)/32 {
			return p.errorf(in.word, "constant %%%d: no number of its type in %d words", in.res, len(in.args))
		}
		bits[0] = uint64(in.args[0])
		if t.bits == 64 {
			bits[0] |= uint64(in.args[1]) << 32
		}
		bits[0] &= t.mask()
	case opConstantSampler:
		v, ok := literalSampler(in.args)
		if t.kind != kHandle || !ok {
			return p.errorf(in.word, "constant %%%d is no sampler", in.res)
		}
		bits[0] = v
	case opConstantComposite, opSpecConstantComposite:
		if t.matrix != nil && len(in.args) == 1 { // one value is that of all elements
			return p.readFilled(in, t)
		}
		if err := p.readParts(in, bits); err != nil {
			return err
		}
	case opSpecConstantOp:
		return p.readSpecOp(in, t)
	}
	if in.op >= opSpecConstantTrue && in.op <= opSpecConstant && p.hasDecoration(in.res, decSpecID) {
		if v, ok := p.o.Spec[p.decoration(in.res, decSpecID)]; ok {
			bits[0] = v & t.mask()
			if t.kind == kBool && v != 0 {
				bits[0] = 1
			}
		}
	}
	return p.fixed(in, in.res, t, bits)
}

// readParts reads what a constant is composed of.
func (p *Program) readParts(in *raw, bits []uint64) error {
	at := 0
	for _, id := range in.args {
		v := p.values[id]
		if v == nil || !v.fixed || at+v.typ.slots > len(bits) {
			return p.errorf(in.word, "constant %%%d: its part %%%d is no constant or does not fit", in.res,
				id)
		}
		if v.ptr != nil && !v.ptr.global.inGlobalMemory() {
			return p.errorf(in.word, "constant %%%d has the address of variable %%%d in it", in.res, id)
		}
		at += copy(bits[at:], p.bitsOf(v))
	}
	if at != len(bits) {
		return p.errorf(in.word, "constant %%%d has %d scalars, its type has %d", in.res, at, len(bits))
	}
	return nil
}

// readFilled reads a cooperative matrix of one value.
func (p *Program) readFilled(in *raw, t *typ) error {
	v := p.values[in.args[0]]
	if v == nil || !v.fixed || v.ptr != nil || v.typ != t.elem {
		return p.errorf(in.word, "constant %%%d: %%%d is no constant of its component type", in.res,
			in.args[0])
	}
	return p.fixed(in, in.res, t, slices.Repeat(p.bitsOf(v), t.slots))
}

// readSpecOp runs OpSpecConstantOp's operation, on one lane.
func (p *Program) readSpecOp(in *raw, t *typ) error {
	if len(in.args) < 1 {
		return p.errorf(in.word, "OpSpecConstantOp without an operation")
	}
	op := raw{op: uint16(in.args[0]), word: in.word, typ: in.typ, res: in.res, args: in.args[1:]}
	if err := p.fixed(in, in.res, t, make([]uint64, t.slots)); err != nil {
		return err
	}
	if !onConstants(op.op) {
		return p.errorf(in.word, "Op%s is no operation on constants", opTable()[op.op].name)
	}
	b := &builder{p: p, in: &op, typ: t, dst: p.values[in.res].slot}
	i, err := b.build()
	if err != nil {
		return err
	}
	if i == nil || i.flags != 0 {
		return p.errorf(in.word, "Op%s is no operation on constants", opTable()[op.op].name)
	}
	p.once.mask = 1
	i.exec(p.once, i)
	return nil
}

// onConstants reports whether OpSpecConstantOp may have an operation (section 3.52.7): arithmetic,
// conversions, composites and addresses, all of which need no function to be in.
func onConstants(op uint16) bool {
	switch {
	case op >= opAccessChain && op <= opPtrAccessChain, op == opInBoundsPtrAccessChain, op == opVectorShuffle,
		op == opCompositeExtract, op == opCompositeInsert, op >= opConvertFToU && op <= opBitcast,
		op >= opSNegate && op <= opFMod, op >= opIsNan && op <= opNot, op == opCooperativeMatrixLengthKHR:
		return true
	}
	return false
}

// constantUint is the value of an integer constant.
func (p *Program) constantUint(id uint32) (uint64, bool) {
	if v, ok := literalOf(id); ok {
		return v, true
	}
	v := p.values[id]
	if v == nil || !v.fixed || v.ptr != nil || v.typ.kind != kInt && v.typ.kind != kBool {
		return 0, false
	}
	return p.constants[v.slot], true
}

// constantInt is constantUint with the sign of the type's highest bit: indices are signed.
func (p *Program) constantInt(id uint32) (int64, bool) {
	n, ok := p.constantUint(id)
	if !ok {
		return 0, false
	}
	return signed(n, p.values[id].typ.width()), true
}

// signed extends the sign of a number of so many bits.
func signed(v uint64, bits uint) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// readGlobal gives a variable at module scope its place.
func (p *Program) readGlobal(in *raw) error {
	pt := p.types[in.typ]
	if pt == nil || pt.kind != kPointer || len(in.args) < 1 {
		return p.errorf(in.word, "variable %%%d: its type %%%d is no pointer", in.res, in.typ)
	}
	if err := p.pointTo(); err != nil {
		return err
	}
	v := &variable{id: in.res, typ: pt.elem, storage: in.args[0]}
	if len(in.args) > 1 {
		v.init = in.args[1]
	}
	if v.storage == scUniformConstant && p.hasDecoration(v.id, decBuiltIn) {
		v.storage = scInput // as llvm-spirv had them once
	}
	v.builtin, v.isInput = p.decoration(v.id, decBuiltIn), v.storage == scInput
	v.set, v.binding = p.decoration(v.id, decSet), p.decoration(v.id, decBinding)
	p.variables[v.id] = v
	p.globals = append(p.globals, v)
	if v.typ.refusal != "" || v.typ.kind == kOpaque {
		return nil // images and the like: no value, so that whoever uses it is told
	}
	if v.typ.unsized() && v.storage != scStorageBuffer {
		return p.errorf(in.word, "variable %%%d is an array without a length", v.id)
	}
	if c := p.values[v.init]; c == nil {
		v.init = 0 // what comes behind the variable does not count
	} else if c.typ.slots != v.typ.slots {
		return p.errorf(in.word, "variable %%%d of %d scalars: its initialiser %%%d has %d", v.id,
			v.typ.slots, v.init, c.typ.slots)
	}
	ptr := &pointer{global: v}
	if v.typ.handles() { // what is bound is its block, or are those of an array
		v.blocks = v.typ.kind != kHandle
		if err := p.fixed(in, v.id, pt, []uint64{0}); err != nil {
			return err
		}
		p.values[v.id].ptr = ptr
		return nil
	}
	if err := p.placeVariable(in, v); err != nil {
		return err
	}
	switch v.storage {
	case scPrivate, scInput, scOutput, scWorkgroup:
		ptr.known, ptr.at = true, v.at
	}
	address := v.at | markOf(v.storage)
	if v.inGlobalMemory() {
		address = p.o.Data + v.at
	}
	if err := p.fixed(in, v.id, pt, []uint64{address}); err != nil {
		return err
	}
	p.values[v.id].ptr = ptr
	return nil
}

// placeVariable gives a variable its place in the memory of its storage class, as far as the module
// decides it.
func (p *Program) placeVariable(in *raw, v *variable) error {
	switch v.storage {
	case scPrivate, scInput, scOutput:
		if v.typ.slots > 0 {
			v.parts = v.typ.leaves(layout{})
		}
		v.at = p.place(&p.scratch, v.id, v.typ)
	case scWorkgroup:
		if p.hasDecoration(v.typ.id, decBlock) {
			v.at = p.placeBlock(v.typ.size)
		} else {
			v.at = p.place(&p.lds, v.id, v.typ)
		}
	case scUniformConstant, scCrossWorkgroup:
		if v.typ.size > maxData || p.dataSize+v.typ.size > maxData {
			return p.errorf(in.word, "variables of %d bytes in global memory, at most %d", v.typ.size,
				maxData)
		}
		v.at = p.place(&p.dataSize, v.id, v.typ)
	case scUniform, scStorageBuffer:
		v.blocks = v.typ.kind == kArray || v.typ.kind == kRuntimeArray
	case scPushConstant:
	default:
		return p.errorf(in.word, "variable %%%d in storage class %d, which compute does not have", v.id,
			v.storage)
	}
	if p.scratch > maxScratch || p.lds > maxLDS {
		return p.errorf(in.word,
			"variables of %d bytes per invocation and %d per workgroup, at most %d and %d",
			p.scratch, p.lds, maxScratch, maxLDS)
	}
	return nil
}

const (
	maxScratch = 1 << 20 // bytes per lane
	maxLDS     = 1 << 24
	maxData    = 1 << 30

	maxAlignment = 1 << 12 // of variables
)

// nullBytes stay free where variables have addresses, so that no object is at a null pointer.
const nullBytes = 16

// sharedBlocks is where all blocks in workgroup memory begin (SPV_KHR_workgroup_memory_explicit_layout: they
// share their memory, and where there are any there are no other variables).
const sharedBlocks = 64

func (p *Program) placeBlock(size uint64) uint64 {
	p.lds = max(p.lds, sharedBlocks+size)
	return sharedBlocks
}

// place takes room for what a variable or parameter is or points to.
func (p *Program) place(end *uint64, id uint32, t *typ) uint64 {
	align := max(t.align, 4)
	if a := uint64(p.decoration(id, decAlignment)); a <= maxAlignment && a&(a-1) == 0 {
		align = max(align, a)
	}
	at := (max(*end, nullBytes) + align - 1) / align * align
	*end = at + max(t.size, 1)
	return at
}
