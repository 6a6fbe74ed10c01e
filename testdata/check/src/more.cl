// Kernels with a defect that is easily missed, each beside one without it. Marks are as in defects.cl.
#include "device.h"

#define SIZE 128

#ifdef BUILTIN_ATOMICS
#define LOAD(p) \
  __opencl_atomic_load((volatile __global atomic_int *)(p), __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
#else
#define LOAD(p) atomic_load_explicit((volatile __global atomic_int *)(p), memory_order_relaxed, memory_scope_device)
#endif

// What workgroups count is looked at by a plain read.
__kernel void mixed_race(__global const int *in, __global int *out) {
  if (LOCAL_ID == 0)
    ADD(out, in[1], RELAXED, ALL); // mixed_race other
  out[SIZE + GROUP * SIZE % 256 + LOCAL_ID] = out[0]; // mixed_race mixed_race other
}

__kernel void mixed_ok(__global const int *in, __global int *out) {
  if (LOCAL_ID == 0) {
    ADD(out, in[1], RELAXED, ALL);
    out[1 + GROUP] = LOAD(out);
  }
}

// A barrier in a function, which waves come to by two calls.
__attribute__((noinline)) static void meet(void) {
  BARRIER; // twice_barrier twice_barrier other
}

__kernel void twice_barrier(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (i < 64) {
    out[GROUP * SIZE + i] = in[i];
    meet();
  } else {
    out[GROUP * SIZE + i] = in[i] + 1;
    meet();
  }
}

__kernel void twice_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  meet();
  if (i < 64)
    out[GROUP * SIZE + i] = in[i];
  meet();
}

// Divisions of each width by what is 0 in one work-item.
__kernel void byte_undefined(__global const int *in, __global int *out) {
  char a = in[LOCAL_ID + 128], b = in[LOCAL_ID];
  out[GROUP * SIZE + LOCAL_ID] = (char)(a / b); // byte_undefined
}

__kernel void byte_ok(__global const int *in, __global int *out) {
  char a = in[LOCAL_ID + 128], b = in[LOCAL_ID] | 1;
  out[GROUP * SIZE + LOCAL_ID] = (char)(a / b);
}

__kernel void long_undefined(__global const int *in, __global int *out) {
  long a = (long)in[LOCAL_ID + 128] << 33, b = in[LOCAL_ID];
  out[GROUP * SIZE + LOCAL_ID] = (int)(a / b); // long_undefined
}

__kernel void long_ok(__global const int *in, __global int *out) {
  long a = (long)in[LOCAL_ID + 128] << 33, b = in[LOCAL_ID] | 1;
  out[GROUP * SIZE + LOCAL_ID] = (int)(a / b);
}

// All of a kernel in one line.
__kernel void line_bounds(__global const int *in, __global int *out) { __local int t[SIZE]; __local int u[SIZE]; int i = LOCAL_ID; t[i] = in[i]; u[i] = in[i]; BARRIER; out[GROUP * SIZE + i] = t[i + 1] + u[i]; } // line_bounds
__kernel void line_ok(__global const int *in, __global int *out) { __local int t[SIZE]; __local int u[SIZE]; int i = LOCAL_ID; t[i] = in[i]; u[i] = in[i]; BARRIER; out[GROUP * SIZE + i] = t[i ^ 1] + u[i]; }

// Two elements that may be read at once, of which nothing has written the other.
__kernel void pair_uninit(__global const int *in, __global int *out) {
  __local int t[3 * SIZE];
  int i = LOCAL_ID;
  t[i] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = t[i] + t[i + 2 * SIZE]; // pair_uninit
}

__kernel void pair_ok(__global const int *in, __global int *out) {
  __local int t[3 * SIZE];
  int i = LOCAL_ID;
  t[i] = in[i];
  t[i + 2 * SIZE] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = t[i] + t[i + 2 * SIZE];
}

// Counters that begin with an atomic store, and with an exchange whose result nobody uses; and with neither.
#ifdef BUILTIN_ATOMICS
#define AS_ATOMIC(p) (volatile __local atomic_int *)(p), 0, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP
#define CLEAR(p) __opencl_atomic_store(AS_ATOMIC(p))
#define SWAP(p) __opencl_atomic_exchange(AS_ATOMIC(p))
#else
#define AS_ATOMIC(p) (volatile __local atomic_int *)(p), 0, memory_order_relaxed, memory_scope_work_group
#define CLEAR(p) atomic_store_explicit(AS_ATOMIC(p))
#define SWAP(p) atomic_exchange_explicit(AS_ATOMIC(p))
#endif

__kernel void cleared_ok(__global const int *in, __global int *out) {
  __local int n;
  if (LOCAL_ID == 0)
    CLEAR(&n);
  BARRIER;
  ADD_LOCAL(&n, in[LOCAL_ID]);
  BARRIER;
  if (LOCAL_ID == 0)
    out[GROUP * SIZE] = n;
}

__kernel void swapped_ok(__global const int *in, __global int *out) {
  __local int n;
  if (LOCAL_ID == 0)
    SWAP(&n);
  BARRIER;
  ADD_LOCAL(&n, in[LOCAL_ID]);
  BARRIER;
  if (LOCAL_ID == 0)
    out[GROUP * SIZE] = n;
}

__kernel void counted_uninit(__global const int *in, __global int *out) {
  __local int n;
  if (LOCAL_ID == 0)
    out[1 + GROUP * SIZE] = 0;
  BARRIER;
  ADD_LOCAL(&n, in[LOCAL_ID]); // counted_uninit
  BARRIER;
  if (LOCAL_ID == 0)
    out[GROUP * SIZE] = n;
}
