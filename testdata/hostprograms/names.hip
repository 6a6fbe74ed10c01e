// Kernels whose names have namespaces, classes, template arguments and parameters.
#include <hip/hip_runtime.h>

namespace linear {
template <class T> struct Pair {
  T first, second;
};
namespace dense {
template <class T, int N> __global__ void scale(T *p) {
  p[threadIdx.x] *= N;
}
} // namespace dense
} // namespace linear

namespace {
template <class T> __global__ void fill(int *p, T t) {
  p[threadIdx.x] = t.first;
}
} // namespace

// Several kernels of one name.
__global__ void shift(float *p, int) { p[threadIdx.x] += 1; }
__global__ void shift(const float *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

template <class F> __global__ void apply(F f, int *p) { p[threadIdx.x] = f(p[threadIdx.x]); }

int main() {
  float *f;
  int *i;
  if (hipMalloc(&f, 64 * sizeof *f) || hipMalloc(&i, 64 * sizeof *i))
    return 1;
  fill<<<1, 64>>>(i, linear::Pair<int>{1, 2});
  for (int k = 0; k < 3; k++) {
    linear::dense::scale<float, 3><<<1, 64>>>(f);
    linear::dense::scale<int, 16><<<1, 64>>>(i);
  }
  shift<<<1, 64>>>(f, 1);
  shift<<<1, 64>>>(f, i);
  apply<<<1, 64>>>([] __device__(int v) { return v + 1; }, i);
  return hipDeviceSynchronize();
}
