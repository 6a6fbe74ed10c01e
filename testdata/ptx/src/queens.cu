// queens: ways to place queens, by recursion that is as deep as the board is large; lanes begin in different columns.
#include "look.h"

struct Board {
  unsigned columns, left, right;
  int size;
};

__device__ NOINLINE int place(Board b, int row) {
  if (row == b.size)
    return 1;
  int ways = 0;
  unsigned all = (1u << b.size) - 1;
  unsigned open = all & ~(b.columns | b.left | b.right);
  while (open) {
    unsigned bit = open & -open;
    open ^= bit;
    Board next = {b.columns | bit, (b.left | bit) << 1, (b.right | bit) >> 1, b.size};
    ways += place(next, row + 1);
  }
  return ways;
}

KERNEL queens(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int size = 4 + (int)(in[id] % 3);
  unsigned bit = 1u << (id % size);
  Board start = {bit, bit << 1, bit >> 1, size};
  int ways = place(start, 1);
  look(id);
  out[id] = (unsigned)ways * 16 + (unsigned)size;
}
