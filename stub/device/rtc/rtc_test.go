package rtc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/stub/device/buildcache"
)

// TestWrite: the source, its headers and the compiler's own files lie where they are looked for, and a name
// never leads out of the folder.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name   string // of the source
		header string
		keep   bool
		want   string // paths in the folder, and the contents of the source; or the error
	}{
		{"kernel.cu", "a/b.h", false, "include/a/b.h kernel.cu own"},
		{"/tmp/here/kernel.cu", "b.h", false, "include/b.h kernel.cu own"},
		{"../../kernel.cu", "b.h", false, "include/b.h kernel.cu own"},
		{"", "b.h", false, "default.cu include/b.h own"},
		{"..", "b.h", false, "default.cu include/b.h own"},
		{"/", "b.h", false, "default.cu include/b.h own"},
		{"kernel.cu", "b.h", true, "include/b.h kept/2d711642b726/kernel.cu own"}, // SHA-256 of "x"
		{"kernel.cu", "../b.h", false, `a header cannot be called "../b.h"`},
		{"kernel.cu", "/b.h", false, `a header cannot be called "/b.h"`},
	} {
		dir := t.TempDir()
		s := Source{Name: c.name, Default: "default.cu", Text: []byte("x"), Behind: []byte("\ny"),
			Headers: map[string][]byte{c.header: []byte("h")}}
		if c.keep {
			s.Keep = filepath.Join(dir, "kept")
		}
		source, err := s.Write(dir, map[string][]byte{filepath.Join(dir, "own"): []byte("own")})
		if err != nil {
			if err.Error() != c.want {
				t.Errorf("%q with %q: %v, want %s", c.name, c.header, err, c.want)
			}
			continue
		}
		var all []string
		if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if name, _ := filepath.Rel(dir, path); !d.IsDir() {
				all = append(all, name)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%q with %q: %s, want %s", c.name, c.header, got, c.want)
		}
		if text, err := os.ReadFile(source); string(text) != "x\ny" {
			t.Errorf("%q: the source is %q, %v", c.name, text, err)
		}
	}
}

// compilers are scripts that stand for a compiler, whose last argument is the file to make.
var compilers = map[string]string{
	"tells": `for to; do :; done; echo "$*" > "$to"`,
	"refuses": `case "$*" in *spare*) echo "x.cu:1: error: spared"; exit 1;; esac; for to; do :; done; ` +
		`echo all > "$to"; echo "with all"`,
	"fails":         `echo >> "$(dirname "$0")/runs"; echo "error in $(dirname "$1")/x.cu"; exit 1`,
	"says":          `head -c 2000000 /dev/zero | tr '\0' a; for to; do :; done; : > "$to"`,
	"makes nothing": `:`,
}

// TestRun: what the compiler makes is the file, what it says the log, in which the source's folder is not
// named. A source that has errors where headers are spared is compiled with all of them.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		compiler string
		sparing  []string
		file     string
		log      string
		err      error
	}{
		{"tells", nil, "one x.cu -o out\n", "", nil},
		{"tells", []string{"spare"}, "one spare x.cu -o out\n", "", nil},
		{"refuses", []string{"spare"}, "all\n", "with all\n", nil},
		{"fails", nil, "", "error in ./x.cu\n", nil},
		{"fails", []string{"spare"}, "", "error in ./x.cu\n", nil},
		{"says", nil, "", strings.Repeat("a", 1<<20), nil},
		{"makes nothing", nil, "", "", os.ErrNotExist},
		{"is not there", nil, "", "", os.ErrNotExist},
	} {
		dir := t.TempDir()
		compiler := filepath.Join(dir, "compiler")
		if script, ok := compilers[c.compiler]; ok {
			if err := os.WriteFile(compiler, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		command := Command{Compiler: compiler, Arguments: []string{"one"}, Sparing: c.sparing}
		file, log, err := command.Run(context.Background(), dir, filepath.Join(dir, "x.cu"))
		if runs, _ := os.ReadFile(filepath.Join(dir, "runs")); c.compiler == "fails" &&
			(file != nil || len(runs) != 1+len(c.sparing)) {
			t.Errorf("%s %q: %d runs, a file %v", c.compiler, c.sparing, len(runs), file != nil)
		}
		text := strings.ReplaceAll(string(file), dir+"/", "")
		if text != c.file || log != c.log || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s %q: %q, %d bytes in the log, %.60q, %v", c.compiler, c.sparing, text, len(log), log,
				err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := Command{Compiler: "/bin/true"}
	if _, _, err := c.Run(ctx, t.TempDir(), "x.cu"); err == nil {
		t.Error("one that was not to run any more gives no error")
	}
}

// TestNamed: names are what the probes point at, in their order; one that points at nothing is told of by its
// number.
func TestNamed(t *testing.T) {
	want := "\nextern \"C\" __attribute__((used)) __device__ const void *__simtgdb_name_0 = " +
		"(const void *)&f<int>;\n" +
		"extern \"C\" __attribute__((used)) __device__ const void *__simtgdb_name_1 = " +
		"(const void *)&n::v;\n"
	if d := cmp.Diff(want, string(Probes([]string{" &f<int> ", "n::v"}))); d != "" {
		t.Error(d)
	}
	points := regexp.MustCompile(`(?m)^__simtgdb_name_(\d+) = (\S+)$`)
	for _, c := range []struct {
		text string
		n    int
		want []string
		err  error
	}{
		{"__simtgdb_name_1 = v\n__simtgdb_name_0 = \"f\"\n", 2, []string{"f", "v"}, nil},
		{"__simtgdb_name_0 = f\n__simtgdb_name_2 = beyond\n", 2, nil, Unnamed(1)},
		{"__simtgdb_name_99999999999999999999 = f\n", 1, nil, Unnamed(0)},
		{"", 0, []string{}, nil},
	} {
		if got, err := Named([]byte(c.text), points, c.n); !slices.Equal(got, c.want) ||
			fmt.Sprint(err) != fmt.Sprint(c.err) {
			t.Errorf("%q: %q, %v, want %q, %v", c.text, got, err, c.want, c.err)
		}
	}
}

// TestKeep: what was compiled is there again while the headers that it read are the same, and nothing is kept
// without a key.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	header := filepath.Join(dir, "elsewhere.h")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(header, "1")
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	cache := &buildcache.Cache{Dir: filepath.Join(dir, "cache")}
	k := Keep(cache, nil, buildcache.NewKey("test"))
	args := k.Arguments(work)
	at := slices.Index(args, "-dependency-file")
	if at < 0 || len(args) <= at+2 {
		t.Fatalf("clang is given %q", args)
	}
	k.Put(work, []byte("file"), "log") // the compiler has not said what it has read
	if k.Entry() != nil {
		t.Error("kept though nobody knows what it was made of")
	}
	write(args[at+2], "it: "+header+"\n")
	k.Put(work, []byte("file"), "log")
	if e := k.Entry(); e == nil || string(e.File) != "file" || e.Log != "log" {
		t.Errorf("kept is %+v", e)
	}
	write(header, "2")
	if e := k.Entry(); e != nil {
		t.Error("kept though a header has changed")
	}
	k = Keep(cache, nil, nil)
	k.Put(work, []byte("file"), "log")
	if k.Entry() != nil || k.Arguments(work) != nil {
		t.Error("kept without a key")
	}
}
