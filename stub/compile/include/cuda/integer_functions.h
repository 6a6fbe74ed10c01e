// Functions of integers that clang's headers lack: products of bytes and halves of words, and those for dynamic
// programming.
//
// Source: "CUDA Math API", "Integer Intrinsics", "SIMD Intrinsics".
#pragma once

#define CUDA_PRODUCTS(name, op)                                                                                   \
  static inline __device__ int name(int a, int b, int c) {                                                       \
    int result;                                                                                                  \
    __asm__(op ".s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));                              \
    return result;                                                                                               \
  }                                                                                                              \
  static inline __device__ unsigned name(unsigned a, unsigned b, unsigned c) {                                   \
    unsigned result;                                                                                             \
    __asm__(op ".u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));                              \
    return result;                                                                                               \
  }
CUDA_PRODUCTS(__dp4a, "dp4a")
CUDA_PRODUCTS(__dp2a_lo, "dp2a.lo")
CUDA_PRODUCTS(__dp2a_hi, "dp2a.hi")
#undef CUDA_PRODUCTS
#define CUDA_PRODUCTS_OF(name, A, B, T)                                                                          \
  static inline __device__ T name(A a, B b, T c) {                                                               \
    return name(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), c);                                          \
  }
CUDA_PRODUCTS_OF(__dp4a, char4, char4, int)
CUDA_PRODUCTS_OF(__dp4a, uchar4, uchar4, unsigned)
CUDA_PRODUCTS_OF(__dp2a_lo, short2, char4, int)
CUDA_PRODUCTS_OF(__dp2a_lo, ushort2, uchar4, unsigned)
CUDA_PRODUCTS_OF(__dp2a_hi, short2, char4, int)
CUDA_PRODUCTS_OF(__dp2a_hi, ushort2, uchar4, unsigned)
#undef CUDA_PRODUCTS_OF

// The greatest, or the least, of several numbers, of a sum and a number, and which of two it was.
#define CUDA_EXTREMES_OF(max, T, s32, than)                                                                      \
  static inline __host__ __device__ T __vi##max##3_##s32(T a, T b, T c) {                                        \
    T two = a than b ? a : b;                                                                                    \
    return two than c ? two : c;                                                                                 \
  }                                                                                                              \
  static inline __host__ __device__ T __viadd##max##_##s32(T a, T b, T c) {                                      \
    T sum = (T)((unsigned)a + (unsigned)b);                                                                      \
    return sum than c ? sum : c;                                                                                 \
  }                                                                                                              \
  static inline __host__ __device__ T __vib##max##_##s32(T a, T b, bool *first) {                                \
    *first = a than##= b;                                                                                        \
    return *first ? a : b;                                                                                       \
  }
CUDA_EXTREMES_OF(max, int, s32, >)
CUDA_EXTREMES_OF(min, int, s32, <)
CUDA_EXTREMES_OF(max, unsigned, u32, >)
CUDA_EXTREMES_OF(min, unsigned, u32, <)
#undef CUDA_EXTREMES_OF
#define CUDA_EXTREMES_OF(max, than)                                                                              \
  static inline __host__ __device__ int __vi##max##_s32_relu(int a, int b) {                                     \
    int two = a than b ? a : b;                                                                                  \
    return two > 0 ? two : 0;                                                                                    \
  }                                                                                                              \
  static inline __host__ __device__ int __vi##max##3_s32_relu(int a, int b, int c) {                             \
    int all = __vi##max##3_s32(a, b, c);                                                                         \
    return all > 0 ? all : 0;                                                                                    \
  }                                                                                                              \
  static inline __host__ __device__ int __viadd##max##_s32_relu(int a, int b, int c) {                           \
    int all = __viadd##max##_s32(a, b, c);                                                                       \
    return all > 0 ? all : 0;                                                                                    \
  }
CUDA_EXTREMES_OF(max, >)
CUDA_EXTREMES_OF(min, <)
#undef CUDA_EXTREMES_OF
