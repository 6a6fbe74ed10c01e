package profile

import (
	"cmp"
	"context"
	"errors"
	"sort"

	"simtgdb/simt"
	"simtgdb/stub/source"
)

// A Report is the profile of one run.
type Report struct {
	Program      string        `json:"program"`
	Kernel       string        `json:"kernel"`
	SourceName   string        `json:"sourceName"` // what the source calls the kernel
	Machine      string        `json:"machine"`
	Grid         [3]uint32     `json:"grid"`
	Block        [3]uint32     `json:"block"`
	WaveSize     int           `json:"waveSize"`
	Launches     int           `json:"launches"` // that the figures are of, all together
	Turns        uint64        `json:"turns"`
	WaveCount    int           `json:"waveCount"`
	Total        Figures       `json:"total"`
	Lines        []Line        `json:"lines"`        // by file and number
	Instructions []Instruction `json:"instructions"` // by address
	Waves        []WaveTime    `json:"waves"`        // by launch and number, the first 16384
	WavesLeftOut int           `json:"wavesLeftOut"` // of Waves: of further ones no times are kept
	Stacks       []Stack       `json:"stacks"`       // those first on which most was executed
}

// A Line is a source line with the figures of its instructions.
type Line struct {
	File     string `json:"file"`
	Number   int    `json:"line"`               // 0 for what comes from no line
	Function string `json:"function,omitempty"` // of what comes from no line: where it is
	Text     string `json:"text,omitempty"`
	Figures
	Times uint64 `json:"times"` // how often waves came to it: the most executions of one of its instructions
}

// An Instruction is one that was executed, with its figures.
type Instruction struct {
	PC       uint64 `json:"pc"`
	Text     string `json:"text"`
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Figures
}

// A Program is what is profiled.
type Program struct {
	Name, Kernel, Machine string
	SourceName            string // what the source calls the kernel; Kernel if empty
	M                     *simt.Machine
	Source                *source.Map
	Finder                *source.Finder // of the text of lines; may be nil
	Limit                 uint64         // of instructions of waves; 0 for none
}

// ErrLimit says that a run came to its limit.
var ErrLimit = errors.New("the run came to its limit of instructions")

// Run runs a program that has not begun to its end. Of a program that stops before, the error is a
// [*StopError], a [*StuckError] or ErrLimit, and the report has what happened so far.
func Run(ctx context.Context, p *Program) (*Report, error) {
	c := &collector{m: p.M, limit: p.Limit, by: map[uint64]*Figures{}, waves: map[int]*WaveTime{},
		stacks: newStacker(), work: map[uint64]simt.Arithmetic{}}
	p.M.Track = true
	err := c.run(ctx)
	d := p.M.Dispatch
	r := &Report{Program: p.Name, Kernel: p.Kernel, SourceName: cmp.Or(p.SourceName, p.Kernel),
		Machine: p.Machine, Grid: d.Grid, Block: d.Block, WaveSize: p.M.ISA().WaveSize(), Launches: 1,
		Turns: c.turn, WaveCount: c.started}
	r.place(c, p)
	r.Stacks = c.stacks.stacks(p.Source)
	for _, t := range c.waves {
		if t.Wave < maxWaves {
			r.Waves = append(r.Waves, *t)
		}
	}
	r.WavesLeftOut = r.WaveCount - len(r.Waves)
	sort.Slice(r.Waves, func(i, j int) bool { return r.Waves[i].Wave < r.Waves[j].Wave })
	return r, err
}

// place finds the origin of what was executed.
func (r *Report) place(c *collector, p *Program) {
	lines := map[lineKey]*Line{}
	for pc, f := range c.by {
		in := Instruction{PC: pc, Figures: *f}
		if inst, err := p.M.InstAt(pc); err == nil {
			in.Text = inst.Text
		}
		k := lineKey{}
		if p.Source != nil {
			in.Function, _, _ = p.Source.Function(pc)
			if at, ok := p.Source.At(pc); ok {
				in.File, in.Line = at.File, int(at.Line)
				k = lineKey{file: at.File, line: int(at.Line)}
			} else {
				k.function = in.Function
			}
		}
		l := lines[k]
		if l == nil {
			l = &Line{File: k.file, Number: k.line, Function: k.function}
			if p.Finder != nil && k.line > 0 {
				at, _ := p.Source.At(pc)
				l.Text, _ = p.Finder.Line(at)
			}
			lines[k] = l
		}
		l.add(f)
		l.Times = max(l.Times, f.Executed)
		r.Total.add(f)
		r.Instructions = append(r.Instructions, in)
	}
	for _, l := range lines {
		r.Lines = append(r.Lines, *l)
	}
	r.sort()
}

// sort puts instructions and lines in order.
func (r *Report) sort() {
	sort.Slice(r.Instructions, func(i, j int) bool { return r.Instructions[i].PC < r.Instructions[j].PC })
	sort.Slice(r.Lines, func(i, j int) bool {
		a, b := &r.Lines[i], &r.Lines[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Number, b.Number),
			cmp.Compare(a.Function, b.Function)) < 0
	})
}

// hottest are the lines with most instructions executed, first.
func (r *Report) hottest() []Line {
	list := append([]Line(nil), r.Lines...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Executed > list[j].Executed })
	return list
}

// costly are the instructions of which a figure is largest, first, without those that have none.
func (r *Report) costly(figure func(f *Figures) uint64) []Instruction {
	var list []Instruction
	for _, in := range r.Instructions {
		if figure(&in.Figures) > 0 {
			list = append(list, in)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return figure(&list[i].Figures) > figure(&list[j].Figures) })
	return list
}
