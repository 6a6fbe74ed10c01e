package intelgt

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/simt/gen"
)

// attrLanes is IGC's attribute of a subprogram that says for how many lanes its code is.
const attrLanes dwarf.At = 0x2400

// read is what has been found out of locations.
type read struct {
	mu      sync.Mutex
	code    map[dwarf.Range]*gen.Accesses // by the code of functions
	objects map[*dwarf.DIE][]dwarf.LocEntry
}

// Objects implements arch.ObjectReader. IGC's locations in registers begin before the instruction that
// computes the value, and go on behind the one that puts another there: there the object is nowhere.
func (a *Arch) Objects(v *dwarf.DIE, locs []dwarf.LocEntry, size uint64) []dwarf.LocEntry {
	a.read.mu.Lock()
	defer a.read.mu.Unlock()
	if known, ok := a.read.objects[v]; ok {
		return known
	}
	if a.read.objects == nil {
		a.read.code, a.read.objects = map[dwarf.Range]*gen.Accesses{}, map[*dwarf.DIE][]dwarf.LocEntry{}
	}
	found := a.objects(v, locs, size)
	a.read.objects[v] = found
	return found
}

func (a *Arch) objects(v *dwarf.DIE, locs []dwarf.LocEntry, size uint64) (out []dwarf.LocEntry) {
	lanes := lanesOf(v)
	f := expr.Format{AddressSize: int(v.Unit.AddrSize), DWARF64: v.Unit.Is64, Version: int(v.Unit.Version)}
	code, accesses := a.codeOf(v)
	var known []dwarf.LocEntry
	spans := map[string][]gen.Span{} // by location
	for _, l := range locs {
		object, ok := expr.IntelObject(l.Expr, f, size, lanes)
		if !ok {
			continue
		}
		l.Expr = object
		span := gen.Span{Low: l.Low, High: l.High}
		if l.Default {
			span = gen.Span(code)
		}
		known, spans[string(object)] = append(known, l), append(spans[string(object)], span)
	}
	absent := map[string][]gen.Span{}
	for location, code := range spans {
		absent[location] = a.absent(v, []byte(location), code, accesses, size)
	}
	for _, l := range known {
		gaps := absent[string(l.Expr)]
		if l.Default && len(gaps) > 0 {
			l.Low, l.High, l.Default = code.Low, code.High, false
		}
		out = append(out, without(l, gaps)...)
	}
	return out
}

// without is a location but for where there is none, in order.
func without(l dwarf.LocEntry, gaps []gen.Span) (out []dwarf.LocEntry) {
	for _, g := range gaps {
		if g.High <= l.Low || g.Low >= l.High {
			continue
		}
		if g.Low > l.Low {
			part := l
			part.High = g.Low
			out = append(out, part)
		}
		l.Low = g.High
	}
	if l.Default || l.Low < l.High {
		out = append(out, l)
	}
	return out
}

// lanesOf is for how many lanes the code around an entry is.
func lanesOf(v *dwarf.DIE) int {
	lanes := uint64(0)
	for d := v; d != nil && lanes == 0; d = d.Parent {
		lanes, _ = d.Uint(attrLanes)
	}
	return int(min(lanes, 32))
}

// codeOf is the code of the function around an entry, and what it does with registers; nil if there is
// none, or it cannot be told.
func (a *Arch) codeOf(v *dwarf.DIE) (dwarf.Range, *gen.Accesses) {
	f := v
	for f != nil && f.Tag != dwarf.TagSubprogram {
		f = f.Parent
	}
	if f == nil {
		return dwarf.Range{}, nil
	}
	code, ok := f.LowHigh()
	if !ok || a.generation == nil {
		return code, nil
	}
	all, ok := a.read.code[code]
	if ok {
		return code, all
	}
	for i := range a.module.Segments {
		if s := &a.module.Segments[i]; s.Exec && code.Low >= s.Addr && code.Low < code.High &&
			code.High-s.Addr <= uint64(len(s.Data)) {
			all = a.generation.Accesses(s.Data[code.Low-s.Addr:code.High-s.Addr], code.Low)
		}
	}
	a.read.code[code] = all
	return code, all
}

// maxFollowed bounds the objects that are followed in registers.
const maxFollowed = 1 << 12

// absent are the parts of code in which a location's registers do not hold what it says.
func (a *Arch) absent(v *dwarf.DIE, location []byte, code []gen.Span, accesses *gen.Accesses,
	size uint64) (absent []gen.Span) {
	if accesses == nil || size == 0 || size > maxFollowed {
		return nil
	}
	places, address, err := a.places(v, location, size)
	if err != nil {
		return nil
	}
	at, _ := v.Attr(dwarf.AttrLocation)
	value := gen.Value{Code: code, Preserved: firstPreserved(a.generation), LineOf: lineOf(v.Unit),
		One:   at.Class != dwarf.ClassLocList,
		Given: v.Tag == dwarf.TagFormalParameter && v.Parent != nil && v.Parent.Tag == dwarf.TagSubprogram}
	value.Line, _ = cmp.Or(v.Origin(), v).Uint(dwarf.AttrDeclLine)
	if address { // which the function computes where the object is declared, or before its first statement
		value.Address, value.Given, value.Before = true, false, functionLine(v)
	}
	for i := range places {
		value.Places = places[i]
		gaps := accesses.Absent(&value)
		switch {
		case i == 0:
			absent = gaps
		case address: // of which no part is enough
			absent = append(absent, gaps...)
		default:
			absent = common(absent, gaps)
		}
	}
	slices.SortFunc(absent, func(a, b gen.Span) int { return cmp.Compare(a.Low, b.Low) })
	return absent
}

// functionLine is the line on which the function around an entry begins.
func functionLine(v *dwarf.DIE) uint64 {
	for f := v; f != nil; f = f.Parent {
		if f.Tag == dwarf.TagSubprogram {
			line, _ := cmp.Or(f.Origin(), f).Uint(dwarf.AttrDeclLine)
			return line
		}
	}
	return 0
}

// places are the registers that an object is in, for one part after the other, each with those of all lanes,
// or one place if all have the same. Of an object in memory they are those that its address is computed from:
// the frame's, or one for each lane.
func (a *Arch) places(v *dwarf.DIE, location []byte, size uint64) (
	parts [][]gen.Place, address bool, err error) {
	lanes := max(lanesOf(v), 1)
	same := true
	for lane := range lanes {
		r := &reading{generation: a.generation, lane: lane, lanes: lanes}
		l, err := expr.Evaluate(r, location, a.Options(v.Unit))
		if err != nil {
			return nil, false, err
		}
		if address = l.Kind() == expr.Memory && len(r.places) > 0; address {
			r.halve()
		} else if _, err := l.Read(r, 0, 8*size); err != nil {
			return nil, false, err
		}
		for i, p := range r.places {
			if i == len(parts) {
				parts = append(parts, nil)
			}
			parts[i] = append(parts[i], p)
			same = same && p == parts[i][0]
		}
	}
	for i := range parts {
		if same {
			parts[i] = parts[i][:1]
		}
	}
	return parts, address, nil
}

// lineOf gives the lines of instructions.
func lineOf(u *dwarf.Unit) func(pc uint64) uint64 {
	t, _ := u.Lines()
	return func(pc uint64) uint64 {
		if t == nil {
			return 0
		}
		row, ok := t.Lookup(pc)
		if !ok {
			return 0
		}
		return uint64(t.Rows[row].Line)
	}
}

// common are the parts that two lists in order have both.
func common(a, b []gen.Span) (out []gen.Span) {
	for _, x := range a {
		for _, y := range b {
			if low, high := max(x.Low, y.Low), min(x.High, y.High); low < high {
				out = append(out, gen.Span{Low: low, High: high})
			}
		}
	}
	return out
}

// reading notes which general registers are read for a lane. It implements expr.Context.
type reading struct {
	generation  *gen.Generation
	lane, lanes int
	places      []gen.Place
}

// halve makes dwords of the places: those that an address of 64 bits is computed in.
func (r *reading) halve() {
	const half = 4
	var halves []gen.Place
	for _, p := range r.places {
		for ; p.Size > half; p.At, p.Size = p.At+half, p.Size-half {
			halves = append(halves, gen.Place{Reg: p.Reg, At: p.At, Size: half})
		}
		halves = append(halves, p)
	}
	r.places = halves
}

var errElsewhere = errors.New("not in a general register")

func (r *reading) AddressSize() int { return 8 }
func (r *reading) Lane() int        { return r.lane }
func (r *reading) WaveSize() int    { return r.lanes }

func (r *reading) RegisterSize(num uint64) (int, error) {
	if !isGRF(r.generation, num) {
		return 0, errElsewhere
	}
	return r.generation.RegBytes(), nil
}

func (r *reading) ReadRegister(num uint64, off int, p []byte) error {
	if !isGRF(r.generation, num) {
		return errElsewhere
	}
	r.places = append(r.places, gen.Place{Reg: int(num - numberGRF), At: off, Size: len(p)})
	return nil
}

func (r *reading) ReadMemory(uint64, int, uint64, []byte) error { return errElsewhere }
