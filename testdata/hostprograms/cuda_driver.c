// A host program of CUDA's driver API, whose functions it finds as programs do that are not linked with it.
//   usage: cuda_driver FILE    a module with saxpy(int n, float a, const float *x, float *y)
#define _GNU_SOURCE
#include "expect.h"
#include <dlfcn.h>
#include <stdint.h>

typedef int (*function)();
static void *library;

// find finds a function by cuGetProcAddress, as the runtime does.
static function find(const char *name) {
  static int (*get)(const char *, function *, int, uint64_t, int *);
  if (!get) get = (int (*)(const char *, function *, int, uint64_t, int *))dlsym(library, "cuGetProcAddress_v2");
  function f = NULL;
  int status = -1;
  if (get(name, &f, 12000, 0, &status) || !f || status) printf("no %s\n", name), exit(1);
  return f;
}
#define CU(name, ...) OK(find(#name)(__VA_ARGS__))

static char *read_file(const char *name) {
  FILE *f = fopen(name, "rb");
  char *data = calloc(1, 1 << 20);
  if (!f) perror(name), exit(2);
  fread(data, 1, (1 << 20) - 1, f);
  fclose(f);
  return data;
}

int main(int argc, char **argv) {
  int device, count = 0, major = 0, minor = 0, version = 0, value = 0, n = N;
  char name[100], *text = read_file(argv[1]);
  void *context, *module, *kernel, *stream, *event, *nothing = NULL;
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) puts(dlerror()), exit(1);
  CU(cuInit, 0);
  CU(cuDriverGetVersion, &version);
  CU(cuDeviceGetCount, &count);
  CU(cuDeviceGet, &device, 0);
  CU(cuDeviceGetName, name, (int)sizeof name, device);
  CU(cuDeviceGetAttribute, &major, 75, device);
  CU(cuDeviceGetAttribute, &minor, 76, device);
  // The width of textures of two dimensions and of cubes, and whether streams wait for values of 64 bits.
  static const int there[] = {22, 52, 93, 122};
  for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
    int is = 0;
    CU(cuDeviceGetAttribute, &is, there[i], device);
    if (is < 1) printf("attribute %d is %d\n", there[i], is), exit(1);
  }
  printf("%d: %s, %d.%d, %d\n", count, name, major, minor, version);
  CU(cuDevicePrimaryCtxRetain, &context, device);
  CU(cuCtxSetCurrent, context);

  char log[200] = "unchanged", *bad = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k( {\n";
  int options[] = {5, 6};
  void *values[] = {log, (void *)sizeof log};
  IS(218, find("cuModuleLoadDataEx")(&module, bad, 2, options, values));
  printf("%s\n", log);
  CU(cuModuleLoadData, &module, text);
  IS(500, find("cuModuleGetFunction")(&kernel, module, "nothing"));
  CU(cuModuleGetFunction, &kernel, module, "saxpy");
  CU(cuFuncGetAttribute, &value, 0, kernel);
  expect("threads", value, 1024);

  float host[N], a = 2, *x, *y;
  for (int i = 0; i < N; i++) host[i] = i;
  CU(cuMemAlloc, &x, sizeof host);
  CU(cuMemAlloc, &y, sizeof host);
  CU(cuStreamCreate, &stream, 1);
  CU(cuEventCreate, &event, 2);
  CU(cuMemcpyHtoDAsync, x, host, sizeof host, stream);
  CU(cuMemsetD32Async, y, 0x3f800000, (size_t)N, stream);
  void *args[] = {&n, &a, &x, &y};
  CU(cuLaunchKernel, kernel, 4, 1, 1, 32, 1, 1, 0, stream, args, NULL);
  struct {
    int n;
    float a, *x, *y;
  } block = {n, a, x, y};
  size_t size = sizeof block;
  void *extra[] = {(void *)1, &block, (void *)2, &size, NULL};
  CU(cuLaunchKernel, kernel, 4, 1, 1, 32, 1, 1, 0, stream, NULL, extra);
  CU(cuEventRecord, event, stream);
  CU(cuEventSynchronize, event);
  CU(cuMemcpyDtoH, host, y, sizeof host);
  for (int i = 0; i < N; i++) expect("saxpy", host[i], 1 + 4 * i);
  IS(1, find("cuLaunchKernel")(kernel, 1, 1, 1, 2000, 1, 1, 0, stream, args, NULL));
  const char *error;
  CU(cuGetErrorName, 719, &error);
  printf("%s\n", error);
  IS(1, find("cuGetErrorName")(12345, &error));
  IS(1, find("cuMemFree")((char *)x + 4));
  CU(cuMemFree, x);
  CU(cuMemFree, y);
  CU(cuModuleUnload, module);
  int status = -1;
  IS(500, find("cuGetProcAddress")("cuNothing", &nothing, 12000, 0L, &status));
  expect("status", status, 1);
  IS(801, ((function)dlsym(library, "cuIpcGetMemHandle"))());
  printf("driver: done\n");
}
