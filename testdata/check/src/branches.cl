// Kernels of workgroups of 8 and more work-items whose work-items exchange values in branches, one after the other.
// Where the machine has it that lanes of a wave are independent, what each of two does in a branch that the other is
// not in is in no order, also where they have met between. Marks are those of defects.cl.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#include "device.h"

#ifdef __NVPTX__
#define MEET __nvvm_bar_warp_sync(0xffffffff)
#else
#define MEET sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#endif

#define SIZE 128

// One writes, another reads in a branch of its own.
__kernel void handed_race(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  if (i == 0)
    tile[0] = in[0] + 7; // handed_race other
  out[GROUP * SIZE + i] = in[i];
  if (i == 1)
    out[GROUP * SIZE + i] = tile[0]; // handed_race
}

// Both write, one of them a byte.
__kernel void bytes_race(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  if (i == 0)
    tile[3] = in[0]; // bytes_race other
  out[GROUP * SIZE + i] = in[i];
  __local char *bytes = (__local char *)tile;
  if (i == 1)
    bytes[14] = 42; // bytes_race
  BARRIER;
  out[GROUP * SIZE + i] += tile[3];
}

// A barrier of the wave lies between.
__kernel void met_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  if (i == 0)
    tile[0] = in[0] + 7;
  MEET;
  out[GROUP * SIZE + i] = in[i];
  if (i == 1)
    out[GROUP * SIZE + i] = tile[0];
}

// The end of a sum within a wave: who reads has been there when that was written.
__kernel void ends_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];
  BARRIER;
  if (i < 8)
    tile[i] += tile[i + 8];
  if (i < 4)
    tile[i] += tile[i + 4];
  if (i < 2)
    tile[i] += tile[i + 2];
  if (i == 0)
    out[GROUP * SIZE] = tile[0] + tile[1];
}
