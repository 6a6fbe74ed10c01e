package amdgpu

import (
	"bytes"
	"encoding/binary"
	"errors"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/unwind"
)

// The frame bases of stock clang: DW_OP_regx of SGPR33, the frame pointer of
// functions that have one, and of SGPR32, the stack pointer.
const spIndex, fpIndex = 32, 33

var framePointer, stackPointer = []byte{expr.OpRegx, fpIndex + 32}, []byte{expr.OpRegx, spIndex + 32}

// An optimised kernel with no frame pointer has no frame base in stock clang's
// debug information, and yet variables at offsets from it: those are from the
// beginning of the lane's private memory. Its frame base is a register that is
// 0.
var kernelBase = binary.AppendUvarint([]byte{expr.OpRegx}, zeroRegister)

// FrameBase implements arch.Arch.
func (*Arch) FrameBase(f *unwind.Frame, written []byte) ([]byte, error) {
	switch {
	case written == nil && f.Depth == 0:
		return kernelBase, nil
	case written == nil:
		return nil, errors.New("its function has no frame base")
	case bytes.Equal(written, framePointer) && isFrameless(f):
		return stackPointer, nil
	}
	return written, nil
}

// FrameOffset implements arch.FrameOffsetter: the variables of stock clang's unoptimised code, which fbreg is
// the only operation with a number in.
func (*Arch) FrameOffset(u *dwarf.Unit, location []byte) (base []byte, distance int64, ok bool) {
	if !isStockClang(u) {
		return nil, 0, false
	}
	distance, rest, ok := expr.CutFbreg(location)
	if !ok || len(rest) != 3 || rest[0] < expr.OpLit0 || rest[0] > expr.OpLit0+31 || rest[1] != expr.OpSwap ||
		rest[2] != expr.OpXderef {
		return nil, 0, false
	}
	return append([]byte{expr.OpFbreg, 0}, rest...), distance, true
}

// isFrameless reports whether the frame pointer is still, or again, that of the
// caller: clang sets it up in the prologue and restores it before the function
// returns, and says nowhere that the frame base does not hold there. The stack
// pointer is then what the frame pointer becomes.
func isFrameless(f *unwind.Frame) bool {
	if f.Call == nil || f.Depth == 0 {
		return false
	}
	now, err := scalarRegister(f, fpIndex)
	fp, err1 := scalarRegister(f.Call.Regs, fpIndex)
	sp, err2 := scalarRegister(f.Call.Regs, spIndex)
	return errors.Join(err, err1, err2) == nil && now == fp && fp != sp
}

func scalarRegister(r simt.Registers, index uint16) (uint32, error) {
	var b [4]byte
	err := r.Read(simt.Reg{File: gcn.FileS, Index: index}, 0, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}

// Follow implements arch.Arch. It follows a location in stock clang's dialect
// of an object that is larger than the lane of the vector register that it
// names: that holds the private address of the object, the result of a function
// that returns it in memory. A value in several registers has a location in
// pieces.
func (a *Arch) Follow(ctx expr.Context, u *dwarf.Unit, l expr.Location, lane int,
	size uint64) (expr.Location, error) {
	if !isStockClang(u) || size <= 4 {
		return l, nil
	}
	num, _, ok := l.Register()
	if r, known := a.Register(num); !ok || !known || !r.PerLane {
		return l, nil
	}
	b, err := l.Read(ctx, 0, 32)
	if err != nil {
		return l, err
	}
	at := uint64(binary.LittleEndian.Uint32(b))
	return expr.MemoryAt(expr.AMDGPU, ctx.AddressSize(), expr.SpacePrivateLane, at, lane)
}
