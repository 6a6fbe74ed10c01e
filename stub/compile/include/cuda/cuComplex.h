// Complex numbers.
#pragma once
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define COMPLEX_OF(T, C, f, make)                                                                                 \
  static inline __host__ __device__ C make(T x, T y) { return {x, y}; }                                           \
  static inline __host__ __device__ T cuCreal##f(C a) { return a.x; }                                             \
  static inline __host__ __device__ T cuCimag##f(C a) { return a.y; }                                             \
  static inline __host__ __device__ C cuConj##f(C a) { return {a.x, -a.y}; }                                      \
  static inline __host__ __device__ C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                      \
  static inline __host__ __device__ C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                      \
  static inline __host__ __device__ C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  static inline __host__ __device__ C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }          \
  static inline __host__ __device__ C cuCdiv##f(C a, C b) {                                                       \
    T s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y); /* so that squares stay in range */                    \
    C p = {a.x / s, a.y / s}, q = {b.x / s, b.y / s};                                                             \
    T n = q.x * q.x + q.y * q.y;                                                                                  \
    return {(p.x * q.x + p.y * q.y) / n, (p.y * q.x - p.x * q.y) / n};                                            \
  }                                                                                                               \
  static inline __host__ __device__ T cuCabs##f(C a) { return hypot(a.x, a.y); }
COMPLEX_OF(float, cuFloatComplex, f, make_cuFloatComplex)
COMPLEX_OF(double, cuDoubleComplex, , make_cuDoubleComplex)
#undef COMPLEX_OF
static inline __host__ __device__ cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {(float)a.x, (float)a.y};
}
