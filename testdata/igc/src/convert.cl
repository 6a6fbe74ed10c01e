// Conversions with every rounding mode, and with saturation. oracle.c compiles this as C: PoCL's conversions of large
// numbers are not exact.
#pragma OPENCL FP_CONTRACT OFF

kernel void conversions(global int *out, global const float *in) {
	uint i = get_global_id(0);
	float x = in[i] * 600 - 300;
	int r = convert_int_rte(x) + 3 * convert_int_rtz(x) + 5 * convert_int_rtp(x) + 7 * convert_int_rtn(x);
	r ^= convert_char_sat(x) << 8;
	r += convert_uchar_sat(x) << 4;
	r ^= convert_short_sat_rte(x * 1000) << 1;
	r += convert_ushort_sat(x * 1000);
	r ^= convert_int_sat(x * 1e8f);
	r += convert_uint_sat(x * 1e8f);
	int k = as_int(x) * 77;
	r ^= as_int(convert_float_rtp(k)) + as_int(convert_float_rtn(k)) * 3 + as_int(convert_float_rtz(k)) * 5;
	r += as_int(convert_float((long)k * 1234567)) ^ as_int(convert_float((uint)k));
	r += (int)(convert_long_sat(x * 1e17f) >> 20);
	out[i] = r;
}
