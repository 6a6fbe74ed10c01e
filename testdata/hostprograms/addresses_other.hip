// The other module of addresses.hip.
#include <hip/hip_runtime.h>

static __device__ int value = 11;

__global__ void load(int *const *where, int *out) { *out = **where; }
__global__ void mine(int **out) { *out = &value; }

int follow(int *const *where, int *out) {
  int n = -1;
  load<<<1, 1>>>(where, out);
  return hipMemcpy(&n, out, sizeof n, hipMemcpyDeviceToHost) ? -1 : n;
}

int *address_in_other() {
  int **out, *got = nullptr;
  if (hipMalloc(&out, sizeof *out))
    return nullptr;
  mine<<<1, 1>>>(out);
  return hipMemcpy(&got, out, sizeof got, hipMemcpyDeviceToHost) ? nullptr : got;
}
