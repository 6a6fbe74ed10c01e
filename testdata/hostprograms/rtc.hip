// A host program of HIP that compiles its kernels while it runs.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void same(int line, long got, long want) {
  if (got == want) return;
  printf("line %d: %ld, not %ld\n", line, got, want);
  exit(1);
}
#define SAME(got, want) same(__LINE__, (long)(got), (long)(want))

static const char *source = R"(
#include "by.h"
template <class T> __global__ void scale(T *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = p[i] * BY + T(sqrtf(16.0f));
}
)";

// Of later versions of hiprtc.h.
extern "C" {
int hiprtcGetBitcodeSize(hiprtcProgram, size_t *), hiprtcGetBitcode(hiprtcProgram, char *);
int hiprtcLinkCreate(unsigned, int *, void **, void **), hiprtcLinkDestroy(void *);
int hiprtcLinkAddData(void *, int, void *, size_t, const char *, unsigned, int *, void **);
int hiprtcLinkComplete(void *, void **, size_t *);
}

static const char *parts[] = {
    "__device__ int twice(int);\n"
    "template <class T> __global__ void apply(T *p) { p[threadIdx.x] = twice(p[threadIdx.x]); }",
    "__device__ int twice(int x) { return 2 * x; }"};

// Kernels of one program call functions of another.
static void link() {
  enum { BITCODE = 100 };
  const char *separate = "-fgpu-rdc", *lowered = "";
  char name[64];
  void *l, *code;
  size_t size;
  SAME(hiprtcLinkCreate(0, nullptr, nullptr, &l), HIPRTC_SUCCESS);
  for (int i = 0; i < 2; i++) {
    hiprtcProgram p;
    SAME(hiprtcCreateProgram(&p, parts[i], "part.hip", 0, nullptr, nullptr), HIPRTC_SUCCESS);
    if (!i) SAME(hiprtcAddNameExpression(p, "apply<int>"), HIPRTC_SUCCESS);
    SAME(hiprtcCompileProgram(p, 1, &separate), HIPRTC_SUCCESS);
    if (!i) SAME(hiprtcGetLoweredName(p, "apply<int>", &lowered), HIPRTC_SUCCESS);
    if (!i) snprintf(name, sizeof name, "%s", lowered);
    SAME(hiprtcGetBitcodeSize(p, &size), HIPRTC_SUCCESS);
    code = malloc(size);
    SAME(hiprtcGetBitcode(p, (char *)code), HIPRTC_SUCCESS);
    SAME(hiprtcLinkAddData(l, BITCODE, code, size, "part", 0, nullptr, nullptr), HIPRTC_SUCCESS);
    SAME(hiprtcDestroyProgram(&p), HIPRTC_SUCCESS);
    free(code);
  }
  SAME(strcmp(name, "_Z5applyIiEvPT_"), 0);
  SAME(hiprtcLinkComplete(l, &code, &size), HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t f;
  SAME(hipModuleLoadData(&module, code), hipSuccess);
  SAME(hiprtcLinkDestroy(l), HIPRTC_SUCCESS);
  SAME(hipModuleGetFunction(&f, module, name), hipSuccess);
  int *p;
  SAME(hipMallocManaged(&p, 64 * sizeof *p), hipSuccess);
  for (int i = 0; i < 64; i++) p[i] = i;
  void *args[] = {&p};
  // A function that AMD's header declares as one of C++, whose grid counts work-items.
  SAME(hipExtModuleLaunchKernel(f, 64, 1, 1, 64, 1, 1, 0, 0, args, nullptr), hipSuccess);
  SAME(hipDeviceSynchronize(), hipSuccess);
  for (int i = 0; i < 64; i++) SAME(p[i], 2 * i);
}

// logs has a module refused, and reads why.
static void logs() {
  char info[40] = "info", error[40] = "error";
  alignas(16) static const char image[64] = "no module";
  hipJitOption options[] = {hipJitOptionMaxRegisters, hipJitOptionInfoLogBufferSizeBytes, hipJitOptionInfoLogBuffer,
                            hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes};
  void *values[] = {(void *)32, (void *)sizeof info, info, error, (void *)9};
  hipModule_t module;
  SAME(hipModuleLoadDataEx(&module, image, 5, options, values), hipErrorInvalidImage);
  SAME(strcmp(info, ""), 0);
  SAME(values[1], (void *)0);
  SAME(strcmp(error, "it is of"), 0); // nine bytes, with the zero
  SAME(values[4], (void *)8);
  SAME(hipModuleLoadDataEx(&module, image, 1, nullptr, values), hipErrorInvalidValue);
}

int main() {
  const char *header = "#define BY 3\n", *name = "by.h", *options[] = {"-O1", "-DUNUSED"};
  hiprtcProgram p;
  SAME(hiprtcCreateProgram(&p, source, "scale.hip", 1, &header, &name), HIPRTC_SUCCESS);
  SAME(hiprtcAddNameExpression(p, "scale<int>"), HIPRTC_SUCCESS);
  const char *lowered;
  SAME(hiprtcGetLoweredName(p, "scale<int>", &lowered), HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  SAME(hiprtcCompileProgram(p, 2, options), HIPRTC_SUCCESS);
  SAME(hiprtcGetLoweredName(p, "scale<int>", &lowered), HIPRTC_SUCCESS);
  SAME(strcmp(lowered, "_Z5scaleIiEvPT_i"), 0);
  size_t size;
  SAME(hiprtcGetCodeSize(p, &size), HIPRTC_SUCCESS);
  char *code = (char *)malloc(size);
  SAME(hiprtcGetCode(p, code), HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t f;
  SAME(hipModuleLoadData(&module, code), hipSuccess);
  SAME(hipModuleGetFunction(&f, module, lowered), hipSuccess);
  SAME(hiprtcDestroyProgram(&p), HIPRTC_SUCCESS);
  int h[100], n = 100, *d;
  for (int i = 0; i < n; i++)
    h[i] = i;
  SAME(hipMalloc(&d, sizeof h), hipSuccess);
  SAME(hipMemcpy(d, h, sizeof h, hipMemcpyHostToDevice), hipSuccess);
  struct {
    int *p;
    int n;
  } args = {d, n};
  size = sizeof args;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  SAME(hipModuleLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, 0, nullptr, extra), hipSuccess);
  SAME(hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost), hipSuccess);
  for (int i = 0; i < n; i++)
    SAME(h[i], 3 * i + 4);
  SAME(hiprtcCreateProgram(&p, "__global__ void k() { oops; }", "bad.hip", 0, nullptr, nullptr), HIPRTC_SUCCESS);
  SAME(hiprtcCompileProgram(p, 0, nullptr), HIPRTC_ERROR_COMPILATION);
  SAME(hiprtcGetProgramLogSize(p, &size), HIPRTC_SUCCESS);
  char *log = (char *)calloc(size, 1);
  SAME(hiprtcGetProgramLog(p, log), HIPRTC_SUCCESS);
  SAME(strlen(log) + 1, size);
  printf("%.*s\n", (int)strcspn(log, "\n"), log);
  SAME(hiprtcDestroyProgram(&p), HIPRTC_SUCCESS);
  link();
  logs();
  printf("rtc: done\n");
}
