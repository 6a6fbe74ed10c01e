// lanes: what lanes of one wave of 64 do with each other: ballots, counts of
// the lanes below, reads of another lane's register, and data-parallel moves.
#include "gpu.h"

typedef unsigned long long u64;

#define RESULTS 8

KERNEL lanes(const unsigned *input, unsigned *output, u64 *ballots) {
  int id = GLOBAL_X;
  int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  unsigned value = input[id];
  bool chosen = (value & 4) != 0;
  u64 ballot = __builtin_amdgcn_ballot_w64(chosen);
  int below = __builtin_amdgcn_mbcnt_hi(
      (unsigned)(ballot >> 32), __builtin_amdgcn_mbcnt_lo((unsigned)ballot, 0));

  unsigned *out = output + id * RESULTS;
  out[0] = lane;
  out[1] = below;
  out[2] = __builtin_amdgcn_readfirstlane(value);
  out[3] = __builtin_amdgcn_readlane(value, 17);
  // Pull from a lane that the data names; push to the mirrored lane.
  out[4] = __builtin_amdgcn_ds_bpermute((value & 63) * 4, value);
  out[5] = __builtin_amdgcn_ds_permute((63 - lane) * 4, value);
  // Reverse each group of four lanes; shift each row of 16 by one lane.
  out[6] = __builtin_amdgcn_update_dpp(0, value, 0x1b, 0xf, 0xf, false);
  out[7] = __builtin_amdgcn_update_dpp(-1, value, 0x111, 0xf, 0xf, false);
  if (chosen)
    out[2] += __builtin_amdgcn_readfirstlane(value);
  if (lane == 0)
    ballots[id / 64] = ballot;
}
