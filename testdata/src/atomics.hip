// atomics: read-modify-write operations on LDS and on global memory by many
// lanes at once. Every result is the same in whatever order the lanes come.
#include "gpu.h"

typedef unsigned long long u64;

// The layout of the results, one group of which is made in LDS by each
// workgroup and one in global memory by all of them.
struct Tally {
  int sum, least, most;       // add, min, max
  unsigned product;           // compare-and-swap loop
  unsigned bits, parity;      // or, xor
  unsigned wheel;             // increment that wraps at 37
  unsigned winners;           // exchanges that found the flag down
  float weight;               // float add of whole numbers
  int pad;
  u64 total, top;             // 64-bit add and max
};

#define RELAXED __ATOMIC_RELAXED
#define WORKGROUP __HIP_MEMORY_SCOPE_WORKGROUP
#define AGENT __HIP_MEMORY_SCOPE_AGENT

// The two scopes differ only in this word, which must be a constant.
#define COUNT(tally, flags, value, scope)                                      \
  do {                                                                         \
    __hip_atomic_fetch_add(&(tally)->sum, (int)(value), RELAXED, scope);       \
    __hip_atomic_fetch_min(&(tally)->least, (int)(value), RELAXED, scope);     \
    __hip_atomic_fetch_max(&(tally)->most, (int)(value), RELAXED, scope);      \
    __hip_atomic_fetch_or(&(tally)->bits, (value) & (value) >> 7, RELAXED,     \
                          scope);                                              \
    __hip_atomic_fetch_xor(&(tally)->parity, (value), RELAXED, scope);         \
    __hip_atomic_fetch_add(&(tally)->total, (u64)(value) * 65537, RELAXED,     \
                           scope);                                             \
    __hip_atomic_fetch_max(&(tally)->top, (u64)(value) << 9, RELAXED, scope);  \
    unsigned seen = __hip_atomic_load(&(tally)->product, RELAXED, scope);      \
    while (!__hip_atomic_compare_exchange_strong(                              \
        &(tally)->product, &seen, seen * ((value) | 1), RELAXED, RELAXED,      \
        scope))                                                                \
      ;                                                                        \
    if (__hip_atomic_exchange(&(flags)[(value) % 16], 1u, RELAXED, scope) ==   \
        0)                                                                     \
      __hip_atomic_fetch_add(&(tally)->winners, 1u, RELAXED, scope);           \
  } while (0)

#define FLOAT_ADD(tally, value, scope)                                         \
  [[clang::atomic(no_remote_memory, no_fine_grained_memory,                    \
                  ignore_denormal_mode)]] {                                    \
    __hip_atomic_fetch_add(&(tally)->weight, (float)((value) % 8), RELAXED,    \
                           scope);                                             \
  }

KERNEL atomics(const unsigned *input, Tally *groups, Tally *all,
               unsigned *flags, int n) {
  __shared__ Tally mine;
  __shared__ unsigned mine_flags[16];
  int local = LOCAL_X;
  int id = GLOBAL_X;
  if (local < 16)
    mine_flags[local] = 0;
  if (local == 0)
    mine = Tally{0, 0x7fffffff, -0x7fffffff - 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  BARRIER();
  if (id < n) {
    unsigned value = input[id];
    COUNT(&mine, mine_flags, value, WORKGROUP);
    COUNT(all, flags, value, AGENT);
    FLOAT_ADD(&mine, value, WORKGROUP);
    FLOAT_ADD(all, value, AGENT);
    __builtin_amdgcn_atomic_inc32(&mine.wheel, 36, RELAXED, "workgroup");
    __builtin_amdgcn_atomic_inc32(&all->wheel, 36, RELAXED, "agent");
  }
  BARRIER();
  if (local == 0)
    groups[GROUP_X] = mine;
}
