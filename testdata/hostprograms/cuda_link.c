// A host program that links PTX of two pieces by CUDA's driver API, and says how much malloc of kernels has.
#define _GNU_SOURCE
#include "expect.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define CU(name, ...) ((int (*)())dlsym(library, #name))(__VA_ARGS__)
static void *library;
static void expect_that(int yes, const char *what) {
  if (!yes) printf("not so: %s\n", what), exit(1);
}
#define EXPECT(what) expect_that(what, #what)

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
static const char kernel[] = HEAD ".extern .func (.param .b32 r) next(.param .b32 a);\n"
  ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.global .u32 own = 40;\n"
  ".visible .entry k(.param .u64 k_out) { .reg .b64 %o, %p; .reg .b32 %v; ld.param.u64 %o, [k_out];\n"
  "ld.global.u32 %v, [own]; { .param .b32 p; .param .b32 q; st.param.b32 [p], %v; call.uni (q), next, (p);"
  " ld.param.b32 %v, [q]; } st.global.u32 [%o], %v;\n"
  "{ .param .b64 p; .param .b64 q; st.param.b64 [p], 33554432; call.uni (q), malloc, (p); ld.param.b64 %p, [q]; }\n"
  "st.global.u64 [%o+8], %p; ret; }\n";
static const char other[] = HEAD ".global .u32 own = 2;\n.visible .func (.param .b32 r) next(.param .b32 a)\n"
  "{ .reg .b32 %a, %b; ld.param.b32 %a, [a]; ld.global.u32 %b, [own]; add.u32 %a, %a, %b; st.param.b32 [r], %a; ret; }\n";

static int add(void *link, const char *text, const char *name) {
  return CU(cuLinkAddData_v2, link, 1, text, strlen(text) + 1, name, 0, NULL, NULL);
}

int main(void) {
  enum { MALLOC_HEAP = 2, UNSUPPORTED = 215, INVALID_PTX = 218 };
  void *context, *link, *file, *module, *function;
  char log[200] = "";
  int options[] = {5, 6};
  void *values[] = {log, (void *)sizeof log};
  size_t size, limit;
  uint64_t out, got[2];
  library = dlopen("libcuda.so.1", RTLD_NOW);
  EXPECT(library != NULL);
  OK(CU(cuInit, 0));
  OK(CU(cuDevicePrimaryCtxRetain, &context, 0));
  OK(CU(cuCtxSetCurrent, context));
  OK(CU(cuCtxGetLimit, &limit, MALLOC_HEAP));
  EXPECT(limit == 8 << 20);
  EXPECT(CU(cuCtxSetLimit, 99, 1) == UNSUPPORTED);
  OK(CU(cuCtxSetLimit, MALLOC_HEAP, 64 << 20));
  OK(CU(cuCtxGetLimit, &limit, MALLOC_HEAP));
  EXPECT(limit == 64 << 20);

  OK(CU(cuLinkCreate_v2, 2, options, values, &link));
  OK(add(link, other, "one.ptx"));
  OK(add(link, other, "two.ptx"));
  EXPECT(CU(cuLinkComplete, link, &file, &size) == INVALID_PTX);
  printf("%s\n", log);
  OK(CU(cuLinkDestroy, link));
  OK(CU(cuLinkCreate_v2, 0, NULL, NULL, &link));
  OK(add(link, kernel, "kernel.ptx"));
  OK(add(link, other, NULL));
  OK(CU(cuLinkComplete, link, &file, &size));
  EXPECT(size == strlen(file) + 1);
  OK(CU(cuModuleLoadData, &module, file));
  OK(CU(cuLinkDestroy, link));
  OK(CU(cuModuleGetFunction, &function, module, "k"));
  OK(CU(cuMemAlloc_v2, &out, sizeof got));
  void *args[] = {&out};
  OK(CU(cuLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
  OK(CU(cuMemcpyDtoH_v2, got, out, sizeof got));
  printf("%d, %s\n", (int)got[0], got[1] ? "32 MiB" : "nothing");
  EXPECT(CU(cuCtxSetLimit, MALLOC_HEAP, 1 << 20)); // too late
}
