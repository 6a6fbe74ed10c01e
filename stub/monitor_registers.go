package stub

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"simtgdb/dwarf/expr"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/unwind"
)

// A registerReader reads a register of a frame of a lane.
type registerReader func(f *unwind.Frame) (uint64, error)

// readerOf finds a register of the GPU by the name that gdb has for it.
func readerOf(w *simt.Wave, name string) (registerReader, bool) {
	for _, r := range gcn.NamedRegisters {
		if r.Name == name {
			return scalars(r.Index, r.Dwords), true
		}
	}
	if len(name) < 2 {
		return nil, false
	}
	n, err := strconv.ParseUint(name[1:], 10, 16)
	if err != nil {
		return nil, false
	}
	switch i := int(n); {
	case name[0] == 's' && i < min(w.ScalarCount, gcn.MaxSGPRs):
		return scalars(uint8(i), 1), true
	case name[0] == 'v' && i < w.VectorCount:
		return vector(uint16(i)), true
	case name[0] == 'a' && i < w.AccCount:
		return vector(uint16(simt.AccBase + i)), true
	}
	return nil, false
}

func scalars(index uint8, dwords int) registerReader {
	return func(f *unwind.Frame) (v uint64, err error) {
		for i := range dwords {
			d, err := f.Scalar(index + uint8(i))
			if err != nil {
				return 0, err
			}
			v |= uint64(d) << (32 * i)
		}
		return v, nil
	}
}

func vector(index uint16) registerReader {
	return func(f *unwind.Frame) (uint64, error) {
		v, err := f.Vector(index, f.Lane)
		return uint64(v), err
	}
}

// monitorRegisters shows registers in every frame of the current lane, which
// gdb cannot: it knows those of the innermost frame only.
func (s *Session) monitorRegisters(args []string, out io.Writer) error {
	w, lane, err := s.lane(rsp.AnyThread)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return refuse(rsp.EINVAL, "monitor registers NAME...: s34, v41, a0, exec and so on")
	}
	readers := make([]registerReader, len(args))
	for i, name := range args {
		r, ok := readerOf(w, name)
		if !ok {
			return refuse(rsp.EINVAL, "the kernel has no register %s", name)
		}
		readers[i] = r
	}
	for _, f := range s.lanesFrames(w, lane) {
		fmt.Fprintf(out, "#%d", f.Level)
		for i, read := range readers {
			fmt.Fprintf(out, " %s ", args[i])
			switch v, err := read(&f); {
			case errors.Is(err, expr.ReadUndefined), errors.Is(err, unwind.ErrNotSaved):
				fmt.Fprint(out, "<not saved>")
			case err != nil:
				fmt.Fprintf(out, "<%v>", err)
			default:
				fmt.Fprintf(out, "%#x", v)
			}
		}
		fmt.Fprintf(out, " in %s\n", s.describeScope(f.Scope()))
	}
	return nil
}
