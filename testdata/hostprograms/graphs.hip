// A host program of HIP whose work is in graphs, captured or made by hand, and in memory
// pools. It says what is wrong.
#include <hip/hip_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#define OK(call) expect(__LINE__, #call, call, hipSuccess)

enum { N = 100 };

static void expect(int line, const char *what, hipError_t got, hipError_t want) {
  if (got == want) return;
  printf("line %d: %s: %s, not %s\n", line, what, hipGetErrorName(got), hipGetErrorName(want));
  exit(1);
}

static void same(int line, long got, long want) {
  if (got == want) return;
  printf("line %d: %ld, not %ld\n", line, got, want);
  exit(1);
}
#define SAME(got, want) same(__LINE__, (long)(got), (long)(want))

__global__ void add(int *p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += v;
}

__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}

__device__ int bias;

__global__ void biased(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += bias;
}

static int calls;
static void count(void *by) { calls += *(int *)by; }

static hipGraphNode_t kernel(hipGraph_t g, hipGraphNode_t after, void *f, void **args) {
  hipKernelNodeParams p = {};
  p.func = f;
  p.gridDim = dim3(2);
  p.blockDim = dim3(64);
  p.kernelParams = args;
  hipGraphNode_t n;
  OK(hipGraphAddKernelNode(&n, g, after ? &after : nullptr, after ? 1 : 0, &p));
  return n;
}

// Nodes of all kinds, added in another order than they depend on each other.
static void by_hand() {
  int *d, h[N], v = 3, n = N, by = 1;
  OK(hipMalloc(&d, sizeof h));
  hipGraph_t g;
  OK(hipGraphCreate(&g, 0));
  void *add_args[] = {&d, &n, &v}, *twice_args[] = {&d, &n};
  hipGraphNode_t last, host, fill, empty, symbol;
  hipGraphNode_t doubled = kernel(g, nullptr, (void *)twice, twice_args);
  hipGraphNode_t added = kernel(g, nullptr, (void *)add, add_args);
  v = 1000; // arguments are copied when a node is added
  OK(hipGraphAddMemcpyNode1D(&last, g, nullptr, 0, h, d, sizeof h, hipMemcpyDeviceToHost));
  hipHostNodeParams call = {count, &by};
  OK(hipGraphAddHostNode(&host, g, &last, 1, &call));
  hipMemsetParams zero = {};
  zero.dst = d;
  zero.elementSize = 4;
  zero.width = N;
  zero.height = 1;
  zero.value = 5;
  OK(hipGraphAddMemsetNode(&fill, g, nullptr, 0, &zero));
  OK(hipGraphAddEmptyNode(&empty, g, &host, 1));
  static int seven = 7;
  OK(hipGraphAddMemcpyNodeToSymbol(&symbol, g, nullptr, 0, (const void *)&bias, &seven, sizeof seven, 0,
                                   hipMemcpyHostToDevice));
  hipGraphNode_t from[] = {fill, added, doubled, symbol}, to[] = {added, doubled, last, fill};
  OK(hipGraphAddDependencies(g, from, to, 4));
  expect(__LINE__, "an edge twice", hipGraphAddDependencies(g, from, to, 1), hipErrorInvalidValue);
  size_t count = 0, roots = 0, edges = 0;
  OK(hipGraphGetNodes(g, nullptr, &count));
  OK(hipGraphGetRootNodes(g, nullptr, &roots));
  OK(hipGraphGetEdges(g, nullptr, nullptr, &edges));
  SAME(count, 7), SAME(roots, 1), SAME(edges, 6);
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, g, nullptr, nullptr, 0));
  for (int i = 0; i < 3; i++)
    OK(hipGraphLaunch(exec, 0));
  OK(hipDeviceSynchronize());
  SAME(h[N - 1], 16), SAME(calls, 3);
  // Other arguments, in the executable graph only.
  hipKernelNodeParams p;
  OK(hipGraphKernelNodeGetParams(added, &p));
  SAME(*(int *)p.kernelParams[2], 3), SAME(p.gridDim.x, 2);
  p.kernelParams = add_args;
  OK(hipGraphExecKernelNodeSetParams(exec, added, &p));
  OK(hipGraphLaunch(exec, 0));
  OK(hipDeviceSynchronize());
  SAME(h[0], 2010);
  // As a part of another graph, which has a circle at first.
  hipGraph_t outer;
  hipGraphNode_t child, after;
  OK(hipGraphCreate(&outer, 0));
  OK(hipGraphAddChildGraphNode(&child, outer, nullptr, 0, g));
  after = kernel(outer, child, (void *)biased, twice_args);
  OK(hipGraphAddDependencies(outer, &after, &child, 1));
  hipGraphExec_t bad;
  expect(__LINE__, "a circle", hipGraphInstantiate(&bad, outer, nullptr, nullptr, 0), hipErrorInvalidValue);
  OK(hipGraphRemoveDependencies(outer, &after, &child, 1));
  OK(hipGraphInstantiate(&bad, outer, nullptr, nullptr, 0));
  OK(hipGraphLaunch(bad, 0));
  OK(hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost));
  SAME(h[1], 16 + 7);
  OK(hipGraphDestroyNode(after));
  OK(hipGraphGetNodes(outer, nullptr, &count));
  SAME(count, 1);
  OK(hipGraphExecDestroy(bad));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(outer));
  OK(hipGraphDestroy(g));
  OK(hipFree(d));
}

// Two streams that are captured into one graph.
static void captured() {
  int *d, h[N] = {}, by = 10;
  hipStream_t a, b;
  hipEvent_t fork, join;
  OK(hipStreamCreate(&a));
  OK(hipStreamCreate(&b));
  OK(hipEventCreate(&fork));
  OK(hipEventCreate(&join));
  OK(hipMalloc(&d, sizeof h));
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  OK(hipMemcpyAsync(d, h, sizeof h, hipMemcpyHostToDevice, a));
  add<<<2, 64, 0, a>>>(d, N, 1);
  OK(hipEventRecord(fork, a));
  OK(hipStreamWaitEvent(b, fork, 0));
  twice<<<2, 64, 0, b>>>(d, N);
  OK(hipEventRecord(join, b));
  OK(hipStreamWaitEvent(a, join, 0));
  OK(hipMemsetAsync(d, 0, sizeof(int), a));
  OK(hipLaunchHostFunc(a, count, &by));
  OK(hipMemcpyAsync(h, d, sizeof h, hipMemcpyDeviceToHost, a));
  hipStreamCaptureStatus status;
  OK(hipStreamIsCapturing(b, &status));
  SAME(status, hipStreamCaptureStatusActive);
  calls = 0;
  hipGraph_t g;
  OK(hipStreamEndCapture(a, &g));
  OK(hipDeviceSynchronize());
  SAME(h[1], 0), SAME(calls, 0); // nothing has been done
  OK(hipStreamIsCapturing(b, &status));
  SAME(status, hipStreamCaptureStatusNone);
  size_t nodes = 0;
  OK(hipGraphGetNodes(g, nullptr, &nodes));
  SAME(nodes, 6);
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, g, nullptr, nullptr, 0));
  OK(hipGraphDestroy(g)); // the executable graph is its own
  OK(hipGraphLaunch(exec, a));
  OK(hipStreamSynchronize(a));
  SAME(h[0], 0), SAME(h[1], 2), SAME(calls, 10);
  OK(hipGraphLaunch(exec, a));
  OK(hipStreamSynchronize(a));
  SAME(h[1], 6);
  OK(hipGraphExecDestroy(exec));
  // A call that waits ends a capture badly.
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  expect(__LINE__, "waiting", hipStreamSynchronize(a), hipErrorStreamCaptureUnsupported);
  expect(__LINE__, "the end", hipStreamEndCapture(a, &g), hipErrorStreamCaptureInvalidated);
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  OK(hipEventDestroy(fork));
  OK(hipEventDestroy(join));
  OK(hipFree(d));
}

static void pools() {
  hipMemPool_t pool;
  hipStream_t s;
  uint64_t used = 1, keep = ~0ull;
  int *p, h[N];
  OK(hipStreamCreate(&s));
  OK(hipDeviceGetDefaultMemPool(&pool, 0));
  OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
  OK(hipMallocAsync(&p, N * sizeof *p, s));
  OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
  SAME(used, N * sizeof *p);
  OK(hipMemsetAsync(p, 0, N * sizeof *p, s));
  add<<<2, 64, 0, s>>>(p, N, 4);
  OK(hipMemcpyAsync(h, p, sizeof h, hipMemcpyDeviceToHost, s));
  OK(hipFreeAsync(p, s));
  OK(hipStreamSynchronize(s));
  SAME(h[99], 4);
  OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
  SAME(used, 0);
  OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemHigh, &used));
  SAME(used, N * sizeof *p);
  OK(hipMemPoolTrimTo(pool, 0));
  OK(hipStreamDestroy(s));
}

int main() {
  by_hand();
  captured();
  pools();
  printf("graphs: done\n");
}
