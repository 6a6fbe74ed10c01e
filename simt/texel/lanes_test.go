package texel

import (
	"encoding/binary"
	"math"
	"testing"

	"simtgdb/simt"
)

// plainMemory is memory from address 0 on, where all may be read.
type plainMemory []byte

func (m plainMemory) Block(addr, size uint64) []byte { return m[addr:][:size] }

func (m plainMemory) Texels(lanes uint64, addr *[simt.MaxLanes]uint64, size int, _ bool,
	f func(lane int, b []byte)) bool {
	for l := range simt.MaxLanes {
		if lanes>>l&1 != 0 {
			f(l, m[addr[l]:][:size])
		}
	}
	return true
}

func (plainMemory) Outside(uint64, bool) {}
func (plainMemory) Wrong(uint64, error)  {}

// BenchmarkTake samples an image of 64 x 64 texels with a linear filter in 64 lanes, as instructions do that
// keep their Op, and with a new one each time.
func BenchmarkTake(b *testing.B) {
	m := NewImage(ByName("r32_sfloat"), Plane, [3]int{64, 64, 1}, 1, 1)
	mem := make(plainMemory, m.Bytes())
	for i := range 64 * 64 {
		binary.LittleEndian.PutUint32(mem[4*i:], math.Float32bits(float32(i)))
	}
	s := Sampler{Mag: Linear, Min: Linear, Compare: NoCompare,
		Modes: [3]Mode{ClampToEdge, ClampToEdge, ClampToEdge}}
	for _, kept := range []bool{true, false} {
		b.Run(map[bool]string{true: "kept", false: "new"}[kept], func(b *testing.B) {
			var out [simt.MaxLanes]Texel
			o := new(Op)
			for range b.N {
				if !kept {
					o = new(Op)
				}
				o.Begin(math.MaxUint64)
				o.One, o.By = &m, &s
				for l := range o.Place {
					o.Place[l].At = [3]float64{float64(l) / 64, 1 - float64(l)/70}
				}
				o.Take(mem, &out)
			}
		})
	}
}
