package spirv

import "simtgdb/simt"

// A start is a wave that begins, with the local ids of its invocations.
type start struct {
	isa   *ISA
	w     *simt.Wave
	d     *simt.Dispatch
	items [simt.MaxLanes][3]uint32
	index int // of the wave, in a workgroup of a size, of which items are
	size  [3]uint32
}

// set makes it that of a wave.
func (t *start) set(isa *ISA, w *simt.Wave, d *simt.Dispatch) {
	t.isa, t.w, t.d = isa, w, d
	if t.index != w.Index || t.size != w.Group.Size {
		t.index, t.size = w.Index, w.Group.Size
		w.WorkItems(t.items[:w.Size])
	}
}

// row makes v component i of a built-in in all lanes. Those that most kernels have are quick.
func (t *start) row(builtin uint32, i int, v []uint64) {
	value := builtins[builtin]
	switch {
	case uniformly[builtin]:
		x := value(t, 0, i)
		for l := range v {
			v[l] = x
		}
	case builtin == localID || builtin == invocation:
		from := uint64(0)
		if builtin == invocation {
			from = globalID(t, 0, i) - at3(t.items[0], i)
		}
		i %= 3
		for l := range v {
			v[l] = from + uint64(t.items[l][i])
		}
	default:
		for l := range v {
			v[l] = value(t, l, i)
		}
	}
}

// builtins gives component i of what each built-in is in a lane (section 3.21; Vulkan, "Built-In Variables").
var builtins = map[uint32]func(t *start, lane, i int) uint64{
	24: func(t *start, _, i int) uint64 { return at3(t.d.Groups(), i) },
	25: func(t *start, _, i int) uint64 { return at3(t.w.Group.Size, i) },
	26: func(t *start, _, i int) uint64 {
		if t.isa.p.kernel {
			return at3(t.w.Group.ID, i)
		}
		return at3(t.w.Group.ID, i) + at3(t.isa.launch.Offset, i)/at3(t.d.Block, i)
	},
	27: func(t *start, l, i int) uint64 { return at3(t.items[l], i) },
	28: globalID,
	29: func(t *start, l, _ int) uint64 { return uint64(t.w.Index*t.w.Size + l) },
	30: func(t *start, _, _ int) uint64 {
		if t.isa.launch.WorkDim == 0 {
			return 3
		}
		return uint64(t.isa.launch.WorkDim)
	},
	31: func(t *start, _, i int) uint64 { return at3(t.d.Grid, i) },
	32: func(t *start, _, i int) uint64 { return at3(t.d.Block, i) },
	33: func(t *start, _, i int) uint64 { return at3(t.isa.launch.Offset, i) },
	34: func(t *start, l, _ int) uint64 { // without the offset
		id := func(i int) uint64 { return globalID(t, l, i) - at3(t.isa.launch.Offset, i) }
		x, y, z := id(0), id(1), id(2)
		return (z*uint64(t.d.Grid[1])+y)*uint64(t.d.Grid[0]) + x
	},
	36: func(t *start, _, _ int) uint64 { return uint64(t.w.Size) },
	37: func(t *start, _, _ int) uint64 { return uint64(t.w.Size) },
	38: func(t *start, _, _ int) uint64 { return subgroups(t.w, t.w.Group.Size) },
	39: func(t *start, _, _ int) uint64 { return subgroups(t.w, t.d.Block) },
	40: func(t *start, _, _ int) uint64 { return uint64(t.w.Index) },
	41: func(t *start, l, _ int) uint64 { return uint64(l) },

	4416: laneMask(func(l uint64, _ int) uint64 { return 1 << l }),
	4417: laneMask(func(l uint64, n int) uint64 { return fieldMask(uint64(n)) &^ fieldMask(l) }),
	4418: laneMask(func(l uint64, n int) uint64 { return fieldMask(uint64(n)) &^ fieldMask(l+1) }),
	4419: laneMask(func(l uint64, _ int) uint64 { return fieldMask(l + 1) }),
	4420: laneMask(func(l uint64, _ int) uint64 { return fieldMask(l) }),
}

func at3(v [3]uint32, i int) uint64 { return uint64(v[i%3]) }

func globalID(t *start, l, i int) uint64 {
	return at3(t.isa.launch.Offset, i) + at3(t.w.Group.ID, i)*at3(t.d.Block, i) + at3(t.items[l], i)
}

func subgroups(w *simt.Wave, block [3]uint32) uint64 {
	n := int(block[0]) * int(block[1]) * int(block[2])
	return uint64((n + w.Size - 1) / w.Size)
}

// laneMask is a built-in that is a ballot: a vector of words.
func laneMask(f func(lane uint64, lanes int) uint64) func(*start, int, int) uint64 {
	return func(t *start, l, i int) uint64 {
		if i > 1 {
			return 0
		}
		return f(uint64(l), t.w.Size) >> (32 * i) & 0xffffffff
	}
}
