package gcn

// pairInst makes the code of VOPD, whose two instructions read their sources before either writes: the one
// whose destination the other reads comes last. Each is left to the interpreter by itself, if it is.
func (t *translator) pairInst(in *Inst) bool {
	order := []int{0, 1}
	x, y := &in.pair[0], &in.pair[1]
	if y.reads(&x.dst) {
		order = []int{1, 0}
		if x.reads(&y.dst) {
			return false
		}
	}
	if overlap(&x.dst, &y.dst) {
		return false
	}
	defer func() { t.part = 0 }()
	for _, i := range order {
		t.part = i + 1
		if !t.inst(&in.pair[i]) {
			return false
		}
		t.resumeExits()
	}
	return true
}

// resumeExits is where the region goes on behind what was left to the interpreter.
func (t *translator) resumeExits() {
	if len(t.exits) == 0 {
		return
	}
	resume := t.NewLabel()
	t.Set(resume)
	for _, e := range t.exits {
		e.resume, e.rows = resume, t.rows.row
	}
	t.exits = nil
}
