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

// TestRandomEncodings reads random bytes as LLVM does, for each generation: of what LLVM reads not more
// than one in two hundred is refused or has another text. Half of the bytes begin as one of the encodings
// does. SIMTGDB_ENCODINGS says how many instructions that LLVM reads there are at least, and the log what
// they are that differ.
func TestRandomEncodings(t *testing.T) {
	enough := 300
	if n, err := strconv.Atoi(os.Getenv("SIMTGDB_ENCODINGS")); err == nil {
		enough = n
	}
	for _, processor := range sweep.Some(3, laterProcessors...) {
		isa, err := New(processor, nil, Kernel{})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(sweep.PCG(11, 12))
		var read, refused, other int
		classes := map[string]int{}
		for read < enough {
			for _, e := range randomEncodings(t, isa, processor, rnd) {
				read++
				got := ownText(isa, e.words)
				switch {
				case got == "":
					refused++
					name, _, _ := strings.Cut(e.text, " ")
					classes["refused "+name]++
				case got != e.text:
					other++
					classes["other "+e.text+" | "+got]++
				}
			}
		}
		t.Logf("%s: of %d that LLVM reads %d are refused, %d have another text", processor, read, refused,
			other)
		if (other+refused)*200 > read {
			t.Errorf("%s: too many", processor)
		}
		var names []string
		for n := range classes {
			names = append(names, n)
		}
		sort.Slice(names, func(i, j int) bool { return classes[names[i]] > classes[names[j]] })
		for _, n := range names[:min(len(names), 25)] {
			t.Logf("%s: %d %s", processor, classes[n], n)
		}
	}
}

// A readEncoding is an instruction that LLVM reads.
type readEncoding struct {
	words []uint32
	text  string
}

// randomEncodings are those of some random bytes that LLVM reads.
func randomEncodings(t *testing.T, isa *ISA, processor string, rnd *rand.Rand) []readEncoding {
	t.Helper()
	const each = 2000
	all := make([][]uint32, each)
	layouts := isa.layouts()
	for i := range all {
		all[i] = []uint32{rnd.Uint32(), rnd.Uint32(), rnd.Uint32(), rnd.Uint32()}
		if l := layouts[rnd.IntN(len(layouts))]; i%2 != 0 {
			all[i][0] = all[i][0]&^l.mask | l.value
		}
	}
	var found []readEncoding
	done := make([]bool, each)
	for size := 1; size <= 4; size++ {
		var insts [][]uint32
		var from []int
		for i, words := range all {
			if !done[i] {
				insts, from = append(insts, words[:size]), append(from, i)
			}
		}
		for i, text := range llvmDisassemble(t, processor, insts) {
			if text == "" {
				continue
			}
			done[from[i]] = true
			if !strings.Contains(text, "nvalid") && !strings.HasPrefix(text, "s_nop ") {
				found = append(found, readEncoding{insts[i], text})
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s: LLVM reads nothing", processor)
	}
	return found
}
