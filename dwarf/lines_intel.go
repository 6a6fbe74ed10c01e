package dwarf

import "simtgdb/dwarf/line"

// attrIntelLanes is what IGC alone says of its units.
const attrIntelLanes At = 0x2400

// amendIntel changes what IGC's tables for Xe-HPG and Xe-HPC say of the code in front of a kernel's first
// statement: behind the loads of its arguments they have it on the line on which the kernel ends. It is the
// kernel's own line's, as on the machines before.
func (u *Unit) amendIntel(t *line.Table) {
	top, err := u.Top()
	if err != nil || t == nil || top.attr(attrIntelLanes) == nil {
		return
	}
	for i := 0; i+2 < len(t.Rows); i++ {
		first, next, then := &t.Rows[i], &t.Rows[i+1], &t.Rows[i+2]
		if i > 0 && !t.Rows[i-1].Has(line.EndSequence) || next.Line <= then.Line || then.Line < first.Line ||
			first.File != next.File || then.Has(line.EndSequence) {
			continue
		}
		f := u.FunctionAt(first.Addr)
		if f == nil {
			continue
		}
		code, ok := f.LowHigh()
		last := next
		for k := i + 2; ok && k < len(t.Rows) && t.Rows[k].Addr < code.High &&
			!t.Rows[k].Has(line.EndSequence); k++ {
			last = &t.Rows[k]
		}
		if ok && last != next && last.Line == next.Line {
			next.Line, next.Column, next.Flags = first.Line, first.Column, next.Flags&^line.IsStmt
		}
	}
}
