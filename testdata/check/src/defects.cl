// Kernels that have a defect, each beside one that looks like it and has not. Workgroups have 128 work-items; in and out have 512 elements. Where a report
// is expected, the line of the access that is reported is marked with the kernel's name, and that of the other party
// with the name and "other".
#include "device.h"

#define SIZE 128

// Neighbours exchange through local memory.
__kernel void tile_race(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];                   // tile_race other
  out[i] = tile[(i + 64) % SIZE];    // tile_race
}

__kernel void tile_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID;
  tile[i] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = tile[(i + 64) % SIZE];
}

// A tile is used a second time.
__kernel void again_race(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID, sum = 0;
  for (int k = 0; k < 2; k++) {
    tile[i] = in[k * SIZE + i];         // again_race
    BARRIER;
    sum += tile[(i + 64) % SIZE];       // again_race other
  }
  out[GROUP * SIZE + i] = sum;
}

__kernel void again_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE];
  int i = LOCAL_ID, sum = 0;
  for (int k = 0; k < 2; k++) {
    tile[i] = in[k * SIZE + i];
    BARRIER;
    sum += tile[(i + 64) % SIZE];
    BARRIER;
  }
  out[GROUP * SIZE + i] = sum;
}

// Workgroups add to one place.
__kernel void sum_race(__global const int *in, __global int *out) {
  if (LOCAL_ID == 0)
    out[0] += in[GROUP];                // sum_race sum_race other
}

__kernel void sum_ok(__global const int *in, __global int *out) {
  if (LOCAL_ID == 0)
    ADD(out, in[GROUP], RELAXED, ALL);
}

// The first workgroup hands a value to the others, by a flag.
__kernel void flag_race(__global const int *in, __global int *out) {
  if (LOCAL_ID != 0)
    return;
  if (GROUP == 0) {
    out[1] = in[5];                     // flag_race other
    ADD(out, 1, RELAXED, ALL);
  } else if (ADD(out, 0, RELAXED, ALL) == 1) {
    out[2 + GROUP] = out[1];            // flag_race
  }
}

__kernel void flag_ok(__global const int *in, __global int *out) {
  if (LOCAL_ID != 0)
    return;
  if (GROUP == 0) {
    out[1] = in[5];
    ADD(out, 1, RELEASE, ALL);
  } else if (ADD(out, 0, ACQUIRE, ALL) == 1) {
    out[2 + GROUP] = out[1];
  }
}

// Work-items count in local memory.
__kernel void count_race(__global const int *in, __global int *out) {
  __local int count[4];
  int i = LOCAL_ID;
  if (i < 4)
    count[i] = 0;
  BARRIER;
  ADD_LOCAL(&count[in[i] & 3], 1);      // count_race other
  if (i >= 64 && i < 68)
    out[GROUP * 4 + i - 64] = count[i - 64]; // count_race
}

__kernel void count_ok(__global const int *in, __global int *out) {
  __local int count[4];
  int i = LOCAL_ID;
  if (i < 4)
    count[i] = 0;
  BARRIER;
  ADD_LOCAL(&count[in[i] & 3], 1);
  BARRIER;
  if (i >= 64 && i < 68)
    out[GROUP * 4 + i - 64] = count[i - 64];
}

// All write one place.
__kernel void write_race(__global const int *in, __global int *out) {
  if (in[LOCAL_ID] >= 0)
    out[GROUP] = LOCAL_ID;              // write_race write_race other
}

__kernel void write_ok(__global const int *in, __global int *out) {
  if (in[LOCAL_ID] >= 0)
    out[GROUP] = 1;
}

// The last element of a tile is written by nobody.
__kernel void local_uninit(__global const int *in, __global int *out) {
  __local int tile[SIZE + 1];
  int i = LOCAL_ID;
  tile[i] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = tile[i] + tile[i + 1]; // local_uninit
}

__kernel void local_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE + 1];
  int i = LOCAL_ID;
  tile[i] = in[i];
  if (i == 0)
    tile[SIZE] = 0;
  BARRIER;
  out[GROUP * SIZE + i] = tile[i] + tile[i + 1];
}

// A buffer without contents is added to.
__kernel void output_uninit(__global const int *in, __global int *out) {
  int i = GROUP * SIZE + LOCAL_ID;
  out[i] += in[i];                      // output_uninit
}

__kernel void output_ok(__global const int *in, __global int *out) {
  int i = GROUP * SIZE + LOCAL_ID;
  out[i] = in[i];
  out[i] += in[i];
}

// An array of which only a part is written.
__kernel void private_uninit(__global const int *in, __global int *out) {
  int a[16], i = LOCAL_ID;
  for (int k = 0; k < 15; k++)
    a[k] = in[k + i];
  out[GROUP * SIZE + i] = a[in[i] & 15]; // private_uninit
}

__kernel void private_ok(__global const int *in, __global int *out) {
  int a[16], i = LOCAL_ID;
  for (int k = 0; k < 16; k++)
    a[k] = in[k + i];
  out[GROUP * SIZE + i] = a[in[i] & 15];
}

// Half of the work-items wait.
__kernel void half_barrier(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (in[i] % 2 == 0) {
    BARRIER;                            // half_barrier
  }
  out[GROUP * SIZE + i] = i;
}

__kernel void half_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (in[GROUP] % 2 == 0) {
    BARRIER;
  }
  out[GROUP * SIZE + i] = i;
}

// Work-items wait at two barriers.
__kernel void two_barrier(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (i / 64 == 0) {
    out[GROUP * SIZE + i] = in[i];
    BARRIER;                            // two_barrier
  } else {
    out[GROUP * SIZE + i] = -in[i];
    BARRIER;                            // two_barrier other
  }
}

// Some leave before the barrier.
__kernel void left_barrier(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (i >= 64)
    return;
  out[GROUP * SIZE + i] = in[i];
  BARRIER;                              // left_barrier
}

__kernel void left_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (i < 64)
    out[GROUP * SIZE + i] = in[i];
  BARRIER;
  if (i >= 64)
    return;
  out[GROUP * SIZE + i] += 1;
}

// Neighbours exchange on two sides of a branch.
__kernel void sides_race(__global const int *in, __global int *out) {
  __local int tile[SIZE + 1];
  int i = LOCAL_ID;
  tile[i] = 0;
  BARRIER;
  if (in[i] % 2 == 0)
    tile[i + 1] = in[i];                // sides_race sides_race other
  else
    out[GROUP * SIZE + i] = tile[i];    // sides_race sides_race other
}

__kernel void sides_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE + 1];
  int i = LOCAL_ID;
  if (in[i] % 2 == 0)
    tile[i + 1] = in[i];
  else
    tile[i - 1] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = tile[i];
}

// The second of three arrays is left.
__kernel void array_bounds(__global const int *in, __global int *out) {
  __local int a[16], b[16], c[16];
  int i = LOCAL_ID;
  a[i & 15] = 1;
  b[i & 15] = 2;
  c[i & 15] = 3;
  BARRIER;
  out[GROUP * SIZE + i] = a[in[i] & 15] + b[in[i] & 31] + c[in[i] & 15]; // array_bounds
}

__kernel void array_ok(__global const int *in, __global int *out) {
  __local int a[16], b[16], c[16];
  int i = LOCAL_ID, sum = 0;
  a[i & 15] = 1;
  b[i & 15] = 2;
  c[i & 15] = 3;
  BARRIER;
  __local int *p = b + (in[i] & 15), *end = b + 16, *either = a;
  if (in[i] & 16)
    either = c;
  do
    sum += *p++ + either[in[i] & 15] + (end - 1)[-(in[i] & 15)];
  while (p != end && sum < in[i]);
  out[GROUP * SIZE + i] = sum;
}

// A table is read behind its end.
__constant int before[16] = {1, 2, 3}, table[16] = {4, 5, 6}, after[16] = {7, 8, 9};

__kernel void table_bounds(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  out[GROUP * SIZE + i] = before[in[i] & 15] + table[in[i] & 31] + after[in[i] & 15]; // table_bounds
}

__kernel void table_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  out[GROUP * SIZE + i] = before[in[i] & 15] + table[in[i] & 15] + after[in[i] & 15];
}

// One work-item divides by zero.
__kernel void divide_undefined(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  out[GROUP * SIZE + i] = 1000 / in[i]; // divide_undefined
}

__kernel void divide_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  if (in[i] != 0)
    out[GROUP * SIZE + i] = 1000 / in[i];
}
