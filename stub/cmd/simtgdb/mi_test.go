package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// mi begins a conversation in gdb/MI as front ends have it: asynchronous, connected to the demonstration.
func mi(t *testing.T, debugger string) *conversation {
	t.Helper()
	symbols := filepath.Join(t.TempDir(), "kernel.symbols")
	serve := exec.Command(filepath.Join(root, "bin", "simtgdb"), "serve", "--stdio", "--demo", "--symbols",
		symbols)
	if out, err := serve.CombinedOutput(); err != nil && serve.ProcessState == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := converse(t, debugger, "-i=mi")
	c.say("1-gdb-set mi-async on", "2-gdb-set pagination off", "-environment-directory testdata/src",
		"-file-exec-and-symbols "+symbols, "3-target-select remote | bin/simtgdb serve --stdio --demo")
	c.hear(`\*stopped,frame=\{.*func="demo".*thread-id="1"`)
	return c
}

// TestMI does what VS Code's C++ extension and CLion do with gdb/MI: breakpoints with conditions, threads,
// frames, variables, stepping, memory, disassembly. Each stop is reported.
func TestMI(t *testing.T) { inEach(t, miSession) }

func miSession(t *testing.T, debugger string) {
	c := mi(t, debugger)
	c.say(`4-break-insert -f -c "$lane == 3 && $wave == 0" demo.hip:8`)
	c.hear(`4\^done,bkpt=\{number="1"`)
	c.say("5-exec-continue")
	c.hear(`5\^running`)
	c.hear(`\*stopped,reason="breakpoint-hit",disp="keep",bkptno="1",frame=\{.*func="weigh",args=\[\{name="value",value="3"\}` +
		`.*thread-id="4",stopped-threads="all"`)
	c.say("6-thread-info")
	c.hear(`6\^done,threads=\[.*id="4",target-id="Thread 4",details="workgroup \(0,0,0\) work-item \(3,0,0\) active",` +
		`name="wave 0 lane 3"`)
	c.say("7-stack-list-frames --thread 4")
	c.hear(`7\^done,stack=\[frame=\{level="0".*func="weigh".*frame=\{level="1".*func="demo"`)
	c.say("8-stack-list-variables --thread 4 --frame 0 --simple-values")
	c.hear(`8\^done,variables=\[.*\{name="value",arg="1",type="int",value="3"\}.*\{name="total"`)
	c.say("9-stack-select-frame 1", "10-data-evaluate-expression --thread 4 --frame 1 input[5]")
	c.hear(`10\^done,value="5"`)
	c.say("11-var-create --thread 4 --frame 0 total * total", "12-exec-next --thread 4")
	c.hear(`11\^done,name="total"`)
	c.hear(`\*stopped,reason="end-stepping-range",frame=\{.*line="9"`)
	c.say("13-exec-next --thread 4")
	c.hear(`\*stopped,reason="end-stepping-range",frame=\{.*line="8"`)
	c.say("14-var-update --all-values total")
	c.hear(`14\^done,changelist=\[\{name="total",value="3"`)
	c.say("15-exec-finish --thread 4")
	c.hear(`\*stopped,reason="function-finished".*return-value="30"`)
	c.say("16-data-read-memory-bytes 0x7e0010000010 8")
	c.hear(`16\^done,memory=\[\{.*contents="0400000005000000"`)
	c.say(`17-data-disassemble -s $pc -e "$pc + 8" -- 0`, "18-exec-step-instruction --thread 4")
	c.hear(`17\^done,asm_insns=`)
	c.hear(`\*stopped,reason="end-stepping-range"`)
	c.say("19-exec-step-instruction --thread 4 --reverse")
	c.hear(`\*stopped,reason="end-stepping-range"`)
	c.say("20-break-delete 1", "21-exec-continue")
	c.hear(`\*stopped,reason="exited-normally"`)
	c.say("22-gdb-exit")
	c.hear(`22\^exit`)
}

// TestMIStops: stops that have no breakpoint are reported too: an interrupt, and a step past a lane's end.
func TestMIStops(t *testing.T) { inEach(t, miStops) }

func miStops(t *testing.T, debugger string) {
	c := mi(t, debugger)
	c.say(`4-break-insert -c "$lane == 4 && $wave == 0" demo.hip:27`, "5-exec-continue")
	c.hear(`\*stopped,reason="breakpoint-hit"`)
	c.say("6-break-delete 1", "7-exec-next")
	c.hear(`7\^running`)
	c.hear(`Lane 4 of wave 0 has ended`)
	c.hear(`\*stopped,reason="signal-received",signal-name="0",.*func="weigh"`)
	c.say("8-gdb-set var rounds = 2000000000", "9-exec-continue")
	c.hear(`9\^running`)
	c.say("10-exec-interrupt --all")
	c.hear(`\*stopped,reason="signal-received",signal-name="SIGINT"`)
	c.say("11-target-detach", "12-gdb-exit")
	c.hear(`12\^exit`)
}
