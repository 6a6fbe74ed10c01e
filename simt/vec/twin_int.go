package vec

// The twins of the operations on integers of 32 bits: loops over all lanes,
// which masked confines to those of the mask.

const low24 = 1<<24 - 1

func mov(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = a[l]
	}
}

func not(x *Args) {
	d, a := x.D, x.A
	for l := range d {
		d[l] = ^a[l]
	}
}

func add(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] + b[l]
	}
}

func sub(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] - b[l]
	}
}

func and(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] & b[l]
	}
}

func or(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] | b[l]
	}
}

func xor(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] ^ b[l]
	}
}

func xnor(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = ^(a[l] ^ b[l])
	}
}

func shlRev(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = b[l] << (a[l] & 31)
	}
}

func shrRev(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = b[l] >> (a[l] & 31)
	}
}

func sarRev(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint32(int32(b[l]) >> (a[l] & 31))
	}
}

func mul(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = a[l] * b[l]
	}
}

func mulHiU(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint32(uint64(a[l]) * uint64(b[l]) >> 32)
	}
}

func mulHiI(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint32(int64(int32(a[l])) * int64(int32(b[l])) >> 32)
	}
}

func mulU24(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = (a[l] & low24) * (b[l] & low24)
	}
}

func mulI24(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint32((int32(a[l]) << 8 >> 8) * (int32(b[l]) << 8 >> 8))
	}
}

func minU(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = min(a[l], b[l])
	}
}

func maxU(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = max(a[l], b[l])
	}
}

func minI(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint32(min(int32(a[l]), int32(b[l])))
	}
}

func maxI(x *Args) {
	d, a, b := x.D, x.A, x.B
	for l := range d {
		d[l] = uint32(max(int32(a[l]), int32(b[l])))
	}
}

func add3(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l] + b[l] + c[l]
	}
}

func shlAdd(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l]<<(b[l]&31) + c[l]
	}
}

func addShl(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = (a[l] + b[l]) << (c[l] & 31)
	}
}

func shlOr(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l]<<(b[l]&31) | c[l]
	}
}

func andOr(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l]&b[l] | c[l]
	}
}

func or3(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l] | b[l] | c[l]
	}
}

func xorAdd(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = (a[l] ^ b[l]) + c[l]
	}
}

func madU24(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = (a[l]&low24)*(b[l]&low24) + c[l]
	}
}

func madI24(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint32((int32(a[l])<<8>>8)*(int32(b[l])<<8>>8)) + c[l]
	}
}

func bfeU(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l] >> (b[l] & 31) & (1<<(c[l]&31) - 1)
	}
}

func bfeI(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint32(int32(a[l]) >> (b[l] & 31) << (32 - c[l]&31) >> (32 - c[l]&31))
	}
}

func bfi(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l]&b[l] | ^a[l]&c[l]
	}
}

func alignBit(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = uint32((uint64(a[l])<<32 | uint64(b[l])) >> (c[l] & 31))
	}
}

func signs(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := range d {
		d[l] = a[l]&^b[l] ^ c[l]
	}
}

func selectTwin(x *Args) {
	d, a, b, m := x.D, x.A, x.B, x.In
	for l := range d {
		pick := uint32(-int32(m & 1))
		d[l] = a[l]&^pick | b[l]&pick
		m >>= 1
	}
}

func addCarry(x *Args) {
	d, a, b, in := x.D, x.A, x.B, x.In
	var out uint64
	for l := range d {
		s := uint64(a[l]) + uint64(b[l]) + in&1
		in >>= 1
		d[l] = uint32(s)
		out = out>>1 | s>>32<<63
	}
	x.Out = out
}

func subBorrow(x *Args) {
	d, a, b, in := x.D, x.A, x.B, x.In
	var out uint64
	for l := range d {
		s := uint64(a[l]) - uint64(b[l]) - in&1
		in >>= 1
		d[l] = uint32(s)
		out = out>>1 | s>>63<<63
	}
	x.Out = out
}

func eqU(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if a[l] == b[l] {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func neU(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if a[l] != b[l] {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func ltU(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if a[l] < b[l] {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func leU(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if a[l] <= b[l] {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func ltI(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if int32(a[l]) < int32(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}

func leI(x *Args) {
	a, b := x.A, x.B
	var m uint64
	for l := range a {
		m >>= 1
		if int32(a[l]) <= int32(b[l]) {
			m |= 1 << 63
		}
	}
	x.Out = m & x.Mask
}
