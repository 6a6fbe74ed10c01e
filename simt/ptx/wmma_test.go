package ptx_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt"
)

// A warpShape is a form of wmma.
type warpShape struct {
	m, n, k    int
	types      string // as they are written behind the shape of wmma.mma
	d, a, c    string
	na, nb, nc int // registers
}

// wmma: matrices that are loaded, multiplied and stored, in each shape, type and order of both factors and
// the sum.
func TestWarpMatrices(t *testing.T) {
	var shapes []warpShape
	for _, s := range [][3]int{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}} {
		m, n, k := s[0], s[1], s[2]
		for _, sum := range []string{"f16", "f32"} {
			shapes = append(shapes, warpShape{m, n, k, sum + "." + sum, sum, "f16", sum, 8, 8,
				m * n * matrixWidths[sum] / 1024})
		}
		shapes = append(shapes, warpShape{m, n, k, "f32.bf16.bf16.f32", "f32", "bf16", "f32", m / 4,
			n / 4, 8})
		for _, typ := range []string{"s8", "u8"} {
			shapes = append(shapes, warpShape{m, n, k, "s32." + typ + "." + typ + ".s32", "s32", typ, "s32",
				m / 8, n / 8, 8})
		}
	}
	shapes = append(shapes, warpShape{16, 16, 8, "f32.tf32.tf32.f32", "f32", "tf32", "f32", 4, 4, 8},
		warpShape{8, 8, 4, "f64.f64.f64.f64", "f64", "f64", "f64", 1, 1, 2},
		warpShape{8, 8, 32, "s32.s4.s4.s32", "s32", "s4", "s32", 1, 1, 2},
		warpShape{8, 8, 32, "s32.u4.u4.s32", "s32", "u4", "s32", 1, 1, 2},
		warpShape{8, 8, 128, "s32.b1.b1.s32", "s32", "b1", "s32", 1, 1, 2})
	for _, of := range [][2]string{{"f32", "f16"}, {"f16", "f32"}} { // of the sum and what is added to it
		shapes = append(shapes, warpShape{16, 16, 16, of[0] + "." + of[1], of[0], "f16", of[1], 8, 8,
			16 * 16 * matrixWidths[of[1]] / 1024})
	}
	for _, s := range shapes {
		for order := range 8 {
			if s.a[1:] == "4" || s.a == "b1" { // they have one order
				order = order&4 | 2
			}
			way := [2]string{"row", "col"}
			s.check(t, [3]string{way[order&1], way[order>>1&1], way[order>>2]})
		}
	}
}

// A stored matrix is one in memory.
type storedMatrix struct {
	typ, order string
	stride     int // in elements
	data       []byte
}

// newStored makes room for a matrix, with something behind each row, or column.
func newStored(rows, cols int, typ, order string) *storedMatrix {
	lines, length := rows, cols
	if order == "col" {
		lines, length = cols, rows
	}
	m := &storedMatrix{typ: typ, order: order, stride: length}
	if w := matrixWidths[typ]; w >= 8 {
		m.stride += 128 / w
	}
	m.data = make([]byte, lines*m.stride*matrixWidths[typ]/8)
	return m
}

// bit is where an element begins.
func (m *storedMatrix) bit(row, col int) int {
	if m.order == "col" {
		row, col = col, row
	}
	return (row*m.stride + col) * matrixWidths[m.typ]
}

func (m *storedMatrix) set(row, col int, v uint64) {
	at, w := m.bit(row, col), matrixWidths[m.typ]
	if w >= 8 {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		copy(m.data[at/8:][:w/8], b[:])
		return
	}
	m.data[at/8] |= byte(v << (at % 8))
}

func (s warpShape) check(t *testing.T, order [3]string) {
	t.Helper()
	a, b := newStored(s.m, s.k, s.a, order[0]), newStored(s.k, s.n, s.a, order[1])
	c, d, want := newStored(s.m, s.n, s.c, order[2]), newStored(s.m, s.n, s.d, order[2]), newStored(s.m, s.n, s.d, order[2])
	number := func(matrix, row, col int) int { return matrix*37 + row*7 + col*3 + row*col }
	for i := range s.m {
		for j := range s.k {
			v, _ := code(s.a, number(0, i, j))
			a.set(i, j, v)
		}
	}
	for i := range s.k {
		for j := range s.n {
			v, _ := code(s.a, number(1, i, j))
			b.set(i, j, v)
		}
	}
	for i := range s.m {
		for j := range s.n {
			v, sum := code(s.c, number(2, i, j))
			c.set(i, j, v)
			for k := range s.k {
				_, x := code(s.a, number(0, i, k))
				_, y := code(s.a, number(1, k, j))
				if s.a == "b1" {
					sum += float64(int(x) ^ int(y))
				} else {
					sum += x * y
				}
			}
			want.set(i, j, sumBits(s.d, sum, false))
		}
	}
	form := fmt.Sprintf("m%dn%dk%d", s.m, s.n, s.k)
	class := "b32"
	if s.a == "f64" {
		class = "b64"
	}
	list := func(name string, n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("%%%s%d", name, i)
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	kind := ""
	if s.a == "b1" {
		kind = ".xor.popc"
	}
	text := fmt.Sprintf(`wmma.load.a.sync.aligned.%[2]s.%[1]s.global.%[5]s %[8]s, [%%rd0], %[12]d;
	wmma.load.b.sync.aligned.%[3]s.%[1]s.%[5]s %[9]s, [%%rd1], %[13]d;
	wmma.load.c.sync.aligned.%[4]s.%[1]s.global.%[6]s %[10]s, [%%rd2], %[14]d;
	wmma.mma%[16]s.sync.aligned.%[2]s.%[3]s.%[1]s.%[15]s %[11]s, %[8]s, %[9]s, %[10]s;
	wmma.store.d.sync.aligned.%[4]s.%[1]s.global.%[7]s [%%rd3], %[11]s, %[17]d;`,
		form, order[0], order[1], order[2], s.a, s.c, s.d, list("a", s.na), list("b", s.nb), list("c", s.nc),
		list("d", s.nc*matrixWidths[s.d]/matrixWidths[s.c]), a.stride, b.stride, c.stride, s.types, kind,
		d.stride)
	p := parse(t, "wmma.ptx", fmt.Sprintf(`.version 9.1
.target sm_90
.address_size 64
.entry k(.param .u64 k_a, .param .u64 k_b, .param .u64 k_c, .param .u64 k_d)
{
	.reg .b64 %%rd<4>; .reg .%s %%a<8>, %%b<8>, %%c<8>, %%d<8>;
	ld.param.u64 %%rd0, [k_a]; ld.param.u64 %%rd1, [k_b]; ld.param.u64 %%rd2, [k_c]; ld.param.u64 %%rd3, [k_d];
	%s
	ret;
}`, class, text))
	l := grid(32, 32)
	l.args = []any{a.data, b.data, c.data, d.data}
	m, finished := p.machine("k", &l)
	row{text: text}.note(m)
	if ev, err := m.Run(t.Context(), 1); err != nil || ev.Kind != simt.EndEvent {
		t.Fatalf("%s: %v: %v %v", text, ev.Kind, ev.Fault, err)
	}
	finished()
	equal(t, text, d.data, want.data)
}
