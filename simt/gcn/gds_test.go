package gcn

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

// assembledWords are instructions as LLVM's assembler encodes them.
func assembledWords(t testing.TB, processor string, asm ...string) [][]uint32 {
	t.Helper()
	var all [][]uint32
	for _, code := range llvmAssemble(t, processor, asm) {
		all = append(all, dwords(code))
	}
	return all
}

// gdsHarness has a global data share, of which M0 gives 256 bytes at 512.
func gdsHarness(t *testing.T, asm ...string) (h *harness, share []byte) {
	t.Helper()
	h = newHarness(t, "gfx900").compares()
	words := assembledWords(t, "gfx900", asm...)
	h.load(words...)
	if err := h.isa.Prepare(); err != nil {
		t.Fatal(err)
	}
	r := h.m.Mem.Find(GDSBase)
	if r == nil {
		t.Fatal("there is no GDS though the code uses one")
	}
	h.regs.S[regM0] = 512<<16 | 256
	h.vector(2, func(l int) uint32 { return uint32(8 * l) })
	h.vector(4, func(l int) uint32 { return 1000 + uint32(l) })
	h.vector(5, func(l int) uint32 { return 2000 + uint32(l) })
	for i := 0; i < 1024; i += 4 {
		binary.LittleEndian.PutUint32(r.Data[i:], uint32(i))
	}
	if ev := h.runBoth(len(words)); ev.Kind != simt.NoEvent {
		t.Fatalf("stopped by %v: %v", ev.Kind, ev.Fault)
	}
	return h, r.Data
}

// TestGDS: lanes 0 to 31 are inside the window, the others read 0 and write nothing.
func TestGDS(t *testing.T) {
	h, share := gdsHarness(t, "ds_read_b32 v8, v2 gds", "ds_write_b32 v2, v4 offset:4 gds",
		"ds_add_rtn_u32 v9, v2, v4 gds", "ds_read2_b32 v[10:11], v2 offset0:0 offset1:1 gds")
	for l := range uint32(64) {
		inside := l < 32
		pick := func(v uint32) uint32 { return pick32(inside, v, 0) }
		at := 512 + 8*l
		want := []uint32{pick(at), pick(at), pick(at + 1000 + l), pick(1000 + l)}
		for i, w := range want {
			if got := h.regs.V[8+i][l]; got != w {
				t.Errorf("lane %d: v%d is %d, want %d", l, 8+i, got, w)
			}
		}
		if got, want := binary.LittleEndian.Uint32(share[at+4:]), pick32(inside, 1000+l, at+4); l < 60 &&
			got != want {
			t.Errorf("lane %d left %d at %d, want %d", l, got, at+4, want)
		}
	}
}

func TestGDSCounters(t *testing.T) {
	h, share := gdsHarness(t, "s_mov_b64 exec, 0xff", "ds_append v8 offset:8 gds",
		"ds_consume v9 offset:16 gds")
	if h.regs.V[8][3] != 520 || h.regs.V[9][7] != 528 || h.regs.V[8][8] != 0 {
		t.Errorf("the old values are %d and %d, those of lane 8 %d; want 520, 528, 0", h.regs.V[8][3],
			h.regs.V[9][7],
			h.regs.V[8][8])
	}
	if a, b := dwords(share[520:524])[0], dwords(share[528:532])[0]; a != 528 || b != 520 {
		t.Errorf("the counters are %d and %d, want 528 and 520", a, b)
	}
}

// TestNoGDS: code without such instructions has none.
func TestNoGDS(t *testing.T) {
	h := newHarness(t, "gfx900")
	h.load(assembledWords(t, "gfx900", "ds_read_b32 v8, v2")...)
	if err := h.isa.Prepare(); err != nil || h.m.Mem.Find(GDSBase) != nil {
		t.Errorf("Prepare gives %v, and there is %v", err, h.m.Mem.Find(GDSBase))
	}
}

// runGroups runs code in one wave of each of several workgroups, in every path, and gives what it leaves in
// 256 bytes of data.
func runGroups(t *testing.T, processor string, groups uint32, asm ...string) []uint32 {
	t.Helper()
	was := vec.Current()
	defer vec.Use(was)
	var first []uint32
	for _, p := range paths() {
		vec.Use(p.vec)
		got := runGroupsIn(t, p, processor, groups, asm...)
		if first == nil {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Errorf("%v leaves %v, %v %v", p, got, paths()[0], first)
		}
	}
	return first
}

func runGroupsIn(t *testing.T, p path, processor string, groups uint32, asm ...string) []uint32 {
	t.Helper()
	m, code, data := groupsMachine(t, processor, groups, asm...)
	m.Interpret = !p.translated
	var ops []*Op
	for at := 0; at < len(code); {
		in, err := m.ISA().(*ISA).Decode(code[at:], 0)
		if err != nil {
			t.Fatal(err)
		}
		ops = append(ops, in.Op)
		at += in.Size
	}
	compared(ops, p, false)
	if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("the run ends with %v, %v (%v)", ev.Kind, err, ev.Fault)
	}
	return dwords(data)
}

// groupsMachine makes a machine that is about to run code in one wave of each of several workgroups, which
// have 256 bytes of data.
func groupsMachine(t *testing.T, processor string, groups uint32, asm ...string) (m *simt.Machine, code,
	data []byte) {
	t.Helper()
	mem := simt.NewMemory()
	for _, c := range llvmAssemble(t, processor, asm) {
		code = append(code, c...)
	}
	data = make([]byte, 256)
	for _, r := range []struct {
		name string
		base uint64
		data []byte
		perm simt.Perm
	}{{"code", codeBase, code, simt.PermRead | simt.PermExec},
		{"data", dataBase, data, simt.PermRead | simt.PermWrite}} {
		if _, err := mem.Map(r.name, r.base, r.data, r.perm); err != nil {
			t.Fatal(err)
		}
	}
	isa, err := New(processor, mem, Kernel{VGPRs: 32, SGPRs: 32, WorkgroupID: [3]bool{true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := isa.Prepare(); err != nil {
		t.Fatal(err)
	}
	m, err = simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{64 * groups, 1, 1}, Block: [3]uint32{64, 1, 1},
		Entry: codeBase})
	if err != nil {
		t.Fatal(err)
	}
	return m, code, data
}

// TestGlobalWaveSync has four workgroups add 1 to a dword, wait for each other, and each store what all of
// them made of it; so twice.
func TestGlobalWaveSync(t *testing.T) {
	got := runGroups(t, "gfx900", 4,
		"s_mov_b32 m0, 0", "v_mov_b32 v0, 4", "ds_gws_init v0 offset:1 gds", // more than are to come: reset below
		"v_mov_b32 v0, 3", "s_cmp_lg_u32 s0, 0", "s_cbranch_scc1 2", "ds_gws_init v0 offset:2 gds",
		"s_mov_b64 exec, 1", "v_mov_b32 v1, 0x20000", "v_mov_b32 v2, 0", "v_mov_b32 v3, 1",
		"global_atomic_add v[1:2], v3, off", "ds_gws_barrier v0 offset:2 gds",
		"global_load_dword v4, v[1:2], off", "s_lshl_b32 s1, s0, 2", "v_add_u32 v5, s1, v1",
		"v_mov_b32 v6, 0", "global_store_dword v[5:6], v4, off offset:16",
		"ds_gws_barrier v0 offset:2 gds", "global_atomic_add v[1:2], v3, off",
		"ds_gws_barrier v0 offset:2 gds", "global_load_dword v4, v[1:2], off",
		"global_store_dword v[5:6], v4, off offset:32", "s_endpgm")
	want := []uint32{8, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8}
	for i, w := range want {
		if got[i] != w {
			t.Fatalf("the data are %v, want %v", got[:len(want)], want)
		}
	}
}

// TestGlobalSemaphore: the second workgroup and the third go on when the first lets them.
func TestGlobalSemaphore(t *testing.T) {
	for _, c := range []struct{ name, release string }{{"v", "ds_gws_sema_v gds"},
		{"br", "ds_gws_sema_br v0 gds"},
		{"release", "ds_gws_sema_release_all gds"}} {
		more := c.release
		if c.name != "v" {
			more = "s_nop 0"
		}
		asm := []string{"s_mov_b32 m0, 0", "v_mov_b32 v0, 2", "v_mov_b32 v1, 0x20000", "v_mov_b32 v2, 0",
			"v_mov_b32 v3, 1", "s_mov_b64 exec, 1", "s_cmp_eq_u32 s0, 2",
			"s_cbranch_scc0 0", // to the waiters
			// The last one: it lets the others go.
			"global_store_dword v[1:2], v3, off", c.release, more, "s_endpgm",
			"ds_gws_sema_p gds", "global_load_dword v4, v[1:2], off",
			"global_atomic_add v[1:2], v4, off offset:4", "s_endpgm"}
		skip := 0
		for _, code := range llvmAssemble(t, "gfx900", asm[8:12]) {
			skip += len(code) / 4
		}
		asm[7] = "s_cbranch_scc0 " + string(rune('0'+skip))
		if got := runGroups(t, "gfx900", 3, asm...); got[0] != 1 || got[1] != 2 {
			t.Errorf("%s: the data are %v, want 1 and 2", c.name, got[:2])
		}
	}
}

// TestWaitingTurn: a wave that waits has executed its instruction again and again when its turn is over,
// whether that is one turn or many, and goes on when another lets it.
func TestWaitingTurn(t *testing.T) {
	asm := []string{"s_mov_b32 m0, 0", "s_mov_b64 exec, 0xff", "s_cmp_lg_u32 s0, 0", "s_cbranch_scc0 3",
		"ds_gws_sema_v gds", "s_endpgm", "ds_gws_sema_p gds", "s_endpgm"}
	for _, turn := range []uint64{1, 7, 100} {
		m, _, _ := groupsMachine(t, "gfx900", 2, asm...)
		if err := m.Fill(); err != nil {
			t.Fatal(err)
		}
		w := m.Waves()
		for done := uint64(0); done < 700; done += turn {
			if ev, err := m.StepWave(w[0], turn); err != nil || ev.Kind != simt.NoEvent {
				t.Fatalf("%d instructions on it stops: %v, %v", done, ev.Kind, err)
			}
		}
		const scalar, lanes = 4, 8 // before it waits, and that wait
		if w[0].Insts != 700 || w[0].LaneInsts != (700-scalar)*lanes || w[0].PC != codeBase+32 {
			t.Errorf("turns of %d: %d instructions, %d of lanes, at %#x", turn, w[0].Insts, w[0].LaneInsts,
				w[0].PC)
		}
		for _, w := range []*simt.Wave{w[1], w[0]} {
			if ev, err := m.StepWave(w, 100); err != nil || ev.Kind != simt.EndEvent {
				t.Fatalf("turns of %d: a wave goes on to %v, %v", turn, ev.Kind, err)
			}
		}
	}
}

// TestWindowOfGDS: a base past the end leaves nothing.
func TestWindowOfGDS(t *testing.T) {
	h, share := gdsHarness(t, "s_mov_b32 m0, 0xfff80010", "ds_write_b64 v2, v[4:5] gds",
		"ds_read_b64 v[8:9], v2 gds")
	if h.regs.V[8][0] != 1000 || h.regs.V[9][0] != 2000 || h.regs.V[8][1] != 0 {
		t.Errorf("lane 0 reads %d, %d, lane 1 %d", h.regs.V[8][0], h.regs.V[9][0], h.regs.V[8][1])
	}
	if want := dwords(share[GDSSize-8:]); want[0] != 1000 || !bytes.Equal(share[:4], make([]byte, 4)) {
		t.Errorf("the last dwords are %v", want)
	}
}
