// histogram: counts in shared memory and in global memory, by atomic operations of both, of 32 and of 64 bits.
#include "gpu.h"

typedef unsigned long long u64;

KERNEL histogram(const unsigned *input, int *bins, int *least, int *most, u64 *sum, float *weight, int n) {
  __shared__ int mine[16];
  int local = LOCAL_X;
  if (local < 16)
    mine[local] = 0;
  BARRIER();
  for (int i = GLOBAL_X; i < n; i += SIZE_X * __nvvm_read_ptx_sreg_nctaid_x()) {
    unsigned value = input[i];
    __nvvm_atom_add_gen_i(&mine[value % 16], 1);
    __nvvm_atom_min_gen_i(least, (int)value);
    __nvvm_atom_max_gen_i(most, (int)value);
    __nvvm_atom_add_gen_ll((long long *)sum, (long long)value * 3);
    __nvvm_atom_add_gen_f(weight, (float)(value % 4));
  }
  BARRIER();
  if (local < 16)
    __nvvm_atom_add_gen_i(&bins[local], mine[local]);
}
