// reduce_warp: sums, extremes and prefix sums by shuffles of whole warps, then of warps through shared memory.
#include "look.h"

KERNEL reduce_warp(const unsigned *in, unsigned *out, int n) {
  __shared__ int sums[32];
  int id = GLOBAL_X, lane = LOCAL_X % 32, warp = LOCAL_X / 32;
  int value = (int)(in[id % n] % 1000) - 300;
  int prefix = value, sum = value, most = value;
  for (int step = 1; step < 32; step *= 2) {
    int below = SHUFFLE_UP(prefix, step);
    if (lane >= step)
      prefix += below;
    sum += SHUFFLE_XOR(sum, step);
    int other = SHUFFLE_XOR(most, step);
    most = most > other ? most : other;
  }
  unsigned positive = BALLOT(value > 0);
  if (lane == 31)
    sums[warp] = prefix;
  BARRIER();
  int base = 0;
  for (int w = 0; w < warp; w++)
    base += sums[w];
  look(id);
  out[4 * id] = (unsigned)(base + prefix);
  out[4 * id + 1] = (unsigned)sum;
  out[4 * id + 2] = (unsigned)most;
  out[4 * id + 3] = positive;
}
