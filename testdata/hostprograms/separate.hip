// A program of two files whose device code is linked (-fgpu-rdc), with separate_other.hip: functions, variables
// and pointers to functions of the one in kernels of the other.
#include <hip/hip_runtime.h>

#include <cstdio>

extern __device__ int launches;
__device__ int triple(int v);
int count_in_other(int *p);

using operation = int (*)(int);
__device__ int next(int v) { return v + 1; }
__device__ operation operations[2] = {triple, next};

__global__ void step(int *p) {
  int i = threadIdx.x;
  p[i] = operations[i % 2](i);
  if (i == 0)
    atomicAdd(&launches, 1);
}

int main() {
  int *p, h[64], wrong = 0;
  if (hipMalloc(&p, sizeof h))
    return 1;
  step<<<1, 64>>>(p);
  step<<<1, 64>>>(p);
  if (hipMemcpy(h, p, sizeof h, hipMemcpyDeviceToHost))
    return 2;
  for (int i = 0; i < 64; i++)
    wrong += h[i] != (i % 2 ? i + 1 : 3 * i);
  std::printf("separate: %d wrong, %d launches\n", wrong, count_in_other(p));
}
