package frames

import (
	"encoding/binary"
	"slices"

	"simtgdb/dwarf/expr"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// A variable reaches gdb in two steps. Its translated location makes gdb read
// a slot of the frame; slotAddress evaluates the variable's own location
// expression there and then, and answers with an address: of memory where the
// variable is, or of an object in the frame's window. Reading and writing the
// object goes through the location again.

// Locate evaluates the location of a variable in a frame.
func (fs *Finder) Locate(f *unwind.Frame, slot *symfile.Slot) (expr.Location, *Context, error) {
	ctx := &Context{Finder: fs, Frame: f, Slot: slot}
	loc, err := expr.Evaluate(ctx, slot.Expr, fs.Arch.Options(slot.Unit))
	if err == nil && slot.Pointers == 0 {
		loc, err = fs.Arch.Follow(ctx, slot.Unit, loc, f.Lane, slot.Size)
	}
	return loc, ctx, err
}

// SlotAddress is what gdb finds in a slot. A location that cannot be evaluated
// gets the address of its object all the same: reading that says why.
func (fs *Finder) SlotAddress(f *unwind.Frame, i int) uint64 {
	slot := &fs.Symbols.Slots[i]
	thread := int(threads.Of(f.Wave, f.Lane))
	object := fs.Handle(thread, f.Depth) + uint64(slot.Object)
	loc, _, err := fs.Locate(f, slot)
	if err != nil || slot.Pointers > 0 {
		return object
	}
	a, ok := loc.Address()
	if !ok {
		return object
	}
	if addr, ok := fs.Visible(f, a); ok {
		fs.Show(f.Wave, f.Lane, addr, slot.Size)
		return addr
	}
	return object
}

// Base is where gdb finds the parameters of a frame from, those that have no slots; 0 if there are none.
func (fs *Finder) Base(f *unwind.Frame) (uint64, error) {
	b := fs.Symbols.BaseAt(f.Scope())
	if b == nil {
		return 0, nil
	}
	loc, _, err := fs.Locate(f, &b.Slot)
	if err != nil {
		return 0, err
	}
	a, ok := loc.Address()
	if !ok {
		return 0, rsp.EFAULT.Errorf("the frame base of %s is not in memory", b.Name)
	}
	addr, ok := fs.Visible(f, a)
	if !ok {
		return 0, rsp.EFAULT.Errorf("the frame base of %s is in no memory of the program", b.Name)
	}
	return addr, nil
}

// A shownObject is a place that gdb was told of as a variable's, or has read.
type shownObject struct{ addr, size uint64 }

// maxShown bounds how many objects are remembered.
const maxShown = 1 << 12

// MinLine is how long a line of gdb's stack cache is at least, if the user has not made it shorter.
const MinLine = 64

// IsLine reports whether a read may be one of a line (dcache_read_line).
func IsLine(addr, size uint64) bool {
	return size >= MinLine && size&(size-1) == 0 && addr%size == 0
}

// Show remembers in which lanes gdb was told that there is an object at an
// address, or has read what is there, since the program stopped. An address that programs have themselves
// means something else in each lane or workgroup: watchpoints want to know whose
// object is meant. Of a line it is the parameters in it that were read.
func (fs *Finder) Show(w *simt.Wave, lane int, addr, size uint64) {
	in := &fs.shown
	if IsLine(addr, size) {
		in = &fs.lines
	}
	if _, _, ok := fs.Arch.Aperture(addr); !ok || len(*in) >= maxShown {
		return
	}
	o := shownObject{addr, size}
	if (*in)[o] == nil {
		if *in == nil {
			*in = map[shownObject]threads.Set{}
		}
		(*in)[o] = threads.Set{}
	}
	(*in)[o].Add(w, lane)
}

// ForgetShown is for when the program goes on, and gdb empties its cache (target_resume).
func (fs *Finder) ForgetShown() {
	clear(fs.shown)
	clear(fs.lines)
}

func (o shownObject) holds(addr, size uint64) bool {
	return addr-o.addr < o.size && size <= o.size-(addr-o.addr)
}

// ShownIn are the lanes in which gdb was told of an object that holds a range.
func (fs *Finder) ShownIn(addr, size uint64) threads.Set {
	in := threads.Set{}
	for o, lanes := range fs.shown {
		if o.holds(addr, size) {
			in.Join(lanes)
		}
	}
	for line, lanes := range fs.lines {
		if !line.holds(addr, 1) {
			continue
		}
		for _, w := range fs.Machine.Waves() {
			simt.Lanes(lanes[w.ID], func(l int) {
				if fs.isParameter(w, l, addr, size) {
					in.Add(w, l)
				}
			})
		}
	}
	return in
}

// isParameter reports whether a range is in a parameter that gdb finds from the base of one of a lane's
// frames.
func (fs *Finder) isParameter(w *simt.Wave, lane int, addr, size uint64) bool {
	return slices.ContainsFunc(fs.Of(w, lane), func(f unwind.Frame) bool {
		b := fs.Symbols.BaseAt(f.Scope())
		if b == nil || len(b.Parameters) == 0 {
			return false
		}
		base, err := fs.Base(&f)
		return err == nil && slices.ContainsFunc(b.Parameters, func(p symfile.Extent) bool {
			return shownObject{base + uint64(p.Distance), p.Size}.holds(addr, size)
		})
	})
}

// Visible is the address under which gdb sees memory of an address space. What the
// program itself has an address for has that one, so that pointers in memory and
// the addresses of objects compare: but of another lane's memory.
func (fs *Finder) Visible(f *unwind.Frame, a expr.Addr) (uint64, bool) {
	p, err := fs.Arch.Place(f.Wave, f.Lane, a.Space, a.Address)
	if err != nil || p.Bytes != 0 {
		return 0, false
	}
	own := p.Space == simt.LDS || p.Space == simt.Scratch && p.Lane == f.Lane
	if g, ok := fs.Arch.(arch.GenericAddresser); ok && own {
		return g.GenericAddress(p.Space, p.Addr), true
	}
	switch p.Space {
	case simt.LDS:
		return fs.Window(threads.LDSWindow, f.Wave.Group.Index, p.Addr), true
	case simt.Scratch:
		return fs.Window(threads.ScratchWindow, int(threads.Of(f.Wave, p.Lane)), p.Addr), true
	}
	return p.Addr, true
}

// ReadObject assembles bytes of the object of slot i, from an offset on.
func (fs *Finder) ReadObject(f *unwind.Frame, i int, from int64, buf []byte) (int, error) {
	slot := &fs.Symbols.Slots[i]
	loc, ctx, err := fs.Locate(f, slot)
	if err != nil {
		return 0, rsp.EFAULT.Errorf("%v", err)
	}
	if from >= int64(slot.Size) {
		return 0, rsp.EFAULT.Errorf("%s has %d bytes", slot.Name, slot.Size)
	}
	n := min(int64(len(buf)), int64(slot.Size)-from)
	if slot.Pointers > 0 {
		return fs.readPointers(f, loc, ctx, slot, from, buf[:n])
	}
	data, err := loc.Read(ctx, uint64(8*from), uint64(8*n))
	if err != nil {
		return 0, rsp.EFAULT.Errorf("%v", err)
	}
	return copy(buf, data), nil
}

// Narrow pointers of the program are in narrowSize bytes, gdb's in wideSize.
const narrowSize, WideSize = 4, 8

// readPointers reads 32-bit pointers into LDS or private memory as the 64-bit
// addresses that gdb can follow.
func (fs *Finder) readPointers(f *unwind.Frame, loc expr.Location, ctx *Context, slot *symfile.Slot,
	from int64, buf []byte) (int, error) {
	for done := 0; done < len(buf); {
		at := uint64(from) + uint64(done)
		data, err := loc.Read(ctx, at/WideSize*narrowSize*8, narrowSize*8)
		if err != nil {
			return done, rsp.EFAULT.Errorf("%v", err)
		}
		v := uint64(binary.LittleEndian.Uint32(data))
		addr, ok := fs.Visible(f, expr.Addr{Space: slot.Space, Address: v, Lane: f.Lane})
		if v == fs.Arch.Model().Null {
			addr = 0
		} else if !ok {
			addr = v
		}
		done += copy(buf[done:], binary.LittleEndian.AppendUint64(nil, addr)[at%WideSize:])
	}
	return len(buf), nil
}

// writePointers is readPointers' counterpart, for whole pointers.
func (fs *Finder) writePointers(loc expr.Location, ctx *Context, from int64, data []byte) error {
	if from%WideSize != 0 || len(data)%WideSize != 0 {
		return rsp.EINVAL.Errorf("a pointer of %d bytes cannot be written in part", WideSize)
	}
	for at := uint64(from) / WideSize; len(data) > 0; at, data = at+1, data[WideSize:] {
		// Of the 64-bit address the low half is what the program has.
		v := binary.LittleEndian.Uint64(data)
		if v == 0 {
			v = fs.Arch.Model().Null
		}
		b := binary.LittleEndian.AppendUint32(nil, uint32(v))
		if err := loc.Write(ctx, at*narrowSize*8, narrowSize*8, b); err != nil {
			return rsp.EFAULT.Errorf("%v", err)
		}
	}
	return nil
}

// writeObject is readObject's counterpart.
func (fs *Finder) writeObject(f *unwind.Frame, i int, from int64, data []byte) error {
	slot := &fs.Symbols.Slots[i]
	loc, ctx, err := fs.Locate(f, slot)
	if err != nil {
		return rsp.EFAULT.Errorf("%v", err)
	}
	if from+int64(len(data)) > int64(slot.Size) {
		return rsp.EFAULT.Errorf("%s has %d bytes", slot.Name, slot.Size)
	}
	if slot.Pointers > 0 {
		return fs.writePointers(loc, ctx, from, data)
	}
	if err := loc.Write(ctx, uint64(8*from), uint64(8*len(data)), data); err != nil {
		return rsp.EFAULT.Errorf("%v", err)
	}
	return nil
}
