package spirv

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
)

// A judge keeps what it is told is undefined: the lanes of each wave by text.
type judge struct {
	lanes map[string][]uint64
	texts []string // in order
	stop  bool
}

func (*judge) Observe(*simt.Access) bool { return false }

func (j *judge) Undefined(u *simt.Undefined) bool {
	if j.lanes == nil {
		j.lanes = map[string][]uint64{}
	}
	if !slices.Contains(j.texts, u.Text) {
		j.texts = append(j.texts, u.Text)
	}
	j.lanes[u.Text] = append(j.lanes[u.Text], u.Lanes)
	return j.stop
}

// judged runs a launch under a judge.
func judged(t *testing.T, l launch, words []uint32) *judge {
	t.Helper()
	j := &judge{}
	r := l.start(t, words)
	r.m.AddObserver(j)
	var err error
	if r.event, err = r.m.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	ended(t, r)
	return j
}

// TestUndefinedOperands: instructions of words whose operands have no defined result, over numbers at the
// edges.
func TestUndefinedOperands(t *testing.T) {
	minus := func(x uint32) int64 { return int64(int32(x)) }
	quotient := func(x, y, _ uint32) bool { return y == 0 || minus(x) == math.MinInt32 && minus(y) == -1 }
	zero := func(_, y, _ uint32) bool { return y == 0 }
	wide := func(_, y, _ uint32) bool { return y >= 32 }
	below := func(limit float64) func(x, _, _ uint32) bool {
		return func(x, _, _ uint32) bool { return fl(x) <= limit }
	}
	behind := func(_, y, z uint32) bool { return uint64(y)+uint64(z) > 32 }
	cases := []struct {
		op    uint16
		types string
		set   string
		text  string
		bad   func(x, y, z uint32) bool
	}{
		{194, "uuu", "", "OpShiftRightLogical shifts", wide},
		{195, "iui", "", "OpShiftRightArithmetic shifts", wide},
		{196, "uuu", "", "OpShiftLeftLogical shifts", wide},
		{134, "uuu", "", "OpUDiv divides", zero}, {137, "uuu", "", "OpUMod divides", zero},
		{135, "iii", "", "OpSDiv divides", quotient}, {138, "iii", "", "OpSRem divides", quotient},
		{139, "iii", "", "OpSMod divides", quotient},
		{202, "iuui", "", "OpBitFieldSExtract names bits", behind},
		{203, "uuuu", "", "OpBitFieldUExtract names bits", behind},
		{109, "fu", "", "OpConvertFToU converts", func(x, _, _ uint32) bool {
			return fl(x) != fl(x) || fl(x) <= -1 || fl(x) >= 1<<32
		}},
		{110, "fi", "", "OpConvertFToS converts", func(x, _, _ uint32) bool {
			return fl(x) != fl(x) || math.Abs(fl(x)) >= 1<<31 && fl(x) != -1<<31
		}},
		{16, "ff", "GLSL.std.450", "Asin", func(x, _, _ uint32) bool { return fl(x) > 1 || fl(x) < -1 }},
		{17, "ff", "GLSL.std.450", "Acos", func(x, _, _ uint32) bool { return fl(x) > 1 || fl(x) < -1 }},
		{23, "ff", "GLSL.std.450", "Acosh", func(x, _, _ uint32) bool { return fl(x) < 1 }},
		{24, "ff", "GLSL.std.450", "Atanh", func(x, _, _ uint32) bool { return fl(x) >= 1 || fl(x) <= -1 }},
		{25, "fff", "GLSL.std.450", "Atan2", func(x, y, _ uint32) bool { return x<<1 == 0 && y<<1 == 0 }},
		{26, "fff", "GLSL.std.450", "Pow", func(x, y, _ uint32) bool {
			return fl(x) < 0 || x<<1 == 0 && fl(y) <= 0
		}},
		{28, "ff", "GLSL.std.450", "Log", below(0)}, {30, "ff", "GLSL.std.450", "Log2", below(0)},
		{31, "ff", "GLSL.std.450", "Sqrt", func(x, _, _ uint32) bool { return fl(x) < 0 }},
		{32, "ff", "GLSL.std.450", "InverseSqrt", below(0)},
		{43, "ffff", "GLSL.std.450", "FClamp", func(_, y, z uint32) bool { return fl(y) > fl(z) }},
		{81, "ffff", "GLSL.std.450", "NClamp", func(_, y, z uint32) bool { return fl(y) > fl(z) }},
		{44, "uuuu", "GLSL.std.450", "UClamp", func(_, y, z uint32) bool { return y > z }},
		{45, "iiii", "GLSL.std.450", "SClamp", func(_, y, z uint32) bool { return minus(y) > minus(z) }},
		{49, "ffff", "GLSL.std.450", "SmoothStep", func(x, y, _ uint32) bool { return fl(x) >= fl(y) }},
	}
	edges := []uint32{0, 1, 31, 32, 33, 0x80000000, 0x7fffffff, 0xffffffff, 0x7f800000, 0xff800000,
		0x7fc00000, 0x3f800000, 0xbf800000, 0x4f000000, 0xcf000000, 0x4f800000}
	for _, c := range cases {
		const n = 512
		l := launch{groups: [3]uint32{n}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 4*n)}}
		var in [3][n]uint32
		want := 0
		for i := range n {
			in[0][i], in[1][i], in[2][i] = edges[i%16], edges[i/16%16], edges[(i*7+i/16+i/256)%16]
			if c.bad(in[0][i], in[1][i], in[2][i]) {
				want++
			}
		}
		for k := range len(c.types) - 1 {
			l.buffers[Slot{0, uint32(k + 1), 0}] = bytes32(in[k][:]...)
		}
		j := judged(t, l, opModule(opCase{op: c.op, types: c.types, set: c.set}))
		got := 0
		for text, lanes := range j.lanes {
			if !strings.HasPrefix(text, c.text+" ") {
				t.Errorf("%s: %q", c.text, text)
			}
			got += len(lanes)
		}
		if got != want || want == 0 {
			t.Errorf("%s: undefined in %d of %d invocations, want %d", c.text, got, n, want)
		}
	}
}

// TestUndefinedEdges: divisions and shifts of 64 bits, null pointers, and pointers that are not aligned as
// the instruction says, beside those that are.
func TestUndefinedEdges(t *testing.T) {
	const least = -1 << 63
	numbers := []int64{7, 0, 7, 64, least, -1, 7, 3, least, 1, 1 << 32, 1 << 32, -8, -3, 0, 63}
	buffer := make([]byte, 8*len(numbers))
	for i, n := range numbers {
		binary.LittleEndian.PutUint64(buffer[8*i:], uint64(n))
	}
	j := judged(t, launch{block: [3]uint32{uint32(len(numbers) / 2), 1, 1}, args: make([]byte, 8),
		pointer: map[uint64]Slot{0: {}}, buffers: map[Slot][]byte{{}: buffer}}, testModule(t, "edges.spv"))
	const signed, shifts = "divides by zero, or has a quotient out of range",
		"shifts by the width of its operand or more"
	const zero, odd, fourth = 1 << 0, 0xaa, 1 << 3
	const wide = 1<<1 | 1<<2 | 1<<5 | 1<<6
	aligned := " uses a pointer that is not aligned to 16 bytes, as it says"
	same(t, j.lanes, map[string][]uint64{
		"OpSDiv " + signed: {zero | 1<<2}, "OpSRem " + signed: {zero | 1<<2},
		"OpSMod " + signed: {zero | 1<<2}, "OpUDiv divides by zero": {zero}, "OpUMod divides by zero": {zero},
		"OpShiftLeftLogical " + shifts: {wide}, "OpShiftRightLogical " + shifts: {wide},
		"OpShiftRightArithmetic " + shifts: {wide},
		"OpLoad" + aligned:                 {odd}, "OpStore" + aligned: {odd},
		"OpCopyMemory" + aligned: {odd}, "OpLoad uses a null pointer": {fourth},
		"OpStore uses a null pointer": {fourth},
	})
}

// TestPointerAlignment: what memory operands say of two pointers.
func TestPointerAlignment(t *testing.T) {
	for _, c := range []struct {
		args []uint32 // behind two pointers
		want [2]uint64
	}{
		{nil, [2]uint64{1, 1}}, {[]uint32{0}, [2]uint64{1, 1}}, {[]uint32{1}, [2]uint64{1, 1}},
		{[]uint32{2, 8}, [2]uint64{8, 8}}, {[]uint32{7, 8}, [2]uint64{8, 8}},
		{[]uint32{2, 8, 2, 4}, [2]uint64{8, 4}}, {[]uint32{0, 2, 4}, [2]uint64{1, 4}},
		{[]uint32{2, 8, 1}, [2]uint64{8, 1}}, {[]uint32{10, 8, 50, 18, 4, 50}, [2]uint64{8, 4}},
		{[]uint32{2}, [2]uint64{1, 1}}, {[]uint32{2, 0}, [2]uint64{1, 1}},
	} {
		args := append([]uint32{1, 2}, c.args...)
		for k, u := range pointerUses[63] {
			if got := u.alignment(args); got != c.want[k] {
				t.Errorf("%v, pointer %d: %d, want %d", c.args, k, got, c.want[k])
			}
		}
	}
}

// TestUndefinedAccess: indices and invocations that are not there, as the source says.
func TestUndefinedAccess(t *testing.T) {
	lanes := func(bad func(i int) bool) uint64 {
		var m uint64
		for i := range 32 {
			if bad(i) {
				m |= 1 << i
			}
		}
		return m
	}
	l := launch{o: Options{Robust: true}, buffers: map[Slot][]byte{{0, 0, 0}: make([]byte, 128)}}
	j := judged(t, l, testModule(t, "undefined.Od.spv"))
	same(t, j.lanes, map[string][]uint64{
		"OpAccessChain has an index out of bounds": {
			lanes(func(i int) bool { return i&8 != 0 }),
			lanes(func(i int) bool { return i&2 != 0 }),  // reads a component,
			lanes(func(i int) bool { return i&2 != 0 })}, // and writes it
		// The vector is the last that private memory has.
		"reads 4 bytes outside of scratch memory":  {lanes(func(i int) bool { return i&3 == 3 })},
		"writes 4 bytes outside of scratch memory": {lanes(func(i int) bool { return i&3 == 3 })},
		"OpGroupNonUniformShuffle reads an invocation that is not active or not there": {
			lanes(func(i int) bool { return i < 12 })},
		"OpGroupNonUniformShuffleXor reads an invocation that is not active or not there": {
			lanes(func(i int) bool { return i >= 4 && i < 16 })},
		"OpGroupNonUniformBroadcast reads an invocation that is not active or not there, " +
			"or differs between invocations": {1<<20 - 1},
	})
	words := make([]uint32, 32)
	j = judged(t, launch{buffers: map[Slot][]byte{{0, 0, 0}: bytes32(words...),
		{0, 1, 0}: make([]byte, 32*32*4),
		{0, 2, 0}: make([]byte, 8)}}, testModule(t, "ops.spv"))
	same(t, j.lanes, map[string][]uint64{"OpUnreachable is reached": {1 << 7}})
}

// TestUndefinedGroups: a group instruction that half a wave comes to, and a stop where the judge wants one.
func TestUndefinedGroups(t *testing.T) {
	words := slices.Clone(testModule(t, "groups.spv"))
	l := groupLaunch("groups", 8, 1, [3]uint32{20, 1, 1}, make([]uint32, 20), len(groupResults()), [3]int{})
	if j := judged(t, l, words); len(j.lanes) != 0 {
		t.Errorf("%q, want nothing", j.texts)
	}
	r := l.start(t, words)
	j := &judge{stop: true}
	r.m.AddObserver(j)
	if err := r.m.Fill(); err != nil {
		t.Fatal(err)
	}
	w := r.m.Waves()[0]
	w.Exec = 0x0f
	var ev simt.Event
	for ev.Kind != simt.WatchEvent && ev.Kind != simt.BarrierEvent {
		var err error
		if ev, err = r.m.StepWave(w, 1); err != nil {
			t.Fatal(err)
		}
	}
	if len(j.texts) == 0 || j.texts[0] != "OpGroupIAdd is not reached by all invocations of its workgroup" ||
		bits.OnesCount64(j.lanes[j.texts[0]][0]) != 4 {
		t.Errorf("%v at %#x: %v", ev.Kind, ev.PC, j.lanes)
	}
}

// TestUndefinedCopies: a copy of a workgroup's whose operands are not the same for all invocations, made of
// one whose are: it copies as many elements as the number of the invocation says.
func TestUndefinedCopies(t *testing.T) {
	words := slices.Clone(testModule(t, "groups.spv"))
	l := groupLaunch("copy", 8, 1, [3]uint32{16, 1, 1}, make([]uint32, 32), 1, [3]int{})
	if j := judged(t, l, words); len(j.lanes) != 0 {
		t.Errorf("%q, want nothing", j.texts)
	}
	const extract, copies, count = 81, 259, 6 // the word of a copy that says how many
	differs, changed := uint32(0), false
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		in := words[at : at+int(words[at]>>16)]
		switch in[0] & 0xffff {
		case copies:
			if differs != 0 && !changed {
				in[count], changed = differs, true
			}
		case extract:
			differs = in[2]
		}
	}
	if !changed {
		t.Fatal("no copy behind a component")
	}
	j := judged(t, l, words)
	const text = "OpGroupAsyncCopy is not reached by all invocations of its workgroup, or has operands " +
		"that differ between them"
	if len(j.lanes[text]) == 0 || j.lanes[text][0] != 0xfe {
		t.Errorf("%q of lanes %x", j.texts, j.lanes[text])
	}
}
