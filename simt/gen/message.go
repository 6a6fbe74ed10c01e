package gen

// The shared functions (SFID) that messages are sent to.
const (
	sfidSampler = 2
	sfidGateway = 3
	sfidRender  = 5
	sfidURB     = 6
	sfidSpawner = 7 // from Xe-HP on what spawns threads of bindless shaders
	sfidRays    = 8
	sfidDCRO    = 9
	sfidDC0     = 0xa
	sfidDC1     = 0xc
)

// SurfaceState is the bytes of a surface's state.
const SurfaceState = 64

// Surfaces (bits 7:0 of a descriptor) that need no binding table: shared local
// memory, and addresses as they are.
const (
	surfaceIncoherent = 0xfd
	surfaceSLM        = 0xfe
	surfaceStateless  = 0xff
)

// gatewayBarrier is bits 2:0 of the descriptor of a barrier message.
const gatewayBarrier = 4

// A messageKey names a message: whom it goes to and its type, bits 18:14 of
// the descriptor.
type messageKey struct {
	sfid, typ uint8
}

// A message is a row of the table of data port messages.
type message struct {
	name   string
	suffix func(desc uint32) string     // what the descriptor adds to the name
	run    func(c *Core, in *Inst) bool // semantics; false: this form of it has none
}

// messages is the table (PRM volume 2d, "Message Descriptor - Data Port").
var messages = map[messageKey]*message{}

func init() {
	for i := range messageRows {
		messages[messageRows[i].key] = &messageRows[i].message
	}
	// Their types have bits of their own: 1 is not used, 2 gives up the cache's
	// copy, 4 lets each channel write its own dwords only, as spills of IGC have it.
	for i := range uint8(8) {
		read := &message{"hword scratch block read", scratchSuffix, runScratchBlock}
		write := &message{"hword scratch block write", scratchSuffix, runScratchBlock}
		if i&^2 != 0 {
			read.run = nil
		}
		if i&^4 != 0 {
			write.run = nil
		}
		messages[messageKey{sfidDC0, 0x10 + i}], messages[messageKey{sfidDC0, 0x18 + i}] = read, write
	}
}

var messageRows = [...]struct {
	key messageKey
	message
}{
	{messageKey{sfidDCRO, 0x00}, message{"constant oword block read", blockSuffix, nil}},
	{messageKey{sfidDCRO, 0x01}, message{"constant aligned oword block read", blockSuffix, nil}},
	{messageKey{sfidDCRO, 0x03}, message{"constant dword gathering read", noSuffix, nil}},
	{messageKey{sfidDCRO, 0x09}, message{"untyped surface uncompressed write", noSuffix, nil}},
	{messageKey{sfidDCRO, 0x0c}, message{"typed surface CCS update message", noSuffix, nil}},
	{messageKey{sfidDCRO, 0x0d}, message{"typed surface uncompressed write", noSuffix, nil}},
	{messageKey{sfidDCRO, 0x17}, message{"A64 page CCS update operation", noSuffix, nil}},
	{messageKey{sfidDCRO, 0x18}, message{"A64 untyped surface CCS operation", noSuffix, nil}},
	{messageKey{sfidDCRO, 0x19}, message{"A64 untyped surface uncompressed write", noSuffix, nil}},
	{messageKey{sfidDC0, 0x00}, message{"oword block read", blockSuffix, runBlock}},
	{messageKey{sfidDC0, 0x01}, message{"oword aligned block read", blockSuffix, runAlignedBlock}},
	{messageKey{sfidDC0, 0x02}, message{"oword dual block read", noSuffix, nil}},
	{messageKey{sfidDC0, 0x03}, message{"dword gathering read", dwordSuffix, nil}},
	{messageKey{sfidDC0, 0x04}, message{"byte gathering read", byteSuffix, runBytes}},
	{messageKey{sfidDC0, 0x05}, message{"qword gathering read", noSuffix, nil}},
	{messageKey{sfidDC0, 0x07}, message{"", fenceSuffix, runFence}},
	{messageKey{sfidDC0, 0x08}, message{"oword block write", blockSuffix, runBlock}},
	{messageKey{sfidDC0, 0x09}, message{"hword aligned block write", blockSuffix, nil}},
	{messageKey{sfidDC0, 0x0a}, message{"oword dual block write", noSuffix, nil}},
	{messageKey{sfidDC0, 0x0b}, message{"dword scattering write", dwordSuffix, nil}},
	{messageKey{sfidDC0, 0x0c}, message{"byte scattering write", byteSuffix, runBytes}},
	{messageKey{sfidDC0, 0x0d}, message{"qword gathering read", noSuffix, nil}},
	{messageKey{sfidDC1, 0x01}, message{"untyped surface read", channelSuffix, runUntyped}},
	{messageKey{sfidDC1, 0x02}, message{"untyped atomic ", atomicSuffix, runAtomic}},
	{messageKey{sfidDC1, 0x04}, message{"media block read", mediaSuffix, runMediaBlock}},
	{messageKey{sfidDC1, 0x05}, message{"typed surface read", typedSuffix(""), runTyped}},
	{messageKey{sfidDC1, 0x06}, message{"typed", typedAtomicSuffix("32-bit integer", false), runTypedAtomic}},
	{messageKey{sfidDC1, 0x03}, message{"untyped atomic ", shortAtomicSuffix, nil}},
	{messageKey{sfidDC1, 0x13}, message{"untyped a64 atomic ", shortAtomicSuffix, nil}},
	{messageKey{sfidDC1, 0x07}, message{"typed", typedAtomicSuffix("16-bit integer", true), nil}},
	{messageKey{sfidDC1, 0x0a}, message{"media block write", mediaSuffix, runMediaBlock}},
	{messageKey{sfidDC1, 0x0b}, message{"typed", typedAtomicSuffix("32-bit counter", true), nil}},
	{messageKey{sfidDC1, 0x0c}, message{"typed", typedAtomicSuffix("16-bit counter", true), nil}},
	{messageKey{sfidDC1, 0x0d}, message{"typed surface write", typedSuffix(""), runTyped}},
	{messageKey{sfidDC1, 0x0e}, message{"typed surface read", typedSuffix(" returning status"), nil}},
	{messageKey{sfidDC1, 0x09}, message{"untyped surface write", channelSuffix, runUntyped}},
	{messageKey{sfidDC1, 0x10}, message{"a64 ", a64Suffix("gathering read"), runScattered}},
	{messageKey{sfidDC1, 0x11}, message{"a64 untyped surface read", channelSuffix, runUntyped}},
	{messageKey{sfidDC1, 0x12}, message{"untyped a64 atomic ", atomic64Suffix, runAtomic}},
	{messageKey{sfidDC1, 0x14}, message{"a64 ", a64BlockSuffix("read"), runA64Block}},
	{messageKey{sfidDC1, 0x15}, message{"a64 ", a64BlockSuffix("write"), runA64Block}},
	{messageKey{sfidDC1, 0x19}, message{"a64 untyped surface write", channelSuffix, runUntyped}},
	{messageKey{sfidDC1, 0x1a}, message{"a64 ", a64Suffix("scattering write"), runScattered}},
	{messageKey{sfidDC1, 0x1b}, message{"", floatAtomicSuffix(""), runAtomic}},
	{messageKey{sfidDC1, 0x1c}, message{"untyped ", halfAtomicSuffix, nil}},
	{messageKey{sfidDC1, 0x1e}, message{"a64 untyped ", halfAtomicSuffix, nil}},
	{messageKey{sfidDC1, 0x1d}, message{"", floatAtomicSuffix("a64 "), runAtomic}},
}
