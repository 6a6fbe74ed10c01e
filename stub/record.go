package stub

import (
	"fmt"
	"io"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
	"simtgdb/stub/recording"
)

// Recordings. A session that keeps its history from the first instruction on can be written to a file: what
// was launched, which wave executed how many instructions, and what the client has written. From it comes a
// session at the beginning of the same run.

// Record makes the session keep what [Session.WriteRecording] needs. It is to be called after
// [Session.Remember] and before anything is executed.
func (s *Session) Record() error {
	if s.past.History == nil {
		return errNoHistory()
	}
	s.past.KeepWhole()
	return nil
}

// WriteRecording writes what the session was up to the latest time it has reached.
func (s *Session) WriteRecording(w io.Writer) error {
	if s.past.History == nil {
		return errNoHistory()
	}
	launchFile, files, err := s.prog.Pack()
	if err != nil {
		return fmt.Errorf("record the launch: %w", err)
	}
	files[recording.LaunchFile] = launchFile
	r := &recording.Recording{CPU: s.facade.Name(), Resident: s.machine.Resident}
	line := s.past.Timeline()
	for _, t := range line.Turns {
		r.Turns = append(r.Turns, recording.Turn(t))
	}
	for _, c := range line.Changes {
		w := c.Change.(redone).Write
		r.Writes = append(r.Writes, recording.Write{
			At: c.At, Thread: int(w.Thread), Memory: w.Memory, Where: w.Where, Data: w.Data})
	}
	return r.Write(w, files)
}

// Replay makes a session of a recording, at the beginning of what was recorded, with a history of so many
// bytes. What the recording says of the run is executed as the client resumes; that it cannot be is an error
// then.
func Replay(r *recording.Recording, history uint64) (*Session, error) {
	cpu, err := facade.Named(r.CPU)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	spec, err := launch.ReadSpec(launch.File{Path: recording.LaunchFile, FS: r.Files})
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	p, err := spec.Load()
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	p.Machine.Resident = r.Resident
	s, err := New(p, cpu)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	s.Remember(history)
	if s.past.History == nil {
		return nil, errNoHistory()
	}
	var line simt.Timeline
	for _, t := range r.Turns {
		line.Turns = append(line.Turns, simt.Turn(t))
	}
	for _, w := range r.Writes {
		thread, where := rsp.ThreadID(w.Thread), w.Where
		if r.ByWaves {
			thread = s.renumbered(thread)
			if w.Memory {
				where = s.renumberedAddress(where)
			}
		}
		line.Changes = append(line.Changes, simt.TimedChange{At: w.At,
			Change: redone{s, Write{thread, w.Memory, where, w.Data}}})
	}
	if err := s.past.Expect(line); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	s.past.recorded = s.past.End()
	return s, nil
}

// renumbered is the thread of a recording whose threads count 64 for each wave.
func (s *Session) renumbered(t rsp.ThreadID) rsp.ThreadID {
	if t < 1 {
		return t
	}
	wave, lane := int(t-1)/simt.MaxLanes, uint64(t-1)%simt.MaxLanes
	before, ok := s.machine.ItemsBefore(wave)
	if !ok {
		return t
	}
	return rsp.ThreadID(before + lane + 1)
}

// renumberedAddress is renumbered for the owner in an address of a lane's window.
func (s *Session) renumberedAddress(addr uint64) uint64 {
	switch kind, owner, offset := s.split(addr); kind {
	case frameWindow, scratchWindow, returnWindow:
		return s.window(kind, int(s.renumbered(rsp.ThreadID(owner))), offset)
	}
	return addr
}

// recordingEnds is the stop where a recording ends, once: what comes after it has not been recorded.
func (r *run) recordingEnds() (rsp.Stop, bool) {
	p := &r.past
	if p.recorded == 0 || p.Now() < p.recorded {
		return rsp.Stop{}, false
	}
	p.recorded = 0
	fmt.Fprintf(r.r.Console, "The recording ends at time %d; what comes now was not recorded.\n", p.Now())
	stop := r.stopped(r.view.somebody(), rsp.SIGTRAP)
	stop.Cause = rsp.CauseReplayEnd
	return stop, true
}
