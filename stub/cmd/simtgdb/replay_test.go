package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/stub/recording"
)

// TestRecord: the recording of a session in gdb is the one in testdata, to the byte.
func TestRecord(t *testing.T) {
	program(t)
	script := filepath.Join(root, "testdata", "recording", "record.gdb")
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	record := filepath.Join(dir, "demo.simtgdb")
	script = filepath.Join(dir, "record.gdb")
	if err := os.WriteFile(script, bytes.ReplaceAll(text, []byte("RECORDING"), []byte(record)),
		0o666); err != nil {
		t.Fatal(err)
	}
	out := runScript(t, "gdb", script)
	got, err := os.ReadFile(record)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	committed := filepath.Join(root, "testdata", "recording", "demo.simtgdb")
	if *update {
		if err := os.WriteFile(committed, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(committed)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d (%v)\n%s", len(got), len(want), err, out)
	}
	r, err := recording.Read(got)
	if err != nil || len(r.Turns) < 5 || len(r.Writes) != 2 || r.CPU != "x86-64" || r.Resident != 32 {
		t.Errorf("%v: %d turns, %d writes, %s, %d", err, len(r.Turns), len(r.Writes), r.CPU, r.Resident)
	}
}

// TestReplayInput: what is no recording is refused in one line.
func TestReplayInput(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(root, "testdata", "recording", "demo.simtgdb"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	damaged := bytes.Clone(good)
	damaged[len(damaged)/3] ^= 0x40
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "want one FILE"},
		{[]string{"a", "b"}, "want one FILE"},
		{[]string{filepath.Join(dir, "none")}, "no such file"},
		{[]string{write("text", []byte("hello"))},
			"want a ZIP archive that simtgdb serve --record has written"},
		{[]string{write("cut", good[:len(good)/2])}, "want a ZIP archive"},
		{[]string{write("damaged", damaged)}, "recording: "},
		{[]string{"--history", "off", write("good", good)}, "--history off"},
		{[]string{"--history", "3", write("good", good)}, "no size from 1MiB on"},
	} {
		r := simtgdbHere(append([]string{"replay"}, test.args...)...)
		if r.status != statusInput || !strings.Contains(r.err, test.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", test.args, r, test.want)
		}
	}
	if r := simtgdb(t, "serve", "--stdio", "--demo", "--history", "off", "--record",
		filepath.Join(dir, "r")); r.status != statusInput {
		t.Errorf("--history off --record: %+v", r)
	}
}

// TestRecordThroughLink: what is no regular file is written, not replaced.
func TestRecordThroughLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o666), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	simtgdb(t, "serve", "--stdio", "--demo", "--record", link)
	if to, err := os.Readlink(link); to != file {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recording.Read(got); err != nil {
		t.Error(err)
	}
}

// TestSize reads sizes.
func TestSize(t *testing.T) {
	for _, test := range []struct {
		text string
		want string
	}{{"on", "1GiB"}, {"off", "off"}, {"64MiB", "64MiB"}, {"2G", "2GiB"}, {"1536K", "1536KiB"},
		{"2097152", "2MiB"},
		{"1048577", "1048577"}, {"5", ""}, {"", ""}, {"-1MiB", ""}, {"99999999999GiB", ""}, {"1MB", ""},
		{"true", ""}} {
		var s size
		err := s.Set(test.text)
		if err != nil && test.want != "" || err == nil && s.String() != test.want {
			t.Errorf("%q: %s %v, want %q", test.text, s.String(), err, test.want)
		}
	}
}
