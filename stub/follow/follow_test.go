//go:build linux

package follow

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/check"
	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/device"
	"simtgdb/stub/device/devicetest"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// A kernel is one that the program of the tests launches, by the letter that stands for that.
type kernel struct {
	module, name string
	index        int
	grid, block  int
	args         func(x, y uint64) []any
}

func number(v uint64, size int) string {
	return string(binary.LittleEndian.AppendUint64(nil, v)[:size])
}

func saxpyArgs(n uint64) func(x, y uint64) []any {
	return func(x, y uint64) []any {
		return []any{4, 0, number(n, 4), 0, number(uint64(math.Float32bits(2)), 4),
			0, number(x, 8), 0, number(y, 8)}
	}
}

func inOut(x, y uint64) []any { return []any{2, 0, number(x, 8), 0, number(y, 8)} }

// bufferSize is what each of the two buffers has.
const bufferSize = 4 * 512

// kernels are y[i] += 2*x[i] of 64 elements, the same beyond the end of y, sums of x as integers, and one
// with a race in LDS.
var kernels = map[string]*kernel{
	"a": {module: "co/saxpy.gfx90a.O2.co", name: "saxpy", grid: 64, block: 64, args: saxpyArgs(64)},
	"f": {module: "co/saxpy.gfx90a.O2.co", name: "saxpy", grid: 64, block: 64,
		args: func(x, y uint64) []any { return saxpyArgs(64)(x, y+bufferSize) }},
	"b": {module: "co/reduction.gfx90a.O2.co", name: "reduction", grid: 128, block: 64,
		args: func(x, y uint64) []any {
			return append(append([]any{3}, inOut(x, y)[1:]...), 0, number(128, 4))
		}},
	"r": {module: "check/defects.O0.co", name: "tile_race", grid: 128, block: 128, args: inOut},
}

// A bench is a program whose launches a follower shows to the gdb of a test.
type bench struct {
	*testing.T
	f      *Follower
	server *device.Server
	client *devicetest.Client
	x, y   uint64
	data   []byte // of y
	module map[string]int

	mu    sync.Mutex
	said  []string // what the options' functions are told
	waits chan bool
	leave chan bool // the program is to go
	left  chan bool // it has, and whether gdb waits for an answer
	over  chan bool // it has ended
	// The program waits, and is to go on.
	reached, on chan bool
	gone        bool
}

// say notes what a function of the options is told.
func (b *bench) say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, fmt.Sprintf(format, args...))
}

// heard is what was said since the last time.
func (b *bench) heard() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	said := strings.Join(b.said, "; ")
	b.said = nil
	return said
}

// A setting is what launches are to be followed with.
type setting struct {
	stops   []int // numbers of launches that are to stop
	kinds   check.Kinds
	history uint64
	atEnd   bool
}

// start has a program launch kernels by their letters, one after the other. Between them "h" stands for 1
// that the program writes to y, "w" for that it waits until it is to go on, and "." at the end for that it
// goes when it is to, whatever is under way.
func start(t *testing.T, set setting, launches string) *bench {
	b := &bench{T: t, module: map[string]int{}, waits: make(chan bool, 10), leave: make(chan bool),
		over: make(chan bool), left: make(chan bool),
		reached: make(chan bool), on: make(chan bool)}
	b.f = New(Options{
		Facade: facade.Host(), History: set.history, Workers: 1, StopAtEnd: set.atEnd,
		Stops: func(l *device.Launch) bool { return slices.Contains(set.stops, l.Number) },
		Defect: func(l *device.Launch, r *check.Report, shown bool) {
			b.say("launch %d: %v, shown %v", l.Number, r.Kind, shown)
		},
		Check: func(again *device.Launch, kinds check.Kinds) {
			b.say("launch %d again", again.Number)
			again.Program.LookFor(kinds, nil)
		},
		Waits: func(l *device.Launch) { b.waits <- true },
		Kill:  func() { b.say("killed"); b.goes() },
		Left: func(busy bool) {
			select {
			case b.left <- busy:
			default:
			}
		},
	})
	b.server = devicetest.Listen(t, device.Options{Strict: true, Past: set.history, Leaving: b.f.Leaving,
		Run: func(ctx context.Context, l *device.Launch) (simt.Event, error) {
			if set.kinds != 0 {
				l.Program.LookFor(set.kinds, nil)
			}
			ev, err := b.f.Run(ctx, l)
			if err == nil && ev.Kind == simt.FaultEvent {
				b.say("launch %d faults", l.Number)
			}
			return ev, err
		}})
	ln, err := net.Listen("unix", path.Join(t.TempDir(), "gdb"))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- b.f.Serve(ln) }()
	t.Cleanup(func() {
		b.f.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	b.client = devicetest.Connect(t, b.server)
	var data []byte
	b.x, data = b.client.Alloc(bufferSize)
	for i := range bufferSize / 4 {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(1))
	}
	b.y, b.data = b.client.Alloc(bufferSize)
	b.load(launches)
	go b.program(launches)
	return b
}

// load loads the modules of the launches, in their order.
func (b *bench) load(launches string) {
	for _, letter := range launches {
		k := kernels[string(letter)]
		if k == nil {
			continue
		}
		file, err := os.ReadFile("../../testdata/" + k.module)
		if err != nil {
			b.Fatal(err)
		}
		if _, loaded := b.module[k.module]; !loaded {
			b.module[k.module] = len(b.module)
			b.client.Ask(device.OpLoad, string(file), 0)
		}
		m, err := launch.OpenModuleData(file, "gfx90a")
		if err != nil {
			b.Fatal(err)
		}
		for i := range m.Kernels {
			if m.Kernels[i].Name == k.name {
				k.index = i
			}
		}
	}
}

// status is what the program exits with.
const status = 7

// program is what the program does.
func (b *bench) program(launches string) {
	defer close(b.over)
	wait := func() { b.client.Ask(device.OpWait, 0, 0, 0) }
	for i, letter := range launches {
		switch letter {
		case 'h':
			binary.LittleEndian.PutUint32(b.data, math.Float32bits(1))
		case '.':
			<-b.leave
		case 'w':
			b.reached <- true
			<-b.on
		default:
			k := kernels[string(letter)]
			sizes := []any{0, b.module[k.module], k.index, k.grid, 1, 1, k.block, 1, 1, 0, 0, 0, 0, 0, 0}
			b.client.Ask(device.OpLaunch, append(sizes, k.args(b.x, b.y)...)...)
			if !strings.HasPrefix(launches[i+1:], ".") {
				wait()
			}
		}
	}
	b.client.Conn.Close()
	b.server.Wait(10 * time.Second)
	b.f.Ended(status)
}

// goes has the program go.
func (b *bench) goes() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.gone {
		b.gone = true
		close(b.leave)
	}
}

// A gdb is a client of the follower.
type gdb struct {
	*bench
	*target
	ctx    context.Context
	thread rsp.ThreadID // of the latest stop
}

// connect connects a gdb, which waits for a launch that it is to be shown, but not for ever.
func (b *bench) connect() *gdb {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	b.Cleanup(cancel)
	t, err := b.f.connect(ctx)
	if err != nil {
		b.Fatal(err)
	}
	return &gdb{b, t.(*target), ctx, t.StopReason().Thread}
}

// launch is the number of the launch that gdb is shown.
func (g *gdb) launch() int { return g.visit.launch.Number }

// entry is where the kernel begins that is shown, and next where its second instruction does.
func (g *gdb) entry() uint64 { return g.visit.program().Kernel.Entry }

// second is where its second instruction is.
func (g *gdb) second() uint64 { return g.entry() + 8 }

// told says in a line what gdb is told: of another program by its name, and what the user is.
func (g *gdb) told(stop rsp.Stop, err error, console string) string {
	var all []string
	g.thread = stop.Thread
	switch {
	case err != nil:
		return err.Error()
	case stop.Program != "":
		name, _, _ := strings.Cut(path.Base(stop.Program), "-")
		all = append(all, "new program "+name)
	case stop.Kind == rsp.Exited:
		all = append(all, fmt.Sprint("exited ", stop.Code))
	case stop.Kind == rsp.Terminated:
		all = append(all, fmt.Sprint("terminated by ", stop.Signal))
	default:
		all = append(all, fmt.Sprint("signal ", stop.Signal, causes[stop.Cause], " in launch ", g.launch()))
	}
	for i, line := range strings.Split(console, "\n") { // of a fault what it is, not where
		if line != "" && (i == 0 || strings.HasPrefix(line, "launch ")) {
			all = append(all, line)
		}
	}
	return strings.Join(all, ": ")
}

var causes = map[rsp.StopCause]string{rsp.CauseSoftwareBreakpoint: " at a breakpoint",
	rsp.CauseWatch: " by a watchpoint", rsp.CauseReplayBegin: " at the beginning"}

// do performs a command, and says what gdb is told.
func (g *gdb) do(command string) string {
	g.Helper()
	if does := quiet[command]; does != nil {
		g.try(does(g))
		return ""
	}
	if asks := asking[command]; asks != nil {
		return asks(g)
	}
	until, again := strings.CutPrefix(command, "continue ")
	if again && (until == "each time" || strings.HasPrefix(until, "to")) {
		first := g.do("continue")
		told := first
		for told == first && until != fmt.Sprint("to thread ", g.thread) {
			told = g.do("continue")
		}
		return told
	}
	var console strings.Builder
	r := rsp.Resumption{Actions: []rsp.Action{goAll}, Console: &console}
	resume := g.Resume
	if name, back := strings.CutPrefix(command, "back"); back {
		command, resume = "continue"+name, g.ResumeBackward
	}
	switch command {
	case "continue":
	case "continue and interrupt": // while the program waits
		interrupt := make(chan struct{})
		r.Interrupt = interrupt
		go func() {
			<-g.reached
			interrupt <- struct{}{}
			g.on <- true
		}()
	case "continue with its signal":
		r.Actions[0].Signal = rsp.SIGSEGV
	case "continue by a step":
		r.Actions = slices.Insert(r.Actions, 0, rsp.Action{Kind: rsp.Step, Thread: g.thread})
	default:
		g.Fatal(command)
	}
	stop, err := resume(g.ctx, r)
	return g.told(stop, err, console.String())
}

var goAll = rsp.Action{Kind: rsp.Continue, Thread: rsp.AllThreads}

// quiet are commands after which gdb is told nothing.
var quiet = map[string]func(g *gdb) error{
	"break": func(g *gdb) error {
		return g.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: g.second(), Size: 1})
	},
	"hbreak": func(g *gdb) error {
		return g.InsertHardwareBreakpoint(rsp.Breakpoint{Address: g.second(), Size: 1})
	},
	"break elsewhere": func(g *gdb) error {
		return g.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: 4, Size: 1})
	},
	"delete":   func(g *gdb) error { return g.RemoveSoftwareBreakpoint(g.second(), 1) },
	"hdelete":  func(g *gdb) error { return g.RemoveHardwareBreakpoint(g.second(), 1) },
	"watch":    func(g *gdb) error { return g.InsertWatchpoint(g.onY()) },
	"unwatch":  func(g *gdb) error { return g.RemoveWatchpoint(g.onY()) },
	"kill":     func(g *gdb) error { return g.Kill() },
	"detach":   func(g *gdb) error { return g.Detach() },
	"hang up":  func(g *gdb) error { return g.Close() },
	"non-stop": func(g *gdb) error { return g.SetNonStop(true) },
	"ask for more": func(g *gdb) error {
		g.working()
		return nil
	},
}

// asking are commands with answers.
var asking = map[string]func(g *gdb) string{
	"connect": func(g *gdb) string { return fmt.Sprint("launch ", g.launch()) },
	"again": func(g *gdb) string {
		*g = *g.connect()
		return fmt.Sprint("launch ", g.launch())
	},
	"the program goes": func(g *gdb) string {
		g.goes()
		return fmt.Sprint("busy ", <-g.left)
	},
	"value": func(g *gdb) string { return fmt.Sprint(g.value()) },
	"nobody is waited for any more": func(g *gdb) string {
		select {
		case <-g.f.served:
			return ""
		case <-g.ctx.Done():
			return "still"
		}
	},
	"threads": func(g *gdb) string { return g.threads() },
	"start": func(g *gdb) string {
		g.try(g.Start([]rsp.Action{goAll}))
		return g.progress()
	},
	"start until the program waits": func(g *gdb) string {
		g.try(g.Start([]rsp.Action{goAll}))
		for {
			stops, running, err := g.Progress()
			if len(stops) > 0 || !running || err != nil {
				return fmt.Sprint(stops, running, err)
			}
			select {
			case <-g.reached:
				return ""
			default:
			}
		}
	},
	"stop, and the program goes on": func(g *gdb) string {
		g.try(g.Start([]rsp.Action{{Kind: rsp.Stay, Thread: rsp.AllThreads}}))
		g.on <- true
		return g.progress()
	},
	"interrupt, and the program goes on": func(g *gdb) string {
		g.try(g.Interrupt())
		g.on <- true
		return g.progress()
	},
	"the program goes on": func(g *gdb) string {
		g.try(g.Start([]rsp.Action{goAll}))
		g.on <- true
		return g.progress()
	},
	"write": func(g *gdb) string {
		b := make([]byte, 4)
		if _, err := g.ReadMemory(g.thread, g.y, b); err != nil {
			return err.Error()
		}
		if err := g.WriteMemory(g.thread, g.y, b); err != nil {
			return err.Error()
		}
		return fmt.Sprint("launch ", g.launch(), " may be written to")
	},
	"monitor back": func(g *gdb) string {
		var out strings.Builder
		g.try(g.Monitor(g.ctx, "back", &out))
		return strings.TrimSpace(out.String())
	},
}

// threads says how many threads there are, and what the thread of the latest stop is.
func (g *gdb) threads() string {
	g.Helper()
	all := g.Threads()
	text := fmt.Sprintf("%d, last %d, alive %v, %s and %s", len(all), all[len(all)-1],
		g.ThreadAlive(g.thread), g.DescribeThread(g.thread).Name, g.DescribeThread(2).Name)
	var b [4]byte
	if _, err := g.ReadMemory(g.thread, g.y, b[:]); err != nil {
		text += ", without memory"
	}
	var w rsp.RegisterWriter
	if g.ReadRegisters(g.thread, &w) != nil || g.ReadRegister(g.thread, 16, &w) != nil {
		text += ", without registers"
	}
	return text
}

// progress lets the program run in non-stop mode until there is something to report.
func (g *gdb) progress() string {
	g.Helper()
	for g.ctx.Err() == nil {
		stops, running, err := g.Progress()
		if len(stops) == 0 && running && err == nil {
			continue
		}
		if len(stops) == 0 {
			return fmt.Sprint("nothing runs ", err)
		}
		var console strings.Builder
		g.ShowTexts(&console)
		return g.told(stops[len(stops)-1], err, console.String())
	}
	return "nothing happens"
}

// onY is a watchpoint on the first element of y.
func (g *gdb) onY() rsp.Watchpoint {
	return rsp.Watchpoint{Kind: rsp.WatchWrite, Address: g.y, Size: 4}
}

func (g *gdb) try(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// value is the first element of y as gdb reads it.
func (g *gdb) value() float32 {
	g.Helper()
	var b [4]byte
	if n, err := g.ReadMemory(g.StopReason().Thread, g.y, b[:]); n != 4 || err != nil {
		g.Fatal(n, err)
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b[:]))
}

// A line of a dialogue is a command, and what gdb is told.
type line struct{ command, told string }

// A dialogue is what becomes of a program while a gdb looks at it.
type dialogue struct {
	name     string
	set      setting
	launches string
	lines    []line
	said     string  // what the options' functions are told
	leaves   float32 // what the program has in the end where gdb has watched
}

func (d *dialogue) run(t *testing.T) {
	b := start(t, d.set, d.launches)
	g := b.connect()
	if len(b.waits) != 1 {
		t.Errorf("%d launches have waited for gdb", len(b.waits))
	}
	for _, l := range d.lines {
		if told := g.do(l.command); told != l.told {
			t.Fatalf("%s: gdb is told\n%s\nwant\n%s", l.command, told, l.told)
		}
	}
	select {
	case <-b.over:
	case <-g.ctx.Done():
		t.Fatal("the program is there still")
	}
	if said := b.heard(); said != d.said {
		t.Errorf("the options' functions are told %q, want %q", said, d.said)
	}
	left := math.Float32frombits(binary.LittleEndian.Uint32(b.data))
	if left != d.leaves && d.leaves != anything {
		t.Errorf("%v is left, want %v", left, d.leaves)
	}
	last := d.lines[len(d.lines)-1]
	if told := b.f.Told(0); told != (last.told == fmt.Sprint("exited ", status)) {
		t.Errorf("gdb has heard of the end: %v", told)
	}
	if b.f.Detached() != (last.command == "detach") {
		t.Errorf("detached: %v", b.f.Detached())
	}
}
