package debuginfod

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ask sends a request, and gives the answer as RFC 9112 has it: the status, and what stands behind the
// header, which is as long as the header says.
func ask(t *testing.T, s *Server, request string) (status, body string) {
	t.Helper()
	var out strings.Builder
	s.answer(strings.NewReader(request), &out)
	head, body, ok := strings.Cut(out.String(), "\r\n\r\n")
	line, rest, ok2 := strings.Cut(head, "\r\n")
	version, status, ok3 := strings.Cut(line, " ")
	if !ok || !ok2 || !ok3 || version != "HTTP/1.1" {
		t.Fatalf("%q: answered %q", request, out.String())
	}
	for field := range strings.SplitSeq(rest, "\r\n") {
		if !fieldLine.MatchString(field) {
			t.Errorf("%q: the answer has the line %q", request, field)
		}
	}
	if !strings.Contains(head, fmt.Sprintf("\r\nContent-Length: %d\r\n", len(body))) {
		t.Errorf("%q: answered %q, the body has %d bytes", request, head, len(body))
	}
	return status, body
}

// fieldLine is a line of a header: a name, and a value without control characters.
var fieldLine = regexp.MustCompile(`^[A-Za-z-]+: [ -~]+$`)

// one is a build id of one byte.
func one() []byte { return []byte{1} }

// get is a request for a path as gdb sends it.
func get(path string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nUser-Agent: elfutils/0.188\r\n" +
		"Accept: */*\r\n\r\n"
}

// TestFiles answers as debuginfod does, for files that the debug information names and no others.
func TestFiles(t *testing.T) {
	s := &Server{ID: func() []byte { return []byte{0xab, 0xcd} },
		Files: map[string][]byte{"/spirv/a.comp": []byte("text\n"), "/spirv/a b+%.comp": []byte("odd\n")}}
	for path, want := range map[string]string{
		"/buildid/abcd/source/spirv/a.comp": "text\n", "/buildid/abce/source/spirv/a.comp": "",
		"/buildid/abcd/source%2Fspirv%2fa%20b+%25.comp": "odd\n", "/buildid/abcd/source/etc/passwd": "",
		"/buildid/abcd/source/spirv/../../etc/passwd":  "",
		"/buildid/abcd/debuginfo":                      "",
		"//127.0.0.1/buildid/abcd/source/spirv/a.comp": "",
	} {
		status, body := ask(t, s, get(path))
		if want != "" && (status != "200 OK" || body != want) || want == "" && status != "404 Not Found" {
			t.Errorf("%s: %s %q", path, status, body)
		}
	}
}

// TestHosts: a page whose name leads to this machine gets no sources.
func TestHosts(t *testing.T) {
	s := &Server{ID: one, Files: map[string][]byte{"/a.cl": []byte("text\n")}}
	for host, want := range map[string]string{"127.0.0.1": "200 OK", "localhost:80": "200 OK",
		"[::1]:80": "200 OK", "evil.example": "403 Forbidden", "": "403 Forbidden",
		"127.0.0.1.evil.example:80": "403 Forbidden", "192.0.2.1": "403 Forbidden"} {
		status, body := ask(t, s, "GET /buildid/01/source/a.cl HTTP/1.1\r\nhost:"+host+"\r\n\r\n")
		if status != want || strings.Contains(body, "text") != (want == "200 OK") {
			t.Errorf("host %q: %s %q, want %s", host, status, body, want)
		}
	}
}

// TestTextOfFiles: the text of a program that has none inside, as HIP's, is that of the file, which only the
// server needs to see.
func TestTextOfFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "k.hip")
	if err := os.WriteFile(name, []byte("// a kernel\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &Server{ID: one, Files: map[string][]byte{filepath.ToSlash(name): nil, "/nowhere/k.hip": nil}}
	for path, want := range map[string]string{filepath.ToSlash(name): "200 OK",
		"/nowhere/k.hip": "404 Not Found", filepath.ToSlash(filepath.Dir(name)): "404 Not Found"} {
		status, body := ask(t, s, get("/buildid/01/source"+path))
		if status != want || want == "200 OK" && body != "// a kernel\n" {
			t.Errorf("%s: %s %q", path, status, body)
		}
	}
}

// malformedRequests are no requests for a file, and what is said of them.
var malformedRequests = []struct{ request, status string }{
	{"", malformed},
	{"\r\n\r\n", malformed},
	{"GET /\r\nHost: localhost\r\n\r\n", malformed},
	{"GET / HTTP/2\r\nHost: localhost\r\n\r\n", malformed},
	{"GET / HTTP/1.1\r\n\r\n", malformed},
	{"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", malformed},
	{"GET / HTTP/1.1\r\nHost: localhost\r\n", malformed},
	{"GET / HTTP/1.1\r\nHost localhost\r\n\r\n", malformed},
	{"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", malformed},
	{"GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", malformed},
	{"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", malformed},
	{"GET / HTTP/1.1\r\nHost: localhost\r\nLong: " + strings.Repeat("x", maxHead) + "\r\n\r\n", malformed},
	{"GET /" + strings.Repeat("x", maxHead) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", malformed},
	{"POST /buildid/01/source/a.cl HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", notAllowed},
	{"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", notAllowed},
}

// TestMalformed: what is no request is told so.
func TestMalformed(t *testing.T) {
	for _, c := range malformedRequests {
		status, _ := ask(t, &Server{ID: one}, c.request)
		if status != c.status {
			t.Errorf("%.80q: %s, want %s", c.request, status, c.status)
		}
	}
}

// TestServe asks over a connection, which is closed behind the answer, several times at once.
func TestServe(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{ID: one, Files: map[string][]byte{"/a.cl": []byte("text\n")}}
	ended := make(chan bool)
	go func() { s.Serve(ln); close(ended) }()
	var conns []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
	}
	for _, c := range conns[1:] { // the first says nothing
		if _, err := io.WriteString(c, get("/buildid/01/source/a.cl")); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK\r\n") ||
			!strings.HasSuffix(string(answer), "\r\n\r\ntext\n") {
			t.Errorf("%v, %q", err, answer)
		}
	}
	ln.Close()
	<-ended
}

// FuzzRequest: whatever is asked, the answer is one, and no panic.
func FuzzRequest(f *testing.F) {
	for _, c := range malformedRequests {
		f.Add(c.request)
	}
	f.Add(get("/buildid/01/source/a.cl"))
	f.Fuzz(func(t *testing.T, request string) {
		ask(t, &Server{ID: one, Files: map[string][]byte{"/a.cl": []byte("text\n")}}, request)
	})
}
