package launch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/simt"
)

// mostFuzzMemory bounds the memory of the modules that are loaded: a file may
// ask for more than it has bytes.
const mostFuzzMemory = 1 << 20

var fuzzObjects = []string{"vecadd", "reduce_cl"}

// FuzzLaunch opens damaged objects, loads their first kernel as if nothing were
// wrong with it, and runs it for a moment.
func FuzzLaunch(f *testing.F) {
	simt.LetPanic = true
	for _, name := range fuzzObjects {
		f.Add(readFile(f, object(name).Path))
	}
	f.Fuzz(launchDamaged)
}

// FuzzDescriptor damages kernel descriptors, and the code behind the entry.
func FuzzDescriptor(f *testing.F) {
	simt.LetPanic = true
	var objects [][]byte
	var kernels []*loader.Kernel
	for i, name := range fuzzObjects {
		data := readFile(f, object(name).Path)
		m, err := OpenModuleData(data, "")
		if err != nil {
			f.Fatal(err)
		}
		objects, kernels = append(objects, data), append(kernels, &m.Kernels[0])
		f.Add(uint8(i), make([]byte, amdgpu.DescriptorSize), []byte{0})
	}
	f.Fuzz(func(t *testing.T, which uint8, descriptor, code []byte) {
		i := int(which) % len(objects)
		data := slices.Clone(objects[i])
		at := amdgpu.KernelOf(kernels[i]).DescriptorAddr
		for j, b := range descriptor[:min(len(descriptor), amdgpu.DescriptorSize)] {
			data[at+uint64(j)] ^= b // the segment with the descriptors begins the file
		}
		m, err := OpenModuleData(objects[i], "")
		if err != nil {
			t.Fatal(err)
		}
		entry, _ := m.BytesAt(kernels[i].Entry, uint64(min(len(code), 16)))
		if offset := bytes.Index(data, entry); offset > 0 {
			for j := range entry {
				data[offset+j] ^= code[j]
			}
		}
		launchDamaged(t, data)
	})
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// launchDamaged opens an object, loads its first kernel and runs it.
func launchDamaged(t *testing.T, data []byte) {
	m, err := OpenModuleData(data, "")
	if err != nil || len(m.Kernels) == 0 {
		return
	}
	total := uint64(0)
	for _, s := range m.Segments {
		total += s.MemSize
	}
	if total > mostFuzzMemory {
		return
	}
	k := &m.Kernels[0]
	spec := Spec{CodeObject: File{Path: "x.co", FS: fstest.MapFS{"x.co": {Data: data}}}, Kernel: k.Name,
		Grid: Dims{3, 1, 1}, Block: Dims{3, 1, 1}}
	for _, a := range k.ExplicitArgs() {
		if a.Size <= maxValue {
			spec.Args = append(spec.Args, Arg{Kind: ValueArg, Type: bytesType, Value: make([]byte, a.Size)})
		}
	}
	p, err := spec.Load()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	ev, err := p.Run(ctx, 1)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	p.DescribeFault(ev)
}
