package stub

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// sessionPackets are conversations that a fuzzer begins with, a packet a line.
var sessionPackets = []string{
	"qSupported:swbreak+;vContSupported+\nqXfer:features:read:target.xml:0,fff\n?\nHg1\ng\nqXfer:threads:read::0,fff",
	"vFile:setfs:0\nqXfer:exec-file:read:1:0,fff\nvFile:open:2f73696d746764622f6b65726e656c,0,0\nvFile:pread:3,3fff,0\nvFile:close:3",
	"Z0,1b18,1\nvCont;c\nHg4\nma00004fffe000000,40\ng\nz0,1b18,1\nvCont;s:4\nZ0,1b18,1\nvCont;c",
	"vCont;s:1;c\nvCont;r1a00,1b00:2;c\nvCont;c:41\nvCont;s:41\nP10=001b000000000000\nvCont;t",
	"Z2,7e0010020000,4\nvCont;c\nz2,7e0010020000,4\nM7e0010020000,4:01020304\nX7e0010020000,2:ab\nvCont;C0b",
	"qRcmd,696e666f\nqRcmd,77617665\nqRcmd,6c697374206163746976\nqRcmd,6672616d65\nqThreadExtraInfo,5\nT5\nD",
	"Z0,1b18,1;X3,220127\nZ0,1b18,1;X9,2600072204162701ff\nvCont;c\nvCont;s:1\nm2000000000040,8\nm1000000000000,8",
	"M1a00,8:ffffffff7f7f7f7f\nvCont;c\nvCont;S05:1\ns\nc\nk",
	"vCont;s:1;c\nvCont;s:1;c\nbs\nbs\nqRcmd,74696d65\nbc\nvCont;c",
	"vCont;s:1;c\nvCont;s:1;c\nqRcmd,636865636b706f696e74\nM7e0010000000,4:01020304\nbs\nvCont;s:1;c\nvCont;c",
	"Z2,7e0010000004,4\nZ3,7e0010000000,4\nvCont;c\nvCont;c\nbc\nbc\nbs\nz2,7e0010000004,4\nbc\nvCont;s:1\nbc",
	"Z0,10020,1\nZ0,1b18,1\nvCont;c\nqfThreadInfo\nvCont;c\nqRcmd,636865636b706f696e74\nbc\nbs\nP10=2000010000000000" +
		"\nqRcmd,676f746f20636865636b706f696e742031\nbc\nvCont;c",
	"Z2,a0000fff000000000,4\nvCont;s:1;c\nvCont;s:1;c\nqRcmd,676f746f202d31\nvCont;s:41;c\nqRcmd,676f746f20626567696e\nbc",
	"Z0,1b18,1\nvCont;c\nZ2,7e0010020010,4\nbc\nbs\nM7e0010000000,4:01020304\nbc\nqRcmd,676f746f20656e64\nvCont;c",
	"QNonStop:1\n?\nvStopped\nvCont;c\nZ0,1b18,1\nvStopped\nvCont;t\nvStopped\nvStopped\nvCont;s:1\nvStopped\nvCont;c",
	"QNonStop:1\n?\nvStopped\nvCont;c\nvCont;t\nvStopped\nvStopped\nqRcmd,6261636b\nvCont;c" +
		"\nvStopped\nbc\nvStopped\nbs",
	"QNonStop:1\n?\nvStopped\nZ0,1b18,1\nvCont;c\nvStopped\nqRcmd,6261636b206c696e65\nvCont;c" +
		"\nvStopped\nqRcmd,6261636b\nvCont;s:1;c\nqRcmd,6261636b206f6666\nvCont;c",
	"QNonStop:1\nQThreadEvents:1\nvCont;s:1;c\nvCtrlC\nvStopped\ng\nvCont;t:4\nvStopped\nbs\nQNonStop:0\nvCont;s:1",
	"qRcmd,636865636b706f696e74\nvCont;s:1;c\nqRcmd,676f746f20636865636b706f696e742031\nP10=001b000000000000\nbs\nvCont;c",
	"Gffff\nP7=00\nPffff=00\npffff\nmffffffffffffffff,8\nm0,ffffffff\nMe000000000000000,1:00\nZ0,e000000000000008,1",
}

// fuzzed are the programs that sessions are fuzzed on, one of each machine.
var fuzzed = []string{"gcn demo", "ptx recursion", "spirv nodes", "gen tile"}

// A rawLine begins what is sent as it is, without a frame.
const rawLine = 0xff

// oddLines is a conversation of many kinds of packets, most of which make no sense where they are, with noise
// between them.
func oddLines(rnd *rand.Rand) []byte {
	one := func(of ...string) string { return of[rnd.IntN(len(of))] }
	thread := func() string { return one("0", "-1", "1", "2", "41", "42", "ffff", "p1.1", "p0.0", "zz", "") }
	number :=
		func() string { return one("0", "1", "40", "1fff", "ffffffffffffffff", "7e0010000000", "x", "") }
	code := func() string { return fmt.Sprintf("%x", 0x1a00+4*rnd.IntN(0x200)) }
	kinds := []func() string{
		func() string {
			return "vCont;" + one("c", "s", "s:1;c", "t", "r1a00,1b00", "C05", "C0b", "x", "", "s;s")
		},
		func() string { return "vCont;" + one("c", "s", "r1a00,1c00") + ":" + thread() },
		func() string { return one("bc", "bs", "b", "bx") },
		func() string { return one("bc", "bs", "c", "s") },
		func() string { return one("Hc", "Hg", "T", "qThreadExtraInfo,") + thread() },
		func() string { return one("Z0,", "Z0,", "z0,") + code() + one(",1", ",1;X3,220127", ",1;X2,2227") },
		func() string {
			return fmt.Sprintf("%s,7e00100%d00%d0,4", one("Z2", "Z3", "Z4", "z2"), rnd.IntN(4), rnd.IntN(8))
		},
		func() string { return one("m", "x", "qXfer:threads:read::", "qCRC:") + number() + "," + number() },
		func() string {
			return fmt.Sprintf("qRcmd,%x", one("goto begin", "goto end", "goto 5", "goto -10", "checkpoint",
				"time", "goto checkpoint 1", "list active", "list all", "frame", "registers",
				"no such command", "back", "back 3", "back line", "back off", "back zz",
				"map", "map svg", "image", "image input 4x4 at 1 1",
				"image input 300x2 png", "image output x.png"))
		},
		func() string {
			return one("P10=", "P7=", "M7e0010000000,4:", "G") + one("01020304", "001a000000000000", "zz")
		},
		func() string {
			return one("?", "g", "qC", "", "vRun;", "qfThreadInfo", "qsThreadInfo", "vCtrlC", "vStopped")
		},
		func() string {
			return string([]byte{rawLine}) + one("$vCo", "+++", "\x03", "noise", "\x03\x03", "-")
		},
	}
	var lines []string
	if rnd.IntN(2) == 0 {
		lines = append(lines, "QNonStop:1", "?", "vStopped")
		kinds = append(kinds, nonStopKinds(one)...)
	}
	for len(lines) < 40 {
		lines = append(lines, kinds[rnd.IntN(len(kinds))]())
	}
	return []byte(strings.Join(lines, "\n"))
}

// nonStopKinds are what oddLines has besides in non-stop mode: ways to go back, and to hear of what
// has stopped.
func nonStopKinds(one func(of ...string) string) []func() string {
	monitor := func(command string) string { return fmt.Sprintf("qRcmd,%x", command) }
	return []func() string{
		func() string { return monitor(one("back", "back", "back 2", "back 40", "back line", "back off")) },
		func() string { return monitor(one("goto begin", "goto end", "goto -3", "time")) },
		func() string { return "vCont;" + one("c", "c", "s:1;c", "s", "t", "c:1", "t:1") },
		func() string { return "vStopped" },
		func() string { return one("bc", "bs", "bc", "QNonStop:0", "QNonStop:1") },
	}
}

// FuzzSession has arbitrary packets talk to a session, with a history in little memory: it answers each of
// them once, if only when it is interrupted, and ends when the client goes. Then it goes to the beginning and
// comes back to the same state, and so does the session that is made of its recording.
func FuzzSession(f *testing.F) {
	for n, p := range sessionPackets {
		for i := range fuzzed {
			if (n+i)%sweep.Step(len(fuzzed)) == 0 { // each with one program, the next with another
				f.Add(uint8(i), []byte(p))
			}
		}
	}
	rnd := rand.New(sweep.PCG(22, 4))
	for i := range sweep.Times(5, 10) * len(fuzzed) {
		f.Add(uint8(i), oddLines(rnd))
	}
	f.Fuzz(func(t *testing.T, program uint8, packets []byte) {
		s := reversibleSession(t, fuzzed[int(program)%len(fuzzed)])
		s.Remember(1 << 20)
		if err := s.Record(); err != nil {
			t.Fatal(err)
		}
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- rsp.ServeConn(context.Background(), theirs, s, rsp.Options{}) }()
		client := rsp.NewConn(ours, rsp.ConnOptions{})
		nonStop, lines := false, bytes.Split(packets, []byte("\n"))
		for _, line := range lines[:min(len(lines), 40)] {
			if len(line) > 0 && line[0] == rawLine {
				if _, err := ours.Write(line[1:]); err != nil {
					break
				}
				continue
			}
			if bytes.HasPrefix(line, []byte("k")) || // it has no reply, also where the client stays
				nonStop && (bytes.HasPrefix(line, []byte("bs")) || bytes.HasPrefix(line, []byte("bc"))) {
				if client.Send(line) != nil { // going back is answered by a stop alone
					break
				}
			} else if reply, ok := ask(t, client, line); !ok {
				break // the session was ended: killed, or detached from
			} else if bytes.HasPrefix(line, []byte("QNonStop:")) && reply == "OK" {
				nonStop = line[len("QNonStop:")] == '1'
			}
			// What nobody knows has the empty reply, or none where the program is gone.
			if reply, ok := ask(t, client, []byte("vMustReplyEmpty")); ok && reply != "" {
				t.Fatalf("after the reply to %q there is %q", line, reply)
			}
		}
		client.Close()
		<-served
		comesBack(t, s)
	})
}

// How long a program may run after a request before it is interrupted, and how long nothing may come at all.
const (
	runsAtMost = time.Second
	hangs      = 5 * time.Minute
)

// ask sends a packet and takes the reply to it, after what is to be shown to the user; ok is false if the
// session has ended.
func ask(t *testing.T, client *rsp.Conn, packet []byte) (reply string, ok bool) {
	t.Helper()
	var hung atomic.Bool
	defer time.AfterFunc(runsAtMost, func() { client.SendInterrupt() }).Stop()
	defer time.AfterFunc(hangs, func() { hung.Store(true); client.Close() }).Stop()
	err := client.Send(packet)
	for err == nil {
		var b []byte
		if b, err = client.Receive(); err == nil && (len(b) == 0 || b[0] != 'O' || string(b) == "OK") {
			return string(b), true
		}
	}
	if hung.Load() {
		t.Fatalf("no reply to %q", packet)
	}
	return "", false
}

// comesBack goes to the beginning and back to the present.
func comesBack(t *testing.T, s *Session) {
	t.Helper()
	s.retryFaults() // a fault happens again
	now, state := s.past.Now(), simttest.Digest(s.machine)
	for _, to := range []uint64{s.past.Begin(), s.past.End(), now} {
		if err := s.past.Goto(to); err != nil {
			t.Fatalf("from %d to %d: %v", now, to, err)
		}
	}
	if simttest.Digest(s.machine) != state {
		t.Fatalf("time %d is not what it was", now)
	}
	again := recorded(t, s)
	if err := again.past.Goto(now); err != nil {
		t.Fatalf("recorded: %v", err)
	}
	if simttest.Digest(again.machine) != state {
		t.Fatalf("recorded: time %d is not what it was", now)
	}
}

// A wanderer goes to and fro in a session and remembers what the machine was at which time.
type wanderer struct {
	*Session
	t      testing.TB
	places *stopPlaces
	states map[uint64]string // by time, of the future that there is
}

// wander makes a move that a byte names, with another one to choose by. It reports whether the program goes
// on.
func (w *wanderer) wander(ctx context.Context, move, by byte) bool {
	waves := w.machine.Waves()
	wave := waves[int(by)%len(waves)]
	stop := rsp.Stop{Thread: w.view.reported}
	var err error
	r := rsp.Resumption{Actions: []rsp.Action{letAllRun}, Console: io.Discard}
	switch move % 12 {
	case 0, 1, 2:
		r.Actions = stepping(w.view.reported)
		stop, err = w.Resume(ctx, r)
	case 3:
		r.Actions = stepping(w.view.activeLane(wave))
		stop, err = w.Resume(ctx, r)
	case 4:
		stop, err = w.Resume(ctx, r)
	case 5:
		r.Actions = stepping(w.view.activeLane(wave))[:1]
		stop, err = w.ResumeBackward(ctx, r)
	case 6:
		stop, err = w.ResumeBackward(ctx, r)
	case 7:
		at := w.places.code[int(by)%len(w.places.code)]
		if w.hits.breakpoints[at] != nil {
			err = w.RemoveSoftwareBreakpoint(at, 1)
		} else {
			err = w.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: at})
		}
	case 8:
		p := w.places.words[int(by)%len(w.places.words)]
		p.Kind = rsp.WatchKind(int(move/12) % 3)
		_ = w.RemoveWatchpoint(p)
		_ = w.InsertWatchpoint(p) // what belongs to a lane that has ended cannot be watched
	case 9:
		buffer := w.prog.Buffers[0].Region.Base
		err = w.WriteMemory(stop.Thread, buffer+uint64(by%8)*4, []byte{move, by})
		maps.DeleteFunc(w.states, func(at uint64, _ string) bool { return at >= w.past.Now() })
	case 10:
		span := w.past.End() - w.past.Begin()
		err = w.Monitor(ctx, fmt.Sprint("goto ", w.past.Begin()+span*uint64(by)/255), io.Discard)
	case 11:
		_ = w.Monitor(ctx, []string{"checkpoint", "goto checkpoint 1"}[by%2], io.Discard) // there may be none
	}
	if err != nil && ctx.Err() == nil {
		w.t.Fatalf("move %d, %d at %d: %v", move%12, by, w.past.Now(), err)
	}
	return ctx.Err() == nil && stop.Kind == rsp.Stopped && len(w.machine.Waves()) > 0
}

// compare compares the machine with what it was at the same time before.
func (w *wanderer) compare() {
	w.retryFaults()
	now := simttest.Digest(w.machine)
	if before, ok := w.states[w.past.Now()]; ok && before != now {
		w.t.Fatalf("time %d is not what it was", w.past.Now())
	}
	w.states[w.past.Now()] = now
}

// FuzzWander goes to and fro in programs of all machines, with breakpoints, watchpoints and writes: at each
// time the machine is what it was at that time before.
func FuzzWander(f *testing.F) {
	simt.LetPanic = true
	rnd := rand.New(sweep.PCG(5, 8))
	for range 4 * len(fuzzed) {
		moves := make([]byte, 80)
		for i := range moves {
			moves[i] = byte(rnd.Uint32())
		}
		f.Add(uint8(rnd.Uint32()), moves)
	}
	var places []*stopPlaces
	for _, name := range fuzzed {
		places = append(places, stopPlacesOf(f, name))
	}
	f.Fuzz(func(t *testing.T, program uint8, moves []byte) {
		i := int(program) % len(fuzzed)
		s := reversibleSession(t, fuzzed[i])
		s.Remember(1 << 20)
		if err := s.Record(); err != nil {
			t.Fatal(err)
		}
		w := &wanderer{s, t, places[i], map[uint64]string{}}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for n := 0; n+1 < min(len(moves), 200) && w.wander(ctx, moves[n], moves[n+1]); n += 2 {
			s.Threads()
			w.compare()
		}
		if ctx.Err() == nil {
			comesBack(t, s)
		}
	})
}
