package ptx

// mma.m8n8k4 of halves is four products beside each other: each of four lanes of either half of the warp (PTX
// ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type").

const quadProducts = 4

// quadRow is the row of the lane's quarter: four lanes of the lower half of the warp, then four of the upper.
func quadRow(lane int) int { return lane%4 + lane/16*4 }

// quadLanes says where the elements of the four matrices of eight rows are, which are behind each other in
// the layout: at says of lane and element which row and column it is.
func quadLanes(cols, width int, at func(lane, i int) (row, col int)) *layout {
	l := &layout{rows: quadProducts * 8, cols: cols, width: width, at: make([]element, quadProducts*8*cols)}
	each := 32 / width
	for lane := range warpSize {
		for i := range cols {
			row, col := at(lane, i)
			l.at[(lane%16/4*8+row)*cols+col] = element{lane: uint8(lane), reg: uint8(i / each),
				shift: uint8(i % each * width)}
			l.regs = max(l.regs, i/each+1)
		}
	}
	return l
}

// quadFactor is the layout of a factor: a row in a lane, or a column of four rows.
func quadFactor(inRows bool) *layout {
	return quadLanes(4, 16, func(lane, i int) (int, int) {
		if inRows {
			return quadRow(lane), i
		}
		return i + lane/16*4, lane % 4
	})
}

// quadResult is the layout of a sum.
func quadResult(width int) *layout {
	return quadLanes(8, width, func(lane, i int) (int, int) {
		if width == 16 {
			return quadRow(lane), i
		}
		return lane&1 + i&2 + lane/16*4, i&4 + lane&2 + i&1
	})
}

// mmaOfQuads makes mma.m8n8k4 of halves.
func (b *builder) mmaOfQuads(p *product) error {
	for i, want := range []string{"", "f16", "f16", ""} {
		if t := p.types[i]; want != "" && t != want || want == "" && t != "f16" && t != "f32" {
			return refuse("is not simulated for its types")
		}
	}
	var orders []string
	for _, mod := range b.mods {
		if mod == "row" || mod == "col" {
			orders = append(orders, mod)
		}
	}
	if len(orders) != 2 {
		return refuse("does not say how its factors lie")
	}
	p.a, p.b = quadFactor(orders[0] == "row"), quadFactor(orders[1] == "col")
	p.c, p.d = quadResult(elementWidth(p.types[3])), quadResult(elementWidth(p.types[0]))
	p.sum = func(p *product, t *terms) {
		all := *t
		for q := range quadProducts {
			part := *p
			part.a, part.b = &layout{rows: 8, cols: 4}, &layout{rows: 8, cols: 4}
			part.c = &layout{rows: 8, cols: 8, at: p.c.at[:64]}
			t.a, t.b, t.c, t.d = all.a[q*32:][:32], all.b[q*32:][:32], all.c[q*64:][:64], all.d[q*64:][:64]
			part.sumFloats(t)
		}
		t.a, t.b, t.c, t.d = all.a, all.b, all.c, all.d
	}
	return b.setProduct(p)
}
