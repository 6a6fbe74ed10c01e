package gcn

import (
	"regexp"

	"simtgdb/simt/pattern"
)

// An approximation is a set of instructions whose results may differ from hardware's though nothing is
// wrong, and by how much.
type approximation struct {
	names func() *regexp.Regexp
	far   string
}

// approximations are all there are; the first that matches counts. Every other instruction that
// executes gives the bits that the ISA documents define.
var approximations = []approximation{
	{pattern.Compile(`^v_rcp_iflag_f32$`),
		"the nearest value; hardware is within 1 ulp of the real one, and divisions of integers correct it"},
	{pattern.Compile(`^v_(s_)?(rcp|sqrt)_(f16|f32|bf16)$`),
		"the nearest value; hardware is within 1 ulp of the real one"},
	{pattern.Compile(`^v_(s_)?(rsq|exp|log|exp_legacy|log_legacy|tanh)_(f16|f32|bf16)$`),
		"within 1 ulp of the real value, as hardware is"},
	{pattern.Compile(`^v_(sin|cos)_(f16|f32|bf16)$`),
		"within one unit of the last place of 1, as hardware is"},
	{pattern.Compile(`^v_(rcp|rsq|sqrt)_f64$`),
		"within 1 ulp of the real value; hardware gives a first approximation of about 2^-24"},
	{pattern.Compile(`^v_(mfma|smfmac|wmma|swmmac)_b?f`),
		"each product is added by a fused multiply-add, in the order of k; hardware's order and rounding " +
			"between the sums are not published"},
	{pattern.Compile(`^v_dot(2c?|2acc|4)_b?f`),
		"the products are added one after the other, each sum rounded; hardware may keep more bits between"},
	{pattern.Compile(`_atomic_(pk_)?(add|min|max)(_num)?_b?f|_atomic_f(min|max)|^ds_(pk_)?add_(rtn_)?b?f`),
		"rounds to nearest even and keeps denormals, whatever MODE says"},
	{pattern.Compile(`^v_cvt_scalef32_sr_pk(8|16)_`),
		"each number is rounded by the next state of v_prng_b32; hardware's way is not published"},
	{pattern.Compile(`^v_cvt_scalef32_sr_pk`),
		"all numbers are rounded by the same random bits; hardware's way is not published"},
	{pattern.Compile(`^s_(mem(real)?time|get_shader_cycles_u64)$`),
		"counts the instructions of the wave, not time"},
	{pattern.Compile(`^s_getreg_b32$`), "HW_ID, GPR_ALLOC and LDS_ALLOC describe one compute unit"},
	{pattern.Compile(`^s_sendmsg_rtn_`), "what it asks for reads as 0"},
	{pattern.Compile(`store_format_`),
		"components of the format that the instruction does not have become 0"},
}

// Approximate says by how much an instruction's results may differ from hardware's, "" for one that is exact.
func Approximate(name string) string {
	for _, a := range approximations {
		if a.names().MatchString(name) {
			return a.far
		}
	}
	return ""
}
