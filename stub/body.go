package stub

import (
	"slices"

	"simtgdb/dwarf"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
	"simtgdb/stub/symfile"
)

// Where a compiler makes two functions of a kernel, gdb knows of the body alone:
// waves are shown from its first instruction on, and a lane that has come back
// from it goes on to its end.

// bodies finds the kernels of a program that are two functions.
func bodies(p *launch.Program) []symfile.Body {
	finder, ok := p.Arch.(arch.BodyFinder)
	if !ok {
		return nil
	}
	var out []symfile.Body
	for i := range p.Module.Kernels {
		k := &p.Module.Kernels[i]
		entry, ok := finder.Body(p.Module, k, p.Source.Data)
		caller, _, known := p.Module.SymbolAt(k.Entry)
		if ok && known {
			out = append(out, symfile.Body{Name: k.Name, Entry: entry,
				Caller: dwarf.Range{Low: caller.Addr, High: caller.Addr + caller.Size}})
		}
	}
	return out
}

// isHidden reports whether gdb does not know of a place: that which calls the
// body of the kernel.
func (m *motion) isHidden(pc uint64) bool {
	return m.body != nil && inBody([]symfile.Body{*m.body}, pc)
}

// maxEntering is how many instructions a wave may need to come to the body.
const maxEntering = 1 << 12

// enterBodies has all waves that have just started go on to the body of the
// kernel.
func (m *motion) enterBodies() error {
	if m.body == nil || m.past.replaying() {
		return nil // in the past they have done so already
	}
	for _, w := range slices.Clone(m.machine.Waves()) {
		for n := 0; n < maxEntering && m.isEntering(w); n++ {
			ev, err := m.stepWave(w, 1)
			if err != nil {
				return err
			}
			if ev.Kind != simt.NoEvent {
				break // it is met again, or a fault that is to be seen
			}
			m.watches.touches = nil
		}
	}
	return nil
}

// isEntering reports whether a wave has not come to the body yet.
func (m *motion) isEntering(w *simt.Wave) bool {
	return w.State == simt.Ready && m.isHidden(w.PC) && w.Track.Last == 0 &&
		w.Track.Returned == [simt.MaxLanes]*simt.Call{}
}
