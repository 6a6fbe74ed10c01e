package intelgt

import (
	"encoding/binary"
	"fmt"

	"simtgdb/simt"
)

// From Xe-HPG on a thread is given the first bytes of the cross-thread data in a register, and its code reads
// the rest, and behind it the local ids of its channels, from memory. What differs from workgroup to
// workgroup is the size of those at the grid's end: there is a copy for each size.

// indirectAlign is what places of such data are multiples of: code cuts lower bits off.
const indirectAlign = 64

// indirect writes the data, and has the machine find them.
func (l *launch) indirect() error {
	cross := l.start.CrossThread[min(l.kernel.Inline, len(l.start.CrossThread)):]
	perThread := registers(l.kernel.PerThreadSize())
	items := int(l.Block[0]) * int(l.Block[1]) * int(l.Block[2])
	threads := (items + l.kernel.SIMD - 1) / l.kernel.SIMD
	if threads > 0xff {
		return fmt.Errorf("%d threads of %d channels in a workgroup: they are numbered by a byte", threads,
			l.kernel.SIMD)
	}
	// Code may read some registers more than there are data.
	const slack = 256
	stride := (len(cross) + threads*perThread + slack + indirectAlign - 1) &^ (indirectAlign - 1)
	sizes := l.groupSizes()
	r, err := l.Memory.Alloc("indirect data", uint64(stride*len(sizes)), simt.PermRead)
	if err != nil {
		return err
	}
	at := map[[3]uint32]uint32{}
	for i, size := range sizes {
		data := r.Data[i*stride:][:stride]
		at[size] = uint32(i * stride)
		copy(data, cross)
		for _, off := range l.start.LocalSize {
			for d, v := range size {
				if place := off + 4*d - l.kernel.Inline; place >= 0 {
					binary.LittleEndian.PutUint32(data[place:], v)
				}
			}
		}
		for t := range threads {
			l.localIDs(data[len(cross)+t*perThread:][:perThread], t, size)
		}
	}
	l.start.Inline, l.start.GeneralBase = l.kernel.Inline, r.Base
	l.start.Indirect = func(size [3]uint32) uint32 { return at[size] }
	return nil
}

// groupSizes are the sizes of the launch's workgroups: the full one, and those at the ends of the grid.
func (l *launch) groupSizes() [][3]uint32 {
	var of [3][]uint32
	for d := range of {
		if l.Grid[d] >= l.Block[d] {
			of[d] = append(of[d], l.Block[d])
		}
		if rest := l.Grid[d] % l.Block[d]; rest > 0 {
			of[d] = append(of[d], rest)
		}
	}
	var sizes [][3]uint32
	for _, x := range of[0] {
		for _, y := range of[1] {
			for _, z := range of[2] {
				sizes = append(sizes, [3]uint32{x, y, z})
			}
		}
	}
	return sizes
}

// localIDs writes the ids of the channels of thread t of a workgroup of a size: words, one dimension after
// the other.
func (l *launch) localIDs(p []byte, t int, size [3]uint32) {
	part := len(p) / 3
	for c := range l.kernel.SIMD {
		item := uint32(t*l.kernel.SIMD + c)
		for d, id := range [3]uint32{item % size[0], item / size[0] % size[1], item / size[0] / size[1]} {
			if at := d*part + 2*c; at+2 <= len(p) {
				binary.LittleEndian.PutUint16(p[at:], uint16(id))
			}
		}
	}
}
