// Kernels that read memory to which something has been written, or nothing: each way in a process, and so with a device,
// of its own.
//   usage: PROGRAM OBJECT WAY ...
#include "ways.h"

#include <stddef.h>

int hipModuleLoad(void **, const char *), hipModuleGetFunction(void **, void *, const char *);
int hipMalloc(void **, size_t), hipHostMalloc(void **, size_t, unsigned), hipFree(void *), hipDeviceSynchronize(void);
int hipMemcpy(void *, const void *, size_t, int), hipMemset(void *, int, size_t), hipMallocManaged(void **, size_t, unsigned);
int hipMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int), hipMemsetD32(void *, int, size_t);
int hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                          void **);

enum { N = 512, BYTES = N * sizeof(int), TO_DEVICE = 1, ON_DEVICE = 3 };

static void *module, *kernel, *a, *b, *c;
static int data[N];

// launch writes all of `to`, from the first quarter of `from`.
static void launch(void *from, void *to) {
  void *args[] = {&from, &to};
  if (hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL)) exit(2);
}

// What is done by each name. Those that begin with "no_" read what nothing has written.
static void no_contents(void) { launch(a, b); }
static void by_copy(void) { hipMemcpy(a, data, BYTES, TO_DEVICE), launch(a, b); }
static void no_part(void) { hipMemcpy(a, data, BYTES / 8, TO_DEVICE), launch(a, b); }
static void by_halves(void) {
  hipMemset((char *)a + BYTES / 2, 0, BYTES / 2), hipMemcpy(a, data, BYTES / 2, TO_DEVICE), launch(a, b);
}
static void by_fill(void) { hipMemsetD32(a, 5, N), launch(a, b); }
static void no_fill(void) { hipMemset(a, 5, N / 4), launch(a, b); }
static void by_kernel(void) { hipMemset(a, 0, BYTES), launch(a, b), launch(b, c), launch(c, a), launch(a, c); }
static void no_kernel(void) { hipMemset(a, 0, BYTES), launch(a, b), launch(c, a); }
static void by_device(void) { hipMemset(a, 0, BYTES), hipMemcpy(b, a, BYTES, ON_DEVICE), launch(b, c); }
static void no_rows(void) { hipMemcpy2D(a, 64, data, 64, 32, N / 16, TO_DEVICE), launch(a, b); }
static void by_rows(void) { hipMemcpy2D(a, 64, data, 64, 64, N / 16, TO_DEVICE), launch(a, b); }
static void by_itself(void) { // the program may have written to these
  void *pinned, *managed;
  hipHostMalloc(&pinned, BYTES, 0), hipMallocManaged(&managed, BYTES, 1), launch(pinned, b), launch(managed, b);
}
static void no_second(void) {
  void *again;
  hipMemset(a, 0, BYTES), hipFree(a), hipMalloc(&again, BYTES), launch(again, b);
}

static const struct way ways[] = {
    WAY(no_contents) WAY(by_copy) WAY(no_part) WAY(by_halves) WAY(by_fill) WAY(no_fill) WAY(by_kernel)
    WAY(no_kernel) WAY(by_device) WAY(no_rows) WAY(by_rows) WAY(by_itself) WAY(no_second)};

static void run(const char *object, void (*way)(void)) {
  if (hipModuleLoad(&module, object) || hipModuleGetFunction(&kernel, module, "tile_ok")) exit(2);
  hipMalloc(&a, BYTES), hipMalloc(&b, BYTES), hipMalloc(&c, BYTES);
  way();
  hipDeviceSynchronize();
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, run);
}
