// The other file of separate.hip.
#include <hip/hip_runtime.h>

__device__ int launches = 40;
__device__ int triple(int v) { return 3 * v; }

__global__ void count(int *p) { *p = launches; }

int count_in_other(int *p) {
  int n = -1;
  count<<<1, 1>>>(p);
  return hipMemcpy(&n, p, sizeof n, hipMemcpyDeviceToHost) ? -1 : n;
}
