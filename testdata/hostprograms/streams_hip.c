// Launches and copies of several streams, which something orders or nothing does: each way in a process, and so with a
// device, of its own.
//   usage: PROGRAM OBJECT WAY ...
#include "ways.h"

#include <stddef.h>

typedef void *stream, *event;
int hipModuleLoad(void **, const char *), hipModuleGetFunction(void **, void *, const char *);
int hipMalloc(void **, size_t), hipHostMalloc(void **, size_t, unsigned), hipFree(void *), hipDeviceSynchronize(void);
int hipMemcpy(void *, const void *, size_t, int), hipMemcpyAsync(void *, const void *, size_t, int, stream);
int hipMemsetAsync(void *, int, size_t, stream), hipMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, int, stream);
int hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream, void **,
                          void **);
int hipStreamCreate(stream *), hipStreamCreateWithFlags(stream *, unsigned), hipStreamSynchronize(stream);
int hipStreamDestroy(stream), hipStreamQuery(stream), hipStreamWaitEvent(stream, event, unsigned);
int hipEventCreate(event *), hipEventRecord(event, stream), hipEventSynchronize(event), hipEventQuery(event);
int hipLaunchHostFunc(stream, void (*)(void *), void *);

enum { N = 512, BYTES = N * sizeof(int), TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3, NON_BLOCKING = 1 };

static void *module, *kernel, *a, *b, *c, *pinned;
static int data[N];
static stream one, two, alone;
static event done;

// launch writes all of `to`, from all of `from`.
static void launch(stream s, void *from, void *to) {
  void *args[] = {&from, &to};
  if (hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, s, args, NULL)) exit(2);
}

static void nothing(void *unused) { (void)unused; }

// What is done by each name. Those that begin with "no-" have a race.
static void no_order(void) { launch(one, a, b), launch(two, b, c); }
static void by_event(void) {
  launch(one, a, b), hipEventRecord(done, one), hipStreamWaitEvent(two, done, 0), launch(two, b, c);
}
static void no_late_event(void) {
  hipEventRecord(done, one), launch(one, a, b), hipStreamWaitEvent(two, done, 0), launch(two, b, c);
}
static void by_third(void) {
  launch(one, a, b), hipEventRecord(done, one), hipStreamWaitEvent(alone, done, 0), launch(alone, a, c);
  hipEventRecord(done, alone), hipStreamWaitEvent(two, done, 0), launch(two, b, c);
}
static void by_stream(void) { launch(one, a, b), hipStreamSynchronize(one), launch(two, b, c); }
static void no_other_stream(void) { launch(one, a, b), hipStreamSynchronize(two), launch(two, b, c); }
static void by_host_event(void) {
  launch(one, a, b), hipEventRecord(done, one), hipEventSynchronize(done), launch(two, b, c);
}
static void by_query(void) {
  launch(one, a, b);
  while (hipStreamQuery(one)) continue;
  launch(two, b, c);
}
static void by_event_query(void) {
  launch(one, a, b), hipEventRecord(done, one);
  while (hipEventQuery(done)) continue;
  launch(two, b, c);
}
static void by_device(void) { launch(one, a, b), hipDeviceSynchronize(), launch(two, b, c); }
static void by_null(void) { launch(one, a, b), launch(NULL, b, c), launch(two, c, b); }
static void no_null_alone(void) { launch(NULL, a, b), launch(alone, b, c); }
static void by_null_event(void) {
  launch(NULL, a, b), hipEventRecord(done, NULL), hipStreamWaitEvent(alone, done, 0), launch(alone, b, c);
}
static void by_null_between(void) {
  void *other;
  hipMalloc(&other, BYTES);
  launch(one, a, b), launch(NULL, a, other), launch(two, b, c);
}
static void by_reading(void) { launch(one, a, b), launch(two, a, c); }
static void no_writing(void) { launch(one, a, b), launch(two, c, a); }
static void by_halves(void) {
  launch(one, a, b), hipMemsetAsync(c, 0, BYTES / 2, one), hipMemsetAsync((char *)c + BYTES / 2, 0, BYTES / 2, two);
}
static void no_fill(void) { hipMemsetAsync(b, 0, BYTES, two), launch(one, a, b); }
static void no_copy(void) { launch(one, a, b), hipMemcpyAsync(pinned, b, BYTES, TO_HOST, two); }
static void by_copy(void) { launch(one, a, b), hipMemcpyAsync(pinned, b, BYTES, TO_HOST, one); }
static void no_copy_alone(void) { launch(alone, a, b), hipMemcpy(data, b, BYTES, TO_HOST); }
static void by_copy_null(void) { launch(one, a, b), hipMemcpy(data, b, BYTES, TO_HOST); }
static void by_copy_waited(void) {
  hipMemcpyAsync(b, pinned, BYTES, TO_DEVICE, one), hipMemcpyAsync(data, b, BYTES, TO_HOST, one), launch(two, b, c);
}
static void no_copy_launch(void) { hipMemcpyAsync(b, pinned, BYTES, TO_DEVICE, one), launch(two, b, c); }
static void by_rows(void) {
  hipMemcpy2DAsync(b, 64, a, 64, 32, N / 16, ON_DEVICE, one);
  hipMemcpy2DAsync((char *)b + 32, 64, (char *)a + 32, 64, 32, N / 16, ON_DEVICE, two);
}
static void no_rows(void) {
  hipMemcpy2DAsync(b, 64, a, 64, 36, N / 16, ON_DEVICE, one);
  hipMemcpy2DAsync((char *)b + 32, 64, (char *)a + 32, 64, 32, N / 16, ON_DEVICE, two);
}
static void by_destroyed(void) {
  stream gone;
  hipStreamCreate(&gone), launch(gone, a, b), hipStreamDestroy(gone), launch(NULL, b, c);
}
static void by_function(void) {
  launch(one, a, b), hipLaunchHostFunc(one, nothing, NULL), hipEventRecord(done, one);
  hipStreamWaitEvent(two, done, 0), launch(two, b, c);
}
static void no_function(void) { launch(one, a, b), launch(two, a, c), launch(one, c, b); }
static void by_free(void) {
  void *other;
  hipMalloc(&other, BYTES), launch(one, a, b), hipFree(other), launch(two, b, c);
}

static const struct way ways[] = {
    WAY(no_order) WAY(by_event) WAY(no_late_event) WAY(by_third) WAY(by_stream) WAY(no_other_stream)
    WAY(by_host_event) WAY(by_query) WAY(by_event_query) WAY(by_device) WAY(by_null) WAY(no_null_alone)
    WAY(by_null_event) WAY(by_null_between) WAY(by_reading) WAY(no_writing) WAY(by_halves) WAY(no_fill)
    WAY(no_copy) WAY(by_copy) WAY(no_copy_alone) WAY(by_copy_null) WAY(by_copy_waited) WAY(no_copy_launch)
    WAY(by_rows) WAY(no_rows) WAY(by_destroyed) WAY(by_function) WAY(no_function) WAY(by_free)};

static void run(const char *object, void (*way)(void)) {
  if (hipModuleLoad(&module, object) || hipModuleGetFunction(&kernel, module, "tile_ok")) exit(2);
  hipMalloc(&a, BYTES), hipMalloc(&b, BYTES), hipMalloc(&c, BYTES), hipHostMalloc(&pinned, BYTES, 0);
  hipStreamCreate(&one), hipStreamCreate(&two), hipStreamCreateWithFlags(&alone, NON_BLOCKING), hipEventCreate(&done);
  hipMemcpy(a, data, BYTES, TO_DEVICE);
  hipDeviceSynchronize();
  way();
  hipDeviceSynchronize();
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, run);
}
