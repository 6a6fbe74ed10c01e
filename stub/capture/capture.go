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
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
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

// Err is the first thing that could not be written.
func (c *Capturer) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Run runs a launch by a function and writes it.
func (c *Capturer) Run(ctx context.Context, l *device.Launch,
	run func(context.Context, *device.Launch) (simt.Event, error)) (simt.Event, error) {
	t := newTouched(l.Program.Memory)
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

// A file is a launch file in the making.
type file struct {
	CodeObject string     `json:"code_object"`
	Target     string     `json:"target,omitempty"`
	Kernel     string     `json:"kernel"`
	Grid       [3]uint32  `json:"grid"`
	Block      [3]uint32  `json:"block"`
	Offset     *[3]uint32 `json:"offset,omitempty"`
	LDS        uint64     `json:"lds,omitempty"`
	Together   bool       `json:"together,omitempty"`
	Args       []any      `json:"args"`
	Memory     []memory   `json:"memory,omitempty"`
	Symbols    []symbol   `json:"symbols,omitempty"`
}

// A memory is an allocation that the kernel touched.
type memory struct {
	Name    string      `json:"name"`
	Address string      `json:"address"`
	Type    string      `json:"type"`
	Count   int         `json:"count"`
	Init    string      `json:"init"`
	Expect  *expectFile `json:"expect,omitempty"`
}

// A symbol is a variable that the kernel touched.
type symbol struct {
	Name   string      `json:"name"`
	File   string      `json:"file"`
	Expect *expectFile `json:"expect,omitempty"`
}

type expectFile struct {
	File string `json:"file"`
}

// write writes a launch that has run. ended says that it came to its end: what one
// that failed leaves behind is no expectation.
func (c *Capturer) write(l *device.Launch, t *touched, ended bool) error {
	w := &writer{dir: c.dir, name: name(l), ended: ended, touched: t}
	code, err := c.module(l.Module)
	if err != nil {
		return err
	}
	call := l.Call
	f := file{CodeObject: code, Kernel: l.Kernel(), Grid: call.Grid, Block: call.Block, LDS: call.LDS,
		Together: call.Together}
	if strings.Contains(l.Module.Target, "gfx") {
		f.Target = l.Module.Target
	}
	if call.Offset != (launch.Dims{}) {
		offset := [3]uint32(call.Offset)
		f.Offset = &offset
	}
	for _, a := range call.Args {
		if a.Kind == launch.LocalArg {
			f.Args = append(f.Args, map[string]uint64{"local": a.Local})
		} else {
			f.Args = append(f.Args, map[string]string{"bytes": hex.EncodeToString(a.Value)})
		}
	}
	for _, r := range l.Program.Memory.Regions() {
		pages := t.regions[r]
		switch {
		case pages == nil || !l.Persists(r):
		case l.Module.Placed(r):
			f.Symbols = append(f.Symbols, w.symbols(l.Module.Resident.Module, r, pages)...)
		default:
			f.Memory = append(f.Memory, w.memory(r, pages))
		}
	}
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	w.put(w.name+".json", append(text, '\n'))
	return w.failed
}

// name is how the files of a launch begin.
func name(l *device.Launch) string {
	kernel := loader.PlainName(l.Kernel())
	if kernel == "" {
		kernel = l.Kernel()
	}
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

// module writes a module's file, once.
func (c *Capturer) module(m *device.Module) (string, error) {
	if name := c.modules[m]; name != "" {
		return name, nil
	}
	name := fmt.Sprintf("module%d.bin", len(c.modules)+1)
	c.modules[m] = name
	return name, os.WriteFile(filepath.Join(c.dir, name), m.File, 0o666)
}

// A writer writes the files of one launch.
type writer struct {
	dir, name string
	ended     bool
	touched   *touched
	failed    error
}

// put writes a file; zeros in whole pages take no room.
func (w *writer) put(name string, data []byte) {
	if w.failed != nil {
		return
	}
	f, err := os.Create(filepath.Join(w.dir, name))
	if err != nil {
		w.failed = err
		return
	}
	zeros := make([]byte, pageSize)
	for at := 0; at < len(data) && err == nil; at += pageSize {
		page := data[at:min(at+pageSize, len(data))]
		if !bytes.Equal(page, zeros[:len(page)]) {
			_, err = f.WriteAt(page, int64(at))
		}
	}
	if err == nil {
		err = f.Truncate(int64(len(data)))
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	w.failed = err
}

// memory writes a region.
func (w *writer) memory(r *simt.Region, pages *regionPages) memory {
	m := memory{Name: fmt.Sprintf("m%x", r.Base), Address: fmt.Sprintf("%#x", r.Base), Type: "u8",
		Count: len(r.Data), Init: "zero"}
	const word = 4
	if len(r.Data)%word == 0 {
		m.Type, m.Count = "u32", len(r.Data)/word
	}
	before := pages.before(r)
	if len(bytes.TrimLeft(before, "\x00")) > 0 {
		name := fmt.Sprintf("%s.%s.in.bin", w.name, m.Name)
		w.put(name, before)
		m.Init = "file:" + name
	}
	if len(pages.saved) > 0 && w.ended {
		name := fmt.Sprintf("%s.%s.out.bin", w.name, m.Name)
		w.put(name, r.Data)
		m.Expect = &expectFile{name}
	}
	return m
}

// symbols writes the variables of a segment of the module.
func (w *writer) symbols(m *loader.Module, r *simt.Region, pages *regionPages) []symbol {
	var all []symbol
	before := pages.before(r)
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
		one := symbol{Name: s.Name, File: fmt.Sprintf("%s.s%x.in.bin", w.name, s.Addr)}
		w.put(one.File, was)
		if !bytes.Equal(was, is) && w.ended {
			one.Expect = &expectFile{fmt.Sprintf("%s.s%x.out.bin", w.name, s.Addr)}
			w.put(one.Expect.File, is)
		}
		all = append(all, one)
	}
	return all
}
