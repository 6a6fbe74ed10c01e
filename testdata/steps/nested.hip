// nested: loops within loops, with break and continue at each level.
#include "lane.h"

DEVICE int inner(int n, int limit) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      if (j == limit)
        break;
      if ((i + j) % 2)
        continue;
      sum += j;
    }
    if (sum > 12)
      break;
    sum += i;
  }
  return sum;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int total = 0;
  int k = id % 5;
  while (k > 0) {
    k--;
    if (k == 2) {
      total += 100;
      continue;
    }
    for (int i = 0;; i++) {
      if (i * k > 3)
        break;
      if (i == 3)
        break;
      total += i;
    }
    total += inner(id % 7, k);
  }
  out[id] = total;
}
