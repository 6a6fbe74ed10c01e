// Kernels that change a part of what is in local memory, which compilers do by loading all of it, putting the part
// in its place and storing all again: what has not been written of the rest is not used by that. In others it is,
// there or where it is read later. Marks are those of defects.cl.
#include "device.h"

#define SIZE 128

// A half of a pair, which another work-item reads.
__kernel void half_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local short2 pairs[SIZE];
  pairs[i].x = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = pairs[(i + 1) % SIZE].x;
}

// It reads the other half.
__kernel void half_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local short2 pairs[SIZE];
  pairs[i].x = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = pairs[(i + 1) % SIZE].y ^ 3; // half_uninit
}

// The other half is used by who loads it.
__kernel void used_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local short2 pairs[SIZE];
  short2 v;
  v = pairs[i], v.x = in[i], pairs[i] = v, out[GROUP * SIZE + i] = v.y * 5; // used_uninit
}

// It is stored elsewhere.
__kernel void moved_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local short2 pairs[SIZE];
  pairs[i ^ 1] = (short2)(in[i], pairs[i].y); // moved_uninit
  BARRIER;
  out[GROUP * SIZE + i] = pairs[i].x;
}

// One half or the other, on two sides of a branch.
__kernel void sides_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local short2 pairs[SIZE];
  if (in[i] & 1)
    pairs[i].x = in[i];
  else
    pairs[i].y = in[i];
  BARRIER;
  int other = (i + 1) % SIZE;
  out[GROUP * SIZE + i] = in[other] & 1 ? pairs[other].x : pairs[other].y;
}

// Two components of four, words and bytes.
__kernel void words_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local int4 rows[SIZE];
  rows[i].x = in[i];
  rows[i].z = in[i] >> 1;
  BARRIER;
  int other = (i + 1) % SIZE;
  out[GROUP * SIZE + i] = rows[other].x + rows[other].z;
}

__kernel void words_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local int4 rows[SIZE];
  rows[i].x = in[i];
  rows[i].z = in[i] >> 1;
  BARRIER;
  int other = (i + 1) % SIZE;
  out[GROUP * SIZE + i] = rows[other].y; // words_uninit
}

__kernel void cells_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local uchar4 cells[SIZE];
  cells[i].y = in[i];
  cells[i].w = in[i];
  BARRIER;
  int other = (i + 1) % SIZE;
  out[GROUP * SIZE + i] = cells[other].y + cells[other].w;
}

__kernel void cells_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __local uchar4 cells[SIZE];
  cells[i].y = in[i];
  cells[i].w = in[i];
  BARRIER;
  int other = (i + 1) % SIZE;
  out[GROUP * SIZE + i] = cells[other].z + 3; // cells_uninit
}
