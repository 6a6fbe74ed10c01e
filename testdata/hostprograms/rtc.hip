// A host program of HIP that compiles its kernels while it runs.
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
  printf("rtc: done\n");
}
