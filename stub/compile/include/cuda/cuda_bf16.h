// Numbers of 16 bits with the exponents of floats, as CUDA programs use them.
#pragma once
#include "cuda_runtime.h"

struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  constexpr __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
  __host__ __device__ __nv_bfloat16(float x) {
    unsigned b = __builtin_bit_cast(unsigned, x);
    __x = x != x ? 0x7fff : (unsigned short)((b + 0x7fff + (b >> 16 & 1)) >> 16); // to nearest, ties to even
  }
  // A double is rounded to a float whose last bit says that there was more, so that it is rounded once.
  __host__ __device__ __nv_bfloat16(double x) {
    float f = (float)x;
    if ((double)f != x && x == x && !(__builtin_bit_cast(unsigned, f) & 1))
      f = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, f) + (((double)f < x) == (f > 0 || (f == 0 && x > 0)) ? 1u : -1u));
    *this = __nv_bfloat16(f);
  }
#define FROM(T) __host__ __device__ __nv_bfloat16(T x) : __nv_bfloat16((double)x) {}
  FROM(int) FROM(unsigned) FROM(short) FROM(unsigned short) FROM(long) FROM(unsigned long)
  FROM(long long) FROM(unsigned long long)
#undef FROM
  __host__ __device__ operator float() const { return __builtin_bit_cast(float, (unsigned)__x << 16); }
  constexpr __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
  constexpr __host__ __device__ unsigned short bits() const { return __x; }
  static constexpr __host__ __device__ __nv_bfloat16 of(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define SHORT __nv_bfloat16
#define SHORT2 __nv_bfloat162
#include "cuda_half_operations.h"
#define BFLOAT_CONVERSION(T, name) SHORT_CONVERSION(T, __##name##2bfloat16, __bfloat162##name, __short_to_##name)
BFLOAT_CONVERSION(int, int) BFLOAT_CONVERSION(unsigned, uint) BFLOAT_CONVERSION(short, short)
BFLOAT_CONVERSION(unsigned short, ushort) BFLOAT_CONVERSION(long long, ll) BFLOAT_CONVERSION(unsigned long long, ull)
#undef BFLOAT_CONVERSION
#undef SHORT_CONVERSION
static inline __host__ __device__ __nv_bfloat16 __float2bfloat16_rz(float x) { return __short_zero(x, (SHORT *)0); }
static inline __host__ __device__ __nv_bfloat16 __float2bfloat16_rd(float x) { return __short_down(x, (SHORT *)0); }
static inline __host__ __device__ __nv_bfloat16 __float2bfloat16_ru(float x) { return __short_up(x, (SHORT *)0); }
static inline __host__ __device__ short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
static inline __host__ __device__ __nv_bfloat16 __short_as_bfloat16(short b) { return __nv_bfloat16::of((unsigned short)b); }
static inline __host__ __device__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h) { return {h.x, h.x}; }
static inline __host__ __device__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h) { return {h.y, h.y}; }
static inline __host__ __device__ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 h) { return {h.y, h.x}; }
#undef SHORT
#undef SHORT2

static inline __host__ __device__ __nv_bfloat16 __float2bfloat16(float x) { return x; }
static inline __host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
static inline __host__ __device__ __nv_bfloat16 __double2bfloat16(double x) { return x; }
static inline __host__ __device__ float __bfloat162float(__nv_bfloat16 h) { return h; }
static inline __host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
static inline __host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short b) { return __nv_bfloat16::of(b); }
static inline __host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
static inline __host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
static inline __host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
static inline __host__ __device__ float2 __bfloat1622float2(__nv_bfloat162 h) { return {(float)h.x, (float)h.y}; }
static inline __host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return {h, h}; }
static inline __host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
static inline __host__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
static inline __host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
static inline __host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
