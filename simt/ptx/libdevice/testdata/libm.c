// What the C library of the host has for the functions of NVIDIA's device library that C has too:
// lines of NAME, the bits of up to three arguments, and the bits of the result. See build.sh.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double x) { uint64_t b; memcpy(&b, &x, 8); return b; }
static uint32_t bitsf(float x) { uint32_t b; memcpy(&b, &x, 4); return b; }

static const double values[] = {0.0, -0.0, 0.5, -0.75, 1.0, -1.0, 1.5, 2.0, 2.5, -3.25, 0.1, 7.0, 10.0, -20.5,
                                0.001,                                 1e-10, 33.3, 123.456, -1e5, 3e10, INFINITY, -INFINITY};
typedef unsigned long long u64;

#define N (int)(sizeof values / sizeof *values)

#define ONE(op) \
  for (int i = 0; i < N; i++) { \
    printf("%s %llx %llx\n", #op, (u64)bits(values[i]), (u64)bits(op(values[i]))); \
    printf("%sf %x %x\n", #op, bitsf((float)values[i]), bitsf(op##f((float)values[i]))); \
  }
#define TWO(op) \
  for (int i = 0; i < N; i++) \
    for (int j = 0; j < N; j += 3) { \
      double y = values[(j + i) % N]; \
      printf("%s %llx,%llx %llx\n", #op, (u64)bits(values[i]), (u64)bits(y), \
             (u64)bits(op(values[i], y))); \
      printf("%sf %x,%x %x\n", #op, bitsf((float)values[i]), bitsf((float)y), \
             bitsf(op##f((float)values[i], (float)y))); \
    }

int main(void) {
  ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
  ONE(cosh) ONE(erf)
  ONE(erfc) ONE(exp) ONE(exp10) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(j0) ONE(j1) ONE(lgamma) ONE(log)
  ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(nearbyint) ONE(rint) ONE(round) ONE(sin) ONE(sinh)
  ONE(sqrt) ONE(tan)
  ONE(tanh) ONE(tgamma) ONE(trunc) ONE(y0) ONE(y1)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter)
  TWO(pow) TWO(remainder)
  for (int i = 0; i < N; i++) {
    double x = values[i];
    float f = (float)x;
    unsigned long long b = bits(x);
    if (isfinite(x)) {
      for (int n = -70; n < 80; n += 23) {
        printf("ldexp %llx,%x %llx\n", b, n, (u64)bits(ldexp(x, n)));
        printf("scalbnf %x,%x %x\n", bitsf(f), n, bitsf(scalbnf(f, n)));
      }
      printf("ilogb %llx %x\n", b, x == 0 ? 0x80000000u : (unsigned)ilogb(x));
      printf("llrint %llx %llx\nllround %llx %llx\n", b, (long long)llrint(x), b, (long long)llround(x));
      printf("llrintf %x %llx\n", bitsf(f), (long long)llrintf(f));
    }
    for (int n = 0; n < 4; n++) {
      printf("jn %x,%llx %llx\n", n, b, (u64)bits(jn(n, x)));
      printf("yn %x,%llx %llx\n", n, b, (u64)bits(yn(n, x)));
      printf("powi %llx,%x %llx\n", b, n, (u64)bits(pow(x, n)));
    }
    printf("isnand %llx %x\nisinfd %llx %x\n", b, isnan(x) != 0, b, isinf(x) != 0);
    printf("isfinited %llx %x\nsignbitd %llx %x\n", b, isfinite(x) != 0, b, signbit(x) != 0);
    printf("isnanf %x %x\nisinff %x %x\nfinitef %x %x\nsignbitf %x %x\n", bitsf(f), isnan(f) != 0, bitsf(f),
           isinf(f) != 0, bitsf(f), isfinite(f) != 0, bitsf(f), signbit(f) != 0);
    for (int j = 0; j < N; j += 5) {
      double y = values[(i + j) % N];
      printf("fma %llx,%llx,%llx %llx\n", b, (u64)bits(y), (u64)bits(0.3),
             (u64)bits(fma(x, y, 0.3)));
      printf("fmaf %x,%x,%x %x\n", bitsf(f), bitsf((float)y), bitsf(0.3f), bitsf(fmaf(f, (float)y, 0.3f)));
    }
  }
}
