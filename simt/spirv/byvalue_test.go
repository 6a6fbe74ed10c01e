package spirv

import (
	"encoding/binary"
	"slices"
	"testing"
)

// TestFunctionsByValue: a function that gets a structure by value has a copy of its own.
func TestFunctionsByValue(t *testing.T) {
	forEach(t, "cl_byval", func(t *testing.T, words []uint32, track bool) {
		args := slices.Concat(make([]byte, 8), bytes32(20, 21, 22, 23))
		l := launch{block: [3]uint32{8, 1, 1}, track: track, args: args, o: Options{SubgroupSize: 8},
			pointer: map[uint64]Slot{0: {0, 0, 0}}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 64)}}
		r := l.run(t, words)
		ended(t, r)
		var want []uint32
		for g := range uint32(8) {
			result := uint32(0)
			if g%3 != 0 {
				result = 10 + g
			}
			want = append(want, 11*1000+result, 41*1000+20+(20+2*g)+21)
		}
		same(t, r.words(Slot{0, 0, 0}), want)
	})
}

// TestBuiltinsInConstants: llvm-spirv of LLVM 6 to 8 declared built-ins in UniformConstant memory.
func TestBuiltinsInConstants(t *testing.T) {
	const input, uniformConstant = 1, 0
	for _, name := range []string{"cl_byval.cl.spv", "cl_byval.clO2.spv"} {
		words := slices.Clone(testModule(t, name))
		changed := 0
		for at := 5; at < len(words); at += int(words[at] >> 16) {
			switch op := words[at] & 0xffff; {
			case op == 32 && words[at+2] == input:
				words[at+2] = uniformConstant
			case op == 59 && words[at+3] == input:
				words[at+3] = uniformConstant
				changed++
			}
		}
		if changed == 0 {
			t.Fatalf("%s has no built-ins", name)
		}
		l := launch{block: [3]uint32{8, 1, 1}, args: make([]byte, 24), o: Options{SubgroupSize: 8},
			pointer: map[uint64]Slot{0: {0, 0, 0}}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 64)}}
		r := l.run(t, words)
		ended(t, r)
		for g := range uint32(8) {
			if got, want := r.words(Slot{0, 0, 0})[2*g+1], 2*g; got != want {
				t.Errorf("%s: work-item %d has %d, want %d", name, g, got, want)
			}
		}
	}
}

// A module puts a module together, instruction by instruction.
type module []uint32

func newModule(capabilities ...uint32) *module {
	m := &module{0x07230203, 0x10300, 0, 200, 0}
	for _, c := range capabilities {
		m.add(17, c)
	}
	m.add(14, 2, 2)
	return m
}

// add adds an instruction. It is not compiled into those that call it hundreds of times.
//
//go:noinline
func (m *module) add(op uint32, args ...uint32) {
	*m = append(append(*m, uint32(len(args)+1)<<16|op), args...)
}

// kernel is the beginning of a kernel of no arguments, as id 10, with types void 1, its own 2, u32 3, u64 4
// and its label 11; rest declares more.
func (m *module) kernel(rest func()) {
	m.add(15, 6, 10, binary.LittleEndian.Uint32([]byte("k\x00\x00\x00")))
	m.add(19, 1)
	m.add(33, 2, 1)
	m.add(21, 3, 32, 0)
	m.add(21, 4, 64, 0)
	rest()
	m.add(54, 1, 10, 0, 2)
	m.add(248, 11)
}

// The capabilities of a kernel.
const addresses, kernelCapability = 4, 6
