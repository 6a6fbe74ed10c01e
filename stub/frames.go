package stub

import (
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
	"simtgdb/stub/threads"
	"simtgdb/stub/unwind"
)

// frames finds the frames of lanes and the variables in them. What it has found
// of a lane it keeps until it is told to forget: whoever changes registers,
// memory or the place of a wave does.
type frames struct {
	threads.Resident
	module    *loader.Module
	memory    *simt.Memory
	arch      arch.Arch
	symbols   *symfile.File
	layout    symfile.Layout
	providers []unwind.Provider
	known     map[laneKey]unwound
	latest    laneKey // of known, the lane that was asked for last: each register of a lane asks
	found     unwound // what is known of it
	shown     map[shownObject]threads.Set
	lines     map[shownObject]threads.Set // of gdb's stack cache that it has read, and in which lanes

	breakpoint []byte // of the facade: what gdb puts on the stack before it calls a function
}

// A laneKey names a lane of a resident wave.
type laneKey struct {
	wave *simt.Wave
	lane int
}

// unwound are the frames that were found of a lane, at least one, and why
// there are no more if nobody could tell.
type unwound struct {
	frames []unwind.Frame
	failed error
}

func newFrames(p *launch.Program, ls threads.Resident, symbols *symfile.File, l symfile.Layout) *frames {
	fs := &frames{Resident: ls, module: p.Module, memory: p.Memory, arch: p.Arch, symbols: symbols, layout: l,
		providers: []unwind.Provider{unwind.CallRecord{}}}
	if c := fs.newCallFrames(); c != nil {
		fs.providers = append([]unwind.Provider{c}, fs.providers...)
	}
	if u, ok := p.Arch.(arch.Unwinder); ok {
		fs.providers = append(u.Unwinders(), fs.providers...)
	}
	return fs
}

func (fs *frames) forget() {
	clear(fs.known)
	fs.latest, fs.found = laneKey{}, unwound{}
}

// of returns the frames of a lane, innermost first: as many as can be found.
func (fs *frames) of(w *simt.Wave, lane int) []unwind.Frame { return fs.unwind(w, lane).frames }

// unwind finds the frames of a lane.
func (fs *frames) unwind(w *simt.Wave, lane int) unwound {
	k := laneKey{w, lane}
	if k == fs.latest {
		return fs.found
	}
	u, ok := fs.known[k]
	if !ok {
		u.frames, u.failed = unwind.Frames(w, lane, fs.providers)
		if fs.known == nil {
			fs.known = map[laneKey]unwound{}
		}
		fs.known[k] = u
	}
	fs.latest, fs.found = k, u
	return u
}
