package stub

import "io"

// hints are what the user is told once, when the program is first let go, if gdb cannot show much of it.
type hints struct {
	described, read bool // gdb has asked what the registers are, and has read the symbol file
	told            bool
}

// tell tells it. A client that has not asked what the registers are is no gdb.
func (h *hints) tell(s *Session, console io.Writer) {
	if h.told || !h.described {
		return
	}
	h.told = true
	switch {
	case !h.read:
		io.WriteString(console, "gdb has not read this program's symbols: it has another file, or \"set "+
			"sysroot\" keeps it from that. Start it without a FILE, with: set sysroot target:\n")
	case !s.prog.Source.HasLines():
		io.WriteString(console, "The program has no debugging information: compile it with -g for lines "+
			"and variables. Without: break *ADDRESS, stepi, monitor disasm, monitor registers, monitor "+
			"lanes.\n")
	}
}

// noted notes what a client has asked for.
func (h *hints) noted(object string) { h.described = h.described || object == "features" }

// MovedBy implements rsp.Mover. gdb asks when it has a symbol file. One that is not ours is what its user
// gave it: as a rule the kernel's own object, whose variables gdb cannot read, and whose call frame
// information kills it (gdb 13.1, execute_cfa_program: "Unknown CFA rule", an internal error). So it is
// moved to where there is no code.
func (s *Session) MovedBy() (uint64, bool) {
	const nowhere = 0x6f00_0000_0000
	return nowhere, !s.hints.read
}

// Follows says that the session is the next of a client's: what was told in the one before is not told again,
// and what gdb has read then it does not read anew.
func (s *Session) Follows(before *Session) { s.hints = before.hints }
