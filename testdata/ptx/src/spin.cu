// spin: a lock that lanes of one warp wait for. The lane that has it must get its turn while the others spin.
#include "gpu.h"

__device__ int taken;

KERNEL spin(unsigned *log, unsigned *count, int rounds) {
  int id = GLOBAL_X;
  for (int round = 0; round < rounds; round++) {
    while (__nvvm_atom_cas_gen_i(&taken, 0, 1) != 0)
      ;
    // Nobody else is here: a plain read and write.
    volatile unsigned *next = count;
    unsigned n = *next;
    log[n] = id;
    *next = n + 1;
    __nvvm_membar_gl();
    __nvvm_atom_xchg_gen_i(&taken, 0);
  }
}
