package frames

import (
	"bytes"
	"encoding/binary"

	"simtgdb/rsp"
	"simtgdb/stub/threads"
)

// ReadWindow fills buf from a lane's frame window: return addresses, slots and
// objects. gdb reads whole lines: what is between them reads as zero.
func (fs *Finder) ReadWindow(owner int, offset uint64, buf []byte) (int, error) {
	w, lane, err := fs.Owner(owner)
	if err != nil {
		return 0, err
	}
	frames := fs.Of(w, lane)
	depth, at, ok := threads.SplitFrame(offset)
	if !ok || depth >= len(frames) {
		return 0, rsp.EFAULT.Errorf("frame %d of thread %d is not there", depth, owner)
	}
	level := len(frames) - 1 - depth
	if i, from, ok := fs.Symbols.ObjectAt(at); ok {
		return fs.ReadObject(&frames[level], i, from, buf)
	}
	clear(buf)
	var word [8]byte
	put := func(where int64, v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		for i, b := range word {
			if j := where + int64(i) - at; j >= 0 && j < int64(len(buf)) {
				buf[j] = b
			}
		}
	}
	if level+1 < len(frames) {
		put(-8, frames[level+1].PC)
		if base, err := fs.Base(&frames[level+1]); err == nil {
			put(-16, base)
		}
	} else {
		put(-8, fs.Layout.ReturnOfKernel())
	}
	for i, where := range fs.Symbols.SlotsIn(at, at+int64(len(buf))) {
		put(where, fs.SlotAddress(&frames[level], i))
	}
	return len(buf), nil
}

// WriteWindow writes to an object in a frame window; nothing else there is the
// client's to change.
func (fs *Finder) WriteWindow(owner int, offset uint64, data []byte) error {
	w, lane, err := fs.Owner(owner)
	if err != nil {
		return err
	}
	frames := fs.Of(w, lane)
	depth, at, ok := threads.SplitFrame(offset)
	if !ok || depth >= len(frames) {
		return rsp.EFAULT.Errorf("frame %d of thread %d is not there", depth, owner)
	}
	i, from, ok := fs.Symbols.ObjectAt(at)
	if !ok && at < 0 && len(data) > 0 && bytes.Equal(data, fs.Breakpoint) {
		// gdb is about to call a function. It has no words for a write that is refused
		// here (memory_error), but for the register that it writes next.
		return nil
	}
	if !ok {
		return rsp.EPERM.Errorf("the frame itself cannot be written (return and call are not supported)")
	}
	return fs.writeObject(&frames[len(frames)-1-depth], i, from, data)
}
