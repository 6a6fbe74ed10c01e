// Functions of the device library on the same numbers: a line for each, its name and a sum of what it gives. The headers
// define those that are an instruction or two; with -DCUDA_LIBRARY_CALLS the machine does all, and must give the same.
#include <cstdio>

#define EACH(X) \
  X(float_as_int) X(float_as_uint) X(int_as_float) X(uint_as_float) X(double_as_longlong) \
  X(longlong_as_double) X(double2hiint) X(double2loint) X(hiloint2double) X(min) X(max) X(umin) X(umax) \
  X(llmin) X(llmax) X(ullmin) X(ullmax) X(abs) X(llabs) X(mulhi) X(umulhi) X(mul64hi) X(umul64hi) X(mul24) \
  X(umul24) X(sad) X(usad) X(byte_perm) X(clz) X(clzll) X(popc) X(popcll) X(brev) X(brevll) X(ffs) X(ffsll) \
  X(fabsf) X(floorf) X(ceilf) X(truncf) X(rintf) X(nearbyintf) X(copysignf) X(sqrtf) X(fmaf) X(fmaxf) \
  X(fminf) X(fabs) X(floor) X(ceil) X(trunc) X(rint) X(nearbyint) X(copysign) X(sqrt) X(fma) X(fmax) X(fmin) \
  X(isnanf) X(isnand) X(isinff) X(isinfd) X(finitef) X(isfinited) X(signbitf) X(signbitd) X(rsqrtf) \
  X(saturatef) X(fast_fdividef) \
  ROUNDED(X, dadd_r) ROUNDED(X, ddiv_r) ROUNDED(X, dmul_r) ROUNDED(X, double2float_r) \
  ROUNDED(X, double2int_r) ROUNDED(X, double2ll_r) ROUNDED(X, double2uint_r) ROUNDED(X, double2ull_r) \
  ROUNDED(X, drcp_r) ROUNDED(X, dsqrt_r) ROUNDED(X, dsub_r) ROUNDED(X, fadd_r) ROUNDED(X, fdiv_r) \
  ROUNDED(X, float2int_r) ROUNDED(X, float2ll_r) ROUNDED(X, float2uint_r) ROUNDED(X, float2ull_r) \
  ROUNDED(X, fma_r) ROUNDED(X, fmaf_r) ROUNDED(X, fmul_r) ROUNDED(X, frcp_r) ROUNDED(X, fsqrt_r) \
  ROUNDED(X, fsub_r) ROUNDED(X, int2float_r) ROUNDED(X, ll2double_r) ROUNDED(X, ll2float_r) \
  ROUNDED(X, uint2float_r) ROUNDED(X, ull2double_r) ROUNDED(X, ull2float_r) \
  X(int2double_rn) X(uint2double_rn)
#define ROUNDED(X, name) X(name##n) X(name##z) X(name##d) X(name##u)

// get makes an argument of bits: of floats the bits, or a number near 1.
template <class T> __device__ T get(unsigned long long v) { return (T)v; }
template <> __device__ float get<float>(unsigned long long v) {
  return v % 3 ? __builtin_bit_cast(float, (unsigned)(v >> 13)) : (float)(long long)v / (1ll << v % 62);
}
template <> __device__ double get<double>(unsigned long long v) {
  return v % 3 ? __builtin_bit_cast(double, v) : (double)(long long)v / (1ll << v % 62);
}
template <class T> __device__ unsigned long long bits(T v) {
  unsigned long long b = 0;
  __builtin_memcpy(&b, &v, sizeof v);
  return v == v ? b : 1;
}
template <class R, class... A> struct called { // whose arguments are made from left to right
  R result;
  __device__ called(R (*f)(A...), A... a) : result(f(a...)) {}
};
template <class R, class... A> __device__ unsigned long long call(R (*f)(A...), const unsigned long long *v) {
  return bits(called<R, A...>{f, get<A>(*v++)...}.result);
}

constexpr int values = 1 << 12, step = 3;
__global__ void run(const unsigned long long *v, unsigned long long *sums) {
  v += blockIdx.x * blockDim.x + threadIdx.x;
  int n = 0;
#define RUN(name) atomicAdd(sums + n++, call(__nv_##name, v) * (1 + 2 * threadIdx.x));
  EACH(RUN)
}

int main() {
  const char *names[] = {
#define NAME(name) #name,
      EACH(NAME)};
  constexpr int count = sizeof names / sizeof *names;
  unsigned long long *v, *sums, x = 88172645463325252ull;
  cudaMallocManaged(&v, (values + step) * sizeof *v);
  cudaMallocManaged(&sums, sizeof(unsigned long long[count]));
  for (int i = 0; i < values + step; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    v[i] = i % 11 == 0 ? x >> x % 64 : i % 97 == 0 ? 0 : i % 101 == 0 ? 0x7ffull << 52 : i % 103 == 0 ? 0xffull << 36 : x;
  }
  run<<<values / 128, 128>>>(v, sums);
  if (cudaDeviceSynchronize()) return 1;
  for (int i = 0; i < count; i++) printf("%s %016llx\n", names[i], sums[i]);
}
