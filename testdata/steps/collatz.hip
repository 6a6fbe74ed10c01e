// collatz: loops whose lanes leave one after the other.
#include "lane.h"

DEVICE int length(unsigned n) {
  int steps = 0;
  while (n != 1) {
    if (n % 2)
      n = 3 * n + 1;
    else
      n /= 2;
    if (++steps == 12)
      break;
  }
  return steps;
}

DEVICE unsigned gcd(unsigned a, unsigned b) {
  while (b) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int best = 0;
  for (int i = 1; i <= id % 3 + 1; i++) {
    int l = length(id + i);
    if (l <= best)
      continue;
    best = l;
  }
  out[id] = best + gcd(id + 12, 18);
}
