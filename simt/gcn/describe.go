package gcn

import (
	"strings"

	"simtgdb/simt"
)

// Inst implements simt.ISA.
func (a *ISA) Inst(code []byte, pc uint64) (simt.Inst, error) {
	in, err := a.Decode(code, pc)
	if err != nil {
		return simt.Inst{}, err
	}
	return in.describe(), nil
}

// A Listing describes the instructions of code one after the other: where registers from v256 on are named
// (gfx1250) that is seen from the instructions before. As in LLVM's listings it begins anew behind branches.
type Listing struct {
	*ISA
	next codeAt
}

// Inst describes the instruction at the start of code, which lies at pc.
func (l *Listing) Inst(code []byte, pc uint64) (simt.Inst, error) {
	if pc != l.next.pc {
		l.next = codeAt{pc: pc}
	}
	in, err := l.decodeAt(code, l.next)
	if err != nil {
		l.next = codeAt{}
		return simt.Inst{}, err
	}
	switch l.next = in.behind(); in.Op.flow {
	case simt.FlowJump, simt.FlowBranch, simt.FlowReturn, simt.FlowEnd:
		l.next.high = 0
	}
	return in.describe(), nil
}

func (in *Inst) describe() simt.Inst {
	d := simt.Inst{Text: in.String(), Size: in.Size, Flow: in.Op.flow}
	switch {
	case d.Flow == simt.FlowJump, d.Flow == simt.FlowBranch, d.Flow == simt.FlowCall && in.Op.Enc == SOPK:
		d.Target = in.branchTarget()
	}
	d.Glue = in.isGlue()
	d.GlobalAtomic = in.showsOrder()
	return d
}

// ShowsOrder implements simt.OrderShower.
func (a *ISA) ShowsOrder(code []byte, pc uint64) (shows bool, size int, err error) {
	in, err := a.Decode(code, pc)
	if err != nil {
		return false, 0, err
	}
	return in.showsOrder(), in.Size, nil
}

// ReachesOrder implements simt.OrderReacher.
func (a *ISA) ReachesOrder(entry uint64) (shows, known bool) {
	seen, todo := map[uint64]bool{}, []uint64{entry}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		r := a.mem.Find(pc)
		for !seen[pc] {
			seen[pc] = true
			if r == nil || r.Perm&simt.PermExec == 0 || pc >= r.End() {
				return false, false
			}
			in, err := a.Decode(r.Data[pc-r.Base:], pc)
			if err != nil {
				return false, false
			}
			if in.showsOrder() {
				return true, true
			}
			pc += uint64(in.Size)
			switch in.Op.flow {
			case simt.FlowNext, simt.FlowBarrier, simt.FlowTrap:
				continue
			case simt.FlowBranch:
				todo = append(todo, pc, in.branchTarget())
			case simt.FlowJump:
				todo = append(todo, in.branchTarget())
			case simt.FlowEnd:
			default:
				return false, false
			}
			break
		}
	}
	return false, true
}

// showsOrder is simt.Inst.GlobalAtomic.
func (in *Inst) showsOrder() bool {
	return strings.Contains(in.Op.Name, "_atomic_") || in.isCoherent() || in.mem.gds
}

// isCoherent reports whether an access to global memory is to see, or to be seen by, other workgroups:
// compilers mark loads and stores of atomic and volatile objects so (LLVM, "User Guide for AMDGPU
// Backend", "Memory Model"). Plain stores of gfx900 and gfx90a need no mark and have none.
func (in *Inst) isCoherent() bool {
	switch in.Op.Enc {
	case FLAT, GLOBAL, MUBUF:
		if in.on&gfx942P != 0 {
			return in.mem.scc
		}
		return in.mem.glc && in.Op.mem != nil && !in.Op.mem.write
	}
	return false
}
