package intelgt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"simtgdb/loader/zebin"
	"simtgdb/simt"
	"simtgdb/simt/gen"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/host"
)

// maxSLM is how much local memory a workgroup can have.
const maxSLM = 64 << 10

// A launch is one launch being prepared.
type launch struct {
	*arch.Launch
	kernel *zebin.Kernel
	shared uint64         // bytes of local memory
	locals map[int]uint64 // offsets of __local arguments among themselves, by argument
	start  gen.Kernel
	images []arch.Image
}

// Launch implements arch.Family.
func (Family) Launch(in *arch.Launch) (*arch.Launched, error) {
	l := &launch{Launch: in, kernel: zebin.KernelOf(in.Kernel), locals: map[int]uint64{}}
	if err := errors.Join(in.OnlyArguments(), in.NotRobust(), l.kernel.Launchable()); err != nil {
		return nil, err
	}
	if err := l.layOutSLM(); err != nil {
		return nil, err
	}
	g := generations[in.Module.Target.Name].WithRegisters(l.kernel.Registers)
	l.start = gen.Kernel{Generation: g, SIMD: l.kernel.SIMD,
		Threads:     min(l.threads(), gen.MaxThreads),
		PerThread:   registers(l.kernel.PerThreadSize()),
		CrossThread: make([]byte, registers(l.kernel.CrossThreadSize()))}
	l.bind()
	if err := errors.Join(l.bindImages(), l.bindSamplers()); err != nil {
		return nil, err
	}
	if err := l.allocatePrivate(); err != nil {
		return nil, err
	}
	for i := range l.kernel.Args {
		if err := l.write(&l.kernel.Args[i]); err != nil {
			return nil, err
		}
	}
	args, err := l.Memory.Alloc("kernel arguments", uint64(max(len(l.start.CrossThread), 1)), simt.PermRead)
	if err != nil {
		return nil, err
	}
	copy(args.Data, l.start.CrossThread)
	if l.kernel.Inline > 0 || g.AllIndirect() {
		if err := l.indirect(); err != nil {
			return nil, err
		}
	}
	isa, err := gen.New(in.Memory, l.start)
	if err != nil {
		return nil, err
	}
	d := simt.Dispatch{Grid: in.Grid, Block: in.Block, Entry: in.Kernel.Entry, LDSSize: uint32(l.shared)}
	// What a thread has for spills and frames is shared by its lanes.
	d.ScratchSize = (l.kernel.ScratchSize + uint64(l.kernel.SIMD) - 1) / uint64(l.kernel.SIMD)
	d.ScratchLimit = d.ScratchSize
	a, err := New(in.Module, in.Tables)
	if err != nil {
		return nil, err
	}
	a.memory, a.args, a.images = in.Memory, args.Base, l.images
	return &arch.Launched{ISA: isa, Dispatch: d, Arch: a}, nil
}

// bind makes the binding table, of buffers that arguments are given.
func (l *launch) bind() {
	l.start.Surfaces = map[uint32]simt.Extent{}
	for _, b := range l.kernel.Bindings {
		i := slices.IndexFunc(l.Params, func(p arch.Param) bool { return p.Index == b.Index })
		if i >= 0 && l.Params[i].Buffer != nil {
			r := l.Params[i].Buffer
			l.start.Surfaces[uint32(b.Entry)] = simt.Extent{Lo: r.Base, Hi: r.End()}
		}
	}
	for _, a := range l.kernel.Args {
		i := slices.IndexFunc(l.Params, func(p arch.Param) bool { return p.Index == a.Index })
		if a.Mode == modeBindless && i >= 0 && l.Params[i].Buffer != nil {
			r := l.Params[i].Buffer
			l.start.Surfaces[stateOf(a.Index)] = simt.Extent{Lo: r.Base, Hi: r.End()}
		}
	}
}

// modeBindless is how an argument is reached whose surface's state is given by its place.
const modeBindless = "bindless"

// stateOf is where the state of an argument's surface is.
func stateOf(index int) uint32 {
	const first = 64 // more than a binding table's last entry, in bytes
	return uint32(first+index) * gen.SurfaceState
}

// registers rounds a size up to whole registers.
func registers(size uint64) int {
	const bytes = 32
	return int((size + bytes - 1) / bytes * bytes)
}

// threads is how many hardware threads the whole launch has.
func (l *launch) threads() int {
	n := 1
	d := simt.Dispatch{Grid: l.Grid, Block: l.Block}
	for _, groups := range d.Groups() {
		n = min(n*int(groups), gen.MaxThreads)
	}
	items := int(l.Block[0]) * int(l.Block[1]) * int(l.Block[2])
	return n * ((items + l.kernel.SIMD - 1) / l.kernel.SIMD)
}

// layOutSLM puts __local arguments one after the other, each as it is to be
// aligned; the code adds the kernel's own part.
func (l *launch) layOutSLM() error {
	at := uint64(0)
	for _, a := range l.kernel.Args {
		if a.Mode != modeSLM || a.Index < 0 || a.Index >= len(l.Params) {
			continue
		}
		if align := max(a.SLMAlign, 1); align&(align-1) == 0 {
			at = (at + align - 1) &^ (align - 1)
		}
		l.locals[a.Index] = at
		if size := l.Params[a.Index].Local; size > maxSLM || at > maxSLM {
			at = 2 * maxSLM
		} else {
			at += size
		}
	}
	l.shared = l.kernel.SLMSize + at + l.LDS
	if l.shared > maxSLM || l.LDS > maxSLM {
		return fmt.Errorf("too much local memory: %d bytes of the kernel and what the launch adds are over "+
			"%d",
			l.kernel.SLMSize, maxSLM)
	}
	return nil
}

const modeSLM = "slm"

// allocatePrivate makes the private memory of all threads that can be there at
// once.
func (l *launch) allocatePrivate() error {
	slot := l.kernel.PrivateSize
	if l.kernel.PrivatePerSim {
		slot *= uint64(l.kernel.SIMD)
	}
	if slot == 0 {
		return nil
	}
	const most = 1 << 30
	if slot > most/uint64(l.start.Threads) {
		l.start.Threads = max(int(most/slot), 1)
	}
	r, err := l.Memory.Alloc("private memory", slot*uint64(l.start.Threads), simt.PermRead|simt.PermWrite)
	if r != nil {
		r.Private = true
	}
	if err != nil {
		return err
	}
	l.start.PrivateBase, l.start.PrivateSlot = r.Base, slot
	return nil
}

// A writer puts one kind of argument into the cross-thread data, p, which has
// the argument's size.
type writer func(l *launch, a *zebin.Arg, p []byte) error

// writers are the kinds of argument (zeinfo.md, "Payload arguments").
var writers = map[string]writer{
	argOffset:             func(l *launch, _ *zebin.Arg, p []byte) error { return dims(p, l.Offset) },
	"buffer_offset":       zeros,
	zebin.ArgAddress:      pointer,
	"arg_bypointer":       pointer,
	"arg_byvalue":         value,
	"local_size":          localSize,
	"enqueued_local_size": func(l *launch, _ *zebin.Arg, p []byte) error { return dims(p, l.Block) },
	"global_size":         func(l *launch, _ *zebin.Arg, p []byte) error { return dims(p, l.Grid) },
	"group_count": func(l *launch, _ *zebin.Arg, p []byte) error {
		return dims(p, (&simt.Dispatch{Grid: l.Grid, Block: l.Block}).Groups())
	},
	"image_width":          ofImage(func(m *texel.Image) uint64 { return uint64(m.LevelSize(0)[0]) }),
	"image_height":         ofImage(func(m *texel.Image) uint64 { return uint64(m.LevelSize(0)[1]) }),
	"image_depth":          ofImage(func(m *texel.Image) uint64 { return uint64(m.LevelSize(0)[2]) }),
	"image_array_size":     ofImage(func(m *texel.Image) uint64 { return uint64(m.ViewLayers) }),
	"image_num_samples":    ofImage(func(m *texel.Image) uint64 { return uint64(m.Samples) }),
	"image_num_mip_levels": ofImage(func(m *texel.Image) uint64 { return uint64(m.ViewLevels) }),
	"image_channel_order": ofImage(
		func(m *texel.Image) uint64 { order, _ := m.OpenCL(); return uint64(order) }),
	"image_channel_data_type": ofImage(
		func(m *texel.Image) uint64 { _, kind := m.OpenCL(); return uint64(kind) }),
	"flat_image_baseoffset": ofImage(func(m *texel.Image) uint64 { return m.Address }),
	"flat_image_width": ofImage(
		func(m *texel.Image) uint64 { return uint64(m.Size[0]*m.Format.Size) - 1 }),
	"flat_image_height":  ofImage(func(m *texel.Image) uint64 { return uint64(m.Size[1]) - 1 }),
	"flat_image_pitch":   ofImage(func(m *texel.Image) uint64 { return m.RowBytes(0) - 1 }),
	"sampler_address":    ofSampler(addressOf),
	"sampler_normalized": ofSampler(normalizedOf),
	"sampler_snap_wa":    ofSampler(snapOf),
	"work_dimensions": func(l *launch, _ *zebin.Arg, p []byte) error {
		return put(p,
			uint64(l.Dimensions()))
	},
	"private_base_stateless": func(l *launch, _ *zebin.Arg, p []byte) error {
		return put(p,
			l.start.PrivateBase)
	},
	"printf_buffer":    printfBuffer,
	zebin.ArgConstants: func(l *launch, _ *zebin.Arg, p []byte) error { return put(p, l.kernel.Constants) },
	zebin.ArgVariables: func(l *launch, _ *zebin.Arg, p []byte) error { return put(p, l.kernel.Variables) },
}

func (l *launch) write(a *zebin.Arg) error {
	w := writers[a.Type]
	if w == nil {
		return fmt.Errorf("the kernel wants an argument of type %q, which is not known", a.Type)
	}
	if a.Size == 0 {
		return nil
	}
	if err := w(l, a, l.start.CrossThread[a.Offset:a.Offset+a.Size]); err != nil {
		return fmt.Errorf("%s of %d bytes: %w", a.Type, a.Size, err)
	}
	return nil
}

// argOffset is the type of the argument that global ids begin with.
const argOffset = "global_id_offset"

func zeros(*launch, *zebin.Arg, []byte) error { return nil }

// put writes a number in as many bytes as there are.
func put(p []byte, v uint64) error {
	if len(p) > 8 {
		return fmt.Errorf("a number has at most 8 bytes")
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(p, b[:])
	return nil
}

func dims(p []byte, d [3]uint32) error {
	if len(p) != 12 {
		return fmt.Errorf("want three dwords")
	}
	for i, v := range d {
		binary.LittleEndian.PutUint32(p[4*i:], v)
	}
	return nil
}

// localSize leaves the place to the machine: a workgroup at the grid's end is
// smaller.
func localSize(l *launch, a *zebin.Arg, p []byte) error {
	l.start.LocalSize = append(l.start.LocalSize, int(a.Offset))
	return dims(p, l.Block)
}

// param is what is given for an argument.
func (l *launch) param(a *zebin.Arg) (*arch.Param, error) {
	i := slices.IndexFunc(l.Params, func(p arch.Param) bool { return p.Index == a.Index })
	if i < 0 {
		return nil, fmt.Errorf("there is no argument %d", a.Index)
	}
	return &l.Params[i], nil
}

func pointer(l *launch, a *zebin.Arg, p []byte) error {
	if a.Space == zebin.SpaceImage || a.Space == zebin.SpaceSampler {
		return put(p, uint64(stateOf(a.Index)))
	}
	switch a.Mode {
	case modeSLM:
		return put(p, l.locals[a.Index])
	case modeBindless:
		return put(p, uint64(stateOf(a.Index)))
	}
	q, err := l.param(a)
	if err != nil {
		return err
	}
	switch {
	case q.Buffer != nil:
		return put(p, q.Buffer.Base)
	case q.Given == arch.GivenValue:
		copy(p, q.Value)
	}
	return nil
}

func value(l *launch, a *zebin.Arg, p []byte) error {
	q, err := l.param(a)
	if err != nil {
		return err
	}
	if a.SourceOffset < uint64(len(q.Value)) {
		copy(p, q.Value[a.SourceOffset:])
	}
	return nil
}

// Sizes that the buffer of printf can have.
const (
	minPrintf = 64
	maxPrintf = 256 << 20
)

// maxString is the longest string that printf is given.
const maxString = 1 << 16

// stringAt reads a string that ends with a NUL out of memory.
func (l *launch) stringAt(addr uint64) (string, bool) {
	r := l.Memory.Find(addr)
	if r == nil {
		return "", false
	}
	b := r.Data[addr-r.Base:]
	n := bytes.IndexByte(b[:min(len(b), maxString)], 0)
	if n < 0 {
		return "", false
	}
	return string(b[:n]), true
}

// printfBuffer allocates the buffer that printf writes records to.
func printfBuffer(l *launch, _ *zebin.Arg, p []byte) error {
	size := max(l.PrintfBuffer, minPrintf)
	if l.PrintfBuffer == 0 {
		size = arch.PrintfBuffer
	}
	if size > maxPrintf {
		return fmt.Errorf("%d bytes of --printf-buffer, want at most %d", size, maxPrintf)
	}
	r, err := l.Memory.Alloc("printf buffer", size, simt.PermRead|simt.PermWrite)
	if err != nil {
		return err
	}
	if l.Host == nil { // nobody listens
		l.Host = host.New()
	}
	if len(l.kernel.Strings) > 0 {
		l.Host.AddNumbered(r, l.kernel.Strings)
	} else {
		l.Host.AddZebin(r, l.stringAt)
	}
	return put(p, r.Base)
}
