package visa

// Target is what the tables leave unsaid about the device that their code is
// for, and about the frames that IGC builds there.
type Target struct {
	Name     string
	GRFBytes uint32 // size of a general register
	GRFCount uint32 // general registers of a thread

	// ByteScratch says that BE_FP and BE_SP count bytes. Otherwise they count
	// OWords of 16 bytes, as the block messages of the HDC want them.
	//
	// For these devices IGC 1.0.12504 writes the scratch offsets of saved
	// registers too large, by 16 or 32; the Unwinder scales them down.
	ByteScratch bool

	// RestoreLag is by how many bytes of code the caller's BE_FP and return
	// address may be restored after the offset that the tables give for it. Where
	// a message loads them back, which depends on the function, the tables name
	// the computation of its address and not the message.
	RestoreLag uint32
}

// The targets that were measured, with IGC 1.0.12504.
var (
	Gen9    = Target{Name: "Gen9", GRFBytes: 32, GRFCount: 128}
	Gen11   = Target{Name: "Gen11", GRFBytes: 32, GRFCount: 128}
	Gen12LP = Target{Name: "Gen12LP", GRFBytes: 32, GRFCount: 128, RestoreLag: 16}
	XeHPG   = Target{Name: "XeHPG", GRFBytes: 32, GRFCount: 128, ByteScratch: true, RestoreLag: 16}
	XeHPC   = Target{Name: "XeHPC", GRFBytes: 64, GRFCount: 128, ByteScratch: true}
)

const owordBytes = 16

// scratchUnit is the number of bytes that BE_FP counts in.
func (t Target) scratchUnit() uint32 {
	if t.ByteScratch {
		return 1
	}
	return owordBytes
}

func (t Target) grfFileBytes() uint32 { return t.GRFBytes * t.GRFCount }

// firstCalleeSaved is the byte offset of the first register that a stack-call
// function must preserve: the upper half of the file but for its last eight
// registers (r60 of 128). IGC's .debug_frame states the same split.
func (t Target) firstCalleeSaved() uint32 { return (t.GRFCount - 8) / 2 * t.GRFBytes }

// The frame descriptor is the register that BE_FP lives in: the last one (r127)
// in zebin files, whose code follows version 2 of the vISA ABI, and r125 in
// patch-token ones. A prologue stores it whole at the callee's BE_FP, so that the copy holds the caller's
// values. Byte offsets of its members:
const (
	fdReturnIP = 0
	fdCallMask = 4
	fdBESP     = 8
	fdBEFP     = 12
	fdBytes    = 32 // through the 64-bit FE_FP and FE_SP at 16 and 24
)
