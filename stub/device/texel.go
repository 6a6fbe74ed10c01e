package device

import (
	"math"

	"simtgdb/simt/texel"
)

// opTexel makes a texel of a color.
func (d *Device) opTexel(r *reader, w *writer) error {
	number := r.u32()
	var words [4]uint32
	for i := range words {
		words[i] = r.u32()
	}
	if err := ended(r); err != nil {
		return err
	}
	f := texel.Formats()[number]
	if f == nil || f.Side() > 1 || f.Planes() > 0 {
		return refuse(Unsupported, "there are no texels of format %d", number)
	}
	b := make([]byte, f.Size)
	if f.Numeric.Integer() && !f.Wide() {
		f.PutCodes(words, b)
	} else {
		var color texel.Texel
		for i, word := range words {
			switch {
			case f.Numeric == texel.Sint:
				color[i] = f.FromWhole(int64(int32(word)))
			case f.Numeric == texel.Uint:
				color[i] = f.FromWhole(int64(word))
			default:
				color[i] = float64(math.Float32frombits(word))
			}
		}
		f.Encode(color, b)
	}
	w.bytes(b)
	return nil
}
