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
	d := simt.Inst{Text: in.String(), Size: in.Size, Flow: in.Op.flow}
	switch {
	case d.Flow == simt.FlowJump, d.Flow == simt.FlowBranch, d.Flow == simt.FlowCall && in.Op.Enc == SOPK:
		d.Target = in.branchTarget()
	}
	d.GlobalAtomic = strings.Contains(in.Op.Name, "_atomic_")
	return d, nil
}
