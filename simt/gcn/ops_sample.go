package gcn

import "simtgdb/simt"

// These rows show the form of the table; the ops_*.go files of each family
// replace them.
var _ = register([]Op{
	{Enc: SOP1, Code: 0x00, Name: "s_mov_b32", dst: b32, src: srcs(b32), run: func(c *Core, in *Inst) {
		c.w.S[uint8(in.dst.reg)] = c.s32(&in.src[0])
	}},
	{Enc: SOPP, Code: 0x01, Name: "s_endpgm", flag: ends, run: func(c *Core, in *Inst) {
		c.w.State = simt.Ended
		c.stop = simt.Event{Kind: simt.EndEvent}
	}},
	{Enc: VOP1, Code: 0x01, Name: "v_mov_b32", dst: b32, src: srcs(b32), vec: func(x *lanes) { *x.d = *x.a }},
	{Enc: VOP2, Code: 0x34, Name: "v_add_u32", dst: u32, src: srcs(u32, u32), vec: func(x *lanes) {
		d, a, b := x.d, x.a, x.b
		for l := range d {
			d[l] = a[l] + b[l]
		}
	}},
})
