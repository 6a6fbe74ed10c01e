// A host program of HIP that asks for memory of all kinds in the ways that its runtime allows and refuses,
// and uses the device when main has ended. It is compiled as program.c is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __HIP__
#include "kernels.hip"
#define LAUNCH2(kernel, grid, block, stream, a, b) kernel<<<dim3(grid), dim3(block), 0, stream>>>(a, b)
#define LAUNCH3(kernel, grid, block, stream, a, b, c) kernel<<<dim3(grid), dim3(block), 0, stream>>>(a, b, c)
#define COUNTER counter
#define POINTER(p) (void **)&p
#else
#include "registered.h"
typedef enum { hipMemAdviseSetReadMostly = 1, hipMemAdviseSetPreferredLocation = 3 } hipMemoryAdvise;
typedef enum {
  hipMemRangeAttributeReadMostly = 1,
  hipMemRangeAttributePreferredLocation,
  hipMemRangeAttributeAccessedBy,
  hipMemRangeAttributeLastPrefetchLocation
} hipMemRangeAttribute;
typedef struct {
  size_t width, height, depth;
} hipExtent;
typedef struct {
  void *ptr;
  size_t pitch, xsize, ysize;
} hipPitchedPtr;
typedef struct {
  size_t x, y, z;
} hipPos;
typedef struct {
  void *srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  void *dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  hipExtent extent;
  int kind;
} hipMemcpy3DParms;
enum { hipErrorInvalidValue = 1, hipErrorInvalidPitchValue = 12, hipErrorHostMemoryNotRegistered = 713 };
enum { hipErrorContextIsDestroyed = 709, hipCpuDeviceId = -1, hipErrorInvalidDevice = 101 };
typedef int hipDeviceAttribute_t;
hipError_t hipDeviceGetAttribute(int *, hipDeviceAttribute_t, int), hipGetDevicePropertiesR0600(void *, int);
hipError_t hipMemAdvise(const void *, size_t, hipMemoryAdvise, int), hipDeviceReset(void);
hipError_t hipMemPrefetchAsync(const void *, size_t, int, hipStream_t);
hipError_t hipMemRangeGetAttribute(void *, size_t, hipMemRangeAttribute, const void *, size_t);
hipError_t hipMallocPitch(void **, size_t *, size_t, size_t), hipMalloc3D(hipPitchedPtr *, hipExtent);
hipError_t hipMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int);
hipError_t hipMemcpy3D(const hipMemcpy3DParms *), hipHostGetFlags(unsigned *, void *);
#endif

#include "expect.h"

// Pieces that are registered share a page, and lie across others.
static void pieces(void) {
  int *p = (int *)aligned_alloc(4096, 4 * 4096), *a = p + 4, *b = p + 200, *c = p + 1000;
  unsigned flags;
  for (int i = 0; i < 4096; i++) p[i] = -i;
  OK(hipHostRegister(a, N * sizeof *a, 0));
  OK(hipHostRegister(b, N * sizeof *b, 1));
  OK(hipHostRegister(c, 1100 * sizeof *c, 0)); // three pages, of which the device has one
  OK(hipHostGetFlags(&flags, b));
  expect("flags", (int)flags, 1);
  LAUNCH2(fill, 2, 64, 0, a, (int)N);
  LAUNCH2(fill, 2, 64, 0, b, (int)N);
  LAUNCH2(fill, 18, 64, 0, c, 1100);
  OK(hipHostUnregister(a)); // which waits
  IS(hipErrorHostMemoryNotRegistered, hipHostUnregister(a));
  expect("first", a[N - 1], N - 1);
  LAUNCH3(scale, 2, 64, 0, b, (int)N, 1);
  LAUNCH3(scale, 18, 64, 0, c, 1100, 1);
  OK(hipHostUnregister(b));
  OK(hipHostUnregister(c));
  expect("second", b[9], 19);
  expect("third", c[1099], 2 * 1099 + 1);
  expect("between", p[150], -150);
  expect("behind", p[2100], -2100);
  free(p);
}

// What is said about managed memory can be asked for.
static void advice(void) {
  int *p, value[3] = {5, 5, 5}, is = 0;
  for (int n = 88; n <= 90; n++) { // of pools, addresses that are mapped, and registering; HIP 5.2 names one of them
    OK(hipDeviceGetAttribute(&is, (hipDeviceAttribute_t)n, 0));
    expect("memory of a kind", is, 1);
  }
#ifndef __HIP__ // the properties of HIP 6, by where they are: priorities of streams, and pools
  char all[1472];
  OK(hipGetDevicePropertiesR0600(all, 0));
  memcpy(&is, all + 628, sizeof is);
  expect("priorities", is, 1);
  memcpy(&is, all + 744, sizeof is);
  expect("pools", is, 1);
#endif
  OK(hipMallocManaged(POINTER(p), N * sizeof *p, 1));
  OK(hipMemRangeGetAttribute(value, 4, hipMemRangeAttributePreferredLocation, p, 8));
  expect("no location", value[0], -2);
  OK(hipMemAdvise(p, N * sizeof *p, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
  OK(hipMemAdvise(p, N * sizeof *p, hipMemAdviseSetReadMostly, 0));
  OK(hipMemPrefetchAsync(p, N * sizeof *p, 0, 0));
  OK(hipMemRangeGetAttribute(value, 4, hipMemRangeAttributePreferredLocation, p, 8));
  expect("preferred", value[0], -1);
  OK(hipMemRangeGetAttribute(value, 4, hipMemRangeAttributeLastPrefetchLocation, p, 8));
  expect("prefetched", value[0], 0);
  OK(hipMemRangeGetAttribute(value, 4, hipMemRangeAttributeReadMostly, p, 8));
  expect("read mostly", value[0], 1);
  OK(hipMemRangeGetAttribute(value, 12, hipMemRangeAttributeAccessedBy, p, 8));
  expect("accessed by none", value[0] == -2 && value[2] == -2, 1);
  IS(hipErrorInvalidValue, hipMemRangeGetAttribute(value, 3, hipMemRangeAttributeReadMostly, p, 8));
  IS(hipErrorInvalidValue, hipMemPrefetchAsync(p, N * sizeof *p + 1, 0, 0));
  IS(hipErrorInvalidDevice, hipMemPrefetchAsync(p, 4, 1, 0));
  OK(hipFree(p));
}

// Copies of rows and planes, with the errors that they may have.
static void planes(void) {
  enum { W = 20, H = 3, D = 2 };
  hipPitchedPtr d;
  hipExtent e = {W, H, D};
  char h[D][H][W], back[D][H][W];
  size_t pitch;
  void *flat;
  for (int i = 0; i < W * H * D; i++) (&h[0][0][0])[i] = (char)i;
  OK(hipMalloc3D(&d, e));
  OK(hipMallocPitch(&flat, &pitch, W, H));
  expect("pitch", d.pitch >= W && pitch >= W && d.xsize == W && d.ysize == H, 1);
  hipMemcpy3DParms there = {0}, again = {0};
  there.srcPtr = (hipPitchedPtr){h, W, W, H};
  there.dstPtr = again.srcPtr = d;
  again.dstPtr = (hipPitchedPtr){back, W, W, H};
  there.extent = again.extent = e;
  there.kind = hipMemcpyHostToDevice;
  again.kind = hipMemcpyDeviceToHost;
  OK(hipMemcpy3D(&there));
  OK(hipMemcpy3D(&again));
  expect("the same", memcmp(h, back, sizeof h), 0);
  again.srcPos = (hipPos){2, 1, 1};
  again.extent = (hipExtent){W - 2, 1, 1};
  OK(hipMemcpy3D(&again));
  expect("a part of a row", memcmp(&back[0][0][0], &h[1][1][2], W - 2), 0);
  again.extent.width = 5000;
  IS(hipErrorInvalidValue, hipMemcpy3D(&again));
  again.srcPtr.pitch = W - 1;
  IS(hipErrorInvalidPitchValue, hipMemcpy3D(&again));
  OK(hipMemcpy2D(flat, pitch, h, W, W, H, hipMemcpyHostToDevice));
  IS(hipErrorInvalidPitchValue, hipMemcpy2D(flat, pitch, h, W - 1, W, H, hipMemcpyHostToDevice));
  IS(hipErrorInvalidValue, hipMemcpy2D(flat, pitch, h, W, W, H + 1, hipMemcpyHostToDevice));
}

// A reset takes everything but what is the program's own.
static void resets(void) {
  int *p, *own = (int *)malloc(N * sizeof *own);
  OK(hipMalloc(POINTER(p), 4));
  own[7] = 77;
  OK(hipHostRegister(own, N * sizeof *own, 0));
  COUNTER = 9;
  OK(hipDeviceReset());
  expect("the program's own", own[7], 77);
  expect("a managed variable, anew", COUNTER, 5);
  IS(hipErrorInvalidValue, hipFree(p));
  OK(hipMallocManaged(POINTER(p), N * sizeof *p, 1));
  LAUNCH2(fill, 2, 64, 0, p, (int)N);
  OK(hipDeviceSynchronize());
  expect("after the reset", p[9], 9);
  hipEvent_t e;
  OK(hipEventCreate(&e));
  OK(hipEventDestroy(e));
  IS(hipErrorContextIsDestroyed, hipEventDestroy(e));
}

static int *late;

static void at_exit(void) {
  LAUNCH2(fill, 2, 64, 0, late, (int)N);
  OK(hipDeviceSynchronize());
  printf("at exit: %d\n", late[5]);
}

__attribute__((destructor)) static void destroyed(void) {
  if (!late) return;
  LAUNCH3(scale, 2, 64, 0, late, (int)N, 1);
  OK(hipDeviceSynchronize());
  printf("after that: %d\n", late[5]);
  OK(hipFree(late));
}

static void exits(void) {
  OK(hipMallocManaged(POINTER(late), N * sizeof *late, 1));
  atexit(at_exit);
}

int main(int argc, char **argv) {
  static const scenario scenarios[] = {{"pieces", pieces}, {"advice", advice}, {"planes", planes},
                                       {"resets", resets}, {"exits", exits},   {NULL}};
  return run_scenarios(scenarios, argc, argv);
}
