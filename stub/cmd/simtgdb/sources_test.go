package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
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

// sourcesAt starts a server of sources for the build id 01, and says where it is.
func sourcesAt(t *testing.T, files map[string][]byte) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go (&sourceServer{files: files, ids: func() []byte { return []byte{1} }}).serve(ln)
	return ln.Addr().String()
}

// answerOf is what RFC 9112 has a server answer with: a line with the status, headers, and the text.
var answerOf = regexp.MustCompile(
	`(?s)^HTTP/1\.1 (\d{3}) [A-Za-z ]+\r\n((?:[A-Za-z-]+: [^\r\n]+\r\n)+)\r\n(.*)$`)

// asked sends a request, and takes the answer apart.
func asked(t *testing.T, address, request string) (status, text string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	m := answerOf.FindSubmatch(all)
	if m == nil {
		t.Fatalf("%q is answered by %q", request, all)
	}
	for _, header := range []string{fmt.Sprintf("Content-Length: %d\r\n", len(m[3])),
		"Connection: close\r\n"} {
		if !strings.Contains(string(m[2]), header) {
			t.Errorf("%q is answered without %q: %q", request, header, all)
		}
	}
	return string(m[1]), string(m[3])
}

// got asks for a path.
func got(t *testing.T, address, path string) (status, text string) {
	t.Helper()
	return asked(t, address, "GET "+path+" HTTP/1.1\r\nHost: "+address+"\r\nAccept: */*\r\n\r\n")
}

// TestSourceServer answers as debuginfod does, for files that the debug information names and no others.
func TestSourceServer(t *testing.T) {
	address := sourcesAt(t, map[string][]byte{"/spirv/a.comp": []byte("text\n"), "/b c": []byte("spaced")})
	for path, want := range map[string]string{
		"/buildid/01/source/spirv/a.comp": "text\n", "/buildid/02/source/spirv/a.comp": "",
		"/buildid/01/source/etc/passwd": "", "/buildid/01/source/spirv/../../etc/passwd": "",
		"/buildid/01/debuginfo": "", "/buildid/01/source/b%20c": "spaced",
		"/buildid/01/source/spirv/a.comp?x": "text\n",
	} {
		status, text := got(t, address, path)
		if want == "" && status != "404" || want != "" && (status != "200" || text != want) {
			t.Errorf("%s: %s %q", path, status, text)
		}
	}
}

// TestSourceServerRequests: what is no request gets a status that says so, and what is one, but not for a
// file's text, finds nothing.
func TestSourceServerRequests(t *testing.T) {
	address := sourcesAt(t, map[string][]byte{"/a.cl": []byte("text\n")})
	const path, host = "/buildid/01/source/a.cl", "Host: localhost\r\n\r\n"
	for request, want := range map[string]string{
		"GET " + path + " HTTP/1.0\r\n" + host:           "200",
		"POST " + path + " HTTP/1.1\r\n" + host:          "404",
		"HEAD " + path + " HTTP/1.1\r\n" + host:          "404",
		"\r\n\r\n":                                       "400",
		"GET " + path + "\r\n" + host:                    "400",
		"GET " + path + " HTTP/2\r\n" + host:             "400",
		"GET " + path + " more HTTP/1.1\r\n" + host:      "400",
		"GET a.cl HTTP/1.1\r\n" + host:                   "400",
		"GET /%zz HTTP/1.1\r\n" + host:                   "400",
		"GET " + path + " HTTP/1.1\r\nno header\r\n\r\n": "400",
		"GET /" + strings.Repeat("a", largestRequest-5):  "400",
		"GET " + path + " HTTP/1.1\r\n\r\n":              "403",
	} {
		if status, _ := asked(t, address, request); status != want {
			t.Errorf("%.60q: %s, want %s", request, status, want)
		}
	}
}

// TestSourceServerHosts: a page whose name leads to this machine gets no sources.
func TestSourceServerHosts(t *testing.T) {
	address := sourcesAt(t, map[string][]byte{"/a.cl": []byte("text\n")})
	for host, want := range map[string]string{address: "200", "localhost:80": "200", "[::1]:80": "200",
		"evil.example": "403", "127.0.0.1.evil.example:80": "403", "192.0.2.1": "403"} {
		status, _ := asked(t, address, "GET /buildid/01/source/a.cl HTTP/1.1\r\nHost: "+host+"\r\n\r\n")
		if status != want {
			t.Errorf("host %q: %s, want %s", host, status, want)
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
	address := sourcesAt(t, map[string][]byte{filepath.ToSlash(name): nil, "/nowhere/k.hip": nil})
	for path, want := range map[string]string{filepath.ToSlash(name): "200", "/nowhere/k.hip": "404",
		filepath.ToSlash(filepath.Dir(name)): "404"} {
		status, text := got(t, address, "/buildid/01/source"+path)
		if status != want || want == "200" && text != "// a kernel\n" {
			t.Errorf("%s: %s %q", path, status, text)
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
