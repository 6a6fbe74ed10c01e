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
