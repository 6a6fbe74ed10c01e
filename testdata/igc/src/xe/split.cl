// Sub-groups in pairs multiply by one matrix, of which each has a half: dpasw of Xe-HPG.
float8 __attribute__((overloadable)) intel_sub_group_f16_f16_split_matrix_mad_k16(int4 a, int8 b, float8 c);

__attribute__((intel_reqd_sub_group_size(8)))
kernel void split(global float *out, global const uint *in) {
	uint l = get_sub_group_local_id(), s = get_sub_group_id();
	global const uint *a = in + s * 32 + l, *b = in + 128 + s * 64 + l;
	int4 left = (int4)(a[0], a[8], a[16], a[24]);
	int8 right = (int8)(b[0], b[8], b[16], b[24], b[32], b[40], b[48], b[56]);
	float8 sum = intel_sub_group_f16_f16_split_matrix_mad_k16(left, right, (float8)(s));
	global float *to = out + s * 64 + l;
	to[0] = sum.s0, to[8] = sum.s1, to[16] = sum.s2, to[24] = sum.s3;
	to[32] = sum.s4, to[40] = sum.s5, to[48] = sum.s6, to[56] = sum.s7;
}
