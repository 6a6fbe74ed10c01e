//go:build linux

package follow

import (
	"testing"

	"simtgdb/simt/check"
)

// sums is what b leaves: the sum of the bits of 64 times 1.0, taken for a float. 2 more is the same float.
const sums float32 = -0x1p65

// anything is left where it depends on when the program goes.
const anything = -1

const (
	exits = "exited 7"
	at1   = "signal 5 at a breakpoint in launch 1"
	ended = "The program has ended, and stands before the last instruction of its last launch. " +
		"reverse-continue and the like go back from here; another continue ends it."
)

// forward are dialogues in which gdb goes forward: what it is told of a launch is what the package comment
// says. Each launch of a has y[0] grow by 2.
var forward = []dialogue{
	{"the first that is to stop", setting{stops: []int{2}}, "aaa",
		[]line{{"connect", "launch 2"}, {"value", "2"}, {"continue", exits}}, "", 6},
	{"two that are to stop", setting{stops: []int{1, 2}}, "aa",
		[]line{{"connect", "launch 1"},
			{"continue", "new program saxpy: launch 2, number 2 of kernel saxpy"},
			{"continue", "signal 5 in launch 2"}, {"continue", exits}}, "", 4},
	{"a module that gdb has not seen, and not again", setting{stops: []int{1}}, "abba",
		[]line{{"continue", "new program reduction"}, {"continue", exits}}, "", sums},
	{"a breakpoint in a launch that gdb knows the module of", setting{stops: []int{1}}, "aba",
		[]line{{"break", ""}, {"continue", at1}, {"continue each time", "new program saxpy"}, {"break", ""},
			{"continue", "signal 5 at a breakpoint in launch 3"}, {"delete", ""},
			{"continue", exits}}, "", sums},
	{"a breakpoint for the hardware", setting{stops: []int{1}}, "aa",
		[]line{{"hbreak", ""}, {"continue", at1}, {"hdelete", ""}, {"continue", exits}}, "", 4},
	{"a breakpoint in a module that is not there", setting{stops: []int{1}}, "aa",
		[]line{{"break elsewhere", ""}, {"continue", exits}}, "", 4},
	{"what is watched changes in each launch", setting{stops: []int{1}}, "aba",
		[]line{{"watch", ""}, {"continue", "signal 5 by a watchpoint in launch 1"}, {"value", "2"},
			{"continue", "new program reduction"}, {"watch", ""},
			{"continue", "signal 5 by a watchpoint in launch 2"}, {"unwatch", ""},
			{"continue", exits}}, "", sums},
	{"what is watched changes in launches of a module", setting{stops: []int{1}}, "aa",
		[]line{{"watch", ""}, {"continue", "signal 5 by a watchpoint in launch 1"},
			{"continue", "signal 5 by a watchpoint in launch 2: launch 2, number 2 of kernel saxpy"},
			{"value", "4"}, {"continue", exits}}, "", 4},
	{"a fault", setting{stops: []int{1}}, "f",
		[]line{{"continue", "signal 11 in launch 1: the kernel faulted: unmapped address"},
			{"continue with its signal", exits}}, "launch 1 faults", 0},
	{"a signal of the user's", setting{stops: []int{1}}, "a.",
		[]line{{"continue with its signal", "terminated by 11"}, {"hang up", ""}}, "killed", 0},
	{"a thread that the next launch has not", setting{stops: []int{1, 2}}, "ba",
		[]line{{"break", ""}, {"continue", at1}, {"continue to thread 71", at1}, {"delete", ""},
			{"continue", "new program saxpy: launch 2, number 1 of kernel saxpy"},
			{"threads", "65, last 71, alive true, wave 0 lane 0 and wave 0 lane 1"},
			{"continue", "signal 5 in launch 2"},
			{"threads", "64, last 64, alive true, wave 0 lane 0 and wave 0 lane 1"},
			{"continue", exits}}, "", sums},
	{"gdb kills the program", setting{stops: []int{1}}, "a.",
		[]line{{"kill", ""}, {"hang up", ""}, {"nobody is waited for any more", ""}}, "killed", 0},
	{"gdb lets go", setting{stops: []int{1, 2}}, "aa", []line{{"watch", ""}, {"detach", ""}}, "", 4},
	{"the program goes while gdb looks", setting{stops: []int{1}}, "a.",
		[]line{{"the program goes", "busy false"}, {"continue", exits}}, "", anything},
	{"the program goes while gdb waits for an answer", setting{stops: []int{1}}, "a.",
		[]line{{"ask for more", ""}, {"the program goes", "busy true"}, {"hang up", ""},
			{"nobody is waited for any more", ""}}, "", anything},
	{"gdb has gone, and another comes", setting{stops: []int{1}}, "aa",
		[]line{{"break", ""}, {"hang up", ""}, {"again", "launch 1"}, {"continue", exits}}, "", 4},
	{"Ctrl-C while no launch is there stops the next", setting{stops: []int{1}}, "awa",
		[]line{{"continue and interrupt", "new program saxpy: launch 2, number 2 of kernel saxpy"},
			{"continue", "signal 5 in launch 2"}, {"continue", exits}}, "", 4},
	{"steps", setting{stops: []int{1}}, "a",
		[]line{{"continue by a step", "signal 5 in launch 1"}, {"continue", exits}}, "", 2},
}

func TestForward(t *testing.T) {
	for _, d := range forward {
		t.Run(d.name, d.run)
	}
}

const history = 1 << 20

// backward are dialogues in which gdb goes back, from launch to launch.
var backward = []dialogue{
	{"within a launch", setting{stops: []int{1}, history: history}, "a",
		[]line{{"back", "signal 5 at the beginning in launch 1"}, {"watch", ""},
			{"continue", "signal 5 by a watchpoint in launch 1"}, {"value", "2"},
			{"back", "signal 5 by a watchpoint in launch 1"}, {"value", "0"},
			{"continue", "signal 5 by a watchpoint in launch 1"}, {"continue", exits}}, "", 2},
	{"without a history", setting{stops: []int{2}}, "aa",
		[]line{{"back", "not implemented: no history is kept (serve --history on)"},
			{"continue", exits}}, "", 4},
	// A step does not go to another launch.
	{"and forth", setting{stops: []int{2}, history: history}, "aha",
		[]line{{"value", "1"},
			{"back by a step", "signal 5 at the beginning in launch 2: Before it is launch 1, number 1 of " +
				"kernel saxpy: reverse-continue goes back there."},
			{"watch", ""},
			{"back", "new program saxpy: The host program has written to 0x200010011000 after launch 1.: " +
				"launch 1, number 1 of kernel saxpy"},
			{"value", "2"}, {"watch", ""}, {"back", "signal 5 in launch 1"},
			{"back", "signal 5 by a watchpoint in launch 1"}, {"value", "0"},
			{"back", "signal 5 at the beginning in launch 1"},
			{"continue", "signal 5 by a watchpoint in launch 1"}, {"unwatch", ""},
			{"continue", "new program saxpy: launch 2, number 2 of kernel saxpy"}, {"value", "1"},
			{"continue", "signal 5 in launch 2"}, {"continue", exits}}, "", 3},
	{"to a breakpoint in the launch before", setting{stops: []int{2}, history: history}, "aa",
		[]line{{"break", ""}, {"back", "new program saxpy: launch 1, number 1 of kernel saxpy"},
			{"back", at1}, {"delete", ""}, {"back", "signal 5 at the beginning in launch 1"},
			{"continue", "new program saxpy: launch 2, number 2 of kernel saxpy"},
			{"continue", "signal 5 in launch 2"}, {"continue", exits}}, "", 4},
	{"through launches of another module", setting{stops: []int{3}, history: history}, "aba",
		[]line{{"break", ""}, {"back", "new program reduction: launch 2, number 1 of kernel reduction"},
			{"break", ""}, {"back", "signal 5 at a breakpoint in launch 2"}, {"delete", ""},
			{"back", "new program saxpy: launch 1, number 1 of kernel saxpy"},
			{"back", "signal 5 at the beginning in launch 1"},
			{"continue", "new program saxpy: launch 3, number 2 of kernel saxpy"},
			{"continue", "signal 5 in launch 3"}, {"continue", exits}}, "", sums},
	{"what is watched, from launch to launch", setting{stops: []int{3}, history: history}, "aaa",
		[]line{{"watch", ""},
			{"back", "signal 5 by a watchpoint in launch 2: launch 2, number 2 of kernel saxpy"},
			{"value", "2"},
			{"back", "signal 5 by a watchpoint in launch 1: launch 1, number 1 of kernel saxpy"},
			{"value", "0"}, {"continue", "signal 5 by a watchpoint in launch 1"},
			{"continue", "signal 5 by a watchpoint in launch 2: launch 2, number 2 of kernel saxpy"},
			{"value", "4"}, {"unwatch", ""},
			{"continue", "new program saxpy: launch 3, number 3 of kernel saxpy"},
			{"continue", "signal 5 in launch 3"},
			{"continue", exits}}, "", 6},
	{"nothing of the past is changed", setting{stops: []int{2}, history: history}, "aa",
		[]line{{"write", "launch 2 may be written to"},
			{"back", "new program saxpy: launch 1, number 1 of kernel saxpy"},
			{"write", "operation not permitted: launch 1 is over, and what came of it is not to be changed"},
			{"continue", "signal 5 at the beginning in launch 1"},
			{"continue", "new program saxpy: launch 2, number 2 of kernel saxpy"},
			{"continue", "signal 5 in launch 2"}, {"continue", exits}}, "", 4},
	{"gdb lets go of the past", setting{stops: []int{2}, history: history}, "aa",
		[]line{{"watch", ""},
			{"back", "signal 5 by a watchpoint in launch 1: launch 1, number 1 of kernel saxpy"},
			{"detach", ""}}, "", 4},
	{"from the end of the program", setting{stops: []int{2}, history: history, atEnd: true}, "aa",
		[]line{{"watch", ""}, {"continue", "signal 5 by a watchpoint in launch 2"},
			{"continue", "signal 0 in launch 2: " + ended}, {"back", "signal 5 by a watchpoint in launch 2"},
			{"value", "2"},
			{"back", "signal 5 by a watchpoint in launch 1: launch 1, number 1 of kernel saxpy"},
			{"value", "0"}, {"continue", "signal 5 by a watchpoint in launch 1"}, {"unwatch", ""},
			{"continue", exits}}, "", 4},
	{"killed there", setting{stops: []int{1}, history: history, atEnd: true}, "a",
		[]line{{"continue", "signal 0 in launch 1: " + ended}, {"kill", ""}}, "killed", 2},
	{"gdb hangs up there", setting{stops: []int{1}, history: history, atEnd: true}, "a",
		[]line{{"continue", "signal 0 in launch 1: " + ended}, {"hang up", ""}}, "", 2},
	{"gdb lets go there", setting{stops: []int{1}, history: history, atEnd: true}, "a",
		[]line{{"continue", "signal 0 in launch 1: " + ended}, {"detach", ""}}, "", 2},
}

// inNonStop are dialogues in non-stop mode.
var inNonStop = []dialogue{
	{"from launch to launch", setting{stops: []int{1, 3}}, "aba",
		[]line{{"non-stop", ""}, {"start", "new program reduction"},
			{"start", "new program saxpy: launch 3, number 2 of kernel saxpy"},
			{"start", "signal 5 in launch 3"}, {"start", exits}}, "", sums},
	{"while no launch is there one thread stays", setting{stops: []int{1}}, "awaa",
		[]line{{"non-stop", ""}, {"start until the program waits", ""},
			{"threads", "1, last 1, alive true,  and , without registers"},
			{"stop, and the program goes on", "new program saxpy: launch 2, number 2 of kernel saxpy"},
			{"start", "signal 5 in launch 2"}, {"start", exits}}, "", 6},
	{"an interrupt then", setting{stops: []int{1}}, "awaa",
		[]line{{"non-stop", ""}, {"start until the program waits", ""},
			{"interrupt, and the program goes on", "new program saxpy: launch 2, number 2 of kernel saxpy"},
			{"start", "signal 5 in launch 2"}, {"start", exits}}, "", 6},
	{"nothing then", setting{stops: []int{1}}, "awaa",
		[]line{{"non-stop", ""}, {"start until the program waits", ""},
			{"the program goes on", exits}}, "", 6},
	{"back", setting{stops: []int{3}, history: history}, "aba", []line{{"non-stop", ""}, {"watch", ""},
		{"monitor back", "continue -a goes there, and does nothing else"},
		{"start", "new program reduction: launch 2, number 1 of kernel reduction"},
		{"start", "new program saxpy: launch 1, number 1 of kernel saxpy"},
		{"monitor back", "continue -a goes there, and does nothing else"},
		{"start", "signal 5 at the beginning in launch 1"}, {"start", "new program reduction"},
		{"start", "new program saxpy: launch 2, number 1 of kernel reduction: " +
			"launch 3, number 2 of kernel saxpy"},
		{"start", "signal 5 in launch 3"}, {"start", exits}}, "", sums},
	{"from the end of the program", setting{stops: []int{1}, history: history, atEnd: true}, "a",
		[]line{{"non-stop", ""}, {"watch", ""}, {"start", "signal 5 by a watchpoint in launch 1"},
			{"start", "new program saxpy: " + ended + ": launch 1, number 1 of kernel saxpy"},
			{"start", "signal 0 in launch 1"},
			{"start", exits}}, "", 2},
	{"the program goes", setting{stops: []int{1}}, "a.",
		[]line{{"non-stop", ""}, {"the program goes", "busy false"}, {"start", exits}}, "", anything},
	{"a fault", setting{stops: []int{1}}, "f",
		[]line{{"non-stop", ""}, {"start", "signal 11 in launch 1: the kernel faulted: unmapped address"},
			{"continue with its signal", exits}}, "launch 1 faults", 0},
}

// checked are dialogues in which races are looked for.
var checked = []dialogue{
	{"before gdb is there", setting{kinds: check.Race}, "r",
		[]line{{"continue", "signal 5 in launch 1: check race: data race"}, {"continue", exits}},
		"launch 1: race, shown false; launch 1: race, shown true", 0},
	{"when gdb is there", setting{stops: []int{1}, kinds: check.Race}, "ar",
		[]line{{"continue", "new program tile_race"},
			{"continue", "signal 5 in launch 2: check race: data race"}, {"continue each time", exits}},
		"launch 2: race, shown true; launch 2: race, shown true", 0},
	{"again in the past", setting{stops: []int{2}, kinds: check.Race, history: history}, "ra",
		[]line{{"continue each time", "new program saxpy: launch 2, number 1 of kernel saxpy"},
			{"continue", "signal 5 in launch 2"},
			{"back", "new program tile_race: check race: data race: launch 1, number 1 of kernel tile_race"},
			{"continue", "signal 5 in launch 1"},
			{"continue", "new program saxpy: launch 2, number 1 of kernel saxpy"},
			{"continue", "signal 5 in launch 2"}, {"continue", exits}},
		"launch 1: race, shown false; launch 1: race, shown true; launch 1 again", 2},
}

func TestNonStop(t *testing.T) {
	for _, d := range inNonStop {
		t.Run(d.name, d.run)
	}
}

func TestBackward(t *testing.T) {
	for _, d := range backward {
		t.Run(d.name, d.run)
	}
}

func TestChecked(t *testing.T) {
	for _, d := range checked {
		t.Run(d.name, d.run)
	}
}
