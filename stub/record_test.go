package stub

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/stub/recording"
	"simtgdb/stub/threads"
	"simtgdb/testdata/sweep"
)

// recorded is a session that was written to a recording and read again.
func recorded(t testing.TB, s *Session) *Session {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteRecording(&b); err != nil {
		t.Fatal(err)
	}
	r, err := recording.Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	again, err := Replay(r, DefaultHistory)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestRecording: a session that is replayed comes through the same states as the recorded one, with what was
// changed, in little memory too.
func TestRecording(t *testing.T) {
	for name := range reversible {
		t.Run(name, func(t *testing.T) {
			s := reversibleSession(t, name)
			s.Remember(1 << 20)
			if err := s.Record(); err != nil {
				t.Fatal(err)
			}
			rnd := rand.New(sweep.PCG(11, uint64(len(name))))
			digests := map[uint64]string{}
			for range 60 {
				switch rnd.IntN(12) {
				case 0:
					thread := s.view.activeLane(s.machine.Waves()[0])
					if err := s.WriteMemory(thread, s.prog.Buffers[0].Region.Base,
						[]byte{byte(rnd.Uint32())}); err != nil {
						t.Fatal(err)
					}
				case 1:
					back(t, s, rsp.Step, s.view.somebody())
					for at := range digests {
						if at > s.past.Now() {
							delete(digests, at) // if something is changed there
						}
					}
				default:
					if _, err := s.advance(1 + rnd.Uint64N(200)); err != nil {
						t.Fatal(err)
					}
				}
				digests[s.past.Now()] = simttest.Digest(s.machine)
				if s.machine.Done() {
					break
				}
			}
			if err := s.past.Goto(s.past.End()); err != nil {
				t.Fatal(err)
			}
			digests[s.past.Now()] = simttest.Digest(s.machine)
			again := recorded(t, s)
			if again.past.End() != s.past.End() {
				t.Fatalf("it ends at %d, not %d", again.past.End(), s.past.End())
			}
			for at, want := range digests {
				if err := again.past.Goto(at); err != nil || simttest.Digest(again.machine) != want {
					t.Errorf("time %d is not what it was: %v", at, err)
				}
			}
		})
	}
}

// TestOlderRecording: in a recording of version 1 threads, and the owners of windows, count 64 for each wave;
// what is replayed writes to the same lanes.
func TestOlderRecording(t *testing.T) {
	for _, name := range []string{"ptx recursion", "gcn recursion", "ptx demo"} { // waves of 32 and 64 lanes
		t.Run(name, func(t *testing.T) {
			s := reversibleSession(t, name)
			s.Remember(DefaultHistory)
			if err := s.Record(); err != nil {
				t.Fatal(err)
			}
			if _, err := s.advance(300); err != nil {
				t.Fatal(err)
			}
			older := map[int]int{} // numbers of threads
			for i, w := range s.machine.Waves() {
				thread := threads.Of(w, 3)
				older[int(thread)] = 64*w.ID + 3 + 1
				data := []byte{byte(i), 1, 2, 3}
				if err := s.WriteMemory(thread, s.Window(threads.ScratchWindow, int(thread), 0),
					data); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.advance(1); err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := s.WriteRecording(&b); err != nil {
				t.Fatal(err)
			}
			r, err := recording.Read(b.Bytes())
			if err != nil || len(r.Writes) < 2 {
				t.Fatal(r, err)
			}
			r.ByWaves = true
			for i := range r.Writes {
				w := &r.Writes[i]
				_, _, offset := s.Split(w.Where)
				w.Thread = older[w.Thread]
				w.Where = s.Window(threads.ScratchWindow, w.Thread, offset)
			}
			again, err := Replay(r, DefaultHistory)
			if err != nil {
				t.Fatal(err)
			}
			if err := again.past.Goto(s.past.Now()); err != nil {
				t.Fatal(err)
			}
			if simttest.Digest(again.machine) != simttest.Digest(s.machine) {
				t.Error("it comes to something else")
			}
		})
	}
}

// TestRecordingEnds: a replayed session stops where the recording does, and goes on from there.
func TestRecordingEnds(t *testing.T) {
	s := launched(t, "demo", "")
	s.Remember(DefaultHistory)
	if err := s.Record(); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		resume(t, s, stepping(1)...)
	}
	again := recorded(t, s)
	if stop := resume(t, again, letAllRun); stop.Cause != rsp.CauseReplayEnd ||
		simttest.Digest(again.machine) != simttest.Digest(s.machine) {
		t.Errorf("%+v at %d", stop, again.past.Now())
	}
	if stop := resume(t, again, letAllRun); stop.Kind != rsp.Exited || stop.Code != 0 {
		t.Errorf("%+v", stop)
	}
}

// FuzzReplay has arbitrary turns and writes replayed: what cannot be is an error.
func FuzzReplay(f *testing.F) {
	s := launched(f, "demo", "")
	s.Remember(DefaultHistory)
	if _, err := s.advance(100); err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.WriteRecording(&b); err != nil {
		f.Fatal(err)
	}
	good, err := recording.Read(b.Bytes())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(0), uint64(100), uint8(1), uint64(50), uint8(1), true, uint64(0x7e0010000000), []byte{1})
	f.Add(uint8(1), uint64(100), uint8(0), uint64(100), uint8(65), false, uint64(16), make([]byte, 8))
	f.Add(uint8(9), uint64(0), uint8(200), uint64(1<<63), uint8(0), false, uint64(1<<40), []byte(nil))
	f.Add(uint8(0), uint64(1<<61), uint8(0), uint64(1<<60), uint8(1), true, uint64(0xa000000000000008),
		[]byte{0})
	f.Fuzz(func(t *testing.T, wave uint8, count uint64, next uint8, at uint64, thread uint8, memory bool,
		where uint64, data []byte) {
		r := *good
		r.Turns = []recording.Turn{{Wave: int(wave), Count: count, Next: int(next)},
			{Wave: 0, Count: 3, Next: 0}}
		r.Writes = []recording.Write{{At: at, Thread: int(thread), Memory: memory, Where: where, Data: data}}
		s, err := Replay(&r, 1<<20)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "recording: ") {
				t.Error(err)
			}
			return
		}
		for _, run := range []func(context.Context, rsp.Resumption) (
			rsp.Stop, error){s.Resume, s.ResumeBackward, s.Resume} {
			ctx, cancel := context.WithCancel(context.Background())
			interrupt := make(chan struct{}, 1)
			if stop, err := run(ctx, rsp.Resumption{Actions: []rsp.Action{letAllRun}, Interrupt: interrupt,
				Console: io.Discard}); err != nil || stop.Kind != rsp.Stopped {
				cancel()
				return
			}
			cancel()
		}
	})
}

// TestRunRecorded: a run that nobody looks at is recorded as a session's is, and what it comes to in the end
// the replayed one comes to, in each machine.
func TestRunRecorded(t *testing.T) {
	for _, name := range []string{"gcn demo", "gcn lds", "gcn atomics", "ptx lds", "spirv nodes"} {
		t.Run(name, func(t *testing.T) {
			made := reversibleSession(t, name)
			p, err := made.prog.Spec.Load()
			if err != nil {
				t.Fatal(err)
			}
			text := map[string][]byte{"/k.cl": []byte("text")}
			s, ev, err := RunRecorded(context.Background(), p, 32)
			if err != nil || ev.Kind != simt.EndEvent {
				t.Fatal(ev, err)
			}
			s.RecordSources(text)
			again := recorded(t, s)
			if err := again.past.Goto(again.past.End()); err != nil {
				t.Fatal(err)
			}
			if !again.machine.Done() || again.past.End() != s.past.End() {
				t.Errorf("at the end %d, want %d", again.past.End(), s.past.End())
			}
			for i := range p.Buffers {
				if !bytes.Equal(p.Buffers[i].Region.Data, again.prog.Buffers[i].Region.Data) {
					t.Errorf("buffer %d differs", i)
				}
			}
			var b bytes.Buffer
			if err := again.WriteRecording(&b); err != nil {
				t.Fatal(err)
			}
		})
	}
}
