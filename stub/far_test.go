package stub

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt/simttest"
	"simtgdb/stub/threads"
)

// TestFar: a session that makes many turns at once stops where one does that makes turn after turn, at
// the same time, with the same machine; and goes back to the same.
func TestFar(t *testing.T) {
	for _, name := range []string{"mandelbrot", "matmul256", "vecadd"} {
		t.Run(name, func(t *testing.T) {
			one, many := launched(t, name, ""), launched(t, name, "")
			one.workers, many.workers = 1, 3
			for _, s := range []*Session{one, many} {
				s.Remember(DefaultHistory)
			}
			last := lastInstruction(t, one)
			for _, s := range []*Session{one, many} {
				if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: last}); err != nil {
					t.Fatal(err)
				}
			}
			for stops := 0; ; stops++ {
				if stops == 8 {
					one.Forget()
					many.Forget()
				}
				want, got := resume(t, one, letAllRun), resume(t, many, letAllRun)
				same(t, one, many)
				if want.Kind != got.Kind || want.Thread != got.Thread || want.Signal != got.Signal {
					t.Fatalf("stop %d is %+v, want %+v", stops, got, want)
				}
				if want.Kind != rsp.Stopped {
					break
				}
			}
			for _, s := range []*Session{one, many} {
				if err := s.past.Goto(s.past.End() / 3); err != nil {
					t.Fatal(err)
				}
			}
			same(t, one, many)
		})
	}
}

// TestFarAfterWrite: what somebody has written to the registers of a wave that has executed nothing counts,
// though workgroups that the machine itself starts are executed without making their waves.
func TestFarAfterWrite(t *testing.T) {
	file := filepath.Join(testdata, "bench", "hash.json")
	one, many := sessionFor(t, "--launch", file), sessionFor(t, "--launch", file)
	one.workers, many.workers = 1, 3
	for _, s := range []*Session{one, many} {
		s.machine.Resident = 4 * turnsBefore
		if err := s.machine.Fill(); err != nil {
			t.Fatal(err)
		}
		waves := s.machine.Waves()
		w := waves[len(waves)-1]
		if len(waves) <= 2*turnsBefore || w.Insts > 0 {
			t.Fatalf("%d waves, of which the last has executed %d instructions", len(waves), w.Insts)
		}
		thread := threads.Of(w, 0)
		all := s.values(t, thread)
		at, _ := s.offset(t, "exec")
		all[at] ^= 0x5a
		if err := s.WriteRegisters(thread, all); err != nil {
			t.Fatal(err)
		}
		s.Remember(DefaultHistory)
		if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited {
			t.Fatalf("it stops: %+v", stop)
		}
	}
	same(t, one, many)
}

// TestWritesChangeWaves: what a client writes may change waves that have been started by then, no others.
func TestWritesChangeWaves(t *testing.T) {
	for name, write := range map[string]func(s *Session) error{
		"memory": func(s *Session) error {
			return s.WriteMemory(rsp.AnyThread, s.prog.Buffers[0].Region.Base, make([]byte, 4))
		},
		"a register": func(s *Session) error {
			w := s.machine.Waves()[0]
			return s.WriteRegister(threads.Of(w, 0), pcNumber, binary.LittleEndian.AppendUint64(nil, w.PC))
		},
	} {
		s := launched(t, "vecadd", "")
		if s.changed != 0 {
			t.Errorf("%d workgroups have been changed by nobody", s.changed)
		}
		if err := write(s); err != nil {
			t.Fatal(err)
		}
		if n := s.machine.Started(); n == 0 || s.changed != n {
			t.Errorf("after a write of %s %d workgroups of %d may have been changed", name, s.changed, n)
		}
	}
}

// same compares the machines of two sessions.
func same(t *testing.T, one, many *Session) {
	t.Helper()
	if one.past.Now() != many.past.Now() {
		t.Fatalf("it is time %d, want %d", many.past.Now(), one.past.Now())
	}
	if simttest.Digest(one.machine) != simttest.Digest(many.machine) {
		t.Fatalf("at time %d the machine is another", one.past.Now())
	}
}

// lastInstruction is where the waves of a session's kernel end.
func lastInstruction(t *testing.T, s *Session) uint64 {
	t.Helper()
	code := s.machine.CodeAt(s.prog.Kernel.Entry)
	at := bytes.Index(code, []byte{0x00, 0x00, 0x81, 0xbf}) // s_endpgm
	if at < 0 {
		t.Fatal("the kernel does not end")
	}
	return s.prog.Kernel.Entry + uint64(at)
}
