package gen

import (
	"encoding/binary"
	"math/bits"
	"math/rand"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// A step is an instruction of exec.asm with the distances that it jumps.
type step struct {
	name     string
	jip, uip int32
}

// program puts instructions where the thread goes on, with some channels.
func (b *bench) program(exec uint32, steps ...step) {
	b.t.Helper()
	a := assembled(b.t)
	var codes []string
	for _, s := range steps {
		codes = append(codes, a[s.name])
	}
	b.load(codes...)
	for i, s := range steps {
		if at := b.code.Data[16*i:]; s.jip != 0 {
			binary.LittleEndian.PutUint32(at[12:], uint32(s.jip))
			if s.uip != 0 {
				binary.LittleEndian.PutUint32(at[8:], uint32(s.uip))
			}
		}
	}
	b.core.forget()
	b.covering(16 * len(steps))
	b.w.Exec = uint64(exec)
	for i := range b.r.ip {
		if exec>>i&1 == 0 {
			b.r.ip[i] = codeBase + codeSize - 16 // where the thread does not come
		}
	}
}

// someChannels are all, and random ones.
func someChannels(r *rand.Rand, round int) uint32 {
	if round%3 == 0 {
		return 0xff
	}
	return max(r.Uint32()&0xff, 1)
}

// TestChoices goes both ways of if and else, and past what goto leaves out.
func TestChoices(t *testing.T) {
	r := rand.New(sweep.Source(1))
	for round := range 40 {
		exec, f0 := someChannels(r, round), []uint32{r.Uint32(), 0, 0xff}[round%3]
		b := newBench(t, 8)
		b.program(exec, step{"if", 0x30, 0x40}, step{"mov-10", 0, 0}, step{"else", 0x20, 0x20},
			step{"mov-11", 0, 0},
			step{"endif", 0x10, 0}, step{"mov-13", 0, 0}, step{"nop", 0, 0})
		b.r.setFlags(uint64(f0))
		b.steps(0x70)
		want := [3]uint32{exec & f0, exec &^ f0, exec}
		executed := bits.OnesCount32(exec&f0)*2 + bits.OnesCount32(exec&^f0) + 2*bits.OnesCount32(exec)
		if f0&exec != 0 { // else by those that the if has let in
			executed += bits.OnesCount32(exec & f0)
		}
		if got := b.w.LaneInsts; got != uint64(executed) {
			t.Errorf("if %#x of %#x: %d lane instructions, want %d", f0, exec, got, executed)
		}
		if got := [3]uint32{b.marked(10), b.marked(11), b.marked(13)}; got != want {
			t.Errorf("if %#x of %#x: %#x, want %#x", f0, exec, got, want)
		}
		b = newBench(t, 8)
		b.program(exec, step{"goto", 0x20, 0x20}, step{"mov-10", 0, 0}, step{"join", 0x10, 0},
			step{"mov-13", 0, 0})
		b.r.setFlags(uint64(f0))
		b.steps(0x40)
		want[1] = 0
		if got := [3]uint32{b.marked(10), b.marked(11), b.marked(13)}; got != want {
			t.Errorf("goto unless %#x of %#x: %#x, want %#x", f0, exec, got, want)
		}
	}
}

// meetings is an observer that keeps which channels meet.
type meetings struct {
	uses
	lanes []uint64
}

func (m *meetings) Together(_ *simt.Wave, lanes uint64) { m.lanes = append(m.lanes, lanes) }

// TestMeetings: where channels that an if has parted are all on again, that is told.
func TestMeetings(t *testing.T) {
	for _, f0 := range []uint64{0x0f, 0x01, 0xfe} {
		b := newBench(t, 8)
		b.program(0xff, step{"if", 0x30, 0x40}, step{"mov-10", 0, 0}, step{"else", 0x20, 0x20},
			step{"mov-11", 0, 0},
			step{"endif", 0x10, 0}, step{"mov-13", 0, 0}, step{"nop", 0, 0})
		var told meetings
		b.m.AddObserver(&told)
		b.r.setFlags(f0)
		b.steps(0x70)
		if n := len(told.lanes); n == 0 || told.lanes[n-1] != 0xff {
			t.Errorf("if %#x: told of %#x, want all channels last", f0, told.lanes)
		}
	}
}

// TestThreadsInstructions: what is executed whichever channels are on (NoMask) is the thread's, and counts
// for no lane.
func TestThreadsInstructions(t *testing.T) {
	b := newBench(t, 8)
	b.program(0x35, step{"mov-10", 0, 0}, step{"mov-11", 0, 0})
	b.code.Data[4] |= 1 << (34 - 32)
	b.core.forget()
	b.steps(0x20)
	if all, some := b.marked(10), b.marked(11); all != 0xff || some != 0x35 || b.w.LaneInsts != 4 {
		t.Errorf("channels %#x and %#x, %d lane instructions, want ff, 35 and 4", all, some, b.w.LaneInsts)
	}
}

// TestLoops has channels leave a loop in rounds of their own, and leave out the rest of one.
func TestLoops(t *testing.T) {
	r := rand.New(sweep.Source(2))
	for round := range 40 {
		exec := someChannels(r, round)
		var rounds, short [8]uint32
		for i := range rounds {
			rounds[i], short[i] = 1+r.Uint32()%5, 1+r.Uint32()%5
			if round%2 == 0 { // all do the same
				rounds[i], short[i] = rounds[0], short[0]
			}
		}
		b := newBench(t, 8)
		b.set(14, rounds)
		b.set(16, short)
		b.program(exec, step{"count-10", 0, 0}, step{"cmp-ge-10", 0, 0}, step{"break", 0x40, 0x40},
			step{"cmp-eq-10", 0, 0}, step{"cont-32", 0x20, 0x20}, step{"count-11", 0, 0},
			step{"while", -0x60, 0}, step{"mov-13", 0, 0})
		b.steps(0x80)
		back := newBench(t, 8)
		back.set(14, rounds)
		back.program(exec, step{"count-10", 0, 0}, step{"cmp-lt-10", 0, 0}, step{"goto-back", 0x10, -0x20},
			step{"join", 0x10, 0}, step{"mov-13", 0, 0})
		back.steps(0x50)
		for i, n := range rounds {
			var want [2]uint32
			if exec>>i&1 != 0 {
				want = [2]uint32{n, n - 1}
				if short[i] < n {
					want[1]--
				}
			}
			if got := [2]uint32{b.get(10)[i], b.get(11)[i]}; got != want {
				t.Errorf("channel %d of %#x, which leaves in round %d and is short in %d, counts %d, want %d",
					i, exec, n, short[i], got, want)
			}
			if got := back.get(10)[i]; got != want[0] {
				t.Errorf("goto: channel %d of %#x has %d rounds, want %d", i, exec, got, want[0])
			}
		}
		if b.marked(13) != exec || back.marked(13) != exec {
			t.Errorf("%#x and %#x of %#x come out", b.marked(13), back.marked(13), exec)
		}
	}
}

// TestWait waits at a barrier, of which the thread has told the others.
func TestWait(t *testing.T) {
	for _, exec := range []uint32{0xff, 0x12} {
		b := newBench(t, 8)
		b.program(exec, step{"barrier", 0, 0}, step{"wait", 0, 0})
		b.steps(0x10)
		if ev := b.core.Run(b.w, 1); ev.Kind != simt.BarrierEvent || ev.Lanes != uint64(exec) ||
			b.w.PC != codeBase+0x20 || b.w.State != simt.AtBarrier {
			t.Errorf("channels %#x: %v of %#x at %#x", exec, ev.Kind, ev.Lanes, b.w.PC)
		}
	}
}

// TestLocalMessages moves bytes of local memory, adds to dwords of it, and passes a fence.
func TestLocalMessages(t *testing.T) { inHalves(t, testLocalMessages) }

func testLocalMessages(t *testing.T, halves bool) {
	t.Helper()
	b := newBench(t, 8)
	b.halves = halves
	values := [8]uint32{0x111, 0x222, 3, 4, 5, 6, 7, 0xff88}
	b.set(12, [8]uint32{9, 8, 7, 6, 5, 4, 3, 2})
	b.set(16, values)
	b.program(0xff, step{"slm-bytes-write", 0, 0}, step{"fence", 0, 0}, step{"slm-bytes-read", 0, 0})
	b.steps(0x30)
	for i, v := range b.get(10) {
		if want := values[i] & 0xff; v != want || b.w.Group.LDS[9-i] != byte(want) {
			t.Errorf("byte %d is %#x, in memory %#x, want %#x", i, v, b.w.Group.LDS[9-i], want)
		}
	}
	b = newBench(t, 8)
	b.halves = halves
	b.set(12, [8]uint32{0, 4, 8, 12, 16, 20, 24, 28})
	b.set(16, values)
	b.program(0xff, step{"slm-atomic", 0, 0})
	for i := range values {
		b.w.Group.LDS[4*i] = byte(10 * i)
	}
	b.steps(0x10)
	for i, v := range b.get(10) {
		sum := binary.LittleEndian.Uint32(b.w.Group.LDS[4*i:])
		if v != uint32(10*i) || sum != values[i]+uint32(10*i) {
			t.Errorf("dword %d was %d, is %d", i, v, sum)
		}
	}
}
