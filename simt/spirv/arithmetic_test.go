package spirv

import (
	"slices"
	"testing"

	"simtgdb/simt"
)

// TestArithmetic: how much arithmetic an instruction does in each invocation: one operation for each
// component, of what multiplies and adds two, of products of n components 2n-1.
func TestArithmetic(t *testing.T) {
	for _, c := range []struct {
		opCase
		want simt.Arithmetic
	}{
		{opCase{op: 129, types: "fff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 136, types: "fff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 127, types: "ff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 128, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 126, types: "ii"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 130, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 131, types: "fff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 132, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 133, types: "fff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 134, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 135, types: "iii"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 137, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 138, types: "iii"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 139, types: "iii"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 140, types: "fff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 141, types: "fff"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 194, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 195, types: "iui"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 196, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 197, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 198, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 199, types: "uuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 200, types: "uu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 201, types: "uuuuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 202, types: "iuui"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 203, types: "uuuu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 204, types: "uu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 205, types: "uu"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 4451, types: "uuu"}, simt.Arithmetic{Integers: 7}}, // of four bytes each
		{opCase{op: 4453, types: "uuii"}, simt.Arithmetic{Integers: 7}},
		{opCase{op: 50, types: "ffff", set: "GLSL.std.450"}, simt.Arithmetic{Floats: 2}}, // Fma
		{opCase{op: 31, types: "ff", set: "GLSL.std.450"}, simt.Arithmetic{Floats: 1}},
		{opCase{op: 26, types: "ffff", set: "OpenCL.std"}, simt.Arithmetic{Floats: 2}}, // fma
		{opCase{op: 42, types: "ffff", set: "OpenCL.std"}, simt.Arithmetic{Floats: 2}}, // mad
		{opCase{op: 166, types: "uu", set: "OpenCL.std"}, simt.Arithmetic{Integers: 1}},
		{opCase{op: 170, types: "uub"}, simt.Arithmetic{}},
		{opCase{op: 83, types: "ff"}, simt.Arithmetic{}},
	} {
		words := opModule(c.opCase)
		l := launch{buffers: map[Slot][]byte{}}
		for k := range c.types {
			l.buffers[Slot{Binding: uint32(k)}] = make([]byte, 4)
		}
		op := uint32(c.op)
		if c.set != "" {
			op = opExtInst
		}
		got := slices.Compact(l.start(t, words).arithmetic(words, op))
		if !slices.Equal(got, []simt.Arithmetic{c.want}) {
			t.Errorf("%s: %+v, want %+v", row{c.set, uint32(c.op)}, got, c.want)
		}
	}
}

// TestArithmeticOfVectors does it with floats.spv: vectors of two, and a matrix of two by two.
func TestArithmeticOfVectors(t *testing.T) {
	words := testModule(t, "floats.spv")
	l := launch{o: Options{Entry: "plain"}, buffers: map[Slot][]byte{{}: make([]byte, 768),
		{Binding: 1}: make([]byte, 8*32*65)}}
	r := l.start(t, words)
	for op, want := range map[uint32]int{opVectorTimesScalar: 2, opDot: 2*2 - 1,
		opMatrixTimesVector: 2 * (2*2 - 1)} {
		for _, got := range r.arithmetic(words, op) {
			if got != (simt.Arithmetic{Floats: want}) {
				t.Errorf("%s: %+v, want %d of floats", row{"", op}, got, want)
			}
		}
	}
}

// arithmetic is that of each instruction with an opcode.
func (r *ran) arithmetic(words []uint32, op uint32) (all []simt.Arithmetic) {
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		if words[at]&0xffff == op {
			all = append(all, r.isa.Arithmetic(bytes32(words[at:]...), codeBase+4*uint64(at)))
		}
	}
	return all
}
