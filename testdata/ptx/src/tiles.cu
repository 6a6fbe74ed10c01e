// tiles: a stencil on a tile with a border in shared memory, over several rounds with barriers between.
#include "look.h"

#define SIDE 8

KERNEL tiles(const unsigned *in, unsigned *out, int n) {
  __shared__ int tile[2][SIDE + 2][SIDE + 2];
  __shared__ int changes;
  int x = LOCAL_X % SIDE, y = LOCAL_X / SIDE, id = GLOBAL_X;
  for (int i = LOCAL_X; i < 2 * (SIDE + 2) * (SIDE + 2); i += SIZE_X)
    (&tile[0][0][0])[i] = 0;
  if (LOCAL_X == 0)
    changes = 0;
  BARRIER();
  int now = 0;
  tile[0][y + 1][x + 1] = (int)(in[id % n] % 16);
  BARRIER();
  for (int round = 0; round < 3; round++) {
    int sum = 0;
    for (int dy = 0; dy < 3; dy++)
      for (int dx = 0; dx < 3; dx++)
        if (dx != 1 || dy != 1)
          sum += tile[now][y + dy][x + dx];
    int old = tile[now][y + 1][x + 1];
    int next = sum % 5 < 2 ? old : (old + sum) / 2;
    if (next != old)
      COUNT(&changes);
    tile[1 - now][y + 1][x + 1] = next;
    look(id);
    BARRIER();
    now = 1 - now;
  }
  out[2 * id] = (unsigned)tile[now][y + 1][x + 1];
  out[2 * id + 1] = (unsigned)changes;
}
