// circuits: conditions that are not evaluated to their end, with calls in them.
#include "lane.h"

DEVICE bool divides(int d, int x) {
  return x % d == 0;
}

DEVICE bool between(int x, int low, int high) {
  return low <= x && x < high;
}

DEVICE int weigh(int x) {
  int w = 0;
  if (divides(2, x) && divides(3, x) || divides(7, x))
    w += 1;
  if (between(x, 10, 20) ||
      between(x, 30, 40) && !divides(5, x) ||
      x == 50)
    w += 2;
  else
    w -= 1;
  while (w < 6 && (divides(2, x) || x > 30)) {
    w += 2;
    x = x / 2 + 1;
  }
  return w;
}

KERNEL kernel(int *out) {
  int id = LANE;
  bool both = id & 1 && id & 2;
  bool either = both || id & 4;
  int r = 0;
  if (!(both && either) && id > 3)
    r = weigh(id);
  if (id > 5 && (r = weigh(id + 1)) > 2)
    r++;
  out[id] = r + either;
}
