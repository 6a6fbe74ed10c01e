package gcn

// The cube instructions make of a direction the face of a cube that it meets, and where (Vega ISA, sections
// "V_CUBEID_F32" to "V_CUBEMA_F32"). A comparison with a NaN is false.

type cubeAxis uint8

const (
	axisX cubeAxis = iota
	axisY
	axisZ
)

// majorAxis is the axis along which the direction is longest: of equals z, then y.
func majorAxis(x, y, z float32) cubeAxis {
	ax, ay, az := abs32(x), abs32(y), abs32(z)
	switch {
	case az >= ax && az >= ay:
		return axisZ
	case ay >= ax:
		return axisY
	}
	return axisX
}

func abs32(v float32) float32 { return float32s(bits32(v) &^ (1 << 31)) }

// cube is an instruction that chooses by the major axis and whether the direction's part along it is below 0.
func cube(pick func(axis cubeAxis, below bool, x, y, z uint64) uint64) func(format, uint64, uint64, uint64,
	env) uint64 {
	return func(f format, a, b, c uint64, e env) uint64 {
		x, y, z := f.In(a, e), f.In(b, e), f.In(c, e)
		fx, fy, fz := float32s(uint32(x)), float32s(uint32(y)), float32s(uint32(z))
		axis := majorAxis(fx, fy, fz)
		return f.Out(pick(axis, [...]float32{fx, fy, fz}[axis] < 0, x, y, z), e)
	}
}

const sign32 = 1 << 31

var cubeID = cube(func(axis cubeAxis, below bool, _, _, _ uint64) uint64 {
	face := 2 * float32(axis)
	if below {
		face++
	}
	return uint64(bits32(face))
})

var cubeS = cube(func(axis cubeAxis, below bool, x, _, z uint64) uint64 {
	switch {
	case axis == axisZ && below:
		return x ^ sign32
	case axis == axisX && !below:
		return z ^ sign32
	case axis == axisX:
		return z
	}
	return x
})

var cubeT = cube(func(axis cubeAxis, below bool, _, y, z uint64) uint64 {
	switch {
	case axis != axisY:
		return y ^ sign32
	case below:
		return z ^ sign32
	}
	return z
})

func cubeMajor(f format, a, b, c uint64, e env) uint64 {
	x, y, z := f.In(a, e), f.In(b, e), f.In(c, e)
	axis := majorAxis(float32s(uint32(x)), float32s(uint32(y)), float32s(uint32(z)))
	major := [...]uint64{x, y, z}[axis]
	return f.Add(major, major, e)
}
