package ptx

import (
	"encoding/binary"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"ldmatrix": (*builder).ldmatrix,
		"stmatrix": (*builder).ldmatrix, "movmatrix": (*builder).movmatrix, "wmma": (*builder).wmma})
}

// Matrices of 8 by 8 elements of 16 bits, of which each lane holds two that are beside each other in a row,
// or below each other in a column for .trans.
const (
	squareSide = 8
	squareRow  = 2 * squareSide // bytes
)

// ldmatrix loads such matrices, stmatrix stores them: eight lanes have the addresses of the rows of each (PTX
// ISA, "ldmatrix", "stmatrix").
func (b *builder) ldmatrix() error {
	count := 0
	var plain []string
	for _, m := range b.mods {
		if s, ok := spaces[m]; ok {
			b.in.space = s
			continue
		}
		if n := slices.Index([]string{"x1", "x2", "", "x4"}, m); n >= 0 && m != "" {
			count = n + 1
			continue
		}
		plain = append(plain, m)
	}
	for _, m := range plain {
		if !slices.Contains([]string{"sync", "aligned", "m8n8", "trans", "b16"}, m) {
			return refuse("has the modifier .%s, which is not simulated", m)
		}
	}
	if count == 0 || len(b.args) != 2 || !b.has("m8n8") || !b.has("b16") {
		return refuse("is not simulated in this form")
	}
	stores := strings.HasPrefix(b.src.Op, "st")
	memory, list := &b.args[1], &b.args[0]
	if stores {
		memory, list = list, memory
	}
	if err := b.address(memory, 0); err != nil {
		return err
	}
	use := &matrixUse{}
	var err error
	if use.reads, err = b.values(list); err == nil && !stores {
		use.reads = nil
		use.writes, err = b.registers(list)
	}
	if err != nil {
		return err
	}
	if len(use.reads)+len(use.writes) != count {
		return refuse("has %d registers for %d matrices", len(use.reads)+len(use.writes), count)
	}
	b.in.matrix, b.in.size = use, squareRow
	turned := b.has("trans")
	b.in.run = func(c *Core, in *inst, mask uint32) {
		if c.allTogether(in, mask) {
			c.squares(in, mask, count, stores, turned)
		}
	}
	return nil
}

// squares loads or stores matrices.
func (c *Core) squares(in *inst, mask uint32, count int, stores, turned bool) {
	need := simt.PermRead
	if stores {
		need = simt.PermWrite
	}
	mask &= fullMask >> (warpSize - squareSide*count)
	space, ok := c.resolve(in, mask, need, squareRow)
	if !ok {
		return
	}
	if space != Shared {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: in.src.Text + " has addresses that are not in shared memory"})
		return
	}
	regs := grow(&c.terms.regs[0], len(in.matrix.reads))
	c.read(regs, in.matrix.reads, grow(&c.terms.room, len(regs)))
	for i := range count {
		var out vec.Wide
		for row := range squareSide {
			from := squareSide*i + row
			if mask>>from&1 == 0 { // a lane that has ended has no address
				continue
			}
			at := c.w.Group.LDS[c.access.addr[from]:][:squareRow]
			switch {
			case stores && turned:
				storeColumn(at, regs[i], row)
			case stores:
				for j := range 4 {
					binary.LittleEndian.PutUint32(at[4*j:], uint32(regs[i][4*row+j]))
				}
			case turned:
				loadColumn(&out, at, row)
			default:
				for j := range 4 {
					out[4*row+j] = uint64(binary.LittleEndian.Uint32(at[4*j:]))
				}
			}
		}
		if !stores {
			c.merge(in.matrix.writes[i], &out, fullMask)
		}
	}
}

// loadColumn loads what is a row in memory and a column of lanes: each has it in a half of its register.
func loadColumn(to *vec.Wide, row []byte, column int) {
	for j := range squareSide {
		to[4*j+column/2] |= uint64(binary.LittleEndian.Uint16(row[2*j:])) << (16 * (column & 1))
	}
}

func storeColumn(row []byte, from *vec.Wide, column int) {
	for j := range squareSide {
		binary.LittleEndian.PutUint16(row[2*j:], uint16(from[4*j+column/2]>>(16*(column&1))))
	}
}

// movmatrix turns such a matrix over (PTX ISA, "movmatrix").
func (b *builder) movmatrix() error {
	if !slices.Equal(b.mods, []string{"sync", "aligned", "m8n8", "trans", "b16"}) {
		return refuse("is not simulated in this form")
	}
	if err := b.operands(2); err != nil {
		return err
	}
	var use matrixUse
	var err error
	if use.writes, err = b.registers(&b.args[0]); err != nil {
		return err
	}
	if use.reads, err = b.values(&b.args[1]); err != nil {
		return err
	}
	if len(use.reads) != 1 || len(use.writes) != 1 {
		return refuse("takes one register, and gives one")
	}
	b.in.matrix = &use
	square := fragment(squareSide, squareSide, 16, 2)
	b.in.run = func(c *Core, in *inst, mask uint32) {
		if !c.allTogether(in, mask) {
			return
		}
		regs := grow(&c.terms.regs[0], 1)
		c.read(regs, in.matrix.reads, grow(&c.terms.room, 1))
		from, to := grow(&c.terms.a, squareSide*squareSide), grow(&c.terms.b, squareSide*squareSide)
		square.elements(from, regs)
		for i := range from {
			to[i%squareSide*squareSide+i/squareSide] = from[i]
		}
		out := grow(&c.terms.out, 1)
		clear(out)
		square.put(out, to)
		c.merge(in.matrix.writes[0], &out[0], mask)
	}
	return nil
}
