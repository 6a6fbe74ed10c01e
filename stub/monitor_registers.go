package stub

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simtgdb/dwarf/expr"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/unwind"
)

// registerNamed finds a register of the GPU by the name that gdb has for it.
func registerNamed(files []simt.RegFile, name string) (r simt.Reg, f simt.RegFile, ok bool) {
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

// ownRegister finds a register that gdb is not shown but the machine knows by a name: those of functions that
// name registers of their own.
func ownRegister(regs simt.Registers, name string) (simt.Reg, simt.RegFile, bool) {
	named, ok := regs.(interface {
		RegisterNamed(name string) (simt.Reg, simt.RegFile, bool)
	})
	if !ok {
		return simt.Reg{}, simt.RegFile{}, false
	}
	return named.RegisterNamed(name)
}

// registerName is the name that gdb has for a register.
func registerName(files []simt.RegFile, r simt.Reg) string {
	if int(r.File) >= len(files) {
		return fmt.Sprintf("register %d of file %d", r.Index, r.File)
	}
	return files[r.File].NameOf(int(r.Index))
}

// registerText reads a register of a frame as one number.
func registerText(fr *unwind.Frame, r simt.Reg, f simt.RegFile) (string, error) {
	b := make([]byte, f.Bits/8)
	if err := fr.Registers.Read(r, fr.Lane, b); err != nil {
		return "", err
	}
	slices.Reverse(b)
	digits := strings.TrimLeft(hex.EncodeToString(b), "0")
	return "0x" + cmp.Or(digits, "0"), nil
}

// monitorRegisters shows registers in every frame of the current lane, which
// gdb cannot: it knows those of the innermost frame only.
func (s *Session) monitorRegisters(args []string, out io.Writer) error {
	w, lane, err := s.view.lane(rsp.AnyThread)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return rsp.EINVAL.Errorf("monitor registers NAME...: s34, v41, a0, exec and so on")
	}
	type wanted struct {
		reg  simt.Reg
		file simt.RegFile
	}
	want := make([]wanted, len(args))
	for i, name := range args {
		reg, file, ok := registerNamed(w.Regs.Files(), name)
		if !ok {
			reg, file, ok = ownRegister(w.Regs, name)
		}
		if !ok {
			return rsp.EINVAL.Errorf("the kernel has no register %s", name)
		}
		want[i] = wanted{reg, file}
	}
	for _, f := range s.frames.of(w, lane) {
		fmt.Fprintf(out, "#%d", f.Level)
		for i, r := range want {
			fmt.Fprintf(out, " %s ", args[i])
			switch v, err := registerText(&f, r.reg, r.file); {
			case errors.Is(err, expr.ReadUndefined), errors.Is(err, unwind.ErrNotSaved):
				fmt.Fprint(out, "<not saved>")
			case err != nil:
				fmt.Fprintf(out, "<%v>", err)
			default:
				fmt.Fprint(out, v)
			}
		}
		fmt.Fprintf(out, " in %s\n", s.describeScope(f.Scope()))
	}
	return nil
}
