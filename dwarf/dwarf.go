// Package dwarf reads and writes DWARF debugging information, versions 2 to 5, in both the 32-bit and the
// 64-bit format.
//
// New takes the debug sections of one linked object and finds its units. A unit's entries are read when
// they are first asked for, into a tree of DIE that keeps what was read: the order of the attributes,
// their forms, the bytes of their blocks. Location lists, range lists and the line table (package line)
// are read on demand as well. Write makes new sections out of trees, so a program can read a unit,
// change it and write it again; Copier does the copying.
//
// The package follows the DWARF 5 standard and, for what that leaves to vendors, LLVM 22 and the GNU
// tools. It does not know what an expression does: expressions are bytes here. It applies no
// relocations, so the object must be linked, and it reads neither split units (.dwo) nor supplementary
// files: attributes that point there keep their numbers.
//
// Bytes from a hostile file give an error of type *Error and never a panic; time and memory are bounded
// by the size of the sections.
package dwarf

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"simtgdb/dwarf/internal/section"
)

// An Error says what is wrong in which debug section and at which offset.
type Error = section.Error

// Sections has the contents of the debug sections of one object, without compression. Those that the
// object lacks are nil.
type Sections struct {
	Info, Types, Abbrev      []byte
	Str, LineStr, StrOffsets []byte
	Addr                     []byte
	Line                     []byte
	Loc, LocLists            []byte
	Ranges, RngLists         []byte
	Macro                    []byte
}

// SectionsNamed takes the sections out of those of an object by their names, ".debug_info" and so on.
func SectionsNamed(s map[string][]byte) Sections {
	return Sections{
		Info: s[".debug_info"], Types: s[".debug_types"], Abbrev: s[".debug_abbrev"],
		Str: s[".debug_str"], LineStr: s[".debug_line_str"], StrOffsets: s[".debug_str_offsets"],
		Addr: s[".debug_addr"], Line: s[".debug_line"],
		Loc: s[".debug_loc"], LocLists: s[".debug_loclists"],
		Ranges: s[".debug_ranges"], RngLists: s[".debug_rnglists"], Macro: s[".debug_macro"],
	}
}

// Options for New.
type Options struct {
	BigEndian bool
}

// Data is the debugging information of one object. Its methods may be called from several goroutines;
// the trees must not be changed meanwhile.
type Data struct {
	sec        Sections
	big        bool
	units      []*Unit // of .debug_info, then of .debug_types
	infoUnits  int
	signatures map[uint64]*Unit
	complaints []error

	abbrevs abbrevCache

	lineMu     sync.Mutex
	lineTables map[uint64]lineResult

	addrOnce  sync.Once
	addrParts []uint64 // where parts of .debug_addr end, in rising order

	indexOnce sync.Once
	index     pcIndex[*Unit]
}

// New finds the units of the object. A unit of an unknown version or kind is left out and mentioned by
// Complaints.
func New(s Sections, o Options) (*Data, error) {
	d := &Data{sec: s, big: o.BigEndian, signatures: make(map[uint64]*Unit),
		lineTables: make(map[uint64]lineResult)}
	d.abbrevs.init(s.Abbrev, o.BigEndian)
	if err := d.readHeaders(sectionInfo); err != nil {
		return nil, err
	}
	d.infoUnits = len(d.units)
	if err := d.readHeaders(sectionTypes); err != nil {
		return nil, err
	}
	for _, u := range d.units {
		if u.Type.IsType() {
			if _, taken := d.signatures[u.Signature]; !taken {
				d.signatures[u.Signature] = u
			}
		}
	}
	return d, nil
}

// Units gives the units in the order of the sections, .debug_info first.
func (d *Data) Units() []*Unit { return d.units }

// Sections gives what New got.
func (d *Data) Sections() *Sections { return &d.sec }

// BigEndian reports whether the sections are big-endian.
func (d *Data) BigEndian() bool { return d.big }

// Complaints lists the units that were left out.
func (d *Data) Complaints() []error { return d.complaints }

func (d *Data) readHeaders(where unitSection) error {
	r := section.NewReader(where.String(), d.unitBytes(where), d.big)
	for r.Len() > 0 {
		start := r.Offset()
		u, err := readUnitHeader(&r, where)
		if err != nil {
			return err
		}
		if u == nil { // padding between units
			continue
		}
		u.Data = d
		if err := u.supported(); err != nil {
			d.complaints = append(d.complaints, err)
		} else {
			d.units = append(d.units, u)
		}
		r.Seek(u.End)
		if r.Err() != nil || r.Offset() <= start {
			return r.Err()
		}
	}
	return r.Err()
}

func (d *Data) unitBytes(where unitSection) []byte {
	if where == sectionTypes {
		return d.sec.Types
	}
	return d.sec.Info
}

// DIEAt gives the entry at an offset of .debug_info, or nil where no entry starts.
func (d *Data) DIEAt(offset uint64) *DIE {
	info := d.units[:d.infoUnits]
	i := sort.Search(len(info), func(i int) bool { return info[i].End > offset })
	if i == len(info) {
		return nil
	}
	return info[i].DIEAt(offset)
}

// TypeUnit gives the type unit with a signature, or nil.
func (d *Data) TypeUnit(signature uint64) *Unit { return d.signatures[signature] }

// UnitAt gives the unit whose code includes pc, or nil.
func (d *Data) UnitAt(pc uint64) *Unit {
	d.indexOnce.Do(d.buildIndex)
	u, _ := d.index.find(pc)
	return u
}

// maxIndexed bounds the index against units that all share one long range list.
const maxIndexed = 1 << 22

func (d *Data) buildIndex() {
	for _, u := range d.units {
		if u.Type.IsType() || d.index.len() > maxIndexed {
			continue
		}
		ranges, err := u.Ranges()
		if err != nil {
			continue
		}
		for _, r := range ranges {
			d.index.add(r.Low, r.High, u)
		}
	}
	d.index.sort()
}

// A pcIndex finds the innermost of many address ranges, which may overlap.
type pcIndex[T any] struct {
	entries []pcEntry[T]
	reach   []uint64 // the highest end of the entries up to and including each
}

type pcEntry[T any] struct {
	low, high uint64
	value     T
}

func (x *pcIndex[T]) len() int { return len(x.entries) }

func (x *pcIndex[T]) add(low, high uint64, value T) {
	if low < high {
		x.entries = append(x.entries, pcEntry[T]{low, high, value})
	}
}

func (x *pcIndex[T]) sort() {
	slices.SortStableFunc(x.entries, func(a, b pcEntry[T]) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(b.high, a.high))
	})
	x.reach = make([]uint64, len(x.entries))
	var reach uint64
	for i, e := range x.entries {
		reach = max(reach, e.high)
		x.reach[i] = reach
	}
}

func (x *pcIndex[T]) find(pc uint64) (T, bool) {
	i := sort.Search(len(x.entries), func(i int) bool { return x.entries[i].low > pc })
	for i--; i >= 0 && x.reach[i] > pc; i-- {
		if pc < x.entries[i].high {
			return x.entries[i].value, true
		}
	}
	var none T
	return none, false
}
