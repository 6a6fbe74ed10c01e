package ptx

import (
	"fmt"
	"slices"

	"simtgdb/simt"
)

func init() {
	register(map[string]func(b *builder) error{"tensormap": (*builder).tensormap})
}

// A boxCopy is a copy between shared memory and a box of an array in global memory, or a reduction of the box
// (PTX ISA, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor").
type boxCopy struct {
	table    *inst // statements of one access each: of the tensor map,
	array    *inst // of the array,
	shared   *inst // of shared memory, with its address,
	barrier  *inst // and of the barrier; nil for none
	dims     int
	im2col   bool
	offsets  bool // of im2col are among the operands
	stores   bool
	reduce   string
	byType   map[string]*reduction
	at       int // index in the statement's reads of the coordinates
	offsetAt int
	many     source // the workgroups of the cluster that get it, a mask; none for who is addressed
}

var tensorDims = []string{"1d", "2d", "3d", "4d", "5d"}

func (b *builder) tensorCopy() error {
	t := &boxCopy{byType: map[string]*reduction{}}
	for _, m := range b.mods {
		if i := slices.Index(tensorDims, m); i >= 0 {
			t.dims = i + 1
			continue
		}
		switch {
		case slices.Contains(bulkMods, m) ||
			slices.Contains([]string{"tensor", "tile", "cta_group::1", "shared::cta",
				"shared::cluster"}, m):
		case m == "global": // the first of two for a store
			t.stores = slices.Index(b.mods, "global") < slices.IndexFunc(b.mods, isSharedSpace)
		case m == "im2col" || m == "im2col_no_offs":
			t.im2col, t.offsets = true, m == "im2col"
		case b.has("reduce") && slices.Contains(atomicNames, m) && m != "exch" && m != "cas":
			t.reduce = m
		default:
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	loads := !t.stores && b.has("mbarrier::complete_tx::bytes")
	if t.dims == 0 || loads == t.stores || b.has("reduce") != (t.reduce != "") ||
		t.reduce != "" && !t.stores || t.stores && t.offsets {
		return refuse("is not simulated in this form")
	}
	return b.setBox(t)
}

func isSharedSpace(m string) bool { return spaces[m] == Shared }

// setBox takes the operands: of a load the place in shared memory, the box, the barrier and the offsets; of a
// store the box and the place.
func (b *builder) setBox(t *boxCopy) error {
	args := b.args
	need := 3
	if t.stores {
		need = 2
		args = slices.Concat(args[1:min(len(args), 2)], args[:min(len(args), 1)], args[min(len(args), 2):])
	}
	if t.offsets {
		need++
	}
	if len(args) < need || args[1].Kind != Mem || len(args[1].List) != 2 {
		return refuse("is not simulated in this form")
	}
	var err error
	if t.shared, err = b.accessOf(&args[0], Shared); err != nil {
		return err
	}
	table := args[1]
	table.List = table.List[:1]
	if t.table, err = b.accessOf(&table, Generic); err != nil {
		return err
	}
	array := *t.table
	array.space, array.offset, array.atomic = Global, 0, t.reduce != "" // which stores alone have
	t.array = &array
	use := &matrixUse{reads: []source{t.shared.s[0]}}
	if !t.stores {
		if t.barrier, err = b.barrierOf(&args[2]); err != nil {
			return err
		}
		use.reads = append(use.reads, t.barrier.s[0])
	}
	if t.at, err = b.numbers(use, &args[1].List[1], t.dims); err != nil {
		return err
	}
	if t.offsets {
		if t.offsetAt, err = b.numbers(use, &args[3], t.dims-2); err != nil {
			return err
		}
	}
	if b.has("multicast::cluster") {
		if t.stores || len(args) <= need {
			return refuse("has no mask of the workgroups of a cluster")
		}
		if t.many, err = b.source(&args[need], "u16"); err != nil {
			return err
		}
		use.reads = append(use.reads, t.many)
	}
	if t.reduce != "" {
		b.reductions(t)
	}
	b.in.s[0], b.in.s[1] = t.table.s[0], t.shared.s[0]
	if t.barrier != nil {
		b.in.s[2] = t.barrier.s[0]
	}
	b.in.matrix = use
	b.in.run = func(c *Core, in *inst, mask uint32) { c.boxes(t, in, mask) }
	return nil
}

// numbers adds an operand of so many numbers to what an instruction reads, and says where they are there.
func (b *builder) numbers(use *matrixUse, o *Operand, n int) (at int, err error) {
	list, err := b.values(o)
	if err == nil && len(list) != n {
		err = refuse("has an operand of %d numbers; expected %d", len(list), n)
	}
	at, use.reads = len(use.reads), append(use.reads, list...)
	return at, err
}

// reductions makes what is done with elements, for each type that a tensor map may have and that has the
// operation.
func (b *builder) reductions(t *boxCopy) {
	for _, e := range tensorElements {
		if r, err := b.reduction(t.reduce, e.typ); err == nil {
			t.byType[e.typ] = r
		}
	}
}

// boxes does the copies of the lanes of a mask, one after the other.
func (c *Core) boxes(t *boxCopy, in *inst, mask uint32) {
	regs := grow(&c.terms.regs[0], len(in.matrix.reads))
	c.read(regs, in.matrix.reads, grow(&c.terms.room, len(regs)))
	if t.reduce != "" && c.m.Concurrent {
		c.m.Shared.Lock()
		defer c.m.Shared.Unlock()
	}
	var sizes [warpSize]int64
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		table, err := c.tensorMapOf(t, in, l)
		if err != nil {
			c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: 1 << l,
				Text: in.src.Text + ": " + err.Error()})
		}
		if table == nil {
			return
		}
		var at, offset tensorPoint
		for i := range t.dims {
			at[i] = int64(int32(regs[t.at+i][l]))
		}
		for i := 0; t.offsets && i < t.dims-2; i++ {
			offset[i+1] = int64(uint16(regs[t.offsetAt+i][l]))
		}
		if !c.eachTarget(&t.many, l, c.value(in, 1)[l], t.shared, func(to uint64) bool {
			return c.box(t, table, in, l, to, at, offset)
		}) {
			return
		}
		sizes[l] = table.bytes()
	}
	if t.barrier != nil {
		c.tellBarriers(&t.many, t.barrier, mask, func(l int) int64 { return sizes[l] })
	}
}

// tensorMapOf reads a lane's tensor map. There is neither a map nor an error where the access stops.
func (c *Core) tensorMapOf(t *boxCopy, in *inst, lane int) (*tensorMap, error) {
	base := c.value(in, 0)[lane]
	var all [tensorMapBytes]byte
	for off := 0; off < tensorMapBytes; off += copyPiece {
		piece, ok := c.oneAccess(in, t.table, lane, base+uint64(off), simt.PermRead, copyPiece)
		if !ok {
			return nil, nil
		}
		copy(all[off:], piece)
	}
	m, err := parseTensorMap(all[:])
	switch {
	case err != nil:
		return nil, err
	case m.rank != t.dims:
		return nil, fmt.Errorf("the tensor map has %d dimensions, the instruction %d", m.rank, t.dims)
	case m.im2col != t.im2col:
		return nil, fmt.Errorf("the tensor map and the instruction are not of the same mode: tile or im2col")
	case t.reduce != "" && t.byType[m.element.typ] == nil:
		return nil, fmt.Errorf("there is no .%s for the tensor map's elements of .%s", t.reduce,
			m.element.typ)
	}
	return m, nil
}

// box copies the box of a lane, from or to an address of shared memory. It reports whether it could; if not,
// nothing was copied.
func (c *Core) box(t *boxCopy, m *tensorMap, in *inst, lane int, base uint64, at, offset tensorPoint) bool {
	base += t.shared.offset
	shared := *t.shared
	shared.offset = 0
	want, good := c.want, true
	c.want = simt.Interest{}
	m.pieces(at, offset, func(p *tensorPiece) bool {
		need := simt.PermWrite
		if t.stores {
			need = simt.PermRead
		}
		_, good = c.oneAccess(in, &shared, lane, m.swizzled(base+p.offset), need, copyPiece)
		good = good && c.arrayAccess(t, m, in, lane, p, func([]byte, int) {})
		return good
	})
	c.want = want
	if !good {
		return false
	}
	m.pieces(at, offset, func(p *tensorPiece) bool {
		var piece [copyPiece]byte
		place := func(need simt.Perm) (to []byte, ok bool) {
			return c.oneAccess(in, &shared, lane, m.swizzled(base+p.offset), need, copyPiece)
		}
		if t.stores {
			from, ok := place(simt.PermRead)
			if good = ok; !ok {
				return false
			}
			copy(piece[:], from)
			r := t.byType[m.element.typ]
			good = c.arrayAccess(t, m, in, lane, p, func(to []byte, off int) {
				if t.reduce != "" {
					r.onto(piece[off:off+len(to)], to)
				}
				copy(to, piece[off:])
			})
			return good
		}
		m.outside(p, piece[:])
		good = c.arrayAccess(t, m, in, lane, p, func(from []byte, off int) { copy(piece[off:], from) })
		if !good {
			return false
		}
		to, ok := place(simt.PermWrite)
		if good = ok; ok {
			copy(to, piece[:])
		}
		return ok
	})
	return good
}

// arrayAccess accesses the elements of a piece that the array has, at once where that can be, with what is
// done with their bytes and where in the piece they are. It reports whether it could.
func (c *Core) arrayAccess(t *boxCopy, m *tensorMap, in *inst, lane int, p *tensorPiece,
	do func([]byte, int)) bool {
	need := simt.PermRead
	switch {
	case t.reduce != "":
		need |= simt.PermWrite
	case t.stores:
		need = simt.PermWrite
	}
	one := func(addr uint64, off, size int) bool {
		data, ok := c.oneAccess(in, t.array, lane, addr, need, uint64(size))
		if ok {
			do(data, off)
		}
		return ok
	}
	if p.all && t.reduce == "" {
		return one(p.from, 0, copyPiece)
	}
	for i := range copyPiece / m.element.size {
		if p.inside>>i&1 != 0 && !one(p.from+uint64(i)*p.apart, i*m.element.size, m.element.size) {
			return false
		}
	}
	return true
}

// tensormapFields are what tensormap.replace changes: where it is, its size, for an ordinal how far apart,
// and what the value is there (PTX ISA, "tensormap.replace").
var tensormapFields = map[string]struct {
	at, size, apart int
	value           func(v uint64) uint64
}{
	"global_address": {at: tensorAddress, size: 8},
	"rank": {at: tensorMagic, size: 4,
		value: func(v uint64) uint64 { return tensorMapMagic | (v+1)<<24 }},
	"box_dim":           {at: tensorBox, size: 2, apart: 2},
	"global_dim":        {at: tensorSize, size: 4, apart: 4, value: func(v uint64) uint64 { return v - 1 }},
	"global_stride":     {at: tensorPitch, size: 8, apart: 8},
	"element_stride":    {at: tensorStep, size: 1, apart: 1},
	"elemtype":          {at: tensorType, size: 1, value: tensormapType},
	"interleave_layout": {at: tensorPacked, size: 1},
	"swizzle_mode":      {at: tensorSwizzle, size: 1},
	"fill_mode":         {at: tensorFill, size: 1},
}

// tensormapType turns the number of a type in PTX into CUtensorMapDataType's.
func tensormapType(v uint64) uint64 {
	types := [...]uint64{0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12}
	if v < uint64(len(types)) {
		return types[v]
	}
	return 255
}

// tensormap changes a field of a tensor map; tensormap.cp_fenceproxy copies one from shared to global memory.
func (b *builder) tensormap() error {
	if len(b.mods) > 0 && b.mods[0] == "cp_fenceproxy" {
		if len(b.args) != 3 || b.args[2].Kind != Int || b.args[2].Value != tensorMapBytes {
			return refuse("is not simulated in this form")
		}
		c := &copying{size: source{kind: fromImm, imm: broadcast(tensorMapBytes)}}
		return b.setCopy(c, &b.args[0], Global, &b.args[1], Shared)
	}
	if len(b.mods) < 3 || b.mods[0] != "replace" || b.mods[1] != "tile" {
		return refuse("is not simulated in this form")
	}
	f, ok := tensormapFields[b.mods[2]]
	if !ok {
		return refuse("has the field .%s, which is not simulated", b.mods[2])
	}
	space := Generic
	for _, m := range b.mods[3:] {
		if s, is := spaces[m]; is {
			space = s
		} else if m != "b1024" && m != "b32" && m != "b64" {
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	args, at := b.args, f.at
	if f.apart != 0 {
		if len(args) != 3 || args[1].Kind != Int || args[1].Value >= tensorRank {
			return refuse("has no number of a dimension")
		}
		at += f.apart * int(args[1].Value)
		args = []Operand{args[0], args[2]}
	}
	if len(args) != 2 {
		return refuse("has %d operands", len(b.args))
	}
	to, err := b.accessOf(&args[0], space)
	if err != nil {
		return err
	}
	b.in.s[0] = to.s[0]
	if b.in.s[1], err = b.source(&args[1], b.mods[len(b.mods)-1]); err != nil {
		return err
	}
	b.in.matrix = &matrixUse{}
	b.in.run = func(c *Core, in *inst, mask uint32) {
		v := *c.value(in, 1)
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			place, ok := c.oneAccess(in, to, l, c.value(in, 0)[l]+uint64(at), simt.PermWrite, uint64(f.size))
			if !ok {
				return
			}
			if f.value != nil {
				v[l] = f.value(v[l])
			}
			putWord(place, f.size, v[l])
		}
	}
	return nil
}
