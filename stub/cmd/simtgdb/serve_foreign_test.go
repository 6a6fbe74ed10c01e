package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestClientFiles: whoever connects may change arguments and sizes, and names no file of the host that the
// server's own command line does not name for the same.
func TestClientFiles(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, make([]byte, 64*4), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named, secret, launch := file("named"), file("secret"), filepath.Join(root, "testdata/launch/demo.json")
	own := fmt.Sprintf("--arg buf:i32[64]=file:%s --arg buf:i32[64]=zero --arg i32:64", named)
	address, _ := server(t, append([]string{"--launch", launch, "--grid", "64", "--block", "64"},
		strings.Fields(own)...)...)
	eachDebugger(t, func(t *testing.T, gdb string) {
		for _, test := range []struct{ flags, want string }{
			{strings.ReplaceAll(own, named, secret), refusal(t, gdb, "--arg "+secret)},
			{own + " --out 0=" + filepath.Join(folder, "made"), refusal(t, gdb, "--out "+folder)},
			{own + " --out 0=" + named, refusal(t, gdb, "--out "+named)},
			{own + " --expect 0=" + secret, refusal(t, gdb, "--expect "+secret)},
			{"--launch " + secret, refusal(t, gdb, "--launch "+secret)},
			{"--code-object " + secret, refusal(t, gdb, "--code-object "+secret)},
			{secret, refusal(t, gdb, "--code-object "+secret)},
			{"--push file:" + secret, refusal(t, gdb, "--push "+secret)},
			{"--binding 0.0=i32[64]=file:" + secret, refusal(t, gdb, "--binding "+secret)},
			{"--visa-tables " + secret, refusal(t, gdb, "--visa-tables "+secret)},
			{own + " --cc -fplugin=" + secret, refusal(t, gdb, "flag provided but not defined: -cc")},
			{own + " --launch " + launch, "exited normally"},
		} {
			out := debug(t, gdb, "target extended-remote "+address, "kill", "set args "+test.flags, "run",
				"continue", "kill")
			contains(t, out, "killed", test.want)
		}
		if _, err := os.Stat(filepath.Join(folder, "made")); err == nil {
			t.Error("a client has written a file")
		}
	})
}

// told starts a server and gives where it listens, and the lines that it prints afterwards.
func told(t *testing.T, args ...string) (address string, lines <-chan string) {
	t.Helper()
	cmd := simtgdbCommand(t, append([]string{"serve"}, args...)...)
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	all := make(chan string, 100)
	go func() {
		defer close(all)
		for s := bufio.NewScanner(errs); s.Scan(); {
			all <- s.Text()
		}
	}()
	words := strings.Fields(nextLine(t, all))
	return words[len(words)-1], all
}

func nextLine(t *testing.T, lines <-chan string) string {
	t.Helper()
	select {
	case line, ok := <-lines:
		if !ok {
			t.Fatal("the server has ended")
		}
		return line
	case <-time.After(30 * time.Second):
		t.Fatal("the server prints nothing")
	}
	return ""
}

// packet is a packet of the protocol.
func packet(payload string) string {
	sum := byte(0)
	for i := range len(payload) {
		sum += payload[i]
	}
	return fmt.Sprintf("$%s#%02x", payload, sum)
}

// attack is what a page would send to have the server write a file: the packets that gdb would send.
func attack(victim string) string {
	run := "vRun;"
	for _, word := range []string{"--grid", "64", "--block", "64", "--arg", "buf:i32[64]=zero", "--arg",
		"buf:i32[64]=zero", "--arg", "i32:64", "--out", "1=" + victim} {
		run += ";" + hex.EncodeToString([]byte(word))
	}
	return "+" + packet("qSupported") + "+" + packet("!") + "+" + packet("vKill;1") + "+" + packet(run) +
		"+" +
		packet("vCont;c") + "+"
}

// TestRawClient sends what a page would send, with and without the header that a browser puts before it. With
// the header nothing is obeyed; without it, as a user of this machine could, no file is written either.
func TestRawClient(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	address, lines := told(t, "--listen", "127.0.0.1:0", "--demo")
	for _, test := range []struct{ sent, told string }{
		{"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n" + attack(victim), "HTTP"},
		{"\x16\x03\x01\x00\x05" + attack(victim), "TLS"},
		{"SSH-2.0-x\r\n" + attack(victim), "SSH"},
		// A page that has had its name resolve to this machine may choose the method: a packet.
		{packet("qSupported") + " / HTTP/1.1\r\nHost: page\r\n\r\n" + attack(victim),
			"something else: \" / HTTP/1.1\""},
		{attack(victim), ""},
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(30 * time.Second))
		if _, err := io.WriteString(c, test.sent); err != nil {
			t.Fatal(err)
		}
		if test.told == "" {
			replies := bufio.NewReader(c)
			for range strings.Count(attack(victim), "#") {
				if said, err := replies.ReadString('#'); err != nil {
					t.Errorf("%q: %v", said, err)
				}
			}
			c.Close()
			break
		}
		if got, _ := io.ReadAll(c); len(got) > 0 && test.sent[0] != '$' {
			t.Errorf("%s: answered %q", test.told, got)
		}
		c.Close()
		if line := nextLine(t, lines); !strings.Contains(line, "turned a client away: not gdb's protocol "+
			"but "+test.told) {
			t.Errorf("%s: told %q", test.told, line)
		}
	}
	if _, err := os.Stat(victim); err == nil {
		t.Error("a client has written a file")
	}
}

// TestToldRefusals: whoever connects a thousand times does not fill the user's terminal.
func TestToldRefusals(t *testing.T) {
	var out strings.Builder
	r := refusals{out: &out}
	for i := range 1000 {
		r.tell(fmt.Sprintf("number %d\n\x1b[2J", i))
	}
	if lines := strings.Split(out.String(), "\n"); len(lines) != 10+3+1 ||
		strings.ContainsRune(out.String(), 0x1b) || !strings.Contains(lines[9], "number 9") ||
		!strings.Contains(lines[12], "1000 times") {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
}

// TestRefusedRun: that a client wants what it may not have is said where the server runs.
func TestRefusedRun(t *testing.T) {
	address, lines := told(t, "--listen", "127.0.0.1:0", "--demo")
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, attack("/nowhere/victim")); err != nil {
		t.Fatal(err)
	}
	const want = "refused what a client wants to run: set args: --out /nowhere/victim"
	if line := nextLine(t, lines); !strings.Contains(line, want) {
		t.Errorf("told %q, want %q", line, want)
	}
}

// TestBrowser has a page of a real browser send packets to a server, as one did that wrote files of the
// user's.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("skipped: no chromium")
	}
	folder := t.TempDir()
	victim := filepath.Join(folder, "victim")
	address, lines := told(t, "--listen", "127.0.0.1:0", "--demo")
	sent := make(chan string, 1)
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sent" {
			sent <- "sent"
			return
		}
		fmt.Fprintf(w, "<script>fetch('http://%s/', {method: 'POST', mode: 'no-cors', body: %q})"+
			".catch(() => 0).then(() => fetch('/sent'))</script>", address, attack(victim))
	}))
	defer pages.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
		"--user-data-dir="+filepath.Join(folder, "data"), pages.URL)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Skipf("skipped: chromium does not run here: %v", err)
	}
	defer func() { cancel(); cmd.Wait() }()
	select {
	case <-sent:
	case <-ctx.Done():
		t.Fatalf("the page has not sent its packets:\n%.500s", out.String())
	}
	if line := nextLine(t, lines); !strings.Contains(
		line, "not gdb's protocol but HTTP: \"POST / HTTP/1.1\"") {
		t.Errorf("told %q", line)
	}
	if _, err := os.Stat(victim); err == nil {
		t.Error("a page has written a file")
	}
}

// TestSocket: the socket that is listened at if nothing else is said is its user's alone; one that a killed
// server has left is taken away, that of a running one is not, and what is no socket stays.
func TestSocket(t *testing.T) {
	for _, c := range []struct{ name, runtime, temp string }{
		{"runtime folder", t.TempDir(), "/nonexistent"},
		{"temporary files", "", t.TempDir()},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", c.runtime)
			t.Setenv("TMPDIR", c.temp)
			path, _ := told(t, "--demo")
			if want := filepath.Join(c.runtime, "simtgdb.sock"); c.runtime != "" && path != want {
				t.Errorf("waits at %s, want %s", path, want)
			}
			for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
				info, err := os.Stat(p)
				if err != nil || info.Mode().Perm() != want && (p == path || c.runtime == "") {
					t.Errorf("%s: %v %v, want %v", p, info.Mode(), err, want)
				}
			}
			eachDebugger(t, func(t *testing.T, gdb string) {
				out := debug(t, gdb, "target remote "+path, "break weigh", "continue", "kill")
				contains(t, out, "demo (", "hit Breakpoint 1, weigh (value=0, rounds=1)", "killed")
			})
			c := simtgdbCommand(t, "serve", "--demo")
			out, err := c.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "another server waits at "+path) {
				t.Errorf("a second server: %v, %s", err, out)
			}
		})
	}
	folder := t.TempDir()
	left := filepath.Join(folder, "left")
	for range 2 { // killed, it leaves its socket
		path, cmd := server(t, "--demo", "--listen", "unix:"+left)
		if path != left {
			t.Errorf("waits at %s, want %s", path, left)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := os.Lstat(left); err != nil {
			t.Error(err)
		}
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"unix:" + file: "no socket",
		"unix:" + filepath.Join(folder, strings.Repeat("x", 120)): "at most 107 bytes",
		"unix:" + filepath.Join(folder, "none", "s"):              "no such file",
		"0.0.0.0:0": "can be reached from other machines",
	} {
		out, err := simtgdbCommand(t, "serve", "--demo", "--listen", address).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("--listen %s: %v, %s; want %q", address, err, out, want)
		}
	}
	if text, err := os.ReadFile(file); string(text) != "kept" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	shared := t.TempDir()
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", shared)
	if err := os.Mkdir(filepath.Join(shared, fmt.Sprintf("simtgdb-%d", os.Getuid())), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := simtgdbCommand(t, "serve", "--demo").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "not a folder that you alone can enter") {
		t.Errorf("a folder that others can enter: %v, %s", err, out)
	}
}
