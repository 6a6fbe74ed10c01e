// Kernels of one wave whose work-items exchange values, with and without a barrier of the wave. Workgroups have 8
// work-items, as many as the smallest waves. Where the machine's rules put lanes in no order, those that
// have none race (--check=race-strict).
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#include "device.h"

#ifdef __NVPTX__
#define MEET __nvvm_bar_warp_sync(0xffff)
#elif defined(__AMDGCN__)
#define MEET                                           \
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); \
  __builtin_amdgcn_wave_barrier()
#else
#define MEET sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#endif

#define SIZE 8

__kernel void neighbour_race(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];                   // neighbour_race other
  out[GROUP * SIZE + i] = tile[i ^ 1]; // neighbour_race
}

__kernel void neighbour_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];
  MEET;
  out[GROUP * SIZE + i] = tile[i ^ 1];
}

// The end of a sum, as it is often written.
__kernel void sum_race(__global const int *in, __global int *out) {
  __local int tile[2 * SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];
  tile[i + SIZE] = 0;
  MEET;
  for (int step = SIZE / 2; step > 0; step /= 2)
    tile[i] += tile[i + step]; // sum_race sum_race other
  if (i == 0)
    out[GROUP] = tile[0];
}

__kernel void sum_ok(__global const int *in, __global int *out) {
  __local int tile[2 * SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];
  tile[i + SIZE] = 0;
  MEET;
  for (int step = SIZE / 2; step > 0; step /= 2) {
    int sum = tile[i] + tile[i + step];
    MEET;
    tile[i] = sum;
    MEET;
  }
  if (i == 0)
    out[GROUP] = tile[0];
}
