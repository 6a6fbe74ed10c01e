// Commands of several queues, and of one whose order is free, which something orders or nothing does: each way
// in a process, and so with a device, of its own.
//   usage: PROGRAM OBJECT WAY ...
#include "opencl_start.h"
#include "ways.h"

enum { N = 512, BYTES = N * sizeof(int), OUT_OF_ORDER = 1, MAP_READ = 1, MAP_WRITE = 2 };

static cl_command_queue one, two, freely;
static cl_mem a, b, c;
static cl_kernel run;
static int data[N];

// work writes all of `to`, from all of `from`.
static cl_event work(cl_command_queue q, cl_mem from, cl_mem to, cl_uint n, const cl_event *waits) {
  size_t items = N, group = 128;
  cl_event e;
  CHECK(clSetKernelArg(run, 0, sizeof from, &from));
  CHECK(clSetKernelArg(run, 1, sizeof to, &to));
  CHECK(clEnqueueNDRangeKernel(q, run, 1, NULL, &items, &group, n, waits, &e));
  return e;
}

static cl_event read_in(cl_command_queue q, cl_mem from, cl_bool blocking, cl_uint n, const cl_event *waits) {
  cl_event e;
  CHECK(clEnqueueReadBuffer(q, from, blocking, 0, BYTES, data, n, waits, &e));
  return e;
}

// What is done by each name. Those that begin with "no_" have a race.
static void no_order(void) { work(one, a, b, 0, NULL), work(two, b, c, 0, NULL); }
static void by_queue(void) { work(one, a, b, 0, NULL), work(one, b, c, 0, NULL); }
static void by_event(void) {
  cl_event e = work(one, a, b, 0, NULL);
  work(two, b, c, 1, &e);
}
static void no_other_event(void) {
  cl_event e = work(one, a, c, 0, NULL);
  work(one, a, b, 0, NULL), work(two, b, a, 1, &e);
}
static void by_finish(void) { work(one, a, b, 0, NULL), clFinish(one), work(two, b, c, 0, NULL); }
static void by_wait(void) {
  cl_event e = work(one, a, b, 0, NULL);
  clWaitForEvents(1, &e), work(two, b, c, 0, NULL);
}
static void by_status(void) {
  cl_event e = work(one, a, b, 0, NULL);
  cl_int status = 1;
  while (status > 0) clGetEventInfo(e, 0x11D3, sizeof status, &status, NULL);
  work(two, b, c, 0, NULL);
}
static void by_blocking(void) { work(one, a, b, 0, NULL), read_in(one, b, 1, 0, NULL), work(two, b, c, 0, NULL); }
static void no_read(void) { work(one, a, b, 0, NULL), read_in(two, b, 1, 0, NULL); }
static void by_marker(void) {
  cl_event e;
  work(one, a, b, 0, NULL), clEnqueueMarkerWithWaitList(one, 0, NULL, &e), work(two, b, c, 1, &e);
}
static void no_free_order(void) { work(freely, a, b, 0, NULL), work(freely, b, c, 0, NULL); }
static void by_free_event(void) {
  cl_event e = work(freely, a, b, 0, NULL);
  work(freely, b, c, 1, &e);
}
static void no_next_but_one(void) {
  cl_event e = work(freely, a, b, 0, NULL);
  work(freely, b, c, 1, &e), work(freely, b, a, 0, NULL);
}
static void by_barrier(void) {
  work(freely, a, b, 0, NULL), clEnqueueBarrierWithWaitList(freely, 0, NULL, NULL), work(freely, b, c, 0, NULL);
}
static void by_barrier_for_one(void) {
  cl_event e = work(freely, a, b, 0, NULL);
  clEnqueueBarrierWithWaitList(freely, 1, &e, NULL), work(freely, b, c, 0, NULL);
}
static void no_barrier_for_one(void) {
  cl_event e = work(freely, a, c, 0, NULL);
  work(freely, a, b, 0, NULL), clEnqueueBarrierWithWaitList(freely, 1, &e, NULL), work(freely, b, a, 0, NULL);
}
static void no_marker(void) {
  cl_event e;
  work(freely, a, b, 0, NULL), clEnqueueMarkerWithWaitList(freely, 0, NULL, &e), work(freely, b, c, 0, NULL);
}
static void by_free_marker(void) {
  cl_event e;
  work(freely, a, b, 0, NULL), clEnqueueMarkerWithWaitList(freely, 0, NULL, &e), work(freely, b, c, 1, &e);
}
static void by_free_read(void) {
  cl_event e = work(freely, a, b, 0, NULL);
  read_in(freely, b, 0, 1, &e), clFinish(freely), work(two, b, c, 0, NULL);
}
static void by_user_event(void) {
  cl_int error;
  cl_event held = clCreateUserEvent(context, &error), e = work(one, a, b, 1, &held);
  work(two, b, c, 1, &e), clSetUserEventStatus(held, 0);
}
static void no_map(void) {
  work(one, a, b, 0, NULL);
  cl_int error;
  void *p = clEnqueueMapBuffer(two, b, 1, MAP_READ, 0, BYTES, 0, NULL, NULL, &error);
  clEnqueueUnmapMemObject(two, b, p, 0, NULL, NULL);
}
static void by_map(void) {
  work(one, a, b, 0, NULL);
  cl_int error;
  void *p = clEnqueueMapBuffer(one, b, 1, MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
  cl_event e;
  clEnqueueUnmapMemObject(one, b, p, 0, NULL, &e), work(two, b, c, 1, &e);
}
static void no_copy(void) {
  clEnqueueCopyBuffer(one, a, b, 0, 0, BYTES, 0, NULL, NULL), work(two, b, c, 0, NULL);
}

static const struct way ways[] = {
    WAY(no_order) WAY(by_queue) WAY(by_event) WAY(no_other_event) WAY(by_finish) WAY(by_wait) WAY(by_status)
    WAY(by_blocking) WAY(no_read) WAY(by_marker) WAY(no_free_order) WAY(by_free_event) WAY(no_next_but_one)
    WAY(by_barrier) WAY(by_barrier_for_one) WAY(no_barrier_for_one) WAY(no_marker) WAY(by_free_marker)
    WAY(by_free_read) WAY(by_user_event) WAY(no_map) WAY(by_map) WAY(no_copy)};

static void run_way(const char *object, void (*way)(void)) {
  start(object, 0);
  cl_int e;
  int zero = 0;
  one = clCreateCommandQueue(context, device, 0, &e), two = clCreateCommandQueue(context, device, 0, &e);
  freely = clCreateCommandQueue(context, device, OUT_OF_ORDER, &e);
  a = buffer(0, BYTES, NULL), b = buffer(0, BYTES, NULL), c = buffer(0, BYTES, NULL);
  run = kernel("tile_ok");
  CHECK(clEnqueueFillBuffer(one, a, &zero, 4, 0, BYTES, 0, NULL, NULL));
  clFinish(one);
  way();
  clFinish(one), clFinish(two), clFinish(freely);
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, run_way);
}
