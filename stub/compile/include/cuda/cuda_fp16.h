// Numbers of 16 bits as CUDA programs use them. Sums and products are computed as floats and rounded, which gives what
// halves give.
#pragma once
#include "cuda_runtime.h"

struct __half_raw { unsigned short x; };
struct __attribute__((aligned(4))) __half2_raw { unsigned short x, y; };
struct __half {
  union {
    _Float16 v;
    unsigned short __x; // what constant expressions use
  };
  __half() = default;
  constexpr __host__ __device__ __half(__half_raw r) : __x(r.x) {}
#define FROM(T) __host__ __device__ __half(T x) : v((_Float16)x) {}
  FROM(float) FROM(double) FROM(int) FROM(unsigned) FROM(short) FROM(unsigned short) FROM(long) FROM(unsigned long)
  FROM(long long) FROM(unsigned long long)
#undef FROM
  __host__ __device__ operator float() const { return (float)v; }
  constexpr __host__ __device__ operator __half_raw() const { return {__x}; }
  constexpr __host__ __device__ unsigned short bits() const { return __x; }
  static constexpr __host__ __device__ __half of(unsigned short bits) { return __half_raw{bits}; }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half x, __half y) : x(x), y(y) {}
  __host__ __device__ __half2(__half2_raw r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
  __host__ __device__ operator __half2_raw() const { return {x.__x, y.__x}; }
};
typedef __half half;
typedef __half2 half2;

#define SHORT __half
#define SHORT2 __half2
#include "cuda_half_operations.h"
#define HALF_CONVERSION(T, name) SHORT_CONVERSION(T, __##name##2half, __half2##name, __short_to_##name)
HALF_CONVERSION(int, int) HALF_CONVERSION(unsigned, uint) HALF_CONVERSION(short, short)
HALF_CONVERSION(unsigned short, ushort) HALF_CONVERSION(long long, ll) HALF_CONVERSION(unsigned long long, ull)
#undef HALF_CONVERSION
#undef SHORT_CONVERSION
static inline __host__ __device__ __half __float2half_rz(float x) { return __short_zero(x, (SHORT *)0); }
static inline __host__ __device__ __half __float2half_rd(float x) { return __short_down(x, (SHORT *)0); }
static inline __host__ __device__ __half __float2half_ru(float x) { return __short_up(x, (SHORT *)0); }
#undef SHORT
#undef SHORT2

#define TO_HALF(name, T) \
  static inline __host__ __device__ __half name(T x) { return __half(x); }
TO_HALF(__float2half, float)
TO_HALF(__float2half_rn, float)
TO_HALF(__double2half, double)
#undef TO_HALF
static inline __host__ __device__ float __half2float(__half h) { return h; }
static inline __host__ __device__ unsigned short __half_as_ushort(__half h) { return h.bits(); }
static inline __host__ __device__ short __half_as_short(__half h) { return (short)h.bits(); }
static inline __host__ __device__ __half __ushort_as_half(unsigned short b) { return __half::of(b); }
static inline __host__ __device__ __half __short_as_half(short b) { return __half::of((unsigned short)b); }
static inline __host__ __device__ __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
static inline __host__ __device__ __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
static inline __host__ __device__ __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
static inline __host__ __device__ float2 __half22float2(__half2 h) { return {(float)h.x, (float)h.y}; }
static inline __host__ __device__ __half2 __half2half2(__half h) { return {h, h}; }
static inline __host__ __device__ __half2 __halves2half2(__half x, __half y) { return {x, y}; }
static inline __host__ __device__ __half2 make_half2(__half x, __half y) { return {x, y}; }
static inline __host__ __device__ __half __low2half(__half2 h) { return h.x; }
static inline __host__ __device__ __half2 __low2half2(__half2 h) { return {h.x, h.x}; }
static inline __host__ __device__ __half2 __high2half2(__half2 h) { return {h.y, h.y}; }
static inline __host__ __device__ __half2 __lowhigh2highlow(__half2 h) { return {h.y, h.x}; }
static inline __host__ __device__ __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
static inline __host__ __device__ __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
static inline __host__ __device__ __half __high2half(__half2 h) { return h.y; }
static inline __host__ __device__ float __low2float(__half2 h) { return h.x; }
static inline __host__ __device__ float __high2float(__half2 h) { return h.y; }
