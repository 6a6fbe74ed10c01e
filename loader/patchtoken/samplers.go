package patchtoken

import (
	"encoding/binary"

	"simtgdb/loader/zebin"
)

// samplers are the sampler states of a kernel: where they are in its heap, and those of arguments. What the
// source has as constants is in the states themselves, which are the hardware's (SAMPLER_STATE).
type samplers struct {
	heap      []byte
	at, count uint32
	arguments []state
}

const (
	samplerBytes = 16
	maxSamplers  = 1 << 7
)

// image is an argument that is an image, and where its surface state is.
func (t *kernelTokens) image(index, at uint32) { t.surface(index, at, zebin.SpaceImage) }

// sampler is an argument that is a sampler, and where its state is.
func (t *kernelTokens) sampler(index, at uint32) {
	t.samplers.arguments = append(t.samplers.arguments, state{len(t.Args), at})
	t.Args = append(t.Args, zebin.Arg{Type: zebin.ArgPointer, Index: int(index), Mode: "stateful",
		Space: zebin.SpaceSampler})
}

// nameSamplers numbers the samplers of arguments, and reads the others.
func (t *kernelTokens) nameSamplers() {
	s := &t.samplers
	given := map[uint32]bool{}
	for _, a := range s.arguments {
		if n := (a.at - s.at) / samplerBytes; a.at >= s.at && n < min(s.count, maxSamplers) {
			t.Args[a.index].Sampler, given[n] = int(n), true
		}
	}
	for n := range min(s.count, maxSamplers) {
		at := uint64(s.at) + uint64(n)*samplerBytes
		if !given[n] && at+samplerBytes <= uint64(len(s.heap)) {
			t.Samplers = append(t.Samplers, readSampler(int(n), s.heap[at:]))
		}
	}
}

// samplerModes are the names of address modes in the order of the hardware's.
var samplerModes = [8]string{"repeat", "mirror", "clamp_edge", "", "clamp_border"}

// readSampler reads a sampler state.
func readSampler(number int, b []byte) zebin.Sampler {
	const linear = 1
	first, last := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[12:])
	s := zebin.Sampler{Index: number, Address: samplerModes[last>>6&7], Filter: "nearest"}
	s.Normalized = last>>10&1 == 0
	if first>>17&7 == linear {
		s.Filter = "linear"
	}
	return s
}
