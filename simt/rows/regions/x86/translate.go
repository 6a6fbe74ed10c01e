package x86

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/vec"
)

// The general registers that code keeps.
const (
	regFile    = native.RBX
	regContext = native.R9
	regPool    = native.R10
	regMask    = native.R11 // the channels that an operation is for, where it is asked which
	regLanes   = native.R12
	regFlags   = native.R13
	regBudget  = native.R14
	regExec    = native.R15
)

type translator struct {
	native.Assembler
	pool   native.Pool
	poolAt native.Label
	leave  native.Label
	labels map[uint32]native.Label
	past   map[uint32]native.Label // behind what looks at Context.Blank
	stubs  []func()
	slots  []*regions.Op
	notes  []NoteAccess
	tells  []Tell
	x      Context

	units    []regions.Unit
	targets  map[uint32]bool // where flow leads
	noted    map[*regions.Op]uint32
	together int // bits of Context.Together

	regions.Layout
	whole bool // the code is for threads that have all channels on
	held  []holding
	clock int

	octets bool // the code is for AVX2: see octets.go
}

// errTooMany says that code is too large.
var errTooMany = errors.New("more code than is translated at once")

// mostCode bounds the bytes of a translation.
const mostCode = 1 << 21

// Translate makes code of units, which have been verified, for threads whose channels all are on, or for
// others. Channels that are off must wait at the addresses of units, none of them before Context.Stop.
func Translate(units []regions.Unit, of regions.Layout, whole bool) (*Code, error) {
	t := &translator{Layout: of, whole: whole, pool: native.Pool{Base: regPool},
		labels: map[uint32]native.Label{}, past: map[uint32]native.Label{},
		held: make([]holding, cached), units: units,
		targets: map[uint32]bool{}, noted: map[*regions.Op]uint32{}}
	if vec.Current() == vec.AVX2 {
		t.octets, t.held = true, t.held[:cachedOctets]
	}
	t.Code = make([]byte, 0, 1<<14)
	t.leave, t.poolAt = t.NewLabel(), t.NewLabel()
	t.label()
	t.Load(native.W64, regFile, t.field(unsafe.Offsetof(t.x.file)))
	t.Load(native.W64, regFlags, t.field(unsafe.Offsetof(t.x.Flags)))
	t.Load(native.W64, regBudget, t.field(unsafe.Offsetof(t.x.Budget)))
	t.Load(native.W64, regLanes, t.field(unsafe.Offsetof(t.x.Lanes)))
	t.Load(native.W64, regExec, t.field(unsafe.Offsetof(t.x.Exec)))
	t.LeaLabel(regPool, t.poolAt)
	if !t.octets {
		t.KmovTo16(1, regExec)
		t.Kshiftr16(3, 1, 8)
		t.Mov(native.W64, native.RAX, regExec)
		t.ShiftImm(native.SHR, native.W64, native.RAX, 16)
		t.KmovTo16(2, native.RAX)
		t.Kshiftr16(4, 2, 8)
	}
	t.JmpMem(t.field(unsafe.Offsetof(t.x.entry)))
	for i := range units {
		t.unit(&units[i])
		if len(t.Code) > mostCode {
			return nil, errTooMany
		}
	}
	for _, s := range t.stubs {
		s()
	}
	t.Set(t.leave)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.x.At)), native.RAX)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.x.Budget)), regBudget)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.x.Lanes)), regLanes)
	t.Store(native.W64, t.field(unsafe.Offsetof(t.x.Flags)), regFlags)
	t.Vzeroupper()
	t.Ret()
	for len(t.Code)%64 != 0 {
		t.Code = append(t.Code, 0xcc)
	}
	t.Set(t.poolAt)
	t.Code = append(t.Code, t.pool.Bytes...)
	return t.loaded()
}

// loaded is the code that t has written, with where its units begin.
func (t *translator) loaded() (*Code, error) {
	loaded, err := native.Load(t.Finish())
	if err != nil {
		return nil, fmt.Errorf("translated code of %d units: %w", len(t.units), err)
	}
	c := &Code{code: loaded, Accesses: t.slots, Tells: t.tells, notes: t.notes,
		Entry: starts{}, Past: starts{}}
	for at, l := range t.labels {
		c.Entry[at] = loaded.At(t.Offset(l))
	}
	for at, l := range t.past {
		c.Past[at] = loaded.At(t.Offset(l))
	}
	return c, nil
}

// label makes labels of units, and finds out which others lead to.
func (t *translator) label() {
	for i := range t.units {
		t.labels[t.units[i].At] = t.NewLabel()
		if f := &t.units[i].Flow; f.Kind != regions.Next {
			t.targets[f.All], t.targets[f.None] = true, true
		}
	}
}

func (t *translator) field(offset uintptr) native.Mem {
	return native.Mem{Base: regContext, Disp: int32(offset)}
}

// exit is a label that leaves for an instruction, with some that have been charged and not executed. miss is
// what is to be filled.
func (t *translator) exit(at uint32, charged, run int32, miss int) native.Label {
	l := t.NewLabel()
	t.stubs = append(t.stubs, func() {
		t.Set(l)
		if charged != 0 {
			t.OpImm(native.ADD, native.W64, regBudget, charged)
		}
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Go)), run)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Miss)), int32(miss))
		t.MovImm(native.RAX, uint64(at))
		t.Jmp(t.leave)
	})
	return l
}

// goTo goes to an address.
func (t *translator) goTo(at uint32) {
	out := t.exit(at, 0, 0, 0)
	l, known := t.labels[at]
	if !known {
		t.Jmp(out)
		return
	}
	if !t.whole {
		t.MovImm(native.RAX, uint64(at))
		t.OpMem(native.CMP, native.W64, native.RAX, t.field(unsafe.Offsetof(t.x.Stop)))
		t.Jcc(native.GE, out)
	}
	t.Jmp(l)
}

func (t *translator) unit(u *regions.Unit) {
	clear(t.held)
	t.Set(t.labels[u.At])
	t.blank(u)
	t.OpImm(native.SUB, native.W64, regBudget, u.Insts)
	t.Jcc(native.S, t.exit(u.At, u.Insts, 0, 0))
	ops, counted := regions.Tidy(u.Ops, t.Layout, t.whole, t.mostBytes())
	t.count(counted)
	for _, o := range ops {
		switch o.Kind {
		case regions.Load, regions.Store: // such a one is alone
			t.access(u, o)
		default:
			t.op(o)
		}
		for z := range t.held {
			t.held[z].pin = false
		}
	}
	t.flow(u)
}

// mostBytes are those of a vector register.
func (t *translator) mostBytes() int {
	if t.octets {
		return 32
	}
	return 64
}

// blank leaves before a unit that names parts of the file in which something has no contents.
func (t *translator) blank(u *regions.Unit) {
	if t.Blank == 0 {
		return
	}
	parts := map[int32]uint64{}
	add := func(lo, hi int32) {
		for g := max(lo-t.Blank, 0) / t.Granule; t.Blank+g*t.Granule < hi; g++ {
			parts[g/64] |= 1 << (g % 64)
		}
	}
	region := func(r *regions.Region, n int) {
		for k := range n {
			if lo := r.Offset(k); r.Size != 0 {
				add(lo, lo+int32(r.Size))
			}
		}
	}
	for _, o := range u.Ops {
		for i := range o.Sources() {
			if s := &o.S[i]; s.Const == nil {
				region(&s.Region, int(o.Lanes))
			}
		}
		region(&o.D, int(o.Lanes))
		region(&o.Also, int(o.Lanes))
		switch a := &o.Access; {
		case o.Kind != regions.Load && o.Kind != regions.Store:
		case a.Block != nil:
			add(a.Data, a.Data+a.Block.Bytes)
			for _, x := range a.Block.Terms {
				add(x.At, x.At+int32(x.Size))
			}
		default:
			add(a.Addresses, a.Addresses+int32(o.Lanes)*a.Width())
			add(a.Data, a.Data+int32(o.Lanes)*int32(a.Count)*a.Slot())
		}
	}
	leave, past := t.NewLabel(), t.NewLabel()
	t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.x.Blank)))
	for _, word := range slices.Sorted(maps.Keys(parts)) {
		t.MovImm(native.RAX, parts[word])
		t.OpMem(native.AND, native.W64, native.RAX, native.Mem{Base: native.RCX, Disp: 8 * word})
		t.Jcc(native.NE, leave)
	}
	t.Set(past)
	t.past[u.At] = past
	t.stubs = append(t.stubs, func() {
		t.Set(leave)
		t.StoreImm(native.W32, t.field(unsafe.Offsetof(t.x.Blanked)), 1)
		t.StoreImm(native.W64, t.field(unsafe.Offsetof(t.x.Go)), 0)
		t.MovImm(native.RAX, uint64(u.At))
		t.Jmp(t.leave)
	})
}

// count counts the elements of operations that are for the channels that are on, without a predicate.
func (t *translator) count(ops []*regions.Op) {
	sum := int32(0)
	some := map[[2]uint8]int32{} // by the first channel and their number: how many have those that are on
	for _, o := range ops {
		switch {
		case o.Always || o.Part || o.Under.On || o.Kind == regions.Load || o.Kind == regions.Store:
		case t.whole:
			sum += int32(o.Lanes)
		default:
			some[[2]uint8{o.First, o.Lanes}]++
		}
	}
	if sum != 0 {
		t.OpImm(native.ADD, native.W64, regLanes, sum)
	}
	for first := range uint8(regions.Channels) {
		for _, n := range []uint8{1, 2, 4, 8, 16, 32} {
			if times := some[[2]uint8{first, n}]; times != 0 {
				t.channelsOn(native.RAX, first, n)
				t.Popcnt(native.W32, native.RAX, native.RAX)
				t.ImulImm(native.W64, native.RAX, native.RAX, times)
				t.Op(native.ADD, native.W64, regLanes, native.RAX)
			}
		}
	}
}

// channelsOn makes a register the channels of an operation that are on, from bit 0 on.
func (t *translator) channelsOn(r native.Reg, first, n uint8) {
	t.Mov(native.W64, r, regExec)
	if first != 0 {
		t.ShiftImm(native.SHR, native.W64, r, first)
	}
	if n < 32 {
		t.OpImm(native.AND, native.W32, r, 1<<n-1)
	} else {
		t.Mov(native.W32, r, r)
	}
}

// flow makes the code of what ends a unit.
func (t *translator) flow(u *regions.Unit) {
	f := &u.Flow
	to := func(at uint32, whole, counts bool) {
		if at == regions.Leave || whole && !t.whole {
			t.Jmp(t.exit(f.At, 1, 1, 0))
			return
		}
		if counts {
			t.Popcnt(native.W64, native.RAX, regExec)
			t.Op(native.ADD, native.W64, regLanes, native.RAX)
		}
		t.goTo(at)
	}
	switch f.Kind {
	case regions.Next:
		if g := &u.Guard; g.Mask != 0 {
			t.Load(native.W32, native.RAX, fileAt(g.At))
			t.OpImm(native.AND, native.W32, native.RAX, int32(g.Mask))
			t.OpImm(native.CMP, native.W32, native.RAX, int32(g.Want))
			t.Jcc(native.NE, t.exit(u.End, 0, 0, 0))
		}
		t.goTo(u.End)
	case regions.Jump:
		to(f.All, f.WholeAll, f.Counts)
	case regions.One:
		none := t.NewLabel()
		t.predicate(native.RAX, f.Under, 1)
		t.Test(native.W32, native.RAX, native.RAX)
		t.Jcc(native.E, none)
		to(f.All, f.WholeAll, false)
		t.Set(none)
		to(f.None, f.WholeNone, false)
	case regions.Branch:
		none := t.NewLabel()
		t.predicate(native.RAX, f.Under, uint8(t.Channels))
		t.Op(native.AND, native.W32, native.RAX, regExec)
		t.Jcc(native.E, none)
		t.Op(native.CMP, native.W32, native.RAX, regExec)
		t.Jcc(native.NE, t.exit(f.At, 1, 1, 0))
		to(f.All, f.WholeAll, f.Counts)
		t.Set(none)
		to(f.None, f.WholeNone, false)
	}
}

// predicate makes a register the predicate of n channels.
func (t *translator) predicate(r native.Reg, p regions.Predicate, n uint8) {
	t.Mov(native.W64, r, regFlags)
	if p.Bit != 0 {
		t.ShiftImm(native.SHR, native.W64, r, p.Bit)
	}
	if p.Group > 0 {
		t.grouped(r, p, n)
		return
	}
	if p.Not {
		t.Not(native.W64, r)
	}
	t.low(r, n)
}

// low keeps the lowest n bits of a register.
func (t *translator) low(r native.Reg, n uint8) {
	if n < 32 {
		t.OpImm(native.AND, native.W32, r, int32(1)<<n-1)
	} else {
		t.Mov(native.W32, r, r)
	}
}

// grouped makes flags in a register a predicate of a group for n channels.
func (t *translator) grouped(r native.Reg, p regions.Predicate, n uint8) {
	holds, done := t.NewLabel(), t.NewLabel()
	t.low(r, p.Group)
	if p.Every {
		t.OpImm(native.CMP, native.W32, r, int32(uint32(uint64(1)<<p.Group-1)))
		t.Jcc(native.E, holds)
	} else {
		t.Test(native.W32, r, r)
		t.Jcc(native.NE, holds)
	}
	all, none := uint64(1)<<n-1, uint64(0)
	if p.Not {
		all, none = none, all
	}
	t.MovImm(r, none)
	t.Jmp(done)
	t.Set(holds)
	t.MovImm(r, all)
	t.Set(done)
}
