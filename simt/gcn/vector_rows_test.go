package gcn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// TestQuadSums: v_mqsad_u32_u8 adds four masked sums to four dwords.
func TestQuadSums(t *testing.T) {
	r := newVectorRun(t, "gfx900")
	in := r.decode(t, llvmAssemble(t, "gfx900", []string{"v_mqsad_u32_u8 v[8:11], v[2:3], v4, v[12:15]"})[0])
	rnd := rand.New(sweep.PCG(12, 13))
	for _, reg := range []int{2, 3, 4, 12, 13, 14, 15} {
		for l := range r.regs.V[reg] {
			r.regs.V[reg][l] = rnd.Uint32() & (rnd.Uint32() | 0xff00ff)
		}
	}
	lanewise(t, r.w, r.regs, func() { r.run(t, in) })
	for l := range simt.MaxLanes {
		for i := range 4 {
			want := uint32(sums(r.pair(2, l)>>(8*i), uint64(r.regs.V[4][l]), true)) + r.regs.V[12+i][l]
			if got := r.regs.V[8+i][l]; got != want {
				t.Fatalf("lane %d, sum %d: %#x, want %#x", l, i, got, want)
			}
		}
	}
}

// A product is what the name of a matrix instruction says, and its layout as
// the MI200 and MI300 ISAs draw it in section "Matrix arithmetic instructions".
type product struct {
	m, k, blocks int
	elem, other  string
	result       string
}

var productName = regexp.MustCompile(
	`^v_mfma_(f32|i32|f64)_(\d+)x\d+x(\d+)(?:_\d+b)?_?([a-z]+\d+)(?:_(1k|[fb][pf]8))?$`)

func productOf(op *Op) (p product, ok bool) {
	f := productName.FindStringSubmatch(op.Name)
	if f == nil {
		return p, false
	}
	p.result, p.elem = f[1], f[4]
	p.m, _ = strconv.Atoi(f[2])
	p.k, _ = strconv.Atoi(f[3])
	if p.other = f[5]; p.other == "" || p.other == "1k" {
		p.other = p.elem
	}
	dwords := map[string]int{"f32": 1, "i32": 1, "f64": 2}[p.result]
	p.blocks = typDwords[op.dst] * simt.MaxLanes / (p.m * p.m * dwords)
	return p, true
}

var elementBits = map[string]int{"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8,
	"bf8": 8}

// elementOf is a small integer as an element of a factor.
func elementOf(t Target, kind string, v int) uint64 {
	switch kind {
	case "f64":
		return math.Float64bits(float64(v))
	case "f32", "xf32":
		return uint64(math.Float32bits(float32(v)))
	case "f16":
		return encode(half16, float64(v))
	case "bf16":
		return uint64(math.Float32bits(float32(v)) >> 16)
	case "i8":
		return uint64(uint8(v))
	}
	if t == GFX950 {
		kind = "ocp_" + kind
	}
	return byteFormats[kind].nearest(uint64(math.Float32bits(float32(v))))
}

// position is where element k of row (or column) i of a factor is: its lane
// and its place among the lane's elements. The lanes go through the rows
// first, then the blocks, then groups of k.
func (p product) position(block, i, k int) (lane, item int) {
	perLane := p.k * p.m * p.blocks / simt.MaxLanes
	return i + p.m*(block+p.blocks*(k/perLane)), k % perLane
}

// cell is which element of the result a lane has as its item.
func (p product) cell(lane, item int) (block, i, j int) {
	switch {
	case p.result == "f64" && p.m == 4:
		return lane / 4 % 4, lane / 16, lane % 4
	case p.result == "f64":
		return 0, 4*item + lane/16, lane % 16
	case p.m == 4:
		return lane / 4, item, lane % 4
	case p.m == 16:
		return item / 4, 4*(lane/16) + item%4, lane % 16
	}
	return item / 16, 8*(item%16/4) + 4*(lane/32) + item%4, lane % 32
}

// TestMatrixRows multiplies matrices of small integers, for which every sum
// is exact, with every matrix instruction.
func TestMatrixRows(t *testing.T) {
	for _, processor := range Targets() {
		r := newVectorRun(t, processor)
		for _, op := range r.isa.tables.rows[VOP3P] {
			if op == nil || op.flag&matrix == 0 || op.flag&(accSrc|accDst|readsDst) != 0 || op.isSmall() ||
				!op.executes() {
				continue
			}
			p, ok := productOf(op)
			if !ok {
				t.Errorf("%s: no shape by its name", op.Name)
				continue
			}
			r.checkProduct(t, op, p)
		}
	}
}

func (r *vectorRun) checkProduct(t *testing.T, op *Op, p product) {
	t.Helper()
	const regA, regB, numberC, numberD = 0, 16, 32, 64
	regC, regD := numberC, numberD
	if r.isa.Target == GFX908 { // which has C and D in accumulation registers
		regC, regD = regC+accBase, regD+accBase
	}
	a := func(b, i, k int) int { return (7*i+3*k+b)%9 - 4 }
	b := func(b, j, k int) int { return (5*j+2*k+3*b)%7 - 3 }
	c := func(b, i, j int) int { return i - 2*j + b }
	clear(r.regs.V)
	put := func(reg, lane, item int, kind string, v int) {
		n := elementBits[kind]
		bits := elementOf(r.isa.Target, kind, v)
		if n == 64 {
			r.regs.V[reg+2*item][lane], r.regs.V[reg+2*item+1][lane] = uint32(bits), uint32(bits>>32)
			return
		}
		per := 32 / n
		r.regs.V[reg+item/per][lane] |= uint32(bits) << (item % per * n)
	}
	for block := range p.blocks {
		for i := range p.m {
			for k := range p.k {
				lane, item := p.position(block, i, k)
				put(regA, lane, item, p.elem, a(block, i, k))
				put(regB, lane, item, p.other, b(block, i, k))
			}
		}
	}
	items := p.m * p.m * p.blocks / simt.MaxLanes
	number := func(v int) uint64 {
		switch p.result {
		case "i32":
			return uint64(uint32(v))
		case "f64":
			return math.Float64bits(float64(v))
		}
		return uint64(math.Float32bits(float32(v)))
	}
	for lane := range simt.MaxLanes {
		for item := range items {
			v := number(c(p.cell(lane, item)))
			if p.result == "f64" {
				r.regs.V[regC+2*item][lane], r.regs.V[regC+2*item+1][lane] = uint32(v), uint32(v>>32)
			} else {
				r.regs.V[regC+item][lane] = uint32(v)
			}
		}
	}
	in := r.decode(t, wordsCode(0xd3800000|uint32(op.Code)<<16|numberD,
		256+regA|(256+regB)<<9|(256+numberC)<<18))
	for _, exec := range []uint64{1, all64} { // which does not matter
		setExec(r.w, exec)
		r.run(t, in)
	}
	for lane := range simt.MaxLanes {
		for item := range items {
			block, i, j := p.cell(lane, item)
			want := c(block, i, j)
			for k := range p.k {
				want += a(block, i, k) * b(block, j, k)
			}
			got := uint64(r.regs.V[regD+item][lane])
			if p.result == "f64" {
				got = uint64(r.regs.V[regD+2*item][lane]) | uint64(r.regs.V[regD+2*item+1][lane])<<32
			}
			if got != number(want) {
				t.Fatalf("%v %s: block %d (%d, %d) is %#x, want %s", r.isa.Target, op.Name, block, i, j, got,
					fmt.Sprintf("%#x", number(want)))
			}
		}
	}
}

// TestSwapRows exchanges rows of lanes of two registers, where both lanes execute.
func TestSwapRows(t *testing.T) {
	for n, asm := range map[int]string{16: "v_permlane16_swap_b32_e32 v0, v2",
		32: "v_permlane32_swap_b32_e32 v0, v2"} {
		r := newVectorRun(t, "gfx950")
		in := r.decode(t, llvmAssemble(t, "gfx950", []string{asm})[0])
		for _, exec := range []uint64{all64, 0x00ff_f0ff_ffff_00ff} {
			for l := range simt.MaxLanes {
				r.regs.V[0][l], r.regs.V[2][l] = uint32(l), uint32(100+l)
			}
			setExec(r.w, exec)
			r.run(t, in)
			for l := range simt.MaxLanes {
				d, s := uint32(l), uint32(100+l)
				switch both := exec>>l&1 != 0 && exec>>(l^n)&1 != 0; {
				case both && l&n != 0:
					d = uint32(100 + l - n)
				case both:
					s = uint32(l + n)
				}
				if r.regs.V[0][l] != d || r.regs.V[2][l] != s {
					t.Fatalf("%s, EXEC %#x: lane %d has %d, %d; want %d, %d", asm, exec, l, r.regs.V[0][l],
						r.regs.V[2][l], d, s)
				}
			}
		}
	}
}

// TestWideSources: a source of more than two dwords of such an encoding is vector registers, which LLVM has
// no other registers or constants for either.
func TestWideSources(t *testing.T) {
	seen := 0
	for _, machine := range []string{"gfx900", "gfx950", "gfx1250/32"} {
		h := newHarness(t, machine)
		for _, op := range h.isa.tables.rows[VOP3] {
			if op == nil || op.Enc != VOP3 {
				continue
			}
			for i, s := range op.src {
				if typDwords[s] <= 2 {
					continue
				}
				seen++
				words := []uint32{0xd0000000 | uint32(op.Code)<<16 | 200, 0}
				if h.isa.Target.IsLater() {
					words[0] |= 0x04000000
				}
				for k, s := range op.src {
					if typDwords[s] > 0 {
						words[1] |= 0x108 << (9 * k)
					}
				}
				if _, err := h.isa.Decode(wordsCode(words...), codeBase); err != nil {
					t.Errorf("%s with vector registers: %v", op.Name, err)
				}
				for _, scalar := range []uint32{8, 242} {
					words[1] = words[1]&^(0x1ff<<(9*i)) | scalar<<(9*i)
					if in, err := h.isa.Decode(wordsCode(words...), codeBase); err == nil {
						t.Errorf("%s is read as %v", op.Name, in)
					}
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d sources", seen)
	}
}
