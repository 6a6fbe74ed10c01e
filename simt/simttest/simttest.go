// Package simttest helps to test machines and what is built on them. It knows no
// instruction set but that of a toy ([ToyISA]). [Digest] tells whether two machines are the same, [EveryPath]
// runs the tests of a machine in every path of package vec.
package simttest

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// InBest are tests, by their names, that need not run in every path of package vec.
type InBest struct {
	Once []string // those that run no vector operation
	Part []string // those that run in the others with `make check-all` alone: they are about something else
}

// EveryPath runs a package's tests once in each way that the processor has to run
// vector operations, and returns what the process exits with. It is for TestMain.
// Benchmarks and fuzzing run in the best way alone, and so do some tests.
func EveryPath(m *testing.M, some InBest) int {
	flag.Parse()
	for _, name := range []string{"test.bench", "test.fuzz", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return m.Run()
		}
	}
	if f := flag.Lookup("test.fuzzworker"); f != nil && f.Value.String() == "true" {
		return m.Run()
	}
	best := vec.Current()
	defer vec.Use(best)
	skip := flag.Lookup("test.skip").Value
	defer skip.Set(skip.String())
	asked, once := skip.String(), some.Once
	if !sweep.All() {
		once = slices.Concat(once, some.Part)
	}
	for _, p := range vec.Paths() {
		vec.Use(p)
		not := asked
		if p != best {
			for _, name := range once {
				not = strings.TrimPrefix(not+"|^"+name+"$", "|")
			}
		}
		skip.Set(not)
		if code := m.Run(); code != 0 {
			fmt.Printf("vector operations ran by %v\n", p)
			return code
		}
	}
	return 0
}

// Share are those of some items that are a test's in the current path, at least one: together the paths try
// all, and with `make check-all` each does. The name is the test's, so that not all begin in the same path.
func Share[T any](name string, all ...T) (some []T) {
	if sweep.All() {
		return all
	}
	paths := vec.Paths()
	first := (slices.Index(paths, vec.Current()) + len(name)) % len(paths)
	if first >= len(all) {
		return all[first%len(all):][:1]
	}
	for i := first; i < len(all); i += len(paths) {
		some = append(some, all[i])
	}
	return some
}

// Seeds are the numbers of the random programs that a test makes in the current path: of the first n together
// in all paths, and with `make check-all` as many as all is in each.
func Seeds(test string, n, all int) []uint64 {
	seeds := make([]uint64, sweep.Times(n, all))
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	return Share(test, seeds...)
}

// seed is that of digests, which are compared in one process alone.
var seed = maphash.MakeSeed()

// Digest is of all that a machine is, to the bit: memory of all kinds, registers, and where each lane stands.
func Digest(m *simt.Machine) string { return digest(m, true) }

// Living is Digest without the registers and scratch of waves that have ended, which nobody sees.
func Living(m *simt.Machine) string { return digest(m, false) }

func digest(m *simt.Machine, ended bool) string {
	h := new(maphash.Hash)
	h.SetSeed(seed)
	for _, r := range m.Mem.Regions() {
		fmt.Fprint(h, r.Name, r.Base, r.Perm)
		h.Write(r.Data)
	}
	for _, w := range m.Waves() {
		fmt.Fprint(h, w.ID, w.State, w.Insts, w.LaneInsts, w.Group.Index)
		h.Write(w.Group.LDS)
		if w.State == simt.Ended && !ended {
			continue
		}
		fmt.Fprint(h, w.PC, w.Exec)
		h.Write(bytes.TrimRight(w.Scratch, "\x00")) // as much as it has grown
		var stands []byte
		simt.Lanes(w.Valid, func(l int) {
			stands = binary.LittleEndian.AppendUint64(stands, w.LanePC(l))
			if w.Track != nil {
				stands = binary.LittleEndian.AppendUint64(stands, uint64(w.Track.Innermost[l].Count()))
			}
		})
		h.Write(stands)
		hashRegisters(h, w)
	}
	fmt.Fprint(h, m.Stats())
	return fmt.Sprintf("%x", h.Sum64())
}

// Registers are those of a machine whose tests say what all that can be read contains of some lanes: to read
// them one by one is most of what a digest costs.
type Registers interface{ RegisterBytes(lanes uint64) []byte }

// hashRegisters hashes what the valid lanes of a wave have in the registers that can be read. All lanes'
// parts of a register come together: a hash has more work with how many parts it is given than with their
// bytes, and machines have them side by side.
func hashRegisters(h *maphash.Hash, w *simt.Wave) {
	if r, ok := w.Regs.(Registers); ok {
		h.Write(r.RegisterBytes(w.Valid))
		return
	}
	for i, f := range w.Regs.Files() {
		lanes, size := 1, int(f.Bits)/8
		if f.PerLane {
			lanes = w.Size
		}
		row := make([]byte, lanes*size)
		for n := range max(f.Count, 1) {
			end := 0
			for l := range lanes {
				if w.Valid>>l&1 == 0 { // what others have is nobody's
					continue
				}
				if w.Regs.Read(simt.Reg{File: uint8(i), Index: uint16(n)}, l, row[end:end+size]) == nil {
					end += size
				}
			}
			h.Write(row[:end])
		}
	}
}

// Drive lets a machine go on for a while, in which it may come to its end or to a fault, and asks now and
// then where each lane is, as a debugger would.
func Drive(m *simt.Machine) {
	for range 60 {
		ev, err := m.Advance(100)
		if err != nil || ev.Kind == simt.FaultEvent || m.Done() || m.Stuck() {
			return
		}
		for _, w := range m.Waves() {
			for l := range w.Size {
				w.LanePC(l)
			}
		}
	}
}
