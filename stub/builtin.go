package stub

import (
	"encoding/binary"
	"fmt"
	"strings"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/simt/pattern"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
)

// A builtin is what a kernel's language calls its place by: a variable of the symbol file.
type builtin struct {
	name  string
	value axis // of 32 bits, which the shape may have as wider ones
	shape symfile.Shape
	sure  sureness
}

var (
	single = symfile.Shape{Size: 4}
	xyz    = symfile.Shape{Size: 4, Count: 3, Fields: "xyz", Name: "uint3"}
	sizes  = symfile.Shape{Size: 8, Count: 3} // of OpenCL's size_t
)

// builtins are those of CUDA and HIP, of GLSL, and, as arrays that macros look into, of OpenCL C.
var builtins = []builtin{
	{"threadIdx", localID, xyz, sureOfLane},
	{"blockIdx", workgroup, xyz, sureOfWave},
	{"blockDim", groupSize, xyz, sureOfWave},
	{"gridDim", groupCount, xyz, sureOfWave},
	{"warpSize", waveWidth, single, sureOfWave},

	{"gl_GlobalInvocationID", globalID, xyz, sureOfLane},
	{"gl_LocalInvocationID", localID, xyz, sureOfLane},
	{"gl_LocalInvocationIndex", localIndex, single, sureOfLane},
	{"gl_WorkGroupID", workgroup, xyz, sureOfWave},
	{"gl_WorkGroupSize", groupSize, xyz, sureOfWave},
	{"gl_NumWorkGroups", groupCount, xyz, sureOfWave},
	{"gl_SubgroupSize", waveWidth, single, sureOfWave},
	{"gl_SubgroupInvocationID", laneNumber, single, sureOfLane},
	{"gl_SubgroupID", waveInGroup, single, sureOfWave},

	{"__get_global_id", globalID, sizes, sureOfLane},
	{"__get_local_id", localID, sizes, sureOfLane},
	{"__get_group_id", workgroup, sizes, sureOfWave},
	{"__get_local_size", groupSize, sizes, sureOfWave},
	{"__get_num_groups", groupCount, sizes, sureOfWave},
	{"__get_global_size", gridSize, sizes, sureOfWave},
}

// calledBuiltins are what is called like a function, with or without a number, and what has the result.
var calledBuiltins = []struct{ name, parameter, result string }{
	{"get_global_id", "n", "__get_global_id[n]"}, {"get_local_id", "n", "__get_local_id[n]"},
	{"get_group_id", "n", "__get_group_id[n]"}, {"get_local_size", "n", "__get_local_size[n]"},
	{"get_num_groups", "n", "__get_num_groups[n]"}, {"get_global_size", "n", "__get_global_size[n]"},
	{"get_sub_group_local_id", "", "gl_SubgroupInvocationID"}, {"get_sub_group_id", "", "gl_SubgroupID"},
}

// builtinMacros are the macros that gdb gets for them.
var builtinMacros = func() (all []string) {
	for _, c := range calledBuiltins {
		all = append(all, fmt.Sprintf("%s(%s) (%s)", c.name, c.parameter, c.result))
	}
	return all
}()

// called finds calls, with an argument that has no parentheses.
var called = pattern.Compile(`\b(get_\w+)\s*\(([^()]*)\)`)

// expandBuiltins does what gdb does of an expression that it is given, for those that the session evaluates.
func expandBuiltins(expression string) string {
	return called().ReplaceAllStringFunc(expression, func(call string) string {
		m := called().FindStringSubmatch(call)
		for _, c := range calledBuiltins {
			if c.name == m[1] && (c.parameter == "") == (strings.TrimSpace(m[2]) == "") {
				return "(" + strings.Replace(c.result, "[n]", "["+m[2]+"]", 1) + ")"
			}
		}
		return call
	})
}

func gridSize(s *Session, _ *simt.Wave, _, i int) uint32 { return s.machine.Dispatch.Grid[i] }

func localIndex(s *Session, w *simt.Wave, lane, _ int) uint32 {
	id, size := w.WorkItem(lane), s.machine.Dispatch.Block
	return (id[2]*size[1]+id[1])*size[0] + id[0]
}

// builtinStride is how far builtins lie apart in their window.
const builtinStride = 64

// builtinVariables are the builtins as the symbol file has them.
func builtinVariables(ws threads.Windows) []symfile.Builtin {
	all := make([]symfile.Builtin, len(builtins))
	for i, b := range builtins {
		all[i] = symfile.Builtin{Name: b.name,
			Addr: ws.Window(threads.BuiltinWindow, 0, uint64(i)*builtinStride),
			Type: b.shape}
	}
	return all
}

// builtinAt is the builtin at an offset of the window, or nil.
func builtinAt(offset uint64) *builtin {
	i, at := offset/builtinStride, offset%builtinStride
	if i >= uint64(len(builtins)) || at >= builtins[i].shape.Bytes() {
		return nil
	}
	return &builtins[i]
}

// readBuiltins reads what is a thread's own in the window of builtins.
func (s *Session) readBuiltins(t rsp.ThreadID, offset uint64, buf []byte) (int, error) {
	w, lane, err := s.view.lane(t)
	if err != nil {
		return 0, err
	}
	return s.readBuiltin(w, lane, offset, buf)
}

// readBuiltin reads bytes of one builtin in a lane.
func (s *Session) readBuiltin(w *simt.Wave, lane int, offset uint64, buf []byte) (int, error) {
	b := builtinAt(offset)
	if b == nil {
		return 0, rsp.EFAULT.Errorf("nothing is at this address of what lanes call their places by")
	}
	var whole [builtinStride]byte
	own := whole[:b.shape.Bytes()]
	for i := range max(b.shape.Count, 1) {
		binary.LittleEndian.PutUint32(own[i*int(b.shape.Size):], b.value(s, w, lane, i))
	}
	return copy(buf, own[offset%builtinStride:]), nil
}
