// What the kernels of ../src that are compiled for the host need besides ../../host/gpu.h: warps, of 32 threads of the
// host each, whose lanes exchange values, and words of OpenCL C.
#pragma once
#include_next "gpu.h"

#define SIZE_X hidden_arguments.group_size[0]
#define __constant__ const
#define COUNT(at) __atomic_fetch_add(at, 1, __ATOMIC_RELAXED)

struct Warp {
  pthread_barrier_t barrier;
  int slots[32];
  Warp() { pthread_barrier_init(&barrier, nullptr, 32); }
};
static Warp warps[32];

// exchange gives each lane what the lane FROM of its warp has; its own if there is no such lane.
static inline int exchange(int value, int from) {
  Warp &w = warps[here.local[0] / 32];
  w.slots[here.local[0] % 32] = value;
  pthread_barrier_wait(&w.barrier);
  int got = from >= 0 && from < 32 ? w.slots[from] : value;
  pthread_barrier_wait(&w.barrier);
  return got;
}

static inline unsigned ballot(bool predicate) {
  unsigned all = 0;
  for (int lane = 0; lane < 32; lane++)
    all |= (unsigned)exchange(predicate, lane) << lane;
  return all;
}

#define SHUFFLE_UP(value, by) exchange(value, (int)(here.local[0] % 32) - (by))
#define SHUFFLE_XOR(value, by) exchange(value, (int)(here.local[0] % 32) ^ (by))
#define BALLOT(predicate) ballot(predicate)

typedef unsigned char uchar;
typedef unsigned long ulong;
typedef int int4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef short short2 __attribute__((ext_vector_type(2)));
typedef uchar uchar4 __attribute__((ext_vector_type(4)));

#define GLOBAL_ID ((int)GLOBAL_X)
#define LOCAL_ID ((int)LOCAL_X)
#define WAIT() BARRIER()
