// Kernels that use values of which only some bytes have been written, each beside one in which only those
// matter. Marks are those of defects.cl.
#include "device.h"

#define SIZE 128
#define KEPT volatile // memory that an optimiser keeps
#ifdef BUILTIN_ATOMICS
#define SUM(p, v) \
  __opencl_atomic_fetch_add((volatile __global atomic_int *)(p), v, RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
#else
#define SUM(p, v) atomic_add(p, v)
#endif

// Bytes read as a number, of which the last has not been written.
__kernel void bytes_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT char bytes[4] __attribute__((aligned(4)));
  for (int k = 0; k < 3; k++)
    bytes[k] = in[i] + k;
  int word = *(KEPT int *)bytes;
  if (word + 5 > 100)                   // bytes_uninit
    out[GROUP * SIZE + i] = i;
}

__kernel void bytes_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT char bytes[4] __attribute__((aligned(4)));
  for (int k = 0; k < 3; k++)
    bytes[k] = in[i] + k;
  int word = *(KEPT int *)bytes;
  if ((word & 0xffff) + (word >> 8 & 0xffff) > 100)
    out[GROUP * SIZE + i] = (word << 8) + 7;
}

// What is stored depends on the byte, and is shifted out of the others.
__kernel void shifted_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  for (int k = 0; k < 3; k++)
    bytes[k] = in[i] + k;
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + i] = word >> 24;   // shifted_uninit
}

__kernel void shifted_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  for (int k = 0; k < 3; k++)
    bytes[k] = in[i] + k;
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + i] = word >> 16 & 0xff;
}

// What is stored is computed from it: the bits are no bytes any more, as those of padding would be.
__kernel void doubled_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  for (int k = 0; k < 3; k++)
    bytes[k] = in[i] + k;
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + i] = word << 1;    // doubled_uninit
}

__kernel void doubled_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  for (int k = 0; k < 3; k++)
    bytes[k] = in[i] + k;
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + i] = word << 9;
}

// An address is computed from it.
__kernel void placed_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  for (int k = 1; k < 4; k++)
    bytes[k] = in[i] + k;
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + (word & 127)] = i; // placed_uninit
}

__kernel void placed_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar bytes[4] __attribute__((aligned(4)));
  for (int k = 1; k < 4; k++)
    bytes[k] = in[i] + k;
  uint word = *(KEPT uint *)bytes;
  out[GROUP * SIZE + (word >> 8 & 127)] = i;
}

// A number of eight bytes whose lower half has not been written.
__kernel void half_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT long wide;
  ((KEPT int *)&wide)[1] = in[i];
  long sum = wide + 1;
  out[GROUP * SIZE + i] = sum;          // half_uninit
}

__kernel void half_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT long wide;
  ((KEPT int *)&wide)[1] = in[i];
  long high = wide >> 32;
  out[GROUP * SIZE + i] = high;
}

// A vector of which a component has not been written.
__kernel void vector_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  int4 v;
  v.x = in[i];
  v.z = v.w = in[i] + 1;
  ((__global int4 *)out)[i] = v;        // vector_uninit
}

__kernel void vector_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  int4 v;
  v.x = in[i];
  v.z = v.w = in[i] + 1;
  ((__global int4 *)out)[i] = v.xzww;
}

// Three components are stored as four.
__kernel void three_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  int3 v;
  v.x = in[i];
  v.y = v.z = in[i] + 1;
  ((__global int3 *)out)[i] = v * 3;
}

// Bits 3 to 9 of a number are set, as of a bit field.
__kernel void field_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uint f;
  f = f & ~0x3f8 | (in[i] & 127) << 3;
  if (f >> 10 > 9)                      // field_uninit
    out[GROUP * SIZE + i] = i;
}

__kernel void field_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uint f;
  f = f & ~0x3f8 | (in[i] & 127) << 3;
  if ((f >> 3 & 127) > 9)
    out[GROUP * SIZE + i] = f >> 3 & 127;
}

// A structure with padding behind its first and last members is copied as a whole, by words and by bytes.
struct padded {
  char c;
  int n;
  short s;
};

__attribute__((noinline)) static int weigh(struct padded p) { return p.c + p.n + p.s; }

__kernel void padding_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  struct padded p, q;
  p.c = in[i];
  p.n = in[i] + 1;
  p.s = 3;
  q = p;
  int sum = weigh(q);
  if (GROUP != 0)
    return;
  if (i % 2 == 0)
    __builtin_memcpy(out + 3 * i, &q, sizeof q);
  else
    for (int k = 0; k < sizeof q; k++)
      ((__global char *)(out + 3 * i))[k] = ((char *)&q)[k];
  out[3 * SIZE + i] = sum;
}

__kernel void padding_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT struct padded p;
  p.c = in[i];
  p.n = in[i] + 1;
  KEPT int *words = (KEPT int *)&p;
  out[GROUP * SIZE + i] = words[0] * 3; // padding_uninit
}

// Bytes of local memory, of which work-items write three in four.
__kernel void tile_uninit(__global const int *in, __global int *out) {
  __local uchar tile[4 * SIZE] __attribute__((aligned(4)));
  int i = LOCAL_ID;
  for (int k = 0; k < 3; k++)
    tile[4 * i + k] = in[i] + k;
  BARRIER;
  uint word = ((__local uint *)tile)[i ^ 1];
  if (word > 0x1000000)                  // tile_uninit
    out[GROUP * SIZE + i] = 1;
}

__kernel void tile_ok(__global const int *in, __global int *out) {
  __local uchar tile[4 * SIZE] __attribute__((aligned(4)));
  int i = LOCAL_ID;
  for (int k = 0; k < 3; k++)
    tile[4 * i + k] = in[i] + k;
  BARRIER;
  uint word = ((__local uint *)tile)[i ^ 1];
  if ((word & 0xffffff) > 1000)
    out[GROUP * SIZE + i] = word % 0x1000000 == 5;
}

// A byte that is not set decides, as a number.
__kernel void flag_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar flags[8];
  flags[in[i] % 4] = 1;
  out[GROUP * SIZE + i] = flags[5];     // flag_uninit
}

__kernel void flag_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT uchar flags[8];
  flags[in[i] % 4] = 1;
  out[GROUP * SIZE + i] = flags[i % 4];
}

// An atomic operation adds what has not been written.
__kernel void added_uninit(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT int n[2];
  n[in[i] % 1] = i;
  SUM(out, n[1]);                       // added_uninit
}

__kernel void added_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID;
  KEPT int n[2];
  n[in[i] % 1] = i;
  SUM(out, n[0]);
}
