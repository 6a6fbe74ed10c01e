package spirv

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"simtgdb/simt/simttest"
)

// Every instruction that the machine executes, and every function of its extended sets, is executed by a
// test that compares what came of it with an expectation of its own making. [launch.run] notes what a run
// executes; when all tests have run, TestMain looks for rows that none has executed.

// A row is an instruction, or a function of an extended set.
type row struct {
	set    string
	number uint32
}

var (
	executedMu sync.Mutex
	executed   = map[row]bool{}
)

// rowOf is the row of an instruction that executes.
func rowOf(p *Program, in *raw) row {
	if in.op == 12 && len(in.args) > 1 {
		return row{p.imports[in.args[0]], in.args[1]}
	}
	return row{"", uint32(in.op)}
}

// note makes every instruction of a program say that it has been executed.
func (p *Program) note() {
	for _, b := range p.blocks {
		for i := range b.insts {
			in := &b.insts[i]
			exec, r, done := in.exec, rowOf(p, in.raw), false
			in.exec = func(c *core, in *inst) {
				if exec(c, in); !done && !c.m.Concurrent {
					done = true
					executedMu.Lock()
					executed[r] = true
					executedMu.Unlock()
				}
			}
		}
	}
}

// unexecuted are the rows that no test has executed.
func unexecuted() []string {
	var names []string
	miss := func(r row, name string) {
		if !executed[r] {
			names = append(names, name)
		}
	}
	for op := range builders {
		if op != 12 {
			miss(row{"", uint32(op)}, opTable[op].name)
		}
	}
	for n := range openclFuncs {
		miss(row{"OpenCL.std", n}, fmt.Sprint("OpenCL.std ", n))
	}
	for n := range glslFuncs {
		miss(row{"GLSL.std.450", n}, fmt.Sprint("GLSL.std.450 ", n))
	}
	slices.Sort(names)
	return names
}

func TestMain(m *testing.M) {
	status := simttest.EveryPath(m)
	all := true
	for _, name := range []string{"test.run", "test.skip", "test.bench", "test.fuzz", "test.list"} {
		all = all && flag.Lookup(name).Value.String() == ""
	}
	if names := unexecuted(); all && status == 0 && len(names) > 0 {
		fmt.Printf("FAIL: %d rows are executed by no test that checks their results: %q\n", len(names), names)
		status = 1
	}
	os.Exit(status)
}
