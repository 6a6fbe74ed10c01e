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

// TestDisguise reads all code byte by byte: none that begins an instruction
// looks like a return or a breakpoint of x86-64, and read together the bytes
// are the program's.
func TestDisguise(t *testing.T) {
	s := launched(t, "demo", "")
	entry := s.prog.Kernel.Entry
	region := s.prog.Memory.Find(entry)
	region.Data[entry-region.Base] = 0xc3
	region.Data[entry-region.Base+4] = 0xcc
	var b [8]byte
	for _, at := range []uint64{entry, entry + 4} {
		if n, err := s.ReadMemory(1, at, b[:1]); n != 1 || err != nil || b[0] != 0x90 {
			t.Errorf("%#x reads %#x, %d, %v", at, b[0], n, err)
		}
	}
	if _, err := s.ReadMemory(1, entry, b[:]); err != nil || b[0] != 0xc3 || b[4] != 0xcc {
		t.Errorf("together they read %x, %v", b, err)
	}
	out := s.prog.Buffers[1].Region.Base
	if err := s.WriteMemory(1, out, []byte{0xc3}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadMemory(1, out, b[:1]); err != nil || b[0] != 0xc3 {
		t.Errorf("data reads %#x, %v", b[0], err)
	}
}
