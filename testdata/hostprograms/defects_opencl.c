// An OpenCL host program that launches kernels of testdata/check as `simtgdb run` does: in counts up, out is zero.
// The kernels are of the object before them.
//   usage: PROGRAM OBJECT KERNEL... [OBJECT KERNEL...]...
#include "opencl_start.h"

enum { N = 512 };

int main(int argc, char **argv) {
  start(argv[1], 0);
  int in[N], out[N];
  for (int i = 0; i < N; i++) in[i] = i;
  for (int i = 2; i < argc; i++) {
    if (strchr(argv[i], '.')) {
      start(argv[i], 0);
      continue;
    }
    cl_mem a = buffer(32, sizeof in, in), b = buffer(0, sizeof out, NULL);
    int zero = 0;
    CHECK(clEnqueueFillBuffer(queue, b, &zero, 4, 0, sizeof out, 0, NULL, NULL));
    cl_kernel k = kernel(argv[i]);
    CHECK(clSetKernelArg(k, 0, sizeof a, &a));
    CHECK(clSetKernelArg(k, 1, sizeof b, &b));
    launch(k, N, 128);
    CHECK(clEnqueueReadBuffer(queue, b, 1, 0, sizeof out, out, 0, NULL, NULL));
    printf("%s: done\n", argv[i]);
  }
}
