package intelgt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/gen"
	"simtgdb/stub/arch"
	"simtgdb/stub/unwind"
	"simtgdb/testdata/sweep"
)

// stepped loads a program of debug/ with its tables, to be run step by step.
func stepped(t *testing.T, name string) (*simt.Machine, unwind.Provider, []*simt.Region) {
	t.Helper()
	mem := simt.NewMemory()
	object := name + ".zebin"
	if strings.HasPrefix(name, "patch/") {
		object = name + ".bin"
	}
	m := openModule(t, programs+"debug/"+object, mem)
	data, err := os.ReadFile(programs + "debug/" + name + ".dbg")
	if err != nil {
		t.Fatal(err)
	}
	r := kernelRun{grid: [3]uint32{24, 1, 1}, block: [3]uint32{16, 1, 1}, args: []string{"out:96",
		"in:u32:24:9"}}
	params, outs := r.params(t, mem)
	l, err := Family{}.Launch(&arch.Launch{Module: m, Kernel: &m.Kernels[0], Memory: mem, Grid: r.grid,
		Block:  r.block,
		Params: params, Tables: []arch.Table{{Name: filepath.Base(name) + ".dbg", Data: data}}})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := simt.New(mem, l.ISA, l.Dispatch)
	if err != nil {
		t.Fatal(err)
	}
	machine.Track = true
	if err := machine.Fill(); err != nil {
		t.Fatal(err)
	}
	providers := l.Arch.(arch.Unwinder).Unwinders()
	if len(providers) != 1 {
		t.Fatalf("%d providers", len(providers))
	}
	return machine, providers[0], outs
}

// TestUnwindEveryInstruction unwinds lanes before every instruction of recursive
// programs by their vISA tables, and compares the callers, and the registers that
// functions preserve, with the machine's own record of calls.
func TestUnwindEveryInstruction(t *testing.T) {
	for _, name := range sweep.Some(3, "recurse-O0", "recurse-O2", "mutual-O0", "mutual-O2",
		"gen11/recurse-O0", "gen11/recurse-O2", "gen11/mutual-O0", "gen11/mutual-O2", "gen12lp/recurse-O0",
		"gen12lp/recurse-O2", "gen12lp/mutual-O0", "gen12lp/mutual-O2", "xe-hpg/recurse-O0",
		"xe-hpg/recurse-O2", "xe-hpg/mutual-O0", "xe-hpg/mutual-O2", "xe-hpc/recurse-O0", "xe-hpc/recurse-O2",
		"xe-hpc/mutual-O0", "xe-hpc/mutual-O2", "patch/recurse-gen9",
		"patch/recurse-gen11", "patch/recurse-gen12lp", "patch/recurse-xe-hpg", "patch/recurse-xe-hpc",
		"patch/recurse-256") {
		t.Run(name, func(t *testing.T) {
			m, tables, _ := stepped(t, name)
			preserved := firstPreserved(gen.Gen9)
			if strings.HasSuffix(name, "-256") {
				preserved = firstPreserved(gen.XeHPC.WithRegisters(256))
			}
			states, frames, deepest := 0, 0, 0
			for !m.Done() {
				for _, w := range m.Waves() {
					if w.State != simt.Ready {
						continue
					}
					n, depth, err := compareFrames(w, tables, preserved, states)
					if err != nil {
						t.Fatalf("wave %d at %#x: %v", w.ID, w.PC, err)
					}
					states, frames, deepest = states+1, frames+n, max(deepest, depth)
					if ev, err := m.StepWave(w, 1); err != nil || ev.Kind == simt.FaultEvent {
						t.Fatalf("%v: %v %v", ev.Kind, err, ev.Fault)
					}
				}
			}
			if states < 500 || frames < sweep.Times(1, 2)*states || deepest < 5 {
				t.Errorf("%d states, %d frames, %d deep: too few", states, frames, deepest)
			}
		})
	}
}

// preservedStep is how many registers lie between two that are compared at one state; the next state has
// others.
const preservedStep = 7

// compareFrames compares the frames of a wave's lanes by tables and by record: of one lane in eight, and
// there one in seven of the registers from preserved on. The next state has others.
func compareFrames(w *simt.Wave, tables unwind.Provider, preserved, state int) (count, deepest int,
	err error) {
	registers := w.Regs.Files()[gen.GRF(0).File].Count - 3
	a, b, apart := make([]byte, 64), make([]byte, 64), sweep.Step(8)
	for l := range w.Size {
		if w.Valid>>l&1 == 0 || (l+state)%apart != 0 {
			continue
		}
		want, err := unwind.Frames(w, l, []unwind.Provider{unwind.CallRecord{}})
		if err != nil {
			return 0, 0, err
		}
		got, err := unwind.Frames(w, l, []unwind.Provider{tables})
		if err != nil {
			return 0, 0, fmt.Errorf("lane %d: %w", l, err)
		}
		if len(got) != len(want) {
			return 0, 0, fmt.Errorf("lane %d: %d frames by the tables, %d by the record", l, len(got),
				len(want))
		}
		for i := range got {
			if got[i].PC != want[i].PC {
				return 0, 0, fmt.Errorf("lane %d, frame %d: pc %#x, recorded %#x", l, i, got[i].PC,
					want[i].PC)
			}
			if i == 0 && w.Active()>>l&1 != 0 {
				continue
			}
			// Behind these registers is what calls write.
			for n := preserved + state%preservedStep; n < registers; n += preservedStep {
				if err := got[i].Read(gen.GRF(n), l, a); err != nil {
					return 0, 0, fmt.Errorf("lane %d, frame %d, r%d: %w", l, i, n, err)
				}
				if err := want[i].Read(gen.GRF(n), l, b); err != nil {
					return 0, 0, err
				}
				if !bytes.Equal(a, b) {
					return 0, 0, fmt.Errorf("lane %d, frame %d: r%d is %x, recorded %x", l, i, n, a, b)
				}
			}
		}
		count, deepest = count+len(got), max(deepest, len(got))
	}
	return count, deepest, nil
}

// TestLaunchErrors checks what is said of tables that do not fit.
func TestLaunchErrors(t *testing.T) {
	mem := simt.NewMemory()
	m := openModule(t, programs+"debug/recurse-O2.zebin", mem)
	other, err := os.ReadFile(programs + "debug/mutual-O2.dbg")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		table []byte
		want  string
	}{
		{other, `t.dbg: kernel "mutual": no such kernel; the file has: recurse`},
		{[]byte("not a table"), "t.dbg: "},
	} {
		_, err := New(m, []arch.Table{{Name: "t.dbg", Data: c.table}})
		if err == nil || !bytes.HasPrefix([]byte(err.Error()), []byte(c.want)) {
			t.Errorf("error %v\nwant %s", err, c.want)
		}
	}
	if _, err := (Family{}).Open(other, loader.Options{}); err == nil {
		t.Error("tables opened as a program")
	}
}
