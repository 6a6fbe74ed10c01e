package device

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
)

// A Module is a file of kernels that a client has loaded.
//
// It lies in the heap, moved there with its debugging information, so that the
// client, kernels of all modules and debuggers know its variables by the same
// addresses. One that cannot be moved lies where it was linked to while a kernel
// of it runs. Such modules begin near address 0, so another takes the place when
// one of its kernels runs; what is not code also lies in the heap, where the
// client and other modules reach it.
type Module struct {
	ID       uint64
	Resident *launch.Resident
	File     []byte // as it was loaded, or as it was moved
	Target   string // which of the code in File was chosen

	Constants []arch.Constant // that it was loaded with

	device   string // the processor that the device is, "" if none has been chosen
	block    *block // that it was moved to, nil if it was not
	segments []segment
	named    sync.Once
	names    map[string]string // see sourceNames
}

// sourceNames are the names that kernels have in the source, by those of their symbols. Kernels that the
// source does not name are left out.
func (m *Module) sourceNames() map[string]string {
	m.named.Do(func() {
		m.names = map[string]string{}
		src, _ := m.Resident.Source() // what it knows, if anything is wrong with debugging information
		if src == nil {
			return
		}
		for i, name := range src.KernelNames() {
			if symbol := m.Resident.Module.Kernels[i].Name; name != symbol {
				m.names[symbol] = name
			}
		}
	})
	return m.names
}

// A segment is part of a module in memory.
type segment struct {
	launch.Segment
	block  *block       // where it is in the heap too; nil for code, and if the module was moved there
	region *simt.Region // if the module was moved
}

// Bounds on what a client may load.
const (
	maxModules   = 4096
	maxSymbols   = 1 << 16
	maxConstants = 4096
)

// open reads a file for the device's processor, or, if it has none yet, for the
// first in the file that can be simulated. On success the device has one.
func (d *Device) open(data []byte) (*loader.Module, error) {
	m, err := launch.OpenModuleData(data, d.processor)
	if err != nil && d.processor == "" {
		for _, p := range preferred() {
			if m, err := launch.OpenModuleData(data, p); err == nil {
				return d.chosen(m)
			}
		}
	}
	if err != nil {
		if m, portable := openPortable(data); portable {
			return m, nil
		}
		var without *loader.TargetError
		if errors.As(err, &without) && d.options.Without != nil {
			d.options.Without(without)
		}
		return nil, &Error{BadModule, err}
	}
	return d.chosen(m)
}

// openPortable opens a module that is for every processor. It reports whether it is one.
func openPortable(data []byte) (*loader.Module, bool) {
	m, err := launch.OpenModuleData(data, "")
	if err != nil {
		return nil, false
	}
	_, portable := arch.Of(m).(arch.Portable)
	return m, portable
}

func (d *Device) chosen(m *loader.Module) (*loader.Module, error) {
	f := arch.Of(m)
	if _, err := f.Decoder(m); err != nil {
		return nil, &Error{BadModule, err}
	}
	if _, portable := f.(arch.Portable); d.processor == "" && !portable {
		d.processor = m.Target.Name
	}
	return m, nil
}

// preferred are the processors in the order in which they are tried if a file
// has code for several.
func preferred() []string {
	all := []string{"gfx90a"}
	for _, f := range arch.Families() {
		all = append(all, f.Processors()...)
	}
	return all
}

// load places a module in memory, with values for its specialisation constants.
func (d *Device) load(data []byte, constants []arch.Constant) (*Module, error) {
	if len(d.modules) >= maxModules {
		return nil, refuse(NoMemory, "more than %d modules", maxModules)
	}
	file, err := d.open(data)
	if err != nil {
		return nil, err
	}
	if s, ok := arch.Of(file).(arch.Specialiser); ok {
		if file, err = s.Specialise(file, constants); err != nil {
			return nil, &Error{BadModule, err}
		}
	}
	file, block := d.displace(file)
	m := &Module{ID: d.nextModule, Resident: launch.NewResident(file), File: data, Target: file.Target.Name,
		Constants: constants, block: block, device: d.processor}
	if block != nil {
		m.File = file.Image
	} else if file.BundleID != "" {
		m.Target = file.BundleID
	}
	parts, err := launch.Segments(file)
	if err != nil {
		d.drop(m)
		return nil, &Error{BadModule, err}
	}
	for _, s := range parts {
		part := segment{Segment: s}
		switch {
		case block != nil:
			err = d.settle(m, &part)
		case s.Perm&simt.PermExec == 0:
			err = d.share(m, &part)
		}
		if err != nil {
			d.drop(m)
			return nil, err
		}
		m.segments = append(m.segments, part)
	}
	d.nextModule++
	d.modules[m.ID] = m
	return m, nil
}

// displace moves a module into the heap, if it can be moved.
func (d *Device) displace(file *loader.Module) (*loader.Module, *block) {
	f, ok := arch.Of(file).(arch.Displacer)
	if !ok {
		return file, nil
	}
	var b *block
	moved, err := f.Displace(file, func(size, align uint64) (at uint64, err error) {
		if b, err = d.heap.alloc(size, align); err != nil {
			return 0, err
		}
		return b.base, nil
	})
	if err != nil {
		if b != nil {
			d.heap.free(b)
		}
		return file, nil
	}
	return moved, b
}

// settle maps a segment of a module that was moved into the heap. The client has no part in its code.
func (d *Device) settle(m *Module, s *segment) (err error) {
	if s.Perm&simt.PermExec == 0 {
		data := d.heap.at(s.Addr, uint64(len(s.Data)))
		copy(data, s.Data)
		s.Data = data
	}
	if s.region, err = d.mem.Map(s.Name, s.Addr, s.Data, s.Perm); err != nil {
		return &Error{Failed, err}
	}
	return nil
}

// share moves a segment into the heap.
func (d *Device) share(m *Module, s *segment) error {
	b, err := d.heap.alloc(uint64(len(s.Data)), pageSize)
	if err != nil {
		return err
	}
	s.block = b
	data := d.heap.data(b, uint64(len(s.Data)))
	copy(data, s.Data)
	s.Data = data
	name := fmt.Sprintf("%s of module %d", s.Name, m.ID)
	if b.region, err = d.mem.Map(name, b.base, data, s.Perm); err != nil {
		d.heap.free(b)
		return &Error{Failed, err}
	}
	return nil
}

// mostRetired is how many modules are kept that the client has unloaded, for those who go back to their
// launches.
const mostRetired = 256

// drop takes a module from the client. What has launches that one can go back to stays in memory.
func (d *Device) drop(m *Module) {
	delete(d.modules, m.ID)
	switch {
	case !d.past.has(m):
		d.take(m)
	case len(d.retired) < mostRetired:
		d.retired = append(d.retired, m)
	default:
		d.past.clear() // their launches cannot be made ready again
		for _, m := range append(d.retired, m) {
			d.take(m)
		}
		d.retired = nil
	}
}

// take takes a module out of memory.
func (d *Device) take(m *Module) {
	if d.current == m {
		d.leave()
	}
	for _, s := range m.segments {
		if s.block != nil {
			d.mem.Unmap(s.block.region)
			d.heap.free(s.block)
		}
		if s.region != nil {
			d.mem.Unmap(s.region)
		}
	}
	if m.block != nil {
		d.heap.free(m.block)
	}
}

// enter puts a module where it was linked to, if it was not moved.
func (d *Device) enter(m *Module) error {
	if d.current == m || m.block != nil {
		return nil
	}
	d.leave()
	d.current = m
	for _, s := range m.segments {
		r, err := d.mem.Map(s.Name, s.Addr, s.Data, s.Perm)
		if err != nil {
			d.leave()
			return err
		}
		d.placed = append(d.placed, r)
	}
	return nil
}

// leave takes the module away from there.
func (d *Device) leave() {
	for _, r := range d.placed {
		d.mem.Unmap(r)
	}
	d.placed, d.current = nil, nil
}

// Placed reports whether a region is a segment of the module, where its debugging information has it.
func (m *Module) Placed(r *simt.Region) bool {
	for _, s := range m.segments {
		if s.Addr == r.Base && len(s.Data) == len(r.Data) {
			return true
		}
	}
	return false
}

// address is where the heap has what a module has at an address, unless it is code.
func (m *Module) address(addr, size uint64) (uint64, bool) {
	for _, s := range m.segments {
		off := addr - s.Addr
		switch {
		case s.Perm&simt.PermExec != 0, addr < s.Addr, off > uint64(len(s.Data)),
			size > uint64(len(s.Data))-off:
		case s.block != nil:
			return s.block.base + off, true
		default:
			return addr, true
		}
	}
	return 0, false
}

// argKinds are the kinds of argument, as the protocol numbers them.
var argKinds = map[loader.ValueKind]uint64{
	loader.ByValue: 0, loader.GlobalBuffer: 1, loader.DynamicSharedPointer: 2, loader.Image: 3,
	loader.Sampler: 4,
}

const (
	otherArg = 5
	// imageBlock is an image for machines that take the block of package texel.
	imageBlock = 6
)

// processor is what the device is called that the module is for: modules that are for every processor leave
// it open.
func (m *Module) processor() string {
	if _, portable := arch.Of(m.Resident.Module).(arch.Portable); portable {
		return m.device
	}
	return m.Resident.Module.Target.Name
}

// describe writes what load answers.
func (m *Module) describe(w *writer) error {
	file := m.Resident.Module
	_, portable := arch.Of(file).(arch.Portable)
	_, blocked := arch.Of(file).(arch.Blocked)
	w.u64(m.ID)
	w.string(m.processor())
	w.u64(uint64(len(file.Kernels)))
	for i := range file.Kernels {
		k := &file.Kernels[i]
		if len(m.Constants) > 0 {
			special, err := m.Resident.Kernel(k, m.Constants)
			if err != nil {
				return &Error{BadModule, err}
			}
			k = special
		}
		describeKernel(w, k, m.Resident.Module.Target.Name, portable || blocked)
	}
	count := len(w.b)
	w.u64(0)
	n := uint64(0)
	for _, s := range file.Symbols {
		addr, ok := m.address(s.Addr, s.Size)
		if s.Kind != loader.SymbolObject || s.Undefined || s.Size == 0 || !ok || n == maxSymbols {
			continue
		}
		w.string(s.Name)
		w.u64(addr, s.Size)
		n++
	}
	copy(w.b[count:], (&writer{}).number(n))
	return nil
}

// number is a number by itself.
func (w *writer) number(v uint64) []byte {
	w.u64(v)
	return w.b
}

// capability is the compute capability that a target says, as CUDA counts them: 80 for sm_80; 0 of others.
func capability(target string) (n uint64) {
	digits, ok := strings.CutPrefix(target, "sm_")
	for i := 0; ok && i < len(digits) && digits[i] >= '0' && digits[i] <= '9'; i++ {
		n = n*10 + uint64(digits[i]-'0')
	}
	return n
}

// describeKernel writes what clients know of a kernel, which is compiled for a target; blocks says that its
// images are such.
func describeKernel(w *writer, k *loader.Kernel, target string, blocks bool) {
	w.string(k.Name)
	w.u64(k.ArgSize, k.LDSSize, k.PrivateSize, uint64(k.MaxFlatWorkgroupSize), uint64(k.WavefrontSize),
		uint64(k.Registers), capability(target))
	for _, n := range k.ReqdWorkgroupSize {
		w.u64(uint64(n))
	}
	w.string(attributes(k))
	args := k.ExplicitArgs()
	w.u64(uint64(len(args)))
	for _, a := range args {
		kind, ok := argKinds[a.Kind]
		if !ok {
			kind = otherArg
		}
		if blocks && a.Kind == loader.Image {
			kind = imageBlock
		}
		w.u64(kind, a.Offset, a.Size)
		for _, s := range []string{a.Name, a.TypeName, a.AddressSpace, a.Access} {
			w.string(s)
		}
		w.u64(qualifiers(a))
	}
}

// attributes are those of a kernel's, as the source has them between the parentheses of __attribute__.
func attributes(k *loader.Kernel) string {
	var all []string
	for _, sizes := range []struct {
		name string
		of   [3]uint32
	}{{"reqd_work_group_size", k.ReqdWorkgroupSize}, {"work_group_size_hint", k.WorkgroupSizeHint}} {
		if s := sizes.of; s != [3]uint32{} {
			all = append(all, fmt.Sprintf("%s(%d,%d,%d)", sizes.name, s[0], s[1], s[2]))
		}
	}
	if k.VecTypeHint != "" {
		all = append(all, "vec_type_hint("+k.VecTypeHint+")")
	}
	return strings.Join(all, " ")
}

// qualifiers are an argument's, as the protocol has them.
func qualifiers(a loader.Arg) uint64 {
	bits := uint64(0)
	for i, is := range []bool{a.IsConst, a.IsRestrict, a.IsVolatile, a.IsPipe} {
		if is {
			bits |= 1 << i
		}
	}
	return bits
}
