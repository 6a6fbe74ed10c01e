package host

import (
	"fmt"

	"simtgdb/simt"
	"simtgdb/stub/printf/decode"
)

// A buffer is one that kernels write records to.
type buffer struct {
	name   string
	region *simt.Region
	reader decode.Reader
	room   uint64 // where records begin
	counts bool   // calls can be counted: each reads the first word once

	// Of dwords that have been written and not read: who did, and those of
	// which bytes are missing.
	writers map[int]writer
	partial map[int]uint8
	run     run

	waiting bool            // something was written since the last record was read
	calls   uint64          // of printf
	last    map[Lane]uint64 // the last call of each lane
	broken  bool            // nothing that follows can be read
	records uint64          // read
}

// A writer is the lane that wrote somewhere.
type writer struct {
	wave   *simt.Wave
	id     int // of the wave, whose memory may serve another one later
	lane   int
	origin *Origin
	insts  uint64 // that the wave had executed
	pc     uint64
	call   uint64 // of the lane
}

// A run is what the lane that began a record has written from its beginning on without a gap, as far as has
// been looked at, and where it has written last.
type run struct {
	from, end int // offsets; the same: nothing has been looked at
	insts     uint64
	pc        uint64
}

// AddBuffer serves a buffer of OpenCL C or HIP: region is what
// hidden_printf_buffer points at.
func (h *Host) AddBuffer(region *simt.Region, strings *decode.Strings) {
	h.add(&buffer{name: "printf buffer", region: region, reader: decode.NewBuffer(strings),
		room: 8, counts: true})
	for _, w := range strings.Warnings {
		h.note(w)
	}
}

// AddLLPC serves the buffer of LLPC's DebugPrintf.
func (h *Host) AddLLPC(region *simt.Region, reader *decode.LLPC) {
	h.add(&buffer{name: "DebugPrintf buffer", region: region, reader: reader, room: 16})
	for _, w := range reader.Warnings {
		h.note(w)
	}
}

// AddZebin serves the buffer of a kernel that IGC has compiled. text finds
// strings by their addresses.
func (h *Host) AddZebin(region *simt.Region, text func(addr uint64) (string, bool)) {
	h.add(&buffer{name: "printf buffer", region: region, reader: decode.NewZebin(text), room: 4})
}

// AddNumbered adds the printf buffer of code from IGC whose records name formats and strings by number.
func (h *Host) AddNumbered(region *simt.Region, strings []string) {
	h.add(&buffer{name: "printf buffer", region: region, reader: decode.NewNumbered(strings), room: 4})
}

func (h *Host) add(b *buffer) {
	b.writers, b.partial, b.last = map[int]writer{}, map[int]uint8{}, map[Lane]uint64{}
	b.reader.Init(b.region.Data)
	h.buffers = append(h.buffers, b)
}

// observe notes what lanes do to the buffer. What was written before is
// complete or not by now, since an access is seen before it happens. It reports
// whether something was printed, or may be by this access.
func (b *buffer) observe(h *Host, a *simt.Access) (printed bool) {
	if b.waiting {
		printed = b.drain(h, nil, false)
	}
	simt.Lanes(a.Lanes, func(lane int) {
		at := a.Addr[lane] - b.region.Base
		switch {
		case at >= uint64(len(b.region.Data)):
		case at >= b.room && a.Write:
			printed = true // perhaps
			b.written(a, lane, int(at))
		case at == 0 && b.counts && !a.Write:
			b.calls++
			b.last[Lane{a.Wave.ID, lane}] = b.calls
		}
	})
	return printed
}

// written notes that a lane writes at an offset.
func (b *buffer) written(a *simt.Access, lane, at int) {
	w := a.Wave
	by := writer{wave: w, id: w.ID, lane: lane, origin: originOf(w, lane), insts: w.Insts, pc: a.PC,
		call: b.last[Lane{w.ID, lane}]}
	for end := at + a.Size; at < end; {
		dword, n := at&^3, min(4-at&3, end-at)
		b.writers[dword] = by
		if dword >= b.run.from && dword < b.run.end {
			b.run = run{}
		}
		const whole = 0xf
		if have := b.partial[dword] | (1<<n-1)<<(at&3); have != whole {
			b.partial[dword] = have
		} else {
			delete(b.partial, dword)
		}
		at += n
	}
	b.waiting = true
}

// A leaver is Host.Left, or nil.
type leaver func(w *simt.Wave, lane int, pc uint64) bool

// drain reads the records that are complete and reports whether there were any.
func (b *buffer) drain(h *Host, left leaver, final bool) (printed bool) {
	for {
		at := b.reader.At()
		w, known := b.writers[at]
		state := decode.Writing
		switch {
		case final:
			state = decode.Gone
		case known:
			state = b.state(&w, at, left)
		}
		r, ok, err := b.next(state)
		if err != nil {
			h.note(err.Error() + ": what follows is not printed")
			b.broken = true
		}
		if !ok {
			b.waiting = b.waiting && known && !final && err == nil
			return printed
		}
		b.records++
		whole := !r.Incomplete || b.wrote(&r)
		for i := r.Offset; i < r.Offset+r.Size; i += 4 {
			delete(b.writers, i)
			delete(b.partial, i)
		}
		var from *Origin
		if known {
			from = w.origin
		}
		if !whole {
			h.note("a call that was not complete when the kernel stopped is not printed")
			continue
		}
		h.print(r, from, false)
		printed = true
	}
}

// wrote reports whether every dword of a record was written, whatever it is.
func (b *buffer) wrote(r *decode.Record) bool {
	for i := r.Offset; i < r.Offset+r.Size; i += 4 {
		_, written := b.writers[i]
		if _, partial := b.partial[i]; !written || partial {
			return false
		}
	}
	return true
}

// next reads the next record. While it may still be written to, dwords of which
// bytes are missing do not count as written.
func (b *buffer) next(state decode.Writer) (decode.Record, bool, error) {
	data := b.region.Data
	if state == decode.Writing {
		kept := map[int][4]byte{}
		for at := range b.partial {
			dword := data[at : at+4]
			kept[at] = [4]byte(dword)
			copy(dword, []byte{decode.Unwritten, decode.Unwritten, decode.Unwritten, decode.Unwritten})
		}
		defer func() {
			for at, dword := range kept {
				copy(data[at:], dword[:])
			}
		}()
	}
	return b.reader.Next(data, state)
}

// A wave that has executed so many instructions since it wrote to a record has
// probably done so for the last time, or certainly.
const (
	resting = 64
	gone    = 1 << 16
)

// state is what is known of the lane that began the record at an offset.
func (b *buffer) state(w *writer, at int, left leaver) decode.Writer {
	if w.wave.ID != w.id || w.wave.State == simt.Ended || b.last[Lane{w.id, w.lane}] != w.call {
		return decode.Gone
	}
	r := &b.run
	if r.from != at || r.end == at {
		*r = run{from: at, end: at + 4, insts: w.insts, pc: w.pc}
	}
	for ; ; r.end += 4 {
		next, ok := b.writers[r.end]
		if !ok || next.id != w.id || next.lane != w.lane {
			break
		}
		if next.insts >= r.insts {
			r.insts, r.pc = next.insts, next.pc
		}
	}
	switch idle := w.wave.Insts - min(r.insts, w.wave.Insts); {
	case idle > gone:
		return decode.Gone
	case idle > resting, left != nil && left(w.wave, w.lane, r.pc):
		return decode.Resting
	}
	return decode.Writing
}

// finish says how much found no room. LLPC's compiler makes one addition to the
// first word of those of all lanes, so that only dwords can be counted.
func (b *buffer) finish(h *Host) {
	llpc, _ := b.reader.(*decode.LLPC)
	switch {
	case b.broken:
	case llpc != nil && llpc.Overflow(b.region.Data) > 0:
		h.note(fmt.Sprintf("%s: %d dwords of calls were dropped: the buffer, %d bytes, was full",
			b.name, llpc.Overflow(b.region.Data), len(b.region.Data)))
	case b.calls > b.records:
		h.note(fmt.Sprintf("%s: %d of %d calls were dropped: the buffer, %d bytes, was full",
			b.name, b.calls-b.records, b.calls, len(b.region.Data)))
	}
}
