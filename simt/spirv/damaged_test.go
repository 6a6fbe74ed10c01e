package spirv

import (
	"math"
	"strings"
	"testing"

	"simtgdb/simt"
)

// TestNoPrivateMemory: a program that has no private memory faults where it accesses some, by a pointer that
// it makes itself.
func TestNoPrivateMemory(t *testing.T) {
	for _, address := range []uint32{16, 0, math.MaxUint32} {
		m := newModule(addresses, kernelCapability)
		m.kernel(func() {
			m.add(32, 5, scFunction, 3)
			m.add(43, 4, 6, address, 0)
		})
		m.add(120, 5, 12, 6)
		m.add(61, 3, 13, 12)
		m.add(253)
		m.add(56)
		l := launch{block: [3]uint32{8, 1, 1}, args: []byte{0}}
		r := l.run(t, *m)
		if r.event.Kind != simt.FaultEvent || r.event.Fault.Kind != simt.Unmapped ||
			r.event.Fault.Space != simt.Scratch {
			t.Errorf("address %#x: %+v, want a fault in private memory", address, r.event.Fault)
		}
	}
}

// TestOutsideOfPrivateMemory: an index that is constant and out of all bounds is a fault of the access.
func TestOutsideOfPrivateMemory(t *testing.T) {
	for _, store := range []bool{false, true} {
		m := newModule(addresses, kernelCapability)
		m.kernel(func() {
			m.add(43, 3, 6, 4)
			m.add(43, 3, 7, 100000)
			m.add(28, 8, 3, 6)
			m.add(32, 9, scFunction, 8)
			m.add(32, 5, scFunction, 3)
		})
		m.add(59, 9, 12, scFunction)
		m.add(65, 5, 13, 12, 7)
		if store {
			m.add(62, 13, 6)
		} else {
			m.add(61, 3, 14, 13)
		}
		m.add(253)
		m.add(56)
		l := launch{block: [3]uint32{8, 1, 1}, args: []byte{0}}
		r := l.run(t, *m)
		if r.event.Kind != simt.FaultEvent || r.event.Fault.Kind != simt.Unmapped {
			t.Errorf("store %v: %+v, want a fault in private memory", store, r.event.Fault)
		}
	}
}

// TestDamagedModules: counts that do not fit each other are errors.
func TestDamagedModules(t *testing.T) {
	for want, rest := range map[string]func(m *module){
		"variable %20 of 4 scalars: its initialiser %6 has 1": func(m *module) { // used to panic in Data
			m.add(43, 3, 6, 4)
			m.add(28, 8, 3, 6)
			m.add(32, 9, scCrossWorkgroup, 8)
			m.add(59, 9, 20, scCrossWorkgroup, 6)
		},
		"OpBranch is no operation on constants":      func(m *module) { m.add(52, 3, 6, 249, 11) },
		"OpReadClockKHR is no operation on constant": func(m *module) { m.add(43, 3, 5, 1); m.add(52, 3, 6, 5056, 5) },
	} {
		m := newModule(addresses, kernelCapability)
		m.kernel(func() { rest(m) })
		m.add(253)
		m.add(56)
		if _, _, err := Globals(*m, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Globals: %v, want %q", err, want)
		}
		if _, err := New(*m, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: %v, want %q", err, want)
		}
	}
}

// TestAddressesInConstants: the address of a part of a variable is a constant that others may begin with.
func TestAddressesInConstants(t *testing.T) {
	m := newModule(addresses, kernelCapability)
	m.kernel(func() {
		m.add(43, 3, 6, 4)
		m.add(43, 3, 7, 3)
		m.add(28, 8, 3, 6)
		m.add(32, 9, scCrossWorkgroup, 8)
		m.add(32, 5, scCrossWorkgroup, 3)
		m.add(32, 12, scCrossWorkgroup, 5)
		m.add(59, 9, 20, scCrossWorkgroup)
		m.add(52, 5, 21, 66, 20, 7)
		m.add(59, 12, 22, scCrossWorkgroup, 21)
		m.add(52, 5, 23, 67, 21, 7) // three further on
		m.add(59, 12, 24, scCrossWorkgroup, 23)
	})
	m.add(253)
	m.add(56)
	globals, data, err := Globals(*m, Options{Data: 0x1000})
	if err != nil || len(globals) != 3 {
		t.Fatalf("%v, %v", globals, err)
	}
	for i, far := range []uint64{12, 24} {
		if got, want := little(data[globals[1+i].At:][:8]), 0x1000+globals[0].At+far; got != want {
			t.Errorf("begins with %#x, want %#x", got, want)
		}
	}
}
