package spirv

import "strings"

// Compilers leave some of OpenCL C's functions to a library: clang 22 those of atomic operations and
// conversions that it has no builtin for. They are imported by the names that C++ would give them, and each
// is an instruction. A call of one is read as that instruction.

// An importer gives the instruction for a call of a function, by the function's name, the types of its
// parameters as symbols have them, and the call's operands; nil if it does not know the function.
type importer func(p *Program, name, params string, args []uint32) *provided

// provided is an instruction in the place of a call.
type provided struct {
	op   uint16
	args []uint32
	also []decoration // of the result
	void bool         // the instruction has no result
}

// Operands of instructions for which there is no constant in the module.
const (
	scopeDevice    = 1
	scopeSubgroup  = 3
	orderRelaxed   = 0
	orderAllShared = 0x8 | 0x200 | 0x100 // acquires and releases what buffers and the workgroup have
)

// literal is the id of a number that no instruction declares. Modules have no ids as high.
func literal(v uint32) uint32 { return ^v }

// literalOf is the number that such an id is of.
func literalOf(id uint32) (uint64, bool) { return uint64(^id), id >= 1<<31 }

// isProvided reports whether an atomic instruction is in the place of a call.
func (b *builder) isProvided() bool {
	if len(b.in.args) < 2 {
		return false
	}
	_, ok := literalOf(b.in.args[1])
	return ok
}

// provide reads calls of functions that are imported as instructions.
func (p *Program) provide() {
	for _, in := range p.insts {
		f := p.provided(in)
		if f == nil {
			continue
		}
		in.op, in.args = f.op, f.args
		p.decorations[in.res] = append(p.decorations[in.res], f.also...)
		if f.void {
			in.typ, in.res = 0, 0
		}
	}
}

// provided is what is in the place of a call of a function that is imported; nil for other instructions.
func (p *Program) provided(in *raw) *provided {
	if in.op != opFunctionCall || len(in.args) == 0 {
		return nil
	}
	name, params, ok := p.imported(in.args[0])
	if !ok {
		return nil
	}
	for _, of := range []importer{atomicFunction, conversionFunction, otherFunction} {
		if f := of(p, name, params, in.args[1:]); f != nil {
			return f
		}
	}
	return nil
}

// imported takes the name of a function apart that is imported; false for all others.
func (p *Program) imported(id uint32) (name, params string, ok bool) {
	const decLinkage, linkImport = 41, 1
	for _, d := range p.decorations[id] {
		if d.kind != decLinkage {
			continue
		}
		symbol, rest := text(d.args)
		if len(rest) != 1 || rest[0] != linkImport {
			return "", "", false
		}
		if name, params, ok = cutName(symbol); !ok {
			return symbol, "", true
		}
		return name, params, true
	}
	return "", "", false
}

// cutName takes apart what C++ calls a function: _Z, how long the name is, the name, and the parameters'
// types.
func cutName(symbol string) (name, params string, ok bool) {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	n := 0
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' && n < len(symbol) {
		n = 10*n + int(rest[0]-'0')
		rest = rest[1:]
	}
	if !ok || n == 0 || n > len(rest) {
		return "", "", false
	}
	return rest[:n], rest[n:], true
}

// atomics are what atomic functions do: the instruction for values with a sign, and without.
var atomics = map[string]struct{ signed, unsigned uint16 }{
	"add": {234, 234}, "sub": {235, 235}, "xchg": {229, 229}, "inc": {232, 232}, "dec": {233, 233},
	"min": {236, 237}, "max": {238, 239}, "and": {240, 240}, "or": {241, 241}, "xor": {242, 242},
	"cmpxchg": {230, 230},
}

// atomicFunction has atomic_inc and the like, atom_inc with 64 bits, and atomic_fetch_max and others of
// OpenCL 2.0, with an order and a scope or without.
func atomicFunction(p *Program, name, params string, args []uint32) *provided {
	what, ok := strings.CutPrefix(name, "atom")
	what = strings.TrimPrefix(strings.TrimPrefix(what, "ic"), "_")
	order := uint32(orderRelaxed)
	if fetch, later := strings.CutPrefix(what, "fetch_"); later {
		what, order = strings.TrimSuffix(fetch, "_explicit"), orderAllShared
		if what != fetch && len(args) > 2 && p.literally(args[2]) == orderRelaxed {
			order = orderRelaxed
		}
	}
	does, known := atomics[what]
	if !ok || !known || len(args) == 0 {
		return nil
	}
	op := does.unsigned
	if strings.HasSuffix(scalarsOf(params), "i") || strings.HasSuffix(scalarsOf(params), "l") {
		op = does.signed
	}
	operands := []uint32{args[0], literal(scopeDevice), literal(order)}
	switch {
	case what == "cmpxchg" && len(args) == 3:
		operands = append(operands, literal(order), args[2], args[1])
	case what != "inc" && what != "dec" && len(args) > 1:
		operands = append(operands, args[1])
	}
	return &provided{op: op, args: operands}
}

// scalarsOf are the types of an atomic function's parameters without order and scope.
func scalarsOf(params string) string {
	params, _, _ = strings.Cut(params, "12memory_order")
	return params
}

// literally is a constant that an instruction of the module declares as it is, or a number that none is.
func (p *Program) literally(id uint32) uint32 {
	if in := p.def[id]; in != nil && in.op == opConstant && len(in.args) == 1 {
		return in.args[0]
	}
	return ^uint32(0)
}

// numberKinds are the kinds of numbers: of types by their names in OpenCL C, and by those in symbols.
const (
	noNumber = iota
	signedNumber
	unsignedNumber
	floatNumber
)

var numberNames = map[string]int{"char": signedNumber, "short": signedNumber, "int": signedNumber,
	"long": signedNumber, "uchar": unsignedNumber, "ushort": unsignedNumber, "uint": unsignedNumber,
	"ulong": unsignedNumber, "half": floatNumber, "float": floatNumber, "double": floatNumber,
	"c": signedNumber, "s": signedNumber, "i": signedNumber, "l": signedNumber, "h": unsignedNumber,
	"t": unsignedNumber, "j": unsignedNumber, "m": unsignedNumber, "Dh": floatNumber, "f": floatNumber,
	"d": floatNumber}

// conversions are instructions by the kinds of numbers from which and to which they convert.
var conversions = map[[2]int]uint16{
	{signedNumber, floatNumber}: 111, {unsignedNumber, floatNumber}: 112, {floatNumber, floatNumber}: 115,
	{floatNumber, signedNumber}: 110, {floatNumber, unsignedNumber}: 109}

// modes are the suffixes of conversions.
var modes = map[string]decoration{
	"sat": {decSaturated, nil}, "rte": {decRounding, []uint32{0}}, "rtz": {decRounding, []uint32{1}},
	"rtp": {decRounding, []uint32{2}}, "rtn": {decRounding, []uint32{3}}}

// conversionFunction has convert_double4 and the like, from floats or to them.
func conversionFunction(_ *Program, name, params string, args []uint32) *provided {
	words := strings.Split(name, "_")
	if words[0] != "convert" || len(words) < 2 || len(args) != 1 {
		return nil
	}
	to := strings.TrimRight(words[1], "0123456789")
	from := params
	if v, ok := strings.CutPrefix(params, "Dv"); ok {
		_, from, _ = strings.Cut(v, "_")
	}
	op, ok := conversions[[2]int{numberNames[from], numberNames[to]}]
	if !ok || len(to) < len("int") {
		return nil
	}
	f := &provided{op: op, args: args}
	for _, w := range words[2:] {
		mode, ok := modes[w]
		if !ok {
			return nil
		}
		f.also = append(f.also, mode)
	}
	return f
}

// otherFunction has what casts generic pointers, and the barrier of a subgroup.
func otherFunction(p *Program, name, _ string, args []uint32) *provided {
	switch {
	case len(args) == 1 && (name == "__to_global" || name == "__to_local" || name == "__to_private"):
		return &provided{op: 123, args: []uint32{args[0], 0}}
	case len(args) == 1 && name == "get_image_channel_order": // counted as OpenCL does, not as SPIR-V
		return &provided{op: 102, args: []uint32{args[0], literal(firstChannelOrder)}}
	case len(args) == 1 && name == "get_image_channel_data_type":
		return &provided{op: 101, args: []uint32{args[0], literal(firstChannelType)}}
	case len(args) >= 1 && name == "sub_group_barrier":
		return &provided{op: 224, void: true,
			args: []uint32{literal(scopeSubgroup), literal(scopeSubgroup), literal(orderAllShared)}}
	}
	return nil
}
