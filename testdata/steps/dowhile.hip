// dowhile: loops that test at their end, with continue to the test.
#include "lane.h"

DEVICE int loop(int n) {
  int k = 0, odd = 0;
  do {
    k++;
    if (k % 2 == n % 2)
      continue;
    odd += k;
  } while (k < n);
  return odd;
}

DEVICE int twofold(int n) {
  int i = 0, r = 0;
  do {
    int j = i;
    do {
      j += 2;
      if (j == 5)
        continue;
      if (j > 8)
        break;
      r += j;
    } while (j < n);
    i++;
    if (r > 30)
      return r;
  } while (i < 3);
  return -r;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int r = 0;
  do
    r += loop(id % 4 + r % 3) + 1;
  while (r < id % 10);
  out[id] = r + twofold(id % 9);
}
