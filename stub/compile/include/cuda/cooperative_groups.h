// Groups of threads as CUDA programs use them: blocks, tiles of a warp, the lanes that run together, and the grid of a
// cooperative launch.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned num_threads() { return size(); }
  static __device__ unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }
  // Who arrives waits when it says that it waits: no thread can tell.
  struct arrival_token {};
  static __device__ arrival_token barrier_arrive() { return {}; }
  static __device__ void barrier_wait(arrival_token &&) { __syncthreads(); }
};
static inline __device__ thread_block this_thread_block() { return thread_block(); }

template <unsigned N, class Parent = void> class thread_block_tile;

// shuffled moves a value of any type between lanes, as words that a function moves.
template <class T, class F> __device__ T shuffled(T v, F move) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &v, sizeof v);
  for (unsigned &w : words) w = move(w);
  __builtin_memcpy(&v, words, sizeof v);
  return v;
}

// Lanes of a warp: those of a mask, numbered from 0 on. A tile is called a thread_block_tile, whatever it is of.
class lanes {
protected:
  unsigned mask, number, count;
  __device__ lanes(unsigned mask, unsigned number, unsigned count) : mask(mask), number(number), count(count) {}

public:
  __device__ void sync() const { __syncwarp(mask); }
  __device__ unsigned size() const { return count; }
  __device__ unsigned num_threads() const { return count; }
  __device__ unsigned thread_rank() const { return number; }
  __device__ unsigned lanes_of() const { return mask; }
  __device__ int any(int p) const { return __any_sync(mask, p); }
  __device__ int all(int p) const { return __all_sync(mask, p); }

protected:
  // among is those lanes of the mask that a mask of lanes of the warp has, in the numbers of the group.
  __device__ unsigned among(unsigned of) const {
    unsigned out = 0;
    int n = 0;
    for (unsigned m = mask; m; m &= m - 1, n++) out |= (of >> __builtin_ctz(m) & 1) << n;
    return out;
  }

public:
  template <class T> __device__ unsigned match_any(T v) const { return among(__match_any_sync(mask, v)); }
  template <class T> __device__ unsigned match_all(T v, int &all) const { return among(__match_all_sync(mask, v, &all)); }
};

// N lanes side by side, N a power of two.
template <unsigned N, class Parent> class thread_block_tile : public lanes {
  static __device__ unsigned lane() { return thread_block::thread_rank() % 32; }

public:
  __device__ thread_block_tile()
      : lanes(N >= 32 ? 0xffffffffu : ((1u << N % 32) - 1) << (lane() / N * N) % 32, lane() % N, N) {}
  template <class P> __device__ thread_block_tile(const thread_block_tile<N, P> &) : thread_block_tile() {}
  __device__ unsigned meta_group_rank() const { return thread_block::thread_rank() / N; }
  __device__ unsigned meta_group_size() const { return (thread_block::size() + N - 1) / N; }
  template <class T> __device__ T shfl(T v, int from) const {
    return shuffled(v, [&](unsigned w) { return __shfl_sync(mask, w, from, N); });
  }
  template <class T> __device__ T shfl_up(T v, unsigned n) const {
    return shuffled(v, [&](unsigned w) { return __shfl_up_sync(mask, w, n, N); });
  }
  template <class T> __device__ T shfl_down(T v, unsigned n) const {
    return shuffled(v, [&](unsigned w) { return __shfl_down_sync(mask, w, n, N); });
  }
  template <class T> __device__ T shfl_xor(T v, int n) const {
    return shuffled(v, [&](unsigned w) { return __shfl_xor_sync(mask, w, n, N); });
  }
  __device__ unsigned ballot(int p) const { return (__ballot_sync(mask, p) & mask) >> __builtin_ctz(mask); }
};
// Room that tiles of more than a warp would want: there are none.
template <unsigned N = 1024> struct block_tile_memory {
  char room[8];
};
template <unsigned N> __device__ thread_block this_thread_block(block_tile_memory<N> &) { return thread_block(); }
template <unsigned N, class Group> __device__ thread_block_tile<N, Group> tiled_partition(const Group &) {
  return thread_block_tile<N, Group>();
}

// The lanes that run together.
class coalesced_group : public lanes {
public:
  __device__ coalesced_group(unsigned mask)
      : lanes(mask, __builtin_popcount(mask & ((1u << thread_block::thread_rank() % 32) - 1)), __builtin_popcount(mask)) {}
  template <class T> __device__ T shfl(T v, int from) const {
    unsigned m = mask;
    for (int i = 0; i < from; i++) m &= m - 1;
    return shuffled(v, [&](unsigned w) { return __shfl_sync(mask, w, __builtin_ctz(m)); });
  }
  template <class T> __device__ T shfl_up(T v, unsigned n) const { return shfl(v, (int)(number < n ? number : number - n)); }
  template <class T> __device__ T shfl_down(T v, unsigned n) const {
    return shfl(v, (int)(number + n < count ? number + n : number));
  }
  __device__ unsigned ballot(int p) const { return among(__ballot_sync(mask, p)); }
};
static inline __device__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// The lanes of a group for which a condition, or a label, is the same.
template <class Group> __device__ coalesced_group binary_partition(const Group &, bool p) {
  unsigned here = __activemask(), yes = __ballot_sync(here, p);
  return coalesced_group(p ? yes : here & ~yes);
}
template <class Group, class T> __device__ coalesced_group labeled_partition(const Group &, T label) {
  return coalesced_group(__match_any_sync(__activemask(), label));
}

// Any group of threads of a block.
class thread_group {
  unsigned mask; // of lanes of a warp; 0: all of the block
  unsigned number, count;

public:
  __device__ thread_group(const thread_block &)
      : mask(0), number(thread_block::thread_rank()), count(thread_block::size()) {}
  template <unsigned N, class P> __device__ thread_group(const thread_block_tile<N, P> &g)
      : mask(g.lanes_of()), number(g.thread_rank()), count(N) {}
  // Lanes side by side of a block's.
  __device__ thread_group(unsigned mask, unsigned number, unsigned count) : mask(mask), number(number), count(count) {}
  __device__ thread_group(const coalesced_group &g)
      : mask(g.lanes_of()), number(g.thread_rank()), count(g.size()) {}
  __device__ void sync() const {
    if (mask) __syncwarp(mask);
    else __syncthreads();
  }
  __device__ unsigned size() const { return count; }
  __device__ unsigned num_threads() const { return count; }
  __device__ unsigned thread_rank() const { return number; }
};

static inline __device__ thread_group tiled_partition(const thread_group &, unsigned n) {
  unsigned lane = thread_block::thread_rank() % 32;
  return thread_group(n >= 32 ? 0xffffffffu : ((1u << n) - 1) << lane / n * n, lane % n, n);
}

// The blocks of a cluster, which wait for each other and access each other's shared memory.
class cluster_group {
public:
  typedef thread_block::arrival_token arrival_token;
  static __device__ arrival_token barrier_arrive() {
    __asm__ volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    return {};
  }
  static __device__ void barrier_wait() { __asm__ volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
  static __device__ void barrier_wait(arrival_token &&) { barrier_wait(); }
  static __device__ void sync() {
    barrier_arrive();
    barrier_wait();
  }
#define __cluster_register(name, of)                         \
  static __device__ unsigned name() {                        \
    unsigned v;                                              \
    __asm__("mov.u32 %0, %%" of ";" : "=r"(v));              \
    return v;                                                \
  }
  __cluster_register(block_rank, "cluster_ctarank") __cluster_register(num_blocks, "cluster_nctarank")
#undef __cluster_register
#define __cluster_place(name, of)                                                     \
  static __device__ dim3 name() {                                                     \
    dim3 v;                                                                           \
    __asm__("mov.u32 %0, %%" of ".x; mov.u32 %1, %%" of ".y; mov.u32 %2, %%" of ".z;" \
            : "=r"(v.x), "=r"(v.y), "=r"(v.z));                                       \
    return v;                                                                         \
  }
  __cluster_place(block_index, "cluster_ctaid") __cluster_place(dim_blocks, "cluster_nctaid")
#undef __cluster_place
  static __device__ dim3 thread_index() {
    dim3 b = block_index();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
  }
  static __device__ dim3 dim_threads() {
    dim3 n = dim_blocks();
    return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
  }
  static __device__ unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static __device__ unsigned size() { return num_threads(); }
  static __device__ unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  template <class T> static __device__ T *map_shared_rank(T *p, int rank) {
    unsigned long long at;
    __asm__("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"(p), "r"(rank));
    return (T *)at;
  }
  static __device__ unsigned query_shared_rank(const void *p) {
    unsigned rank;
    __asm__("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
    return rank;
  }
};
static inline __device__ cluster_group this_cluster() { return cluster_group(); }

// All threads of a launch by cudaLaunchCooperativeKernel. Its blocks count themselves in, and wait for the others; no
// launch uses more than one grid at once.
class grid_group {
  static __device__ unsigned *arrived() {
    static __device__ unsigned count;
    return &count;
  }

public:
  static __device__ bool is_valid() { return true; }
  static __device__ unsigned num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  static __device__ unsigned block_rank() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  static __device__ unsigned long long size() { return (unsigned long long)num_blocks() * thread_block::size(); }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long thread_rank() {
    return (unsigned long long)block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static __device__ void sync() {
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      unsigned *count = arrived();
      __threadfence();
      unsigned before = atomicAdd(count, 1u), goal = before - before % num_blocks() + num_blocks();
      while ((int)(*(volatile unsigned *)count - goal) < 0) __nanosleep(100);
      __threadfence();
    }
    __syncthreads();
  }
  static __device__ thread_block::arrival_token barrier_arrive() { return {}; }
  static __device__ void barrier_wait(thread_block::arrival_token &&) { sync(); }
};
static inline __device__ grid_group this_grid() { return grid_group(); }

template <class Group> __device__ void sync(const Group &g) { g.sync(); }

// Sums and the like of what the lanes of a group have.
#define GROUP_OPERATION(name, what)                      \
  template <class T = int> struct name {                 \
    __device__ T operator()(T a, T b) const { return what; } \
  };
GROUP_OPERATION(plus, a + b)
GROUP_OPERATION(greater, a > b ? a : b)
GROUP_OPERATION(less, a < b ? a : b)
GROUP_OPERATION(bit_and, a & b)
GROUP_OPERATION(bit_or, a | b)
GROUP_OPERATION(bit_xor, a ^ b)
#undef GROUP_OPERATION
template <unsigned N, class P, class T, class Op> __device__ T reduce(const thread_block_tile<N, P> &g, T v, Op op) {
  for (unsigned n = N / 2; n > 0; n /= 2) v = op(v, g.shfl_xor(v, n));
  return v;
}
template <class T, class Op> __device__ T reduce(const coalesced_group &g, T v, Op op) {
  T all = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) all = op(all, g.shfl(v, (int)i));
  return all;
}
template <class Group, class T, class Op> __device__ T inclusive_scan(const Group &g, T v, Op op) {
  for (unsigned n = 1; n < g.size(); n *= 2) {
    T before = g.shfl_up(v, n);
    if (g.thread_rank() >= n) v = op(before, v);
  }
  return v;
}
template <class Group, class T> __device__ T inclusive_scan(const Group &g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class Group, class T, class Op> __device__ T exclusive_scan(const Group &g, T v, Op op) {
  T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() ? before : T();
}
template <class Group, class T> __device__ T exclusive_scan(const Group &g, T v) { return exclusive_scan(g, v, plus<T>()); }
// One thread of a group does something for it.
template <class Group, class F, class... Args> __device__ void invoke_one(const Group &g, F f, Args... args) {
  if (g.thread_rank() == 0) f(args...);
}
} // namespace cooperative_groups
