// Kernels that use values which nothing has been written to, each beside one that only looks like it: such values
// may be moved, passed and computed with. Marks are those of defects.cl.
#include "device.h"

#define SIZE 128

// Only some work-items choose where to write.
__kernel void address_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, to;
  if (in[i] >= 3)
    to = i;
  out[GROUP * SIZE + to] = 7;           // address_uninit
}

__kernel void address_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, to;
  if (in[i] >= 3)
    to = i;
  if (in[i] >= 3)
    out[GROUP * SIZE + to] = i;
}

// A flag that some work-items never set.
__kernel void branch_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, flag;
  if (i != 5)
    flag = in[i] & 1;
  if (flag > 0)                         // branch_uninit
    out[GROUP * SIZE + i] = i;
}

__kernel void branch_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, flag;
  if (i != 5)
    flag = in[i] & 1;
  int copy = flag + 1;
  if (i != 5 && flag > 0)
    out[GROUP * SIZE + i] = copy;
}

// A sum that begins with anything.
__kernel void sum_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID, sum;
  for (int k = 0; k < 4; k++)
    sum += in[i + k];
  out[GROUP * SIZE + i] = sum;          // sum_uninit
}

__kernel void sum_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, sum;
  for (int k = 0; k < 4; k++)
    sum = k == 0 ? in[i] : sum + in[i + k];
  out[GROUP * SIZE + i] = sum;
}

// A structure of which a member is not set is copied and passed as a whole.
struct three {
  long one, other, last;
};

__attribute__((noinline)) static int taken(struct three p, int other) {
  struct three t = p;
  int r = t.one;
  if (other)
    r = t.other;
  return r;
}

__kernel void member_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  struct three p;
  p.one = p.last = in[i];
  struct three copy = p;
  int r = taken(copy, i >= 8);
  out[GROUP * SIZE + i] = r;            // member_uninit
}

__kernel void member_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  struct three p;
  p.one = p.last = in[i];
  struct three copy = p;
  int r = taken(copy, i < 0);
  out[GROUP * SIZE + i] = r;
}

// Numbers of two registers: a pointer of three that is not set, and doubles that it chooses.
__kernel void wide_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __global const int *from[3];
  from[0] = in;
  from[2] = in + 1;
  double sum = from[in[i] % 3] == in ? 0.5 : 1.5;
  int found = sum + in[i] > 9;
  if (found)                            // wide_uninit
    out[GROUP * SIZE + i] = i;
}

__kernel void wide_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  __global const int *from[3];
  from[0] = in;
  from[2] = in + 1;
  double sum = from[in[i] % 2 * 2] == in ? 0.5 : 1.5;
  int found = sum + in[i] > 9;
  if (found)
    out[GROUP * SIZE + i] = i;
}
