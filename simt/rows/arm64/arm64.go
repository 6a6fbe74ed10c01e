// Package arm64 makes code for AArch64 with Advanced SIMD of row code (package rows).
//
// A vector register holds two lanes. The code of a segment is a loop over the lanes of a row, two at a time:
// what a segment computes stays in registers, and only what it leaves goes to memory. Before that all
// addresses of the segment are checked; if one is not fine, or somebody wants to know of the access, nothing
// of the segment has happened, and the machine executes it.
//
// Entry point: [Translate] makes a [rows.Code] of units. Registers are in memory whenever it returns.
package arm64

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/native/a64"
	"simtgdb/simt/rows"
)

// The general registers that code keeps; those from 8 to 15 are for what an operation needs.
const (
	regContext a64.Reg = 0
	regRows    a64.Reg = 1 // of the lanes that are due
	regMasks   a64.Reg = 2
	regPool    a64.Reg = 3
	regBudget  a64.Reg = 4
	regActive  a64.Reg = 5
	regSlots   a64.Reg = 6
	regLane    a64.Reg = 7 // the first of the lanes that are due

	x8  a64.Reg = 8
	x9  a64.Reg = 9
	x10 a64.Reg = 10
	x11 a64.Reg = 11

	regTmp a64.Reg = 16
)

// The vector registers that hold no rows. Masks have ones in the lanes that are in them.
const (
	cached     = 23
	v23        = a64.V(23)
	v24        = a64.V(24)
	v25        = a64.V(25)
	v26        = a64.V(26)
	v27        = a64.V(27)
	v28        = a64.V(28)
	lanesUnder = a64.V(29) // of an operation
	lanesOn    = a64.V(30) // that are active; not kept where all are
	lanesBits  = a64.V(31) // the bits of the lanes in masks
)

// part is how many lanes are done at a time.
const part = 2

// A scratch is what code has for itself in a rows.Context.
type scratch struct {
	temps [rows.Temps][part]uint64
	delta [rows.MostGroups]uint64
}

// A scratch fits into a context.
var _ [unsafe.Sizeof(rows.Context{}.Scratch) - unsafe.Sizeof(scratch{})]byte

// Available reports whether this host can run the code.
func Available() bool { return native.AArch64() }

type translator struct {
	a64.Assembler
	pool   []byte // pairs of numbers behind the code
	pooled map[[part]uint64]int
	poolAt a64.Label
	leave  a64.Label
	labels map[int32]a64.Label
	stubs  []func()
	slots  []rows.Access
	notes  []rows.Note
	order  bool
	row    int32 // lanes of a row
	x      rows.Context
	s      scratch

	full bool // all lanes are active
	plan rows.Plan
	held rows.Held
}

// errTooMany says that code is too large.
var errTooMany = errors.New("more code than is translated at once")

// mostCode bounds the bytes of a translation: what a branch reaches over.
const mostCode = 1 << 20

// Translate makes code of units, which have been verified. With order, code goes to no instruction from
// rows.Context.Stop on, else not to that one. Rows have lanes: 8, 16, 32 or 64.
func Translate(units []rows.Unit, order bool, lanes int) (*rows.Code, error) {
	code, t, err := assemble(units, order, lanes)
	if err != nil {
		return nil, err
	}
	loaded, err := native.Load(code)
	if err != nil {
		return nil, err
	}
	c := &rows.Code{Call: loaded.Call, Notes: t.notes, Accesses: t.slots,
		Slots: make([]rows.Slot, len(t.slots)+1), Entry: map[int32]uintptr{}}
	for at, l := range t.labels {
		c.Entry[at] = loaded.At(t.Offset(l))
	}
	return c, nil
}

// assemble makes the bytes of code.
func assemble(units []rows.Unit, order bool, lanes int) ([]byte, *translator, error) {
	t := &translator{Assembler: a64.Assembler{Tmp: regTmp}, held: rows.Held{Of: make([]rows.Holding, cached)},
		labels: map[int32]a64.Label{}, order: order,
		row: int32(lanes), pooled: map[[part]uint64]int{}}
	t.leave, t.poolAt = t.NewLabel(), t.NewLabel()
	for i := range units {
		t.labels[units[i].At] = t.NewLabel()
	}
	t.Load(a64.W64, regMasks, t.field(unsafe.Offsetof(t.x.Masks)))
	t.Load(a64.W64, regBudget, t.field(unsafe.Offsetof(t.x.Budget)))
	t.Load(a64.W64, regActive, t.field(unsafe.Offsetof(t.x.Active)))
	t.Load(a64.W64, regSlots, t.field(unsafe.Offsetof(t.x.Slots)))
	t.Adr(regPool, t.poolAt)
	t.Load(a64.W64, x8, t.field(unsafe.Offsetof(t.x.Entry)))
	t.Br(x8)
	for i := range units {
		t.unit(&units[i])
		if len(t.Code) > mostCode {
			return nil, nil, errTooMany
		}
	}
	for _, s := range t.stubs {
		s()
	}
	t.Set(t.leave)
	t.Store(a64.W64, t.field(unsafe.Offsetof(t.x.At)), x8)
	t.Store(a64.W64, t.field(unsafe.Offsetof(t.x.Budget)), regBudget)
	t.Ret()
	for len(t.Code)%16 != 0 {
		t.Code = append(t.Code, 0)
	}
	t.Set(t.poolAt)
	t.Code = append(t.Code, t.pool...)
	code, err := t.Finish()
	return code, t, err
}

func (t *translator) field(offset uintptr) a64.Mem {
	return a64.Mem{Base: regContext, Disp: int32(offset)}
}

// own is a field of a scratch.
func (t *translator) own(offset uintptr) a64.Mem {
	return t.field(unsafe.Offsetof(t.x.Scratch) + offset)
}

// pair is where two numbers are.
func (t *translator) pair(v ...uint64) a64.Mem {
	k := [part]uint64(v)
	at, ok := t.pooled[k]
	if !ok {
		at = len(t.pool)
		t.pooled[k] = at
		for _, n := range v {
			t.pool = binary.LittleEndian.AppendUint64(t.pool, n)
		}
	}
	return a64.Mem{Base: regPool, Disp: int32(at)}
}

// constant makes both lanes a number.
func (t *translator) constant(d a64.V, v uint64) {
	if v == 0 {
		t.Zero(d)
		return
	}
	t.Move(a64.LoadQ, uint8(d), t.pair(v, v))
}

func (t *translator) rowAt(reg int32) a64.Mem {
	if reg < 0 {
		return t.own(unsafe.Offsetof(t.s.temps) + uintptr(-1-reg)*unsafe.Sizeof(t.s.temps[0]))
	}
	return a64.Mem{Base: regRows, Disp: 8 * reg * t.row}
}

// maskAt is where a mask is, and maskWidth how much of memory it is.
func (t *translator) maskAt(n int32) a64.Mem {
	return a64.Mem{Base: regMasks, Disp: n * 4 * int32(rows.MaskWords(int(t.row)))}
}

func (t *translator) maskWidth() a64.Width {
	if t.row > 32 {
		return a64.W64
	}
	return a64.W32
}

// isFull compares the active lanes with all that there are.
func (t *translator) isFull() {
	if t.row == 64 {
		t.CmpImm(a64.W64, regActive, -1)
		return
	}
	t.CmpImm(a64.W64, regActive, 1<<t.row-1)
}

// exit is a label that leaves for an instruction, with some of the unit that have been charged and not
// executed. miss is what is to be filled.
func (t *translator) exit(at, charged, run int32, miss int) a64.Label {
	l := t.NewLabel()
	t.stubs = append(t.stubs, func() {
		t.Set(l)
		t.AddImm(a64.W64, regBudget, regBudget, int64(charged))
		t.storeImm(unsafe.Offsetof(t.x.Go), int64(run))
		t.storeImm(unsafe.Offsetof(t.x.Miss), int64(miss))
		t.MovImm(x8, uint64(at))
		t.B(t.leave)
	})
	return l
}

// storeImm makes a field of the context a number. It uses X9.
func (t *translator) storeImm(offset uintptr, v int64) {
	if v == 0 {
		t.Store(a64.W64, t.field(offset), a64.ZR)
		return
	}
	t.MovImm(x9, uint64(v))
	t.Store(a64.W64, t.field(offset), x9)
}

// goTo goes to the beginning of a block.
func (t *translator) goTo(at int32) {
	out := t.exit(at, 0, 0, 0)
	l, known := t.labels[at]
	if !known {
		t.B(out)
		return
	}
	t.Load(a64.W64, x8, t.field(unsafe.Offsetof(t.x.Stop)))
	t.CmpImm(a64.W64, x8, int64(at))
	if t.order {
		t.Bc(a64.LE, out)
	} else {
		t.Bc(a64.EQ, out)
	}
	t.B(l)
}

func (t *translator) unit(u *rows.Unit) {
	n := int32(len(u.Insts))
	t.Set(t.labels[u.At])
	if n := int32(u.Count(0)); n > 0 {
		t.SubsImm(a64.W64, regBudget, regBudget, int64(n))
		t.Bc(a64.MI, t.exit(u.At, n, 0, 0))
	}
	for _, s := range rows.Cut(u) {
		t.segment(u, s)
	}
	end := u.At + n
	last := &u.Insts[n-1]
	switch last.Flow {
	case rows.Jump:
		t.goTo(last.Target)
	case rows.Branch:
		t.branch(u)
	default:
		if u.Go > 0 {
			t.B(t.exit(end, 0, u.Go, 0))
			return
		}
		t.goTo(end)
	}
}

// branch goes by masks, or leaves where lanes part behind a unit.
func (t *translator) branch(u *rows.Unit) {
	n := int32(len(u.Insts))
	last := &u.Insts[n-1]
	parted := func() a64.Label {
		if u.Moved {
			return t.exit(u.At, 0, rows.Parted, 0)
		}
		return t.exit(u.At+n-1, 1, 1, 0)
	}
	for c := range last.Cases() {
		t.Load(t.maskWidth(), x8, t.maskAt(c.Cond.N))
		none := t.NewLabel()
		if c.Cond.Not {
			t.Op(a64.BIC, a64.W64, x8, regActive, x8)
		} else {
			t.Op(a64.AND, a64.W64, x8, regActive, x8)
		}
		t.Cbz(a64.W64, x8, none)
		t.Cmp(a64.W64, x8, regActive)
		t.Bc(a64.NE, parted())
		t.goTo(c.Target)
		t.Set(none)
	}
	if last.Guarded { // all lanes are off
		t.FmovTo(v23, regActive)
		t.V2(a64.Cnt, v23, v23)
		t.V2(a64.AddvB, v23, v23)
		t.Fmov(a64.W64, x8, v23)
		t.addOff(x8)
	}
	t.goTo(last.Else)
}

// addOff adds to the lanes that guards have switched off.
func (t *translator) addOff(n a64.Reg) {
	off := t.field(unsafe.Offsetof(t.x.Off))
	t.Load(a64.W64, x9, off)
	t.Op(a64.ADD, a64.W64, x9, x9, n)
	t.Store(a64.W64, off, x9)
}
