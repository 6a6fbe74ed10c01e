package rsp

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func contextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

// newTestSession makes a session whose packets a test hands over directly.
func newTestSession(t testing.TB, target Target) *session {
	ours, theirs := net.Pipe()
	go io.Copy(io.Discard, ours)
	conn := NewConn(theirs, ConnOptions{PacketSize: 0x1000})
	conn.SetNoAck()
	t.Cleanup(func() { conn.Close(); ours.Close() })
	return &session{
		ctx:        context.Background(),
		conn:       conn,
		target:     target,
		packetSize: conn.options.PacketSize,
		stopThread: 1,
		inserted:   map[breakpointKey]struct{}{},
	}
}

func (s *session) ask(packet string) string {
	s.handle([]byte(packet))
	return string(s.reply)
}

// exchange is a request and the reply that is wanted.
type exchange struct{ packet, want string }

func check(t *testing.T, s *session, exchanges []exchange) {
	t.Helper()
	for _, e := range exchanges {
		if got := s.ask(e.packet); got != e.want {
			t.Errorf("%q: got %q, want %q", e.packet, got, e.want)
		}
	}
}

func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }

func TestQueries(t *testing.T) {
	check(t, newTestSession(t, newFakeTarget(3)), []exchange{
		{"", ""},
		{"!", "OK"},
		{"R00", ""},
		{"vMustReplyEmpty", ""},
		{"vRun;", "E58"},
		{"qTStatus", ""},
		{"qOffsets", ""},
		{"QThreadSuffixSupported", ""},
		{"bc", ""},
		{"qC", "QC1"},
		{"qAttached", "1"},
		{"qAttached:2a", "1"},
		{"qSymbol::", "OK"},
		{"qfThreadInfo", "m1,2,3"},
		{"qsThreadInfo", "l"},
		{"qThreadExtraInfo,2", hexOf(`wave <0> & "group" 0`)},
		{"qThreadExtraInfo,9", "E13"},
		{"QNonStop:0", "OK"},
		{"QNonStop:1", "E16"},
		{"T2", "OK"},
		{"T4", "E13"},
		{"Hg2", "OK"},
		{"qC", "QC2"},
		{"Hg0", "OK"},
		{"qC", "QC1"},
		{"Hc-1", "OK"},
		{"Hg9", "E13"},
		{"Hg-2", "E16"},
		{"Hgzz", "E16"},
		{"Hx1", ""},
		{"vCont?", "vCont;c;C;s;S;t;r"},
	})
}

func TestSupported(t *testing.T) {
	const gdb13 = "qSupported:multiprocess+;swbreak+;hwbreak+;qRelocInsn+;fork-events+;vfork-events+;" +
		"exec-events+;vContSupported+;QThreadEvents+;no-resumed+;memory-tagging+;xmlRegisters=i386"
	for _, test := range []struct {
		name   string
		target Target
		packet string
		want   string
	}{
		{"least target", newFakeMachine(1), gdb13,
			"PacketSize=1000;QStartNoAckMode+;vContSupported+;binary-upload+"},
		{"full target", newFakeTarget(1), gdb13,
			"PacketSize=1000;QStartNoAckMode+;vContSupported+;binary-upload+;swbreak+;" +
				"ConditionalBreakpoints+;BreakpointCommands+;QPassSignals+;qXfer:threads:read+;qXfer:features:read+;qXfer:exec-file:read+"},
		{"multiprocess target", multiTarget{newFakeTarget(1)}, gdb13,
			"PacketSize=1000;QStartNoAckMode+;vContSupported+;binary-upload+;" +
				"multiprocess+;swbreak+;ConditionalBreakpoints+;BreakpointCommands+;ReverseContinue+;ReverseStep+;QPassSignals+;" +
				"qXfer:threads:read+;qXfer:features:read+;qXfer:exec-file:read+"},
		{"client that says nothing", multiTarget{newFakeTarget(1)}, "qSupported",
			"PacketSize=1000;QStartNoAckMode+;vContSupported+;binary-upload+;" +
				"ConditionalBreakpoints+;BreakpointCommands+;ReverseContinue+;ReverseStep+;QPassSignals+;" +
				"qXfer:threads:read+;qXfer:features:read+;qXfer:exec-file:read+"},
		{"gdb 16", newFakeMachine(1), gdb13 + ";error-message+",
			"PacketSize=1000;QStartNoAckMode+;vContSupported+;binary-upload+;error-message+"},
	} {
		if diff := cmp.Diff(test.want, newTestSession(t, test.target).ask(test.packet)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	s := newTestSession(t, newFakeTarget(1))
	check(t, s, []exchange{{"m10,4", "E0e"}})
	s.ask("qSupported:error-message+")
	check(t, s, []exchange{
		{"m10,4", "E.read 0x10: bad address"},
		{"qRcmd," + hexOf("rm *#$}"), `E.unknown monitor command "rm": malformed or invalid argument`},
		{"Z0,1,1;X1,31",
			"E.condition of the breakpoint at 0x1: malformed or invalid argument: agent expression: " +
				"bytecode 0x31 at offset 0: unknown bytecode"},
	})
	if got := s.ask("Hg" + strings.Repeat("*#$}", 4)); strings.ContainsAny(got, "*#$}") {
		t.Errorf("%q has bytes that mean something to the framing", got)
	}
}

func TestRegisters(t *testing.T) {
	target := newFakeTarget(2)
	s := newTestSession(t, target)
	check(t, s, []exchange{
		{"p10", "0010400000000000"},
		{"p0", "e803000000000000"},
		{"p39", "00000000"},
		{"p3a", "xxxxxxxx"},
		{"pffff", "E16"},
		{"pffffffffff", "E16"},
		{"p", "E16"},
		{"P0=0102030405060708", "OK"},
		{"p0", "0102030405060708"},
		{"P0=01", "E.write register 0: permission denied"},
		{"P0=0", "E16"},
		{"P0", "E16"},
		{"P18=00000000000000000000", "E.write register 24: permission denied"},
		{"Hg2", "OK"},
		{"p39", "01000000"},
		{"p0", "d007000000000000"},
		{"Gzz", "E16"},
	})
	registers := s.ask("g")
	if want := 2 * (17*8 + 7*4 + 8*10 + 8*4 + 16*16 + 4); len(registers) != want {
		t.Errorf("g has %d digits, want %d", len(registers), want)
	}
	changed := "ffffffffffffffff" + registers[16:]
	check(t, s, []exchange{{"G" + changed, "OK"}, {"g", changed}, {"G00", "E16"}})
}

func TestMemory(t *testing.T) {
	target := newFakeTarget(1)
	s := newTestSession(t, target)
	check(t, s, []exchange{
		{"m602000,4", "00070e15"},
		{"m602000,0", ""},
		{"m641fff,10", hexOf(string(target.data[dataSize-1:]))}, // what there is
		{"m642000,1", "E0e"},
		{"m10000000000000000,1", "E16"},
		{"m602000", "E16"},
		{"m602000,4,", "00070e15"},
		{"M602000,2:0a0b", "OK"},
		{"M602000,3:0a0b", "E16"},
		{"M602000,1:zz", "E16"},
		{"M0,1:00", "E0e"},
		{"X602002,0:", "OK"},
		{"X602002,3:}\x03*a", "OK"},
		{"X602002,1:}", "E16"},
		{"m602000,6", "0a0b232a6123"},
		{"x602001,4", "b\x0b}\x03}\na"},
		{"x602001,0", "b"},
		{"x0,1", "E0e"},
		{"qSearch:memory:602000;100;#*b", "0"},
		{"qSearch:memory:602000;100;}\x03*", "1,602002"},
		{"qSearch:memory:602000;100;", "E16"},
		{"qSearch:memory:602000;50000;zzzzz", "E0e"},
		{"qSearch:memory:0;ffffffffffffffff;a", "E1b"},
		{"qSearch:moon:0;1;a", ""},
		{"qCRC:401000,ffffffffffff", "E1b"},
		{"qCRC:0,10", "E0e"},
		{"qCRC:602000,0", "Cffffffff"},
	})
	if got := len(s.ask("m602000,20000")); got > s.packetSize {
		t.Errorf("a reply of %d bytes in packets of %d", got, s.packetSize)
	}
	for i := range target.data {
		target.data[i] = '}'
	}
	if got := len(s.ask("x602000,20000")); got > s.packetSize {
		t.Errorf("a reply of %d bytes in packets of %d", got, s.packetSize)
	}
}

// TestSearchAcrossPieces looks for a pattern on the border of two reads.
func TestSearchAcrossPieces(t *testing.T) {
	target := newFakeTarget(1)
	clear(target.data)
	copy(target.data[scanPiece-3:], "needle")
	check(t, newTestSession(t, target), []exchange{
		{"qSearch:memory:602000;40000;needle", fmt.Sprintf("1,%x", dataBase+scanPiece-3)},
		{fmt.Sprintf("qSearch:memory:602000;%x;needle", scanPiece+2), "0"},
		{fmt.Sprintf("qSearch:memory:602000;%x;needle", scanPiece+3),
			fmt.Sprintf("1,%x", dataBase+scanPiece-3)},
	})
}

func TestBreakpoints(t *testing.T) {
	target := newFakeTarget(2)
	s := newTestSession(t, target)
	s.ask("qSupported:swbreak+")
	stopAt := func(pc string) string {
		return "T0510:" + pc + "0000000000;7:00a0600000000000;6:00a0600000000000;"
	}
	check(t, s, []exchange{
		{"Z0,401006,1", "OK"},
		{"Z0,401006,1", "OK"}, // again
		{"Z1,401006,1", ""},
		{"Z9,401006,1", ""},
		{"Z0,0,1", "E0e"},
		{"Z", "E16"},
		{"Z0,401006", "E16"},
		{"Z0,401006,1,2", "E16"},
		{"vCont;c", stopAt("061040") + "swbreak:;thread:1;"},
		{"vCont;s:1", stopAt("061040") + "swbreak:;thread:1;"},
		{"z0,401006,1", "OK"},
		{"z0,401006,1", "OK"}, // not there
		{"vCont;s:1", stopAt("091040") + "thread:1;"},
		// A breakpoint of the target's own is a plain signal.
		{"Z2,602008,8", "OK"},
		{"vCont;c:2;s:1", stopAt("0a1040") + "thread:1;"},
	})
	target.breakpoints[addrIncRAX] = Breakpoint{}
	check(t, s, []exchange{
		{"vCont;c", stopAt("001040") + "thread:1;"},
		{"z2,602008,8", "OK"},
	})
	delete(target.breakpoints, addrIncRAX)
	check(t, s, []exchange{
		{"Z2,602010,8", "OK"},
		{"vCont;c", stopAt("091040") + "watch:602010;thread:2;"},
	})
}

// TestBreakpointsWithoutSwbreak serves a client that does not know swbreak.
func TestBreakpointsWithoutSwbreak(t *testing.T) {
	check(t, newTestSession(t, newFakeTarget(1)), []exchange{
		{"Z0,401006,1", "OK"},
		{"vCont;c", "T0510:0610400000000000;7:00a0600000000000;6:00a0600000000000;thread:1;"},
	})
}

func TestConditions(t *testing.T) {
	target := newFakeTarget(2)
	s := newTestSession(t, target)
	condition := func(rax byte) string { // $rax == 256*7+rax
		return fmt.Sprintf("X8,2600002307%02x1327", rax)
	}
	check(t, s, []exchange{
		{"Z0,401006,1;" + condition(0xd5), "OK"}, // 2005
		{"vCont;c", "T0510:0610400000000000;7:00a0600000000000;6:00a0600000000000;thread:2;"},
		{"p0", "d507000000000000"},
		{"Z0,401006,1;" + condition(0xd6) + condition(0xd7), "OK"},
		{"vCont;c", "T0510:0610400000000000;7:00a0600000000000;6:00a0600000000000;thread:2;"},
		{"p0", "d607000000000000"},
		// What cannot be evaluated stops.
		{"Z0,401006,1;X4,22001727", "OK"},
		{"vCont;c", "T0510:0610400000000000;7:00a0600000000000;6:00a0600000000000;thread:2;"},
		{"Z0,401006,1;", "OK"},
		{"Z0,401006,1;X", "E16"},
		{"Z0,401006,1;X2,27", "E16"},
		{"Z0,401006,1;X7fffffff,27", "E16"},
		{"Z0,401006,1;X1,zz", "E16"},
		{"Z0,401006,1;X1,27Y", "E16"},
		{"Z0,401006,1;cmds:1,X1,27", "OK"},
		{"Z0,401006,1;X3,220127;cmds:0,X1,27", "OK"},
		{"Z0,401006,1;cmds:1", "E16"},
	})
	b := target.breakpoints[0x401006]
	if len(b.Conditions) != 1 || len(b.Commands) != 1 || b.CommandsPersist {
		t.Errorf("the breakpoint is %+v", b)
	}
	if got := newTestSession(t, struct {
		*fakeMachine
		SoftwareBreakpointer
	}{newFakeMachine(1), target}).ask("Z0,401006,1;X3,220127"); got != "E58" {
		t.Errorf("a target without conditions answers %q", got)
	}
}

func TestResume(t *testing.T) {
	for _, test := range []struct {
		before string // a packet to send first
		packet string
		want   []Action
	}{
		{"", "vCont;s:2", []Action{{Kind: Step, Thread: 2}}},
		{"", "vCont;s:1;c", []Action{{Kind: Step, Thread: 1}, {Thread: AllThreads}}},
		{"", "vCont;r401000,401006:1;c", []Action{{Kind: StepRange, Thread: 1, Start: 0x401000,
			End: 0x401006},
			{Thread: AllThreads}}},
		{"", "vCont;S0b:1;t", []Action{{Kind: Step, Thread: 1, Signal: SIGSEGV},
			{Kind: Stay, Thread: AllThreads}}},
		{"", "vCont;s:0", []Action{{Kind: Step, Thread: 1}}},
		{"", "vCont;s:-1", []Action{{Kind: Step, Thread: AllThreads}}},
		{"", "s", []Action{{Kind: Step, Thread: 1}, {Thread: AllThreads}}},
		{"", "S05", []Action{{Kind: Step, Thread: 1, Signal: SIGTRAP}, {Thread: AllThreads}}},
		{"Hc2", "s", []Action{{Kind: Step, Thread: 2}}},
		{"Hg2", "s", []Action{{Kind: Step, Thread: 2}, {Thread: AllThreads}}},
	} {
		target := newFakeTarget(2)
		s := newTestSession(t, target)
		if test.before != "" {
			s.ask(test.before)
		}
		if got := s.ask(test.packet); !strings.HasPrefix(got, "T05") {
			t.Errorf("%s: got %q", test.packet, got)
			continue
		}
		if diff := cmp.Diff(test.want, target.resumptions[0].Actions); diff != "" {
			t.Errorf("%s after %q: (-want +got)\n%s", test.packet, test.before, diff)
		}
	}
}

// TestSelectedStays resumes a thread that Hc has selected several times: gdb says so once.
func TestSelectedStays(t *testing.T) {
	target := newFakeTarget(2)
	s := newTestSession(t, target)
	check(t, s, []exchange{{"Hc2", "OK"}})
	want := [][]Action{{{Kind: Step, Thread: 2}}, {{Thread: AllThreads}}, {{Kind: Step, Thread: 2}}}
	for i, packet := range []string{"s", "vCont;c", "s"} {
		target.InsertSoftwareBreakpoint(Breakpoint{Address: addrNop})
		if got := s.ask(packet); !strings.HasPrefix(got, "T05") {
			t.Fatalf("%s: got %q", packet, got)
		}
		if diff := cmp.Diff(want[i], target.resumptions[i].Actions); diff != "" {
			t.Errorf("resumption %d: (-want +got)\n%s", i, diff)
		}
	}
}

func TestResumeErrors(t *testing.T) {
	check(t, newTestSession(t, newFakeTarget(1)), []exchange{
		{"vCont", "E16"},
		{"vCont;", "E16"},
		{"vCont;x", "E16"},
		{"vCont;C", "E16"},
		{"vCont;C100", "E16"},
		{"vCont;r1", "E16"},
		{"vCont;s:zz", "E16"},
		{"vCont;c,s", "E16"},
		{"c401000", "E58"},
		{"C05;401000", "E58"},
	})
}

func TestContinueOld(t *testing.T) {
	target := newFakeTarget(2)
	s := newTestSession(t, target)
	check(t, s, []exchange{{"Z0,401009,1", "OK"}, {"Hc0", "OK"}})
	if got := s.ask("c"); !strings.HasPrefix(got, "T0510:091040") {
		t.Errorf("c: got %q", got)
	}
	if diff := cmp.Diff([]Action{{Thread: AllThreads}}, target.resumptions[0].Actions); diff != "" {
		t.Errorf("c: (-want +got)\n%s", diff)
	}
}

func TestStopReplies(t *testing.T) {
	target := newFakeTarget(2)
	for _, test := range []struct {
		stop                Stop
		plain, multiprocess string
	}{
		{Stop{Signal: SIGTRAP, Thread: 2}, "T05thread:2;", "T05thread:p2a.2;"},
		{Stop{Signal: SIGSEGV}, "T0b", "T0b"},
		{Stop{Kind: Exited, Code: 3}, "W03", "W03;process:2a"},
		{Stop{Kind: Terminated, Signal: SIGKILL}, "X09", "X09;process:2a"},
		{Stop{Kind: NothingResumed}, "N", "N"},
		{Stop{Signal: SIGTRAP, Thread: 2, Cause: CauseReadWatch, Address: 0xabc}, "T05rwatch:abc;thread:2;",
			"T05rwatch:abc;thread:p2a.2;"},
		{Stop{Signal: SIGTRAP, Thread: 2, Cause: CauseAccessWatch, Address: 0xabc}, "T05awatch:abc;thread:2;",
			"T05awatch:abc;thread:p2a.2;"},
		{Stop{Thread: 1, Cause: CauseReplayEnd}, "T00replaylog:end;thread:1;",
			"T00replaylog:end;thread:p2a.1;"},
	} {
		target.stop = test.stop
		if got := newTestSession(t, target).ask("?"); got != test.plain {
			t.Errorf("%+v: got %q, want %q", test.stop, got, test.plain)
		}
		s := newTestSession(t, multiTarget{target})
		s.ask("qSupported:multiprocess+;hwbreak+")
		if got := s.ask("?"); got != test.multiprocess {
			t.Errorf("%+v with multiprocess: got %q, want %q", test.stop, got, test.multiprocess)
		}
	}
}

// A changing target is one whose program becomes another.
type changing struct{ *fakeTarget }

func (changing) ChangesProgram() {}

// TestProgramChanges tells a client that follows exec events of another program: what it
// had inserted is gone. Other clients hear of a plain signal.
func TestProgramChanges(t *testing.T) {
	target := changing{newFakeTarget(1)}
	target.stop = Stop{Signal: SIGTRAP, Thread: 1, Program: "/k"}
	s := newTestSession(t, target)
	if got := s.ask("qSupported:exec-events+;swbreak+"); !strings.Contains(got, ";exec-events+") {
		t.Error(got)
	}
	s.ask("Z0,1000,1")
	if got := s.ask("?"); got != "T05exec:2f6b;thread:1;" {
		t.Error(got)
	}
	if len(s.inserted) != 0 {
		t.Errorf("%v is still inserted", s.inserted)
	}
	if got := newTestSession(t, target).ask("?"); got != "T05thread:1;" {
		t.Error(got)
	}
}

func TestMultiprocess(t *testing.T) {
	target := multiTarget{newFakeTarget(3)}
	s := newTestSession(t, target)
	s.ask("qSupported:multiprocess+")
	check(t, s, []exchange{
		{"qC", "QCp2a.1"},
		{"qfThreadInfo", "mp2a.1,p2a.2,p2a.3"},
		{"Hgp2a.2", "OK"},
		{"qC", "QCp2a.2"},
		{"Hgp0.0", "OK"},
		{"Hgp2b.1", "E13"},
		{"Hgp-1.-1", "OK"},
		{"Hgp2a", "OK"},
		{"Hgp", "E16"},
		{"Tp2a.3", "OK"},
		{"Tp2a.4", "E13"},
		{"qAttached:2a", "0"},
		{"bs", "T05replaylog:begin;thread:p2a.1;"},
		{"bc", "T05replaylog:begin;thread:p2a.1;"},
		{"vCont;s:p2a.2", "T0510:0310400000000000;7:00a0600000000000;6:00a0600000000000;thread:p2a.2;"},
		{"vCont;s:p2a.-1", "T0510:0310400000000000;7:00a0600000000000;6:00a0600000000000;thread:p2a.1;"},
		{"vKill;2a", "OK"},
	})
	all := Action{Kind: Continue, Thread: AllThreads}
	want := []Action{{Kind: Step, Thread: 1}, all, all, {Kind: Step, Thread: 2},
		{Kind: Step, Thread: AllThreads}}
	var got []Action
	for _, r := range target.resumptions {
		got = append(got, r.Actions...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("actions: (-want +got)\n%s", diff)
	}
	if !target.killed {
		t.Error("vKill has not killed")
	}
}

func TestMonitor(t *testing.T) {
	c, ended := newRawClient(t, newFakeTarget(1), Options{PacketSize: MinPacketSize})
	c.noAck()
	text := strings.Repeat("x", 200)
	c.sendPacket("qRcmd," + hexOf("echo hi"))
	c.expectPacket("O" + hexOf("hi\n"))
	c.expectPacket("OK")
	c.sendPacket("qRcmd," + hexOf("echo "+text[:100]))
	c.expectPacket("O" + hexOf(text[:100]+"\n"))
	c.expectPacket("OK")
	c.sendPacket("qRcmd," + hexOf("nonsense"))
	c.expectPacket("O" + hexOf(`unknown monitor command "nonsense": malformed or invalid argument`+"\n"))
	c.expectPacket("E16")
	c.sendPacket("qRcmd,zz")
	c.expectPacket("E16")
	c.sendPacket("qRcmd," + hexOf("wait")) // for the client to go away
	c.wire.Close()
	within(t, ended)
}

func TestPassSignals(t *testing.T) {
	target := newFakeTarget(1)
	check(t, newTestSession(t, target), []exchange{
		{"QPassSignals:e;10;14;ffff", "OK"},
		{"QPassSignals:zz", "E16"},
	})
	if diff := cmp.Diff([]Signal{14, 16, 20}, target.passed); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLeastTarget(t *testing.T) {
	check(t, newTestSession(t, newFakeMachine(1)), []exchange{
		{"Z0,401000,1", ""}, {"z0,401000,1", ""}, {"Z1,401000,1", ""}, {"Z2,401000,1", ""},
		{"qXfer:features:read:target.xml:0,100", ""}, {"qXfer:threads:read::0,100", ""},
		{"vFile:setfs:0", ""}, {"vFile:open:00,0,0", ""},
		{"qRcmd,00", ""}, {"qThreadExtraInfo,1", ""}, {"QPassSignals:", ""}, {"bs", ""},
		{"m401000,1", "48"},
	})
}

func TestKill(t *testing.T) {
	for _, packet := range []string{"k", "vKill;1"} {
		target := newFakeTarget(1)
		c, ended := newRawClient(t, target, Options{})
		c.noAck()
		c.sendPacket(packet)
		if err := within(t, ended); err == nil || err.Error() != ErrKilled.Error() || !target.killed {
			t.Errorf("%s: ServeConn returned %v, killed is %v", packet, err, target.killed)
		}
	}
}

func FuzzPacket(f *testing.F) {
	for _, seed := range []string{
		"qSupported:multiprocess+;swbreak+", "vCont;s:1;c:2", "vCont;r1,2:p2a.1",
		"Z0,401006,1;X4,22001727;cmds:0,X1,27",
		"X602000,3:}\x03*a", "M602000,2:0a0b", "qXfer:features:read:target.xml:0,fff", "vFile:open:2f,0,0",
		"vFile:pread:1,4,0",
		"qSearch:memory:602000;100;ab", "qCRC:602000,100", "qRcmd,6563686f", "Hgp2a.-1", "P0=00", "G00",
		"QPassSignals:e;f",
	} {
		f.Add([]byte(seed), []byte("g"))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		s := newTestSession(t, multiTarget{newFakeTarget(2)})
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // a program that would run for ever stops at once
		s.ctx = ctx
		for _, packet := range [][]byte{first, second, first} {
			if strings.HasPrefix(string(packet), "qRcmd,77616974") {
				return // the command that waits
			}
			s.handle(append([]byte(nil), packet...))
			if len(s.reply) > s.packetSize {
				t.Fatalf("%q: reply of %d bytes in packets of %d", packet, len(s.reply), s.packetSize)
			}
			d := decoder{limit: s.packetSize, expandRuns: true}
			frames := 0
			d.decode(appendFrame(nil, s.reply), func(f frame) {
				if f.kind == framePacket {
					frames++
				}
			})
			if frames != 1 {
				t.Fatalf("%q: the reply %q is not one packet", packet, s.reply)
			}
		}
	})
}

func BenchmarkThreadsObject(b *testing.B) {
	target := newFakeTarget(16384)
	s := newTestSession(b, target)
	s.packetSize = DefaultPacketSize
	b.ReportAllocs()
	for b.Loop() {
		offset := 0
		for more := true; more; {
			reply := s.ask(fmt.Sprintf("qXfer:threads:read::%x,1fff0", offset))
			offset += len(reply) - 1
			more = reply[0] == 'm'
		}
	}
}

func BenchmarkReadRegisters(b *testing.B) {
	s := newTestSession(b, newFakeTarget(1))
	b.ReportAllocs()
	for b.Loop() {
		s.handle([]byte("g"))
	}
}

// BenchmarkRoundTrip is one request and reply over loopback.
func BenchmarkRoundTrip(b *testing.B) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	go func() {
		finished <- Serve(ctx, ln, func(context.Context) (Target, error) { return newFakeTarget(1), nil },
			Options{})
	}()
	wire, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	client := NewConn(wire, ConnOptions{Client: true})
	ask := func(packet string) {
		if err := client.Send([]byte(packet)); err != nil {
			b.Fatal(err)
		}
		if _, err := client.Receive(); err != nil {
			b.Fatal(err)
		}
	}
	ask("QStartNoAckMode")
	client.SetNoAck()
	for b.Loop() {
		ask("p10")
	}
	client.Close()
	cancel()
	<-finished
}

// TestExtendedMode ends the program and goes on asking.
func TestExtendedMode(t *testing.T) {
	for _, test := range []struct {
		packet string
		ended  error
	}{{"vKill;1", ErrKilled}, {"D;1", nil}} {
		target := newFakeTarget(1)
		c, ended := newRawClient(t, target, Options{})
		c.noAck()
		for _, exchange := range [][2]string{
			{"!", "OK"}, {"vRun;", "E58"}, {test.packet, "OK"}, {"?", "W00"}, {"qfThreadInfo", "l"},
			{"qXfer:threads:read::0,fff", "l<threads></threads>"},
			{"Hg0", "OK"},
			{"vFile:setfs:0", "F0"}, {"g", "E13"}, {"vCont;c", "E13"}, {"vRun;", "E58"}, {"vNonsense", ""},
		} {
			c.sendPacket(exchange[0])
			c.expectPacket(exchange[1])
		}
		c.wire.Close()
		if err := within(t, ended); !errors.Is(err, test.ended) {
			t.Errorf("%s: ServeConn returned %v", test.packet, err)
		}
	}
}
