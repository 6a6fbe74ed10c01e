package gen

// A word is the 128 bits of an instruction.
type word struct{ lo, hi uint64 }

// bits returns n bits of the instruction, at most 32, from bit pos up. They
// may cross the middle.
func (w word) bits(pos, n uint) uint32 {
	v := w.hi >> (pos & 63)
	if pos < 64 {
		v = w.lo>>pos | w.hi<<(64-pos)
	}
	return uint32(v & (1<<n - 1))
}

func (w word) bit(pos uint) bool { return w.bits(pos, 1) != 0 }

// set writes n bits at pos, which must have been zero.
func (w *word) set(pos, n uint, v uint64) {
	v &= 1<<n - 1
	if pos < 64 {
		w.lo |= v << pos
		if pos+n > 64 {
			w.hi |= v >> (64 - pos)
		}
		return
	}
	w.hi |= v << (pos - 64)
}

// signExtend returns the low n bits of v as a signed number.
func signExtend(v uint32, n uint) int32 { return int32(v<<(32-n)) >> (32 - n) }
