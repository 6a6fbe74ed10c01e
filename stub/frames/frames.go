// Package frames finds the frames of lanes and the variables in them, and shows gdb both in windows of its
// address space: a [Finder] unwinds by call frame information and by what machines know of calls, evaluates
// locations in a frame ([Context]), and is what expressions of C see of it ([Env]). It knows no session: who
// changes registers, memory or the place of a wave says so ([Finder.Forget]).
package frames

import (
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// Finder finds the frames of lanes and the variables in them. What it has found
// of a lane it keeps until it is told to forget: whoever changes registers,
// memory or the place of a wave does.
type Finder struct {
	threads.Resident
	module    *loader.Module
	memory    *simt.Memory
	Arch      arch.Arch
	Symbols   *symfile.File
	Layout    symfile.Layout
	Providers []unwind.Provider
	known     map[laneKey]unwound
	latest    laneKey // of known, the lane that was asked for last: each register of a lane asks
	found     unwound // what is known of it
	shown     map[shownObject]threads.Set
	lines     map[shownObject]threads.Set // of gdb's stack cache that it has read, and in which lanes

	Breakpoint []byte // of the facade: what gdb puts on the stack before it calls a function
}

// A laneKey names a lane of a resident wave.
type laneKey struct {
	wave *simt.Wave
	lane int
}

// unwound are the frames that were found of a lane, at least one, and why
// there are no more if nobody could tell.
type unwound struct {
	All    []unwind.Frame
	Failed error
}

func New(p *launch.Program, ls threads.Resident, symbols *symfile.File, l symfile.Layout) *Finder {
	fs := &Finder{Resident: ls, module: p.Module, memory: p.Memory, Arch: p.Arch, Symbols: symbols, Layout: l,
		Providers: []unwind.Provider{unwind.CallRecord{}}}
	if c := fs.newCallFrames(); c != nil {
		fs.Providers = append([]unwind.Provider{c}, fs.Providers...)
	}
	if u, ok := p.Arch.(arch.Unwinder); ok {
		fs.Providers = append(u.Unwinders(), fs.Providers...)
	}
	return fs
}

// OfProgram are for what asks of a program without a session: no machine, and no symbol file.
func OfProgram(p *launch.Program) *Finder {
	return &Finder{Resident: threads.Resident{Windows: threads.WindowsOf(64)}, module: p.Module,
		memory: p.Memory, Arch: p.Arch}
}

// Forget drops what has been found.
func (fs *Finder) Forget() {
	clear(fs.known)
	fs.latest, fs.found = laneKey{}, unwound{}
}

// Of returns the frames of a lane, innermost first: as many as can be found.
func (fs *Finder) Of(w *simt.Wave, lane int) []unwind.Frame { return fs.Unwind(w, lane).All }

// Unwind finds the frames of a lane.
func (fs *Finder) Unwind(w *simt.Wave, lane int) unwound {
	k := laneKey{w, lane}
	if k == fs.latest {
		return fs.found
	}
	u, ok := fs.known[k]
	if !ok {
		u.All, u.Failed = unwind.Frames(w, lane, fs.Providers)
		if fs.known == nil {
			fs.known = map[laneKey]unwound{}
		}
		fs.known[k] = u
	}
	fs.latest, fs.found = k, u
	return u
}
