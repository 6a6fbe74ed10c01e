package vec

import "math/bits"

// The twins of the operations on pairs.

// pairOf is the number that two rows hold in a lane.
func pairOf(lo, hi *Row, l int) uint64 { return uint64(lo[l&63]) | uint64(hi[l&63])<<32 }

func shlRev64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		v := pairOf(x.B, x.B1, l) << (x.A[l] & 63)
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func shrRev64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		v := pairOf(x.B, x.B1, l) >> (x.A[l] & 63)
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func sarRev64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		v := uint64(int64(pairOf(x.B, x.B1, l)) >> (x.A[l] & 63))
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func shlAdd64(x *Args) {
	d, d1 := x.D, x.D1
	for l := range d {
		v := pairOf(x.A, x.A1, l)<<(x.B[l]&7) + pairOf(x.C, x.C1, l)
		d[l], d1[l] = uint32(v), uint32(v>>32)
	}
}

func madU64(x *Args) {
	d, d1 := x.D, x.D1
	var out uint64
	for l := range d {
		v, carry := bits.Add64(uint64(x.A[l])*uint64(x.B[l]), pairOf(x.C, x.C1, l), 0)
		d[l], d1[l] = uint32(v), uint32(v>>32)
		out |= carry << (l & 63)
	}
	x.Out = out
}

// index works on rows whose neighbours are the halves of one number.
func index(x *Args) {
	d, a, b, c := x.D, x.A, x.B, x.C
	for l := 0; l < Lanes; l += 2 {
		s := uint64(a[l]) | uint64(a[l+1])<<32
		s += x.In + uint64(int64(int32(b[l]))*int64(int32(c[l])))
		d[l], d[l+1] = uint32(s), uint32(s>>32)
	}
}
