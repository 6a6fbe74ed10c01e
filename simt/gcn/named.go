package gcn

import "simtgdb/simt"

// MaxSGPRs is how many scalar registers are numbered ones.
const MaxSGPRs = 102

// A NamedRegister is a scalar register or pair that has a name instead of a
// number.
type NamedRegister struct {
	Name   string
	Index  uint8 // in simt.Wave.S
	Dwords int
}

// NamedRegisters are those that a debugger shows.
var NamedRegisters = []NamedRegister{
	{"exec", regExec, 2},
	{"vcc", regVCC, 2},
	{"flat_scratch", regFlatScratch, 2},
	{"m0", regM0, 1},
	{"scc", regSCC, 1},
	{"mode", regMode, 1},
}

// Refresh brings the wave in step with its scalar file after an entry of it
// was changed from outside.
func Refresh(w *simt.Wave) {
	if v := pair(w, regExec); v != w.Exec {
		old := w.Exec
		w.Exec = v
		if w.Track != nil {
			w.ExecChanged(old, w.PC, false)
		}
	}
}
