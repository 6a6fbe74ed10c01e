package spirv

import (
	"fmt"
	"math"
	"testing"

	"simtgdb/testdata/sweep"
)

// A groupOp combines the values of a workgroup's invocations; values are words, bools or floats.
type groupOp struct {
	name  string
	kind  byte
	start uint32
	f     func(x, y uint32) uint32
}

func floats2(f func(x, y float32) float32) func(x, y uint32) uint32 {
	return func(x, y uint32) uint32 {
		return math.Float32bits(f(math.Float32frombits(x), math.Float32frombits(y)))
	}
}

// groupOps are in the order of groups.spvasm.
var groupOps = []groupOp{
	{"IAdd", 'u', 0, func(x, y uint32) uint32 { return x + y }},
	{"FAdd", 'f', 0, floats2(func(x, y float32) float32 { return x + y })},
	{"FMin", 'f', 0x7f800000, floats2(func(x, y float32) float32 { return min(x, y) })},
	{"UMin", 'u', math.MaxUint32, func(x, y uint32) uint32 { return min(x, y) }},
	{"SMin", 'u', math.MaxInt32, func(x, y uint32) uint32 { return uint32(min(int32(x), int32(y))) }},
	{"FMax", 'f', 0xff800000, floats2(func(x, y float32) float32 { return max(x, y) })},
	{"UMax", 'u', 0, func(x, y uint32) uint32 { return max(x, y) }},
	{"SMax", 'u', 1 << 31, func(x, y uint32) uint32 { return uint32(max(int32(x), int32(y))) }},
	{"IMul", 'u', 1, func(x, y uint32) uint32 { return x * y }},
	{"FMul", 'h', 0x3f800000, floats2(func(x, y float32) float32 { return x * y })},
	{"And", 'u', math.MaxUint32, func(x, y uint32) uint32 { return x & y }},
	{"Or", 'u', 0, func(x, y uint32) uint32 { return x | y }},
	{"Xor", 'u', 0, func(x, y uint32) uint32 { return x ^ y }},
	{"LogicalAnd", 'b', 1, func(x, y uint32) uint32 { return x & y }},
	{"LogicalOr", 'b', 0, func(x, y uint32) uint32 { return x | y }},
	{"LogicalXor", 'b', 0, func(x, y uint32) uint32 { return x ^ y }},
}

// groupOperand is what an invocation puts in, of a word x.
func groupOperand(kind byte, x uint32) uint32 {
	b := x&48 != 48
	switch kind {
	case 'f':
		return math.Float32bits(float32(x & 1000))
	case 'h':
		if b {
			return math.Float32bits(1)
		}
		return math.Float32bits(0.5)
	case 'b':
		return truth(b)
	}
	return x
}

// groupReference is what the instructions of groups.spvasm give in workgroups of so many invocations.
func groupReference(in []uint32, size, wave int, at [3]int, block [3]int) map[string][]uint32 {
	want := map[string][]uint32{}
	put := func(name string, v uint32) { want[name] = append(want[name], v) }
	for base := 0; base < len(in); base += size {
		group := in[base : base+size]
		for _, op := range groupOps {
			all := op.start
			for _, x := range group {
				all = op.f(all, groupOperand(op.kind, x))
			}
			sum := op.start
			for _, x := range group {
				put(op.name+" 0", all)
				put(op.name+" 2", sum)
				sum = op.f(sum, groupOperand(op.kind, x))
				put(op.name+" 1", sum)
			}
		}
		every, some := uint32(1), uint32(0)
		for _, x := range group {
			every &= groupOperand('b', x)
			some |= groupOperand('b', x)
		}
		scan := uint32(0)
		for i, x := range group {
			put("All", every)
			put("Any", some)
			put("All true", 1)
			put("Broadcast", group[at[0]+block[0]*(at[1]+block[1]*at[2])])
			first := i / wave * wave
			sub := uint32(0)
			for _, y := range group[first:min(first+wave, size)] {
				sub += y
			}
			put("subgroup IAdd", sub)
			third := uint32(0)
			if first+3 < size {
				third = group[first+3]
			}
			put("subgroup Broadcast", third)
			scan += x
			put("vector IAdd", scan)
		}
	}
	return want
}

// groupResults are the results of groups.spvasm in their order.
func groupResults() []string {
	var names []string
	for k := range 3 {
		for _, op := range groupOps {
			names = append(names, fmt.Sprint(op.name, " ", k))
		}
	}
	return append(names, "All", "Any", "All true", "Broadcast", "subgroup IAdd", "subgroup Broadcast",
		"vector IAdd")
}

// groupLaunch launches an entry point of groups.spv with (in, out, count, at).
func groupLaunch(entry string, wave int, groups uint32, block [3]uint32, in []uint32, results int,
	at [3]int) launch {
	args := make([]byte, 64)
	putLittle(args[16:20], uint64(len(in)))
	for i, v := range at {
		putLittle(args[32+8*i:40+8*i], uint64(v))
	}
	return launch{o: Options{Entry: entry, SubgroupSize: wave}, groups: [3]uint32{groups}, block: block,
		args: args, pointer: map[uint64]Slot{0: {0, 0, 0}, 8: {0, 1, 0}},
		buffers: map[Slot][]byte{{0, 0, 0}: bytes32(in...), {0, 1, 0}: make([]byte, 4*len(in)*results)}}
}

// TestWorkgroupOperations: group instructions of workgroups of one wave, of several, and with a part of one.
func TestWorkgroupOperations(t *testing.T) {
	words := testModule(t, "groups.spv")
	names := groupResults()
	for i, wave := range []int{8, 64} {
		for k, block := range [][3]int{{20, 1, 1}, {5, 2, 3}, {8, 1, 1}} {
			size := block[0] * block[1] * block[2]
			groups := 2
			if block[1] > 1 {
				groups = 1 // linear ids go along the rows of all groups
			}
			rnd := random(7)
			in, at := rnd.words(groups*size), [3]int{4, block[1] - 1, block[2] - 1}
			tracks := []bool{false, true}
			if !sweep.All() {
				tracks = tracks[(i+k)%2:][:1]
			}
			for _, track := range tracks {
				l := groupLaunch("groups", wave, uint32(groups),
					[3]uint32{uint32(block[0]), uint32(block[1]), uint32(block[2])}, in, len(names), at)
				l.track = track
				r := l.run(t, words)
				ended(t, r)
				got := r.words(Slot{0, 1, 0})
				want := groupReference(in, size, wave, at, block)
				for k, name := range names {
					t.Run(fmt.Sprint(name, "/", wave, block), func(t *testing.T) {
						same(t, got[k*len(in):(k+1)*len(in)], want[name])
					})
				}
			}
		}
	}
}

// TestWorkgroupLoop: the same instruction again and again, where waves may be one turn ahead of each other.
func TestWorkgroupLoop(t *testing.T) {
	rnd := random(9)
	in := rnd.words(2 * 30)
	l := groupLaunch("loop", 8, 2, [3]uint32{30, 1, 1}, in, 1, [3]int{})
	r := l.run(t, testModule(t, "groups.spv"))
	ended(t, r)
	want := append([]uint32(nil), in...)
	for base := 0; base < len(want); base += 30 {
		for range 5 {
			sum := uint32(0)
			for i := range 30 {
				sum, want[base+i] = sum+want[base+i], sum
			}
		}
	}
	same(t, r.words(Slot{0, 1, 0}), want)
}

// TestAsyncCopy: every second word comes into workgroup memory and goes back to every second.
func TestAsyncCopy(t *testing.T) {
	rnd := random(11)
	in := rnd.words(32)
	l := groupLaunch("copy", 8, 1, [3]uint32{16, 1, 1}, in, 1, [3]int{})
	r := l.run(t, testModule(t, "groups.spv"))
	ended(t, r)
	want := make([]uint32, 32)
	for i := 0; i < 32; i += 2 {
		want[i] = in[i] + 1
	}
	same(t, r.words(Slot{0, 1, 0}), want)
}
