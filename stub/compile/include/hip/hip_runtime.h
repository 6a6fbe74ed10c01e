// What everyday HIP kernels need of the language and its headers, for the device alone: where HIP is not
// installed, this is found in the place of its header.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __attribute__((always_inline)) inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

// Steps of a debugger do not come into what only the language's words stand for.
#define __SIMTGDB_WORD static __device__ __attribute__((always_inline, nodebug)) inline

typedef decltype(sizeof 0) size_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long uint64_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;

#define __SIMTGDB_PLACE(name, function)                                                  \
  struct __simtgdb_##name {                                                              \
    struct X { __device__ __attribute__((always_inline, nodebug)) operator unsigned() const { \
      return function##_x(); } };                                                        \
    struct Y { __device__ __attribute__((always_inline, nodebug)) operator unsigned() const { \
      return function##_y(); } };                                                        \
    struct Z { __device__ __attribute__((always_inline, nodebug)) operator unsigned() const { \
      return function##_z(); } };                                                        \
    X x; Y y; Z z;                                                                       \
  };                                                                                     \
  static const __device__ __attribute__((nodebug)) __simtgdb_##name name{};

#define __simtgdb_blocks_x() (__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x())
#define __simtgdb_blocks_y() (__builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y())
#define __simtgdb_blocks_z() (__builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())

__SIMTGDB_PLACE(threadIdx, __builtin_amdgcn_workitem_id)
__SIMTGDB_PLACE(blockIdx, __builtin_amdgcn_workgroup_id)
__SIMTGDB_PLACE(blockDim, __builtin_amdgcn_workgroup_size)
__SIMTGDB_PLACE(gridDim, __simtgdb_blocks)

#define warpSize __builtin_amdgcn_wavefrontsize()

__SIMTGDB_WORD void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__SIMTGDB_WORD void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__SIMTGDB_WORD void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }

#define __SIMTGDB_ATOMIC(name, builtin)                                                  \
  template <typename T> __SIMTGDB_WORD T name(T *at, T value) {                          \
    return builtin(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);               \
  }
__SIMTGDB_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
__SIMTGDB_ATOMIC(atomicMin, __hip_atomic_fetch_min)
__SIMTGDB_ATOMIC(atomicMax, __hip_atomic_fetch_max)
__SIMTGDB_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
__SIMTGDB_ATOMIC(atomicOr, __hip_atomic_fetch_or)
__SIMTGDB_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
__SIMTGDB_ATOMIC(atomicExch, __hip_atomic_exchange)
template <typename T> __SIMTGDB_WORD T atomicSub(T *at, T value) { return atomicAdd(at, T(-value)); }
template <typename T> __SIMTGDB_WORD T atomicCAS(T *at, T old, T fresh) {
  __hip_atomic_compare_exchange_strong(at, &old, fresh, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return old;
}

// Functions of mathematics are the device libraries'.
#define __SIMTGDB_MATH1(name)                                                            \
  extern "C" __device__ float __ocml_##name##_f32(float);                                \
  extern "C" __device__ double __ocml_##name##_f64(double);                              \
  __SIMTGDB_WORD float name##f(float x) { return __ocml_##name##_f32(x); }               \
  __SIMTGDB_WORD float name(float x) { return __ocml_##name##_f32(x); }                  \
  __SIMTGDB_WORD double name(double x) { return __ocml_##name##_f64(x); }
#define __SIMTGDB_MATH2(name)                                                            \
  extern "C" __device__ float __ocml_##name##_f32(float, float);                         \
  extern "C" __device__ double __ocml_##name##_f64(double, double);                      \
  __SIMTGDB_WORD float name##f(float x, float y) { return __ocml_##name##_f32(x, y); }   \
  __SIMTGDB_WORD float name(float x, float y) { return __ocml_##name##_f32(x, y); }      \
  __SIMTGDB_WORD double name(double x, double y) { return __ocml_##name##_f64(x, y); }
__SIMTGDB_MATH1(sqrt) __SIMTGDB_MATH1(rsqrt) __SIMTGDB_MATH1(exp) __SIMTGDB_MATH1(exp2) __SIMTGDB_MATH1(log)
__SIMTGDB_MATH1(log2) __SIMTGDB_MATH1(log10) __SIMTGDB_MATH1(sin) __SIMTGDB_MATH1(cos) __SIMTGDB_MATH1(tan)
__SIMTGDB_MATH1(asin) __SIMTGDB_MATH1(acos) __SIMTGDB_MATH1(atan) __SIMTGDB_MATH1(sinh) __SIMTGDB_MATH1(cosh)
__SIMTGDB_MATH1(tanh) __SIMTGDB_MATH1(floor) __SIMTGDB_MATH1(ceil) __SIMTGDB_MATH1(round) __SIMTGDB_MATH1(trunc)
__SIMTGDB_MATH1(fabs) __SIMTGDB_MATH1(cbrt) __SIMTGDB_MATH1(erf)
__SIMTGDB_MATH2(pow) __SIMTGDB_MATH2(fmod) __SIMTGDB_MATH2(atan2) __SIMTGDB_MATH2(fmin) __SIMTGDB_MATH2(fmax)
__SIMTGDB_MATH2(hypot)
template <typename T> __SIMTGDB_WORD T min(T a, T b) { return b < a ? b : a; }
template <typename T> __SIMTGDB_WORD T max(T a, T b) { return a < b ? b : a; }
// clang makes calls of the device libraries of a printf (by the host of a launch, "hostcall"), and <cassert> calls
// __assert_fail. Who includes neither <cassert> nor <assert.h> has an assert of the same form here.
extern "C" {
__device__ int printf(const char *, ...);
__device__ __attribute__((noreturn)) static inline void __assert_fail(const char *what, const char *file, unsigned line,
                                                                      const char *function) {
  printf("%s:%u: %s: Device-side assertion `%s' failed.\n", file, line, function, what);
  __builtin_trap();
}
}
#ifndef assert
#define assert(x) ((x) ? (void)0 : __assert_fail(#x, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

#include "textures.h"
