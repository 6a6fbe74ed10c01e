package stub

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"path/filepath"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
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

// pcNumber is the number of the pc among the registers that gdb is shown.
const pcNumber = 16

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

// values reads all registers of a thread as gdb's g packet has them.
func (s *Session) values(t testing.TB, thread rsp.ThreadID) []byte {
	t.Helper()
	var all []byte
	w, lane, err := s.view.lane(thread)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.registers {
		r := &s.registers[i]
		data, err := s.contentsOf(w, lane, r)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		all = append(all, data...)
	}
	return all
}

// offset is where a register lies among all, and how many bytes it has.
func (s *Session) offset(t testing.TB, name string) (at, size int) {
	t.Helper()
	for _, r := range s.registers {
		if r.name == name {
			return at, r.bits / 8
		}
		at += r.bits / 8
	}
	t.Fatalf("no register %s", name)
	return 0, 0
}

// TestWriteRegisters sends all registers back with one changed, as gdb does.
func TestWriteRegisters(t *testing.T) {
	s := launched(t, "demo", "")
	const thread = 70
	w, lane, _ := s.view.lane(thread)
	before := s.values(t, thread)
	if err := s.WriteRegisters(thread, before); err != nil {
		t.Errorf("nothing changed: %v", err)
	}
	for _, test := range []struct {
		name  string
		value byte
		ok    bool
	}{
		{"v1", 0x5a, true}, {"s5", 0x5a, true}, {"vcc", 0x5a, true}, {"m0", 0x5a, true}, {"exec", 0xff, true},
		{"rip", 4, true}, {"rip", 2, false}, {"rsp", 8, false}, {"rbp", 8, false}, {"rax", 1, false},
		{"xmm0", 1, false},
		{"lane", 9, false}, {"workitem_x", 1, false}, {"st0", 1, false}, {"eflags", 1, false},
	} {
		all := append([]byte(nil), before...)
		at, size := s.offset(t, test.name)
		all[at] ^= test.value
		want := append([]byte(nil), all[at:at+size]...)
		err := s.WriteRegisters(thread, all)
		if ok := err == nil; ok != test.ok {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		now := s.values(t, thread)
		if test.ok && !bytes.Equal(now[at:at+size], want) {
			t.Errorf("%s is %x, want %x", test.name, now[at:at+size], want)
		}
		if !test.ok && !bytes.Equal(now, before) {
			t.Errorf("%s: something was written", test.name)
		}
		if err := s.WriteRegisters(thread, before); err != nil {
			t.Errorf("%s back: %v", test.name, err)
		}
	}
	if !bytes.Equal(s.values(t, thread), before) {
		t.Error("the registers are not what they were")
	}
	if err := s.WriteRegisters(thread, before[:100]); err != nil {
		t.Errorf("a part of the registers: %v", err)
	}
	if w.Valid>>lane&1 == 0 || s.WriteRegisters(1<<20, before) == nil ||
		s.WriteRegister(thread, 1<<20, nil) == nil || s.WriteRegister(thread, pcNumber, []byte{1}) == nil {
		t.Error("bad writes are taken")
	}
}

// TestConsecutiveThreads numbers the lanes of dispatches whose workgroups are no multiple of a wave, and of
// which the last in each direction are partial: by work-items, without a gap and none twice.
func TestConsecutiveThreads(t *testing.T) {
	for _, c := range []struct {
		launch, object, grid, block string
		lanes                       int
	}{
		{"grid3d.json", "co/grid3d.gfx90a.O0.co", "7,5,3", "4,2,2", 7 * 5 * 3},
		{"saxpy.json", "co/saxpy.gfx90a.O0.co", "300", "100", 300},
		{"saxpy.json", "co/saxpy.gfx90a.O0.co", "305", "72", 305},
		{"demo.json", "ptx/co/demo.O0.ptx", "120", "40", 120},
		{"demo.json", "ptx/co/demo.O0.ptx", "24,12", "12,3", 24 * 12},
	} {
		s := sessionFor(t, "--launch", testdata+"/launch/"+c.launch, "--grid", c.grid, "--block",
			c.block, "--code-object", testdata+"/"+c.object)
		all := s.Threads()
		for i, id := range all {
			w, lane, err := s.view.lane(id)
			if id != rsp.ThreadID(i+1) || err != nil || threads.Of(w, lane) != id {
				t.Fatalf("%s: %s by %s: thread %d is lane %d of the list, %v", c.object, c.grid, c.block, id,
					i, err)
			}
		}
		if len(all) != c.lanes || s.ThreadAlive(rsp.ThreadID(c.lanes+1)) || s.ThreadAlive(0) {
			t.Errorf("%s: %s by %s: %d threads, want %d", c.object, c.grid, c.block, len(all), c.lanes)
		}
	}
}

// TestThreads lists lanes: those of waves that have not ended, under the names of
// their places.
func TestThreads(t *testing.T) {
	s := launched(t, "saxpy", "")
	for _, id := range s.Threads() {
		w, lane, err := s.view.lane(id)
		if err != nil || threads.Of(w, lane) != id || !s.ThreadAlive(id) || w.Valid>>lane&1 == 0 {
			t.Errorf("thread %d is lane %d of wave %v: %v", id, lane, w, err)
		}
	}
	if _, err := s.Threads(), s.Monitor(context.Background(), "list wave 1", io.Discard); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Threads()); n != simt.MaxLanes+1 {
		t.Errorf("%d threads, want those of wave 1 and the current one", n)
	}
	for _, command := range []string{"list", "list wave", "list wave x", "list workgroup -1", "list all 3",
		"frame x", "frame 0x7", "frame 99999", "nonsense", "disasm x"} {
		if err := s.Monitor(context.Background(), command, io.Discard); err == nil {
			t.Errorf("monitor %s: no error", command)
		}
	}
	for _, id := range []rsp.ThreadID{-2, 1 << 30} {
		if s.ThreadAlive(id) || s.DescribeThread(id) != (rsp.ThreadInfo{}) {
			t.Errorf("thread %d is alive", id)
		}
	}
}

// TestWindows reads and writes the memory of lanes and workgroups by each of its
// addresses, and beyond its ends.
func TestWindows(t *testing.T) {
	s := launched(t, "reduce_cl", "")
	const thread = 6
	w, lane, _ := s.view.lane(thread)
	text := []byte("sixteen bytes ..")
	for _, test := range []struct {
		name          string
		written, read uint64
	}{
		{"private", 2<<48 + 64, s.Window(threads.ScratchWindow, thread, 64)},
		{"private window", s.Window(threads.ScratchWindow, thread, 96), 2<<48 + 96},
		{"shared", 1<<48 + 32, s.Window(threads.LDSWindow, w.Group.Index, 32)},
		{"shared window", s.Window(threads.LDSWindow, w.Group.Index, 64), 1<<48 + 64},
	} {
		if err := s.WriteMemory(thread, test.written, text); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		got := make([]byte, len(text))
		if n, err := s.ReadMemory(thread, test.read, got); err != nil || n != len(got) ||
			!bytes.Equal(got, text) {
			t.Errorf("%s: %q, %d, %v", test.name, got[:n], n, err)
		}
	}
	other := make([]byte, len(text))
	if _, err := w.ReadScratch(lane+1, 64, other); err != nil || bytes.Equal(other, text) {
		t.Errorf("another lane's private memory has %q, %v", other, err)
	}
	lds := uint64(len(w.Group.LDS))
	out := s.prog.Buffers[0].Region
	for _, at := range []uint64{0, 0x10, out.End(), 1<<48 + lds, s.Window(threads.LDSWindow, 1<<20, 0),
		s.Window(threads.ScratchWindow, 1<<20, 0), s.Window(threads.ScratchWindow, thread, 1<<32),
		s.Window(threads.FrameWindow, thread, 0), s.Handle(thread, 9),
		s.Window(threads.ReturnWindow, thread, 0), s.Window(threads.DispatchWindow, 0, 0), 5 << 60} {
		var b [8]byte
		if n, err := s.ReadMemory(thread, at, b[:]); err == nil {
			t.Errorf("%#x reads %d bytes", at, n)
		}
		if err := s.WriteMemory(thread, at, b[:]); err == nil {
			t.Errorf("%#x can be written", at)
		}
	}
	// Over an end, reading gives what there is, and writing does nothing.
	for _, end := range []uint64{out.End(), 1<<48 + lds} {
		b := make([]byte, 8)
		if n, err := s.ReadMemory(thread, end-4, b); n != 4 || err != nil {
			t.Errorf("%#x reads %d, %v", end-4, n, err)
		}
		was := s.word(t, thread, end-4)
		if err := s.WriteMemory(thread, end-4, []byte("12345678")); err == nil ||
			s.word(t, thread, end-4) != was {
			t.Errorf("%#x: %v", end-4, err)
		}
	}
}

// TestFault runs into an element that is not there: the lane is told, at its
// instruction, and what the others would have written is not.
func TestFault(t *testing.T) {
	s := sessionFor(t, "--kernel", "vecadd", "--grid", "128", "--block", "64", "--arg", "buf:f32[100]=iota",
		"--arg", "buf:f32[128]=iota",
		"--arg", "buf:f32[128]=zero", "--arg", "i32:128",
		"--code-object", filepath.Join(testdata, "co/vecadd.gfx90a.O0.co"))
	var console bytes.Buffer
	stop, err := s.Resume(context.Background(), rsp.Resumption{Actions: []rsp.Action{letAllRun},
		Console: &console})
	if err != nil || stop.Kind != rsp.Stopped || stop.Signal != rsp.SIGSEGV || stop.Thread != 101 {
		t.Fatalf("stop %+v, %v, want SIGSEGV of thread 101", stop, err)
	}
	w, _, _ := s.view.lane(stop.Thread)
	pc := w.PC
	for i := 64; i < 128; i++ {
		if v := s.word(t, 1, s.prog.Buffers[2].Region.Base+uint64(4*i)); v != 0 {
			t.Errorf("element %d is %#x", i, v)
		}
	}
	if again := resume(t, s, letAllRun); again.Signal != rsp.SIGSEGV || w.PC != pc {
		t.Errorf("again: %+v at %#x, before at %#x", again, w.PC, pc)
	}
	if again := resume(t, s, stepping(101)...); again.Signal != rsp.SIGSEGV || again.Thread != 101 {
		t.Errorf("stepping: %+v", again)
	}
	end := resume(t, s, rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads, Signal: rsp.SIGSEGV})
	if end.Kind != rsp.Terminated || end.Signal != rsp.SIGSEGV || !s.Ended() {
		t.Errorf("with the signal: %+v", end)
	}
}

// TestPatchedCode writes instructions into a kernel: one that is none, and traps.
func TestPatchedCode(t *testing.T) {
	for _, test := range []struct {
		name string
		inst uint32
		want rsp.Signal
	}{
		{"illegal", 0xffffffff, rsp.SIGILL},
		{"llvm.trap", 0xbf920002, rsp.SIGABRT},
		{"llvm.debugtrap", 0xbf920003, rsp.SIGTRAP},
	} {
		s := launched(t, "demo", "")
		entry := s.prog.Kernel.Entry
		was := make([]byte, 4)
		if _, err := s.ReadMemory(1, entry, was); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteMemory(1, entry, binary.LittleEndian.AppendUint32(nil, test.inst)); err != nil {
			t.Fatal(err)
		}
		if stop := resume(t, s, letAllRun); stop.Kind != rsp.Stopped || stop.Signal != test.want {
			t.Errorf("%s: stop %+v", test.name, stop)
		}
		if test.want == rsp.SIGILL { // mended, it goes on
			if err := s.WriteMemory(1, entry, was); err != nil {
				t.Fatal(err)
			}
			if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
				t.Errorf("%s, mended: %+v", test.name, stop)
			}
		}
	}
}

// TestNothingRuns leaves nobody to run: the stop says so.
func TestNothingRuns(t *testing.T) {
	s := launched(t, "demo", "")
	stop := resume(t, s, rsp.Action{Kind: rsp.Stay, Thread: rsp.AllThreads})
	if stop.Kind != rsp.NothingResumed {
		t.Errorf("stop %+v", stop)
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
	if _, err := s.Resume(context.Background(), rsp.Resumption{Actions: stepping(1),
		Console: io.Discard}); err == nil {
		t.Error("a lane of a program that has ended can be stepped")
	}
}

// TestRelease has a client go that leaves breakpoints behind.
func TestRelease(t *testing.T) {
	s := launched(t, "demo", "")
	if err := s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: s.address(t, "_Z5weighii")}); err != nil {
		t.Fatal(err)
	}
	written := rsp.Watchpoint{Kind: rsp.WatchWrite, Address: s.prog.Buffers[1].Region.Base, Size: 4}
	if err := s.InsertWatchpoint(written); err != nil {
		t.Fatal(err)
	}
	first := resume(t, s, letAllRun)
	s.Release()
	if stop := s.StopReason(); stop.Thread != first.Thread || stop.Signal != rsp.SIGTRAP {
		t.Errorf("the next client finds %+v, the last one left at %+v", stop, first)
	}
	if stop := resume(t, s, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("stop %+v, want an exit with 0", stop)
	}
}
