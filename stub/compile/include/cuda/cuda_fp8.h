// Floating-point numbers of 8 bits, converted to and from float on host and device: to the nearest, ties to even, what is
// too large to the largest finite one.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

static inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t sat,
                                                                           __nv_fp8_interpretation_t as) {
  const int mantissa = as == __NV_E4M3 ? 3 : 2, bias = as == __NV_E4M3 ? 7 : 15;
  const unsigned largest = as == __NV_E4M3 ? 0x7e : 0x7b, nan = 0x7f, infinite = as == __NV_E4M3 ? 0x7f : 0x7c;
  unsigned b = __builtin_bit_cast(unsigned, x), sign = b >> 24 & 0x80;
  b &= 0x7fffffff;
  if (b > 0x7f800000) return (__nv_fp8_storage_t)(sign | nan);
  int shift = 23 - mantissa, exponent = (int)(b >> 23) - 127 + bias;
  unsigned bits = b;
  if (exponent < 1) { // it has no leading one of its own: units are those of the smallest
    shift += 1 - exponent;
    bits = (b & 0x7fffff) | 0x800000;
    if (shift > 24) return (__nv_fp8_storage_t)sign; // less than half of the smallest
  } else {
    bits = b - ((unsigned)(127 - bias) << 23);
  }
  unsigned rest = bits & ((1u << shift) - 1), half = 1u << (shift - 1), v = bits >> shift;
  v += rest > half || (rest == half && (v & 1));
  if (v > largest) v = sat == __NV_SATFINITE ? largest : infinite;
  return (__nv_fp8_storage_t)(sign | v);
}

// A double is rounded to a float whose last bit says that there was more, so that it is rounded once.
static inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t sat,
                                                                            __nv_fp8_interpretation_t as) {
  float f = (float)x;
  unsigned b = __builtin_bit_cast(unsigned, f);
  if ((double)f != x && x == x && !(b & 1)) b += __builtin_fabs((double)f) < __builtin_fabs(x) ? 1u : -1u;
  return __nv_cvt_float_to_fp8(__builtin_bit_cast(float, b), sat, as);
}
static inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t sat,
                                                                             __nv_fp8_interpretation_t as) {
  return __nv_cvt_float_to_fp8(__half(x), sat, as);
}
static inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t sat,
                                                                                 __nv_fp8_interpretation_t as) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x), sat, as);
}

static inline __host__ __device__ float __simtgdb_fp8_to_float(__nv_fp8_storage_t v, __nv_fp8_interpretation_t as) {
  const int mantissa = as == __NV_E4M3 ? 3 : 2, bias = as == __NV_E4M3 ? 7 : 15;
  unsigned sign = (unsigned)(v & 0x80) << 24, m = v & ((1u << mantissa) - 1);
  int exponent = (v & 0x7f) >> mantissa;
  if ((v & 0x7f) == 0x7f || (as == __NV_E5M2 && exponent == 31))
    return __builtin_bit_cast(float, sign | (as == __NV_E5M2 && !m ? 0x7f800000u : 0x7fffffffu));
  float of = exponent ? (float)(m + (1u << mantissa)) : (float)m, scale = 1;
  for (int e = (exponent ? exponent : 1) - bias - mantissa; e != 0; e += e < 0 ? 1 : -1) scale *= e < 0 ? 0.5f : 2.0f;
  return sign ? -of * scale : of * scale;
}

static inline __host__ __device__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t as) {
  return {__builtin_bit_cast(unsigned short, __half(__simtgdb_fp8_to_float(v, as)))};
}

#define __fp8_type(name, as)                                                                                          \
  struct name {                                                                                                       \
    __nv_fp8_storage_t __x;                                                                                           \
    name() = default;                                                                                                 \
    explicit __host__ __device__ name(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, as)) {}                 \
    explicit __host__ __device__ name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, as)) {}               \
    explicit __host__ __device__ name(__half x) : name((float)x) {}                                                   \
    explicit __host__ __device__ name(__nv_bfloat16 x) : name((float)x) {}                                            \
    explicit __host__ __device__ name(int x) : name((float)x) {}                                                      \
    explicit __host__ __device__ name(unsigned x) : name((float)x) {}                                                 \
    explicit __host__ __device__ operator float() const { return __simtgdb_fp8_to_float(__x, as); }                   \
    explicit __host__ __device__ operator double() const { return (float)*this; }                                     \
    explicit __host__ __device__ operator __half() const { return __half((float)*this); }                             \
    explicit __host__ __device__ operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }               \
    explicit __host__ __device__ operator int() const { return (int)(float)*this; }                                   \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7f) != 0; }                                  \
  };
__fp8_type(__nv_fp8_e4m3, __NV_E4M3) __fp8_type(__nv_fp8_e5m2, __NV_E5M2)
#undef __fp8_type

// Two and four of them side by side.
static inline __host__ __device__ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t sat,
                                                                                 __nv_fp8_interpretation_t as) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, sat, as) | __nv_cvt_float_to_fp8(x.y, sat, as) << 8);
}
static inline __host__ __device__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v,
                                                                         __nv_fp8_interpretation_t as) {
  return {__nv_cvt_fp8_to_halfraw(v & 255, as).x, __nv_cvt_fp8_to_halfraw(v >> 8, as).x};
}
#define __fp8_types(name, one, as)                                                                                    \
  struct name##x2_##one {                                                                                             \
    __nv_fp8x2_storage_t __x;                                                                                         \
    name##x2_##one() = default;                                                                                       \
    explicit __host__ __device__ name##x2_##one(float2 v)                                                             \
        : __x(__nv_cvt_float_to_fp8(v.x, __NV_SATFINITE, as) | __nv_cvt_float_to_fp8(v.y, __NV_SATFINITE, as) << 8) {} \
    explicit __host__ __device__ name##x2_##one(double2 v)                                                            \
        : __x(__nv_cvt_double_to_fp8(v.x, __NV_SATFINITE, as) | __nv_cvt_double_to_fp8(v.y, __NV_SATFINITE, as) << 8) {} \
    explicit __host__ __device__ name##x2_##one(__half2 v) : name##x2_##one(float2{(float)v.x, (float)v.y}) {}        \
    explicit __host__ __device__ name##x2_##one(__nv_bfloat162 v) : name##x2_##one(float2{(float)v.x, (float)v.y}) {} \
    explicit __host__ __device__ operator float2() const {                                                            \
      return {__simtgdb_fp8_to_float(__x & 255, as), __simtgdb_fp8_to_float(__x >> 8, as)};                           \
    }                                                                                                                 \
    explicit __host__ __device__ operator __half2() const {                                                           \
      return {__half(((float2)*this).x), __half(((float2)*this).y)};                                                  \
    }                                                                                                                 \
  };                                                                                                                  \
  struct name##x4_##one {                                                                                             \
    __nv_fp8x4_storage_t __x;                                                                                         \
    name##x4_##one() = default;                                                                                       \
    explicit __host__ __device__ name##x4_##one(float4 v)                                                             \
        : __x(name##x2_##one(float2{v.x, v.y}).__x | (unsigned)name##x2_##one(float2{v.z, v.w}).__x << 16) {}         \
    explicit __host__ __device__ name##x4_##one(__half2 low, __half2 high)                                            \
        : __x(name##x2_##one(low).__x | (unsigned)name##x2_##one(high).__x << 16) {}                                  \
    explicit __host__ __device__ name##x4_##one(__nv_bfloat162 low, __nv_bfloat162 high)                              \
        : __x(name##x2_##one(low).__x | (unsigned)name##x2_##one(high).__x << 16) {}                                  \
    explicit __host__ __device__ operator float4() const {                                                            \
      return {__simtgdb_fp8_to_float(__x & 255, as), __simtgdb_fp8_to_float(__x >> 8 & 255, as),                      \
              __simtgdb_fp8_to_float(__x >> 16 & 255, as), __simtgdb_fp8_to_float(__x >> 24, as)};                    \
    }                                                                                                                 \
  };
__fp8_types(__nv_fp8, e4m3, __NV_E4M3) __fp8_types(__nv_fp8, e5m2, __NV_E5M2)
#undef __fp8_types
