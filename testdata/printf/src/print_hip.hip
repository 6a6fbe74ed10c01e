// print_hip: conversions of every kind, from a kernel that diverges; every text
// begins with its work-item. `word` and `format` are strings in global memory.
#include "device.h"

__device__ static void odd(int i, int v, const char *word) {
  for (int k = 0; k < v % 4; k++)
    printf("%d: odd %d %s %ld %llu %hhd %hd %#o\n", i, k, word, (long)v << 33, ~0ull - v, v * 37, v * 3701, v);
}

__device__ static void even(int i, int v, const char *format) {
  float f = v * 0.25f;
  printf("%d: even %f %g %e %10.3f %a %s\n", i, f, f / 3, f * 1e10f, -f, f, "constant");
  if (v % 3 == 0)
    printf("%d: three %*d|%-*d|%.*f|%.2s\n", i, 6, v, 4, v, v % 5, 1.0 / (v + 1), "cut");
  printf(format, i, v);
}

KERNEL print_hip(const int *in, const char *word, const char *format, int *results) {
  int i = GLOBAL_X;
  int v = in[i];
  results[i] = printf("%d: start %5d|%-5d|%05d %u %x %c%%:\t\\\n", i, v, v, v, -v, v * 1000, 'a' + v % 26);
  if (v & 1)
    odd(i, v, word);
  else
    even(i, v, format);
  printf("%d: end %s%s%s\n", i, "", "four", "eightlet");
}
