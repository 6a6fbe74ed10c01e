package forkedgdb

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// motherScript is what a mother does.
//
//go:embed mother.py
var motherScript string

// A mother is a gdb that sessions are forked from. It ends when the socket to it is closed, at the latest
// when this process ends.
type mother struct {
	socket int

	mu       sync.Mutex
	next     int
	sessions map[int]*session // those that have not ended
	dead     bool
}

// A session is a gdb that was forked.
type session struct {
	ended   chan struct{}
	status  syscall.WaitStatus
	process int
	lost    bool // the mother has gone, so that nobody knows
	killed  bool // it is to end
}

// startMother starts a mother, or gives nil if it does not become one, or prints anything, with which
// sessions would begin.
func startMother(c *exec.Cmd) *mother {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	theirs := os.NewFile(uintptr(pair[1]), "mother")
	defer theirs.Close()
	said, out, err := os.Pipe() // of the kind that sessions print to
	if err != nil {
		syscall.Close(pair[0])
		return nil
	}
	defer out.Close()
	c.Stdout, c.Stderr, c.ExtraFiles = out, out, []*os.File{theirs}
	m := &mother{socket: pair[0], sessions: map[int]*session{}}
	if err := c.Start(); err != nil {
		syscall.Close(m.socket)
		return nil
	}
	theirs.Close()
	first := make(chan int, 1)
	go func() {
		n, _ := said.Read(make([]byte, 1))
		if n > 0 {
			c.Process.Kill()
		}
		first <- n
	}()
	go c.Wait()
	ready := m.ready()
	said.SetReadDeadline(time.Now())
	if !ready || <-first > 0 || printed(said) {
		syscall.Close(m.socket)
		return nil
	}
	go m.listen()
	return m
}

// ready gives a mother what to do, and reports whether it has found all places.
func (m *mother) ready() bool {
	script := fmt.Sprintf("MARK = b%q\n%s", slotMark, motherScript)
	if err := syscall.Sendmsg(m.socket, []byte(script), nil, nil, 0); err != nil {
		return false
	}
	var answer [100]byte
	n, err := syscall.Read(m.socket, answer[:])
	places := 0
	fmt.Sscanf(string(answer[:max(n, 0)]), "ready %d", &places)
	return err == nil && places >= commandSlots
}

// printed reports whether a pipe has anything to read.
func printed(pipe *os.File) bool {
	n := 0
	if raw, err := pipe.SyscallConn(); err == nil {
		raw.Read(func(file uintptr) bool {
			var some [1]byte
			n, _ = syscall.Read(int(file), some[:])
			return true
		})
	}
	return n > 0
}

// listen takes what the mother says of sessions.
func (m *mother) listen() {
	var answer [100]byte
	for {
		n, err := syscall.Read(m.socket, answer[:])
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		m.mu.Lock()
		if err != nil || n == 0 {
			m.dead = true
			for _, s := range m.sessions {
				s.lost = true
				close(s.ended)
			}
			m.mu.Unlock()
			return
		}
		var number, value int
		var what string
		fmt.Sscan(string(answer[:n]), &number, &what, &value)
		if s := m.sessions[number]; what == "runs" {
			if s.process = value; s.killed {
				syscall.Kill(value, syscall.SIGKILL)
			}
		} else {
			s.status = syscall.WaitStatus(value)
			delete(m.sessions, number)
			close(s.ended)
		}
		m.mu.Unlock()
	}
}

// begin forks a session.
func (m *mother) begin(args arguments, files ...*os.File) (*session, error) {
	var rights []int
	for _, f := range files {
		rights = append(rights, int(f.Fd()))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return nil, errMotherless
	}
	s := &session{ended: make(chan struct{})}
	m.next++
	m.sessions[m.next] = s
	text := fmt.Sprintf("%d\x00%s", m.next, strings.Join(args.slots(), "\x00"))
	if err := syscall.Sendmsg(m.socket, []byte(text), syscall.UnixRights(rights...), nil, 0); err != nil {
		delete(m.sessions, m.next)
		return nil, err
	}
	return s, nil
}

var errMotherless = errors.New("the gdb that sessions are forked from has ended")

// kill ends a session.
func (m *mother) kill(s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.killed = true
	select {
	case <-s.ended:
	default:
		if s.process != 0 {
			syscall.Kill(s.process, syscall.SIGKILL)
		}
	}
}

// run runs a session to its end.
func (m *mother) run(ctx context.Context, args arguments, out *bytes.Buffer, delay time.Duration) error {
	in, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer in.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	s, err := m.begin(args, in, w, w)
	w.Close()
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { m.kill(s) })()
	copied := make(chan error, 1)
	go func() {
		_, err := out.ReadFrom(r)
		copied <- err
	}()
	<-s.ended
	if delay == 0 {
		delay = lateOutput
	}
	late := time.AfterFunc(delay, func() { r.SetReadDeadline(time.Now()) })
	err = <-copied
	if !late.Stop() && errors.Is(err, os.ErrDeadlineExceeded) {
		err = exec.ErrWaitDelay
	}
	return errors.Join(s.err(), err)
}

// err says how a session ended, in the words of package exec.
func (s *session) err() error {
	switch {
	case s.lost:
		return errMotherless
	case s.status.Signaled():
		return &exitError{"signal: " + s.status.Signal().String(), false}
	case s.status.ExitStatus() != 0:
		return &exitError{fmt.Sprintf("exit status %d", s.status.ExitStatus()), true}
	}
	return nil
}
