package gcn

import (
	"math"

	"simtgdb/simt/texel"
)

// sample is image_sample, image_gather4 and their forms. The address has, of what a name asks for, in this
// order: an offset, a bias, a reference, derivatives, the coordinates, and a level or the least one.
func (r *imageRun) sample() {
	o := &r.op
	r.places()
	r.each(func(l int) { r.out[l] = texel.Texel{} })
	o.Gather = r.f.shape.gathers
	if o.Gather {
		component := r.component()
		r.each(func(l int) { o.Component[l] = component })
	}
	if o.Take(r, &r.out) {
		r.give()
	}
}

// lods is image_get_lod: the level that would be taken, between those that there are, and as it is.
func (r *imageRun) lods() {
	o := &r.op
	r.places()
	r.giveBits(func(l, i int) uint32 {
		if i > 1 {
			return 0
		}
		lod := r.image.Detail(o, l) + float64(r.by.Bias)
		if i == 0 {
			lod = max(float64(r.by.Least), min(lod, float64(r.by.Top), float64(r.image.ViewLevels-1)))
			if lod = max(lod, 0); r.by.Mip == texel.Nearest {
				lod = math.Ceil(lod+0.5) - 1
			}
		}
		return math.Float32bits(float32(lod))
	})
}

// places reads the address of an instruction that samples.
func (r *imageRun) places() {
	o, s := &r.op, r.f.shape
	if s.displaced {
		v := r.next()
		r.each(func(l int) {
			for i := range 3 {
				o.Place[l].Offset[i] = int(int32(v[l]<<(26-8*i)) >> 26)
			}
		})
	}
	if s.biased {
		x := r.coordinates(1, r.narrow)[0]
		r.each(func(l int) { o.Place[l].Lod = x.float(l, r.narrow) })
	}
	if o.Compares = s.references; o.Compares {
		v := r.next()
		r.each(func(l int) { o.Reference[l] = float64(math.Float32frombits(v[l])) })
	}
	if s.gradients {
		r.derivatives()
	}
	n := r.dim.coords
	total := n
	if s.mip {
		total++
	}
	list := r.coordinates(total, r.narrow)
	r.each(func(l int) { r.locate(l, &list) })
	if s.clamps {
		o.Least = &r.least
		r.each(func(l int) { r.least[l] = list[n].float(l, r.narrow) })
	}
	if s.levels {
		r.each(func(l int) { o.Place[l].Lod = list[n].float(l, r.narrow) })
	}
	if !s.levels && !s.base && !s.gradients && !s.gathers && r.detailed() {
		r.quads(&list)
	}
}

// detailed reports whether something depends on the level of detail.
func (r *imageRun) detailed() bool {
	return !r.by.Unnormalized && (r.image.ViewLevels > 1 || r.by.Mag != r.by.Min || r.f.shape.asksLod)
}

// locate says where a lane samples. Of a cube the address says where on a face, from 1 to 2, and which face:
// eight numbers for each cube of an array.
func (r *imageRun) locate(l int, list *[5]coordinate) {
	p := &r.op.Place[l]
	plain := r.dim.plain()
	for i := range plain {
		p.At[i] = list[i].float(l, r.narrow)
	}
	if !r.dim.layered {
		return
	}
	layer := list[plain].float(l, r.narrow)
	if r.image.Shape != texel.Cube {
		p.Layer = layer
		return
	}
	p.At[0]--
	p.At[1]--
	which := int(max(0, min(math.RoundToEven(layer), 1<<16)))
	p.Face, p.Layer = min(which%8, 5)+1, float64(which/8)
}

// derivatives reads those that the address has.
func (r *imageRun) derivatives() {
	n := r.dim.gradients / 2
	narrow := r.f.shape.narrow || r.narrow && r.in.on&gfx9 != 0
	r.op.Gradients = &r.grad
	for k := range 2 {
		list := r.coordinates(n, narrow)
		r.each(func(l int) {
			r.grad[l][k] = [3]float64{}
			for i := range n {
				r.grad[l][k][i] = list[i].float(l, narrow)
			}
		})
	}
}

// quads makes derivatives of how coordinates differ among the four lanes of a quad, active or not.
func (r *imageRun) quads(list *[5]coordinate) {
	r.op.Gradients = &r.grad
	n := r.dim.gradients / 2
	r.each(func(l int) {
		first := l &^ 3
		r.grad[l] = [2][3]float64{}
		for i := range n {
			at := func(lane int) float64 { return list[i].float(lane, r.narrow) }
			r.grad[l][0][i], r.grad[l][1][i] = at(first+1)-at(first), at(first+2)-at(first)
		}
	})
}
