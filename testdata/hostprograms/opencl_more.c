// An OpenCL host program: scenarios of what programs rely on besides launches and copies, which check what
// they get themselves. Its first argument is a scenario, its second a file with the kernels of kernels.cl;
// of "constants" the module special.spv. Every implementation of OpenCL passes those that are not of this
// device alone.
#include "opencl_start.h"

#include <pthread.h>
#include <sys/wait.h>

enum { N = 256, BYTES = N * sizeof(int) };
enum { READ = 1, WRITE = 2, INVALIDATE = 4 }; // of maps
enum { USE = 1 << 3, COPY = 1 << 5 };
enum { HOST_WRITE_ONLY = 1 << 7, HOST_READ_ONLY = 1 << 8, HOST_NO_ACCESS = 1 << 9 };
enum { OUT_OF_ORDER = 1, PROFILING = 2 };

static cl_kernel add(cl_mem m, int v) {
  cl_kernel k = kernel("add");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  return k;
}

static cl_event gate(void) {
  cl_int e;
  cl_event g = clCreateUserEvent(context, &e);
  CHECK(e);
  return g;
}

static cl_int status_of(cl_event e) {
  cl_int status;
  CHECK(clGetEventInfo(e, 0x11D3, sizeof status, &status, NULL));
  return status;
}

static int read_one(cl_mem m, int i) {
  int v;
  CHECK(clEnqueueReadBuffer(queue, m, 1, 4 * i, 4, &v, 0, NULL, NULL));
  return v;
}

// access: memory that the host said it would not read or write.
static void access_(void) {
  int data[N] = {0};
  size_t region[2] = {0, BYTES}, zero[3] = {0}, size[3] = {4, 1, 1};
  cl_int e;
  cl_mem reads = buffer(HOST_READ_ONLY, BYTES, NULL), writes = buffer(HOST_WRITE_ONLY, BYTES, NULL),
         none = buffer(HOST_NO_ACCESS, BYTES, NULL);
  WANT(clEnqueueWriteBuffer(queue, reads, 1, 0, 4, data, 0, NULL, NULL) == -59);
  CHECK(clEnqueueReadBuffer(queue, reads, 1, 0, 4, data, 0, NULL, NULL));
  WANT(clEnqueueReadBuffer(queue, writes, 1, 0, 4, data, 0, NULL, NULL) == -59);
  CHECK(clEnqueueWriteBuffer(queue, writes, 1, 0, 4, data, 0, NULL, NULL));
  WANT(clEnqueueReadBuffer(queue, none, 1, 0, 4, data, 0, NULL, NULL) == -59);
  WANT(!clEnqueueMapBuffer(queue, none, 1, WRITE, 0, 4, 0, NULL, NULL, &e) && e == -59);
  WANT(!clEnqueueMapBuffer(queue, writes, 1, READ, 0, 4, 0, NULL, NULL, &e) && e == -59);
  WANT(clEnqueueReadBufferRect(queue, none, 1, zero, zero, size, 0, 0, 0, 0, data, 0, NULL, NULL) == -59);
  WANT(clEnqueueWriteBufferRect(queue, reads, 1, zero, zero, size, 0, 0, 0, 0, data, 0, NULL, NULL) == -59);
  cl_mem sub = clCreateSubBuffer(none, 0, 0x1220, region, &e);
  CHECK(e);
  WANT(clEnqueueReadBuffer(queue, sub, 1, 0, 4, data, 0, NULL, NULL) == -59);
  WANT(!clCreateSubBuffer(reads, HOST_WRITE_ONLY, 0x1220, region, &e) && e == -30);
  WANT(!clCreateSubBuffer(reads, USE, 0x1220, region, &e) && e == -30);
  WANT(!clCreateBuffer(context, HOST_READ_ONLY | HOST_WRITE_ONLY, 4, NULL, &e) && e == -30);
  WANT(!clCreateBuffer(context, 1 | 4, 4, NULL, &e) && e == -30);
  cl_bitfield flags;
  cl_mem own = buffer(USE, BYTES, data);
  sub = clCreateSubBuffer(own, 4, 0x1220, region, &e);
  CHECK(clGetMemObjectInfo(sub, 0x1101, sizeof flags, &flags, NULL));
  WANT(flags == (4 | USE));
}

// maps: the end of a map puts back what was mapped, and nothing else.
static void maps(void) {
  static int data[N] __attribute__((aligned(4096)));
  for (int i = 0; i < N; i++) data[i] = i;
  cl_int e;
  cl_uint count;
  cl_mem m = buffer(USE, BYTES, data);
  launch(add(m, 1000), N, 64);
  int *low = clEnqueueMapBuffer(queue, m, 1, READ | WRITE, 0, 128, 0, NULL, NULL, &e);
  CHECK(e);
  WANT(low == data && low[31] == 1031);
  int *high = clEnqueueMapBuffer(queue, m, 1, INVALIDATE, 512, 128, 0, NULL, NULL, &e);
  CHECK(e);
  WANT(high == data + 128);
  CHECK(clGetMemObjectInfo(m, 0x1104, sizeof count, &count, NULL));
  WANT(count == 2);
  for (int i = 0; i < 32; i++) low[i] = -1, high[i] = -2;
  CHECK(clEnqueueUnmapMemObject(queue, m, low, 0, NULL, NULL));
  CHECK(clEnqueueUnmapMemObject(queue, m, high, 0, NULL, NULL));
  WANT(clEnqueueUnmapMemObject(queue, m, high, 0, NULL, NULL) == -30);
  int got[N];
  CHECK(clEnqueueReadBuffer(queue, m, 1, 0, BYTES, got, 0, NULL, NULL));
  for (int i = 0; i < N; i++) WANT(got[i] == (i < 32 ? -1 : i / 32 == 4 ? -2 : 1000 + i));
  // Without memory of the program's own a map is the memory itself.
  m = buffer(COPY, BYTES, got);
  low = clEnqueueMapBuffer(queue, m, 1, WRITE, 64, 64, 0, NULL, NULL, &e);
  CHECK(e);
  WANT(low[0] == -1 && low[15] == -1);
  low[3] = 7;
  CHECK(clEnqueueUnmapMemObject(queue, m, low, 0, NULL, NULL));
  WANT(read_one(m, 19) == 7);
  size_t region[2] = {512, 512};
  cl_mem sub = clCreateSubBuffer(m, 0, 0x1220, region, &e);
  CHECK(e);
  CHECK(clEnqueueMigrateMemObjects(queue, 1, &sub, 1, 0, NULL, NULL));
  WANT(read_one(sub, 0) == -2 && read_one(sub, 32) == 1160);
}

// shared: shared virtual memory, and a buffer that is the same.
static void shared(void) {
  cl_int e;
  int *a = clSVMAlloc(context, 0, BYTES, 0), *b = clSVMAlloc(context, 0, BYTES, 0), pattern[2] = {3, 4};
  WANT(a && b);
  CHECK(clEnqueueSVMMemFill(queue, a, pattern, sizeof pattern, BYTES, 0, NULL, NULL));
  CHECK(clEnqueueSVMMemcpy(queue, 1, b, a, BYTES / 2, 0, NULL, NULL));
  WANT(clEnqueueSVMMemcpy(queue, 1, a + 1, a, 8, 0, NULL, NULL) == -8);
  CHECK(clEnqueueSVMMap(queue, 1, WRITE, b, BYTES, 0, NULL, NULL));
  WANT(b[0] == 3 && b[N / 2 - 1] == 4);
  for (int i = N / 2; i < N; i++) b[i] = i;
  CHECK(clEnqueueSVMUnmap(queue, b, 0, NULL, NULL));
  cl_kernel k = kernel("add");
  int v = 10;
  CHECK(clSetKernelArgSVMPointer(k, 0, b));
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  launch(k, N, 64);
  cl_mem m = buffer(USE, BYTES, b);
  cl_bool is_shared;
  CHECK(clGetMemObjectInfo(m, 0x1109, sizeof is_shared, &is_shared, NULL));
  WANT(is_shared);
  launch(add(m, 100), N, 64);
  CHECK(clEnqueueSVMMap(queue, 1, READ, b, BYTES, 0, NULL, NULL));
  WANT(b[0] == 113 && b[1] == 114 && b[N - 1] == N - 1 + 110);
  CHECK(clEnqueueSVMUnmap(queue, b, 0, NULL, NULL));
  int *at = clEnqueueMapBuffer(queue, m, 1, READ, 4, 4, 0, NULL, NULL, &e);
  CHECK(e);
  WANT(at == b + 1);
  CHECK(clEnqueueUnmapMemObject(queue, m, at, 0, NULL, NULL));
  CHECK(clFinish(queue));
  CHECK(clReleaseMemObject(m));
  WANT(b[1] == 114); // the memory stays
  clSVMFree(context, a);
  clSVMFree(context, b);
}

static volatile int freed;
static void free_them(cl_command_queue q, cl_uint n, void **list, void *data) {
  freed = n == 1 && data == (void *)&freed;
  for (cl_uint i = 0; i < n; i++) clSVMFree(context, list[i]);
}

// free_queue makes the queue one whose order is free.
static void free_queue(void) {
  cl_int e;
  queue = clCreateCommandQueue(context, device, OUT_OF_ORDER, &e);
  CHECK(e);
}

// order: commands that events hold back, in a queue whose order is free.
static void order(void) {
  int data[N] = {0};
  free_queue();
  cl_mem m = buffer(COPY, BYTES, data);
  cl_event held = gate(), first, marker, barrier, after, freeing;
  cl_kernel k = add(m, 1);
  size_t items = N;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &held, &first));
  CHECK(clReleaseKernel(k)); // and so the launch has the last of it
  CHECK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
  CHECK(clEnqueueReadBuffer(queue, m, 0, 0, 4, data, 0, NULL, &after));
  CHECK(clWaitForEvents(1, &after)); // it overtakes
  WANT(data[0] == 0);
  CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, &barrier));
  k = add(m, 10);
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &after));
  void *memory = clSVMAlloc(context, 0, 64, 0);
  CHECK(clEnqueueSVMFree(queue, 1, &memory, free_them, (void *)&freed, 0, NULL, &freeing));
  WANT(status_of(marker) > 0 && status_of(barrier) > 0 && status_of(after) > 0 && !freed);
  CHECK(clSetUserEventStatus(held, 0));
  CHECK(clWaitForEvents(1, &after));
  CHECK(clWaitForEvents(1, &freeing));
  WANT(status_of(first) == 0 && status_of(marker) == 0 && status_of(barrier) == 0 && freed);
  WANT(read_one(m, 0) == 11);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int calls, wrong, destroyed[3];

static void count_call(cl_event e, cl_int status, void *data) {
  pthread_mutex_lock(&mutex);
  if (status != 0) wrong++;
  calls++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void open_gate(cl_event e, cl_int status, void *data) { clSetUserEventStatus(data, 0); }

static void await_calls(int n) {
  pthread_mutex_lock(&mutex);
  while (calls < n) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void destroy(cl_mem m, void *data) { destroyed[wrong++] = (int)(intptr_t)data; }

static void built(cl_program p, void *data) { count_call(NULL, data == (void *)&calls ? 0 : 1, NULL); }

// callbacks: of events that come to be complete, in their thousands, of builds, and of memory that goes.
static void callbacks(void) {
  int data[N] = {0};
  cl_mem m = buffer(COPY, BYTES, data);
  cl_kernel k = add(m, 1);
  size_t items = N;
  cl_event held = gate(), e;
  for (int i = 0; i < 2000; i++) {
    CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &held, &e));
    CHECK(clSetEventCallback(e, 0, count_call, NULL));
    CHECK(clReleaseEvent(e));
  }
  // One opens a gate that another waits behind.
  cl_event second = gate();
  CHECK(clSetEventCallback(held, 0, open_gate, second));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &second, &e));
  CHECK(clSetEventCallback(e, 0, count_call, NULL));
  CHECK(clSetUserEventStatus(held, 0));
  await_calls(2001);
  WANT(!wrong && read_one(m, 5) == 2001);
  const char *source = "kernel void k(global int *p) { p[0] = 1; }";
  cl_int error;
  cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  cl_int status = clBuildProgram(p, 1, &device, "", built, (void *)&calls);
  if (status != -11) { // there is a compiler
    CHECK(status);
    await_calls(2002);
    WANT(!wrong);
  }
  for (int i = 0; i < 3; i++) CHECK(clSetMemObjectDestructorCallback(m, destroy, (void *)(intptr_t)i));
  CHECK(clReleaseKernel(k));
  CHECK(clFinish(queue));
  CHECK(clReleaseMemObject(m));
  WANT(wrong == 3 && destroyed[0] == 2 && destroyed[1] == 1 && destroyed[2] == 0);
}

static cl_mem common;

// one_thread uses a context and a queue of its own, and the queue that all have.
static void *one_thread(void *p) {
  int number = (int)(intptr_t)p, out[N];
  cl_int e;
  cl_command_queue own = clCreateCommandQueue(context, device, number & 1, &e);
  CHECK(e);
  cl_kernel mine = add(buffer(0, BYTES, NULL), number), ours = add(common, 1);
  cl_mem m = buffer(0, BYTES, NULL);
  CHECK(clSetKernelArg(mine, 0, sizeof m, &m));
  CHECK(clEnqueueFillBuffer(own, m, &number, 4, 0, BYTES, 0, NULL, NULL));
  CHECK(clFinish(own));
  size_t items = N;
  for (int round = 0; round < 50; round++) {
    cl_event done;
    CHECK(clEnqueueNDRangeKernel(own, mine, 1, NULL, &items, NULL, 0, NULL, &done));
    CHECK(clEnqueueNDRangeKernel(queue, ours, 1, NULL, &items, NULL, 1, &done, NULL));
    CHECK(clEnqueueReadBuffer(own, m, 1, 0, BYTES, out, 1, &done, NULL));
    CHECK(clReleaseEvent(done));
    for (int i = 0; i < N; i++) WANT(out[i] == number * (round + 2));
  }
  cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  CHECK(e);
  cl_mem theirs = clCreateBuffer(other, 0, BYTES, NULL, &e);
  WANT(clEnqueueReadBuffer(own, theirs, 1, 0, 4, out, 0, NULL, NULL) == -34);
  CHECK(clReleaseMemObject(theirs));
  CHECK(clReleaseContext(other));
  CHECK(clReleaseCommandQueue(own));
  return NULL;
}

static void threads(void) {
  enum { THREADS = 8 };
  int zero = 0;
  common = buffer(0, BYTES, NULL);
  CHECK(clEnqueueFillBuffer(queue, common, &zero, 4, 0, BYTES, 0, NULL, NULL));
  CHECK(clFinish(queue));
  pthread_t all[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&all[i], NULL, one_thread, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(all[i], NULL);
  CHECK(clFinish(queue));
  WANT(read_one(common, 0) == 50 * THREADS && read_one(common, N - 1) == 50 * THREADS);
}

static const char *file; // with the kernels

// one_context has a context, a program and two queues of its own, one of them without an order; another
// thread opens the gates that its commands wait at.
static void *open_gates(void *gates) {
  for (cl_event *g = gates; *g; g++) {
    CHECK(clSetUserEventStatus(*g, 0));
    CHECK(clReleaseEvent(*g));
  }
  return NULL;
}

static void *one_context(void *number) {
  enum { GATES = 8 };
  cl_int e;
  size_t size, items = N;
  int out[N], v = (int)(intptr_t)number;
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  CHECK(e);
  cl_command_queue free_order = clCreateCommandQueue(c, device, OUT_OF_ORDER, &e);
  CHECK(e);
  cl_command_queue in_order = clCreateCommandQueue(c, device, 0, &e);
  CHECK(e);
  const char *text = read_file(file, &size);
  const unsigned char *binary = (const unsigned char *)text;
  cl_program p = strstr(file, ".cl") ? clCreateProgramWithSource(c, 1, &text, &size, &e)
                                     : clCreateProgramWithBinary(c, 1, &device, &size, &binary, NULL, &e);
  CHECK(e);
  CHECK(clBuildProgram(p, 1, &device, OPTIONS, NULL, NULL));
  cl_kernel k = clCreateKernel(p, "add", &e);
  CHECK(e);
  cl_mem m = clCreateBuffer(c, 0, BYTES, NULL, &e);
  CHECK(e);
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  CHECK(clEnqueueFillBuffer(in_order, m, &v, 4, 0, BYTES, 0, NULL, NULL));
  CHECK(clFinish(in_order));
  cl_event gates[GATES + 1] = {0}, done[GATES];
  for (int i = 0; i < GATES; i++) {
    gates[i] = clCreateUserEvent(c, &e);
    CHECK(e);
    CHECK(clRetainEvent(gates[i]));
  }
  for (int i = 0; i < GATES; i++) {
    cl_event waits[2] = {gates[GATES - 1 - i], i ? done[i - 1] : NULL};
    cl_command_queue q = i & 1 ? in_order : free_order;
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 1 + !!i, waits, &done[i]));
    CHECK(clFlush(q));
  }
  pthread_t opener;
  pthread_create(&opener, NULL, open_gates, gates);
  CHECK(clEnqueueReadBuffer(free_order, m, 1, 0, BYTES, out, 1, &done[GATES - 1], NULL));
  for (int i = 0; i < N; i++) WANT(out[i] == v * (GATES + 1));
  pthread_join(opener, NULL);
  for (int i = 0; i < GATES; i++) {
    CHECK(clReleaseEvent(done[i]));
    CHECK(clReleaseEvent(gates[i]));
  }
  CHECK(clReleaseKernel(k)), CHECK(clReleaseProgram(p)), CHECK(clReleaseMemObject(m));
  CHECK(clReleaseCommandQueue(free_order)), CHECK(clReleaseCommandQueue(in_order));
  CHECK(clReleaseContext(c));
  return NULL;
}

static void contexts(void) {
  enum { THREADS = 4 };
  pthread_t all[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&all[i], NULL, one_context, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++) pthread_join(all[i], NULL);
}

// forks: a child has no device until it asks for one, and then one of its own.
static void forks(void) {
  int data[N] = {0}, status;
  cl_mem m = buffer(COPY, BYTES, data);
  cl_kernel k = add(m, 5);
  launch(k, N, 64);
  for (int i = 0; i < 3; i++)
    if (!fork()) {
      int v;
      WANT(clEnqueueReadBuffer(queue, m, 1, 0, 4, &v, 0, NULL, NULL) < 0);
      start(file, 0);
      m = buffer(COPY, BYTES, data);
      launch(add(m, i), N, 64);
      WANT(read_one(m, 9) == i);
      exit(0);
    }
  for (int i = 0; i < 3; i++) {
    WANT(wait(&status) > 0 && status == 0);
  }
  launch(k, N, 64);
  WANT(read_one(m, 9) == 10);
}

// constants: those of a module hold from the next build on.
static void constants(void) {
  int out[3];
  unsigned char no = 0;
  uint32_t number = 42;
  cl_ulong wide = 123456789012345;
  WANT(clSetProgramSpecializationConstant(program, 9, 4, &number) == -71);
  WANT(clSetProgramSpecializationConstant(program, 3, 8, &wide) == -30);
  cl_mem m = buffer(0, sizeof out, NULL);
  static const int want[2][3] = {{7, 1, 123}, {42, 2, 345}};
  for (int round = 0; round < 2; round++) {
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel k = kernel("special");
    CHECK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK(clSetProgramSpecializationConstant(program, 3, 4, &number));
    CHECK(clSetProgramSpecializationConstant(program, 4, 1, &no));
    CHECK(clSetProgramSpecializationConstant(program, 5, 8, &wide));
    launch(k, 1, 1);
    CHECK(clEnqueueReadBuffer(queue, m, 1, 0, sizeof out, out, 0, NULL, NULL));
    WANT(!memcmp(out, want[round], sizeof out));
    CHECK(clReleaseKernel(k));
  }
}

// integers: differences that are larger than their type's largest number.
static void integers(void) {
  const char *source =
      "kernel void far(global uint *a, global ulong *b, global uint4 *c, int x, long y) {"
      "  a[0] = abs_diff(x, -x); b[0] = abs_diff(y, -y);"
      "  c[0] = abs_diff((int4)(x, -x, 1, 2), (int4)(-x, x, 2, 1)); }";
  cl_int e, x = 0x7fffffff;
  int64_t y = 0x7fffffffffffffff;
  cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  CHECK(e);
  CHECK(clBuildProgram(p, 1, &device, OPTIONS, NULL, NULL));
  cl_kernel k = clCreateKernel(p, "far", &e);
  CHECK(e);
  unsigned a, c[4];
  cl_ulong b;
  cl_mem m[3] = {buffer(0, sizeof a, NULL), buffer(0, sizeof b, NULL), buffer(0, sizeof c, NULL)};
  for (int i = 0; i < 3; i++) CHECK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
  CHECK(clSetKernelArg(k, 3, sizeof x, &x));
  CHECK(clSetKernelArg(k, 4, sizeof y, &y));
  launch(k, 1, 1);
  CHECK(clEnqueueReadBuffer(queue, m[0], 1, 0, sizeof a, &a, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, m[1], 1, 0, sizeof b, &b, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, m[2], 1, 0, sizeof c, c, 0, NULL, NULL));
  WANT(a == 0xfffffffe && b == 0xfffffffffffffffe);
  WANT(c[0] == 0xfffffffe && c[1] == 0xfffffffe && c[2] == 1 && c[3] == 1);
}

// times: of commands, one after the other.
static void times(void) {
  int data[N] = {0};
  cl_mem m = buffer(COPY, BYTES, data);
  cl_kernel k = add(m, 1);
  size_t items = N;
  cl_ulong last = 0;
  for (int round = 0; round < 3; round++) {
    cl_event all[3];
    CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &all[0]));
    CHECK(clEnqueueReadBuffer(queue, m, 0, 0, BYTES, data, 0, NULL, &all[1]));
    CHECK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &all[2]));
    CHECK(clWaitForEvents(3, all));
    for (int i = 0; i < 3; i++) {
      cl_ulong t[4];
      for (int n = 0; n < 4; n++) CHECK(clGetEventProfilingInfo(all[i], 0x1280 + n, 8, &t[n], NULL));
      WANT(t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3] && last <= t[3]);
      WANT(i || t[2] < t[3]); // a kernel takes time
      if (i < 2) WANT(last <= t[2]);
      last = t[3];
    }
  }
}

// boxes: copies of boxes, and patterns of all sizes.
static void boxes(void) {
  unsigned char data[4096], got[4096], pattern[128];
  for (int i = 0; i < sizeof data; i++) data[i] = i * 7 + i / 256;
  for (int i = 0; i < sizeof pattern; i++) pattern[i] = 255 - i;
  cl_mem a = buffer(COPY, sizeof data, data), b = buffer(COPY, sizeof data, data);
  size_t from[3] = {3, 2, 1}, to[3] = {5, 1, 2}, region[3] = {20, 3, 4};
  CHECK(clEnqueueCopyBufferRect(queue, a, b, from, to, region, 32, 256, 64, 512, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof got, got, 0, NULL, NULL));
  unsigned char want[4096];
  memcpy(want, data, sizeof want);
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 3; y++)
      memcpy(want + 5 + (1 + y) * 64 + (2 + z) * 512, data + 3 + (2 + y) * 32 + (1 + z) * 256, 20);
  WANT(!memcmp(got, want, sizeof want));
  CHECK(clEnqueueWriteBufferRect(queue, a, 1, to, from, region, 64, 512, 32, 256, got, 0, NULL, NULL));
  memcpy(want, data, sizeof want);
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 3; y++)
      memcpy(want + 5 + (1 + y) * 64 + (2 + z) * 512, got + 3 + (2 + y) * 32 + (1 + z) * 256, 20);
  CHECK(clEnqueueReadBuffer(queue, a, 1, 0, sizeof got, got, 0, NULL, NULL));
  WANT(!memcmp(got, want, sizeof want));
  region[2] = 9; // beyond the end
  WANT(clEnqueueCopyBufferRect(queue, a, b, from, to, region, 32, 256, 64, 512, 0, NULL, NULL) == -30);
  for (size_t n = 1; n <= 128; n *= 2) {
    CHECK(clEnqueueFillBuffer(queue, a, pattern, n, n * 3, n * 5, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, a, 1, n * 3, n * 5, got, 0, NULL, NULL));
    for (size_t i = 0; i < n * 5; i++) WANT(got[i] == pattern[i % n]);
  }
  WANT(clEnqueueFillBuffer(queue, a, pattern, 3, 0, 3, 0, NULL, NULL) == -30);
  WANT(clEnqueueFillBuffer(queue, a, pattern, 4, 2, 4, 0, NULL, NULL) == -30);
}

// asks: what is known of kernels, and copies of them.
static void asks(void) {
  cl_kernel k = kernel("says"), all[8];
  cl_uint count;
  size_t n, sizes[3];
  cl_ulong bytes;
  cl_int e;
  CHECK(clCreateKernelsInProgram(program, 8, all, &count));
  WANT(count == 5);
  CHECK(clGetKernelWorkGroupInfo(k, device, 0x11B1, sizeof sizes, sizes, NULL));
  WANT(sizes[0] == 32 && sizes[1] == 1 && sizes[2] == 1);
  size_t items = 96, group = 16;
  cl_mem m = buffer(0, BYTES, NULL);
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  WANT(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &group, 0, NULL, NULL) == -54);
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, NULL, NULL, 0, NULL, NULL)); // nothing, without an error
  k = kernel("reverse");
  CHECK(clGetKernelWorkGroupInfo(k, device, 0x11B2, sizeof bytes, &bytes, NULL));
  cl_ulong before = bytes;
  CHECK(clSetKernelArg(k, 2, 4096, NULL));
  CHECK(clGetKernelWorkGroupInfo(k, device, 0x11B2, sizeof bytes, &bytes, NULL));
  WANT(bytes >= before + 4096 - 4);
  CHECK(clGetKernelWorkGroupInfo(k, device, 0x11B0, sizeof n, &n, NULL));
  WANT(n >= 1);
  // A copy has its arguments, and changes by itself.
  int zero = 0, v = 3;
  CHECK(clEnqueueFillBuffer(queue, m, &zero, 4, 0, BYTES, 0, NULL, NULL));
  k = add(m, 2);
  cl_kernel copy = clCloneKernel(k, &e);
  CHECK(e);
  CHECK(clSetKernelArg(k, 1, sizeof v, &v));
  launch(k, N, 64);
  launch(copy, N, 64);
  WANT(read_one(m, 0) == 5);
}

// told: what kernels print comes when the program waits, and what went wrong is said when a call fails, also
// if memory came or went between.
static void told(void) {
  cl_mem m = buffer(0, BYTES, NULL), other = buffer(0, BYTES, NULL);
  cl_kernel k = kernel("says");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  launch(k, 64, 32);
  CHECK(clReleaseMemObject(other));
  CHECK(clFinish(queue));
  puts("waited");
  int far = 1 << 20;
  size_t one = 1;
  k = kernel("beyond");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  CHECK(clSetKernelArg(k, 1, sizeof far, &far));
  launch(k, 1, 1);
  buffer(0, BYTES, NULL);
  WANT(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL) == -5);
}

// fails: what fails before a barrier does not fail what is after it, but for what waits for it itself.
static void fails(void) {
  int data[N] = {0};
  free_queue();
  cl_mem m = buffer(COPY, BYTES, data);
  cl_event held = gate(), first, after;
  cl_kernel k = add(m, 10);
  size_t items = N;
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 1, &held, &first));
  CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &after));
  CHECK(clSetUserEventStatus(held, -1));
  CHECK(clWaitForEvents(1, &after));
  WANT(status_of(first) < 0 && read_one(m, 0) == 10);
}

// own: what other devices have otherwise, or do not look at.
static void own(void) {
  cl_kernel k = kernel("says");
  char text[64];
  cl_int e;
  CHECK(clGetKernelInfo(k, 0x1195, sizeof text, text, NULL));
  WANT(!strcmp(text, "reqd_work_group_size(32,1,1)"));
  cl_mem m = buffer(0, BYTES, NULL);
  WANT(!clEnqueueMapBuffer(queue, m, 1, READ | INVALIDATE, 0, 4, 0, NULL, NULL, &e) && e == -30);
  WANT(clEnqueueNativeKernel(queue, (void (*)(void *))own, NULL, 0, 0, NULL, NULL, 0, NULL, NULL) == -59);
  k = kernel("add");
  size_t group[2] = {100, 2}, n, local[3], two = 2;
  CHECK(clGetKernelSubGroupInfo(k, device, 0x2033, sizeof group, group, sizeof n, &n, NULL));
  WANT(n == 64);
  CHECK(clGetKernelSubGroupInfo(k, device, 0x2034, sizeof group, group, sizeof n, &n, NULL));
  WANT(n == 4);
  CHECK(clGetKernelSubGroupInfo(k, device, 0x11B8, sizeof two, &two, sizeof local, local, NULL));
  WANT(local[0] == 128 && local[1] == 1 && local[2] == 1);
  // What is refused.
  intptr_t twice[] = {0x1085, 1, 0x1085, 1, 0};
  WANT(!clCreateContext(twice, 1, &device, NULL, NULL, &e) && e == -64);
  WANT(!clCreateCommandQueue(context, device, -1, &e) && e == -30);
  WANT(!clCreateCommandQueue(context, device, OUT_OF_ORDER | 4, &e) && e == -35);
  void *memory = clSVMAlloc(context, 0, 64, 0);
  WANT(!clCreateBuffer(context, USE, 128, memory, &e) && e == -61);
  CHECK(clGetKernelSubGroupInfo(k, device, 0x11B9, 0, NULL, sizeof n, &n, NULL));
  WANT(n == 4);
}

// pictures: images that there cannot be are refused; all formats that there are said to be can be had.
static void pictures(void) {
  enum { RGBA = 0x10B5, SRGBA = 0x10C1, UNORM_8 = 0x10D2, IMAGE_2D = 0x10F1 };
  struct {
    cl_uint order, type;
  } format = {SRGBA, UNORM_8}, all[256];
  struct {
    cl_uint object;
    size_t width, height, depth, layers, row, slice;
    cl_uint levels, samples;
    cl_mem memory;
  } desc = {IMAGE_2D, 8, 8};
  cl_int e;
  WANT(!clCreateImage(context, 1, &format, &desc, NULL, &e) && e == -10);
  format.order = RGBA;
  desc.levels = 3;
  WANT(!clCreateImage(context, 1, &format, &desc, NULL, &e) && (e == -65 || e == -30));
  desc.levels = 0, desc.samples = 4;
  WANT(!clCreateImage(context, 1, &format, &desc, NULL, &e) && (e == -65 || e == -30));
  desc.samples = 0;
  cl_uint images, count;
  CHECK(clGetDeviceInfo(device, 0x1016, sizeof images, &images, NULL));
  WANT(images);
  for (cl_uint object = IMAGE_2D; object <= 0x10F5; object++) {
    CHECK(clGetSupportedImageFormats(context, 1, object, 256, all, &count));
    WANT(count > 8 && count <= 256);
    for (cl_uint i = 0; i < count; i++) {
      desc.object = object;
      desc.depth = desc.layers = 2;
      cl_mem m = clCreateImage(context, 1, &all[i], &desc, NULL, &e);
      CHECK(e);
      CHECK(clReleaseMemObject(m));
    }
  }
  // A colour is red, green, blue and alpha, wherever a format has them.
  static const struct {
    cl_uint order;
    unsigned char want[4];
  } orders[] = {
      {RGBA, {1, 2, 3, 4}}, {0x10B6, {3, 2, 1, 4}}, {0x10B7, {4, 1, 2, 3}}, {0x10C3, {4, 3, 2, 1}}};
  desc.object = IMAGE_2D, desc.depth = desc.layers = 0;
  for (int i = 0; i < 4; i++) {
    static const size_t zero[3], one[3] = {1, 1, 1};
    const cl_uint colour[4] = {1, 2, 3, 4};
    unsigned char got[4];
    format.order = orders[i].order, format.type = 0x10DA; // UNSIGNED_INT8
    cl_mem m = clCreateImage(context, 1, &format, &desc, NULL, &e);
    CHECK(e);
    CHECK(clEnqueueFillImage(queue, m, colour, zero, one, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(queue, m, 1, zero, one, 0, 0, got, 0, NULL, NULL));
    WANT(!memcmp(got, orders[i].want, 4));
    CHECK(clReleaseMemObject(m));
  }
}

int main(int count, char **args) {
  static const scenario all[] = {
      {"access", access_}, {"maps", maps},       {"shared", shared}, {"order", order},
      {"callbacks", callbacks}, {"contexts", contexts},
      {"threads", threads}, {"forks", forks}, {"integers", integers}, {"times", times},
      {"constants", constants}, {"boxes", boxes},
      {"asks", asks},      {"own", own}, {"fails", fails},    {"pictures", pictures}, {"told", told}, {NULL}};
  file = count == 3 ? args[2] : NULL;
  return run_scenario(all, count, args, PROFILING);
}
