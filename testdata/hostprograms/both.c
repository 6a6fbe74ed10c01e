// A host program that uses HIP, then OpenCL, then HIP again: each has a device of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

enum { N = 256, TO_DEVICE = 1, TO_HOST = 2 };
static int (*hipMalloc)(void **, size_t), (*hipMemcpy)(void *, const void *, size_t, int), (*hipFree)(void *);

// hip moves numbers to HIP's device and back, and reports whether they are the same.
static int hip(int first) {
  int there[N], back[N] = {0};
  void *p;
  for (int i = 0; i < N; i++) there[i] = first + i;
  if (hipMalloc(&p, sizeof there) || hipMemcpy(p, there, sizeof there, TO_DEVICE) ||
      hipMemcpy(back, p, sizeof back, TO_HOST))
    return 0;
  return !memcmp(there, back, sizeof there);
}

static int opencl(const char *file) {
  static char code[1 << 20];
  FILE *f = fopen(file, "rb");
  size_t size = f ? fread(code, 1, sizeof code, f) : 0, items[2] = {N, 1};
  const unsigned char *binary = (unsigned char *)code;
  cl_platform_id platform;
  cl_device_id device;
  int e, got[N], five = 5;
  clGetPlatformIDs(1, &platform, NULL);
  if (clGetDeviceIDs(platform, -1u, 1, &device, NULL)) return 0;
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
  cl_program p = clCreateProgramWithBinary(c, 1, &device, &size, &binary, NULL, &e);
  if (clBuildProgram(p, 1, &device, "", NULL, NULL)) return 0;
  cl_kernel k = clCreateKernel(p, "add", &e);
  cl_mem m = clCreateBuffer(c, 0, sizeof got, NULL, &e);
  memset(got, 0, sizeof got);
  clEnqueueWriteBuffer(q, m, 1, 0, sizeof got, got, 0, NULL, NULL);
  clSetKernelArg(k, 0, sizeof m, &m);
  clSetKernelArg(k, 1, sizeof five, &five);
  if (clEnqueueNDRangeKernel(q, k, 2, NULL, items, NULL, 0, NULL, NULL)) return 0;
  if (clEnqueueReadBuffer(q, m, 1, 0, sizeof got, got, 0, NULL, NULL)) return 0;
  for (int i = 0; i < N; i++)
    if (got[i] != five) return 0;
  return 1;
}

int main(int count, char **args) {
  void *library = dlopen("libamdhip64.so", RTLD_NOW);
  if (!library || count != 2) return 2;
  *(void **)&hipMalloc = dlsym(library, "hipMalloc");
  *(void **)&hipMemcpy = dlsym(library, "hipMemcpy");
  int first = hip(1), second = opencl(args[1]), third = hip(1000);
  printf("both: %d %d %d\n", first, second, third);
}
