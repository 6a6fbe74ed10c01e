// A CUDA program of numbers of 16 bits, groups of threads and a cooperative launch.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cassert>
namespace cg = cooperative_groups;
__global__ void halves(half *a, half2 *b, nv_bfloat16 *c, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  half x = __float2half(i * 0.25f), y = __hfma(x, x, __int2half_rn(1));
  a[i] = y + __shfl_xor_sync(0xffffffff, x, 1);
  b[i] = __hadd2(__halves2half2(x, y), __float2half2_rn(0.5f));
  c[i] = __float2bfloat16(i * 1.0f) * nv_bfloat16(3.0f);
  float sum = cg::reduce(tile, (float)x, cg::plus<float>());
  out[i] = fmaxf(sum, -1.0f) + max((float)tile.thread_rank(), -1.0f);
  atomicAdd(&a[0], half(1.0f));
  if (i % 3 == 0) {
    auto g = cg::coalesced_threads();
    out[i] += 1000 * g.thread_rank() + 100000 * g.size();
  }
}
__global__ void together(int *p, int n) {
  auto grid = cg::this_grid();
  for (int s = 0; s < 3; s++) {
    if (grid.thread_rank() == 0) p[0]++;
    grid.sync();
    int v = p[0];
    assert(v == s + 1);
    grid.sync();
  }
  atomicAdd(p + 1, 1);
}
// NVIDIA's grid.sync() as it is compiled: a launch has a workspace, whose address is in two registers. Blocks count
// themselves in its second word, whose top bit changes when all have come.
__device__ void by_workspace() {
  unsigned high, low;
  __asm__ volatile("mov.u32 %0, %%envreg1; mov.u32 %1, %%envreg2;" : "=r"(high), "=r"(low));
  unsigned *workspace = (unsigned *)((unsigned long long)high << 32 | low);
  if (!workspace) __trap();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned nb = blockIdx.x ? 1 : 0x80000000 - (gridDim.x - 1);
    __threadfence();
    unsigned before = atomicAdd(workspace + 1, nb);
    while (!((before ^ ((volatile unsigned *)workspace)[1]) & 0x80000000))
      ;
    __threadfence();
  }
  __syncthreads();
}
__global__ void meeting(int *p) {
  for (int s = 0; s < 3; s++) {
    if (blockIdx.x == s && threadIdx.x == 0) p[0]++;
    by_workspace();
    assert(p[0] == s + 1);
    by_workspace();
  }
  atomicAdd(p + 1, 1);
}
__global__ void count(int *p, int most, cudaGraphConditionalHandle again) {
  cudaGraphSetConditional(again, ++*p < most);
}
// A graph whose kernel says whether it runs again.
static void loop(int *p) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle again;
  int most = 7;
  void *args[] = {&p, &most, &again};
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams c = {cudaGraphNodeTypeConditional}, k = {cudaGraphNodeTypeKernel};
  c.conditional.handle = again, c.conditional.type = cudaGraphCondTypeWhile, c.conditional.size = 1;
  cudaGraphAddNode(&node, graph, NULL, NULL, 0, &c);
  k.kernel.func = (void *)count, k.kernel.gridDim = k.kernel.blockDim = dim3(1), k.kernel.kernelParams = args;
  cudaGraphAddNode(&node, c.conditional.phGraph_out[0], NULL, 0, &k);
  cudaGraphInstantiate(&exec, graph, 0);
  *p = 0;
  cudaGraphLaunch(exec, 0);
  printf("%d %d\n", cudaDeviceSynchronize(), *p);
}
int main() {
  enum { N = 64 };
  half *a;
  half2 *b;
  nv_bfloat16 *c;
  float *out;
  int *p, n = N;
  cudaMallocManaged(&a, N * sizeof *a);
  cudaMallocManaged(&b, N * sizeof *b);
  cudaMallocManaged(&c, N * sizeof *c);
  cudaMallocManaged(&out, N * sizeof *out);
  cudaMallocManaged(&p, 2 * sizeof *p);
  halves<<<2, 32>>>(a, b, c, out, N);
  void *args[] = {&p, &n};
  cudaError_t e = cudaLaunchCooperativeKernel(together, dim3(8), dim3(64), args);
  printf("%d %d\n", e, cudaDeviceSynchronize());
  printf("%g %g %g | %g %g | %g %g | %g %g %g | %d %d\n", (float)a[0], (float)a[5], (float)a[63], (float)b[7].x,
         (float)b[7].y, (float)c[9], (float)c[63], out[0], out[5], out[63], p[0], p[1]);
  // A number between two, and ones at the ends.
  const float odd[] = {2049, 2051, 65519, 65520, 0x1p-25f, 0x1.8p-25f, 1.00390625f, 1.01171875f};
  for (float x : odd) printf("%g %g ", (float)half(x), (float)nv_bfloat16(x));
  printf("%d\n", max(min(3u, 7), 2u));
  loop(p);
  p[0] = p[1] = 0;
  e = cudaLaunchCooperativeKernel(meeting, dim3(8), dim3(64), args);
  printf("%d %d: %d %d\n", e, cudaDeviceSynchronize(), p[0], p[1]);
}
