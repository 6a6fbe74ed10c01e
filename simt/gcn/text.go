package gcn

func (in *Inst) text() string { return in.Op.Name }
