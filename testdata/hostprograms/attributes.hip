// What the runtime tells of kernels: registers, memory of workgroups, how many workgroups there is room for.
#include <hip/hip_runtime.h>

#include <cstdio>

// The assembly wants the register 199: the kernel has 200.
__global__ void many(int *p) {
  asm volatile("v_mov_b32 v199, 0" ::: "v199");
  p[threadIdx.x] = 1;
}

__global__ void shares(int *p) {
  __shared__ int all[4096];
  all[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = all[255 - threadIdx.x];
}

static int failures;
#define WANT(condition) \
  if (!(condition)) failures++, std::printf("line %d: not: %s\n", __LINE__, #condition)

static int blocks(const void *kernel, int size, size_t shared) {
  int n = -1;
  WANT(!hipOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, size, shared));
  return n;
}

int main() {
  const void *a = (const void *)many, *b = (const void *)shares;
  hipFuncAttributes of;
  WANT(!hipFuncGetAttributes(&of, a));
  WANT(of.numRegs == 200 && of.sharedSizeBytes == 0 && of.maxDynamicSharedSizeBytes == 65536);
  WANT(!hipFuncGetAttributes(&of, b));
  WANT(of.numRegs > 0 && of.numRegs < 64 && of.sharedSizeBytes == 16384);
  WANT(of.maxDynamicSharedSizeBytes == 65536 - 16384);
  // Two waves on each of four SIMD units, of 512 registers; eight, but for the workgroups' memory.
  WANT(blocks(a, 64, 0) == 8 && blocks(a, 256, 0) == 2 && blocks(a, 1024, 0) == 0);
  WANT(blocks(b, 64, 0) == 4 && blocks(b, 256, 32768) == 1);
  int grid, block;
  WANT(!hipOccupancyMaxPotentialBlockSize(&grid, &block, a, 0, 0));
  hipDeviceProp_t device;
  WANT(!hipGetDeviceProperties(&device, 0));
  WANT(block == 256 && grid == 2 * device.multiProcessorCount);
  WANT(!hipFuncSetAttribute(b, hipFuncAttributeMaxDynamicSharedMemorySize, 65536 - 16384));
  WANT(hipFuncSetAttribute(b, hipFuncAttributeMaxDynamicSharedMemorySize, 65536) == hipErrorInvalidValue);
  WANT(!hipFuncSetAttribute(b, hipFuncAttributePreferredSharedMemoryCarveout, -1));
  WANT(hipFuncSetAttribute(b, hipFuncAttribute(77), 0) == hipErrorInvalidValue);
  WANT(hipFuncSetAttribute(&failures, hipFuncAttributeMaxDynamicSharedMemorySize, 0) ==
       hipErrorInvalidDeviceFunction);
  std::puts(failures ? "attributes: failed" : "attributes: done");
  return failures;
}
