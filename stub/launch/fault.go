package launch

import (
	"cmp"
	"fmt"
	"math/bits"
	"strings"

	"simtgdb/simt"
)

// DescribeFault explains a fault or a trap in several lines: where it happened, to
// whom, what the instruction wanted and what is near. It is empty for other
// events.
func (p *Program) DescribeFault(ev simt.Event) string {
	if ev.Kind != simt.FaultEvent && ev.Kind != simt.TrapEvent {
		return ""
	}
	var b strings.Builder
	switch {
	case ev.Kind == simt.TrapEvent && ev.Trap == simt.ArithmeticTrap:
		fmt.Fprintf(&b, "the kernel trapped: arithmetic exception, %s\n", ev.Text)
	case ev.Kind == simt.TrapEvent && ev.Code != 0:
		fmt.Fprintf(&b, "the kernel trapped (s_trap %d)\n", ev.Code)
	case ev.Kind == simt.TrapEvent: // of a machine whose traps have no numbers
		b.WriteString("the kernel trapped\n")
	default:
		_, overflow := p.overflow(ev)
		fmt.Fprintf(&b, "the kernel faulted: %s\n", cmp.Or(overflow, ev.Fault.Kind.String()))
	}
	return b.String() + p.DescribeAccess(ev)
}

// firstLane is the first of the lanes that an event concerns: any of the wave if it was on its way with none
// active.
func firstLane(ev simt.Event) int {
	return bits.TrailingZeros64(cmp.Or(ev.Lanes, ev.Wave.Valid))
}

// DescribeAccess is DescribeFault without its first line: which lane did what where, and what is near.
func (p *Program) DescribeAccess(ev simt.Event) string {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "  %-12s %s\n", label, fmt.Sprintf(format, args...))
	}
	w, f := ev.Wave, ev.Fault
	lane, whose := firstLane(ev), lanesText(ev.Lanes)
	if deep, overflow := p.overflow(ev); overflow != "" && deep != lane {
		lane, whose = deep, "one"+strings.TrimPrefix(whose, "first")
	}
	item := w.WorkItem(lane)
	line("lane", "%d of wave %d, %s", lane, w.ID, whose)
	line("work-item", "%v of workgroup %v, %v in the grid", Dims(item), Dims(w.Group.ID),
		p.gridPosition(w, item))
	line("pc", "%s", p.Source.Describe(ev.PC))
	for _, c := range p.calls(w, lane, ev.PC) {
		line(c.label, "%s", c.text)
	}
	if f != nil && (f.Kind == simt.IllegalInstruction || f.Kind == simt.Defect) {
		line("reason", "%s", f.Text)
		if f.From != 0 {
			line("came from", "%s: %s", p.Source.Describe(f.From), p.instruction(f.From))
		}
		return b.String()
	}
	line("instruction", "%s", p.instruction(ev.PC))
	if f != nil && f.Kind == simt.NoTexel {
		line("reason", "%s", f.Text)
		return b.String()
	}
	if f != nil {
		verb := "read"
		if f.Write {
			verb = "write"
		}
		line("access", "%s of %s at %#x in %v memory", verb, count(f.Size, "byte"), f.Addr, f.Space)
		line("nearest", "%s", p.nearest(w, f))
		if p.Freed != nil && f.Space == simt.Global && f.Kind == simt.Unmapped {
			if was := p.Freed(f.Addr); was != "" {
				line("freed", "%s", was)
			}
		}
		if null := p.nullText(f); null != "" {
			line("null", "%s", null)
		}
	}
	return b.String()
}

// lanesText says which lanes an event concerns.
func lanesText(mask uint64) string {
	n := bits.OnesCount64(mask)
	switch n {
	case 0:
		return "which is not active, nor is any other"
	case 1:
		return "alone"
	}
	var ranges []string
	for rest := mask; rest != 0; {
		low := bits.TrailingZeros64(rest)
		run := bits.TrailingZeros64(^(rest >> low))
		if run == 1 {
			ranges = append(ranges, fmt.Sprint(low))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", low, low+run-1))
		}
		rest &^= (1<<run - 1) << low
	}
	return fmt.Sprintf("first of %d: %s", n, strings.Join(ranges, ","))
}

// gridPosition is where a work-item is in the whole grid.
func (p *Program) gridPosition(w *simt.Wave, item [3]uint32) Dims {
	var d Dims
	for i := range d {
		d[i] = w.Group.ID[i]*p.Machine.Dispatch.Block[i] + item[i]
	}
	return d
}

// instruction is the text of the instruction at an address.
func (p *Program) instruction(pc uint64) string {
	in, err := p.Machine.InstAt(pc)
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(in.Text), " ")
}

// nearest says what memory is near the address of a fault.
func (p *Program) nearest(w *simt.Wave, f *simt.Fault) string {
	switch f.Space {
	case simt.LDS:
		g, at := w.Group.Owner(f.Addr)
		switch {
		case g == nil:
			return fmt.Sprintf("the cluster has %s", count(len(w.Group.Peers), "workgroup"))
		case g == w.Group:
			return fmt.Sprintf("the workgroup has %s of LDS", count(len(g.LDS), "byte"))
		case g.Ended():
			return fmt.Sprintf("that of workgroup %v of the cluster, which has ended", Dims(g.ID))
		}
		return fmt.Sprintf("byte %d for workgroup %v of the cluster, which has %s of LDS", at, Dims(g.ID),
			count(len(g.LDS), "byte"))
	case simt.Scratch:
		return fmt.Sprintf("a lane has %d bytes of private memory (see --stack)",
			p.Machine.Dispatch.ScratchLimit)
	}
	r, distance := p.Memory.Nearest(f.Addr)
	if r == nil {
		return "nothing is mapped"
	}
	what, b := p.namedRegion(r), p.bufferOf(r)
	if b != nil {
		what += fmt.Sprintf(", %s[%d]", b.Spec.Type, b.Spec.Count)
	}
	what += fmt.Sprintf(" at [%#x,%#x)", r.Base, r.End())
	switch {
	case distance > 0:
		what = fmt.Sprintf("%s after the end of %s", count(int(distance-1), "byte"), what)
	case distance < 0:
		return fmt.Sprintf("%s before the start of %s", count(int(-distance), "byte"), what)
	case f.Kind == simt.Forbidden:
		return fmt.Sprintf("in %s, which is %s", what, permText(r.Perm))
	case r.Holds(f.Addr, uint64(f.Size)):
		what = "in " + what
	default:
		what = fmt.Sprintf("across the end of %s", what)
	}
	if b != nil {
		what += fmt.Sprintf(": element %d", (f.Addr-r.Base)/uint64(elementTypes[b.Spec.Type].size))
	}
	return what
}

func (p *Program) bufferOf(r *simt.Region) *Buffer {
	for i := range p.Buffers {
		if p.Buffers[i].Region == r {
			return &p.Buffers[i]
		}
	}
	return nil
}

func permText(perm simt.Perm) string {
	text := "not accessible"
	for _, c := range []struct {
		perm simt.Perm
		text string
	}{{simt.PermRead, "readable"}, {simt.PermWrite, "writable"}, {simt.PermExec, "executable"}} {
		if perm&c.perm != 0 {
			text = strings.TrimPrefix(text+" and "+c.text, "not accessible and ")
		}
	}
	return text + " only"
}
