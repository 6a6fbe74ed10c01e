// What the kernels of library.cl compute, as numbers.
#include "opencl_start.h"

enum { N = 32, WORDS = 32, DOUBLES = 48, INTS = 16 };

int main(int argc, char **argv) {
  start(argv[1], 0);
  int words[N * WORDS] = {0}, all[5] = {0, 0, -1000000, 1000000, 0}, ints[N * INTS] = {0};
  unsigned long long doubles[N * DOUBLES] = {0};
  cl_mem out = buffer(32, sizeof words, words), shared = buffer(32, sizeof all, all);
  cl_mem d = buffer(32, sizeof doubles, doubles), k = buffer(32, sizeof ints, ints);
  cl_kernel a = kernel("atomics"), c = kernel("conversions");
  CHECK(clSetKernelArg(a, 0, sizeof out, &out));
  CHECK(clSetKernelArg(a, 1, sizeof shared, &shared));
  CHECK(clSetKernelArg(a, 2, 8, NULL));
  CHECK(clSetKernelArg(c, 0, sizeof d, &d));
  CHECK(clSetKernelArg(c, 1, sizeof k, &k));
  launch(a, N, 16);
  launch(c, N, 16);
  CHECK(clEnqueueReadBuffer(queue, out, 1, 0, sizeof words, words, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, shared, 1, 0, sizeof all, all, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, d, 1, 0, sizeof doubles, doubles, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, k, 1, 0, sizeof ints, ints, 0, NULL, NULL));
  for (int i = 0; i < 5; i++) printf("%d\n", all[i]);
  for (int i = 0; i < N; i++) {
    printf("%d:", i);
    for (int j = 0; j < WORDS; j++) printf(" %x", words[WORDS * i + j]);
    for (int j = 0; j < DOUBLES; j++) printf(" %llx", doubles[DOUBLES * i + j]);
    for (int j = 0; j < INTS; j++) printf(" %x", ints[INTS * i + j]);
    printf("\n");
  }
}
