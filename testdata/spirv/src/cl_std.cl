// Every function of OpenCL.std that the machine has and that gives one number for one or more, for an oracle.
#define F(n, e) f[g * 96 + n] = (e);
#define I(n, e) u[g * 96 + n] = (uint)(e);
__kernel void cl_std(__global const float *a, __global float *f, __global uint *u) {
    int g = get_global_id(0);
    float x = a[3 * g], y = a[3 * g + 1], z = a[3 * g + 2];
    float c = fmin(fmax(y, -1.0f), 1.0f), p = fabs(x) + 0.25f;
    F(0, acos(c)) F(1, acosh(p + 1.0f)) F(2, acospi(c)) F(3, asin(c)) F(4, asinh(x)) F(5, asinpi(c)) F(6, atan(x))
    F(7, atan2(x, y)) F(8, atanh(c * 0.9f)) F(9, atanpi(x)) F(10, atan2pi(x, y)) F(11, cbrt(x)) F(12, ceil(x))
    F(13, copysign(x, y)) F(14, cos(x)) F(15, cosh(y)) F(16, cospi(x)) F(17, erfc(y)) F(18, erf(y)) F(19, exp(y))
    F(20, exp2(y)) F(21, exp10(c)) F(22, expm1(y)) F(23, fabs(x)) F(24, fdim(x, y)) F(25, floor(x)) F(26, fma(x, y, z))
    F(27, fmax(x, y)) F(28, fmin(x, y)) F(29, fmod(x, p)) F(30, hypot(x, y)) F(31, ldexp(x, 3)) F(32, lgamma(p))
    F(33, log(p)) F(34, log2(p)) F(35, log10(p)) F(36, log1p(p)) F(37, logb(p)) F(38, mad(x, 2.0f, 0.5f)) F(39, maxmag(x, y))
    F(40, minmag(x, y)) F(41, nextafter(x, y)) F(42, pow(p, y)) F(43, pown(x, 3)) F(44, powr(p, y)) F(45, remainder(x, p))
    F(46, rint(x)) F(47, rootn(p, 3)) F(48, round(x)) F(49, rsqrt(p)) F(50, sin(x)) F(51, sinh(y)) F(52, sinpi(x))
    F(53, sqrt(p)) F(54, tan(y)) F(55, tanh(x)) F(56, tanpi(c * 0.4f)) F(57, tgamma(p)) F(58, trunc(x))
    F(59, half_divide(x, p)) F(60, half_recip(p)) F(61, native_rsqrt(p)) F(62, native_exp(y)) F(63, half_powr(p, y))
    F(64, clamp(x, -1.0f, 1.0f)) F(65, degrees(x)) F(66, mix(x, y, 0.25f)) F(67, radians(x)) F(68, step(x, y))
    F(69, smoothstep(-2.0f, 2.0f, x)) F(70, sign(x))
    float3 v = (float3)(x, y, z), w = (float3)(z, x, y);
    F(71, cross(v, w).y) F(72, distance(v, w)) F(73, length(v)) F(74, normalize(v).z) F(75, fast_length(v)) F(76, dot(v, w))
    float s, whole;
    int e, q;
    F(77, fract(x, &s)) F(78, s) F(79, frexp(x, &e)) F(80, (float)e) F(81, modf(x, &whole)) F(82, whole) F(83, sincos(x, &s))
    F(84, s) F(85, lgamma_r(p, &q)) F(86, (float)q)
    float4 four = (float4)(x, y, z, p);
    F(87, shuffle(four, (uint4)(3, 1, 0, 2)).x) F(88, shuffle2(four, four * 2.0f, (uint4)(5, 1, 0, 2)).x)
    F(89, select(x, y, x < y)) F(90, bitselect(x, y, as_float(0x80000000u)))
    int i = as_int(x) >> 3, j = as_int(y), k = as_int(z);
    uint m = as_uint(x), n = as_uint(y), o = as_uint(z);
    I(0, abs(i)) I(1, abs_diff(i, j)) I(2, add_sat(i, j)) I(3, add_sat(m, n)) I(4, hadd(i, j)) I(5, hadd(m, n))
    I(6, rhadd(i, j)) I(7, rhadd(m, n)) I(8, clamp(i, -5, 5)) I(9, clamp(m, 5u, 500u)) I(10, clz(i)) I(11, mad_hi(i, j, k))
    I(12, mad_hi(m, n, o)) I(13, mad_sat(i, j, k)) I(14, mad_sat(m, n, o)) I(15, max(i, j)) I(16, max(m, n)) I(17, min(i, j))
    I(18, min(m, n)) I(19, mul_hi(i, j)) I(20, mul_hi(m, n)) I(21, rotate(m, n & 31)) I(22, sub_sat(i, j)) I(23, sub_sat(m, n))
    I(24, upsample((ushort)m, (ushort)n)) I(25, upsample((short)i, (ushort)n)) I(26, popcount(m)) I(27, mad24(i & 0xffff, j & 0xff, k))
    I(28, mul24(i & 0xffff, j & 0xff)) I(29, mul24(m & 0xffffu, n & 0xffu)) I(30, abs_diff(m, n)) I(31, ilogb(p))
    I(32, add_sat((char)i, (char)j)) I(33, sub_sat((uchar)m, (uchar)n)) I(34, mad_sat((short)i, (short)j, (short)k))
    I(35, clz((uchar)m)) I(36, rotate((ushort)m, (ushort)5)) I(37, hadd((char)i, (char)j)) I(38, mul_hi((short)i, (short)j))
    I(39, convert_int_sat(x * 1e9f)) I(40, convert_uchar_sat_rte(y * 100.0f)) I(41, convert_short_rtp(y)) I(42, convert_short_rtn(y))
    I(43, as_uint(convert_float_rtz(i))) I(44, as_uint(convert_float_rtp(m))) I(45, convert_char_sat(i)) I(46, convert_uint_rte(p))
    ulong a64 = ((ulong)m << 32) | n, b64 = ((ulong)o << 32) | m;
    ulong r = mul_hi(a64, b64) ^ add_sat(a64, b64) ^ hadd(a64, b64) ^ rotate(a64, (ulong)17) ^ (ulong)mul_hi((long)a64, (long)b64) ^
              (ulong)add_sat((long)a64, (long)b64) ^ (ulong)sub_sat((long)a64, (long)b64) ^ (ulong)mad_sat((long)a64, (long)b64, (long)a64);
    I(47, r) I(48, r >> 32) I(49, popcount(a64) + clz(b64)) I(50, as_uint(nan(5u)) >> 22)
}
