// Package capture writes launches as launch files: the kernel with its sizes and
// arguments, the memory that it touched with what was in it before, at the same
// addresses, what was in it afterwards as the expectation, and the code. A captured
// launch is run by itself, or debugged, without the program that made it.
//
// [To] makes a [Capturer]; its Run stands around the run of a launch. The package
// knows launches of a device, and nothing of host programs.
package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/device"
	"simtgdb/stub/launch"
)

// A Capturer writes launches into a folder.
type Capturer struct {
	dir string

	mu      sync.Mutex
	modules map[*device.Module]string // files that are written
	failed  error

	whole func(l *device.Launch, file string, launchFile []byte, files map[string][]byte) error
}

// To makes a capturer that writes into a folder, which it makes if need be. The
// folder must be empty, so that no launch of another run is taken for one of this.
func To(dir string) (*Capturer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty", dir)
	}
	return &Capturer{dir: dir, modules: map[*device.Module]string{}}, nil
}

// Whole has somebody write each launch in its own way instead: to a file, whose name has no ending yet, what
// would be the launch file, and the files that it names.
func (c *Capturer) Whole(write func(l *device.Launch, file string, launchFile []byte,
	files map[string][]byte) error) {
	c.whole = write
}

// Err is the first thing that could not be written.
func (c *Capturer) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Run runs a launch by a function and writes it.
func (c *Capturer) Run(ctx context.Context, l *device.Launch,
	run func(context.Context, *device.Launch) (simt.Event, error)) (simt.Event, error) {
	t := newTouched(l)
	l.Program.Machine.AddObserver(t)
	ev, err := run(ctx, l)
	l.Program.Machine.RemoveObserver(t)
	if err != nil {
		return ev, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = c.write(l, t, ev.Kind == simt.EndEvent)
	}
	return ev, nil
}

// write writes a launch that has run. ended says that it came to its end: what one
// that failed leaves behind is no expectation.
func (c *Capturer) write(l *device.Launch, t *touched, ended bool) error {
	w := &writer{Capturer: c, name: name(l), ended: ended}
	spec := *l.Program.Spec
	spec.CodeObject = launch.File{Path: c.module(l.Module), Contents: l.Module.File}
	if strings.Contains(l.Module.Target, "gfx") {
		spec.Target = l.Module.Target
	}
	spec.Bindings = t.bound(spec.Bindings)
	for _, p := range t.all() {
		if l.Module.Placed(p.region) {
			spec.Symbols = append(spec.Symbols, w.symbols(l.Module.Resident.Module, p)...)
		} else {
			spec.Memory = append(spec.Memory, w.memory(p))
		}
	}
	if c.whole != nil {
		files := map[string][]byte{}
		text, err := spec.Encode(func(f launch.File) (string, error) {
			files[f.Path] = f.Contents
			return f.Path, nil
		})
		if err != nil {
			return err
		}
		return c.whole(l, filepath.Join(c.dir, w.name), text, files)
	}
	text, err := spec.Encode(func(f launch.File) (string, error) { return f.Path, c.keep(f) })
	if err != nil {
		return err
	}
	return c.keep(launch.File{Path: w.name + ".json", Contents: text})
}

// name is how the files of a launch begin.
func name(l *device.Launch) string {
	kernel := cmp.Or(l.Label, loader.PlainName(l.Kernel()), l.Kernel())
	const most = 40
	kernel = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, kernel)
	name := fmt.Sprintf("%04d-%s", l.Number, kernel[:min(len(kernel), most)])
	if l.Process > 1 {
		name = fmt.Sprintf("process%d-%s", l.Process, name)
	}
	return name
}

// module is the name of a module's file.
func (c *Capturer) module(m *device.Module) string {
	if c.modules[m] == "" {
		c.modules[m] = fmt.Sprintf("module%d.bin", len(c.modules)+1)
	}
	return c.modules[m]
}

// keep writes a file, if it is not there yet; zeros in whole pages take no room.
func (c *Capturer) keep(file launch.File) error {
	f, err := os.OpenFile(filepath.Join(c.dir, file.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil // a module that other launches are of, too
	}
	if err != nil {
		return err
	}
	zeros, data := make([]byte, pageSize), file.Contents
	for at := 0; at < len(data) && err == nil; at += pageSize {
		page := data[at:min(at+pageSize, len(data))]
		if !bytes.Equal(page, zeros[:len(page)]) {
			_, err = f.WriteAt(page, int64(at))
		}
	}
	if err == nil {
		err = f.Truncate(int64(len(data)))
	}
	return errors.Join(err, f.Close())
}

// A writer makes the launch file of one launch.
type writer struct {
	*Capturer
	name  string
	ended bool
}

// memory is a region that the kernel touched.
func (w *writer) memory(p *regionPages) launch.MemorySpec {
	m := launch.MemorySpec{Name: memoryName(p.base), Address: p.base, Heap: p.heap}
	m.Buffer = launch.BufferSpec{Type: "u8", Count: uint64(len(p.after()))}
	const word = 4
	if len(p.after())%word == 0 {
		m.Buffer.Type, m.Buffer.Count = "u32", uint64(len(p.after()))/word
	}
	if before := p.before(); len(bytes.TrimLeft(before, "\x00")) > 0 {
		m.Buffer.Init = launch.Init{Kind: launch.InitFile, File: w.file(m.Name+".in.bin", before)}
	}
	if len(p.saved) > 0 && w.ended && !p.freed() {
		m.Expect = &launch.Expect{File: w.file(m.Name+".out.bin", p.after())}
	}
	return m
}

// file is a file of the launch.
func (w *writer) file(name string, contents []byte) launch.File {
	return launch.File{Path: w.name + "." + name, Contents: contents}
}

// symbols are the variables of a segment of the module that are not as the module has them.
func (w *writer) symbols(m *loader.Module, p *regionPages) []launch.SymbolSpec {
	var all []launch.SymbolSpec
	r, before := p.region, p.before()
	for _, s := range m.Symbols {
		if s.Kind != loader.SymbolObject || s.Undefined || s.Size == 0 || !r.Holds(s.Addr, s.Size) {
			continue
		}
		at := s.Addr - r.Base
		was, is := before[at:at+s.Size], r.Data[at:at+s.Size]
		linked, ok := m.BytesAt(s.Addr, s.Size)
		if !ok {
			linked = make([]byte, s.Size) // the file has nothing of what is zero
		}
		if bytes.Equal(linked, was) && bytes.Equal(was, is) {
			continue
		}
		one := launch.SymbolSpec{Name: s.Name, File: w.file(fmt.Sprintf("s%x.in.bin", s.Addr), was)}
		if !bytes.Equal(was, is) && w.ended {
			one.Expect = &launch.Expect{File: w.file(fmt.Sprintf("s%x.out.bin", s.Addr), is)}
		}
		all = append(all, one)
	}
	return all
}
