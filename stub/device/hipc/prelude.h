// What Debian's HIP headers and device libraries want, and only compilers of their
// own age give: the fence under __syncthreads and __threadfence, and the setting
// that says that denormal numbers are not flushed. Give it with -include to a newer
// clang.
#pragma once
#include <hip/hip_runtime.h>

extern "C" __device__ inline void __atomic_work_item_fence(__cl_mem_fence_flags, __memory_order,
                                                           __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

#ifdef __HIP_DEVICE_COMPILE__
extern "C" __attribute__((weak, visibility("hidden"))) __constant__ const char __oclc_daz_opt = 0;
#endif
