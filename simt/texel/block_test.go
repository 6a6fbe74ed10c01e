package texel

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"testing"
)

// TestCompressed compares the texels of random blocks with what lavapipe gives of them, and SwiftShader of
// ETC2 and EAC (vulkan_blocks.c). Formats that are exact are the same. Those of S3TC and RGTC lavapipe rounds
// to eight bits; of EAC's numbers of eleven bits SwiftShader makes sixteen by zeros, and adds 4 to signed
// ones, which the specification does to the others alone.
func TestCompressed(t *testing.T) {
	f, err := os.Open("testdata/blocks.bin.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(data)
	seen := 0
	for r.Len() > 0 {
		var head [2]uint32
		if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
			t.Fatal(err)
		}
		f, count := Formats()[head[0]], int(head[1])
		blocks, want := make([]byte, count*f.Size), make([][4]float32, 16*count)
		_, _ = io.ReadFull(r, blocks)
		if err := binary.Read(r, binary.LittleEndian, want); err != nil {
			t.Fatal(err)
		}
		seen++
		testBlocks(t, f, blocks, want)
	}
	if seen != 26 {
		t.Errorf("%d formats, want 26", seen)
	}
}

func testBlocks(t *testing.T, f *Format, blocks []byte, want [][4]float32) {
	t.Helper()
	const across = 8
	m := NewImage(f, Plane, [3]int{across * blockSide, len(blocks) / f.Size / across * blockSide, 1}, 1, 1)
	tolerance := map[blockKind]float64{bc1: 2.0 / 255, bc1Alpha: 2.0 / 255, bc2: 2.0 / 255, bc3: 2.0 / 255,
		bc4: 1.7 / 127, bc5: 1.7 / 127, eac1: 1.0 / 2047, eac2: 1.0 / 2047}[f.block]
	if f.Numeric == Snorm && tolerance < 1.0/1023 {
		tolerance = 5.2 / 1023
	}
	if f.Numeric == SRGB {
		tolerance = max(3*tolerance, 2e-4) // the function for whole bytes is a table there
	}
	bad := 0
	for i := range want {
		x, y := i%m.Size[0], i/m.Size[0]
		at, _ := m.Offset(x, y, 0, 0, 0, 0)
		got := f.DecodePart(blocks[at:], f.Part(x, y))
		for c := range got {
			if d := math.Abs(float32Of(got[c]) - float64(want[i][c])); d > tolerance &&
				d > 1e-6*math.Abs(got[c]) {
				if bad++; bad < 4 {
					t.Errorf("%s: texel %d,%d of block %x: component %d is %v, want %v", f, x%4, y%4,
						blocks[at:][:f.Size], c, got[c], want[i][c])
				}
			}
		}
	}
	if bad > 0 {
		t.Errorf("%s: %d numbers of %d", f, bad, 4*len(want))
	}
}

// TestSignedEAC holds a block against the specification's arithmetic: a base of -5, a factor of 3 and table 2
// of steps.
func TestSignedEAC(t *testing.T) {
	b := []byte{0xfb, 0x32, 0, 0, 0, 0, 0, 0x0f} // the last texels have indices 1 and 7
	f := Formats()[154]
	for part, want := range map[int]float64{0: -40 - 2*24, 15: -40 + 12*24, 11: -40 - 5*24} {
		if got := f.DecodePart(b, part)[0]; got != want/1023 {
			t.Errorf("texel %d is %v, want %v", part, got, want/1023)
		}
	}
	if got, want := f.DecodePart([]byte{0x80, 0, 0, 0, 0, 0, 0, 0}, 0)[0], (-127*8-3.0)/1023; got != want {
		t.Errorf("the least base is %v, want %v", got, want)
	}
}

// TestExamplesOfEAC are those that the Data Format Specification computes ("Format Unsigned R11 EAC", "Format
// Signed R11 EAC"), all of table 13, of the texel below the first, whose index is 3.
func TestExamplesOfEAC(t *testing.T) {
	for _, c := range []struct {
		format      uint32
		base, times byte
		want        float64
	}{{153, 103, 2, 668.0 / 2047}, {153, 103, 0, 818.0 / 2047}, {154, 60, 2, 320.0 / 1023},
		{154, 60, 0, 470.0 / 1023}} {
		b := []byte{c.base, c.times<<4 | 13, 3 << 2, 0, 0, 0, 0, 0}
		if got := Formats()[c.format].DecodePart(b, 4)[0]; got != c.want {
			t.Errorf("%s, base %d, multiplier %d: %v, want %v", Formats()[c.format], c.base, c.times, got,
				c.want)
		}
	}
}

func float32Of(x float64) float64 { return float64(float32(x)) }
