package device

import (
	"fmt"
	"hash/crc32"
	"path"

	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
)

// maxDescriptors is how many bindings a dispatch has at most.
const maxDescriptors = 1 << 20

// bindingKinds are the kinds of binding, as the protocol numbers them.
var bindingKinds = []string{"storage", "uniform"}

// readDispatch takes the fields of the request: a launch whose kernel has bindings, not arguments.
func (d *Device) readDispatch(r *reader) (*Launch, error) {
	l := &Launch{Device: d, Stream: r.u64(), Call: &launch.Call{FilterBits: d.options.FilterBits},
		shader: true}
	module, kernel := r.u64(), r.u64()
	c := l.Call
	c.Groups = r.dims()
	first := r.dims()
	c.Subgroup, c.Robust = int(r.u32()), r.u64() == 1 || d.options.Robust
	l.Label, c.Push = string(r.bytes()), r.bytes()
	const fields = 6
	for range min(r.count(fields*8), maxDescriptors) {
		b := launch.BindingSpec{Numbered: true, Part: true, Set: r.u32(), Number: r.u32(), Element: r.u32()}
		kind := r.u64()
		b.At, b.Size = r.u64(), r.u64()
		if kind >= uint64(len(bindingKinds)) {
			return nil, refuse(WrongProtocol, "a binding of kind %d", kind)
		}
		b.Kind = bindingKinds[kind]
		c.Bindings = append(c.Bindings, b)
	}
	if err := r.end(); err != nil {
		return nil, &Error{WrongProtocol, err}
	}
	if err := d.findKernel(l, module, kernel); err != nil {
		return nil, err
	}
	k, err := l.Module.Resident.Kernel(c.Kernel, c.Constants)
	if err != nil {
		return nil, &Error{BadModule, err}
	}
	for i, n := range k.ReqdWorkgroupSize {
		if uint64(first[i])*uint64(n) > 1<<32-1 {
			return nil, refuse(BadLaunch, "the first workgroup is %d in direction %d", first[i], i)
		}
		c.Offset[i] = first[i] * n
	}
	c.Block = k.ReqdWorkgroupSize
	if l.Label == "" {
		l.Label = l.Module.label(l.Kernel())
	}
	return l, nil
}

// opDispatch answers the request.
func (d *Device) opDispatch(r *reader, w *writer) error {
	l, err := d.readDispatch(r)
	if err != nil {
		return err
	}
	ticket, err := d.launch(l)
	w.u64(ticket)
	return err
}

// findKernel finds the kernel of a launch.
func (d *Device) findKernel(l *Launch, module, kernel uint64) error {
	d.memory.Lock() // modules do not change but by requests, of which this is one
	l.Module = d.modules[module]
	d.memory.Unlock()
	if l.Module == nil || kernel >= uint64(len(l.Module.Resident.Module.Kernels)) {
		return refuse(NotFound, "no kernel %d of a module %d", kernel, module)
	}
	l.Call.Kernel, l.Call.Constants = &l.Module.Resident.Module.Kernels[kernel], l.Module.Constants
	return nil
}

// Files are the names, without folders, of the files that the module's source is in; those of a kernel that
// is a function among others of a program are none.
func (m *Module) Files() []string {
	namer, ok := arch.Of(m.Resident.Module).(arch.FileNamer)
	if !ok {
		return nil
	}
	var names []string
	for _, f := range namer.FileNames(m.Resident.Module) {
		names = append(names, path.Base(f))
	}
	return names
}

// label is what a shader is called that the client has no name for: its entry point, but for "main", as which
// nearly all are known: those have their file's name, or, if that is not known, a number that the code always
// has.
func (m *Module) label(entry string) string {
	if entry != "main" {
		return entry
	}
	if files := m.Files(); len(files) > 0 {
		return files[0]
	}
	return fmt.Sprintf("%s-%08x", entry, crc32.ChecksumIEEE(m.File))
}
