package recording

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// small is a recording with something of everything.
func small(t testing.TB) []byte {
	t.Helper()
	r := &Recording{CPU: "x86-64", Resident: 32,
		Turns:   []Turn{{0, 256, 1}, {1, 1, 0}, {70, 1 << 40, 3}},
		Writes:  []Write{{0, 1, true, 0x7e0010000000, []byte{1, 2}}, {257, 65, false, 16, make([]byte, 8)}},
		Sources: map[string][]byte{"/a/k.cl": []byte("text"), "k.h": nil}}
	var b bytes.Buffer
	files := map[string][]byte{LaunchFile: []byte(`{"grid": [1]}`), "files/0-k.co": []byte("code")}
	if err := r.Write(&b, files); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRoundTrip: what is written is read.
func TestRoundTrip(t *testing.T) {
	data := small(t)
	r, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	want := &Recording{CPU: "x86-64", Resident: 32,
		Turns:   []Turn{{0, 256, 1}, {1, 1, 0}, {70, 1 << 40, 3}},
		Writes:  []Write{{0, 1, true, 0x7e0010000000, []byte{1, 2}}, {257, 65, false, 16, make([]byte, 8)}},
		Sources: map[string][]byte{"/a/k.cl": []byte("text"), "k.h": nil}}
	if d := cmp.Diff(want, r, cmpopts.IgnoreFields(Recording{}, "Files"), cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
	if code, err := fs.ReadFile(r.Files, "files/0-k.co"); err != nil || string(code) != "code" {
		t.Errorf("%q %v", code, err)
	}
	if !bytes.Equal(data, small(t)) {
		t.Error("the same recording is written in two ways")
	}
}

// archive makes an archive of entries, in order: name and contents.
func archive(t testing.TB, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err == nil {
			_, err = w.Write([]byte(entries[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// described makes a manifest that fits entries.
func described(format string, version, resident int, entries ...string) string {
	var list []string
	for i := 0; i < len(entries); i += 2 {
		e := entryOf([]byte(entries[i+1]))
		list = append(list, fmt.Sprintf(`%q: {"size": %d, "sha256": %q}`, entries[i], e.Size, e.SHA256))
	}
	return fmt.Sprintf(`{"format": %q, "version": %d, "cpu": "x86-64", "resident": %d, "entries": {%s}}`,
		format, version, resident, strings.Join(list, ", "))
}

// TestRefused: each damage is named.
func TestRefused(t *testing.T) {
	rest := []string{"launch.json", "{}", "turns", "\x00", "writes", "\x00"}
	whole := func(manifest string, more ...string) []byte {
		return archive(t, append(append([]string{"manifest.json", manifest}, rest...), more...)...)
	}
	good := described("simtgdb recording", 2, 32, rest...)
	if r, err := Read(whole(good)); err != nil || r.ByWaves {
		t.Fatal(r, err)
	}
	if r, err := Read(whole(described("simtgdb recording", 1, 32, rest...))); err != nil || !r.ByWaves {
		t.Fatal(r, err)
	}
	with := func(name, contents string) []byte {
		entries := append([]string(nil), rest...)
		for i := 0; i < len(entries); i += 2 {
			if entries[i] == name {
				entries[i+1] = contents
			}
		}
		return archive(t, append([]string{"manifest.json", described("simtgdb recording", 2, 32, entries...)},
			entries...)...)
	}
	for _, test := range []struct {
		data []byte
		want string
	}{
		{nil, "want a ZIP archive"},
		{append(whole(good), "junk"...), "something before or behind the archive"},
		{append([]byte("junk"), whole(good)...), "something before or behind the archive"},
		{whole(strings.Replace(good, `"entries"`, `"sources": {"k.cl": "turns2"}, "entries"`, 1)),
			`the source "k.cl" is no entry of sources/`},
		{archive(t), `no entry "manifest.json"`},
		{whole("{"), "manifest.json: "},
		{whole(described("other", 1, 32, rest...)), `the format is "other", want "simtgdb recording"`},
		{whole(described("simtgdb recording", 3, 32, rest...)),
			"version 3, this program reads versions 1 and 2"},
		{whole(described("simtgdb recording", 2, 0, rest...)), "0 resident waves"},
		{whole(good, "files/x", "y"), `the manifest does not have entry "files/x"`},
		{whole(good, "../x", "y"), `entry "../x" is no file of its own`},
		{whole(good, "turns", "\x00"), `entry "turns" is no file of its own`},
		{whole(strings.Replace(good, `"size": 2`, `"size": 3`, 1)),
			`entry "launch.json" is not what the manifest says`},
		{whole(strings.Replace(good, `"size": 2`, `"size": 1`, 1)),
			`entry "launch.json" has more than 1 bytes`},
		{whole(strings.Replace(good, `"size": 2`, `"size": 99999999999`, 1)), "more than 1073741824 bytes"},
		{whole(described("simtgdb recording", 2, 32, append(rest, "files/x", "")...)),
			`entry "files/x" is missing`},
		{whole(described("simtgdb recording", 2, 32, rest[2:]...)),
			`the manifest does not have entry "launch.json"`},
		{with("turns", "\x05"), `entry "turns", byte 0: the number is too large`},
		{with("turns", "\x01\x00\x00"), `entry "turns", byte 3: no number`},
		{with("turns", "\x00\x00"), `entry "turns", byte 1: there is more`},
		{with("turns", ""), `entry "turns", byte 0: no number`},
		{with("writes", "\x01\x00\x01\x02\x10\x00\x00"), `entry "writes", byte 3: the number is too large`},
		{with("writes", "\x01\x00\x01\x01\x10\x09\x00"), `entry "writes", byte 6: the entry ends too early`},
	} {
		_, err := Read(test.data)
		var typed *Error
		if err == nil || !errors.As(err, &typed) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// FuzzRead: no bytes make Read panic, and what is read can be written and is read the same.
func FuzzRead(f *testing.F) {
	f.Add(small(f))
	if demo, err := os.ReadFile("../../testdata/recording/demo.simtgdb"); err != nil {
		f.Error(err)
	} else {
		f.Add(demo)
	}
	f.Add(archive(f, "manifest.json", described("simtgdb recording", 1, 1, "launch.json", "{}")))
	f.Fuzz(func(t *testing.T, data []byte) {
		var typed *Error
		r, err := Read(data)
		if err != nil && !errors.As(err, &typed) {
			t.Fatalf("%v is no *Error", err)
		}
		if err != nil {
			return
		}
		launch, err := fs.ReadFile(r.Files, LaunchFile)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := r.Write(&b, map[string][]byte{LaunchFile: launch}); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, again, cmpopts.IgnoreFields(Recording{}, "Files"),
			cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	})
}

// FuzzLog: the entries by themselves, which checksums keep FuzzRead from changing.
func FuzzLog(f *testing.F) {
	f.Add(appendTurns(nil, []Turn{{0, 256, 1}, {1, 1, 0}}))
	f.Add(appendWrites(nil, []Write{{5, 1, true, 16, []byte{1}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if turns, err := readTurns(data); err == nil {
			again, err := readTurns(appendTurns(nil, turns))
			if d := cmp.Diff(turns, again, cmpopts.EquateEmpty()); d != "" || err != nil {
				t.Error(d, err)
			}
		}
		if writes, err := readWrites(data); err == nil {
			again, err := readWrites(appendWrites(nil, writes))
			if d := cmp.Diff(writes, again, cmpopts.EquateEmpty()); d != "" || err != nil {
				t.Error(d, err)
			}
		}
	})
}
