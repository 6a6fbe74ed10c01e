package simt

import (
	"errors"
	"strings"
	"testing"
)

// panicking is a program whose wave 2 panics.
func panicking() *toy {
	return &toy{size: 4, program: []func(*Wave) EventKind{step, func(w *Wave) EventKind {
		var none []int
		if w.ID == 2 {
			none[w.ID]++
		}
		return NoEvent
	}, end}}
}

// A bulkToy panics where it executes a workgroup in bulk, too.
type bulkToy struct{ *toy }

func (y *bulkToy) NewCore(*Machine) Core                    { return y }
func (*bulkToy) Finish(*Wave)                               {}
func (*bulkToy) RunBulk(*Workgroup, uint64) ([]Stats, bool) { panic("in bulk") }

var panickingDispatch = Dispatch{Grid: [3]uint32{32, 1, 1}, Block: [3]uint32{4, 1, 1}}

// TestPanicIsFault: a panic in a core is a fault of the wave, whatever it runs in, and says so.
func TestPanicIsFault(t *testing.T) {
	for name, run := range map[string]func(m *Machine) (Event, error){
		"one worker":   func(m *Machine) (Event, error) { return m.Run(t.Context(), 1) },
		"in bulk":      func(m *Machine) (Event, error) { return m.Run(t.Context(), 1) },
		"four workers": func(m *Machine) (Event, error) { return m.Run(t.Context(), 4) },
		"turns":        byTurns,
		"ahead": func(m *Machine) (Event, error) {
			if err := m.Fill(); err != nil {
				return Event{}, err
			}
			if ok, err := m.AdvanceFar(Far{Turn: 1, Insts: 1000, Workers: 3}); ok || err != nil {
				t.Errorf("went ahead: %v, %v", ok, err)
			}
			return byTurns(m)
		},
	} {
		y := panicking()
		m := newMachine(t, y, panickingDispatch)
		if name == "in bulk" {
			m.isa = &bulkToy{y}
		}
		ev, err := run(m)
		if err != nil || ev.Kind != FaultEvent || ev.Fault.Kind != Defect || ev.Wave.ID != 2 ||
			ev.Lanes != 0xf || ev.Wave.State != Faulted {
			t.Errorf("%s: %+v, %v, want a fault of wave 2", name, ev, err)
			continue
		}
		for _, part := range []string{"index out of range", "defect_test.go:", "please report it"} {
			if !strings.Contains(ev.Fault.String(), part) {
				t.Errorf("%s: %q has no %q", name, ev.Fault, part)
			}
		}
	}
}

func byTurns(m *Machine) (Event, error) {
	if err := m.Fill(); err != nil {
		return Event{}, err
	}
	for !m.Done() {
		ev, err := m.Advance(1)
		if err != nil || ev.Kind == FaultEvent {
			return ev, err
		}
	}
	return Event{}, errors.New("no fault")
}

// TestPanicAtStart: a wave that cannot start because of a panic is an error.
func TestPanicAtStart(t *testing.T) {
	y := &toy{size: 4, start: func(w *Wave) error { panic("no state") }}
	_, err := newMachine(t, y, panickingDispatch).Run(t.Context(), 2)
	if defect := new(DefectError); !errors.As(err, &defect) || !strings.Contains(err.Error(), "no state at") {
		t.Errorf("%v, want a DefectError", err)
	}
}
