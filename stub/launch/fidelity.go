package launch

import (
	"fmt"
	"io"
	"text/tabwriter"

	"simtgdb/loader/printable"
	"simtgdb/simt/fidelity"
)

// FollowInexact makes the machine follow the results of inexact instructions while it runs. Such a program
// runs on one worker. It is an error if the machine cannot.
func (p *Program) FollowInexact() error {
	t, err := fidelity.New(p.Machine)
	if err == nil {
		p.tracker = t
	}
	return err
}

// placesShown is how many places of one kind a report lists of an instruction.
const placesShown = 20

// WriteFidelity says which inexact instructions have run, and where their results came to: nothing without
// FollowInexact.
func (p *Program) WriteFidelity(w io.Writer) error {
	if p.tracker == nil {
		return nil
	}
	r := p.tracker.Report()
	if len(r.Counts) == 0 {
		_, err := fmt.Fprintf(w, "fidelity: no inexact instruction was executed (%s)\n", r.Nature)
		return err
	}
	var insts, lanes uint64
	for i := range r.Counts {
		insts, lanes = insts+r.Counts[i].Insts, lanes+r.Counts[i].Lanes
	}
	fmt.Fprintf(w, "fidelity: inexact instructions at %s, executed %d times by waves, %d by lanes\n",
		count(len(r.Counts), "place"), insts, lanes)
	var err error
	for i := range r.Counts {
		err = p.writeCount(w, &r.Counts[i])
	}
	return err
}

// writeCount tells of one instruction.
func (p *Program) writeCount(out io.Writer, c *fidelity.Count) error {
	fmt.Fprintf(out, "%s\n", printable.Line(c.Text))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "  %s\t%s\n", label, fmt.Sprintf(format, args...))
	}
	line("at", "%s", p.Source.Describe(c.PC))
	line("how far", "%s", c.Far)
	line("executed", "%d times by waves, %d by lanes", c.Insts, c.Lanes)
	shown := map[fidelity.Kind]int{}
	for _, r := range c.Reached {
		if shown[r.Kind]++; shown[r.Kind] <= placesShown {
			line(r.Kind.String(), "%s at %s: %d times by lanes", printable.Line(r.Text),
				p.Source.Describe(r.PC), r.Lanes)
		}
	}
	for k := fidelity.Address; k <= fidelity.Chosen; k++ {
		if n := shown[k] - placesShown; n > 0 {
			line(k.String(), "and %s", count(n, "other place"))
		}
	}
	for _, l := range c.Left {
		line("data", "%d of %s of %s", l.Bytes, count(len(l.Region.Data), "byte"),
			printable.Name(l.Region.Name))
	}
	if len(c.Reached)+len(c.Left) == 0 {
		line("data", "none that is left")
	}
	return w.Flush()
}
