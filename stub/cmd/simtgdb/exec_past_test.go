//go:build linux

package main

import (
	"bufio"
	"strings"
	"testing"
)

// goneBack are what gdb is told to do with the five launches of defects_hip.c that pastLaunches names, and
// what it and the program write. Before each launch the program sets out to 0.
var goneBack = []struct {
	name     string
	flags    []string
	commands []string
	out, err []string // in this order
	never    []string // in neither
	status   int
}{
	// A step does not go to another launch; to a breakpoint three launches ago, and to one before that; from
	// there on to one between; and to who has written.
	{"and forth", []string{"--break", "left_ok"},
		[]string{"reverse-stepi",
			"break local_ok", "break again_ok", "reverse-continue", "delete 1", "reverse-continue", "delete",
			"continue",
			"break again_ok", "reverse-continue", "delete", "break local_ok", "continue", "delete",
			"continue",
			"watch -l out[3]", "reverse-continue", "reverse-continue", "delete", "reverse-continue",
			"continue", "continue"},
		[]string{"left_ok (in=", "No more reverse-execution history", "left_ok (in=",
			"hit Breakpoint 1, local_ok (in=", "hit Breakpoint 2, again_ok (in=", "left_ok (in=",
			"hit Breakpoint 3, again_ok (in=", "hit Breakpoint 4, local_ok (in=", "left_ok (in=",
			"new program: /simtgdb/tile_ok-", "hit Hardware watchpoint 5: -location out[3]",
			"Old value = 67\nNew value = 0\n", "No more reverse-execution history", "again_ok (in=",
			"left_ok (in=", "left_ok: done\n", "exited normally]"},
		[]string{"Before it is launch 4, number 2 of kernel tile_ok: reverse-continue goes back there.\n",
			"launch 3, number 1 of kernel local_ok\n", "launch 1, number 1 of kernel again_ok\n", "launch 5",
			"launch 1, number 1 of kernel again_ok\n", "launch 3, number 1 of kernel local_ok\n", "launch 5",
			"The host program has written to 0x20", "after launch 4.\n"}, nil, 0},
	{"what is watched changes in each launch", []string{"--break", "again_ok"},
		[]string{"watch -l out[3]", "continue", "continue", "continue", "kill"},
		[]string{"Old value = 0\nNew value = 262\n", "again_ok (in=", "new program: /simtgdb/tile_ok-",
			"Old value = 0\nNew value = 67\n", "new program: /simtgdb/local_ok-",
			"Old value = 0\nNew value = 7\n", "killed]"}, nil, nil, 0},
	{"back from what is freed, through each launch", []string{"--stop-at-end", "--break", "left_ok"},
		[]string{"set $at = &out[3]", "continue", "watch *$at", "reverse-continue", "reverse-continue",
			"reverse-continue", "reverse-continue", "kill"},
		[]string{" stopped.\n", "Old value = 4\nNew value = 3\n", "Old value = 3\nNew value = 0\n",
			"new program: /simtgdb/tile_ok-", "Old value = 67\nNew value = 0\n", "killed]"},
		[]string{"The program has ended", "after launch 4.\n"}, nil, 0},
	{"nothing of the past is changed", []string{"--break", "left_ok"},
		[]string{"break tile_ok", "reverse-continue", "set var *(int *)0x20001003b000 = 7", "detach"},
		[]string{"new program: /simtgdb/tile_ok-", "left_ok: done\n"},
		[]string{"Cannot access memory at address 0x20001003b000"}, nil, 0},
	{"from the end of the program", []string{"--stop-at-end"},
		[]string{"continue", "break tile_ok", "reverse-continue", "delete", "continue", "continue"},
		[]string{"again_ok (in=", "left_ok: done\n", "new program: /simtgdb/left_ok-", " stopped.\n",
			"new program: /simtgdb/tile_ok-", "hit Breakpoint 1, tile_ok (in=", "exited normally]"},
		[]string{"The program has ended, and stands before the last instruction of its last launch.",
			"launch 5, number 1 of kernel left_ok\n", "launch 4, number 2 of kernel tile_ok\n"}, nil, 0},
	{"killed there", []string{"--stop-at-end"}, []string{"continue", "kill"},
		[]string{"left_ok: done\n", " stopped.\n", "killed]"}, nil, nil, 0},
	{"without a history", []string{"--break", "left_ok", "--history", "off"},
		[]string{"reverse-stepi", "continue"}, []string{"left_ok (in=", "left_ok: done\n"},
		[]string{"no history"}, []string{"tile_ok-"}, 0},
}

// pastLaunches are the kernels of the program, in this order; then it frees its memory.
var pastLaunches = []string{"again_ok", "tile_ok", "local_ok", "tile_ok", "left_ok", "free"}

// TestExecPast: gdb goes back from one launch to those before it, and the program comes to its end all the
// same.
func TestExecPast(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := defectsHIP(t)
	for _, c := range goneBack {
		t.Run(c.name, func(t *testing.T) {
			flags := append(gdbCommands(c.commands...), c.flags...)
			r := execute(t, flags, append([]string{program, checkObjects + "defects.O0.co"},
				pastLaunches...)...)
			if missing := inOrder(r.out, c.out); missing != "" {
				t.Errorf("no %q in its place in\n%s\n%s", missing, r.out, r.err)
			}
			if missing := inOrder(r.err, c.err); missing != "" {
				t.Errorf("no %q in its place in\n%s\n%s", missing, r.err, r.out)
			}
			for _, text := range c.never {
				if strings.Contains(r.out+r.err, text) {
					t.Errorf("%q in\n%s\n%s", text, r.out, r.err)
				}
			}
		})
	}
}

// checkedBack are what gdb is told to do where defects are looked for, by the program and what it does.
var checkedBack = []struct {
	name, program string
	flags         []string
	ways          []string
	commands      []string
	out, err      []string // in this order
}{
	{"the last defect first", "defects_hip.c", []string{"--check", "race", "--break", "left_ok"},
		[]string{"tile_race", "tile_ok", "left_ok"},
		[]string{"continue", "continue", "reverse-continue", "monitor check", "reverse-continue",
			"reverse-continue", "kill"},
		[]string{"tile_race (in=", `"wave 3 lane 0" received`, "left_ok (in=", `"wave 3 lane 0" received`,
			`"wave 1 lane 0" received`, "No more reverse-execution history", "killed]"},
		[]string{"launch 1, number 1 of kernel tile_race: check race", "launch 3, number 1 of kernel left_ok",
			"wave 3, first of 64", "launch 1, number 1 of kernel tile_race\n", "checked: race; 2 found",
			"wave 1, first of 64"}},
	{"what gdb looks for now", "defects_hip.c", []string{"--break", "left_ok"},
		[]string{"tile_race", "tile_ok", "left_ok"},
		[]string{"monitor check race", "reverse-continue", "kill"},
		[]string{"left_ok (in=", `"wave 3 lane 0" received`, "killed]"},
		[]string{"checked: race; 0 found", "wave 3, first of 64",
			"launch 1, number 1 of kernel tile_race\n"}},
	{"what the host had written in part", "unwritten_hip.c", []string{"--check", "uninit", "--stop-at-end"},
		[]string{"no_part"},
		[]string{"continue", "continue", "reverse-continue", "reverse-continue", "kill"},
		[]string{`"wave 1 lane 0" received`, "tile_ok (in=", "killed]"},
		[]string{"The program has ended", "allocation of 2048 bytes: byte 256\n",
			"Neither a kernel nor the host has written to it since it was allocated."}},
	{"what each launch had written", "unwritten_hip.c", []string{"--check", "uninit", "--stop-at-end"},
		[]string{"by_kernel"}, []string{"continue", "reverse-continue", "monitor check", "kill"},
		[]string{"No more reverse-execution history", "killed]"}, []string{"checked: uninit; 0 found"}},
	{"and not yet", "unwritten_hip.c", []string{"--check", "uninit", "--stop-at-end"},
		[]string{"no_kernel"},
		[]string{"continue", "continue", "reverse-continue", "reverse-continue", "kill"},
		[]string{`"wave 0 lane 0" received`, "No more reverse-execution history", "killed]"},
		[]string{"The program has ended", "allocation of 2048 bytes: byte 0\n", "launch 1, number 1"}},
}

// TestExecPastChecked: launches that are over are looked through when gdb goes back to them, for what it
// looks for by then, and with what had been written before each.
func TestExecPastChecked(t *testing.T) {
	t.Parallel()
	needGDB(t)
	programs := map[string]string{}
	for _, c := range checkedBack {
		if programs[c.program] == "" {
			programs[c.program] = waysHIP(t, c.program)
		}
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, append(gdbCommands(c.commands...), c.flags...),
				append([]string{programs[c.program], checkObjects + "defects.O0.co"}, c.ways...)...)
			if missing := inOrder(r.out, c.out); missing != "" {
				t.Errorf("no %q in its place in\n%s\n%s", missing, r.out, r.err)
			}
			if missing := inOrder(r.err, c.err); missing != "" {
				t.Errorf("no %q in its place in\n%s\n%s", missing, r.err, r.out)
			}
			if strings.Contains(r.err, "the device service has gone") {
				t.Errorf("what the program has started outlives it:\n%s", r.err)
			}
		})
	}
}

// TestExecPastVulkan: a dispatch whose push constants and bindings are its own is gone back to beside the one
// that is under way, which is the same when it goes on.
func TestExecPastVulkan(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildVulkan(t, "streams_vulkan.c")
	commands := gdbCommands("watch -l data[3]", "reverse-continue", "print params.factor", "continue",
		"continue", "continue", "print params.factor", "delete", "continue")
	r := execute(t, append(commands, "--break", "scaling#2"), program, scaleModule, "by_fence")
	want := []string{"main () at scale.comp:8", "Old value = 1\nNew value = 0\n", "$1 = 3\n",
		"Old value = 0\nNew value = 1\n", "main () at scale.comp:8", "Old value = 1\nNew value = 4\n",
		"$2 = 3\n", "exited normally]"}
	if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
		t.Errorf("status %d, no %q in its place in\n%s\n%s", r.status, missing, r.out, r.err)
	}
	// From the end of a program that has destroyed its pipelines and its device.
	r = execute(t, append(gdbCommands("watch -l data[3]", "continue", "continue", "reverse-continue",
		"reverse-continue", "print params.factor", "kill"), "--break", "scaling#2", "--stop-at-end"),
		program, scaleModule, "by_fence")
	want = []string{"Old value = 1\nNew value = 4\n", " stopped.\n", "Old value = 4\nNew value = 1\n",
		"Old value = 1\nNew value = 0\n", "$1 = 3\n", "killed]"}
	if missing := inOrder(r.out, want); missing != "" {
		t.Errorf("no %q in its place in\n%s\n%s", missing, r.out, r.err)
	}
}

// TestExecNonStop: in non-stop mode each launch is another program that gdb hears of, forward and back, and
// the program comes to its end.
func TestExecNonStop(t *testing.T) {
	needGDB(t)
	flags := []string{"--break", "tile_ok", "--listen", "127.0.0.1:0"}
	program := append([]string{defectsHIP(t), checkObjects + "defects.O0.co"}, pastLaunches...)
	exec := execOn(t, flags, program...)
	errs, err := exec.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Start(); err != nil {
		t.Fatal(err)
	}
	lines, address := bufio.NewScanner(errs), ""
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), ": target remote ")
	}
	c := converse(t, "gdb")
	c.say("set pagination off", "set width 0", "set confirm off", "set print thread-events off",
		"set non-stop on", "target remote "+address)
	c.hear(`tile_ok \(in=`)
	c.say("break left_ok", "continue -a&")
	c.hear(`new program: /simtgdb/local_ok-.*new program: /simtgdb/tile_ok-`)
	c.hear(`Thread \d+ "wave 0 lane 0" .*tile_ok \(in=`)
	c.say("continue -a&")
	c.hear(`hit Breakpoint 1, left_ok \(in=`)
	c.say("delete", "break tile_ok", "watch -l out[3]", "monitor back", "continue -a")
	c.hear(`new program: /simtgdb/tile_ok-`)
	c.hear(`received signal SIGTRAP`)
	c.say("monitor back", "continue -a")
	c.hear(`hit Hardware watchpoint 3: -location out\[3\]\s+Old value = 67\s+New value = 0`)
	c.say("delete", "monitor back", "continue -a")
	c.hear(`No more reverse-execution history.*again_ok \(in=`)
	c.say("continue -a&")
	c.hear(`Inferior 1 \(Remote target\) exited normally`)
	c.say("quit")
	for lines.Scan() { // until it has ended
	}
	if err := exec.Wait(); err != nil {
		t.Error(err)
	}
}
