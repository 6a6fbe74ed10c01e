// Kernels with numbers of 16 bits and of a byte, several in a register, of which some have not been written, each
// beside one that uses the others; and stores through descriptors of buffers. They are for AMD's processors. Marks
// are those of defects.cl.
#include "device.h"

#define SIZE 128
#define KEPT volatile // memory that an optimiser keeps

// The high half of what is added in pairs, and the low one.
__kernel void high_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[4];
  s[in[i] & 1] = i;
  s[~in[i] & 1] = 7;
  short2 v = {s[in[i] & 1], s[2 + (in[i] & 1)]};
  v += (short2)(3, 5);
  out[GROUP * SIZE + i] = v.y; // high_uninit
}

__kernel void high_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[4];
  s[in[i] & 1] = i;
  s[~in[i] & 1] = 7;
  short2 v = {s[in[i] & 1], s[2 + (in[i] & 1)]};
  v += (short2)(3, 5);
  out[GROUP * SIZE + i] = v.x;
}

__kernel void low_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[4];
  s[in[i] & 1] = i;
  s[~in[i] & 1] = 7;
  short2 v = {s[2 + (in[i] & 1)], s[in[i] & 1]};
  v *= (short2)(3, 5);
  out[GROUP * SIZE + i] = v.x; // low_uninit
}

__kernel void low_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[4];
  s[in[i] & 1] = i;
  s[~in[i] & 1] = 7;
  short2 v = {s[2 + (in[i] & 1)], s[in[i] & 1]};
  v *= (short2)(3, 5);
  out[GROUP * SIZE + i] = v.y;
}

// A half is stored by itself.
__kernel void alone_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[4];
  s[in[i] & 1] = i;
  s[~in[i] & 1] = 7;
  short2 v = {s[in[i] & 1], s[2 + (in[i] & 1)]};
  v += (short2)(3, 5);
  ((__global short *)out)[GROUP * SIZE + i] = v.y; // alone_uninit
}

__kernel void alone_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[4];
  s[in[i] & 1] = i;
  s[~in[i] & 1] = 7;
  short2 v = {s[2 + (in[i] & 1)], s[in[i] & 1]};
  v += (short2)(3, 5);
  ((__global short *)out)[GROUP * SIZE + i] = v.y;
}

// Three numbers are stored as four.
__kernel void three_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT short s[2];
  s[0] = i;
  s[1] = in[i];
  short3 v = {s[0], s[1], s[in[i] & 1]};
  if (i < SIZE / 2)
    ((__global short3 *)out)[GROUP * SIZE / 2 + i] = v * (short3)(3);
}

// One byte of a number is added to, and another one.
__kernel void byte_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  bytes[0] = bytes[1] = bytes[3] = in[i];
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + i] = (word >> 16 & 0xff) + i; // byte_uninit
}

__kernel void byte_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  bytes[0] = bytes[1] = bytes[3] = in[i];
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + i] = (word >> 8 & 0xff) + i;
}

// A half as a number decides.
__kernel void branch_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT ushort s[2] __attribute__((aligned(4)));
  s[0] = in[i];
  uint word = *(KEPT uint *)s;
  if ((ushort)(word >> 16) > (ushort)i) // branch_uninit
    out[GROUP * SIZE + i] = i;
}

__kernel void branch_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT ushort s[2] __attribute__((aligned(4)));
  s[0] = in[i];
  uint word = *(KEPT uint *)s;
  if ((ushort)word > (ushort)i)
    out[GROUP * SIZE + i] = i;
}

// Stores by a descriptor.
#define BUFFER(p) __builtin_amdgcn_make_buffer_rsrc(p, 0, 2048, 0x27000)

__kernel void buffer_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT int n[2];
  n[in[i] % 1] = i;
  __builtin_amdgcn_raw_buffer_store_b32(n[1], BUFFER(out), 4 * (GROUP * SIZE + i), 0, 0); // buffer_uninit
}

__kernel void buffer_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT int n[2];
  n[in[i] % 1] = i;
  int v = __builtin_amdgcn_raw_buffer_load_b32(BUFFER(out), 4 * (GROUP * SIZE + i), 0, 0);
  __builtin_amdgcn_raw_buffer_store_b32(n[0] + v, BUFFER(out), 4 * (GROUP * SIZE + i), 0, 0);
  __builtin_amdgcn_raw_buffer_store_b32(n[1], BUFFER(out), 2048 + 4 * i, 0, 0); // it is outside
}
