package x86

import (
	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// flagCopy makes the code of a copy of one element from flags, or to them, in general registers. It reports
// whether it is one.
func (t *translator) flagCopy(o *regions.Op) bool {
	s, d := &o.S[0], &o.D
	if o.Kind != regions.Copy || o.Lanes != 1 || o.Flags || o.Also.Size != 0 || d.Size != 2 && d.Size != 4 ||
		s.Const == nil && (s.Size != d.Size || s.Table != nil || s.Keep != ^uint64(0) || s.Flip != 0 ||
			s.Neg) {
		return false
	}
	to, from := t.flagBit(d), t.flagBit(&s.Region)
	if s.Const != nil {
		from = -1
	}
	if to < 0 && from < 0 || t.hasFlags(d, 1) != (to >= 0) ||
		s.Const == nil && t.hasFlags(&s.Region, 1) != (from >= 0) {
		return false
	}
	done := t.NewLabel()
	if t.oneChannel(o) {
		t.Jcc(native.E, done)
	}
	switch {
	case s.Const != nil:
		t.MovImm(native.RAX, modified(s, s.Const[0])&(1<<(8*d.Size)-1))
	case from >= 0:
		t.Mov(native.W64, native.RAX, regFlags)
		if from > 0 {
			t.ShiftImm(native.SHR, native.W64, native.RAX, uint8(from))
		}
	default:
		if t.Load(native.W32, native.RAX, fileAt(s.At&^3)); s.At&3 != 0 {
			t.ShiftImm(native.SHR, native.W32, native.RAX, uint8(8*(s.At&3)))
		}
	}
	if to < 0 {
		t.storeLow(fileAt(d.At), native.RAX, d.Size)
		t.Set(done)
		t.written(d.At, d.At+int32(d.Size))
		return true
	}
	t.low(native.RAX, 8*d.Size)
	t.MovImm(native.RCX, ^((uint64(1)<<(8*d.Size) - 1) << to))
	t.Op(native.AND, native.W64, regFlags, native.RCX)
	if to > 0 {
		t.ShiftImm(native.SHL, native.W64, native.RAX, uint8(to))
	}
	t.Op(native.OR, native.W64, regFlags, native.RAX)
	t.Set(done)
	return true
}

// flagBit is the first flag of an element that is flags, else -1.
func (t *translator) flagBit(r *regions.Region) int {
	if r.Table != nil || r.Size == 0 || r.At < t.Flags || r.At+int32(r.Size) > t.Flags+8 {
		return -1
	}
	return int(8 * (r.At - t.Flags))
}

// oneChannel reports whether the only channel of an operation may not execute it. If so it makes code that
// tests whether it does, and counts it.
func (t *translator) oneChannel(o *regions.Op) bool {
	some := !o.Always && !t.whole
	switch {
	case o.Under.On:
		t.predicate(native.RAX, o.Under, 1)
		if some {
			t.channelsOn(regMask, o.First, 1)
			t.Op(native.AND, native.W32, native.RAX, regMask)
		}
		if !o.Always && !o.Part {
			t.Op(native.ADD, native.W64, regLanes, native.RAX)
		}
		t.Test(native.W32, native.RAX, native.RAX)
	case some:
		t.channelsOn(native.RAX, o.First, 1)
		t.Test(native.W32, native.RAX, native.RAX)
	}
	return some || o.Under.On
}
