package arch

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
