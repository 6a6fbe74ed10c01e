package spirv

import "simtgdb/simt"

// builtins gives component i of what each built-in is in a lane (section 3.21; Vulkan, "Built-In Variables").
var builtins = map[uint32]func(isa *ISA, w *simt.Wave, d *simt.Dispatch, lane, i int) uint64{
	24: func(_ *ISA, _ *simt.Wave, d *simt.Dispatch, _, i int) uint64 { return at3(d.Groups(), i) },
	25: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, _, i int) uint64 { return at3(w.Group.Size, i) },
	26: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, _, i int) uint64 { return at3(w.Group.ID, i) },
	27: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, l, i int) uint64 { return at3(w.WorkItem(l), i) },
	28: globalID,
	29: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, l, _ int) uint64 { return uint64(w.Index*w.Size + l) },
	30: func(isa *ISA, _ *simt.Wave, _ *simt.Dispatch, _, _ int) uint64 {
		if isa.launch.WorkDim == 0 {
			return 3
		}
		return uint64(isa.launch.WorkDim)
	},
	31: func(_ *ISA, _ *simt.Wave, d *simt.Dispatch, _, i int) uint64 { return at3(d.Grid, i) },
	32: func(_ *ISA, _ *simt.Wave, d *simt.Dispatch, _, i int) uint64 { return at3(d.Block, i) },
	33: func(*ISA, *simt.Wave, *simt.Dispatch, int, int) uint64 { return 0 },
	34: func(isa *ISA, w *simt.Wave, d *simt.Dispatch, l, _ int) uint64 {
		x, y, z := globalID(isa, w, d, l, 0), globalID(isa, w, d, l, 1), globalID(isa, w, d, l, 2)
		return (z*uint64(d.Grid[1])+y)*uint64(d.Grid[0]) + x
	},
	36: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, _, _ int) uint64 { return uint64(w.Size) },
	37: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, _, _ int) uint64 { return uint64(w.Size) },
	38: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, _, _ int) uint64 { return subgroups(w, w.Group.Size) },
	39: func(_ *ISA, w *simt.Wave, d *simt.Dispatch, _, _ int) uint64 { return subgroups(w, d.Block) },
	40: func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, _, _ int) uint64 { return uint64(w.Index) },
	41: func(_ *ISA, _ *simt.Wave, _ *simt.Dispatch, l, _ int) uint64 { return uint64(l) },

	4416: laneMask(func(l uint64, _ int) uint64 { return 1 << l }),
	4417: laneMask(func(l uint64, n int) uint64 { return fieldMask(uint64(n)) &^ fieldMask(l) }),
	4418: laneMask(func(l uint64, n int) uint64 { return fieldMask(uint64(n)) &^ fieldMask(l+1) }),
	4419: laneMask(func(l uint64, _ int) uint64 { return fieldMask(l + 1) }),
	4420: laneMask(func(l uint64, _ int) uint64 { return fieldMask(l) }),
}

func at3(v [3]uint32, i int) uint64 { return uint64(v[i%3]) }

func globalID(_ *ISA, w *simt.Wave, d *simt.Dispatch, l, i int) uint64 {
	return at3(w.Group.ID, i)*at3(d.Block, i) + at3(w.WorkItem(l), i)
}

func subgroups(w *simt.Wave, block [3]uint32) uint64 {
	n := int(block[0]) * int(block[1]) * int(block[2])
	return uint64((n + w.Size - 1) / w.Size)
}

// laneMask is a built-in that is a ballot: a vector of words.
func laneMask(f func(lane uint64, lanes int) uint64) func(*ISA, *simt.Wave, *simt.Dispatch, int, int) uint64 {
	return func(_ *ISA, w *simt.Wave, _ *simt.Dispatch, l, i int) uint64 {
		if i > 1 {
			return 0
		}
		return f(uint64(l), w.Size) >> (32 * i) & 0xffffffff
	}
}
