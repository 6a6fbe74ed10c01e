// A host program that uses memory of the device after it has freed it, frees it twice, and leaves some behind.
//   usage: PROGRAM OBJECT
#include <stddef.h>
#include <stdio.h>

int hipModuleLoad(void **, const char *), hipModuleGetFunction(void **, void *, const char *);
int hipStreamCreate(void **), hipMalloc(void **, size_t), hipFree(void *), hipDeviceSynchronize(void);
int hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                          void **, void **);

enum { N = 512 };

// What headers have for C++: it is not where a program allocates.
static int hipMallocTyped(void **p, size_t bytes) { return hipMalloc(p, bytes); }

static inline __attribute__((always_inline)) int hipMallocInlined(void **p, size_t bytes) {
  return hipMalloc(p, bytes);
}

static void *room(size_t bytes) {
  void *p = NULL;
  bytes == 100 ? hipMallocInlined(&p, bytes) : hipMallocTyped(&p, bytes); // made
  return p;
}

int main(int argc, char **argv) {
  void *module, *kernel, *in = room(256), *out = room(N * sizeof(float)), *left = room(100);
  int colours = 1;
  void *args[] = {&in, &out, &colours};
  if (argc < 2 || hipModuleLoad(&module, argv[1]) || hipModuleGetFunction(&kernel, module, "sums")) return 2;
  hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL);
  printf("first %d\n", hipDeviceSynchronize());
  for (int i = 0; i < 3; i++) {
    void *some, *stream;
    hipMalloc(&some, 10 + i); // some
    hipStreamCreate(&stream); // streams
  }
  hipFree(in); // freed
  printf("again %d\n", hipFree(in));
  hipModuleLaunchKernel(kernel, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL);
  printf("second %d\n", hipDeviceSynchronize());
  hipFree(out);
  return left == NULL;
}
