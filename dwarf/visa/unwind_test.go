package visa

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const (
	instructionBase = 0x7f0000000000
	kernelOffset    = 0x10000 // of the kernel from the instruction base
)

func newUnwinder(t testing.TB, f *File, target Target) *Unwinder {
	t.Helper()
	u, err := NewUnwinder(f, target,
		CodePlace{KernelStart: instructionBase + kernelOffset, InstructionBase: instructionBase})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// recursive are the functions that call themselves or each other.
var recursive = map[string]bool{"sum": true, "ping": true, "pong": true}

// recurseTo makes conditional branches go where recursive functions call each
// other, until the stack is depth calls deep.
func recurseTo(m *thread, f *File, depth int) func(*instruction, uint32) bool {
	recurses := func(from, to uint32) bool {
		for pc := from; pc < to; pc = m.code[pc].next {
			if in := m.code[pc]; in.opcode == "call" {
				if o, ok := f.ObjectAt(pc + m.label(in, 1)); ok && recursive[o.Name] {
					return true
				}
			}
		}
		return false
	}
	return func(in *instruction, target uint32) bool {
		return recurses(in.next, target) != (len(m.calls) < depth)
	}
}

// An abi says in which registers stack calls keep what they need.
type abi struct {
	descriptor uint32 // the frame descriptor
	payload    uint32 // a copy of r0, which is preserved
}

var (
	patchTokens = abi{descriptor: 125, payload: 127}
	zebin       = abi{descriptor: 127, payload: 125}
)

// targetOfDevice has the device names of ocloc's -device option.
var targetOfDevice = map[string]Target{
	"skl":   Gen9,
	"icllp": Gen11,
	"tgllp": Gen12LP,
	"dg2":   XeHPG,
	"pvc":   XeHPC,
}

// unwindPrograms executes and unwinds every program of a device in a folder
// that has its code there.
func unwindPrograms(t *testing.T, folder, device string, abi abi) {
	target, ok := targetOfDevice[device]
	if !ok {
		t.Fatalf("no target for %s", device)
	}
	texts, err := filepath.Glob(filepath.Join(folder, device, "*.gen"))
	if err != nil || len(texts) < 4 {
		t.Fatalf("%s: code of %d programs, %v", device, len(texts), err)
	}
	for _, text := range texts {
		program := strings.TrimSuffix(filepath.Base(text), ".gen")
		t.Run(device+"/"+program, func(t *testing.T) {
			f := parseFile(t, strings.TrimSuffix(text, ".gen")+".dbg")
			m := newThread(t, target, readFile(t, text), kernelOffset)
			m.descriptor, m.payload = abi.descriptor, abi.payload
			c := checker{t: t, file: f, u: newUnwinder(t, f, target), m: m, seen: map[string]bool{}}
			c.run(6)
			c.coverage()
		})
	}
}

// TestUnwindRealCode executes IGC's code and unwinds before every instruction
// of it: prologues, bodies and epilogues, of functions and sub-routines.
func TestUnwindRealCode(t *testing.T) {
	for _, device := range devices {
		unwindPrograms(t, filepath.Join("testdata", "igc"), device, patchTokens)
	}
}

// TestUnwindZebin does the same with the code of zebin files, whose frame
// descriptor is in the last register.
func TestUnwindZebin(t *testing.T) {
	unwindPrograms(t, filepath.Join("testdata", "zebin"), "skl", zebin)
}

// checker compares unwound frames with what the thread recorded.
type checker struct {
	t       *testing.T
	file    *File
	u       *Unwinder
	m       *thread
	deepest int
	steps   int
	seen    map[string]bool // objects and sub-routines that frames were in
}

func (c *checker) run(depth int) {
	c.m.branch = recurseTo(c.m, c.file, depth)
	for !c.m.done {
		if err := c.check(); err != nil {
			c.t.Fatalf("before %#x (step %d): %v", c.m.pc, c.steps, err)
		}
		c.m.step()
		if c.steps++; c.steps > 100_000 {
			c.t.Fatal("the code does not end")
		}
		c.deepest = max(c.deepest, len(c.m.calls))
	}
}

// coverage checks that the run went through everything the tables describe.
func (c *checker) coverage() {
	for i := range c.file.Objects {
		o := &c.file.Objects[i]
		if !c.seen[o.Name] {
			c.t.Errorf("%s was not executed", o.Name)
		}
		for _, s := range o.Subroutines {
			if !c.seen[o.Name+"/"+s.Name] {
				c.t.Errorf("sub-routine %s of %s was not executed", s.Name, o.Name)
			}
		}
	}
	want := 0
	for _, o := range c.file.Objects {
		switch {
		case recursive[o.Name]:
			want = 6
		case o.IsFunction() || len(o.Subroutines) > 0:
			want = max(want, 1)
		}
	}
	if c.deepest < want {
		c.t.Errorf("only %d calls deep, expected %d", c.deepest, want)
	}
}

func (c *checker) check() error {
	m := c.m
	frames, err := c.u.Walk(m, instructionBase+kernelOffset+uint64(m.pc), 100)
	if err != nil {
		return err
	}
	if len(frames) != len(m.calls)+1 {
		return fmt.Errorf("%d frames, %d calls", len(frames), len(m.calls))
	}
	for depth, f := range frames {
		name := f.Object.Name
		if f.Subroutine != nil {
			name += "/" + f.Subroutine.Name
		}
		c.seen[name] = true
		if depth == 0 {
			continue
		}
		if err := c.checkCaller(f, m.calls[len(m.calls)-depth]); err != nil {
			return fmt.Errorf("frame %d in %s: %w", depth, f.Object.Name, err)
		}
	}
	return nil
}

func (c *checker) checkCaller(f *Frame, made call) error {
	if want := instructionBase + kernelOffset + uint64(made.ret); f.IP != want {
		return fmt.Errorf("ip %#x, expected %#x", f.IP, want)
	}
	if o, ok := c.file.ObjectAt(made.site); !ok || f.Object != o {
		return errors.New("wrong object")
	}
	grf := c.m.target.GRFBytes
	descriptor, payload := c.m.descriptor*grf, c.m.payload*grf
	befp := descriptor + fdBEFP
	if got := made.grf[befp : befp+4]; f.BEFPValid &&
		!bytes.Equal(got, []byte{byte(f.BEFP), byte(f.BEFP >> 8), byte(f.BEFP >> 16), byte(f.BEFP >> 24)}) {
		return fmt.Errorf("BE_FP %#x, expected bytes %x", f.BEFP, got)
	}
	if !made.stack {
		return nil // sub-routines have no registers that they must preserve
	}
	if !f.BEFPValid {
		return errors.New("BE_FP unknown")
	}
	for _, r := range []struct {
		name     string
		from, to uint32
	}{
		{"callee-saved registers", 60 * grf, 125 * grf},
		{"thread payload", payload, payload + grf},
		{"BE_SP, BE_FP, FE_FP and FE_SP", descriptor + fdBESP, descriptor + fdBytes},
	} {
		if err := c.checkRegisters(f, made, r.from, r.to); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	for _, r := range []struct {
		name     string
		from, to uint32
	}{
		{"return address and call mask", descriptor, descriptor + fdBESP},
		{"scratch message header", 126 * grf, 127 * grf},
	} {
		if p, err := f.GRF(r.from, r.to-r.from); err != nil || len(p) != 1 || p[0].Kind != Undefined {
			return fmt.Errorf("%s: %v, expected undefined (error %v)", r.name, p, err)
		}
	}
	return c.checkCallerSaved(f, made)
}

func (c *checker) checkRegisters(f *Frame, made call, from, to uint32) error {
	got := make([]byte, to-from)
	if err := f.ReadGRF(c.m, from, got); err != nil {
		return err
	}
	if want := made.grf[from:to]; !bytes.Equal(got, want) {
		i := 0
		for got[i] == want[i] {
			i++
		}
		at := from + uint32(i)
		where, _ := f.GRF(at, 1)
		return fmt.Errorf("r%d byte %d (%v) differs", at/c.m.target.GRFBytes, at%c.m.target.GRFBytes, where)
	}
	return nil
}

// checkCallerSaved checks that of the registers which a callee may overwrite
// exactly those have a value that the caller saved.
func (c *checker) checkCallerSaved(f *Frame, made call) error {
	saved := make([]bool, 60*c.m.target.GRFBytes)
	for _, l := range f.Object.Frame.CallerSaves {
		if l.Gen <= made.site-f.Object.RelocOffset {
			clear(saved)
			for _, s := range l.Saves {
				for i := range uint32(s.Bytes) {
					if at := uint32(s.Offset) + i; at < uint32(len(saved)) {
						saved[at] = true
					}
				}
			}
		}
	}
	pieces, err := f.GRF(0, 60*c.m.target.GRFBytes)
	if err != nil {
		return err
	}
	offset := uint32(0)
	for _, p := range pieces {
		for i := range p.Size {
			if saved[offset+i] != (p.Kind != Undefined) {
				return fmt.Errorf("register file byte %d: saved is %v, but it is %v", offset+i,
					saved[offset+i], p.Location)
			}
		}
		if p.Kind != Undefined {
			if err := c.checkRegisters(f, made, offset, offset+p.Size); err != nil {
				return fmt.Errorf("caller-saved registers: %w", err)
			}
		}
		offset += p.Size
	}
	return nil
}
