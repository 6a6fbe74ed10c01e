package expr

// Operations of Intel's graphics compiler. Registers are as wide as the hardware's, and the elements of a
// variable lie side by side in them: an expression works out from the lane which register and which bits
// of it, and takes their value.

// execRegs pops a number and pushes the location of the register with that number.
func execRegs(m *machine, _ *Instr) error {
	v, err := m.popInteger()
	if err != nil {
		return err
	}
	l, err := m.register(v.Uint64())
	if err != nil {
		return err
	}
	return m.pushLocation(l)
}

// execPushBitPiece pops a size and an offset, both in bits, and a location, and pushes the value of those
// bits as one of the generic type.
func execPushBitPiece(m *machine, _ *Instr) error {
	size, err := m.popDisplacement()
	if err != nil {
		return err
	}
	offset, err := m.popDisplacement()
	if err != nil {
		return err
	}
	if size <= 0 || size > int64(m.generic.Bits) {
		return m.fail(IllFormed, "%d bits as a value of %d", size, m.generic.Bits)
	}
	l, err := m.popLocation()
	if err != nil {
		return err
	}
	if l, err = l.Offset(m.ctx, 0, offset); err != nil {
		return err
	}
	v, err := m.readValue(&l, BaseType{Encoding: Generic, Bits: int(size)})
	if err != nil {
		return err
	}
	if v.ip != nil {
		return m.pushValue(v)
	}
	return m.pushGeneric(v.low)
}
