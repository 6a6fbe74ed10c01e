package gcn

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

var sparseName = regexp.MustCompile(`^v_smfmac_(f32|i32)_(\d+)x\d+x(\d+)_([a-z]+\d+)(?:_([a-z]+\d+))?$`)

// TestSparse multiplies matrices of small integers, of which the first has
// two elements in four, with every instruction of structured sparsity, with
// every part of the index register.
func TestSparse(t *testing.T) {
	for _, processor := range []string{"gfx942", "gfx950"} {
		r := newVectorRun(t, processor)
		for _, op := range r.isa.tables.rows[VOP3P] {
			if op == nil || op.flag&matrix == 0 || op.flag&readsDst == 0 {
				continue
			}
			for _, abid := range []int{0, 1, 3} {
				r.checkSparse(t, op, abid)
			}
		}
	}
}

func (r *vectorRun) checkSparse(t *testing.T, op *Op, abid int) {
	t.Helper()
	f := sparseName.FindStringSubmatch(op.Name)
	if f == nil {
		t.Fatalf("%s: no shape by its name", op.Name)
	}
	m, _ := strconv.Atoi(f[2])
	k, _ := strconv.Atoi(f[3])
	kindA, kindB := f[4], f[5]
	if kindB == "" {
		kindB = kindA
	}
	const regA, regB, regIndex, regD = 0, 16, 32, 64
	rnd := rand.New(sweep.PCG(22, uint64(op.Code)))
	clear(r.regs.V)
	put := func(reg, lane, item int, kind string, v int) {
		n := elementBits[kind]
		r.regs.V[reg+item/(32/n)][lane] |= uint32(elementOf(r.isa.Target, kind, v)) << (item % (32 / n) * n)
	}
	groups := simt.MaxLanes / m
	perLane := k / groups // of B
	a, b := make([][]int, m), make([][]int, m)
	indexBits := perLane
	for i := range m {
		a[i], b[i] = make([]int, k), make([]int, k)
		for g := range groups {
			lane, index := i+m*g, uint32(0)
			for q := range perLane / 4 {
				places := [][2]int{{0, 1}, {0, 3}, {1, 2}, {2, 3}, {1, 3}}[rnd.IntN(5)]
				for e, at := range places {
					v := rnd.IntN(7) - 3
					a[i][g*perLane+4*q+at] = v
					put(regA, lane, 2*q+e, kindA, v)
					index |= uint32(at) << (2 * (2*q + e))
				}
			}
			r.regs.V[regIndex][lane] = rnd.Uint32()
			if shift := abid * indexBits % 32; indexBits < 32 {
				mask := uint32(1<<indexBits-1) << shift
				r.regs.V[regIndex][lane] = r.regs.V[regIndex][lane]&^mask | index<<shift
			} else {
				r.regs.V[regIndex][lane] = index
			}
			for e := range perLane {
				b[i][g*perLane+e] = rnd.IntN(5) - 2
				put(regB, lane, e, kindB, b[i][g*perLane+e])
			}
		}
	}
	number := func(v int) uint32 {
		if f[1] == "i32" {
			return uint32(v)
		}
		return math.Float32bits(float32(v))
	}
	p := product{m: m, blocks: 1, result: f[1]}
	for lane := range simt.MaxLanes {
		for item := range m * m / simt.MaxLanes {
			_, i, j := p.cell(lane, item)
			r.regs.V[regD+item][lane] = number(i - j)
		}
	}
	setExec(r.w, []uint64{all64, 1}[abid%2]) // which does not matter
	r.run(t, r.decode(t, wordsCode(0xd3800000|uint32(op.Code)<<16|uint32(abid)<<11|regD,
		256+regA|(256+regB)<<9|(256+regIndex)<<18)))
	for lane := range simt.MaxLanes {
		for item := range m * m / simt.MaxLanes {
			_, i, j := p.cell(lane, item)
			want := i - j
			for e := range k {
				want += a[i][e] * b[j][e]
			}
			if got := r.regs.V[regD+item][lane]; got != number(want) {
				t.Fatalf("%v %s, abid %d: (%d, %d) is %#x, want %#x", r.isa.Target, op.Name, abid, i, j, got,
					number(want))
			}
		}
	}
}
