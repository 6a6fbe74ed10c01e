// demo: one divergent if/else with a call in one arm; small enough to read in
// a debugger while it runs.
#include "gpu.h"

// weigh sums a short series; lanes that call it disagree on both arguments.
__device__ NOINLINE int weigh(int value, int rounds) {
  int total = 0;
  for (int k = 1; k <= rounds; k++)
    total += value * k;
  return total;
}

KERNEL demo(const int *input, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int value = input[id];
  int result;
  if (value % 3 == 0) {
    int rounds = 1 + value % 4;
    result = weigh(value, rounds);
  } else {
    int halved = value / 2;
    result = -halved;
  }
  output[id] = result;
}
