package stub

import (
	"sync"

	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// FindCalls makes reports of a program that no session runs name the calls that lanes are in: of waves that
// keep no record, by debugging information.
func FindCalls(p *launch.Program) {
	var all *frames.Finder
	var hidden []symfile.Body
	var known sync.Once
	find := func() {
		hidden = bodies(p)
		ls := threads.Resident{Windows: threads.WindowsOf(64), Machine: p.Machine}
		all = frames.New(p, ls, &symfile.File{}, symfile.Layout{})
	}
	p.Unwind = func(w *simt.Wave, lane int, pc uint64) (sites []uint64) {
		known.Do(find)
		all.Forget()
		found, _ := unwind.Frames(w, lane, all.Providers)
		for i := range found[1:] {
			sites = append(sites, found[1+i].Scope()&^uint64(p.Machine.ISA().Align()-1))
		}
		return sites
	}
	p.Hidden = func(pc uint64) bool {
		known.Do(find)
		return inBody(hidden, pc)
	}
}

// inBody reports whether a place is in what calls one of some bodies of kernels.
func inBody(bodies []symfile.Body, pc uint64) bool {
	for _, b := range bodies {
		if b.Caller.Low <= pc && pc < b.Caller.High {
			return true
		}
	}
	return false
}

// Record makes a program's machine keep where its lanes stand, and the calls that they are in, for who looks
// for defects.
func Record(p *launch.Program) {
	places := places{source: p.Source, machine: p.Machine, mu: &sync.RWMutex{}, known: map[uint64]row{}}
	p.Machine.Track, p.Machine.Statement = true, places.statement
}
