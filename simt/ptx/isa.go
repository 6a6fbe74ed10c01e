package ptx

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"

	"simtgdb/simt"
	"simtgdb/simt/rows/host"
)

// A Host is what undefined functions of a program ask of their surroundings.
type Host interface {
	// Printf prints for a lane: the address of a format and of the arguments, laid out as a structure.
	// read fills p from a generic address. It returns what vprintf does;
	// function is its name, or printf, whose format is OpenCL C's.
	Printf(w *simt.Wave, lane int, function string, format, args uint64,
		read func(addr uint64, p []byte) error) (int32, error)
	// Assert is told of an assertion that does not hold.
	Assert(w *simt.Wave, lane int, message, file string, line uint32, function string)
}

// A Launch is what one run of a kernel needs besides its simt.Dispatch.
type Launch struct {
	Args       uint64 // address of the arguments
	SharedSize uint32 // bytes of shared memory, static and dynamic together
	Dynamic    uint32 // … of dynamic shared memory alone
	Heap       uint64 // address of the memory that malloc gives out of, with HeapSize bytes; 0: there is none
	HeapSize   uint64
	Workspace  uint64 // address of what the blocks of a grid count themselves in, where ISA.Meets
	Host       Host   // may be nil
}

// An ISA is a program and a launch of one of its kernels. It implements simt.ISA.
type ISA struct {
	launch  Launch
	program *Program
	code    []inst               // of the functions that a kernel may come to, one behind the other
	funcs   []*function          // these
	entries map[uint64]*function // by address
	files   []simt.RegFile
	class   map[string]uint8 // file of the registers that functions declare, by name
	others  *others
	counts  bool // some barrier says how many warps it waits for
	cluster bool // there is a barrier of the cluster
	groups  bool // groups of warps multiply matrices together
	meets   bool // all blocks of the grid may wait for each other
}

// others are what the code of all launches has: functions that the kernel does not come to, made ready when
// somebody looks at them, and translations.
type others struct {
	mu    sync.Mutex
	ready map[*Func]*ISA

	shared host.Shared

	looked sync.Once
	orders bool // some statement that the kernel may come to shows the order of workgroups
	shares bool // … uses shared memory
}

// For is the same code for another launch.
func (a *ISA) For(launch Launch) *ISA {
	b := *a
	b.launch = launch
	return &b
}

// Meets reports whether the kernel asks for the memory by which the blocks of a grid wait for each other,
// which a launch gives it: WorkspaceSize bytes of zeros. NVIDIA's grid.sync() takes its address from %envreg1
// and %envreg2, and counts in the second of its words.
func (a *ISA) Meets() bool { return a.meets }

// WorkspaceSize is how large a grid's workspace is.
const WorkspaceSize = 64

// Arguments is the address of the kernel's arguments.
func (a *ISA) Arguments() uint64 { return a.launch.Args }

// A place is where a register of a function is kept: in a predicate or in a vector.
type place struct {
	pred bool
	bits uint8
	n    int32
}

// A function is a Func made ready.
type function struct {
	src            *Func
	body           []Inst
	start, end     int32 // indices of statements
	vectors, preds int
	place          []place // by index of the register
	bits           []uint8 // of each vector
	frameSize      uint64
	frameRegs      map[int]knownFrame // found when first asked for
	stack          []stackRegister
	aims           aims // found when first asked for
	aimsOnce       sync.Once
	run            func(c *Core, call *builtinCall) error // of a function from elsewhere that the machine has
}

// A stackRegister is %SP or %SPL where no statement writes it: compilers remove the statement, and go on
// saying in debugging information that variables are there.
type stackRegister struct {
	n   int32  // vector
	off uint64 // from the base of the frame
}

// stackRegisters finds them.
func (fn *function) stackRegisters() (list []stackRegister) {
	writes := fn.written()
	for _, r := range fn.src.Regs {
		if r.Count != 0 || r.Bits != 64 || writes[r.Base] > 0 {
			continue
		}
		switch r.Name {
		case "%SP":
			list = append(list, stackRegister{fn.place[r.Base].n, LocalWindow + fn.src.Depot})
		case "%SPL":
			list = append(list, stackRegister{fn.place[r.Base].n, fn.src.Depot})
		}
	}
	return list
}

// allocates reports whether a function is one of the heap's, whose results tell the order of calls.
func (fn *function) allocates() bool {
	return !fn.src.Defined && (fn.src.Name == "malloc" || fn.src.Name == "free")
}

// maxStatements bounds what a program may have: its index must fit an int32.
const maxStatements = 1 << 26

// frameAlign is the alignment of frames in private memory.
const frameAlign = 16

// NewKernel makes what a program needs to run one kernel ready: the kernel, the functions that it may call,
// those that these may call, and so on. If one of them calls what an address says, that may be any function.
func NewKernel(p *Program, entry uint64, launch Launch) (*ISA, error) {
	i := sort.Search(len(p.Funcs), func(i int) bool { return p.Funcs[i].Start >= entry })
	if i == len(p.Funcs) || p.Funcs[i].Start != entry {
		return nil, fmt.Errorf("no kernel begins at %#x", entry)
	}
	return newISA(p, launch, p.Funcs[i])
}

// NewDecoder is for who only looks at statements.
func NewDecoder(p *Program) *ISA {
	a, _ := newISA(p, Launch{}) // of nothing, of which nothing can be wrong
	return a
}

func newISA(p *Program, launch Launch, roots ...*Func) (*ISA, error) {
	a := &ISA{launch: launch, program: p, entries: map[uint64]*function{}, class: map[string]uint8{},
		others: &others{ready: map[*Func]*ISA{}}}
	size := uint64(0)
	for _, fn := range a.reached(roots) {
		n := (fn.src.End - fn.src.Start) / instSize
		if fn.src.End < fn.src.Start || n > maxStatements || size+n > maxStatements {
			return nil, fmt.Errorf("the program has more than %d statements", maxStatements)
		}
		fn.start, fn.end = int32(size), int32(size+n)
		size += n
		a.funcs = append(a.funcs, fn)
		a.entries[fn.src.Start] = fn
	}
	a.code = make([]inst, size)
	for _, fn := range a.funcs {
		if err := a.compileFunc(fn); err != nil {
			return nil, err
		}
		fn.body = nil // what is ready points to what it needs of it
	}
	a.classes()
	return a, nil
}

// reached are functions with all that they may call, in ascending order of their addresses.
func (a *ISA) reached(roots []*Func) []*function {
	found := map[*Func]*function{}
	var all []*function
	var visit func(f *Func)
	add := func(f *Func) {
		if f != nil && found[f] == nil {
			visit(f)
		}
	}
	anything := false
	var look func(o *Operand)
	look = func(o *Operand) {
		for i := range o.List {
			look(&o.List[i])
		}
		switch {
		case o.Kind == Proto:
			anything = true
		case o.Func != nil:
			add(o.Func)
		}
	}
	visit = func(f *Func) {
		fn := prepare(f)
		found[f] = fn
		all = append(all, fn)
		for i := range fn.body {
			for j := range fn.body[i].Args {
				look(&fn.body[i].Args[j])
			}
		}
	}
	for _, f := range roots {
		add(f)
	}
	for _, f := range a.program.Funcs {
		if anything && !f.Entry {
			add(f)
		}
	}
	slices.SortFunc(all, func(x, y *function) int { return cmp.Compare(x.src.Start, y.src.Start) })
	return all
}

// instSize is the distance of the addresses of statements.
const instSize = 8

// addr is the address of a statement.
func (a *ISA) addr(at int32) uint64 {
	if int(at) >= len(a.code) { // behind the last
		return a.funcs[len(a.funcs)-1].src.End
	}
	return a.code[at].fn.addr(at)
}

// addr is the address of a statement of the function's.
func (fn *function) addr(at int32) uint64 { return fn.src.Start + uint64(at-fn.start)*instSize }

// index is the statement at an address.
func (a *ISA) index(addr uint64) (int32, bool) {
	i := sort.Search(len(a.funcs), func(i int) bool { return a.funcs[i].src.End > addr })
	if i == len(a.funcs) || a.funcs[i].src.Start > addr || (addr-a.funcs[i].src.Start)%instSize != 0 {
		return 0, false
	}
	at := a.funcs[i].start + int32((addr-a.funcs[i].src.Start)/instSize)
	return at, a.code[at].src != nil
}

// prepare gives a function's registers their places.
func prepare(f *Func) *function {
	fn := &function{src: f, frameSize: (f.FrameSize + frameAlign - 1) / frameAlign * frameAlign}
	if f.Defined && f.Insts != nil {
		fn.body = f.Insts()
	}
	fn.place = make([]place, f.NumRegs)
	for _, r := range f.Regs {
		for i := range max(r.Count, 1) {
			at := &fn.place[r.Base+i]
			at.bits = uint8(r.Bits)
			if at.pred = r.Bits == 1; at.pred {
				at.n = int32(fn.preds)
				fn.preds++
				continue
			}
			at.n = int32(fn.vectors)
			fn.bits = append(fn.bits, at.bits)
			fn.vectors++
		}
	}
	fn.stack = fn.stackRegisters()
	return fn
}

// funcAt is the function that begins at an address, or nil.
func (a *ISA) funcAt(addr uint64) *function { return a.entries[addr] }

// FuncAt is the function that a statement belongs to, or nil.
func (a *ISA) FuncAt(addr uint64) *Func {
	all := a.program.Funcs
	i := sort.Search(len(all), func(i int) bool { return all[i].End > addr })
	if i < len(all) && all[i].Start <= addr {
		return all[i]
	}
	return nil
}

// Unbounded is what only the source has bounds of: code names a
// variable where it takes its address, but no parts of it.
func (a *ISA) Unbounded() string { return "members and rows of arrays" }

// WaveSize implements simt.ISA.
func (a *ISA) WaveSize() int { return warpSize }

// IndependentLanes implements simt.Independent (PTX ISA, section "Memory Consistency Model": threads of a
// warp are ordered by what orders any others).
func (a *ISA) IndependentLanes() {}

// Align implements simt.ISA.
func (a *ISA) Align() int { return instSize }

// StartWave implements simt.ISA.
func (a *ISA) StartWave(w *simt.Wave, d *simt.Dispatch) error {
	entry := a.funcAt(d.Entry)
	if entry == nil || !entry.src.Defined {
		return fmt.Errorf("no kernel begins at %#x", d.Entry)
	}
	s, ok := w.Regs.(*state)
	if ok && s.isa == a {
		for len(s.acts) > 0 { // of the wave that was here before
			s.release(s.acts[len(s.acts)-1])
		}
		*s = state{isa: a, dispatch: d, free: s.free, acts: s.acts, paths: s.paths[:0],
			local: s.local, placed: s.placed, valid: s.valid, warp: s.warp}
	} else {
		s = &state{isa: a, dispatch: d}
	}
	w.Regs = s
	if valid := uint32(w.Valid); s.placed != w.Group.Size || s.valid != valid || s.warp != uint32(w.Index) {
		s.placed, s.valid, s.warp, s.local = w.Group.Size, valid, uint32(w.Index), [warpSize][3]uint32{}
		w.WorkItems(s.local[:bits.OnesCount32(valid)])
	}
	s.group = w.Group.ID
	act := s.newActivation(entry, 0, s.valid)
	s.cur = &path{pc: entry.start, mask: s.valid, act: act}
	s.add(s.cur)
	w.Exec = w.Valid
	return nil
}

// NewCore implements simt.ISA.
func (a *ISA) NewCore(m *simt.Machine) simt.Core {
	c := &Core{isa: a, m: m, mem: m.Mem, breaks: make([]uint8, len(a.code)), generation: m.Generation()}
	c.audit()
	return c
}

// Inst implements simt.ISA.
func (a *ISA) Inst(_ []byte, pc uint64) (simt.Inst, error) {
	at, ok := a.index(pc)
	if !ok {
		return a.elsewhere(pc)
	}
	in := &a.code[at]
	out := simt.Inst{Text: in.src.Text, Size: instSize, Flow: in.flow}
	if in.flow == simt.FlowJump || in.flow == simt.FlowBranch {
		out.Target = a.addr(in.target)
	}
	if in.callee != nil {
		out.Target = in.callee.src.Start
	}
	out.GlobalAtomic = in.showsOrder()
	return out, nil
}

// ReachesOrder implements simt.OrderReacher: of the kernel that it was made for, whatever is asked about.
func (a *ISA) ReachesOrder(uint64) (shows, known bool) { return a.looked().orders, true }

// AvoidsLDS implements simt.LDSAvoider.
func (a *ISA) AvoidsLDS() bool { return !a.looked().shares }

// looked is what there is to know of all statements that the kernel may come to.
func (a *ISA) looked() *others {
	o := a.others
	o.looked.Do(func() {
		for i := range a.code {
			if in := &a.code[i]; in.src != nil {
				o.orders = o.orders || in.showsOrder()
				o.shares = o.shares || in.usesShared()
			}
		}
	})
	return o
}

// usesShared reports whether a statement accesses shared memory, or makes generic addresses of it, without
// which others do not come there: arguments count from the beginning of the window.
func (in *inst) usesShared() bool {
	return in.space == Shared || strings.Contains(in.src.Op, "shared") ||
		strings.HasPrefix(in.src.Op, "wgmma")
}

// showsOrder reports whether what a statement does may depend on which workgroup comes first.
func (in *inst) showsOrder() bool {
	return (in.atomic || in.ordered) && in.space != Shared && in.space != Local ||
		in.callee != nil && in.callee.allocates()
}

// elsewhere describes a statement of a function that the kernel does not come to.
func (a *ISA) elsewhere(pc uint64) (simt.Inst, error) {
	f := a.FuncAt(pc)
	if f == nil || a.entries[f.Start] != nil {
		return simt.Inst{}, fmt.Errorf("no statement is at %#x", pc)
	}
	a.others.mu.Lock()
	defer a.others.mu.Unlock()
	other := a.others.ready[f]
	if other == nil {
		var err error
		if other, err = newISA(a.program, Launch{}, f); err != nil {
			return simt.Inst{}, err
		}
		a.others.ready[f] = other
	}
	if _, ok := other.index(pc); !ok {
		return simt.Inst{}, fmt.Errorf("no statement is at %#x", pc)
	}
	return other.Inst(nil, pc)
}

// find is the index of a register if it is one of r.
func (r *Registers) find(name string) (int, bool) {
	if r.Count == 0 {
		return r.Base, name == r.Name
	}
	if len(name) <= len(r.Name) || name[:len(r.Name)] != r.Name {
		return 0, false
	}
	n := 0
	digits := name[len(r.Name):]
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' || n >= r.Count {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return r.Base + n, n < r.Count && (len(digits) == 1 || digits[0] != '0')
}
