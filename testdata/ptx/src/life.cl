// life: generations of a game of life whose rows are words, in local memory, with barriers.
__attribute__((noinline)) void look(int id) { __asm__ volatile("" : : "r"(id)); }

__kernel void life(__global const uint *in, __global uint *out, int n) {
  __local uint rows[2][34];
  int id = GLOBAL_ID, y = LOCAL_ID;
  if (y < 2)
    rows[y][0] = rows[y][33] = 0;
  rows[0][y + 1] = in[id % n];
  WAIT();
  int now = 0;
  uint born = 0;
  for (int generation = 0; generation < 4; generation++) {
    uint next = 0;
    for (int x = 0; x < 32; x++) {
      int around = 0;
      for (int dy = 0; dy < 3; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if ((dx != 0 || dy != 1) && x + dx >= 0 && x + dx < 32)
            around += rows[now][y + dy] >> (x + dx) & 1;
      int alive = rows[now][y + 1] >> x & 1;
      if (around == 3 || (alive && around == 2))
        next |= 1u << x;
      born += around == 3 && !alive;
    }
    rows[1 - now][y + 1] = next;
    WAIT();
    now = 1 - now;
  }
  look(id);
  out[2 * id] = rows[now][y + 1];
  out[2 * id + 1] = born;
}
