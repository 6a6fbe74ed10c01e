// mathlib: functions of the device math library, which the program only declares.
#include "gpu.h"

extern "C" {
__device__ double __nv_sin(double);
__device__ double __nv_pow(double, double);
__device__ double __nv_exp(double);
__device__ double __nv_log(double);
__device__ float __nv_sinf(float);
__device__ float __nv_sqrtf(float);
__device__ float __nv_fmaf(float, float, float);
__device__ float __nv_floorf(float);
__device__ double __nv_fmod(double, double);
__device__ float __nv_fadd_rz(float, float);
__device__ double __nv_ddiv_ru(double, double);
__device__ int __nv_popc(int);
__device__ int __nv_clzll(long long);
__device__ int __nv_mulhi(int, int);
__device__ int __nv_byte_perm(int, int, int);
__device__ int __nv_double2int_rz(double);
__device__ double __nv_frexp(double, int *);
__device__ double __nv_modf(double, double *);
__device__ void __nv_sincos(double, double *, double *);
__device__ float __nv_fminf(float, float);
__device__ int __nv_unknown_function(int);
}

#define DOUBLES 9
#define FLOATS 5
#define INTS 6

KERNEL mathlib(const double *input, double *doubles, float *floats, int *ints, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  double x = input[id] * 20 - 10;
  float f = (float)x;
  double *d = doubles + id * DOUBLES;
  d[0] = __nv_sin(x);
  d[1] = __nv_pow(x * x, 1.25);
  d[2] = __nv_exp(x) + __nv_log(x * x + 1);
  d[3] = __nv_fmod(x * 100, 7.5);
  d[4] = __nv_ddiv_ru(x, 3.0);
  int exponent;
  d[5] = __nv_frexp(x, &exponent);
  d[6] = __nv_modf(x, &d[7]);
  double sine, cosine;
  __nv_sincos(x, &sine, &cosine);
  d[8] = sine - cosine;
  float *r = floats + id * FLOATS;
  r[0] = __nv_sinf(f);
  r[1] = __nv_sqrtf(f * f + 1);
  r[2] = __nv_fmaf(f, f, -1.0f);
  r[3] = __nv_floorf(f) + __nv_fminf(f, 0.5f);
  r[4] = __nv_fadd_rz(f, 1e-3f);
  int *i = ints + id * INTS;
  int bits = (int)(x * 1e8);
  i[0] = exponent;
  i[1] = __nv_popc(bits);
  i[2] = __nv_clzll((long long)bits * bits);
  i[3] = __nv_mulhi(bits, 0x12345678);
  i[4] = __nv_byte_perm(bits, ~bits, 0x5140);
  i[5] = __nv_double2int_rz(x * 1e3);
  if (n == 12345)
    i[0] = __nv_unknown_function(n);
}
