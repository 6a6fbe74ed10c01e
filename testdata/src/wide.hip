// wide: 64-bit integers and doubles. Division and square root are the
// compiler's own correctly rounded expansions.
#include "gpu.h"

typedef long long i64;
typedef unsigned long long u64;

#define RESULTS 10

// high_product is the upper half of the 128-bit product.
__device__ NOINLINE u64 high_product(u64 a, u64 b) {
  return (u64)((unsigned __int128)a * b >> 64);
}

// integers works on the bits a and b; signed and unsigned by turns.
__device__ NOINLINE void integers(u64 a, u64 b, u64 *out) {
  i64 dividend = (i64)a;
  i64 divisor = (i64)b >> 20 | 1;
  int shift = (int)(b & 63);
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = (u64)(dividend / divisor);
  out[4] = (u64)(dividend % divisor);
  out[5] = a / 1000003u;
  out[6] = a << shift ^ (u64)(dividend >> shift);
  out[7] = b >> shift;
  out[8] = dividend < (i64)b ? a : b;
  out[9] = high_product(a, b);
}

__device__ NOINLINE void doubles(double x, double y, i64 a, double *out) {
  out[0] = x + y;
  out[1] = x * y;
  out[2] = x / y;
  out[3] = __builtin_sqrt(__builtin_fabs(x));
  out[4] = __builtin_fma(x, y, -x);
  out[5] = (double)a;
  out[6] = (double)(i64)(x * 1048576.0);
  out[7] = (double)(float)x;
  out[8] = __builtin_floor(x) + __builtin_trunc(y) + (double)(int)x;
  out[9] = x < y ? (double)(unsigned)a : (double)(u64)a;
}

KERNEL wide(const u64 *a, const u64 *b, const double *d, u64 *whole,
            double *real, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  double x = (d[id] - 0.5) * 1e6;
  double y = d[n - 1 - id] * 3.0 + 0.25;
  integers(a[id], b[id], whole + id * RESULTS);
  doubles(x, y, (i64)a[id], real + id * RESULTS);
}
