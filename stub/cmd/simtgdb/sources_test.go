package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
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
	status := sourcesCommand([]string{"--out", t.TempDir(),
		filepath.Join(root, "testdata/spirv/cl_sum.cl.spv")}, stdio{strings.NewReader(""), &out, &errs})
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

// TestSourceServerHosts: a page whose name leads to this machine gets no sources.
func TestSourceServerHosts(t *testing.T) {
	s := httptest.NewServer(&sourceServer{files: map[string][]byte{"/a.cl": []byte("text\n")},
		ids: func() []byte { return []byte{1} }})
	defer s.Close()
	for host, want := range map[string]int{"": http.StatusOK, "localhost:80": http.StatusOK,
		"[::1]:80": http.StatusOK, "evil.example": http.StatusForbidden,
		"127.0.0.1.evil.example:80": http.StatusForbidden, "192.0.2.1": http.StatusForbidden} {
		q, err := http.NewRequest(http.MethodGet, s.URL+"/buildid/01/source/a.cl", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = host
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("host %q: %d, want %d", host, r.StatusCode, want)
		}
	}
}

// TestSourceServerFiles: the text of a program that has none inside, as HIP's, is that of the file, which
// only the server needs to see.
func TestSourceServerFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "k.hip")
	if err := os.WriteFile(name, []byte("// a kernel\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(&sourceServer{files: map[string][]byte{filepath.ToSlash(name): nil,
		"/nowhere/k.hip": nil}, ids: func() []byte { return []byte{1} }})
	defer s.Close()
	for path, want := range map[string]int{filepath.ToSlash(name): http.StatusOK,
		"/nowhere/k.hip": http.StatusNotFound, filepath.ToSlash(filepath.Dir(name)): http.StatusNotFound} {
		r, err := http.Get(s.URL + "/buildid/01/source" + path)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != want || want == http.StatusOK && string(b) != "// a kernel\n" {
			t.Errorf("%s: %d %q", path, r.StatusCode, b)
		}
	}
}

// TestDebuginfod: a gdb that has debuginfod lists the source of a shader that is nowhere but in the module.
func TestDebuginfod(t *testing.T) {
	eachDebugger(t, func(t *testing.T, gdb string) {
		out := debug(t, gdb, "show debuginfod enabled")
		if !strings.Contains(out, "Debuginfod functionality") ||
			strings.Contains(debug(t, gdb, "set debuginfod enabled on"), "not compiled") {
			t.Skipf("skipped: this gdb has no debuginfod: %s", out)
		}
		cmd := simtgdbCommand(t, "serve", "--listen", "127.0.0.1:0", "--sources", "--launch",
			filepath.Join(root, "testdata/spirv/launch/control.json"))
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		lines := bufio.NewReader(errs)
		url, address := "", ""
		for address == "" {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("url %q, %q: %v", url, line, err)
			}
			if m := regexp.MustCompile(`urls (http://\S+)`).FindStringSubmatch(line); m != nil {
				url = m[1]
			} else if words := strings.Fields(line); strings.HasPrefix(line, "Waiting for gdb") {
				address = words[len(words)-1]
			}
		}
		go io.Copy(io.Discard, errs)
		text, err := os.ReadFile(filepath.Join(root, "testdata/spirv/src/control.comp"))
		if err != nil {
			t.Fatal(err)
		}
		source := strings.Split(string(text), "\n")
		t.Setenv("DEBUGINFOD_CACHE_PATH", t.TempDir())
		out = debug(t, gdb, "set debuginfod urls "+url, "set debuginfod enabled on",
			"target remote "+address, "list 1,4", "info source")
		contains(t, out, "1\t"+source[0], "2\t"+source[1], "3\t"+source[2], "4\t"+source[3], "control.comp")
	})
}
