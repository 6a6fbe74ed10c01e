// fall: switches whose cases fall through, within loops that they continue and leave.
#include "lane.h"

DEVICE int classify(int x) {
  int r = 0;
  switch (x % 6) {
  case 0:
    r = 1;
  case 1:
    r += 10;
    break;
  case 2:
    return x;
  case 3:
    r = 5;
  default:
    r += 7;
  }
  r *= 2;
  return r;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int total = 0;
  for (int i = 0; i < 4; i++) {
    switch ((id + i) % 5) {
    case 0:
      continue;
    case 1:
      total += 1;
    case 2:
      total += 2;
      if (id % 3 == 0)
        break;
      total += 3;
      break;
    case 3:
      i++;
      break;
    default:
      total += classify(id);
    }
    total *= 2;
  }
  out[id] = total;
}
