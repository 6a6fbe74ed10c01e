package arch

// An Imager is an Arch that knows which images its launch has by names or numbers.
type Imager interface {
	Images() []Image
}

// An Image is one that a program has. Block is the address of what says what it is, as package texel reads it.
type Image struct {
	Name                 string // in the module, "" if it has none
	Set, Number, Element uint32
	Block                uint64
}
