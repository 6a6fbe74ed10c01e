// What the runtime tells of kernels: registers, memory of workgroups, how many workgroups there is room for.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

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

__global__ void lanes(int *p) { p[0] = warpSize; }

static int failures;
#define WANT(condition) \
  if (!(condition)) failures++, std::printf("line %d: not: %s\n", __LINE__, #condition)

static int launch(const void *kernel, dim3 grid, dim3 block, size_t shared) {
  static int *p;
  void *args[] = {&p};
  return hipLaunchKernel(kernel, grid, block, args, shared, 0);
}

static int together(const void *kernel, dim3 grid, dim3 block, unsigned shared) {
  static int *p;
  void *args[] = {&p};
  return hipLaunchCooperativeKernel(kernel, grid, block, args, shared, 0);
}

static int launch(hipFunction_t f, unsigned groups, unsigned block, unsigned shared) {
  static int *p;
  void *args[] = {&p};
  return hipModuleLaunchKernel(f, groups, 1, 1, block, 1, 1, shared, 0, args, nullptr);
}

extern "C" hipError_t hipGetFuncBySymbol(hipFunction_t *, const void *);

// refuses: launches of sizes that cannot be, each form by errors of its own.
static void refuses() {
  const void *a = (const void *)many;
  WANT(launch(a, {0, 1, 1}, {1, 1, 1}, 0) == hipErrorInvalidValue);
  WANT(launch(a, {1, 1, 1}, {1, 0, 1}, 0) == hipErrorInvalidValue);
  WANT(launch(a, {1, 1, 1}, {1, 1, 1025}, 0) == hipErrorInvalidConfiguration);
  WANT(launch(a, {1, 1, 1}, {11, 11, 11}, 0) == hipErrorInvalidConfiguration);
  WANT(launch(a, {1, 1, 1}, {1, 1, 1}, 65537) == hipErrorOutOfMemory);
  WANT(launch(nullptr, {1, 1, 1}, {1, 1, 1}, 0) == hipErrorInvalidDeviceFunction);
  WANT(together(a, {0, 1, 1}, {1, 1, 1}, 0) == hipErrorInvalidConfiguration);
  WANT(together(a, {1, 1, 1}, {1025, 1, 1}, 0) == hipErrorInvalidConfiguration);
  WANT(together(a, {1, 1, 1}, {1, 1, 1}, 65537) == hipErrorCooperativeLaunchTooLarge);
  WANT(together(a, {1 << 20, 1, 1}, {64, 1, 1}, 0) == hipErrorCooperativeLaunchTooLarge);
  hipFunction_t f;
  WANT(!hipGetFuncBySymbol(&f, a));
  WANT(launch(f, 0, 1, 0) == hipErrorInvalidValue && launch(f, 1, 0, 0) == hipErrorInvalidValue);
  WANT(launch(f, 1, 1025, 0) == hipErrorInvalidValue && launch(f, 1, 1, 65537) == hipErrorInvalidValue);
  WANT(launch(hipFunction_t(nullptr), 1, 1, 0) == hipErrorInvalidResourceHandle);
  int *p = nullptr;
  size_t size = sizeof p;
  void *args[] = {&p}, *none[] = {HIP_LAUNCH_PARAM_END};
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &p, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  WANT(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, extra) == hipErrorInvalidValue);
  WANT(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, none) == hipErrorInvalidValue);
  WANT(hipFuncGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, f) == hipErrorInvalidValue);
  int registers = 0;
  WANT(hipFuncGetAttribute(&registers, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr) ==
       hipErrorInvalidResourceHandle);
  WANT(!hipFuncGetAttribute(&registers, HIP_FUNC_ATTRIBUTE_NUM_REGS, f) && registers == 200);
  WANT(hipGetLastError() && !hipDeviceSynchronize());
}

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
  hipDeviceProp_t device;
  WANT(!hipGetDeviceProperties(&device, 0));
  int lanes_of_kernel = 0, lanes_of_device = 0, *counted;
  WANT(!hipMalloc(&counted, sizeof(int)));
  lanes<<<1, 1>>>(counted);
  WANT(!hipMemcpy(&lanes_of_kernel, counted, sizeof(int), hipMemcpyDeviceToHost) && !hipFree(counted));
  WANT(!hipDeviceGetAttribute(&lanes_of_device, hipDeviceAttributeWarpSize, 0));
  WANT(lanes_of_kernel == device.warpSize && lanes_of_device == device.warpSize);
  const char *name = device.gcnArchName;
  size_t kilobytes = !strncmp(name, "gfx950", 6) ? 160 : !strncmp(name, "gfx125", 6) ? 320 : 64;
  WANT(device.sharedMemPerBlock == kilobytes << 10);
  std::printf("%s (%d): waves of %d lanes\n", device.gcnArchName, device.gcnArch, device.warpSize);
  // Two waves on each of four SIMD units, of 512 registers; eight, but for the workgroups' memory. Of 32 lanes
  // it is seven waves, of 1536 registers, of which a kernel has 216.
  bool wide = device.warpSize == 64;
  int narrow = wide ? 8 : 14, block_of_four = wide ? 2 : 3;
  WANT(blocks(a, 64, 0) == narrow && blocks(a, 256, 0) == block_of_four && blocks(a, 1024, 0) == 0);
  WANT(blocks(b, 64, 0) == 4 && blocks(b, 256, 32768) == 1);
  int grid, block;
  WANT(!hipOccupancyMaxPotentialBlockSize(&grid, &block, a, 0, 0));
  WANT(block == 256 && grid == block_of_four * device.multiProcessorCount);
  WANT(!hipFuncSetAttribute(b, hipFuncAttributeMaxDynamicSharedMemorySize, 1024));
  WANT(!hipFuncSetAttribute(b, hipFuncAttributePreferredSharedMemoryCarveout, 50));
  WANT(!hipFuncGetAttributes(&of, b));
  WANT(of.maxDynamicSharedSizeBytes == 1024 && of.preferredShmemCarveout == 50);
  WANT(!hipFuncSetAttribute(b, hipFuncAttributeMaxDynamicSharedMemorySize, 65536 - 16384));
  WANT(hipFuncSetAttribute(b, hipFuncAttributeMaxDynamicSharedMemorySize, 65536) == hipErrorInvalidValue);
  WANT(!hipFuncSetAttribute(b, hipFuncAttributePreferredSharedMemoryCarveout, -1));
  WANT(hipFuncSetAttribute(b, hipFuncAttribute(77), 0) == hipErrorInvalidValue);
  WANT(hipFuncSetAttribute(&failures, hipFuncAttributeMaxDynamicSharedMemorySize, 0) ==
       hipErrorInvalidDeviceFunction);
  refuses();
  std::puts(failures ? "attributes: failed" : "attributes: done");
  return failures;
}
