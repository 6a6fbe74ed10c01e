// What numbers of 16 bits have in common: SHORT is the type, SHORT2 two of them, FLOAT what they are computed in.
// cuda_fp16.h and cuda_bf16.h include this with their names.

#define SHORT_OPERATOR(op)                                                                                           \
  static inline __host__ __device__ SHORT operator op(SHORT a, SHORT b) { return SHORT((float)a op(float) b); }       \
  static inline __host__ __device__ SHORT &operator op##=(SHORT &a, SHORT b) { return a = a op b; }                   \
  static inline __host__ __device__ SHORT2 operator op(SHORT2 a, SHORT2 b) { return {a.x op b.x, a.y op b.y}; }       \
  static inline __host__ __device__ SHORT2 &operator op##=(SHORT2 &a, SHORT2 b) { return a = a op b; }
SHORT_OPERATOR(+)
SHORT_OPERATOR(-)
SHORT_OPERATOR(*)
SHORT_OPERATOR(/)
#undef SHORT_OPERATOR
static inline __host__ __device__ SHORT operator-(SHORT a) { return SHORT(-(float)a); }
static inline __host__ __device__ SHORT2 operator-(SHORT2 a) { return {-a.x, -a.y}; }
#define SHORT_COMPARES(op, name)                                                                                     \
  static inline __host__ __device__ bool operator op(SHORT a, SHORT b) { return (float)a op(float) b; }               \
  static inline __host__ __device__ bool name(SHORT a, SHORT b) { return a op b; }
SHORT_COMPARES(==, __heq)
SHORT_COMPARES(!=, __hne)
SHORT_COMPARES(<, __hlt)
SHORT_COMPARES(<=, __hle)
SHORT_COMPARES(>, __hgt)
SHORT_COMPARES(>=, __hge)
#undef SHORT_COMPARES

#define SHORT_FUNCTION(name, what)                                                                   \
  static inline __host__ __device__ SHORT name(SHORT a, SHORT b) { return what; }                     \
  static inline __host__ __device__ SHORT2 name##2(SHORT2 a, SHORT2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
SHORT_FUNCTION(__hadd, a + b)
SHORT_FUNCTION(__hsub, a - b)
SHORT_FUNCTION(__hmul, a *b)
SHORT_FUNCTION(__hmax, a > b || (float)b != (float)b ? a : b)
SHORT_FUNCTION(__hmin, a < b || (float)b != (float)b ? a : b)
#undef SHORT_FUNCTION
static inline __host__ __device__ SHORT __hdiv(SHORT a, SHORT b) { return a / b; }
static inline __host__ __device__ SHORT2 __h2div(SHORT2 a, SHORT2 b) { return a / b; }
static inline __host__ __device__ SHORT __hneg(SHORT a) { return -a; }
static inline __host__ __device__ SHORT2 __hneg2(SHORT2 a) { return -a; }
static inline __host__ __device__ SHORT __habs(SHORT a) { return a < SHORT(0.0f) ? -a : a; }
static inline __host__ __device__ SHORT2 __habs2(SHORT2 a) { return {__habs(a.x), __habs(a.y)}; }
static inline __host__ __device__ bool __hisnan(SHORT a) { return a != a; }
static inline __host__ __device__ int __hisinf(SHORT a) {
  return (float)a == __builtin_inff() ? 1 : (float)a == -__builtin_inff() ? -1 : 0;
}
// The product of two such numbers is exact in a double, and its sum with a third is rounded once.
static inline __host__ __device__ SHORT __hfma(SHORT a, SHORT b, SHORT c) {
  return SHORT((double)(float)a * (double)(float)b + (double)(float)c);
}
static inline __host__ __device__ SHORT2 __hfma2(SHORT2 a, SHORT2 b, SHORT2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
static inline __host__ __device__ SHORT __low2(SHORT2 a) { return a.x; }
static inline __host__ __device__ SHORT __high2(SHORT2 a) { return a.y; }

#ifdef __CUDA__ // what kernels alone call
#define SHORT_OF_ONE(name, what)                                                          \
  static inline __device__ SHORT name(SHORT a) { return SHORT(what((float)a)); }           \
  static inline __device__ SHORT2 h2##name(SHORT2 a) { return {name(a.x), name(a.y)}; }
#define h2hexp h2exp
#define h2hexp2 h2exp2
#define h2hlog h2log
#define h2hlog2 h2log2
#define h2hlog10 h2log10
#define h2hsqrt h2sqrt
#define h2hrsqrt h2rsqrt
#define h2hsin h2sin
#define h2hcos h2cos
#define h2hceil h2ceil
#define h2hfloor h2floor
#define h2hrint h2rint
#define h2htrunc h2trunc
SHORT_OF_ONE(hexp, expf)
SHORT_OF_ONE(hexp2, exp2f)
SHORT_OF_ONE(hlog, logf)
SHORT_OF_ONE(hlog2, log2f)
SHORT_OF_ONE(hlog10, log10f)
SHORT_OF_ONE(hsqrt, sqrtf)
SHORT_OF_ONE(hrsqrt, rsqrtf)
SHORT_OF_ONE(hsin, sinf)
SHORT_OF_ONE(hcos, cosf)
SHORT_OF_ONE(hceil, ceilf)
SHORT_OF_ONE(hfloor, floorf)
SHORT_OF_ONE(hrint, rintf)
SHORT_OF_ONE(htrunc, truncf)
#undef SHORT_OF_ONE
static inline __device__ SHORT hrcp(SHORT a) { return SHORT(1 / (float)a); }

static inline __device__ SHORT atomicAdd(SHORT *p, SHORT v) {
  unsigned *word = (unsigned *)((uintptr_t)p & ~(uintptr_t)2), old = *word, seen;
  int shift = ((uintptr_t)p & 2) * 8;
  do {
    seen = old;
    SHORT sum = SHORT::of((unsigned short)(seen >> shift)) + v;
    old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)sum.bits() << shift);
  } while (old != seen);
  return SHORT::of((unsigned short)(old >> shift));
}
static inline __device__ SHORT2 atomicAdd(SHORT2 *p, SHORT2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
#define SHORT_SHUFFLE(name, type)                                                                                    \
  static inline __device__ SHORT name(unsigned mask, SHORT v, type n, int width = 32) {                               \
    return SHORT::of((unsigned short)name(mask, (unsigned)v.bits(), n, width));                                       \
  }                                                                                                                  \
  static inline __device__ SHORT2 name(unsigned mask, SHORT2 v, type n, int width = 32) {                             \
    return {name(mask, v.x, n, width), name(mask, v.y, n, width)};                                                   \
  }
SHORT_SHUFFLE(__shfl_sync, int)
SHORT_SHUFFLE(__shfl_up_sync, unsigned)
SHORT_SHUFFLE(__shfl_down_sync, unsigned)
SHORT_SHUFFLE(__shfl_xor_sync, int)
#undef SHORT_SHUFFLE
#define SHORT_LOAD(name)                                                \
  static inline __device__ SHORT name(const SHORT *p) { return *p; }     \
  static inline __device__ SHORT2 name(const SHORT2 *p) { return *p; }
SHORT_LOAD(__ldg) SHORT_LOAD(__ldcg) SHORT_LOAD(__ldca) SHORT_LOAD(__ldcs) SHORT_LOAD(__ldlu) SHORT_LOAD(__ldcv)
#undef SHORT_LOAD
#define SHORT_STORE(name)                                               \
  static inline __device__ void name(SHORT *p, SHORT v) { *p = v; }      \
  static inline __device__ void name(SHORT2 *p, SHORT2 v) { *p = v; }
SHORT_STORE(__stwb) SHORT_STORE(__stcg) SHORT_STORE(__stcs) SHORT_STORE(__stwt)
#undef SHORT_STORE
#endif // __CUDA__
#include "cuda_half_more.h"
