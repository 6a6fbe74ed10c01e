// A host program of HIP whose workgroups wait for each other.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <stdio.h>

namespace cg = cooperative_groups;

enum { GROUPS = 16, SIZE = 256, N = GROUPS * SIZE };

extern "C" __global__ void exchange(int *p, int *sum) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 3; round++) {
    p[i] = i + round;
    grid.sync();
    sum[i] += p[N - 1 - i];
    grid.sync();
  }
}

int main() {
  int *p, *sum, bad = 0;
  if (hipMallocManaged(&p, N * sizeof *p) || hipMallocManaged(&sum, N * sizeof *sum)) return 1;
  for (int i = 0; i < N; i++)
    sum[i] = 0;
  void *args[] = {&p, &sum};
  hipError_t many = hipLaunchCooperativeKernel((void *)exchange, dim3(100000), dim3(SIZE), args, 0, 0);
  hipError_t one = hipLaunchCooperativeKernel((void *)exchange, dim3(GROUPS), dim3(SIZE), args, 0, 0);
  hipError_t end = hipDeviceSynchronize();
  for (int i = 0; i < N; i++)
    bad += sum[i] != 3 * (N - 1 - i) + 3;
  printf("%s, %s, %s, %d wrong\n", hipGetErrorName(many), hipGetErrorName(one), hipGetErrorName(end), bad);
}
