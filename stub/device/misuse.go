package device

import (
	"fmt"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
)

// A Defect is something that the host program does wrong, or an access of its own or of a copy that nothing
// orders with another.
type Defect struct {
	Kind    check.Kinds
	Text    string // what it is, in lines
	Message string // the first of these, without its kind
	HostPlace
}

// wants says what the client is to tell.
func (d *Device) wants() (bits uint64) {
	for _, w := range []struct {
		bit uint64
		is  bool
	}{{wantsOrder, d.order != nil}, {wantsAPI, d.options.Misuse != nil}, {wantsHost, d.options.Host},
		{wantsLeak, d.options.Undone != nil}} {
		if w.is {
			bits |= w.bit
		}
	}
	return bits
}

// mostOthers is how many other places a misuse has at most.
const mostOthers = 8

// opMisuse is told of something that the client's program does wrong.
func (d *Device) opMisuse(r *reader, _ *writer) error {
	kind, call, what := r.u64(), string(r.bytes()), string(r.bytes())
	addr, size := r.u64(), r.u64()
	by := r.place()
	type other struct {
		label string
		at    asker
	}
	var others []other
	for range min(r.count(8+callerBytes), mostOthers) {
		others = append(others, other{string(r.bytes()), r.place()})
	}
	if err := ended(r); err != nil {
		return err
	}
	tell, name := d.options.Misuse, check.API
	if kind == wantsLeak {
		tell, name = d.options.Undone, check.Leak
	}
	if tell == nil {
		return nil
	}
	m := &Defect{Kind: name, HostPlace: by.place()}
	m.Message = strings.TrimSpace(printable.Name(call) + " " + printable.Name(what))
	if kind == wantsLeak && len(others) > 0 {
		m.HostPlace = others[0].at.place()
	}
	var text strings.Builder
	line := func(label, what string) { text.WriteString(misuseLine(label, what)) }
	fmt.Fprintf(&text, "check %v: %s\n", name, m.Message)
	if at := by.describe(""); at != "" && kind != wantsLeak {
		line("call", at+since(d.launchCount()))
	}
	if addr != 0 {
		idle := d.memory.TryLock() // a kernel that runs may wait for the program
		line("memory", d.describeMemory(addr, size, idle))
		if idle {
			d.memory.Unlock()
		}
	}
	for _, o := range others {
		if at := o.at.describe(""); at != "" {
			line(printable.Name(o.label), at)
		}
	}
	m.Text = text.String()
	if kind == wantsLeak {
		d.leaves(m)
		return nil
	}
	if d.isNews(m) {
		tell(m)
	}
	return nil
}

// misuseLine is a line of what is told of a defect.
func misuseLine(label, what string) string { return fmt.Sprintf("  %-12s %s\n", label, what) }

// isNews reports whether a defect has not been told of yet.
func (d *Device) isNews(m *Defect) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.toldOf[m.Text] {
		return false
	}
	if d.toldOf == nil {
		d.toldOf = map[string]bool{}
	}
	d.toldOf[m.Text] = true
	return true
}

// An undone is what the client has left behind and made at one place.
type undone struct {
	defect *Defect
	count  int
}

// leaves notes that the client has left something behind. It is told of when the client has gone, with how
// many such there are.
func (d *Device) leaves(m *Defect) {
	if i, ok := d.undoneAt[m.Text]; ok {
		d.undone[i].count++
		return
	}
	if d.undoneAt == nil {
		d.undoneAt = map[string]int{}
	}
	d.undoneAt[m.Text] = len(d.undone)
	d.undone = append(d.undone, undone{m, 1})
}

// tellUndone tells of it.
func (d *Device) tellUndone() {
	for _, u := range d.undone {
		if u.count > 1 {
			u.defect.Text += misuseLine("how many", fmt.Sprintf("%d, all made there", u.count))
		}
		d.options.Undone(u.defect)
	}
}

// describeMemory says what is at some addresses, as far as requests change that unless the device is idle.
func (d *Device) describeMemory(addr, size uint64, idle bool) string {
	text := fmt.Sprintf("at %#x", addr)
	if size != 0 {
		text = fmt.Sprintf("%d bytes at %#x", size, addr)
	}
	if b := d.heap.find(addr); b != nil && b.asked > addr-b.base {
		at := addr - b.base
		text += fmt.Sprintf(", byte %d of %s", at, b.describe())
		if end := at + size; end > b.asked {
			text += fmt.Sprintf("; the last %d are behind its end", end-b.asked)
		}
		return text
	}
	if was := d.wasFreed(addr); was != "" {
		return text + ", " + was
	}
	var r *simt.Region
	if idle {
		r = d.mem.Find(addr)
	}
	switch {
	case r != nil:
		text += ", in " + printable.Name(r.Name)
	case addr == 0:
	case d.heap.contains(addr, 1):
		text += ", where nothing is allocated"
	default:
		text += ", not memory of the device's"
	}
	return text
}
