// Clusters of several blocks: shared memory of each other, their barrier, copies to many blocks, barriers of others.
#include <cooperative_groups.h>
#include <cstdio>
#include <cudaTypedefs.h>
namespace cg = cooperative_groups;
enum { THREADS = 64, BINS = 96, GROUP = 4, N = 5000, TILE = 16 };

// A histogram whose bins the blocks of a cluster share among them.
__global__ void histogram(const int *data, int n, int *bins) {
  __shared__ int mine[BINS / GROUP];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < BINS / GROUP; i += blockDim.x) mine[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int bin = data[i];
    atomicAdd(cluster.map_shared_rank(mine, bin / (BINS / GROUP)) + bin % (BINS / GROUP), 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < BINS / GROUP; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * (BINS / GROUP) + i], mine[i]);
}

// Where each block is, in clusters of 2 by 3 by 1; it writes that to the shared memory of the next one, which waits for
// it unless it is careless.
__global__ void places(uint4 *out, bool careless) {
  __shared__ uint4 from;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  dim3 at = cluster.block_index(), of = cluster.dim_blocks();
  uint4 *to = cluster.map_shared_rank(&from, next);
  auto token = cluster.barrier_arrive(); // all blocks have begun
  cluster.barrier_wait(cg::cluster_group::arrival_token(token));
  if (threadIdx.x == 0)
    *to = make_uint4(rank, at.x + 10 * at.y + 100 * at.z, of.x + 10 * of.y + 100 * of.z,
                     cluster.query_shared_rank(to) + 100 * cluster.thread_rank() + cluster.size());
  if (!careless) cluster.sync();
  if (threadIdx.x == 1) out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = from;
}

static __device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ unsigned of_rank(const void *p, unsigned rank) {
  unsigned at;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared(p)), "r"(rank));
  return at;
}
static __device__ void await(void *barrier, unsigned parity) {
  asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;"
               " @!done bra again; }" ::"r"(shared(barrier)), "r"(parity) : "memory");
}

// The first block copies rows of a matrix to all blocks; each adds its own, and tells the first one, asynchronously.
__global__ void spread(const __grid_constant__ CUtensorMap map, int *sums, int *told) {
  __shared__ alignas(128) int tile[TILE][TILE];
  __shared__ alignas(8) unsigned long long come, done, result[GROUP];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&come)));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(&done)), "r"(GROUP));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(&come)), "r"((int)sizeof tile));
    if (rank == 0) // of its own arrivals and the bytes of the others
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared(&done)), "r"(8 * GROUP));
  }
  cluster.sync();
  if (rank == 0 && threadIdx.x == 0) {
    int row = blockIdx.x / GROUP * TILE;
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared(tile)), "l"(&map), "r"(0), "r"(row), "r"(shared(&come)),
                 "h"((short)((1 << GROUP) - 1)) : "memory");
  }
  await(&come, 0);
  if (threadIdx.x == 0) {
    unsigned long long sum = 0;
    for (int y = 0; y < TILE; y++)
      for (int x = rank; x < TILE; x += GROUP) sum += tile[y][x];
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u64 [%0], %1, [%2];"
                 ::"r"(of_rank(&result[rank], 0)), "l"(sum), "r"(of_rank(&done, 0)) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(of_rank(&done, 0)) : "memory");
    if (rank == 0) {
      await(&done, 0);
      for (int i = 0; i < GROUP; i++) sums[blockIdx.x + i] = (int)result[i];
    }
    unsigned inside, here;
    asm("{ .reg .pred p, q; isspacep.shared::cta p, %2; isspacep.shared::cluster q, %2; selp.u32 %0, 1, 0, p;"
        " selp.u32 %1, 1, 0, q; }" : "=r"(here), "=r"(inside) : "l"(cluster.map_shared_rank(tile, 1)));
    told[blockIdx.x] = here + 10 * inside;
  }
  cluster.sync(); // nobody ends while others write to its memory
}

template <class... P, class... A>
static cudaError_t launch(void (*f)(P...), dim3 grid, dim3 block, dim3 cluster, A... args) {
  cudaLaunchAttribute how = {};
  how.id = cudaLaunchAttributeClusterDimension;
  how.val.clusterDim.x = cluster.x, how.val.clusterDim.y = cluster.y, how.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t c = {};
  c.gridDim = grid, c.blockDim = block, c.attrs = &how, c.numAttrs = 1;
  return cudaLaunchKernelEx(&c, f, args...);
}

int main(int argc, char **) {
  bool careless = argc > 1;
  static int data[N], bins[BINS], want[BINS], matrix[2 * TILE][TILE], sums[2 * GROUP], told[2 * GROUP];
  static uint4 at[2 * 3 * 4];
  int *in, *out, wrong = 0;
  for (int i = 0; i < N; i++) want[data[i] = (i * 7919 + i / 3) % BINS]++;
  cudaMalloc(&in, sizeof data), cudaMalloc(&out, sizeof at);
  cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof at);
  launch(histogram, 2 * GROUP, THREADS, GROUP, in, (int)N, out);
  cudaMemcpy(bins, out, sizeof bins, cudaMemcpyDeviceToHost);
  for (int i = 0; i < BINS; i++) wrong += bins[i] != want[i];
  printf("bins: %d wrong\n", wrong), wrong = 0;

  launch(places, dim3(4, 3, 2), 8, dim3(2, 3, 1), (uint4 *)out, careless);
  cudaMemcpy(at, out, sizeof at, cudaMemcpyDeviceToHost);
  for (unsigned z = 0; z < 2; z++)
    for (unsigned y = 0; y < 3; y++)
      for (unsigned x = 0; x < 4; x++) {
        unsigned rank = y * 2 + x % 2, before = (rank + 5) % 6;
        uint4 v = at[(z * 3 + y) * 4 + x];
        wrong += v.x != before || v.y != before % 2 + 10 * (before / 2) || v.z != 132 ||
                 v.w != rank + 100 * before * 8 + 48;
      }
  printf("places: %d wrong\n", wrong), wrong = 0;

  for (int y = 0; y < 2 * TILE; y++)
    for (int x = 0; x < TILE; x++) matrix[y][x] = y * 100 + x * x;
  cudaMemcpy(in, matrix, sizeof matrix, cudaMemcpyHostToDevice);
  void *found = nullptr;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, nullptr);
  CUtensorMap map;
  cuuint64_t size[] = {TILE, 2 * TILE}, pitch[] = {TILE * sizeof(int)};
  cuuint32_t box[] = {TILE, TILE}, step[] = {1, 1};
  ((PFN_cuTensorMapEncodeTiled)found)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, size, pitch, box, step,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  launch(spread, 2 * GROUP, 32, GROUP, map, out, out + 2 * GROUP);
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(told, out + 2 * GROUP, sizeof told, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 2 * GROUP; b++) {
    int sum = 0;
    for (int y = 0; y < TILE; y++)
      for (int x = b % GROUP; x < TILE; x += GROUP) sum += matrix[b / GROUP * TILE + y][x];
    wrong += sums[b] != sum || told[b] != (b % GROUP == 1 ? 11 : 10);
  }
  printf("sums: %d wrong\n", wrong);

  // What cannot be: a grid that is no multiple of the cluster, a cluster that is too large, one of no blocks.
  printf("%s", cudaGetErrorName(launch(places, 4, 8, 3, (uint4 *)out, false)));
  printf(" %d", launch(places, 32, 8, 32, (uint4 *)out, false) == cudaErrorInvalidClusterSize);
  printf(" %d", launch(places, 32, 8, dim3(2, 0, 1), (uint4 *)out, false) == cudaErrorInvalidClusterSize);
  int n = 0, can = 0;
  cudaDeviceGetAttribute(&can, cudaDevAttrClusterLaunch, 0);
  cudaLaunchConfig_t c = {};
  c.gridDim = 8, c.blockDim = 32;
  cudaOccupancyMaxPotentialClusterSize(&n, spread, &c);
  cudaFuncAttributes kernel;
  cudaFuncGetAttributes(&kernel, spread); // compiled for less than what the device is
  printf(" %d %d %d %s\n", can, n, kernel.ptxVersion, cudaGetErrorName(cudaDeviceSynchronize()));
}
