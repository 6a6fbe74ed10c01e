// Copies to shared memory in groups: "CUDA C++ Programming Guide", "Pipeline Primitives Interface".
#pragma once
#include "async_copies.h"

#ifdef __CUDA__
static inline __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t n, size_t zeros = 0) {
  if (n == 16) cuda::detail::copy_piece<16>(to, from, (unsigned)zeros);
  else if (n == 8) cuda::detail::copy_piece<8>(to, from, (unsigned)zeros);
  else cuda::detail::copy_piece<4>(to, from, (unsigned)zeros);
}
static inline __device__ void __pipeline_commit() { cuda::detail::copies_commit(); }
// The number is a constant after inlining; which copies may still be under way makes no difference to what is right.
static inline __device__ void __pipeline_wait_prior(size_t n) {
  switch (n) {
  case 0: cuda::detail::copies_wait<0>(); break;
  case 1: cuda::detail::copies_wait<1>(); break;
  case 2: cuda::detail::copies_wait<2>(); break;
  case 3: cuda::detail::copies_wait<3>(); break;
  default: cuda::detail::copies_wait<4>(); break;
  }
}
#endif
