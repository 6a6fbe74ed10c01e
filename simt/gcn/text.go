package gcn

// text is the instruction in LLVM's syntax.
func (in *Inst) text() string {
	switch in.form {
	case VOP1, VOP2, VOPC, VOP3, VOP3P:
		return in.vectorText()
	}
	return in.Op.Name
}
