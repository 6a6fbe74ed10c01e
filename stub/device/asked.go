package device

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"simtgdb/dwarf"
	"simtgdb/dwarf/objfile"
	"simtgdb/loader/printable"
	"simtgdb/simt/pattern"
	"simtgdb/stub/source"
)

// Allocations keep who has asked for them, and those that were freed are remembered for a while, so that of
// an access to one it can be said what it was.

// An asker is a place in a host program: where a call of a library returns to.
type asker struct {
	file     string // of the program or library that the place is in; "" if it is not known
	pc, base uint64 // and where that file begins in memory
	outer    uint64 // where the function returns to that calls, if that is in the same file; else 0
}

// asker reads who asks, which clients may leave out.
func (r *reader) asker() (a asker) {
	if len(r.b) > 0 {
		a = r.place()
	}
	return a
}

func (r *reader) place() asker { return asker{string(r.bytes()), r.u64(), r.u64(), r.u64()} }

// callerBytes is how many a place in the program has in a request at least.
const callerBytes = 4 * 8

// What is remembered of freed blocks, and of files of host programs.
const (
	mostFreed   = 4096
	mostHosts   = 64
	mostHostELF = 1 << 29 // bytes
)

// A freed block is what an allocation was.
type freed struct {
	block
	by       asker
	launches int // before it was freed
}

// forget takes a block away and remembers that it was there.
func (d *Device) forget(b *block, by asker) {
	if len(d.freed) == mostFreed {
		d.freed = slices.Delete(d.freed, 0, mostFreed/2)
	}
	d.freed = append(d.freed, freed{*b, by, d.launchCount()})
	d.mem.Unmap(b.region)
	d.heap.free(b)
}

func (d *Device) launchCount() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.launches
}

// wasFreed says what an address belonged to that is nobody's any more, "" if that is not known.
func (d *Device) wasFreed(addr uint64) string {
	for _, f := range slices.Backward(d.freed) {
		if addr < f.base || addr >= f.base+max(f.asked, 1) {
			continue
		}
		return fmt.Sprintf("byte %d of %s; freed%s%s", addr-f.base, f.describe(), f.by.describe(" at "),
			since(f.launches))
	}
	return ""
}

// describe says which allocation a block is, and who has asked for it.
func (b *block) describe() string {
	return fmt.Sprintf("allocation %d, of %d bytes at %#x, made%s%s", b.number, b.asked, b.base,
		b.by.describe(" at "), since(b.launches))
}

func since(launches int) string {
	if launches == 0 {
		return " before any launch"
	}
	return fmt.Sprintf(" after launch %d was submitted", launches)
}

// A HostPlace is a place in a host program, as far as it is known.
type HostPlace struct {
	Function string
	File     string // of the source, with the folder where it was compiled
	Folder   string
	Line     uint32
}

func (a asker) place() (p HostPlace) {
	if h := hosts.of(a.file); h != nil {
		p.Function, p.File, p.Folder, p.Line = h.at(a)
	}
	return p
}

// A Leak is what a client has allocated at one place and not freed.
type Leak struct {
	Count int    // allocations
	Bytes uint64 // of all of them
	Text  string // which they are
	HostPlace
}

// leaks are the allocations that are left, by where they were made, in the order in which the first of each
// place was. Those of which no place is known are told one by one.
func (d *Device) leaks() (all []Leak) {
	var left []*block
	for _, b := range d.given {
		if !b.own {
			left = append(left, b)
		}
	}
	slices.SortFunc(left, func(a, b *block) int { return a.number - b.number })
	at := map[string]int{}
	for _, b := range left {
		made := b.by.describe("")
		if i, ok := at[made]; ok && made != "" {
			all[i].Count++
			all[i].Bytes += b.asked
			continue
		}
		at[made] = len(all)
		all = append(all, Leak{1, b.asked, b.describe(), b.by.place()})
	}
	for i := range all {
		if l := &all[i]; l.Count > 1 {
			l.Text += fmt.Sprintf(", the first of %d that were made there, of %d bytes together", l.Count,
				l.Bytes)
		}
	}
	return all
}

// describe is the place as text behind a word, "" if it is not known.
func (a asker) describe(word string) string {
	if a.file == "" {
		return ""
	}
	h := hosts.of(a.file)
	name := printable.Name(filepath.Base(a.file))
	if h == nil {
		return fmt.Sprintf("%s%#x in %s", word, a.pc, name)
	}
	function, file, _, line := h.at(a)
	switch {
	case line != 0 && function != "":
		return fmt.Sprintf("%s%s:%d in %s", word, printable.Name(file), line, printable.Name(function))
	case line != 0:
		return fmt.Sprintf("%s%s:%d", word, printable.Name(file), line)
	case function != "":
		return fmt.Sprintf("%s%#x in %s of %s", word, h.address(a), printable.Name(function), name)
	}
	return fmt.Sprintf("%s%#x in %s", word, h.address(a), name)
}

// A hostFile is what is known of a program or library of the host.
type hostFile struct {
	fixed   bool // it is where it says itself
	data    *dwarf.Data
	symbols []elf.Symbol
}

// hostFiles are those that were asked for.
type hostFiles struct {
	mu    sync.Mutex
	files map[string]*hostFile
}

var hosts = hostFiles{files: map[string]*hostFile{}}

// of reads a file; nil if it cannot be read.
func (h *hostFiles) of(name string) *hostFile {
	if name == "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.files[name]
	if !ok && len(h.files) < mostHosts {
		f = readHost(name)
		h.files[name] = f
	}
	return f
}

func readHost(name string) *hostFile {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > mostHostELF {
		return nil
	}
	e, err := elf.Open(name)
	if err != nil {
		return nil
	}
	defer e.Close()
	h := &hostFile{fixed: e.Type == elf.ET_EXEC}
	h.symbols, _ = e.Symbols()
	if more, err := e.DynamicSymbols(); err == nil {
		h.symbols = append(h.symbols, more...)
	}
	if text, err := os.ReadFile(name); err == nil {
		if o, err := objfile.Open(text); err == nil {
			h.data, _ = o.Data()
		}
	}
	return h
}

// address is a place's in the file: of the call, which lies before where it returns to.
func (h *hostFile) address(a asker) uint64 {
	if h.fixed {
		return a.pc - 1
	}
	return a.pc - a.base - 1
}

// wrapper matches the functions that headers of the API have for C++, and the like of programs' own, by
// whatever name symbols have for them: they call for others.
var wrapper = pattern.Compile(`^(_ZL?\d+)?(hip|cuda|cu|cl|vk)[A-Z]`)

// at is the function and the source's line of a place, as far as they are known: of who calls a wrapper.
func (h *hostFile) at(a asker) (function, file, folder string, line uint32) {
	pc := h.address(a)
	if h.data != nil {
		for _, in := range slices.Backward((&source.Map{Data: h.data}).Inlined(pc)) {
			if wrapper().MatchString(in.Name) && !wrapper().MatchString(in.Into) && in.From.Line != 0 {
				return in.Into, in.From.File, in.From.CompDir, in.From.Line
			}
		}
	}
	function, file, folder, line = h.lineAt(pc)
	if a.outer != 0 && wrapper().MatchString(function) {
		outer := a
		outer.pc, outer.outer = a.outer, 0
		return h.lineAt(h.address(outer))
	}
	return function, file, folder, line
}

// lineAt is the function and the source's line of an address of the file.
func (h *hostFile) lineAt(pc uint64) (function, file, folder string, line uint32) {
	for i := range h.symbols {
		s := &h.symbols[i]
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && pc-s.Value < max(s.Size, 1) {
			function = s.Name
		}
	}
	if h.data == nil {
		return function, "", "", 0
	}
	u := h.data.UnitAt(pc)
	if u == nil {
		return function, "", "", 0
	}
	if f := u.FunctionAt(pc); f != nil && f.Name() != "" {
		function = f.Name()
	}
	t, _ := u.Lines()
	if t == nil {
		return function, "", "", 0
	}
	if i, ok := t.Lookup(pc); ok && t.Rows[i].Line != 0 {
		return function, filepath.Clean(u.FileName(uint64(t.Rows[i].File))), u.CompDir(), t.Rows[i].Line
	}
	return function, "", "", 0
}
