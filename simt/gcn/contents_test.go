package gcn

import (
	"cmp"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// A follower keeps what it is told of uses.
type follower struct{ seen []string }

func (*follower) Observe(*simt.Access) bool    { return false }
func (*follower) Fence(*simt.Wave, simt.Fence) {}
func (*follower) Arrived(simt.Event)           {}
func (*follower) Opened(simt.Meeting)          {}
func (*follower) Came(*simt.Wave, uint8)       {}
func (*follower) Together(*simt.Wave, uint64)  {}
func (*follower) Ended(*simt.Wave)             {}
func (*follower) Quiet(bool)                   {}
func (*follower) Follows() simt.Following      { return simt.Following{Waits: true} }
func (f *follower) Used(u *simt.Use) (stop bool) {
	f.seen = append(f.seen, u.Text)
	return false
}

// TestWaits: what is used or written before its wait, where the rules are those of a generation; the
// programs of testdata/check have the others.
func TestWaits(t *testing.T) {
	const (
		locked = "v4 is written before the s_waitcnt expcnt that the access needs that stores it"
		second = "v5 is written before the s_waitcnt expcnt that the access needs that stores it"
		late   = "v4 is used before the s_waitcnt lgkmcnt that its load needs"
		lost   = "s12 is written before the s_waitcnt lgkmcnt(0) that its load needs, which writes it too"
		loses  = "v4 is written before the s_waitcnt vmcnt that its load needs, which writes it too"
	)
	for _, test := range []struct {
		name string
		asm  []string
		want []string
		on   string // gfx900 if it is empty
	}{
		{"what the global data share stores", []string{"ds_write_b32 v2, v4 gds", "v_mov_b32_e32 v4, 0"},
			[]string{locked}, ""},
		{"the second of two", []string{"ds_write2_b32 v2, v4, v5 gds", "v_mov_b32_e32 v5, 0"},
			[]string{second}, ""},
		{"another register", []string{"ds_write_b32 v2, v4 gds", "v_mov_b32_e32 v5, 0"}, nil, ""},
		{"after expcnt", []string{"ds_write_b32 v2, v4 gds", "s_waitcnt expcnt(0)", "v_mov_b32_e32 v4, 0"},
			nil, ""},
		{"after expcnt of the first", []string{"ds_write_b32 v2, v4 gds", "ds_write2_b32 v2, v4, v5 gds",
			"s_waitcnt expcnt(1)", "v_mov_b32_e32 v5, 0"}, []string{second}, ""},
		{"when all is done", []string{"ds_write_b32 v2, v4 gds", "s_waitcnt lgkmcnt(0)",
			"v_mov_b32_e32 v4, 0"}, nil, ""},
		{"after another counter", []string{"ds_write_b32 v2, v4 gds", "s_waitcnt vmcnt(0)",
			"v_mov_b32_e32 v4, 0"}, []string{locked}, ""},
		{"the data share returns in order", []string{"ds_read_b32 v4, v2", "ds_read_b32 v6, v2",
			"s_waitcnt lgkmcnt(1)", "v_mov_b32_e32 v6, v4"}, []string{
			"v6 is written before the s_waitcnt lgkmcnt that its load needs, which writes it too"}, ""},
		{"a message does not", []string{"ds_read_b32 v4, v2", "s_sendmsg 11", "s_waitcnt lgkmcnt(1)",
			"v_mov_b32_e32 v6, v4"}, []string{late}, ""},
		{"a load that comes later", []string{"ds_read_b32 v4, v2", "ds_read_b32 v4, v2"}, nil, ""},
		{"a load of another kind", []string{"global_load_dword v4, v[8:9], off", "ds_read_b32 v4, v2"},
			[]string{loses}, ""},
		{"a scalar", []string{"s_load_dword s12, s[8:9], 0x0", "s_mov_b32 s12, 0"}, []string{lost}, ""},
		{"two scalar loads", []string{"s_load_dword s12, s[8:9], 0x0",
			"s_load_dwordx2 s[12:13], s[8:9], 0x0"}, []string{lost}, ""},
		{"a load of gfx11", []string{"global_load_b32 v4, v[8:9], off", "global_load_b32 v5, v[8:9], off",
			"s_waitcnt vmcnt(1)", "v_mov_b32_e32 v6, v4", "v_mov_b32_e32 v6, v5"}, []string{
			"v5 is used before the s_waitcnt vmcnt that its load needs"}, "gfx1150"},
		{"stores of gfx11 count apart", []string{"global_load_b32 v4, v[8:9], off",
			"global_store_b32 v[8:9], v2, off",
			"s_waitcnt vmcnt(1)", "v_mov_b32_e32 v6, v4"}, []string{
			"v4 is used before the s_waitcnt vmcnt that its load needs"}, "gfx1150"},
		{"a wait for stores is none for loads", []string{"global_load_b32 v4, v[8:9], off",
			"s_waitcnt_vscnt null, 0x0", "v_mov_b32_e32 v4, 0"}, []string{loses}, "gfx1150"},
		{"waits of one counter", []string{"global_load_b32 v4, v[8:9], off", "s_waitcnt_vmcnt null, 0x0",
			"v_mov_b32_e32 v6, v4", "ds_load_b32 v4, v2", "s_waitcnt_lgkmcnt null, 0x0",
			"v_mov_b32_e32 v6, v4"}, nil, "gfx1150"},
		{"a flat access in order", []string{"flat_load_b32 v4, v[8:9]", "flat_load_b32 v5, v[8:9]",
			"s_waitcnt vmcnt(1) lgkmcnt(1)", "v_mov_b32_e32 v6, v4", "v_mov_b32_e32 v6, v5"}, []string{
			"v5 is used before the s_waitcnt vmcnt lgkmcnt that its load needs"}, "gfx1150"},
		{"half of the waits for a flat access", []string{"flat_load_b32 v4, v[8:9]", "s_waitcnt vmcnt(0)",
			"v_mov_b32_e32 v6, v4"}, []string{
			"v4 is used before the s_waitcnt vmcnt lgkmcnt that its load needs"}, "gfx1150"},
		{"both halves of a pair", []string{"ds_load_b32 v4, v2",
			"v_dual_mov_b32 v6, v2 :: v_dual_mov_b32 v7, v4"}, []string{late}, "gfx1150"},
		{"a scalar of gfx11", []string{"s_load_b32 s12, s[8:9], 0x0", "s_waitcnt lgkmcnt(1)",
			"s_mov_b32 s12, 0"}, []string{lost}, "gfx1150"},
		{"a scalar of gfx12", []string{"s_load_b32 s12, s[8:9], 0x0", "s_wait_dscnt 0x0", "s_mov_b32 s12, 0"},
			[]string{
				"s12 is written before the s_wait_kmcnt 0x0 that its load needs, which writes it too"},
			"gfx1200"},
		{"waited for on gfx12", []string{"s_load_b32 s12, s[8:9], 0x0", "s_wait_kmcnt 0x0",
			"s_mov_b32 s12, 0", "ds_load_b32 v4, v2", "global_load_b32 v5, v[8:9], off",
			"s_wait_loadcnt_dscnt 0x0", "v_mov_b32_e32 v6, v4",
			"v_mov_b32_e32 v6, v5"}, nil, "gfx1200"},
		{"a count of the data share alone", []string{"ds_load_b32 v4, v2", "s_load_b32 s12, s[8:9], 0x0",
			"ds_load_b32 v5, v2", "s_wait_dscnt 0x1", "v_mov_b32_e32 v6, v4", "v_mov_b32_e32 v6, v5"},
			[]string{"v5 is used before the s_wait_dscnt that its load needs"}, "gfx1200"},
		{"stores and the data share", []string{"ds_load_b32 v4, v2", "global_load_b32 v5, v[8:9], off",
			"s_wait_storecnt_dscnt 0x0", "v_mov_b32_e32 v6, v4", "v_mov_b32_e32 v6, v5"}, []string{
			"v5 is used before the s_wait_loadcnt that its load needs"}, "gfx1200"},
		{"a register that an address is in", []string{"global_load_b32 v5, v[8:9], off",
			"v_mov_b32_e32 v8, 0"}, []string{
			"v8 is written before the s_wait_xcnt that the access needs that reads it"}, "gfx1250"},
		{"a register that is stored", []string{"global_store_b32 v[8:9], v4, off", "s_wait_loadcnt 0x0",
			"v_mov_b32_e32 v4, 0"}, []string{
			"v4 is written before the s_wait_xcnt that the access needs that reads it"}, "gfx1250"},
		{"addresses that were found", []string{"global_store_b32 v[8:9], v4, off",
			"global_load_b32 v5, v[8:9], off",
			"s_wait_xcnt 0x1", "v_mov_b32_e32 v4, 0", "s_wait_loadcnt 0x0", "v_mov_b32_e32 v8, 0"}, nil,
			"gfx1250"},
		{"one of two stores", []string{"global_store_b32 v[8:9], v4, off", "global_store_b32 v[8:9], v6, off",
			"s_wait_xcnt 0x1", "v_mov_b32_e32 v4, 0", "v_mov_b32_e32 v6, 0"}, []string{
			"v6 is written before the s_wait_xcnt that the access needs that reads it"}, "gfx1250"},
		{"stores that are done", []string{"global_store_b32 v[8:9], v4, off", "s_wait_storecnt 0x0",
			"v_mov_b32_e32 v4, 0"}, nil, "gfx1250"},
		{"an address before a call", []string{"global_store_b32 v4, v5, s[8:9]", "s_get_pc_i64 s[0:1]",
			"s_add_nc_u64 s[0:1], s[0:1], 8", "s_swap_pc_i64 s[30:31], s[0:1]", "v_mov_b32_e32 v4, 0"}, nil,
			"gfx1250"},
		{"what came back before another scalar load", []string{"s_mov_b64 s[10:11], s[8:9]",
			"s_load_b32 s12, s[8:9], 0x0", "s_wait_kmcnt 0x0", "s_load_b32 s14, s[10:11], 0x0",
			"s_mov_b32 s8, 0", "s_wait_kmcnt 0x0"}, nil, "gfx1250"},
		{"an address of scalar memory", []string{"s_load_b32 s12, s[8:9], 0x0", "s_wait_xcnt 0x1",
			"s_mov_b32 s9, s9"}, []string{
			"s9 is written before the s_wait_xcnt that the access needs that reads it"}, "gfx1250"},
		{"one after which another kind comes", []string{"s_load_b32 s12, s[8:9], 0x0",
			"global_load_b32 v5, v[8:9], off",
			"s_mov_b32 s9, s9"}, nil, "gfx1250"},
		{"LDS before its copy", []string{"global_load_async_to_lds_b32 v2, v[8:9], off", "ds_load_b32 v4, v2",
			"ds_load_b32 v5, v2"}, []string{
			"LDS at 0x0 is used before the s_wait_asynccnt that the copy to it needs"}, "gfx1250"},
		{"LDS after its copy", []string{"global_load_async_to_lds_b32 v2, v[8:9], off",
			"global_load_async_to_lds_b32 v2, v[8:9], off offset:64", "s_wait_asynccnt 0x1",
			"ds_load_b32 v4, v2", "ds_store_b32 v2, v4 offset:8"}, []string{
			"v4 is used before the s_wait_dscnt that its load needs"}, "gfx1250"},
		{"one of two copies", []string{"global_load_async_to_lds_b32 v2, v[8:9], off",
			"global_load_async_to_lds_b32 v2, v[8:9], off offset:64", "s_wait_asynccnt 0x1",
			"ds_load_b32 v4, v2 offset:64"}, []string{
			"LDS at 0x40 is used before the s_wait_asynccnt that the copy to it needs"}, "gfx1250"},
		{"LDS that is copied from", []string{"global_store_async_from_lds_b32 v[8:9], v2, off",
			"ds_load_b32 v4, v2",
			"ds_store_b32 v2, v3"}, []string{
			"LDS at 0x0 is written before the s_wait_asynccnt that the copy from it needs"}, "gfx1250"},
		{"samples", []string{"image_sample v4, [v2, v2], s[16:23], s[24:27] dmask:0x1 dim:SQ_RSRC_IMG_2D",
			"image_sample v5, [v2, v2], s[16:23], s[24:27] dmask:0x1 dim:SQ_RSRC_IMG_2D",
			"s_wait_loadcnt 0x0",
			"s_wait_samplecnt 0x1", "v_mov_b32_e32 v6, v4", "v_mov_b32_e32 v6, v5"}, []string{
			"v5 is used before the s_wait_samplecnt that its load needs"}, "gfx1200"},
		{"an arrival at a barrier in LDS", []string{"global_load_async_to_lds_b32 v2, v[8:9], off",
			"ds_atomic_async_barrier_arrive_b64 v2 offset:64", "ds_load_b32 v4, v2", "s_wait_dscnt 0x0",
			"v_mov_b32_e32 v6, v4"}, nil, "gfx1250"},
		{"nothing under way", []string{"global_load_b32 v5, v[8:9], off", "s_wait_idle",
			"v_mov_b32_e32 v6, v5"}, nil,
			"gfx1200"},
	} {
		t.Run(test.name, func(t *testing.T) {
			on := cmp.Or(test.on, "gfx900")
			h := newHarness(t, on)
			f := &follower{}
			h.m.AddObserver(f)
			h.load(assembledWords(t, on, test.asm...)...)
			if err := h.isa.Prepare(); err != nil {
				t.Fatal(err)
			}
			h.regs.S[8], h.regs.S[9] = uint32(dataBase&0xffffffff), uint32(dataBase>>32)
			h.vector(2, func(int) uint32 { return 0 })
			h.vector(8, func(int) uint32 { return uint32(dataBase & 0xffffffff) })
			h.vector(9, func(int) uint32 { return uint32(dataBase >> 32) })
			copy(h.regs.S[16:], (&pictured{9, 14, 7, 1, 1, 1, 1, 16}).words("gfx1200"))
			if ev := h.core.Run(h.w, uint64(len(test.asm))); ev.Kind != simt.NoEvent {
				t.Fatal(ev.Kind, ev.Fault)
			}
			if d := gocmp.Diff(test.want, f.seen); d != "" {
				t.Error(d)
			}
		})
	}
}
