package stub

import (
	"fmt"
	"io"
	"maps"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
	"simtgdb/stub/recording"
	"simtgdb/stub/source"
	"simtgdb/stub/threads"
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

// RecordSources has recordings of the session hold texts of sources, by path.
func (s *Session) RecordSources(texts map[string][]byte) { s.past.sources = texts }

// SourceTexts are the texts of a program's sources, by the paths that its debugging information has, as far
// as they are found: in it, where they were compiled, or in folders. Those that have changed since are left
// out.
func SourceTexts(p *launch.Program, folders []string) map[string][]byte {
	texts := map[string][]byte{}
	if p.Source == nil {
		return texts
	}
	finder := source.Finder{Folders: folders, Within: p.Source}
	for _, f := range p.Source.Files() {
		at := source.Position{File: f.Path}
		if text, ok := finder.File(at); ok && (f.Text != nil || p.Source.IsText(at, text)) {
			texts[f.Path] = text
		}
	}
	return texts
}

// WriteRecording writes what the session was up to the latest time it has reached.
func (s *Session) WriteRecording(w io.Writer) error {
	launchFile, files, err := s.prog.Pack()
	if err != nil {
		return fmt.Errorf("record the launch: %w", err)
	}
	return s.WriteRecordingOf(w, launchFile, files)
}

// WriteRecordingOf is WriteRecording of a launch that was packed before ([launch.Program.Pack]).
func (s *Session) WriteRecordingOf(w io.Writer, launchFile []byte, files map[string][]byte) error {
	if s.past.History == nil {
		return errNoHistory()
	}
	files = maps.Clone(files)
	files[recording.LaunchFile] = launchFile
	r := &recording.Recording{CPU: s.facade.Name(), Resident: s.machine.Resident, Sources: s.past.sources}
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
	if p.Source != nil && len(r.Sources) > 0 {
		p.Source.Tell(r.Sources)
	}
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
	switch kind, owner, offset := s.Split(addr); kind {
	case threads.FrameWindow, threads.ScratchWindow, threads.ReturnWindow:
		return s.Window(kind, int(s.renumbered(rsp.ThreadID(owner))), offset)
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
