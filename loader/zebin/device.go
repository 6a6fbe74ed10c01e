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

// A device is what a product family is called, and the generation of its code if that can be simulated.
type device struct{ name, generation string }

// devices are product families (igfxfmid.h) by their names for ocloc: those whose code can be simulated, and
// others that a user is likely to compile for.
var devices = map[uint32]device{18: {"skl", "gen9"}, 19: {"kbl", "gen9"}, 20: {"cfl", "gen9"},
	26: {"icllp", "gen11"}, 27: {"lkf", "gen11"}, 28: {"ehl", "gen11"},
	29: {"tgllp", "gen12lp"}, 30: {"rkl", "gen12lp"}, 31: {"adls", "gen12lp"}, 32: {"adlp", "gen12lp"},
	33: {"adln", "gen12lp"}, 1210: {"dg1", "gen12lp"},
	1270: {"dg2", "xe-hpg"},
	16:   {"bdw", "gen8"}, 22: {name: "apl"}, 23: {name: "glk"}, 1250: {name: "xe_hp_sdv"},
	1271: {"pvc", "xe-hpc"}}

// Simulated says what can be run, for errors.
const Simulated = "gen8, gen9, gen11, gen12lp, xe-hpg and xe-hpc can be simulated: compile with -device " +
	"bdw, skl, icllp, tgllp, dg2-g10 or pvc"

// product reads which device the code is for.
func product(f *loader.ELF) (device, error) {
	i := f.SectionNamed(compatSection)
	if i < 0 {
		return device{}, &loader.FormatError{Offset: -1,
			What: "the file does not say for which device it is (no " + compatSection + ")",
			Want: Simulated, Err: loader.ErrUnsupported}
	}
	b, err := f.SectionBytes(i)
	if err != nil {
		return device{}, err
	}
	family, ok := noteValue(b, noteProduct)
	if !ok {
		return device{}, &loader.FormatError{Offset: int64(f.Sections[i].Off), What: compatSection +
			" names no product family",
			Want: Simulated, Err: loader.ErrUnsupported}
	}
	d, ok := devices[family]
	if d.generation != "" {
		return d, nil
	}
	if !ok {
		d.name = fmt.Sprintf("product family %d", family)
	}
	return device{}, &loader.FormatError{Offset: int64(f.Sections[i].Off), What: "compiled for " + d.name,
		Want: Simulated,
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
