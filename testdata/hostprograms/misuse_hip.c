// Calls of HIP's API, or with -DCUDA of CUDA's, that are wrong, and such that are right: each way in a process, and so
// with a device, of its own. What is wrong is on the line that is marked with the way's name.
//   usage: PROGRAM OBJECT WAY ...
#include "ways.h"

#include <stddef.h>
#include <sys/mman.h>

#ifdef CUDA
#define API(name) cuda##name
#define hipModuleLoad cuModuleLoad
#define hipModuleUnload cuModuleUnload
#define hipModuleGetFunction cuModuleGetFunction
#define hipModuleLaunchKernel cuLaunchKernel
#else
#define API(name) hip##name
#endif

typedef void *stream, *event;
int hipModuleLoad(void **, const char *), hipModuleGetFunction(void **, void *, const char *), hipModuleUnload(void *);
int API(Malloc)(void **, size_t), API(MallocManaged)(void **, size_t, unsigned), API(Free)(void *);
int API(HostAlloc)(void **, size_t, unsigned), API(DeviceSynchronize)(void), API(GetLastError)(void);
int API(Memcpy)(void *, const void *, size_t, int), API(MemcpyAsync)(void *, const void *, size_t, int, stream);
int API(Memset)(void *, int, size_t), API(MemsetAsync)(void *, int, size_t, stream);
int hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream, void **,
                          void **);
int API(StreamCreate)(stream *), API(StreamSynchronize)(stream), API(StreamDestroy)(stream), API(StreamQuery)(stream);
int API(StreamWaitEvent)(stream, event, unsigned);
int API(EventCreate)(event *), API(EventRecord)(event, stream), API(EventSynchronize)(event), API(EventDestroy)(event);

// Each access of the program's own costs a signal and a message: of N elements every STEPth is accessed, from the first to
// the last, and memory is filled by the library, which writes many bytes at once, where a compiler would by eight.
enum { N = 256, STEP = 51, BYTES = N * sizeof(int), TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3, DEFAULT = 4 };

static void *module, *kernel, *a, *b;
static int *managed, *pinned, data[N];
static volatile int sink;
static void *(*volatile fill)(void *, int, size_t) = memset;
static stream one, two;
static event done;

// launch writes all of `to`, from all of `from`.
static void launch(stream s, void *from, void *to) {
  void *args[] = {&from, &to};
  if (hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, s, args, NULL)) exit(2);
}

static void bad_size(void) { API(Memcpy)(data, a, BYTES + 4, TO_HOST); } // bad_size
static void bad_freed(void) {
  API(Free)(b);
  API(Memcpy)(b, data, BYTES, TO_DEVICE); // bad_freed
}
static void bad_twice(void) {
  API(Free)(b);
  API(Free)(b); // bad_twice
}
static void bad_inside(void) { API(Free)((char *)b + 4); } // bad_inside
static void bad_host_free(void) {
  void *p = malloc(10);
  API(Free)(p); // bad_host_free
}
static void bad_host_fill(void) { API(Memset)(data, 0, 16); } // bad_host_fill
static void bad_direction(void) { API(Memcpy)(b, a, BYTES, TO_DEVICE); } // bad_direction
static void bad_no_memory(void) {
  char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p + 4096, 4096);
  API(Memcpy)(p + 4000, a, BYTES, TO_HOST); // bad_no_memory
}
static void bad_null(void) { API(Memcpy)(NULL, a, BYTES, TO_HOST); } // bad_null
static void bad_stream(void) {
  API(StreamDestroy)(one);
  API(MemsetAsync)(a, 0, BYTES, one); // bad_stream
}
static void bad_stream_launch(void) {
  void *args[] = {&a, &b};
  API(StreamDestroy)(one);
  hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, one, args, NULL); // bad_stream_launch
}
static void bad_event(void) {
  API(EventDestroy)(done);
  API(EventRecord)(done, one); // bad_event
}
static void bad_event_wait(void) {
  API(EventDestroy)(done);
  API(StreamWaitEvent)(one, done, 0); // bad_event_wait
}
static void bad_event_twice(void) {
  API(EventDestroy)(done);
  API(EventDestroy)(done); // bad_event_twice
}
static void bad_module(void) {
  hipModuleUnload(module);
  hipModuleGetFunction(&kernel, module, "tile_ok"); // bad_module
}
static void bad_module_twice(void) {
  hipModuleUnload(module);
  hipModuleUnload(module); // bad_module_twice
}
static void bad_block(void) {
  void *args[] = {&a, &b};
  hipModuleLaunchKernel(kernel, 1, 1, 1, 2000, 1, 1, 0, one, args, NULL); // bad_block
}
static void bad_grid(void) {
  void *args[] = {&a, &b};
  hipModuleLaunchKernel(kernel, 0, 1, 1, 128, 1, 1, 0, one, args, NULL); // bad_grid
}
static void bad_shared(void) {
  void *args[] = {&a, &b};
  hipModuleLaunchKernel(kernel, 4, 1, 1, 128, 1, 1, 1 << 20, one, args, NULL); // bad_shared
}
static void bad_function(void) { hipModuleGetFunction(&kernel, module, "nothing"); } // bad_function
static void bad_pointer(void) {
  int *p = b;
  p[3] = 1; // bad_pointer
}

static void ok_all(void) {
  API(MemcpyAsync)(a, data, BYTES, TO_DEVICE, one);
  launch(one, a, b);
  API(EventRecord)(done, one), API(StreamWaitEvent)(two, done, 0);
  launch(two, b, a);
  while (API(StreamQuery)(two)) continue;
  API(Memcpy)(data, a, BYTES, DEFAULT), API(Memcpy)(b, a, BYTES, ON_DEVICE);
  API(Free)(NULL), API(EventDestroy)(done), API(StreamDestroy)(one), API(StreamDestroy)(two);
}
static void ok_handles(void) {
  for (int i = 0; i < 100; i++) {
    stream s;
    event e;
    API(StreamCreate)(&s), API(EventCreate)(&e), API(EventRecord)(e, s), API(EventSynchronize)(e);
    API(EventDestroy)(e), API(StreamDestroy)(s);
  }
}

// Accesses of the program's own, and of copies to and from memory that the device has, too.
static void host_read(void) {
  launch(one, a, managed);
  sink = managed[5]; // host_read
  API(DeviceSynchronize)();
}
static void host_write(void) {
  launch(one, pinned, b);
  pinned[7] = 1; // host_write
}
static void host_other_stream(void) {
  launch(one, a, managed);
  API(StreamSynchronize)(two);
  sink = managed[5]; // host_other_stream
}
static void host_early_event(void) {
  API(EventRecord)(done, one);
  launch(one, a, managed);
  API(EventSynchronize)(done);
  sink = managed[5]; // host_early_event
}
static void host_source(void) {
  API(MemcpyAsync)(a, pinned, BYTES, TO_DEVICE, one);
  pinned[0] = 1; // host_source
  API(StreamSynchronize)(one);
}
static void host_target(void) {
  API(MemcpyAsync)(pinned, a, BYTES, TO_HOST, one);
  sink = pinned[N - 1]; // host_target
  API(StreamSynchronize)(one);
}
static void host_library(void) {
  launch(one, a, managed);
  memcpy(data, managed, BYTES); // host_library
}
static void host_wide(void) {
  API(MemcpyAsync)(pinned + 4, a, BYTES - 16, TO_HOST, one);
  sink = (int)*(volatile long long *)(pinned + 3); // host_wide
  API(StreamSynchronize)(one);
}
static void fine_beside(void) {
  API(MemcpyAsync)(pinned + 4, a, BYTES - 16, TO_HOST, one);
  sink = pinned[3] + ((volatile char *)pinned)[15];
  API(StreamSynchronize)(one);
}
static void fine_all(void) {
  for (int i = 0; i < N; i += STEP) managed[i] = i;
  launch(one, managed, b);
  for (int i = 0; i < N; i += STEP) sink = managed[i] + pinned[i]; // the kernel reads it as well
  API(StreamSynchronize)(one);
  managed[3] = 2;
}
static void fine_event(void) {
  launch(one, a, managed);
  API(EventRecord)(done, one);
  launch(two, a, b);
  API(EventSynchronize)(done);
  for (int i = 0; i < N; i += STEP) sink = managed[i];
}
static void fine_stream(void) {
  launch(two, a, b), launch(one, a, managed);
  API(StreamSynchronize)(one);
  for (int i = 0; i < N; i += STEP) sink = managed[i];
  fill(managed, 0, BYTES), memcpy(data, managed, BYTES);
}
static void fine_before(void) {
  launch(two, a, b);
  for (int i = 0; i < N; i += STEP) managed[i] = i; // of which the device knows nothing yet
  launch(one, managed, b);
}
static void fine_copy(void) {
  pinned[0] = 1;
  API(MemcpyAsync)(a, pinned, BYTES, TO_DEVICE, one);
  launch(one, a, b);
  API(MemcpyAsync)(pinned, b, BYTES, TO_HOST, one);
  API(StreamSynchronize)(one);
  sink = pinned[N - 1];
}

static const struct way ways[] = {
    WAY(bad_size) WAY(bad_freed) WAY(bad_twice) WAY(bad_inside) WAY(bad_host_free) WAY(bad_host_fill)
    WAY(bad_direction) WAY(bad_no_memory) WAY(bad_null) WAY(bad_stream) WAY(bad_stream_launch) WAY(bad_event)
    WAY(bad_event_wait) WAY(bad_event_twice) WAY(bad_module) WAY(bad_module_twice) WAY(bad_block)
    WAY(bad_grid) WAY(bad_shared) WAY(bad_function) WAY(bad_pointer) WAY(ok_all) WAY(ok_handles)
    WAY(host_read) WAY(host_write) WAY(host_other_stream) WAY(host_early_event) WAY(host_source)
    WAY(host_target) WAY(host_library) WAY(host_wide) WAY(fine_beside) WAY(fine_all) WAY(fine_event) WAY(fine_stream) WAY(fine_before)
    WAY(fine_copy)};

static void run(const char *object, void (*way)(void)) {
  if (API(Malloc)(&a, BYTES) || API(Malloc)(&b, BYTES) || API(HostAlloc)((void **)&pinned, BYTES, 0)) exit(2);
  if (hipModuleLoad(&module, object) || hipModuleGetFunction(&kernel, module, "tile_ok")) exit(2);
  if (API(MallocManaged)((void **)&managed, BYTES, 1)) exit(2);
  API(StreamCreate)(&one), API(StreamCreate)(&two), API(EventCreate)(&done);
  API(Memset)(a, 0, BYTES), API(Memset)(b, 0, BYTES);
  fill(pinned, 0, BYTES), fill(managed, 0, BYTES);
  API(DeviceSynchronize)();
  way();
  API(DeviceSynchronize)();
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, run);
}
