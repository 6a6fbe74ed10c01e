// An OpenCL host program: scenarios of programs in SPIR-V, which check what they get themselves. Its first
// argument is a scenario, its second a module: life.spv. "links" wants calls.spv and part.spv, "mixed"
// life.spv and kernels.co.
#include "opencl_start.h"

// ask launches a kernel of a program once, and gets what it leaves.
static void ask(cl_program p, const char *kernel, void *out, size_t size) {
  cl_int e;
  cl_mem m = buffer(0, size, NULL);
  cl_kernel k = clCreateKernel(p, kernel, &e);
  CHECK(e);
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  launch(k, 1, 1);
  CHECK(clEnqueueReadBuffer(queue, m, 1, 0, size, out, 0, NULL, NULL));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

// count launches kernel "count" of a program, and checks that it is the nth launch of a program with arrays
// of so many elements.
static void count(cl_program p, unsigned n, unsigned length) {
  unsigned out[5];
  ask(p, "count", out, sizeof out);
  WANT(out[0] == 5 + n && out[1] == 2 * n && out[2] == length && out[3] == 77 && out[4] == 5 + n);
}

static unsigned look(cl_program p) {
  unsigned runs;
  ask(p, "look", &runs, sizeof runs);
  return runs;
}

// life: variables of a program live as long as what was built, in all its kernels; another program has
// others.
static void life(void) {
  size_t size;
  cl_int e;
  WANT(look(program) == 5);
  for (unsigned n = 1; n < 4; n++) count(program, n, 4);
  WANT(look(program) == 8);
  CHECK(clGetProgramInfo(program, 0x1169, 0, NULL, &size)); // IL
  char *il = malloc(size);
  CHECK(clGetProgramInfo(program, 0x1169, size, il, NULL));
  cl_program other = clCreateProgramWithIL(context, il, size, &e);
  CHECK(e);
  unsigned length = 1000;
  CHECK(clSetProgramSpecializationConstant(other, 1, 4, &length));
  CHECK(clBuildProgram(other, 1, &device, "", NULL, NULL));
  for (unsigned n = 1; n < 4; n++) {
    count(other, n, length);
    count(program, 3 + n, 4);
  }
  WANT(look(other) == 8 && look(program) == 11);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  count(program, 1, 4);
  WANT(look(other) == 8);
  CHECK(clReleaseProgram(other));
}

static cl_program module(const char *name) {
  size_t size;
  cl_int e;
  char *il = read_file(name, &size);
  cl_program p = clCreateProgramWithIL(context, il, size, &e);
  CHECK(e);
  free(il);
  return p;
}

static cl_program compiled(const char *name, const unsigned *constant) {
  cl_program p = module(name);
  if (constant) CHECK(clSetProgramSpecializationConstant(p, 1, 4, constant));
  CHECK(clCompileProgram(p, 1, &device, "", 0, NULL, NULL, NULL, NULL));
  return p;
}

static unsigned called(cl_program p) {
  unsigned out;
  ask(p, "calls", &out, sizeof out);
  return out;
}

// links: modules that are compiled are linked, with the constants that they were compiled with.
static void links(const char *calls, const char *part) {
  cl_int e;
  unsigned seven = 7, thousand = 1000;
  cl_program parts[] = {compiled(calls, NULL), compiled(part, NULL)};
  cl_program p = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &e);
  CHECK(e);
  WANT(called(p) == 115);
  parts[0] = compiled(calls, &thousand);
  cl_program other = compiled(part, &seven);
  cl_program library = clLinkProgram(context, 1, &device, "-create-library", 1, &other, NULL, NULL, &e);
  CHECK(e);
  cl_uint type;
  CHECK(clGetProgramBuildInfo(library, device, 0x1184, sizeof type, &type, NULL));
  WANT(type == 2);
  parts[1] = library;
  cl_program q = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &e);
  CHECK(e);
  WANT(called(q) == 1035 && called(p) == 115);
  cl_program alone = clLinkProgram(context, 1, &device, "", 1, parts, NULL, NULL, &e);
  char log[4096];
  CHECK(clGetProgramBuildInfo(alone, device, 0x1183, sizeof log, log, NULL));
  WANT(e == -17 && strstr(log, "part")); // what is imported is nowhere
}

// mixed: modules of both kinds in one context.
static void mixed(const char *life, const char *other) {
  cl_int e;
  size_t size;
  const unsigned char *files[] = {(unsigned char *)read_file(other, &size)};
  cl_program add = clCreateProgramWithBinary(context, 1, &device, &size, files, NULL, &e);
  CHECK(e);
  CHECK(clBuildProgram(add, 1, &device, "", NULL, NULL));
  program = module(life);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_mem m = buffer(0, 64 * sizeof(int), NULL);
  int zero = 0, two = 2, got;
  CHECK(clEnqueueFillBuffer(queue, m, &zero, 4, 0, 256, 0, NULL, NULL));
  for (int n = 1; n < 4; n++) {
    cl_kernel k = clCreateKernel(add, "add", &e);
    CHECK(e);
    CHECK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK(clSetKernelArg(k, 1, sizeof two, &two));
    launch(k, 64, 64);
    count(program, n, 4);
    CHECK(clEnqueueReadBuffer(queue, m, 1, 4 * 63, 4, &got, 0, NULL, NULL));
    WANT(got == 2 * n);
  }
}

int main(int count, char **args) {
  static const scenario scenarios[] = {{"life", life}, {NULL}};
  if (count != 4) return run_scenario(scenarios, count, args, 0);
  begin(0);
  if (!strcmp(args[1], "links")) links(args[2], args[3]);
  else mixed(args[2], args[3]);
  printf("%s: done\n", args[1]);
}
