package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/simt/vec"
)

// TestExamples runs the examples that --help shows, in a shell at the top of the
// repository. Those of serve get a client that detaches.
func TestExamples(t *testing.T) {
	cache, _ := libraries()
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
				cmd.Env = append(os.Environ(), asProgram+"=1", "SELF="+programFile(t), "XDG_CACHE_HOME="+cache)
				cmd.Stdin = strings.NewReader("$D#44")
				var errs bytes.Buffer
				cmd.Stderr = &errs
				out, err := cmd.Output()
				if err != nil || len(out)+errs.Len() == 0 && c.name != "run" && c.name != "serve" &&
					c.name != "replay" {
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
	for _, word := range versionWords {
		r := simtgdb(t, word)
		if r.status != statusDone || !strings.HasPrefix(r.out, "simtgdb ") ||
			strings.Count(r.out, "\n") != 1 || !strings.Contains(r.out, "go1.") ||
			!strings.Contains(r.out, vec.Current().String()) {
			t.Errorf("%s: %+v", word, r)
		}
	}
}

// TestMistyped: a word that is no command and no flag is answered by what may have been meant, in one line.
func TestMistyped(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	folder := t.TempDir()
	source := filepath.Join(folder, "k.hip")
	if err := os.WriteFile(source, []byte("// nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "program")
	if err := os.Symlink(programFile(t), program); err != nil {
		t.Fatal(err)
	}
	const flags, own = " --help lists the flags)",
		"gdb's own flags stand behind the others, as simtgdb gdb FILE -- -"
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"rn", source},
			`simtgdb: unknown command "rn"; did you mean simtgdb run? (simtgdb help lists the commands)`},
		{[]string{"help", "prof"}, `simtgdb: unknown command "prof"; did you mean simtgdb profile? (`},
		{[]string{"dwarf", "dmp"},
			`simtgdb dwarf: unknown command "dmp"; did you mean simtgdb dwarf dump? (`},
		{[]string{"--demo"},
			`simtgdb: unknown command "--demo"; flags stand behind a command, as simtgdb run --demo (`},
		{[]string{source}, ", but a file: simtgdb gdb " + source + " debugs it, simtgdb run " + source +
			" runs it"},
		{[]string{object("vecadd", "gfx90a", "O0")}, ", but a file: simtgdb gdb "},
		{[]string{launchFile("vecadd")}, ", but a file: simtgdb gdb --launch "},
		{[]string{program}, ", but a program: simtgdb exec -- " + program + " runs it"},
		{[]string{"run", "--gird", "1"}, "-gird (did you mean --grid? simtgdb run" + flags},
		{[]string{"run", "--work", "1"}, "-work (did you mean --workers? simtgdb run" + flags},
		{[]string{"run", "--fly"}, "-fly (simtgdb run" + flags},
		{[]string{"gdb", "-batch", "k.co"}, "-batch (" + own + "batch; simtgdb gdb" + flags},
		{[]string{"exec", source}, "simtgdb run " + source + " runs a kernel in it"},
	} {
		r := simtgdbHere(test.args...)
		if r.status != statusInput || !strings.Contains(r.err, test.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v, want %s", test.args, r, test.want)
		}
	}
	if !isEmpty(t, cache) {
		t.Error("libraries are made for a program that there is not")
	}
	// It says more than the process of the tests does where these start what was built.
	said := simtgdbAlone(t, "version").out
	if r := simtgdb(t, "gdb", "--version"); r.status != statusDone ||
		!strings.HasPrefix(r.out, said+"GNU gdb ") {
		t.Errorf("gdb --version: %+v", r)
	}
	for _, test := range []struct{ a, b string }{{"grid", "gird"}, {"grid", "gri"}, {"grid", "grind"},
		{"grid", "grad"}} {
		if distance(test.a, test.b) != 1 || distance(test.b, test.a) != 1 || distance(test.a, test.a) != 0 {
			t.Errorf("%s and %s: %d", test.a, test.b, distance(test.a, test.b))
		}
	}
}
