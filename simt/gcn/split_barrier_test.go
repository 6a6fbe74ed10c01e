package gcn

import (
	"context"
	"encoding/binary"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// laterKernel runs assembly as one workgroup of gfx1200 in waves of 32 lanes, with s[2:3] the address of 160
// bytes of memory, which it returns.
func laterKernel(t *testing.T, items uint32, asm ...string) ([]byte, simt.Event) {
	t.Helper()
	return kernelOf(t, "gfx1200", items, asm...)
}

// kernelOf is laterKernel for a processor.
func kernelOf(t *testing.T, processor string, items uint32, asm ...string) ([]byte, simt.Event) {
	t.Helper()
	mem := simt.NewMemory()
	var code []byte
	for _, c := range llvmAssemble(t, processor,
		append([]string{"s_mov_b32 s2, 0x20000", "s_mov_b32 s3, 0"}, asm...)) {
		code = append(code, c...)
	}
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	data, err := mem.Map("data", dataBase, make([]byte, 160), simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	isa, err := New(processor, mem, Kernel{VGPRs: 8, SGPRs: 16, WaveSize: 32})
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(code); {
		in, err := isa.Decode(code[at:], codeBase+uint64(at))
		if err != nil {
			t.Fatal(err)
		}
		compared([]*Op{in.Op}, path{vec: vec.Current()}, false)
		at += in.Size
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{items, 1, 1}, Block: [3]uint32{items, 1, 1},
		Entry: codeBase, ScratchSize: 16, ScratchLimit: 16})
	if err != nil {
		t.Fatal(err)
	}
	m.MaxInsts = 1 << 24
	ev, err := m.Run(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return data.Data, ev
}

// TestSplitBarrier: wave 0 waits at a barrier that wave 1 has signalled, and goes on before wave 1 waits,
// since wave 1 does so only when it has seen what wave 0 stores behind the barrier.
func TestSplitBarrier(t *testing.T) {
	data, ev := laterKernel(t, 64,
		"v_mov_b32 v1, 0", "v_mov_b32 v2, 7",
		"s_bfe_u32 s4, ttmp8, 0x50019", // the wave's number in its workgroup
		"s_cmp_lg_u32 s4, 0", "s_cbranch_scc1 8",
		"s_barrier_signal -1", "s_barrier_wait -1",
		"global_store_b32 v1, v2, s[2:3]", // 3 dwords
		"s_barrier_signal_isfirst -1", "s_barrier_wait -1", "s_endpgm",
		// wave 1
		"s_get_barrier_state s6, -1", "s_barrier_signal -1",
		"s_load_b32 s5, s[2:3], 0x0", "s_cmp_eq_u32 s5, 7", "s_cbranch_scc0 -4",
		"s_barrier_wait -1", "s_barrier_signal_isfirst -1", "s_cselect_b32 s5, 1, 2", "s_barrier_wait -1",
		"v_mov_b32 v2, s5", "global_store_b32 v1, v2, s[2:3] offset:4",
		"v_mov_b32 v2, s6", "global_store_b32 v1, v2, s[2:3] offset:8",
		"s_endpgm")
	if ev.Kind != simt.EndEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	var got [3]uint32
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	if want := [3]uint32{7, 2, 2<<4 | 1<<16 | 1}; got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

// TestScalarParts loads bytes and halves of dwords into scalar registers, and subtracts in memory.
func TestScalarParts(t *testing.T) {
	data, ev := laterKernel(t, 1,
		"v_mov_b32 v1, 0", "v_mov_b32 v2, 0x81828384", "global_store_b32 v1, v2, s[2:3]",
		"v_mov_b32 v2, 5", "global_store_b32 v1, v2, s[2:3] offset:100",
		"global_store_b32 v1, v2, s[2:3] offset:104", "v_mov_b32 v3, 6",
		"global_atomic_sub_clamp_u32 v4, v1, v3, s[2:3] offset:100 th:TH_ATOMIC_RETURN",
		"global_atomic_cond_sub_u32 v1, v3, s[2:3] offset:104",
		"s_load_i8 s4, s[2:3], 0x1", "s_load_u8 s5, s[2:3], 0x2", "s_load_i16 s6, s[2:3], 0x2",
		"s_load_u16 s7, s[2:3], 0x0", "v_mov_b32 v2, s4", "global_store_b32 v1, v2, s[2:3] offset:4",
		"v_mov_b32 v2, s5", "global_store_b32 v1, v2, s[2:3] offset:8",
		"v_mov_b32 v2, s6", "global_store_b32 v1, v2, s[2:3] offset:12",
		"v_mov_b32 v2, s7", "global_store_b32 v1, v2, s[2:3] offset:16",
		"global_store_b32 v1, v4, s[2:3] offset:20",
		"s_endpgm")
	if ev.Kind != simt.EndEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	for at, want := range map[int]uint32{4: 0xffffff83, 8: 0x82, 12: 0xffff8182, 16: 0x8384, 20: 5, 100: 0,
		104: 5} {
		if got := binary.LittleEndian.Uint32(data[at:]); got != want {
			t.Errorf("at %d is %#x, want %#x", at, got, want)
		}
	}
}
