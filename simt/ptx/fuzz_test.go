package ptx_test

import (
	"testing"

	loader "simtgdb/loader/ptx"
	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	arch "simtgdb/stub/arch/ptx"
)

// Whatever statements a kernel has, the machine runs them or stops with a reason.
func FuzzStatements(f *testing.F) {
	simt.LetPanic = true
	for _, list := range [][]row{bitRows, oddFloatRows, oddConversions, warpRows, memoryRows()} {
		for _, r := range list {
			f.Add(r.text)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 500 {
			return
		}
		mod, err := loader.Parse("f.ptx", `.version 8.6
.target sm_90
.address_size 64
.extern .func (.param .b64 r) __nv_pow(.param .b64 a, .param .b64 b);
.entry k(.param .u64 k_in, .param .u64 k_out)
{
	.reg .b64 %in, %out, %lane, %xa, %xb, %xc, %xd, %xe, %m;
	.reg .b32 %w, %wa, %wb, %wc, %wd, %we;
	.reg .b16 %ha, %hb, %hc, %hd, %he;
	.reg .pred %pa, %pb, %pc, %pd, %pe;
	.local .align 8 .b8 own[16];
	`+body+"\n\tret;\n}")
		if err != nil || len(mod.Text()) > 1<<16 || mod.SharedSize > 1<<16 {
			return
		}
		mem := simt.NewMemory()
		args, err := mem.Alloc("arguments", 64, simt.PermRead)
		if err != nil {
			t.Fatal(err)
		}
		isa, err := machine.New(arch.Link(mod), machine.Launch{Args: args.Base})
		if err != nil {
			return
		}
		m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{40, 1, 1}, Block: [3]uint32{40, 1, 1},
			Entry: mod.Func("k").Start, LDSSize: uint32(mod.SharedSize) + 64, ScratchLimit: 4096})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Fill(); err != nil {
			return
		}
		for range 50 {
			if ev, err := m.Advance(20); err != nil || ev.Kind == simt.FaultEvent ||
				ev.Kind == simt.EndEvent {
				return
			}
		}
	})
}
