package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
)

// clusterText is a kernel of which each block gives every block of its cluster a number, and sums up what it
// was given.
const clusterText = `.version 8.0
.target sm_90
.address_size 64
.shared .align 4 .u32 given[64];
.entry k(.param .u64 out)
{
	.reg .u32 %r<40>;
	.reg .u64 %d<4>;
	.reg .pred %p<4>;
	mov.u32 %r1, %cluster_ctarank;
	mov.u32 %r2, %cluster_nctarank;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, 0;
	barrier.cluster.arrive.relaxed;
	barrier.cluster.wait;
	// %r4 is the rank to write to, by its generic address every other time
next:
	shl.b32 %r5, %r1, 2;
	add.u32 %r5, %r5, given;
	mad.lo.u32 %r6, %r1, 1000, %r4;
	add.u32 %r6, %r6, 7;
	setp.ne.u32 %p0, %r3, %r1;
	and.b32 %r7, %r4, 1;
	setp.eq.u32 %p1, %r7, 1;
	cvt.u64.u32 %d0, %r5;
	cvta.shared.u64 %d0, %d0;
	mapa.shared::cluster.u32 %r8, %r5, %r4;
	mapa.u64 %d1, %d0, %r4;
	@%p0 bra done;
	@%p1 st.shared::cluster.u32 [%r8], %r6;
	@!%p1 st.u32 [%d1], %r6;
	getctarank.shared::cluster.u32 %r9, %r8;
	setp.ne.u32 %p2, %r9, %r4;
	@%p2 trap;
	getctarank.u64 %r9, %d1;
	setp.ne.u32 %p2, %r9, %r4;
	@%p2 trap;
	// all add to the last block
	sub.u32 %r10, %r2, 1;
	mov.u32 %r11, given;
	add.u32 %r11, %r11, 252;
	mapa.shared::cluster.u32 %r11, %r11, %r10;
	red.relaxed.cluster.shared::cluster.add.u32 [%r11], %r6;
done:
	add.u32 %r4, %r4, 1;
	setp.lt.u32 %p0, %r4, %r2;
	@%p0 bra next;
	barrier.cluster.arrive.release.aligned;
	barrier.cluster.wait.acquire.aligned;
	mov.u32 %r12, 0;
	mov.u32 %r13, 0;
sum:
	shl.b32 %r14, %r13, 2;
	add.u32 %r14, %r14, given;
	ld.shared.u32 %r15, [%r14];
	add.u32 %r12, %r12, %r15;
	add.u32 %r13, %r13, 1;
	setp.lt.u32 %p0, %r13, %r2;
	@%p0 bra sum;
	ld.shared.u32 %r16, [given+252];
	mov.u32 %r20, %ctaid.x;
	mov.u32 %r21, %ctaid.y;
	mov.u32 %r22, %ctaid.z;
	mov.u32 %r23, %nctaid.x;
	mov.u32 %r24, %nctaid.y;
	mad.lo.u32 %r25, %r22, %r24, %r21;
	mad.lo.u32 %r25, %r25, %r23, %r20;
	ld.param.u64 %d2, [out];
	mad.wide.u32 %d2, %r25, 64, %d2;
	st.global.v4.u32 [%d2], {%r12, %r16, %r1, %r2};
	mov.u32 %r26, %cluster_ctaid.x;
	mov.u32 %r27, %cluster_ctaid.y;
	mov.u32 %r28, %cluster_ctaid.z;
	mov.u32 %r29, %is_explicit_cluster;
	st.global.v4.u32 [%d2+16], {%r26, %r27, %r28, %r29};
	mov.u32 %r26, %clusterid.x;
	mov.u32 %r27, %clusterid.y;
	mov.u32 %r28, %clusterid.z;
	mov.u32 %r29, %cluster_nctaid.x;
	st.global.v4.u32 [%d2+32], {%r26, %r27, %r28, %r29};
	mov.u32 %r26, %nclusterid.x;
	mov.u32 %r27, %nclusterid.y;
	mov.u32 %r28, %nclusterid.z;
	mov.u32 %r29, %cluster_nctaid.z;
	st.global.v4.u32 [%d2+48], {%r26, %r27, %r28, %r29};
	ret;
}
`

// wantCluster is what clusterText writes of a block.
func wantCluster(at, groups, of [3]uint32) (want [16]uint32) {
	rank, size := (at[2]%of[2]*of[1]+at[1]%of[1])*of[0]+at[0]%of[0], of[0]*of[1]*of[2]
	for r := range size { // from the block of each rank
		want[0] += r*1000 + rank + 7
		for to := range size {
			if rank == size-1 {
				want[1] += r*1000 + to + 7
			}
		}
	}
	want[2], want[3] = rank, size
	for i := range 3 {
		want[4+i], want[8+i], want[12+i] = at[i]%of[i], at[i]/of[i], groups[i]/of[i]
	}
	want[7], want[11], want[15] = 1, of[0], of[2]
	return want
}

// TestCluster holds blocks of clusters of several shapes against a model of what they write to each other, as
// they run by one worker, by several, and in turns as a debugger has them.
func TestCluster(t *testing.T) {
	p := parse(t, "cluster.ptx", clusterText)
	for _, c := range []struct{ groups, cluster [3]uint32 }{
		{[3]uint32{6, 1, 1}, [3]uint32{2, 1, 1}},
		{[3]uint32{4, 6, 2}, [3]uint32{2, 3, 1}},
		{[3]uint32{2, 4, 4}, [3]uint32{1, 2, 4}},
		{[3]uint32{16, 1, 1}, [3]uint32{16, 1, 1}},
		{[3]uint32{3, 2, 1}, [3]uint32{1, 1, 1}},
	} {
		n := c.groups[0] * c.groups[1] * c.groups[2]
		want := make([]uint32, 0, 16*n)
		for i := range n {
			at := [3]uint32{i % c.groups[0], i / c.groups[0] % c.groups[1], i / c.groups[0] / c.groups[1]}
			w := wantCluster(at, c.groups, c.cluster)
			want = append(want, w[:]...)
		}
		for _, workers := range []int{0, 1, 3} { // 0: in turns
			out := make([]uint32, 16*n)
			l := &launch{grid: [3]uint32{c.groups[0] * 64, c.groups[1], c.groups[2]},
				block: [3]uint32{64, 1, 1}, cluster: c.cluster, args: []any{out}, workers: workers}
			if workers > 0 {
				p.run("k", l)
			} else {
				m, finish := p.machine("k", l)
				m.Resident = 20 // waves: several clusters, or not even one
				inTurns(t, m)
				finish()
			}
			equal(t, fmt.Sprintf("%v of %v, %d workers", c.cluster, c.groups, workers), out, want)
		}
	}
}

// inTurns runs a machine as a debugger does.
func inTurns(t *testing.T, m *simt.Machine) {
	t.Helper()
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for !m.Done() {
		ev, err := m.Advance(5)
		if err != nil || ev.Kind == simt.FaultEvent || ev.Wave == nil {
			t.Fatalf("%v %v %v", ev.Kind, ev.Fault, err)
		}
	}
}

// TestClusterFaults: what blocks of a cluster of two may not do.
func TestClusterFaults(t *testing.T) {
	for text, want := range map[string]string{
		"mapa.shared::cluster.u32 %r1, s, 2; ld.shared::cluster.u32 %r2, [%r1];": "unmapped address: " +
			"read of 4 bytes at 0x3000000 in LDS",
		"mapa.shared::cluster.u32 %r1, s, 1; ld.shared::cluster.u32 %r2, [%r1+64];": "unmapped address: " +
			"read of 4 bytes at 0x2000040 in LDS",
		"mapa.shared::cluster.u32 %r1, s, 1; ld.shared::cluster.u32 %r2, [%r1+2];": "misaligned address: " +
			"read of 4 bytes at 0x2000002 in LDS",
		// The other one has ended.
		"mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p0, %r1, 1; @%p0 exit; barrier.cluster.arrive; barrier.cluster.wait;" +
			"mapa.shared::cluster.u32 %r1, s, 1; st.shared::cluster.u32 [%r1], 1;": "unmapped address: " +
			"write of 4 bytes at 0x2000000 in LDS",
		// One waits for the other, which waits for something else.
		"mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p0, %r1, 1; @%p0 bra other; barrier.cluster.arrive;" +
			"barrier.cluster.wait; exit; other: bar.sync 0, 64;": "waits for others that cannot come",
		"barrier.cluster.wait;": "waits for others that cannot come",
	} {
		p := parse(t, "faults.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 16 .u32 "+
			"s[16];\n.entry k()\n{\n.reg .u32 %r<4>;\n.reg .pred %p<2>;\n"+text+"\nret;\n}\n")
		ev := p.event("k", &launch{grid: [3]uint32{64, 1, 1}, block: [3]uint32{32, 1, 1},
			cluster: [3]uint32{2, 1, 1}})
		if ev.Kind != simt.FaultEvent || !strings.Contains(ev.Fault.String(), want) {
			t.Errorf("%s: %v %v, want %s", text, ev.Kind, ev.Fault, want)
		}
	}
}
