// half: arithmetic on numbers of 16 bits, single and in pairs.
#include "gpu.h"

typedef _Float16 half1;
typedef half1 half2 __attribute__((ext_vector_type(2)));

KERNEL half(const half1 *a, const half1 *b, half1 *out, float *sums, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  half1 x = a[id], y = b[id];
  half1 *o = out + id * 8;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = __builtin_fmaf16(x, y, (half1)0.5f);
  o[4] = -x;
  half2 v = {x, y}, w = {y, (half1)3.0f};
  half2 r = v * w + v;
  o[5] = r.x;
  o[6] = r.y;
  o[7] = x < y ? x : y;
  sums[id] = (float)x + (float)y * 2.0f;
}
