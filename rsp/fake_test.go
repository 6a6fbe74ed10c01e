package rsp

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"simtgdb/rsp/agent"
)

// The fake target is a tiny x86-64 machine: a handful of threads that run the
// same loop over the few instructions it knows.
const (
	codeBase = 0x401000
	dataBase = 0x602000
	dataSize = 0x40000

	addrIncRAX = codeBase
	addrIncRBX = codeBase + 3
	addrStore  = codeBase + 6
	addrNop    = codeBase + 9
	addrJump   = codeBase + 10
	addrExit   = codeBase + 12
)

// fakeCode is worker: inc rax; inc rbx; mov [rdi],rax; nop; jmp worker; and then,
// as leave, hlt.
var fakeCode = []byte{
	0x48, 0xff, 0xc0,
	0x48, 0xff, 0xc3,
	0x48, 0x89, 0x07,
	0x90,
	0xeb, 0xf4,
	0xf4,
}

// fakeData is what the data memory has at first.
var fakeData = func() []byte {
	data := make([]byte, dataSize)
	for i := range data {
		data[i] = byte(i * 7)
	}
	return data
}()

// Register numbers of the target description.
const (
	regRAX       = 0
	regRBX       = 1
	regRDI       = 5
	regRBP       = 6
	regRSP       = 7
	regRIP       = 16
	regSegments  = 17 // eflags and the segment registers: 4 bytes each
	regST0       = 24
	regFCtrl     = 32
	regXMM0      = 40
	regMXCSR     = 56
	regLane      = 57 // of a feature of our own, outside the g packet
	regMissing   = 58 // always unavailable
	registersInG = 57
)

func registerSize(n int) int {
	switch {
	case n <= regRIP:
		return 8
	case n < regST0:
		return 4
	case n < regFCtrl:
		return 10
	case n < regXMM0:
		return 4
	case n < regMXCSR:
		return 16
	}
	return 4
}

type fakeThread struct {
	id   ThreadID
	regs [17]uint64
}

// fakeMachine is what all fake targets share; it has the least that a Target needs.
type fakeMachine struct {
	mu      sync.Mutex // against the test, which looks from outside
	threads []*fakeThread
	code    []byte
	data    []byte
	stop    Stop

	breakpoints map[uint64]Breakpoint
	watches     map[Watchpoint]struct{}
	resumptions []Resumption
	killed      bool
	detached    bool
	running     chan struct{} // receives something when a Resume begins
	evaluations int
	resumeError error // what Resume answers, if set
}

func newFakeMachine(threads int) *fakeMachine {
	m := &fakeMachine{
		code:        append([]byte(nil), fakeCode...),
		data:        bytes.Clone(fakeData),
		breakpoints: map[uint64]Breakpoint{},
		watches:     map[Watchpoint]struct{}{},
		running:     make(chan struct{}, 1),
	}
	for i := 1; i <= threads; i++ {
		th := &fakeThread{id: ThreadID(i)}
		th.regs[regRAX] = uint64(1000 * i)
		th.regs[regRDI] = dataBase + 8*uint64(i)
		th.regs[regRSP] = dataBase + 0x8000
		th.regs[regRBP] = dataBase + 0x8000
		th.regs[regRIP] = codeBase
		m.threads = append(m.threads, th)
	}
	m.stop = m.stopped(Stop{Signal: SIGTRAP, Thread: 1})
	return m
}

func (m *fakeMachine) thread(t ThreadID) (*fakeThread, error) {
	if t < 1 || int(t) > len(m.threads) {
		return nil, fmt.Errorf("thread %d: %w", t, ENODEV)
	}
	return m.threads[t-1], nil
}

func (m *fakeMachine) Threads() []ThreadID {
	var ids []ThreadID
	for _, th := range m.threads {
		ids = append(ids, th.id)
	}
	return ids
}

func (m *fakeMachine) ThreadAlive(t ThreadID) bool {
	_, err := m.thread(t)
	return err == nil
}

func (m *fakeMachine) ReadRegisters(t ThreadID, w *RegisterWriter) error {
	for n := range registersInG {
		if err := m.ReadRegister(t, n, w); err != nil {
			return err
		}
	}
	return nil
}

func (m *fakeMachine) ReadRegister(t ThreadID, n int, w *RegisterWriter) error {
	th, err := m.thread(t)
	switch {
	case err != nil:
		return err
	case n < len(th.regs):
		w.Uint64(th.regs[n])
	case n == regLane:
		w.Uint32(uint32(t) - 1)
	case n == regMissing:
		w.Unavailable(4)
	case n < registersInG:
		w.Bytes(make([]byte, registerSize(n)))
	default:
		return fmt.Errorf("register %d: %w", n, EINVAL)
	}
	return nil
}

func (m *fakeMachine) WriteRegister(t ThreadID, n int, data []byte) error {
	th, err := m.thread(t)
	if err != nil {
		return err
	}
	if n >= len(th.regs) || len(data) != 8 {
		return fmt.Errorf("write register %d: %w", n, EACCES)
	}
	th.regs[n] = binary.LittleEndian.Uint64(data)
	return nil
}

func (m *fakeMachine) WriteRegisters(t ThreadID, data []byte) error {
	th, err := m.thread(t)
	if err != nil {
		return err
	}
	if len(data) < 8*len(th.regs) {
		return EINVAL
	}
	for n := range th.regs {
		th.regs[n] = binary.LittleEndian.Uint64(data[8*n:])
	}
	return nil
}

// at gives the memory from addr to the end of its region.
func (m *fakeMachine) at(addr uint64) []byte {
	switch {
	case addr >= codeBase && addr < codeBase+uint64(len(m.code)):
		return m.code[addr-codeBase:]
	case addr >= dataBase && addr < dataBase+uint64(len(m.data)):
		return m.data[addr-dataBase:]
	}
	return nil
}

func (m *fakeMachine) ReadMemory(_ ThreadID, addr uint64, buf []byte) (int, error) {
	if n := copy(buf, m.at(addr)); n > 0 {
		return n, nil
	}
	return 0, fmt.Errorf("read 0x%x: %w", addr, EFAULT)
}

func (m *fakeMachine) WriteMemory(_ ThreadID, addr uint64, data []byte) error {
	if to := m.at(addr); len(to) >= len(data) {
		copy(to, data)
		return nil
	}
	return fmt.Errorf("write 0x%x: %w", addr, EFAULT)
}

func (m *fakeMachine) StopReason() Stop { return m.stop }

func (m *fakeMachine) Kill() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.killed = true
	return nil
}

func (m *fakeMachine) Detach() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.detached = true
	return nil
}

// stopped completes a Stop.
func (m *fakeMachine) stopped(s Stop) Stop {
	s.Registers = []int{regRIP, regRSP, regRBP, regMissing, 999}
	return s
}

func (m *fakeMachine) Resume(ctx context.Context, r Resumption) (Stop, error) {
	m.mu.Lock()
	m.resumptions = append(m.resumptions, r)
	m.mu.Unlock()
	select {
	case m.running <- struct{}{}:
	default:
	}
	if m.resumeError != nil {
		return Stop{}, m.resumeError
	}
	for {
		select {
		case <-ctx.Done():
			return Stop{}, ctx.Err()
		case <-r.Interrupt:
			m.stop = m.stopped(Stop{Signal: SIGINT, Thread: 1})
			return m.stop, nil
		default:
		}
		for _, th := range m.threads {
			i := slices.IndexFunc(r.Actions, func(a Action) bool {
				return a.Thread == th.id || a.Thread == AllThreads
			})
			if i < 0 || r.Actions[i].Kind == Stay {
				continue
			}
			stop, halted, err := m.step(th, r.Actions[i], r)
			if err != nil {
				return Stop{}, err
			}
			if halted {
				m.stop = m.stopped(stop)
				return m.stop, nil
			}
		}
	}
}

// step executes an instruction of a thread and says whether the machine stops.
func (m *fakeMachine) step(th *fakeThread, action Action, r Resumption) (Stop, bool, error) {
	pc := th.regs[regRIP]
	if b, ok := m.breakpoints[pc]; ok {
		m.evaluations++
		if hit, err := b.Triggers(fakeContext{m, th, r.Console}); hit || err != nil {
			if len(b.Commands) == 0 {
				return Stop{Signal: SIGTRAP, Thread: th.id, Cause: CauseSoftwareBreakpoint,
					Address: pc}, true, nil
			}
			for _, command := range b.Commands {
				if err := command.Run(fakeContext{m, th, r.Console}); err != nil {
					return Stop{}, false, err
				}
			}
		}
	}
	code := m.at(pc)
	switch {
	case bytes.HasPrefix(code, fakeCode[0:3]):
		th.regs[regRAX]++
		th.regs[regRIP] += 3
	case bytes.HasPrefix(code, fakeCode[3:6]):
		th.regs[regRBX]++
		th.regs[regRIP] += 3
	case bytes.HasPrefix(code, fakeCode[6:9]):
		th.regs[regRIP] += 3
		addr := th.regs[regRDI]
		var value [8]byte
		binary.LittleEndian.PutUint64(value[:], th.regs[regRAX])
		if err := m.WriteMemory(th.id, addr, value[:]); err != nil {
			return Stop{Signal: SIGSEGV, Thread: th.id}, true, nil
		}
		if _, ok := m.watches[Watchpoint{WatchWrite, addr, 8}]; ok {
			return Stop{Signal: SIGTRAP, Thread: th.id, Cause: CauseWatch, Address: addr}, true, nil
		}
	case len(code) > 0 && code[0] == 0x90:
		th.regs[regRIP]++
	case len(code) > 1 && code[0] == 0xeb:
		th.regs[regRIP] += 2 + uint64(int64(int8(code[1])))
	case len(code) > 0 && code[0] == 0xf4:
		return Stop{Kind: Exited, Code: 7}, true, nil
	default:
		return Stop{Signal: SIGILL, Thread: th.id}, true, nil
	}
	stepped := action.Kind == Step ||
		action.Kind == StepRange && (th.regs[regRIP] < action.Start || th.regs[regRIP] >= action.End)
	return Stop{Signal: SIGTRAP, Thread: th.id}, stepped, nil
}

// fakeContext answers for one thread.
type fakeContext struct {
	m       *fakeMachine
	th      *fakeThread
	console io.Writer
}

func (c fakeContext) Register(n int) (uint64, error) {
	switch {
	case n < len(c.th.regs):
		return c.th.regs[n], nil
	case n == regLane:
		return uint64(c.th.id) - 1, nil
	}
	return 0, EINVAL
}

func (c fakeContext) Load(addr uint64, size int) (uint64, error) {
	var buf [8]byte
	if n, err := c.m.ReadMemory(c.th.id, addr, buf[:size]); n < size {
		return 0, errors.Join(EFAULT, err)
	}
	return binary.LittleEndian.Uint64(buf[:]), nil
}

func (c fakeContext) Print(text string) { io.WriteString(c.console, text) }

// fakeTarget is a machine with every ability but multiprocess and reverse.
type fakeTarget struct {
	*fakeMachine
	objects map[string]string
	passed  []Signal
	built   int // how often an object was made
	opened  int
	closed  int
}

func newFakeTarget(threads int) *fakeTarget {
	return &fakeTarget{
		fakeMachine: newFakeMachine(threads),
		objects: map[string]string{
			"features:target.xml": fakeDescription(),
			"exec-file:":          "/virtual/worker",
		},
	}
}

func (f *fakeTarget) InsertSoftwareBreakpoint(b Breakpoint) error {
	if len(f.at(b.Address)) == 0 {
		return fmt.Errorf("breakpoint at 0x%x: %w", b.Address, EFAULT)
	}
	f.breakpoints[b.Address] = b
	return nil
}

func (f *fakeTarget) RemoveSoftwareBreakpoint(addr uint64, _ int) error {
	delete(f.breakpoints, addr)
	return nil
}

func (f *fakeTarget) CheckCondition(*agent.Program) error { return nil }
func (f *fakeTarget) CheckCommand(*agent.Program) error   { return nil }

func (f *fakeTarget) InsertWatchpoint(w Watchpoint) error {
	f.watches[w] = struct{}{}
	return nil
}

func (f *fakeTarget) RemoveWatchpoint(w Watchpoint) error {
	delete(f.watches, w)
	return nil
}

func (f *fakeTarget) DescribeThread(t ThreadID) ThreadInfo {
	return ThreadInfo{Name: fmt.Sprintf("lane %d", t-1), Extra: "wave <0> & \"group\" 0"}
}

func (f *fakeTarget) Objects() []string { return []string{"features", "exec-file"} }

func (f *fakeTarget) ReadObject(object, annex string) ([]byte, error) {
	f.built++
	content, ok := f.objects[object+":"+annex]
	if object == "exec-file" {
		content, ok = f.objects["exec-file:"]
	}
	if !ok {
		return nil, fmt.Errorf("object %s, annex %q: %w", object, annex, ENOENT)
	}
	return []byte(content), nil
}

// countedFile notices that it is closed.
type countedFile struct {
	*bytes.Reader
	target *fakeTarget
}

func (c countedFile) Close() error {
	c.target.closed++
	return nil
}

func (f *fakeTarget) OpenFile(name string) (File, error) {
	if name != "/virtual/worker" {
		return nil, fmt.Errorf("%q: %w", name, ENOENT)
	}
	f.opened++
	return countedFile{bytes.NewReader(fakeELF()), f}, nil
}

func (f *fakeTarget) Monitor(ctx context.Context, command string, out io.Writer) error {
	word, rest, _ := strings.Cut(command, " ")
	switch word {
	case "echo":
		fmt.Fprintf(out, "%s\n", rest)
		return nil
	case "wait":
		<-ctx.Done()
		return ctx.Err()
	}
	return fmt.Errorf("unknown monitor command %q: %w", word, EINVAL)
}

func (f *fakeTarget) PassSignals(signals []Signal) error {
	f.passed = signals
	return nil
}

// multiTarget is a fakeTarget with a process number that can run backwards.
type multiTarget struct{ *fakeTarget }

func (multiTarget) PID() int       { return 42 }
func (multiTarget) Attached() bool { return false }

// ResumeBackward knows how to undo inc rax at worker+3 and nothing else.
func (m multiTarget) ResumeBackward(_ context.Context, r Resumption) (Stop, error) {
	m.resumptions = append(m.resumptions, r)
	if th := m.threads[0]; r.Actions[0].Kind == Step && th.regs[regRIP] == addrIncRBX {
		th.regs[regRIP] = addrIncRAX
		th.regs[regRAX]--
		return Stop{Signal: SIGTRAP, Thread: 1}, nil
	}
	return Stop{Signal: SIGTRAP, Thread: 1, Cause: CauseReplayBegin}, nil
}

// fakeDescription is a target description that stock gdb takes for x86-64.
func fakeDescription() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target>` +
		`<architecture>i386:x86-64</architecture><osabi>none</osabi><feature name="org.gnu.gdb.i386.core">`)
	register := func(name string, bits int, kind string) {
		fmt.Fprintf(&b, `<reg name="%s" bitsize="%d" type="%s"/>`, name, bits, kind)
	}
	for _, name := range strings.Fields("rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15") {
		register(name, 64, "int64")
	}
	register("rip", 64, "code_ptr")
	for _, name := range strings.Fields("eflags cs ss ds es fs gs") {
		register(name, 32, "int32")
	}
	for i := range 8 {
		register(fmt.Sprint("st", i), 80, "i387_ext")
	}
	for _, name := range strings.Fields("fctrl fstat ftag fiseg fioff foseg fooff fop") {
		register(name, 32, "int")
	}
	b.WriteString(`</feature><feature name="org.gnu.gdb.i386.sse">`)
	for i := range 16 {
		register(fmt.Sprint("xmm", i), 128, "uint128")
	}
	register("mxcsr", 32, "int")
	b.WriteString(`</feature><feature name="test.lane">`)
	register("lane", 32, "int32")
	register("missing", 32, "int32")
	b.WriteString(`</feature></target>`)
	return b.String()
}

// fakeELF is an x86-64 executable with the code and the symbols worker and leave.
func fakeELF() []byte {
	const (
		headerSize  = 64
		programSize = 56
		sectionSize = 64
		symbolSize  = 24
		codeAt      = 0x1000
	)
	var strtab, names []byte
	name := func(table *[]byte, s string) uint32 {
		if len(*table) == 0 {
			*table = append(*table, 0)
		}
		at := len(*table)
		*table = append(append(*table, s...), 0)
		return uint32(at)
	}
	le := binary.LittleEndian
	var symtab bytes.Buffer
	symtab.Write(make([]byte, symbolSize))
	for _, s := range []struct {
		name       string
		addr, size uint64
	}{{"worker", codeBase, addrExit - codeBase}, {"leave", addrExit, 1}} {
		binary.Write(&symtab, le, name(&strtab, s.name))
		symtab.Write([]byte{0x12, 0}) // global function
		binary.Write(&symtab, le, uint16(1))
		binary.Write(&symtab, le, []uint64{s.addr, s.size})
	}
	file := make([]byte, codeAt)
	file = append(file, fakeCode...)
	symbolsAt := uint64(len(file))
	file = append(file, symtab.Bytes()...)
	stringsAt := uint64(len(file))
	file = append(file, strtab...)
	sections := [][]uint64{ // type flags addr offset size link|info<<32 align entsize
		{0, 0, 0, 0, 0, 0, 0, 0},
		{1, 6, codeBase, codeAt, uint64(len(fakeCode)), 0, 16, 0},
		{2, 0, 0, symbolsAt, uint64(symtab.Len()), 3 | 1<<32, 8, symbolSize},
		{3, 0, 0, stringsAt, uint64(len(strtab)), 0, 1, 0},
		{3, 0, 0, 0, 0, 0, 1, 0},
	}
	var sectionNames []uint32
	for _, s := range []string{"", ".text", ".symtab", ".strtab", ".shstrtab"} {
		sectionNames = append(sectionNames, name(&names, s))
	}
	sections[4][3], sections[4][4] = uint64(len(file)), uint64(len(names))
	file = append(file, names...)
	sectionsAt := uint64(len(file))
	var table bytes.Buffer
	for i, s := range sections {
		binary.Write(&table, le, []uint32{sectionNames[i], uint32(s[0])})
		binary.Write(&table, le, s[1:])
	}
	file = append(file, table.Bytes()...)

	var header bytes.Buffer
	header.Write([]byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	binary.Write(&header, le, []uint16{2, 62})
	binary.Write(&header, le, uint32(1))
	binary.Write(&header, le, []uint64{codeBase, headerSize, sectionsAt})
	binary.Write(&header, le, uint32(0))
	binary.Write(&header, le, []uint16{headerSize, programSize, 1, sectionSize, uint16(len(sections)), 4})
	binary.Write(&header, le, []uint32{1, 5})
	binary.Write(&header, le, []uint64{codeAt, codeBase, codeBase, uint64(len(fakeCode)),
		uint64(len(fakeCode)), 0x1000})
	copy(file, header.Bytes())
	return file
}
