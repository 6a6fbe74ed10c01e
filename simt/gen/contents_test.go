package gen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// A blankCase is a program of contents.asm, by names, and bytes of registers that nothing has been written to
// when it begins: a whole register unless it says which. r12 and r13 have addresses, r14 local ones, r2 is a
// header.
type blankCase struct {
	name  string
	asm   []string
	blank [][3]int // register, byte, bytes
	exec  uint64   // 0: all channels
	want  []string // lanes and texts
}

func isStored(lanes int, reg string) string {
	return fmt.Sprintf("%#x: %s, which nothing has written to, is stored where others see it", lanes, reg)
}

func isStoredInPart(lanes int, reg string) string {
	return fmt.Sprintf("%#x: %s, of which a part has not been written, is stored where others see it", lanes,
		reg)
}

// inPart are the instructions by which bits of r16 come to nothing, or others beside them.
var inPart = map[string]bool{"whole-and": true, "whole-shl": true, "whole-shr": true}

// wholePrefix begins the names of instructions that give nothing where r16 has nothing.
const wholePrefix = "whole-"

var blankCases = []blankCase{
	{"stored", []string{"copy", "store"}, [][3]int{{16, 0, 32}}, 0, []string{isStored(0xff, "r10")}},
	{"a few elements", []string{"copy", "store"}, [][3]int{{16, 4, 8}}, 0, []string{isStored(0x6, "r10")}},
	{"the end of an element", []string{"copy", "store"}, [][3]int{{16, 5, 3}}, 0, nil},
	{"the beginning of an element", []string{"copy", "store"}, [][3]int{{16, 4, 3}}, 0,
		[]string{isStoredInPart(0x2, "r10")}},

	{"spilled", []string{"spill", "fill", "store"}, [][3]int{{16, 8, 4}}, 0, []string{isStored(0x4, "r10")}},
	{"spilled, the second register", []string{"spill", "fill", "store-next"}, [][3]int{{17, 28, 4}}, 0,
		[]string{isStored(0x80, "r11")}},
	{"spilled beside", []string{"spill", "fill", "store"}, [][3]int{{17, 0, 32}}, 0, nil},
	{"filled with nothing", []string{"fill", "store"}, nil, 0, []string{isStored(0xff, "r10")}},
	{"spilled by channels", []string{"spill-own", "fill", "store"}, nil, 0x0f, nil},
	{"spilled by owords", []string{"spill-oword", "fill-oword", "store"}, [][3]int{{16, 0, 4}}, 0,
		[]string{isStored(0x1, "r10")}},
	{"the high half spilled", []string{"spill-oword", "spill-high", "fill-oword", "store"},
		[][3]int{{16, 16, 4}, {16, 24, 4}}, 0, []string{isStored(0x55, "r10")}},
	{"a header", []string{"spill-oword"}, [][3]int{{2, 8, 4}}, 0,
		[]string{"0xff: r2, which nothing has written to, is an address"}},
	{"a header's other elements", []string{"spill-oword"}, [][3]int{{2, 12, 4}}, 0, nil},
	{"a block where others see it", []string{"block-store"}, [][3]int{{16, 8, 4}}, 0,
		[]string{isStored(0x4, "r16")}},
	{"a part of a dword of a block", []string{"block-store"}, [][3]int{{16, 8, 3}}, 0, nil},
	{"a block's address", []string{"block-load"}, [][3]int{{12, 0, 8}}, 0,
		[]string{"0xff: r12, which nothing has written to, is an address"}},
	{"a block that is there", []string{"block-load", "store"}, [][3]int{{10, 0, 32}}, 0, nil},

	{"bytes spilled, and another taken", []string{"bytes", "spill", "fill", "second-bytes", "store"},
		[][3]int{{16, 0, 32}}, 0, []string{isStoredInPart(0xff, "r10")}},
	{"bytes spilled, and taken", []string{"bytes", "spill", "fill", "first-bytes", "store"},
		[][3]int{{16, 0, 32}}, 0, nil},

	{"picked", []string{"index", "pick", "store"}, [][3]int{{20, 12, 4}}, 0, []string{isStored(0x8, "r10")}},
	{"another picked", []string{"index", "pick", "store"}, [][3]int{{16, 0, 32}, {21, 0, 32}}, 0, nil},
	{"picked by each", []string{"indices", "pick-each", "store"}, [][3]int{{20, 8, 4}, {20, 12, 4}}, 0,
		[]string{isStored(0xc, "r10")}},
	{"put", []string{"index", "put", "pick", "store"}, [][3]int{{20, 4, 4}}, 0,
		[]string{isStored(0x2, "r10")}},
	{"an index", []string{"index", "pick"}, [][3]int{{18, 0, 2}}, 0,
		[]string{"0xff: a0.0, which nothing has written to, is an address"}},
	{"an index of some", []string{"indices", "pick-each"}, [][3]int{{18, 6, 2}}, 0,
		[]string{"0x8: a0.0, which nothing has written to, is an address"}},
	{"an index that is not used", []string{"index", "copy", "store"}, [][3]int{{18, 0, 2}}, 0, nil},

	{"divided", []string{"quotient", "store"}, [][3]int{{16, 0, 4}, {14, 4, 4}}, 0,
		[]string{isStored(0x3, "r10")}},
	{"rounded", []string{"floor", "store"}, [][3]int{{16, 0, 4}}, 0, []string{isStored(0x1, "r10")}},
	{"bits taken that are not known", []string{"masked", "store"}, [][3]int{{16, 0, 4}}, 0, nil},
	{"no bits taken", []string{"masked-out", "store"}, [][3]int{{16, 0, 4}}, 0, nil},
	{"bits put together", []string{"joined", "store"}, [][3]int{{16, 0, 4}}, 0,
		[]string{isStored(0x1, "r10")}},
	{"bits put beside others", []string{"joined", "store"}, [][3]int{{16, 4, 4}}, 0,
		[]string{isStoredInPart(0x2, "r10")}},

	{"added by an atomic operation", []string{"atomic", "store-old"}, [][3]int{{16, 0, 4}, {24, 0, 32}}, 0,
		[]string{isStored(0x1, "r16")}},
	{"exchanged with nothing", []string{"exchange"}, [][3]int{{17, 4, 4}}, 0, []string{isStored(0x2, "r16")}},
	{"exchanged if it is nothing", []string{"exchange"}, [][3]int{{16, 4, 4}}, 0,
		[]string{isStored(0x2, "r16")}},
	{"exchanged", []string{"exchange"}, [][3]int{{18, 0, 32}}, 0, nil},
	{"added in local memory", []string{"atomic-local", "load-local"}, nil, 0,
		[]string{"0xff: nothing has written what is read"}},
	{"nothing added in local memory", []string{"atomic-local", "load-local"}, [][3]int{{16, 4, 4}}, 0,
		[]string{"0xff: nothing has written what is read", "0x2: nothing has written what is read"}},
	{"counted", []string{"increment", "store-old"}, [][3]int{{16, 0, 32}, {24, 0, 32}}, 0, nil},
	{"an atomic operation's address", []string{"increment"}, [][3]int{{12, 0, 8}}, 0,
		[]string{"0x1: r12, which nothing has written to, is an address"}},
}

// TestContents: values without contents are told of where they decide something, whatever they have gone
// through, and what only looks like it is not.
func TestContents(t *testing.T) {
	a := assembledFrom(t, "testdata/contents.txt")
	used := map[string]bool{}
	cases := slices.Clone(blankCases)
	for name := range a {
		if strings.HasPrefix(name, wholePrefix) {
			told := isStored(0x4, "r10")
			if inPart[name] {
				told = isStoredInPart(0x4, "r10")
			}
			cases = append(cases,
				blankCase{name, []string{name, "store"}, [][3]int{{16, 8, 4}}, 0, []string{told}},
				blankCase{name + " of others", []string{name, "store"}, [][3]int{{17, 0, 32}, {10, 0, 32}}, 0,
					nil})
		}
	}
	for name := range ways {
		if a[wholePrefix+name] == "" && laterWholes[wholePrefix+name] == "" &&
			!strings.HasPrefix(name, "cmp") && name != "or" && name != "bfn" && name != "bfi2" {
			t.Errorf("nothing gives what %s has", name)
		}
	}
	for _, c := range cases {
		for _, name := range c.asm {
			used[name] = true
		}
		t.Run(c.name, func(t *testing.T) { c.run(t, Gen9, a) })
	}
	for name := range a {
		if !used[name] {
			t.Errorf("no case has %s", name)
		}
	}
}

// laterWholes are instructions of Xe-HPG as iga64 -p=12p71 assembles them, and a store.
var laterWholes = map[string]string{"whole-add3": "520003006806040a04100e06040e050e",
	"whole-dp4a": "580003006806040a04100e06040e050e", "store": "3100030000000000140c08fb0c0a8003"}

// TestContentsLater does the same with these.
func TestContentsLater(t *testing.T) {
	for name := range laterWholes {
		if name == "store" {
			continue
		}
		c := blankCase{name, []string{name, "store"}, [][3]int{{16, 8, 4}}, 0, []string{isStored(0x4, "r10")}}
		t.Run(name, func(t *testing.T) { c.run(t, XeHPG, laterWholes) })
		c = blankCase{name, []string{name, "store"}, [][3]int{{17, 0, 32}, {10, 0, 32}}, 0, nil}
		t.Run(name+" of others", func(t *testing.T) { c.run(t, XeHPG, laterWholes) })
	}
}

// TestContentsBits does it with bfn of r16, r17 and r18, as iga64 -p=12p71 assembles it: r16 and r17 are 0,
// and r18 has some bits of each channel.
func TestContentsBits(t *testing.T) {
	a := map[string]string{"store": laterWholes["store"],
		"by-16":  "6b0003002802040a04108ad204110512", // bfn.0xD8: s0&s1|~s0&s2
		"by-18":  "6b0003002802040a0410caa204110512", // bfn.0xAC: s2&s0|~s2&s1
		"parity": "6b0003002802040a04106a9204110512"} // bfn.0x96: s0^s1^s2
	third := []string{isStored(0x4, "r10")}
	for _, c := range []blankCase{
		{"chosen", []string{"by-16", "store"}, [][3]int{{18, 8, 4}}, 0, third},
		{"not chosen", []string{"by-16", "store"}, [][3]int{{17, 0, 32}}, 0, nil},
		{"chosen in part", []string{"by-18", "store"}, [][3]int{{16, 0, 32}}, 0,
			[]string{isStoredInPart(0xff, "r10")}},
		{"both parts", []string{"by-18", "store"}, [][3]int{{16, 8, 4}, {17, 8, 4}}, 0, third},
		{"what chooses", []string{"by-16", "store"}, [][3]int{{16, 0, 32}}, 0,
			[]string{isStoredInPart(0xff, "r10")}},
		{"sum of bits", []string{"parity", "store"}, [][3]int{{17, 8, 4}}, 0, third},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, XeHPG, a) })
	}
}

// TestContentsScratch: of three elements that are loaded from scratch as four the fourth is nothing, which is
// told of where it is used alone. iga64 -p=12p71 has assembled it: r15 has the addresses, 16 bytes apart, and
// a0.2 has the surface.
func TestContentsScratch(t *testing.T) {
	a := map[string]string{"store": laterWholes["store"],
		"addresses": "690003002082050f040e100102000200",
		"three":     "31000300800202000c0f08fa1c108807", // store.ugm.d32x3.a32.ss[a0.2] of r16
		"four":      "31000300800226140c0f00fa00000c06", // load.ugm.d32x4.a32.ss[a0.2] to r20
		"third":     "610003002002050a0416100000000000", // mov r10 r22
		"fourth":    "610003002002050a0417100000000000"}
	for _, c := range []blankCase{
		{"three of four", []string{"addresses", "three", "four", "third", "store"}, nil, 0, nil},
		{"the fourth", []string{"addresses", "three", "four", "fourth", "store"}, nil, 0,
			[]string{isStored(0xff, "r10")}},
		{"a part of what was stored", []string{"addresses", "three", "four", "third", "store"},
			[][3]int{{18, 8, 4}}, 0, []string{isStored(0x4, "r10")}},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, XeHPG, a) })
	}
}

// run executes a case's instructions, whose code has names.
func (c *blankCase) run(t *testing.T, g *Generation, a map[string]string) {
	t.Helper()
	b := newBench(t, 8).of(g)
	b.w.ScratchLimit = 1 << 10
	checker, got := check.New(b.m, check.Uninit), []string(nil)
	checker.Sink = func(r *check.Report) bool {
		got = append(got, fmt.Sprintf("%#x: %s", r.Lanes, r.What))
		return false
	}
	checker.Attach()
	var code []string
	for _, name := range c.asm {
		code = append(code, a[name])
	}
	b.load(code...)
	b.addresses(func(i int) uint64 { return b.data.Base + 8*uint64(i) })
	for i := range 8 {
		b.r.setU32(offGRF+14*regBytes+4*i, uint32(4*i))
		b.r.setU32(offGRF+18*regBytes+4*i, uint32(20*regBytes+8*i)|uint32(20*regBytes+8*i+4)<<16)
	}
	b.r.setU32(offGRF+2*regBytes+20, b.r.u32(r0Thread))
	b.r.known = &known{since: b.m.Followed()}
	for _, k := range c.blank {
		b.r.known.set(offGRF+k[0]*regBytes+k[1], k[2], true, 0)
	}
	if c.exec != 0 {
		b.w.Exec = c.exec
	}
	if ev := b.core.Run(b.w, uint64(len(code))); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %+v", ev.Kind, ev.Fault)
	}
	if d := cmp.Diff(c.want, got); d != "" {
		t.Error(d)
	}
}
