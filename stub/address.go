package stub

import "simtgdb/simt"

// Addresses that gdb sees beyond those of global memory. The top bits name the
// window, those after them its owner, and the lowest 36 are an offset in it:
//
//	builtinWindow  what each lane has of its own by the name that its language gives it (builtin.go); nobody's
//	frameWindow    a lane's frames: see below
//	scratchWindow  a lane's private memory
//	ldsWindow      a workgroup's LDS
//	returnWindow   what a lane's last call returned (returned.go)
//	dispatchWindow a pc, that of what calls kernels, and the symbol file's build id
//
// The apertures of the GPU itself (1<<48 and 2<<48) work too, for the lane
// that gdb has selected; but gdb identifies a frame or an object by its address
// alone, so what the stub hands out names its owner.
const (
	builtinWindow  = 0x9
	frameWindow    = 0xa
	scratchWindow  = 0xb
	ldsWindow      = 0xc
	returnWindow   = 0xd
	dispatchWindow = 0xe

	kindBits   = 4
	ownerShift = 36
	offsetMask = 1<<ownerShift - 1
)

// windows is how the bits of an address above the offset are divided: it
// depends on how many of them the facade's addresses have.
type windows struct{ kindShift int }

func windowsOf(addressBits int) windows { return windows{addressBits - kindBits} }

// ownerMask has as many bits as a window's owner. Threads and workgroups have
// larger numbers: the resident one is meant of those that agree in these bits.
func (ws windows) ownerMask() uint64 { return 1<<(ws.kindShift-ownerShift) - 1 }

// window composes an address.
func (ws windows) window(kind uint64, owner int, offset uint64) uint64 {
	return kind<<ws.kindShift | (uint64(owner)&ws.ownerMask())<<ownerShift | offset&offsetMask
}

// split is window's inverse.
func (ws windows) split(addr uint64) (kind uint64, owner int, offset uint64) {
	return addr >> ws.kindShift, int(addr >> ownerShift & ws.ownerMask()), addr & offsetMask
}

// A frame's handle (its CFA and stack pointer) is frameTop - depth*frameStride
// in the lane's frame window; depth is 0 for the kernel. Below it, at -8, gdb
// finds the return address; above it, the slots of variables and then the
// objects they lead to (package symfile). gdb reads memory in lines of 64 bytes,
// so a frame's bytes begin a little below its handle.
const (
	frameStride = 1 << 24
	frameTop    = 0xf_ff00_0000
	frameLow    = 4096 // how far a frame's bytes reach below its handle
	maxDepth    = frameTop/frameStride - 1
)

// handle is the CFA of the frame at a depth of a thread.
func (ws windows) handle(thread, depth int) uint64 {
	return ws.window(frameWindow, thread, uint64(frameTop-min(depth, maxDepth)*frameStride))
}

// splitFrame says which frame an offset in a frame window belongs to, and
// where it lies relative to the frame's handle.
func splitFrame(offset uint64) (depth int, at int64, ok bool) {
	if offset+frameLow >= frameTop+frameStride {
		return 0, 0, false
	}
	depth = int((frameTop + frameStride - 1 - (offset + frameLow)) / frameStride)
	return depth, int64(offset) - int64(frameTop-depth*frameStride), true
}

// windowOf is the window into a space that is a lane's or a workgroup's own.
func windowOf(space simt.Space) uint64 {
	if space == simt.LDS {
		return ldsWindow
	}
	return scratchWindow
}
