package x86

import (
	"slices"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// A NoteAccess is a load or store of a unit, with the unit's address.
type NoteAccess struct {
	At uint32
	Op *regions.Op

	// Loads are that load and others behind it of which Note may be told together: each has a row of
	// addresses, those of With. If it has been, it sets Bits in Context.Together. It is nil of others.
	Loads *simt.Loads
	With  []*regions.Op
	Bits  uint32
}

// A Tell is a load of some channels from First on, whose addresses, for so many of them, records have.
type Tell struct {
	NoteAccess
	First, Lanes uint8
}

// NoteBit is the bit of a kind of accesses in Context.Noted.
func NoteBit(space regions.Space, write bool) uint32 {
	if write {
		return 2 << (2 * space)
	}
	return 1 << (2 * space)
}

// note lets those who want to know of an access have a look before it happens: code leaves, and comes back if
// that was all. No vector register holds anything then.
func (t *translator) note(u *regions.Unit, o *regions.Op) {
	t.Load(native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Noted)))
	if o.Access.Block != nil && o.Access.Space == regions.Shared && o.Kind == regions.Load { // has no record
		t.OpMem(native.OR, native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Telling)))
	}
	t.OpImm(native.AND, native.W32, native.RAX, int32(NoteBit(o.Access.Space, o.Kind == regions.Store)))
	with := t.noted[o]
	if with == 0 {
		t.notes = append(t.notes, t.loadsFrom(o, u.At))
	} else {
		t.notes = append(t.notes, NoteAccess{At: u.At, Op: o})
	}
	n := native.Note{Number: len(t.notes), At: uint64(u.At), Go: 1, Charged: u.Insts}
	leave, on := t.NewLabel(), t.NewLabel()
	t.Jcc(native.NE, leave)
	t.Set(on)
	t.stubs = append(t.stubs, func() {
		t.Set(leave)
		if with != 0 {
			t.Load(native.W32, native.RAX, t.field(unsafe.Offsetof(t.x.Together)))
			t.OpImm(native.AND, native.W32, native.RAX, int32(with))
			t.Jcc(native.NE, on)
		}
		t.LeaveFor(n, native.Noting{Entry: t.field(unsafe.Offsetof(t.x.entry)),
			Go: t.field(unsafe.Offsetof(t.x.Go)), Note: t.field(unsafe.Offsetof(t.x.note)),
			Left: t.leave, Budget: regBudget}, on)
	})
}

// mostGathered is how many loads Note is told of together, mostTogether how often in one code.
const (
	mostGathered = 8
	mostTogether = 32
)

// loadsFrom finds what Note may be told of together with an access of the unit at an address: loads of global
// memory behind it whose addresses are there already, with nothing between that orders accesses, that others
// come to, or that leads elsewhere.
func (t *translator) loadsFrom(o *regions.Op, at uint32) NoteAccess {
	n := NoteAccess{At: at, Op: o}
	if !gathers(o) || t.together == mostTogether {
		return n
	}
	loads, with := &simt.Loads{}, []*regions.Op(nil)
	add := func(o *regions.Op, at uint32) {
		a := &o.Access
		l := simt.Load{PC: uint64(at), Row: len(with), Size: int(a.Size) * int(a.Count)}
		if a.Block != nil {
			l.Size = int(a.Block.Bytes)
		}
		loads.All = append(loads.All, l)
		with = append(with, o)
	}
	add(o, at)
	var written [][2]int32
	from := slices.IndexFunc(t.units, func(u regions.Unit) bool { return u.At == at })
	for i := from; len(with) < mostGathered; i++ {
		for _, w := range t.units[i].Ops {
			written = appendWritten(written, w)
		}
		if i+1 == len(t.units) || t.units[i].Flow.Kind != regions.Next || t.units[i].Guard.Mask != 0 ||
			t.units[i].End != t.units[i+1].At || t.targets[t.units[i].End] {
			break
		}
		next := &t.units[i+1]
		if len(next.Ops) != 1 || next.Ops[0].Kind != regions.Load && next.Ops[0].Kind != regions.Store {
			continue
		}
		o := next.Ops[0]
		if !gathers(o) || slices.ContainsFunc(written, addresses(o)) {
			break
		}
		add(o, next.At)
	}
	loads.Ready(len(with))
	if n.Loads, n.With = loads, with; len(with) > 1 {
		n.Bits = 1 << t.together
		t.together++
		for _, o := range with[1:] {
			t.noted[o] = n.Bits
		}
	}
	return n
}

// mostBlock bounds the bytes of a block that is told of with other loads.
const mostBlock = 64

// gathers reports whether an access is a load that may be told of with others.
func gathers(o *regions.Op) bool {
	return o.Kind == regions.Load && o.Access.Space == regions.Global && !o.Under.On &&
		(o.Access.Block == nil || o.Access.Block.Bytes <= mostBlock)
}

// addresses reports whether an access has bytes of the file in its addresses.
func addresses(o *regions.Op) func(written [2]int32) bool {
	return func(written [2]int32) bool {
		names := func(at, n int32) bool { return at < written[1] && written[0] < at+n }
		if b := o.Access.Block; b != nil {
			return slices.ContainsFunc(b.Terms,
				func(t regions.Term) bool { return names(t.At, int32(t.Size)) })
		}
		return names(o.Access.Addresses, int32(o.Lanes)*o.Access.Width())
	}
}

// appendWritten appends the bytes of the file that an operation may write.
func appendWritten(to [][2]int32, o *regions.Op) [][2]int32 {
	for _, r := range []*regions.Region{&o.D, &o.Also} {
		if r.Size != 0 {
			lo, hi := r.Extent(0, int(o.Lanes))
			to = append(to, [2]int32{lo, hi})
		}
	}
	if a := &o.Access; o.Kind == regions.Load {
		n := int32(o.Lanes) * int32(a.Count) * a.Slot()
		if a.Block != nil {
			n = a.Block.Bytes
		}
		to = append(to, [2]int32{a.Data, a.Data + n})
	}
	return to
}

// tellLater makes a record of a load of shared memory that has been checked. It uses RCX and RSI.
func (t *translator) tellLater(u *regions.Unit, o *regions.Op, a *accessing) {
	t.tells = append(t.tells, Tell{NoteAccess{At: u.At, Op: o}, o.First, o.Lanes})
	site := len(t.tells) - 1
	told, back := t.NewLabel(), t.NewLabel()
	t.OpMemImm(native.CMP, native.W32, t.field(unsafe.Offsetof(t.x.Telling)), 0)
	t.Jcc(native.NE, told)
	t.Set(back)
	t.stubs = append(t.stubs, func() {
		var r simt.LoadRecord
		at := func(offset uintptr) native.Mem { return native.Mem{Base: native.RCX, Disp: int32(offset)} }
		t.Set(told)
		t.Load(native.W64, native.RCX, t.field(unsafe.Offsetof(t.x.LateAt)))
		t.OpMem(native.CMP, native.W64, native.RCX, t.field(unsafe.Offsetof(t.x.LateEnd)))
		t.Jcc(native.AE, a.bail)
		t.StoreImm(native.W64, at(unsafe.Offsetof(r.Site)), int32(site))
		t.Store(native.W64, at(unsafe.Offsetof(r.Active)), regExec)
		if a.some {
			t.Mov(native.W32, native.RSI, regMask)
		} else {
			t.MovImm(native.RSI, 1<<o.Lanes-1)
		}
		if o.First != 0 {
			t.ShiftImm(native.SHL, native.W64, native.RSI, o.First)
		}
		t.Store(native.W64, at(unsafe.Offsetof(r.Lanes)), native.RSI)
		for k := int32(0); k < 4*int32(o.Lanes); k += 8 {
			t.Load(native.W64, native.RSI, fileAt(o.Access.Addresses+k))
			t.Store(native.W64, at(unsafe.Offsetof(r.Rows)+uintptr(k)), native.RSI)
		}
		t.OpMemImm(native.ADD, native.W64, t.field(unsafe.Offsetof(t.x.LateAt)), int32(unsafe.Sizeof(r)))
		t.Jmp(back)
	})
}
