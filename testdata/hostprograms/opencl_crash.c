// An OpenCL host program that crashes while kernels are under way: in the way that its first argument says,
// with the kernels of its second, kernels.co.
#include "opencl_start.h"

#include <pthread.h>
#include <signal.h>

static cl_kernel add(cl_mem m) {
  int one = 1;
  cl_kernel k = kernel("add");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  CHECK(clSetKernelArg(k, 1, sizeof one, &one));
  return k;
}

// work launches a kernel that comes to its end, and one that the device may still have.
static void work(void) {
  cl_kernel k = add(buffer(0, 256 * sizeof(int), NULL));
  launch(k, 256, 64);
  CHECK(clFinish(queue));
  launch(k, 256, 64);
  CHECK(clFlush(queue));
}

static void reads_nothing(void) {
  work();
  *(volatile int *)8 = 1;
}

static void aborts(void) {
  work();
  abort();
}

static void *kill_it(void *unused) {
  raise(SIGBUS);
  return unused;
}

// in_thread crashes in another thread, while the first waits for the device.
static void in_thread(void) {
  pthread_t t;
  work();
  pthread_create(&t, NULL, kill_it, NULL);
  for (;;) clFinish(queue);
}

// in_callback crashes where an event calls the program.
static void called(cl_event e, cl_int status, void *data) { abort(); }

static void in_callback(void) {
  cl_event e;
  size_t items = 64;
  cl_kernel k = add(buffer(0, 256 * sizeof(int), NULL));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &e));
  CHECK(clSetEventCallback(e, 0, called, NULL));
  for (;;) clFinish(queue);
}

int main(int count, char **args) {
  static const scenario all[] = {{"reads", reads_nothing}, {"aborts", aborts}, {"thread", in_thread},
                                 {"callback", in_callback}, {NULL}};
  return run_scenario(all, count, args, 0);
}
