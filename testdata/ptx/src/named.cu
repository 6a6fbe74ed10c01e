// named: barriers with numbers and counts. Warps 0 and 1 make, warps 2 and 3 use; then all count by a barrier that
// reduces.
#include "gpu.h"

__device__ void meet(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

KERNEL named(const int *input, int *output, int rounds) {
  __shared__ int slot[64];
  int id = LOCAL_X, local = id % 64;
  int total = 0;
  for (int round = 0; round < rounds; round++) {
    if (id < 64) { // two warps make
      meet(1, 64); // … together
      slot[local] = input[local] * (round + 1);
      arrive(2, 128);
      meet(3, 128);
      total += slot[63 - local];
    } else { // two warps use
      meet(2, 128);
      total += slot[local ^ 5];
      slot[local] = round;
      // The next value is of a slot that this lane has written.
      total += slot[local];
      meet(4, 64);
      arrive(3, 128);
    }
  }
  int count = 0, all = 0, any = 0;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 100; barrier.cta.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(total)
               : "memory");
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, -1; bar.red.and.pred q, 0, p; selp.b32 %0, 1, 0, q; }"
               : "=r"(all)
               : "r"(total)
               : "memory");
  asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 77; bar.red.or.pred q, 5, 128, p; selp.b32 %0, 1, 0, q; }"
               : "=r"(any)
               : "r"(id)
               : "memory");
  output[id] = total + count * 1000000 + all * 2 + any;
}
