package stub

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"simtgdb/dwarf/expr"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/unwind"
)

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
		reg, file, ok := frames.RegisterNamed(w.Regs.Files(), name)
		if !ok {
			reg, file, ok = frames.OwnRegister(w.Regs, name)
		}
		if !ok {
			return rsp.EINVAL.Errorf("the kernel has no register %s", name)
		}
		want[i] = wanted{reg, file}
	}
	for _, f := range s.frames.Of(w, lane) {
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
