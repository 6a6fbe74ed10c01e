// Of warps that look for equal values: clang's headers include this.
#pragma once

#define CUDA_MATCH(type, bits)                                                                             \
  static inline __device__ unsigned __match_any_sync(unsigned mask, type v) {                              \
    return __match##bits##_any_sync(mask, (unsigned long long)v);                                          \
  }                                                                                                        \
  static inline __device__ unsigned __match_all_sync(unsigned mask, type v, int *all) {                    \
    return __match##bits##_all_sync(mask, (unsigned long long)v, all);                                     \
  }
CUDA_MATCH(int, 32)
CUDA_MATCH(unsigned, 32)
CUDA_MATCH(long long, 64)
CUDA_MATCH(unsigned long long, 64)
CUDA_MATCH(long, 64)
CUDA_MATCH(unsigned long, 64)
#undef CUDA_MATCH
// Of floats, those with the same bits.
#define CUDA_MATCH(type, bits)                                                                             \
  static inline __device__ unsigned __match_any_sync(unsigned mask, type v) {                              \
    return __match_any_sync(mask, bits(v));                                                                \
  }                                                                                                        \
  static inline __device__ unsigned __match_all_sync(unsigned mask, type v, int *all) {                    \
    return __match_all_sync(mask, bits(v), all);                                                           \
  }
CUDA_MATCH(float, __float_as_uint)
CUDA_MATCH(double, __double_as_longlong)
#undef CUDA_MATCH
