// A CUDA program that calls functions of mathematics by the names that they have for doubles, with floats: on the device
// and on the host, which must agree; and conversions of numbers of 8 and 16 bits.
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>

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

// Each number of 8 bits comes back, and what lies between two of them goes to the nearest, a double in one step.
__host__ __device__ int narrow(__nv_fp8_interpretation_t as, int largest) {
  int bad = 0;
  auto value = [as](int code) { return (float)__half(__nv_cvt_fp8_to_halfraw(code, as)); };
  for (int c = 0; c < largest; c++) {
    float low = value(c), middle = (low + value(c + 1)) / 2;
    bad += __nv_cvt_float_to_fp8(low, __NV_SATFINITE, as) != c;
    bad += __nv_cvt_float_to_fp8(-low, __NV_SATFINITE, as) != c + 128;
    bad += __nv_cvt_halfraw_to_fp8(__half(low), __NV_NOSAT, as) != c;
    bad += __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16(low), __NV_NOSAT, as) != c;
    bad += __nv_cvt_float_to_fp8(middle, __NV_SATFINITE, as) != c + c % 2;
    bad += __nv_cvt_double_to_fp8(middle, __NV_SATFINITE, as) != c + c % 2;
    bad += __nv_cvt_double_to_fp8(middle * (1 + 0x1p-40), __NV_SATFINITE, as) != c + 1;
    bad += __nv_cvt_double_to_fp8(middle * (1 - 0x1p-40), __NV_SATFINITE, as) != c;
  }
  bad += __nv_cvt_double_to_fp8(1e300, __NV_SATFINITE, as) != largest;
  bad += __nv_cvt_double_to_fp8(-1e-300, __NV_SATFINITE, as) != 128;
  __half_raw one = __half(1.0f);
  return bad + (__nv_bfloat16_raw(__nv_bfloat16(1.0f)).x != 0x3f80) + (one.x != 0x3c00);
}

// What lies between two numbers of 16 bits goes down, up and toward zero; a number itself stays.
template <class T> __device__ int directed(T (*down)(float), T (*up)(float), T (*zero)(float), unsigned infinite) {
  int bad = 0;
  for (unsigned c = 0; c < infinite - 1; c += 61) {
    T low = T::of(c), high = T::of(c + 1);
    float x = (float)low / 2 + (float)high / 2, same = low;
    bad += down(x).bits() != c || up(x).bits() != c + 1 || zero(x).bits() != c;
    bad += down(-x).bits() != c + 0x8001 || up(-x).bits() != c + 0x8000 || zero(-x).bits() != c + 0x8000;
    bad += down(same).bits() != c || up(same).bits() != c || zero(same).bits() != c;
  }
  return bad + (zero(3.4e38f).bits() != infinite - 1) + (up(3.4e38f).bits() != infinite);
}

// Pairs are compared one by one; products of bytes are added; of several integers the greatest.
__device__ int pairs_and_products(unsigned a, unsigned b) {
  int bad = 0, sum = 5, half = 5;
  unsigned usum = 5;
  for (int i = 0; i < 4; i++) {
    sum += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    usum += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    if (i < 2) half += (short)(a >> 16 * i) * (signed char)(b >> (8 * i + 16));
  }
  bad += __dp4a((int)a, (int)b, 5) != sum || __dp4a(a, b, 5u) != usum || __dp2a_hi((int)a, (int)b, 5) != half;
  __half2 x{1.0f, 2.0f}, y{1.0f, __half(__builtin_nanf(""))};
  bad += __heq2_mask(x, y) != 0xffff || __hequ2_mask(x, y) != ~0u || __hbeq2(x, y) || !__hbequ2(x, y);
  bad += (float)__hne2(x, y).y != 1 || (float)__hmax_nan(y.x, y.x) != 1 || !__hisnan(__hmax2_nan(x, y).y);
  bad += (float)__hfma_sat(x.y, x.y, x.x) != 1 || (float)__hfma_relu(x.y, -x.y, x.x) != 0;
  bad += __half2int_ru(__half(2.5f)) != 3 || __half2uint_rz(__half(-2.5f)) != 0 || (float)__int2half_rd(2049) != 2048;
  __nv_fp8x4_e4m3 four(float4{1, -0.5f, 448, 0});
  float4 back = (float4)four;
  bad += back.x != 1 || back.y != -0.5f || back.z != 448 || back.w != 0 || four.__x != 0x007eb038;
  __half2 two = __nv_cvt_fp8x2_to_halfraw2(__nv_cvt_float2_to_fp8x2({1, -2}, __NV_SATFINITE, __NV_E5M2), __NV_E5M2);
  bad += (float)two.x != 1 || (float)two.y != -2;
  bool first;
  bad += __vimax3_s32(1, -2, 7) != 7 || __viaddmin_s32(3, 4, 9) != 7 || __vibmax_u32(3u, 4u, &first) != 4 || first;
  return bad + (__match_any_sync(__activemask(), 7l) != __activemask());
}

__global__ void narrow_on_device(int *bad) {
  *bad = narrow(__NV_E4M3, 0x7e) + narrow(__NV_E5M2, 0x7b) + pairs_and_products(0x81f37f12, 0xfe80057f) +
         directed<__half>(__float2half_rd, __float2half_ru, __float2half_rz, 0x7c00) +
         directed<__nv_bfloat16>(__float2bfloat16_rd, __float2bfloat16_ru, __float2bfloat16_rz, 0x7f80);
  for (int i = -40; i <= 40; i++) {
    __half x(i * 0.25f);
    *bad += (float)hrint(x) != rintf(x) || (float)htrunc(x) != truncf(x);
    *bad += (float)h2rint({x, x}).y != rintf(x);
  }
}

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
  int *wrong;
  cudaMallocManaged(&wrong, sizeof *wrong);
  narrow_on_device<<<1, 1>>>(wrong);
  if (cudaDeviceSynchronize()) return 1;
  printf("narrow %d %d\n", narrow(__NV_E4M3, 0x7e) + narrow(__NV_E5M2, 0x7b), *wrong);
  printf("%d functions, %d differ, %lld\n", n, bad, q[0] - whole[0]);
}
