// More of what numbers of 16 bits have in common, seldom used: cuda_half_operations.h includes this.
//
// Source: "CUDA Math API", "Half Precision Intrinsics", "Bfloat16 Precision Intrinsics".

// Comparisons that hold of what is no number, too.
#define SHORT_UNORDERED(relation)                                                                                    \
  static inline __host__ __device__ bool __h##relation##u(SHORT a, SHORT b) {                                         \
    return __h##relation(a, b) || __hisnan(a) || __hisnan(b);                                                        \
  }
SHORT_UNORDERED(eq) SHORT_UNORDERED(ne) SHORT_UNORDERED(lt) SHORT_UNORDERED(le) SHORT_UNORDERED(gt) SHORT_UNORDERED(ge)
#undef SHORT_UNORDERED
// Of two numbers each: 1 or 0 for each, all bits or none for each, and whether it is so of both.
#define SHORT_PAIRS(relation)                                                                                        \
  static inline __host__ __device__ SHORT2 __h##relation##2(SHORT2 a, SHORT2 b) {                                     \
    return {SHORT(__h##relation(a.x, b.x) ? 1.0f : 0.0f), SHORT(__h##relation(a.y, b.y) ? 1.0f : 0.0f)};             \
  }                                                                                                                  \
  static inline __host__ __device__ unsigned __h##relation##2_mask(SHORT2 a, SHORT2 b) {                              \
    return (__h##relation(a.x, b.x) ? 0xffffu : 0) | (__h##relation(a.y, b.y) ? 0xffff0000u : 0);                    \
  }                                                                                                                  \
  static inline __host__ __device__ bool __hb##relation##2(SHORT2 a, SHORT2 b) {                                      \
    return __h##relation(a.x, b.x) && __h##relation(a.y, b.y);                                                       \
  }
SHORT_PAIRS(eq) SHORT_PAIRS(ne) SHORT_PAIRS(lt) SHORT_PAIRS(le) SHORT_PAIRS(gt) SHORT_PAIRS(ge)
SHORT_PAIRS(equ) SHORT_PAIRS(neu) SHORT_PAIRS(ltu) SHORT_PAIRS(leu) SHORT_PAIRS(gtu) SHORT_PAIRS(geu)
#undef SHORT_PAIRS
static inline __host__ __device__ SHORT2 __hisnan2(SHORT2 a) {
  return {SHORT(__hisnan(a.x) ? 1.0f : 0.0f), SHORT(__hisnan(a.y) ? 1.0f : 0.0f)};
}

// Rounded, and not made one operation with another; kept between 0 and 1; not below 0; and no number if either is none.
#define SHORT_OF_TWO(name, name2, what)                                                                              \
  static inline __host__ __device__ SHORT name(SHORT a, SHORT b) { return what; }                                     \
  static inline __host__ __device__ SHORT2 name2(SHORT2 a, SHORT2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define SHORT_OF_THREE(name, name2, what)                                                                            \
  static inline __host__ __device__ SHORT name(SHORT a, SHORT b, SHORT c) { return what; }                            \
  static inline __host__ __device__ SHORT2 name2(SHORT2 a, SHORT2 b, SHORT2 c) {                                      \
    return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                                                               \
  }
static inline __host__ __device__ SHORT __short_saturated(SHORT a) {
  return (float)a > 0 ? (float)a < 1 ? a : SHORT(1.0f) : SHORT(0.0f);
}
SHORT_OF_TWO(__hadd_rn, __hadd2_rn, __hadd(a, b))
SHORT_OF_TWO(__hsub_rn, __hsub2_rn, __hsub(a, b))
SHORT_OF_TWO(__hmul_rn, __hmul2_rn, __hmul(a, b))
SHORT_OF_TWO(__hadd_sat, __hadd2_sat, __short_saturated(__hadd(a, b)))
SHORT_OF_TWO(__hsub_sat, __hsub2_sat, __short_saturated(__hsub(a, b)))
SHORT_OF_TWO(__hmul_sat, __hmul2_sat, __short_saturated(__hmul(a, b)))
SHORT_OF_THREE(__hfma_sat, __hfma2_sat, __short_saturated(__hfma(a, b, c)))
SHORT_OF_THREE(__hfma_relu, __hfma2_relu, __hmax(__hfma(a, b, c), SHORT(0.0f)))
SHORT_OF_TWO(__hmax_nan, __hmax2_nan, __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b))
SHORT_OF_TWO(__hmin_nan, __hmin2_nan, __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b))
#undef SHORT_OF_TWO
#undef SHORT_OF_THREE
// Complex numbers: a * b + c.
static inline __host__ __device__ SHORT2 __hcmadd(SHORT2 a, SHORT2 b, SHORT2 c) {
  return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
#ifdef __CUDA__
static inline __device__ SHORT hexp10(SHORT a) { return SHORT(exp10f((float)a)); }
static inline __device__ SHORT htanh(SHORT a) { return SHORT(tanhf((float)a)); }
static inline __device__ SHORT2 h2exp10(SHORT2 a) { return {hexp10(a.x), hexp10(a.y)}; }
static inline __device__ SHORT2 h2tanh(SHORT2 a) { return {htanh(a.x), htanh(a.y)}; }
static inline __device__ SHORT2 h2rcp(SHORT2 a) { return {hrcp(a.x), hrcp(a.y)}; }
#endif

// Rounded down, up and toward zero: the number beside the nearest, where that lies on the other side. The pointer says of
// which type.
static inline __host__ __device__ SHORT __short_beside(SHORT a, bool up) {
  unsigned short b = a.bits(), sign = b & 0x8000;
  if ((b & 0x7fff) == 0) return SHORT::of(up ? 1 : 0x8001);
  return SHORT::of((unsigned short)(b + ((sign == 0) == up ? 1 : -1)));
}
static inline __host__ __device__ SHORT __short_down(double x, SHORT *) {
  SHORT a(x);
  return (double)(float)a > x ? __short_beside(a, false) : a;
}
static inline __host__ __device__ SHORT __short_up(double x, SHORT *) {
  SHORT a(x);
  return (double)(float)a < x ? __short_beside(a, true) : a;
}
static inline __host__ __device__ SHORT __short_zero(double x, SHORT *to) {
  return x < 0 ? __short_up(x, to) : __short_down(x, to);
}

// Conversions, by the names that the type has in them.
#define SHORT_CONVERSION(T, from, to, of)                                                                            \
  static inline __host__ __device__ SHORT from##_rn(T x) { return SHORT(x); }                                        \
  static inline __host__ __device__ SHORT from##_rz(T x) { return __short_zero((double)x, (SHORT *)0); }                          \
  static inline __host__ __device__ SHORT from##_rd(T x) { return __short_down((double)x, (SHORT *)0); }                          \
  static inline __host__ __device__ SHORT from##_ru(T x) { return __short_up((double)x, (SHORT *)0); }                            \
  static inline __host__ __device__ T to##_rn(SHORT h) { return of(__builtin_rintf((float)h)); }                      \
  static inline __host__ __device__ T to##_rz(SHORT h) { return of((float)h); }                                      \
  static inline __host__ __device__ T to##_rd(SHORT h) { return of(__builtin_floorf((float)h)); }                     \
  static inline __host__ __device__ T to##_ru(SHORT h) { return of(__builtin_ceilf((float)h)); }
// What does not fit is the nearest that does, and what is no number is 0.
#define SHORT_LIMITED(name, T, least, most)                                                                          \
  static inline __host__ __device__ T name(float x) {                                                                \
    return x != x ? (T)0 : x <= (float)(least) ? (T)(least) : x >= (float)(most) ? (T)(most) : (T)x;                  \
  }
#ifndef CUDA_SHORT_LIMITS
#define CUDA_SHORT_LIMITS
SHORT_LIMITED(__short_to_int, int, INT_MIN, INT_MAX)
SHORT_LIMITED(__short_to_uint, unsigned, 0, UINT_MAX)
SHORT_LIMITED(__short_to_short, short, SHRT_MIN, SHRT_MAX)
SHORT_LIMITED(__short_to_ushort, unsigned short, 0, USHRT_MAX)
SHORT_LIMITED(__short_to_ll, long long, LLONG_MIN, LLONG_MAX)
SHORT_LIMITED(__short_to_ull, unsigned long long, 0, ULLONG_MAX)
#endif
#undef SHORT_LIMITED
