// Copies to shared memory by all threads of a group.
#pragma once
#include "../async_copies.h"
#include "../cooperative_groups.h"
#if !__has_include(<cuda/version>) // NVIDIA's libcu++ has its own
#include "../cuda/barrier"
#endif

namespace cooperative_groups {
template <class Group, class T, class U, class Size>
__device__ void memcpy_async(const Group &g, T *to, const U *from, Size bytes) {
  cuda::detail::copy_bytes(to, from, bytes, g.thread_rank(), g.size());
  cuda::detail::copies_commit();
}
// Of elements, as many as both have room for.
template <class Group, class T, class U, class To, class From>
__device__ void memcpy_async(const Group &g, T *to, To room, const U *from, From there) {
  size_t n = (size_t)room < (size_t)there ? (size_t)room : (size_t)there;
  memcpy_async(g, to, from, n * sizeof(T));
}
template <class Group> __device__ void wait(const Group &g) {
  cuda::detail::copies_end();
  g.sync();
}
template <unsigned N, class Group> __device__ void wait_prior(const Group &g) {
  cuda::detail::copies_wait<N>();
  g.sync();
}
} // namespace cooperative_groups
