// gotos: jumps out of loops, back, and into the middle of a loop.
#include "lane.h"

DEVICE int machine(int x) {
  int steps = 0;
start:
  steps++;
  if (x % 2 == 0)
    goto even;
  if (x > 20)
    goto large;
  x = x * 3 + 1;
  goto start;
even:
  x /= 2;
  if (x > 4)
    goto start;
  goto done;
large:
  x -= 15;
  if (steps < 6)
    goto start;
done:
  return steps * 10 + x;
}

DEVICE int into(int n) {
  int i = 0, sum = 0;
  if (n % 2)
    goto middle;
  while (i < n) {
    sum += i;
  middle:
    sum += 100;
    i += 2;
  }
  return sum;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int r = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      r += i * j;
      if (i + j == id % 5)
        goto found;
    }
  r = -1;
found:
  if (id > 40)
    goto skip;
  r += machine(id);
skip:
  out[id] = r + into(id % 6);
}
