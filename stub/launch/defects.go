package launch

import (
	"encoding/binary"
	"fmt"
	"maps"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/texel"
	"simtgdb/stub/arch"
)

// LookFor makes the machine look for defects of some kinds while it runs, and tells sink of each,
// which reports whether the wave is to stop after the instruction. Such a program runs on one
// worker.
// Of no kinds it makes it look no more.
func (p *Program) LookFor(kinds check.Kinds, sink func(*check.Report) (stop bool)) *check.Checker {
	if p.checker != nil {
		p.checker.Detach()
		p.checker = nil
	}
	if kinds == 0 {
		return nil
	}
	c := check.New(p.Machine, kinds)
	for i := range p.Buffers {
		if b := &p.Buffers[i]; b.Spec.Init.Kind == InitNone {
			c.Blank(b.Region)
		}
	}
	c.Sink, c.Objects, c.Ignore, c.Told = sink, p.Objects, p.Ignore, p.told()
	if p.CheckLimit != 0 {
		c.Limit = p.CheckLimit
	}
	c.Attach()
	p.checker = c
	return c
}

// told are the bytes that functions over memory, by which kernels of OpenCL C reach images where the
// processor cannot, load to say that a texel lies outside.
func (p *Program) told() map[uint64]string {
	keeper, ok := p.Arch.(arch.ArgumentKeeper)
	if !ok {
		return nil
	}
	base, ok := keeper.ArgumentsAt(p.Machine.ISA())
	if !ok {
		return nil
	}
	all := map[uint64]string{}
	for _, a := range p.Kernel.ExplicitArgs() {
		var word [8]byte
		if a.Kind != loader.Image && a.Kind != loader.GlobalBuffer || a.Size != uint64(len(word)) {
			continue
		}
		if n, err := p.Memory.Read(base+a.Offset, word[:]); err != nil || n < len(word) {
			continue
		}
		v := binary.LittleEndian.Uint64(word[:])
		if r := p.Memory.Find(v - texel.DescriptionAt); r != nil {
			maps.Copy(all, texel.Told(v, r.Data[v-texel.DescriptionAt-r.Base:]))
		}
	}
	return all
}

// Checker is what looks for defects; nil if nothing does.
func (p *Program) Checker() *check.Checker { return p.checker }

// othersShown is how many parties a report names.
const othersShown = 4

// DescribeReport explains a defect in several lines, as DescribeFault does a fault: the first says
// what it is.
func (p *Program) DescribeReport(r *check.Report) string {
	var b description
	fmt.Fprintf(&b, "check %v: %s\n", r.Kind, r.What)
	w, lane := r.Wave, r.Lane()
	item := w.WorkItem(lane)
	b.line("lane", "%d of wave %d, %s", lane, w.ID, lanesText(r.Lanes))
	b.line("work-item", "%v of workgroup %v, %v in the grid", Dims(item), Dims(w.Group.ID),
		p.gridPosition(w, item))
	b.line("pc", "%s", p.Source.Describe(r.PC))
	b.places(p.calls(w, lane, r.PC))
	b.line("instruction", "%s", p.instruction(r.PC))
	if r.Size != 0 {
		b.line("access", "%s", r.Access())
		place := p.placeOf(r)
		if r.Element != "" {
			place = printable.Name(r.Element) + ", " + place
		}
		b.line("in", "%s", place)
	}
	for i := range r.Others {
		if i == othersShown {
			b.line("", "and %s", count(len(r.Others)-i, "other"))
			break
		}
		p.describeOther(&b, r, &r.Others[i])
	}
	if r.With != "" {
		b.line("with", "%s", r.With)
	}
	if r.Advice != "" {
		b.line("missing", "%s", r.Advice)
	}
	return b.String()
}

// A description is the text of a report: lines with a label each.
type description struct{ strings.Builder }

func (b *description) line(label, format string, args ...any) {
	fmt.Fprintf(b, "  %-12s %s\n", label, fmt.Sprintf(format, args...))
}

func (b *description) places(all []placeLine) {
	for _, c := range all {
		b.line(c.label, "%s", c.text)
	}
}

// describeOther adds what another lane has to do with a report, or another instruction of the same.
func (p *Program) describeOther(b *description, r *check.Report, o *check.Party) {
	label, did := "elsewhere", ""
	switch {
	case r.Size != 0:
		label, did = "with", o.Access()+" by "
	case r.Kind != check.Barrier && o.PC != 0 && o.Lane == r.Lane() && o.Wave == r.Wave.ID:
		b.line("from", "%s", p.Source.Describe(o.PC))
		b.places(p.inlined(o.PC))
		if r.Element != "" {
			b.line("element", "%s", printable.Name(r.Element))
		}
		return
	}
	at := "ended"
	if o.PC != 0 {
		at = p.Source.Describe(o.PC)
	}
	b.line(label, "%slane %d of wave %d, work-item %v of workgroup %v: %s", did, o.Lane, o.Wave,
		Dims(o.Item), Dims(o.Group), at)
	if o.PC == 0 {
		return
	}
	if standing := p.wave(o.Wave); r.Kind == check.Barrier && standing != nil && o.Calls == nil {
		b.places(p.calls(standing, o.Lane, o.PC))
	} else {
		b.places(p.chain(o.PC, o.Calls))
	}
}

// wave is the wave of a number, if it is there.
func (p *Program) wave(id int) *simt.Wave {
	for _, w := range p.Machine.Waves() {
		if w.ID == id && w.State != simt.Ended {
			return w
		}
	}
	return nil
}

// placeOf names the memory of a report's access.
func (p *Program) placeOf(r *check.Report) string {
	switch r.Space {
	case simt.LDS:
		g, _ := r.Wave.Group.Owner(r.Addr)
		return fmt.Sprintf("LDS of workgroup %v, %s", Dims(g.ID), count(len(g.LDS), "byte"))
	case simt.Scratch:
		return "the lane's private memory"
	}
	region := p.Memory.Find(r.Addr)
	if region == nil {
		return "nothing that is mapped"
	}
	if b := p.bufferOf(region); b != nil {
		return fmt.Sprintf("%s, %s[%d]: element %d", p.namedRegion(region), b.Spec.Type, b.Spec.Count,
			(r.Addr-region.Base)/uint64(elementTypes[b.Spec.Type].size))
	}
	return fmt.Sprintf("%s: byte %d", p.namedRegion(region), r.Addr-region.Base)
}
