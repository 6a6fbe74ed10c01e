// Matrices that the lanes of a warp hold together, by clang's builtins for PTX's wmma instructions.
//
// Source: "CUDA C++ Programming Guide", "Warp Matrix Functions".
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace detail {
// A held is what lanes have of elements of a type: C++'s type of an element, or of a word of small ones.
template <class T> struct held { typedef T type; };
template <> struct held<precision::tf32> { typedef float type; };
template <> struct held<experimental::precision::u4> { typedef unsigned type; };
template <> struct held<experimental::precision::s4> { typedef int type; };
template <> struct held<experimental::precision::b1> { typedef unsigned type; };

// A kind is what matrices of a use, a shape and a type are: how many elements a lane has, and how they move. The use
// comes as three types, since one description is that of both layouts.
template <class Use, int M, int N, int K, class T> struct kind;
template <class A, class B> struct order;
template <> struct order<row_major, row_major> { static constexpr int value = 0; };
template <> struct order<row_major, col_major> { static constexpr int value = 1; };
template <> struct order<col_major, row_major> { static constexpr int value = 2; };
template <> struct order<col_major, col_major> { static constexpr int value = 3; };
template <class Layout> constexpr int of_layout = 0;
template <> constexpr int of_layout<col_major> = 1;

// Builtins take words or floats; a layout of memory and that of a product must be constants.
#define WMMA_FACTOR(use, m, n, k, T, count, word, builtin)                                                    \
  template <> struct kind<use, m, n, k, T> {                                                                  \
    static constexpr int elements = count;                                                                    \
    template <int Turned, class E, class P> static __device__ void load(E *to, const P *p, unsigned stride) { \
      builtin((word *)to, (const word *)p, stride, Turned);                                                   \
    }                                                                                                         \
  };
#define WMMA_SUM(m, n, k, T, count, word, load_builtin, store_builtin)                                        \
  template <> struct kind<accumulator, m, n, k, T> {                                                          \
    static constexpr int elements = count;                                                                    \
    static __device__ void load(T *to, const T *p, unsigned stride, layout_t l) {                             \
      if (l == mem_row_major) load_builtin((word *)to, (const word *)p, stride, 0);                           \
      else load_builtin((word *)to, (const word *)p, stride, 1);                                              \
    }                                                                                                         \
    static __device__ void store(T *p, const T *from, unsigned stride, layout_t l) {                          \
      if (l == mem_row_major) store_builtin((word *)p, (const word *)from, stride, 0);                        \
      else store_builtin((word *)p, (const word *)from, stride, 1);                                           \
    }                                                                                                         \
  };
// A product of factors and sums of some types. Limit says whether sums stay in their range, which those of
// whole numbers and of halves can.
template <int M, int N, int K, class A, class B, class C, class D> struct product;
#define WMMA_PRODUCT(m, n, k, A, C, D, in, from, to, builtin) WMMA_LIMITED(m, n, k, A, C, D, in, from, to, builtin, Limit)
#define WMMA_LIMITED(m, n, k, A, C, D, in, from, to, builtin, limit)                                          \
  template <> struct product<m, n, k, A, A, C, D> {                                                           \
    template <int Order, int Limit, class X, class Y>                                                         \
    static __device__ void compute(D *d, const X *a, const Y *b, const C *c) {                                \
      builtin((to *)d, (const in *)a, (const in *)b, (const from *)c, Order, limit);                          \
    }                                                                                                         \
  };

#define WMMA_HALVES(m, n, k, shape)                                                                           \
  WMMA_FACTOR(matrix_a, m, n, k, __half, 16, int, __hmma_##shape##_ld_a)                                      \
  WMMA_FACTOR(matrix_b, m, n, k, __half, 16, int, __hmma_##shape##_ld_b)                                      \
  WMMA_SUM(m, n, k, __half, 8, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)                     \
  WMMA_SUM(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)                    \
  WMMA_PRODUCT(m, n, k, __half, float, float, int, float, float, __hmma_##shape##_mma_f32f32)                 \
  WMMA_PRODUCT(m, n, k, __half, __half, float, int, int, float, __hmma_##shape##_mma_f32f16)                  \
  WMMA_PRODUCT(m, n, k, __half, float, __half, int, float, int, __hmma_##shape##_mma_f16f32)                  \
  WMMA_PRODUCT(m, n, k, __half, __half, __half, int, int, int, __hmma_##shape##_mma_f16f16)
WMMA_HALVES(16, 16, 16, m16n16k16)
WMMA_HALVES(32, 8, 16, m32n8k16)
WMMA_HALVES(8, 32, 16, m8n32k16)
#undef WMMA_HALVES

#define WMMA_BYTES(m, n, k, shape, a, b)                                                                      \
  WMMA_FACTOR(matrix_a, m, n, k, signed char, a, int, __imma_##shape##_ld_a_s8)                               \
  WMMA_FACTOR(matrix_b, m, n, k, signed char, b, int, __imma_##shape##_ld_b_s8)                               \
  WMMA_FACTOR(matrix_a, m, n, k, unsigned char, a, int, __imma_##shape##_ld_a_u8)                             \
  WMMA_FACTOR(matrix_b, m, n, k, unsigned char, b, int, __imma_##shape##_ld_b_u8)                             \
  WMMA_SUM(m, n, k, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)                            \
  WMMA_PRODUCT(m, n, k, signed char, int, int, int, int, int, __imma_##shape##_mma_s8)                        \
  WMMA_PRODUCT(m, n, k, unsigned char, int, int, int, int, int, __imma_##shape##_mma_u8)
WMMA_BYTES(16, 16, 16, m16n16k16, 8, 8)
WMMA_BYTES(32, 8, 16, m32n8k16, 16, 4)
WMMA_BYTES(8, 32, 16, m8n32k16, 4, 16)
#undef WMMA_BYTES

#define WMMA_NIBBLES(T, type)                                                                                 \
  WMMA_FACTOR(matrix_a, 8, 8, 32, experimental::precision::T, 1, int, __imma_m8n8k32_ld_a_##type)             \
  WMMA_FACTOR(matrix_b, 8, 8, 32, experimental::precision::T, 1, int, __imma_m8n8k32_ld_b_##type)             \
  WMMA_PRODUCT(8, 8, 32, experimental::precision::T, int, int, int, int, int, __imma_m8n8k32_mma_##type)
WMMA_NIBBLES(s4, s4)
WMMA_NIBBLES(u4, u4)
#undef WMMA_NIBBLES
WMMA_SUM(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
WMMA_FACTOR(matrix_a, 8, 8, 128, experimental::precision::b1, 1, int, __bmma_m8n8k128_ld_a_b1)
WMMA_FACTOR(matrix_b, 8, 8, 128, experimental::precision::b1, 1, int, __bmma_m8n8k128_ld_b_b1)
WMMA_SUM(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WMMA_BFLOATS(m, n, k, shape, a, b)                                                                    \
  WMMA_FACTOR(matrix_a, m, n, k, __nv_bfloat16, a, int, __mma_bf16_##shape##_ld_a)                            \
  WMMA_FACTOR(matrix_b, m, n, k, __nv_bfloat16, b, int, __mma_bf16_##shape##_ld_b)                            \
  WMMA_LIMITED(m, n, k, __nv_bfloat16, float, float, int, float, float, __mma_bf16_##shape##_mma_f32, 0)
WMMA_BFLOATS(16, 16, 16, m16n16k16, 8, 8)
WMMA_BFLOATS(32, 8, 16, m32n8k16, 16, 4)
WMMA_BFLOATS(8, 32, 16, m8n32k16, 4, 16)
#undef WMMA_BFLOATS
WMMA_FACTOR(matrix_a, 16, 16, 8, precision::tf32, 4, int, __mma_tf32_m16n16k8_ld_a)
WMMA_FACTOR(matrix_b, 16, 16, 8, precision::tf32, 4, int, __mma_tf32_m16n16k8_ld_b)
WMMA_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
WMMA_LIMITED(16, 16, 8, precision::tf32, float, float, int, float, float, __mma_tf32_m16n16k8_mma_f32, 0)
WMMA_FACTOR(matrix_a, 8, 8, 4, double, 1, double, __dmma_m8n8k4_ld_a)
WMMA_FACTOR(matrix_b, 8, 8, 4, double, 1, double, __dmma_m8n8k4_ld_b)
WMMA_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
WMMA_LIMITED(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64, 0)
#endif
#undef WMMA_FACTOR
#undef WMMA_SUM
#undef WMMA_PRODUCT
#undef WMMA_LIMITED
} // namespace detail

// A fragment is what a lane has of a matrix. Which elements these are nobody says.
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
  typedef detail::kind<Use, M, N, K, T> kind;

public:
  typedef typename detail::held<T>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements = kind::elements, num_storage_elements = kind::elements;
  alignas(kind::elements * sizeof(element_type) % 8 ? 4 : 8) element_type x[kind::elements];
};

#define WMMA_TEMPLATE template <class Use, int M, int N, int K, class T, class Layout>
#define WMMA_OF_SUM template <int M, int N, int K, class T>
WMMA_TEMPLATE __device__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &f,
                                            const typename detail::held<T>::type &v) {
  for (auto &x : f.x) x = v;
}
WMMA_TEMPLATE __device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                                               const typename detail::held<T>::type *p, unsigned stride) {
  detail::kind<Use, M, N, K, T>::template load<detail::of_layout<Layout>>(f.x, p, stride);
}
// Of small elements the address is that of words.
WMMA_TEMPLATE __device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const void *p, unsigned stride) {
  detail::kind<Use, M, N, K, T>::template load<detail::of_layout<Layout>>(f.x, p, stride);
}
WMMA_OF_SUM __device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned stride,
                                             layout_t l) {
  detail::kind<accumulator, M, N, K, T>::load(f.x, p, stride, l);
}
WMMA_OF_SUM __device__ void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned stride,
                                              layout_t l) {
  detail::kind<accumulator, M, N, K, T>::store(p, f.x, stride, l);
}
template <int M, int N, int K, class A, class B, class C, class D, class OrderA, class OrderB>
__device__ void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, OrderA> &a,
                         const fragment<matrix_b, M, N, K, B, OrderB> &b,
                         const fragment<accumulator, M, N, K, C> &c, bool satf = false) {
  typedef detail::product<M, N, K, A, B, C, D> product;
  constexpr int order = detail::order<OrderA, OrderB>::value;
  if (satf) product::template compute<order, 1>(d.x, a.x, b.x, c.x);
  else product::template compute<order, 0>(d.x, a.x, b.x, c.x);
}
template <class A, class B>
__device__ void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d, const A &a, const B &b,
                          const fragment<accumulator, 8, 8, 128, int> &c,
                          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if (op == experimental::bmmaBitOpAND) {
    __bmma_m8n8k128_mma_and_popc_b1(d.x, (const int *)a.x, (const int *)b.x, c.x, 1);
    return;
  }
#endif
  __bmma_m8n8k128_mma_xor_popc_b1(d.x, (const int *)a.x, (const int *)b.x, c.x, 1);
}
#undef WMMA_TEMPLATE
#undef WMMA_OF_SUM

// A float whose last bits do not count: to nearest, ties away from zero.
static inline __device__ float __float_to_tf32(float v) {
  unsigned out;
  __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(out) : "f"(v));
  return __builtin_bit_cast(float, out);
}
} // namespace wmma
} // namespace nvcuda
