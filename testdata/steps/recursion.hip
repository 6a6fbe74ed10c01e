// recursion: functions that call themselves and each other, to a depth that differs.
#include "lane.h"

DEVICE int odd(int n);

DEVICE int even(int n) {
  if (n == 0)
    return 1;
  return odd(n - 1);
}

DEVICE int odd(int n) {
  if (n == 0)
    return 0;
  return even(n - 1);
}

DEVICE int fib(int n) {
  if (n < 2)
    return n;
  int a = fib(n - 1);
  int b = fib(n - 2);
  return a + b;
}

DEVICE int walk(int n, int depth) {
  int sum = depth;
  for (int i = 0; i < n; i++) {
    if (i == 2)
      break;
    sum += walk(n - i - 2, depth + 1);
  }
  return sum;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int r = 0;
  if (even(id % 5))
    r = fib(id % 6);
  else
    r = walk(id % 7, 1);
  out[id] = r;
}
