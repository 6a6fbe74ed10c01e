// Calls functions of libamdhip64 by their names, which are its arguments, twice each, and
// says which of them is there and does not return hipErrorNotSupported.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen("libamdhip64.so.5", RTLD_NOW);
  if (!library) {
    printf("%s\n", dlerror());
    return 1;
  }
  for (int i = 1; i < argc; i++) {
    int (*function)(void) = (int (*)(void))dlsym(library, argv[i]);
    for (int k = 0; k < 2; k++) {
      int error = function ? function() : -1;
      if (error != 801)
        printf("%s: %d\n", argv[i], error);
    }
  }
  return 0;
}
