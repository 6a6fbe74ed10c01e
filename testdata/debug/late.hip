// Work-items before a certain one end at once: those after it are reached soon, whatever their numbers.
#include "../src/gpu.h"

__device__ NOINLINE int twice(int value) {
  int sum = value;
  sum += value;
  return sum;
}

KERNEL late(int *out, int from) {
  int i = GLOBAL_X;
  if (i < from)
    return;
  int place = i - from;
  int doubled = twice(place);
  out[place] = doubled;
}
