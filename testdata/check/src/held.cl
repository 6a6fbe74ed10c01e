// Kernels that use values which nothing has been written to, where the machine keeps them elsewhere than in a
// register of the variable: in an array in registers, which others name, in memory to which registers are
// spilled, and in what an atomic operation takes. Each beside one that only looks like it; marks are those of
// defects.cl.
#include "device.h"

#define SIZE 128
#define MANY 60
#ifdef BUILTIN_ATOMICS
#define COUNT(p, v) __opencl_atomic_fetch_add((volatile __global atomic_int *)(p), v, RELAXED, ALL)
#else
#define COUNT(p, v) ADD(p, v, RELAXED, ALL)
#endif

// An element that no work-item has set for itself is taken.
__kernel void pick_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[6];
  for (int k = 0; k < 6; k++)
    if (in[i] % 7 != k)
      a[k] = in[i + k];
  out[GROUP * SIZE + i] = a[in[i] % 6]; // pick_uninit
}

__kernel void pick_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[6];
  for (int k = 0; k < 6; k++)
    if (in[i] % 6 == k)
      a[k] = in[i + k];
  out[GROUP * SIZE + i] = a[in[i] % 6];
}

// So is an element that says which element.
__kernel void which_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[4], b[4];
  for (int k = 0; k < 4; k++) {
    a[k] = in[i + k];
    if (in[i] % 5 != k)
      b[k] = in[i + k] & 3;
  }
  out[GROUP * SIZE + i] = a[b[in[i] % 4]]; // which_uninit
}

__kernel void which_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[4], b[4];
  for (int k = 0; k < 4; k++) {
    a[k] = in[i + k];
    if (in[i] % 4 == k)
      b[k] = in[i + k] & 3;
  }
  out[GROUP * SIZE + i] = a[b[in[i] % 4]];
}

// An atomic operation with what is not there.
__kernel void atomic_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[6];
  for (int k = 0; k < 6; k++)
    if (in[i] % 7 != k)
      a[k] = in[i + k];
  COUNT(out + GROUP * SIZE + i, a[in[i] % 6]); // atomic_uninit
}

__kernel void atomic_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[6];
  for (int k = 0; k < 6; k++)
    if (in[i] % 7 != k)
      a[k] = in[i + k];
  if (in[i] % 7 != in[i] % 6)
    COUNT(out + GROUP * SIZE + i, a[in[i] % 6]);
}

// The array is there while many others are, so that some of it all is spilled.
#define SUM_OF_MANY(sum, element)         \
  {                                       \
    int v[MANY];                          \
    _Pragma("unroll")                     \
    for (int k = 0; k < MANY; k++)        \
      v[k] = in[i + k];                   \
    BARRIER;                              \
    sum = element;                        \
    _Pragma("unroll")                     \
    for (int k = 0; k < MANY; k++)        \
      sum = sum * v[k] + v[MANY - 1 - k]; \
  }

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void spill_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[6];
  for (int k = 0; k < 6; k++)
    if (in[i] % 7 != k)
      a[k] = in[i + k];
  int sum;
  SUM_OF_MANY(sum, a[in[i] % 6]);
  out[GROUP * SIZE + i] = sum;          // spill_uninit
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void spill_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, a[6];
  for (int k = 0; k < 6; k++)
    if (in[i] % 6 == k)
      a[k] = in[i + k];
  int sum;
  SUM_OF_MANY(sum, a[in[i] % 6]);
  out[GROUP * SIZE + i] = sum;
}
