package stub

import (
	"encoding/binary"
	"testing"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/threads"
)

// TestBuiltins reads what each lane has of its own by its language's names, as gdb does with the lane
// selected: they say what the registers of the same meaning do. What conditions know beforehand is the same.
func TestBuiltins(t *testing.T) {
	s := sessionFor(t, "--grid", "96", "--block", "48", "--arg", "buf:f32[96]=iota",
		"--arg", "buf:f32[96]=iota", "--arg", "buf:f32[96]", "--arg", "i32:96",
		"--code-object", testdata+"/co/vecadd.gfx90a.O0.co")
	address := map[string]uint64{}
	for _, m := range s.symbols.Builtins {
		address[m.Name] = m.Addr
	}
	read := func(w *simt.Wave, lane int, name string, at uint64, size int) uint64 {
		t.Helper()
		var b [8]byte
		if n, err := s.ReadMemory(threads.Of(w, lane), address[name]+at, b[:size]); err != nil || n != size {
			t.Fatalf("%s of lane %d: %d bytes, %v", name, lane, n, err)
		}
		v := binary.LittleEndian.Uint64(b[:])
		known, ok := (&sureContext{s, w, lane, sureOfLane}).KnownMemory(address[name]+at, size)
		if !ok || known != v {
			t.Errorf("%s of lane %d: %d, known is %d, %v", name, lane, v, known, ok)
		}
		return v
	}
	for _, w := range s.machine.Waves() {
		simt.Lanes(w.Valid, func(lane int) {
			item, group := uint64(w.WorkItem(lane)[0]), uint64(w.Group.ID[0])
			for _, c := range []struct {
				name string
				at   uint64
				size int
				want uint64
			}{
				{"threadIdx", 0, 4, item}, {"threadIdx", 4, 4, 0}, {"blockIdx", 0, 4, group},
				{"blockDim", 0, 4, 48}, {"gridDim", 0, 4, 2}, {"warpSize", 0, 4, 64},
				{"gl_GlobalInvocationID", 0, 4, 48*group + item},
				{"gl_LocalInvocationIndex", 0, 4, item}, {"__get_global_id", 0, 8, 48*group + item},
				{"__get_local_id", 8, 8, 0}, {"__get_global_size", 0, 8, 96},
				{"gl_SubgroupInvocationID", 0, 4, uint64(lane)},
			} {
				if got := read(w, lane, c.name, c.at, c.size); got != c.want {
					t.Errorf("%s at %d of lane %d of wave %d: %d, want %d",
						c.name, c.at, lane, w.ID, got, c.want)
				}
			}
		})
	}
	w := s.machine.Waves()[0]
	ofWave := &sureContext{s, w, 0, sureOfWave}
	if _, ok := ofWave.KnownMemory(address["threadIdx"], 4); ok {
		t.Error("threadIdx is the same in all lanes")
	}
	if _, ok := ofWave.KnownMemory(address["blockIdx"], 4); !ok {
		t.Error("blockIdx is not the same in all lanes")
	}
	one := threads.Of(w, 0)
	if err := s.WriteMemory(one, address["threadIdx"], make([]byte, 4)); err == nil {
		t.Error("threadIdx can be written")
	}
	for _, at := range []uint64{address["threadIdx"] + 12, address["warpSize"] + 4,
		s.Window(threads.BuiltinWindow, 0, 1<<30)} {
		if n, err := s.ReadMemory(one, at, make([]byte, 4)); err == nil && n > 0 {
			t.Errorf("%d bytes are at %#x", n, at)
		}
	}
	if _, err := s.ReadMemory(rsp.ThreadID(1<<20), address["threadIdx"], make([]byte, 4)); err == nil {
		t.Error("a thread that is not there has a threadIdx")
	}
}

// TestExpandBuiltins: expressions that the session evaluates have what is called like a function, as gdb's
// have.
func TestExpandBuiltins(t *testing.T) {
	for expression, want := range map[string]string{
		"get_global_id(0) + 1":     "(__get_global_id[0]) + 1",
		"a[get_local_id( n )]":     "a[(__get_local_id[ n ])]",
		"get_sub_group_id() == 1":  "(gl_SubgroupID) == 1",
		"get_global_id()":          "get_global_id()",
		"get_sub_group_id(1)":      "get_sub_group_id(1)",
		"my_get_global_id(0)":      "my_get_global_id(0)",
		"get_something(0) + get()": "get_something(0) + get()",
	} {
		if got := expandBuiltins(expression); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}
