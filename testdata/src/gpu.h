// What the HIP kernels of this folder need of the language: the attributes
// that the HIP headers spell as keywords, and the work-item's place in the
// grid. Macros, not functions, so that at -O0 no call stands between a kernel
// and its own index.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define NOINLINE __attribute__((noinline))
#define KERNEL extern "C" __global__ void

#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define LOCAL_Y __builtin_amdgcn_workitem_id_y()
#define LOCAL_Z __builtin_amdgcn_workitem_id_z()
#define GROUP_X __builtin_amdgcn_workgroup_id_x()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()
#define GROUP_Z __builtin_amdgcn_workgroup_id_z()
#define SIZE_X __builtin_amdgcn_workgroup_size_x()
#define SIZE_Y __builtin_amdgcn_workgroup_size_y()
#define SIZE_Z __builtin_amdgcn_workgroup_size_z()
#define GLOBAL_X (GROUP_X * SIZE_X + LOCAL_X)
#define GLOBAL_Y (GROUP_Y * SIZE_Y + LOCAL_Y)
#define GLOBAL_Z (GROUP_Z * SIZE_Z + LOCAL_Z)

#define BARRIER()                                                              \
  do {                                                                         \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                     \
    __builtin_amdgcn_s_barrier();                                              \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");                     \
  } while (0)
