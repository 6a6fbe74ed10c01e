// Kernels that leave an array for its neighbour, each beside one that looks like it and does not. They are run and
// marked as those of defects.cl. IGC writes debugging information only for programs with one kernel: KERNEL_name
// compiles that one alone.
#include "device.h"

#define SIZE 128
#define LENGTH 32

#if !defined(ONE) || defined(KERNEL_before_bounds)
// A step to the left of the first element.
__kernel void before_bounds(__global const int *in, __global int *out) {
  __local int a[LENGTH], b[LENGTH], c[LENGTH];
  int i = LOCAL_ID;
  a[i % LENGTH] = 1;
  b[i % LENGTH] = 2;
  c[i % LENGTH] = 3;
  BARRIER;
  int left = b[in[i] % LENGTH - 1];     // before_bounds
  out[GROUP * SIZE + i] = left + a[in[i] % LENGTH] + c[in[i] % LENGTH];
}
#endif

#if !defined(ONE) || defined(KERNEL_before_ok)
__kernel void before_ok(__global const int *in, __global int *out) {
  __local int a[LENGTH], b[LENGTH], c[LENGTH];
  int i = LOCAL_ID;
  if (i < LENGTH)
    a[LENGTH - 1 - i] = 1;
  else if (i < 2 * LENGTH)
    b[i - LENGTH] = 2;
  else if (i < 3 * LENGTH)
    c[i - 2 * LENGTH] = 3;
  BARRIER;
  int k = in[i] % LENGTH, left = b[(LENGTH - k) % LENGTH];
  __local int *p = i < 64 ? b + LENGTH : a + LENGTH;
  out[GROUP * SIZE + i] = left + p[-1 - k] + c[LENGTH / 2 + k / 2];
}
#endif

#if !defined(ONE) || defined(KERNEL_store_bounds)
// The last work-item writes behind the end.
__kernel void store_bounds(__global const int *in, __global int *out) {
  __local int a[LENGTH], b[LENGTH], c[LENGTH];
  int i = LOCAL_ID;
  if (i < LENGTH) {
    a[i] = in[i];
    b[i] = in[i];
    c[i] = in[i];
  }
  BARRIER;
  if (i < LENGTH)
    b[in[i] + 1] += 7;                  // store_bounds
  BARRIER;
  out[GROUP * SIZE + i] = a[i % LENGTH] + b[i % LENGTH] + c[i % LENGTH];
}
#endif

#if !defined(ONE) || defined(KERNEL_store_ok)
// A copy, which optimisers make wide, and a table that is filled by rows.
__kernel void store_ok(__global const int *in, __global int *out) {
  __local int a[LENGTH], b[LENGTH], c[4][LENGTH / 4];
  int i = LOCAL_ID;
  if (i < LENGTH)
    a[i] = in[i];
  BARRIER;
  if (i == 0)
    for (int k = 0; k < LENGTH; k++)
      b[k] = a[k];
  if (i < LENGTH)
    c[i / 8][i % 8] = in[i];
  BARRIER;
  if (i < LENGTH)
    a[LENGTH - 1 - i]++;
  BARRIER;
  out[GROUP * SIZE + i] = a[i % LENGTH] + b[(i + 1) % LENGTH] + c[i % 4][i % 8];
}
#endif

#if !defined(ONE) || defined(KERNEL_frame_bounds)
// A private array is left on both sides.
__kernel void frame_bounds(__global const int *in, __global int *out) {
  int a[LENGTH], b[LENGTH], c[LENGTH], i = LOCAL_ID;
  for (int k = 0; k < LENGTH; k++) {
    a[in[k]] = in[i + k];
    b[in[k]] = in[i + k + 1];
    c[in[k]] = in[i + k + 2];
  }
  int sum = a[in[i] % LENGTH] + c[in[i] % LENGTH];
  out[GROUP * SIZE + i] = sum + b[in[i] % (2 * LENGTH) - LENGTH / 2]; // frame_bounds
}
#endif

#if !defined(ONE) || defined(KERNEL_frame_ok)
__kernel void frame_ok(__global const int *in, __global int *out) {
  int a[LENGTH], b[LENGTH], c[LENGTH], i = LOCAL_ID;
  for (int k = 0; k < LENGTH; k++) {
    a[LENGTH - 1 - in[k]] = in[i + k];
    b[in[k]] = in[i + k + 1];
    c[in[k + LENGTH] - LENGTH] = in[i + k + 2];
  }
  int *p = in[i] % 2 ? a : c, k = in[i] % LENGTH;
  int sum = p[k] + a[LENGTH - 1 - k] + c[k];
  out[GROUP * SIZE + i] = sum + b[in[i] % LENGTH];
}
#endif

#if !defined(ONE) || defined(KERNEL_called_bounds)
// The frames of functions that are called.
__attribute__((noinline)) static int inner(__global const int *in, int i) {
  int first[LENGTH], second[LENGTH];
  for (int k = 0; k < LENGTH; k++) {
    first[in[k]] = in[i + k];
    second[in[k]] = in[i + k + 1];
  }
  return first[in[i] % (2 * LENGTH)] + second[in[i] % LENGTH]; // called_bounds
}

__attribute__((noinline)) static int outer(__global const int *in, int i) {
  int first[LENGTH];
  for (int k = 0; k < LENGTH; k++)
    first[in[k]] = in[i + k];
  return inner(in, i) + first[in[i] % LENGTH];
}

__kernel void called_bounds(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  out[GROUP * SIZE + i] = outer(in, i);
}
#endif
