// Kernels whose workgroups exchange through global memory, each beside one that does it wrong: what orders the work-items
// of a workgroup need not order others. Marks are as in defects.cl.
#include "device.h"

#define SIZE 128

#ifdef BUILTIN_ATOMICS
#define GROUP_SCOPE __OPENCL_MEMORY_SCOPE_WORK_GROUP
#define COUNT_IN(space, p, v, order) \
  __opencl_atomic_fetch_add((volatile space atomic_int *)(p), v, order, GROUP_SCOPE)
#define TAKE(p, expected, v, order)                                                                \
  __opencl_atomic_compare_exchange_strong((volatile __global atomic_int *)(p), expected, v, order, \
                                          __ATOMIC_RELAXED, GROUP_SCOPE)
#define STORE(p, v, order) __opencl_atomic_store((volatile __global atomic_int *)(p), v, order, GROUP_SCOPE)
#else
#define GROUP_SCOPE memory_scope_work_group
#define COUNT_IN(space, p, v, order) \
  atomic_fetch_add_explicit((volatile space atomic_int *)(p), v, order, GROUP_SCOPE)
#define TAKE(p, expected, v, order)                                                                 \
  atomic_compare_exchange_strong_explicit((volatile __global atomic_int *)(p), expected, v, order, \
                                          memory_order_relaxed, GROUP_SCOPE)
#define STORE(p, v, order) atomic_store_explicit((volatile __global atomic_int *)(p), v, order, GROUP_SCOPE)
#endif
#ifdef __AMDGCN__
#define GLOBAL_BARRIER                                             \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "global"); \
  __builtin_amdgcn_s_barrier();                                    \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "global")
#elif defined(__NVPTX__)
#define GLOBAL_BARRIER BARRIER
#else
#define GLOBAL_BARRIER barrier(CLK_GLOBAL_MEM_FENCE)
#endif
// clang forgets the orders of atomic read-modify-write operations for PTX.
#ifdef __NVPTX__
#define ORDERED __nvvm_membar_cta()
#else
#define ORDERED
#endif

// Neighbours exchange through global memory.
__kernel void swap_ok(__global const int *in, __global int *out) {
  __global int *mine = out + GROUP * SIZE;
  int i = LOCAL_ID;
  mine[i] = in[i];
  BARRIER;
  int other = mine[i ^ 64];
  BARRIER;
  mine[i] = other;
}

__kernel void swap_race(__global const int *in, __global int *out) {
  __global int *mine = out + GROUP * SIZE;
  int i = LOCAL_ID;
  mine[i] = in[i];            // swap_race other
  int other = mine[i ^ 64];   // swap_race
  BARRIER;
  mine[i] = other;
}

// The same by barriers for global memory alone.
__kernel void global_ok(__global const int *in, __global int *out) {
  __global int *mine = out + GROUP * SIZE;
  int i = LOCAL_ID;
  mine[i] = in[i];
  GLOBAL_BARRIER;
  int other = mine[i ^ 64];
  GLOBAL_BARRIER;
  mine[i] = other;
}

__kernel void global_race(__global const int *in, __global int *out) {
  __global int *mine = out + GROUP * SIZE;
  int i = LOCAL_ID;
  mine[i] = in[i];
  GLOBAL_BARRIER;
  int other = mine[i ^ 64];   // global_race
  mine[i] = other;            // global_race other
}

// A barrier of the workgroup orders nothing between two.
__kernel void wide_race(__global const int *in, __global int *out) {
  int i = GROUP * SIZE + LOCAL_ID;
  out[i] = in[i];                    // wide_race other
  BARRIER;
  out[i ^ 256] += 1;                 // wide_race wide_race other
}

// Half of a workgroup waits for the other half by a counter in global memory.
__kernel void hand_ok(__global const int *in, __global int *out) {
  __global int *mine = out + GROUP * 64, *count = out + 500 + GROUP;
  int i = LOCAL_ID;
  if (i < 64) {
    mine[i] = in[i];
    ORDERED;
    COUNT_IN(__global, count, 1, RELEASE);
  } else {
    while (COUNT_IN(__global, count, 0, ACQUIRE) != 64)
      ;
    ORDERED;
    mine[127 - i] += 1;
  }
}

__kernel void hand_race(__global const int *in, __global int *out) {
  __global int *mine = out + GROUP * 64, *count = out + 500 + GROUP;
  int i = LOCAL_ID;
  if (i < 64) {
    ORDERED;
    COUNT_IN(__global, count, 1, RELEASE);
    mine[i] = in[i];                 // hand_race hand_race other
  } else {
    while (COUNT_IN(__global, count, 0, ACQUIRE) != 64)
      ;
    ORDERED;
    mine[127 - i] += 1;              // hand_race hand_race other
  }
}

// Two work-items of a workgroup add to its sum under its lock, which a store gives back.
__kernel void mutex_ok(__global const int *in, __global int *out) {
  __global int *lock = out + 500 + GROUP;
  int free = 0, i = LOCAL_ID;
  if (i % 64 != 0)
    return;
  while (!TAKE(lock, &free, 1, ACQUIRE))
    free = 0;
  ORDERED;
  out[GROUP] += in[i];
  ORDERED;
  STORE(lock, 0, RELEASE);
}

__kernel void mutex_race(__global const int *in, __global int *out) {
  __global int *lock = out + 500 + GROUP;
  int free = 0, i = LOCAL_ID;
  if (i % 64 != 0)
    return;
  while (!TAKE(lock, &free, 1, ACQUIRE))
    free = 0;
  ORDERED;
  ORDERED;
  STORE(lock, 0, RELEASE);
  out[GROUP] += in[i];               // mutex_race mutex_race other
}
