// exits: loops that are left in several ways to several places.
#include "lane.h"

DEVICE int search(int seed, int *where) {
  int tries = 0;
  for (int i = 0; i < 4; i++) {
    int x = seed;
    while (true) {
      tries++;
      x = x * 5 % 17;
      if (x == 3)
        goto hit;
      if (x == 0)
        return -1;
      if (x > 12)
        break;
      if (tries > 9)
        goto much;
    }
    seed += 2;
    if (seed % 11 == 0) {
      *where = -2;
      return tries;
    }
  }
  *where = -3;
  return tries;
hit:
  *where = tries;
  return 1;
much:
  *where = -4;
  return 2;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int where = 0;
  int r = search(id, &where);
  if (r < 0)
    r = 100;
  else
    r += where;
  out[id] = r;
}
