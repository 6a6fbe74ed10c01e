// Atomic loads and stores of the workgroup's scope, which AMD's instructions do not tell from plain ones: the source
// does. Marks are those of defects.cl.
#include "device.h"

#define STORE(p, v, order) __opencl_atomic_store(p, v, order, __OPENCL_MEMORY_SCOPE_WORK_GROUP)

// A release and an acquire.
__kernel void handed_ok(__global const int *in, __global int *out) {
  __global atomic_int *flag = (__global atomic_int *)(out + 256 + GROUP);
  int l = LOCAL_ID;
  if (l == 0) {
    out[GROUP] = in[4] + 3;
    STORE(flag, 1, __ATOMIC_RELEASE);
  } else if (l == 64) {
    while (__opencl_atomic_load(flag, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_WORK_GROUP) == 0)
      ;
    out[128 + GROUP] = out[GROUP];
  }
}

// The same in local memory.
__kernel void local_ok(__global const int *in, __global int *out) {
  __local atomic_int flag;
  __local int data;
  int l = LOCAL_ID;
  if (l == 0)
    __opencl_atomic_init(&flag, 0);
  BARRIER;
  if (l == 0) {
    data = in[4] + 3;
    STORE(&flag, 1, __ATOMIC_RELEASE);
  } else if (l == 64) {
    while (__opencl_atomic_load(&flag, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_WORK_GROUP) == 0)
      ;
    out[128 + GROUP] = data;
  }
}

// The store is plain.
__kernel void plain_race(__global const int *in, __global int *out) {
  __global atomic_int *flag = (__global atomic_int *)(out + 256 + GROUP);
  int l = LOCAL_ID;
  if (l == 0)
    out[256 + GROUP] = 1; // plain_race
  else if (l == 64)
    *(__global short *)(out + 128) = __opencl_atomic_load(flag, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP); // plain_race
}

// The same in local memory.
__kernel void local_race(__global const int *in, __global int *out) {
  __local int flag;
  int l = LOCAL_ID;
  if (l == 0)
    flag = 0;
  BARRIER;
  if (l == 0)
    flag = in[3]; // local_race
  else if (l == 64)
    out[GROUP] = __opencl_atomic_load((__local atomic_int *)&flag, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP); // local_race
}
