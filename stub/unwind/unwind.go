// Package unwind finds the frames of one lane: where each stands and what its
// registers hold. A [Provider] takes one step from a frame to its caller; a
// list of providers is asked in order, so that one backtrace can mix them. It
// knows waves and their records, no debug information format and no debugger.
//
// Entry point: [Frames].
package unwind

import (
	"errors"
	"fmt"
	"math/bits"

	"simtgdb/simt"
)

// A Describer is Registers that can say where they are, in a line each.
type Describer interface {
	Saved() []string
}

// ErrNotSaved says that a frame's register is lost.
var ErrNotSaved = errors.New("the register's value was not saved")

// A Frame is one activation of a function in a lane.
type Frame struct {
	Wave  *simt.Wave
	Lane  int
	PC    uint64 // of a caller, where it will be returned to
	Level int    // 0 is innermost
	Depth int    // 0 is outermost: the kernel
	// At is where the code stands that the registers belong to: PC, or the
	// call before it; but for a lane that is switched off, how far the others
	// have come in this frame without it.
	At uint64
	// Provider says who found the frame: "" for the innermost. Failed is why
	// those that were asked before could not.
	Provider string
	Failed   error
	// Call made the frame: nil for the kernel's.
	Call *simt.Call
	simt.Registers
}

// Scope is an address in the instruction that the frame is executing: a
// caller's call, not what comes after it.
func (f *Frame) Scope() uint64 {
	if f.Level > 0 {
		return f.PC - 1
	}
	return f.PC
}

// A Provider unwinds by one kind of information.
type Provider interface {
	Name() string
	// Caller returns the caller of f: its PC and registers. ok is false where
	// the provider has nothing to say about f; outermost says that f has no
	// caller.
	Caller(f *Frame) (caller Caller, ok bool, err error)
}

// A Finder is a Provider that finds the frame of a wave in which a lane stands
// that is switched off while others are inside calls from there.
type Finder interface {
	Provider
	// Standing returns the registers of f, which is such a lane's innermost
	// frame and has those that the record keeps. ok is false where the provider
	// has nothing to say about it.
	Standing(f *Frame) (registers simt.Registers, ok bool, err error)
}

// A Caller is what a provider finds out.
type Caller struct {
	PC        uint64
	Registers simt.Registers
	Outermost bool
}

// maxFrames bounds a backtrace.
const maxFrames = 1 << 16

// Frames returns the frames of a lane, innermost first. Where a provider fails
// the next is asked; with an error, that of all, come the frames found before
// it.
func Frames(w *simt.Wave, lane int, providers []Provider) ([]Frame, error) {
	frames := []Frame{innermost(w, lane)}
	stand(&frames[0], providers)
	var err error
	for len(frames) < maxFrames {
		var next Frame
		var ok bool
		if next, ok, err = caller(&frames[len(frames)-1], providers); !ok {
			break
		}
		frames = append(frames, next)
	}
	for i := range frames {
		frames[i].Depth = len(frames) - 1 - i
	}
	return frames, err
}

// stand has the providers find the registers of a lane's innermost frame, if
// others are inside calls from there.
func stand(f *Frame, providers []Provider) {
	if _, inside := f.Registers.(atCall); !inside {
		return
	}
	for _, p := range providers {
		if p, ok := p.(Finder); ok {
			r, ok, err := p.Standing(f)
			if err != nil {
				f.Failed = errors.Join(f.Failed,
					fmt.Errorf("find lane %d's frame by %s: %w", f.Lane, p.Name(), err))
			} else if ok {
				f.Registers = r
				return
			}
		}
	}
}

// caller asks the providers in order. ok is false if f has no caller, or, with
// an error, if nobody knows.
func caller(f *Frame, providers []Provider) (next Frame, ok bool, failed error) {
	for _, p := range providers {
		c, ok, err := p.Caller(f)
		if err != nil {
			err = fmt.Errorf("unwind frame %d of lane %d by %s: %w", f.Level, f.Lane, p.Name(), err)
			failed = errors.Join(failed, err)
			continue
		}
		if !ok {
			continue
		}
		if c.Outermost {
			return Frame{}, false, nil
		}
		next = Frame{Wave: f.Wave, Lane: f.Lane, PC: c.PC, Level: f.Level + 1, At: c.PC - 1,
			Provider: p.Name(), Failed: failed, Registers: c.Registers}
		if f.Call != nil {
			next.Call = f.Call.Outer
		}
		return next, true, nil
	}
	return Frame{}, false, failed
}

// Explain says which call the frame's caller is known by.
func (CallRecord) Explain(f *Frame, _ func(number uint64) string) ([]string, error) {
	switch {
	case f.Wave.Track == nil:
		return nil, nil
	case f.Call == nil:
		return []string{"no call: the kernel's frame"}, nil
	}
	return []string{fmt.Sprintf("the call at %#x, which returns to %#x; every register as it left them",
		f.Call.Site, f.Call.Return)}, nil
}

// atCall are the registers of the frame that made a call, as the call
// instruction left them. Writes come true when the call returns.
type atCall struct {
	simt.Registers
	call *simt.Call
}

// Saved implements Describer.
func (a atCall) Saved() []string {
	return []string{fmt.Sprintf(
		"every register, also those that callees save: kept by the record of the call at %#x", a.call.Site)}
}

// innermost is a lane's innermost frame. Its registers are the wave's own, but
// for a lane that is switched off while others of its wave are inside calls
// from the frame where it stands: the frame's registers are then as those
// calls found them.
func innermost(w *simt.Wave, lane int) Frame {
	f := Frame{Wave: w, Lane: lane, PC: w.LanePC(lane), Registers: w.Regs}
	f.At = f.PC
	active := w.Active()
	if w.Track != nil {
		f.Call = w.Track.Innermost[lane]
	}
	if w.Track == nil || active>>lane&1 != 0 {
		return f
	}
	if active == 0 {
		active = w.Track.Last
	}
	if active == 0 {
		return f
	}
	own, others := f.Call, w.Track.Innermost[bits.TrailingZeros64(active)]
	if others.At(own.Count()-1) != own {
		return f
	}
	f.At = w.PC
	if inside := others.At(own.Count()); inside != nil {
		f.At, f.Registers = inside.Return-1, atCall{inside.Regs, inside}
	}
	return f
}

// CallRecord unwinds by the wave's own record of calls: it knows every caller
// and is exact for every lane.
type CallRecord struct{}

// Name implements Provider.
func (CallRecord) Name() string { return "call record" }

// Caller implements Provider.
func (CallRecord) Caller(f *Frame) (Caller, bool, error) {
	if f.Wave.Track == nil {
		return Caller{}, false, nil
	}
	c := f.Call
	if c == nil {
		return Caller{Outermost: true}, true, nil
	}
	return Caller{PC: c.Return, Registers: atCall{c.Regs, c}}, true, nil
}
