package spirv

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"testing"

	"simtgdb/simt"
)

// A module gives the same if more invocations are there than it knows of, which do nothing. If its
// invocations do not look at each other it also gives the same if its entry point is called twice, for the
// odd lanes of a subgroup and then for the even ones. Both make every instruction run with some lanes.

// together are the instructions by which invocations look at each other, or at what they find first.
func together(op uint16) bool {
	switch {
	case op == 224, op >= 259 && op <= 271: // ControlBarrier, groups
		return true
	case op >= 333 && op <= 366: // groups that are not uniform
		return true
	case op == 4431, op >= 4421 && op <= 4432, op == 5056: // subgroups, ReadClock
		return true
	case op >= 4457 && op <= 4459, op == 5293, op == 5390, op >= 5366 && op <= 5369: // cooperative matrices
		return true
	case op >= 5571 && op <= 5574, op >= 5614 && op <= 5615, op >= 6401 && op <= 6408:
		return true
	}
	return op == 255 // Unreachable, which ends lanes
}

// A rewriter makes a module of another.
type rewriter struct {
	header          []uint32
	early, types    []uint32 // up to the first type, from there to the first function
	functions       []uint32
	intType, bools  uint32
	pointer, number uint32 // to a builtin variable of an integer; the number 1, or lanes
	main, void, typ uint32
	params          []uint32 // types of the entry point's parameters
	lanes           uint32   // those that call it, of wideGroup; 0: all do, in two parts
}

func word0(op int, args ...uint32) []uint32 {
	return append([]uint32{uint32(len(args)+1)<<16 | uint32(op)}, args...)
}

func (r *rewriter) fresh() uint32 {
	r.header[3]++
	return r.header[3] - 1
}

// divided is a module that calls the entry point of another twice, and reports whether it may be divided. If
// lanes are given it calls it for so many.
func divided(words []uint32, lanes uint32) ([]uint32, bool) {
	r := &rewriter{header: slices.Clone(words[:5]), lanes: lanes}
	variable, entry := r.fresh(), r.fresh()
	const void, boolean, integer, pointer, constant, function = 19, 20, 21, 32, 43, 54
	into, inMain := &r.early, false
	for at := 5; at < len(words); {
		in := slices.Clone(words[at : at+int(words[at]>>16)])
		at += len(in)
		op := uint16(in[0])
		if together(op) && lanes == 0 {
			return nil, false
		}
		if op >= 19 && op <= 39 && into == &r.early {
			*into = append(*into, word0(71, variable, 11, 41)...) // SubgroupLocalInvocationId
			into = &r.types
		}
		switch op {
		case 15: // EntryPoint
			if r.main != 0 {
				return nil, false
			}
			r.main, in[2] = in[2], entry
			in = append(in, variable)
			in[0] += 1 << 16
		case 16, 331:
			if in[1] = entry; in[2] == 17 && lanes != 0 { // LocalSize
				in[3] = wideGroup
			}
		case 71: // Decorate: BuiltIn WorkgroupSize comes before LocalSize
			if in[2] == 11 && in[3] == 25 && lanes != 0 {
				in = nil
			}
		case void:
			r.void = in[1]
		case boolean:
			r.bools = in[1]
		case integer:
			if in[2] == 32 && in[3] == 0 {
				r.intType = in[1]
			}
		case pointer:
			if in[2] == 1 && in[3] == r.intType {
				r.pointer = in[1]
			}
		case constant:
			if in[1] == r.intType && in[3] == max(lanes, 1) {
				r.number = in[2]
			}
		case function:
			into = &r.functions
			if inMain = in[2] == r.main; inMain {
				r.typ = in[4]
			}
		case 55: // FunctionParameter
			if inMain {
				r.params = append(r.params, in[1])
			}
		}
		*into = append(*into, in...)
	}
	if r.main == 0 || r.void == 0 || r.typ == 0 {
		return nil, false
	}
	r.declare(variable)
	r.define(variable, entry)
	return slices.Concat(r.header, r.early, r.types, r.functions), true
}

// declare adds the types that are not there, and the variable.
func (r *rewriter) declare(variable uint32) {
	need := func(id *uint32, op int, args ...uint32) {
		if *id == 0 {
			*id = r.fresh()
			r.types = append(r.types, word0(op, append([]uint32{*id}, args...)...)...)
		}
	}
	need(&r.intType, 21, 32, 0)
	need(&r.bools, 20)
	need(&r.pointer, 32, 1, r.intType)
	if r.number == 0 {
		r.number = r.fresh()
		r.types = append(r.types, word0(43, r.intType, r.number, max(r.lanes, 1))...)
	}
	r.types = append(r.types, word0(59, r.pointer, variable, 1)...)
}

// define adds the new entry point.
func (r *rewriter) define(variable, entry uint32) {
	add := func(op int, args ...uint32) { r.functions = append(r.functions, word0(op, args...)...) }
	add(54, r.void, entry, 0, r.typ)
	var args []uint32
	for _, t := range r.params {
		args = append(args, r.fresh())
		add(55, t, args[len(args)-1])
	}
	lane, bit, odd, one, two, end := r.fresh(), r.fresh(), r.fresh(), r.fresh(), r.fresh(), r.fresh()
	add(248, r.fresh())
	add(61, r.intType, lane, variable)
	parts := []uint32{one, two}
	if r.lanes == 0 {
		add(199, r.intType, bit, lane, r.number)
		add(170, r.bools, odd, bit, r.number)
	} else {
		add(176, r.bools, odd, lane, r.number)
		parts, two = parts[:1], end
	}
	add(247, end, 0)
	add(250, odd, one, two)
	for _, label := range parts {
		add(248, label)
		add(57, append([]uint32{r.void, r.fresh(), r.main}, args...)...)
		add(249, end)
	}
	add(248, end)
	add(253)
	add(56)
}

// wideGroup is how many lanes a subgroup has of which some do nothing.
const wideGroup = 64

// runDivided runs a module's invocations in two parts, or beside others, and compares what they leave with
// what they left before.
func (l launch) runDivided(t testing.TB, words []uint32, whole *ran) {
	t.Helper()
	if whole.event.Kind != simt.EndEvent {
		return
	}
	parts, ok := divided(words, 0)
	if ok = ok && !l.joint; !ok {
		size := whole.p.WorkgroupSize()
		if size[0] == 0 {
			size = l.block
		}
		alone := max(l.groups[0], 1)*max(l.groups[1], 1)*max(l.groups[2], 1) == 1
		if size[1] != 1 || size[2] != 1 || size[0] > 32 || !alone || l.o.SubgroupSize != 0 {
			return
		}
		if parts, ok = divided(words, size[0]); !ok {
			return
		}
		l.block, l.o.SubgroupSize = [3]uint32{wideGroup, 1, 1}, wideGroup
	}
	l.buffers, l.args, l.push = maps.Clone(l.buffers), bytes.Clone(l.args), bytes.Clone(l.push)
	l.track, l.printed = true, nil
	r := l.start(t, parts)
	r.p.note(t)
	ev, err := r.m.Run(context.Background(), 1)
	if err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("in parts: %v %v %v", ev.Kind, ev.Fault, err)
	}
	for s, reg := range r.regions {
		want, got := wordsOf(whole.regions[s].Data), wordsOf(reg.Data)
		if l.tickets == s {
			slices.Sort(got)
			slices.Sort(want)
		}
		for i, w := range got {
			if w != want[i] && !l.sized[i/32] {
				t.Errorf("in parts: buffer %v has %#x at word %d, want %#x", s, w, i, want[i])
				break
			}
		}
	}
}
