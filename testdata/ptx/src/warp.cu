// warp: what the lanes of a warp do with each other: shuffles of every kind, votes, matches, and the same from
// branches that part the warp.
#include "gpu.h"

#define RESULTS 16

KERNEL warp(const unsigned *input, unsigned *output) {
  int id = GLOBAL_X;
  int lane = __nvvm_read_ptx_sreg_laneid();
  int value = (int)input[id];
  unsigned *out = output + id * RESULTS;
  out[0] = __nvvm_shfl_sync_up_i32(~0u, value, 3, 0);
  out[1] = __nvvm_shfl_sync_down_i32(~0u, value, 5, 31);
  out[2] = __nvvm_shfl_sync_bfly_i32(~0u, value, 9, 31);
  out[3] = __nvvm_shfl_sync_idx_i32(~0u, value, value, 31);
  // Segments of eight lanes.
  out[4] = __nvvm_shfl_sync_down_i32(~0u, value, 2, 0x1807);
  out[5] = __nvvm_shfl_sync_idx_i32(~0u, value, 1, 0x1807 | 31);
  bool odd = value & 1;
  out[6] = __nvvm_vote_ballot_sync(~0u, odd);
  out[7] = __nvvm_vote_any_sync(~0u, value % 64 == 0) | __nvvm_vote_all_sync(~0u, value != 0) << 1 |
           __nvvm_vote_uni_sync(~0u, lane < 32) << 2;
  out[8] = __nvvm_match_any_sync_i32(~0u, value & 7);
  out[9] = __nvvm_match_any_sync_i64(~0u, (long long)(value & 3) << 40);
  if (odd) {
    unsigned mask = __nvvm_activemask();
    out[10] = mask;
    out[11] = __nvvm_shfl_sync_idx_i32(mask, value, __builtin_ctz(mask), 31);
    out[12] = __nvvm_vote_ballot_sync(mask, value & 2);
  } else {
    out[10] = 1;
    out[11] = 2;
    out[12] = __nvvm_vote_ballot_sync(out[6] ^ ~0u, value & 4);
  }
  // The two sides of a branch meet in one operation, each from a call of its own.
  if (lane < 16)
    out[13] = __nvvm_shfl_sync_bfly_i32(~0u, value, 16, 31);
  else
    out[13] = __nvvm_shfl_sync_bfly_i32(~0u, value + 1, 16, 31);
  unsigned sum = value & 0xffff;
  for (int step = 16; step; step >>= 1)
    sum += __nvvm_shfl_sync_bfly_i32(~0u, sum, step, 31);
  out[14] = sum;
  // A sum over those lanes that have the same low bits.
  unsigned peers = out[8], total = 0;
  for (unsigned rest = peers; rest; rest &= rest - 1)
    total += __nvvm_shfl_sync_idx_i32(peers, value, __builtin_ctz(rest), 31);
  out[15] = total;
}
