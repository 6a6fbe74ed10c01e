package spirv

import (
	"math/rand/v2"
	"testing"

	"simtgdb/testdata/sweep"
)

// odometer lists the coordinates of a box in the order in which they come if the dimension that is last in an
// order changes first.
func odometer(size []int, order []int) (all [][]int) {
	at := make([]int, len(size))
	for {
		all = append(all, append([]int(nil), at...))
		k := len(order) - 1
		for ; k >= 0; k-- {
			if at[order[k]]++; at[order[k]] < size[order[k]] {
				break
			}
			at[order[k]] = 0
		}
		if k < 0 {
			return all
		}
	}
}

// inside is the coordinate that stands for one, by going there from the tensor's edge step by step.
func inside(c, size int, mode uint64) (int, bool) {
	if c >= 0 && c < size {
		return c, true
	}
	at, step := 0, 1 // walks through the tensor, as the mode goes on behind its end
	walk := func() {
		switch {
		case mode == clampRepeat:
			at = (at + 1) % size
		case size == 1:
		case at+step < 0 || at+step >= size:
			step = -step
			at += step
		default:
			at += step
		}
	}
	switch mode {
	case clampConstant:
		return 0, false
	case clampToEdge:
		return map[bool]int{true: 0, false: size - 1}[c < 0], true
	}
	period := size
	if mode == clampMirror {
		period = max(2*size-2, 1)
	}
	for c < 0 {
		c += period
	}
	for range c {
		walk()
	}
	return at, true
}

// TestTensorMap holds where elements are against a walk through the span, and through the view if there is
// one.
func TestTensorMap(t *testing.T) {
	rnd := rand.New(sweep.PCG(7, 7))
	upTo := func(n int) int { return 1 + rnd.IntN(n) }
	for trial := range 400 {
		dims := upTo(maxTensor)
		m := &tensorMap{layout: &tensorType{dims: dims, clamp: uint64(upTo(4))}, store: rnd.IntN(4) == 0}
		size, span, offset, block, stride := make([]int, dims), make([]int, dims), make([]int, dims), make(
			[]int, dims), make([]int, dims)
		n, order := 1, make([]int, dims)
		for i := range dims {
			size[i], span[i], offset[i], block[i], stride[i] = upTo(5), upTo(4), rnd.IntN(9)-4, upTo(
				3), upTo(50)
			n *= span[i]
			order[i] = i
			for part, v := range map[int]int{layoutSize: size[i], layoutSpan: span[i],
				layoutOffset: offset[i], layoutBlock: block[i], layoutStride: stride[i]} {
				m.words[part*dims+i] = uint64(uint32(v))
			}
		}
		spans := odometer(span, order)
		seen := spans // by index in the matrix
		if trial%2 == 0 {
			rnd.Shuffle(dims, func(i, j int) { order[i], order[j] = order[j], order[i] })
			m.view = &tensorType{view: true, dims: dims}
			copy(m.view.order[:], order)
			seen = odometer(span, order)
			tensorChanges[5377].set(dims, m.seen[:], nil)
		}
		rows := n
		for m.width = 1; rows%2 == 0; rows /= 2 {
			m.width *= 2
		}
		for e, c := range seen {
			var want tensorPlace
			outcome := inTensor
			for i := range dims {
				mode := m.layout.clamp
				if m.store {
					mode = clampConstant
				}
				at, ok := inside(c[i]+offset[i], size[i], mode)
				if !ok {
					outcome = asClamped
					break
				}
				want.block[i], want.within[i] = uint32(at/block[i]), uint32(at%block[i])
				want.index += want.block[i] * uint32(stride[i])
			}
			got, o := m.find(uint32(e)/m.width, uint32(e)%m.width)
			if o != outcome || o == inTensor && got != want {
				t.Fatalf("trial %d, element %d at %v: %+v (%d), want %+v (%d)\n%+v", trial, e, c, got, o,
					want, outcome, m)
			}
		}
	}
}

// TestTensorClip holds a view with dimensions of its own, of which a part is clipped, against the part's
// elements.
func TestTensorClip(t *testing.T) {
	const columns = 7
	m := &tensorMap{layout: &tensorType{dims: 2}, view: &tensorType{view: true, dims: 2, sized: true,
		order: [maxTensor]int{1, 0}}, width: columns}
	tensorChanges[5372].set(2, m.words[:], nil)
	tensorChanges[5373].set(2, m.words[:], []uint64{10, 10})
	tensorChanges[5377].set(2, m.seen[:], nil)
	tensorChanges[5378].set(2, m.seen[:], []uint64{3, 2}) // turned, it has 2 rows of 3
	tensorChanges[5382].set(2, m.seen[:], []uint64{1, 2, 2, 3})
	for row := range uint32(5) {
		for column := range uint32(columns) {
			got, o := m.find(row, column)
			r, c := row-1, column-2
			if row < 1 || row > 2 || column < 2 || column > 4 {
				if o != unclipped {
					t.Errorf("%d,%d is not clipped", row, column)
				}
				continue
			}
			if want := c*2 + r; o != inTensor || got.index != want { // as the column of a matrix of rows of 2
				t.Errorf("%d,%d is at %d (%d), want %d", row, column, got.index, o, want)
			}
		}
	}
}
