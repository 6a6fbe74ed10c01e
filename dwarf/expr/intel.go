package expr

import (
	le "encoding/binary"
	"math/bits"
)

// The bytes of Intel's operations.
const (
	intelRegs         = 0xeb
	intelPushBitPiece = 0xec
	intelPushLane     = 0xed
)

// intelRegisterBits is how wide a register is, but for Xe-HPC's, which are twice as wide.
const intelRegisterBits = 256

// IntelObject gives what Intel's graphics compiler means by an expression of an object of so many bytes, in
// code for so many lanes; false if that cannot be told. It writes four things that DWARF has not:
//
// Of an array or a vector in registers it writes an expression of a value for each element, one behind the
// other, without a piece between them and without where in the register the element is. The first names the
// right register: from there on lie the first elements of all lanes, then the second ones, and so on. Where
// code is for 32 lanes each half has registers of its own.
//
// Of a vector in memory it writes as many addresses as there are elements. The first is the object's; the
// others are what registers further on hold, of other objects.
//
// Of a member that it keeps alone it writes the piece and not where in the object it is: nothing then says of
// which.
//
// Of a value of less than 32 bits it writes a place as if each lane's had 32: they lie side by side.
func IntelObject(code []byte, f Format, size uint64, lanes int) (object []byte, ok bool) {
	list, err := Instructions(code, Intel, f)
	if err != nil && endsInLLVM(code, list) {
		return nil, false
	}
	if err != nil || len(list) == 0 {
		return code, true // evaluating it says what is wrong
	}
	ways := intelWays(list, code)
	for i := range ways {
		w := &ways[i]
		if len(ways) == 1 {
			w.lanes = lanes
		}
		if w.read(); w.narrow() {
			e := &w.elements[0]
			w.changed = w.appendElement(nil, e.register, e.row, 0, e.bits)
		} else if !w.plain() && !w.rewrite(size) {
			return nil, false
		}
	}
	if code = joinWays(ways); !describes(code, f) {
		return nil, false
	}
	bits := uint64(0)
	pieces := WrittenPieces(code, Intel, f)
	for _, p := range pieces {
		bits += p.Bits
	}
	if len(pieces) > 0 && bits < 8*size {
		return nil, false
	}
	return code, true
}

// endsInLLVM reports whether behind the operations of an expression comes one that is LLVM's own, and that no
// file should have: DW_OP_LLVM_arg and its like, as two bytes (llvm/BinaryFormat/Dwarf.h). It says what is
// computed of several values, of which only one is written.
func endsInLLVM(code []byte, list []Instr) bool {
	at := 0
	if n := len(list); n > 0 {
		at = list[n-1].Next
	}
	const first, last = 0x1000, 0x100f
	if len(code)-at < 2 {
		return false
	}
	op := le.LittleEndian.Uint16(code[at:])
	return op >= first && op <= last
}

// An intelWay is what an expression says for the lanes from one on.
type intelWay struct {
	list         []Instr
	code         []byte // of the expression that the list was decoded from
	first, lanes int
	elements     []intelElement
	changed      []byte
}

// An intelElement is a value, or an address, at bits of a register that depend on the lane.
type intelElement struct {
	end      int // in the expression
	register uint64
	step     uint64 // bits from one lane's to the next one's, as it is written
	row      uint64 // bits of a register
	bits     uint64
	value    bool // followed by DW_OP_stack_value
}

// intelWays takes an expression of two halves of 16 lanes apart; any other is one way.
func intelWays(list []Instr, code []byte) []intelWay {
	whole := []intelWay{{list: list, code: code}}
	const head = 4 // push_simd_lane, lit16, ge, bra
	if len(list) <= head || code[0] != intelPushLane || code[list[1].Offset] != OpLit0+16 ||
		code[list[2].Offset] != OpGe || code[list[3].Offset] != OpBra {
		return whole
	}
	high := list[3].Next + int(int64(list[3].args[0]))
	for i := head; i < len(list); i++ {
		skip := &list[i]
		if code[skip.Offset] != OpSkip {
			continue
		}
		if skip.Next != high || skip.Next+int(int64(skip.args[0])) != len(code) {
			return whole
		}
		return []intelWay{{list: list[head:i], code: code, lanes: 16},
			{list: list[i+1:], code: code, first: 16, lanes: 16}}
	}
	return whole
}

// read finds the elements of a way; none if it is not made of elements alone.
func (w *intelWay) read() {
	for rest := w.list; len(rest) > 0; {
		e, after, ok := w.element(rest)
		if !ok {
			w.elements = nil
			return
		}
		w.elements, rest = append(w.elements, e), after
	}
}

// plain reports whether a way is to be read as it is written: it is of one element whose bits are given, or
// not made of elements at all.
func (w *intelWay) plain() bool {
	return len(w.elements) == 0 || len(w.elements) == 1 && w.elements[0].bits > 0
}

// narrow reports whether a way is of one value that has fewer bits than there is room for.
func (w *intelWay) narrow() bool {
	if len(w.elements) != 1 {
		return false
	}
	e := &w.elements[0]
	return e.value && e.bits > 0 && e.bits < narrowStep && e.step == narrowStep &&
		(e.row == intelRegisterBits || e.row == 2*intelRegisterBits)
}

// narrowStep is how many bits apart such values are written to be.
const narrowStep = 32

// element reads an element at the beginning of a list: the lane, perhaps less 16, shifted and added to a
// register's number; the same, masked and multiplied, as the bits' offset; and their number.
func (w *intelWay) element(list []Instr) (e intelElement, rest []Instr, ok bool) {
	next := func(codes ...byte) *Instr {
		if len(list) == 0 {
			return nil
		}
		in := &list[0]
		c := w.code[in.Offset]
		for _, want := range codes {
			if c == want || want == OpLit0 && isConstant(c) {
				list = list[1:]
				return in
			}
		}
		return nil
	}
	if next(intelPushLane) == nil || w.first > 0 && (next(OpLit0) == nil || next(OpMinus) == nil) ||
		next(OpLit0) == nil || next(OpShr) == nil {
		return e, nil, false
	}
	register := next(OpPlusUconst)
	if register == nil || next(intelRegs) == nil || next(intelPushLane) == nil {
		return e, nil, false
	}
	last := next(OpLit0) // of the lanes in a register
	if last == nil || next(OpAnd) == nil {
		return e, nil, false
	}
	step := next(OpLit0)
	if step == nil || next(OpMul) == nil {
		return e, nil, false
	}
	bits := next(OpLit0)
	end := next(intelPushBitPiece)
	if bits == nil || end == nil {
		return e, nil, false
	}
	e = intelElement{end: end.Next, register: register.args[0], step: step.constant(), bits: bits.constant()}
	e.row = (last.constant() + 1) * e.step
	e.value = next(OpStackValue) != nil
	return e, list, true
}

// isConstant reports whether an operation pushes a number that is not negative.
func isConstant(c byte) bool {
	switch c {
	case OpConst1u, OpConst2u, OpConst4u, OpConst8u, OpConstu:
		return true
	}
	return c >= OpLit0 && c < OpReg0
}

// constant is the number that such an operation pushes.
func (in *Instr) constant() uint64 {
	if in.info.isFamily() {
		return uint64(in.base)
	}
	return in.args[0]
}

// rewrite makes DWARF of a way of several elements.
func (w *intelWay) rewrite(size uint64) bool {
	first := w.elements[0]
	n := uint64(len(w.elements))
	for _, e := range w.elements {
		if e.value != first.value {
			return false
		}
	}
	if !first.value {
		w.changed = w.code[w.list[0].Offset:first.end]
		return true
	}
	places := n
	if n == 3 && size%16 == 0 || n == 3 && size == 8 {
		places = 4 // a vector of three has room for four
	}
	bits := 8 * size / places
	if size%places != 0 || bits&(bits-1) != 0 || bits > 64 || w.lanes < 8 || w.lanes > 16 {
		return false
	}
	const registers = 128
	const firstRegister = 16 // its number in DWARF
	all := n * bits * uint64(w.lanes)
	if first.register < firstRegister ||
		(first.register-firstRegister)*intelRegisterBits+all > registers*intelRegisterBits {
		return false
	}
	for k := range n {
		w.changed = w.appendElement(w.changed, first.register, intelRegisterBits, k*bits*uint64(w.lanes),
			bits)
		w.changed = le.AppendUvarint(append(w.changed, OpPiece), bits/8)
	}
	if places > n {
		w.changed = le.AppendUvarint(append(w.changed, OpPiece), (places-n)*bits/8)
	}
	return true
}

// appendElement adds a value of n bits that lies in registers of so many bits side by side with those of the
// other lanes, from an offset in bits on.
func (w *intelWay) appendElement(to []byte, register, row, from, n uint64) []byte {
	offset := func() { // of the element from the first register on, in bits
		to = append(to, intelPushLane)
		if w.first > 0 {
			to = append(to, OpLit0+byte(w.first), OpMinus)
		}
		to = append(to, OpConst1u, byte(n), OpMul, OpPlusUconst)
		to = le.AppendUvarint(to, from)
	}
	offset()
	to = le.AppendUvarint(append(to, OpLit0+byte(bits.TrailingZeros64(row)), OpShr, OpPlusUconst), register)
	to = append(to, intelRegs)
	offset()
	if to = append(to, OpConst1u, byte(row-1)); row-1 > 0xff {
		to = append(to[:len(to)-2], OpConst2u, byte(row-1), byte((row-1)>>8))
	}
	return append(to, OpAnd, OpConst1u, byte(n), intelPushBitPiece, OpStackValue)
}

// joinWays makes an expression of its ways.
func joinWays(ways []intelWay) []byte {
	bodies := make([][]byte, len(ways))
	for i := range ways {
		w := &ways[i]
		if bodies[i] = w.changed; w.changed == nil && len(w.list) > 0 {
			bodies[i] = w.code[w.list[0].Offset:w.list[len(w.list)-1].Next]
		}
	}
	if len(bodies) == 1 {
		return bodies[0]
	}
	const skip = 3 // the bytes of DW_OP_skip
	code := []byte{intelPushLane, OpLit0 + 16, OpGe, OpBra}
	code = le.LittleEndian.AppendUint16(code, uint16(len(bodies[0])+skip))
	code = append(append(code, bodies[0]...), OpSkip)
	code = le.LittleEndian.AppendUint16(code, uint16(len(bodies[1])))
	return append(code, bodies[1]...)
}

// describes reports whether an expression can be of one object: behind DW_OP_stack_value may be a piece, or a
// jump to one way's end (DWARF 5, section 2.6.1.1.4).
func describes(code []byte, f Format) bool {
	list, err := Instructions(code, Intel, f)
	if err != nil {
		return true
	}
	for i := range list[:max(len(list), 1)-1] {
		if list[i].info.code != OpStackValue {
			continue
		}
		switch list[i+1].info.code {
		case OpPiece, OpBitPiece, OpSkip:
		default:
			return false
		}
	}
	return true
}
