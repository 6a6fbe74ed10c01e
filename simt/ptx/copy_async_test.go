package ptx_test

import (
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric/numerictest"
)

// inShared gives each lane 32 bytes of shared memory of its own, at %we, and puts inputs a and b where %m
// points.
const inShared = `mov.u32 %we, sh; mad.lo.u32 %we, %me, 32, %we; st.global.u64 [%m], %xa; st.global.u64 [%m+8], %xb;
	st.shared.u64 [%we], -1; st.shared.u64 [%we+8], -1;
	`

// Copies, whose waiting is nothing; barriers, each of one lane.
func TestAsync(t *testing.T) {
	const bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%we], [%m], 16, [%we+16]; "
	one := func(v uint64) func(a, b, c uint64) uint64 { return func(_, _, _ uint64) uint64 { return v } }
	first := func(a, _, _ uint64) uint64 { return a }
	second := func(_, b, _ uint64) uint64 { return b }
	const wait = "cp.async.commit_group; cp.async.wait_group 0; "
	for text, want := range map[string]func(a, b, c uint64) uint64{
		"cp.async.ca.shared.global [%we], [%m], 8; " + wait + "ld.shared.u64 %xd, [%we];":                   first,
		"cp.async.ca.shared::cta.global [%we+8], [%m+8], 8; cp.async.wait_all; ld.shared.u64 %xd, [%we+8];": second,
		"cp.async.cg.shared.global.L2::128B [%we], [%m], 16; " + wait + "ld.shared.u64 %xd, [%we+8];":       second,
		"cp.async.ca.shared.global.L2::64B [%we], [%m], 4; ld.shared.u64 %xd, [%we];": func(a, _, _ uint64) uint64 {
			return a&0xffffffff | 0xffffffff<<32
		},
		"cp.async.ca.shared.global [%we], [%m], 8, 3; ld.shared.u64 %xd, [%we];": func(a, _, _ uint64) uint64 {
			return a & 0xffffff
		},
		"and.b32 %wb, %wa, 15; cp.async.cg.shared.global [%we], [%m], 16, %wb; ld.shared.u64 %xd, [%we+8];": func(
			a, b, _ uint64) uint64 {
			n := max(a&15, 8) - 8
			return b & (1<<(8*n) - 1)
		},
		"cp.async.cg.shared.global [%we], [%m], 16, %pa; ld.shared.u64 %xd, [%we];": func(a, _, _ uint64) uint64 {
			return a * (1 - a&1)
		},
		"cp.async.bulk.prefetch.L2.global [%m], 16; mov.u64 %xd, %xa;": first,

		"mbarrier.init.shared.b64 [%we+16], 1; mbarrier.arrive.expect_tx.shared.b64 %xe, [%we+16], 16; " + bulk +
			"ld.shared.u64 %xd, [%we+8];": second,
		"mbarrier.init.shared.b64 [%we+16], 1; mbarrier.arrive.expect_tx.shared.b64 %xe, [%we+16], 16; " + bulk +
			"mbarrier.test_wait.shared.b64 %pd, [%we+16], %xe;": one(1),
		"mbarrier.init.shared.b64 [%we+16], 1; mbarrier.arrive.expect_tx.shared.b64 %xe, [%we+16], 32; " + bulk +
			"mbarrier.test_wait.shared.b64 %pd, [%we+16], %xe;": one(0),
		"st.shared.u64 [%we], %xc; cp.async.bulk.global.shared::cta.bulk_group [%m], [%we], 16;" +
			"cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; ld.global.u64 %xd, [%m];": func(_, _, c uint64) uint64 {
			return c
		},

		"st.shared.u64 [%we], %xc; st.shared.u64 [%we+8], %xc;" +
			"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%m], [%we], 16; ld.global.u64 %xd, [%m+8];": func(
			_, b, c uint64) uint64 {
			return b + c
		},
		"st.shared.u64 [%we], %xc; st.shared.u64 [%we+8], %xc;" +
			"cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%m], [%we], 16; ld.global.u32 %xd, [%m+4];": func(
			a, _, c uint64) uint64 {
			return uint64(uint32(max(int32(a>>32), int32(c>>32))))
		},
		"st.shared.u64 [%we], 0x3c003c0040003800; st.shared.u64 [%we+8], 0; st.global.u64 [%m], 0x3c00400044003c00;" +
			"cp.reduce.async.bulk.global.shared::cta.bulk_group.noftz.add.f16 [%m], [%we], 16; ld.global.u64 %xd, [%m];": one(
			0x4000420046003e00),
		"st.shared.u64 [%we], %xa; st.shared.u64 [%we+8], %xb;" + "mbarrier.init.shared.b64 [%we+16], 1;" +
			"mbarrier.arrive.expect_tx.shared.b64 %xe, [%we+16], 16;" +
			"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32 [%we], " +
			"[%we], 16, [%we+16];ld.shared.u64 %xd, [%we];": one(0),

		"mbarrier.init.shared.b64 [%we], 3; mbarrier.arrive.shared.b64 %xe, [%we];" +
			"mbarrier.arrive.release.cta.shared::cta.b64 _, [%we], 2; mbarrier.test_wait.shared.b64 %pd, [%we], %xe;": one(1),
		"mbarrier.init.shared.b64 [%we], 3; mbarrier.arrive.shared.b64 %xe, [%we]; " +
			"mbarrier.arrive.shared.b64 _, [%we];mbarrier.test_wait.shared.b64 %pd, [%we], %xe;": one(0),
		"mbarrier.init.shared.b64 [%we], 5; mbarrier.arrive.shared.b64 %xe, [%we]; mbarrier.pending_count.b64 %wd, %xe;": one(5),
		"mbarrier.init.shared.b64 [%we], 2; mbarrier.arrive_drop.shared.b64 %xe, [%we]; mbarrier.arrive.shared.b64 _, [%we];" +
			"mbarrier.arrive.shared.b64 _, [%we]; mbarrier.try_wait.parity.shared.b64 %pd, [%we], 1;": one(1),
		"mbarrier.init.shared.b64 [%we], 2; mbarrier.arrive_drop.shared.b64 %xe, [%we]; mbarrier.arrive.shared.b64 _, [%we];" +
			"mbarrier.test_wait.parity.shared.b64 %pd, [%we], 1;": one(0),
		"mbarrier.init.shared.b64 [%we], 1; mbarrier.expect_tx.relaxed.cta.shared.b64 [%we], 8;" +
			"mbarrier.arrive.shared.b64 %xe, [%we]; mbarrier.complete_tx.relaxed.cta.shared.b64 [%we], 8;" +
			"mbarrier.test_wait.shared.b64 %pd, [%we], %xe;": one(1),
		"mbarrier.init.shared.b64 [%we], 1; cp.async.mbarrier.arrive.noinc.shared.b64 [%we];" +
			"mbarrier.test_wait.parity.shared.b64 %pd, [%we], 0;": one(1),
		"mbarrier.init.shared.b64 [%we], 1; cp.async.mbarrier.arrive.shared.b64 [%we];" +
			"mbarrier.test_wait.parity.shared.b64 %pd, [%we], 0;": one(0),
		"mbarrier.init.shared.b64 [%we], 7; mbarrier.inval.shared.b64 [%we]; ld.shared.u64 %xd, [%we];": one(0),

		"tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%we], %xc; ld.shared.u64 %xd, [%we+16];": func(
			_, _, c uint64) uint64 {
			return c
		},
		"tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%we], 3; ld.shared.u8 %wd, [%we+8];": one(3),

		"mapa.shared::cluster.u32 %wd, %wa, 0;":    func(a, _, _ uint64) uint64 { return a & 0xffffffff },
		"getctarank.shared::cluster.u32 %wd, %we;": one(0),
		"st.shared::cluster.u64 [%we], %xa; barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" +
			"ld.shared::cluster.u64 %xd, [%we];": first,
	} {
		r := row{text: inShared + text, want: want, head: ".shared .align 16 .b8 sh[1024];",
			together: strings.Contains(text, "barrier.cluster")}
		t.Run(text, func(t *testing.T) { r.check(t, numerictest.Wholes()) })
	}
}

// Addresses of shared memory have 32 bits.
func TestSharedWraps(t *testing.T) {
	r := row{head: ".shared .align 16 .b8 sh[1024];", want: func(a, b, _ uint64) uint64 { return a ^ b },
		text: inShared + `cvt.u64.u32 %xe, %we; add.u64 %xe, %xe, 0x400000000; sub.u64 %xe, %xe, 8;
	st.shared.u64 [%xe+8], %xa; ld.shared.u64 %xd, [%we]; st.shared.u64 [%we+8], %xb;
	ld.shared.u64 %xe, [%xe+16]; xor.b64 %xd, %xd, %xe;`}
	r.check(t, numerictest.Wholes())
}

// One warp gives another what it has copied, over a barrier that both turn over.
func TestBarrierBetweenWarps(t *testing.T) {
	p := parse(t, "between.ptx", `.version 9.1
.target sm_90
.address_size 64
.shared .align 16 .b8 buffer[512];
.shared .align 8 .b8 full[8];
.shared .align 8 .b8 empty[8];
.entry k(.param .u64 k_in, .param .u64 k_out)
{
	.reg .b64 %in, %out; .reg .b32 %t, %w, %b, %i, %parity, %x, %y; .reg .pred %p, %done;
	ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; mov.u32 %t, %tid.x;
	setp.ne.u32 %p, %t, 0;
	@!%p mbarrier.init.shared.b64 [full], 1;
	@!%p mbarrier.init.shared.b64 [empty], 32;
	fence.mbarrier_init.release.cluster;
	bar.sync 0;
	mov.u32 %i, 0; mov.u32 %b, buffer; shr.u32 %w, %t, 5; and.b32 %t, %t, 31;
	setp.ne.u32 %p, %w, 0;
	@%p bra consume;
produce:
	setp.ne.u32 %p, %t, 0;
	@%p bra produced;
	and.b32 %parity, %i, 1; xor.b32 %parity, %parity, 1;
room:
	mbarrier.try_wait.parity.shared.b64 %done, [empty], %parity;
	@!%done bra room;
	mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buffer], [%in], 128, [full];
produced:
	add.u64 %in, %in, 128; add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, 4;
	@%p bra produce;
	ret;
consume:
	and.b32 %parity, %i, 1;
filled:
	mbarrier.try_wait.parity.shared.b64 %done, [full], %parity;
	@!%done bra filled;
	mad.lo.u32 %x, %t, 4, %b; ld.shared.u32 %y, [%x];
	mbarrier.arrive.shared.b64 _, [empty];
	mad.wide.u32 %in, %t, 4, %out; st.global.u32 [%in], %y;
	add.u64 %out, %out, 128; add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, 4;
	@%p bra consume;
	ret;
}`)
	in, out := make([]uint32, 128), make([]uint32, 128)
	for i := range in {
		in[i] = uint32(i*i + 1)
	}
	l := grid(64, 64)
	l.args = []any{in, out}
	m, finish := p.machine("k", &l)
	if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatal(ev.Kind, ev.Fault, err)
	}
	finish()
	equal(t, "what came over", out, in)
	if n := m.Stats().Insts; n > 1000 {
		t.Errorf("%d instructions: a warp that waits goes on asking while the other could run", n)
	}
}

// What copies and barriers must not do.
func TestAsyncFaults(t *testing.T) {
	for text, want := range map[string]string{
		"cp.async.ca.shared.global [%s], [%in], 5;":                                         "4, 8 or 16",
		"cp.async.ca.shared.global [%s+4], [%in], 8;":                                       "",
		"cp.async.ca.shared.global [%s], [%in+4096], 8;":                                    "",
		"cp.async.bulk.global.shared::cta.bulk_group [%in], [%s], 20;":                      "may not copy",
		"cp.async.bulk.tensor.1d.shared::cluster.global.tile [%s], [%in], 20;":              "not simulated",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.exch.b32 [%in], [%s], 16;":      "not simulated in this form",
		"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%in, {0}], [%s];":      "made by neither cuTensorMapEncode",
		"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%in+4096, {0}], [%s];": "",
		"tensormap.replace.tile.rank.global.b1024.b32 [%in], 1;" +
			"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%in, {0}], [%s];": "dimension 0 has a box of 0",
		"mbarrier.arrive.b64 _, [%in];":       "not in shared memory",
		"mbarrier.frob.shared.b64 [%s];":      "not simulated",
		"mbarrier.init.shared.b64 [%s+4], 1;": "",
	} {
		p := parse(t, "k.ptx", ".version 9.1\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 "+
			"sh[64];\n.entry k(.param .u64 k_in) { .reg .b32 %s; .reg .b64 %in; ld.param.u64 %in, [k_in];"+
			"mov.u32 %s, sh; "+text+" ret; }")
		l := grid(32, 32)
		l.args = []any{make([]byte, 128)}
		ev := p.event("k", &l)
		if ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.Text, want) {
			t.Errorf("%s: %v %v, want a fault that says %q", text, ev.Kind, ev.Fault, want)
		}
	}
}
