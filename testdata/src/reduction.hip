// reduction: each workgroup of 128 sums its stretch of the input in a tree in
// LDS. Half of the lanes drop out at every level, and the barrier stands
// outside the divergent part.
#include "gpu.h"

#define GROUP 128

KERNEL reduction(const unsigned *input, unsigned *sums, int n) {
  __shared__ unsigned partial[GROUP];
  int local = LOCAL_X;
  int i = GROUP_X * GROUP + local;
  partial[local] = i < n ? input[i] : 0;
  BARRIER();
  for (int stride = GROUP / 2; stride > 0; stride /= 2) {
    if (local < stride)
      partial[local] += partial[local + stride];
    BARRIER();
  }
  if (local == 0)
    sums[GROUP_X] = partial[0];
}
