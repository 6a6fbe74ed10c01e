package gcn

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
	}{
		{"what the global data share stores", []string{"ds_write_b32 v2, v4 gds", "v_mov_b32_e32 v4, 0"},
			[]string{locked}},
		{"the second of two", []string{"ds_write2_b32 v2, v4, v5 gds", "v_mov_b32_e32 v5, 0"}, []string{second}},
		{"another register", []string{"ds_write_b32 v2, v4 gds", "v_mov_b32_e32 v5, 0"}, nil},
		{"after expcnt", []string{"ds_write_b32 v2, v4 gds", "s_waitcnt expcnt(0)", "v_mov_b32_e32 v4, 0"}, nil},
		{"after expcnt of the first", []string{"ds_write_b32 v2, v4 gds", "ds_write2_b32 v2, v4, v5 gds",
			"s_waitcnt expcnt(1)", "v_mov_b32_e32 v5, 0"}, []string{second}},
		{"when all is done", []string{"ds_write_b32 v2, v4 gds", "s_waitcnt lgkmcnt(0)", "v_mov_b32_e32 v4, 0"},
			nil},
		{"after another counter", []string{"ds_write_b32 v2, v4 gds", "s_waitcnt vmcnt(0)", "v_mov_b32_e32 v4, 0"},
			[]string{locked}},
		{"the data share returns in order", []string{"ds_read_b32 v4, v2", "ds_read_b32 v6, v2",
			"s_waitcnt lgkmcnt(1)", "v_mov_b32_e32 v6, v4"}, []string{
			"v6 is written before the s_waitcnt lgkmcnt that its load needs, which writes it too"}},
		{"a message does not", []string{"ds_read_b32 v4, v2", "s_sendmsg 11", "s_waitcnt lgkmcnt(1)",
			"v_mov_b32_e32 v6, v4"}, []string{late}},
		{"a load that comes later", []string{"ds_read_b32 v4, v2", "ds_read_b32 v4, v2"}, nil},
		{"a load of another kind", []string{"global_load_dword v4, v[8:9], off", "ds_read_b32 v4, v2"},
			[]string{loses}},
		{"a scalar", []string{"s_load_dword s12, s[8:9], 0x0", "s_mov_b32 s12, 0"}, []string{lost}},
		{"two scalar loads", []string{"s_load_dword s12, s[8:9], 0x0", "s_load_dwordx2 s[12:13], s[8:9], 0x0"},
			[]string{lost}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHarness(t, "gfx900")
			f := &follower{}
			h.m.AddObserver(f)
			h.load(assembledWords(t, "gfx900", test.asm...)...)
			if err := h.isa.Prepare(); err != nil {
				t.Fatal(err)
			}
			h.regs.S[8], h.regs.S[9] = uint32(dataBase&0xffffffff), uint32(dataBase>>32)
			h.vector(2, func(int) uint32 { return 0 })
			h.vector(8, func(int) uint32 { return uint32(dataBase & 0xffffffff) })
			h.vector(9, func(int) uint32 { return uint32(dataBase >> 32) })
			if ev := h.core.Run(h.w, uint64(len(test.asm))); ev.Kind != simt.NoEvent {
				t.Fatal(ev.Kind, ev.Fault)
			}
			if d := cmp.Diff(test.want, f.seen); d != "" {
				t.Error(d)
			}
		})
	}
}
