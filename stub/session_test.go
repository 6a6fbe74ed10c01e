package stub

import (
	"context"
	"encoding/binary"
	"io"
	"path/filepath"
	"testing"

	"simtgdb/rsp"
)

// launched starts a session on a launch file of testdata, with the kernel's code
// object for a target and optimisation if one is given.
func launched(t testing.TB, name, object string) *Session {
	t.Helper()
	args := []string{"--launch", filepath.Join(testdata, "launch", name+".json")}
	if object != "" {
		args = append(args, "--code-object", filepath.Join(testdata, "co", object+".co"))
	}
	return sessionFor(t, args...)
}

var letAllRun = rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads}

// resume performs actions as gdb does that presents each stop.
func resume(t testing.TB, s *Session, actions ...rsp.Action) rsp.Stop {
	t.Helper()
	s.Threads()
	stop, err := s.Resume(context.Background(), rsp.Resumption{Actions: actions, Console: io.Discard})
	if err != nil {
		t.Fatalf("%+v: %v", actions, err)
	}
	return stop
}

// stepping is one instruction of a thread, the others running.
func stepping(t rsp.ThreadID) []rsp.Action {
	return []rsp.Action{{Kind: rsp.Step, Thread: t}, letAllRun}
}

// register reads a register by its name.
func (s *Session) register(t testing.TB, thread rsp.ThreadID, name string) uint64 {
	t.Helper()
	for n, r := range s.registers {
		if r.name == name {
			v, err := (&laneContext{s, thread}).Register(n)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("no register %s", name)
	return 0
}

func (s *Session) word(t testing.TB, thread rsp.ThreadID, addr uint64) uint32 {
	t.Helper()
	var b [4]byte
	if n, err := s.ReadMemory(thread, addr, b[:]); err != nil || n < 4 {
		t.Fatalf("read %#x: %d %v", addr, n, err)
	}
	return binary.LittleEndian.Uint32(b[:])
}

// address finds the address of a symbol or of a source line.
func (s *Session) address(t testing.TB, name string) uint64 {
	t.Helper()
	for _, sym := range s.prog.Module.Symbols {
		if sym.Name == name {
			return sym.Addr
		}
	}
	t.Fatalf("no symbol %s", name)
	return 0
}
