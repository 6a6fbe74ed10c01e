// Functions of CUDA's runtime API that HIP has not, or has with other parameters.
#include "hip.h"

// What compilers' host code calls.

// __cudaRegisterFatBinary takes what is around a fat binary, or, from compilers without NVIDIA's tools,
// around PTX.
void **__cudaRegisterFatBinary(void *wrapper) {
  enum { WRAPPER = 0x466243b1, HIPF = 0x48495046 };
  struct {
    uint32_t magic, version;
    const unsigned char *binary;
    void *unused;
  } around;
  memcpy(&around, wrapper, sizeof around);
  around.magic = around.magic == WRAPPER ? HIPF : 0;
  return __hipRegisterFatBinary(&around);
}

void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }

char __cudaInitModule(void **module) {
  (void)module;
  return 1;
}

// __cudaRegisterManagedVar registers a variable to which the host has a pointer.
void __cudaRegisterManagedVar(void **module, void **pointer, char *address, const char *name, int external,
                              size_t size, int constant, int global) {
  enum { ALIGN = 16 };
  (void)address, (void)external, (void)constant, (void)global;
  void *init = calloc(1, size ? size : 1);
  if (!init) abort();
  __hipRegisterManagedVar((void *)module, pointer, init, name, size, ALIGN);
}

int __cudaGetKernel(hipFunction_t *out, const void *host) { return hipGetFuncBySymbol(out, host); }

int __cudaLaunchKernel(hipFunction_t k, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s) {
  return hipModuleLaunchKernel(k, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared, s,
                               args, NULL);
}

// runtime_config is cudaLaunchConfig_t.
typedef struct {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
  launch_attribute *attributes;
  unsigned count;
} runtime_config;

int cudaLaunchKernelExC(const runtime_config *c, const void *f, void **args) {
  int form = 0, error = c ? extended(c->attributes, c->count, &c->grid.x, &form) : hipErrorInvalidValue;
  if (error) return hip_done(error);
  if (form == HIP_TOGETHER)
    return hipLaunchCooperativeKernel(f, c->grid, c->block, args, (unsigned)c->shared, c->stream);
  return hip_launch_symbol(f, c->grid, c->block, args, c->shared, c->stream, form);
}

int cudaOccupancyMaxActiveClusters(int *out, const void *f, const runtime_config *c) {
  if (!f || !c) return hip_done(hipErrorInvalidValue);
  return clusters(out, c->attributes, c->count, &c->grid.x);
}

int cudaOccupancyMaxPotentialClusterSize(int *out, const void *f, const runtime_config *c) {
  return cuOccupancyMaxPotentialClusterSize(out, (hipFunction_t)f, (const launch_config *)c);
}

// What kernels and pointers are.

// cudaFuncGetAttributes fills struct cudaFuncAttributes, as far as CUDA 11 had it.
int cudaFuncGetAttributes(void *out, const void *f) {
  struct {
    size_t shared, constant, local;
    int max_threads, registers, ptx, binary, cache, most_shared, carveout;
  } a = {0};
  hip_kernel *k = NULL;
  int error = kernel_of(f, &k);
  if (error || !out) return hip_done(error ? error : hipErrorInvalidValue);
  int version = this_processor()->major * 10 + this_processor()->minor;
  a.shared = k->lds;
  a.local = k->scratch;
  a.max_threads = (int)k->max_threads;
  a.registers = k->registers;
  a.ptx = k->capability;
  a.binary = version;
  a.most_shared = k->most_shared;
  a.carveout = k->carveout;
  memcpy(out, &a, sizeof a);
  return hipSuccess;
}

// cudaPointerGetAttributes fills struct cudaPointerAttributes. What the device does not know is the host's
// own.
int cudaPointerGetAttributes(void *out, const void *p) {
  enum { NOT_REGISTERED, HOST, DEVICE, MANAGED };
  struct {
    int type, device;
    const void *on_device, *on_host;
  } a = {NOT_REGISTERED, -1, NULL, p};
  if (!out || !p) return hip_done(hipErrorInvalidValue);
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  int kind = r ? r->kind : 0;
  dev_unlock();
  switch (kind) {
  case RANGE_DEVICE:
  case RANGE_VIRTUAL:
  case RANGE_GRAPH:
  case RANGE_SYMBOL: a.type = DEVICE, a.on_host = NULL; break;
  case RANGE_MANAGED: a.type = MANAGED; break;
  case RANGE_PINNED:
  case RANGE_REGISTERED: a.type = HOST; break;
  }
  if (kind) a.device = 0, a.on_device = p;
  memcpy(out, &a, sizeof a);
  return hipSuccess;
}

int cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *f, size_t shared, int limit) {
  return hipOccupancyMaxPotentialBlockSize(grid, block, f, shared, limit);
}

int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *out, const void *f, int blocks, int block) {
  hip_kernel *k = NULL;
  int error = kernel_of(f, &k);
  return error ? hip_done(error) : cuOccupancyAvailableDynamicSMemPerBlock(out, k, blocks, block);
}

int cudaStreamGetId(hipStream_t s, unsigned long long *out) { return cuStreamGetId(s, out); }

int cudaStreamGetDevice(hipStream_t s, int *device) { return hipStreamGetDevice(s, device); }

int cudaInitDevice(int device, unsigned flags, unsigned more) {
  (void)flags, (void)more;
  return hipSetDevice(device);
}

// Surface references, which HIP has not.

int cudaBindSurfaceToArray(const void *desc, const hip_array *a, const channel_desc *c) {
  (void)c; // the array's own
  return hip_done(bind_array(desc, 1, RESOURCE_ARRAY, a));
}

int cudaGetSurfaceReference(const reference_desc **out, const void *symbol) {
  return hipGetTextureReference(out, symbol);
}
