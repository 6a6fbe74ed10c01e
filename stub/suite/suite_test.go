package suite

import (
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.gdb": "", "a.txt": "", "alone.gdb": "",
		"sub/b.json": `{"code_object": "x", "args": [{"expect": 1}]}`,
		"none.json":  `{"code_object": "x"}`, "other.json": `{"expect": 1}`, "bad.json": `{"code_object": `,
		".git/c.json": `{"code_object": "x", "expect": 1}`,
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a, alone := Case{filepath.Join(folder, "a.gdb"), Script}, Case{filepath.Join(folder, "alone.gdb"), Script}
	b := Case{filepath.Join(folder, "sub/b.json"), Launch}
	for _, c := range []struct {
		all  bool
		want []Case
	}{{false, []Case{a, b}}, {true, []Case{a, alone, b}}} {
		if got, err := Find([]string{folder, b.Name}, c.all); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("all %v: %v, %v, want %v", c.all, got, err, c.want)
		}
	}
	if _, err := Find([]string{filepath.Join(folder, "nothing")}, false); err == nil {
		t.Error("a folder that is not there was searched")
	}
}

// TestTranscriptOf: of the transcripts that a script has for later gdbs, the latest that is not too late
// holds.
func TestTranscriptOf(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.txt", "a.gdb15.txt", "a.gdb17.txt", "a.gdbx.txt", "a.gdb18.log",
		"ab.gdb13.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := Case{filepath.Join(folder, "a.gdb"), Script}
	for version, want := range map[int]string{0: "a.txt", 13: "a.txt", 15: "a.gdb15.txt", 16: "a.gdb15.txt",
		17: "a.gdb17.txt", 18: "a.gdb17.txt"} {
		if got := filepath.Base(c.TranscriptOf(version)); got != want {
			t.Errorf("gdb %d: %s, want %s", version, got, want)
		}
	}
}

// TestShards: the parts of all machines are all cases, each once, however they are named.
func TestShards(t *testing.T) {
	all := []Case{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}}
	seen := map[string]int{}
	for _, text := range []string{"1/3", "2/3", "3/3"} {
		s, err := ParseShard(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Of(all) {
			seen[c.Name]++
		}
	}
	for _, c := range all {
		if seen[c.Name] != 1 {
			t.Errorf("%s is in %d parts", c.Name, seen[c.Name])
		}
	}
	for _, text := range []string{"", "1", "0/3", "4/3", "1/0", "-1/3", "1/3x", "a/b"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
	for _, c := range []struct {
		env  string
		want Shard
		ok   bool
	}{
		{"", Shard{0, 1}, true},
		{"TEST_SHARD_INDEX=2 TEST_TOTAL_SHARDS=4", Shard{2, 4}, true},
		{"TEST_SHARD_INDEX=4 TEST_TOTAL_SHARDS=4", Shard{}, false},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=3", Shard{2, 3}, true},
		{"SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=3", Shard{}, false},
	} {
		env := map[string]string{}
		for _, word := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(word, "=")
			env[name] = value
		}
		if got, err := ShardOf(func(name string) string { return env[name] }); got != c.want ||
			err == nil != c.ok {
			t.Errorf("%s: %v, %v, want %v", c.env, got, err, c.want)
		}
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ want, got, difference string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", "-b\n+x\n"},
		{"a\nb\nc\n", "a\nc\n", "-b\n"},
		{"a\nc\n", "a\nb\nc\n", "+b\n"},
		{"a\nb\nc\nd\ne\n", "b\nc\nx\nd\n", "-a\n+x\n-e\n"},
		{"", "a\n", "+a\n"},
		{"No threads matched.\n", "No threads match '6'.\n", ""}, // gdb 17 and those before
	} {
		if got := Difference(c.want, c.got); got != c.difference {
			t.Errorf("%q and %q: %q, want %q", c.want, c.got, got, c.difference)
		}
	}
	long := strings.Repeat("x\n", 100)
	if got := Difference(long, ""); !strings.HasSuffix(got, "and 40 more lines\n") {
		t.Errorf("%q", got)
	}
}

// results are some, with names and texts that the forms have to escape.
var results = []Result{
	{Case: Case{Name: "a/b.json"}, Took: 1500 * time.Millisecond},
	{Case: Case{Name: "c #1.gdb", Kind: Script}, Failure: "it <differs>\nmore", Output: "-a\n+\x01]]>b\n"},
}

func TestJUnit(t *testing.T) {
	var b strings.Builder
	if err := WriteJUnit(&b, results); err != nil {
		t.Fatal(err)
	}
	var s struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Class   string `xml:"classname,attr"`
			Name    string `xml:"name,attr"`
			Time    string `xml:"time,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &s); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	if s.Tests != 2 || s.Failures != 1 || len(s.Cases) != 2 || s.Cases[0].Class != "a" ||
		s.Cases[0].Name != "b.json" || s.Cases[0].Time != "1.500" || s.Cases[0].Failure != nil ||
		s.Cases[1].Failure == nil || s.Cases[1].Failure.Message != "it <differs>\nmore" ||
		s.Cases[1].Failure.Text != "-a\n+\ufffd]]>b\n" {
		t.Errorf("%+v\n%s", s, &b)
	}
}

func TestTAP(t *testing.T) {
	var b strings.Builder
	if err := WriteTAP(&b, results); err != nil {
		t.Fatal(err)
	}
	want := "TAP version 13\n1..2\nok 1 - a/b.json\nnot ok 2 - c \\#1.gdb\n# it <differs> more\n# -a\n# + " +
		"]]>b\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// TestRunner runs programs in the place of simtgdb and gdb: results come in order, a slow one is given up.
func TestRunner(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "program")
	script := "#!/bin/sh\nfor f; do :; done\ncase $f in *slow*) exec sleep 60;; *bad*) echo 'simtgdb run: " +
		"no'; exit 1;; esac\n"
	if err := os.WriteFile(program, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	cases := []Case{{Name: "slow"}, {Name: "bad"}, {Name: "good"}}
	var told []int
	r := Runner{Program: program, Jobs: 3, Timeout: time.Second,
		Done: func(n int, _ Result) { told = append(told, n) }}
	got := r.Run(context.Background(), cases)
	for i, want := range []string{"not done after 1s", "no", ""} {
		if got[i].Failure != want || got[i].Name != cases[i].Name {
			t.Errorf("%+v, want %q", got[i], want)
		}
	}
	if !reflect.DeepEqual(told, []int{0, 1, 2}) || Failed(got) != 2 {
		t.Errorf("told %v, %d failed", told, Failed(got))
	}
}
