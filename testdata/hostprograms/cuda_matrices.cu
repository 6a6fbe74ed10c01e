// Products of matrices that warps hold, of every shape and type that mma.h has, held against the host's sums.
#include <mma.h>
#include <cstdio>
#include <cstring>
#include <type_traits>
using namespace nvcuda;
using rows = wmma::row_major;
using columns = wmma::col_major;

// A value is a type of elements as the host has them, in memory of its own width.
template <class T> struct value {
  typedef T type;
  enum { bits = 8 * sizeof(T), low = std::is_unsigned<T>::value ? 0 : -3 };
};
template <> struct value<wmma::precision::tf32> { typedef float type; enum { bits = 32, low = -3 }; };
template <> struct value<wmma::experimental::precision::s4> { typedef unsigned type; enum { bits = 4, low = -3 }; };
template <> struct value<wmma::experimental::precision::u4> { typedef unsigned type; enum { bits = 4, low = 0 }; };
template <> struct value<wmma::experimental::precision::b1> { typedef unsigned type; enum { bits = 1, low = 0 }; };

template <int M, int N, int K, class T, class A, class B, class C, class D>
__global__ void multiply(const void *a, const void *b, const C *c, D *d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, A> x;
  wmma::fragment<wmma::matrix_b, M, N, K, T, B> y;
  wmma::fragment<wmma::accumulator, M, N, K, C> z;
  wmma::fragment<wmma::accumulator, M, N, K, D> sum;
  wmma::load_matrix_sync(x, a, std::is_same<A, rows>::value ? K : M);
  wmma::load_matrix_sync(y, b, std::is_same<B, rows>::value ? N : K);
  wmma::load_matrix_sync(z, c, N, wmma::mem_row_major);
  for (int i = 0; i < z.num_elements; i++) z.x[i] = z.x[i] + z.x[i];
#ifdef BITS
  wmma::bmma_sync(sum, x, y, z, wmma::experimental::bmmaBitOpAND);
#else
  wmma::mma_sync(sum, x, y, z);
#endif
  wmma::store_matrix_sync(d, sum, M, wmma::mem_col_major);
}

static unsigned seed = 1;
static int next(int low, int many) { return low + (int)((seed = seed * 1103515245 + 12345) >> 16) % many; }

template <class T> void put(void *p, int i, int v) {
  typedef typename value<T>::type type;
  enum { bits = value<T>::bits };
  if constexpr (bits >= 8) ((type *)p)[i] = (type)v;
  else ((unsigned char *)p)[i * bits / 8] |= (v & ((1 << bits) - 1)) << i * bits % 8;
}

static int wrong, tried;
template <int M, int N, int K, class T, class A, class B, class C, class D> void check() {
  enum { low = value<T>::low, many = value<T>::bits == 1 ? 2 : 7, bytes = value<T>::bits < 8 ? 8 : value<T>::bits };
  void *a, *b;
  C *c;
  D *d;
  cudaMallocManaged(&a, M * K * bytes / 8);
  cudaMallocManaged(&b, N * K * bytes / 8);
  cudaMallocManaged(&c, M * N * sizeof *c);
  cudaMallocManaged(&d, M * N * sizeof *d);
  memset(a, 0, M * K * bytes / 8), memset(b, 0, N * K * bytes / 8);
  double x[M][K], y[K][N];
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      put<T>(a, std::is_same<A, rows>::value ? i * K + k : k * M + i, (int)(x[i][k] = next(low, many)));
  for (int k = 0; k < K; k++)
    for (int j = 0; j < N; j++)
      put<T>(b, std::is_same<B, rows>::value ? k * N + j : j * K + k, (int)(y[k][j] = next(low, many)));
  for (int i = 0; i < M * N; i++) c[i] = (C)next(-3, 7);
  multiply<M, N, K, T, A, B, C, D><<<1, 32>>>(a, b, c, d);
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = 2 * (double)c[i * N + j];
      for (int k = 0; k < K; k++) sum += x[i][k] * y[k][j];
      bad += (double)d[j * M + i] != sum;
    }
  if (bad) printf("%s: %d wrong\n", __PRETTY_FUNCTION__, bad);
  wrong += bad != 0, tried++;
}

template <class T, class C, class D> void shapes() {
  check<16, 16, 16, T, rows, columns, C, D>();
  check<32, 8, 16, T, columns, columns, C, D>();
  check<8, 32, 16, T, rows, rows, C, D>();
}

int main() {
#ifdef BITS
  check<8, 8, 128, wmma::experimental::precision::b1, rows, columns, int, int>();
#else
  shapes<__half, float, float>();
  shapes<__half, __half, __half>();
  check<16, 16, 16, __half, columns, rows, __half, float>();
  check<16, 16, 16, __half, columns, rows, float, __half>();
  shapes<signed char, int, int>();
  shapes<unsigned char, int, int>();
  shapes<__nv_bfloat16, float, float>();
  check<16, 16, 8, wmma::precision::tf32, rows, columns, float, float>();
  check<16, 16, 8, wmma::precision::tf32, columns, rows, float, float>();
  check<8, 8, 4, double, rows, columns, double, double>();
  check<8, 8, 4, double, columns, rows, double, double>();
  check<8, 8, 32, wmma::experimental::precision::s4, rows, columns, int, int>();
  check<8, 8, 32, wmma::experimental::precision::u4, rows, columns, int, int>();
#endif
  printf("%d products, %d wrong\n", tried, wrong);
}
