package reference

// Kernels of float arithmetic. A conversion around every product keeps Go from
// fusing it with a sum, as the language allows it to on some machines.

func vecadd(l *Launch) {
	a, b, c := input[float32](l, 0), input[float32](l, 1), input[float32](l, 2)
	for i := range l.items(l.i32(3)) {
		c[i] = a[i] + b[i]
	}
	set(l, 2, c)
}

func vecaddCL(l *Launch) {
	a, b, c := input[float32](l, 0), input[float32](l, 1), input[float32](l, 2)
	for i := range 2 * l.items(l.i32(3)) {
		c[i] = a[i] + b[i]
	}
	set(l, 2, c)
}

func saxpy(l *Launch) {
	alpha := l.f32(1)
	x, y := input[float32](l, 2), input[float32](l, 3)
	for i := range l.items(l.i32(0)) {
		y[i] = FMA32(alpha, x[i], y[i])
	}
	set(l, 3, y)
}

func matmul(l *Launch) {
	multiply(l, FMA32)
}

func matmulCL(l *Launch) {
	multiply(l, func(a, b, acc float32) float32 { return acc + float32(a*b) })
}

// multiply is the product of two square matrices, each element by steps of
// k = 0, 1, …. The zeros by which a kernel fills up its tiles change nothing
// in sums of finite elements that are not negative.
func multiply(l *Launch, step func(a, b, acc float32) float32) {
	a, b, c := input[float32](l, 0), input[float32](l, 1), input[float32](l, 2)
	n := l.i32(3)
	for y := range n {
		for x := range n {
			var acc float32
			for k := range n {
				acc = step(a[y*n+k], b[k*n+x], acc)
			}
			c[y*n+x] = acc
		}
	}
	set(l, 2, c)
}

func reduceCL(l *Launch) {
	in, sums, tops := input[float32](l, 0), input[float32](l, 1), input[float32](l, 2)
	n, size := l.i32(4), l.Block[0]
	for group := range sums {
		partial := make([]float32, size)
		copy(partial, in[group*size:min(n, (group+1)*size)])
		tops[group] = 0
		for _, v := range partial {
			tops[group] = max(tops[group], v)
		}
		for stride := size / 2; stride > 0; stride /= 2 {
			for i := range stride {
				partial[i] += partial[i+stride]
			}
		}
		sums[group] = partial[0]
	}
	set(l, 1, sums)
	set(l, 2, tops)
}

func mandelbrot(l *Launch) {
	steps := input[int32](l, 0)
	width, height, limit := l.i32(1), l.i32(2), l.i32(3)
	left, top, pitch := l.f32(4), l.f32(5), l.f32(6)
	for py := range min(height, l.Grid[1]) {
		for px := range min(width, l.Grid[0]) {
			cx := left + float32(float32(px)*pitch)
			cy := top - float32(float32(py)*pitch)
			var zx, zy float32
			step := 0
			for step < limit {
				xx, yy := float32(zx*zx), float32(zy*zy)
				if xx+yy > 4 {
					break
				}
				xy := float32(zx * zy)
				zx = xx - yy + cx
				zy = float32(2*xy) + cy
				step++
			}
			steps[py*width+px] = int32(step)
		}
	}
	set(l, 0, steps)
}

// The structs of calls.hip.
type (
	particle struct {
		X, Y, VX, VY float32
		Hits         int32
	}
	box struct {
		Width, Height, Gravity float32
	}
)

func calls(l *Launch) {
	particles, energies := input[particle](l, 0), input[float32](l, 1)
	walls := values[box](l.Args[2].Value)[0]
	for id := range l.items(l.i32(3)) {
		energies[id] = particles[id].simulate(walls, 1+id%5)
	}
	set(l, 0, particles)
	set(l, 1, energies)
}

func (p *particle) simulate(walls box, rounds int) (total float32) {
	for range rounds {
		p.advance(walls, 0.125)
		kinetic := float32(0.5 * (float32(p.VX*p.VX) + float32(p.VY*p.VY)))
		potential := float32(walls.Gravity * p.Y)
		total += kinetic + potential
	}
	return total
}

func (p *particle) advance(walls box, dt float32) {
	p.VY -= float32(walls.Gravity * dt)
	p.X += float32(p.VX * dt)
	p.Y += float32(p.VY * dt)
	p.Hits += bounce(&p.X, &p.VX, walls.Width) + bounce(&p.Y, &p.VY, walls.Height)
}

func bounce(position, velocity *float32, limit float32) int32 {
	before := *position
	switch {
	case before < 0:
		*position = -before
	case before > limit:
		*position = limit - (before - limit)
	default:
		return 0
	}
	*velocity = -*velocity
	return 1
}
