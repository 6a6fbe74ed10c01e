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
