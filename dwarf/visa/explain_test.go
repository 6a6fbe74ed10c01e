package visa

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// explained is twoObjects with saved registers, and a sub-routine behind the function's body.
func explained() *File {
	f := twoObjects()
	o := &f.Objects[1]
	o.IndexMap = []Mapping{{1, 0}, {2, 0x20}, {4, 0xc0}, {9, 0x100}}
	o.Subroutines = []Subroutine{{Name: "s", Start: 4, End: 8, ReturnAddress: []Interval{
		{Start: 4, End: 6, Virtual: General, Place: register(2, 4)},
		{Start: 7, End: 8, Virtual: General, Place: inFrame(32)}}}}
	o.Frame.CalleeSaves = []SaveList{
		{Gen: 0x40, Saves: []Save{
			{Offset: 60 * 32, Bytes: 32, To: inFrame(64)}, {Offset: 61 * 32, Bytes: 32, To: inFrame(96)},
			{Offset: 70 * 32, Bytes: 16, To: register(10, 16)}}},
		{Gen: 0xb0}}
	o.Frame.CallerSaves = []SaveList{{Gen: 0x80, Saves: []Save{
		{Offset: 0, Bytes: 4, To: Place{Storage: Memory, Offset: 0x400, Absolute: true}}}}}
	return f
}

// TestExplain says of addresses what the tables have of them.
func TestExplain(t *testing.T) {
	u := newUnwinder(t, explained(), Gen9)
	for _, c := range []struct {
		offset uint64
		want   []string
	}{
		{0, []string{`kernel "kernel", Gen offset 0x0, vISA index 1`,
			"frame of 64 bytes of scratch memory", "BE_FP nowhere here"}},
		{0x10, []string{`kernel "kernel", Gen offset 0x10, vISA index 1`,
			"frame of 64 bytes of scratch memory", "BE_FP in r125+12"}},
		{0x110, []string{`stack-call function "function", Gen offset 0x10, vISA index 1`,
			"frame of 128 bytes of scratch memory", "BE_FP nowhere here", "caller's BE_FP nowhere here",
			"return address nowhere here"}},
		{0x1a0, []string{`stack-call function "function", Gen offset 0xa0, vISA index 2`,
			"frame of 128 bytes of scratch memory", "BE_FP in r125+12", "caller's BE_FP in scratch[BE_FP+12]",
			"return address in scratch[BE_FP+0]",
			"callee-saved grf[1920..1983] in scratch[BE_FP+64], grf[2240..2255] in r10+16",
			"caller-saved grf[0..3] in scratch[1024]"}},
		{0x1d0, []string{`stack-call function "function", Gen offset 0xd0, vISA index 4`,
			`sub-routine "s": return address in r2+4`,
			"frame of 128 bytes of scratch memory", "BE_FP in r125+12", "caller's BE_FP in scratch[BE_FP+12]",
			"return address in scratch[BE_FP+0]", "caller-saved grf[0..3] in scratch[1024]"}},
	} {
		got, err := u.Explain(kernelStart + c.offset)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%#x: %v, -want +got:\n%s", c.offset, err, diff)
		}
	}
	if _, err := u.Explain(kernelStart + 0x200); err == nil {
		t.Error("an address behind the code is explained")
	}
	f := explained()
	f.Objects[0].IndexMap, f.Objects[0].Frame = []Mapping{{1, 0x20}, {2, 0x100}}, FrameInfo{}
	got, err := newUnwinder(t, f, Gen9).Explain(kernelStart)
	if diff := cmp.Diff([]string{`kernel "kernel", Gen offset 0x0`}, got); err != nil || diff != "" {
		t.Errorf("what is made from no vISA instruction: %v, -want +got:\n%s", err, diff)
	}
}

// TestCallerMask finds the call mask behind the return address: in the descriptor before the prologue has
// run, in memory afterwards, in a register for a sub-routine.
func TestCallerMask(t *testing.T) {
	for _, c := range []struct {
		name   string
		offset uint64
		change func(f *File, m *memory)
		want   uint32
		err    string
	}{
		{"of a kernel", 0x80, nil, 0, ErrOutermost.Error()},
		{"before the prologue", 0x110, func(f *File, m *memory) { m.setRegister(125, 1, 0x1234) }, 0x1234,
			""},
		{"in the body", 0x180, nil, 0xff, ""},
		{"behind the epilogue", 0x1f0, func(f *File, m *memory) {
			f.Objects[1].Subroutines = nil
			m.setRegister(125, 1, 0x1234)
		}, 0x1234, ""},
		{"of a sub-routine", 0x1d0, func(f *File, m *memory) { m.setRegister(2, 2, 0x55) }, 0x55, ""},
		{"of one whose return address is nowhere", 0x1d0, func(f *File, m *memory) {
			f.Objects[1].Subroutines[0].ReturnAddress = nil
		}, 0, "return address of sub-routine s is nowhere"},
		{"of a function whose tables do not say", 0x180, func(f *File, m *memory) {
			f.Objects[1].Frame.ReturnAddress.Live[0].End = 0x30
		}, 0, "the tables do not say"},
	} {
		f, m := explained(), inFunction()
		if c.change != nil {
			c.change(f, m)
		}
		frame, err := newUnwinder(t, f, Gen9).Innermost(m, kernelStart+c.offset)
		if err != nil {
			t.Fatal(err)
		}
		got, err := frame.CallerMask(m)
		if got != c.want || (err != nil) != (c.err != "") || err != nil &&
			!strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %#x, %v; want %#x, %q", c.name, got, err, c.want, c.err)
		}
	}
}

// TestScratchBounds: scratch memory has four gigabytes, and what counts from BE_FP needs it.
func TestScratchBounds(t *testing.T) {
	for _, c := range []struct {
		befp   uint32
		place  Place
		want   uint32
		target Target
		fails  bool
	}{
		{0x0fffffff, inFrame(15), 0xffffffff, Gen9, false},
		{0x0fffffff, inFrame(16), 0, Gen9, true},
		{1, inFrame(-16), 0, Gen9, false},
		{1, inFrame(-17), 0, Gen9, true},
		{1, Place{Storage: Memory, Offset: -1, Absolute: true}, 0, Gen9, true},
		{100, inFrame(-100), 0, XeHPG, false},
	} {
		m := inFunction()
		m.setRegister(125, 3, c.befp)
		f, err := newUnwinder(t, twoObjects(), c.target).Innermost(m, kernelStart+0x180)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Place(c.place, 4)
		if (err != nil) != c.fails || err == nil &&
			!cmp.Equal(got, []Piece{{4, Location{InScratch, c.want}}}) {
			t.Errorf("%v with BE_FP %#x: %v, %v; want %#x", c.place, c.befp, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "in function: ") {
			t.Errorf("error %v does not name the object", err)
		}
	}
	f, err := newUnwinder(t, twoObjects(), Gen9).Innermost(inFunction(), kernelStart)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Place(inFrame(0), 4); err == nil || !strings.Contains(err.Error(), "before BE_FP is set") {
		t.Errorf("a place in the frame before there is one: %v", err)
	}
	if _, ok := f.Base(); ok {
		t.Error("the kernel has a frame before its prologue")
	}
}

// TestUnreadable: what the machine cannot read is an error, with the machine's in it.
func TestUnreadable(t *testing.T) {
	lost := errors.New("lost")
	for _, c := range []struct {
		name   string
		offset uint64
		grf    uint32 // the byte of the register file that is lost
		sub    bool
		want   string
	}{
		{"BE_FP", 0x180, 125*32 + 12, false, "in function: BE_FP"},
		{"the caller's BE_SP before the prologue", 0x110, 125*32 + 8, false, "in function: BE_FP"},
		{"a sub-routine's return address", 0x1d0, 2*32 + 4, true, "return address of sub-routine s"},
	} {
		f := explained()
		if !c.sub {
			f.Objects[1].Subroutines = nil
		}
		m := &partly{memory: inFunction(), gone: c.grf, err: lost}
		_, err := newUnwinder(t, f, Gen9).Walk(m, kernelStart+c.offset, 10)
		if !errors.Is(err, lost) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// partly is memory of whose registers a byte cannot be read.
type partly struct {
	*memory
	gone uint32
	err  error
}

func (p *partly) ReadGRF(offset uint32, b []byte) error {
	if offset <= p.gone && p.gone < offset+uint32(len(b)) {
		return p.err
	}
	return p.memory.ReadGRF(offset, b)
}

// TestCodeWithoutMap: an object without a map of vISA indices may go on for ever.
func TestCodeWithoutMap(t *testing.T) {
	f := twoObjects()
	f.Objects[1].IndexMap = nil
	if n := f.Objects[1].CodeSize(); n != 0 {
		t.Errorf("its size is %d", n)
	}
	for gen, want := range map[uint32]string{0: "kernel", 0xff: "kernel", 0x100: "function",
		0x10000: "function"} {
		if o, ok := f.ObjectAt(gen); !ok || o.Name != want {
			t.Errorf("at %#x: %v, %v; want %s", gen, o, ok, want)
		}
	}
	f = twoObjects()
	for gen, want := range map[uint32]bool{0x1ff: true, 0x200: false} {
		if _, ok := f.ObjectAt(gen); ok != want {
			t.Errorf("at %#x there is code: %v", gen, ok)
		}
	}
	o := &Object{IndexMap: []Mapping{{7, 0x10}, {8, 0x20}, {9, 0x20}, {1, 0x30}}}
	for gen, want := range map[uint32]uint32{0: 0, 0x0f: 0, 0x10: 7, 0x1f: 7, 0x20: 9, 0x30: 1, 0x99: 1} {
		if got, ok := o.VISAIndexAt(gen); got != want || ok != (want != 0) {
			t.Errorf("at %#x: index %d, %v; want %d", gen, got, ok, want)
		}
	}
}

// everything is a file with one of each thing that tables can have.
func everything(l Layout) *File {
	f := explained()
	f.Layout = l
	live := []Interval{
		{Start: 1, End: 5, Virtual: Flag, Place: Place{Storage: Flag, Reg: 1, SubReg: 2}},
		{Start: 6, End: 7, Virtual: Address, Place: register(3, 0)},
		{Start: 8, End: 9, Virtual: General, Place: Place{Storage: Memory, Offset: -8}},
		{Start: 10, End: 11, Virtual: General, Place: Place{Storage: Memory, Offset: 16, Absolute: true}},
		{Start: 12, End: 12, Virtual: Address, Place: Place{Storage: Address, SubReg: 4}}}
	o := &f.Objects[0]
	o.OffsetMap = []Mapping{{1, 0}, {2, 16}}
	o.Variables = []Variable{{Name: "V1", Live: live}, {Name: "a, b"}, {Name: "x\n", Live: live[1:2]}}
	o.IndexMap = nil
	for i := range uint32(9) {
		o.IndexMap = append(o.IndexMap, Mapping{i, 32 * i})
	}
	f.Objects[1].IndexMap = f.Objects[1].IndexMap[:1]
	f.Objects[1].Frame.CallerSaves = nil
	f.Objects[1].Frame.CalleeSaves[1].Saves = nil
	return f
}

// TestParseEverything reads what an encoder wrote, which was made from the description, in all layouts.
func TestParseEverything(t *testing.T) {
	for _, l := range layouts {
		want := everything(l)
		got, err := ParseLayout(encode(want), l)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v: %v, -want +got:\n%s", l, err, diff)
		}
	}
}

// TestPrintEverything prints each thing that tables can have, with numbers as in the file.
func TestPrintEverything(t *testing.T) {
	want := `vISA debug tables: 2 objects (2-byte name lengths, sub-routine return addresses by Gen offset)

kernel "kernel" at 0x0
  frame of 64 bytes of scratch memory
    BE_FP           0x10..0x100 r125+12
  3 variables, live by vISA index
    V1       1..5 f1+2, 6..7 r3 (address), 8..9 scratch[BE_FP-8] (general), 10..11 scratch[16] (general), ` +
		`12..12 a0+4
    "a, b"   nowhere
    "x\n"    6..7 r3 (address)
  map of Gen offset to vISA byte offset, 2 entries
    0x0:1 0x10:2
  map of Gen offset to vISA index, 9 entries
    0x0:0 0x20:1 0x40:2 0x60:3 0x80:4 0xa0:5 0xc0:6 0xe0:7
    0x100:8

stack-call function "function" at 0x100
  frame of 128 bytes of scratch memory
    BE_FP           0x20..0xe0 r125+12
    caller's BE_FP  0x20..0xe0 scratch[BE_FP+12] (general)
    return address  0x20..0xe0 scratch[BE_FP+0] (general)
    callee-saved registers
      from 0x40: grf[1920..1951] scratch[BE_FP+64], grf[1952..1983] scratch[BE_FP+96], grf[2240..2255] r10+16
      from 0xb0: none
  1 sub-routine
    "s" vISA index 4..8, return address 0x4..0x6 r2+4, 0x7..0x8 scratch[BE_FP+32] (general)
  map of Gen offset to vISA index, 1 entry
    0x0:1
`
	var out bytes.Buffer
	err := Print(&out, everything(Layout{GenSubroutines: true}))
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(out.String(), "\n")); err != nil ||
		diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
