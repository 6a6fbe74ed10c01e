package simt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
)

// toy is an instruction set whose program is a list of functions; a PC is an
// index into it. A step says what stops the wave and moves the PC itself if
// it likes.
type toy struct {
	size    int
	program []func(w *Wave) EventKind
	start   func(w *Wave) error
}

func (y *toy) WaveSize() int { return y.size }

func (y *toy) Align() int { return 1 }

func (y *toy) Inst([]byte, uint64) (Inst, error) { return Inst{Size: 1}, nil }

func (y *toy) StartWave(w *Wave, d *Dispatch) error {
	w.Regs = &toyRegs{}
	if y.start != nil {
		return y.start(w)
	}
	return nil
}

func (y *toy) NewCore(*Machine) Core { return y }

func (y *toy) Run(w *Wave, n uint64) Event {
	for range n {
		pc := w.PC
		w.PC++
		w.Insts++
		kind := y.program[pc](w)
		switch kind {
		case EndEvent:
			w.State = Ended
		case BarrierEvent:
			w.State = AtBarrier
		case FaultEvent:
			w.State = Faulted
		}
		if kind != NoEvent {
			return Event{Kind: kind, Wave: w, PC: pc}
		}
	}
	return Event{Wave: w, PC: w.PC}
}

// toyRegs are one register, and lanes that are all where the wave is.
type toyRegs struct{ value uint64 }

func (r *toyRegs) Files() []RegFile { return []RegFile{{Name: "r", Bits: 64}} }

func (r *toyRegs) Read(_ Reg, _ int, p []byte) error {
	binary.LittleEndian.PutUint64(p, r.value)
	return nil
}

func (r *toyRegs) Write(_ Reg, _ int, p []byte) error {
	r.value = binary.LittleEndian.Uint64(p)
	return nil
}

func (r *toyRegs) Active(w *Wave) uint64          { return w.Exec }
func (r *toyRegs) LanePC(w *Wave, _ int) uint64   { return w.PC }
func (r *toyRegs) SetPC(w *Wave, pc uint64) error { w.PC = pc; return nil }
func (r *toyRegs) Clone() WaveState               { c := *r; return &c }

func step(*Wave) EventKind    { return NoEvent }
func end(*Wave) EventKind     { return EndEvent }
func barrier(*Wave) EventKind { return BarrierEvent }

func newMachine(t *testing.T, y *toy, d Dispatch) *Machine {
	t.Helper()
	m, err := New(NewMemory(), y, d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDispatchIsChecked(t *testing.T) {
	for _, d := range []Dispatch{
		{Grid: [3]uint32{0, 1, 1}, Block: [3]uint32{1, 1, 1}},
		{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 0, 1}},
		{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1025, 1, 1}},
		{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1 << 31, 1 << 31, 4}},
		{Grid: [3]uint32{1 << 31, 1 << 31, 1}, Block: [3]uint32{1, 1, 1}},
	} {
		if _, err := New(NewMemory(), &toy{size: 64}, d); err == nil {
			t.Errorf("grid %v, block %v: accepted", d.Grid, d.Block)
		}
	}
}

// TestCollected: nothing keeps a machine that is done with, not even the pool of its workgroups.
func TestCollected(t *testing.T) {
	done := func() weak.Pointer[Machine] {
		m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{end}},
			Dispatch{Grid: [3]uint32{40, 1, 1}, Block: [3]uint32{4, 1, 1}})
		if _, err := m.Run(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		return weak.Make(m)
	}()
	if runtime.GC(); done.Value() != nil {
		t.Error("the machine outlives a collection of garbage")
	}
}

// TestPartialGroups: the last workgroup in each direction is cut off.
func TestPartialGroups(t *testing.T) {
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{end}},
		Dispatch{Grid: [3]uint32{5, 3, 1}, Block: [3]uint32{3, 2, 1}})
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	type wave struct {
		Group [3]uint32
		ID    int
		Valid uint64
		Items string
	}
	var got []wave
	for _, w := range m.Waves() {
		var items string
		Lanes(w.Valid, func(l int) { items += fmt.Sprint(w.WorkItem(l)) })
		got = append(got, wave{w.Group.ID, w.ID, w.Valid, items})
	}
	want := []wave{
		{[3]uint32{0, 0, 0}, 0, 0xf, "[0 0 0][1 0 0][2 0 0][0 1 0]"},
		{[3]uint32{0, 0, 0}, 1, 0x3, "[1 1 0][2 1 0]"},
		{[3]uint32{1, 0, 0}, 2, 0xf, "[0 0 0][1 0 0][0 1 0][1 1 0]"},
		{[3]uint32{0, 1, 0}, 4, 0x7, "[0 0 0][1 0 0][2 0 0]"},
		{[3]uint32{1, 1, 0}, 6, 0x3, "[0 0 0][1 0 0]"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("waves (-want +got):\n%s", d)
	}
}

// TestResidentWaves: as workgroups end, others start; one always runs.
func TestResidentWaves(t *testing.T) {
	for _, c := range []struct{ resident, most int }{{5, 4}, {4, 4}, {1, 2}, {100, 12}} {
		m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{step, end}},
			Dispatch{Grid: [3]uint32{48, 1, 1}, Block: [3]uint32{8, 1, 1}})
		m.Resident = c.resident
		if err := m.Fill(); err != nil {
			t.Fatal(err)
		}
		most, ended := 0, 0
		for !m.Done() {
			most = max(most, len(m.Waves()))
			ev, err := m.Advance(1)
			if err != nil {
				t.Fatal(err)
			}
			if ev.Kind == EndEvent {
				ended++
			}
		}
		if most != c.most || ended != 12 {
			t.Errorf("%d resident: %d waves at once, want %d; %d ended, want 12", c.resident, most, c.most,
				ended)
		}
		if s := m.Stats(); s.Waves != 12 || s.Insts != 24 {
			t.Errorf("stats %+v", s)
		}
	}
}

func TestAdvanceTakesTurns(t *testing.T) {
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{step, step, end}},
		Dispatch{Grid: [3]uint32{12, 1, 1}, Block: [3]uint32{4, 1, 1}})
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	var order []int
	for range 6 {
		ev, err := m.Advance(1)
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, ev.Wave.ID)
	}
	if want := []int{0, 1, 2, 0, 1, 2}; !slices.Equal(order, want) {
		t.Errorf("turns %v, want %v", order, want)
	}
}

// TestBarrier: it opens when every wave waits or has ended, not before.
func TestBarrier(t *testing.T) {
	leaves := func(w *Wave) EventKind {
		if w.Index == 2 {
			return EndEvent
		}
		return NoEvent
	}
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{leaves, barrier, end}},
		Dispatch{Grid: [3]uint32{12, 1, 1}, Block: [3]uint32{12, 1, 1}})
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	w := m.Waves()
	run := func(i int, want ...State) {
		t.Helper()
		if _, err := m.StepWave(w[i], 2); err != nil {
			t.Fatal(err)
		}
		var got []State
		for _, w := range w {
			got = append(got, w.State)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("after wave %d: %v, want %v", i, got, want)
		}
	}
	run(0, AtBarrier, Ready, Ready)
	if ev, _ := m.StepWave(w[0], 5); ev.Kind != NoEvent || w[0].PC != 2 {
		t.Errorf("a wave at a barrier ran: %v, pc %d", ev.Kind, w[0].PC)
	}
	run(1, AtBarrier, AtBarrier, Ready)
	run(2, Ready, Ready, Ended)
	if m.Stuck() {
		t.Error("stuck although two waves are ready")
	}
	run(0, Ended, Ready, Ended)
}

// TestStuck: a fault keeps the barrier closed.
func TestStuck(t *testing.T) {
	faults := func(w *Wave) EventKind {
		if w.Index == 1 {
			return FaultEvent
		}
		return BarrierEvent
	}
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{faults, end}},
		Dispatch{Grid: [3]uint32{8, 1, 1}, Block: [3]uint32{8, 1, 1}})
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.Advance(1); err != nil {
			t.Fatal(err)
		}
	}
	if !m.Stuck() || m.Done() {
		t.Errorf("stuck %v, done %v", m.Stuck(), m.Done())
	}
	if ev, err := m.Advance(1); ev.Kind != NoEvent || ev.Wave != nil || err != nil {
		t.Errorf("Advance = %+v, %v", ev, err)
	}
}

// TestRunReportsTheFirstGroup: with any number of workers, the event is that
// of the first workgroup that has one.
func TestRunReportsTheFirstGroup(t *testing.T) {
	faults := func(w *Wave) EventKind {
		if w.Group.Index >= 7 {
			return FaultEvent
		}
		return NoEvent
	}
	for _, workers := range []int{1, 4} {
		m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{step, barrier, faults, end}},
			Dispatch{Grid: [3]uint32{800, 1, 1}, Block: [3]uint32{8, 1, 1}})
		ev, err := m.Run(context.Background(), workers)
		if err != nil || ev.Kind != FaultEvent || ev.Wave.Group.Index != 7 || ev.Wave.Index != 0 {
			t.Errorf("%d workers: %v of %+v, %v", workers, ev.Kind, ev.Wave, err)
		}
	}
}

func TestRunToTheEnd(t *testing.T) {
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{step, barrier, step, end}},
		Dispatch{Grid: [3]uint32{100, 1, 1}, Block: [3]uint32{10, 1, 1}, LDSSize: 16})
	ev, err := m.Run(context.Background(), 3)
	if err != nil || ev.Kind != EndEvent {
		t.Fatalf("Run = %v, %v", ev.Kind, err)
	}
	if s := m.Stats(); s.Waves != 30 || s.Insts != 120 {
		t.Errorf("stats %+v, want 30 waves, 120 instructions", s)
	}
}

// TestRunCanBeCancelled although the program never ends.
func TestRunCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	forever := func(w *Wave) EventKind {
		w.PC = 0
		if w.Insts == 1<<18 {
			cancel()
		}
		return NoEvent
	}
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{forever}},
		Dispatch{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{4, 1, 1}})
	if _, err := m.Run(ctx, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want a cancelled context", err)
	}
}

// TestStartErrors come out of every way to start a wave.
func TestStartErrors(t *testing.T) {
	bad := errors.New("no such register")
	y := &toy{size: 4, start: func(*Wave) error { return bad }}
	d := Dispatch{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{4, 1, 1}}
	if err := newMachine(t, y, d).Fill(); !errors.Is(err, bad) {
		t.Errorf("Fill = %v", err)
	}
	if _, err := newMachine(t, y, d).Run(context.Background(), 1); !errors.Is(err, bad) {
		t.Errorf("Run = %v", err)
	}
}

// TestWavesStartClean although they are used again.
func TestWavesStartClean(t *testing.T) {
	var dirty []int
	uses := func(w *Wave) EventKind {
		p := []byte{1}
		if _, err := w.ReadScratch(3, 8, p); err != nil || p[0] != 0 || w.Group.LDS[0] != 0 {
			dirty = append(dirty, w.ID)
		}
		if _, err := w.WriteScratch(3, 8, []byte{9}); err != nil {
			dirty = append(dirty, w.ID)
		}
		w.Group.LDS[0] = 1
		return EndEvent
	}
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{uses}},
		Dispatch{Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{4, 1, 1}, LDSSize: 4, ScratchLimit: 16})
	if _, err := m.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if len(dirty) > 0 {
		t.Errorf("waves %v found what another left", dirty)
	}
}

// TestWaitForLaterGroup: one worker comes to an end although the first workgroup
// waits for what the last one does.
func TestWaitForLaterGroup(t *testing.T) {
	flag := false
	waits := func(w *Wave) EventKind {
		if w.Group.Index == 2 {
			flag = true
		}
		if w.Group.Index == 0 && !flag {
			w.PC = 0
		}
		return NoEvent
	}
	m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{waits, end}},
		Dispatch{Grid: [3]uint32{12, 1, 1}, Block: [3]uint32{4, 1, 1}})
	m.MaxInsts = 1 << 26
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != EndEvent {
		t.Errorf("Run = %v, %v", ev.Kind, err)
	}
}

// TestWaitForEachOther has every workgroup wait for the next one, and all for the last: the workers start all
// of them, in time that grows with their number.
func TestWaitForEachOther(t *testing.T) {
	const groups = 200
	var arrived [groups + 1]atomic.Bool
	next := func(w *Wave) EventKind {
		if i := w.Group.Index; i < groups-1 && !arrived[i+1].Load() {
			w.PC = 0
		}
		return NoEvent
	}
	leave := func(w *Wave) EventKind {
		arrived[w.Group.Index].Store(true)
		return EndEvent
	}
	for _, workers := range []int{1, 2} {
		clear(arrived[:])
		m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{next, leave}},
			Dispatch{Grid: [3]uint32{4 * groups, 1, 1}, Block: [3]uint32{4, 1, 1}})
		m.MaxInsts, m.MayWait = 1<<27, true
		if ev, err := m.Run(context.Background(), workers); err != nil || ev.Kind != EndEvent {
			t.Errorf("%d workers: Run = %v, %v", workers, ev.Kind, err)
		}
	}
}

// TestMaxInsts ends a run that does not end by itself, and leaves its waves to
// be looked at.
func TestMaxInsts(t *testing.T) {
	forever := func(w *Wave) EventKind {
		w.PC = 0
		return NoEvent
	}
	for _, workers := range []int{1, 2} {
		m := newMachine(t, &toy{size: 4, program: []func(*Wave) EventKind{forever}},
			Dispatch{Grid: [3]uint32{8, 1, 1}, Block: [3]uint32{4, 1, 1}})
		m.MaxInsts = 100_000
		_, err := m.Run(context.Background(), workers)
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Insts != 100_000 {
			t.Fatalf("%d workers: %v", workers, err)
		}
		if n := m.Stats().Insts; len(m.Waves()) == 0 || n < 100_000 || n > 100_000+slice {
			t.Errorf("%d workers: %d waves, %d instructions", workers, len(m.Waves()), n)
		}
	}
}

// TestForgive: a fault that is forgiven has not happened, whoever runs the machine; the first in dispatch
// order is asked about, and only while nothing runs; the first that is not forgiven ends the run.
func TestForgive(t *testing.T) {
	const groups, places = 200, 3
	for _, refused := range []int{-1, 150} {
		for _, workers := range []int{0, 1, 4} { // 0: steps
			var room [places]atomic.Bool
			var asked []int
			y := &toy{size: 4}
			y.program = []func(w *Wave) EventKind{
				func(*Wave) EventKind { return NoEvent },
				func(w *Wave) EventKind {
					if i := w.Group.Index; i == refused || i >= 20 && !room[i%places].Load() {
						w.PC--
						w.Insts--
						return FaultEvent
					}
					return NoEvent
				},
				func(*Wave) EventKind { return EndEvent },
			}
			m := newMachine(t, y, Dispatch{Grid: [3]uint32{4 * groups, 1, 1}, Block: [3]uint32{4, 1, 1}})
			m.Forgive = func(ev Event) bool {
				i := ev.Wave.Group.Index
				if i == refused {
					return false
				}
				asked = append(asked, i)
				room[i%places].Store(true)
				return true
			}
			ev, err := Event{}, error(nil)
			if workers > 0 {
				ev, err = m.Run(t.Context(), workers)
			} else {
				err = m.Fill()
				for err == nil && !m.Done() && ev.Kind != FaultEvent {
					ev, err = m.Advance(100)
				}
			}
			want, insts := EndEvent, uint64(3*groups)
			if refused >= 0 {
				want, insts = FaultEvent, 0
			}
			if err != nil || ev.Kind != want || refused >= 0 && ev.Wave.Group.Index != refused {
				t.Errorf("%d workers: %v, %v", workers, ev, err)
			}
			if got := m.Stats().Insts; insts > 0 && got != insts {
				t.Errorf("%d workers: %d instructions, want %d", workers, got, insts)
			}
			if diff := cmp.Diff([]int{20, 21, 22}, asked); diff != "" {
				t.Errorf("%d workers: asked about (-want +got):\n%s", workers, diff)
			}
		}
	}
}
