// mixed: calls in loops of callers in loops, with returns, breaks and an endless loop.
#include "lane.h"

DEVICE int limit(int x) {
  for (;;) {
    if (x < 10)
      return x;
    x -= 7;
    if (x % 4 == 0)
      break;
  }
  return -x;
}

DEVICE int visit(int n, int key) {
  int seen = 0;
  while (n) {
    int bit = n & -n;
    n ^= bit;
    if (bit == key)
      return seen;
    int l = limit(bit + seen);
    if (l < 0) {
      seen--;
      continue;
    }
    seen += l;
  }
  return ~seen;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int r = 0;
  for (int k = 1; k < 16; k *= 4) {
    int v = visit(id, k);
    if (v < -20)
      break;
    r += v;
    if (id > 48)
      return;
  }
  if (r)
    out[id] = r;
}
