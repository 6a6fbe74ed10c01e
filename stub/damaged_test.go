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

// damagedLaunches are launches whose objects a fuzzer damages: their launch
// file, object, and debug tables if it has some, in testdata.
var damagedLaunches = [...][3]string{
	{"launch/calls", "co/calls.gfx90a.O0.co"}, {"launch/calls", "co/calls.gfx900.O2.co"},
	{"launch/recursion", "co/recursion.gfx942.O0.co"},
	{"launch/private_array", "co/private_array.gfx90a.O2.co"},
	{"launch/types", "co/types.gfx900.O0.co"}, {"launch/lds", "co/lds.gfx90a.O0.co"},
	{"igc/debug/recurse", "igc/debug/recurse-O0.zebin", "igc/debug/recurse-O0.dbg"},
	{"igc/debug/mutual", "igc/debug/mutual-O2.zebin", "igc/debug/mutual-O2.dbg"},
	{"igc/debug/tile", "igc/debug/tile-O2.zebin"}, {"igc/debug/recurse", "igc/debug/recurse-O0.zebin"},
	{"launch/reduce_cl", "co/reduce_cl.gfx90a.O2.co"}, {"launch/reduce_cl", "co/reduce_cl.gfx90a.O0.co"},
}

// damage is one change of an object: what is put where.
const damageSize = 5

// FuzzDamaged loads objects with some bytes changed, and does with those that
// load what gdb does first: stop, list threads, unwind, print every variable.
func FuzzDamaged(f *testing.F) {
	simt.LetPanic = true
	// Tables lie behind the object that they belong to.
	objects, sizes := make([][]byte, len(damagedLaunches)), make([]int, len(damagedLaunches))
	for i, l := range damagedLaunches {
		data, err := os.ReadFile(filepath.Join(testdata, l[1]))
		if err != nil {
			f.Fatal(err)
		}
		sizes[i] = len(data)
		if l[2] != "" {
			tables, err := os.ReadFile(filepath.Join(testdata, l[2]))
			if err != nil {
				f.Fatal(err)
			}
			data = append(data, tables...)
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
		spec, err := launch.ReadSpec(
			launch.File{Path: filepath.Join(testdata, damagedLaunches[i][0]+".json")})
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{"damaged.co": {Data: data[:sizes[i]]}}
		if len(data) > sizes[i] {
			files["damaged.dbg"] = &fstest.MapFile{Data: data[sizes[i]:]}
		}
		spec.CodeObject = launch.File{Path: "damaged.co", FS: files}
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
		frames := s.frames.Of(w, lane)
		for i := range frames[:min(len(frames), 8)] {
			for slot := range s.symbols.Slots[:min(len(s.symbols.Slots), 400)] {
				s.frames.SlotAddress(&frames[i], slot)
				s.frames.ReadObject(&frames[i], slot, 0, make([]byte, 16))
			}
		}
		simt.Lanes(w.Valid, func(l int) { s.prog.Source.Describe(w.LanePC(l)) })
	}
}
