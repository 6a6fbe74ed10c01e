// What Debian's HIP headers declare and its device libraries have only for
// compilers of their own age: the fence under __syncthreads and __threadfence.
// Give it with -include to a newer clang.
#pragma once
#include <hip/hip_runtime.h>

extern "C" __device__ inline void __atomic_work_item_fence(__cl_mem_fence_flags, __memory_order,
                                                           __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
