package displace_test

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"simtgdb/loader/amdgpu"
	"simtgdb/stub/displace"
)

// TestTags: of the dynamic section what ELF (chapter "Dynamic Section", the column d_un) and GNU have as
// addresses moves, and numbers do not; relocations whose addends lie at their places are refused.
func TestTags(t *testing.T) {
	image, f, _ := linked(t)
	extent, err := displace.Of(image)
	if err != nil {
		t.Fatal(err)
	}
	at := int(f.Progs[(program(f, elf.PT_DYNAMIC)-64)/56].Off)
	changed := func(tag elf.DynTag) ([]byte, error) {
		c := slices.Clone(image)
		binary.LittleEndian.PutUint64(c[at:], uint64(tag))
		binary.LittleEndian.PutUint64(c[at+8:], extent.Low+16)
		return displace.File(c, amdgpu.RelocRelative64, base)
	}
	for by, tags := range map[uint64][]elf.DynTag{
		base - extent.Low: {elf.DT_PLTGOT, elf.DT_HASH, elf.DT_STRTAB, elf.DT_SYMTAB, elf.DT_RELA,
			elf.DT_INIT,
			elf.DT_FINI, elf.DT_JMPREL, elf.DT_INIT_ARRAY, elf.DT_FINI_ARRAY, elf.DT_GNU_HASH, elf.DT_VERSYM,
			elf.DT_VERDEF, elf.DT_VERNEED},
		0: {elf.DT_NULL, elf.DT_NEEDED, elf.DT_PLTRELSZ, elf.DT_RELASZ, elf.DT_RELAENT, elf.DT_STRSZ,
			elf.DT_SYMENT,
			elf.DT_SONAME, elf.DT_RPATH, elf.DT_SYMBOLIC, elf.DT_PLTREL, elf.DT_BIND_NOW, elf.DT_INIT_ARRAYSZ,
			elf.DT_FINI_ARRAYSZ, elf.DT_RUNPATH, elf.DT_FLAGS, elf.DT_FLAGS_1, elf.DT_VERDEFNUM,
			elf.DT_VERNEEDNUM},
	} {
		for _, tag := range tags {
			data, err := changed(tag)
			if err != nil {
				t.Errorf("%v: %v", tag, err)
			} else if got := binary.LittleEndian.Uint64(data[at+8:]); got != extent.Low+16+by {
				t.Errorf("%v: %#x becomes %#x", tag, extent.Low+16, got)
			}
		}
	}
	const relr = elf.DynTag(36)
	for _, tag := range []elf.DynTag{elf.DT_REL, elf.DT_TEXTREL, relr} {
		if _, err := changed(tag); !errors.Is(err, displace.ErrFixed) {
			t.Errorf("%v: %v", tag, err)
		}
	}
}
