package gcn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// smallNumbers are the finite numbers of the OCP formats from 0 on, in the order of their encodings: runs of
// numbers at a distance ("OCP Microscaling Formats (MX) Specification" 1.0, section 5.3).
var smallNumbers = map[string][]float64{
	"fp4": runsOf(2, 0.5, 2, 0.5, 2, 1, 2, 2),
	"fp6": runsOf(8, 0.125, 8, 0.125, 8, 0.25, 8, 0.5),
	"bf6": runsOf(4, 0.0625, 4, 0.0625, 4, 0.125, 4, 0.25, 4, 0.5, 4, 1, 4, 2, 4, 4),
}

// runsOf makes numbers from 0 on: so many at a distance, and so on.
func runsOf(runs ...float64) []float64 {
	var all []float64
	x := 0.0
	for i := 0; i < len(runs); i += 2 {
		for range int(runs[i]) {
			all = append(all, x)
			x += runs[i+1]
		}
	}
	return all
}

var smallBits = map[string]uint{"fp4": 4, "fp6": 6, "bf6": 6, "fp8": 8, "bf8": 8}

// smallValue is a small float's value.
func smallValue(kind string, v uint32) float64 {
	if smallBits[kind] == 8 {
		return byteFormats["ocp_"+kind].value(uint64(v))
	}
	sign := uint32(1) << (smallBits[kind] - 1)
	x := smallNumbers[kind][v&(sign-1)]
	if v&sign != 0 {
		x = -x
	}
	return x
}

// nearestSmall is the small float nearest to x.
func nearestSmall(kind string, x float64) uint32 {
	if smallBits[kind] == 8 {
		return uint32(byteFormats["ocp_"+kind].nearest(uint64(math.Float32bits(float32(x)))))
	}
	best, at := math.Inf(1), 0
	for i, y := range smallNumbers[kind] {
		if d := math.Abs(math.Abs(x) - y); d < best || d == best && i&1 == 0 {
			best, at = d, i
		}
	}
	if math.Signbit(x) {
		at |= 1 << (smallBits[kind] - 1)
	}
	return uint32(at)
}

// laneBits are bits of a lane's registers from the first on.
func (h *harness) laneBits(reg, lane int, at, width uint) uint32 {
	v := uint32(0)
	for i := range width {
		b := at + i
		v |= h.regs.V[reg+int(b/32)][lane] >> (b % 32) & 1 << i
	}
	return v
}

// wideBits are x in a format of 16 or 32 bits, and how many.
func wideBits(kind string, x float64) (uint64, uint) {
	switch kind {
	case "f16":
		return encode(half16, x), 16
	case "bf16":
		return encode(brain16, x), 16
	}
	return encode(single, x), 32
}

// TestScaledConversions has every conversion of gfx950 with a scale, each with 64 lanes of random numbers and
// scales of a few powers of two. Sources are in v[40:71] and v[80:95], the scale in v39, the destination in
// v[0:31].
func TestScaledConversions(t *testing.T) {
	for _, row := range scaleRows {
		h := newHarness(t, "gfx950").compares()
		h.regs.S[regMode] = ModeDenorm32 | ModeDenorm64
		rnd := rand.New(sweep.PCG(31, uint64(row.code)))
		op := h.op(VOP3, "v_cvt_scalef32_"+row.name)
		parts := strings.Split(strings.TrimPrefix(row.name, "sr_"), "_")
		count := map[string]int{"pk": 2, "pk32": 32, "2xpk16": 32}[parts[0]]
		count = max(count, 1)
		to, from := parts[len(parts)-2], parts[len(parts)-1]
		stochastic := strings.HasPrefix(row.name, "sr_")
		for _, sel := range []uint32{0, 1, 2, 3} {
			small := to
			if smallBits[from] != 0 {
				small = from
			}
			packed := uint(count) * smallBits[small]
			if packed > 16 && sel > 0 || packed == 16 && sel > 1 {
				continue
			}
			shift := uint(sel) * packed
			opSel := sel << 11 // of the source
			if small == to {
				opSel = sel << 13
				if packed == 16 {
					opSel = sel << 14
				}
			}
			for reg := range 128 {
				h.vector(reg, func(int) uint32 { return rnd.Uint32() })
			}
			var numbers [simt.MaxLanes][32]float64
			var scales [simt.MaxLanes]int
			for l := range simt.MaxLanes {
				scales[l] = rnd.IntN(7) - 3
				h.regs.V[39][l] = uint32(127+scales[l])<<23 | rnd.Uint32()&0x7fffff
				for i := range count {
					if small == from {
						numbers[l][i] = smallValue(from,
							h.laneBits(40, l, shift+uint(i)*smallBits[from], smallBits[from]))
						continue
					}
					x := math.Ldexp(rnd.Float64()*16-8, rnd.IntN(6)-4)
					if stochastic { // exactly one of the numbers, which random bits do not change
						v := rnd.Uint32N(1<<smallBits[to]) &^ 0x40 // no NaN
						x = math.Ldexp(smallValue(to, v), scales[l])
					}
					bits, width := wideBits(from, x)
					reg, at := 40, uint(i)*width
					if from == "f32" && count > 1 && !stochastic {
						reg, at = 40+40*(i&1), uint(i/2)*width
					}
					w := &h.regs.V[reg+int(at/32)][l]
					*w = *w&^uint32((1<<width-1)<<(at%32)) | uint32(bits<<(at%32))
					numbers[l][i] = decodeFloat(from, bits)
				}
			}
			before := h.regs.V[0]
			srcs := []uint32{256 + 40, 256 + 39, 0}
			switch {
			case stochastic:
				srcs = []uint32{256 + 40, 256 + 100, 256 + 39}
			case op.srcCount() == 3:
				srcs = []uint32{256 + 40, 256 + 80, 256 + 39}
			}
			words := []uint32{0xd0000000 | uint32(op.Code)<<16 | opSel, srcs[0] | srcs[1]<<9 | srcs[2]<<18}
			lanewise(t, h.w, h.regs, func() { h.mustRun(words) })
			for l := range simt.MaxLanes {
				for i := range count {
					var got, want string
					if small == to {
						v := h.laneBits(0, l, shift+uint(i)*smallBits[to], smallBits[to])
						w := nearestSmall(to, math.Ldexp(numbers[l][i], -scales[l]))
						got, want = fmt.Sprintf("%#x", v), fmt.Sprintf("%#x", w)
					} else {
						bits, width := wideBits(to, math.Ldexp(numbers[l][i], scales[l]))
						v := uint64(h.laneBits(0, l, uint(i)*width, width))
						if numbers[l][i] != numbers[l][i] {
							v, bits = v&0x7f80, bits&0x7f80 // a NaN is as good as another
						}
						got, want = fmt.Sprintf("%#x", v), fmt.Sprintf("%#x", bits)
					}
					if got != want {
						t.Fatalf("%s, op_sel %d, lane %d: number %d (%v by 2^%d) is %s, want %s", row.name,
							sel, l, i, numbers[l][i], scales[l], got, want)
					}
				}
				if small == to && packed < 32 {
					kept := uint32(1<<packed-1) << shift
					if d := (h.regs.V[0][l] ^ before[l]) &^ kept; d != 0 {
						t.Fatalf("%s, op_sel %d, lane %d: other bits change: %#x", row.name, sel, l, d)
					}
				}
			}
		}
	}
}

// decodeFloat is the value of bits.
func decodeFloat(kind string, bits uint64) float64 {
	switch kind {
	case "f16":
		return half16.Float(bits)
	case "bf16":
		return float64(math.Float32frombits(uint32(bits) << 16))
	}
	return float64(math.Float32frombits(uint32(bits)))
}

// TestScaleIsNaN: of all ones it makes NaNs, or the greatest number where there are none.
func TestScaleIsNaN(t *testing.T) {
	h := newHarness(t, "gfx950")
	words := assembledWords(t, "gfx950", "v_cvt_scalef32_f32_fp8 v0, v1, v2",
		"v_cvt_scalef32_pk_fp4_f32 v4, v1, v1, v2",
		"v_cvt_scalef32_pk_fp8_f32 v5, -v3, |v3|, v2")
	h.vector(1, func(int) uint32 { return 0x38 })
	h.vector(2, func(int) uint32 { return 0x7f80_0000 })
	h.vector(3, func(int) uint32 { return math.Float32bits(1) })
	h.mustRun(words...)
	if got := h.regs.V[0][0]; got != nan32Bits {
		t.Errorf("1 by a NaN is %#x", got)
	}
	if a, b := h.regs.V[4][0]&0xff, h.regs.V[5][0]&0xffff; a != 0x77 || b != 0x7fff {
		t.Errorf("the small ones are %#x and %#x, want 0x77 and 0x7fff", a, b)
	}
}

// TestTransposedReads: a lane gets the column of its number of the matrix that its 16 lanes read.
func TestTransposedReads(t *testing.T) {
	for _, c := range []struct {
		asm         string
		bytes, bits uint
	}{
		{"ds_read_b64_tr_b4 v[8:9], v2 offset:16", 8, 4}, {"ds_read_b96_tr_b6 v[8:10], v2 offset:16", 12, 6},
		{"ds_read_b64_tr_b8 v[8:9], v2 offset:16", 8, 8}, {"ds_read_b64_tr_b16 v[8:9], v2 offset:16", 8, 16},
	} {
		for _, exec := range []uint64{all64, 0xffff_0fff_3579_ff00} {
			h := newHarness(t, "gfx950").compares()
			h.exec(exec)
			rnd := rand.New(sweep.PCG(5, uint64(c.bits)))
			for i := range h.group.LDS {
				h.group.LDS[i] = byte(rnd.Uint32())
			}
			addr := func(l int) uint32 { return uint32(l*37%64) * 12 } // anywhere
			h.vector(2, addr)
			h.mustRun(assembledWords(t, "gfx950", c.asm)...)
			item := func(lane int, n uint) uint32 {
				v := uint32(0)
				for b := range c.bits {
					at := n*c.bits + b
					v |= uint32(h.group.LDS[uint(addr(lane))+16+at/8]) >> (at % 8) & 1 << b
				}
				return v
			}
			perLane := 8 * c.bytes / c.bits
			lanesPerRow := max(int(16/perLane), 1)
			for l := range 64 {
				for n := range perLane {
					source, want := l&^15+int(n)*lanesPerRow+l&15/int(perLane), uint32(0)
					if exec>>l&1 != 0 && exec>>source&1 != 0 {
						want = item(source, uint(l&15)%perLane)
					}
					if got := h.laneBits(8, l, n*c.bits, c.bits); got != want {
						t.Fatalf("%s, EXEC %#x: item %d of lane %d is %#x, want %#x", c.asm, exec, n, l, got,
							want)
					}
				}
			}
		}
	}
}
