package symfile

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"

	"simtgdb/loader"
	"simtgdb/stub/facade"
)

// writeELF writes an executable of a CPU without an operating system's marks:
// the module's segments at their addresses, its functions and objects as
// symbols, and debug sections.
// The build id is a hash of all that: gdb keeps what it knows of a file, and what
// it was told of its sources, by that.
func writeELF(m *loader.Module, cpu facade.Facade, l Layout, debug map[string][]byte) (
	file, buildID []byte, err error) {
	w := &elfWriter{names: []byte{0}}
	w.section(elf.Section64{}, "", nil)
	segments, err := m.Relocate(0, func(string) (uint64, bool) { return 0, true })
	if err != nil {
		segments = m.Segments
	}
	segments = slices.Clone(segments)
	for i := range segments {
		segments[i] = m.Used(segments[i])
	}
	segments = slices.DeleteFunc(segments, func(s loader.Segment) bool { return s.MemSize == 0 })
	for i, s := range segments {
		w.segment(i, s)
	}
	dispatch := w.section(elf.Section64{Type: uint32(elf.SHT_NOBITS),
		Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR),
		Addr:  l.Dispatch, Size: dispatchSize, Addralign: 1}, ".dispatch", nil)
	var names []string
	for n := range debug {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		w.section(elf.Section64{Type: uint32(elf.SHT_PROGBITS), Addralign: 1}, n, debug[n])
	}
	note := w.section(elf.Section64{Type: uint32(elf.SHT_NOTE), Flags: uint64(elf.SHF_ALLOC),
		Addr: l.Dispatch + noteOffset, Addralign: 4},
		".note.gnu.build-id", buildNote(nil))
	w.load(note, elf.PT_LOAD)
	w.load(note, elf.PT_NOTE)
	more := []symbol{
		{dispatchName, l.Dispatch, dispatchSize, dispatch, elf.STT_FUNC},
		// Without a size, so that gdb names addresses by the kernel's own symbol.
		{mainName, l.Kernel, 0, w.sectionOf(segments, l.Kernel), elf.STT_FUNC},
	}
	for _, name := range slices.Sorted(maps.Keys(l.Aliases)) {
		addr := l.Aliases[name]
		more = append(more, symbol{name, addr, 0, w.sectionOf(segments, addr), elf.STT_FUNC})
	}
	w.symbols(m, l, segments, more)
	file = w.finish(cpu.Machine(), l.Kernel)
	id := sha1.Sum(file)
	copy(file[w.headers[note].Off:], buildNote(id[:]))
	return file, id[:], nil
}

// noteOffset is how far behind the beginning of the dispatch function the build id is.
const noteOffset = 0x100

// ReadNote reads from the memory behind the dispatch function, where nothing is but the note with the build
// id.
func (f *File) ReadNote(offset uint64, buf []byte) int {
	note := buildNote(f.BuildID)
	if offset < noteOffset || offset-noteOffset >= uint64(len(note)) {
		return 0
	}
	return copy(buf, note[offset-noteOffset:])
}

// buildNote is a note with a build id (Linux standard base, "Note Sections"). gdb
// compares it with that of the file it has when it connects anew, and loads this
// one if it is another (validate_exec_file).
func buildNote(id []byte) []byte {
	const ntGNUBuildID = 3
	b := binary.LittleEndian.AppendUint32(nil, 4)
	b = binary.LittleEndian.AppendUint32(b, sha1.Size)
	b = binary.LittleEndian.AppendUint32(b, ntGNUBuildID)
	b = append(b, "GNU\x00"...)
	return append(append(b, id...), make([]byte, sha1.Size-len(id))...)
}

// load adds a program header of a section.
func (w *elfWriter) load(section int, typ elf.ProgType) {
	h := w.headers[section]
	w.progs = append(w.progs, elf.Prog64{Type: uint32(typ), Flags: uint32(elf.PF_R), Vaddr: h.Addr,
		Paddr:  h.Addr,
		Filesz: h.Size, Memsz: h.Size, Align: 1})
	w.progOf = append(w.progOf, section)
}

const (
	elfHeaderSize  = 64
	progHeaderSize = 56
	sectHeaderSize = 64
)

// An elfWriter collects the parts of the file. The headers come first in it,
// then the contents; the numbers of both are known when all is collected.
type elfWriter struct {
	names    []byte
	headers  []elf.Section64
	contents [][]byte
	progs    []elf.Prog64
	progOf   []int // the section that a program header loads
}

func (w *elfWriter) section(h elf.Section64, name string, data []byte) int {
	h.Name = uint32(len(w.names))
	if name == "" {
		h.Name = 0
	} else {
		w.names = append(append(w.names, name...), 0)
	}
	if h.Type != uint32(elf.SHT_NOBITS) && data != nil {
		h.Size = uint64(len(data))
	}
	w.headers = append(w.headers, h)
	w.contents = append(w.contents, data)
	return len(w.headers) - 1
}

func (w *elfWriter) segment(i int, s loader.Segment) {
	flags := elf.SHF_ALLOC
	prog := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Vaddr: s.Addr, Paddr: s.Addr,
		Filesz: uint64(len(s.Data)), Memsz: s.MemSize, Align: 1}
	name := fmt.Sprintf(".rodata%d", i)
	if s.Write {
		flags |= elf.SHF_WRITE
		prog.Flags |= uint32(elf.PF_W)
		name = fmt.Sprintf(".data%d", i)
	}
	if s.Exec {
		flags |= elf.SHF_EXECINSTR
		prog.Flags |= uint32(elf.PF_X)
		name = ".text"
		if w.hasSection(name) {
			name = fmt.Sprintf(".text%d", i)
		}
	}
	h := elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(flags), Addr: s.Addr, Addralign: 1}
	if len(s.Data) == 0 {
		h.Type, h.Size = uint32(elf.SHT_NOBITS), s.MemSize
	}
	n := w.section(h, name, s.Data)
	w.progs, w.progOf = append(w.progs, prog), append(w.progOf, n)
}

func (w *elfWriter) hasSection(name string) bool {
	return bytes.Contains(w.names, append(append([]byte{0}, name...), 0))
}

// A symbol is one that the module does not have.
type symbol struct {
	name       string
	addr, size uint64
	section    int
	typ        elf.SymType
}

// symbols writes the symbol table: functions and objects, local ones first as
// ELF wants it, and some more. They are in the order of their addresses, since
// IGC writes a program's in another order each time, and the file's hash is to
// tell programs apart, not that.
func (w *elfWriter) symbols(m *loader.Module, l Layout, segments []loader.Segment, more []symbol) {
	strings := []byte{0}
	table := make([]byte, elf.Sym64Size)
	locals := 1
	add := func(s symbol, bind elf.SymBind) {
		if s.section == 0 {
			return
		}
		if bind == elf.STB_LOCAL {
			locals++
		}
		sym := elf.Sym64{Name: uint32(len(strings)), Info: elf.ST_INFO(bind, s.typ),
			Shndx: uint16(s.section), Value: s.addr, Size: s.size}
		strings = append(append(strings, s.name...), 0)
		table, _ = binary.Append(table, binary.LittleEndian, sym) // of a fixed size: cannot fail
	}
	for _, s := range more {
		add(s, elf.STB_LOCAL)
	}
	types := map[loader.SymbolKind]elf.SymType{loader.SymbolFunc: elf.STT_FUNC,
		loader.SymbolObject: elf.STT_OBJECT}
	ordered := slices.Clone(m.Symbols)
	slices.SortStableFunc(ordered, func(a, b loader.Symbol) int { return cmp.Compare(a.Addr, b.Addr) })
	for _, bind := range []elf.SymBind{elf.STB_LOCAL, elf.STB_GLOBAL} {
		for _, s := range ordered {
			typ, ok := types[s.Kind]
			if ok && s.Global == (bind == elf.STB_GLOBAL) && !s.Undefined && !s.Absolute {
				add(symbol{l.symbolName(&s), s.Addr, s.Size, w.sectionOf(segments, s.Addr), typ}, bind)
			}
		}
	}
	link := w.section(elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}, ".strtab", strings)
	w.section(elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: uint32(link), Info: uint32(locals),
		Entsize: elf.Sym64Size, Addralign: 8}, ".symtab", table)
}

func (w *elfWriter) sectionOf(segments []loader.Segment, addr uint64) int {
	for i := range segments {
		if segments[i].Contains(addr, 0) {
			return w.progOf[i]
		}
	}
	return 0
}

// finish lays the file out.
func (w *elfWriter) finish(machine elf.Machine, entry uint64) []byte {
	nameTable := w.section(elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}, ".shstrtab", nil)
	w.contents[nameTable], w.headers[nameTable].Size = w.names, uint64(len(w.names))

	progOff := uint64(elfHeaderSize)
	sectOff := progOff + progHeaderSize*uint64(len(w.progs))
	at := sectOff + sectHeaderSize*uint64(len(w.headers))
	for i := range w.headers {
		if i > 0 {
			at = (at + 7) &^ 7
			w.headers[i].Off = at
			at += uint64(len(w.contents[i]))
		}
	}
	for i, s := range w.progOf {
		w.progs[i].Off = w.headers[s].Off
	}
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Entry: entry,
		Phoff: progOff, Shoff: sectOff, Ehsize: elfHeaderSize, Phentsize: progHeaderSize,
		Phnum:     uint16(len(w.progs)),
		Shentsize: sectHeaderSize, Shnum: uint16(len(w.headers)), Shstrndx: uint16(nameTable)}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64),
		byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)

	var b bytes.Buffer
	for _, part := range []any{h, w.progs, w.headers} {
		binary.Write(&b, binary.LittleEndian, part) // to a buffer, of fixed-size types: cannot fail
	}
	for i, c := range w.contents {
		if pad := int(w.headers[i].Off) - b.Len(); i > 0 && pad > 0 {
			b.Write(make([]byte, pad))
		}
		b.Write(c)
	}
	return b.Bytes()
}
