// Copies in bulk between global and shared memory, by one thread: libcu++'s cuda::device::experimental.
//
// Sources: "CUDA C++ Programming Guide", "Tensor Memory Accelerator"; "PTX ISA", "cp.async.bulk", "cp.async.bulk.tensor".
#pragma once
#include "tensor_maps.h"

namespace cuda {
namespace device {
namespace experimental {
namespace detail {
static inline __device__ unsigned shared_at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static inline __device__ unsigned long long global_at(const void *p) { return __cvta_generic_to_global(p); }
} // namespace detail
static inline __device__ void fence_proxy_async_shared_cta() {
  __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
static inline __device__ void cp_async_bulk_commit_group() {
  __asm__ volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int N> static inline __device__ void cp_async_bulk_wait_group_read() {
  __asm__ volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
static inline __device__ void cp_async_bulk_global_to_shared(void *to, const void *from, unsigned n,
                                                             barrier<thread_scope_block> &b) {
  __asm__ volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   :
                   : "r"(detail::shared_at(to)), "l"(detail::global_at(from)), "r"(n), "r"(detail::shared_at(b.native()))
                   : "memory");
}
static inline __device__ void cp_async_bulk_shared_to_global(void *to, const void *from, unsigned n) {
  __asm__ volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                   :
                   : "l"(detail::global_at(to)), "r"(detail::shared_at(from)), "r"(n)
                   : "memory");
}

// Of boxes of arrays: coordinates are those of the box's first element, the first in the dimension whose elements lie
// beside each other.
static inline __device__ void cp_async_bulk_tensor_1d_global_to_shared(void *to, const CUtensorMap *map, int c0,
                                                                       barrier<thread_scope_block> &b) {
  __asm__ volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2}], [%3];"
                   :
                   : "r"(detail::shared_at(to)), "l"(map), "r"(c0), "r"(detail::shared_at(b.native()))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_1d_shared_to_global(const CUtensorMap *map, int c0,
                                                                       const void *from) {
  __asm__ volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];"
                   :
                   : "l"(map), "r"(c0), "r"(detail::shared_at(from))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_2d_global_to_shared(void *to, const CUtensorMap *map, int c0, int c1,
                                                                       barrier<thread_scope_block> &b) {
  __asm__ volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, %3}], [%4];"
                   :
                   : "r"(detail::shared_at(to)), "l"(map), "r"(c0), "r"(c1), "r"(detail::shared_at(b.native()))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_2d_shared_to_global(const CUtensorMap *map, int c0, int c1,
                                                                       const void *from) {
  __asm__ volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                   :
                   : "l"(map), "r"(c0), "r"(c1), "r"(detail::shared_at(from))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_3d_global_to_shared(void *to, const CUtensorMap *map, int c0, int c1, int c2,
                                                                       barrier<thread_scope_block> &b) {
  __asm__ volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, %3, %4}], [%5];"
                   :
                   : "r"(detail::shared_at(to)), "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(detail::shared_at(b.native()))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_3d_shared_to_global(const CUtensorMap *map, int c0, int c1, int c2,
                                                                       const void *from) {
  __asm__ volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];"
                   :
                   : "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(detail::shared_at(from))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_4d_global_to_shared(void *to, const CUtensorMap *map, int c0, int c1, int c2, int c3,
                                                                       barrier<thread_scope_block> &b) {
  __asm__ volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, %3, %4, %5}], [%6];"
                   :
                   : "r"(detail::shared_at(to)), "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(detail::shared_at(b.native()))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_4d_shared_to_global(const CUtensorMap *map, int c0, int c1, int c2, int c3,
                                                                       const void *from) {
  __asm__ volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];"
                   :
                   : "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(detail::shared_at(from))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_5d_global_to_shared(void *to, const CUtensorMap *map, int c0, int c1, int c2, int c3, int c4,
                                                                       barrier<thread_scope_block> &b) {
  __asm__ volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
                   :
                   : "r"(detail::shared_at(to)), "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(detail::shared_at(b.native()))
                   : "memory");
}
static inline __device__ void cp_async_bulk_tensor_5d_shared_to_global(const CUtensorMap *map, int c0, int c1, int c2, int c3, int c4,
                                                                       const void *from) {
  __asm__ volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4, %5}], [%6];"
                   :
                   : "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(detail::shared_at(from))
                   : "memory");
}
} // namespace experimental
} // namespace device
} // namespace cuda
