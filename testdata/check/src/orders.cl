// Kernels that hand data over by locks and counters, each beside one that does it wrong. Marks are as in defects.cl.
#include "device.h"

#define SIZE 128

#ifdef BUILTIN_ATOMICS
#define LOAD(p, order) \
  __opencl_atomic_load((volatile __global atomic_int *)(p), order, __OPENCL_MEMORY_SCOPE_DEVICE)
#define STORE(p, v, order) \
  __opencl_atomic_store((volatile __global atomic_int *)(p), v, order, __OPENCL_MEMORY_SCOPE_DEVICE)
#define TAKE(p, expected, v, order)                                                                     \
  __opencl_atomic_compare_exchange_strong((volatile __global atomic_int *)(p), expected, v, order, \
                                          __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
#define COUNT(p, v, order) \
  __opencl_atomic_fetch_add((volatile __local atomic_int *)(p), v, order, __OPENCL_MEMORY_SCOPE_WORK_GROUP)
#else
#define LOAD(p, order) atomic_load_explicit((volatile __global atomic_int *)(p), order, memory_scope_device)
#define STORE(p, v, order) atomic_store_explicit((volatile __global atomic_int *)(p), v, order, memory_scope_device)
#define TAKE(p, expected, v, order)                                                                 \
  atomic_compare_exchange_strong_explicit((volatile __global atomic_int *)(p), expected, v, order, \
                                          memory_order_relaxed, memory_scope_device)
#define COUNT(p, v, order) \
  atomic_fetch_add_explicit((volatile __local atomic_int *)(p), v, order, memory_scope_work_group)
#endif
// clang forgets the orders of atomic read-modify-write operations for PTX.
#ifdef __NVPTX__
#define ORDERED __nvvm_membar_gl()
#else
#define ORDERED
#endif

// Workgroups add to a sum under a lock, which is taken by an exchange and given back by a store.
__kernel void lock_ok(__global const int *in, __global int *out) {
  int free = 0;
  if (LOCAL_ID != 0)
    return;
  while (!TAKE(out + 500, &free, 1, ACQUIRE))
    free = 0;
  ORDERED;
  out[0] += in[GROUP];
  STORE(out + 500, 0, RELEASE);
}

__kernel void lock_race(__global const int *in, __global int *out) {
  int free = 0;
  if (LOCAL_ID != 0)
    return;
  while (!TAKE(out + 500, &free, 1, RELAXED))
    free = 0;
  out[0] += in[GROUP];                  // lock_race lock_race other
  STORE(out + 500, 0, RELAXED);
}

// The sum is touched once more when the lock has been given back.
__kernel void late_race(__global const int *in, __global int *out) {
  int free = 0;
  if (LOCAL_ID != 0)
    return;
  while (!TAKE(out + 500, &free, 1, ACQUIRE))
    free = 0;
  ORDERED;
  out[0] += in[GROUP];                  // late_race late_race other
  STORE(out + 500, 0, RELEASE);
  out[0] += 1;                          // late_race late_race other
}

// Workgroups take their turns, of which one draws a number and the one before calls it.
__kernel void turn_ok(__global const int *in, __global int *out) {
  if (LOCAL_ID != 0)
    return;
  int mine = ADD(out + 500, 1, RELAXED, ALL);
  while (LOAD(out + 501, ACQUIRE) != mine)
    ;
  out[0] += in[GROUP];
  STORE(out + 501, mine + 1, RELEASE);
}

__kernel void turn_race(__global const int *in, __global int *out) {
  if (LOCAL_ID != 0)
    return;
  int mine = ADD(out + 500, 1, RELAXED, ALL);
  while (LOAD(out + 501, RELAXED) != mine)
    ;
  out[0] += in[GROUP];                  // turn_race turn_race other
  STORE(out + 501, mine + 1, RELAXED);
}

// Half of a workgroup waits in local memory until the other half has written.
__kernel void half_ok(__global const int *in, __global int *out) {
  __local int written, tile[64];
  int i = LOCAL_ID;
  if (i == 0)
    written = 0;
  BARRIER;
  if (i < 64) {
    tile[i] = in[i];
    ORDERED;
    COUNT(&written, 1, RELEASE);
  } else {
    while (COUNT(&written, 0, ACQUIRE) != 64)
      ;
    ORDERED;
    out[GROUP * 64 + i - 64] = tile[127 - i];
  }
}

__kernel void half_race(__global const int *in, __global int *out) {
  __local int written, tile[64];
  int i = LOCAL_ID;
  if (i == 0)
    written = 0;
  BARRIER;
  if (i < 64) {
    ORDERED;
    COUNT(&written, 1, RELEASE);
    tile[i] = in[i];                    // half_race half_race other
  } else {
    while (COUNT(&written, 0, ACQUIRE) != 64)
      ;
    ORDERED;
    out[GROUP * 64 + i - 64] = tile[127 - i]; // half_race half_race other
  }
}
