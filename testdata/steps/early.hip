// early: returns out of branches, loops and loops within loops.
#include "lane.h"

DEVICE int find(const int *a, int n, int wanted) {
  for (int i = 0; i < n; i++)
    if (a[i] == wanted)
      return i;
  return -1;
}

DEVICE int pick(int x) {
  if (x < 8)
    return 1;
  if (x < 16) {
    if (x % 2)
      return 2;
    x++;
  } else if (x % 3 == 0)
    return 3;
  for (int i = 1; i < 4; i++) {
    for (int j = 1; j < 4; j++)
      if (i * j == x % 10)
        return i + j;
    x--;
  }
  return x;
}

DEVICE void fill(int *a, int n) {
  if (n == 0)
    return;
  a[0] = n;
  if (n < 3)
    return;
  a[2] = n * 2;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int a[4] = {3, 1, 4, 1};
  fill(a, id % 4);
  int where = find(a, 4, id % 6);
  if (where < 0) {
    out[id] = pick(id);
    return;
  }
  out[id] = where + pick(id + 5);
}
