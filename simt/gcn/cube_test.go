package gcn

import "math"

// cubeFaces are the faces of OpenGL's table "Selection of cube map images": the part of the direction along
// which the face lies, and which parts, with which signs, are the two coordinates in it. 1 is x, -3 is -z.
var cubeFaces = [6]struct{ major, s, t int }{
	{1, -3, -2}, {-1, 3, -2}, {2, 1, 3}, {-2, 1, -3}, {3, 1, -2}, {-3, -1, -2},
}

// faceOf is the face that a direction meets; of lengths that are equal z counts before y, and y before x. A
// length that is no number is not longer than another, nor is another longer than it.
func faceOf(v [3]float64) int {
	axis := 0
	if math.Abs(v[1]) >= math.Abs(v[0]) {
		axis = 1
	}
	if math.Abs(v[2]) >= math.Abs(v[1]) && math.Abs(v[2]) >= math.Abs(v[0]) {
		axis = 2
	}
	if v[axis] < 0 {
		return 2*axis + 1
	}
	return 2 * axis
}

// onCube is a model of a cube instruction: what makes the result of a face and of the direction's parts.
func onCube(result func(face int, part func(int) uint64) uint64) model {
	return func(x *operands) uint64 {
		parts := [3]uint64{x.a & 0xffff_ffff, x.b & 0xffff_ffff, x.c & 0xffff_ffff}
		var v [3]float64
		for i, p := range parts {
			v[i] = valueOf(single, p)
		}
		return result(faceOf(v), func(which int) uint64 {
			if which < 0 {
				return parts[-which-1] ^ 1<<31
			}
			return parts[which-1]
		})
	}
}

func init() {
	rowModels["cubeid_f32"] = onCube(func(face int, _ func(int) uint64) uint64 {
		return uint64(math.Float32bits(float32(face)))
	})
	rowModels["cubesc_f32"] = onCube(
		func(face int, part func(int) uint64) uint64 { return part(cubeFaces[face].s) })
	rowModels["cubetc_f32"] = onCube(
		func(face int, part func(int) uint64) uint64 { return part(cubeFaces[face].t) })
	rowModels["cubema_f32"] = onCube(func(face int, part func(int) uint64) uint64 {
		v := part(face/2 + 1)
		return add2(single, v, v)
	})
}
