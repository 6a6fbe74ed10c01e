package spirv

import (
	"math"
	"math/bits"
	"sync"

	"simtgdb/simt"
)

// Cooperative matrices (SPV_KHR_cooperative_matrix): matrices whose elements are spread over the lanes of a
// subgroup. Element e of a matrix, counted row by row, is in slot e/n of lane e%n of n lanes, whatever the
// matrix is used for, so that the slots of a value, one behind the other, are the matrix itself. What is
// left over in the last slot belongs to no element: nothing loads or stores it.
//
// A matrix of a workgroup (SPV_NV_cooperative_matrix2) is in its first subgroup, which alone loads, computes
// and stores it. The invocations of the others have as many components, and none of them is an element.
//
// To instructions that do the same for each component such a value is a vector.

// A cooperative is the shape of a cooperative matrix type.
type cooperative struct {
	rows, columns int
	wide          bool // of a workgroup
}

// maxMatrix is how many elements a cooperative matrix may have.
const maxMatrix = 1 << 18

var cooperativeBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opCooperativeMatrixLoadKHR: buildMatrixLoad, opCooperativeMatrixStoreKHR: buildMatrixStore,
		opCooperativeMatrixMulAddKHR: buildMultiplyAdd, opCooperativeMatrixLengthKHR: buildMatrixLength,
		opCooperativeMatrixConvertNV: buildMatrixUse, opCooperativeMatrixTransposeNV: buildMatrixTranspose,
		opCooperativeMatrixReduceNV: buildReduce, opCooperativeMatrixPerElementOpNV: buildPerElement,
		opCooperativeMatrixLoadTensorNV: buildTensorLoad, opCooperativeMatrixStoreTensorNV: buildTensorStore,
	}
})

// readCooperative reads TypeCooperativeMatrixKHR.
func (p *Program) readCooperative(in *raw, t *typ) error {
	const scopeWorkgroup, scopeSubgroup = 2, 3
	e, err := p.element(in, in.args[0])
	if err != nil {
		return err
	}
	if e.kind != kInt && e.kind != kFloat {
		return p.errorf(in.word, "cooperative matrix type %%%d of %%%d, which is no type of numbers", t.id,
			e.id)
	}
	var of [3]uint64 // scope, rows, columns
	for i := range of {
		n, ok := p.constantUint(in.args[1+i])
		if !ok {
			return p.errorf(in.word, "cooperative matrix type %%%d: %%%d is no constant", t.id, in.args[1+i])
		}
		of[i] = n
	}
	scope, rows, columns := of[0], of[1], of[2]
	t.kind, t.elem, t.stride = kVector, e, e.size
	lanes := uint64(p.o.SubgroupSize)
	switch {
	case scope != scopeSubgroup && scope != scopeWorkgroup:
		t.refuse("a cooperative matrix of scope %d: those of a workgroup (2) and a subgroup (3) are "+
			"simulated", scope)
	case rows == 0 || columns == 0 || rows > maxMatrix || columns > maxMatrix/rows:
		t.refuse("a cooperative matrix of %d rows and %d columns: at most %d elements are simulated", rows,
			columns, maxMatrix)
	default:
		t.matrix = &cooperative{int(rows), int(columns), scope == scopeWorkgroup}
		t.len = (rows*columns + lanes - 1) / lanes
		t.slots, t.size, t.align = int(t.len), t.len*e.size, e.align
	}
	return nil
}

// elements is how many elements a matrix has.
func (m *cooperative) elements() int { return m.rows * m.columns }

// present are the lanes, of so many, that have an element in slot k.
func (m *cooperative) present(lanes, k int) uint64 {
	return fieldMask(uint64(max(min(m.elements()-k*lanes, lanes), 0)))
}

// held reports whether the wave has the elements of the matrix.
func (m *cooperative) held(c *core) bool { return !m.wide || c.w.Index == 0 }

// matrix is operand i, which must be a cooperative matrix.
func (b *builder) matrix(i int) (*value, error) {
	v, err := b.value(i)
	if err != nil {
		return nil, err
	}
	if v.typ.matrix == nil {
		return nil, b.errorf("has operand %%%d, which is no cooperative matrix", b.in.args[i])
	}
	return v, nil
}

// resultMatrix is the shape of the result.
func (b *builder) resultMatrix() (*cooperative, error) {
	if b.typ.matrix == nil {
		return nil, b.errorf("has a result that is no cooperative matrix")
	}
	return b.typ.matrix, nil
}

// A matrixAccess is where the elements of a matrix lie: those of a row (or column, if major says so) side by
// side, rows so many objects of the pointer's type apart.
type matrixAccess struct {
	access
	shape   *cooperative
	columns bool  // those of a column lie side by side
	at      int32 // slots of the addresses, one for each slot of the matrix
	n       int32
	stride  int32 // slot, or -1
	object  uint64
}

// matrixAccess makes the memory side of a load or store of a matrix of a type, with the layout as operand i.
func (b *builder) matrixAccess(t *typ, i int, write bool) (*matrixAccess, error) {
	v, ptr, err := b.pointer(0)
	if err != nil {
		return nil, err
	}
	if v.typ.elem == nil || v.typ.elem.scalar() == nil || v.typ.elem.matrix != nil {
		return nil, b.errorf("has a pointer to what is neither scalar nor vector")
	}
	layout, ok := b.p.constantUint(b.in.args[i])
	if !ok || layout > 1 {
		return nil, b.errorf("has layout %%%d: rows (0) and columns (1) are simulated", b.in.args[i])
	}
	y := &matrixAccess{shape: t.matrix, columns: layout == 1, n: int32(t.slots), stride: -1,
		object: v.typ.elem.size}
	y.access = *v.accessed(ptr, write, []leaf{{0, t.elem}})
	if i+1 < len(b.in.args) {
		s, err := b.value(i + 1)
		if err != nil {
			return nil, err
		}
		if s.typ.kind != kInt {
			return nil, b.errorf("has stride %%%d, which is no integer", b.in.args[i+1])
		}
		y.stride = s.slot
	}
	if y.at, err = b.p.newSlots(b.in.word, t.slots); err != nil {
		return nil, err
	}
	return y, nil
}

// element is where element e lies from the pointer on, with rows (or columns) so many bytes apart.
func (y *matrixAccess) element(e int, stride uint64) uint64 {
	major, minor := e/y.shape.columns, e%y.shape.columns
	if y.columns {
		major, minor = minor, major
	}
	return uint64(major)*stride + uint64(minor)*y.leaves[0].typ.size
}

// each calls f for each slot of the matrix with the access to what it stands for, while only the lanes are
// active that access an element there: those that some say by slot, or all that have one. It stops when f
// says so.
func (y *matrixAccess) each(c *core, some []uint64, f func(k int32, m *access) bool) {
	whole := c.mask
	defer func() { c.mask = whole }()
	for k := range y.n {
		if c.mask = whole & y.shape.present(c.lanes, int(k)); some != nil {
			c.mask &= some[k]
		}
		if c.mask == 0 {
			continue
		}
		m := y.access
		m.known, m.ptr = false, y.at+k
		if !f(k, &m) {
			return
		}
	}
}

// base is the pointer of a lane.
func (y *matrixAccess) base(c *core, lane int) uint64 {
	if y.known {
		return y.access.at
	}
	return c.one(y.access.ptr)[lane]
}

// locate puts the address of each element into slots, and reports whether all may be accessed; otherwise the
// wave has stopped.
func (y *matrixAccess) locate(c *core, in *inst) bool {
	for k := range y.n {
		d := c.one(y.at + k)
		for l := range d {
			stride := uint64(0)
			if y.stride >= 0 {
				stride = c.one(y.stride)[l] * y.object
			}
			d[l] = y.base(c, l) + y.element(int(k)*c.lanes+l, stride)
		}
	}
	return y.allowed(c, in, nil)
}

// allowed reports whether elements may be accessed; otherwise the wave has stopped.
func (y *matrixAccess) allowed(c *core, in *inst, some []uint64) (ok bool) {
	ok = true
	y.each(c, some, func(_ int32, m *access) bool {
		size := m.leaves[0].typ.size
		c.addresses(m, 0)
		if bad := c.check(m, size); bad != 0 && !c.harmless(m, bad) {
			c.faultAt(in, m, bad, size, simt.Unmapped)
			ok = false
		}
		return ok
	})
	return ok
}

// together reports whether all lanes of the subgroup are there, as they must be for an instruction of
// matrices; otherwise the wave has stopped.
func (c *core) together(in *inst) bool {
	if bits.OnesCount64(c.mask) == c.lanes {
		return true
	}
	c.fault(in, simt.Fault{Kind: simt.IllegalInstruction, Lanes: c.mask,
		Text: instText(in.raw) + " in some invocations of a subgroup: a cooperative matrix takes all"})
	return false
}

// here reports whether an instruction of a matrix has something to do in this wave: the wave has the
// elements, and all its lanes are there. Otherwise the wave has stopped, or what results are no elements.
func (m *cooperative) here(c *core, in *inst) bool {
	if !m.held(c) {
		clear(c.slots(in.d, in.dn))
		return false
	}
	return c.together(in)
}

func buildMatrixLoad(b *builder) (*inst, error) {
	m, err := b.resultMatrix()
	if err != nil {
		return nil, err
	}
	y, err := b.matrixAccess(b.typ, 1, false)
	if err != nil {
		return nil, err
	}
	return &inst{mem: &y.access, flags: faults, exec: func(c *core, in *inst) {
		if m.here(c, in) && y.locate(c, in) {
			y.load(c, in, nil)
		}
	}}, nil
}

// load loads elements whose addresses are in the slots.
func (y *matrixAccess) load(c *core, in *inst, some []uint64) {
	part := *in
	y.each(c, some, func(k int32, m *access) bool {
		part.d, part.mem = in.d+k, m
		execLoad(c, &part)
		return true
	})
}

func buildMatrixStore(b *builder) (*inst, error) {
	v, err := b.matrix(1)
	if err != nil {
		return nil, err
	}
	y, err := b.matrixAccess(v.typ, 2, true)
	if err != nil {
		return nil, err
	}
	return &inst{mem: &y.access, a: v.slot, flags: faults, exec: func(c *core, in *inst) {
		if v.typ.matrix.here(c, in) && y.locate(c, in) {
			y.store(c, in, nil)
		}
	}}, nil
}

// store is load's counterpart.
func (y *matrixAccess) store(c *core, in *inst, some []uint64) {
	part := *in
	y.each(c, some, func(k int32, m *access) bool {
		part.a, part.mem = in.a+k, m
		execStore(c, &part)
		return true
	})
}

// buildMatrixLength makes CooperativeMatrixLengthKHR: the components that an invocation has.
func buildMatrixLength(b *builder) (*inst, error) {
	t := b.p.types[b.in.args[0]]
	if t == nil || t.matrix == nil {
		return nil, b.errorf("asks for the length of %%%d, which is no cooperative matrix type", b.in.args[0])
	}
	return &inst{imm: t.len, exec: execConstantAddress}, nil
}

// buildMatrixUse makes CooperativeMatrixConvertNV: elements lie as they do, whatever the matrix is used for.
func buildMatrixUse(b *builder) (*inst, error) {
	v, err := b.matrix(0)
	if err != nil {
		return nil, err
	}
	if m, err := b.resultMatrix(); err != nil || *m != *v.typ.matrix || b.typ.elem != v.typ.elem {
		return nil, b.errorf("has a result of another type than its operand")
	}
	return &inst{a: v.slot, n: int32(b.typ.slots), exec: copyRun}, nil
}

// buildMatrixTranspose makes CooperativeMatrixTransposeNV.
func buildMatrixTranspose(b *builder) (*inst, error) {
	v, err := b.matrix(0)
	if err != nil {
		return nil, err
	}
	m, err := b.resultMatrix()
	if err != nil {
		return nil, err
	}
	if m.rows != v.typ.matrix.columns || m.columns != v.typ.matrix.rows || b.typ.elem != v.typ.elem {
		return nil, b.errorf("has a result that its operand does not fit")
	}
	i := &inst{a: v.slot, n: int32(b.typ.slots), flags: faults}
	return i.with(func(c *core, in *inst) {
		if !m.here(c, in) {
			return
		}
		d, x := c.slots(in.d, in.n), c.slots(in.a, in.n)
		for e := range m.elements() {
			d[e] = x[e%m.columns*m.rows+e/m.columns]
		}
	}), nil
}

// Cooperative Matrix Operands.
const (
	signedA = 1 << iota
	signedB
	signedC
	signedResult
	saturating
)

// buildMultiplyAdd makes CooperativeMatrixMulAddKHR. Floats are multiplied and added in 64 bits, in the
// order of A's columns with C at the end, and rounded once to the result's type: the order and what is
// rounded between are the implementation's.
func buildMultiplyAdd(b *builder) (*inst, error) {
	var vs [3]*value
	for i := range vs {
		v, err := b.matrix(i)
		if err != nil {
			return nil, err
		}
		vs[i] = v
	}
	d, err := b.resultMatrix()
	if err != nil {
		return nil, err
	}
	x, y, z := vs[0].typ, vs[1].typ, vs[2].typ
	if x.matrix.wide != d.wide || y.matrix.wide != d.wide || x.matrix.rows != d.rows ||
		y.matrix.columns != d.columns || x.matrix.columns != y.matrix.rows || *z.matrix != *d {
		return nil, b.errorf("has matrices of %dx%d, %dx%d and %dx%d for a result of %dx%d", x.matrix.rows,
			x.matrix.columns, y.matrix.rows, y.matrix.columns, z.matrix.rows, z.matrix.columns, d.rows,
			d.columns)
	}
	operands := uint32(0)
	if len(b.in.args) > 3 {
		operands = b.in.args[3]
	}
	i := &inst{a: vs[0].slot, b: vs[1].slot, e: vs[2].slot, n: int32(b.typ.slots), flags: faults}
	p := &matrixProduct{shape: d, m: d.rows, n: d.columns, k: x.matrix.columns}
	switch kinds := [3]kind{x.elem.kind, y.elem.kind, z.elem.kind}; {
	case b.typ.elem.kind == kFloat && kinds == [3]kind{kFloat, kFloat, kFloat}:
		from := [3]floatControl{b.controlOf(x.elem), b.controlOf(y.elem), b.controlOf(z.elem)}
		return i.with(p.floats(from, b.controlOf(b.typ.elem))), nil
	case b.typ.elem.kind == kInt && kinds == [3]kind{kInt, kInt, kInt}:
		return i.with(p.integers([3]uint{x.elem.bits, y.elem.bits, z.elem.bits}, b.typ.elem.bits,
			operands)), nil
	}
	return nil, b.errorf("multiplies matrices of floats with matrices of integers")
}

// A matrixProduct is m rows of A times n columns of B, each of k elements.
type matrixProduct struct {
	shape   *cooperative // of the result
	m, n, k int
}

// operands are the elements of A, B (by columns) and C.
func (p *matrixProduct) operands(c *core, in *inst) (a, b, s []uint64) {
	slots := func(elements int) int32 { return int32((elements + c.lanes - 1) / c.lanes) }
	y := c.slots(in.b, slots(p.k*p.n))
	b = make([]uint64, p.k*p.n)
	for e := range b {
		b[e] = y[e%p.k*p.n+e/p.k]
	}
	return c.slots(in.a, slots(p.m*p.k)), b, c.slots(in.e, slots(p.m*p.n))
}

func (p *matrixProduct) floats(from [3]floatControl, to floatControl) func(*core, *inst) {
	numbers := func(c floatControl, of []uint64) []float64 {
		out := make([]float64, len(of))
		for i, v := range of {
			out[i] = c.in(v)
		}
		return out
	}
	return func(c *core, in *inst) {
		if !p.shape.here(c, in) {
			return
		}
		rawA, rawB, rawC := p.operands(c, in)
		a, b, d := numbers(from[0], rawA), numbers(from[1], rawB), c.slots(in.d, in.n)
		const together = 4 // columns whose sums do not wait for each other
		for e := 0; e < p.m*p.n; e += together {
			row := a[e/p.n*p.k:][:p.k]
			at := e % p.n
			if p.n-at < together {
				for ; at < p.n; at, e = at+1, e+1 {
					d[e] = to.out(dotProduct(row, b[at*p.k:]) + from[2].in(rawC[e]))
				}
				e -= together
				continue
			}
			for j, sum := range dotProducts(row, b[at*p.k:]) {
				d[e+j] = to.out(sum + from[2].in(rawC[e+j]))
			}
		}
	}
}

// dotProduct is the sum of products with a column, in their order.
func dotProduct(row, column []float64) (sum float64) {
	column = column[:len(row)]
	for i, x := range row {
		sum += float64(x * column[i]) // without the conversion some hosts would not round between
	}
	return sum
}

// dotProducts is dotProduct with four columns.
func dotProducts(row, columns []float64) [4]float64 {
	var s0, s1, s2, s3 float64
	n := len(row)
	c0, c1, c2, c3 := columns[:n], columns[n:][:n], columns[2*n:][:n], columns[3*n:][:n]
	for i, x := range row {
		s0 += float64(x * c0[i])
		s1 += float64(x * c1[i])
		s2 += float64(x * c2[i])
		s3 += float64(x * c3[i])
	}
	return [4]float64{s0, s1, s2, s3}
}

func (p *matrixProduct) integers(from [3]uint, to uint, operands uint32) func(*core, *inst) {
	extend := func(i int) func(uint64) int64 {
		if operands>>i&1 != 0 {
			return func(v uint64) int64 { return signed(v, from[i]) }
		}
		return func(v uint64) int64 { return int64(v) }
	}
	extA, extB, extC := extend(0), extend(1), extend(2)
	least, most := 0.0, math.Ldexp(1, int(to))-1
	if operands&signedResult != 0 {
		least, most = -math.Ldexp(1, int(to)-1), math.Ldexp(1, int(to)-1)-1
	}
	saturate := operands&saturating != 0 && to <= 32 // of the extension's own types none is wider
	return func(c *core, in *inst) {
		if !p.shape.here(c, in) {
			return
		}
		a, b, s := p.operands(c, in)
		d := c.slots(in.d, in.n)
		for e := range p.m * p.n {
			row, column := a[e/p.n*p.k:][:p.k], b[e%p.n*p.k:][:p.k]
			var sum int64
			for i, x := range row {
				sum += extA(x) * extB(column[i])
			}
			if sum += extC(s[e]); saturate {
				sum = int64(max(least, min(most, float64(sum))))
			}
			d[e] = uint64(sum) & fieldMask(uint64(to))
		}
	}
}
