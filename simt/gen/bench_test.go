package gen

import (
	"encoding/binary"
	"testing"
)

// BenchmarkMessages measures messages of eight channels by how their elements lie.
func BenchmarkMessages(b *testing.B) {
	for name, at := range map[string]func(i int) int{
		"side by side": func(i int) int { return 4 * i },
		"together":     func(int) int { return 64 },
		"anywhere":     func(i int) int { return 40 * (7 - i) },
	} {
		for _, message := range []string{"slm-read", "read", "write"} {
			b.Run(message+"/"+name, func(b *testing.B) {
				t := newBench(b, 8)
				t.load(assembled(b)[message])
				t.core.forget() // without what load notes
				for i := range 8 {
					if message == "slm-read" {
						t.r.setU32(offGRF+12*regBytes+4*i, uint32(at(i)))
						continue
					}
					binary.LittleEndian.PutUint64(
						t.r.file[offGRF+12*regBytes+8*i:], t.data.Base+uint64(at(i)))
				}
				in := &t.core.block(codeBase).insts[0]
				t.core.w, t.core.r = t.w, t.r
				for b.Loop() {
					in.exec(t.core, in)
				}
			})
		}
	}
}
