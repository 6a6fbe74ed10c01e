package native

// A Noting is how translated code leaves for its user to have a look at an access before it happens:
// fields of the code's context, and what all of its exits share.
type Noting struct {
	Entry  Mem   // where the code is to be entered again
	Go     Mem   // for how many instructions it leaves
	Note   Mem   // the number of the note, from 1 on
	Left   Label // where all code ends, with the instruction's address in RAX
	Budget Reg
}

// A Note is one of them: its number, its instruction's address, for how many instructions code leaves,
// and how many it has charged that are not executed yet.
type Note struct {
	Number      int
	At          uint64
	Go, Charged int32
}

// LeaveFor leaves for a note, and goes on at a label when the code is entered again. It uses RAX.
func (a *Assembler) LeaveFor(n Note, by Noting, on Label) {
	again := a.NewLabel()
	a.LeaLabel(RAX, again)
	a.Store(W64, by.Entry, RAX)
	a.OpImm(ADD, W64, by.Budget, n.Charged)
	a.StoreImm(W64, by.Go, n.Go)
	a.StoreImm(W64, by.Note, int32(n.Number))
	a.MovImm(RAX, n.At)
	a.Jmp(by.Left)
	a.Set(again)
	a.OpImm(SUB, W64, by.Budget, n.Charged)
	a.Jmp(on)
}
