package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const printing = "../../../testdata/printf/"

const helloText = `work-item 0: even and zero
work-item 1: odd 1
work-item 0: done
work-item 1: done
work-item 2: even and more
work-item 3: odd 3
work-item 2: done
work-item 3: done
`

// TestRunPrints: where what a kernel prints goes.
func TestRunPrints(t *testing.T) {
	hello := []string{"run", "--launch", printing + "launch/hello.json"}
	r := simtgdb(t, hello...)
	if r.status != statusDone || r.out != helloText || r.err != "" {
		t.Errorf("status %d, %q, %q", r.status, r.out, r.err)
	}

	file := filepath.Join(t.TempDir(), "texts")
	r = simtgdb(t, append(hello, "--printf", file)...)
	text, err := os.ReadFile(file)
	if err != nil || string(text) != helloText || r.out != "" || r.err != "" {
		t.Errorf("%q, %v, %q, %q", text, err, r.out, r.err)
	}

	r = simtgdb(t, append(hello, "--printf-prefix")...)
	const prefixed = "workgroup (1,0,0) wave 1 lane 1 work-item (1,0,0): work-item 3: odd 3\n"
	if strings.Count(r.out, "\n") != 8 || !strings.Contains(r.out, prefixed) {
		t.Errorf("%q, want a line %q", r.out, prefixed)
	}

	r = simtgdb(t, append(hello, "--printf", "no/such/file")...)
	if r.status != statusInput || r.err != "simtgdb run: open no/such/file: no such file or directory\n" {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	r = simtgdb(t, append(hello, "--printf", "/dev/full")...)
	if r.status != statusInput || strings.Count(r.err, "write what the kernel prints: ") != 1 {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}

// TestRunAsserts: the texts of an assertion come before the report of the trap,
// and the status is that of a kernel that has trapped.
func TestRunAsserts(t *testing.T) {
	r := simtgdb(t, "run", "--launch", printing+"launch/fails.json")
	const text = "fails.hip:34: assertion `in[i] < 100' failed\n"
	want := strings.Repeat(text, 28) + "simtgdb run: the kernel trapped"
	if r.status != statusFault || r.out != "" || !strings.HasPrefix(r.err, want) {
		t.Errorf("status %d, %q, %q", r.status, r.out, r.err)
	}
}

// TestRunWarns: an object whose printf is the library's stub, and calls that
// were dropped.
func TestRunWarns(t *testing.T) {
	r := simtgdb(t, "run", "--launch", printing+"launch/print_cl.json",
		"--code-object", printing+"co/stub_cl.gfx90a.O2.co")
	const warning = "warning: this object's printf is the library's stub"
	if r.status != statusDone || r.out != "" || !strings.Contains(r.err, warning) {
		t.Errorf("status %d, %q, %q", r.status, r.out, r.err)
	}
	r = simtgdb(t, "run", "--launch", printing+"launch/hello.json",
		"--code-object", printing+"co/hello_cl.gfx90a.O2.co", "--printf-buffer", "36")
	const dropped = "simtgdb run: printf: printf buffer: " +
		"6 of 8 calls were dropped: the buffer, 36 bytes, was full\n"
	if r.status != statusDone || r.out != "work-item 1: odd 1\nwork-item 0: done\n" || r.err != dropped {
		t.Errorf("status %d, %q, %q", r.status, r.out, r.err)
	}
}

// TestPrintingMI: front ends of gdb see the texts, before the stop.
func TestPrintingMI(t *testing.T) { inEach(t, printingMI) }

func printingMI(t *testing.T, debugger string) {
	c := converse(t, debugger, "--interpreter=mi2")
	c.say("-target-select remote | bin/simtgdb serve --stdio --launch testdata/printf/launch/hello.json",
		"-exec-continue")
	text := c.hear(`reason="exited-normally"[^\n]*`)
	c.say("-gdb-exit")
	var texts []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "@") || strings.HasPrefix(line, `*stopped,reason="exited`) {
			texts = append(texts, line)
		}
	}
	if len(texts) != 9 || texts[2] != `@"work-item 1: odd 1\n"` || !strings.HasPrefix(texts[8], "*stopped") {
		t.Errorf("%q\nin\n%s", texts, text)
	}
}
