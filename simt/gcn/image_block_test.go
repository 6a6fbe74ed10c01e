package gcn

import (
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"simtgdb/simt/texel"
	"simtgdb/testdata/sweep"
)

// blockSet are random blocks of a format: eight in a row.
type blockSet struct {
	format *texel.Format
	blocks []byte
}

// randomBlocks are the blocks of BC1 to BC7 whose texels package texel's tests compare with lavapipe's.
func randomBlocks(t *testing.T) (sets []blockSet) {
	t.Helper()
	f, err := os.Open("../texel/testdata/blocks.bin.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for {
		var head [2]uint32
		if err := binary.Read(z, binary.LittleEndian, &head); err == io.EOF {
			return sets
		} else if err != nil {
			t.Fatal(err)
		}
		s := blockSet{format: texel.Formats()[head[0]]}
		s.blocks = make([]byte, int(head[1])*s.format.Size)
		if _, err := io.ReadFull(z, s.blocks); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, z, int64(head[1])*16*16); err != nil { // four floats for each texel
			t.Fatal(err)
		}
		if strings.HasPrefix(s.format.Name, "bc") {
			sets = append(sets, s)
		}
	}
}

// TestImageBlocks has instructions load and sample images of BC1 to BC7 on each layout of descriptors: whole
// texels are those that package texel makes of the blocks, and samples between them the sums of the four
// around, beyond an edge the texel there.
func TestImageBlocks(t *testing.T) {
	const width = 32
	sets := randomBlocks(t)
	if len(sets) != 16 {
		t.Fatalf("%d formats of blocks, want 16", len(sets))
	}
	for i, on := range imageProcessors {
		h := newHarness(t, on)
		if on != "gfx900" {
			h = newHarness32(t, on)
		}
		dim := " dim:SQ_RSRC_IMG_2D"
		if on == "gfx900" {
			dim = ""
		}
		address := "[v16, v17]"
		if on == "gfx900" {
			address = "v[16:17]"
		}
		codes := h.assembly(on, "image_load v[4:7], "+address+", s[8:15] dmask:0xf"+dim,
			"image_sample_lz v[4:7], "+address+", s[8:15], s[16:19] dmask:0xf"+dim)
		for k, s := range sets {
			if (i+k)%sweep.Step(len(imageProcessors)) != 0 { // each format on one of them
				continue
			}
			row := width / 4 * s.format.Size
			high := len(s.blocks) / row * 4
			m := texel.NewImage(s.format, texel.Plane, [3]int{width, high, 1}, 1, 1)
			m.Address = dataBase
			if on == "gfx900" {
				m.Pitch = 256
			} else {
				m.Align = 256
			}
			words, err := DescribeImage(on, &m)
			if err != nil {
				t.Fatalf("%s: %s: %v", on, s.format, err)
			}
			copy(h.regs.S[8:], words[:])
			copy(h.regs.S[16:], samplerWords(on))
			clear(h.data.Data)
			for y := range high / 4 {
				copy(h.data.Data[uint64(y)*m.RowBytes(0):], s.blocks[y*row:][:row])
			}
			at := func(x, y int) texel.Texel {
				x, y = min(max(x, 0), width-1), min(max(y, 0), high-1)
				off, _ := m.Offset(x, y, 0, 0, 0, 0)
				return s.format.DecodePart(h.data.Data[off:], s.format.Part(x, y))
			}
			for y := range high {
				h.vector(17, func(int) uint32 { return uint32(y) })
				h.vector(16, func(l int) uint32 { return uint32(l % width) })
				h.mustRun(codes[0])
				wantTexels(t, h, on, s.format, func(l, i int) float64 { return at(l%width, y)[i] })
				// Three eighths of a texel past the middle of one, which is left of the image in lane 0.
				const part = 0.375
				h.vector(17, func(int) uint32 { return math.Float32bits(float32(y+1) / float32(high)) })
				h.vector(16, func(l int) uint32 {
					return math.Float32bits((float32(l%width) - 0.5 + part) / width)
				})
				h.mustRun(codes[1])
				wantTexels(t, h, on, s.format, func(l, i int) float64 {
					x := l%width - 1
					return 0.5 * ((1-part)*(at(x, y)[i]+at(x, y+1)[i]) + part*(at(x+1, y)[i]+at(x+1, y+1)[i]))
				})
			}
		}
	}
}

// wantTexels compares what lanes have got of texels.
func wantTexels(t *testing.T, h *harness, on string, f *texel.Format, want func(l, i int) float64) {
	t.Helper()
	for l := range h.w.Size {
		for i := range 4 {
			got, want := float64(math.Float32frombits(h.regs.V[4+i][l])), float64(float32(want(l, i)))
			if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Fatalf("%s: %s: component %d of lane %d is %v, want %v", on, f, i, l, got, want)
			}
		}
	}
}
