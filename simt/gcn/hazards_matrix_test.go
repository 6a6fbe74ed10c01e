package gcn

import (
	"fmt"
	"strings"
	"testing"
)

// Hazards of matrix instructions: each kind of them before each kind of what may come too early.

// A matrixText is a matrix instruction, for the assembler and for LLVM: how many registers its destination
// and sum have, and how many a factor.
type matrixText struct {
	asm, mir string
	n, of    int
}

// with is the instruction with registers.
func (m matrixText) with(dst, a, b, sum int) (asm, mir string) {
	span := func(first, n int) string {
		if n == 1 {
			return fmt.Sprintf("v%d", first)
		}
		return fmt.Sprintf("v[%d:%d]", first, first+n-1)
	}
	return fmt.Sprintf("%s %s, %s, %s, %s", m.asm, span(dst, m.n), span(a, m.of), span(b, m.of), span(sum,
			m.n)),
		fmt.Sprintf("$%s = V_MFMA_%s_vgprcd_e64 $%s, $%s, $%s, 0, 0, 0, implicit $mode, implicit $exec",
			group(dst, m.n), m.mir, group(a, m.of), group(b, m.of), group(sum, m.n))
}

// Matrix instructions of gfx90a, and what they are called on gfx942 and gfx950, by how many passes they have
// there:
// of the matrix core, of singles, and of doubles.
var (
	halves90 = []matrixText{{"v_mfma_f32_4x4x4f16", "F32_4X4X4F16", 4, 2},
		{"v_mfma_f32_16x16x16f16", "F32_16X16X16F16", 4, 2},
		{"v_mfma_f32_32x32x8f16", "F32_32X32X8F16", 16, 2}}
	halves942 = []matrixText{{"v_mfma_f32_4x4x4_16b_f16", "F32_4X4X4F16", 4, 2},
		{"v_mfma_f32_16x16x16_f16", "F32_16X16X16F16", 4, 2},
		{"v_mfma_f32_32x32x8_f16", "F32_32X32X8F16", 16, 2},
		{"v_mfma_f32_32x32x4_2b_f16", "F32_32X32X4F16", 32, 2}}
	singles90 = []matrixText{{"v_mfma_f32_4x4x1f32", "F32_4X4X1F32", 4, 1},
		{"v_mfma_f32_16x16x4f32", "F32_16X16X4F32", 4, 1}, {"v_mfma_f32_32x32x2f32", "F32_32X32X2F32", 16, 1}}
	singles = []matrixText{{"v_mfma_f32_4x4x1_16b_f32", "F32_4X4X1F32", 4, 1},
		{"v_mfma_f32_16x16x4_f32", "F32_16X16X4F32", 4, 1},
		{"v_mfma_f32_32x32x2_f32", "F32_32X32X2F32", 16, 1}}
	doubles90 = []matrixText{{"v_mfma_f64_4x4x4f64", "F64_4X4X4F64", 2, 2},
		{"v_mfma_f64_16x16x4f64", "F64_16X16X4F64", 8, 2}}
	doubles942 = []matrixText{{"v_mfma_f64_4x4x4_4b_f64", "F64_4X4X4F64", 2, 2},
		{"v_mfma_f64_16x16x4_f64", "F64_16X16X4F64", 8, 2}}
	wide950 = []matrixText{{"v_mfma_f32_16x16x32_f16", "F32_16X16X32_F16", 4, 4},
		{"v_mfma_f32_32x32x16_f16", "F32_32X32X16_F16", 16, 4}}
)

// afterMatrix are what may come too early behind a product in v8 and those that follow, to which v60 and
// those that follow were added: given the product, and a product of halves942, of singles and of
// doubles.
var afterMatrix = []struct {
	name  string
	after func(again, half, single, double matrixText) (asm, mir string)
}{
	{"read", plainAfter("v_add_f32_e32 v2, v9, v3", addNine)},
	{"stored", plainAfter("ds_write_b32 v2, v9", "DS_WRITE_B32_gfx9 $vgpr2, $vgpr9, 0, 0, implicit $exec")},
	{"written", plainAfter("v_mov_b32_e32 v9, v3", "$vgpr9 = V_MOV_B32_e32 $vgpr3, implicit $exec")},
	{"sum written", plainAfter("v_mov_b32_e32 v61, v3", "$vgpr61 = V_MOV_B32_e32 $vgpr3, implicit $exec")},
	{"factor of halves", func(_, half, _, _ matrixText) (asm, mir string) {
		return half.with(150, 8, 110,
			160)
	}},
	{"factor of singles", func(_, _, single, _ matrixText) (asm,
		mir string) {
		return single.with(150, 9, 110, 160)
	}},
	{"factor of doubles", func(_, _, _, double matrixText) (asm,
		mir string) {
		return double.with(150, 8, 110, 160)
	}},
	{"the same sum", func(again, _, _, _ matrixText) (asm, mir string) { return again.with(8, 100, 110, 8) }},
	{"sum of halves", func(_, half, _, _ matrixText) (asm, mir string) {
		return half.with(150, 100, 110,
			6)
	}},
	{"sum of singles", func(_, _, single, _ matrixText) (asm, mir string) {
		return single.with(150, 100, 110,
			6)
	}},
	{"sum of doubles", func(_, _, _, double matrixText) (asm, mir string) {
		return double.with(150, 100, 110,
			6)
	}},
}

func plainAfter(asm, mir string) func(_, _, _, _ matrixText) (string, string) {
	return func(_, _, _, _ matrixText) (string, string) { return asm, mir }
}

// matrixNeeds are the wait states between matrix instructions and what afterMatrix lists.
var matrixNeeds = []struct {
	processor string
	of        []matrixText
	needs     [][11]int
}{
	{"gfx90a", halves90, [][11]int{{5, 5, 5, 1, 5, 5, 5, 0, 2, 2, 3}, {11, 11, 11, 7, 11, 11, 11, 0, 8, 8, 9},
		{19, 19, 19, 15, 19, 19, 19, 0, 16, 16, 17}}},
	{"gfx90a", singles90, [][11]int{{5, 5, 5, 1, 5, 5, 5, 0, 2, 2, 3},
		{11, 11, 11, 7, 11, 11, 11, 0, 8, 8, 9},
		{19, 19, 19, 15, 19, 19, 19, 0, 16, 16, 17}}},
	{"gfx90a", doubles90, [][11]int{{6, 9, 6, 0, 6, 6, 6, 4, 0, 0, 4},
		{11, 18, 11, 0, 11, 11, 11, 0, 0, 0, 9}}},

	{"gfx942", halves942, [][11]int{{5, 5, 5, 1, 5, 5, 5, 2, 3, 3, 3}, {7, 7, 7, 3, 7, 7, 7, 0, 5, 5, 5},
		{11, 11, 11, 7, 11, 11, 11, 0, 9, 9, 9}, {19, 19, 19, 15, 19, 19, 19, 0, 17, 17, 17}}},
	{"gfx942", singles, [][11]int{{4, 4, 4, 0, 4, 4, 4, 2, 0, 2, 2}, {10, 10, 10, 0, 10, 10, 10, 0, 0, 8, 8},
		{18, 18, 18, 0, 18, 18, 18, 0, 0, 16, 16}}},
	{"gfx942", doubles942, [][11]int{{6, 9, 6, 0, 6, 6, 6, 4, 0, 4, 4},
		{11, 18, 11, 0, 11, 11, 11, 0, 0, 9, 9}}},

	{"gfx950", halves942, [][11]int{{5, 5, 5, 1, 5, 5, 5, 2, 4, 3, 3}, {8, 8, 8, 3, 8, 8, 8, 0, 6, 6, 6},
		{12, 12, 12, 7, 12, 12, 12, 0, 10, 10, 10}, {20, 20, 20, 15, 20, 20, 20, 0, 18, 18, 18}}},
	{"gfx950", wide950, [][11]int{{8, 8, 8, 3, 8, 8, 8, 0, 6, 6, 6},
		{12, 12, 12, 7, 12, 12, 12, 0, 10, 10, 10}}},
	{"gfx950", singles, [][11]int{{4, 4, 4, 0, 4, 4, 4, 2, 0, 2, 2}, {10, 10, 10, 0, 10, 10, 10, 0, 0, 8, 8},
		{18, 18, 18, 0, 18, 18, 18, 0, 0, 16, 16}}},
	{"gfx950", doubles942, [][11]int{{6, 9, 6, 0, 6, 6, 6, 4, 0, 4, 4},
		{19, 18, 11, 0, 19, 19, 19, 0, 0, 17, 17}}},
}

func matrixHazards() (cases []hazardCase) {
	for _, m := range matrixNeeds {
		half, single, double := halves942[1], singles[1], doubles942[1]
		if m.processor == "gfx90a" {
			half, single, double = halves90[1], singles90[1], doubles90[1]
		}
		for i, one := range m.of {
			before, mir := one.with(8, 100, 110, 60)
			for k, then := range afterMatrix {
				after, mirAfter := then.after(one, half, single, double)
				cases = append(cases, hazardCase{strings.Join([]string{m.processor, one.mir, then.name}, " "),
					m.processor,
					before, after, [2]string{mir, mirAfter}, m.needs[i][k]})
			}
		}
	}
	before, mir := singles[0].with(8, 100, 110, 60)
	after, mirAfter := halves942[1].with(150, 100, 110, 8)
	cases = append(cases, hazardCase{"least singles as the sum of halves", "gfx942", before, after,
		[2]string{mir, mirAfter}, 2},
		hazardCase{"sum of singles written", "gfx942", "v_mov_b32_e32 v12, v3", singleText,
			[2]string{"$vgpr12 = V_MOV_B32_e32 $vgpr3, implicit $exec", mfma("16X16X4F32", 8, 4)}, 2})
	return append(cases, gfx950Hazards...)
}

const (
	swapOne    = "v_permlane32_swap_b32_e32 v1, v2"
	swapOneMIR = "$vgpr1, $vgpr2 = V_PERMLANE32_SWAP_B32_e32 $vgpr1, $vgpr2, implicit $exec"
	moveOne    = "$vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec"
	maskAll    = "V_CMPX_EQ_U32_e32 $vgpr0, $vgpr0, implicit-def $exec, implicit-def $vcc, implicit $exec"
)

// gfx950Hazards are what gfx950 has besides.
var gfx950Hazards = []hazardCase{
	{"lanes swapped", "gfx950", "v_mov_b32_e32 v1, v3", swapOne, [2]string{moveOne, swapOneMIR}, 2},
	{"lanes swapped again", "gfx950", swapOne, "v_permlane16_swap_b32_e32 v2, v3", [2]string{swapOneMIR,
		"$vgpr2, $vgpr3 = V_PERMLANE16_SWAP_B32_e32 $vgpr2, $vgpr3, implicit $exec"}, 2},
	{"lanes swapped and used", "gfx950", swapOne, "v_mov_b32_e32 v5, v1",
		[2]string{swapOneMIR, "$vgpr5 = V_MOV_B32_e32 $vgpr1, implicit $exec"}, 0},
	{"swapped under EXEC", "gfx950", "v_cmpx_eq_u32_e32 vcc, v0, v0", swapOne, [2]string{maskAll, swapOneMIR},
		4},
	{"bytes", "gfx950", smallText("v[8:11]", 0, 0), "v_add_f32_e32 v2, v9, v3",
		[2]string{smallMIR(0, 0), addNine}, 12},
	{"bytes and less", "gfx950", smallText("v[8:11]", 4, 0), "v_add_f32_e32 v2, v9, v3",
		[2]string{smallMIR(4, 0), addNine}, 12},
	{"less than bytes", "gfx950", smallText("v[8:11]", 4, 4), "v_add_f32_e32 v2, v9, v3",
		[2]string{smallMIR(4, 4), addNine}, 8},
	{"scale", "gfx950", "v_mov_b32_e32 v1, v3",
		"v_mfma_scale_f32_16x16x128_f8f6f4 v[8:11], v[100:103], v[110:113], v[60:63], v5, v1 cbsz:4 blgp:4",
		[2]string{moveOne, "$" + group(8, 4) + " = V_MFMA_SCALE_F32_16X16X128_F8F6F4_f4_f4_vgprcd_e64 $" +
			group(100, 4) + ", $" + group(110, 4) + ", $" + group(60, 4) +
			", 4, 4, $vgpr5, $vgpr1, 0, 0, implicit $mode, implicit $exec"}, 2},
}

// smallText and smallMIR are a product of factors of formats 0 (of bytes) or 4 (of four bits).
func smallText(dst string, a, b int) string {
	last := map[int]int{0: 7, 4: 3}
	text := fmt.Sprintf("v_mfma_f32_16x16x128_f8f6f4 %s, v[100:%d], v[110:%d], v[60:63]", dst, 100+last[a],
		110+last[b])
	if a != 0 {
		text += fmt.Sprint(" cbsz:", a)
	}
	if b != 0 {
		text += fmt.Sprint(" blgp:", b)
	}
	return text
}

func smallMIR(a, b int) string {
	format, n := map[int]string{0: "f8", 4: "f4"}, map[int]int{0: 8, 4: 4}
	const product = "$%s = V_MFMA_F32_16X16X128_F8F6F4_%s_%s_vgprcd_e64 $%s, $%s, $%s, %d, %d, implicit " +
		"$mode, "
	return fmt.Sprintf(product+
		"implicit $exec", group(8, 4), format[a], format[b], group(100, n[a]), group(110, n[b]), group(60,
		4), a, b)
}

// accHazards are those of gfx908, whose matrix instructions have their sums in registers of their own.
func accHazards() (cases []hazardCase) {
	agprs := func(first, n int) string { return strings.ReplaceAll(group(first, n), "vgpr", "agpr") }
	product := func(shape string, n, dst, sum int, a string) (asm, mir string) {
		lower := strings.ToLower(shape)
		return fmt.Sprintf("v_mfma_f32_%s a[%d:%d], %s, v2, a[%d:%d]", lower, dst, dst+n-1, a, sum, sum+n-1),
			fmt.Sprintf("$%s = V_MFMA_F32_%s_e64 $%s, $vgpr2, $%s, 0, 0, 0, implicit $mode, implicit $exec",
				agprs(dst, n), shape, strings.NewReplacer("a", "agpr", "v", "vgpr").Replace(a), agprs(sum, n))
	}
	small := func(dst, sum int, a string) (asm, mir string) { return product("4X4X1F32", 4, dst, sum, a) }
	read := func(v, a int) (asm, mir string) {
		return fmt.Sprintf("v_accvgpr_read_b32 v%d, a%d", v, a),
			fmt.Sprintf("$vgpr%d = V_ACCVGPR_READ_B32_e64 $agpr%d, implicit $exec", v, a)
	}
	write := func(a, v int) (asm, mir string) {
		return fmt.Sprintf("v_accvgpr_write_b32 a%d, v%d", a, v),
			fmt.Sprintf("$agpr%d = V_ACCVGPR_WRITE_B32_e64 $vgpr%d, implicit $exec", a, v)
	}
	var before, mir string
	add := func(name string, need int, after, mirAfter string) {
		cases = append(cases, hazardCase{"gfx908 " + name, "gfx908", before, after, [2]string{mir,
			mirAfter}, need})
	}
	text := func(asm, mir string) (string, string) { return asm, mir }
	for _, c := range []struct {
		shape string
		n     int
		needs [6]int
	}{
		{"4X4X1F32", 4, [6]int{4, 1, 4, 0, 2, 0}}, {"16X16X4F32", 4, [6]int{10, 7, 4, 0, 2, 5}},
		{"32X32X2F32", 16, [6]int{18, 15, 4, 0, 2, 13}},
	} {
		before, mir = product(c.shape, c.n, 32, 64, "v1")
		for i, then := range []struct {
			name  string
			after func() (asm, mir string)
		}{
			{"read", func() (string, string) { return read(5, 33) }},
			{"written", func() (string, string) { return write(33, 3) }},
			{"factor", func() (string, string) { return small(0, 4, "a33") }},
			{"the same sum", func() (string, string) { return product(c.shape, c.n, 32, 32, "v1") }},
			{"another sum", func() (string, string) { return small(0, 33, "v1") }},
			{"sum written", func() (string, string) { return write(65, 3) }},
		} {
			after, mirAfter := then.after()
			add(c.shape+" "+then.name, c.needs[i], after, mirAfter)
		}
	}
	before, mir = write(5, 3)
	asm, m := small(0, 8, "a5")
	add("written factor", 3, asm, m)
	asm, m = small(0, 4, "v1")
	add("written sum", 1, asm, m)
	asm, m = read(5, 5)
	add("written and read", 3, asm, m)
	before, mir = text("v_mov_b32_e32 v1, v3", moveOne)
	asm, m = small(0, 4, "v1")
	add("factor of a vector instruction", 2, asm, m)
	asm, m = write(5, 1)
	add("written of a vector instruction", 2, asm, m)
	before, mir = text("v_cmpx_eq_u32_e32 vcc, v0, v0", maskAll)
	add("written under EXEC", 4, asm, m)
	asm, m = small(0, 4, "v1")
	add("product under EXEC", 4, asm, m)
	asm, m = read(5, 5)
	add("read under EXEC", 0, asm, m)
	before, mir = read(5, 5)
	add("read and stored", 2, "ds_write_b32 v2, v5", "DS_WRITE_B32_gfx9 $vgpr2, $vgpr5, 0, 0, implicit $exec")
	asm, m = text("v_mov_b32_e32 v6, v5", "$vgpr6 = V_MOV_B32_e32 $vgpr5, implicit $exec")
	add("read and moved", 0, asm, m)
	return append(cases, threeHazards(read, write)...)
}

// threeHazards are those between three instructions, the second of which moves an accumulation register, and
// what looks like them. With dot products, which are vector instructions like others on gfx908.
func threeHazards(read, write func(int, int) (asm, mir string)) (cases []hazardCase) {
	const store, storeMIR = "ds_write_b32 v2, v1", "DS_WRITE_B32_gfx9 $vgpr2, $vgpr1, 0, 0, implicit $exec"
	const move, dot = "v_mov_b32_e32 v1, v3", "v_dot2_f32_f16 v1, v2, v3, v4"
	const other, otherMIR = "v_mov_b32_e32 v6, v3", "$vgpr6 = V_MOV_B32_e32 $vgpr3, implicit $exec"
	dotMIR := dotThen("")[0]
	reads, readsMIR := read(5, 5)
	writes, writesMIR := write(5, 3)
	for _, c := range []struct {
		name        string
		before, mir []string
		need        int
	}{
		{"read beneath a store", []string{move, reads}, []string{moveOne, readsMIR}, 1},
		{"write beneath a store", []string{move, writes}, []string{moveOne, writesMIR}, 1},
		{"write beneath the store of a dot product", []string{dot, writes}, []string{dotMIR, writesMIR}, 1},
		{"read beneath a store of another", []string{other, reads}, []string{otherMIR, readsMIR}, 0},
		{"write beneath a store, later", []string{move, other, writes}, []string{moveOne, otherMIR,
			writesMIR}, 0},
		{"a vector instruction beneath a store", []string{move, other}, []string{moveOne, otherMIR}, 0},
	} {
		cases = append(cases, hazardCase{"gfx908 " + c.name, "gfx908", strings.Join(c.before, "\n"), store,
			[2]string{strings.Join(c.mir, "\n"), storeMIR}, c.need})
	}
	return append(cases, hazardCase{"gfx908 dot product read by DPP", "gfx908", dot,
		"v_mov_b32_dpp v5, v1 row_shl:1 row_mask:0xf bank_mask:0xf",
		dotThen("$vgpr5 = V_MOV_B32_dpp $vgpr5, $vgpr1, 257, 15, 15, 0, implicit $exec"), 2})
}

// TestHazardsSuperseded: what a matrix instruction leaves is of no account where a later one has left it,
// which has waited for it; LLVM, too, wants the 5 wait states behind the later one alone.
func TestHazardsSuperseded(t *testing.T) {
	all := hazardPrograms(t)
	const slow, read = "v_mfma_f32_16x16x4f32 v[8:11], v1, v2, v[12:15]", "v_add_f32_e32 v2, v9, v3"
	for states, want := range map[int]string{4: ": needs 5 wait states between, has 4", 5: ""} {
		got := strings.Join(all.undefined(t, "gfx90a", append([]string{slow}, padded(small90a, read,
			states)...)),
			";")
		if !strings.HasSuffix(got, want) || (got == "") != (want == "") {
			t.Errorf("%d wait states: %q, want %q", states, got, want)
		}
	}
}
