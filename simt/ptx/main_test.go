package ptx_test

import (
	"os"
	"strings"
	"testing"

	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/simttest"
)

// covered are the rows of the machine's tables that the rows of this package's tests have executed, in each
// path of package vec, by all lanes of a warp and by some.
var covered simttest.Coverage

// note says which statements of a row's text a machine executes.
func (r row) note(m *simt.Machine) {
	mine := map[string][2]bool{}
	for _, word := range r.words() {
		mine[word] = [2]bool{}
	}
	m.ISA().(*machine.ISA).Note(func(op string, all bool) {
		way := 0
		if all {
			way = 1
		}
		if done, ok := mine[op]; ok && !done[way] {
			done[way] = true
			mine[op] = done
			mnemonic, _, _ := strings.Cut(op, ".")
			covered.Note(op, all)
			covered.Note(mnemonic, all)
		}
	})
}

// words are those of a row's text, among them the names of its statements.
func (r row) words() []string {
	return strings.FieldsFunc(r.text, func(c rune) bool { return strings.ContainsRune(" \t\n;{}", c) })
}

// ofPath are the rows that a test runs in the current path of package vec: all that name what the package
// runs, and the first with each mnemonic; of the others, which do the same in each path, this path's share.
func ofPath(test string, rows []row) []row {
	due := map[string]bool{} // names that are to be executed in each path
	for _, name := range machine.Rows() {
		due[name] = true
	}
	var own, others []row
	for _, r := range rows {
		is := false
		for _, word := range r.words() {
			mnemonic, _, _ := strings.Cut(word, ".")
			is = is || due[word] || due[mnemonic]
			delete(due, mnemonic)
		}
		if is {
			own = append(own, r)
		} else {
			others = append(others, r)
		}
	}
	return append(own, simttest.Share(test, others...)...)
}

// inAll are rows that all lanes of a warp come to, or it is undefined what they do; inSome those that tests
// execute in some lanes only, of which each goes its own way.
var (
	inAll = map[string]bool{"bar": true, "mma": true, "wmma": true, "wgmma": true, "ldmatrix": true,
		"stmatrix": true, "movmatrix": true}
	inSome = map[string]bool{"exit": true, "ret": true, "trap": true, "brkpt": true}
)

func TestMain(m *testing.M) {
	missing := func() []string { return covered.Missing(machine.Rows(), inAll, inSome) }
	os.Exit(simttest.MainCovering(m, missing, simttest.InBest{Part: []string{"TestBulk", "TestBulkAhead",
		"TestBulkCheckedAlike", "TestCheckedAlike", "TestOrigins.*", "TestBreakpoints", "TestRacesInTurns",
		"TestSpin", "TestTeam", "FuzzDamaged"}}))
}
