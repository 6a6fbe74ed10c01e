// function_table: lanes of one wave call different functions through a table
// of pointers in device memory.
#include "gpu.h"

typedef int (*Operation)(int, int);

__device__ NOINLINE int add(int a, int b) { return a + b; }
__device__ NOINLINE int subtract(int a, int b) { return a - b; }
__device__ NOINLINE int multiply(int a, int b) { return a * b; }
__device__ NOINLINE int remainder(int a, int b) {
  if (b == 0)
    return a;
  return a % b;
}

// nested makes an indirect call of its own.
__device__ int nested(int a, int b);

__device__ Operation operations[5] = {add, subtract, multiply, remainder,
                                      nested};

__device__ NOINLINE int nested(int a, int b) {
  Operation first = operations[(unsigned)a % 4];
  int inner = first(b, a);
  return inner + 1;
}

KERNEL function_table(const int *input, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int value = input[id];
  int accumulator = id;
  for (int round = 0; round < 3; round++) {
    Operation chosen = operations[(unsigned)(value + round) % 5];
    accumulator = chosen(accumulator, value);
  }
  output[id] = accumulator;
}
