package profile

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"simtgdb/simt"
	"simtgdb/stub/source"
)

// A Stack is where waves executed: a place in the source, and the calls that led there. Calls that the
// compiler has inlined are among them.
type Stack struct {
	Frames   []Frame `json:"frames"` // innermost first
	Executed uint64  `json:"executed"`
	Lanes    uint64  `json:"lanes"`
	Bytes    uint64  `json:"bytes"` // of global memory that lanes asked for
}

// A Frame is a function and the line in it.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// deepest bounds how many calls are told apart: what is in more counts for the outermost of them.
const deepest = 64

// chain is a chain of calls, numbered; 0 is that of what no call led to.
type chain struct {
	outer int
	site  uint64
}

// stackKey is an instruction in a chain of calls.
type stackKey struct {
	chain int
	pc    uint64
}

// stackCount is what has been counted there.
type stackCount struct{ executed, lanes, bytes uint64 }

// A stacker counts by chains of calls.
type stacker struct {
	chains []chain
	number map[chain]int
	known  map[int]knownCall // by wave: the call that it was in last
	counts map[stackKey]*stackCount
	now    *stackCount // of the instruction under way
}

type knownCall struct {
	call  *simt.Call
	chain int
}

func newStacker() *stacker {
	return &stacker{chains: []chain{{}}, number: map[chain]int{}, known: map[int]knownCall{},
		counts: map[stackKey]*stackCount{}}
}

// begin notes that lanes of a wave execute an instruction: in the calls of the first of them, or where the
// wave was before, if there are none.
func (s *stacker) begin(w *simt.Wave, pc, active uint64) {
	k, ok := s.known[w.ID]
	c := k.call
	if w.Track != nil && active != 0 {
		c = w.Track.Innermost[bits.TrailingZeros64(active)]
	}
	if !ok || k.call != c {
		k = knownCall{c, s.of(c)}
		s.known[w.ID] = k
	}
	key := stackKey{k.chain, pc}
	if s.now = s.counts[key]; s.now == nil {
		s.now = &stackCount{}
		s.counts[key] = s.now
	}
}

// of is the number of the calls that led to where a call is.
func (s *stacker) of(c *simt.Call) int {
	if c = c.At(min(c.Count()-1, deepest-1)); c == nil {
		return 0
	}
	k := chain{s.of(c.Outer), c.Site}
	n, ok := s.number[k]
	if !ok {
		n = len(s.chains)
		s.number[k] = n
		s.chains = append(s.chains, k)
	}
	return n
}

// stacks finds the functions and lines.
func (s *stacker) stacks(m *source.Map) []Stack {
	all := map[string]*Stack{}
	for key, n := range s.counts {
		frames := framesAt(m, key.pc)
		for c := key.chain; c != 0; c = s.chains[c].outer {
			frames = append(frames, framesAt(m, s.chains[c].site)...)
		}
		one := Stack{Frames: frames, Executed: n.executed, Lanes: n.lanes, Bytes: n.bytes}
		if known := all[one.key()]; known != nil {
			known.add(&one)
		} else {
			all[one.key()] = &one
		}
	}
	var list []Stack
	for _, one := range all {
		list = append(list, *one)
	}
	sortStacks(list)
	return list
}

func (s *Stack) add(o *Stack) {
	s.Executed, s.Lanes, s.Bytes = s.Executed+o.Executed, s.Lanes+o.Lanes, s.Bytes+o.Bytes
}

// key tells stacks apart.
func (s *Stack) key() string {
	var b strings.Builder
	for _, f := range s.Frames {
		b.WriteString(f.Function + "\x00" + f.File + "\x00" + strconv.Itoa(f.Line) + "\x00")
	}
	return b.String()
}

func sortStacks(list []Stack) {
	slices.SortFunc(list, func(a, b Stack) int {
		return cmp.Or(cmp.Compare(b.Executed, a.Executed), cmp.Compare(a.key(), b.key()))
	})
}

// joinStacks adds stacks to others.
func joinStacks(to, more []Stack) []Stack {
	at := map[string]int{}
	for i := range to {
		at[to[i].key()] = i
	}
	for i := range more {
		if n, ok := at[more[i].key()]; ok {
			to[n].add(&more[i])
		} else {
			at[more[i].key()] = len(to)
			to = append(to, more[i])
		}
	}
	sortStacks(to)
	return to
}

// framesAt are the function of an instruction, and those that it is inlined into, innermost first.
func framesAt(m *source.Map, pc uint64) []Frame {
	if m == nil {
		return []Frame{{}}
	}
	whole, _, _ := m.Function(pc)
	f := Frame{Function: whole}
	if at, ok := m.At(pc); ok {
		f.File, f.Line = at.File, int(at.Line)
	}
	var frames []Frame
	for _, in := range m.Inlined(pc) {
		f.Function = in.Name
		frames = append(frames, f)
		f = Frame{Function: whole, File: in.From.File, Line: int(in.From.Line)}
	}
	return append(frames, f)
}
