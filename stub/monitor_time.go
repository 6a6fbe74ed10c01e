package stub

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simtgdb/rsp"
)

// A checkpoint is a time that the user wants to come back to.
type checkpoint struct {
	number int
	at     uint64
	thread rsp.ThreadID
	where  string
}

func (c checkpoint) String() string {
	return fmt.Sprintf("checkpoint %d: time %d, thread %d, %s", c.number, c.at, c.thread, c.where)
}

// inBytes writes a number of bytes in the largest unit that it is not less than one of.
func inBytes(n uint64) string {
	unit := 0
	for n >= 1<<10 && n%(1<<10) == 0 && unit < 3 {
		n >>= 10
		unit++
	}
	return fmt.Sprintf("%d %s", n, [...]string{"bytes", "KiB", "MiB", "GiB"}[unit])
}

func (s *Session) monitorTime(_ []string, out io.Writer) error {
	if s.past.History == nil {
		return errNoHistory()
	}
	given := ""
	if s.past.Begin() > 0 {
		given = ", what was before has been given up"
	}
	fmt.Fprintf(out, "time %d; the history is from %d to %d%s\n", s.past.Now(), s.past.Begin(), s.past.End(),
		given)
	if s.past.leaps {
		fmt.Fprintf(
			out, "the next command that lets the program go, such as reverse-stepi, goes to time %d\n",
			s.past.leap)
	}
	return nil
}

func (s *Session) monitorHistory(_ []string, out io.Writer) error {
	if s.past.History == nil {
		return errNoHistory()
	}
	held, besides := s.past.Held(), ""
	if held > s.past.limit {
		besides = ": one copy of the machine is kept in any case"
	}
	fmt.Fprintf(out, "the history takes %.1f MiB of %s%s\n", float64(held)/(1<<20), inBytes(s.past.limit),
		besides)
	return nil
}

// monitorGoto has the next resumption go to a time. It does not go there itself: gdb would not hear of it,
// and show registers and memory that it has read before as if they were those of that time.
func (s *Session) monitorGoto(args []string, out io.Writer) error {
	p := &s.past
	if p.History == nil {
		return errNoHistory()
	}
	to, err := s.timeNamed(args)
	if err != nil {
		return err
	}
	if to < p.Begin() || to > p.End() {
		return rsp.EINVAL.Errorf("time %d: the history is from %d to %d", to, p.Begin(), p.End())
	}
	if s.nonStop.on {
		return s.goBackBy(out, func(out io.Writer) (rsp.Stop, error) {
			s.past.leap, s.past.leaps = to, true
			stop, _, err := s.leap(s.view.current(), false, out)
			return stop, err
		})
	}
	p.leap, p.leaps = to, true
	return s.monitorTime(nil, out)
}

// leap goes to the time that monitor goto has named; ok is false if it has named none. The stop is no
// SIGTRAP, which would end no step over a line. alone: gdb holds all threads but t, and must hear of no other
// (gdb 13 dies of one in finish_step_over).
func (m *motion) leap(t rsp.ThreadID, alone bool, console io.Writer) (stop rsp.Stop, ok bool, err error) {
	p := &m.past
	if !p.leaps {
		return rsp.Stop{}, false, nil
	}
	p.leaps, p.stoppedAtEnd = false, false
	m.hits.forget()
	m.frames.Forget()
	defer m.frames.Forget()
	from := p.Now()
	if err := p.Goto(p.leap); err != nil { // something has been written since
		fmt.Fprintf(console, "%v\n", err)
		return m.stopped(t, rsp.SignalNone), true, nil
	}
	if !m.view.Alive(t) {
		if alone {
			fmt.Fprintf(console, "Thread %d is not there at time %d: go there with reverse-stepi.\n", t,
				p.leap)
			p.leaps = true
			return m.stopped(t, rsp.SignalNone), true, p.Goto(from)
		}
		t = m.view.somebody()
	}
	return m.stopped(t, rsp.SignalNone), true, nil
}

// timeNamed is the time that the words after goto name.
func (s *Session) timeNamed(args []string) (uint64, error) {
	usage := rsp.EINVAL.Errorf("monitor goto begin|end|TIME|-COUNT|checkpoint N")
	if len(args) == 2 && args[0] == "checkpoint" {
		i, err := s.past.checkpoint(args[1])
		if err != nil {
			return 0, err
		}
		return s.past.checkpoints[i].at, nil
	}
	if len(args) != 1 {
		return 0, usage
	}
	switch word := args[0]; word {
	case "begin":
		return s.past.Begin(), nil
	case "end":
		return s.past.End(), nil
	default:
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "-"), 0, 64)
		if err != nil {
			return 0, usage
		}
		if strings.HasPrefix(word, "-") {
			n = s.past.Now() - min(n, s.past.Now()-s.past.Begin())
		}
		return n, nil
	}
}

// maxCheckpoints bounds how many times are kept.
const maxCheckpoints = 1000

// monitorCheckpoint keeps the time, lists the times that are kept, or forgets one.
func (s *Session) monitorCheckpoint(args []string, out io.Writer) error {
	p := &s.past
	if p.History == nil {
		return errNoHistory()
	}
	switch {
	case len(args) == 0:
		w, lane, err := s.view.lane(s.view.current())
		if err != nil {
			return err
		}
		if len(p.checkpoints) == maxCheckpoints {
			return rsp.EFBIG.Errorf("there are %d checkpoints already", maxCheckpoints)
		}
		p.numbered++
		c := checkpoint{p.numbered, p.Now(), s.view.current(), s.prog.Source.Describe(w.LanePC(lane))}
		p.checkpoints = append(p.checkpoints, c)
		fmt.Fprintf(out, "%v\n", c)
	case len(args) == 1 && args[0] == "list":
		for _, c := range p.checkpoints {
			gone := ""
			if c.at < p.Begin() {
				gone = " (given up with the beginning of the history)"
			}
			fmt.Fprintf(out, "%v%s\n", c, gone)
		}
	case len(args) == 2 && args[0] == "delete":
		i, err := p.checkpoint(args[1])
		if err != nil {
			return err
		}
		p.checkpoints = slices.Delete(p.checkpoints, i, i+1)
	default:
		return rsp.EINVAL.Errorf("monitor checkpoint [list|delete N]")
	}
	return nil
}

// checkpoint finds a checkpoint by its number.
func (p *past) checkpoint(number string) (int, error) {
	i := slices.IndexFunc(p.checkpoints, func(c checkpoint) bool { return strconv.Itoa(c.number) == number })
	if i < 0 {
		return 0, rsp.EINVAL.Errorf("no checkpoint %q; monitor checkpoint list", number)
	}
	return i, nil
}
