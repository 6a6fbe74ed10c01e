package rsp

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNear: a session's thread is where the client is after enough packets that cost nothing, follows it, and
// may be everywhere again when another packet comes, or the client cannot be found.
func TestNear(t *testing.T) {
	before, ok := allowedProcessors()
	if !ok {
		t.Fatal("the system does not say where a thread may be")
	}
	var places []int
	for i := range processorsInWord * len(before) {
		if before.has(i) {
			places = append(places, i)
		}
	}
	first, last := places[0], places[len(places)-1]
	place, known := first, true
	n := &nearness{locate: func() (int, bool) { return place, known }}
	defer n.leave()
	send := func(packets ...string) {
		for range nearPackets {
			for _, p := range packets {
				n.packet([]byte(p))
			}
		}
	}
	expect := func(what string, want processors) {
		t.Helper()
		if got, _ := allowedProcessors(); !cmp.Equal(got, want) {
			t.Errorf("%s: the thread may be on %x, want %x", what, got, want)
		}
	}
	n.packet([]byte("m0,8"))
	expect("one packet", before)
	send("Hg1", "g", "m7e0010000000,40", "p10", "T1", "x0,1")
	expect("many packets", onlyProcessor(first))
	place = last
	send("g")
	expect("the client moves", onlyProcessor(last))
	n.packet([]byte("vCont;c"))
	expect("a resumption", before)
	send("g", "qXfer:threads:read::0,fff")
	expect("others between", before)
	known = false
	send("g")
	expect("nowhere to be found", before)
	known, place = true, processorsInWord*len(before)
	send("g")
	expect("where no thread can be", before)
	place = first
	send("g")
	expect("given up", before)
}

// TestLocator finds clients by the connection.
func TestLocator(t *testing.T) {
	allowed, _ := allowedProcessors()
	ours, theirs := loopback(t)
	locate := locator(ours)
	if locate == nil {
		t.Fatal("who has connected from this machine is not found")
	}
	if _, err := theirs.Write([]byte("+")); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if n, ok := locate(); !ok || !allowed.has(n) {
		t.Errorf("the client is on processor %d, %v, none of %x", n, ok, allowed)
	}
	if c, d := net.Pipe(); locator(c) != nil || locator(d) != nil {
		t.Error("where another goroutine is can be said")
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	a, b := os.NewFile(uintptr(pair[0]), "a"), os.NewFile(uintptr(pair[1]), "b")
	defer a.Close()
	defer b.Close()
	conn, err := a.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if pid := peerOf(conn); pid != os.Getpid() || locator(stdio{a, a}) != nil {
		t.Errorf("the maker of a pair of sockets is process %d, want this one, %d, which is not looked for",
			pid, os.Getpid())
	}
}

// TestProcessorOf: a process whose name looks like its status is found.
func TestProcessorOf(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "a) R 1 (b")
	if err := os.Symlink(sleep, program); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(program, "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	allowed, _ := allowedProcessors()
	if n, ok := processorOf(child.Process.Pid); !ok || !allowed.has(n) {
		t.Errorf("%s is on processor %d, %v, none of %x", program, n, ok, allowed)
	}
	if n, ok := processorOf(1 << 30); ok {
		t.Errorf("a process that is not there is on processor %d", n)
	}
}
