package stub

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// clang is the compiler whose conventions amdgpu/convention.go follows.
const clang = "clang-22"

// compile compiles a HIP source of testdata/debug, or finds what it was compiled
// to.
func compile(t *testing.T, source, target, opt string) string {
	t.Helper()
	folder := filepath.Join(testdata, "debug")
	if target == "gfx90a" {
		return filepath.Join(folder, "co", strings.TrimSuffix(source, ".hip")+"."+opt[1:]+".co")
	}
	if _, err := exec.LookPath(clang); err != nil {
		t.Skipf("skipped: %v", err)
	}
	out := filepath.Join(t.TempDir(), "kernel.co")
	cmd := exec.Command(clang, "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc",
		"-nogpulib",
		"-std=c++20", "-w", "-g", opt, "--offload-arch="+target, "-c", filepath.Join(folder, source), "-o",
		out)
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, b)
	}
	return out
}

// returnedSlot is SLOT in returned.hip.
const returnedSlot = 256

// TestReturned executes functions that return all kinds of objects, compares
// what the stub finds in the registers after each return with what the kernel
// then stores, and checks how gdb is told to look for it.
func TestReturned(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(testdata, "debug/returned.hip"))
	if err != nil {
		t.Fatal(err)
	}
	slots := map[string]int{}
	for i, m := range regexp.MustCompile(`(?m)^ +F\([^,]*, (r_\w+)`).FindAllSubmatch(source, -1) {
		slots[string(m[1])] = i
	}
	if len(slots) < 50 {
		t.Fatalf("only %d functions", len(slots))
	}
	for i, target := range []string{"gfx900", "gfx90a", "gfx942"} {
		for j, opt := range []string{"-O0", "-O2"} {
			if (i+j)%sweep.Step(2) != 0 {
				continue
			}
			t.Run(target+opt, func(t *testing.T) {
				s := sessionFor(t, "--grid", "64", "--block", "64",
					"--arg", fmt.Sprintf("buf:u8[%d]=zero", len(slots)*64*returnedSlot),
					"--code-object", compile(t, "returned.hip", target, opt))
				r := returns{t: t, s: s, slots: maps.Clone(slots),
					objects: map[string][simt.MaxLanes][]byte{}, types: map[string]*dwarf.DIE{}}
				r.run()
				r.check(len(slots), opt == "-O0")
			})
		}
	}
}

// returns are the objects that functions returned.
type returns struct {
	t       *testing.T
	s       *Session
	slots   map[string]int
	objects map[string][simt.MaxLanes][]byte
	types   map[string]*dwarf.DIE
}

// run executes the only wave and collects what each function returned.
func (r *returns) run() {
	w := r.s.machine.Waves()[0]
	for w.State != simt.Ended {
		before := w.Track.Returned
		if ev, err := r.s.machine.StepWave(w, 1); err != nil || ev.Kind == simt.FaultEvent {
			r.t.Fatalf("%#x: %v %v", w.PC, err, ev.Fault)
		}
		for lane := range simt.MaxLanes {
			call := w.Track.Returned[lane]
			if call == nil || call == before[lane] {
				continue
			}
			f := r.s.symbols.Data.UnitAt(call.Target).FunctionAt(call.Target)
			if _, ok := r.slots[f.Name()]; !ok {
				continue
			}
			object, typ, err := r.s.returnedObject(w, lane)
			if err != nil {
				r.t.Fatalf("%s: %v", f.Name(), err)
			}
			if cc, _ := f.Uint(dwarf.AttrCallingConvention); cc == 3 {
				delete(r.slots, f.Name()) // gdb will not look
				continue
			}
			lanes := r.objects[f.Name()]
			lanes[lane] = object
			r.objects[f.Name()], r.types[f.Name()] = lanes, typ
		}
	}
}

// check compares the objects with the kernel's buffer, all bytes of them that
// have a meaning.
func (r *returns) check(functions int, all bool) {
	if len(r.objects) < functions/2 || all && len(r.objects) != functions {
		r.t.Errorf("only %d of %d functions returned", len(r.objects), functions)
	}
	for name, lanes := range r.objects {
		mask := make([]byte, types.AMDGPU.Size(r.types[name]))
		meaning(mask, r.types[name], 0)
		for lane, object := range lanes {
			want := make([]byte, len(object))
			addr := r.s.prog.Buffers[0].Region.Base + uint64((r.slots[name]*64+lane)*returnedSlot)
			if _, err := r.s.prog.Memory.Read(addr, want); err != nil {
				r.t.Fatal(err)
			}
			for i := range object {
				if object[i]&mask[i] != want[i]&mask[i] {
					r.t.Fatalf("%s in lane %d: %x, want %x where %x is set", name, lane, object, want, mask)
				}
			}
		}
		size := types.AMDGPU.Size(r.types[name])
		got := r.s.facade.Returned(types.AMDGPU, r.types[name], lanes[0][:], somewhere)
		inMemory := len(got) == 1 && bytes.Equal(got[0], le64(somewhere))
		if inMemory != (size > 16) && name != "r_packed" && name != "r_packed_long" && name != "r_owner" {
			r.t.Errorf("%s, %d bytes: gdb is given %x", name, size, got)
		}
	}
}

// somewhere is an address that no object of the test looks like.
const somewhere = 0xd123_4567_89ab_cdef

// meaning sets the bits of an object of a type, from a bit on, that hold values.
func meaning(mask []byte, d *dwarf.DIE, bit uint64) {
	d = types.Strip(d)
	set := func(bit, n uint64) {
		for i := bit; i < bit+n; i++ {
			mask[i/8] |= 1 << (i % 8)
		}
	}
	switch {
	case types.IsRecord(d):
		for m := range types.Members(d) {
			at, _ := m.Uint(dwarf.AttrDataMemberLocation)
			if n, ok := m.Uint(dwarf.AttrBitSize); ok {
				at, _ := m.Uint(dwarf.AttrDataBitOffset)
				set(bit+at, n)
			} else if !types.IsEmpty(m.TypeDIE()) {
				meaning(mask, m.TypeDIE(), bit+8*at)
			}
		}
	case d.Tag == dwarf.TagArrayType:
		size := 8 * types.AMDGPU.Size(d.TypeDIE())
		for i := range types.Elements(d) {
			meaning(mask, d.TypeDIE(), bit+i*size)
		}
	default:
		set(bit, 8*types.AMDGPU.Size(d))
	}
}
