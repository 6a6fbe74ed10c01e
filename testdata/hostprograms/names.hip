// Kernels whose names have namespaces, classes and template arguments.
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
  return hipDeviceSynchronize();
}
