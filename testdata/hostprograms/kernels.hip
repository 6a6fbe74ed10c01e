// The kernels of program.c: what host programs do with memory, variables,
// assertions and printf.
#include <hip/hip_runtime.h>

#include <assert.h>
#include <stdio.h>

struct Node {
  Node *next;
  int *values;
  int count;
};

__device__ int bias;
__constant__ int weights[4];
__managed__ int counter = 5;

__device__ __attribute__((noinline)) int twice(int v) {
  return 2 * v;
}

extern "C" __global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = i + bias;
}

extern "C" __global__ void scale(int *p, int n, int round) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = twice(p[i]) + round;
}

extern "C" __global__ void walk(Node *first, int *sum) {
  int total = 0;
  for (Node *n = first; n; n = n->next)
    for (int i = 0; i < n->count; i++)
      total += n->values[i] * weights[i % 4];
  sum[threadIdx.x] = total;
  atomicAdd(&counter, 1);
}

extern "C" __global__ void check(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    assert(p[i] < 100);
}

extern "C" __global__ void beyond(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = n;
}

extern "C" __global__ void say(int n) {
  printf("lane %d of %d\n", (int)threadIdx.x, n);
}

extern "C" __global__ void race(int *p) {
  p[0] = threadIdx.x;
}

__device__ int *remembered[64];

extern "C" __global__ void remember(int n) {
  remembered[threadIdx.x] = (int *)malloc(sizeof(int));
  *remembered[threadIdx.x] = n + threadIdx.x;
}

extern "C" __global__ void recall(int *sum) {
  atomicAdd(sum, *remembered[threadIdx.x]);
  free(remembered[threadIdx.x]);
}
