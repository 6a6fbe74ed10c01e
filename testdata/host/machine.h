// A machine of threads that runs a kernel on the host, workgroup by workgroup,
// one thread for each work-item, so that a C++ compiler of the host gives a
// second opinion on what the kernel computes. It has no waves: kernels whose
// lanes read each other's registers cannot run on it.
#pragma once

#include <pthread.h>

// here is the work-item that a thread is.
struct Here {
  unsigned local[3], group[3];
};
static thread_local Here here;

static unsigned grid[3];
static pthread_barrier_t barrier;

// The hidden arguments that kernels read.
static struct {
  unsigned block_count[3];
  unsigned short group_size[3];
  unsigned short remainder[3];
} hidden_arguments;

#define __builtin_amdgcn_grid_size_x() grid[0]
#define __builtin_amdgcn_grid_size_y() grid[1]
#define __builtin_amdgcn_grid_size_z() grid[2]
#define __builtin_amdgcn_implicitarg_ptr() ((const void *)&hidden_arguments)
#define __builtin_amdgcn_workitem_id_x() here.local[0]
#define __builtin_amdgcn_workitem_id_y() here.local[1]
#define __builtin_amdgcn_workgroup_id_x() here.group[0]
#define __builtin_amdgcn_workgroup_id_y() here.group[1]
#define __builtin_amdgcn_workgroup_size_x() hidden_arguments.group_size[0]
#define __builtin_amdgcn_fence(order, scope)
#define __builtin_amdgcn_s_barrier() pthread_barrier_wait(&barrier)

#define __HIP_MEMORY_SCOPE_WORKGROUP 0
#define __HIP_MEMORY_SCOPE_AGENT 0
#define __hip_atomic_load(p, order, scope) __atomic_load_n(p, order)
#define __hip_atomic_fetch_add(p, v, order, scope) __atomic_fetch_add(p, v, order)
#define __hip_atomic_fetch_min(p, v, order, scope) __atomic_fetch_min(p, v, order)
#define __hip_atomic_fetch_max(p, v, order, scope) __atomic_fetch_max(p, v, order)
#define __hip_atomic_fetch_or(p, v, order, scope) __atomic_fetch_or(p, v, order)
#define __hip_atomic_fetch_xor(p, v, order, scope) __atomic_fetch_xor(p, v, order)
#define __hip_atomic_exchange(p, v, order, scope) __atomic_exchange_n(p, v, order)
#define __hip_atomic_compare_exchange_strong(p, seen, v, order, fail, scope)   \
  __atomic_compare_exchange_n(p, seen, v, false, order, fail)
#define __builtin_amdgcn_atomic_inc32(p, limit, order, scope)                  \
  increment_to(p, limit)

static inline void increment_to(unsigned *p, unsigned limit) {
  unsigned seen = *p;
  while (!__atomic_compare_exchange_n(p, &seen, seen >= limit ? 0 : seen + 1,
                                      false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

// The words of OpenCL C.
#define __kernel extern "C"
#define __global
#define __local static
typedef unsigned uint;
typedef float float2 __attribute__((ext_vector_type(2)));
