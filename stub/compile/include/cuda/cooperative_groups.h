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
};
static inline __device__ thread_block this_thread_block() { return thread_block(); }

template <unsigned N, class Parent = void> class thread_block_tile;

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
  template <class T> __device__ T shfl(T v, int from) const { return __shfl_sync(mask, v, from, N); }
  template <class T> __device__ T shfl_up(T v, unsigned n) const { return __shfl_up_sync(mask, v, n, N); }
  template <class T> __device__ T shfl_down(T v, unsigned n) const { return __shfl_down_sync(mask, v, n, N); }
  template <class T> __device__ T shfl_xor(T v, int n) const { return __shfl_xor_sync(mask, v, n, N); }
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
    return __shfl_sync(mask, v, __builtin_ctz(m));
  }
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
};
static inline __device__ grid_group this_grid() { return grid_group(); }

template <class Group> __device__ void sync(const Group &g) { g.sync(); }

// Sums and the like of what the lanes of a tile have.
template <class T> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};
template <unsigned N, class P, class T, class Op> __device__ T reduce(const thread_block_tile<N, P> &g, T v, Op op) {
  for (unsigned n = N / 2; n > 0; n /= 2) v = op(v, g.shfl_xor(v, n));
  return v;
}
} // namespace cooperative_groups
