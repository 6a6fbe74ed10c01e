package expr

// A Dialect is how a producer's expressions are to be read where they do not
// mean what the standard says. The zero Dialect is to the letter. It is for
// the consumer to choose, by DW_AT_producer.
//
// Stock clang (up to 22, without AMD's changes) has no way to say where a
// variable of an AMDGPU kernel is, and writes these shapes instead. Each was
// found in objects of clang 22 for HIP and OpenCL C at -O0 to -O3; S stands for
// the address space 1 (HIP) or 5 (OpenCL C, and all that a pass made new).
//
//	fbreg N; litS; swap; xderef              -O0: at N in the lane's private memory
//	addrx A; lit3; swap; xderef              at A in LDS
//	addrx A; lit1; swap; xderef              at A in flat memory
//	bregx VGPRn+0; litS; swap; xderef        -O1 up: in the lane's 32 bits of VGPRn,
//	  … piece 4; …                           or a part in it
//	consts C; …; litS; swap; xderef; stack_value
//	                                         the constant C, computed with as it says
//	bregx VGPRn+0; convert T; …; litS; swap; xderef; stack_value
//	                                         the value computed from the lane's VGPRn
//	… convert T; litS; swap; xderef          the same, with or without what comes after the conversion
//	bregx VGPRn+0; consts C; lt; …           the same, computed in 32 bits; other types are
//	                                         mixed with the generic one as well
//	regx SGPRa; piece 4; regx SGPRb; piece 4 to the letter
//	frame_base: regx SGPR33 or SGPR32        holds an offset into the wave's scratch
//
// An xderef applied to what was meant as the variable's value rather than its
// address is what is left of an alloca that was promoted.
type Dialect struct {
	// XderefIsAddress makes xderef leave the address it forms, not what is
	// there.
	XderefIsAddress bool
	// Clang is the rest of the list above. It needs an Arch, and the
	// context's lane.
	Clang bool
	// FlatScratch says that the stack and frame pointers hold lane
	// addresses, as on targets with architected flat scratch (gfx942), and
	// not offsets that are scaled by the wave size.
	FlatScratch bool
}

// StockClang is the dialect of clang 22's AMDGPU objects.
func StockClang(flatScratch bool) Dialect {
	return Dialect{XderefIsAddress: true, Clang: true, FlatScratch: flatScratch}
}

// An origin is what a value was made from, as far as the dialect cares.
type origin uint8

const (
	notKnown   origin = iota
	fromScalar        // exactly what a scalar register holds
	fromLane          // exactly what a lane of a vector register holds
	fromOther         // a location made of a value that is not an address
	fromFrame         // an address in private memory
)

// unify makes the operands' types equal where clang mixes a typed operand with
// a generic one, or what a 32-bit register held with an address-sized literal:
// the computation is in the type of the narrower.
func (d *Dialect) unify(a, b *Value) bool {
	if !d.Clang {
		return false
	}
	switch {
	case b.Type.Encoding != Generic:
		a, b = b, a
	case a.Type.Encoding == Generic && a.Type.Bits > b.Type.Bits:
		a, b = b, a
	}
	// Now b is to become what a is.
	if b.Type.Encoding != Generic {
		return false
	}
	v, ok := b.convert(a.Type)
	*b = v
	return ok
}

// lane is the focused lane.
func (m *machine) lane() (int, error) {
	c, ok := m.ctx.(LaneContext)
	if !ok || c.Lane() < 0 {
		return 0, m.lacks("lane")
	}
	return c.Lane(), nil
}

// frameAddress gives the private address that a stack or frame pointer holds.
func (m *machine) frameAddress(n uint64) (uint64, error) {
	if m.dialect.FlatScratch {
		return n, nil
	}
	c, ok := m.ctx.(LaneContext)
	if !ok || c.WaveSize() <= 0 {
		return 0, m.lacks("wave")
	}
	return n / uint64(c.WaveSize()), nil
}

// focusLane narrows what is a whole vector register to the lane.
func (m *machine) focusLane(num uint64, l Location) (Location, error) {
	width := m.arch.laneBits(num)
	if width == 0 {
		return l, nil
	}
	lane, err := m.lane()
	if err != nil {
		return Location{}, err
	}
	return l.Offset(m.ctx, 0, int64(lane*width))
}

// pushClangRegister is bregx.
func (m *machine) pushClangRegister(num uint64, disp int64) error {
	l, err := m.register(num)
	if err != nil {
		return err
	}
	if l, err = m.focusLane(num, l); err != nil {
		return err
	}
	width := m.arch.laneBits(num)
	from := fromLane
	if width == 0 {
		from = fromScalar
		size, err := m.registerSize(num)
		if err != nil {
			return err
		}
		width = min(8*size, m.generic.Bits)
	}
	v, err := m.readValue(&l, BaseType{Encoding: Generic, Bits: width})
	if err != nil {
		return err
	}
	switch {
	case m.arch.isFrame(num):
		n, err := m.frameAddress(v.low)
		if err != nil {
			return err
		}
		v, from = NewValue(m.generic, n), fromFrame
	case disp != 0:
		from = notKnown
	}
	return m.push(entry{kind: isValue, from: from, value: NewValue(v.Type, v.low+uint64(disp)), loc: l})
}

// clangXderef makes a location of the address on top and the space below it.
// It keeps what the location was made of, for a stack_value to take.
func (m *machine) clangXderef() error {
	if !m.dialect.Clang {
		return m.formXderef()
	}
	if err := m.whole(2); err != nil {
		return err
	}
	addr := *m.top(0)
	m.stack = m.stack[:len(m.stack)-1]
	as, err := m.popSpace()
	if err != nil {
		return err
	}
	private := as.ID == SpaceGeneric || as.ID == SpacePrivateLane
	if private && (addr.from == fromLane || addr.from == fromScalar) {
		addr.kind = isLocation
		return m.push(addr)
	}
	if private && addr.kind == isLocation && addr.loc.kind != Memory {
		return m.push(addr) // regx: the value is in it
	}
	v, err := m.toValue(&addr)
	if err != nil {
		return err
	}
	if !v.Type.Encoding.integral() || private && v.Type.Encoding != Generic {
		// What was converted is a promoted variable's value, with or without a
		// stack_value behind it.
		return m.push(entry{kind: isLocation, from: fromOther, value: v, loc: implicitValue(v)})
	}
	id := as.ID
	if private && addr.from == fromFrame {
		id = SpacePrivateLane
	}
	l, err := m.memory(id, v.Uint64())
	if err != nil {
		return err
	}
	return m.push(entry{kind: isLocation, from: fromOther, value: v, loc: l})
}
