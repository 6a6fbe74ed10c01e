// A host program of CUDA's runtime API, in scenarios.
//
//   usage: cuda SCENARIO…
#include "expect.h"
#include <cassert>
#include <cuda_runtime.h>

template <class T> struct pair {
  T first, second;
};

__constant__ float weights[4];
__device__ int counter;
__device__ pair<double> last = {1.5, 2.5};

template <class T> __global__ void scale(T *y, const T *x, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + weights[i % 4];
}

__global__ void sum(const int *x, int *out, int n, pair<char> p) {
  __shared__ int part[32];
  extern __shared__ int more[];
  int v = threadIdx.x < n ? x[threadIdx.x] : 0;
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  more[threadIdx.x] = v;
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = more[threadIdx.x];
  __syncthreads();
  if (threadIdx.x) return;
  int total = p.first - p.second;
  for (unsigned i = 0; i < blockDim.x / 32; i++) total += part[i];
  atomicAdd(out, total);
  atomicAdd(&counter, 1);
  last.second = sqrt((double)total);
}

__global__ void says(int n) { printf("thread %d of %d, %s %.2f\n", threadIdx.x, n, "half", threadIdx.x * 0.5); }
__global__ void asserts(int n) { assert(threadIdx.x < n); }
__global__ void beyond(int *p) { p[64 + threadIdx.x] = 1; }

// together has every block wait for all others.
__global__ void together(int *arrived, int *seen) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x);
    seen[blockIdx.x] = *(volatile int *)arrived;
  }
}

// What kernels allocate is there for those behind them.
struct node {
  node *next;
  int value;
};
__global__ void chain(node **head, int n) {
  for (int i = 0; i < n; i++) *head = new node{*head, i};
}
__global__ void unchain(node **head, int *out) {
  for (int i = 0; *head; i++) {
    node *first = *head;
    out[i] = first->value;
    *head = first->next;
    delete first;
  }
}

static float values[N];

static void kernels() {
  float w[4] = {0, 1, 2, 3}, got[N];
  float *x, *y;
  OK(cudaMemcpyToSymbol(weights, w, sizeof w));
  OK(cudaMalloc(&x, sizeof values));
  OK(cudaMalloc(&y, sizeof values));
  for (int i = 0; i < N; i++) values[i] = i;
  OK(cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice));
  scale<<<dim3(4), 32>>>(y, x, 2.0f, N);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) expect("scale", got[i], 2 * i + i % 4);
  int *m, many;
  OK(cudaMallocManaged(&m, 65 * sizeof *m));
  for (int i = 0; i < 64; i++) m[i] = i;
  m[64] = 5;
  pair<char> p = {7, 3};
  sum<<<1, 64, 64 * sizeof(int)>>>(m, m + 64, 64, p);
  OK(cudaDeviceSynchronize());
  expect("sum", m[64], 5 + 4 + 64 * 63 / 2);
  OK(cudaMemcpyFromSymbol(&many, counter, sizeof many));
  expect("counter", many, 1);
  pair<double> two;
  OK(cudaMemcpyFromSymbol(&two, last, sizeof two));
  expect("last", two.first * 1000 + two.second, 1500 + 44);
  size_t size;
  OK(cudaGetSymbolSize(&size, last));
  expect("size", size, sizeof two);
  IS(cudaErrorInvalidValue, cudaFree((char *)x + 4));
  IS(cudaErrorInvalidValue, cudaGetLastError());
  OK(cudaFree(x));
  OK(cudaFree(y));
  OK(cudaFree(m));
}

static void reached(void *p) { ++*(int *)p; }

static void keeping() {
  enum { COUNT = 20 };
  node **head;
  int *out, got[COUNT];
  OK(cudaMalloc(&head, sizeof *head));
  OK(cudaMemset(head, 0, sizeof *head));
  OK(cudaMalloc(&out, sizeof got));
  for (int round = 0; round < 3; round++) {
    chain<<<1, 1>>>(head, COUNT);
    unchain<<<1, 1>>>(head, out);
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) expect("a value in the chain", got[i], COUNT - 1 - i);
  }
  OK(cudaFree(head));
  OK(cudaFree(out));
}

static void streams() {
  float *x, *y, *host, ms = -1;
  int calls = 0;
  cudaStream_t a, b;
  cudaEvent_t begun, done;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  OK(cudaEventCreate(&begun));
  OK(cudaEventCreate(&done));
  OK(cudaMallocHost(&host, sizeof values));
  OK(cudaMalloc(&x, sizeof values));
  OK(cudaMalloc(&y, sizeof values));
  for (int i = 0; i < N; i++) host[i] = i;
  OK(cudaEventRecord(begun, a));
  OK(cudaMemcpyAsync(x, host, sizeof values, cudaMemcpyHostToDevice, a));
  OK(cudaMemsetAsync(y, 0, sizeof values, a));
  OK(cudaLaunchHostFunc(a, reached, &calls));
  OK(cudaEventRecord(done, a));
  OK(cudaStreamWaitEvent(b, done));
  scale<<<4, 32, 0, b>>>(y, x, 3.0f, N);
  OK(cudaMemcpyAsync(host, y, sizeof values, cudaMemcpyDeviceToHost, b));
  OK(cudaStreamSynchronize(b));
  OK(cudaEventElapsedTime(&ms, begun, done));
  expect("time", ms >= 0, 1);
  expect("calls", calls, 1);
  for (int i = 0; i < N; i++) expect("stream", host[i], 3 * i);
  cudaGraph_t g;
  cudaGraphExec_t e;
  OK(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal));
  scale<<<4, 32, 0, b>>>(x, y, 2.0f, N);
  scale<<<4, 32, 0, b>>>(y, x, 2.0f, N);
  OK(cudaStreamEndCapture(b, &g));
  OK(cudaGraphInstantiate(&e, g));
  for (int i = 0; i < 2; i++) OK(cudaGraphLaunch(e, b));
  OK(cudaStreamSynchronize(b));
  OK(cudaMemcpy(host, y, sizeof values, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) expect("graph", host[i], 48 * i);
  OK(cudaGraphExecDestroy(e));
  OK(cudaGraphDestroy(g));
  OK(cudaStreamDestroy(a));
  OK(cudaStreamDestroy(b));
}

static void properties() {
  cudaDeviceProp p;
  cudaFuncAttributes f;
  cudaPointerAttributes at;
  int n, major, blocks, grid, block, *q;
  OK(cudaGetDeviceCount(&n));
  expect("devices", n, 1);
  OK(cudaGetDeviceProperties(&p, 0));
  OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  expect("major", p.major, major);
  expect("warp", p.warpSize, 32);
  expect("threads", p.maxThreadsPerBlock, 1024);
  expect("shared", p.sharedMemPerBlock, 48 << 10);
  expect("optional", p.sharedMemPerBlockOptin, 227 << 10);
  printf("%s, %d.%d\n", p.name, p.major, p.minor);
  OK(cudaFuncGetAttributes(&f, sum));
  expect("static shared", f.sharedSizeBytes, 32 * sizeof(int));
  expect("most threads", f.maxThreadsPerBlock, 1024);
  OK(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 256, 0));
  expect("blocks", blocks, 8);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, sum));
  expect("best block", block, 256);
  OK(cudaMalloc(&q, 100));
  OK(cudaPointerGetAttributes(&at, q));
  expect("memory", at.type, cudaMemoryTypeDevice);
  OK(cudaPointerGetAttributes(&at, &p));
  expect("memory", at.type, cudaMemoryTypeUnregistered);
  int can = 1;
  OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  expect("peer", can, 0);
  IS(cudaErrorInvalidDevice, cudaSetDevice(1));
  IS(cudaErrorInvalidDevice, cudaPeekAtLastError());
  IS(cudaErrorInvalidDevice, cudaGetLastError());
  OK(cudaGetLastError());
  scale<<<1, 2000>>>((float *)0, (float *)0, 0.0f, 0);
  IS(cudaErrorInvalidConfiguration, cudaGetLastError());
  const int errors[] = {0, 1, 2, 9, 98, 100, 209, 600, 700, 719, 801, 999, 12345};
  for (int e : errors)
    printf("%s\n", cudaGetErrorName((cudaError_t)e));
}

static void waiting() {
  int *arrived, *seen, blocks = 8;
  OK(cudaMallocManaged(&arrived, 9 * sizeof(int)));
  seen = arrived + 1;
  void *args[] = {&arrived, &seen};
  OK(cudaLaunchCooperativeKernel(together, blocks, 64, args));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < blocks; i++) expect("seen", seen[i], blocks);
}

static void printing() {
  says<<<1, 3>>>(3);
  OK(cudaDeviceSynchronize());
}

static void asserting() {
  asserts<<<1, 40>>>(37);
  IS(cudaErrorAssert, cudaDeviceSynchronize());
}

static void faulting() {
  int *p;
  OK(cudaMalloc(&p, 64 * sizeof *p));
  beyond<<<1, 32>>>(p);
  IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main(int count, char **args) {
  static const scenario all[] = {{"kernels", kernels},     {"streams", streams}, {"keeping", keeping},   {"properties", properties},
                                 {"waiting", waiting},     {"printing", printing}, {"asserting", asserting},
                                 {"faulting", faulting},   {}};
  return run_scenarios(all, count, args);
}
