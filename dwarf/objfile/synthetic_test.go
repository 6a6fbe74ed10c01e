package objfile

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// These tests open objects that are put together here, for what no file of testdata has.

// A part is a section of such an object.
type part struct {
	name string
	kind elf.SectionType
	data []byte
	link uint32 // by index, from 1 on
	info uint32
	addr uint64
	flag elf.SectionFlag
}

// A shape is what the head of an object says.
type shape struct {
	class   elf.Class
	order   binary.AppendByteOrder
	machine elf.Machine
	kind    elf.Type
}

var little64 = shape{elf.ELFCLASS64, binary.LittleEndian, elf.EM_X86_64, elf.ET_REL}

// object puts an ELF file together: its head, its sections, and their table with names at the end.
func object(t *testing.T, s shape, parts ...part) []byte {
	t.Helper()
	parts = append([]part{{}}, parts...)
	names := []byte{0}
	var offsets, nameAt []int
	is64 := s.class == elf.ELFCLASS64
	head := 52
	if is64 {
		head = 64
	}
	body := make([]byte, head)
	for i := range append(parts, part{}) {
		if i < len(parts) {
			nameAt = append(nameAt, len(names))
			names = append(append(names, parts[i].name...), 0)
			offsets = append(offsets, len(body))
			body = append(body, parts[i].data...)
		}
	}
	nameAt, names = append(nameAt, len(names)), append(names, ".shstrtab\x00"...)
	parts = append(parts, part{name: ".shstrtab", kind: elf.SHT_STRTAB, data: names})
	offsets = append(offsets, len(body))
	body = append(body, names...)
	for len(body)%8 != 0 {
		body = append(body, 0)
	}
	table := len(body)
	var b bytes.Buffer
	write := func(v any) {
		if err := binary.Write(&b, s.order.(binary.ByteOrder), v); err != nil {
			t.Fatal(err)
		}
	}
	data := elf.ELFDATA2LSB
	if s.order == binary.AppendByteOrder(binary.BigEndian) {
		data = elf.ELFDATA2MSB
	}
	ident := [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(s.class), byte(data), 1}
	if is64 {
		write(elf.Header64{Ident: ident, Type: uint16(s.kind), Machine: uint16(s.machine), Version: 1,
			Ehsize: 64,
			Shoff:  uint64(table), Shentsize: 64, Shnum: uint16(len(parts)),
			Shstrndx: uint16(len(parts) - 1)})
	} else {
		write(elf.Header32{Ident: ident, Type: uint16(s.kind), Machine: uint16(s.machine), Version: 1,
			Ehsize: 52,
			Shoff:  uint32(table), Shentsize: 40, Shnum: uint16(len(parts)),
			Shstrndx: uint16(len(parts) - 1)})
	}
	b.Write(body[head:])
	for i, p := range parts {
		if is64 {
			write(elf.Section64{Name: uint32(nameAt[i]), Type: uint32(p.kind), Off: uint64(offsets[i]),
				Size: uint64(len(p.data)), Link: p.link, Info: p.info, Addr: p.addr, Flags: uint64(p.flag)})
		} else {
			write(elf.Section32{Name: uint32(nameAt[i]), Type: uint32(p.kind), Off: uint32(offsets[i]),
				Size: uint32(len(p.data)), Link: p.link, Info: p.info, Addr: uint32(p.addr),
				Flags: uint32(p.flag)})
		}
	}
	return b.Bytes()
}

func progbits(name string, data string) part {
	return part{name: name, kind: elf.SHT_PROGBITS, data: []byte(data)}
}

// relocated opens an object of a machine with one relocation of a .debug_info of 16 bytes 0x11, of symbol 2,
// whose value is 0x1000, with the addend 0x20 at offset 4.
func relocated(t *testing.T, m elf.Machine, order binary.AppendByteOrder, kind uint32,
	change func(parts []part)) (*Object, error) {
	t.Helper()
	numbers := func(v ...uint64) (b []byte) {
		for _, n := range v {
			b = order.AppendUint64(b, n)
		}
		return b
	}
	symbols := append(make([]byte, 24), numbers(0, 0x7777, 0, 0, 0x1000, 0)...)
	parts := []part{{name: ".debug_info", kind: elf.SHT_PROGBITS, data: bytes.Repeat([]byte{0x11}, 16)},
		{name: ".symtab", kind: elf.SHT_SYMTAB, data: symbols},
		{name: ".rela.debug_info", kind: elf.SHT_RELA, data: numbers(4, 2<<32|uint64(kind), 0x20), link: 2,
			info: 1},
		progbits(".debug_str", "names\x00")}
	if change != nil {
		change(parts)
	}
	return Open(object(t, shape{elf.ELFCLASS64, order, m, elf.ET_REL}, parts...))
}

// TestRelocations computes each relocation as the machine's ABI says, with S = 0x1000, A = 0x20 and P = 4:
// the psABI of x86-64 (table 4.9), that of AArch64 (section 5.7.5), LLVM's AMDGPUUsage ("Relocation Records")
// and the format of zebin files.
func TestRelocations(t *testing.T) {
	const whole, relative = 0x1020, 0x101c
	for _, c := range []struct {
		machine elf.Machine
		kind    uint32
		size    int // 0: nothing changes
		want    uint64
	}{
		{elf.EM_X86_64, 0, 0, 0}, {elf.EM_X86_64, 1, 8, whole}, {elf.EM_X86_64, 2, 4, relative},
		{elf.EM_X86_64, 4, 4, relative}, {elf.EM_X86_64, 10, 4, whole}, {elf.EM_X86_64, 11, 4, whole},
		{elf.EM_X86_64, 17, 8, whole}, {elf.EM_X86_64, 21, 4, whole}, {elf.EM_X86_64, 24, 8, relative},
		{elf.EM_AARCH64, 0, 0, 0}, {elf.EM_AARCH64, 257, 8, whole}, {elf.EM_AARCH64, 258, 4, whole},
		{elf.EM_AARCH64, 260, 8, relative}, {elf.EM_AARCH64, 261, 4, relative},
		{elf.EM_AMDGPU, 0, 0, 0}, {elf.EM_AMDGPU, 3, 8, whole}, {elf.EM_AMDGPU, 4, 4, relative},
		{elf.EM_AMDGPU, 5, 8, relative}, {elf.EM_AMDGPU, 6, 4, whole},
		{205, 1, 8, whole}, {205, 2, 4, whole},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			o, err := relocated(t, c.machine, order, c.kind, nil)
			if err != nil {
				t.Errorf("%v, type %d: %v", c.machine, c.kind, err)
				continue
			}
			want := bytes.Repeat([]byte{0x11}, 16)
			switch c.size {
			case 4:
				copy(want[4:], order.AppendUint32(nil, uint32(c.want)))
			case 8:
				copy(want[4:], order.AppendUint64(nil, c.want))
			}
			if got := o.Sections[".debug_info"]; !bytes.Equal(got, want) {
				t.Errorf("%v, type %d: % x, want % x", c.machine, c.kind, got, want)
			}
		}
	}
	for _, machine := range []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64, elf.EM_AMDGPU, 205} {
		if _, err := relocated(t, machine, binary.LittleEndian, 99, nil); err == nil ||
			!strings.Contains(err.Error(), "type 99 of") {
			t.Errorf("%v, type 99: error %v", machine, err)
		}
	}
}

// TestRelocationTables: what a table may refer to, and that linked objects are left as they are.
func TestRelocationTables(t *testing.T) {
	le := binary.LittleEndian
	set := func(at int, v uint64) func(parts []part) { // of the relocation: offset, symbol and type, addend
		return func(parts []part) { le.PutUint64(parts[2].data[8*at:], v) }
	}
	for name, c := range map[string]struct {
		change func(parts []part)
		want   string // of the error, or the four bytes
	}{
		"as it is":           {nil, "20 10 00 00"},
		"the last place":     {set(0, 12), "11 11 11 11"},
		"behind it":          {set(0, 13), "outside of the section, which has 16 bytes"},
		"far behind it":      {set(0, 1<<63), "outside of the section"},
		"nothing at the end": {func(parts []part) { set(0, 16)(parts); set(1, 2<<32)(parts) }, "11 11 11 11"},
		"no symbol":          {set(1, 10), "20 00 00 00"},
		"the first symbol":   {set(1, 1<<32|10), "97 77 00 00"},
		"symbol 3 of 3":      {set(1, 3<<32|10), "symbol 3 of 3"},
		"no addend":          {set(2, 0), "00 10 00 00"},
		"a negative one":     {set(2, ^uint64(0)), "ff 0f 00 00"},
		"half a relocation": {func(parts []part) { parts[2].data = append(parts[2].data, 1, 2, 3) },
			"20 10 00 00"},
		"no such table":            {func(parts []part) { parts[2].link = 9 }, "section 9 of 6"},
		"of another section":       {func(parts []part) { parts[2].info = 4 }, "11 11 11 11"},
		"a table that has no size": {func(parts []part) { parts[2].data = nil }, "11 11 11 11"},
		"without addends": {func(parts []part) { parts[2].kind = elf.SHT_REL },
			"are not applied; link the object"},
	} {
		o, err := relocated(t, elf.EM_X86_64, le, 10, func(parts []part) {
			parts[3].data = bytes.Repeat([]byte{'x'}, 16)
			if c.change != nil {
				c.change(parts)
			}
		})
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprintf("% x", o.Sections[".debug_info"][4:8])
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	s := little64
	s.kind = elf.ET_DYN
	o, err := Open(object(t, s, progbits(".debug_info", "0123"),
		part{name: ".rela.debug_info", kind: elf.SHT_RELA,
			data: make([]byte, 24), info: 1, link: 99}))
	if err != nil || string(o.Sections[".debug_info"]) != "0123" {
		t.Errorf("linked: %v, %v", o, err)
	}
}

// old compresses text as GNU's tools did: "ZLIB", its size, and what zlib makes of it.
func old(text string, size uint64) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return "ZLIB" + string(binary.BigEndian.AppendUint64(nil, size)) + b.String()
}

// TestSections takes the debug sections of an object, decompressed, those of one name together.
func TestSections(t *testing.T) {
	text := strings.Repeat("information ", 100)
	var modern bytes.Buffer
	binary.Write(&modern, binary.LittleEndian,
		elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: uint64(len(text)),
			Addralign: 1})
	modern.WriteString(old(text, 0)[12:])
	o, err := Open(object(t, little64,
		progbits(".zdebug_info", old(text, uint64(len(text)))),
		part{name: ".debug_abbrev", kind: elf.SHT_PROGBITS, data: modern.Bytes(), flag: elf.SHF_COMPRESSED},
		progbits(".debug_types", "one "), progbits(".debug_types", "two"),
		progbits(".zdebug_str", "not compressed"), progbits(".zdebug_loc", "ZLIB"),
		part{name: ".eh_frame", kind: elf.SHT_PROGBITS, data: []byte("first"), addr: 0x1000},
		part{name: ".eh_frame", kind: elf.SHT_PROGBITS, data: []byte(" second"), addr: 0x2000},
		part{name: ".debug_line", kind: elf.SHT_NOBITS, data: []byte("nothing")},
		progbits(".text", "code"), progbits(".debug", "no")))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".debug_info": text, ".debug_abbrev": text, ".debug_types": "one two",
		".debug_str": "not compressed", ".debug_loc": "ZLIB", ".eh_frame": "first second"}
	for name, w := range want {
		if got := string(o.Sections[name]); got != w {
			t.Errorf("%s is %.40q, want %.40q", name, got, w)
		}
	}
	if len(o.Sections) != len(want) || o.EHAddress != 0x1000 {
		t.Errorf("%d sections, .eh_frame at %#x", len(o.Sections), o.EHAddress)
	}
	for name, c := range map[string]struct{ before, data, want string }{
		"cut off":            {"", old(text, uint64(len(text)))[:30], "unexpected EOF"},
		"too short":          {"", old(text, uint64(len(text))+1), "unexpected EOF"},
		"as many as are":     {"", old(text, 1<<30), "unexpected EOF"},
		"more than are read": {"", old(text, 1<<30+1), "more than 1073741824 bytes of debug information"},
		"more together":      {"x", old(text, 1<<30), "more than 1073741824 bytes of debug information"},
		"no zlib":            {"", "ZLIB\x00\x00\x00\x00\x00\x00\x00\x04text", "invalid header"},
	} {
		_, err := Open(object(t, little64, progbits(".debug_str", c.before),
			progbits(".zdebug_info", c.data)))
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), `section ".zdebug_info"`) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	o, err = Open(object(t, little64, progbits(".zdebug_info", old(text, uint64(len(text))-2))))
	if err != nil || len(o.Sections[".debug_info"]) != len(text)-2 {
		t.Errorf("of more than it says: %v", err)
	}
}

// TestShapes: how an object of each kind is called, as LLVM does, and how its numbers are read.
func TestShapes(t *testing.T) {
	le, be := binary.AppendByteOrder(binary.LittleEndian), binary.AppendByteOrder(binary.BigEndian)
	for _, c := range []struct {
		shape
		format string
		size   int
	}{
		{shape{elf.ELFCLASS64, le, elf.EM_X86_64, elf.ET_EXEC}, "elf64-x86-64", 8},
		{shape{elf.ELFCLASS64, le, elf.EM_AARCH64, elf.ET_EXEC}, "elf64-littleaarch64", 8},
		{shape{elf.ELFCLASS64, be, elf.EM_AARCH64, elf.ET_EXEC}, "elf64-unknown", 8},
		{shape{elf.ELFCLASS64, le, elf.EM_AMDGPU, elf.ET_DYN}, "elf64-amdgpu", 8},
		{shape{elf.ELFCLASS32, le, elf.EM_386, elf.ET_EXEC}, "elf32-unknown", 4},
		{shape{elf.ELFCLASS32, be, elf.EM_PPC, elf.ET_EXEC}, "elf32-unknown", 4},
	} {
		o, err := Open(object(t, c.shape, progbits(".debug_str", "text\x00")))
		if err != nil || o.Format != c.format || o.AddrSize != c.size || o.BigEndian != (c.order == be) ||
			string(o.Sections[".debug_str"]) != "text\x00" {
			t.Errorf("%s: %+v, %v", c.format, o, err)
		}
		if o != nil {
			if d, err := o.Data(); err != nil || d.BigEndian() != (c.order == be) {
				t.Errorf("%s: its data are big-endian: %v, %v", c.format, d.BigEndian(), err)
			}
		}
	}
	o := New(elf.EM_AMDGPU, map[string][]byte{EHFrame: {1}}, 0x500)
	if o.Format != "elf64-amdgpu" || o.AddrSize != 8 || o.EHAddress != 0x500 || o.BigEndian ||
		len(o.Sections[EHFrame]) != 1 {
		t.Errorf("made of sections: %+v", o)
	}
	if name := o.Arch.Register(2560); name != "VGPR0" {
		t.Errorf("register 2560 is called %q", name)
	}
}

// TestRelocationsOf32Bits: relocations of objects of 32 bits are not applied.
func TestRelocationsOf32Bits(t *testing.T) {
	s := shape{elf.ELFCLASS32, binary.LittleEndian, elf.EM_X86_64, elf.ET_REL}
	_, err := Open(object(t, s, progbits(".debug_info", "0123"),
		part{name: ".rela.debug_info", kind: elf.SHT_RELA,
			data: make([]byte, 24), info: 1}))
	if err == nil || !strings.Contains(err.Error(), "relocations of EM_X86_64 ELFCLASS32 are not applied") {
		t.Errorf("error %v", err)
	}
}

// TestLongNames: many sections whose names are one long text are refused before each is copied, in
// files of all kinds, and however they count them.
func TestLongNames(t *testing.T) {
	const sections = 0x1000
	for _, class := range []elf.Class{elf.ELFCLASS64, elf.ELFCLASS32} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, counted := range []bool{false, true} { // in the head, or in the first section
				for _, fits := range []bool{true, false} {
					checkLongNames(t, class, order, counted, sections, fits)
				}
			}
		}
	}
	for _, n := range []int{0, 63} {
		if err := checkSectionNames(make([]byte, n)); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// checkLongNames makes a file of so many sections, whose names come up to what may be, or are one byte
// longer.
func checkLongNames(t *testing.T, class elf.Class, order binary.AppendByteOrder, counted bool, sections int,
	fits bool) {
	t.Helper()
	entry, head := 64, 64
	if class == elf.ELFCLASS32 {
		entry, head = 40, 52
	}
	o := order.(binary.ByteOrder)
	length := maxSectionNames / sections
	if !fits {
		length++
	}
	data := make([]byte, 64, 64+sections*entry+length+1)
	data[elf.EI_CLASS], data[elf.EI_DATA] = byte(class), byte(elf.ELFDATA2LSB)
	if o == binary.ByteOrder(binary.BigEndian) {
		data[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	count, names := uint16(sections), uint16(1)
	if counted {
		count, names = 0, uint16(elf.SHN_XINDEX)
	}
	if head == 64 {
		o.PutUint64(data[40:], 64)
		o.PutUint16(data[60:], count)
		o.PutUint16(data[62:], names)
	} else {
		o.PutUint32(data[32:], 64)
		o.PutUint16(data[48:], count)
		o.PutUint16(data[50:], names)
	}
	data = append(data, make([]byte, sections*entry)...)
	first, second := data[64:], data[64+entry:]
	if head == 64 {
		o.PutUint64(second[24:], uint64(len(data)))
		o.PutUint64(second[32:], uint64(length+1))
		if counted {
			o.PutUint64(first[32:], uint64(sections))
			o.PutUint32(first[40:], 1)
		}
	} else {
		o.PutUint32(second[16:], uint32(len(data)))
		o.PutUint32(second[20:], uint32(length+1))
		if counted {
			o.PutUint32(first[20:], uint32(sections))
			o.PutUint32(first[24:], 1)
		}
	}
	data = append(append(data, bytes.Repeat([]byte{'n'}, length)...), 0)
	if err := checkSectionNames(data); (err == nil) != fits {
		t.Errorf("%v, %v, counted %v: %d names of %d bytes: error %v", class, order, counted, sections,
			length, err)
	}
}
