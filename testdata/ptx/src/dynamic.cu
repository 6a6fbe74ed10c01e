// dynamic: shared memory whose size the launch says, behind some that the kernel has itself; two views of it.
#include "gpu.h"

extern __shared__ int pool[];

KERNEL dynamic(const int *input, int *output, int n) {
  __shared__ short own[32];
  int local = LOCAL_X, size = SIZE_X;
  long long *wide = (long long *)(pool + size);
  pool[local] = input[GROUP_X * size + local];
  wide[local] = (long long)local << 33;
  if (local < 32)
    own[local] = (short)(local * 3);
  BARRIER();
  unsigned total;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(total));
  output[GROUP_X * size + local] =
      pool[size - 1 - local] + (int)(wide[(local + 1) % size] >> 32) + own[local % 32] + (int)total * 1000;
}
