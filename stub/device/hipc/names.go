package hipc

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"

	"simtgdb/simt/pattern"
	"simtgdb/stub/device/rtc"
)

// Relocations of AMDGPU (AMDGPUUsage, "Relocation Records").
const (
	abs64      = 3
	relative64 = 13
)

// lowered finds what the first n probes of a code object point at.
func lowered(file []byte, n int) ([]string, error) {
	if n == 0 {
		return nil, nil
	}
	if !bytes.HasPrefix(file, []byte(elf.ELFMAG)) {
		return rtc.Named(file, pointsAt(), n)
	}
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("the compiled program: %w", err)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("the compiled program: %w", err)
	}
	at, called := map[string]uint64{}, map[uint64]string{}
	for _, s := range symbols {
		at[s.Name] = s.Value
		if t := elf.ST_TYPE(s.Info); t == elf.STT_FUNC || t == elf.STT_OBJECT && called[s.Value] == "" {
			called[s.Value] = s.Name
		}
	}
	pointers := map[uint64]string{} // what lies at an address points at what is called so
	for _, sec := range f.Sections {
		if sec.Type != elf.SHT_RELA {
			continue
		}
		data, err := sec.Data()
		if err != nil {
			return nil, fmt.Errorf("the compiled program: %w", err)
		}
		for ; len(data) >= 24; data = data[24:] {
			le := binary.LittleEndian
			place, info, addend := le.Uint64(data), le.Uint64(data[8:]), le.Uint64(data[16:])
			switch sym := int(info >> 32); {
			case uint32(info) == relative64:
				pointers[place] = called[addend]
			case uint32(info) == abs64 && sym > 0 && sym <= len(symbols):
				pointers[place] = symbols[sym-1].Name
			}
		}
	}
	names := make([]string, n)
	for i := range names {
		place, ok := at[fmt.Sprintf("%s%d", rtc.Probe, i)]
		if names[i] = pointers[place]; !ok || names[i] == "" {
			return nil, rtc.Unnamed(i)
		}
	}
	return names, nil
}

// pointsAt is the definition of a probe in LLVM's assembly: what it points at is called after the last "@".
var pointsAt = pattern.Compile(`(?m)^@` + rtc.Probe + `(\d+) = [^@\n]*@("[^"\n]+"|[\w.$-]+)`)
