package launch

import (
	"encoding/binary"
	"fmt"
	"math"

	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
)

// kernelState is what a kernel descriptor says of how its waves start.
func kernelState(d *amdgpu.Descriptor) gcn.Kernel {
	// The bits of COMPUTE_PGM_RSRC1 from FLOAT_ROUND_MODE_32 to the denormal
	// modes are MODE's lowest (AMDGPUUsage, "compute_pgm_rsrc1").
	const floatModeShift, floatModeMask = 12, 0xff
	const modeDX10Clamp, modeIEEE, modeFP16Overflow = 1 << 8, 1 << 9, 1 << 23
	mode := d.Rsrc1 >> floatModeShift & floatModeMask
	for _, b := range []struct {
		is  bool
		bit uint32
	}{{d.DX10Clamp, modeDX10Clamp}, {d.IEEEMode, modeIEEE}, {d.FP16Overflow, modeFP16Overflow}} {
		if b.is {
			mode |= b.bit
		}
	}
	return gcn.Kernel{
		PrivateSegmentBuffer: d.EnablePrivateSegmentBuffer,
		DispatchPtr:          d.EnableDispatchPtr,
		QueuePtr:             d.EnableQueuePtr,
		KernargSegmentPtr:    d.EnableKernargSegmentPtr,
		DispatchID:           d.EnableDispatchID,
		FlatScratchInit:      d.EnableFlatScratchInit,
		PrivateSegmentSize:   d.EnablePrivateSegmentSize,
		PreloadLength:        int(d.KernargPreloadLength),
		PreloadOffset:        int(d.KernargPreloadOffset),
		UserSGPRs:            int(d.UserSGPRCount),
		WorkgroupID:          [3]bool{d.EnableWorkgroupIDX, d.EnableWorkgroupIDY, d.EnableWorkgroupIDZ},
		WorkgroupInfo:        d.EnableWorkgroupInfo,
		ScratchOffset:        d.EnablePrivateSegment,
		WorkItemIDs:          int(d.EnableVGPRWorkitemID),
		Mode:                 mode,
		SGPRs:                min(d.SGPRs, addressableSGPRs),
		VGPRs:                d.ArchVGPRs,
		AGPRs:                d.AccVGPRs,
	}
}

// addressableSGPRs is how many scalar registers gfx9 code can name besides
// VCC and the like.
const addressableSGPRs = 102

// privateSize is how many bytes of private memory a lane gets.
func (p *Program) privateSize() (uint64, error) {
	stack := uint64(0)
	if p.Kernel.DynamicStack {
		stack = DefaultStack
	}
	if p.Spec.Stack != nil {
		stack = *p.Spec.Stack
	}
	fixed := uint64(p.native().Descriptor.PrivateSegmentFixedSize)
	if stack > maxPrivate || fixed+stack > maxPrivate {
		return 0, fmt.Errorf("%d bytes of private memory for a lane and %d of --stack; at most %d can be had", fixed, stack, maxPrivate)
	}
	const dword = 4
	return (fixed + stack + dword - 1) &^ (dword - 1), nil
}

// dispatch allocates buffers, arguments, packet and queue and describes the
// dispatch.
func (p *Program) dispatch(params []parameter) (d simt.Dispatch, err error) {
	d = simt.Dispatch{Grid: p.Spec.Grid, Block: p.Spec.Block, Entry: p.Kernel.Entry}
	lds, err := p.layOutLDS(params)
	if err != nil {
		return d, err
	}
	d.LDSSize = lds.size
	if d.ScratchSize, err = p.privateSize(); err != nil {
		return d, err
	}
	d.ScratchLimit = d.ScratchSize
	if err := p.allocateBuffers(params); err != nil {
		return d, err
	}
	queue, err := p.Memory.Alloc("queue descriptor", queueSize, simt.PermRead)
	if err != nil {
		return d, err
	}
	writeQueue(queue)
	at := &p.ISA.Launch
	if at.Kernarg, err = p.writeKernarg(params, lds, queue.Base); err != nil {
		return d, err
	}
	packet, err := p.Memory.Alloc("dispatch packet", packetSize, simt.PermRead)
	if err != nil {
		return d, err
	}
	at.Packet, at.Queue = packet.Base, queue.Base
	p.writePacket(packet.Data, &d)
	return d, nil
}

// ldsLayout is where LDS arguments lie.
type ldsLayout struct {
	size    uint32
	dynamic uint32            // bytes beyond the fixed part
	offsets map[uint64]uint32 // of LDS arguments, by their place in the kernarg segment
}

// layOutLDS puts dynamic LDS behind the part that the kernel states, each
// argument as its pointee is to be aligned.
func (p *Program) layOutLDS(params []parameter) (l ldsLayout, err error) {
	fixed := uint64(p.native().Descriptor.GroupSegmentFixedSize)
	at := fixed
	l.offsets = map[uint64]uint32{}
	add := func(size, align uint64) {
		if align = max(align, 1); align&(align-1) == 0 && align <= maxLDS {
			at = (at + align - 1) &^ (align - 1)
		}
		if size > maxLDS || at > maxLDS { // so that it cannot wrap around
			at = math.MaxUint32
			return
		}
		at += size
	}
	for i := range params {
		if a := params[i].given; a != nil && a.Kind == LocalArg {
			add(0, params[i].PointeeAlign)
			l.offsets[params[i].Offset] = uint32(at)
			add(a.Local, 1)
		}
	}
	if p.Spec.LDS > 0 {
		add(p.Spec.LDS, 1)
	}
	if at > maxLDS {
		return l, fmt.Errorf("too much LDS: %d bytes of the kernel's own and what the launch adds are more than %d", fixed, maxLDS)
	}
	l.size, l.dynamic = uint32(at), uint32(at-fixed)
	return l, nil
}

// Sizes of what the convention has a kernel point at: hsa_kernel_dispatch_packet_t
// and amd_queue_t.
const (
	packetSize = 64
	queueSize  = 256
)

// writeQueue fills the fields of amd_queue_t that compiled code reads: the high
// halves of the apertures (AMDGPUUsage, "Address Space Mapping"). They also lie
// at the offsets of AMDGPUUsage's older "queue ptr".
func writeQueue(r *simt.Region) {
	const sharedBase, privateBase = 0x40, 0x44
	binary.LittleEndian.PutUint32(r.Data[sharedBase:], gcn.SharedBase>>32)
	binary.LittleEndian.PutUint32(r.Data[privateBase:], gcn.PrivateBase>>32)
}

// writePacket fills a kernel dispatch packet (HSA Runtime Programmer's
// Reference Manual, "hsa_kernel_dispatch_packet_t").
func (p *Program) writePacket(b []byte, d *simt.Dispatch) {
	const kernelDispatch = 2
	le := binary.LittleEndian
	le.PutUint16(b[0:], kernelDispatch)
	le.PutUint16(b[2:], uint16(dimensions(d.Grid)))
	for i := range d.Grid {
		le.PutUint16(b[4+2*i:], uint16(d.Block[i]))
		le.PutUint32(b[12+4*i:], d.Grid[i])
	}
	le.PutUint32(b[24:], uint32(d.ScratchSize))
	le.PutUint32(b[28:], d.LDSSize)
	le.PutUint64(b[32:], p.native().DescriptorAddr)
	le.PutUint64(b[40:], p.ISA.Launch.Kernarg)
}

// dimensions is how many directions a grid extends in.
func dimensions(grid Dims) int {
	switch {
	case grid[2] > 1:
		return 3
	case grid[1] > 1:
		return 2
	}
	return 1
}
