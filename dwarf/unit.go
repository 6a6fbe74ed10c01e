package dwarf

import (
	"fmt"
	"sort"
	"sync"

	"simtgdb/dwarf/internal/section"
	"simtgdb/dwarf/line"
)

// A UnitKind is the kind of a unit (DWARF 5 section 7.5.1, table 7.2). Units before version 5 have
// UnitCompile, or UnitType where they come from .debug_types.
type UnitKind uint8

// Unit kinds.
const (
	UnitCompile      UnitKind = 0x01
	UnitType         UnitKind = 0x02
	UnitPartial      UnitKind = 0x03
	UnitSkeleton     UnitKind = 0x04
	UnitSplitCompile UnitKind = 0x05
	UnitSplitType    UnitKind = 0x06
)

var unitKindNames = map[UnitKind]string{
	UnitCompile:      "DW_UT_compile",
	UnitType:         "DW_UT_type",
	UnitPartial:      "DW_UT_partial",
	UnitSkeleton:     "DW_UT_skeleton",
	UnitSplitCompile: "DW_UT_split_compile",
	UnitSplitType:    "DW_UT_split_type",
}

func (k UnitKind) String() string {
	if s, ok := unitKindNames[k]; ok {
		return s
	}
	return fmt.Sprintf("DW_UT_unknown_%x", uint8(k))
}

// IsType reports whether the unit describes one type that others refer to by signature.
func (k UnitKind) IsType() bool { return k == UnitType || k == UnitSplitType }

type unitSection uint8

const (
	sectionInfo unitSection = iota
	sectionTypes
)

func (s unitSection) String() string {
	if s == sectionTypes {
		return ".debug_types"
	}
	return ".debug_info"
}

// A Unit is one contribution to .debug_info or .debug_types.
type Unit struct {
	Data         *Data
	Offset       uint64 // of the header in the section
	End          uint64 // offset behind the unit
	Length       uint64 // as the header says
	Version      uint16
	Type         UnitKind
	AddrSize     uint8
	Is64         bool // the 64-bit format
	AbbrevOffset uint64
	Signature    uint64 // of a type unit
	TypeOffset   uint64 // of the type in a type unit, as an offset in the section
	DWOID        uint64 // of a skeleton or split unit of version 5

	section unitSection
	first   uint64 // offset of the first entry
	abbrevs *abbrevTable
	bases   bases

	mu         sync.Mutex
	topRead    bool
	topErr     error
	behindTop  uint64 // offset behind the first entry
	hasTree    bool   // the first entry has children
	treeRead   bool
	treeErr    error
	root       *DIE
	dies       []*DIE // in the order of their offsets
	complaints []error

	linesOnce  sync.Once
	lines      *line.Table
	linesErr   error
	scopesOnce sync.Once
	functions  pcIndex[*DIE]
}

// bases has where the unit's contributions to the indexed sections start.
type bases struct {
	strOffsets, addr, locLists, rngLists uint64
	hasStrOffsets, hasAddr               bool
	hasLocLists, hasRngLists             bool
	low                                  uint64 // the base address of lists, DW_AT_low_pc of the root
}

// SectionName is the section that the unit comes from: .debug_info or .debug_types.
func (u *Unit) SectionName() string { return u.section.String() }

// OffsetSize is the size in bytes of offsets in the unit's format, 4 or 8.
func (u *Unit) OffsetSize() int {
	if u.Is64 {
		return 8
	}
	return 4
}

// readUnitHeader reads the header at r; the entries are not looked at. It gives nil for padding.
func readUnitHeader(r *section.Reader, where unitSection) (*Unit, error) {
	u := &Unit{Offset: r.Offset(), section: where, Type: UnitCompile}
	u.Length, u.Is64 = r.InitialLength()
	if r.Err() == nil && u.Length == 0 {
		return nil, nil
	}
	u.End = r.End(u.Length)
	u.Version = r.U16()
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("unit header: %w", err)
	}
	if u.Version < 2 || u.Version > 5 {
		return u, nil
	}
	h := r.At(r.Offset())
	h.Limit(u.End)
	u.readHeaderRest(&h)
	u.first = h.Offset()
	if err := h.Err(); err != nil {
		return nil, fmt.Errorf("unit header: %w", err)
	}
	return u, nil
}

func (u *Unit) readHeaderRest(h *section.Reader) {
	if u.Version >= 5 {
		u.Type = UnitKind(h.U8())
		u.AddrSize = h.U8()
		u.AbbrevOffset = h.SectionOffset(u.Is64)
	} else {
		u.AbbrevOffset = h.SectionOffset(u.Is64)
		u.AddrSize = h.U8()
		if u.section == sectionTypes {
			u.Type = UnitType
		}
	}
	switch u.Type {
	case UnitSkeleton, UnitSplitCompile:
		u.DWOID = h.U64()
	case UnitType, UnitSplitType:
		u.Signature = h.U64()
		u.TypeOffset = u.Offset + h.SectionOffset(u.Is64)
	}
}

func (u *Unit) supported() error {
	name := u.section.String()
	switch {
	case u.Version < 2 || u.Version > 5:
		return section.Errorf(name, u.Offset, "unit of version %d, versions 2 to 5 are known", u.Version)
	case unitKindNames[u.Type] == "":
		return section.Errorf(name, u.Offset, "unit of unknown type 0x%x", uint8(u.Type))
	case u.AddrSize != 1 && u.AddrSize != 2 && u.AddrSize != 4 && u.AddrSize != 8:
		return section.Errorf(name, u.Offset, "unit with addresses of %d bytes, 1, 2, 4 and 8 are known",
			u.AddrSize)
	}
	return nil
}

// Top gives the unit's first entry without reading the others; its Children may be missing.
func (u *Unit) Top() (*DIE, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.topRead {
		u.topRead = true
		u.topErr = u.readTop()
	}
	return u.root, u.topErr
}

// Root gives the unit's first entry with the whole tree below it. Where the tree is broken the entries
// that could be read are there and the error says where reading ended.
func (u *Unit) Root() (*DIE, error) {
	if _, err := u.Top(); err != nil {
		return u.root, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.treeRead {
		u.treeRead = true
		u.treeErr = u.readTree()
	}
	return u.root, u.treeErr
}

// DIEAt gives the entry that starts at an offset of the unit's section, or nil.
func (u *Unit) DIEAt(offset uint64) *DIE {
	u.Root()
	i := sort.Search(len(u.dies), func(i int) bool { return u.dies[i].Offset >= offset })
	if i == len(u.dies) || u.dies[i].Offset != offset {
		return nil
	}
	return u.dies[i]
}

// TypeDIE gives the entry of the type that a type unit is there for, or nil.
func (u *Unit) TypeDIE() *DIE {
	if !u.Type.IsType() {
		return nil
	}
	return u.DIEAt(u.TypeOffset)
}

// Complaints lists what was wrong with single attributes of the entries that were read so far, such as
// a string offset outside of .debug_str. The first few are kept.
func (u *Unit) Complaints() []error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.complaints
}

const maxComplaints = 16

func (u *Unit) complain(err error) {
	if len(u.complaints) < maxComplaints {
		u.complaints = append(u.complaints, err)
	}
}

// Name gives DW_AT_name of the unit.
func (u *Unit) Name() string { return u.topString(AttrName) }

// Producer gives DW_AT_producer of the unit.
func (u *Unit) Producer() string { return u.topString(AttrProducer) }

// CompDir gives DW_AT_comp_dir of the unit.
func (u *Unit) CompDir() string { return u.topString(AttrCompDir) }

func (u *Unit) topString(name At) string {
	top, _ := u.Top()
	if top == nil {
		return ""
	}
	s, _ := top.Str(name)
	return s
}

// Language gives DW_AT_language of the unit, 0 where it has none.
func (u *Unit) Language() uint64 {
	top, _ := u.Top()
	if top == nil {
		return 0
	}
	n, _ := top.Uint(AttrLanguage)
	return n
}

// maxAddr is the highest address of the unit's address size; the linkers put it where code was removed.
func (u *Unit) maxAddr() uint64 { return ^uint64(0) >> (64 - 8*uint(u.AddrSize)) }
