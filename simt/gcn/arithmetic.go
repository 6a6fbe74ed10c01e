package gcn

import (
	"strconv"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/pattern"
)

// floatWork and integerWork are how many operations vector instructions do, by what their names are between
// v_ (or v_pk_) and the type.
var floatWork = map[string]int{"add": 1, "sub": 1, "subrev": 1, "mul": 1, "mul_legacy": 1, "min": 1, "max": 1,
	"fma": 2, "fmac": 2, "mad": 2, "mac": 2, "fmaak": 2, "fmamk": 2, "madak": 2, "madmk": 2, "fma_legacy": 2,
	"mad_legacy": 2, "mad_mix": 2, "mad_mixlo": 2, "mad_mixhi": 2, "fma_mix": 2, "fma_mixlo": 2,
	"fma_mixhi": 2, "min3": 2, "max3": 2, "med3": 2, "minimum": 1, "maximum": 1, "min_num": 1, "max_num": 1,
	"rcp": 1, "rcp_iflag": 1, "rsq": 1, "sqrt": 1, "exp": 1, "log": 1, "sin": 1, "cos": 1, "fract": 1,
	"trunc": 1, "ceil": 1, "rndne": 1, "floor": 1, "div_fixup": 1,
	"div_fmas": 2, "trig_preop": 1, "dot2c": 4, "dot2": 4, "dot2acc": 4, "cubeid": 1, "cubesc": 1,
	"cubetc": 1, "cubema": 1}

var integerWork = map[string]int{"add": 1, "add_co": 1, "addc_co": 1, "add_co_ci": 1, "add_nc": 1, "sub": 1,
	"sub_co": 1, "subb_co": 1, "sub_co_ci": 1, "sub_nc": 1, "subrev": 1, "subrev_co": 1, "subbrev_co": 1,
	"subrev_co_ci": 1, "subrev_nc": 1, "mul_lo": 1, "mul_hi": 1, "mul": 1, "mad": 2, "mad_co": 2, "mad_nc": 2,
	"min": 1, "max": 1, "min3": 2, "max3": 2, "med3": 2, "and": 1, "or": 1, "xor": 1, "xnor": 1, "not": 1,
	"lshlrev": 1, "lshrrev": 1, "ashrrev": 1, "lshl": 1, "lshr": 1, "ashr": 1, "bfe": 1, "bfi": 1, "bfm": 1,
	"bfrev": 1, "ffbh": 1, "ffbl": 1, "clz": 1, "ctz": 1, "bcnt": 1, "alignbit": 1, "alignbyte": 1, "perm": 1,
	"add3": 2, "lshl_add": 2, "add_lshl": 2, "lshl_or": 2, "and_or": 2, "or3": 2, "xad": 2, "xor3": 2,
	"sad": 2, "dot4": 8, "dot4c": 8, "dot8": 16, "dot8c": 16, "dot2": 4,
	"mbcnt_lo": 1, "mbcnt_hi": 1}

// scalarWork are the scalar instructions that compute, by what is between s_ and the type.
var scalarWork = map[string]int{"add": 1, "sub": 1, "addc": 1, "subb": 1, "mul": 1, "mul_hi": 1, "min": 1,
	"max": 1, "and": 1, "or": 1, "xor": 1, "andn2": 1, "orn2": 1, "not": 1, "lshl": 1, "lshr": 1, "ashr": 1,
	"bfe": 1, "bfm": 1, "addk": 1, "mulk": 1, "lshl1_add": 2, "lshl2_add": 2, "lshl3_add": 2, "lshl4_add": 2,
	"fmac": 2, "abs": 1, "bcnt1": 1, "ff1": 1, "flbit": 1}

var (
	typedName = pattern.Compile(`^([vs])_(pk_)?(\w+?)_((?:b?f|u|i|b)\d+)((?:_(?:b?f|u|i)\d+)*)` +
		`(?:_e32|_e64|_sdwa|_dpp|_dpp8)*$`)
	matrixName = pattern.Compile(`^v_(s?mfma|smfmac|wmma|swmmac)_(?:scale_)?(\w?\w?\d+)_` +
		`(\d+)x(\d+)x(\d+)(?:_(\d+)b)?_?(\w*)`)
)

// Arithmetic implements simt.Arithmetician.
func (a *ISA) Arithmetic(code []byte, pc uint64) simt.Arithmetic {
	in, err := a.Inst(code, pc)
	if err != nil {
		return simt.Arithmetic{}
	}
	all := simt.Arithmetic{}
	for _, one := range strings.Split(in.Text, " :: ") { // the two of a pair
		name, _, _ := strings.Cut(one, " ")
		w := work(strings.Replace(name, "v_dual_", "v_", 1))
		all = simt.Arithmetic{Floats: all.Floats + w.Floats, Integers: all.Integers + w.Integers,
			Wave: w.Wave}
	}
	return all
}

// work is what an instruction of a name does.
func work(name string) simt.Arithmetic {
	if m := matrixName().FindStringSubmatch(name); m != nil {
		return matrixWork(m)
	}
	m := typedName().FindStringSubmatch(name)
	if m == nil {
		return simt.Arithmetic{}
	}
	base, kind := m[3], m[4]
	isFloat := strings.Contains(kind, "f")
	w := simt.Arithmetic{Wave: m[1] == "s"}
	switch {
	case w.Wave && isFloat:
		w.Floats = scalarWork[base]
	case w.Wave:
		w.Integers = scalarWork[base]
	case isFloat:
		w.Floats = floatWork[base]
	default:
		w.Integers = integerWork[base]
	}
	if m[2] != "" {
		w.Floats, w.Integers = 2*w.Floats, 2*w.Integers
	}
	return w
}

// matrixWork is what a product of matrices does: of rows, columns, length and blocks. Those with a sparse
// operand do half.
func matrixWork(m []string) simt.Arithmetic {
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	rows, columns, length, blocks := number(m[3]), number(m[4]), number(m[5]), max(number(m[6]), 1)
	if m[6] == "" && m[1] == "mfma" {
		blocks = mfmaBlocks(rows, length, m[7])
	}
	n := 2 * rows * columns * length * blocks
	if m[1] == "smfmac" || m[1] == "swmmac" {
		n /= 2
	}
	if m[2][0] == 'i' {
		return simt.Arithmetic{Integers: n, Wave: true}
	}
	return simt.Arithmetic{Floats: n, Wave: true}
}

// mfmaBlocks is how many products an instruction does whose name does not say so: as many as 64 lanes have
// operands for.
func mfmaBlocks(rows, length int, operand string) int {
	perLane := 1
	switch {
	case strings.HasPrefix(operand, "f16"), strings.HasPrefix(operand, "i8"),
		strings.HasPrefix(operand, "bf16_1k"):
		perLane = 4
	case strings.HasPrefix(operand, "bf16"):
		perLane = 2
	}
	return max(64*perLane/(rows*length), 1)
}
