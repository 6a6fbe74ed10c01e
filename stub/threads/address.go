// Package threads says what lanes are to gdb: the thread of a lane ([Of]) and the lane of a thread
// ([Resident.Find]), and the windows in gdb's address space in which it sees what is a lane's or a
// workgroup's own ([Windows]). It knows no frames and no variables.
package threads

import "simtgdb/simt"

// Addresses that gdb sees beyond those of global memory. The top bits name the
// window, those after them its owner, and the lowest 36 are an offset in it:
//
//	builtinWindow  what each lane has of its own by its language's name for it (package stub); nobody's
//	frameWindow    a lane's frames: see below
//	scratchWindow  a lane's private memory
//	ldsWindow      a workgroup's LDS
//	returnWindow   what a lane's last call returned (package stub)
//	dispatchWindow a pc, that of what calls kernels, and the symbol file's build id
//
// The apertures of the GPU itself (1<<48 and 2<<48) work too, for the lane
// that gdb has selected; but gdb identifies a frame or an object by its address
// alone, so what the stub hands out names its owner.
const (
	BuiltinWindow  = 0x9
	FrameWindow    = 0xa
	ScratchWindow  = 0xb
	LDSWindow      = 0xc
	ReturnWindow   = 0xd
	DispatchWindow = 0xe

	kindBits   = 4
	ownerShift = 36
	OffsetMask = 1<<ownerShift - 1
)

// Windows is how the bits of an address above the offset are divided: it
// depends on how many of them the facade's addresses have.
type Windows struct{ kindShift int }

func WindowsOf(addressBits int) Windows { return Windows{addressBits - kindBits} }

// OwnerMask has as many bits as a window's owner. Threads and workgroups have
// larger numbers: the resident one is meant of those that agree in these bits.
func (ws Windows) OwnerMask() uint64 { return 1<<(ws.kindShift-ownerShift) - 1 }

// Window composes an address.
func (ws Windows) Window(kind uint64, owner int, offset uint64) uint64 {
	return kind<<ws.kindShift | (uint64(owner)&ws.OwnerMask())<<ownerShift | offset&OffsetMask
}

// Split is window's inverse.
func (ws Windows) Split(addr uint64) (kind uint64, owner int, offset uint64) {
	return addr >> ws.kindShift, int(addr >> ownerShift & ws.OwnerMask()), addr & OffsetMask
}

// A frame's handle (its CFA and stack pointer) is frameTop - depth*frameStride
// in the lane's frame window; depth is 0 for the kernel. Below it, at -8, gdb
// finds the return address; above it, the slots of variables and then the
// objects they lead to (package symfile). gdb reads memory in lines of 64 bytes,
// so a frame's bytes begin a little below its handle.
const (
	FrameStride = 1 << 24
	FrameTop    = 0xf_ff00_0000
	FrameLow    = 4096 // how far a frame's bytes reach below its handle
	MaxDepth    = FrameTop/FrameStride - 1
)

// Handle is the CFA of the frame at a depth of a thread.
func (ws Windows) Handle(thread, depth int) uint64 {
	return ws.Window(FrameWindow, thread, uint64(FrameTop-min(depth, MaxDepth)*FrameStride))
}

// SplitFrame says which frame an offset in a frame window belongs to, and
// where it lies relative to the frame's handle.
func SplitFrame(offset uint64) (depth int, at int64, ok bool) {
	if offset+FrameLow >= FrameTop+FrameStride {
		return 0, 0, false
	}
	depth = int((FrameTop + FrameStride - 1 - (offset + FrameLow)) / FrameStride)
	return depth, int64(offset) - int64(FrameTop-depth*FrameStride), true
}

// WindowOf is the window into a space that is a lane's or a workgroup's own.
func WindowOf(space simt.Space) uint64 {
	if space == simt.LDS {
		return LDSWindow
	}
	return ScratchWindow
}
