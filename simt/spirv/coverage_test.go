package spirv

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"simtgdb/simt/simttest"
)

// Every instruction that the machine executes, and every function of its extended sets, is executed by a
// test that compares what came of it with an expectation of its own making, in each path of package vec,
// with all lanes of a wave and with some. [launch.run] notes what a run executes; when all tests have run,
// TestMain looks for rows that none has executed.

// A row is an instruction, or a function of an extended set.
type row struct {
	set    string
	number uint32
}

var covered simttest.Coverage

// rowOf is the row of an instruction that executes.
func rowOf(p *Program, in *raw) row {
	if in.op == 12 && len(in.args) > 1 {
		return row{p.imports[in.args[0]], in.args[1]}
	}
	return row{"", uint32(in.op)}
}

func (r row) String() string {
	if r.set == "" {
		return opTable()[uint16(r.number)].name
	}
	return fmt.Sprint(r.set, " ", r.number)
}

// note makes every instruction of a program say that it has been executed, and looks whether what has its own
// way to write some lanes only leaves the others.
func (p *Program) note(t testing.TB) {
	for _, b := range p.blocks {
		b.step(p)
		for i := range b.insts {
			in := &b.insts[i]
			exec, r, done := in.exec, rowOf(p, in.raw), [2]bool{}
			in.exec = func(c *core, in *inst) {
				way := 0
				if c.full {
					way = 1
				}
				if exec(c, in); !done[way] && !c.m.Concurrent {
					done[way] = true
					covered.Note(r.String(), way == 1)
				}
			}
		}
	}
}

// tableRows are all rows that have semantics.
func tableRows() (names []string) {
	for op := range builders() {
		if op != 12 {
			names = append(names, row{"", uint32(op)}.String())
		}
	}
	for n := range openclFuncs() {
		names = append(names, row{"OpenCL.std", n}.String())
	}
	for n := range glslFuncs() {
		names = append(names, row{"GLSL.std.450", n}.String())
	}
	return names
}

// inSome are rows that tests execute in some lanes only: how many there are is no matter to them.
var inSome = map[string]bool{"AtomicExchange": true, "AtomicStore": true, "Unreachable": true,
	"Transpose":       true,
	"GLSL.std.450 33": true}

// inAll are rows that all invocations of a workgroup come to, or what they do is undefined.
func inAll() map[string]bool {
	all := map[string]bool{}
	for _, name := range tableRows() {
		all[name] = strings.HasPrefix(name, "Group") && !strings.HasPrefix(name, "GroupNonUniform") ||
			strings.HasPrefix(name, "CooperativeMatrix") || strings.Contains(name, "Tensor")
	}
	return all
}

func TestMain(m *testing.M) {
	missing := func() []string { return covered.Missing(tableRows(), inAll(), inSome) }
	os.Exit(simttest.MainCovering(m, missing, simttest.InBest{Once: []string{"TestOpenCLRealsUpToDate"},
		Part: []string{"TestCheckedTeam", "FuzzDamaged", "TestOrigins.*", "TestInexactResults",
			"TestBreakpoints"}}))
}
