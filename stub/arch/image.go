package arch

import (
	"encoding/binary"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// An Imager is an Arch that knows which images its launch has by names or numbers.
type Imager interface {
	Images() []Image
}

// A Blocked is a Family that takes the addresses of blocks of package texel as images.
type Blocked interface{ ImageBlocks() }

// An ImageDescriber is a Family whose kernels take images and samplers as addresses of the processor's
// descriptors: it makes them of blocks of package texel.
type ImageDescriber interface{ ImageDescriptors() }

// An Image is one that a program has. Block is the address of what says what it is, as package texel reads
// it.
type Image struct {
	Name                 string // in the module, "" if it has none
	Set, Number, Element uint32
	Block                uint64
	Argument             bool // it is argument Number
}

// DescribedImage is what a kernel in OpenCL C is given that reads images by functions over memory: the
// address of what they read, which is made of an image's block.
func DescribedImage(memory *simt.Memory, block []byte) ([]byte, error) {
	m, err := texel.ReadImage(block)
	if err != nil {
		return nil, err
	}
	all, err := m.Described()
	if err != nil {
		return nil, err
	}
	r, err := memory.Alloc("description of an image", uint64(len(all)), simt.PermRead)
	if err != nil {
		return nil, err
	}
	copy(r.Data, all)
	return binary.LittleEndian.AppendUint64(nil, r.Base+texel.DescriptionAt), nil
}
