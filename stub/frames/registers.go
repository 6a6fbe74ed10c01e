package frames

import (
	"fmt"
	"simtgdb/simt"
	"slices"
	"strconv"
	"strings"
)

// RegisterNamed finds a register of the GPU by the name that gdb has for it.
func RegisterNamed(files []simt.RegFile, name string) (r simt.Reg, f simt.RegFile, ok bool) {
	for i, f := range files {
		if f.Count == 0 && !f.PerLane && f.Name == name {
			return simt.Reg{File: uint8(i)}, f, true
		}
		if n := slices.Index(f.Names, name); n >= 0 {
			return simt.Reg{File: uint8(i), Index: uint16(n)}, f, true
		}
		digits, ok := strings.CutPrefix(name, f.Name)
		ok = ok && f.Names == nil
		if n, err := strconv.ParseUint(digits, 10, 16); ok && err == nil && int(n) < f.Count {
			return simt.Reg{File: uint8(i), Index: uint16(n)}, f, true
		}
	}
	return simt.Reg{}, simt.RegFile{}, false
}

// OwnRegister finds a register that gdb is not shown but the machine knows by a name: those of functions that
// name registers of their own.
func OwnRegister(regs simt.Registers, name string) (simt.Reg, simt.RegFile, bool) {
	named, ok := regs.(interface {
		RegisterNamed(name string) (simt.Reg, simt.RegFile, bool)
	})
	if !ok {
		return simt.Reg{}, simt.RegFile{}, false
	}
	return named.RegisterNamed(name)
}

// RegisterName is the name that gdb has for a register.
func RegisterName(files []simt.RegFile, r simt.Reg) string {
	if int(r.File) >= len(files) {
		return fmt.Sprintf("register %d of file %d", r.Index, r.File)
	}
	return files[r.File].NameOf(int(r.Index))
}
