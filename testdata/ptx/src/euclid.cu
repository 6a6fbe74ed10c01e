// euclid: greatest common divisors and inverses by division of 64-bit numbers; lanes loop for different times.
#include "look.h"

struct Pair {
  long long x, y;
};

__device__ NOINLINE Pair extended(long long a, long long b) {
  Pair now = {1, 0}, next = {0, 1};
  while (b != 0) {
    long long q = a / b;
    long long rest = a % b;
    a = b;
    b = rest;
    Pair after = {now.x - q * next.x, now.y - q * next.y};
    now = next;
    next = after;
  }
  return now;
}

KERNEL euclid(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  unsigned long long a = in[id] | 1, b = (unsigned long long)in[(id + 1) % n] << 8 | 0x55;
  unsigned rounds = 0;
  while (b) {
    unsigned long long rest = a % b;
    a = b;
    b = rest;
    rounds++;
  }
  Pair bezout = extended(in[id] % 1000 + 1, in[(id + 3) % n] % 999 + 1);
  look(id);
  out[4 * id] = (unsigned)a;
  out[4 * id + 1] = rounds;
  out[4 * id + 2] = (unsigned)bezout.x;
  out[4 * id + 3] = (unsigned)bezout.y;
}
