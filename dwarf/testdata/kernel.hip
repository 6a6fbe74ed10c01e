// A kernel with what device code has in debug information: calls, inlining, LDS, private arrays.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

struct Node {
  int value;
  float weight[4];
  Node *next;
};

enum Mode { Plain = 1, Reverse = -2 };

__device__ __attribute__((noinline)) int square(int a) {
  int product = a * a;
  return product + 1;
}

static __device__ inline int twice(int q) {
  int sum = q;
  {
    int doubled = sum * 2;
    sum += doubled;
  }
  return sum;
}

__global__ void walk(int *out, Node *node, int count) {
  __shared__ int tile[64];
  int lane = __builtin_amdgcn_workitem_id_x();
  Mode mode = Plain;
  tile[lane] = lane;
  Node local;
  local.value = twice(lane);
  for (int j = 0; j < count; j++) {
    int step = square(j);
    out[lane] += step + local.value + mode;
  }
  node->weight[1] = tile[lane ^ 1];
}
