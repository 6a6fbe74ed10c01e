package launch

import (
	"cmp"
	"fmt"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/findings"
	"simtgdb/stub/source"
)

// Finding is a defect in a form for other programs.
func (p *Program) Finding(r *check.Report) findings.Finding {
	w, lane := r.Wave, r.Lane()
	f := p.found(w, r.Lanes, lane, r.PC)
	f.Kind, f.Message, f.Advice, f.Text = r.Kind.String(), r.What, r.Advice, p.DescribeReport(r)
	if r.Size != 0 {
		does, _, _ := strings.Cut(r.Access(), " of ")
		f.Access = &findings.Access{Does: does, Space: r.Space.String(), Address: hexNumber(r.Addr),
			Size: r.Size, In: cmp.Or(r.Element, p.placeOf(r))}
	}
	for i := range r.Others {
		o := &r.Others[i]
		party := findings.Party{Lane: findings.Lane{Wave: o.Wave, Lane: o.Lane, Workgroup: o.Group,
			WorkItem: o.Item}}
		if r.Size != 0 {
			party.Does = o.Access()
		}
		if o.PC != 0 {
			party.Place = p.place(o.PC)
		}
		f.Others = append(f.Others, party)
	}
	return f
}

// FaultFinding is what stopped the program, in a form for other programs.
func (p *Program) FaultFinding(ev simt.Event) findings.Finding {
	text := p.DescribeFault(ev)
	lanes := ev.Lanes
	if lanes == 0 {
		lanes = ev.Wave.Active()
	}
	lane := 0
	simt.Lanes(lanes&-lanes, func(l int) { lane = l })
	f := p.found(ev.Wave, lanes, lane, ev.PC)
	f.Kind, f.Text = "fault", text
	f.Message, _, _ = strings.Cut(text, "\n")
	if a := ev.Fault; a != nil && a.Size != 0 {
		does := "read"
		if a.Write {
			does = "write"
		}
		f.Access = &findings.Access{Does: does, Space: a.Space.String(), Address: hexNumber(a.Addr),
			Size: a.Size}
	}
	return f
}

// found is what all findings have: where, who, and how it came there.
func (p *Program) found(w *simt.Wave, lanes uint64, lane int, pc uint64) findings.Finding {
	f := findings.Finding{Kernel: p.Kernel.Name, Place: p.place(pc), Lanes: hexNumber(lanes),
		Lane: findings.Lane{Wave: w.ID, Lane: lane, Workgroup: w.Group.ID, WorkItem: w.WorkItem(lane)}}
	f.Calls = p.inlinedPlaces(pc)
	for i, site := range p.callers(w, lane, pc) {
		if i == mostCalls {
			break
		}
		if p.Hidden == nil || !p.Hidden(site) {
			f.Calls = append(append(f.Calls, p.place(site)), p.inlinedPlaces(site)...)
		}
	}
	return f
}

// mostCalls bounds the calls of a finding.
const mostCalls = 64

func hexNumber(v uint64) string { return fmt.Sprintf("%#x", v) }

// place is where an instruction is: of what is inlined, in the innermost function.
func (p *Program) place(pc uint64) findings.Place {
	at := findings.Place{PC: hexNumber(pc)}
	at.Function, _, _ = p.Source.Function(pc)
	if in := p.Source.Inlined(pc); len(in) > 0 {
		at.Function = in[0].Name
	}
	if pos, ok := p.Source.At(pc); ok {
		setPosition(&at, pos)
	}
	return at
}

// inlinedPlaces are the calls whose functions are inlined at pc, innermost first.
func (p *Program) inlinedPlaces(pc uint64) (all []findings.Place) {
	for _, in := range p.Source.Inlined(pc) {
		at := findings.Place{Function: in.Into}
		setPosition(&at, in.From)
		all = append(all, at)
	}
	return all
}

func setPosition(at *findings.Place, pos source.Position) {
	at.File, at.Folder, at.Line, at.Column = pos.File, pos.CompDir, pos.Line, pos.Column
}
