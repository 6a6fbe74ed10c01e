package gen

import (
	"strconv"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/pattern"
)

// operations are how many an instruction does for each of its channels, by its name.
var operations = map[string]int{"add": 1, "addc": 1, "subb": 1, "add3": 2, "mul": 1, "mulh": 1, "mach": 1,
	"mac": 2, "mad": 2, "madm": 2, "macl": 1, "and": 1, "or": 1, "xor": 1, "not": 1, "shl": 1, "shr": 1,
	"asr": 1, "rol": 1, "ror": 1, "bfe": 1, "bfi1": 1, "bfi2": 1, "bfn": 2, "bfrev": 1, "fbh": 1, "fbl": 1,
	"cbit": 1, "lzd": 1, "sel": 0, "avg": 2, "frc": 1, "rndd": 1,
	"rndu": 1, "rnde": 1, "rndz": 1, "lrp": 3, "line": 2, "pln": 4, "dp2": 3, "dp3": 5, "dph": 6, "dp4": 7,
	"dp4a": 8, "math": 1}

var (
	instructionText = pattern.Compile(`^(\(W[^)]*\))?\s*(?:\([^)]*\))?\s*(\w+)(\.\S+)?\s+\((\d+)\|`)
	typeText        = pattern.Compile(`:(\w+)`)
	depthText       = pattern.Compile(`^\.(\d+)x(\d+)`)
)

// Arithmetic implements simt.Arithmetician. Of an instruction for fewer channels than the wave has, or for
// all of them whatever the masks, each counts.
func (a *ISA) Arithmetic(code []byte, pc uint64) simt.Arithmetic {
	in, err := a.Inst(code, pc)
	if err != nil {
		return simt.Arithmetic{}
	}
	return work(in.Text, a.WaveSize())
}

func work(text string, lanes int) simt.Arithmetic {
	m := instructionText().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return simt.Arithmetic{}
	}
	n, types := operations[m[2]], typeText().FindAllStringSubmatch(text, -1)
	if m[2] == "dpas" || m[2] == "dpasw" {
		n = dpasWork(m[3], types)
	}
	if n == 0 || len(types) == 0 {
		return simt.Arithmetic{}
	}
	w := simt.Arithmetic{}
	if channels, _ := strconv.Atoi(m[4]); m[1] != "" || channels < lanes {
		w.Wave, n = true, n*channels
	}
	if strings.HasSuffix(types[0][1], "f") {
		w.Floats = n
	} else {
		w.Integers = n
	}
	return w
}

// dpasWork is what a product of matrices does for each channel: as many steps as it is deep, of as many
// products as a register's word has elements, for each row.
func dpasWork(size string, types [][]string) int {
	m := depthText().FindStringSubmatch(size)
	if m == nil || len(types) < 3 {
		return 0
	}
	depth, _ := strconv.Atoi(m[1])
	rows, _ := strconv.Atoi(m[2])
	elements := map[string]int{"bf": 2, "hf": 2, "tf32": 1, "ub": 4, "b": 4, "u4": 8, "s4": 8, "u2": 8,
		"s2": 8}
	return 2 * depth * rows * elements[types[2][1]]
}
