package visa

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"
)

// encoder writes tables, from the format's description and not from the reader.
type encoder struct {
	buf    bytes.Buffer
	layout Layout
}

func encode(f *File) []byte {
	e := encoder{layout: f.Layout}
	e.u32(Magic)
	e.u16(len(f.Objects))
	for _, o := range f.Objects {
		e.name(o.Name)
		e.u32(o.RelocOffset)
		e.mappings(o.OffsetMap)
		e.mappings(o.IndexMap)
		e.u32(uint32(len(o.Variables)))
		for _, v := range o.Variables {
			e.name(v.Name)
			e.intervals(v.Live, false)
		}
		e.u16(len(o.Subroutines))
		for _, s := range o.Subroutines {
			e.name(s.Name)
			e.u32(s.Start)
			e.u32(s.End)
			e.intervals(s.ReturnAddress, f.Layout.GenSubroutines)
		}
		e.frame(&o.Frame)
	}
	return e.buf.Bytes()
}

func (e *encoder) frame(f *FrameInfo) {
	e.u16(int(f.Size))
	for _, t := range []Tracked{f.BEFP, f.CallerBEFP, f.ReturnAddress} {
		if !t.Valid {
			e.buf.WriteByte(0)
			continue
		}
		e.buf.WriteByte(1)
		e.intervals(t.Live, true)
	}
	for _, lists := range [][]SaveList{f.CalleeSaves, f.CallerSaves} {
		e.u16(len(lists))
		for _, l := range lists {
			e.u32(l.Gen)
			e.u16(len(l.Saves))
			for _, s := range l.Saves {
				e.u16(int(s.Offset))
				e.u16(int(s.Bytes))
				if s.To.Storage == Memory {
					e.buf.WriteByte(0)
				} else {
					e.buf.WriteByte(1)
				}
				e.place(s.To)
			}
		}
	}
}

func (e *encoder) u16(v int)    { e.buf.Write(binary.LittleEndian.AppendUint16(nil, uint16(v))) }
func (e *encoder) u32(v uint32) { e.buf.Write(binary.LittleEndian.AppendUint32(nil, v)) }

func (e *encoder) name(s string) {
	if e.layout.ByteNameLengths {
		e.buf.WriteByte(byte(len(s)))
	} else {
		e.u16(len(s))
	}
	e.buf.WriteString(s)
}

func (e *encoder) mappings(m []Mapping) {
	e.u32(uint32(len(m)))
	for _, x := range m {
		e.u32(x.VISA)
		e.u32(x.Gen)
	}
}

func (e *encoder) intervals(live []Interval, gen bool) {
	e.u16(len(live))
	for _, iv := range live {
		if gen {
			e.u32(iv.Start)
			e.u32(iv.End)
		} else {
			e.u16(int(iv.Start))
			e.u16(int(iv.End))
		}
		e.buf.WriteByte(byte(iv.Virtual))
		e.buf.WriteByte(byte(iv.Place.Storage))
		e.place(iv.Place)
	}
}

func (e *encoder) place(p Place) {
	if p.Storage != Memory {
		e.u16(int(p.Reg))
		e.u16(int(p.SubReg))
		return
	}
	w := uint32(p.Offset) & 0x7fffffff
	if p.Absolute {
		w |= 1 << 31
	}
	e.u32(w)
}

// elfWith makes an ELF file whose section .visa holds data.
func elfWith(t *testing.T, data []byte) []byte {
	t.Helper()
	names := "\x00.visa\x00.shstrtab\x00"
	var buf bytes.Buffer
	header := elf.Header64{
		Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB),
			byte(elf.EV_CURRENT)},
		Version: uint32(elf.EV_CURRENT), Ehsize: 64, Shentsize: 64, Shnum: 3, Shstrndx: 2, Shoff: 64,
	}
	const content = 64 + 3*64
	for _, v := range []any{
		header,
		elf.Section64{},
		elf.Section64{Name: 1, Type: uint32(elf.SHT_PROGBITS), Off: content, Size: uint64(len(data))},
		elf.Section64{Name: 7, Type: uint32(elf.SHT_STRTAB), Off: content + uint64(len(data)),
			Size: uint64(len(names))},
		data,
		[]byte(names),
	} {
		if err := binary.Write(&buf, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes()
}
