// Calls of OpenCL's API that are wrong, and such that are right: each way in a process, and so with a device, of its own.
// What is wrong is on the line that is marked with the way's name.
//   usage: PROGRAM OBJECT WAY ...
#include "opencl_start.h"
#include "ways.h"

enum { N = 512, BYTES = N * sizeof(int), MAP_READ = 1, MAP_WRITE = 2 };

static cl_command_queue one, two;
static cl_mem a, b;
static cl_kernel run;
static int data[N], other[N];
static volatile int sink;

// work writes all of `to`, from all of `from`.
static cl_event work(cl_command_queue q, cl_mem from, cl_mem to) {
  size_t items = N, group = 128;
  cl_event e;
  CHECK(clSetKernelArg(run, 0, sizeof from, &from));
  CHECK(clSetKernelArg(run, 1, sizeof to, &to));
  CHECK(clEnqueueNDRangeKernel(q, run, 1, NULL, &items, &group, 0, NULL, &e));
  return e;
}

static int *map(cl_command_queue q, cl_mem m, cl_bool blocking, cl_bitfield flags, cl_event *e) {
  cl_int error;
  int *p = clEnqueueMapBuffer(q, m, blocking, flags, 0, BYTES, 0, NULL, e, &error);
  CHECK(error);
  return p;
}

static void bad_size(void) { clEnqueueReadBuffer(one, a, 1, 4, BYTES, data, 0, NULL, NULL); } // bad_size
static void bad_released(void) {
  clReleaseMemObject(b);
  clEnqueueReadBuffer(one, b, 1, 0, BYTES, data, 0, NULL, NULL); // bad_released
}
static void bad_twice(void) {
  clReleaseMemObject(b);
  clReleaseMemObject(b); // bad_twice
}
static void bad_too_often(void) {
  work(one, a, b);
  clReleaseKernel(run);
  clReleaseKernel(run); // bad_too_often
}
static void bad_argument(void) {
  size_t items = N, group = 128;
  clSetKernelArg(run, 0, sizeof a, &a);
  clSetKernelArg(run, 1, sizeof b, &b);
  clReleaseMemObject(b);
  clEnqueueNDRangeKernel(one, run, 1, NULL, &items, &group, 0, NULL, NULL); // bad_argument
}
static void bad_unset(void) {
  size_t items = N, group = 128;
  clSetKernelArg(run, 0, sizeof a, &a);
  clEnqueueNDRangeKernel(one, run, 1, NULL, &items, &group, 0, NULL, NULL); // bad_unset
}
static void bad_argument_size(void) { clSetKernelArg(run, 0, 4, &a); } // bad_argument_size
static void bad_index(void) { clSetKernelArg(run, 7, sizeof a, &a); } // bad_index
static void bad_group(void) {
  size_t items = N, group = 100;
  clSetKernelArg(run, 0, sizeof a, &a);
  clSetKernelArg(run, 1, sizeof b, &b);
  clEnqueueNDRangeKernel(one, run, 1, NULL, &items, &group, 0, NULL, NULL); // bad_group
}
static void bad_kernel(void) {
  cl_int e;
  clCreateKernel(program, "nothing", &e); // bad_kernel
}
static void bad_wrong_kind(void) { clEnqueueReadBuffer(one, (cl_mem)run, 1, 0, BYTES, data, 0, NULL, NULL); } // bad_wrong_kind
static void bad_unmap(void) { clEnqueueUnmapMemObject(one, a, data, 0, NULL, NULL); } // bad_unmap
static void bad_unmapped_twice(void) {
  int *p = map(one, a, 1, MAP_READ, NULL);
  clEnqueueUnmapMemObject(one, a, p, 0, NULL, NULL);
  clEnqueueUnmapMemObject(one, a, p, 0, NULL, NULL); // bad_unmapped_twice
}
static void bad_mapped(void) {
  size_t items = N, group = 128;
  clSetKernelArg(run, 0, sizeof a, &a);
  clSetKernelArg(run, 1, sizeof b, &b);
  int *p = map(one, a, 1, MAP_WRITE, NULL);
  p[0] = 1;
  clEnqueueNDRangeKernel(one, run, 1, NULL, &items, &group, 0, NULL, NULL); // bad_mapped
}
static void bad_source(void) {
  clEnqueueWriteBuffer(one, a, 0, 0, BYTES, data, 0, NULL, NULL);
  data[3] = 77;
  clFinish(one); // bad_source
}
static void bad_target(void) {
  clEnqueueReadBuffer(one, a, 0, 0, BYTES, data, 0, NULL, NULL);
  data[3] = 77;
  clFinish(one); // bad_target
}
static void bad_event(void) {
  cl_event e = work(one, a, b);
  clReleaseEvent(e);
  clWaitForEvents(1, &e); // bad_event
}
static void bad_after_unmap(void) {
  int *p = map(one, a, 1, MAP_WRITE, NULL);
  clEnqueueUnmapMemObject(one, a, p, 0, NULL, NULL);
  p[0] = 1; // bad_after_unmap
}

static void ok_all(void) {
  cl_event e = work(one, a, b), read;
  clRetainMemObject(a), clReleaseMemObject(a);
  clEnqueueReadBuffer(two, b, 0, 0, BYTES, data, 1, &e, &read);
  clWaitForEvents(1, &read);
  data[0] = 1;
  clEnqueueWriteBuffer(one, a, 0, 0, BYTES, data, 0, NULL, &e);
  cl_int status = 1;
  while (status > 0) clGetEventInfo(e, 0x11D3, sizeof status, &status, NULL);
  data[0] = 2;
  clEnqueueWriteBuffer(one, a, 1, 0, BYTES, data, 0, NULL, NULL);
  data[0] = 3;
  clEnqueueWriteBuffer(one, a, 0, 0, BYTES, data, 0, NULL, NULL);
  clEnqueueReadBuffer(one, b, 1, 0, BYTES, other, 0, NULL, NULL); // the queue has done what was before
  data[0] = 4;
  int *p = map(one, a, 1, MAP_READ | MAP_WRITE, NULL);
  p[1] = p[0];
  clEnqueueUnmapMemObject(one, a, p, 0, NULL, NULL);
  work(one, a, b);
  clFinish(one);
}
static void ok_releases(void) {
  work(one, a, b);
  clReleaseMemObject(a), clReleaseMemObject(b), clReleaseKernel(run), clReleaseProgram(program);
  clFinish(one);
  clReleaseCommandQueue(one), clReleaseCommandQueue(two), clReleaseContext(context);
}

static void host_early_map(void) {
  work(one, a, b);
  int *p = map(one, b, 0, MAP_READ, NULL);
  sink = p[0]; // host_early_map
  clFinish(one);
}
static void host_shared(void) {
  int *p = clSVMAlloc(context, 1, BYTES, 0);
  memset(p, 0, BYTES);
  size_t items = N, group = 128;
  clSetKernelArg(run, 0, sizeof a, &a);
  clSetKernelArgSVMPointer(run, 1, p);
  clEnqueueNDRangeKernel(one, run, 1, NULL, &items, &group, 0, NULL, NULL);
  sink = p[5]; // host_shared
  clFinish(one);
}
static void fine_map(void) {
  cl_event e;
  work(one, a, b);
  int *p = map(one, b, 0, MAP_READ | MAP_WRITE, &e);
  clWaitForEvents(1, &e);
  for (int i = 0; i < N; i++) p[i]++;
  clEnqueueUnmapMemObject(one, b, p, 0, NULL, NULL);
  work(one, b, a);
  clFinish(one);
}
static void fine_shared(void) {
  int *p = clSVMAlloc(context, 1, BYTES, 0);
  memset(p, 0, BYTES);
  size_t items = N, group = 128;
  clSetKernelArg(run, 0, sizeof a, &a);
  clSetKernelArgSVMPointer(run, 1, p);
  clEnqueueNDRangeKernel(one, run, 1, NULL, &items, &group, 0, NULL, NULL);
  clEnqueueSVMMap(one, 1, MAP_READ, p, BYTES, 0, NULL, NULL);
  for (int i = 0; i < N; i++) sink = p[i];
  clEnqueueSVMUnmap(one, p, 0, NULL, NULL);
  clFinish(one);
  clSVMFree(context, p);
}

static const struct way ways[] = {
    WAY(bad_size) WAY(bad_released) WAY(bad_twice) WAY(bad_too_often) WAY(bad_argument) WAY(bad_unset)
    WAY(bad_argument_size) WAY(bad_index) WAY(bad_group) WAY(bad_kernel) WAY(bad_wrong_kind) WAY(bad_unmap)
    WAY(bad_unmapped_twice) WAY(bad_mapped) WAY(bad_source) WAY(bad_target) WAY(bad_event)
    WAY(bad_after_unmap) WAY(ok_all) WAY(ok_releases) WAY(host_early_map) WAY(host_shared) WAY(fine_map)
    WAY(fine_shared)};

static void start_way(const char *object, void (*way)(void)) {
  cl_int e;
  start(object, 0);
  one = queue;
  two = clCreateCommandQueue(context, device, 0, &e);
  CHECK(e);
  a = clCreateBuffer(context, 1, BYTES, NULL, &e);
  CHECK(e);
  b = clCreateBuffer(context, 1, BYTES, NULL, &e);
  CHECK(e);
  run = kernel("tile_ok");
  CHECK(clEnqueueWriteBuffer(one, a, 1, 0, BYTES, data, 0, NULL, NULL));
  CHECK(clEnqueueWriteBuffer(one, b, 1, 0, BYTES, data, 0, NULL, NULL));
  way();
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, start_way);
}
