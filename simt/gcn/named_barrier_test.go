package gcn

import (
	"encoding/binary"
	"strings"
	"testing"

	"simtgdb/simt"
)

// waveNumber makes s4 the wave's number in its workgroup, and v1 0.
var waveNumber = []string{"v_mov_b32 v1, 0", "s_bfe_u32 s4, ttmp8, 0x50019"}

func words4(data []byte) (got [4]uint32) {
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return got
}

// TestNamedBarrier: wave 0 waits at barrier 3 for two arrivals, of which each of the waves 1 and 2, which
// have not joined it, makes one after it has stored; wave 3 has nothing to do with it. Then it reads what
// they stored.
func TestNamedBarrier(t *testing.T) {
	asm := append([]string{}, waveNumber...)
	asm = append(asm,
		"s_cmp_lg_u32 s4, 0", "s_cbranch_scc1 20",
		// wave 0
		"s_mov_b32 m0, 0x20003", "s_barrier_init m0", "s_barrier_join m0", // 2 members
		"s_get_barrier_state s6, 3", // the state before: no signals
		"s_barrier_signal -1", "s_barrier_wait -1",
		"s_barrier_wait 1",
		"s_load_b64 s[8:9], s[2:3], 0x0",
		"s_add_co_u32 s8, s8, s9",
		"v_mov_b32 v2, s8", "global_store_b32 v1, v2, s[2:3] offset:8",
		"v_mov_b32 v2, s6", "global_store_b32 v1, v2, s[2:3] offset:12",
		"s_endpgm",
		// the others
		"s_barrier_signal -1", "s_barrier_wait -1",
		"s_cmp_eq_u32 s4, 3", "s_cbranch_scc1 7",
		"v_mov_b32 v2, s4", "s_lshl_b32 s5, s4, 2", "v_mov_b32 v3, s5",
		"global_store_b32 v3, v2, s[2:3] offset:-4",
		"s_barrier_signal 3", "s_endpgm")
	data, ev := kernelOf(t, "gfx1250", 128, asm...)
	if ev.Kind != simt.EndEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	if got, want := words4(data), [4]uint32{1, 2, 3, 2<<4 | 1}; got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

// TestNamedBarrierFirst: who arrives first, phases that follow each other, members that a signal sets, and
// one that leaves and was the last.
func TestNamedBarrierFirst(t *testing.T) {
	data, ev := kernelOf(t, "gfx1250", 32, "v_mov_b32 v1, 0",
		"s_mov_b32 m0, 0x20005", "s_barrier_init m0", "s_barrier_join m0",
		"s_barrier_signal_isfirst 5", "s_cselect_b32 s4, 1, 0", // first
		"s_barrier_signal_isfirst 5", "s_cselect_b32 s5, 1, 0", // not, and complete
		"s_barrier_wait 1",
		"s_mov_b32 m0, 0x10005", "s_barrier_signal m0", // of one member: complete
		"s_barrier_wait 1",
		"s_get_barrier_state s6, 5",
		"s_barrier_leave", "s_cselect_b32 s7, 1, 0",
		"s_barrier_wait 1", // of no barrier: goes on
		"v_mov_b32 v2, s4", "v_mov_b32 v3, s5", "v_mov_b32 v4, s6", "v_mov_b32 v5, s7",
		"global_store_b128 v1, v[2:5], s[2:3]", "s_endpgm")
	if ev.Kind != simt.EndEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	if got, want := words4(data), [4]uint32{1, 0, 1<<4 | 1, 1}; got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

// TestNamedBarrierNobody: a wave that waits for what nobody can bring is told so; a barrier of clusters is
// nobody's.
func TestNamedBarrierNobody(t *testing.T) {
	_, ev := kernelOf(t, "gfx1250", 64, "s_barrier_signal -3", "s_barrier_wait -3",
		"s_mov_b32 m0, 0x30002", "s_barrier_init m0", "s_barrier_join m0", "s_barrier_signal 2",
		"s_barrier_wait 1", "s_endpgm")
	if ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, "named barrier 2 has") {
		t.Errorf("%v %v", ev.Kind, ev.Fault)
	}
	if _, ev := kernelOf(t, "gfx1200", 32, "s_barrier_signal 2", "s_endpgm"); ev.Kind != simt.FaultEvent {
		t.Errorf("gfx1200 has a named barrier: %v", ev.Kind)
	}
}
