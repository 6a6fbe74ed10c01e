package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"simtgdb/stub/device/transient"
)

// passed are the signals by which users end programs. A program that is to ignore one, as under nohup, does.
var passed = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// A hearing passes on to a program the signals that this process gets alone. Those that a terminal, or who
// else, sends to the process group the program gets by itself, unless it is in a group of its own. A witness
// in the group tells one from the other, since Go does not say where a signal comes from.
type hearing struct {
	signals chan os.Signal
	witness *witness
	told    atomic.Bool // the program was, to end

	ended   chan struct{}
	passing sync.WaitGroup
}

// hear begins to hear.
func hear() (*hearing, error) {
	w, err := newWitness()
	if err != nil {
		return nil, err
	}
	h := &hearing{signals: make(chan os.Signal, len(passed)), witness: w, ended: make(chan struct{})}
	for _, s := range passed {
		if !signal.Ignored(s) {
			signal.Notify(h.signals, s)
		}
	}
	return h, nil
}

// stop ends the hearing.
func (h *hearing) stop() {
	signal.Stop(h.signals)
	close(h.ended)
	h.passing.Wait()
	h.witness.dismiss()
}

// pass passes signals on until the hearing ends. send sends one to the program, which has got it already if
// the whole group has.
func (h *hearing) pass(send func(s os.Signal, group bool)) {
	h.passing.Go(func() {
		for {
			select {
			case s := <-h.signals:
				got, group := h.together(s)
				for _, s := range got {
					if s != os.Interrupt {
						h.told.Store(true)
					}
					send(s, group)
				}
			case <-h.ended:
				return
			}
		}
	})
}

// together gives a signal and those that came with it, and whether the whole group has got them. A witness
// ends with the first of several that a group gets at once, so that those which come before there is another
// are the group's too.
func (h *hearing) together(s os.Signal) (got []os.Signal, group bool) {
	got = []os.Signal{s}
	for h.witness.alsoGot() {
		group = true
		next, err := newWitness()
		if err != nil {
			return got, group
		}
		h.witness = next
		for len(h.signals) > 0 {
			got = append(got, <-h.signals)
		}
	}
	return got, group
}

// A witness is a process in this one's process group that a signal for the group ends.
type witness struct {
	command *exec.Cmd
	hold    io.Closer // it ends when nobody holds it
	gone    chan struct{}
}

func newWitness() (*witness, error) {
	w := &witness{gone: make(chan struct{})}
	w.command = exec.Command("/bin/sh", "-c", "ulimit -c 0; read none")
	hold, err := w.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	wait, err := transient.Start(w.command)
	if err != nil {
		return nil, fmt.Errorf("a process that watches for signals: %w", err)
	}
	w.hold = hold
	go func() {
		_ = wait()
		close(w.gone)
	}()
	return w, nil
}

// alsoGot reports whether the witness has got the signal that this process has got just now.
func (w *witness) alsoGot() bool {
	const soon = 50 * time.Millisecond // a system gives a signal to a whole group at once
	select {
	case <-w.gone:
		return true
	case <-time.After(soon):
		return false
	}
}

// dismiss ends the witness.
func (w *witness) dismiss() {
	_ = w.hold.Close()
	<-w.gone
}
