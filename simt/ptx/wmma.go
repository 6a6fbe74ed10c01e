package ptx

import (
	"fmt"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
)

// wmmaHalves is how many registers the factors of halves have for wmma, of whatever shape: some hold nothing
// here. Where each element is is not said by the PTX ISA; here it is where mma has it.
const wmmaHalves = 8

// wmmaShapes are the shapes of wmma, by the types of the factors.
var wmmaShapes = map[string][]string{
	"f16": large, "bf16": large, "s8": large, "u8": large, "tf32": {"m16n16k8"}, "f64": {"m8n8k4"},
	"s4": {"m8n8k32"}, "u4": {"m8n8k32"}, "b1": {"m8n8k128"},
}

var large = []string{"m16n16k16", "m32n8k16", "m8n32k16"}

// wmma loads, stores and multiplies matrices (PTX ISA, "wmma.load", "wmma.store", "wmma.mma").
func (b *builder) wmma() error {
	if len(b.mods) == 0 {
		return refuse("is not simulated in this form")
	}
	switch what := b.mods[0]; what {
	case "mma":
		return b.wmmaMultiply()
	case "load", "store":
		return b.wmmaMove(what == "store")
	}
	return refuse("is not simulated in this form")
}

func (b *builder) wmmaMultiply() error {
	types, err := b.elementTypes()
	if err != nil {
		return err
	}
	if len(types) == 2 { // those of the sums
		types = []string{types[0], "f16", "f16", types[1]}
	}
	m, n, k, ok := shapeOf(b.mods)
	if len(types) != 4 || !ok || !slices.Contains(wmmaShapes[types[1]], fmt.Sprintf("m%dn%dk%d", m, n, k)) {
		return refuse("is not simulated for its shape and types")
	}
	return b.multiply(&product{types: [4]string(types), limit: b.has("satfinite"), and: b.has("and")}, m,
		n, k)
}

// A transfer moves a matrix between registers and memory.
type transfer struct {
	layout  *layout
	turned  bool // its rows are columns in memory
	bytes   int  // of an access
	pieces  []piece
	stride  source
	stores  bool
	columns int // of elements of an access
	unit    int // bits of an element
}

// A piece is what each lane moves by one access: where its element is, as a row and a column.
type piece struct {
	reg, shift uint8
	row, col   [warpSize]uint16
}

// pieces divides a matrix into accesses of all lanes, of that many elements beside each other.
func (l *layout) pieces(together int) []piece {
	var all []piece
	number := map[[2]uint8]int{}
	for i, e := range l.at {
		if int(e.shift)%(together*l.width) != 0 {
			continue
		}
		key := [2]uint8{e.reg, e.shift}
		n, ok := number[key]
		if !ok {
			n = len(all)
			number[key], all = n, append(all, piece{reg: e.reg, shift: e.shift})
		}
		all[n].row[e.lane], all[n].col[e.lane] = uint16(i/l.cols), uint16(i%l.cols)
	}
	return all
}

// wmmaMove makes a load or a store of a matrix.
func (b *builder) wmmaMove(stores bool) error {
	var order, typ, which string
	for _, m := range b.mods[1:] {
		switch s, is := spaces[m]; {
		case is:
			b.in.space = s
		case m == "row" || m == "col":
			order = m
		case elementWidth(m) != 0:
			typ = m
		case m == "a" || m == "b" || m == "c" || m == "d":
			which = m
		case m == "sync", m == "aligned", m[0] == 'm' && strings.Contains(m, "k"):
		default:
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	m, n, k, ok := shapeOf(b.mods)
	if !ok || order == "" || typ == "" || stores != (which == "d") {
		return refuse("is not simulated in this form")
	}
	t := &transfer{stores: stores, unit: elementWidth(typ), turned: order == "col"}
	switch which {
	case "a":
		t.layout = factor(m, k, t.unit)
	case "b":
		t.layout, t.turned = factor(n, k, t.unit), order == "row"
	default:
		t.layout = result(m, n, t.unit)
	}
	return b.setTransfer(t)
}

func (b *builder) setTransfer(t *transfer) error {
	if len(b.args) != 2 && len(b.args) != 3 {
		return refuse("has %d operands; expected 2 or 3", len(b.args))
	}
	memory, list := &b.args[1], &b.args[0]
	if t.stores {
		memory, list = list, memory
	}
	if err := b.address(memory, 0); err != nil {
		return err
	}
	use := &matrixUse{}
	var err error
	if use.reads, err = b.values(list); err == nil && !t.stores {
		use.reads = nil
		use.writes, err = b.registers(list)
	}
	if err != nil {
		return err
	}
	if have := len(use.reads) + len(use.writes); have < t.layout.regs ||
		have > t.layout.regs && (have != wmmaHalves || t.stores) {
		return refuse("has %d registers for a matrix that is in %d", have, t.layout.regs)
	}
	t.columns = 1
	// Whole registers, as far as they have what is beside each other.
	if register := max(32, t.unit); !t.turned {
		for t.columns*2*t.unit <= register && t.columns*2 <= t.beside() {
			t.columns *= 2
		}
	}
	if t.bytes = t.columns * t.unit / 8; t.bytes == 0 {
		return refuse("is not simulated for elements of less than a byte that do not lie beside each other")
	}
	t.pieces = t.layout.pieces(t.columns)
	// Without a stride, rows lie behind each other.
	t.stride = source{kind: fromImm, imm: broadcast(uint64(t.layout.cols))}
	if t.turned {
		t.stride.imm = broadcast(uint64(t.layout.rows))
	}
	if len(b.args) == 3 {
		if t.stride, err = b.source(&b.args[2], "u32"); err != nil {
			return err
		}
		if t.stride.kind == fromPred {
			return refuse("reads a predicate as a number")
		}
	}
	b.in.s[1], b.in.matrix, b.in.size = t.stride, use, uint8(t.bytes)
	b.in.run = func(c *Core, in *inst, mask uint32) {
		if c.allTogether(in, mask) {
			t.move(c, in, mask)
		}
	}
	return nil
}

// beside is how many elements of a register are beside each other in a row.
func (t *transfer) beside() int {
	first, n := t.layout.at[0], 1
	for n < t.layout.cols && t.layout.at[n].lane == first.lane && t.layout.at[n].reg == first.reg {
		n++
	}
	return n
}

// reach finds the addresses of a piece, and whether they may be accessed.
func (t *transfer) reach(c *Core, in *inst, i int, mask uint32, need simt.Perm) (Space, bool) {
	p, base := &t.pieces[i], &c.tmp[3]
	from, stride := c.value(in, 0), c.value(in, 1)
	for l := range base {
		row, col := uint64(p.row[l]), uint64(p.col[l])
		if t.turned {
			row, col = col, row
		}
		base[l] = from[l] + (row*uint64(uint32(stride[l]))+col)*uint64(t.unit)/8
	}
	return c.resolveAt(in, base, mask, need, t.bytes)
}

// move does all accesses of a transfer. Nothing is changed before all are known to be good.
func (t *transfer) move(c *Core, in *inst, mask uint32) {
	need := simt.PermRead
	if t.stores {
		need = simt.PermWrite
		want := c.want
		c.want = simt.Interest{}
		for i := range t.pieces {
			if _, ok := t.reach(c, in, i, mask, need); !ok {
				c.want = want
				return
			}
		}
		c.want = want
	}
	regs := grow(&c.terms.regs[0], len(in.matrix.reads))
	c.read(regs, in.matrix.reads, grow(&c.terms.room, len(regs)))
	out := grow(&c.terms.out, len(in.matrix.writes))
	clear(out)
	bits := numeric.Mask(8 * t.bytes)
	for i := range t.pieces {
		space, ok := t.reach(c, in, i, mask, need)
		if !ok {
			return
		}
		p := &t.pieces[i]
		for m := mask; m != 0; m &= m - 1 {
			l := first(m)
			if t.stores {
				c.put(space, l, t.bytes, regs[p.reg][l]>>p.shift&bits)
			} else {
				out[p.reg][l] |= c.get(space, l, t.bytes) << p.shift
			}
		}
	}
	for i, n := range in.matrix.writes {
		c.merge(n, &out[i], mask)
	}
}

// spaceOf is where a lane's access is, with its address there: mixed ones are in different spaces.
func (c *Core) spaceOf(space Space, lane int) (Space, uint64) {
	addr := c.access.addr[lane]
	switch {
	case space != mixed:
		return space, addr
	case addr-SharedWindow < windowSize:
		return Shared, addr - SharedWindow
	case addr-LocalWindow < windowSize:
		return Local, addr - LocalWindow
	}
	return Global, addr
}

// get and put read and write a number at a lane's address in Core.access, which has been found good.
func (c *Core) get(space Space, lane, size int) uint64 {
	space, addr := c.spaceOf(space, lane)
	switch space {
	case Shared:
		return word(c.sharedAt(addr), size)
	case Local:
		return c.loadLocal(lane, addr, size)
	}
	r := c.regionFor(addr, uint64(size), 0)
	return word(r.Data[addr-r.Base:], size)
}

func (c *Core) put(space Space, lane, size int, v uint64) {
	space, addr := c.spaceOf(space, lane)
	switch space {
	case Shared:
		putWord(c.sharedAt(addr), size, v)
	case Local:
		c.storeLocal(lane, addr, size, v)
	default:
		r := c.regionFor(addr, uint64(size), 0)
		putWord(r.Data[addr-r.Base:], size, v)
	}
}
