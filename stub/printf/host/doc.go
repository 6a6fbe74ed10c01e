// Package host is the host's side of device printf for one dispatch: it watches
// what waves do to the buffers that they print to, serves hostcalls as they are
// rung, and hands on each text when its call is complete, with the lane that
// printed it.
//
// New makes a Host; AddBuffer and AddHostcalls give it memory to serve, Attach
// connects it with a machine. It knows no object format, no instruction set and
// no debugger: who loads the program chooses readers, who shows the text is
// the Host's Sink.
package host

import (
	"fmt"
	"sync"

	"simtgdb/simt"
	"simtgdb/stub/printf"
	"simtgdb/stub/printf/decode"
)

// A Lane is a lane of a wave of the dispatch.
type Lane struct{ Wave, Lane int }

// An Origin is the lane that printed.
type Origin struct {
	Lane
	Group [3]uint32
	Item  [3]uint32 // in its workgroup
}

func (o Origin) String() string {
	return fmt.Sprintf("workgroup (%d,%d,%d) wave %d lane %d work-item (%d,%d,%d)",
		o.Group[0], o.Group[1], o.Group[2], o.Wave, o.Lane.Lane, o.Item[0], o.Item[1], o.Item[2])
}

// A Text is what one call printed.
type Text struct {
	Text   []byte
	Stderr bool
	// From is who printed; nil if a buffer does not let it be known.
	From *Origin
	// Called: the lane is still in the device library's call of the host.
	Called bool
}

// A Host collects the texts of one dispatch.
type Host struct {
	// Sink is given each text when its call is complete: those of a buffer in
	// the order of their allocation, and of one lane always in its order.
	Sink func(Text)
	// Stop makes a lane that prints stop its wave.
	Stop bool
	// Left, if not nil, reports whether a lane has left the statement that an
	// instruction belongs to. Flush asks it whether a call is complete.
	Left func(w *simt.Wave, lane int, pc uint64) bool

	mu       sync.Mutex
	machine  *simt.Machine
	buffers  []*buffer
	calls    *hostcalls
	count    int // of texts, and of those that the Sink has had
	shown    int
	problems printf.Problems
	notices  []string
	noted    map[string]bool
	expected bool // see Expect
}

// New returns a host that serves nothing yet.
func New() *Host { return &Host{Sink: func(Text) {}, noted: map[string]bool{}} }

// Attach makes the host see what the waves of a machine do.
func (h *Host) Attach(m *simt.Machine) {
	h.machine = m
	if len(h.buffers) > 0 || h.calls != nil {
		m.AddObserver(h)
	}
}

// Serves reports whether there is anything that a kernel could print to.
func (h *Host) Serves() bool { return len(h.buffers) > 0 || h.calls != nil || h.expected }

// Observe implements simt.Observer.
func (h *Host) Observe(a *simt.Access) (stop bool) {
	if a.Space != simt.Global {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, b := range h.buffers {
		if b.observe(h, a) {
			stop = true
		}
	}
	if h.calls != nil && h.calls.observe(h, a) {
		stop = true
	}
	return stop && h.Stop
}

// Flush hands on what is complete. After final, which says that no wave will
// go on, nothing is left but what cannot be read.
func (h *Host) Flush(final bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, b := range h.buffers {
		b.drain(h, h.Left, final)
		if final {
			b.finish(h)
		}
	}
}

// Notices takes what there is to say besides the texts: calls that were
// dropped, and what was wrong with formats or buffers; each is said once.
func (h *Host) Notices() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for one := printf.Problems(1); one != 0; one <<= 1 {
		if h.problems&one != 0 {
			h.note("a call has " + one.String())
		}
	}
	n := h.notices
	h.notices = nil
	return n
}

// maxNotices bounds what there can be to say.
const maxNotices = 32

func (h *Host) note(what string) {
	if !h.noted[what] && len(h.noted) < maxNotices {
		h.noted[what] = true
		h.notices = append(h.notices, what)
	}
}

// Print hands on what a lane has printed with an instruction of its own, for
// machines that need no buffer to print.
func (h *Host) Print(w *simt.Wave, lane int, text []byte, p printf.Problems) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.print(decode.Record{Text: text, Problems: p}, originOf(w, lane), false)
}

// print hands on the text of a record.
func (h *Host) print(r decode.Record, from *Origin, called bool) {
	h.problems |= r.Problems
	if h.count++; h.count > h.shown {
		h.shown = h.count
		h.Sink(Text{Text: r.Text, Stderr: r.Stderr, From: from, Called: called})
	}
}

// PrintRecord is Print for a record of any kind.
func (h *Host) PrintRecord(r decode.Record, w *simt.Wave, lane int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.print(r, originOf(w, lane), false)
}

// Expect says that a machine may call Print or PrintRecord.
func (h *Host) Expect() { h.expected = true }

// Stops reports whether waves stop by themselves where they print: they do
// unless the machine prints with an instruction of its own.
func (h *Host) Stops() bool { return len(h.buffers) > 0 || h.calls != nil }

// originOf describes a lane.
func originOf(w *simt.Wave, lane int) *Origin {
	return &Origin{Lane: Lane{w.ID, lane}, Group: w.Group.ID, Item: w.WorkItem(lane)}
}
