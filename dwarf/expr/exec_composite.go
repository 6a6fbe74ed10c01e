package expr

// Operations that make composite locations: A.2.5.4.4.6.

func execPiece(m *machine, in *Instr) error {
	if in.args[0] > maxCompositeBits/8 {
		return m.fail(IllFormed, "a piece of %d bytes", in.args[0])
	}
	return m.addPiece(8*in.args[0], 0)
}

func execBitPiece(m *machine, in *Instr) error {
	if in.args[0] > maxCompositeBits || in.args[1] > maxCompositeBits {
		return m.fail(IllFormed, "a piece of %d bits at bit %d", in.args[0], in.args[1])
	}
	return m.addPiece(in.args[0], int64(in.args[1]))
}

// addPiece adds a part to the incomplete composite, or begins one: with the
// location on top, or with an undefined one if there is none.
func (m *machine) addPiece(bits uint64, bitOff int64) error {
	var part Location
	if len(m.stack) > m.base && m.top(0).kind != isPartial {
		l, err := m.popLocation()
		if err != nil {
			return err
		}
		if part = l; bitOff != 0 {
			if part, err = l.Offset(m.ctx, 0, bitOff); err != nil {
				return err
			}
		}
	}
	p, err := m.part(part, bits)
	if err != nil {
		return err
	}
	if len(m.stack) > m.base && m.top(0).kind == isPartial {
		e := m.top(0)
		e.parts = append(e.parts, p)
		return nil
	}
	return m.push(entry{kind: isPartial, parts: []Part{p}})
}

// part makes one part: its bits must lie in its storage. Bits that lie in one
// part of a composite are a part of that part: a selection from a selection
// from…, as call frame information makes of a register that every callee saves
// in part, and lane pcs of nested control flow, does not nest.
func (m *machine) part(l Location, bits uint64) (Part, error) {
	if m.parts++; m.parts > m.limits.Parts {
		return Part{}, m.fail(IllFormed, "more than %d composite parts", m.limits.Parts)
	}
	l = l.within(bits)
	left, err := l.remaining(m.ctx)
	switch {
	case KindOf(err) == NoRegister:
		// A register that cannot be read now still is a place.
	case err != nil:
		return Part{}, err
	case bits > left:
		return Part{}, m.fail(IllFormed, "a part of %d bits with %d left in its %s storage", bits, left,
			l.kind)
	}
	return Part{Bits: bits, Location: l}, nil
}

func (m *machine) pushComposite(parts []Part) error {
	l, err := Compose(parts)
	if err != nil {
		return err
	}
	return m.pushLocation(l)
}

func execPieceEnd(m *machine, _ *Instr) error {
	if len(m.stack) == m.base || m.top(0).kind != isPartial {
		return m.fail(IllFormed, "no incomplete composite on top of the stack")
	}
	e := m.top(0)
	m.stack = m.stack[:len(m.stack)-1]
	return m.pushComposite(e.parts)
}

// vector checks the operands of extend and select_bit_piece.
func (m *machine) vector(size, count uint64) error {
	switch {
	case size == 0 || count == 0:
		return m.fail(IllFormed, "%d elements of %d bits", count, size)
	case count > uint64(m.limits.Parts) || size > maxCompositeBits/count:
		return m.fail(IllFormed, "%d elements of %d bits are too many", count, size)
	}
	return nil
}

func execExtend(m *machine, in *Instr) error {
	size, count := in.args[0], in.args[1]
	if err := m.vector(size, count); err != nil {
		return err
	}
	l, err := m.popLocation()
	if err != nil {
		return err
	}
	p, err := m.part(l, size)
	if err != nil {
		return err
	}
	if m.parts += int(count) - 1; m.parts > m.limits.Parts {
		return m.fail(IllFormed, "more than %d composite parts", m.limits.Parts)
	}
	parts := make([]Part, count)
	for i := range parts {
		parts[i] = p
	}
	return m.pushComposite(parts)
}

func execSelectBitPiece(m *machine, in *Instr) error {
	size, count := in.args[0], in.args[1]
	if err := m.vector(size, count); err != nil {
		return err
	}
	selector, err := m.popInteger()
	if err != nil {
		return err
	}
	if uint64(selector.Type.Bits) < count {
		return m.fail(IllFormed, "a mask of %d bits for %d elements", selector.Type.Bits, count)
	}
	one, err := m.popLocation()
	if err != nil {
		return err
	}
	zero, err := m.popLocation()
	if err != nil {
		return err
	}
	bits := bitSlice{selector.Bytes(), 0}
	parts := make([]Part, count)
	for i := range parts {
		l := zero
		if bits.data[i/8]>>(i%8)&1 == 1 {
			l = one
		}
		if l, err = l.Offset(m.ctx, 0, int64(uint64(i)*size)); err != nil {
			return err
		}
		if parts[i], err = m.part(l, size); err != nil {
			return err
		}
	}
	return m.pushComposite(parts)
}

func execOverlay(m *machine, _ *Instr) error    { return m.overlay(8) }
func execBitOverlay(m *machine, _ *Instr) error { return m.overlay(1) }

// maxOverlayBits bounds an overlay's size and offset, so that both together
// stay below what a composite can have.
const maxOverlayBits = maxCompositeBits / 4

// overlay lays the second location over the first; sizes count in units of
// that many bits.
func (m *machine) overlay(unit int64) error {
	size, err := m.popDisplacement()
	if err != nil {
		return err
	}
	off, err := m.popDisplacement()
	if err != nil {
		return err
	}
	over, err := m.popLocation()
	if err != nil {
		return err
	}
	base, err := m.popLocation()
	if err != nil {
		return err
	}
	if size < 0 || off < 0 || size > maxOverlayBits/unit || off > maxOverlayBits/unit {
		return m.fail(IllFormed, "an overlay of %d at %d", size, off)
	}
	n, at := uint64(size*unit), uint64(off*unit)
	left, err := base.remaining(m.ctx)
	if err != nil {
		return err
	}
	switch {
	case left < at+n:
		return m.fail(IllFormed, "an overlay of bits [%d, %d) on %d bits", at, at+n, left)
	case n == 0:
		return m.pushLocation(base)
	case at == 0 && n == left:
		return m.pushLocation(over)
	}
	return m.layOver(base, over, at, n, left)
}

func (m *machine) layOver(base, over Location, at, n, left uint64) error {
	var parts []Part
	add := func(l Location, bits uint64) error {
		p, err := m.part(l, bits)
		parts = append(parts, p)
		return err
	}
	if at > 0 {
		if err := add(base, at); err != nil {
			return err
		}
	}
	if err := add(over, n); err != nil {
		return err
	}
	if left > at+n {
		l, err := base.Offset(m.ctx, 0, int64(at+n))
		if err != nil {
			return err
		}
		// The rest of an address space is more than an object can be.
		if err := add(l, min(left, maxCompositeBits-1)-at-n); err != nil {
			return err
		}
		parts[len(parts)-1].Open = left >= maxCompositeBits
	}
	return m.pushComposite(parts)
}
