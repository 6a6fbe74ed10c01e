// scan: an inclusive sum over a workgroup, by shuffles in warps and by shared memory among them.
#include "gpu.h"

KERNEL scan(const int *input, int *output, int n) {
  __shared__ int totals[32];
  int id = GLOBAL_X, local = LOCAL_X;
  int lane = local % 32, warp = local / 32;
  int sum = id < n ? input[id] : 0;
  for (int step = 1; step < 32; step *= 2) {
    int other = __nvvm_shfl_sync_up_i32(~0u, sum, step, 0);
    if (lane >= step)
      sum += other;
  }
  if (lane == 31)
    totals[warp] = sum;
  BARRIER();
  if (warp == 0) {
    int total = lane < SIZE_X / 32 ? totals[lane] : 0;
    for (int step = 1; step < 32; step *= 2) {
      int other = __nvvm_shfl_sync_up_i32(~0u, total, step, 0);
      if (lane >= step)
        total += other;
    }
    totals[lane] = total;
  }
  BARRIER();
  if (warp > 0)
    sum += totals[warp - 1];
  if (id < n)
    output[id] = sum;
}
