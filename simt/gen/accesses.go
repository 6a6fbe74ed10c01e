package gen

// Accesses are what the instructions of a function do with general registers, for who wants to know
// where in the code a register can hold a value that a description of the program says to be there. They
// look at one lane after the other: what a lane has in its elements is written by what this lane
// executes.
type Accesses struct {
	gen    *Generation
	insts  []accessing
	naming [maxRegs][]int32 // the instructions that name a register, in their order
	any    []int32          // those that may read all registers
}

// An accessing is an instruction as Accesses see it.
type accessing struct {
	pc, end       uint64
	reads, writes []used
	sure          bool    // it writes in every lane that comes to it
	next          []int32 // where a lane goes on, by their place among the instructions
	away          bool    // it may go on where nothing is known of
	constant      bool    // it writes a number that it has in itself
	calls         bool
}

// Accesses reads the code of a function that lies at an address.
func (g *Generation) Accesses(code []byte, at uint64) *Accesses {
	a := &Accesses{gen: g}
	var insts []*Inst
	index := map[uint64]int32{}
	for pc := at; len(code) > 0; {
		in, err := g.Decode(code, pc)
		if err != nil {
			break // what fills the section up
		}
		index[pc] = int32(len(insts))
		insts = append(insts, in)
		code, pc = code[in.Size:], pc+uint64(in.Size)
	}
	a.insts = make([]accessing, len(insts))
	for i, in := range insts {
		a.add(int32(i), in, insts, index)
	}
	return a
}

// add notes an instruction.
func (a *Accesses) add(i int32, in *Inst, insts []*Inst, index map[uint64]int32) {
	x := &a.insts[i]
	x.pc, x.end = in.PC, in.PC+uint64(in.Size)
	targets, known := in.laneTargets(insts, index)
	x.away, x.calls = !known, in.Op.form == formCall
	for _, t := range targets {
		if j, ok := index[t]; ok {
			x.next = append(x.next, j)
		} else {
			x.away = true
		}
	}
	if in.namesAll() {
		x.reads, x.writes = in.usedBytes()
	} else {
		a.any = append(a.any, i)
	}
	x.sure = in.pred == 0 || in.Op.Code == opSel
	x.constant = in.Op.Code == opMov && in.src[0].place == immediate
	named := map[int]bool{}
	for _, u := range append(x.reads[:len(x.reads):len(x.reads)], x.writes...) {
		if !named[u.reg] {
			named[u.reg] = true
			a.naming[u.reg] = append(a.naming[u.reg], i)
		}
	}
}

// namesAll reports whether the instruction names all registers that it uses.
func (in *Inst) namesAll() bool {
	switch {
	case in.faults, in.descInA0, in.exDescInA0, in.Op.form == formCall, in.Op.form == formRet:
		return false
	}
	for i := range in.src {
		if in.src[i].place == indirect {
			return false
		}
	}
	return in.dst.place != indirect
}

// laneTargets are the addresses at which a lane that executes an instruction may go on, if they are known.
func (in *Inst) laneTargets(insts []*Inst, index map[uint64]int32) (to []uint64, known bool) {
	after, jip, uip := uint64(in.after()), uint64(in.jipAt()), uint64(in.uipAt())
	if in.eot {
		return nil, true
	}
	switch in.Op.form {
	case formJump2:
		if in.src[0].place != noPlace {
			return nil, false
		}
	case formJump1:
		if in.src[0].place != noPlace {
			return nil, false
		}
	case formJmpi:
		if in.src[0].place != immediate {
			return nil, false
		}
		if to = []uint64{jip}; in.pred != 0 {
			to = append(to, after)
		}
		return to, true
	case formCall:
		return []uint64{after}, false
	case formRet:
		return nil, false
	default:
		return []uint64{after}, true
	}
	switch in.Op.Name {
	case "else":
		return []uint64{uip}, true
	case "endif", "join":
		return []uint64{after}, true
	case "while", "brd", "if":
		return []uint64{after, jip}, true
	case "break": // UIP is the while, and they go on behind it
		if i, ok := index[uip]; ok {
			return []uint64{after, uint64(insts[i].after())}, true
		}
		return nil, false
	}
	return []uint64{after, uip}, true
}
