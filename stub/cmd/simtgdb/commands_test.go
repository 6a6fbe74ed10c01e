package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples runs the examples that --help shows, in a shell at the top of the
// repository. Those of serve get a client that detaches.
func TestExamples(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]command{commands(), dwarfCommands()} {
		for _, c := range list {
			if len(c.examples) == 0 && c.name != "dwarf" {
				t.Errorf("%s has no examples", c.name)
			}
			for _, e := range c.examples {
				line := e
				if c.name == "serve" || c.name == "replay" {
					line, _, _ = strings.Cut(line, " --listen ")
					line += " --stdio"
				}
				cmd := exec.Command("sh", "-c", "simtgdb() { \"$SELF\" \"$@\"; }\n"+line)
				cmd.Dir = filepath.Join("..", "..", "..")
				cmd.Env = append(os.Environ(), asProgram+"=1", "SELF="+self)
				cmd.Stdin = strings.NewReader("$D#44")
				var errs bytes.Buffer
				cmd.Stderr = &errs
				out, err := cmd.Output()
				if err != nil || len(out)+errs.Len() == 0 && c.name != "run" && c.name != "serve" && c.name != "replay" {
					t.Errorf("%s\n%v, %d bytes of output, %s", e, err, len(out), &errs)
				}
			}
		}
	}
}

// TestHelp: help COMMAND is the command's --help, which shows its own flags and
// arguments.
func TestHelp(t *testing.T) {
	for _, test := range []struct {
		args []string
		want []string
		not  string
	}{
		{[]string{"run"}, []string{"usage: simtgdb run [flags] [FILE]\nrun a kernel", "-stats",
			"examples:\n"}, "-mcpu"},
		{[]string{"disasm"},
			[]string{"usage: simtgdb disasm [flags] FILE\n", "-mcpu NAME", "-function NAME"}, "-grid"},
		{[]string{"gdbscript"}, []string{"usage: simtgdb gdbscript\n"}, "flags:"},
		{[]string{"dwarf"}, []string{"usage: simtgdb dwarf COMMAND", "simtgdb dwarf dump [flags] FILE"},
			"-launch"},
		{[]string{"dwarf", "eval"}, []string{"usage: simtgdb dwarf eval [flags] FILE.json\n", "-explain"},
			"-line"},
	} {
		one := simtgdb(t, append([]string{"help"}, test.args...)...)
		other := simtgdb(t, append(test.args, "--help")...)
		if one != other || one.status != statusDone || one.err != "" {
			t.Errorf("help %v: %+v, --help %+v", test.args, one, other)
		}
		for _, want := range test.want {
			if !strings.Contains(one.out, want) {
				t.Errorf("help %v does not say %q:\n%s", test.args, want, one.out)
			}
		}
		if strings.Contains(one.out, test.not) {
			t.Errorf("help %v says %q", test.args, test.not)
		}
	}
	if r := simtgdb(t, "help", "fly"); r.status != statusInput ||
		!strings.HasPrefix(r.err, "simtgdb: unknown command \"fly\"\n") {
		t.Errorf("help fly: %+v", r)
	}
}

func TestVersion(t *testing.T) {
	for _, word := range []string{"--version", "version"} {
		r := simtgdb(t, word)
		if r.status != statusDone || !strings.HasPrefix(r.out, "simtgdb ") || strings.Count(r.out, "\n") != 1 ||
			!strings.Contains(r.out, "go1.") {
			t.Errorf("%s: %+v", word, r)
		}
	}
}
