package visa

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// These tests unwind tables that IGC did not write, for what its files do not have.

// memory is a Machine that is set up by hand.
type memory struct {
	grf     [128 * 32]byte
	scratch [4096]byte
}

func (m *memory) ReadGRF(offset uint32, p []byte) error {
	copy(p, m.grf[offset:])
	return nil
}

func (m *memory) ReadScratch(address uint32, p []byte) error {
	if int(address)+len(p) > len(m.scratch) {
		return errors.New("no such scratch memory")
	}
	copy(p, m.scratch[address:])
	return nil
}

func (m *memory) setRegister(reg, dword int, v uint32) {
	binary.LittleEndian.PutUint32(m.grf[reg*32+dword*4:], v)
}

func (m *memory) setScratch(address int, words ...uint32) {
	for i, w := range words {
		binary.LittleEndian.PutUint32(m.scratch[address+4*i:], w)
	}
}

func register(reg, sub uint16) Place { return Place{Storage: General, Reg: reg, SubReg: sub} }
func inFrame(offset int32) Place     { return Place{Storage: Memory, Offset: offset} }

func from(start, end uint32, p Place) Tracked {
	return Tracked{Valid: true, Live: []Interval{{Start: start, End: end, Virtual: General, Place: p}}}
}

// twoObjects has a kernel at 0x0 to 0x100 with a frame of 64 bytes and a
// function at 0x100 to 0x200 with one of 128, whose body is 0x20 to 0xe0.
func twoObjects() *File {
	return &File{Objects: []Object{
		{
			Name:     "kernel",
			IndexMap: []Mapping{{1, 0}, {2, 0x100}},
			Frame:    FrameInfo{Size: 64, BEFP: from(0x10, 0x100, register(125, 12))},
		},
		{
			Name: "function", RelocOffset: 0x100,
			IndexMap: []Mapping{{1, 0}, {2, 0x20}, {9, 0x100}},
			Frame: FrameInfo{
				Size:          128,
				BEFP:          from(0x20, 0xe0, register(125, 12)),
				CallerBEFP:    from(0x20, 0xe0, inFrame(12)),
				ReturnAddress: from(0x20, 0xe0, inFrame(0)),
			},
		},
	}}
}

// inFunction is a thread in the function's body, called from kernel+0x80.
func inFunction() *memory {
	m := &memory{}
	m.setRegister(125, 2, 4+8)
	m.setRegister(125, 3, 4)
	m.setScratch(64, kernelOffset+0x80, 0xff, 4, 0)
	return m
}

const kernelStart = instructionBase + kernelOffset

func TestSaveInRegister(t *testing.T) {
	f := twoObjects()
	frame := &f.Objects[1].Frame
	frame.CalleeSaves = []SaveList{{Gen: 0x20, Saves: []Save{
		{Offset: 60 * 32, Bytes: 32, To: register(10, 0)},
		{Offset: 61*32 + 8, Bytes: 8, To: Place{Storage: Memory, Offset: 0x400, Absolute: true}},
	}}}
	f.Objects[0].Frame.CallerSaves = []SaveList{{Gen: 0x70, Saves: []Save{
		{Offset: 5 * 32, Bytes: 16, To: register(60, 16)},
	}}}
	m := inFunction()
	frames, err := newUnwinder(t, f, Gen9).Walk(m, kernelStart+0x180, 10)
	if err != nil || len(frames) != 2 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	for _, test := range []struct {
		offset, size uint32
		want         []Piece
	}{
		{60 * 32, 32, []Piece{{32, Location{InRegister, 10 * 32}}}},
		{61 * 32, 32, []Piece{
			{8, Location{InRegister, 61 * 32}},
			{8, Location{InScratch, 0x400}},
			{16, Location{InRegister, 61*32 + 16}},
		}},
		{5*32 - 4, 28, []Piece{{4, Location{}}, {16, Location{InRegister, 10*32 + 16}}, {8, Location{}}}},
		{125 * 32, 64, []Piece{{8, Location{}}, {24, Location{InScratch, 64 + 8}}, {32, Location{}}}},
	} {
		got, err := frames[1].GRF(test.offset, test.size)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("register file byte %d: %v %s", test.offset, err, diff)
		}
	}
	if base, ok := frames[0].Base(); !ok || base != 64 {
		t.Errorf("the function's frame is at %d, %v", base, ok)
	}
	if base, ok := frames[1].Base(); !ok || base != 0 {
		t.Errorf("the kernel's frame is at %d, %v", base, ok)
	}
}

func TestFramePlace(t *testing.T) {
	frames, err := newUnwinder(t, twoObjects(), Gen9).Walk(inFunction(), kernelStart+0x180, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		frame int
		place Place
		want  Location
		text  string
	}{
		{0, Place{Storage: Address, SubReg: 4}, Location{InAddressRegister, 4}, "address+0x4"},
		{0, Place{Storage: Flag, Reg: 1, SubReg: 2}, Location{InFlagRegister, 6}, "flag+0x6"},
		{1, Place{Storage: Flag, Reg: 1}, Location{}, "undefined"},
		{0, register(7, 8), Location{InRegister, 7*32 + 8}, "grf+0xe8"},
		{1, register(7, 8), Location{}, "undefined"},
		{0, inFrame(16), Location{InScratch, 80}, "scratch+0x50"},
		{1, inFrame(16), Location{InScratch, 16}, "scratch+0x10"},
	} {
		got, err := frames[test.frame].Place(test.place, 2)
		if diff := cmp.Diff([]Piece{{2, test.want}}, got); diff != "" || err != nil {
			t.Errorf("frame %d, %v: %v %s", test.frame, test.place, err, diff)
		}
		if got := test.want.String(); got != test.text {
			t.Errorf("%v prints as %s", test.place, got)
		}
	}
	var b [4]byte
	if err := frames[1].ReadGRF(inFunction(), 7*32, b[:]); !errors.Is(err, ErrUndefined) {
		t.Errorf("reading a lost register: %v", err)
	}
	if _, err := frames[0].GRF(128*32-2, 4); err == nil {
		t.Error("bytes beyond the register file have a location")
	}
}

// TestCallAtEnd returns to behind the last instruction of the caller.
func TestCallAtEnd(t *testing.T) {
	m := inFunction()
	m.setScratch(64, kernelOffset+0x100)
	frames, err := newUnwinder(t, twoObjects(), Gen9).Walk(m, kernelStart+0x180, 10)
	if err != nil || len(frames) != 2 || frames[1].Object.Name != "kernel" {
		t.Errorf("%d frames, %v", len(frames), err)
	}
}

func TestVariables(t *testing.T) {
	v := Variable{Live: []Interval{
		{Start: 2, End: 5, Virtual: General, Place: register(9, 4)},
		{Start: 7, End: 7, Virtual: General, Place: register(10, 0)},
		{Start: 8, End: 9, Virtual: General, Place: inFrame(32)},
	}}
	want := map[uint32]string{2: "r9+4", 3: "r9+4", 4: "r9+4", 8: "scratch[BE_FP+32]"}
	for index := range uint32(12) {
		p, ok := v.At(index)
		if text, expected := want[index]; ok != expected || ok && p.String() != text {
			t.Errorf("at %d: %v %v, expected %q", index, p, ok, text)
		}
	}
	f := parseFile(t, "testdata", "igc", "skl", "recurse-O2.dbg")
	frame, err := newUnwinder(t, f, Gen9).Innermost(&memory{}, kernelStart+0x110)
	if err != nil {
		t.Fatal(err)
	}
	// IGC's assembly has `shl r60, r2`, at 0x110, as made from vISA instruction 20.
	if index, ok := frame.VISAIndex(); !ok || index != 20 {
		t.Errorf("vISA index %d, %v", index, ok)
	}
}

func TestUnwindErrors(t *testing.T) {
	sub := func(start, end uint32, ra ...Interval) Subroutine {
		return Subroutine{Name: "s", Start: start, End: end, ReturnAddress: ra}
	}
	for _, test := range []struct {
		name   string
		ip     uint64
		change func(f *File, m *memory)
		want   string
	}{
		{"before the code", kernelStart - 4, nil, "outside of the kernel's code"},
		{"behind the code", kernelStart + 0x200, nil, "no object has this code"},
		{"far behind the code", kernelStart + 1<<32, nil, "outside of the kernel's code"},
		{"return to nowhere", kernelStart + 0x180, func(f *File, m *memory) {
			m.setScratch(64, 0x12345678)
		}, "return address 0x7f0012345678"},
		{"function is its own caller", kernelStart + 0x180, func(f *File, m *memory) {
			m.setScratch(64, kernelOffset+0x180, 0xff, 4, 4)
		}, "is not below"},
		{"stack grows down", kernelStart + 0x180, func(f *File, m *memory) {
			m.setScratch(64, kernelOffset+0x80, 0xff, 4, 8)
		}, "is not below"},
		{"no scratch memory", kernelStart + 0x180, func(f *File, m *memory) {
			m.setRegister(125, 3, 0x1000)
		}, "no such scratch memory"},
		{"below scratch memory", kernelStart + 0x180, func(f *File, m *memory) {
			f.Objects[1].Frame.CalleeSaves = []SaveList{{Saves: []Save{{Offset: 60 * 32, Bytes: 32,
				To: inFrame(-4096)}}}}
		}, "outside of scratch memory"},
		{"return address lives nowhere", kernelStart + 0x180, func(f *File, m *memory) {
			f.Objects[1].Frame.ReturnAddress.Live[0].End = 0x30
		}, "do not say where the return address"},
		{"return address in a flag", kernelStart + 0x180, func(f *File, m *memory) {
			f.Objects[1].Frame.ReturnAddress.Live[0].Place = Place{Storage: Flag}
		}, "expected a general register or scratch memory"},
		{"sub-routine returns to itself", kernelStart + 0x190, func(f *File, m *memory) {
			f.Objects[1].IndexMap = []Mapping{{1, 0}, {5, 0x80}, {9, 0x100}}
			f.Objects[1].Subroutines = []Subroutine{sub(5, 8,
				Interval{Start: 5, End: 8, Place: register(2, 0)})}
			m.setRegister(2, 0, kernelOffset+0x190)
		}, "call each other"},
		{"sub-routine returns elsewhere", kernelStart + 0x190, func(f *File, m *memory) {
			f.Objects[1].IndexMap = []Mapping{{1, 0}, {5, 0x80}, {9, 0x100}}
			f.Objects[1].Subroutines = []Subroutine{sub(5, 8,
				Interval{Start: 5, End: 8, Place: register(2, 0)})}
			m.setRegister(2, 0, kernelOffset+0x80)
		}, `which is in "kernel"`},
		{"sub-routine without return address", kernelStart + 0x190, func(f *File, m *memory) {
			f.Objects[1].IndexMap = []Mapping{{1, 0}, {5, 0x80}, {9, 0x100}}
			f.Objects[1].Subroutines = []Subroutine{sub(5, 8)}
		}, "is nowhere at vISA index 5"},
	} {
		f, m := twoObjects(), inFunction()
		if test.change != nil {
			test.change(f, m)
		}
		_, err := newUnwinder(t, f, Gen9).Walk(m, test.ip, 100)
		var ue *UnwindError
		if !errors.As(err, &ue) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected %q", test.name, err, test.want)
		}
	}
}

func TestNewUnwinderErrors(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(o *Object)
		want   string
	}{
		{"save beyond the registers", func(o *Object) {
			o.Frame.CalleeSaves = []SaveList{{Saves: []Save{{Offset: 128*32 - 16, Bytes: 32,
				To: inFrame(64)}}}}
		}, "ends at byte 4112"},
		{"saved beyond the registers", func(o *Object) {
			o.Frame.CallerSaves = []SaveList{{Saves: []Save{{Offset: 0, Bytes: 32, To: register(128, 0)}}}}
		}, "ends at byte 4128"},
		{"too many saves", func(o *Object) {
			o.Frame.CallerSaves = []SaveList{{Saves: make([]Save, 1025)}}
		}, "1025 saves"},
		{"no BE_FP", func(o *Object) { o.Frame.BEFP = Tracked{} }, "without BE_FP"},
		{"BE_FP nowhere", func(o *Object) { o.Frame.BEFP.Live = nil }, "lives nowhere"},
		{"BE_FP elsewhere", func(o *Object) { o.Frame.BEFP = from(0, 1, register(125, 0)) },
			"expected a general register"},
		{"overlapping sub-routines", func(o *Object) {
			o.Subroutines = []Subroutine{{Name: "b", Start: 7, End: 9}, {Name: "a", Start: 2, End: 7}}
		}, `sub-routines "a" and "b" both have vISA index 7`},
	} {
		f := twoObjects()
		test.change(&f.Objects[1])
		if _, err := NewUnwinder(f, Gen9, CodePlace{}); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected %q", test.name, err, test.want)
		}
	}
}

// TestSaveScale tells tables with scaled offsets from others.
func TestSaveScale(t *testing.T) {
	saves := func(offsets ...int32) *File {
		f := twoObjects()
		var list SaveList
		for i, o := range offsets {
			list.Saves = append(list.Saves, Save{Offset: uint16(60+i) * 32, Bytes: 32, To: inFrame(o)})
		}
		f.Objects[1].Frame.CalleeSaves = []SaveList{list}
		f.Objects[1].Frame.Size = 2048
		return f
	}
	for _, test := range []struct {
		name   string
		file   *File
		target Target
		want   int32
	}{
		{"OWords", saves(1024, 4096), Gen12LP, 1},
		{"beyond the frame", saves(1024, 4096), XeHPG, 16},
		{"in the frame, scaled or not", saves(1024, 1056), XeHPG, 16},
		{"in the frame, not scaled", saves(64, 96), XeHPG, 1},
		{"larger registers", saves(2048), XeHPC, 32},
	} {
		if got := saveScale(test.file, test.target); got != test.want {
			t.Errorf("%s: scale %d, expected %d", test.name, got, test.want)
		}
	}
}
