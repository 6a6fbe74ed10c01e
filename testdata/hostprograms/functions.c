// An OpenCL host program that prints the table by which an ICD loader calls, as names of functions, and then
// calls each of the functions that are its arguments, twice, with nothing. Its first argument is the length of
// the table.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int clGetPlatformIDs(unsigned, void **, unsigned *);

int main(int count, char **args) {
  void ***platform;
  if (count < 2 || clGetPlatformIDs(1, (void **)&platform, NULL)) return 2;
  for (int i = 0; i < atoi(args[1]); i++) {
    Dl_info info = {0};
    if ((*platform)[i]) dladdr((*platform)[i], &info);
    printf("%s\n", info.dli_sname ? info.dli_sname : "-");
  }
  for (int i = 2; i < count; i++) {
    intptr_t (*f)(intptr_t, ...) = (intptr_t(*)(intptr_t, ...))dlsym(RTLD_DEFAULT, args[i]);
    if (!f) {
      printf("%s is not there\n", args[i]);
      continue;
    }
    f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    printf("%s %d\n", args[i], (int)f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }
}
