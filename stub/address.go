package stub

import "simtgdb/simt"

// Addresses that gdb sees beyond those of global memory. The top four bits
// name the window, the next 24 its owner, the rest is an offset in it:
//
//	frameWindow    a lane's frames: see below
//	scratchWindow  a lane's private memory
//	ldsWindow      a workgroup's LDS
//	returnWindow   what a lane's last call returned (returned.go)
//	dispatchWindow nothing but a pc, that of what calls kernels
//
// The apertures of the GPU itself (1<<48 and 2<<48) work too, for the lane
// that gdb has selected; but gdb identifies a frame or an object by its address
// alone, so what the stub hands out names its owner.
const (
	frameWindow    = 0xa
	scratchWindow  = 0xb
	ldsWindow      = 0xc
	returnWindow   = 0xd
	dispatchWindow = 0xe

	windowShift = 60
	ownerShift  = 36
	ownerMask   = 1<<24 - 1
	offsetMask  = 1<<ownerShift - 1
)

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

// window composes an address.
func window(kind uint64, owner int, offset uint64) uint64 {
	return kind<<windowShift | uint64(owner&ownerMask)<<ownerShift | offset&offsetMask
}

// splitWindow is window's inverse.
func splitWindow(addr uint64) (kind uint64, owner int, offset uint64) {
	return addr >> windowShift, int(addr >> ownerShift & ownerMask), addr & offsetMask
}

// handle is the CFA of the frame at a depth of a thread.
func handle(thread, depth int) uint64 {
	return window(frameWindow, thread, uint64(frameTop-min(depth, maxDepth)*frameStride))
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
