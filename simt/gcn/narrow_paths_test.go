package gcn

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// narrowInst encodes an access of a byte or a word: to global memory, LDS, or private memory.
func narrowInst(r *rand.Rand, op *Op) []uint32 {
	code, data, offset := uint32(op.Code), uint32(r.IntN(streamVectors)), uint32(r.IntN(64))
	switch op.Enc {
	case DS:
		return []uint32{0xd8000000 | code<<17 | offset, data<<24 | data<<8 | streamLDS}
	case MUBUF:
		return []uint32{0xe0000000 | code<<18 | offset, streamOffset<<24 | streamBuffer/4<<16 | data<<8}
	case SCRATCH:
		return []uint32{0xdc004000 | code<<18 | offset, data<<24 | streamOffset<<16 | data<<8}
	case FLAT:
		return []uint32{0xdc000000 | code<<18 | offset, data<<24 | data<<8 |
			[]uint32{streamPrivate, streamGlobal}[r.IntN(2)]}
	}
	return []uint32{0xdc008000 | code<<18 | offset, data<<24 | 0x7f<<16 | data<<8 | streamGlobal}
}

// narrowRows are the accesses of bytes and words.
func narrowRows(isa *ISA) (rows []*Op) {
	for _, enc := range []Enc{DS, FLAT, GLOBAL, SCRATCH, MUBUF} {
		for _, op := range isa.tables.rows[enc] {
			if op != nil && op.Enc == enc && op.mem != nil && op.mem.narrow != nil {
				rows = append(rows, op)
			}
		}
	}
	return rows
}

// TestNarrowPaths: accesses of bytes and words do the same in every path: aligned or not, with all lanes,
// some, and none.
func TestNarrowPaths(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	for _, processor := range []string{"gfx942", "gfx900"} {
		rows := narrowRows(newISA(t, processor, nil))
		if len(rows) < 50 {
			t.Fatalf("%s has %d accesses of bytes and words", processor, len(rows))
		}
		for i, op := range rows {
			translated := false
			compareStreams(t, processor, uint64(i), true, func(isa *ISA) *stream {
				r := rand.New(sweep.PCG(uint64(i), 13))
				s := &stream{mode: streamModes[0], seed: uint64(i)}
				for _, exec := range []uint32{0xbefe01c1, 0xbefe0100 | streamMask, 0xbefe0180} {
					s.code = append(s.code, []uint32{exec})
					for range 6 {
						words := narrowInst(r, op)
						in, err := isa.Decode(wordsCode(words...), codeBase)
						if err != nil || in.Op != op {
							continue // one that loads to LDS
						}
						s.code = append(s.code, words)
						translated = translated || isa.Translates(in, streamModes[0])
					}
				}
				s.loop()
				return s
			})
			if was > vec.Portable && !translated && op.dst != none {
				t.Errorf("%s: no encoding of %s was translated", processor, op.Name)
			}
		}
	}
}
