package stub

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/printf"
	"simtgdb/stub/printf/host"
	"simtgdb/stub/threads"
)

// What the kernel prints is shown on gdb's console while the program runs: a
// text as soon as its call is complete, at the latest before the next stop, each
// in a piece of its own.

// keptTexts is how many texts `monitor printf show` can show.
const keptTexts = 1000

// A printing is what a session does with the texts of the kernel.
type printing struct {
	host    *host.Host
	console io.Writer // while the program runs, else nil
	off     bool
	prefix  bool
	texts   []host.Text // the last ones
	count   int         // of all texts
	printed []printed   // by lanes that have not been reported, while these stop

	warnings []string // to be shown when there is a console
}

// A printed text stops the lane that it came from.
type printed struct {
	lane   host.Lane
	called bool // the lane was in a call of the host
}

// newPrinting takes the texts of a host. The warnings are shown before the first.
func newPrinting(h *host.Host, warnings []string) *printing {
	p := &printing{host: h, warnings: warnings}
	h.Sink = p.hear
	return p
}

// left is the host's Left, by the lines of the source. The stores that clang makes
// of a printf of OpenCL C have none.
func (s *Session) left(w *simt.Wave, lane int, pc uint64) bool {
	from, ok := s.prog.Source.At(pc)
	now, known := s.prog.Source.At(w.LanePC(lane))
	return known && (!ok || from.File != now.File || from.Line != now.Line)
}

// PrintElsewhere gives what the kernel prints to somebody else too, and shows it on
// gdb's console only if monitor printf wants that.
func (s *Session) PrintElsewhere(sink func(host.Text)) {
	s.printing.off = true
	s.printing.host.Sink = func(t host.Text) {
		s.printing.hear(t)
		sink(t)
	}
}

// hear is the host's Sink.
func (p *printing) hear(t host.Text) {
	p.count++
	if p.texts = append(p.texts, t); len(p.texts) > 2*keptTexts {
		p.texts = append([]host.Text(nil), p.texts[keptTexts:]...)
	}
	if p.host.Stop && t.From != nil && len(p.printed) < keptTexts {
		p.printed = append(p.printed, printed{t.From.Lane, t.Called})
	}
	if p.console != nil && !p.off {
		p.show(p.console, t, p.prefix)
	}
}

// show writes a text in a form that a terminal can bear.
func (p *printing) show(out io.Writer, t host.Text, prefix bool) {
	var line []byte
	if prefix {
		line = append(line, "unknown lane: "...)
		if t.From != nil {
			line = fmt.Appendf(line[:0], "%v: ", t.From)
		}
	}
	line = printf.Escape(line, t.Text)
	if prefix && line[len(line)-1] != '\n' {
		line = append(line, '\n')
	}
	_, _ = out.Write(line) // a client that is gone is noticed elsewhere
}

// during lends the console of a Resume to the texts.
func (p *printing) during(console io.Writer, resume func() (rsp.Stop, error)) (rsp.Stop, error) {
	p.console = console
	for _, w := range p.warnings {
		fmt.Fprintf(console, "warning: %s\n", w)
	}
	p.warnings = nil
	stop, err := resume()
	p.flush(false)
	p.console = nil
	return stop, err
}

// flush shows what is complete, and what there is to say about texts. final
// says that the program has ended.
func (p *printing) flush(final bool) {
	p.host.Flush(final)
	if p.console == nil {
		return
	}
	for _, notice := range p.host.Notices() {
		fmt.Fprintf(p.console, "printf: %s\n", notice)
	}
}

// printSlice is how many instructions a wave executes before it is asked what
// has been printed, while that stops it.
const printSlice = 16

// slice is how long a wave runs while printing stops it: machines that print
// with an instruction of their own do not stop behind it by themselves.
func (p *printing) slice() uint64 {
	if p.host.Stops() {
		return printSlice
	}
	return 1
}

// printStop makes a stop of the texts that have come since the last look, if
// these stop the lanes that print: of one of the threads, or of any.
func (r *run) printStop(only rsp.ThreadID) (rsp.Stop, bool, error) {
	p := r.printing
	if !p.host.Stop {
		return rsp.Stop{}, false, nil
	}
	p.host.Flush(false)
	thread, called, waves := rsp.AnyThread, false, r.machine.Waves()
	for _, q := range p.printed {
		i, resident := slices.BinarySearchFunc(waves, q.lane.Wave,
			func(w *simt.Wave, id int) int { return w.ID - id })
		if !resident {
			continue
		}
		t := threads.Of(waves[i], q.lane.Lane)
		if only != rsp.AnyThread && t != only || !r.view.Alive(t) {
			continue
		}
		if thread == rsp.AnyThread || t == r.view.current() {
			thread, called = t, q.called
		}
	}
	if thread == rsp.AnyThread {
		return rsp.Stop{}, false, nil
	}
	w, lane, err := r.view.lane(thread)
	if err != nil {
		return rsp.Stop{}, false, err
	}
	// Other waves that have printed by now stop the next time.
	p.printed = slices.DeleteFunc(p.printed, func(q printed) bool { return q.lane.Wave == w.ID })
	if called {
		if stop, ok, err := r.leaveCall(w, lane); ok || err != nil {
			return stop, ok, err
		}
	}
	return r.stopped(thread, rsp.SIGTRAP), true, nil
}

// maxLeave is how many instructions a wave is let go on to come back from the
// library's functions.
const maxLeave = 100000

// leaveCall lets a wave go on until a lane that has printed has come back from
// the device library to code with lines: behind the call, or, where the library
// has been inlined, behind its line. It reports a stop if there is something
// else to report on the way.
func (r *run) leaveCall(w *simt.Wave, lane int) (rsp.Stop, bool, error) {
	if w.Track == nil {
		return rsp.Stop{}, false, nil
	}
	depth := w.Track.Innermost[lane].Count()
	line, inlined := r.prog.Source.At(w.LanePC(lane))
	for n := 0; n < maxLeave && w.State == simt.Ready && r.machine.Ending(w)>>lane&1 == 0; n++ {
		position, known := r.prog.Source.At(w.LanePC(lane))
		at := w.Track.Innermost[lane].Count()
		switch {
		case w.Active()>>lane&1 == 0:
		case inlined && (at < depth || known && at == depth && position.Line != line.Line):
			return rsp.Stop{}, false, nil
		case !inlined && known:
			return rsp.Stop{}, false, nil
		}
		ev, err := r.stepWave(w, 1)
		if err != nil {
			return rsp.Stop{}, false, err
		}
		r.watches.executed(w)
		if stop, ok, err := r.report(ev); ok || err != nil {
			return stop, ok, err
		}
	}
	return rsp.Stop{}, false, nil
}

// monitorPrintf is monitor printf.
func (s *Session) monitorPrintf(args []string, out io.Writer) error {
	p := s.printing
	usage := rsp.EINVAL.Errorf("monitor printf [on|off|prefix on|off|break on|off|show [N]]")
	switches := map[string]func(on bool){
		"prefix": func(on bool) { p.prefix = on },
		"break":  func(on bool) { p.host.Stop, p.printed = on, nil },
	}
	isSwitch := func(arg string) bool { return arg == "on" || arg == "off" }
	switch {
	case len(args) == 0:
		word := map[bool]string{true: "on", false: "off"}
		fmt.Fprintf(out, "printf %s, prefix %s, break %s; texts so far: %d\n",
			word[!p.off], word[p.prefix], word[p.host.Stop], p.count)
		if !p.host.Serves() && p.count == 0 {
			fmt.Fprintf(out, "this kernel has nothing to print with\n")
		}
	case len(args) == 1 && isSwitch(args[0]):
		p.off = args[0] == "off"
	case len(args) == 2 && switches[args[0]] != nil && isSwitch(args[1]):
		switches[args[0]](args[1] == "on")
	case len(args) <= 2 && args[0] == "show":
		n := 10
		if len(args) == 2 {
			var err error
			if n, err = strconv.Atoi(args[1]); err != nil || n < 0 {
				return usage
			}
		}
		for _, t := range p.texts[max(len(p.texts)-n, 0):] {
			p.show(out, t, true)
		}
	default:
		return usage
	}
	return nil
}
