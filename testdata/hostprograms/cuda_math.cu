// A CUDA program that calls functions of mathematics by the names that they have for doubles, with floats: on the device
// and on the host, which must agree.
#include <cmath>
#include <cstdio>

__host__ __device__ int all(float *p, long long *q, float x, float y, long long n) {
  int i = 0;
  p[i++] = acosh(x); p[i++] = asinh(x); p[i++] = atanh(x / 2); p[i++] = cbrt(x); p[i++] = erf(x); p[i++] = erfc(x);
  p[i++] = exp2(x); p[i++] = expm1(x); p[i++] = lgamma(x); p[i++] = log1p(x); p[i++] = log2(x); p[i++] = logb(x);
  p[i++] = nearbyint(x); p[i++] = rint(x); p[i++] = round(x); p[i++] = tgamma(x); p[i++] = trunc(x);
  p[i++] = copysign(x, y); p[i++] = fdim(x, y); p[i++] = fmax(x, y); p[i++] = fmin(x, y); p[i++] = hypot(x, y);
  p[i++] = nextafter(x, y); p[i++] = remainder(x, y); p[i++] = fma(x, y, x); p[i++] = scalbn(x, 3);
  p[i++] = scalbln(x, 3l); p[i++] = ilogb(x); p[i++] = lrint(x); p[i++] = lround(x); p[i++] = llrint(x);
  p[i++] = llround(x); p[i++] = sqrt(x); p[i++] = sin(x); p[i++] = pow(x, y); p[i++] = fabs(x); p[i++] = exp(x);
  p[i++] = log10(x); p[i++] = floor(x); p[i++] = atan2(x, y); p[i++] = fmod(x, y); p[i++] = ldexp(x, 2);
  p[i++] = std::abs(x); p[i++] = max(x, y); p[i++] = min(x, 2.0); p[i++] = max(3, 4u);
  q[0] = llabs(n);
  return i;
}

__global__ void on_device(float *p, long long *q, float x, float y, long long n) { all(p, q, x, y, n); }

int main() {
  float *p, own[100];
  long long *q, whole[1];
  cudaMallocManaged(&p, sizeof own);
  cudaMallocManaged(&q, sizeof whole);
  int n = all(own, whole, 1.3f, 2.7f, -5000000000ll), bad = 0;
  on_device<<<1, 1>>>(p, q, 1.3f, 2.7f, -5000000000ll);
  if (cudaDeviceSynchronize()) return 1;
  for (int i = 0; i < n; i++)
    if (!(fabsf(p[i] - own[i]) <= 4e-6f * fabsf(own[i]))) bad++, printf("%d: %g, not %g\n", i, p[i], own[i]);
  printf("%d functions, %d differ, %lld\n", n, bad, q[0] - whole[0]);
}
