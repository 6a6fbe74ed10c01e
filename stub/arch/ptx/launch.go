package ptx

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/loader"
	text "simtgdb/loader/ptx"
	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf"
	"simtgdb/stub/printf/decode"
	"simtgdb/stub/printf/host"
)

// Limits of a launch.
const (
	maxShared  = 227 << 10 // bytes for a workgroup (compute capability 9.0)
	maxPrivate = 4 << 20   // bytes for a lane
	maxArgs    = 1 << 20
	argAlign   = 64      // what the size of the arguments is rounded up to: compilers widen loads
	heapSize   = 8 << 20 // bytes that malloc gives out of (CUDA's cudaLimitMallocHeapSize)
	sharedGap  = 16      // alignment of shared memory that the launch gives
)

// Launch implements arch.Family.
func (Family) Launch(l *arch.Launch) (*arch.Launched, error) {
	if err := errors.Join(l.OnlyArguments(), l.NotRobust()); err != nil {
		return nil, err
	}
	for i := range l.Grid {
		if l.Grid[i]%l.Block[i] != 0 {
			return nil,
				fmt.Errorf("grid %v is no multiple of workgroup %v: the grid counts threads, not blocks; "+
					"--groups (\"groups\") counts blocks, as CUDA's <<<>>> does", arch.Dims(l.Grid),
					arch.Dims(l.Block))
		}
	}
	own := text.Of(l.Module)
	cluster, err := clusterOf(l, own)
	if err != nil {
		return nil, err
	}
	private, err := privateSize(l)
	if err != nil {
		return nil, err
	}
	setup := machine.Launch{Host: &texts{host: l.Host, memory: l.Memory}}
	if err := placeArguments(l, own, &setup); err != nil {
		return nil, err
	}
	if uses(own, "malloc") {
		heap := l.Heap // what kernels have allocated outlives them
		if heap == nil {
			heap = host.NewHeap(l.Memory)
		}
		size := heap.Room
		if size == 0 {
			size = heapSize
		}
		r, err := heap.State(size)
		if err != nil {
			return nil, err
		}
		setup.Heap, setup.HeapSize = r.Base, size
	}
	if uses(own, "vprintf") || uses(own, "printf") || uses(own, "__assertfail") {
		l.Host.Expect()
	}
	isa, err := codeFor(l.Kernel, own, setup)
	if err != nil {
		return nil, err
	}
	if isa.Meets() {
		r, err := l.Memory.Alloc("grid workspace", machine.WorkspaceSize, simt.PermRead|simt.PermWrite)
		if err != nil {
			return nil, err
		}
		setup.Workspace = r.Base
		isa = isa.For(setup)
	}
	d := simt.Dispatch{Grid: l.Grid, Block: l.Block, Entry: l.Kernel.Entry, LDSSize: setup.SharedSize,
		ScratchSize: private, ScratchLimit: private, Cluster: cluster}
	return &arch.Launched{ISA: isa, Dispatch: d, Arch: New(l.Module, isa)}, nil
}

// clusterOf is how many workgroups a cluster has: as the kernel says it, or the launch.
func clusterOf(l *arch.Launch, own *text.Module) ([3]uint32, error) {
	f := own.Func(l.Kernel.Name)
	none := [3]uint32{}
	if f == nil || f.ClusterSize == none {
		return l.Cluster, nil
	}
	if l.Cluster != none && l.Cluster != f.ClusterSize {
		return none, fmt.Errorf("cluster %v: kernel %.100q says .reqnctapercluster %v", arch.Dims(l.Cluster),
			l.Kernel.Name, arch.Dims(f.ClusterSize))
	}
	return f.ClusterSize, nil
}

// uses reports whether the text declares a function without defining it.
func uses(m *text.Module, name string) bool {
	f := m.Func(name)
	return f != nil && !f.Defined
}

// codeFor is a kernel's code for a launch.
func codeFor(k *loader.Kernel, own *text.Module, launch machine.Launch) (*machine.ISA, error) {
	if p, ok := k.Native.(*prepared); ok {
		return p.isa.For(launch), nil
	}
	return machine.NewKernel(Link(own), k.Entry, launch)
}

// privateSize is how many bytes of private memory a lane has: frames of functions are in it.
func privateSize(l *arch.Launch) (uint64, error) {
	stack := uint64(arch.DefaultStack)
	if l.Stack != nil {
		stack = *l.Stack
	}
	if fixed := l.Kernel.PrivateSize; stack > maxPrivate || fixed > maxPrivate-stack {
		return 0, fmt.Errorf("%d bytes of private memory for a lane and %d of --stack; at most %d can be had",
			fixed, stack, maxPrivate)
	}
	return l.Kernel.PrivateSize + stack, nil
}

// ImageDescriptors implements arch.ImageDescriber: pointers may be images of OpenCL C.
func (Family) ImageDescriptors() {}

// placeArguments makes the memory of the arguments, and shared memory for those that are pointers into it.
func placeArguments(l *arch.Launch, own *text.Module, setup *machine.Launch) error {
	size := l.Kernel.ArgSize
	if size > maxArgs {
		return fmt.Errorf("%d bytes of arguments, at most %d are passed", size, maxArgs)
	}
	r, err := l.Memory.Alloc("kernel arguments", (size+argAlign-1)/argAlign*argAlign, simt.PermRead)
	if err != nil {
		return err
	}
	shared := own.SharedSize
	for i := range l.Params {
		q := &l.Params[i]
		to := r.Data[q.Offset:][:q.Size]
		switch q.Given {
		case arch.GivenBuffer:
			arch.PutUint(to, q.Buffer.Base)
		case arch.GivenLocal:
			shared = (shared + sharedGap - 1) / sharedGap * sharedGap
			arch.PutUint(to, shared)
			if q.Local > maxShared {
				return tooMuchShared(own, q.Local)
			}
			shared += q.Local
		default:
			if q.Block != nil && q.Kind == loader.GlobalBuffer { // an image of OpenCL C
				if q.Value, err = arch.DescribedImage(l.Memory, q.Block.Data); err != nil {
					return fmt.Errorf("argument %d: %w", q.Index, err)
				}
			}
			copy(to, q.Value)
		}
	}
	used := l.Kernel.LDSSize + shared - own.SharedSize // as if the kernel were the module's only one
	if l.LDS > maxShared || used+l.LDS > maxShared {
		return tooMuchShared(own, l.LDS)
	}
	setup.Args, setup.SharedSize = r.Base, uint32(shared+l.LDS)
	setup.Dynamic = setup.SharedSize - uint32(own.SharedSize)
	return nil
}

func tooMuchShared(own *text.Module, more uint64) error {
	return fmt.Errorf("too much shared memory: %d bytes of the module and %d of the launch are more than %d",
		own.SharedSize, more, maxShared)
}

// texts hands what kernels print to the host. It implements machine.Host.
type texts struct {
	host   *host.Host
	memory *simt.Memory
}

// maxString bounds the strings that are read for printing.
const maxString = 64 << 10

// Printf implements machine.Host.
func (t *texts) Printf(w *simt.Wave, lane int, function string, format, args uint64,
	read func(addr uint64, p []byte) error) (int32, error) {
	text := func(addr uint64) ([]byte, bool) {
		var s []byte
		for len(s) < maxString {
			var b [1]byte
			if read(addr+uint64(len(s)), b[:]) != nil {
				return nil, false
			}
			if b[0] == 0 {
				return s, true
			}
			s = append(s, b[0])
		}
		return s, true
	}
	f, ok := text(format)
	if !ok {
		return 0, fmt.Errorf("no format is at %#x", format)
	}
	dialect := printf.C
	if function == "printf" {
		dialect = printf.OpenCL
	}
	r, n := decode.Vprintf(dialect, string(f), func(offset, size uint64) (uint64, bool) {
		var b [8]byte
		if size > 8 || read(args+offset, b[:size]) != nil {
			return 0, false
		}
		return binary.LittleEndian.Uint64(b[:]), true
	}, text)
	t.host.PrintRecord(r, w, lane)
	return int32(n), nil
}

// Assert implements machine.Host: what CUDA's runtime prints.
func (t *texts) Assert(w *simt.Wave, lane int, message, file string, line uint32, function string) {
	item := w.WorkItem(lane)
	t.host.PrintRecord(decode.Record{Stderr: true, Text: fmt.Appendf(nil,
		"%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n", file, line, function,
		w.Group.ID[0], w.Group.ID[1], w.Group.ID[2], item[0], item[1], item[2], message)}, w, lane)
}
