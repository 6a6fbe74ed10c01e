// Kernels and data that give a code object one of everything the loader reads:
// functions, LDS, a pointer in initialized data (a dynamic relocation), a
// struct by value, launch bounds, and kernels in a namespace and in a template.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

struct Pair {
  int a;
  float b;
};

__device__ int table[4] = {1, 2, 3, 4};
__device__ int *tablePointer = table;
__device__ int zeroed[64];

__device__ __attribute__((noinline)) int helper(int x, Pair p) {
  volatile int a[4];
  a[x & 3] = x;
  return a[1] + p.a + zeroed[x & 63];
}

__global__ void vecadd(const float *a, float *b, int n, Pair p) {
  __shared__ int lds[64];
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  lds[i & 63] = helper(i, p);
  if (i < n)
    b[i] = a[i] + lds[i & 7] + *tablePointer;
}

__global__ void __attribute__((amdgpu_flat_work_group_size(64, 64))) bounded(int *q) {
  q[__builtin_amdgcn_workitem_id_x()] = __builtin_amdgcn_workitem_id_y();
}

namespace outer {
__global__ void nested(int *q) { *q = 1; }
}

template <typename T> __global__ void scale(T *q) { *q *= 2; }
template __global__ void scale<int>(int *);
template __global__ void scale<float>(float *);
