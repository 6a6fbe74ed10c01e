package amdgpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
	"simtgdb/simt/gcn"
	"simtgdb/stub/arch"
)

// kernelState is what a kernel descriptor says of how its waves start.
func kernelState(d *amdgpu.Descriptor) gcn.Kernel {
	// The bits of COMPUTE_PGM_RSRC1 from FLOAT_ROUND_MODE_32 to the denormal
	// modes are MODE's lowest (AMDGPUUsage, "compute_pgm_rsrc1").
	const floatModeShift, floatModeMask = 12, 0xff
	// Those of COMPUTE_PGM_RSRC2 from ENABLE_EXCEPTION_IEEE_754_FP_INVALID_OPERATION on are MODE's EXCP_EN.
	const exceptionsShift = 24
	mode := d.Rsrc1 >> floatModeShift & floatModeMask
	for _, b := range []struct {
		is  bool
		bit uint32
	}{{d.DX10Clamp, gcn.ModeDX10Clamp}, {d.IEEEMode, gcn.ModeIEEE}, {d.FP16Overflow, gcn.ModeOverflow}} {
		if b.is {
			mode |= b.bit
		}
	}
	mode |= d.Rsrc2 >> exceptionsShift << gcn.ModeExcpShift & gcn.ModeExcp
	waveSize := simt.MaxLanes
	if d.EnableWavefrontSize32 {
		waveSize = 32
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
		WaveSize:             waveSize,
		Spread:               d.TGSplit || d.WGPMode,
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

// Limits of the processors.
const (
	maxLDS = 320 << 10 // bytes for a workgroup, of any; see gcn.ISA.LDSLimit
	// Private memory of one lane: code addresses that of the waves that share
	// a base with offsets of 32 bits.
	maxPrivate = 4 << 20
)

// A launch is one launch being prepared.
type launch struct {
	*arch.Launch
	native *amdgpu.Kernel
	isa    *gcn.ISA
	lds    ldsLayout

	warnings []string
}

// Launch implements arch.Family.
func (Family) Launch(in *arch.Launch) (*arch.Launched, error) {
	if amdgpu.Of(in.Module).Pipeline != nil {
		return launchPipeline(in)
	}
	l := &launch{Launch: in, native: amdgpu.KernelOf(in.Kernel)}
	err := errors.Join(in.OnlyArguments(), l.checkShape())
	if err != nil {
		return nil, err
	}
	if err = l.newMachine(); err != nil {
		return nil, err
	}
	if err = l.describeImages(); err != nil {
		return nil, err
	}
	l.isa.FunctionAt = l.functionAt
	l.isa.Kernel.TexelBounds = slices.ContainsFunc(in.Kernel.ExplicitArgs(), func(a loader.Arg) bool {
		return a.Kind == loader.Image // in OpenCL C, whose kernels must not reach beyond; HIP's may
	})
	if err = l.isa.Prepare(); err != nil {
		return nil, err
	}
	d, err := l.dispatch()
	if err != nil {
		return nil, err
	}
	if in.Together {
		l.isa.MeetGroups(&d)
	}
	return &arch.Launched{ISA: l.isa, Dispatch: d, Arch: New(in.Module.Target.Name), Warnings: l.warnings,
		Aliases: l.aliases()}, nil
}

// newMachine makes the machine that the kernel's descriptor asks for.
func (l *launch) newMachine() (err error) {
	d := &l.native.Descriptor
	if d.EnableDynamicVGPR {
		return errors.New("it allocates vector registers while it runs (ENABLE_DYNAMIC_VGPR), " +
			"which is not simulated: compile it without")
	}
	l.isa, err = gcn.New(l.Module.Target.Name, l.Memory, kernelState(d))
	if err == nil {
		l.isa.Kernel.Robust = l.Robust
	}
	return err
}

// checkShape holds grid and workgroup against what the kernel demands.
func (l *launch) checkShape() error {
	for i := range l.Block {
		groups := (uint64(l.Grid[i]) + uint64(l.Block[i]) - 1) / uint64(l.Block[i])
		most := l.native.MaxNumWorkgroups[i]
		switch {
		case l.native.UniformWorkgroupSize && l.Grid[i]%l.Block[i] != 0:
			return fmt.Errorf("grid %v is no multiple of workgroup %v, as the kernel requires: the grid "+
				"counts work-items; --groups (\"groups\") counts workgroups, as HIP's <<<>>> does",
				arch.Dims(l.Grid), arch.Dims(l.Block))
		case most != 0 && groups > uint64(most):
			return fmt.Errorf("grid %v has %d workgroups in direction %d, the kernel allows %d",
				arch.Dims(l.Grid), groups, i, most)
		}
	}
	return nil
}

// functionAt reports whether a function begins at an address.
func (l *launch) functionAt(addr uint64) bool {
	sym, offset, ok := l.Module.SymbolAt(addr)
	return ok && offset == 0 && sym.Kind == loader.SymbolFunc
}

// privateSize is how many bytes of private memory a lane gets.
func (l *launch) privateSize() (uint64, error) {
	stack := uint64(0)
	if l.Kernel.DynamicStack {
		stack = arch.DefaultStack
	}
	if l.Stack != nil {
		stack = *l.Stack
	}
	fixed := uint64(l.native.Descriptor.PrivateSegmentFixedSize)
	if stack > maxPrivate || fixed+stack > maxPrivate {
		return 0, fmt.Errorf("%d bytes of private memory for a lane and %d of --stack; at most %d can be had",
			fixed, stack, maxPrivate)
	}
	const dword = 4
	return (fixed + stack + dword - 1) &^ (dword - 1), nil
}

// dispatch makes arguments, packet and queue and describes the dispatch.
func (l *launch) dispatch() (d simt.Dispatch, err error) {
	d = simt.Dispatch{Grid: l.Grid, Block: l.Block, Entry: l.Kernel.Entry}
	if l.lds, err = l.layOutLDS(); err != nil {
		return d, err
	}
	d.LDSSize = l.allocatedLDS()
	if d.ScratchSize, err = l.privateSize(); err != nil {
		return d, err
	}
	d.ScratchLimit = d.ScratchSize
	queue, err := l.Memory.Alloc("queue descriptor", queueSize, simt.PermRead)
	if err != nil {
		return d, err
	}
	writeQueue(queue)
	at := &l.isa.Launch
	if at.Kernarg, err = l.writeKernarg(queue.Base); err != nil {
		return d, err
	}
	packet, err := l.Memory.Alloc("dispatch packet", packetSize, simt.PermRead)
	if err != nil {
		return d, err
	}
	at.Packet, at.Queue = packet.Base, queue.Base
	l.writePacket(packet.Data, &d)
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
func (l *launch) layOutLDS() (lds ldsLayout, err error) {
	fixed := uint64(l.native.Descriptor.GroupSegmentFixedSize)
	at := fixed
	lds.offsets = map[uint64]uint32{}
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
	for i := range l.Params {
		if q := &l.Params[i]; q.Given == arch.GivenLocal {
			add(0, q.PointeeAlign)
			lds.offsets[q.Offset] = uint32(at)
			add(q.Local, 1)
		}
	}
	if l.LDS > 0 {
		add(l.LDS, 1)
	}
	if limit := l.isa.LDSLimit(); at > limit {
		return lds, fmt.Errorf("too much LDS: %d bytes of the kernel's own and what the launch adds "+
			"are more than %d", fixed, limit)
	}
	lds.size, lds.dynamic = uint32(at), uint32(at-fixed)
	return lds, nil
}

// allocatedLDS is how many bytes of LDS a workgroup gets: as many as it asks for, and as hardware gives it
// where accesses are to come to what they come to there.
func (l *launch) allocatedLDS() uint32 {
	granule := l.isa.LDSGranule()
	if !l.Robust {
		granule = 1
	}
	return (l.lds.size + granule - 1) / granule * granule
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
func (l *launch) writePacket(b []byte, d *simt.Dispatch) {
	const kernelDispatch = 2
	le := binary.LittleEndian
	le.PutUint16(b[0:], kernelDispatch)
	le.PutUint16(b[2:], uint16(l.Dimensions()))
	for i := range d.Grid {
		le.PutUint16(b[4+2*i:], uint16(d.Block[i]))
		le.PutUint32(b[12+4*i:], d.Grid[i])
	}
	le.PutUint32(b[24:], uint32(d.ScratchSize))
	le.PutUint32(b[28:], l.lds.size)
	le.PutUint64(b[32:], l.native.DescriptorAddr)
	le.PutUint64(b[40:], l.isa.Launch.Kernarg)
}
