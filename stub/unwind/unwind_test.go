package unwind_test

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/stub/unwind"
)

// regs are the registers of a wave for the tests: one, of all lanes, and the
// pcs of lanes that are switched off.
type regs struct {
	value uint32
	pc    [simt.MaxLanes]uint64
}

func (r *regs) Files() []simt.RegFile { return []simt.RegFile{{Name: "r", Bits: 32}} }

func (r *regs) Read(_ simt.Reg, _ int, p []byte) error {
	binary.LittleEndian.PutUint32(p, r.value)
	return nil
}

func (r *regs) Write(_ simt.Reg, _ int, p []byte) error {
	r.value = binary.LittleEndian.Uint32(p)
	return nil
}

func (r *regs) Active(w *simt.Wave) uint64 { return w.Exec }

func (r *regs) LanePC(w *simt.Wave, lane int) uint64 {
	if w.Exec>>lane&1 != 0 {
		return w.PC
	}
	return r.pc[lane]
}

func (r *regs) SetPC(w *simt.Wave, pc uint64) error { w.PC = pc; return nil }

func (r *regs) Clone() simt.WaveState { c := *r; return &c }

// wave has lanes 0 to 3 in a kernel at 0x100 that called 0x200 for lanes 1 and
// 2, which called 0x300 for lane 2 alone; lane 3 was switched off on the way.
func wave() *simt.Wave {
	r := &regs{}
	w := &simt.Wave{Size: 64, Valid: 0xf, Exec: 0xf, PC: 0x100, Regs: r, Track: &simt.Track{}}
	exec := func(mask uint64) {
		simt.Lanes(w.Exec&^mask, func(l int) { r.pc[l] = w.PC })
		w.Exec = mask
		w.PC += 4
	}
	call := func(target uint64) {
		w.EnterCall(w.PC, w.PC+4, target, r.Clone())
		w.PC = target
	}
	exec(0x7)
	exec(0x6)
	r.value = 10
	call(0x200)
	exec(0x4)
	r.value = 20
	call(0x300)
	r.value = 30
	return w
}

// pcs gives where frames are, how far the code is in them, and who found them.
func pcs(frames []unwind.Frame) (out []string) {
	for _, f := range frames {
		out = append(out, strings.TrimSpace(hex(f.PC)+" "+hex(f.At)+" "+f.Provider))
	}
	return out
}

func hex(v uint64) string { return strconv.FormatUint(v, 16) }

func TestCallRecord(t *testing.T) {
	w := wave()
	for lane, want := range [][]string{
		0: {"104 10b"}, // the others, in the call at 108, have come further
		1: {"200 207", "10c 10b call record"},
		2: {"300 300", "208 207 call record", "10c 10b call record"},
		3: {"100 10b"},
	} {
		frames, err := unwind.Frames(w, lane, []unwind.Provider{unwind.CallRecord{}})
		if d := cmp.Diff(want, pcs(frames)); d != "" || err != nil {
			t.Errorf("lane %d (-want +got):\n%s%v", lane, d, err)
		}
	}
}

func TestRegistersOfCallers(t *testing.T) {
	w := wave()
	frames, err := unwind.Frames(w, 2, []unwind.Provider{unwind.CallRecord{}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint32{30, 20, 10} {
		var p [4]byte
		err := frames[i].Registers.Read(simt.Reg{}, 2, p[:])
		if got := binary.LittleEndian.Uint32(p[:]); got != want || err != nil {
			t.Errorf("frame %d: %d (%v), want %d", i, got, err, want)
		}
	}
}

// A provider that knows the callers of some frames and fails for others.
type fake struct {
	name    string
	callers map[uint64]uint64 // 0: none
	fails   map[uint64]bool
}

func (p fake) Name() string { return p.name }

var errFake = errors.New("broken rule")

func (p fake) Caller(f *unwind.Frame) (unwind.Caller, bool, error) {
	if p.fails[f.PC] {
		return unwind.Caller{}, false, errFake
	}
	pc, ok := p.callers[f.PC]
	return unwind.Caller{PC: pc, Registers: f.Wave.Regs, Outermost: pc == 0}, ok, nil
}

func TestProvidersInOrder(t *testing.T) {
	w := &simt.Wave{Size: 64, Valid: 1, Exec: 1, PC: 0x500, Regs: &regs{}}
	first := fake{"first", map[uint64]uint64{0x500: 0x400, 0x300: 0x200, 0x100: 0},
		map[uint64]bool{0x200: true}}
	second := fake{"second", map[uint64]uint64{0x500: 0xbad, 0x400: 0x300, 0x200: 0x100, 0x100: 0xbad}, nil}
	frames, err := unwind.Frames(w, 0, []unwind.Provider{first, second})
	want := []string{"500 500", "400 3ff first", "300 2ff second", "200 1ff first", "100 ff second"}
	if d := cmp.Diff(want, pcs(frames)); d != "" || err != nil {
		t.Errorf("frames (-want +got):\n%s%v", d, err)
	}
	for i, f := range frames {
		if failed := i == 4; errors.Is(f.Failed, errFake) != failed {
			t.Errorf("frame %d: %v", i, f.Failed)
		}
		if f.Level != i || f.Depth != 4-i {
			t.Errorf("frame %d has level %d and depth %d", i, f.Level, f.Depth)
		}
	}
	// Nobody else knows.
	frames, err = unwind.Frames(w, 0, []unwind.Provider{first,
		fake{"third", map[uint64]uint64{0x400: 0x200}, nil}})
	if len(frames) != 3 || !errors.Is(err, errFake) ||
		!strings.Contains(err.Error(), "frame 2 of lane 0 by first") {
		t.Errorf("%d frames, %v", len(frames), err)
	}
}

// TestEndless makes sure that a loop of callers has an end.
func TestEndless(t *testing.T) {
	w := &simt.Wave{Size: 64, Valid: 1, Exec: 1, PC: 0x500, Regs: &regs{}}
	frames, err := unwind.Frames(w, 0, []unwind.Provider{fake{"loop", map[uint64]uint64{0x500: 0x500}, nil}})
	if len(frames) != 1<<16 || err != nil {
		t.Errorf("%d frames, %v", len(frames), err)
	}
}

// TestScope: the innermost frame is at its pc, callers at the call before where they will go on.
func TestScope(t *testing.T) {
	frames, err := unwind.Frames(wave(), 2, []unwind.Provider{unwind.CallRecord{}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{0x300, 0x207, 0x10b} {
		if got := frames[i].Scope(); got != want {
			t.Errorf("frame %d is at %#x, want %#x", i, got, want)
		}
	}
}

// TestWithoutRecord: where calls are not recorded, the record has nothing to say.
func TestWithoutRecord(t *testing.T) {
	w := wave()
	w.Track = nil
	for lane, want := range []string{"104 104", "200 200", "300 300", "100 100"} {
		frames, err := unwind.Frames(w, lane, []unwind.Provider{unwind.CallRecord{}})
		if d := cmp.Diff([]string{want}, pcs(frames)); d != "" || err != nil {
			t.Errorf("lane %d (-want +got):\n%s%v", lane, d, err)
		}
		if lines, err := (unwind.CallRecord{}).Explain(&frames[0], nil); len(lines) != 0 || err != nil {
			t.Errorf("lane %d: explained by %q, %v", lane, lines, err)
		}
	}
}

// TestExplain: by which call a caller is known, and where its registers are.
func TestExplain(t *testing.T) {
	frames, err := unwind.Frames(wave(), 2, []unwind.Provider{unwind.CallRecord{}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"the call at 0x204, which returns to 0x208",
		"the call at 0x108, which returns to 0x10c", "no call: the kernel's frame"} {
		lines, err := (unwind.CallRecord{}).Explain(&frames[i], nil)
		if err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
			t.Errorf("frame %d: %q, %v, want %q", i, lines, err, want)
		}
		d, ok := frames[i].Registers.(unwind.Describer)
		if ok != (i > 0) {
			t.Fatalf("frame %d says where its registers are: %v", i, ok)
		}
		if site := []string{"", "0x204", "0x108"}[i]; ok && !strings.HasSuffix(d.Saved()[0], site) {
			t.Errorf("frame %d: %q, want the call at %s", i, d.Saved(), site)
		}
	}
}

// TestSwitchedOff: how far the code has come in the frame of a lane that is switched off: as far as the
// others have if they are in it, or in calls from it, and to its own place if they are elsewhere.
func TestSwitchedOff(t *testing.T) {
	const lane = 3
	outer := &simt.Call{Site: 0x108, Return: 0x10c, Regs: &regs{value: 1}}
	inner := &simt.Call{Site: 0x204, Return: 0x208, Outer: outer, Depth: 1, Regs: &regs{value: 2}}
	another := &simt.Call{Site: 0x110, Return: 0x114, Regs: &regs{value: 3}}
	for what, c := range map[string]struct {
		own, others  *simt.Call
		active, last uint64
		at           uint64
		value        uint32
	}{
		"others in the same frame":           {outer, outer, 2, 0, 0x900, 9},
		"others in the kernel, too":          {nil, nil, 2, 0, 0x900, 9},
		"others in a call from here":         {outer, inner, 2, 0, 0x207, 2},
		"others in a call from the kernel":   {nil, inner, 2, 0, 0x10b, 1},
		"others have returned":               {inner, outer, 2, 0, 0x500, 9},
		"others have returned to the kernel": {outer, nil, 2, 0, 0x500, 9},
		"others in another call":             {outer, another, 2, 0, 0x500, 9},
		"none active, the last in a call":    {outer, inner, 0, 2, 0x207, 2},
		"none active, none before":           {outer, inner, 0, 0, 0x500, 9},
		"it is active itself":                {outer, inner, 8, 2, 0x900, 9},
		"it is active, and so is another":    {outer, inner, 0xa, 2, 0x900, 9},
	} {
		r := &regs{value: 9}
		r.pc[lane] = 0x500
		w := &simt.Wave{Size: 64, Valid: 0xa, Exec: c.active, PC: 0x900, Regs: r,
			Track: &simt.Track{Last: c.last}}
		w.Track.Innermost[lane], w.Track.Innermost[1] = c.own, c.others
		f := frame(t, w, lane)
		var p [4]byte
		err := f.Registers.Read(simt.Reg{}, lane, p[:])
		if got := binary.LittleEndian.Uint32(p[:]); err != nil || f.At != c.at || got != c.value {
			t.Errorf("%s: at %#x with %d, %v; want %#x with %d", what, f.At, got, err, c.at, c.value)
		}
	}
}

func frame(t *testing.T, w *simt.Wave, lane int, finders ...unwind.Provider) unwind.Frame {
	t.Helper()
	frames, err := unwind.Frames(w, lane, append(finders, unwind.CallRecord{}))
	if err != nil {
		t.Fatal(err)
	}
	return frames[0]
}

// finder finds the frame that a lane stands in, or fails.
type finder struct {
	fake
	found simt.Registers
	err   error
}

func (f finder) Standing(*unwind.Frame) (simt.Registers, bool, error) {
	return f.found, f.found != nil, f.err
}

// TestStanding: who can find the registers of a frame that others are in calls from is asked in order,
// before the record's are taken.
func TestStanding(t *testing.T) {
	first, second := &regs{value: 41}, &regs{value: 42}
	broken := finder{fake: fake{name: "broken"}, err: errFake}
	silent := finder{fake: fake{name: "silent"}}
	f := frame(t, wave(), 0, broken, silent, finder{found: first}, finder{found: second})
	if f.Registers != first || !errors.Is(f.Failed, errFake) ||
		!strings.Contains(f.Failed.Error(), "lane 0's frame by broken") {
		t.Errorf("registers %v, %v", f.Registers, f.Failed)
	}
	if f := frame(t, wave(), 0, silent); f.Failed != nil {
		t.Errorf("failed: %v", f.Failed)
	} else if _, ok := f.Registers.(unwind.Describer); !ok {
		t.Error("the record's registers are not taken where nobody finds others")
	}
	w := wave()
	if f := frame(t, w, 2, broken, finder{found: first}); f.Registers != w.Regs || f.Failed != nil {
		t.Error("a lane that is active has other registers than the wave's")
	}
}
