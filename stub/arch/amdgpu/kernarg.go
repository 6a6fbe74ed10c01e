package amdgpu

import (
	"fmt"
	"maps"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
)

// implicitArgs is how many bytes code objects of version 5 and later may read
// behind the explicit arguments, whatever the metadata lists (AMDGPUUsage,
// "Code Object V5 Metadata").
const implicitArgs = 256

// kernargAlign is what the size of the segment is rounded up to: as much as a
// scalar load can read.
const kernargAlign = 64

// writeKernarg makes the kernarg segment.
func (l *launch) writeKernarg(queue uint64) (addr uint64, err error) {
	const maxKernarg = 1 << 20
	size := l.Kernel.ArgSize
	for i := range l.Params {
		q := &l.Params[i]
		if q.Size > maxKernarg {
			size = q.Size
			break
		}
		size = max(size, q.Offset, q.Offset+q.Size)
	}
	if size > maxKernarg {
		return 0, fmt.Errorf("%d bytes of arguments, at most %d are passed", size, maxKernarg)
	}
	if l.Kernel.UndeclaredArgs {
		size += implicitArgs
	}
	// Compilers widen scalar loads: 28 bytes are read as 32.
	size = (size + kernargAlign - 1) &^ (kernargAlign - 1)
	r, err := l.Memory.Alloc("kernel arguments", size, simt.PermRead)
	if err != nil {
		return 0, err
	}
	hidden, err := l.hiddenValues(queue)
	if err != nil {
		return 0, err
	}
	for i := range l.Params {
		q := &l.Params[i]
		to := r.Data[q.Offset:][:q.Size]
		switch {
		case q.Hidden:
			arch.PutUint(to, hidden[q.Kind])
		case q.Given == arch.GivenBuffer:
			arch.PutUint(to, q.Buffer.Base)
		case q.Given == arch.GivenLocal:
			arch.PutUint(to, uint64(l.lds.offsets[q.Offset]))
		default:
			copy(to, q.Value)
		}
	}
	if at, ok := l.unlistedPrintf(); ok && at+8 <= uint64(len(r.Data)) {
		arch.PutUint(r.Data[at:at+8], hidden[amdgpu.HiddenPrintfBuffer])
	}
	return r.Base, nil
}

// hiddenValues are the arguments that a runtime provides (AMDGPUUsage, "Code
// Object V3 Metadata" and "Code Object V5 Metadata"). What is not here is 0:
// there are no queues of the device's own.
func (l *launch) hiddenValues(queue uint64) (map[loader.ValueKind]uint64, error) {
	values := map[loader.ValueKind]uint64{
		amdgpu.HiddenGridDims:       uint64(l.Dimensions()),
		amdgpu.HiddenDynamicLDSSize: uint64(l.lds.dynamic),
		amdgpu.HiddenPrivateBase:    gcn.PrivateBase >> 32,
		amdgpu.HiddenSharedBase:     gcn.SharedBase >> 32,
		amdgpu.HiddenQueuePtr:       queue,
		amdgpu.HiddenGlobalOffsetX:  uint64(l.Offset[0]),
		amdgpu.HiddenGlobalOffsetY:  uint64(l.Offset[1]),
		amdgpu.HiddenGlobalOffsetZ:  uint64(l.Offset[2]),
	}
	grid, block := l.Grid, l.Block
	for i, kinds := range [3][3]loader.ValueKind{
		{amdgpu.HiddenBlockCountX, amdgpu.HiddenGroupSizeX, amdgpu.HiddenRemainderX},
		{amdgpu.HiddenBlockCountY, amdgpu.HiddenGroupSizeY, amdgpu.HiddenRemainderY},
		{amdgpu.HiddenBlockCountZ, amdgpu.HiddenGroupSizeZ, amdgpu.HiddenRemainderZ},
	} {
		values[kinds[0]] = uint64(grid[i] / block[i]) // whole workgroups
		values[kinds[1]] = uint64(block[i])
		values[kinds[2]] = uint64(grid[i] % block[i])
	}
	printing, err := l.printingArgs()
	maps.Copy(values, printing)
	return values, err
}
