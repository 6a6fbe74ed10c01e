// Kernels that use registers which nothing has written to, each beside one that only moves them. Optimised code
// has such registers where an inline assembler says that it gives one, and does not. Marks are those of defects.cl.
#include "device.h"

#define SIZE 128

#ifdef __NVPTX__
#define NOTHING(x) __asm__ volatile("" : "=r"(x))
#else
#define NOTHING(x) __asm__ volatile("" : "=rw"(x))
#endif

__kernel void place_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, to;
  NOTHING(to);
  if (in[i] >= 3)
    to = i;
  out[GROUP * SIZE + to] = 7;           // place_uninit
}

__kernel void place_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, to;
  NOTHING(to);
  if (in[i] >= 3)
    to = i;
  if (in[i] >= 3)
    out[GROUP * SIZE + to] = i;
}

__kernel void way_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, flag;
  NOTHING(flag);
  if (in[i] > 5)
    flag = in[i] * 3;
  if (flag + 1 > 0)                     // way_uninit
    out[GROUP * SIZE + i] = i;
}

__kernel void way_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, flag;
  NOTHING(flag);
  if (in[i] > 5)
    flag = in[i] * 3;
  int copy = flag + 1;
  if (in[i] > 5 && flag + 1 > 0)
    out[GROUP * SIZE + i] = copy;
}

__kernel void data_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, sum;
  NOTHING(sum);
  out[GROUP * SIZE + i] = sum + in[i];  // data_uninit
}

__kernel void data_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, sum;
  NOTHING(sum);
  sum = in[i] < 1000 ? in[i] : sum;
  out[GROUP * SIZE + i] = sum;
}
