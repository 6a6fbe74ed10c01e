// A host program that loads the libraries which its arguments name, whose kernels have the same names,
// uses them in turn, unloads them and loads them anew.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int hipMallocManaged(void **, size_t, unsigned), hipDeviceReset(void);

static void *libraries[8];

static int use(int i, const char *name, int *memory) {
  if (!libraries[i]) libraries[i] = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  int (*run)(int *, int) = libraries[i] ? (int (*)(int *, int))dlsym(libraries[i], "run") : NULL;
  if (run) return run(memory, 10 + i);
  printf("%s\n", dlerror());
  exit(1);
}

int main(int argc, char **argv) {
  for (int round = 0; round < 3; round++) {
    int *memory;
    if (hipMallocManaged((void **)&memory, 400, 1)) return 1;
    for (int twice = 0; twice < 2; twice++)
      for (int i = 1; i < argc; i++) printf("%d ", use(i, argv[i], memory));
    for (int i = 1; i < argc; i++) dlclose(libraries[i]), libraries[i] = NULL;
    printf("\n");
    if (round == 1 && hipDeviceReset()) return 1;
  }
  return 0;
}
