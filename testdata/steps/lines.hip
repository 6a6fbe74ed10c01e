// lines: several statements in a line, and statements over several lines.
#include "lane.h"

#define STEP(x) do { if ((x) % 2) (x)++; else (x) += 2; } while (0)

DEVICE int add3(int a, int b, int c) {
  return a + b + c;
}

DEVICE int oneline(int x) { if (x % 3 == 0) return 0; for (int i = 0; i < x % 4; i++) x += i; return x; }

KERNEL kernel(int *out) {
  int id = LANE;
  int r = 0; if (id % 2) r = 1; else r = 2;
  STEP(r);
  r += add3(
      oneline(id),
      id % 2
          ? oneline(r)
          : r,
      id);
  for (int i = 0;
       i < id % 3;
       i++)
    r += i; r++;
  if (id % 4 == 0 &&
      r % 3 == 0 ||
      id == 7)
    STEP(r);
  out[id]
      = r;
}
