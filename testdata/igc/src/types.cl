// Types of every width, conversions, vectors.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void longs(global long *out, global const long *in) {
	uint i = get_global_id(0);
	long a = in[2 * i], b = in[2 * i + 1];
	ulong ua = a, ub = b;
	long r = a + b * 3;
	r ^= a << (b & 63);
	r += a >> (b & 31);
	r ^= (long)(ua >> (ub & 63));
	r -= a < b ? a : b;
	r += ua < ub ? 17 : 99;
	r ^= (long)mul_hi(ua, ub);
	r += mul_hi(a, b);
	r ^= (long)rotate(ua, (ulong)13);
	r += popcount(a) + clz(b);
	out[i] = r;
}

kernel void longdiv(global long *out, global const long *in) {
	uint i = get_global_id(0);
	long a = in[2 * i], b = in[2 * i + 1] >> (i & 31) | 1;
	out[i] = a / b * 7 + a % b + (long)((ulong)a / (ulong)b) - (long)((ulong)a % (ulong)b);
}

kernel void ints(global int *out, global const int *in) {
	uint i = get_global_id(0);
	int a = in[2 * i], b = in[2 * i + 1] >> (i & 15) | 1;
	int r = a / b * 31 + a % b;
	r ^= (uint)a / (uint)b + (uint)a % (uint)b * 7;
	r += mul_hi(a, b) ^ (int)mul_hi((uint)a, (uint)b);
	r ^= mad24(a, b, r) + mul24(b, r);
	r += popcount(a) + clz(a) + (int)ctz((uint)b);
	r ^= rotate(a, b) + (int)rotate((uint)b, (uint)a & 31);
	r += add_sat(a, b) ^ sub_sat(a, b) ^ (int)add_sat((uint)a, (uint)b);
	r ^= hadd(a, b) + rhadd(a, b) + (int)abs_diff(a, b);
	r += clamp(a, -1000, 1000) + max(a, b) - min(a, b);
	r ^= upsample((short)a, (ushort)b);
	out[i] = r;
}

kernel void narrow(global short *out, global const char *in) {
	uint i = get_global_id(0);
	char a = in[2 * i], b = in[2 * i + 1];
	uchar ua = a, ub = b;
	short s = (short)(a * b), t = (short)(s << 3);
	ushort us = (ushort)(ua * 257);
	s += add_sat(a, b) + sub_sat(a, b);
	s ^= add_sat(ua, ub) + sub_sat(ua, ub);
	s += t / (short)(b | 1) + us % (ushort)(ub | 1);
	s ^= rotate(us, (ushort)5) + (short)rotate(ua, (uchar)3);
	s += popcount(ua) + clz(a) + clz(us);
	s ^= (short)(mul_hi(s, t) + (short)mul_hi(ua, ub));
	s += a > b ? max(a, b) : (char)(a >> 2);
	out[i] = s;
}

kernel void floats(global float *out, global const float *in) {
	uint i = get_global_id(0);
	float a = in[2 * i] * 64 - 32, b = in[2 * i + 1] * 4 - 2;
	float r = a * b + a - b;
	r += floor(a) - ceil(b) + trunc(a * b) + rint(a) * 0.5f;
	r = r > 10 ? r - fabs(a) : r + copysign(a, b);
	r += fmin(a, b) * fmax(a, b) + fma(a, b, r);
	r += (float)(int)a + (float)(uint)fabs(b * 100) + (float)(short)(b * 50);
	r += isless(a, b) + isgreaterequal(a, b) * 2 + signbit(a) * 4;
	r += mix(a, b, 0.25f) + step(a, b) + sign(b);
	r += ldexp(a, 3) - (float)ilogb(a + 100) + clamp(a, -1.0f, 1.0f);
	out[i] = r;
}

kernel void doubles(global double *out, global const double *in) {
	uint i = get_global_id(0);
	double a = in[2 * i] * 100 - 50, b = in[2 * i + 1] + 0.5;
	double r = a * b + a - b;
	r = r > 1 ? r * 3 : r - 7;
	r += fma(a, b, r) + floor(a) + (double)(int)a + (double)(float)b;
	r += (double)(long)(a * 1e10) + (double)(uint)(b * 1e6);
	r += fmin(a, b) - fmax(a, r) + fabs(a);
	out[i] = r;
}

kernel void doublediv(global double *out, global const double *in) {
	uint i = get_global_id(0);
	double a = in[2 * i] * 100 - 50, b = in[2 * i + 1] + 0.5;
	out[i] = a / b + sqrt(b) - 1.0 / a;
}

kernel void halves(global float *out, global half *packed, global const float *in) {
	uint i = get_global_id(0);
	float x = in[i] * 1000 - 500;
	vstore_half(x, i, packed);
	vstore_half_rtz(x * 3, 64 + i, packed);
	float y = vload_half(i, packed);
	out[i] = y * 2 - vload_half(64 + i, packed);
}

kernel void vectors(global int4 *out, global const int4 *in, global const float4 *fin) {
	uint i = get_global_id(0);
	int4 v = in[i], w = v.wzyx;
	float4 f = fin[i] * 8.0f;
	v += w * 3;
	v.xz = v.yw ^ (int2)(5, 9);
	int4 m = f > 4.0f;
	v = select(v, w, m);
	v += convert_int4(f * (float4)(1, 2, 3, 4));
	short8 s = vload8(0, (global const short *)&in[i]);
	v.s0 += s.s7 - s.s1;
	uchar16 u = as_uchar16(w);
	v.s3 += u.sf + u.s3 * u.s8;
	v.y ^= (int)dot(floor(f), (float4)(1, 2, 4, 8));
	out[i] = any(v == w) ? v : v - all(m);
}

kernel void bits(global uint *out, global const uint *in) {
	uint i = get_global_id(0);
	uint x = in[i], r = 0;
	for (int k = 0; k < 32; k++)
		r |= (x >> k & 1) << (31 - k);
	r ^= bitselect(x, ~x << 3, 0x00ff00ffu);
	r += (x >> 5 & 0x3f) | (x & 0xffe0) << 6;
	r ^= ~(x & (x - 1)) + (x | x >> 1);
	out[i] = r;
}
