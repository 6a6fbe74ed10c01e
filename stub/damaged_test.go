package stub

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

// damagedLaunches are launches whose objects a fuzzer damages: their launch file
// and object in testdata.
var damagedLaunches = [...][2]string{
	{"calls", "calls.gfx90a.O0"}, {"calls", "calls.gfx900.O2"}, {"recursion", "recursion.gfx942.O0"},
	{"private_array", "private_array.gfx90a.O2"}, {"types", "types.gfx900.O0"}, {"lds", "lds.gfx90a.O0"},
}

// damage is one change of an object: what is put where.
const damageSize = 5

// FuzzDamaged loads objects with some bytes changed, and does with those that
// load what gdb does first: stop, list threads, unwind, print every variable.
func FuzzDamaged(f *testing.F) {
	objects := make([][]byte, len(damagedLaunches))
	for i, l := range damagedLaunches {
		data, err := os.ReadFile(filepath.Join(testdata, "co", l[1]+".co"))
		if err != nil {
			f.Fatal(err)
		}
		objects[i] = data
		for _, at := range []uint32{0x40, 0x400, uint32(len(data) / 2), uint32(len(data) - 200)} {
			f.Add(uint8(i), binary.LittleEndian.AppendUint32([]byte{0xff}, at))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		i := int(which) % len(objects)
		data := append([]byte(nil), objects[i]...)
		for n := 0; len(changes) >= damageSize && n < 16; n, changes = n+1, changes[damageSize:] {
			data[int(binary.LittleEndian.Uint32(changes[1:]))%len(data)] = changes[0]
		}
		spec, err := launch.ReadSpec(launch.File{Path: filepath.Join(testdata, "launch", damagedLaunches[i][0]+".json")})
		if err != nil {
			t.Fatal(err)
		}
		spec.CodeObject = launch.File{Path: "damaged.co", FS: fstest.MapFS{"damaged.co": {Data: data}}}
		p, err := spec.Load()
		if err != nil {
			return
		}
		s, err := New(p, facade.Host())
		if err != nil {
			return
		}
		s.lookAround()
		for _, k := range p.Module.Symbols {
			s.InsertSoftwareBreakpoint(rsp.Breakpoint{Address: k.Addr})
		}
		for range 3 {
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			stop, err := s.Resume(ctx, rsp.Resumption{Actions: []rsp.Action{letAllRun}, Console: io.Discard})
			cancel()
			if err != nil || stop.Kind != rsp.Stopped {
				return
			}
			s.lookAround()
		}
	})
}

// lookAround does what a user does at a stop, for a few lanes.
func (s *Session) lookAround() {
	threads := s.Threads()
	for _, t := range []rsp.ThreadID{s.view.current(), threads[0], threads[len(threads)-1]} {
		s.DescribeThread(t)
		w, lane, err := s.view.lane(t)
		if err != nil {
			continue
		}
		for _, name := range []string{"frame", "lanes", "disasm"} {
			s.Monitor(context.Background(), name, io.Discard)
		}
		frames := s.frames.of(w, lane)
		for i := range frames[:min(len(frames), 8)] {
			for slot := range s.symbols.Slots[:min(len(s.symbols.Slots), 400)] {
				s.frames.slotAddress(&frames[i], slot)
				s.frames.readObject(&frames[i], slot, 0, make([]byte, 16))
			}
		}
		simt.Lanes(w.Valid, func(l int) { s.prog.Source.Describe(w.LanePC(l)) })
	}
}
