package gcn

// vectorText is the text of an instruction of the vector encodings.
func (in *Inst) vectorText() string { return in.Op.Name }
