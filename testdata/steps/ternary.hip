// ternary: conditional expressions within each other, over several lines, with calls.
#include "lane.h"

DEVICE int low(int x) {
  return x - 1;
}

DEVICE int high(int x) {
  return x > 40 ? x : x + 1;
}

DEVICE int middle(int x) {
  return x % 2
             ? low(x)
             : high(x);
}

KERNEL kernel(int *out) {
  int id = LANE;
  int a = id < 10 ? low(id) : id < 30 ? middle(id) : high(id);
  int b = (a > 20 ? a : id) % (id % 2 ? 3 : 4) ? low(a) : (a++, high(a));
  int c = 0;
  for (int i = id % 3 ? 1 : 0; i < (id % 2 ? 3 : 2); i += b > 5 ? 1 : 2)
    c += i ? a : b;
  *(id % 2 ? &a : &b) = c;
  out[id] = a + b + c;
}
