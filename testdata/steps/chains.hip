// chains: long chains of else if, with nested ones whose ends are the ends of others.
#include "lane.h"

DEVICE int chain(int x) {
  if (x % 5 == 0)
    x += 3;
  else if (x % 3 == 0)
    x *= 2;
  return -x;
}

DEVICE int deep(int x) {
  int r = 1;
  if (x & 1) {
    if (x & 2) {
      if (x & 4)
        r = 2;
      else
        r = 3;
    } else if (x & 8) {
      r = 4;
    }
  } else if (x & 16) {
    r = 5;
    if (x & 32)
      r = 6;
  } else {
    if (x & 2)
      r += chain(r);
  }
  if (r == 1)
    r = 9;
  return r;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int r;
  if (id == 0)
    r = 1;
  else if (id < 9)
    r = chain(id);
  else if (id % 7 == 3) {
    r = deep(id);
    if (r > 4)
      r -= 4;
  } else if (id % 4 == 1)
    r = deep(id) + chain(id);
  else
    r = 0;
  if (id % 2)
    if (r)
      r++;
    else
      r--;
  out[id] = r;
}
