package zebin

import (
	"encoding/binary"
	"fmt"

	"simtgdb/loader"
)

// compatSection holds ELF notes that say for which device the code is.
const compatSection = ".note.intelgt.compat"

// The types of its notes (elf.md, "Intel GT notes").
const (
	noteProduct = 1
	noteVersion = 4
)

// gen9 are the product families (igfxfmid.h) whose code is Gen9's, by their
// names for ocloc; others the ones a user is likely to compile for.
var (
	gen9   = map[uint32]string{18: "skl", 19: "kbl", 20: "cfl"}
	others = map[uint32]string{16: "bdw", 22: "apl", 23: "glk", 26: "icllp", 27: "lkf", 28: "ehl",
		29: "tgllp", 30: "rkl",
		31: "adls", 32: "adlp", 33: "adln", 1210: "dg1", 1250: "xe_hp_sdv", 1270: "dg2", 1271: "pvc"}
)

// simulated says what can be run, for errors.
const simulated = "gen9 can be simulated: compile with -device skl"

// product reads which device the code is for.
func product(f *loader.ELF) (string, error) {
	i := f.SectionNamed(compatSection)
	if i < 0 {
		return "", &loader.FormatError{Offset: -1,
			What: "the file does not say for which device it is (no " + compatSection + ")",
			Want: simulated, Err: loader.ErrUnsupported}
	}
	b, err := f.SectionBytes(i)
	if err != nil {
		return "", err
	}
	family, ok := noteValue(b, noteProduct)
	if !ok {
		return "", &loader.FormatError{Offset: int64(f.Sections[i].Off), What: compatSection +
			" names no product family",
			Want: simulated, Err: loader.ErrUnsupported}
	}
	if name, ok := gen9[family]; ok {
		return name, nil
	}
	name, ok := others[family]
	if !ok {
		name = fmt.Sprintf("product family %d", family)
	}
	return "", &loader.FormatError{Offset: int64(f.Sections[i].Off), What: "compiled for " + name,
		Want: simulated,
		Err:  loader.ErrWrongMachine}
}

// noteValue finds the 32-bit value of the note of a type (System V ABI, "Note
// Section": sizes of name and description, type, both padded to 4 bytes).
func noteValue(b []byte, typ uint32) (uint32, bool) {
	le := binary.LittleEndian
	for len(b) >= 12 {
		name, desc, t := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])), le.Uint32(b[8:])
		b = b[12:]
		name, padded := (name+3)&^3, (desc+3)&^3
		if name > uint64(len(b)) || desc > uint64(len(b))-name {
			return 0, false
		}
		if t == typ && desc == 4 {
			return le.Uint32(b[name:]), true
		}
		b = b[name:]
		b = b[min(padded, uint64(len(b))):]
	}
	return 0, false
}
