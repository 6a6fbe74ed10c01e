package ptx

import (
	"strconv"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/pattern"
)

// operations are how many a statement does, by its name.
var operations = map[string]int{"add": 1, "sub": 1, "mul": 1, "mul24": 1, "mad": 2, "mad24": 2, "fma": 2,
	"div": 1, "rem": 1, "abs": 1, "neg": 1, "min": 1, "max": 1, "sad": 3, "and": 1, "or": 1, "xor": 1,
	"not": 1, "cnot": 1, "lop3": 2, "shl": 1, "shr": 1, "shf": 1, "bfe": 1, "bfi": 1, "brev": 1, "clz": 1,
	"popc": 1, "bfind": 1, "fns": 1, "prmt": 1, "dp4a": 8, "dp2a": 4,
	"addc": 1, "subc": 1, "madc": 2, "rcp": 1, "sqrt": 1, "rsqrt": 1, "sin": 1, "cos": 1, "lg2": 1, "ex2": 1,
	"tanh": 1}

var (
	shapeName = pattern.Compile(`\.m(\d+)n(\d+)k(\d+)`)
	realType  = pattern.Compile(`\.(b?f\d+(x2)?|tf32|e4m3|e5m2)\b`)
)

// Arithmetic implements simt.Arithmetician.
func (a *ISA) Arithmetic(code []byte, pc uint64) simt.Arithmetic {
	in, err := a.Inst(code, pc)
	if err != nil {
		return simt.Arithmetic{}
	}
	text := strings.TrimSpace(in.Text)
	if strings.HasPrefix(text, "@") { // a guard
		_, text, _ = strings.Cut(text, " ")
	}
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return work(strings.TrimSuffix(name, ";"))
}

// work is what a statement of a name with its types does.
func work(name string) simt.Arithmetic {
	base, rest, _ := strings.Cut(name, ".")
	if m := shapeName().FindStringSubmatch(name); m != nil &&
		(base == "mma" || base == "wgmma" || strings.HasPrefix(name, "wmma.mma")) {
		n := 2
		for _, size := range m[1:] {
			k, _ := strconv.Atoi(size)
			n *= k
		}
		if strings.Contains(name, ".sp") {
			n /= 2
		}
		if strings.Contains(name, ".s32") {
			return simt.Arithmetic{Integers: n, Wave: true}
		}
		return simt.Arithmetic{Floats: n, Wave: true}
	}
	n := operations[base]
	if strings.HasSuffix(rest, "x2") {
		n *= 2
	}
	if realType().MatchString("." + rest) {
		return simt.Arithmetic{Floats: n}
	}
	return simt.Arithmetic{Integers: n}
}
