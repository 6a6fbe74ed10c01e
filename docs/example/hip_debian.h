// What Debian's HIP headers and device libraries want, and only compilers of their own age give: before
// HIP 5.5 the fence under __syncthreads and __threadfence and the reciprocals of hip_fp16.h, and the
// setting that says that denormal numbers are not flushed. Give it with -include to a newer clang.

#pragma once

// Processors from gfx11 on have other instructions for the time than the headers ask for.
#if defined(__AMDGCN__) && !defined(__GFX9__) && !defined(__GFX10__)
#define __builtin_amdgcn_s_memtime __builtin_readcyclecounter
#define __builtin_amdgcn_s_memrealtime __builtin_readsteadycounter
#endif

#include <hip/hip_runtime.h>
#if HIP_VERSION < 50500000
extern "C" __device__ inline void __atomic_work_item_fence(__cl_mem_fence_flags, __memory_order,
                                                           __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
#endif
#ifdef __HIP_DEVICE_COMPILE__
extern "C" __attribute__((weak, visibility("hidden"))) __constant__ const char __oclc_daz_opt = 0;
#endif
#if HIP_VERSION < 50500000
typedef _Float16 __hip_debian_2f16 __attribute__((ext_vector_type(2)));

__device__ inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) { return __builtin_amdgcn_rcph(x); }

__device__ inline __hip_debian_2f16 __llvm_amdgcn_rcp_2f16(__hip_debian_2f16 x) {
  return __hip_debian_2f16{__llvm_amdgcn_rcp_f16(x.x), __llvm_amdgcn_rcp_f16(x.y)};
}
#endif
