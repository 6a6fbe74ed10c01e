// Atomic operations of CUDA C++, by clang's builtins.
#pragma once

#define CUDA_ATOMIC(name, type, operation)                                                                 \
  static inline __device__ type name(type *p, type v) {                                                    \
    return operation(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                                       \
  }                                                                                                        \
  static inline __device__ type name##_block(type *p, type v) {                                            \
    return operation(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);                                       \
  }                                                                                                        \
  static inline __device__ type name##_system(type *p, type v) {                                           \
    return operation(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);                                       \
  }
#define CUDA_ATOMICS(type)                              \
  CUDA_ATOMIC(atomicAdd, type, __scoped_atomic_fetch_add) \
  CUDA_ATOMIC(atomicExch, type, __scoped_atomic_exchange_n)
#define CUDA_INTEGER_ATOMICS(type)                      \
  CUDA_ATOMICS(type)                                    \
  CUDA_ATOMIC(atomicSub, type, __scoped_atomic_fetch_sub) \
  CUDA_ATOMIC(atomicMin, type, __scoped_atomic_fetch_min) \
  CUDA_ATOMIC(atomicMax, type, __scoped_atomic_fetch_max) \
  CUDA_ATOMIC(atomicAnd, type, __scoped_atomic_fetch_and) \
  CUDA_ATOMIC(atomicOr, type, __scoped_atomic_fetch_or)   \
  CUDA_ATOMIC(atomicXor, type, __scoped_atomic_fetch_xor) \
  static inline __device__ type atomicCAS(type *p, type old, type v) {                                     \
    __scoped_atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,              \
                                       __MEMORY_SCOPE_DEVICE);                                             \
    return old;                                                                                            \
  }                                                                                                        \
  static inline __device__ type atomicCAS_system(type *p, type old, type v) {                              \
    __scoped_atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,              \
                                       __MEMORY_SCOPE_SYSTEM);                                             \
    return old;                                                                                            \
  }                                                                                                        \
  static inline __device__ type atomicCAS_block(type *p, type old, type v) {                               \
    __scoped_atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,              \
                                       __MEMORY_SCOPE_WRKGRP);                                             \
    return old;                                                                                            \
  }
CUDA_INTEGER_ATOMICS(int)
CUDA_INTEGER_ATOMICS(unsigned)
CUDA_INTEGER_ATOMICS(unsigned long long)
CUDA_INTEGER_ATOMICS(long long)
CUDA_INTEGER_ATOMICS(unsigned long)
CUDA_ATOMIC(atomicAdd, double, __scoped_atomic_fetch_add)
CUDA_ATOMIC(atomicAdd, float, __scoped_atomic_fetch_add)
#undef CUDA_INTEGER_ATOMICS
#undef CUDA_ATOMICS
#undef CUDA_ATOMIC

static inline __device__ float atomicExch(float *p, float v) {
  return __int_as_float(atomicExch((int *)p, __float_as_int(v)));
}
static inline __device__ unsigned atomicInc(unsigned *p, unsigned most) { return __nvvm_atom_inc_gen_ui(p, most); }
static inline __device__ unsigned atomicDec(unsigned *p, unsigned most) { return __nvvm_atom_dec_gen_ui(p, most); }
#define CUDA_WRAPPING(scope)                                                                                      \
  static inline __device__ unsigned atomicInc##scope(unsigned *p, unsigned most) { return atomicInc(p, most); }    \
  static inline __device__ unsigned atomicDec##scope(unsigned *p, unsigned most) { return atomicDec(p, most); }
CUDA_WRAPPING(_system)
CUDA_WRAPPING(_block)
#undef CUDA_WRAPPING
static inline __device__ unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v) {
  __scoped_atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  return old;
}
