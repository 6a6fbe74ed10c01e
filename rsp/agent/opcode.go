package agent

import "fmt"

// opcode is the first byte of a bytecode.
type opcode byte

const (
	opFloat         opcode = 0x01
	opAdd           opcode = 0x02
	opSub           opcode = 0x03
	opMul           opcode = 0x04
	opDivSigned     opcode = 0x05
	opDivUnsigned   opcode = 0x06
	opRemSigned     opcode = 0x07
	opRemUnsigned   opcode = 0x08
	opLsh           opcode = 0x09
	opRshSigned     opcode = 0x0a
	opRshUnsigned   opcode = 0x0b
	opTrace         opcode = 0x0c
	opTraceQuick    opcode = 0x0d
	opLogNot        opcode = 0x0e
	opBitAnd        opcode = 0x0f
	opBitOr         opcode = 0x10
	opBitXor        opcode = 0x11
	opBitNot        opcode = 0x12
	opEqual         opcode = 0x13
	opLessSigned    opcode = 0x14
	opLessUnsigned  opcode = 0x15
	opExt           opcode = 0x16
	opRef8          opcode = 0x17
	opRef16         opcode = 0x18
	opRef32         opcode = 0x19
	opRef64         opcode = 0x1a
	opRefFloat      opcode = 0x1b
	opRefDouble     opcode = 0x1c
	opRefLongDouble opcode = 0x1d
	opLToD          opcode = 0x1e
	opDToL          opcode = 0x1f
	opIfGoto        opcode = 0x20
	opGoto          opcode = 0x21
	opConst8        opcode = 0x22
	opConst16       opcode = 0x23
	opConst32       opcode = 0x24
	opConst64       opcode = 0x25
	opReg           opcode = 0x26
	opEnd           opcode = 0x27
	opDup           opcode = 0x28
	opPop           opcode = 0x29
	opZeroExt       opcode = 0x2a
	opSwap          opcode = 0x2b
	opGetv          opcode = 0x2c
	opSetv          opcode = 0x2d
	opTracev        opcode = 0x2e
	opTracenz       opcode = 0x2f
	opTrace16       opcode = 0x30
	opPick          opcode = 0x32
	opRot           opcode = 0x33
	opPrintf        opcode = 0x34
)

// execFunc performs one bytecode. The evaluator has checked that the stack
// holds what the bytecode pops and has room for what it pushes.
type execFunc func(m *machine, in *instruction) error

// description is what the evaluator must know of one opcode.
type description struct {
	name    string
	operand int // bytes of the big-endian operand that follows the opcode
	pops    int
	pushes  int
	// exec is nil for a bytecode that is known but refused.
	exec execFunc
}

// descriptions is indexed by opcode; an entry without a name is no bytecode.
// It is filled by init because the entries' functions reach the table again
// through the evaluator.
var descriptions [256]description

func init() {
	for op, d := range map[opcode]description{
		opFloat: {name: "float"},
		opAdd:   {"add", 0, 2, 1, binary(func(a, b uint64) uint64 { return a + b })},
		opSub:   {"sub", 0, 2, 1, binary(func(a, b uint64) uint64 { return a - b })},
		opMul:   {"mul", 0, 2, 1, binary(func(a, b uint64) uint64 { return a * b })},
		opDivSigned: {"div_signed", 0, 2, 1,
			division(func(a, b uint64) uint64 { return uint64(int64(a) / int64(b)) })},
		opDivUnsigned: {"div_unsigned", 0, 2, 1, division(func(a, b uint64) uint64 { return a / b })},
		opRemSigned: {"rem_signed", 0, 2, 1,
			division(func(a, b uint64) uint64 { return uint64(int64(a) % int64(b)) })},
		opRemUnsigned: {"rem_unsigned", 0, 2, 1, division(func(a, b uint64) uint64 { return a % b })},
		opLsh:         {"lsh", 0, 2, 1, binary(func(a, b uint64) uint64 { return a << b })},
		opRshSigned:   {"rsh_signed", 0, 2, 1, binary(shiftSigned)},
		opRshUnsigned: {"rsh_unsigned", 0, 2, 1, binary(func(a, b uint64) uint64 { return a >> b })},
		opTrace:       {name: "trace"},
		opTraceQuick:  {name: "trace_quick", operand: 1},
		opLogNot:      {"log_not", 0, 1, 1, unary(func(a uint64) uint64 { return truth(a == 0) })},
		opBitAnd:      {"bit_and", 0, 2, 1, binary(func(a, b uint64) uint64 { return a & b })},
		opBitOr:       {"bit_or", 0, 2, 1, binary(func(a, b uint64) uint64 { return a | b })},
		opBitXor:      {"bit_xor", 0, 2, 1, binary(func(a, b uint64) uint64 { return a ^ b })},
		opBitNot:      {"bit_not", 0, 1, 1, unary(func(a uint64) uint64 { return ^a })},
		opEqual:       {"equal", 0, 2, 1, binary(func(a, b uint64) uint64 { return truth(a == b) })},
		opLessSigned: {"less_signed", 0, 2, 1,
			binary(func(a, b uint64) uint64 { return truth(int64(a) < int64(b)) })},
		opLessUnsigned:  {"less_unsigned", 0, 2, 1, binary(func(a, b uint64) uint64 { return truth(a < b) })},
		opExt:           {"ext", 1, 1, 1, execExt},
		opRef8:          {"ref8", 0, 1, 1, load(1)},
		opRef16:         {"ref16", 0, 1, 1, load(2)},
		opRef32:         {"ref32", 0, 1, 1, load(4)},
		opRef64:         {"ref64", 0, 1, 1, load(8)},
		opRefFloat:      {name: "ref_float"},
		opRefDouble:     {name: "ref_double"},
		opRefLongDouble: {name: "ref_long_double"},
		opLToD:          {name: "l_to_d"},
		opDToL:          {name: "d_to_l"},
		opIfGoto:        {"if_goto", 2, 1, 0, execIfGoto},
		opGoto:          {"goto", 2, 0, 0, execGoto},
		opConst8:        {"const8", 1, 0, 1, execConst},
		opConst16:       {"const16", 2, 0, 1, execConst},
		opConst32:       {"const32", 4, 0, 1, execConst},
		opConst64:       {"const64", 8, 0, 1, execConst},
		opReg:           {"reg", 2, 0, 1, execReg},
		opEnd:           {"end", 0, 0, 0, execEnd},
		opDup:           {"dup", 0, 1, 2, execDup},
		opPop:           {"pop", 0, 1, 0, execPop},
		opZeroExt:       {"zero_ext", 1, 1, 1, execZeroExt},
		opSwap:          {"swap", 0, 2, 2, execSwap},
		opGetv:          {name: "getv", operand: 2},
		opSetv:          {name: "setv", operand: 2},
		opTracev:        {name: "tracev", operand: 2},
		opTracenz:       {name: "tracenz"},
		opTrace16:       {name: "trace16", operand: 2},
		opPick:          {"pick", 1, 0, 1, execPick},
		opRot:           {"rot", 0, 3, 3, execRot},
		opPrintf:        {"printf", 1, 2, 0, execPrintf},
	} {
		descriptions[op] = d
	}
}

func shiftSigned(a, b uint64) uint64 { return uint64(int64(a) >> b) }

// String gives the bytecode's name in the gdb manual.
func (op opcode) String() string {
	if d := &descriptions[op]; d.name != "" {
		return d.name
	}
	return fmt.Sprintf("bytecode 0x%02x", byte(op))
}
