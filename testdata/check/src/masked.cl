// Kernels that put a byte into a number by a mask. The byte is that of an element which no work-item has set, or,
// beside it, of one that has been; marks are those of defects.cl.
#include "device.h"

#define SIZE 128
typedef volatile unsigned char part;

// Amid the number, which is in a register.
__kernel void amid_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  part byte[4];
  byte[in[i] & 1] = i;
  uint word = in[i] * 0x01010101u;
  out[GROUP * SIZE + i] = (word & 0xff00ffffu) | (uint)byte[2 + (in[i] & 1)] << 16; // amid_uninit
}

__kernel void amid_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  part byte[4];
  byte[in[i] & 1] = i;
  uint word = in[i] * 0x01010101u;
  out[GROUP * SIZE + i] = (word & 0xff00ffffu) | (uint)byte[in[i] & 1] << 16;
}

// At its beginning, and kept in memory.
__kernel void first_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  part byte[4];
  byte[in[i] & 1] = i;
  volatile uint word = in[i] * 0x01010101u;
  word = (word & 0xffffff00u) | byte[2 + (in[i] & 1)];
  out[GROUP * SIZE + i] = word; // first_uninit
}

__kernel void first_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  part byte[4];
  byte[in[i] & 1] = i;
  volatile uint word = in[i] * 0x01010101u;
  word = (word & 0xffffff00u) | byte[in[i] & 1];
  out[GROUP * SIZE + i] = word;
}

// A number that is put together from bytes, of which one is nobody's, may be a structure that is copied.
__kernel void bytes_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  part byte[4];
  byte[0] = in[i], byte[2] = in[i] + 2, byte[3] = in[i] + 3;
  out[GROUP * SIZE + i] = byte[0] | byte[1] << 8 | byte[2] << 16 | byte[3] << 24;
}
