package intelgt

import (
	"context"
	"os"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/arch"
)

// TestDistancesPlanted takes the distances out of a kernel's instructions, one after the other: what then
// uses registers too early is told of. Not all can be: some distances are for accumulators, flags and address
// registers, and some for what another instruction has waited for on the way that the kernel takes.
func TestDistancesPlanted(t *testing.T) {
	const distance = 0x30 // below it the scoreboard's byte says a distance and nothing else
	for _, c := range []struct {
		folder     string
		found, all int
	}{{"gen12lp", 32, 37}, {"xe-hpg", 29, 32}, {"xe-hpc", 17, 18}} {
		for _, r := range kernelRuns(t) {
			if r.kernel != "saxpy" {
				continue
			}
			data, err := os.ReadFile(programs + "zebin/" + c.folder + "/" + r.program + "-O2.zebin")
			if err != nil {
				t.Fatal(err)
			}
			found, all := 0, 0
			var missed []string
			for pc, n := uint64(0), 1; n > 0; pc += uint64(n) {
				var reports []uint64
				var text string
				reports, n, text = r.withoutDistance(t, data, pc, distance)
				if n == 0 || text == "" {
					continue
				}
				all++
				if len(reports) > 0 {
					found++
				} else {
					missed = append(missed, text)
				}
			}
			if found != c.found || all != c.all {
				t.Errorf("%s: %d of %d were found, want %d of %d; not found:\n%s", c.folder, found, all,
					c.found, c.all, strings.Join(missed, "\n"))
			}
		}
	}
}

// withoutDistance runs the kernel without the distance that the instruction at an offset says. It gives the
// places where registers are used too early, and the instruction's size and text: 0 behind the last one, no
// text if it has no distance.
func (r *kernelRun) withoutDistance(t *testing.T, data []byte, offset uint64, below byte) (
	reports []uint64, n int, text string) {
	mem := simt.NewMemory()
	m, err := Family{}.Open(data, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(r.kernel)
	if err != nil {
		t.Fatal(err)
	}
	seg := m.SegmentAt(k.Entry)
	if offset >= uint64(len(seg.Data)) {
		return nil, 0, ""
	}
	decoder, _ := Family{}.Decoder(m)
	in, err := decoder.Inst(seg.Data[k.Entry-seg.Addr+offset:], k.Entry+offset)
	if err != nil {
		return nil, 0, ""
	}
	swsb := &seg.Data[k.Entry-seg.Addr+offset+1]
	if *swsb == 0 || *swsb >= below {
		return nil, in.Size, ""
	}
	old := *swsb
	*swsb = 0
	defer func() { *swsb = old }()
	if !mapped(mem, m) {
		t.Fatal("the program cannot be mapped")
	}
	params, _ := r.params(t, mem)
	l, err := Family{}.Launch(&arch.Launch{Module: m, Kernel: k, Memory: mem, Grid: r.grid, Block: r.block,
		Params: params})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := simt.New(mem, l.ISA, l.Dispatch)
	if err != nil {
		t.Fatal(err)
	}
	checker := check.New(machine, check.Wait)
	checker.Sink = func(found *check.Report) bool {
		reports = append(reports, found.PC)
		return false
	}
	checker.Attach()
	if _, err := machine.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	return reports, in.Size, in.Text
}
