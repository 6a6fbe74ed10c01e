// shadow: names that hide others, in blocks that only some lanes enter.
#include "lane.h"

DEVICE int scopes(int x) {
  int r = x;
  if (x % 2) {
    int x = r * 2;
    if (x > 20) {
      int r = x - 20;
      x += r;
    }
    r += x;
  } else {
    int r = 7;
    for (int x = 0; x < 2; x++)
      r += x;
    x = r;
  }
  for (int r = 0; r < x % 3; r++) {
    int x = r;
    x++;
  }
  return r + x;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int n = id % 4;
  for (int i = 0; i < n; i++) {
    int n = i * 2;
    if (n == 2) {
      int i = 5;
      n += i;
      continue;
    }
    id += n;
  }
  id = LANE;
  out[id] = scopes(id);
}
