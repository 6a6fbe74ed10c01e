// More values than v0 to v255 have room for: they are in the registers from v256 on that gfx1250 has, and so are
// operands of instructions of each kind, addresses and data of memory among them.
#include "../../src/gpu.h"

constexpr int Words = 280, Reals = 40, Groups = 8;

KERNEL __attribute__((amdgpu_flat_work_group_size(64, 64), amdgpu_waves_per_eu(1, 1)))
pressure(int *out, const int *in, double *sums, unsigned *counts, int rounds) {
  __shared__ int shared[64 * Groups];
  int id = GLOBAL_X, lane = LOCAL_X;
  int word[Words];
  double real[Reals];
#pragma unroll
  for (int k = 0; k < Words; k++)
    word[k] = in[id * Words + k];
#pragma unroll
  for (int k = 0; k < Reals; k++)
    real[k] = word[k * 5] * 0.125;
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int k = 0; k < Words; k++) {
      int other = word[(k * 7 + 1) % Words];
      word[k] = k % 3 == 0 ? word[k] * 3 + other : k % 3 == 1 ? (word[k] ^ other) + r : word[k] - (other >> 3);
    }
#pragma unroll
    for (int k = 0; k < Reals; k++)
      real[k] = real[k] * 0.5 + real[(k + 11) % Reals];
#pragma unroll
    for (int k = 0; k < Groups; k++)
      shared[k * 64 + lane] = word[k * 31];
    BARRIER();
#pragma unroll
    for (int k = 0; k < Groups; k++)
      word[k * 33 + 2] += shared[k * 64 + (lane ^ 17)];
    BARRIER();
    if (word[r % 4] < 0)
      word[250] += lane;
  }
#pragma unroll
  for (int k = 0; k < Words; k++)
    out[id * Words + k] = word[k];
#pragma unroll
  for (int k = 0; k < Reals; k++)
    sums[id * Reals + k] = real[k];
#pragma unroll
  for (int k = 0; k < 4; k++)
    __hip_atomic_fetch_add(&counts[word[k * 70] & 15], (unsigned)word[k * 70 + 9] & 255, __ATOMIC_RELAXED,
                           __HIP_MEMORY_SCOPE_AGENT);
}
