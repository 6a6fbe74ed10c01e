// objects: constructors, destructors at the ends of scopes that are left early, methods,
// lambdas and references.
#include "lane.h"

struct Counter {
  int *n;
  DEVICE Counter(int *n) : n(n) {
    *n += 1;
  }
  DEVICE ~Counter() {
    *n += 10;
  }
  DEVICE int value() const {
    return *n;
  }
};

DEVICE int guarded(int x, int &n) {
  Counter outer(&n);
  if (x % 3 == 0)
    return outer.value();
  for (int i = 0; i < 3; i++) {
    Counter inner(&n);
    if (i == x % 4)
      continue;
    if (i > x % 5)
      break;
    n += 100;
  }
  return x;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int n = 0;
  int r = guarded(id, n);
  auto add = [&](int x) {
    if (x > 20)
      return;
    r += x;
  };
  if (id % 2)
    add(id);
  int list[3] = {1, id % 3, 3};
  for (int x : list) {
    if (x == 2)
      continue;
    add(x + n);
  }
  out[id] = r;
}
