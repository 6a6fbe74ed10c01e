package amdgpu

import (
	"encoding/binary"
	"fmt"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
)

// ImageDescriptors implements arch.ImageDescriber.
func (Family) ImageDescriptors() {}

// Where what kernels are given of an image has the sampler's descriptor, as the functions of the device
// libraries want it, and the block, in which debuggers read what it is (amd_image.h of the host's libraries).
const (
	samplerDescriptor = 48
	describedBlock    = samplerDescriptor + 4*gcn.SamplerWords
	describedBytes    = describedBlock + texel.BlockBytes
)

// describeImages makes descriptors of the images and samplers that arguments are. Where a processor has none,
// functions over memory take the number of a sampler itself.
func (l *launch) describeImages() error {
	for i := range l.Params {
		q := &l.Params[i]
		var at *simt.Region
		var err error
		switch {
		case q.Block != nil && q.Kind == loader.Image && !gcn.HasImages(l.Module.Target.Name):
			q.Value, err = arch.DescribedImage(l.Memory, q.Block.Data)
		case q.Block != nil:
			at, err = l.describeImage(q.Block.Data)
		case q.Kind == loader.Sampler && len(q.Value) == 8 && gcn.HasImages(l.Module.Target.Name):
			at, err = l.describeSampler(binary.LittleEndian.Uint64(q.Value))
		}
		if err != nil {
			return fmt.Errorf("argument %d: %w", q.Index, err)
		}
		if at != nil {
			q.Value = binary.LittleEndian.AppendUint64(nil, at.Base)
		}
	}
	return nil
}

func (l *launch) describeImage(block []byte) (*simt.Region, error) {
	m, err := texel.ReadImage(block)
	if err != nil {
		return nil, err
	}
	s, err := texel.ReadSampler(block[texel.SamplerAt:])
	if err != nil {
		return nil, err
	}
	processor := l.Module.Target.Name
	words, err := gcn.DescribeImage(processor, &m)
	if err != nil {
		return nil, err
	}
	r, err := l.Memory.Alloc("descriptors of an image", describedBytes, simt.PermRead)
	if err != nil {
		return nil, err
	}
	putWords(r.Data, words[:])
	of := gcn.DescribeSampler(processor, &s, m.ViewLevels)
	putWords(r.Data[samplerDescriptor:], of[:])
	order, kind := m.OpenCL()
	putWords(r.Data[4*gcn.ImageWords:], []uint32{hsaType(kind), hsaOrder(order), uint32(m.Size[0])})
	copy(r.Data[describedBlock:], block)
	return r, nil
}

// describeSampler makes the descriptor of a sampler of OpenCL C, given as its number there; nil if it is the
// address of a descriptor.
func (l *launch) describeSampler(number uint64) (*simt.Region, error) {
	s, ok := texel.OpenCLSampler(number)
	if !ok {
		return nil, nil
	}
	r, err := l.Memory.Alloc("descriptor of a sampler", 4*gcn.SamplerWords, simt.PermRead)
	if err != nil {
		return nil, err
	}
	words := gcn.DescribeSampler(l.Module.Target.Name, &s, 1)
	putWords(r.Data, words[:])
	return r, nil
}

func putWords(to []byte, words []uint32) {
	for i, w := range words {
		binary.LittleEndian.PutUint32(to[4*i:], w)
	}
}

// hsaOrder and hsaType are HSA's numbers of OpenCL's orders, from R on, and types of channels, from
// SNORM_INT8 on.
func hsaOrder(order int) uint32 {
	return hsaNumber([]uint8{1, 0, 3, 5, 6, 8, 9, 10, 16, 17, 2, 4, 7, 18, 19, 12, 13, 14, 15, 11},
		order-0x10b0)
}

func hsaType(kind int) uint32 {
	return hsaNumber([]uint8{0, 1, 2, 3, 6, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15}, kind-0x10d0)
}

func hsaNumber(of []uint8, i int) uint32 {
	if i < 0 || i >= len(of) {
		return 0
	}
	return uint32(of[i])
}
