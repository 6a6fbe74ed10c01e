// print: printf from some lanes, with arguments of every size, and an assertion.
#include "gpu.h"

extern "C" __device__ int printf(const char *format, ...);

KERNEL print(const int *input, int *written, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int value = input[id];
  const char *kind = value & 1 ? "odd" : "even";
  char letter = 'a' + id % 26;
  long long wide = (long long)value << 33;
  if (id % 3 == 0)
    written[id] = printf("%d: %c %s %lld %.3f %x|\n", id, letter, kind, wide, value * 0.125, value);
  else
    written[id] = printf("plain %d%%\n", id);
}
