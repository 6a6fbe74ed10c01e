package stub

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf/expr"
	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/gcn"
	"simtgdb/stub/facade"
	"simtgdb/stub/frames"
	"simtgdb/stub/launch"
	"simtgdb/stub/unwind"
	"simtgdb/testdata/sweep"
)

// testdata is where the code objects are.
const testdata = "../testdata"

// sessionFor starts a session with the flags of simtgdb serve.
func sessionFor(t testing.TB, args ...string) *Session {
	t.Helper()
	return checkedSession(t, 0, args...)
}

// checkedSession is sessionFor with checkers of some kinds.
func checkedSession(t testing.TB, kinds check.Kinds, args ...string) *Session {
	t.Helper()
	var flags launch.Flags
	set := flag.NewFlagSet("serve", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	flags.Register(set)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	spec, err := flags.Spec(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.Load()
	if err != nil {
		t.Fatal(err)
	}
	if kinds != 0 {
		p.LookFor(kinds, nil)
	}
	cpu, err := facade.Named("x86-64")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, cpu)
	if err != nil {
		t.Fatal(err)
	}
	s.LookFor(kinds)
	return s
}

// assembled starts a session on a kernel of testdata/asm.
func assembled(t testing.TB, kernel, target string) *Session {
	t.Helper()
	return sessionFor(t, "--launch", filepath.Join(testdata, "asm", kernel+".json"),
		"--code-object", filepath.Join(testdata, "asm/co", "frames."+target+".co"))
}

// A snapshot is what the registers really were when a call was made.
type snapshot struct {
	ret uint64
	r   simt.Registers
}

// An observer executes a wave instruction by instruction and remembers for
// each lane the calls that it is in, by the instructions alone.
type observer struct {
	t       *testing.T
	s       *Session
	w       *simt.Wave
	calls   [simt.MaxLanes][]*snapshot
	visited map[uint64]bool
	tails   int
	files   []simt.RegFile

	compared int // how often frames were
}

// step executes one instruction and reports whether there are more.
func (o *observer) step() bool {
	o.t.Helper()
	w := o.w
	pc := w.PC
	o.visited[pc] = true
	in, err := o.s.machine.InstAt(pc)
	if err != nil {
		o.t.Fatal(err)
	}
	active := w.Active()
	ev, err := o.s.machine.StepWave(w, 1)
	if err != nil || ev.Kind == simt.FaultEvent {
		o.t.Fatalf("%#x: %s: %v %v", pc, in.Text, err, ev.Fault)
	}
	switch in.Flow {
	case simt.FlowCall:
		c := &snapshot{pc + uint64(in.Size), w.Regs.Clone()}
		simt.Lanes(active, func(l int) { o.calls[l] = append(o.calls[l], c) })
	case simt.FlowIndirect:
		simt.Lanes(active, func(l int) {
			n := len(o.calls[l]) - 1
			if n >= 0 && o.calls[l][n].ret == w.PC {
				o.calls[l] = o.calls[l][:n]
			} else {
				o.tails++
			}
		})
	}
	return w.State != simt.Ended
}

// callerSaved are the registers that a callee may leave changed, those of them
// that the assembled kernels use (LLVM, "User Guide for AMDGPU Backend",
// "Non-Kernel Functions").
func callerSaved(num uint64) bool {
	return num >= 32+4 && num <= 32+31 || num >= 2560 && num <= 2563 || num == 3072 || num == 768
}

// compare holds the registers of a lane's frames against what they really
// were. Those that callees preserve must be there; the others may be said to
// be lost, but not be wrong. Of vector registers it compares the lane, and some
// others, which the next time are others.
func (o *observer) compare(lane int, found []unwind.Frame, mayLose bool) {
	o.t.Helper()
	o.compared++
	apart := sweep.Step(16)
	for i := 1; i < len(found); i++ {
		was := o.calls[lane][len(o.calls[lane])-i]
		for n, file := range o.files {
			for index := range max(file.Count, 1) {
				reg := simt.Reg{File: uint8(n), Index: uint16(index)}
				if !file.PerLane {
					o.compareRegister(lane, &found[i], was, reg, 0, mayLose)
				}
				for l := range o.w.Size {
					if file.PerLane && file.Count > 0 && (l == lane || (l+o.compared)%apart == 0) {
						o.compareRegister(lane, &found[i], was, reg, l, mayLose)
					}
				}
			}
		}
	}
}

// compareRegister compares a register of a frame of a lane, as lane l has it.
func (o *observer) compareRegister(lane int, f *unwind.Frame, was *snapshot, reg simt.Reg, l int,
	mayLose bool) {
	parts := o.s.arch.Parts(reg, l, o.w.Size)
	if parts == nil {
		return
	}
	got, want := make([]byte, o.files[reg.File].Bits/8), make([]byte, o.files[reg.File].Bits/8)
	err := f.Registers.Read(reg, l, got)
	if errors.Is(err, expr.ReadUndefined) && mayLose && callerSaved(parts[0].Number) {
		return
	}
	if err := was.r.Read(reg, l, want); err != nil {
		o.t.Fatal(err)
	}
	if err != nil || !bytes.Equal(got, want) {
		o.t.Helper()
		o.t.Fatalf("pc %#x (%s), lane %d, frame %d: lane %d of %s is %#x (%v), want %#x",
			o.w.PC, o.s.describeScope(o.w.PC), lane, f.Level, l,
			frames.RegisterName(o.files, reg), got, err, want)
	}
}

// scalarOf and vectorOf read the registers of a frame that hold numbers.
func scalarOf(f *unwind.Frame, index uint16) (uint32, error) {
	return number(f, simt.Reg{File: gcn.FileS, Index: index})
}

func vectorOf(f *unwind.Frame, index uint16) (uint32, error) {
	return number(f, simt.Reg{File: gcn.FileV, Index: index})
}

func number(f *unwind.Frame, r simt.Reg) (uint32, error) {
	var b [4]byte
	err := f.Registers.Read(r, f.Lane, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}

// positions compares the frames' pcs for every lane.
func (o *observer) positions(lane int, frames []unwind.Frame, err error) {
	o.t.Helper()
	got := []uint64{}
	for _, f := range frames {
		got = append(got, f.PC)
	}
	want := []uint64{o.w.LanePC(lane)}
	for _, c := range slices.Backward(o.calls[lane]) {
		want = append(want, c.ret)
	}
	if err != nil || !slices.Equal(want, got) {
		o.t.Fatalf("pc %#x (%s), lane %d: frames (-want +got):\n%s%v", o.w.PC, o.s.describeScope(o.w.PC),
			lane, cmp.Diff(want, got), err)
	}
}

func observe(t *testing.T, s *Session) *observer {
	w := s.machine.Waves()[0]
	return &observer{t: t, s: s, w: w, visited: map[uint64]bool{}, files: w.Regs.Files()}
}

// TestUnwindAtEveryInstruction runs kernels that have call frame information of
// every form, and compares at every instruction what that and the record of
// calls unwind to with what was there.
func TestUnwindAtEveryInstruction(t *testing.T) {
	for _, test := range sweep.Some(2, []struct{ kernel, target string }{
		{"frames", "gfx90a"}, {"frames", "gfx942"}, {"frames", "gfx90a.eh"}, {"mixed", "gfx90a"},
		{"mixed", "gfx942"},
	}...) {
		t.Run(test.kernel+"/"+test.target, func(t *testing.T) {
			s := assembled(t, test.kernel, test.target)
			rules := s.frames.Providers
			if test.kernel == "frames" {
				rules = rules[:1] // needs nobody else
			}
			o := observe(t, s)
			for n := 0; o.step(); n++ {
				for lane := range o.w.Size {
					if lane != 22 && lane != 63 && (lane+n)%(8*sweep.Step(4)) != 0 {
						continue // its turn comes
					}
					frames, err := unwind.Frames(o.w, lane, rules)
					o.positions(lane, frames, err)
					o.providers(lane, frames)
					recorded, err := unwind.Frames(o.w, lane, []unwind.Provider{unwind.CallRecord{}})
					o.positions(lane, recorded, err)
					// Often one lane that f calls with, and one that it switches off.
					if lane == 63 && n%sweep.Step(3) == 0 || lane == 22 && n%4 == 0 {
						o.compare(lane, frames, true)
						o.compare(lane, recorded, false)
					}
				}
			}
			o.covered("f", "g", "h", "hop", "leaf", test.kernel)
			if o.tails == 0 {
				t.Error("nobody made a tail call")
			}
			o.results(test.kernel)
		})
	}
}

// providers checks that the record is asked for the caller of plain, and for no
// other.
func (o *observer) providers(lane int, frames []unwind.Frame) {
	o.t.Helper()
	for _, f := range frames[1:] {
		if (f.Provider == "call record") != o.calledBy(f.Level, lane, "plain") {
			o.t.Fatalf("pc %#x, lane %d: frame %d is unwound by %s", o.w.PC, lane, f.Level, f.Provider)
		}
	}
}

// calledBy tells whether the callee of a lane's frame is a function.
func (o *observer) calledBy(level, lane int, function string) bool {
	pc := o.w.LanePC(lane)
	if level > 1 {
		pc = o.calls[lane][len(o.calls[lane])-level+1].ret - 1
	}
	name, _, _ := o.s.prog.Source.Function(pc)
	return name == function
}

// covered makes sure that every instruction of functions was executed.
func (o *observer) covered(functions ...string) {
	o.t.Helper()
	for _, sym := range o.s.prog.Module.Symbols {
		if sym.Kind != loader.SymbolFunc || !slices.Contains(functions, sym.Name) {
			continue
		}
		for pc := sym.Addr; pc < sym.Addr+sym.Size; {
			in, err := o.s.machine.InstAt(pc)
			if err != nil {
				o.t.Fatal(err)
			}
			if !o.visited[pc] {
				o.t.Errorf("%#x in %s was not executed", pc, sym.Name)
			}
			pc += uint64(in.Size)
		}
	}
}

// results compares what the kernel has computed, in part from registers that
// its callees had to preserve, with the same in Go.
func (o *observer) results(kernel string) {
	o.t.Helper()
	const depth = 2
	leaf := func(v uint32) uint32 { return 3*v + 0x134 + 0x135 }
	var h func(v, d uint32) uint32
	h = func(v, d uint32) uint32 {
		var r uint32
		if d == 0 {
			r = leaf(v + 1 + 0x10)
		} else {
			r = h(v+1, d-1)
		}
		return r + d ^ (v<<8 + d)
	}
	call := func(v, d uint32) uint32 { return h(v, d) + 0x6410000 + v + d + 0x635 }
	n := uint32(0)
	if kernel == "mixed" {
		g := call
		call = func(v, d uint32) uint32 { return g(v, d) + 0x7410000 + v + 0x734 }
		n = 1
	}
	var want, got []uint32
	for id := range uint32(64) {
		r := id
		if id%2 == 1 {
			r = call(id, depth)
		}
		r = r + 0xf410000 - 0xf420000 + 0xf34
		want = append(want, r+0x410000+n+id+0x420000+n+id+0x340+n+0x350+n)
		got = append(got, binary.LittleEndian.Uint32(o.s.prog.Buffers[0].Region.Data[4*id:]))
	}
	if d := cmp.Diff(want, got); d != "" {
		o.t.Errorf("results (-want +got):\n%s", d)
	}
}

// TestCallRecordAtEveryInstruction does the same for kernels of stock clang:
// recursion, divergent indirect calls and tail calls, optimised and not.
func TestCallRecordAtEveryInstruction(t *testing.T) {
	for i, object := range []string{"gfx90a.O0", "gfx90a.O2", "gfx942.O2"} {
		for j, kernel := range []string{"calls", "recursion", "function_table", "early_return", "preserved"} {
			if (i+j)%sweep.Step(3) != 0 {
				continue // each of them once
			}
			t.Run(kernel+"."+object, func(t *testing.T) {
				s := sessionFor(t, "--launch", filepath.Join(testdata, "launch", kernel+".json"),
					"--code-object", filepath.Join(testdata, "co", kernel+"."+object+".co"))
				o := observe(t, s)
				deepest := 0
				for n := 0; o.step(); n++ {
					for lane := n % 16; lane < o.w.Size; lane += 16 {
						frames, err := unwind.Frames(o.w, lane, s.frames.Providers)
						o.positions(lane, frames, err)
						deepest = max(deepest, len(frames))
						if lane == n%o.w.Size && n%3 == 0 {
							o.compare(lane, frames, false)
						}
					}
				}
				if deepest < 2 {
					t.Errorf("no call was made")
				}
			})
		}
	}
}

// deep runs a recursion until one lane has 200 frames.
func deep(t testing.TB) (*Session, *simt.Wave) {
	t.Helper()
	s := sessionFor(t, "--launch", filepath.Join(testdata, "asm/frames.json"), "--arg", "buf:u32[64]=zero",
		"--arg", "i32:196")
	w := s.machine.Waves()[0]
	for w.Track.Innermost[1].Count() < 199 {
		if ev, err := s.machine.StepWave(w, 1); err != nil || ev.Kind != simt.NoEvent {
			t.Fatalf("%v %v", ev, err)
		}
	}
	return s, w
}

// TestUnwindDeepRecursion looks at what the activations of one function, 197 of
// them, have in the same registers.
func TestUnwindDeepRecursion(t *testing.T) {
	s, w := deep(t)
	const lane, kept, mine = 1, 34, 41
	for _, provider := range []unwind.Provider{s.frames.Providers[0], unwind.CallRecord{}} {
		frames, err := unwind.Frames(w, lane, []unwind.Provider{provider})
		if err != nil || len(frames) != 200 {
			t.Fatalf("%s: %d frames, want 200: %v", provider.Name(), len(frames), err)
		}
		for i := 1; i < 197; i++ {
			f := &frames[i] // of h, with depth i
			s, err := scalarOf(f, kept)
			if err != nil || s != uint32(i) {
				t.Errorf("%s: frame %d: s34 is %d (%v), want %d", provider.Name(), i, s, err, i)
			}
			want := uint32(lane+196-i)<<8 + uint32(i)
			if v, err := vectorOf(f, mine); err != nil || v != want {
				t.Errorf("%s: frame %d: v41 is %#x (%v), want %#x", provider.Name(), i, v, err, want)
			}
		}
	}
}

// TestFrameExpressions evaluates what only frames know: the canonical frame
// address, and what registers held when the function was entered.
func TestFrameExpressions(t *testing.T) {
	s := assembled(t, "mixed", "gfx90a")
	o := observe(t, s)
	leaf, ok := s.prog.Module.Symbol("leaf")
	if !ok {
		t.Fatal("no symbol leaf")
	}
	for o.w.PC != leaf.Addr {
		if !o.step() {
			t.Fatal("leaf is not reached")
		}
	}
	const lane = 3
	found := s.frames.Of(o.w, lane)
	cfas := []string{"memory space 6 address 0x2000", "memory space 6 address 0x1c00",
		"memory space 6 address 0x1800",
		"memory space 6 address 0x1400", "memory space 6 address 0xc00", "missing-context",
		"memory space 6 address 0x400", "memory space 6 address 0x0"}
	if len(found) != len(cfas) {
		t.Fatalf("%d frames, want %d", len(found), len(cfas))
	}
	for i := range found {
		ctx := &frames.Context{Finder: s.frames, Frame: &found[i]}
		opt := expr.Options{Arch: expr.AMDGPU}
		l, err := expr.Evaluate(ctx, []byte{0x9c}, opt) // call_frame_cfa
		if got := fmt.Sprint(l); err == nil && got != cfas[i] ||
			err != nil && expr.KindOf(err).String() != cfas[i] {
			t.Errorf("frame %d: the CFA is %v (%v), want %s", i, l, err, cfas[i])
		}
		v, err := expr.EvaluateValue(ctx, []byte{0xa3, 2, 0x90, 32 + 34}, opt) // entry_value(regx s34)
		if i == len(found)-1 {
			if expr.KindOf(err) != expr.MissingContext {
				t.Errorf("the kernel's entry: %v", err)
			}
			continue
		}
		want, err2 := scalarOf(&found[i+1], 34)
		if err != nil || err2 != nil || v.Uint64() != uint64(want) {
			t.Errorf("frame %d: s34 was %#x (%v), want %#x (%v)", i, v.Uint64(), err, want, err2)
		}
	}
}

// BenchmarkUnwind finds the frames of a recursion 200 deep.
func BenchmarkUnwind(b *testing.B) {
	s, w := deep(b)
	for _, provider := range []unwind.Provider{s.frames.Providers[0], unwind.CallRecord{}} {
		b.Run(strings.ReplaceAll(provider.Name(), " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				frames, err := unwind.Frames(w, 1, []unwind.Provider{provider})
				if err != nil || len(frames) != 200 {
					b.Fatalf("%d frames: %v", len(frames), err)
				}
			}
		})
	}
}
