package gen

// intDp4a adds to the first source the products of the four bytes of the others.
func intDp4a(_ *Core, in *Inst, x *operands) {
	byteOf := func(v int64, i int, t Type) int64 {
		b := uint8(uint64(v) >> (8 * i))
		if types[t].signed {
			return int64(int8(b))
		}
		return int64(b)
	}
	for k := range in.width {
		sum := x.i[0][k&31]
		for i := range 4 {
			sum += byteOf(x.i[1][k&31], i, in.src[1].typ) * byteOf(x.i[2][k&31], i, in.src[2].typ)
		}
		x.out[k&31] = sum
	}
}

func intAdd3(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		x.out[k&31] = x.i[0][k&31] + x.i[1][k&31] + x.i[2][k&31]
	}
}

// intBfn gives for each bit what the function has of the sources' bits.
func intBfn(_ *Core, in *Inst, x *operands) {
	for k := range in.width {
		a, b, c, out := x.i[0][k&31], x.i[1][k&31], x.i[2][k&31], int64(0)
		for i := range 8 {
			if in.function>>i&1 == 0 {
				continue
			}
			term := ^int64(0)
			for n, v := range [3]int64{a, b, c} {
				if i>>n&1 == 0 {
					v = ^v
				}
				term &= v
			}
			out |= term
		}
		x.out[k&31] = out
	}
}
