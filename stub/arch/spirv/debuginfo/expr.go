package debuginfo

import (
	"bytes"
	"encoding/binary"

	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
)

// Address spaces, with AMDGPU's numbers for what is alike.
const (
	SpaceGlobal    = expr.SpaceGlobal
	SpaceGeneric   = expr.SpaceGeneric
	SpaceWorkgroup = expr.SpaceLocal
	SpacePrivate   = expr.SpacePrivateLane
)

const (
	firstRegister  = 1 << 20
	registersPerID = 1 << 14
)

// Register is the number of the DWARF register that has scalar n of an id's value, 64 bits for each lane.
func Register(id uint32, n int) uint64 { return firstRegister + uint64(id)*registersPerID + uint64(n) }

// Registered is the id and scalar of a register; ok reports whether it is one.
func Registered(number uint64) (id uint32, n int, ok bool) {
	if number < firstRegister {
		return 0, 0, false
	}
	number -= firstRegister
	return uint32(number / registersPerID), int(number % registersPerID),
		number/registersPerID < spirv.MaxBound
}

// LengthsBase is where launches put the numbers of elements of the arrays at the ends of buffers: 8 bytes
// for each variable at module scope, in their order, and then what SpecialisedCounts says.
const LengthsBase = 0x8000

// MaxLengths is how many variables have a place there.
const MaxLengths = 512

// The sub-operations of DW_OP_LLVM_user ("DWARF Extensions For Heterogeneous Debugging", table "Operation
// Encodings").
const (
	formAspaceAddress = 0x02
	pushLane          = 0x03
	llvmOffset        = 0x04
)

type code []byte

func (c code) op(b ...byte) code   { return append(c, b...) }
func (c code) uleb(v uint64) code  { return binary.AppendUvarint(c, v) }
func (c code) piece(n uint64) code { return c.op(expr.OpPiece).uleb(n) }

// lane is the location of the lane's part of a register.
func (c code) lane(id uint32, n int) code { return c.laneAt(id, n, 0) }

// laneAt is what begins some bytes behind the lane's part's beginning.
func (c code) laneAt(id uint32, n int, skip uint64) code {
	c = c.op(expr.OpRegx).uleb(Register(id, n)).op(expr.OpLLVMUser, pushLane, expr.OpLit0+8, expr.OpMul)
	if skip > 0 {
		c = c.op(expr.OpPlusUconst).uleb(skip)
	}
	return c.op(expr.OpLLVMUser, llvmOffset)
}

// value pushes the lane's part of a register.
func (c code) value(id uint32, n int) code { return c.lane(id, n).op(expr.OpDeref) }

// spaceOf is the address space of pointers of a storage class.
func spaceOf(s spirv.StorageClass) uint64 {
	switch s {
	case spirv.FunctionStorage, spirv.Private, spirv.Input, spirv.Output:
		return SpacePrivate
	case spirv.Workgroup:
		return SpaceWorkgroup
	case spirv.Generic:
		return SpaceGeneric
	}
	return SpaceGlobal
}

// memory is what a pointer's value leads to, some bytes on.
func (c code) memory(id uint32, s spirv.StorageClass, offset uint64) code {
	c = c.value(id, 0)
	if offset > 0 {
		c = c.op(expr.OpPlusUconst).uleb(offset)
	}
	if space := spaceOf(s); space != SpaceGlobal {
		c = c.op(expr.OpLit0+byte(space), expr.OpLLVMUser, formAspaceAddress)
	}
	return c
}

// InBuffer takes the location of a variable apart that lies in global memory, some bytes behind where the
// value of an id leads to.
func InBuffer(location []byte) (id uint32, offset uint64, ok bool) {
	if len(location) == 0 || location[0] != expr.OpRegx {
		return 0, 0, false
	}
	number, n := binary.Uvarint(location[1:])
	id, _, ok = Registered(number)
	rest, found := bytes.CutPrefix(location, code(nil).value(id, 0))
	if n <= 0 || !ok || !found {
		return 0, 0, false
	}
	if len(rest) > 1 && rest[0] == expr.OpPlusUconst {
		if offset, n = binary.Uvarint(rest[1:]); n > 0 {
			rest = rest[1+n:]
		}
	}
	return id, offset, len(rest) == 0
}
