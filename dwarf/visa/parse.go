package visa

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrMagic means that the data does not begin with [Magic].
var ErrMagic = errors.New("not a vISA debug file")

// FormatError says what is wrong with a file, and where.
type FormatError struct {
	Layout Layout // the layout that was being read
	Offset int    // into the file
	Field  string // what was being read, from the outside in
	Reason string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("visa: offset %#x: %s: %s (reading %s)", e.Offset, e.Field, e.Reason, e.Layout)
}

// Parse reads a vISA debug file. The layout is found out: it is the first one
// that reads the file to its last byte. When none does, the error is that of
// the layout that came furthest.
func Parse(data []byte) (*File, error) {
	var furthest *FormatError
	for _, layout := range layouts {
		f, err := ParseLayout(data, layout)
		if err == nil {
			return f, nil
		}
		var fe *FormatError
		if !errors.As(err, &fe) {
			return nil, err
		}
		if furthest == nil || fe.Offset > furthest.Offset {
			furthest = fe
		}
	}
	return nil, furthest
}

// ParseLayout reads a vISA debug file that is known to be in the given layout.
func ParseLayout(data []byte, layout Layout) (*File, error) {
	if len(data) < 4 || binary.LittleEndian.Uint32(data) != Magic {
		return nil, fmt.Errorf("visa: %w: it does not begin with %#x", ErrMagic, uint32(Magic))
	}
	r := reader{data: data, pos: 4, layout: layout}
	f := &File{Layout: layout,
		Objects: list(&r, "objects", uint32(r.u16("numCompiledObjects")), minObject, (*reader).object)}
	if r.err == nil && r.pos != len(data) {
		r.fail("end of file", fmt.Sprintf("%d bytes left over", len(data)-r.pos))
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, nil
}

// The least number of bytes that the elements of a list take, in any layout. A
// count is checked against them before memory is set aside for it.
const (
	minMapping    = 8
	minVariable   = 1 + 2
	minSubroutine = 1 + 4 + 4 + 2
	minSaveList   = 4 + 2
	minSave       = 2 + 2 + 1 + 4
	minVISARange  = 2 + 2 + 1 + 1 + 4
	minGenRange   = 4 + 4 + 1 + 1 + 4
	minObject     = 1 + 4 + 4 + 4 + 4 + 2 + minFrame
	minFrame      = 2 + 3 + 2 + 2
)

// reader decodes little-endian fields. After the first error every read gives
// zero and every list is empty, so that callers need not check in between.
type reader struct {
	data   []byte
	pos    int
	layout Layout
	err    *FormatError
}

func (r *reader) fail(field, reason string) {
	if r.err == nil {
		r.err = &FormatError{Layout: r.layout, Offset: r.pos, Field: field, Reason: reason}
	}
}

// within puts the name of an enclosing structure before that of the field
// which failed while the structure was read.
func (r *reader) within(name string, index int) {
	if r.err != nil {
		r.err.Field = fmt.Sprintf("%s[%d].%s", name, index, r.err.Field)
	}
}

func (r *reader) bytes(field string, n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.data)-r.pos {
		r.fail(field, fmt.Sprintf("needs %d bytes, %d are left", n, len(r.data)-r.pos))
		return nil
	}
	b := r.data[r.pos : r.pos+n]
	r.pos += n
	return b
}

func (r *reader) u8(field string) uint8 {
	if b := r.bytes(field, 1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16(field string) uint16 {
	if b := r.bytes(field, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32(field string) uint32 {
	if b := r.bytes(field, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) flag(field string) bool {
	v := r.u8(field)
	if v > 1 {
		r.pos--
		r.fail(field, fmt.Sprintf("is %d, expected 0 or 1", v))
	}
	return v == 1
}

func (r *reader) name(field string) string {
	n := 0
	if r.layout.ByteNameLengths {
		n = int(r.u8(field + " length"))
	} else {
		n = int(r.u16(field + " length"))
	}
	return string(r.bytes(field, n))
}

// list reads n elements, each of at least minSize bytes.
func list[T any](r *reader, name string, n uint32, minSize int, read func(*reader) T) []T {
	if r.err != nil || n == 0 {
		return nil
	}
	if left := len(r.data) - r.pos; uint64(n)*uint64(minSize) > uint64(left) {
		r.fail(name, fmt.Sprintf("%d elements of at least %d bytes do not fit in the %d bytes left", n,
			minSize, left))
		return nil
	}
	s := make([]T, 0, n)
	for i := range int(n) {
		s = append(s, read(r))
		if r.err != nil {
			r.within(name, i)
			return nil
		}
	}
	return s
}

func (r *reader) object() Object {
	return Object{
		Name:        r.name("objectName"),
		RelocOffset: r.u32("reloc_offset"),
		OffsetMap:   list(r, "offsetMap", r.u32("offsetMap count"), minMapping, (*reader).mapping),
		IndexMap:    list(r, "indexMap", r.u32("indexMap count"), minMapping, (*reader).mapping),
		Variables:   list(r, "vars", r.u32("vars count"), minVariable, (*reader).variable),
		Subroutines: list(r, "subInfo", uint32(r.u16("numSubs")), minSubroutine, (*reader).subroutine),
		Frame:       r.frame(),
	}
}

func (r *reader) mapping() Mapping {
	return Mapping{VISA: r.u32("visa"), Gen: r.u32("genOffset")}
}

func (r *reader) variable() Variable {
	return Variable{Name: r.name("varName"), Live: r.visaIntervals("lr")}
}

func (r *reader) subroutine() Subroutine {
	s := Subroutine{Name: r.name("name"), Start: r.u32("start"), End: r.u32("end")}
	if r.layout.GenSubroutines {
		s.ReturnAddress = r.genIntervals("retVal")
	} else {
		s.ReturnAddress = r.visaIntervals("retVal")
	}
	return s
}

func (r *reader) frame() FrameInfo {
	return FrameInfo{
		Size:          r.u16("frameSizeInBytes"),
		BEFP:          r.tracked("befp"),
		CallerBEFP:    r.tracked("callerbefp"),
		ReturnAddress: r.tracked("retAddr"),
		CalleeSaves: list(r, "calleeSaveEntry", uint32(r.u16("numCalleeSaveEntries")), minSaveList,
			(*reader).saveList),
		CallerSaves: list(r, "callerSaveEntry", uint32(r.u16("numCallerSaveEntries")), minSaveList,
			(*reader).saveList),
	}
}

func (r *reader) tracked(name string) Tracked {
	if !r.flag(name + " valid") {
		return Tracked{}
	}
	return Tracked{Valid: true, Live: r.genIntervals(name)}
}

func (r *reader) saveList() SaveList {
	return SaveList{
		Gen:   r.u32("genIPOffset"),
		Saves: list(r, "data", uint32(r.u16("numEntries")), minSave, (*reader).save),
	}
}

func (r *reader) save() Save {
	s := Save{Offset: r.u16("srcRegOff"), Bytes: r.u16("numBytes")}
	storage := Memory
	if r.flag("dstInReg") {
		storage = General
	}
	s.To = r.place(storage)
	return s
}

func (r *reader) visaIntervals(name string) []Interval {
	return list(r, name, uint32(r.u16(name+" count")), minVISARange, func(r *reader) Interval {
		return r.interval(uint32(r.u16("start")), uint32(r.u16("end")))
	})
}

func (r *reader) genIntervals(name string) []Interval {
	return list(r, name, uint32(r.u16(name+" count")), minGenRange, func(r *reader) Interval {
		return r.interval(r.u32("start"), r.u32("end"))
	})
}

func (r *reader) interval(start, end uint32) Interval {
	iv := Interval{Start: start, End: end, Virtual: r.storage("virtualType", General)}
	iv.Place = r.place(r.storage("physicalType", Memory))
	return iv
}

func (r *reader) storage(field string, last Storage) Storage {
	s := Storage(r.u8(field))
	if s > last {
		r.pos--
		r.fail(field, fmt.Sprintf("is %d, expected at most %d", uint8(s), uint8(last)))
	}
	return s
}

// place reads the union of Register and Memory. The memory word as IGC writes
// it has the base flag in its most significant bit and the offset, sign-extended
// from bit 30, in the others.
func (r *reader) place(storage Storage) Place {
	if storage != Memory {
		return Place{Storage: storage, Reg: r.u16("regNum"), SubReg: r.u16("subRegNum")}
	}
	w := r.u32("memoryOffset")
	return Place{Storage: Memory, Offset: int32(w<<1) >> 1, Absolute: w>>31 == 1}
}
