package gcn

import (
	"strings"

	"simtgdb/simt"
)

// A sparseShape is a matrix instruction (v_smfmac) whose factor A has at most two elements that are not 0
// among four in a row: it holds those, and an index register says which they are (MI300 ISA, section
// "Sparse matrices").
type sparseShape struct {
	m           int
	elem, other element
	perLane     int // elements of A that a lane holds; of B it holds twice as many
}

// sparseElements are the types of factors by how names of instructions end.
var sparseElements = []struct {
	suffix      string
	elem, other element
}{
	{"bf8_bf8", elemBF8, elemBF8}, {"bf8_fp8", elemBF8, elemFP8}, {"fp8_bf8", elemFP8, elemBF8},
	{"fp8_fp8", elemFP8, elemFP8},
	{"_bf16", elemBF16, elemBF16}, {"_f16", elemF16, elemF16}, {"_i8", elemI8, elemI8},
}

// sparse is a row of v_smfmac, whose accumulator is its destination; a is the type of what a lane holds of A.
func sparse(code uint16, name string, a, b, acc typ, on Target) Op {
	s := &sparseShape{m: 16}
	if strings.Contains(name, "32x32x") {
		s.m = 32
	}
	for _, e := range sparseElements {
		if strings.HasSuffix(name, e.suffix) {
			s.elem, s.other = e.elem.of(on), e.other.of(on)
			s.perLane = 32 * typDwords[a] / int(e.elem.bits)
			break
		}
	}
	return Op{Enc: VOP3P, Code: code, Name: "v_smfmac_" + name, dst: acc, src: srcs(a, b, b32, acc),
		flag: matrix | readsDst, on: on, run: s.run,
		product: matrixProduct{rows: s.m, blocks: 1, sparse: true}}
}

// indices is a lane's part of the index register: two bits for each element of A. Without CBSZ, ABID says
// which part of the register it is.
func (s *sparseShape) indices(m *modifiers, v uint32) uint32 {
	n := 2 * s.perLane
	if n >= 32 || m.cbsz != 0 {
		return v
	}
	return v >> (int(m.abid) % (32 / n) * n)
}

// run is one execution.
func (s *sparseShape) run(c *Core, in *Inst) {
	if c.w.Size < simt.MaxLanes { // there are none for fewer lanes
		unknown(c, in)
		return
	}
	m := in.modifiers()
	var aRegs, bRegs [32]Vector
	a, b := c.wide(&aRegs, in, 0, 1), c.wide(&bRegs, in, 1, 1)
	index := c.r.V[in.src[2].reg]
	columns := make([][]uint64, s.m) // of B
	n := 2 * s.perLane               // elements of k in a lane
	for j := range columns {
		for first := 0; first < simt.MaxLanes; first += s.m {
			for k := range n {
				columns[j] = append(columns[j], s.other.item(b, first+j, k))
			}
		}
	}
	shape := matrixShape{m: s.m, blocks: 1, elem: s.elem}
	d := c.registers(&in.dst)
	var row, column []uint64
	places := make([]int, 0, n) // of the elements of A, among those of k
	for i := range s.m {
		row, places = row[:0], places[:0]
		for first := 0; first < simt.MaxLanes; first += s.m {
			which := s.indices(m, index[first+i])
			for k := range s.perLane {
				row = append(row, s.elem.item(a, first+i, k))
				places = append(places, first/s.m*n+k/2*4+int(which>>(2*k)&3))
			}
		}
		for j := range s.m {
			column = column[:0]
			for _, k := range places {
				column = append(column, columns[j][k])
			}
			lane, item := shape.result(0, i, j)
			d[item][lane] = s.elem.sum(d[item][lane], row, column)
		}
	}
}
