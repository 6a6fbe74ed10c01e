package loader

import (
	"debug/elf"
	"fmt"
	"sort"
)

// SymbolKind is what a symbol stands for.
type SymbolKind uint8

// The kinds, from ELF's STT_* types.
const (
	SymbolNone SymbolKind = iota // a label without a type
	SymbolObject
	SymbolFunc
	SymbolSection
	SymbolFile
	SymbolOther
)

func (k SymbolKind) String() string {
	if int(k) < len(symbolKindNames) {
		return symbolKindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

var symbolKindNames = [...]string{"none", "object", "func", "section", "file", "other"}

var symbolKinds = map[elf.SymType]SymbolKind{
	elf.STT_NOTYPE:  SymbolNone,
	elf.STT_OBJECT:  SymbolObject,
	elf.STT_FUNC:    SymbolFunc,
	elf.STT_SECTION: SymbolSection,
	elf.STT_FILE:    SymbolFile,
}

// Symbol is an entry of the symbol table.
type Symbol struct {
	Name      string
	Addr      uint64 // or the value, if Absolute
	Size      uint64
	Kind      SymbolKind
	Global    bool // visible to other modules: bound global or weak
	Weak      bool
	Undefined bool
	Absolute  bool   // a number, not an address: clang's NAME.num_vgpr and the like
	Section   string // where it is defined; empty if nowhere or unknown
}

// Symbol finds a symbol by name; a global one before local ones.
func (m *Module) Symbol(name string) (Symbol, bool) {
	found := -1
	for i := range m.Symbols {
		if m.Symbols[i].Name != name {
			continue
		}
		if m.Symbols[i].Global {
			return m.Symbols[i], true
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		return Symbol{}, false
	}
	return m.Symbols[found], true
}

// addrSymbol is an entry of the index of symbols by address.
type addrSymbol struct {
	addr, end uint64 // [addr, end); end == addr for symbols without a size
	reach     uint64 // the highest end of this and all earlier entries
	symbol    int
}

// indexSymbols prepares SymbolAt. Equal addresses are ordered so that the
// symbol to report comes last: functions after objects after labels, short
// after long, global after local.
func indexSymbols(symbols []Symbol) []addrSymbol {
	var index []addrSymbol
	for i := range symbols {
		s := &symbols[i]
		if s.Undefined || s.Absolute || s.Name == "" || s.Kind > SymbolFunc || s.Size > ^s.Addr {
			continue
		}
		index = append(index, addrSymbol{addr: s.Addr, end: s.Addr + s.Size, symbol: i})
	}
	sort.SliceStable(index, func(i, j int) bool {
		a, b := &index[i], &index[j]
		if a.addr != b.addr {
			return a.addr < b.addr
		}
		x, y := &symbols[a.symbol], &symbols[b.symbol]
		switch {
		case x.Kind != y.Kind:
			return x.Kind < y.Kind
		case x.Size != y.Size:
			return x.Size > y.Size
		}
		return !x.Global && y.Global
	})
	var reach uint64
	for i := range index {
		reach = max(reach, index[i].end)
		index[i].reach = reach
	}
	return index
}

// SymbolAt finds the innermost function or object that covers an address, and
// how far into it the address is. Where none does, it is the nearest label
// without a size (as in hand-written assembly) before the address in the same
// segment.
func (m *Module) SymbolAt(addr uint64) (sym Symbol, offset uint64, ok bool) {
	seg := m.SegmentAt(addr)
	if seg == nil {
		return Symbol{}, 0, false
	}
	first := sort.Search(len(m.byAddr), func(i int) bool { return m.byAddr[i].addr > addr }) - 1
	for i := first; i >= 0 && m.byAddr[i].reach > addr; i-- {
		if e := &m.byAddr[i]; addr < e.end {
			return m.Symbols[e.symbol], addr - e.addr, true
		}
	}
	// A sized symbol ends what the label before it names.
	if first >= 0 && m.byAddr[first].addr >= seg.Addr {
		if e := &m.byAddr[first]; e.end == e.addr {
			return m.Symbols[e.symbol], addr - e.addr, true
		}
	}
	return Symbol{}, 0, false
}
