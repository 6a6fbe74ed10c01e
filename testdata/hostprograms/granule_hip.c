// A host program whose kernels leave allocations, as many do: they access 16 bytes of buffers of 12 bytes.
//   usage: PROGRAM OBJECT COLOURS...    so many more colours than there are
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

int hipModuleLoad(void **, const char *), hipModuleGetFunction(void **, void *, const char *);
int hipMalloc(void **, size_t), hipMemcpy(void *, const void *, size_t, int);
int hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                          void **, void **);
int hipDeviceSynchronize(void);

#define OK(call)                                            \
  do {                                                      \
    int e = (call);                                         \
    if (e) printf("%s: error %d\n", #call, e), exit(1);     \
  } while (0)

enum { N = 512, TO_DEVICE = 1, TO_HOST = 2 };

int main(int argc, char **argv) {
  void *module, *in, *out, *kernel;
  float colour[3] = {1, 2, 4}, sums[N];
  const char *names[] = {"sums", "sums", "clear"};
  OK(hipModuleLoad(&module, argv[1]));
  OK(hipMalloc(&out, sizeof sums));
  for (int i = 2; i < argc; i++) {
    int colours = 1 + atoi(argv[i]);
    void *args[] = {&in, &out, &colours};
    OK(hipMalloc(&in, sizeof colour));
    OK(hipMemcpy(in, colour, sizeof colour, TO_DEVICE));
    for (int k = 0; k < 3; k++) {
      OK(hipModuleGetFunction(&kernel, module, names[k]));
      OK(hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
      OK(hipDeviceSynchronize());
      OK(hipMemcpy(sums, out, sizeof sums, TO_HOST));
      printf("%s: %g\n", names[k], sums[7 * colours]);
    }
  }
}
