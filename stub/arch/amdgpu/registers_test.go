package amdgpu

import (
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/gcn"
)

// TestParts: the DWARF numbers of registers lead back to them; vector registers and EXEC
// have others in waves of 32 lanes than in waves of 64 (LLVM, "User Guide for AMDGPU
// Backend", table "AMDGPU DWARF Register Mapping").
func TestParts(t *testing.T) {
	var a Arch
	for _, c := range []struct {
		reg    simt.Reg
		lanes  int
		number uint64
		offset int
	}{
		{simt.Reg{File: gcn.FileS, Index: 5}, 32, 37, 0},
		{simt.Reg{File: gcn.FileS, Index: 70}, 64, 1094, 0},
		{simt.Reg{File: gcn.FileV, Index: 3}, 32, 1539, 28},
		{simt.Reg{File: gcn.FileV, Index: 3}, 64, 2563, 28},
		{simt.Reg{File: gcn.FileV, Index: 511}, 32, 2047, 28},
		{simt.Reg{File: gcn.FileV, Index: 512}, 32, 3584, 28},
		{simt.Reg{File: gcn.FileV, Index: 1023}, 32, 4095, 28},
		{simt.Reg{File: gcn.FileA, Index: 255}, 32, 2303, 28},
		{simt.Reg{File: gcn.FileA, Index: 255}, 64, 3327, 28},
		{gcn.RegExec, 32, 1, 0},
		{gcn.RegExec, 64, 17, 0},
	} {
		parts := a.Parts(c.reg, 7, c.lanes)
		if len(parts) != 1 || parts[0].Number != c.number || parts[0].Offset != c.offset {
			t.Errorf("%+v of %d lanes: %+v, want number %d, offset %d", c.reg, c.lanes, parts, c.number,
				c.offset)
			continue
		}
		if back, ok := a.Register(parts[0].Number); !ok || back.Reg != c.reg || back.Bytes != parts[0].Bytes {
			t.Errorf("number %d is %+v", parts[0].Number, back)
		}
	}
}
