package rows

import "simtgdb/simt"

// Ways are what a machine says that code does of accesses that observers want to know of, kept for as long as
// they want to know the same of all waves.
type Ways struct {
	at     uint64 // see [simt.Machine.SteadyAt]
	noted  uint32
	wanted [3][2]uint32
}

// Still makes a context do for a wave what was kept, if that is so still. Else what the machine says then is
// to be kept.
func (k *Ways) Still(x *Context, m *simt.Machine, w *simt.Wave) bool {
	at := m.SteadyAt(w)
	if at != 0 && at == k.at {
		x.Noted, x.Wanted = k.noted, k.wanted
		return true
	}
	k.at = at
	return false
}

// Keep keeps what a context does.
func (k *Ways) Keep(x *Context) { k.noted, k.wanted = x.Noted, x.Wanted }
