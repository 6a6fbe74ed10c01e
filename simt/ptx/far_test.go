package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
)

// farKernel loads a hundred times by registers that are far from where the loads are, and stores the sum.
// Each of the offsets is from a register of its own where apart, or all are from one.
func farKernel(space, pattern string, offsets []int64, apart bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b)
{
	.reg .b32 %%r<10>;
	.reg .b64 %%rd<10>;
	.reg .pred %%p<2>;
	.shared .align 4 .b8 tile[256];
	ld.param.u64 %%rd0, [k_a];
	ld.param.u64 %%rd1, [k_b];
	mov.u32 %%r0, %%tid.x;
	mul.wide.u32 %%rd2, %%r0, 4;
	add.s64 %%rd1, %%rd1, %%rd2;
	%s
	%s
	mul.wide.u32 %%rd3, %%r1, 4;
	add.s64 %%rd3, %%rd3, %%rd0;
	mov.u32 %%r2, 0;
	mov.u32 %%r3, 0;
LOOP:
`, map[string]string{"shared": "mov.u64 %rd0, tile;"}[space], pattern)
	for i, off := range offsets {
		if i == 0 || apart {
			fmt.Fprintf(&b, "\tsub.s64 %%rd4, %%rd3, %d;\n", off)
		}
		fmt.Fprintf(&b, "\tld.%s.u32 %%r4, [%%rd4+%d];\n\tadd.u32 %%r2, %%r2, %%r4;\n", space, off)
	}
	b.WriteString(`	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p0, %r3, 100;
	@%p0 bra LOOP;
	st.global.u32 [%rd1], %r2;
	ret;
}
`)
	return b.String()
}

// lanePatterns are the elements, of 64, that lanes load: side by side, one, and anyhow.
var lanePatterns = []struct {
	text string
	of   func(lane uint32) uint32
}{
	{"mov.u32 %r1, %r0;", func(lane uint32) uint32 { return lane }},
	{"mov.u32 %r1, 7;", func(uint32) uint32 { return 7 }},
	{"mul.lo.u32 %r1, %r0, 37; and.b32 %r1, %r1, 63;", func(lane uint32) uint32 { return lane * 37 & 63 }},
}

// farOffsets are offsets of accesses: PTX has 32 bits with a sign.
var farOffsets = []int64{1 << 20, 1 << 24, 1 << 28, 3 << 29, 1<<31 - 4, -1 << 24, -3 << 29, -1 << 31}

// TestFarOffsets: an access is where its register and its offset say, however large the offset is.
func TestFarOffsets(t *testing.T) {
	defer machine.TranslateAfter(1, nil)()
	for _, lanes := range lanePatterns {
		p := parse(t, "k.ptx", farKernel("global", lanes.text, farOffsets, true))
		in, out, want := make([]uint32, 64), make([]uint32, 64), make([]uint32, 64)
		for i := range in {
			in[i] = uint32(i*i + 3)
		}
		for i := range want {
			want[i] = uint32(100*len(farOffsets)) * in[lanes.of(uint32(i))]
		}
		p.run("k", &launch{args: []any{in, out}, grid: [3]uint32{64}, block: [3]uint32{64}})
		equal(t, lanes.text, out, want)
	}
}

// TestFarApart: of two accesses by one register, however far apart, each has to be where there is memory. An
// address of shared memory has 32 bits.
func TestFarApart(t *testing.T) {
	defer machine.TranslateAfter(1, nil)()
	pairs := [][2]int64{{-1 << 31, 1<<31 - 4}, {1<<31 - 4, -1 << 31}}
	for _, off := range farOffsets {
		pairs = append(pairs, [2]int64{off, -off})
	}
	for _, space := range []string{"global", "shared"} {
		for _, lanes := range lanePatterns {
			for _, offs := range pairs {
				p := parse(t, "k.ptx", farKernel(space, lanes.text, offs[:], false))
				ev := p.event("k", &launch{args: []any{make([]uint32, 64), make([]uint32, 64)},
					grid: [3]uint32{64}, block: [3]uint32{64}})
				want := simt.EndEvent
				for l := range uint32(64) {
					if at := 4*lanes.of(l) + uint32(offs[1]-offs[0]); space == "global" || at >= 256 {
						want = simt.FaultEvent
					}
				}
				if ev.Kind != want {
					t.Errorf("%s, %s, %d: %v, want %v", space, lanes.text, offs, ev.Kind, want)
				}
			}
		}
	}
}
