// An OpenCL host program: scenarios that check what they get themselves. Its first
// argument is a scenario, its second a file with the kernels of kernels.cl, a code
// object or the source; of "sums" a module in SPIR-V.
#define OPTIONS "-DUNUSED='a b'"
#include "opencl_start.h"

enum { N = 1024, READ_ONLY = 4, COPY = 32, USE = 8 };

static void kernels(void) {
  int in[N], out[N], n = N - 1;
  for (int i = 0; i < N; i++) in[i] = i * i;
  cl_mem a = buffer(READ_ONLY | COPY, sizeof in, in), b = buffer(0, sizeof out, NULL);
  int zero = 0;
  CHECK(clEnqueueFillBuffer(queue, b, &zero, 4, 0, sizeof out, 0, NULL, NULL));
  struct {
    int factor;
    float more;
  } s = {3, 7.5f};
  cl_kernel k = kernel("reverse");
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  CHECK(clSetKernelArg(k, 1, sizeof a, &a));
  CHECK(clSetKernelArg(k, 2, 64 * sizeof(int), NULL));
  CHECK(clSetKernelArg(k, 3, sizeof n, &n));
  CHECK(clSetKernelArg(k, 4, sizeof s, &s));
  launch(k, N, 64);
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < N; i++) WANT(out[i] == (i < n ? in[i / 64 * 64 + 63 - i % 64] * 3 + 7 : 0));
  k = kernel("where");
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  size_t items = 40, offset = 100;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, &offset, &items, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 100; i < 140; i++) WANT(out[i] == i * 10 + 100);
  CHECK(clReleaseKernel(k));
}

static void memory(void) {
  int data[N], out[N];
  for (int i = 0; i < N; i++) data[i] = i;
  cl_mem a = buffer(COPY, sizeof data, data), b = buffer(USE, sizeof out, out);
  CHECK(clEnqueueCopyBuffer(queue, a, b, 0, 4 * 512, 4 * 512, 0, NULL, NULL));
  size_t region[2] = {128, 256};
  cl_int e;
  cl_mem sub = clCreateSubBuffer(b, 0, 0x1220, region, &e);
  CHECK(e);
  cl_kernel k = kernel("add");
  int v = 5;
  CHECK(clEnqueueFillBuffer(queue, sub, &v, 4, 0, 256, 0, NULL, NULL));
  CHECK(clSetKernelArg(k, 0, sizeof sub, &sub));
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  size_t grid[2] = {8, 8};
  CHECK(clEnqueueNDRangeKernel(queue, k, 2, NULL, grid, NULL, 0, NULL, NULL));
  int *map = clEnqueueMapBuffer(queue, b, 1, 3, 0, sizeof out, 0, NULL, NULL, &e);
  CHECK(e);
  WANT(map == out && out[32] == 10 && out[95] == 10 && out[512] == 0 && out[1023] == 511);
  map[1] = 77;
  CHECK(clEnqueueUnmapMemObject(queue, b, map, 0, NULL, NULL));
  int one;
  CHECK(clEnqueueReadBuffer(queue, b, 1, 4, 4, &one, 0, NULL, NULL));
  WANT(one == 77);
  // A box of 3 rows of 2 numbers from rows of 32.
  int box[6];
  size_t origin[3] = {4 * 3, 2, 0}, zero[3] = {0}, size[3] = {8, 3, 1};
  CHECK(clEnqueueReadBufferRect(queue, a, 1, origin, zero, size, 4 * 32, 0, 0, 0, box, 0, NULL, NULL));
  for (int i = 0; i < 6; i++) WANT(box[i] == (2 + i / 2) * 32 + 3 + i % 2);
  int *shared = clSVMAlloc(context, 0, 64 * sizeof(int), 0);
  for (int i = 0; i < 64; i++) shared[i] = i;
  CHECK(clSetKernelArgSVMPointer(k, 0, shared));
  CHECK(clEnqueueNDRangeKernel(queue, k, 2, NULL, grid, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  for (int i = 0; i < 64; i++) WANT(shared[i] == i + 5);
  clSVMFree(context, shared);
  CHECK(clReleaseMemObject(sub));
  CHECK(clReleaseMemObject(a));
  CHECK(clReleaseMemObject(b));
}

static volatile int called;
static void call_back(cl_event e, cl_int status, void *data) { called = status == 0 && data == (void *)&called; }

static void events(void) {
  int v = 1, out[64] = {0};
  cl_mem b = buffer(COPY, sizeof out, out);
  cl_kernel k = kernel("add");
  cl_int e, status;
  cl_event gate = clCreateUserEvent(context, &e), done;
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  size_t items = 64;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &gate, &done));
  v = 100; // an argument that is set later does not count
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  CHECK(clGetEventInfo(done, 0x11D3, sizeof status, &status, NULL));
  WANT(status == 3);
  CHECK(clSetEventCallback(done, 0, call_back, (void *)&called));
  CHECK(clSetUserEventStatus(gate, 0));
  CHECK(clWaitForEvents(1, &done));
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof out, out, 0, NULL, NULL));
  WANT(out[0] == 1 && out[63] == 1);
  cl_ulong times[4];
  for (int i = 0; i < 4; i++) CHECK(clGetEventProfilingInfo(done, 0x1280 + i, 8, &times[i], NULL));
  WANT(times[0] <= times[1] && times[1] <= times[2] && times[2] < times[3]);
  for (int i = 0; i < 5000 && !called; i++) usleep(1000);
  WANT(called);
  gate = clCreateUserEvent(context, &e);
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &gate, &done));
  CHECK(clSetUserEventStatus(gate, -5));
  WANT(clWaitForEvents(1, &done) == -14);
}

static void errors(void) {
  cl_int e;
  size_t items = 64, group = 48, n;
  cl_kernel k = kernel("add");
  WANT(!clCreateKernel(program, "none", &e) && e == -46);
  WANT(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL) == -52);
  WANT(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &group, 0, NULL, NULL) == -54);
  WANT(clSetKernelArg(k, 1, 8, &items) == -51 && clSetKernelArg(k, 2, 4, &items) == -49);
  for (int i = 0; i < 2; i++) WANT(!clCreatePipe(context, 0, 4, 4, NULL, &e) && e == -59);
  WANT(!clCreateImage(context, 0, NULL, NULL, NULL, &e) && e == -39);
  // A map stays if the command that is to end it is refused.
  cl_mem b = buffer(0, 64, NULL);
  cl_event none = NULL;
  void *at = clEnqueueMapBuffer(queue, b, 1, 3, 0, 64, 0, NULL, NULL, &e);
  for (int i = 0; i < 2; i++) WANT(clEnqueueUnmapMemObject(queue, b, at, 1, &none, NULL) == -57);
  CHECK(clEnqueueUnmapMemObject(queue, b, at, 0, NULL, NULL));
  WANT(clEnqueueUnmapMemObject(queue, b, at, 0, NULL, NULL) == -30);
  cl_device_id twice[] = {device, device};
  size_t sizes[] = {4, 4};
  const unsigned char *files[] = {"ELF", "ELF"};
  WANT(!clCreateProgramWithBinary(context, 2, twice, sizes, files, NULL, &e) && e == -33);
  CHECK(clGetKernelWorkGroupInfo(kernel("says"), device, 0x11B0, sizeof n, &n, NULL));
  WANT(n == 32);
}

static void says(void) {
  cl_mem b = buffer(0, 4, NULL);
  cl_kernel k = kernel("says");
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  launch(k, 96, 32);
  CHECK(clFinish(queue));
}

// rounds launches reverse three times, each upon what the one before left, and says in between.
static void rounds(void) {
  int in[64], out[64];
  for (int i = 0; i < 64; i++) in[i] = i;
  cl_mem a = buffer(COPY, sizeof in, in), b = buffer(COPY, sizeof in, in);
  cl_kernel k = kernel("reverse");
  for (int round = 0; round < 3; round++) {
    struct {
      int factor;
      float more;
    } s = {round + 1, 0.5f};
    int n = 64;
    CHECK(clSetKernelArg(k, 0, sizeof b, &b));
    CHECK(clSetKernelArg(k, 1, sizeof a, &a));
    CHECK(clSetKernelArg(k, 2, 32 * sizeof(int), NULL));
    CHECK(clSetKernelArg(k, 3, sizeof n, &n));
    CHECK(clSetKernelArg(k, 4, sizeof s, &s));
    launch(k, 64, 32);
    CHECK(clFinish(queue));
    says();
    cl_mem t = a;
    a = b;
    b = t;
  }
  CHECK(clEnqueueReadBuffer(queue, a, 1, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < 64; i++) WANT(out[i] == 6 * (i / 32 * 32 + 31 - i % 32));
}

// sums runs a kernel of a module in SPIR-V.
static void sums(void) {
  int in[100], out[2], n = 100;
  for (int i = 0; i < n; i++) in[i] = i % 3 ? i : -i;
  cl_mem a = buffer(COPY, sizeof in, in), b = buffer(0, sizeof out, NULL);
  cl_kernel k = kernel("cl_sum");
  CHECK(clSetKernelArg(k, 0, sizeof a, &a));
  CHECK(clSetKernelArg(k, 1, sizeof b, &b));
  CHECK(clSetKernelArg(k, 2, 16 * sizeof(int), NULL));
  CHECK(clSetKernelArg(k, 3, sizeof n, &n));
  launch(k, 32, 16);
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof out, out, 0, NULL, NULL));
  int want = 0;
  for (int i = 0; i < n; i++) want += i % 3 ? i : 0;
  WANT(out[0] + out[1] == want && out[0] && out[1]);
}

static void beyond(void) {
  cl_mem b = buffer(0, 256, NULL);
  cl_kernel k = kernel("beyond");
  int far = 60;
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  CHECK(clSetKernelArg(k, 1, sizeof far, &far));
  launch(k, 32, 32);
  CHECK(clFinish(queue));
}

// arguments asks what is known of a kernel's.
static void arguments(void) {
  cl_int e;
  const char *source = "kernel void k(constant float *c, const volatile global int *restrict v, local int *l,\n"
                       "              float4 f, read_only image2d_t i) {}";
  static const struct {
    const char *name, *type;
    cl_uint space, access;
    cl_bitfield qualifiers;
  } want[] = {{"c", "float*", 0x119D, 0x11A3, 1},
              {"v", "int*", 0x119B, 0x11A3, 7},
              {"l", "int*", 0x119C, 0x11A3, 0},
              {"f", "float4", 0x119E, 0x11A3, 0},
              {"i", "image2d_t", 0x119B, 0x11A0, 0}};
  program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel k = kernel("k");
  for (int i = 0; i < 5; i++) {
    char name[16], type[16];
    cl_uint space, access;
    cl_bitfield qualifiers;
    CHECK(clGetKernelArgInfo(k, i, 0x1196, sizeof space, &space, NULL));
    CHECK(clGetKernelArgInfo(k, i, 0x1197, sizeof access, &access, NULL));
    CHECK(clGetKernelArgInfo(k, i, 0x1198, sizeof type, type, NULL));
    CHECK(clGetKernelArgInfo(k, i, 0x1199, sizeof qualifiers, &qualifiers, NULL));
    CHECK(clGetKernelArgInfo(k, i, 0x119A, sizeof name, name, NULL));
    WANT(!strcmp(name, want[i].name) && !strcmp(type, want[i].type) && space == want[i].space);
    WANT(access == want[i].access && qualifiers == want[i].qualifiers);
  }
}

// sources needs a compiler: what cannot be compiled, and what is linked of two sources and a header.
static void sources(void) {
  cl_int e;
  char log[4096];
  const char *bad = "kernel void k(global int *p) { p[0] = nothing; }";
  cl_program p = clCreateProgramWithSource(context, 1, &bad, NULL, &e);
  WANT(clBuildProgram(p, 1, &device, "", NULL, NULL) == -11);
  CHECK(clGetProgramBuildInfo(p, device, 0x1183, sizeof log, log, NULL));
  WANT(strstr(log, "use of undeclared identifier 'nothing'"));
  WANT(clBuildProgram(p, 1, &device, "-fno-such-option", NULL, NULL) == -43);
  const char *header = "int twice(int x);\n", *one = "#include \"sub/twice.h\"\nkernel void t(global int *p) "
                                                    "{ p[get_global_id(0)] = twice(p[get_global_id(0)]); }",
             *two = "#include \"sub/twice.h\"\nint twice(int x) { return x * FACTOR; }", *name = "sub/twice.h";
  cl_program h = clCreateProgramWithSource(context, 1, &header, NULL, &e), parts[2];
  parts[0] = clCreateProgramWithSource(context, 1, &one, NULL, &e);
  parts[1] = clCreateProgramWithSource(context, 1, &two, NULL, &e);
  CHECK(clCompileProgram(parts[0], 1, &device, "", 1, &h, &name, NULL, NULL));
  CHECK(clCompileProgram(parts[1], 1, &device, "-D FACTOR=2", 1, &h, &name, NULL, NULL));
  WANT(!clLinkProgram(context, 1, &device, "-invalid- options", 2, parts, NULL, NULL, &e) && e == -67);
  WANT(!clLinkProgram(context, 1, &device, "options", 2, parts, NULL, NULL, &e) && e == -67);
  program = clLinkProgram(context, 1, &device, "-cl-fast-relaxed-math -D A=1 -I . -g", 2, parts, NULL, NULL, &e);
  CHECK(e);
  clLinkProgram(context, 1, &device, "-enable-link-options -I \"a b\" '-DB=a b' -D C=a\\ b", 2, parts, NULL, NULL,
                &e);
  CHECK(e);
  int v[2] = {21, 4};
  cl_mem b = buffer(COPY, sizeof v, v);
  cl_kernel k = kernel("t");
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  launch(k, 2, 0);
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof v, v, 0, NULL, NULL));
  WANT(v[0] == 42 && v[1] == 8);
}

int main(int count, char **args) {
  static const scenario all[] = {{"kernels", kernels}, {"memory", memory}, {"events", events},   {"errors", errors},
                                 {"says", says},       {"beyond", beyond}, {"sources", sources}, {"rounds", rounds},
                                 {"arguments", arguments}, {"sums", sums}, {NULL}};
  return run_scenario(all, count, args, 2);
}
