// Copies to shared memory that go on while a thread does: PTX's cp.async where what is copied allows it.
#pragma once
#include "cuda_runtime.h"

namespace cuda {
namespace detail {
#ifdef __CUDA__
// copy_piece copies N bytes; how many of them are zeros instead.
template <int N> static inline __device__ void copy_piece(void *to, const void *from, unsigned zeros) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  unsigned at = (unsigned)__cvta_generic_to_shared(to);
  auto global = (__attribute__((address_space(1))) const char *)from;
  __asm__ volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at), "l"(global), "n"(N), "r"(N - zeros)
                   : "memory");
#else
  for (int i = 0; i < N; i++) ((char *)to)[i] = i < N - (int)zeros ? ((const char *)from)[i] : 0;
#endif
}
static inline __device__ void copies_end() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
}
static inline __device__ void copies_commit() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int N> static inline __device__ void copies_wait() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __asm__ volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}
template <int N>
static inline __device__ void copy_pieces(char *to, const char *from, size_t n, size_t first, size_t step) {
  for (size_t i = first; i < n / N; i += step) copy_piece<N>(to + N * i, from + N * i, 0);
}
// copy_bytes is the share of one thread of several in a copy of n bytes: of pieces as large as the addresses allow.
static inline __device__ void copy_bytes(void *to, const void *from, size_t n, size_t first, size_t step) {
  char *a = (char *)to;
  const char *b = (const char *)from;
  size_t align = (size_t)a | (size_t)b | n;
  if (!__isShared(to) || !__isGlobal(from) || align % 4)
    for (size_t i = first; i < n; i += step) a[i] = b[i];
  else if (align % 16 == 0) copy_pieces<16>(a, b, n, first, step);
  else if (align % 8 == 0) copy_pieces<8>(a, b, n, first, step);
  else copy_pieces<4>(a, b, n, first, step);
}
#endif
} // namespace detail
} // namespace cuda
