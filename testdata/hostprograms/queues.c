// A host program of HIP whose streams wait for the host: functions of the host, values in memory, events
// and graphs among them, the rules of default streams. Its arguments name scenarios; it is compiled as
// program.c is.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __HIP__
#include "kernels.hip"
#define LAUNCH2(kernel, grid, block, stream, a, b) kernel<<<dim3(grid), dim3(block), 0, stream>>>(a, b)
#define LAUNCH3(kernel, grid, block, stream, a, b, c) kernel<<<dim3(grid), dim3(block), 0, stream>>>(a, b, c)
#define POINTER(p) (void **)&p
#else
#include "registered.h"
typedef struct graph *hipGraph_t;
typedef struct graph_exec *hipGraphExec_t;
typedef struct node *hipGraphNode_t;
enum {
  hipStreamNonBlocking = 1,
  hipEventDisableTiming = 2,
  hipErrorInvalidValue = 1,
  hipErrorNotReady = 600
};
enum { hipErrorContextIsDestroyed = 709, hipErrorInvalidResourceHandle = 400 };
enum { hipStreamWaitValueGte, hipStreamWaitValueEq, hipStreamWaitValueAnd, hipStreamWaitValueNor };
enum { hipStreamCaptureModeGlobal };
#define hipStreamPerThread ((hipStream_t)2)
hipError_t hipStreamCreateWithFlags(hipStream_t *, unsigned), hipStreamQuery(hipStream_t);
hipError_t hipLaunchHostFunc(hipStream_t, void (*)(void *), void *);
hipError_t hipStreamAddCallback(hipStream_t, void (*)(hipStream_t, hipError_t, void *), void *, unsigned);
hipError_t hipStreamWriteValue32(hipStream_t, void *, uint32_t, unsigned);
hipError_t hipStreamWriteValue64(hipStream_t, void *, uint64_t, unsigned);
hipError_t hipStreamWaitValue32(hipStream_t, void *, uint32_t, unsigned, uint32_t);
hipError_t hipStreamWaitValue64(hipStream_t, void *, uint64_t, unsigned, uint64_t);
hipError_t hipEventQuery(hipEvent_t), hipEventCreateWithFlags(hipEvent_t *, unsigned);
hipError_t hipStreamBeginCapture(hipStream_t, int), hipStreamEndCapture(hipStream_t, hipGraph_t *);
hipError_t hipGraphInstantiate(hipGraphExec_t *, hipGraph_t, hipGraphNode_t *, char *, size_t);
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t), hipGraphExecDestroy(hipGraphExec_t);
hipError_t hipGraphDestroy(hipGraph_t), hipFreeAsync(void *, hipStream_t);
#endif

#include "expect.h"

// A gate is where a function of the host waits until the program lets it go on.
typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int open, passed;
} Gate;

#define GATE {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0}

static void pass(void *gate) {
  Gate *g = (Gate *)gate;
  pthread_mutex_lock(&g->mutex);
  while (!g->open) pthread_cond_wait(&g->changed, &g->mutex);
  g->passed++;
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->mutex);
}

static void set_open(void *gate) {
  Gate *g = (Gate *)gate;
  pthread_mutex_lock(&g->mutex);
  g->open = 1;
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->mutex);
}

static int passed(Gate *g) {
  pthread_mutex_lock(&g->mutex);
  int n = g->passed;
  pthread_mutex_unlock(&g->mutex);
  return n;
}

static hipStream_t stream(unsigned flags) {
  hipStream_t s;
  OK(hipStreamCreateWithFlags(&s, flags));
  return s;
}

static int *pinned(void) {
  int *p;
  OK(hipHostMalloc(POINTER(p), N * sizeof *p, 0));
  memset(p, 0, N * sizeof *p);
  return p;
}

static void add_one(void *p) { ((int *)p)[7]++; }

// A function runs between the kernels that are before and after it in its stream.
static void order(void) {
  hipStream_t s = stream(0);
  int *p = pinned(), want = 7;
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  for (int i = 0; i < 20; i++) {
    LAUNCH3(scale, 2, 64, s, p, (int)N, i % 2);
    OK(hipLaunchHostFunc(s, add_one, p));
    want = (int)(2 * (unsigned)want + (unsigned)i % 2 + 1);
  }
  OK(hipStreamSynchronize(s));
  expect("between kernels", p[7], want);
  expect("elsewhere", p[0], (int)0x55555);
  OK(hipStreamDestroy(s));
  OK(hipHostFree(p));
}

// The program goes on while a function waits for it; what comes after the function waits, also by an event.
static void gates(void) {
  Gate gate = GATE;
  hipStream_t s = stream(0), other = stream(hipStreamNonBlocking), third = stream(hipStreamNonBlocking);
  hipEvent_t e;
  int *p = pinned(), *q = pinned(), *d, h[N] = {0}, back[N];
  OK(hipEventCreate(&e));
  OK(hipMalloc(POINTER(d), sizeof h));
  OK(hipLaunchHostFunc(s, pass, &gate));
  OK(hipEventRecord(e, s));
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  h[3] = 33;
  OK(hipMemcpyAsync(d, h, sizeof h, hipMemcpyHostToDevice, s));
  h[3] = 44; // too late for the copy
  OK(hipStreamWaitEvent(other, e, 0));
  LAUNCH2(fill, 2, 64, other, q, (int)N);
  IS(hipErrorNotReady, hipStreamQuery(s));
  IS(hipErrorNotReady, hipEventQuery(e));
  IS(hipErrorNotReady, hipStreamQuery(other));
  LAUNCH2(fill, 2, 64, third, d, (int)N);
  OK(hipStreamSynchronize(third)); // which has nothing to wait for
  expect("too early", passed(&gate) + p[5] + q[5], 0);
  set_open(&gate);
  OK(hipStreamSynchronize(other));
  expect("the function that the event is behind", passed(&gate), 1);
  expect("behind the event", q[5], 5);
  OK(hipStreamSynchronize(s));
  OK(hipEventSynchronize(e));
  OK(hipEventQuery(e));
  OK(hipMemcpy(back, d, sizeof back, hipMemcpyDeviceToHost));
  expect("behind the function", p[5], 5);
  expect("what was copied", back[3], 33);
  OK(hipStreamDestroy(s));
  OK(hipEventDestroy(e));
}

// A function that another stream's function waits for comes later.
static void across(void) {
  Gate gate = GATE;
  hipStream_t a = stream(0), b = stream(0);
  OK(hipLaunchHostFunc(a, pass, &gate));
  OK(hipLaunchHostFunc(b, set_open, &gate));
  OK(hipDeviceSynchronize());
  expect("passed", passed(&gate), 1);
}

// The null stream waits for others, and others for it, unless they were made not to.
static void defaults(void) {
  Gate gate = GATE, second = GATE;
  hipStream_t s = stream(0), free = stream(hipStreamNonBlocking);
  int *p = pinned(), *q = pinned();
  OK(hipLaunchHostFunc(s, pass, &gate));
  LAUNCH2(fill, 2, 64, 0, p, (int)N);
  LAUNCH2(fill, 2, 64, free, q, (int)N);
  OK(hipStreamSynchronize(free));
  expect("a stream that does not wait", q[9], 9);
  expect("the null stream, too early", p[9], 0);
  IS(hipErrorNotReady, hipStreamQuery(0));
  set_open(&gate);
  OK(hipStreamSynchronize(0));
  expect("the null stream", p[9], 9);
  memset(p, 0, N * sizeof *p);
  OK(hipLaunchHostFunc(0, pass, &second));
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  OK(hipStreamQuery(free));
  IS(hipErrorNotReady, hipStreamQuery(s));
  set_open(&second);
  OK(hipStreamSynchronize(s));
  expect("behind the null stream", p[9], 9);
}

// Values that streams wait for and write.
static void values(void) {
  hipStream_t s = stream(hipStreamNonBlocking), t = stream(hipStreamNonBlocking);
  int *p = pinned();
  volatile uint32_t *small = (volatile uint32_t *)pinned();
  volatile uint64_t *large = (volatile uint64_t *)pinned();
  OK(hipStreamWaitValue32(s, (void *)small, 5, hipStreamWaitValueGte, ~0u));
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  OK(hipStreamWriteValue64(s, (void *)large, 0x1234567890ull, 0));
  OK(hipStreamWaitValue64(t, (void *)large, 0x34ull << 24, hipStreamWaitValueAnd, ~0xffull));
  OK(hipStreamWriteValue32(t, (void *)(small + 1), 9, 0));
  small[0] = 4;
  IS(hipErrorNotReady, hipStreamQuery(s));
  IS(hipErrorNotReady, hipStreamQuery(t));
  expect("too early", p[5] + (int)large[0] + (int)small[1], 0);
  small[0] = 6;
  OK(hipStreamSynchronize(t));
  expect("the kernel", p[5], 5);
  expect("the large value", large[0] == 0x1234567890ull, 1);
  expect("the small value", (int)small[1], 9);
  OK(hipStreamWaitValue32(s, (void *)small, 6, hipStreamWaitValueEq, 0xf));
  OK(hipStreamWaitValue32(s, (void *)small, ~8u, hipStreamWaitValueNor, ~0u));
  OK(hipStreamSynchronize(s));
  int mine = 0;
  IS(hipErrorInvalidValue, hipStreamWaitValue32(s, &mine, 0, hipStreamWaitValueEq, ~0u));
  IS(hipErrorInvalidValue, hipStreamWaitValue32(s, (void *)small, 0, 4, ~0u));
}

// A graph has a function between its kernels, and is gone before it has run.
static void graphs(void) {
  Gate gate = GATE;
  hipStream_t s = stream(0);
  hipGraph_t g;
  hipGraphExec_t exec;
  int *p = pinned();
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipLaunchHostFunc(s, pass, &gate));
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  OK(hipLaunchHostFunc(s, add_one, p));
  LAUNCH3(scale, 2, 64, s, p, (int)N, 1);
  OK(hipStreamEndCapture(s, &g));
  OK(hipGraphInstantiate(&exec, g, 0, 0, 0));
  OK(hipGraphLaunch(exec, s));
  OK(hipGraphLaunch(exec, s));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(g));
  expect("too early", p[7], 0);
  set_open(&gate);
  OK(hipStreamSynchronize(s));
  expect("gates", passed(&gate), 2);
  expect("the graph", p[7], 2 * (7 + 1) + 1);
}

static void *in_thread(void *at) {
  int *p = (int *)at;
  LAUNCH2(fill, 2, 64, hipStreamPerThread, p, (int)N);
  OK(hipLaunchHostFunc(hipStreamPerThread, add_one, p));
  OK(hipStreamSynchronize(hipStreamPerThread));
  expect("in a thread", p[7], 8);
  OK(hipLaunchHostFunc(hipStreamPerThread, add_one, p)); // the thread does not wait for it
  return NULL;
}

// The default streams of threads do not wait for each other.
static void own(void) {
  Gate gate = GATE;
  pthread_t threads[4];
  int *p[4];
  OK(hipLaunchHostFunc(hipStreamPerThread, pass, &gate));
  for (int i = 0; i < 4; i++) {
    p[i] = pinned();
    if (pthread_create(&threads[i], 0, in_thread, p[i])) exit(1);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  set_open(&gate);
  OK(hipDeviceSynchronize());
  for (int i = 0; i < 4; i++) expect("after the thread's end", p[i][7], 9);
  expect("passed", passed(&gate), 1);
}

// Where the default stream is the thread's own, it does not wait for other streams, nor they for it.
static void apart(void) {
  Gate gate = GATE;
  hipStream_t s = stream(0);
  int *p = pinned(), h[N];
  OK(hipLaunchHostFunc(s, pass, &gate));
  LAUNCH2(fill, 2, 64, 0, p, (int)N);
  OK(hipMemset(p, 0, sizeof *p));
  OK(hipMemcpy(h, p, sizeof h, hipMemcpyDeviceToHost));
  OK(hipStreamSynchronize(0));
  expect("the thread's stream", h[9], 9);
  IS(hipErrorNotReady, hipStreamQuery(s));
  set_open(&gate);
  OK(hipDeviceSynchronize());
}

static void status(hipStream_t s, hipError_t error, void *at) { *(int *)at = (int)error + (s ? 1000 : 0); }

static void asks(hipStream_t s, hipError_t error, void *at) {
  int *p = (int *)at;
  OK(error);
  OK(hipStreamQuery(0));
  OK(hipMemcpy(p + 50, p, 10 * sizeof *p, hipMemcpyDeviceToHost));
  OK(hipDeviceSynchronize());
  LAUNCH3(scale, 2, 64, s, p, (int)N, 0);
}

// Callbacks get the stream's status, and may call functions of the runtime.
static void callbacks(void) {
  hipStream_t s = stream(hipStreamNonBlocking);
  int *p = pinned(), *d, got = -1;
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  OK(hipStreamAddCallback(s, asks, p, 0));
  OK(hipStreamSynchronize(s));
  OK(hipStreamSynchronize(s));
  expect("scaled", p[8], 16);
  expect("copied, and then scaled", p[58], 16);
  OK(hipStreamAddCallback(s, status, &got, 0));
  OK(hipStreamSynchronize(s));
  expect("status", got, 1000);
  OK(hipStreamDestroy(s));
  IS(hipErrorContextIsDestroyed, hipStreamSynchronize(s));
  OK(hipMalloc(POINTER(d), sizeof *d));
  OK(hipDeviceSynchronize());
  LAUNCH2(beyond, 2, 64, 0, d, 1);
  OK(hipStreamAddCallback(0, status, &got, 0));
  OK(hipLaunchHostFunc(0, set_open, 0)); // which is not called
  (void)hipDeviceSynchronize();
  expect("status of a fault", got, 700);
}

// Events tell times that have passed.
static void times(void) {
  hipEvent_t a, b, none;
  hipStream_t s = stream(0);
  int *p = pinned();
  float ms = -1, whole = -1;
  struct timespec from, to;
  OK(hipEventCreate(&a));
  OK(hipEventCreate(&b));
  OK(hipEventCreateWithFlags(&none, hipEventDisableTiming));
  IS(hipErrorInvalidResourceHandle, hipEventElapsedTime(&ms, a, b));
  clock_gettime(CLOCK_MONOTONIC, &from);
  OK(hipEventRecord(a, s));
  LAUNCH2(fill, 2, 64, s, p, (int)N);
  OK(hipEventRecord(b, s));
  OK(hipEventRecord(none, s));
  OK(hipEventSynchronize(b));
  clock_gettime(CLOCK_MONOTONIC, &to);
  OK(hipEventElapsedTime(&ms, a, b));
  whole = (float)((double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6);
  if (!(ms > 0 && ms <= whole)) printf("%g ms of %g\n", ms, whole), exit(1);
  OK(hipEventElapsedTime(&ms, b, a));
  if (!(ms < 0)) printf("%g ms backwards\n", ms), exit(1);
  OK(hipStreamSynchronize(s));
  IS(hipErrorInvalidResourceHandle, hipEventElapsedTime(&ms, a, none));
}

static void *stress_thread(void *unused) {
  (void)unused;
  hipStream_t s[3] = {stream(0), stream(hipStreamNonBlocking), hipStreamPerThread};
  hipEvent_t e;
  int *p[3], *d;
  OK(hipEventCreateWithFlags(&e, hipEventDisableTiming));
  for (int i = 0; i < 3; i++) p[i] = pinned();
  for (int round = 0; round < 30; round++) {
    hipStream_t a = s[round % 3], b = s[(round + 1) % 3];
    int *q = p[round % 3];
    LAUNCH2(fill, 2, 64, a, q, (int)N);
    OK(hipLaunchHostFunc(a, add_one, q));
    OK(hipEventRecord(e, a));
    OK(hipMalloc(POINTER(d), N * sizeof *d));
    OK(hipStreamWaitEvent(b, e, 0));
    OK(hipMemcpyAsync(d, q, N * sizeof *d, hipMemcpyHostToDevice, b));
    LAUNCH3(scale, 2, 64, b, d, (int)N, 1);
    OK(hipMemcpyAsync(q, d, N * sizeof *d, hipMemcpyDeviceToHost, b));
    OK(hipFreeAsync(d, b));
    if (round % 5 == 4) LAUNCH2(fill, 1, 64, 0, p[(round + 2) % 3], (int)N);
    OK(hipStreamSynchronize(b));
    expect("in a round", q[7], 17);
    expect("in a round, elsewhere", q[8], 17);
    if (round % 10 == 9) OK(hipDeviceSynchronize());
  }
  OK(hipEventDestroy(e));
  for (int i = 0; i < 2; i++) OK(hipStreamDestroy(s[i]));
  return NULL;
}

// Threads with streams of all kinds.
static void stress(void) {
  pthread_t all[6];
  for (int i = 0; i < 6; i++)
    if (pthread_create(&all[i], 0, stress_thread, 0)) exit(1);
  for (int i = 0; i < 6; i++) pthread_join(all[i], 0);
}

int main(int argc, char **argv) {
  static const scenario scenarios[] = {{"order", order},   {"gates", gates},         {"across", across},
                                       {"defaults", defaults}, {"values", values},   {"graphs", graphs},
                                       {"own", own},       {"times", times},         {"stress", stress},
                                       {"callbacks", callbacks}, {"apart", apart},   {NULL}};
  return run_scenarios(scenarios, argc, argv);
}
