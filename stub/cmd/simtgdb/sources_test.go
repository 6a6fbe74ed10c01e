package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSources writes the source of a shader out of its module.
func TestSources(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(root, "testdata/spirv/src/control.comp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"control.Od.spv", "control.10.spv"} {
		dir := t.TempDir()
		var out, errs strings.Builder
		status := sourcesCommand([]string{"--out", dir, filepath.Join(root, "testdata/spirv", module)},
			stdio{strings.NewReader(""), &out, &errs})
		got, err := os.ReadFile(filepath.Join(dir, "control.comp"))
		if status != statusDone || err != nil || string(got) != string(want) {
			t.Errorf("%s: status %d, %v, %s%s", module, status, err, out.String(), errs.String())
		}
	}
	var out, errs strings.Builder
	status := sourcesCommand([]string{"--out", t.TempDir(), filepath.Join(root, "testdata/spirv/cl_sum.cl.spv")},
		stdio{strings.NewReader(""), &out, &errs})
	if status == statusDone || !strings.Contains(errs.String(), "has no text of its sources") {
		t.Errorf("a file without text: status %d, %s", status, errs.String())
	}
}

// TestSourceServer answers as debuginfod does, for files that the debug information names and no others.
func TestSourceServer(t *testing.T) {
	id := []byte{0xab, 0xcd}
	s := httptest.NewServer(&sourceServer{files: map[string][]byte{"/spirv/a.comp": []byte("text\n")},
		ids: func() []byte { return id }})
	defer s.Close()
	for path, want := range map[string]string{
		"/buildid/abcd/source/spirv/a.comp": "text\n", "/buildid/abce/source/spirv/a.comp": "",
		"/buildid/abcd/source/etc/passwd": "", "/buildid/abcd/source/spirv/../../etc/passwd": "",
		"/buildid/abcd/debuginfo": "",
	} {
		r, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if (r.StatusCode == http.StatusOK) != (want != "") || want != "" && string(b) != want {
			t.Errorf("%s: %d %q", path, r.StatusCode, b)
		}
	}
}
