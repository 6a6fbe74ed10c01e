// Package contents follows which values of a wave nothing has been written to: registers that the program
// has not set, and what was loaded from private memory before anything was stored there. Observers that
// want to know ([simt.Following]) are told where such a value decides an address, a branch, or what others
// see; it may be moved, spilled and computed with.
//
// To call nothing wrong that is right, what is only in part without contents counts as written, and so
// does the result of an operation that may not depend on all bits of its operands; but machines whose
// registers are [Exact] tell bits apart.
//
// The rule is one for all machines. A machine says what an instruction does with its operands ([Inst]) and
// keeps for each register which lanes have no contents ([Registers], for which [Rows] will do where lanes
// have their own); a [Follower] goes with each core. The package knows no instruction set.
package contents

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"simtgdb/simt"
)

// An Operand is what an instruction reads or writes, a value for each lane, as its machine numbers them.
type Operand int32

// What is no value that an instruction finds: one that always has contents, and one that never has.
const (
	Constant  Operand = -1
	Undefined Operand = -2
)

// Registers are what a wave keeps values in, with the operands of the instruction under way.
type Registers interface {
	// Blank are the lanes, of some, whose operand has no contents, and the instruction by which that is so; 0
	// if that is not known.
	Blank(o Operand, lanes uint64) (blank, from uint64)
	// Set notes of the lanes of an operand which have no contents, and by which instruction.
	Set(o Operand, lanes, blank, from uint64)
	// Truth are the lanes in which an operand of logic, or what a choice goes by, is true.
	Truth(o Operand) uint64
	// Name is an operand as the program's text has it.
	Name(o Operand) string
}

// An Inst is what an instruction does with values.
type Inst struct {
	Address []Operand // what addresses are computed from
	Decides []Operand // what decides where lanes go on, or whether they execute
	Data    []Operand // what it stores; it has no contents where all of it has none, or if Any where some has
	Any     bool
	Loads   []Operand // what it loads
	Back    uint64    // which of these are not used, or at most stored back: see PutBack
	Part    int       // bytes of each of Data or Loads, of which several lie side by side; else 0
	// Each says that each of Data or Loads is an access of its own, in their order, Copies that what it loads
	// it stores, one access after the other.
	Each, Copies bool
	// Vector says that Data are the components of a vector, of which those behind the last that has contents
	// may be nobody's: a vector of three is stored as one of four. Last says that there are none such.
	Vector, Last bool
	Signed       bool   // what it loads is extended by its sign
	Moves        []Move // what comes from what
}

// A Move is a result and what it comes from. It has no contents in lanes in which any of its sources has
// none; without sources it has.
type Move struct {
	To   Operand
	From []Operand
	// Logic is that of the first two sources, which are truths; nil otherwise.
	Logic Logic
	// Chosen says that the last source chooses between the first, where it is true, and the second.
	Chosen bool
	// Way is how bits without contents go from sources to the result.
	Way Way
	// Cut are the sources, a bit for each, that are what a constant mask has left of a number, more than half
	// of it: what is put in the place of the rest is no padding that is copied with its structure.
	Cut uint8
}

// Logic says which lanes of a truth have no contents, that is made of a and b of which ua and ub have
// none: one operand may decide it.
type Logic func(ua, a, ub, b uint64) uint64

// The logic of truths.
func And(ua, a, ub, b uint64) uint64    { return ua&ub | ua&b | ub&a }
func Or(ua, a, ub, b uint64) uint64     { return ua&ub | ua&^b | ub&^a }
func Xor(ua, _, ub, _ uint64) uint64    { return ua | ub }
func AndNot(ua, a, ub, b uint64) uint64 { return ua&ub | ua&^b | ub&a }
func OrNot(ua, a, ub, b uint64) uint64  { return ua&ub | ua&b | ub&^a }
func Copy(ua, _, _, _ uint64) uint64    { return ua }

// A Follower follows the instruction that a core executes. Its zero value follows nothing.
type Follower struct {
	m     *simt.Machine
	w     *simt.Wave
	r     Registers
	in    *Inst
	pc    uint64
	lanes uint64
	on    bool
	stop  bool

	results  []result // of Inst.Moves
	data     uint64   // lanes that store what has no contents
	dataFrom uint64
	blank    uint64   // lanes that load what has none
	reads    []uint64 // the same of each access
	writes   int      // accesses
	parts    simt.Parts
	lacking  [2 * maxParts]uint64 // the lanes of parts

	e     Exact // the registers, where they are that; nil otherwise
	bytes [simt.MaxLanes]uint64
	loads []loaded // of each access
	trial trial
	found []finding
	part  bool // data has contents in part
	back  bool // the access under way is to LDS, and what it loads is at most stored back
}

// maxParts is how many parts are told apart: an access of more counts as a whole.
const maxParts = 16

type result struct{ blank, from uint64 }

// Begin looks at what an instruction is going to do in the lanes that execute it, of some that come to it.
// End follows, or Fault.
func (f *Follower) Begin(m *simt.Machine, w *simt.Wave, r Registers, in *Inst, pc, lanes, come uint64) {
	f.m, f.w, f.r, f.in, f.pc, f.lanes, f.on, f.stop = m, w, r, in, pc, lanes, true, false
	f.results, f.parts.Size = f.results[:0], 0
	f.data, f.dataFrom, f.blank = 0, 0, 0
	f.reads, f.writes = f.reads[:0], 0
	f.e, _ = r.(Exact)
	f.loads, f.found, f.trial.lanes, f.part = f.loads[:0], f.found[:0], 0, false
	for _, o := range in.Address {
		if blank, from := f.of(o); blank != 0 {
			f.stop = UsedAsAddress(m, w, pc, blank, from, r.Name(o)) || f.stop
		}
		if lanes, from := f.inPart(o, lanes); lanes != 0 {
			f.stop = f.usedPart(lanes, from, r.Name(o), "an address") || f.stop
		}
	}
	for _, o := range in.Decides {
		blank, from := r.Blank(o, come)
		f.stop = Decides(m, w, pc, blank, from) || f.stop
		if lanes, from := f.inPart(o, come); lanes != 0 {
			f.stop = f.usedPart(lanes, from, r.Name(o), "what decides a branch") || f.stop
		}
	}
	if f.beginData(); f.e != nil {
		f.data, f.part, f.dataFrom = f.published()
	}
	for i := range in.Moves {
		res := f.result(&in.Moves[i])
		f.results = append(f.results, res)
		f.move(&in.Moves[i], res.blank)
	}
	if f.trial.lanes != 0 {
		f.try()
	}
}

// beginData finds the lanes that store what has no contents.
func (f *Follower) beginData() {
	for i, o := range f.in.Data {
		blank, from := f.of(o)
		switch {
		case f.in.Any:
			f.data |= blank
		case i == 0:
			f.data = blank
		default:
			f.data &= blank
		}
		f.dataFrom = cmp.Or(f.dataFrom, from)
	}
}

// inPart are the lanes in which an operand has contents only in part.
func (f *Follower) inPart(o Operand, lanes uint64) (some, from uint64) {
	if f.e == nil || o < 0 {
		return 0, 0
	}
	blank, _ := f.e.Blank(o, lanes)
	if some = f.e.Lacks(o, lanes) &^ blank; some != 0 {
		_, _, from = f.e.Bits(o, bits.TrailingZeros64(some))
	}
	return some, from
}

// usedPart tells of lanes in which what has contents only in part is used.
func (f *Follower) usedPart(lanes, from uint64, name, as string) bool {
	return used(f.m, f.w, f.pc, lanes, from, partText(name, as))
}

// of are the lanes in which an operand has no contents.
func (f *Follower) of(o Operand) (blank, from uint64) {
	switch o {
	case Constant:
		return 0, 0
	case Undefined:
		return f.lanes, f.pc
	}
	return f.r.Blank(o, f.lanes)
}

// result is what the result of a move has.
func (f *Follower) result(v *Move) (res result) {
	var unknown [3]uint64
	if v.Way.Tries() && v.Way != Whole {
		return res
	}
	for i, o := range v.From {
		blank, from := f.of(o)
		if v.Chosen && i < 2 {
			which := f.r.Truth(v.From[2])
			if i == 1 {
				which = ^which
			}
			blank &= which
		}
		if blank == 0 {
			continue
		}
		if i < len(unknown) {
			unknown[i] = blank
		}
		res.blank |= blank
		res.from = cmp.Or(res.from, from, f.pc)
	}
	if v.Logic != nil && res.blank != 0 {
		var b uint64
		if len(v.From) > 1 {
			b = f.r.Truth(v.From[1])
		}
		res.blank = v.Logic(unknown[0], f.r.Truth(v.From[0]), unknown[1], b) & f.lanes
	}
	return res
}

// Access adds to an access that the instruction under way is going to make what observers need to know of
// contents; own says that it is to memory that each lane has for itself. Machines call it before
// [simt.Machine.Observe], and Accessed behind that.
func (f *Follower) Access(a *simt.Access, own bool) {
	if !f.on {
		return
	}
	f.back = a.Space == simt.LDS && f.in.backs(len(f.reads))
	a.Deferred = a.Deferred || a.Read && !a.Write && (own || f.back)
	if !f.bytewise(a) {
		f.apart(a)
	}
	if !a.Write {
		return
	}
	data, from, name := f.data, f.dataFrom, ""
	switch at := f.writes; {
	case f.in.Copies && at < len(f.reads):
		data, name = f.reads[at], "what is copied"
		if at < len(f.loads) && f.loads[at].some != 0 {
			data &^= f.loads[at].mere
		}
	case len(f.in.Data) > 0:
		name = f.r.Name(f.in.Data[0])
		if f.in.Each && own {
			data, from = f.of(f.in.Data[at%len(f.in.Data)])
		}
	}
	f.writes++
	a.Nothing = data & a.Lanes
	switch {
	case own || a.Space != simt.Global || a.Nothing == 0:
	case f.part:
		f.stop = f.usedPart(a.Nothing, from, name, "stored where others see it") || f.stop
	default:
		f.Stores(a.Nothing, from, name)
	}
}

// apart says of an access of several parts what each has.
func (f *Follower) apart(a *simt.Access) {
	n, size := max(len(f.in.Data), len(f.in.Loads)), f.in.Part
	if size == 0 || n < 2 || n > maxParts || n*size != a.Size {
		f.parts.Size = 0
		return
	}
	blank, nothing := f.lacking[:n], f.lacking[maxParts:maxParts+n]
	if a.Write {
		for i, o := range f.in.Data {
			nothing[i], _ = f.of(o)
		}
	}
	clear(blank)
	f.parts = simt.Parts{Size: size, Blank: blank, Nothing: nothing}
	a.Parts = &f.parts
}

// On reports whether an instruction is under way that is followed.
func (f *Follower) On() bool { return f.on }

// Stores tells of lanes in which the instruction under way stores what has no contents where others see it.
func (f *Follower) Stores(lanes, from uint64, name string) {
	if lanes == 0 {
		return
	}
	f.stop = UsedAsData(f.m, f.w, f.pc, lanes, from, name) || f.stop
}

// StoresPart is the same of what has contents in part.
func (f *Follower) StoresPart(lanes, from uint64, name string) {
	if lanes != 0 {
		f.stop = PartStored(f.m, f.w, f.pc, lanes, from, name) || f.stop
	}
}

// Accessed notes what observers have said of an access.
func (f *Follower) Accessed(a *simt.Access) {
	if f.on && !a.Write {
		f.blank |= a.Blank & a.Lanes
		f.reads = append(f.reads, a.Blank&a.Lanes)
		if f.e != nil {
			f.accessedBytes(a)
		}
	}
}

// End notes what the instruction has given. It reports whether the wave is to stop.
func (f *Follower) End() (stop bool) {
	f.on = false
	if f.e != nil {
		f.endLoads()
	} else {
		f.endParts()
	}
	for i := range f.in.Moves {
		f.r.Set(f.in.Moves[i].To, f.lanes, f.results[i].blank, f.results[i].from)
	}
	for _, d := range f.found {
		f.e.SetBits(d.to, d.lane, d.lacking, d.mere, d.from)
	}
	return f.stop
}

// endParts notes what has been loaded.
func (f *Follower) endParts() {
	for i, o := range f.in.Loads {
		blank := f.blank
		switch {
		case f.in.Each && i < len(f.reads):
			blank = f.reads[i]
		case f.parts.Size != 0:
			blank = f.parts.Blank[i]
		}
		if o != Constant {
			f.r.Set(o, f.lanes, blank&f.lanes, f.pc)
		}
	}
}

// Fault ends what has been begun of an instruction that has not been executed.
func (f *Follower) Fault() { f.on = false }

// UsedAsAddress tells of lanes in which what has no contents is an address, of which name is said. It reports
// whether the wave is to stop.
func UsedAsAddress(m *simt.Machine, w *simt.Wave, pc, lanes, from uint64, name string) bool {
	return used(m, w, pc, lanes, from, fmt.Sprintf("%s, which nothing has written to, is an address", name))
}

// UsedAsData is the same of what is stored in memory of all.
func UsedAsData(m *simt.Machine, w *simt.Wave, pc, lanes, from uint64, name string) bool {
	return used(m, w, pc, lanes, from,
		fmt.Sprintf("%s, which nothing has written to, is stored where others see it", name))
}

// PartStored tells of lanes in which a number of which a part has no contents is stored in memory of all.
func PartStored(m *simt.Machine, w *simt.Wave, pc, lanes, from uint64, name string) bool {
	return used(m, w, pc, lanes, from, partText(name, "stored where others see it"))
}

// PartAsAddress is the same of one that is an address.
func PartAsAddress(m *simt.Machine, w *simt.Wave, pc, lanes, from uint64, name string) bool {
	return used(m, w, pc, lanes, from, partText(name, "an address"))
}

// partText says how a number is used of which a part has no contents.
func partText(name, as string) string {
	return fmt.Sprintf("%s, of which a part has not been written, is %s", name, as)
}

// Decides is the same of what decides a branch, or which lanes execute.
func Decides(m *simt.Machine, w *simt.Wave, pc, lanes, from uint64) bool {
	return lanes != 0 && used(m, w, pc, lanes, from, "what nothing has written to decides a branch")
}

func used(m *simt.Machine, w *simt.Wave, pc, lanes, from uint64, text string) bool {
	if w != nil && lanes&w.Valid == 0 { // an instruction that executes whichever lanes are on
		lanes = w.Valid & -w.Valid
	} else if w != nil {
		lanes &= w.Valid
	}
	return m.Used(&simt.Use{Wave: w, PC: pc, Lanes: lanes, From: from, Text: text})
}

// Rows are registers of which each lane has its own: which lanes of each have no contents, and the
// instruction by which that is so.
type Rows struct {
	blank, from []uint64
	parts       []*partial // of operands that are known bit by bit; nil for those of none
	lack        bool       // some may have no contents
}

// NewRows makes n registers, without contents in some lanes.
func NewRows(n int, blank uint64) *Rows {
	r := &Rows{blank: make([]uint64, n), from: make([]uint64, n)}
	r.Reset(blank)
	return r
}

// Reset makes all registers ones without contents in some lanes.
func (r *Rows) Reset(blank uint64) {
	clear(r.from)
	r.parts, r.lack = nil, blank != 0
	for i := range r.blank {
		r.blank[i] = blank
	}
}

// Clone copies them; those of nil are nil.
func (r *Rows) Clone() *Rows {
	if r == nil {
		return nil
	}
	return &Rows{slices.Clone(r.blank), slices.Clone(r.from), r.cloneParts(), r.lack}
}

// Whole reports whether all have contents in all lanes.
func (r *Rows) Whole() bool {
	if !r.lack {
		return true
	}
	for i, blank := range r.blank {
		if blank != 0 || r.parted(Operand(i)) != nil {
			return false
		}
	}
	r.lack = false
	return true
}

// Blank is that of [Registers].
func (r *Rows) Blank(o Operand, lanes uint64) (blank, from uint64) {
	if blank = r.blank[o] & lanes; blank == 0 {
		return 0, 0
	}
	return blank, r.from[o]
}

// Set is that of [Registers].
func (r *Rows) Set(o Operand, lanes, blank, from uint64) {
	if r.blank[o] = r.blank[o]&^lanes | blank&lanes; blank&lanes != 0 {
		r.from[o], r.lack = from, true
	}
	if r.parts != nil {
		r.unpart(o, lanes)
	}
}
