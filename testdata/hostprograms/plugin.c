// A library with kernels, which plugins.c loads: it is compiled with several offload bundles.
#include "registered.h"

#include <stdlib.h>

// run fills memory that has room for 100 numbers and scales it, and gives the number at an index.
int run(int *memory, int index) {
  LAUNCH2(fill, 2, 64, 0, memory, 100);
  LAUNCH3(scale, 2, 64, 0, memory, 100, index);
  (*counter)++;
  if (hipDeviceSynchronize()) exit(1);
  return memory[index] + 1000 * *counter;
}
