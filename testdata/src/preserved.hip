// preserved: a value of each function's own stays in a register across a call.
// The optimised code keeps them all in v40, which callees preserve. The calls go
// through a table, so that no compiler knows which registers the callee really
// leaves alone; the last one ends in a tail call.
#include "gpu.h"

typedef int (*Step)(int, int);

__device__ int outer(int value, int level);
__device__ int middle(int value, int level);
__device__ int inner(int value, int level);
__device__ int relay(int value, int level);

__device__ Step steps[4] = {outer, middle, inner, relay};

__device__ NOINLINE int last(int value, int level) {
  return value * 3 + level;
}

__device__ NOINLINE int relay(int value, int level) {
  return last(value + 7, level * 2);
}

__device__ NOINLINE int inner(int value, int level) {
  int own = value ^ 0x3333;
  int result = steps[level](value + 1, level + 1);
  return result * 2 - own;
}

__device__ NOINLINE int middle(int value, int level) {
  int own = value ^ 0x2222;
  int result = steps[level](value + 1, level + 1);
  return result - own;
}

__device__ NOINLINE int outer(int value, int level) {
  int own = value ^ 0x1111;
  int result = steps[level](value + 1, level + 1);
  return result * 5 - own;
}

KERNEL preserved(int *results, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int result = steps[id % 2](id * 10, id % 2 + 1);
  results[id] = result;
}
