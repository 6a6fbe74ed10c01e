package spirv

import (
	"encoding/binary"
	"fmt"
	"strings"

	"simtgdb/simt"
)

// flows says where control goes after the instructions that do not just go on.
var flows = map[uint16]simt.Flow{
	opBranch: simt.FlowJump, opBranchConditional: simt.FlowBranch, opSwitch: simt.FlowIndirect,
	opFunctionCall: simt.FlowCall, opReturn: simt.FlowReturn,
	opReturnValue: simt.FlowReturn, opKill: simt.FlowEnd, opUnreachable: simt.FlowEnd,
	opTerminateInvocation: simt.FlowEnd, opControlBarrier: simt.FlowBarrier,
}

// Inst implements simt.ISA: the text is that of spirv-dis with numbers for ids and for what has no name in
// package spirv. Words outside of the program's module are cut by their own length.
func (isa *ISA) Inst(code []byte, pc uint64) (simt.Inst, error) {
	return decode(isa.p, isa.p.o.Base, code, pc)
}

// A Decoder reads the instructions of a module that lies at Base, without making a program of it.
type Decoder struct{ Base uint64 }

// Align is the alignment of instructions in bytes.
func (Decoder) Align() int { return 4 }

// Inst is ISA.Inst without the targets of branches and calls.
func (d Decoder) Inst(code []byte, pc uint64) (simt.Inst, error) {
	return decode(nil, d.Base, code, pc)
}

const headerBytes = 20

// decode reads the instruction at the start of code; the words of the header are data.
func decode(p *Program, base uint64, code []byte, pc uint64) (simt.Inst, error) {
	if len(code) < 4 {
		return simt.Inst{}, fmt.Errorf("no instruction at %#x: %d bytes", pc, len(code))
	}
	first := binary.LittleEndian.Uint32(code)
	if pc-base < headerBytes {
		return simt.Inst{Text: fmt.Sprintf(".word %#08x", first), Size: 4}, nil
	}
	n := int(first >> 16)
	if n == 0 || 4*n > len(code) {
		return simt.Inst{}, fmt.Errorf("no instruction at %#x: word %#08x", pc, first)
	}
	words := make([]uint32, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(code[4*i:])
	}
	in, _, err := cutInst(words, 0)
	if err != nil {
		return simt.Inst{}, err
	}
	out := simt.Inst{Text: instText(in), Size: 4 * n, Flow: flows[in.op]}
	if p != nil {
		p.target(in, &out)
		if f := p.provided(in); f != nil {
			in.op, in.args, out.Flow = f.op, f.args, flows[f.op]
		}
		// Printed text has an order that can be seen, too.
		out.GlobalAtomic = atomicBuilders()[in.op] != nil && p.globalAtomic(in) || p.prints(in)
	}
	return out, nil
}

// target finds where a branch or call goes to.
func (p *Program) target(in *raw, out *simt.Inst) {
	if len(in.args) == 0 {
		return
	}
	switch in.op {
	case opFunctionCall:
		if f := p.functions[in.args[0]]; f != nil && len(f.blocks) > 0 && len(f.blocks[0].insts) > 0 {
			out.Target = f.blocks[0].insts[0].pc
		}
	case opBranch, opBranchConditional:
		if d := p.def[in.args[len(in.args)-1]]; in.op == opBranch && d != nil {
			out.Target = p.o.Base + 4*uint64(d.word)
		} else if len(in.args) > 1 {
			if d := p.def[in.args[1]]; d != nil {
				out.Target = p.o.Base + 4*uint64(d.word)
			}
		}
	}
}

// globalAtomic reports whether an atomic instruction is on memory that workgroups share.
func (p *Program) globalAtomic(in *raw) bool {
	if len(in.args) == 0 {
		return false
	}
	v := p.values[in.args[0]]
	return v == nil || spaces[v.typ.storage] == global || spaces[v.typ.storage] == generic
}

// prints reports whether an instruction prints.
func (p *Program) prints(in *raw) bool {
	const openclPrintf = 184
	if in.op != opExtInst || len(in.args) < 2 {
		return false
	}
	name := p.imports[in.args[0]]
	return name == "NonSemantic.DebugPrintf" || name == "OpenCL.std" && in.args[1] == openclPrintf
}

var storageNames = map[uint32]string{
	0: "UniformConstant", 1: "Input", 2: "Uniform", 3: "Output", 4: "Workgroup", 5: "CrossWorkgroup",
	6: "Private",
	7: "Function", 8: "Generic", 9: "PushConstant", 10: "AtomicCounter", 11: "Image", 12: "StorageBuffer",
	5349: "PhysicalStorageBuffer",
}

var groupNames = [...]string{"Reduce", "InclusiveScan", "ExclusiveScan", "ClusteredReduce"}

// instText is an instruction as spirv-dis prints it, with the result first.
func instText(in *raw) string {
	row, ok := opTable()[in.op]
	var b strings.Builder
	if in.res != 0 {
		fmt.Fprintf(&b, "%%%d = ", in.res)
	}
	if !ok {
		fmt.Fprintf(&b, "OpUnknown(%d)", in.op)
		return b.String()
	}
	b.WriteString("Op" + row.name)
	if in.typ != 0 {
		fmt.Fprintf(&b, " %%%d", in.typ)
	}
	args := in.args
	for _, c := range strings.TrimLeft(row.operands, "tr") {
		if len(args) == 0 {
			break
		}
		if c == '?' {
			continue
		}
		args = appendOperand(&b, c, args)
	}
	return b.String()
}

// appendOperand prints one operand, or all that are left, and gives those behind.
func appendOperand(b *strings.Builder, c rune, args []uint32) []uint32 {
	a := args[0]
	switch c {
	case 'i':
		fmt.Fprintf(b, " %%%d", a)
	case 'I', 'x':
		if c == 'x' {
			fmt.Fprintf(b, " %d", a)
			args = args[1:]
		}
		return appendIDs(b, args)
	case 's':
		s, rest := text(args)
		fmt.Fprintf(b, " %q", s)
		return rest
	case 'C':
		if n, ok := storageNames[a]; ok {
			b.WriteString(" " + n)
		} else {
			fmt.Fprintf(b, " %d", a)
		}
	case 'G':
		if int(a) < len(groupNames) {
			b.WriteString(" " + groupNames[a])
		} else {
			fmt.Fprintf(b, " %d", a)
		}
	case 'M':
		return appendMemory(b, args)
	case 'T':
		b.WriteString(" " + maskNames(a, []string{"TensorView", "DecodeFunc"}))
		return appendIDs(b, args[1:])
	case 'w', 'p':
		for i, a := range args {
			if (i%2 == 1) == (c == 'w') {
				fmt.Fprintf(b, " %%%d", a)
			} else {
				fmt.Fprintf(b, " %d", a)
			}
		}
		return nil
	case 'L', 'n':
		for _, a := range args {
			fmt.Fprintf(b, " %d", a)
		}
		return nil
	case 'o':
		fmt.Fprintf(b, " %s", opTable()[uint16(a)].name)
		return appendIDs(b, args[1:])
	case 'F':
		b.WriteString(" " + maskNames(a, []string{"Inline", "DontInline", "Pure", "Const"}))
	default:
		fmt.Fprintf(b, " %d", a)
	}
	return args[1:]
}

// appendIDs appends ids, behind which nothing is left.
func appendIDs(b *strings.Builder, ids []uint32) []uint32 {
	for _, id := range ids {
		fmt.Fprintf(b, " %%%d", id)
	}
	return nil
}

// appendMemory prints memory operands (section 3.26).
func appendMemory(b *strings.Builder, args []uint32) []uint32 {
	a, rest := args[0], args[1:]
	b.WriteString(" " + maskNames(a, []string{"Volatile", "Aligned", "Nontemporal", "MakePointerAvailable",
		"MakePointerVisible", "NonPrivatePointer"}))
	if a&2 != 0 && len(rest) > 0 {
		fmt.Fprintf(b, " %d", rest[0])
		rest = rest[1:]
	}
	for _, bit := range []uint32{8, 16} {
		if a&bit != 0 && len(rest) > 0 {
			fmt.Fprintf(b, " %%%d", rest[0])
			rest = rest[1:]
		}
	}
	return rest
}

func maskNames(mask uint32, names []string) string {
	if mask == 0 {
		return "None"
	}
	var out []string
	for i, n := range names {
		if mask>>i&1 != 0 {
			out = append(out, n)
			mask &^= 1 << i
		}
	}
	if mask != 0 {
		out = append(out, fmt.Sprintf("%#x", mask))
	}
	return strings.Join(out, "|")
}
