// Kernels that make a NaN or an infinity of finite numbers (--check=nan), and some that do not. Marks are as in
// defects.cl.
#include "device.h"

#define SIZE 128
#define BITS(x) __builtin_astype((float)(x), int)
#if defined(__AMDGCN__) || defined(__NVPTX__)
#define SQRT __builtin_sqrtf
#else
#define SQRT sqrt
#endif

__kernel void divide_nan(__global const int *in, __global int *out) {
  float x = in[LOCAL_ID] - 3;
  out[GROUP * SIZE + LOCAL_ID] = BITS(1.0f / x); // divide_nan
}

__kernel void root_nan(__global const int *in, __global int *out) {
  float x = in[LOCAL_ID] - 3;
  out[GROUP * SIZE + LOCAL_ID] = BITS(SQRT(x)); // root_nan
}

// What grows is an infinity in the end, and minus itself a NaN, which is not made of finite numbers.
__kernel void grow_nan(__global const int *in, __global int *out) {
  float x = in[LOCAL_ID] + 1;
  for (int k = 0; k < 40; k++)
    x = x * 64.0f; // grow_nan
  out[GROUP * SIZE + LOCAL_ID] = BITS(x - x);
}

__kernel void divide_ok(__global const int *in, __global int *out) {
  float x = in[LOCAL_ID] + 1;
  out[GROUP * SIZE + LOCAL_ID] = BITS(SQRT(x * 2.0f + 1.0f) / x);
}

// Who is given an infinity or a NaN has not made it.
__kernel void given_ok(__global const int *in, __global int *out) {
  float infinite = __builtin_astype(0x7f800000 | in[0], float);
  float x = (in[LOCAL_ID] + 1) * infinite - infinite;
  out[GROUP * SIZE + LOCAL_ID] = BITS(x + 1.0f);
}
