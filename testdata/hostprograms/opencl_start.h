// What OpenCL programs that check themselves begin with: calls that must succeed, the device, and kernels out of
// a file: a code object, SPIR-V or a source.
#pragma once
#ifndef OPTIONS
#define OPTIONS "" // of builds
#endif
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int e, const char *what, int line) {
  if (!e) return;
  printf("line %d: %s: error %d\n", line, what, e);
  exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)
#define WANT(condition)                                    \
  do {                                                     \
    if (!(condition)) {                                    \
      printf("line %d: not: %s\n", __LINE__, #condition);  \
      exit(1);                                             \
    }                                                      \
  } while (0)

static char *read_file(const char *name, size_t *size) {
  FILE *f = fopen(name, "rb");
  if (!f) perror(name), exit(2);
  char *data = malloc(1 << 22);
  *size = fread(data, 1, (1 << 22) - 1, f);
  data[*size] = 0;
  fclose(f);
  return data;
}

// begin gives the device without a program.
static void begin(cl_bitfield flags) {
  cl_platform_id platform;
  cl_int e;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, -1u, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  CHECK(e);
  queue = clCreateCommandQueue(context, device, flags, &e);
  CHECK(e);
}

static void start(const char *name, cl_bitfield flags) {
  begin(flags);
  cl_int e;
  size_t size;
  char *file = read_file(name, &size);
  if (strstr(name, ".spv")) program = clCreateProgramWithIL(context, file, size, &e);
  else if (strstr(name, ".cl")) program = clCreateProgramWithSource(context, 1, (const char **)&file, &size, &e);
  else program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&file, NULL, &e);
  CHECK(e);
  CHECK(clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL));
}

static cl_kernel kernel(const char *name) {
  cl_int e;
  cl_kernel k = clCreateKernel(program, name, &e);
  CHECK(e);
  return k;
}

static cl_mem buffer(cl_bitfield flags, size_t size, void *host) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, flags, size, host, &e);
  CHECK(e);
  return m;
}

static void launch(cl_kernel k, size_t items, size_t group) {
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, group ? &group : NULL, 0, NULL, NULL));
}

// A scenario is a program's first argument; its second is the file with kernels.
typedef struct {
  const char *name;
  void (*run)(void);
} scenario;

static int run_scenario(const scenario *s, int count, char **args, cl_bitfield flags) {
  for (; count == 3 && s->name; s++)
    if (!strcmp(args[1], s->name)) {
      start(args[2], flags);
      s->run();
      printf("%s: done\n", args[1]);
      return 0;
    }
  printf("usage: %s SCENARIO KERNELS\n", args[0]);
  return 2;
}
