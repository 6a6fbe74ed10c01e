package gcn

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// translatable reports whether a row has a translation, all of which are for hosts with AVX-512.
func translatable(op *Op) bool { return op.native != nil || vectorForms()[op.fast.op] != nil }

// rowStream has random encodings of a row, with all lanes active, some, and
// none.
func rowStream(isa *ISA, op *Op, seed uint64) *stream {
	r := rand.New(sweep.PCG(seed, 11))
	s := &stream{mode: streamModes[seed%uint64(len(streamModes))], seed: seed}
	for _, exec := range []uint32{0xbefe01c1, 0xbefe0100 | streamMask, 0xbefe0180} {
		s.code = append(s.code, []uint32{exec})
		for range 8 {
			words := streamInst(r, op)
			in, err := isa.Decode(wordsCode(words...), 0)
			if err != nil || in.Op != op || in.Op.ends() ||
				in.dst.kind == scalarReg && in.dst.reg == streamCounter {
				continue
			}
			s.code = append(s.code, words[:in.Size/4])
		}
	}
	s.loop()
	return s
}

// TestTranslatedRows runs each row that has a translation in every path, in one of streamModes by turns, and
// in each with `make check-all`.
func TestTranslatedRows(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	seen := map[string]bool{}
	for _, processor := range []string{"gfx942", "gfx900"} {
		h := newHarness(t, processor)
		for i, op := range streamRows(h.isa) {
			if !translatable(op) || seen[op.Name] {
				continue
			}
			seen[op.Name] = true
			for mode := i % sweep.Step(len(streamModes)); mode < len(streamModes); mode += sweep.Step(
				len(streamModes)) {
				compareStreams(t, processor, uint64(len(streamModes)*i+mode), true, func(isa *ISA) *stream {
					return rowStream(isa, op, uint64(len(streamModes)*i+mode))
				})
			}
			if was == vec.AVX512 && !translatesSome(h.isa, op) {
				t.Errorf("%s: no encoding of %s was translated", processor, op.Name)
			}
		}
	}
	if was > vec.AVX2 {
		vec.Use(vec.AVX2)
	}
	if h := newHarness(t, "gfx942"); was > vec.Portable {
		for _, op := range streamRows(h.isa) {
			f, ok := op.native.(lonely)
			if ok && (f.octets != nil || f.moves) && !translatesSome(h.isa, op) {
				t.Errorf("no encoding of %s was translated for AVX2", op.Name)
			}
		}
	}
	for _, rows := range opTables() {
		for _, op := range rows {
			if vectorForms()[op.fast.op] != nil && !seen[op.Name] {
				t.Errorf("no processor has %s", op.Name)
			}
		}
	}
}

// translatesSome reports whether one of some encodings of a row has a
// translation.
func translatesSome(isa *ISA, op *Op) bool {
	r := rand.New(sweep.PCG(1, 12))
	for range 500 {
		in, err := isa.Decode(wordsCode(streamInst(r, op)...), codeBase)
		if err == nil && in.Op == op && isa.Translates(in, streamModes[0]) {
			return true
		}
	}
	return false
}
