package gen

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
)

// covered are the rows of the machine's tables that tests of this package have executed and compared with
// what they mean, in each path of package vec, with all channels and with some.
var covered simttest.Coverage

// rowName names an instruction's row: an instruction, a function of math, or a message.
func rowName(in *Inst) string {
	switch in.Op.form {
	case formMath:
		return "math." + mathFunctions[in.cond]
	case formSend, formSends, formSendXe:
		if in.isSampler() {
			return samplerRowName(samplerType(in.desc))
		}
		key := messageKey{uint8(in.exDesc & 15), uint8(in.desc >> 14 & 31)}
		return messageRow(key)
	}
	return in.Op.Name
}

func samplerRowName(typ uint32) string { return fmt.Sprint("sampler message ", typ) }

func messageRow(key messageKey) string { return fmt.Sprintf("message %#x.%#x", key.sfid, key.typ) }

// tableRows are all rows that have semantics.
func tableRows() (names []string) {
	for _, rows := range [][]Op{ops, gen11Ops, gen12Ops, xeHPGOps, xeHPCOps} {
		for _, op := range rows {
			if (op.run != nil || op.ints != nil || op.floats != nil) && !slices.Contains(names, op.Name) {
				names = append(names, op.Name)
			}
		}
	}
	for key, m := range messages {
		if m.run != nil {
			names = append(names, messageRow(key))
		}
	}
	for typ, row := range samplerRows {
		if row.run != nil {
			names = append(names, samplerRowName(uint32(typ)))
		}
	}
	for _, name := range mathFunctions {
		if name != "" {
			names = append(names, "math."+name)
		}
	}
	return names
}

// covering makes the instructions in the first bytes of the code say that they are executed.
func (b *bench) covering(size int) { b.core.covering(size) }

func (c *Core) covering(size int) {
	c.gen = c.m.Generation()
	starts, seen := []uint64{codeBase}, map[uint64]bool{} // of blocks
	for len(starts) > 0 {
		pc := starts[0]
		starts = starts[1:]
		if seen[pc] || pc < codeBase || pc >= codeBase+uint64(size) {
			continue
		}
		seen[pc] = true
		b := c.block(pc)
		for i := range b.insts {
			in := &b.insts[i]
			in.cover()
			if i > 0 { // who steps comes to it alone
				c.blockFor(in.PC, 1).insts[0].cover()
			}
			if in.endsBlock() {
				starts = append(starts, in.PC+uint64(in.Size), in.PC+uint64(in.jip), in.PC+uint64(in.uip))
			}
		}
	}
}

// cover makes the instruction say that it is executed.
func (in *Inst) cover() {
	run, name, done := in.exec, rowName(in), [2]bool{}
	in.exec = func(c *Core, in *Inst) {
		way := 0
		if c.w.Exec == c.w.Valid {
			way = 1
		}
		if run(c, in); !done[way] && c.stop.Kind != simt.FaultEvent {
			done[way] = true
			covered.Note(name, way == 1)
		}
	}
}

func TestMain(m *testing.M) {
	missing := func() []string { return covered.Missing(tableRows(), nil, nil) }
	os.Exit(simttest.MainCovering(m, missing, simttest.InBest{
		Once: []string{"TestAbsentAnywhere", "TestAssembledDrift", "TestFormsDrift", "TestRandomEncodings",
			"TestTextOfForms", "TestTextOfPrograms", "FuzzDecode", "TestMoves",
			"TestHiddenDivisions"},
		Part: []string{"TestBulk", "TestBulkAhead", "TestBulkFurther", "TestNotInBulk", "TestOrigins",
			"TestContents", "TestLSCAtomic"}}))
}

// Registers as most tests have them.
const (
	regBytes = 32
	grfBytes = 128 * regBytes
)
