package spirv

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt/check"
)

// blanks runs a launch and says what is told of values that nothing has been written to: lanes and texts, by
// the order in which they are told of.
func (l launch) blanks(t *testing.T, words []uint32) (told []string) {
	t.Helper()
	r := l.start(t, words)
	checker := check.New(r.m, check.Uninit)
	checker.Sink = func(r *check.Report) bool {
		told = append(told, fmt.Sprintf("%#x: %s", r.Lanes, r.What))
		return false
	}
	checker.Attach()
	var err error
	if r.event, err = r.m.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	ended(t, r)
	return told
}

// The lanes that have no contents in an operand, all, and none.
const odd, all, none = 0xaaaaaaaa, 0xffffffff, 0

// A blankOp is an instruction of which an operand has no contents in odd lanes.
type blankOp struct {
	op    uint16
	types string
	set   string
	blank int    // the operand that has no contents in odd lanes
	other uint32 // what the others are
	want  uint32 // the lanes that are told of
	part  bool   // of which some bits have contents
}

var blankOps = []blankOp{
	{op: 83, types: "uu", want: odd},
	{op: 124, types: "uf", want: odd},
	{op: 109, types: "fu", want: odd},
	{op: 110, types: "fi", want: odd},
	{op: 111, types: "if", want: odd},
	{op: 112, types: "uf", want: odd},
	{op: 126, types: "ii", want: odd},
	{op: 127, types: "ff", want: odd},
	{op: 128, types: "uuu", want: odd},
	{op: 128, types: "uuu", blank: 1, want: odd},
	{op: 129, types: "fff", want: odd},
	{op: 132, types: "uuu", want: odd},
	{op: 136, types: "fff", blank: 1, want: odd},
	{op: 164, types: "bbb", want: odd},
	{op: 165, types: "bbb", want: odd},
	{op: 166, types: "bbb", other: 0, want: odd},
	{op: 166, types: "bbb", other: 1, want: none},
	{op: 167, types: "bbb", other: 0, want: none},
	{op: 167, types: "bbb", blank: 1, other: 1, want: odd},
	{op: 168, types: "bb", want: odd},
	{op: 169, types: "buuu", blank: 0, other: 7, want: odd}, // a choice between what is the same
	{op: 169, types: "buuu", blank: 1, other: 0, want: none},
	{op: 169, types: "buuu", blank: 1, other: 1, want: odd},
	{op: 169, types: "buuu", blank: 2, other: 0, want: odd},
	{op: 169, types: "buuu", blank: 2, other: 1, want: none},
	{op: 170, types: "uub", want: odd},
	{op: 171, types: "uub", blank: 1, want: odd},
	{op: 177, types: "iib", want: odd},
	{op: 184, types: "ffb", want: odd},
	{op: 156, types: "fb", want: odd},
	{op: 200, types: "uu", want: odd},
	{op: 199, types: "uuu", other: 0, want: none},
	{op: 199, types: "uuu", other: all, want: odd},
	{op: 199, types: "uuu", other: 0xff, want: odd, part: true},
	{op: 197, types: "uuu", other: all, want: none},
	{op: 197, types: "uuu", other: 0, want: odd},
	{op: 198, types: "uuu", other: 5, want: odd},
	{op: 194, types: "uuu", other: 8, want: odd, part: true},
	{op: 196, types: "uuu", other: 8, want: odd, part: true},
	{op: 195, types: "iui", other: 8, want: odd},
	{op: 203, types: "uuuu", other: 8, want: odd, part: true},
	{op: 204, types: "uu", want: odd},
	{op: 205, types: "uu", want: odd, part: true},
	// What functions make of it is not followed.
	{op: 31, types: "ff", set: "GLSL.std.450", want: none},
}

// TestContentsOfOps: the result of an instruction has no contents in the lanes in which an operand has none,
// unless the others decide it.
func TestContentsOfOps(t *testing.T) {
	for _, c := range blankOps {
		words := opModuleWith(opCase{op: c.op, types: c.types, set: c.set}, 32,
			func(add func(op uint32, args ...uint32), o operandOf) uint32 {
				if o.k != c.blank {
					return o.id
				}
				const one, zero, truths, undef, bit, is, chosen = 15, 14, 6, 0, 1, 2, 3
				add(1, o.typ, o.free+undef)
				add(199, 3, o.free+bit, o.index, one)
				add(171, truths, o.free+is, o.free+bit, zero)
				add(169, o.typ, o.free+chosen, o.free+is, o.free+undef, o.id)
				return o.free + chosen
			})
		l := launch{buffers: map[Slot][]byte{{}: make([]byte, 4*32)}}
		for k := 1; k < len(c.types); k++ {
			l.buffers[Slot{Binding: uint32(k)}] = bytes32(slices.Repeat([]uint32{c.other}, 32)...)
		}
		var want []string
		if c.want != none {
			how := "which nothing has written to"
			if c.part {
				how = "of which a part has not been written"
			}
			want = []string{fmt.Sprintf("%#x: N, %s, is stored where others see it", c.want, how)}
		}
		got := l.blanks(t, words)
		for i, s := range got {
			if at, end := strings.Index(s, "%"), strings.Index(s, ","); at >= 0 && end > at {
				got[i] = s[:at] + "N" + s[end:]
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s%d of %s where operand %d has nothing and others are %#x:\n%s", c.set, c.op, c.types,
				c.blank, c.other, d)
		}
	}
}

// Values of the module of a blankCase, and its types besides those of [module.kernel]: outID is a pointer to
// words that all see, whereID the word of an invocation there, ownID its own memory; oddID says that an
// invocation is odd, enteredID is the first label.
const (
	booleanID, vectorID, pairID, outputID, privateID, inputID, outID, itemID = 5, 6, 7, 8, 9, 12, 13, 14
	zeroID, oneID, fiveID, functionID, parameterID, enteredID                = 15, 16, 17, 20, 21, 22
	undefID, ownID, whereID, numberID, oddID                                 = 30, 31, 32, 33, 34
	calledID                                                                 = 23
)

// A blankCase is what a kernel of eight invocations does with a value that nothing has been written to.
type blankCase struct {
	name string
	body func(m *module) (stored uint32) // 0 if it stores by itself, else a word
	want string
}

var blankCases = []blankCase{
	{"a part of a composite", func(m *module) uint32 {
		m.add(80, vectorID, 50, fiveID, undefID, fiveID, undefID)
		m.add(81, 3, 51, 50, 1)
		return 51
	}, "0xff: %51, which nothing has written to, is stored where others see it"},
	{"another part", func(m *module) uint32 {
		m.add(80, vectorID, 50, fiveID, undefID, fiveID, undefID)
		m.add(81, 3, 51, 50, 2)
		return 51
	}, ""},
	{"a composite of composites", func(m *module) uint32 {
		m.add(80, pairID, 50, fiveID, undefID)
		m.add(80, vectorID, 51, 50, 50)
		m.add(81, 3, 52, 51, 3)
		return 52
	}, "0xff: %52, which nothing has written to, is stored where others see it"},
	{"the other part of such", func(m *module) uint32 {
		m.add(80, pairID, 50, fiveID, undefID)
		m.add(80, vectorID, 51, 50, 50)
		m.add(81, 3, 52, 51, 2)
		return 52
	}, ""},
	{"inserted into nothing", func(m *module) uint32 {
		m.add(1, vectorID, 50)
		m.add(82, vectorID, 51, fiveID, 50, 1)
		m.add(81, 3, 52, 51, 1)
		return 52
	}, ""},
	{"beside what is inserted", func(m *module) uint32 {
		m.add(1, vectorID, 50)
		m.add(82, vectorID, 51, fiveID, 50, 1)
		m.add(81, 3, 52, 51, 2)
		return 52
	}, "0xff: %52, which nothing has written to, is stored where others see it"},
	{"nothing inserted", func(m *module) uint32 {
		m.add(80, vectorID, 50, fiveID, fiveID, fiveID, fiveID)
		m.add(82, vectorID, 51, undefID, 50, 3)
		m.add(81, 3, 52, 51, 3)
		return 52
	}, "0xff: %52, which nothing has written to, is stored where others see it"},
	{"shuffled from the second", func(m *module) uint32 {
		m.add(80, pairID, 50, undefID, fiveID)
		m.add(80, pairID, 51, fiveID, undefID)
		m.add(79, pairID, 52, 50, 51, 3, 2)
		m.add(81, 3, 53, 52, 0)
		return 53
	}, "0xff: %53, which nothing has written to, is stored where others see it"},
	{"what is there shuffled", func(m *module) uint32 {
		m.add(80, pairID, 50, undefID, fiveID)
		m.add(80, pairID, 51, fiveID, undefID)
		m.add(79, pairID, 52, 50, 51, 1, 2)
		m.add(81, 3, 53, 52, 0)
		return 53
	}, ""},
	{"shuffled from nowhere", func(m *module) uint32 {
		m.add(80, pairID, 50, fiveID, fiveID)
		m.add(79, pairID, 52, 50, 50, 0xffffffff, 0)
		m.add(81, 3, 53, 52, 0)
		return 53
	}, "0xff: %53, which nothing has written to, is stored where others see it"},
	{"a part at a place that is computed, at most the last", func(m *module) uint32 {
		m.add(80, vectorID, 50, fiveID, undefID, fiveID, fiveID)
		m.add(77, 3, 51, 50, numberID)
		return 51
	}, "0x2: %51, which nothing has written to, is stored where others see it"},
	{"two words side by side", func(m *module) uint32 {
		m.add(80, pairID, 50, fiveID, undefID)
		m.add(124, 4, 51, 50)
		m.add(113, 3, 52, 51)
		return 52
	}, ""},
	{"the second of them", func(m *module) uint32 {
		m.add(80, pairID, 50, fiveID, undefID)
		m.add(124, 4, 51, 50)
		m.add(124, pairID, 52, 51)
		m.add(81, 3, 53, 52, 1)
		return 53
	}, "0xff: %53, which nothing has written to, is stored where others see it"},
	{"a phi", func(m *module) uint32 {
		m.add(247, 51, 0)
		m.add(250, oddID, 50, 51)
		m.add(248, 50)
		m.add(249, 51)
		m.add(248, 51)
		m.add(245, 3, 52, undefID, 50, fiveID, enteredID)
		return 52
	}, "0xaa: %52, which nothing has written to, is stored where others see it"},
	{"given to a function and back", func(m *module) uint32 {
		m.add(57, 3, 50, functionID, undefID)
		return 50
	}, "0xff: %50, which nothing has written to, is stored where others see it"},
	{"another thing given", func(m *module) uint32 {
		m.add(57, 3, 50, functionID, fiveID)
		return 50
	}, ""},
	{"private memory", func(m *module) uint32 {
		m.add(61, 3, 50, ownID)
		return 50
	}, "0xff: %50, which nothing has written to, is stored where others see it"},
	{"private memory of some", func(m *module) uint32 {
		m.add(247, 51, 0)
		m.add(250, oddID, 50, 51)
		m.add(248, 50)
		m.add(62, ownID, fiveID)
		m.add(249, 51)
		m.add(248, 51)
		m.add(61, 3, 52, ownID)
		return 52
	}, "0x55: %52, which nothing has written to, is stored where others see it"},
	{"nothing written to private memory", func(m *module) uint32 {
		m.add(62, ownID, fiveID)
		m.add(62, ownID, undefID)
		m.add(61, 3, 50, ownID)
		return 50
	}, "0xff: %50, which nothing has written to, is stored where others see it"},
	{"copied", func(m *module) uint32 {
		m.add(63, whereID, ownID)
		return 0
	}, "0xff: what is copied, which nothing has written to, is stored where others see it"},
	{"added by an atomic operation", func(m *module) uint32 {
		m.add(234, 3, 50, whereID, oneID, zeroID, undefID)
		return 0
	}, "0xff: %30, which nothing has written to, is stored where others see it"},
	{"exchanged if", func(m *module) uint32 {
		m.add(230, 3, 50, whereID, oneID, zeroID, zeroID, undefID, fiveID)
		return 0
	}, "0xff: %30, which nothing has written to, is stored where others see it"},
	{"counted", func(m *module) uint32 {
		m.add(232, 3, 50, whereID, oneID, zeroID)
		return 0
	}, ""},
	{"an address", func(m *module) uint32 {
		m.add(199, 3, 50, undefID, zeroID) // nothing is left of it
		m.add(199, 3, 51, undefID, oneID)
		m.add(70, outputID, 52, outID, 50)
		m.add(62, 52, fiveID)
		m.add(70, outputID, 53, outID, 51)
		m.add(62, 53, fiveID)
		return 0
	}, "0xff: %53, of which a part has not been written, is an address"},
	{"a branch", func(m *module) uint32 {
		m.add(171, booleanID, 50, undefID, zeroID)
		m.add(247, 52, 0)
		m.add(250, 50, 51, 52)
		m.add(248, 51)
		m.add(249, 52)
		m.add(248, 52)
		return fiveID
	}, "0xff: what nothing has written to decides a branch"},
	{"a choice of ways", func(m *module) uint32 {
		m.add(247, 51, 0)
		m.add(251, undefID, 51, 1, 50)
		m.add(248, 50)
		m.add(249, 51)
		m.add(248, 51)
		return fiveID
	}, "0xff: what nothing has written to decides a branch"},
}

// TestContents: values are followed through composites, phis, calls, copies and private memory, to where they
// decide something.
func TestContents(t *testing.T) {
	for _, c := range blankCases {
		m := c.module()
		t.Run(c.name, func(t *testing.T) {
			l := launch{block: [3]uint32{8, 1, 1}, args: []byte{0}, o: Options{SubgroupSize: 8}}
			if got := strings.Join(l.blanks(t, *m), "\n"); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// module is the kernel.
func (c *blankCase) module() *module {
	m := &module{0x07230203, 0x10300, 0, 200, 0}
	for _, capability := range []uint32{addresses, kernelCapability, 11} {
		m.add(17, capability)
	}
	m.add(14, 2, 2)
	m.add(15, 6, 10, 'k', itemID)
	m.add(71, itemID, 11, 27) // LocalInvocationId
	m.add(19, 1)
	m.add(33, 2, 1)
	m.add(21, 3, 32, 0)
	m.add(21, 4, 64, 0)
	m.add(20, booleanID)
	m.add(23, vectorID, 3, 4)
	m.add(23, pairID, 3, 2)
	m.add(32, outputID, scCrossWorkgroup, 3)
	m.add(32, privateID, scFunction, 3)
	m.add(23, 18, 4, 3)
	m.add(32, inputID, scInput, 18)
	m.add(33, calledID, 3, 3)
	m.add(43, 3, zeroID, 0)
	m.add(43, 3, oneID, 1)
	m.add(43, 3, fiveID, 5)
	m.add(43, 3, 19, 64)
	m.add(28, 24, 3, 19)
	m.add(32, 25, scCrossWorkgroup, 24)
	m.add(59, 25, 26, scCrossWorkgroup)
	m.add(59, inputID, itemID, scInput)
	m.add(54, 3, functionID, 0, calledID)
	m.add(55, 3, parameterID)
	m.add(248, 27)
	m.add(254, parameterID)
	m.add(56)
	m.add(54, 1, 10, 0, 2)
	m.add(248, enteredID)
	m.add(59, privateID, ownID, scFunction)
	m.add(1, 3, undefID)
	m.add(65, outputID, outID, 26, zeroID)
	m.add(61, 18, 35, itemID)
	m.add(81, 4, 36, 35, 0)
	m.add(113, 3, numberID, 36)
	m.add(199, 3, 37, numberID, oneID)
	m.add(171, booleanID, oddID, 37, zeroID)
	m.add(70, outputID, whereID, outID, numberID)
	if stored := c.body(m); stored != 0 {
		m.add(62, whereID, stored)
	}
	m.add(253)
	m.add(56)
	return m
}
