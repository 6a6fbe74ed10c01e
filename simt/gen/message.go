package gen

// The shared functions (SFID) that messages are sent to.
const (
	sfidGateway = 3
	sfidSpawner = 7
	sfidDC0     = 0xa
	sfidDC1     = 0xc
)

// surfaceSLM is the surface (bits 7:0 of a descriptor) of shared local memory.
const surfaceSLM = 0xfe

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
	suffix func(desc uint32) string // what the descriptor adds to the name
	run    func(c *Core, in *Inst, m *msg)
}

// messages is the table (PRM volume 2d, "Message Descriptor - Data Port").
var messages = makeMessages()

func makeMessages() map[messageKey]*message {
	t := map[messageKey]*message{
		{sfidDC0, 0x00}: {"oword block read", blockSuffix, nil},
		{sfidDC0, 0x01}: {"oword aligned block read", blockSuffix, nil},
		{sfidDC0, 0x02}: {"oword dual block read", noSuffix, nil},
		{sfidDC0, 0x03}: {"dword gathering read", dwordSuffix, nil},
		{sfidDC0, 0x04}: {"byte gathering read", byteSuffix, nil},
		{sfidDC0, 0x05}: {"qword gathering read", noSuffix, nil},
		{sfidDC0, 0x07}: {"", fenceSuffix, nil},
		{sfidDC0, 0x08}: {"oword block write", blockSuffix, nil},
		{sfidDC0, 0x09}: {"hword aligned block write", blockSuffix, nil},
		{sfidDC0, 0x0a}: {"oword dual block write", noSuffix, nil},
		{sfidDC0, 0x0b}: {"dword scattering write", dwordSuffix, nil},
		{sfidDC0, 0x0c}: {"byte scattering write", byteSuffix, nil},
		{sfidDC0, 0x0d}: {"qword gathering read", noSuffix, nil},
		{sfidDC1, 0x01}: {"untyped surface read", channelSuffix, nil},
		{sfidDC1, 0x02}: {"untyped atomic ", atomicSuffix, nil},
		{sfidDC1, 0x09}: {"untyped surface write", channelSuffix, nil},
		{sfidDC1, 0x10}: {"a64 ", a64Suffix("gathering read"), nil},
		{sfidDC1, 0x11}: {"a64 untyped surface read", channelSuffix, nil},
		{sfidDC1, 0x12}: {"untyped a64 atomic ", atomic64Suffix, nil},
		{sfidDC1, 0x14}: {"a64 ", a64BlockSuffix("read"), nil},
		{sfidDC1, 0x15}: {"a64 ", a64BlockSuffix("write"), nil},
		{sfidDC1, 0x19}: {"a64 untyped surface write", channelSuffix, nil},
		{sfidDC1, 0x1a}: {"a64 ", a64Suffix("scattering write"), nil},
	}
	for i := range uint8(8) {
		t[messageKey{sfidDC0, 0x10 + i}] = &message{"hword scratch block read", scratchSuffix, nil}
		t[messageKey{sfidDC0, 0x18 + i}] = &message{"hword scratch block write", scratchSuffix, nil}
	}
	return t
}
