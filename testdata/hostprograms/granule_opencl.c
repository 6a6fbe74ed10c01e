// The same as granule_hip.c in OpenCL.
#include "opencl_start.h"

enum { N = 512 };

int main(int argc, char **argv) {
  start(argv[1], 0);
  float colour[3] = {1, 2, 4}, sums[N];
  const char *names[] = {"sums", "sums", "clear"};
  cl_mem out = buffer(0, sizeof sums, NULL);
  for (int i = 2; i < argc; i++) {
    int colours = 1 + atoi(argv[i]);
    cl_mem in = buffer(32, sizeof colour, colour);
    for (int j = 0; j < 3; j++) {
      cl_kernel k = kernel(names[j]);
      CHECK(clSetKernelArg(k, 0, sizeof in, &in));
      CHECK(clSetKernelArg(k, 1, sizeof out, &out));
      CHECK(clSetKernelArg(k, 2, sizeof colours, &colours));
      launch(k, N, 128);
      CHECK(clEnqueueReadBuffer(queue, out, 1, 0, sizeof sums, sums, 0, NULL, NULL));
      printf("%s: %g\n", names[j], sums[7 * colours]);
    }
  }
}
