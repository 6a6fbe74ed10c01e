// The same as defects_opencl.c of HIP.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hipModuleLoad(void **, const char *), hipModuleGetFunction(void **, void *, const char *);
int hipMalloc(void **, size_t), hipMemcpy(void *, const void *, size_t, int), hipMemset(void *, int, size_t);
int hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                          void **, void **);
int hipDeviceSynchronize(void), hipFree(void *);

#define OK(call)                                   \
  do {                                             \
    int e = (call);                                \
    if (e) printf("%s: error %d\n", #call, e), exit(1); \
  } while (0)

enum { N = 512, TO_DEVICE = 1, TO_HOST = 2 };

int main(int argc, char **argv) {
  void *module, *in, *out, *kernel, *args[] = {&in, &out};
  int data[N];
  OK(hipModuleLoad(&module, argv[1]));
  OK(hipMalloc(&in, sizeof data));
  OK(hipMalloc(&out, sizeof data));
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], "free")) {
      OK(hipFree(in));
      OK(hipFree(out));
      break;
    }
    if (strchr(argv[i], '.')) {
      OK(hipModuleLoad(&module, argv[i]));
      continue;
    }
    for (int k = 0; k < N; k++) data[k] = k;
    OK(hipMemcpy(in, data, sizeof data, TO_DEVICE));
    OK(hipMemset(out, 0, sizeof data));
    OK(hipModuleGetFunction(&kernel, module, argv[i]));
    OK(hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(data, out, sizeof data, TO_HOST));
    printf("%s: done\n", argv[i]);
  }
}
