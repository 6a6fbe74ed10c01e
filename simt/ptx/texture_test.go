package ptx_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// A picture is an image with a sampler in the memory of a program, whose texel at x, y, z of layer k is
// value(x, y, z, k) in each component c plus c.
type picture struct {
	format        string
	shape         texel.Shape
	size          [3]int
	layers, level int
	samples       int
	sampler       texel.Sampler
}

func (d picture) texel(x, y, z, layer, level int) (t texel.Texel) {
	for c := range t {
		t[c] = float64(x + 10*y + 50*z + 100*layer + 300*level + 1000*c)
	}
	return t
}

// sample is one of those that a texel has.
func (d picture) sample(x, y, z, layer, level, n int) texel.Texel {
	t := d.texel(x, y, z, layer, level)
	for c := range t {
		t[c] += float64(10000 * n)
	}
	return t
}

// put puts the picture and its block into memory, and gives the block's address and where the texels are.
func (d picture) put(p *program) (block uint64, texels *simt.Region) {
	p.t.Helper()
	f := texel.ByName(d.format)
	if f == nil {
		p.t.Fatalf("no format %s", d.format)
	}
	m := d.image()
	data := make([]byte, m.Bytes())
	for k := range m.Layers {
		for l := range m.Levels {
			s := m.LevelSize(l)
			for i := range s[0] * s[1] * s[2] {
				x, y, z := i%s[0], i/s[0]%s[1], i/s[0]/s[1]
				for n := range m.Samples {
					at, _ := m.Offset(x, y, z, k, l, n)
					f.Encode(d.sample(x, y, z, k, l, n), data[at:])
				}
			}
		}
	}
	texels = p.alloc(data)
	m.Address = texels.Base
	b := make([]byte, texel.BlockBytes)
	m.Write(b)
	d.sampler.Compare, d.sampler.Top = texel.NoCompare, 100
	d.sampler.Border = texel.Texel{-1, -2, -3, -4}
	d.sampler.Write(b[texel.SamplerAt:])
	return p.alloc(b).Base, texels
}

func (d picture) image() texel.Image {
	m := texel.NewImage(texel.ByName(d.format), d.shape, d.size, max(d.level, 1), max(d.layers, 1))
	m.Samples = max(d.samples, 1)
	return m
}

// drawn is a module with a kernel that executes a text, in which %h is the picture, %f1 to %f8 are the lane's
// number divided by 4 plus 0 to 7, %r1 to %r8 the lane's number plus those, and which leaves %o1 to %o4.
func drawn(text string, some bool) string {
	if some { // the odd lanes do not execute it
		text = "and.b32 %o1, %r1, 1; setp.ne.u32 %q1, %o1, 0; mov.b32 %o1, 0; @%q1 bra end; " + text + " end:"
	}
	var b strings.Builder
	b.WriteString(`.version 8.0
.target sm_80
.address_size 64
.global .texref kept;
.visible .entry k(.param .u64 out, .param .u64 block) {
	.reg .b64 %h, %p, %t; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b32 %o<5>; .reg .b64 %l<5>; .reg .pred %q<3>;
	.reg .b16 %s<5>;
	ld.param.u64 %p, [out]; ld.param.u64 %h, [block]; cvta.to.global.u64 %p, %p; cvta.to.global.u64 %h, %h;
	mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1; mul.f32 %f1, %f1, 0f3E800000;
	mul.wide.u32 %t, %r1, 16; add.u64 %p, %p, %t;
`)
	for i := 2; i <= 8; i++ {
		fmt.Fprintf(&b, "\tadd.u32 %%r%d, %%r1, %d; add.f32 %%f%d, %%f1, 0f%08X;\n", i, i-1, i,
			math.Float32bits(float32(i-1)))
	}
	b.WriteString("\tmov.b32 %o1, 0; mov.b32 %o2, 0; mov.b32 %o3, 0; mov.b32 %o4, 0;\n\t" + text +
		"\n\tst.global.v4.b32 [%p], {%o1, %o2, %o3, %o4};\n\tret;\n}\n")
	return b.String()
}

// keep copies the block of the picture into a variable.
func keep() string {
	var b strings.Builder
	for i := 0; i < texel.BlockBytes; i += 16 {
		fmt.Fprintf(&b, "ld.global.v2.u64 {%%l1, %%l2}, [%%h+%d]; st.global.v2.u64 [kept+%d], {%%l1, %%l2}; ",
			i, i)
	}
	return b.String()
}

const texture = "{%o1, %o2, %o3, %o4}, "

func clampTo(x, size int) int { return min(max(x, 0), size-1) }

// bilinear is the filter of the middle of four texels, in the first component.
func bilinear(d picture, x, y float64, layer int) float64 {
	x0, y0 := math.Floor(x-0.5), math.Floor(y-0.5)
	a, b := x-0.5-x0, y-0.5-y0
	at := func(i, j int) float64 {
		return d.texel(clampTo(int(x0)+i, d.size[0]), clampTo(int(y0)+j, d.size[1]), 0, layer, 0)[0]
	}
	return (at(0, 0)*(1-a)+at(1, 0)*a)*(1-b) + (at(0, 1)*(1-a)+at(1, 1)*a)*b
}

// Each form of the instructions on textures gives what the places that it names have.
func TestTextures(t *testing.T) {
	edge := texel.Sampler{Modes: [3]texel.Mode{texel.ClampToEdge, texel.ClampToEdge, texel.ClampToEdge},
		Unnormalized: true}
	linear := edge
	linear.Mag, linear.Min = texel.Linear, texel.Linear
	border := edge
	border.Modes = [3]texel.Mode{texel.ClampToBorder, texel.ClampToBorder, texel.ClampToBorder}
	relative := edge
	relative.Unnormalized = false
	relative.Modes[0], relative.Modes[1] = texel.Repeat, texel.MirroredRepeat
	f := func(l, i int) float64 { return float64(l)/4 + float64(i-1) }
	const asFloats = "cvt.rn.f32.u32 %f3, %r3; mov.b32 %o1, %f3; cvt.rn.f32.u32 %f3, %r4; mov.b32 %o2, %f3;" +
		"cvt.rn.f32.u32 %f3, %r5; mov.b32 %o3, %f3; cvt.rn.f32.u32 %f3, %r6; mov.b32 %o4, %f3;"
	flat := picture{format: "r32g32b32a32_sfloat", shape: texel.Plane, size: [3]int{7, 9, 1}, sampler: edge}
	asked, askedTexels := flat, flat
	asked.sampler = texel.Sampler{Mag: texel.Linear, Min: texel.Linear, Compare: texel.NoCompare,
		Modes: [3]texel.Mode{texel.Repeat, texel.MirroredRepeat, texel.Repeat}}
	askedTexels.sampler = texel.Sampler{Unnormalized: true, Compare: texel.NoCompare,
		Modes: [3]texel.Mode{texel.ClampToBorder, texel.ClampToBorder, texel.ClampToEdge}}
	with := func(d picture, s texel.Sampler) picture { d.sampler = s; return d }
	line := picture{format: "r32g32b32a32_sfloat", shape: texel.Line, size: [3]int{9, 1, 1}, sampler: edge}
	volume := picture{format: "r32g32b32a32_sfloat", shape: texel.Volume, size: [3]int{5, 4, 6}, sampler: edge}
	stack := picture{format: "r32g32b32a32_sfloat", shape: texel.Plane, size: [3]int{7, 9, 1}, layers: 4, sampler: edge}
	lines := picture{format: "r32g32b32a32_sfloat", shape: texel.Line, size: [3]int{9, 1, 1}, layers: 4, sampler: edge}
	levels := picture{format: "r32g32b32a32_sfloat", shape: texel.Plane, size: [3]int{16, 16, 1}, level: 5, sampler: edge}
	whole := picture{format: "r32g32b32a32_sint", shape: texel.Plane, size: [3]int{7, 9, 1}, sampler: edge}
	few := picture{format: "r8g8b8a8_uint", shape: texel.Plane, size: [3]int{7, 9, 1}, sampler: edge}
	small := picture{format: "r16g16b16a16_sfloat", shape: texel.Plane, size: [3]int{7, 9, 1}, sampler: edge}
	many := picture{format: "r32g32b32a32_sfloat", shape: texel.Plane, size: [3]int{7, 9, 1}, layers: 3,
		samples: 4,
		sampler: edge}
	at := func(x float64, size int) int { return clampTo(int(math.Floor(x)), size) }
	for _, c := range []struct {
		name, text string
		of         picture
		want       func(l int) texel.Texel // floats
	}{
		{"1d", "tex.1d.v4.f32.f32 " + texture + "[%h, {%f1}];", line,
			func(l int) texel.Texel { return line.texel(at(f(l, 1), 9), 0, 0, 0, 0) }},
		{"1d integers", "tex.1d.v4.f32.s32 " + texture + "[%h, {%r1}];", with(line, border),
			func(l int) texel.Texel {
				if l > 8 {
					return texel.Texel{-1, -2, -3, -4}
				}
				return line.texel(l, 0, 0, 0, 0)
			}},
		{"1d scalar coordinate", "tex.1d.v4.f32.s32 " + texture + "[%h, %r1];", line,
			func(l int) texel.Texel { return line.texel(clampTo(l, 9), 0, 0, 0, 0) }},
		{"2d", "tex.2d.v4.f32.f32 " + texture + "[%h, {%f1, %f2}];", flat,
			func(l int) texel.Texel { return flat.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0) }},
		{"2d negative", "neg.f32 %f1, %f1; tex.2d.v4.f32.f32 " + texture + "[%h, {%f1, %f2}];",
			with(flat, border), func(l int) texel.Texel {
				if l > 0 && -f(l, 1) < 0 || f(l, 2) >= 9 {
					return texel.Texel{-1, -2, -3, -4}
				}
				return flat.texel(0, at(f(l, 2), 9), 0, 0, 0)
			}},
		{"2d linear", "tex.2d.v4.f32.f32 " + texture + "[%h, {%f1, %f2}]; mov.b32 %o2, 0; mov.b32 %o3, 0; mov.b32 %o4, 0;",
			with(flat, linear), func(l int) texel.Texel { return texel.Texel{bilinear(flat, f(l, 1), f(l, 2), 0)} }},
		{"2d normalized", "mul.f32 %f1, %f1, 0f3F000000; mul.f32 %f2, %f2, 0f3E800000; tex.2d.v4.f32.f32 " + texture +
			"[%h, {%f1, %f2}];", with(flat, relative), func(l int) texel.Texel {
			x := int(math.Floor(f(l, 1)/2*7)) % 7
			y := int(math.Floor(f(l, 2) / 4 * 9))
			if y %= 18; y >= 9 {
				y = 17 - y
			}
			return flat.texel(x, y, 0, 0, 0)
		}},
		{"2d offset", "mov.b32 %r3, 1; mov.b32 %r4, -2; tex.2d.v4.f32.f32 " + texture +
			"[%h, {%f1, %f2}], {%r3, %r4};", flat, func(l int) texel.Texel {
			return flat.texel(at(f(l, 1)+1, 7), at(f(l, 2)-2, 9), 0, 0, 0)
		}},
		{"a2d", "tex.a2d.v4.f32.f32 " + texture + "[%h, {%r1, %f1, %f2, %f2}];", stack, func(l int) texel.Texel {
			return stack.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, min(l, 3), 0)
		}},
		{"a1d", "tex.a1d.v4.f32.f32 " + texture + "[%h, {%r1, %f1}];", lines, func(l int) texel.Texel {
			return lines.texel(at(f(l, 1), 9), 0, 0, min(l, 3), 0)
		}},
		{"3d", "tex.3d.v4.f32.f32 " + texture + "[%h, {%f1, %f2, %f3, %f3}];", volume, func(l int) texel.Texel {
			return volume.texel(at(f(l, 1), 5), at(f(l, 2), 4), at(f(l, 3), 6), 0, 0)
		}},
		{"2dms", "and.b32 %r5, %r1, 7; tex.2dms.v4.f32.s32 " + texture + "[%h, {%r5, %r1, %r2, %r2}];",
			with(many, border), func(l int) texel.Texel {
				if l >= 7 || l&7 >= 4 {
					return texel.Texel{-1, -2, -3, -4}
				}
				return many.sample(l, l+1, 0, 0, 0, l&7)
			}},
		{"2dms offset", "mov.b32 %r3, 1; mov.b32 %r4, -2; and.b32 %r5, %r1, 3; tex.2dms.v4.f32.s32 " +
			texture +
			"[%h, %h, {%r5, %r1, %r2, 0}], {%r3, %r4};", many,
			func(l int) texel.Texel { return many.sample(clampTo(l+1, 7), clampTo(l-1, 9), 0, 0, 0, l&3) }},
		{"a2dms", "and.b32 %r5, %r1, 3; tex.a2dms.v4.f32.s32 " + texture + "[%h, {%r2, %r5, %r1, %r3}];",
			many,
			func(l int) texel.Texel {
				return many.sample(clampTo(l, 7), clampTo(l+2, 9), 0, clampTo(l+1, 3), 0, l&3)
			}},
		{"samples", "txq.num_samples.b32 %r3, [%h]; cvt.rn.f32.u32 %f3, %r3; mov.b32 %o1, %f3;", many,
			func(int) texel.Texel { return texel.Texel{4} }},
		{"resident", "tex.2d.v4.f32.f32 " + texture[:len(texture)-2] +
			"|%q2, [%h, {%f1, %f2}]; selp.b32 %o2, %o1, 0, %q2;" +
			"mov.b32 %o3, 0; mov.b32 %o4, 0;", flat, func(l int) texel.Texel {
			x := flat.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0)[0]
			return texel.Texel{x, x}
		}},
		{"level", "mov.f32 %f3, 0f3FC00000; tex.level.2d.v4.f32.f32 " + texture + "[%h, {%f1, %f2}], %f3;",
			with(levels, relative), func(l int) texel.Texel {
				n := 1 // 1.5 is nearer to neither: the lower
				size := 16 >> n
				x, y := int(f(l, 1)*float64(size))%size, int(f(l, 2)*float64(size))
				if y %= 2 * size; y >= size {
					y = 2*size - 1 - y
				}
				return levels.texel(x, y, 0, 0, n)
			}},
		{"level of integers", "tex.level.2d.v4.f32.s32 " + texture + "[%h, {%r1, %r2}], 2;", levels,
			func(l int) texel.Texel { return levels.texel(clampTo(l, 4), clampTo(l+1, 4), 0, 0, 2) }},
		{"grad", "mov.f32 %f3, 0f3E800000; mov.f32 %f4, 0f00000000; tex.grad.2d.v4.f32.f32 " + texture +
			"[%h, {%f1, %f2}], {%f3, %f4}, {%f4, %f4};", with(levels, relative), func(l int) texel.Texel {
			const size = 4 // a quarter of 16 texels
			x, y := int(f(l, 1)*size)%size, int(f(l, 2)*size)
			if y %= 2 * size; y >= size {
				y = 2*size - 1 - y
			}
			return levels.texel(x, y, 0, 0, 2)
		}},
		{"halves", "tex.2d.v2.f16x2.f32 {%o1, %o2}, [%h, {%f1, %f2}]; mov.b32 {%s1, %s2}, %o1; mov.b32 " +
			"{%s3, %s4}, %o2;cvt.f32.f16 %f3, %s1; cvt.f32.f16 %f4, %s2; cvt.f32.f16 %f5, %s3; cvt.f32.f16 " +
			"%f6, %s4;mov.b32 %o1, %f3; mov.b32 %o2, %f4; mov.b32 %o3, %f5; mov.b32 %o4, %f6;", small,
			func(l int) texel.Texel {
				x := small.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0)
				for i := range x {
					if x[i] > 2048 { // halves have eleven bits
						x[i] = math.RoundToEven(x[i]/2) * 2
					}
				}
				return x
			}},
		{"two handles", "tex.2d.v4.f32.f32 " + texture + "[%h, %h, {%f1, %f2}];", flat,
			func(l int) texel.Texel { return flat.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0) }},
		{"gather", "tld4.g.2d.v4.f32.f32 " + texture + "[%h, {%f1, %f2}];", flat, func(l int) (x texel.Texel) {
			i, j := int(math.Floor(f(l, 1)-0.5)), int(math.Floor(f(l, 2)-0.5))
			for k, by := range [4][2]int{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
				x[k] = flat.texel(clampTo(i+by[0], 7), clampTo(j+by[1], 9), 0, 0, 0)[1]
			}
			return x
		}},
		{"integers", "tex.2d.v4.s32.f32 " + texture + "[%h, {%f1, %f2}]; cvt.rn.f32.s32 %f3, %o1; mov.b32 " +
			"%o1, %f3;cvt.rn.f32.s32 %f3, %o2; mov.b32 %o2, %f3; mov.b32 %o3, 0; mov.b32 %o4, 0;", whole,
			func(l int) texel.Texel {
				x := whole.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0)
				return texel.Texel{x[0], x[1]}
			}},
		{"bytes", "tex.2d.v4.u32.s32 " + texture + "[%h, {%r1, %r2}]; cvt.rn.f32.u32 %f3, %o1; mov.b32 " +
			"%o1, %f3;mov.b32 %o2, 0; mov.b32 %o3, 0; mov.b32 %o4, 0;", few,
			func(l int) texel.Texel {
				return texel.Texel{few.texel(clampTo(l, 7), clampTo(l+1, 9), 0, 0, 0)[0]}
			}},
		{"queries", "txq.width.b32 %r3, [%h]; txq.height.b32 %r4, [%h]; txq.num_mipmap_levels.b32 %r5, [%h];" +
			"txq.level.width.b32 %r6, [%h], 2; cvt.rn.f32.u32 %f3, %r3; mov.b32 %o1, %f3; cvt.rn.f32.u32 %f3, %r4;" +
			"mov.b32 %o2, %f3; cvt.rn.f32.u32 %f3, %r5; mov.b32 %o3, %f3; cvt.rn.f32.u32 %f3, %r6; mov.b32 %o4, %f3;",
			levels, func(int) texel.Texel { return texel.Texel{16, 16, 5, 4} }},
		{"kinds", "suq.channel_order.b32 %r3, [%h]; suq.channel_data_type.b32 %r4, [%h]; txq.array_size.b32 %r5, [%h];" +
			"txq.depth.b32 %r6, [%h]; cvt.rn.f32.u32 %f3, %r3; mov.b32 %o1, %f3; cvt.rn.f32.u32 %f3, %r4;" +
			"mov.b32 %o2, %f3; cvt.rn.f32.u32 %f3, %r5; mov.b32 %o3, %f3; cvt.rn.f32.u32 %f3, %r6; mov.b32 %o4, %f3;",
			stack, func(int) texel.Texel { return texel.Texel{0x10b5, 0x10de, 4, 1} }},
		{"sampler", "txq.normalized_coords.b32 %r3, [%h]; txq.filter_mode.b32 %r4, [%h];" +
			"txq.addr_mode_0.b32 %r5, [%h]; txq.addr_mode_1.b32 %r6, [%h];" + asFloats, asked,
			func(int) texel.Texel { return texel.Texel{1, 1, 0, 1} }}, // linear, wrap, mirror
		{"sampler of texels", "txq.normalized_coords.b32 %r3, [%h]; txq.filter_mode.b32 %r4, [%h];" +
			"txq.addr_mode_0.b32 %r5, [%h]; txq.addr_mode_2.b32 %r6, [%h];" + asFloats, askedTexels,
			func(int) texel.Texel { return texel.Texel{0, 0, 4, 3} }}, // clamp_to_border, clamp_to_edge
		{"variable", keep() + "tex.2d.v4.f32.f32 " + texture + "[kept, {%f1, %f2}];", flat,
			func(l int) texel.Texel { return flat.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0) }},
		{"variable in a register", keep() + "mov.u64 %h, kept; tex.2d.v4.f32.f32 " + texture + "[%h, {%f1, %f2}];", flat,
			func(l int) texel.Texel { return flat.texel(at(f(l, 1), 7), at(f(l, 2), 9), 0, 0, 0) }},
		{"istypep", "istypep.texref %q1, %h; selp.f32 %f3, 0f3F800000, 0f00000000, %q1; mov.b32 %o1, %f3;" +
			"istypep.surfref %q2, %p; selp.f32 %f3, 0f3F800000, 0f00000000, %q2; mov.b32 %o2, %f3;", flat,
			func(int) texel.Texel { return texel.Texel{1, 0} }},
	} {
		inAllAndSome(t, c.name, func(t *testing.T, some bool) {
			p := parse(t, "k.ptx", drawn(c.text, some))
			out := make([]float32, 32*4)
			if ev := p.noted(c.text, &launch{args: []any{out, func(p *program) uint64 {
				block, _ := c.of.put(p)
				return block
			}}}); ev.Kind != simt.EndEvent {
				t.Fatalf("%v: %v", ev.Kind, ev.Fault)
			}
			for l := range 32 {
				want := c.want(l)
				if some && l&1 != 0 {
					want = texel.Texel{}
				}
				for i := range 4 {
					if got := out[4*l+i]; got != float32(want[i]) {
						t.Fatalf("lane %d has %v, want %v", l, out[4*l:4*l+4], want)
					}
				}
			}
		})
	}
}

// inAllAndSome runs a test for all lanes of a warp and for some.
func inAllAndSome(t *testing.T, name string, f func(t *testing.T, some bool)) {
	t.Run(name, func(t *testing.T) { f(t, false) })
	t.Run(name+" in some lanes", func(t *testing.T) { f(t, true) })
}

// noted runs the kernel, and notes which instructions of a text it executes.
func (p *program) noted(text string, l *launch) simt.Event {
	p.t.Helper()
	m, finish := p.machine("k", l)
	row{text: text}.note(m)
	ev, err := m.Run(context.Background(), 1)
	if err != nil {
		p.t.Fatal(err)
	}
	finish()
	return ev
}

// Each form of the instructions on surfaces reads, writes and changes the bytes that it names, and no others.
func TestSurfaces(t *testing.T) {
	flat := picture{format: "r32g32_uint", shape: texel.Plane, size: [3]int{8, 9, 1}}
	stack := picture{format: "r32_uint", shape: texel.Plane, size: [3]int{8, 9, 1}, layers: 3}
	lines := picture{format: "r16_uint", shape: texel.Line, size: [3]int{64, 1, 1}, layers: 40}
	volume := picture{format: "r8_uint", shape: texel.Volume, size: [3]int{32, 33, 34}}
	floats := picture{format: "r8g8b8a8_unorm", shape: texel.Plane, size: [3]int{32, 33, 1}}
	signs := picture{format: "r16g16_sint", shape: texel.Plane, size: [3]int{32, 33, 1}}
	type texels = func(x, y, z, layer int) []byte
	u32 := func(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
	put := binary.LittleEndian.PutUint32
	for _, c := range []struct {
		name, text string
		of         picture
		reads      func(l int, at texels) []uint32 // what a lane has then
		writes     func(l int, at texels)          // what becomes of the surface
		fault      bool
	}{
		{name: "load", text: "shl.b32 %r3, %r1, 3; suld.b.2d.v2.b32.zero {%o1, %o2}, [%h, {%r3, %r2}];",
			of: flat, reads: func(l int, at texels) []uint32 {
				if b := at(l, l+1, 0, 0); b != nil {
					return []uint32{u32(b), u32(b[4:])}
				}
				return nil
			}},
		{name: "load inside of an element", text: "shl.b32 %r3, %r1, 3; add.u32 %r3, %r3, 4;" +
			"suld.b.2d.b32.clamp %o1, [%h, {%r3, %r2}];", of: flat,
			reads: func(l int, at texels) []uint32 { return []uint32{u32(at(min(l, 7), min(l+1, 8), 0, 0)[4:])} }},
		{name: "load of layers", text: "and.b32 %r3, %r1, 7; shl.b32 %r3, %r3, 2;" +
			"suld.b.a2d.b32.clamp %o1, [%h, {%r1, %r3, %r2, %r2}];", of: stack,
			reads: func(l int, at texels) []uint32 { return []uint32{u32(at(l&7, min(l+1, 8), 0, min(l, 2)))} }},
		{name: "crooked", text: "suld.b.2d.b32.clamp %o1, [%h, {%r1, %r2}];", of: stack, fault: true},
		{name: "load of halves", text: "shl.b32 %r3, %r2, 1; suld.b.a1d.b16.trap %s1, [%h, {%r1, %r3}]; cvt.u32.u16 %o1, %s1;",
			of: lines, reads: func(l int, at texels) []uint32 {
				return []uint32{uint32(binary.LittleEndian.Uint16(at(l+1, 0, 0, l)))}
			}},
		{name: "load of a byte", text: "suld.b.3d.b8.trap %s1, [%h, {%r1, %r2, %r3, %r3}]; cvt.u32.u8 %o1, %s1;", of: volume,
			reads: func(l int, at texels) []uint32 { return []uint32{uint32(at(l, l+1, l+2, 0)[0])} }},
		{name: "trap", text: "suld.b.3d.b8.trap %s1, [%h, {%r1, %r2, %r8, %r8}];", of: volume, fault: true},
		{name: "store", text: "shl.b32 %r3, %r1, 3; sust.b.2d.v2.b32.zero [%h, {%r3, %r2}], {%r5, %r6};",
			of: flat, writes: func(l int, at texels) {
				if b := at(l, l+1, 0, 0); b != nil {
					put(b, uint32(l+4))
					put(b[4:], uint32(l+5))
				}
			}},
		{name: "store of numbers", text: "mul.f32 %f2, %f1, 0f3E000000; mov.b32 %r5, %f2; sust.p.2d.v4.b32.trap" +
			" [%h, {%r1, %r2}], {%r5, %r5, %r5, %r5};", of: floats, writes: func(l int, at texels) {
			v := byte(math.RoundToEven(math.Min(float64(l)/32, 1) * 255))
			copy(at(l, l+1, 0, 0), []byte{v, v, v, v})
		}},
		{name: "store of integers", text: "neg.s32 %r5, %r1; sust.p.2d.v2.b32.trap [%h, {%r1, %r2}], {%r5, %r1};", of: signs,
			writes: func(l int, at texels) {
				binary.LittleEndian.PutUint16(at(l, l+1, 0, 0), uint16(-l))
				binary.LittleEndian.PutUint16(at(l, l+1, 0, 0)[2:], uint16(l))
			}},
		{name: "add", text: "mov.b32 %r3, 8; mov.b32 %r4, 3; sured.b.add.2d.u32.trap [%h, {%r3, %r4}], %r1;",
			of: flat, writes: func(l int, at texels) { put(at(1, 3, 0, 0), u32(at(1, 3, 0, 0))+uint32(l)) }},
		{name: "least", text: "mov.b32 %r3, 8; mov.b32 %r4, 3; neg.s32 %r5, %r1;" +
			"sured.b.min.2d.s32.trap [%h, {%r3, %r4}], %r5;", of: flat,
			writes: func(l int, at texels) { put(at(1, 3, 0, 0), uint32(min(int32(u32(at(1, 3, 0, 0))), int32(-l)))) }},
		{name: "most", text: "mov.b32 %r3, 8; mov.b32 %r4, 3; mul.lo.u32 %r5, %r1, 9;" +
			"sured.b.max.2d.u32.trap [%h, {%r3, %r4}], %r5;", of: flat,
			writes: func(l int, at texels) { put(at(1, 3, 0, 0), max(u32(at(1, 3, 0, 0)), uint32(9*l))) }},
		{name: "and", text: "mov.b32 %r3, 8; mov.b32 %r4, 3; not.b32 %r5, %r1;" +
			"sured.b.and.2d.b32.trap [%h, {%r3, %r4}], %r5;", of: flat,
			writes: func(l int, at texels) { put(at(1, 3, 0, 0), u32(at(1, 3, 0, 0))&^uint32(l)) }},
		{name: "or", text: "sured.p.or.2d.b32.trap [%h, {1, 3}], %r1;", of: stack,
			writes: func(l int, at texels) { put(at(1, 3, 0, 0), u32(at(1, 3, 0, 0))|uint32(l)) }},
	} {
		inAllAndSome(t, c.name, func(t *testing.T, some bool) {
			p := parse(t, "k.ptx", drawn(c.text, some))
			out := make([]uint32, 32*4)
			var texels *simt.Region
			var before []byte
			ev := p.noted(c.text, &launch{args: []any{out, func(p *program) (block uint64) {
				block, texels = c.of.put(p)
				before = slices.Clone(texels.Data)
				return block
			}}})
			if (ev.Kind == simt.FaultEvent) != c.fault {
				t.Fatalf("%v: %v", ev.Kind, ev.Fault)
			}
			if c.name == "trap" && (ev.Fault.Kind != simt.NoTexel ||
				!strings.HasPrefix(ev.Fault.Text, "the place is ") ||
				!strings.Contains(ev.Fault.Text, ", x in bytes; the surface has ")) {
				t.Errorf("the fault is %v", ev.Fault)
			}
			if c.fault {
				return // after which nothing is to be compared
			}
			m := c.of.image()
			at := func(x, y, z, layer int) []byte {
				off, ok := m.Offset(x, y, z, layer, 0, 0)
				if !ok {
					return nil
				}
				return before[off:][:m.Format.Size]
			}
			for l := range 32 {
				var want [4]uint32
				if some && l&1 != 0 {
				} else if c.reads != nil {
					copy(want[:], c.reads(l, at))
				} else {
					c.writes(l, at)
				}
				if got := [4]uint32(out[4*l:]); got != want {
					t.Fatalf("lane %d has %v, want %v", l, got, want)
				}
			}
			if !bytes.Equal(texels.Data, before) {
				t.Error("the surface has other bytes")
			}
		})
	}
}
