package visa

import (
	"bytes"
	"io"
	"testing"
)

// loop is a Machine whose memory repeats some bytes.
type loop []byte

func (l loop) ReadGRF(offset uint32, p []byte) error { return l.ReadScratch(offset, p) }
func (l loop) ReadScratch(address uint32, p []byte) error {
	for i := range p {
		p[i] = l[(int(address)+i)%len(l)]
	}
	return nil
}

// FuzzVISA reads arbitrary tables. What can be read must be written back the
// same, must print, and must unwind or fail without end or panic.
func FuzzVISA(f *testing.F) {
	for _, name := range []string{"mutual-O2.dbg", "noinline-O2.dbg", "recurse-O2.dbg", "several-O2-1.dbg"} {
		for _, device := range []string{"skl", "dg2"} {
			file := parseFile(f, "testdata", "igc", device, name)
			for _, layout := range layouts {
				file.Layout = layout
				f.Add(encode(file), uint32(0x100), []byte{0x40, 0, 1, 0})
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, ip uint32, state []byte) {
		file, err := Parse(data)
		if err != nil {
			return
		}
		if !bytes.Equal(encode(file), data) {
			t.Error("written back differently")
		}
		if err := Print(io.Discard, file); err != nil {
			t.Error(err)
		}
		if len(state) == 0 {
			return
		}
		for _, target := range targetOfDevice {
			u, err := NewUnwinder(file, target, CodePlace{})
			if err != nil {
				continue
			}
			frames, _ := u.Walk(loop(state), uint64(ip), 50)
			for _, frame := range frames {
				for _, v := range frame.Object.Variables {
					if p, ok := v.At(ip); ok {
						frame.Place(p, 4)
					}
				}
			}
		}
	})
}
