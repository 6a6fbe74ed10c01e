// indirect: lanes that call different functions by pointer, in loops and recursively.
#include "lane.h"

DEVICE int twice(int x) {
  return x * 2;
}

DEVICE int half(int x) {
  if (x % 2)
    return x;
  return x / 2;
}

DEVICE int countdown(int x) {
  int n = 0;
  while (x > 0) {
    x -= 3;
    n++;
  }
  return n;
}

typedef int (*Function)(int);

DEVICE int apply(Function f, int x, int times) {
  for (int i = 0; i < times; i++) {
    x = f(x);
    if (x > 50)
      break;
  }
  return x;
}

KERNEL kernel(int *out) {
  int id = LANE;
  Function f = twice;
  if (id % 3 == 1)
    f = half;
  else if (id % 3 == 2)
    f = countdown;
  int r = f(id);
  if (id % 4)
    r += apply(id % 2 ? f : twice, id, id % 5);
  out[id] = r;
}
