// What the HIP kernels of this folder need, for clang without the HIP headers
// and, where GPU is not defined, for the host's compiler: there a kernel is a
// function that is called for each work-item in turn.
#pragma once

#ifdef GPU
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define KERNEL extern "C" __global__ void
#define GLOBAL_X                                                                       \
  ((int)(__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +     \
         __builtin_amdgcn_workitem_id_x()))
extern "C" __device__ int printf(const char *format, ...);
#else
#include <cstdio>
#define __device__
#define KERNEL extern "C" void
extern int item;
#define GLOBAL_X item
#endif
