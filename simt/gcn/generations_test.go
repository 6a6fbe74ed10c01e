package gcn

import (
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// laterProcessors are one of each generation of generations.txt.
var laterProcessors = []string{"gfx1010", "gfx1011", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250"}

// laterWords are random words that begin as a row's encoding does.
func laterWords(rnd *rand.Rand, l *layout, code int) []uint32 {
	opcode := uint32(1<<l.bits-1) << l.shift
	w := rnd.Uint32()&^(l.mask|opcode) | l.value | uint32(code)<<l.shift
	words := []uint32{w, rnd.Uint32(), rnd.Uint32(), rnd.Uint32()}
	switch l.enc { // fields that are rarely anything else
	case VOP3:
		words[0] &^= 0xfb00
		words[1] &^= 0xf800_0000
	case SMEM, FLAT, SCRATCH, GLOBAL, MUBUF:
		words[1] &^= 1 << 21
	}
	return words
}

// TestGenerationsText holds the text of random instructions of each row against LLVM's; what LLVM does not
// read is left out. SIMTGDB_GENERATIONS says how many there are of each row.
func TestGenerationsText(t *testing.T) {
	each := 3
	if n, err := strconv.Atoi(os.Getenv("SIMTGDB_GENERATIONS")); err == nil {
		each = n
	}
	for _, processor := range laterProcessors {
		rnd := rand.New(sweep.PCG(7, 8))
		isa, err := New(processor, nil, Kernel{})
		if err != nil {
			t.Fatal(err)
		}
		var insts [][]uint32
		for i := range isa.layouts() {
			l := &isa.layouts()[i]
			for code, op := range isa.tables.rows[l.enc] {
				for range each {
					if op == nil || l.enc == vopd || op.Name == "s_nop" { // which separates them
						continue
					}
					words, code := laterWords(rnd, l, code), []byte(nil)
					for _, w := range words {
						code = append(code, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
					}
					if in, err := isa.Decode(code, 0); err == nil {
						insts = append(insts, words[:in.Size/4])
					}
				}
			}
		}
		total, wrong, examples := 0, 0, map[string]string{}
		for i, want := range llvmDisassemble(t, processor, insts) {
			// LLVM says so of what it reads and would not write.
			if want == "" || strings.Contains(want, "nvalid") {
				continue
			}
			total++
			if got := ownText(isa, insts[i]); got != want {
				wrong++
				in := decodeWords(isa, insts[i])
				examples[in.form.String()+" "+in.Op.Name] = want + "\n\t\t" + got
			}
		}
		t.Logf("%s: %d of %d texts differ, of %d instructions", processor, wrong, total, len(insts))
		if total < 1000 || wrong*100 > total {
			var names []string
			for n := range examples {
				names = append(names, n)
			}
			sort.Strings(names)
			for _, n := range names {
				t.Errorf("%s: %s:\n\twant %s", processor, n, examples[n])
			}
		}
	}
}

func decodeWords(isa *ISA, words []uint32) *Inst {
	var code []byte
	for _, w := range words {
		code = append(code, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	in, err := isa.Decode(code, 0)
	if err != nil {
		panic(err)
	}
	return in
}
