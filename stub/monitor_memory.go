package stub

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"simtgdb/loader/printable"
	"simtgdb/rsp"
	"simtgdb/simt"
)

// monitorAllocations lists the regions of global memory.
func (s *Session) monitorAllocations(_ []string, out io.Writer) error {
	for _, r := range s.machine.Mem.Regions() {
		perm := []byte("---")
		for i, p := range []simt.Perm{simt.PermRead, simt.PermWrite, simt.PermExec} {
			if r.Perm&p != 0 {
				perm[i] = "rwx"[i]
			}
		}
		fmt.Fprintf(out, "%#014x - %#014x %10d bytes %s %s\n", r.Base, r.End(), len(r.Data), perm,
			printable.Name(r.Name))
	}
	return nil
}

// The dwords that a dump shows if nothing is said, and at most.
const (
	dumpWords    = 64
	maxDumpWords = 4096
)

// monitorLDS dumps LDS of the current workgroup.
func (s *Session) monitorLDS(args []string, out io.Writer) error {
	w, _, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	lds := w.Group.LDS
	return dump(out, "lds", args, uint64(len(lds)), func(at uint64, p []byte) error {
		copy(p, lds[at:])
		return nil
	})
}

// monitorScratch dumps the private memory of the current lane.
func (s *Session) monitorScratch(args []string, out io.Writer) error {
	w, lane, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	return dump(out, "scratch", args, uint64(len(w.Scratch)/max(w.Size, 1)), func(at uint64, p []byte) error {
		_, err := w.ReadScratch(lane, at, p)
		return err
	})
}

// dump writes dwords of a memory from an offset on, four in a line, each as a number and as a float.
func dump(out io.Writer, name string, args []string, size uint64,
	read func(at uint64, p []byte) error) error {
	usage := rsp.EINVAL.Errorf("monitor %s [OFFSET [DWORDS]]", name)
	at, count := uint64(0), uint64(dumpWords)
	var err1, err2 error
	if len(args) > 0 {
		at, err1 = strconv.ParseUint(args[0], 0, 32)
	}
	if len(args) > 1 {
		count, err2 = strconv.ParseUint(args[1], 0, 32)
	}
	if err1 != nil || err2 != nil || len(args) > 2 || count > maxDumpWords {
		return usage
	}
	at = at / 4 * 4
	fmt.Fprintf(out, "%s: %d bytes\n", name, size)
	for line := at; line < min(at+4*count, size/4*4); line += 16 {
		fmt.Fprintf(out, "%#06x:", line)
		words := ""
		for i := line; i < min(line+16, at+4*count, size/4*4); i += 4 {
			var b [4]byte
			if err := read(i, b[:]); err != nil {
				return rsp.EFAULT.Errorf("%v", err)
			}
			v := binary.LittleEndian.Uint32(b[:])
			fmt.Fprintf(out, " %08x", v)
			words += " " + strconv.FormatFloat(float64(math.Float32frombits(v)), 'g', 6, 32)
		}
		fmt.Fprintf(out, " %s\n", words)
	}
	return nil
}
