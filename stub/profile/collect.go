package profile

import (
	"context"
	"fmt"
	"math/bits"
	"sort"

	"simtgdb/simt"
)

// What the model of memory counts with: bytes of a line, banks of LDS, bytes of a bank's word.
const (
	lineSize  = 64
	banks     = 32
	wordBytes = 4
)

// Figures are what is counted for an instruction, a line or a whole run.
type Figures struct {
	Executed  uint64 `json:"executed"`  // by waves
	Lanes     uint64 `json:"lanes"`     // that executed, all together
	Possible  uint64 `json:"possible"`  // lanes that the waves had
	Partial   uint64 `json:"partial"`   // executions with fewer lanes than the wave has
	Parted    uint64 `json:"parted"`    // executions behind which some lanes went on without the others
	Waited    uint64 `json:"waited"`    // turns that waves waited at it for others, a barrier mostly
	Loads     uint64 `json:"loads"`     // executions that read global memory
	Stores    uint64 `json:"stores"`    // … that wrote it; atomic operations count as both
	Bytes     uint64 `json:"bytes"`     // of global memory that lanes asked for
	Lines     uint64 `json:"lines"`     // of 64 bytes of global memory that each execution touched
	BestLines uint64 `json:"bestLines"` // … that as many different bytes would fill
	LDS       uint64 `json:"lds"`       // executions that accessed LDS
	Passes    uint64 `json:"passes"`    // of LDS: most different words that lanes wanted of one of 32 banks
	BestPass  uint64 `json:"bestPass"`  // … if the words lay evenly
	Scratch   uint64 `json:"scratch"`   // executions that accessed the lanes' private memory
	Floats    uint64 `json:"floats"`    // operations on floats: simt.Arithmetic
	Integers  uint64 `json:"integers"`  // … on integers
}

func (f *Figures) add(o *Figures) {
	f.Executed += o.Executed
	f.Lanes += o.Lanes
	f.Possible += o.Possible
	f.Partial += o.Partial
	f.Parted += o.Parted
	f.Waited += o.Waited
	f.Loads += o.Loads
	f.Stores += o.Stores
	f.Bytes += o.Bytes
	f.Lines += o.Lines
	f.BestLines += o.BestLines
	f.LDS += o.LDS
	f.Passes += o.Passes
	f.BestPass += o.BestPass
	f.Scratch += o.Scratch
	f.Floats += o.Floats
	f.Integers += o.Integers
}

// Efficiency is which part of the lanes executed, from 0 to 1.
func (f *Figures) Efficiency() float64 { return ratio(f.Lanes, f.Possible) }

// Coalescing is how few lines of memory were touched for what was asked for, from 0 to 1, which is best.
func (f *Figures) Coalescing() float64 { return ratio(f.BestLines, f.Lines) }

// Conflicts are the passes of LDS beyond those that were needed.
func (f *Figures) Conflicts() uint64 { return f.Passes - f.BestPass }

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// A Span is a time that a wave waited.
type Span struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// A WaveTime is when a wave ran.
type WaveTime struct {
	Launch   int       `json:"launch,omitempty"` // which of the kernel's, from 1, if there are several
	Wave     int       `json:"wave"`
	Group    [3]uint32 `json:"group"`
	From     uint64    `json:"from"` // turns
	To       uint64    `json:"to"`
	Executed uint64    `json:"executed"`
	Waits    []Span    `json:"waits,omitempty"`

	arrived uint64 // when it came to where it waits
	at      uint64 // that instruction
	waits   bool
}

// Bounds of what is kept of waves: of how many, the first, there are times; of how many waits of a wave, and
// of how many of all waves. Further waits are joined to the last that is kept.
const (
	maxWaves    = 1 << 14
	maxSpans    = 200
	maxAllSpans = 1 << 17
)

// A collector counts.
type collector struct {
	m       *simt.Machine
	by      map[uint64]*Figures // by address
	waves   map[int]*WaveTime   // the first, and those that run
	started int
	spans   int // that are kept
	turn    uint64
	limit   uint64 // of instructions, 0 for none
	done    uint64
	stacks  *stacker
	work    map[uint64]simt.Arithmetic // of instructions
}

// arithmetic counts what an instruction has computed.
func (c *collector) arithmetic(f *Figures, pc uint64, lanes int) {
	a, known := c.work[pc]
	if !known {
		if isa, ok := c.m.ISA().(simt.Arithmetician); ok {
			a = isa.Arithmetic(c.m.CodeAt(pc), pc)
		}
		c.work[pc] = a
	}
	if a.Wave {
		lanes = 1
	}
	f.Floats += uint64(a.Floats * lanes)
	f.Integers += uint64(a.Integers * lanes)
}

func (c *collector) at(pc uint64) *Figures {
	f := c.by[pc]
	if f == nil {
		f = &Figures{}
		c.by[pc] = f
	}
	return f
}

// run executes the dispatch to its end.
func (c *collector) run(ctx context.Context) error {
	if err := c.m.Fill(); err != nil {
		return err
	}
	c.m.AddObserver(c)
	defer c.m.RemoveObserver(c)
	var list []*simt.Wave
	for !c.m.Done() {
		c.turn++
		if c.turn%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c.limit > 0 && c.done >= c.limit {
			return ErrLimit
		}
		list = append(list[:0], c.m.Waves()...)
		moved := false
		for _, w := range list {
			if w.State != simt.Ready {
				continue
			}
			moved = true
			if err := c.step(w); err != nil {
				return err
			}
		}
		if !moved {
			return &StuckError{c.m.Waves()}
		}
	}
	return nil
}

// A StuckError says that no wave can run.
type StuckError struct{ Waves []*simt.Wave }

func (e *StuckError) Error() string {
	return fmt.Sprintf("%d waves wait for others that will not come", len(e.Waves))
}

// A StopError is what stopped a program before its end: a fault or a trap.
type StopError struct{ Event simt.Event }

func (e *StopError) Error() string { return fmt.Sprintf("stopped by a %v", e.Event.Kind) }

// wave is what is known of a wave.
func (c *collector) wave(w *simt.Wave) *WaveTime {
	t := c.waves[w.ID]
	if t == nil {
		t = &WaveTime{Wave: w.ID, Group: w.Group.ID, From: c.turn}
		c.waves[w.ID] = t
		c.started++
	}
	return t
}

// step executes one instruction of a wave.
func (c *collector) step(w *simt.Wave) error {
	t := c.wave(w)
	t.To = c.turn
	if t.waits {
		c.waited(t)
	}
	pc, active, insts := w.PC, w.Active(), w.Insts
	c.stacks.begin(w, pc, active)
	ev, err := c.m.StepWave(w, 1)
	if err != nil {
		return err
	}
	switch ev.Kind {
	case simt.FaultEvent, simt.TrapEvent:
		return &StopError{ev}
	case simt.BarrierEvent:
		t.waits, t.arrived, t.at = true, c.turn, pc
	case simt.EndEvent:
		delete(c.stacks.known, w.ID)
		if w.ID >= maxWaves {
			delete(c.waves, w.ID)
		}
	}
	if w.Insts == insts {
		return nil
	}
	c.done++
	f := c.at(pc)
	lanes := bits.OnesCount64(active)
	c.stacks.now.executed++
	c.stacks.now.lanes += uint64(lanes)
	f.Executed++
	f.Lanes += uint64(lanes)
	c.arithmetic(f, pc, lanes)
	f.Possible += uint64(bits.OnesCount64(w.Valid))
	t.Executed++
	if active != w.Valid {
		f.Partial++
	}
	if after := w.Active(); ev.Kind == simt.NoEvent && after != active && after&^active == 0 && after != 0 &&
		active&^after&^w.EndedLanes() != 0 {
		f.Parted++
	}
	return nil
}

// waited counts a wait that is over.
func (c *collector) waited(t *WaveTime) {
	t.waits = false
	if c.turn <= t.arrived+1 {
		return
	}
	c.at(t.at).Waited += c.turn - t.arrived - 1
	s := Span{t.arrived, c.turn}
	switch n := len(t.Waits); {
	case t.Wave >= maxWaves:
	case n == 0 || n < maxSpans && c.spans < maxAllSpans:
		t.Waits = append(t.Waits, s)
		c.spans++
	default:
		t.Waits[n-1].To = s.To
	}
}

// Observe implements simt.Observer.
func (c *collector) Observe(a *simt.Access) bool {
	f := c.at(a.PC)
	switch a.Space {
	case simt.Global:
		c.global(f, a)
	case simt.LDS:
		f.LDS++
		passes, best := ldsPasses(a)
		f.Passes += passes
		f.BestPass += best
	case simt.Scratch:
		f.Scratch++
	}
	return false
}

func (c *collector) global(f *Figures, a *simt.Access) {
	if a.Read || a.Atomic {
		f.Loads++
	}
	if a.Write || a.Atomic {
		f.Stores++
	}
	var spans []Span
	simt.Lanes(a.Lanes, func(l int) {
		f.Bytes += uint64(a.Size)
		c.stacks.now.bytes += uint64(a.Size)
		spans = append(spans, Span{a.Addr[l], a.Addr[l] + uint64(a.Size)})
	})
	lines, bytes := touched(spans)
	f.Lines += lines
	f.BestLines += (bytes + lineSize - 1) / lineSize
}

// touched are how many lines ranges of bytes touch, and how many different bytes they have.
func touched(spans []Span) (lines, bytes uint64) {
	sort.Slice(spans, func(i, j int) bool { return spans[i].From < spans[j].From })
	end, lastLine := uint64(0), ^uint64(0)
	for _, s := range spans {
		from := max(s.From, end)
		if s.To > from {
			bytes += s.To - from
			end = s.To
		}
		for line := s.From / lineSize; line <= (s.To-1)/lineSize; line++ {
			if lastLine == ^uint64(0) || line > lastLine {
				lines++
				lastLine = line
			}
		}
	}
	return lines, bytes
}

// ldsPasses are the most different words that lanes want of one bank, and what they were if the words
// lay evenly.
func ldsPasses(a *simt.Access) (passes, best uint64) {
	seen := map[uint64]bool{}
	var of [banks]uint64
	simt.Lanes(a.Lanes, func(l int) {
		for at := a.Addr[l] / wordBytes; at <= (a.Addr[l]+uint64(max(a.Size, 1))-1)/wordBytes; at++ {
			if !seen[at] {
				seen[at] = true
				of[at%banks]++
			}
		}
	})
	for _, n := range of {
		passes = max(passes, n)
	}
	return passes, (uint64(len(seen)) + banks - 1) / banks
}
