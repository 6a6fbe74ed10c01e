// Prints operations on floats, with the exceptions that an x86-64 processor with FMA raises for them:
//   cc -O1 -mfma -o flags flags.c -lm && ./flags > flags.txt
// Each line: operation, bits of the operands, rounding (of MXCSR), 1 if denormals are flushed, operands in
// hexadecimal, flags of MXCSR.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;
static uint64_t rnd(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static uint64_t sample(int width) {
  int mant = width == 64 ? 52 : 23, bias = width == 64 ? 1023 : 127;
  uint64_t frac = (rnd() & ((1ull << mant) - 1)) & (rnd() & 1 ? ~0ull << (mant - 4) : ~0ull), exp;
  switch (rnd() % 9) {
  case 0: exp = 0; if (rnd() & 1) frac = 0; break;
  case 1: exp = 2 * bias + 1; if (rnd() & 1) frac = 0; break;
  case 2: exp = 2 * bias - rnd() % 3; break;
  case 3: exp = 1 + rnd() % 3; break;
  case 4: exp = bias / 2 + rnd() % 4; break;
  case 5: exp = bias + bias / 2 - rnd() % 4; break;
  default: exp = bias + rnd() % 40 - 20; break;
  }
  return (rnd() & 1) << (width - 1) | exp << mant | frac;
}

static double d(uint64_t v) { double x; memcpy(&x, &v, 8); return x; }
static float f(uint64_t v) { uint32_t w = v; float x; memcpy(&x, &w, 4); return x; }

int main(void) {
  static const char *ops[] = {"add", "mul", "div", "sqrt", "fma", "convert", "int"};
  for (int i = 0; i < 3000; i++) {
    int op = rnd() % 7, width = rnd() & 1 ? 64 : 32, round = rnd() % 4, flush = rnd() % 3 == 0;
    uint64_t a = sample(width), b = sample(width), c = sample(width);
    if (rnd() % 8 == 0) c = a ^ 1ull << (width - 1);
    _mm_setcsr(0x1f80 | round << 13 | (flush ? 0x8040 : 0));
    volatile __m128d x = _mm_set_sd(d(a)), y = _mm_set_sd(d(b)), z = _mm_set_sd(d(c)), r;
    volatile __m128 xf = _mm_set_ss(f(a)), yf = _mm_set_ss(f(b)), zf = _mm_set_ss(f(c)), rf;
    volatile int n;
    _mm_setcsr(0x1f80 | round << 13 | (flush ? 0x8040 : 0));
    if (width == 64)
      switch (op) {
      case 0: r = _mm_add_sd(x, y); break;
      case 1: r = _mm_mul_sd(x, y); break;
      case 2: r = _mm_div_sd(x, y); break;
      case 3: r = _mm_sqrt_sd(x, x); break;
      case 4: r = _mm_fmadd_sd(x, y, z); break;
      case 5: rf = _mm_cvtsd_ss(xf, x); break;
      case 6: n = _mm_cvttsd_si32(x); break;
      }
    else
      switch (op) {
      case 0: rf = _mm_add_ss(xf, yf); break;
      case 1: rf = _mm_mul_ss(xf, yf); break;
      case 2: rf = _mm_div_ss(xf, yf); break;
      case 3: rf = _mm_sqrt_ss(xf); break;
      case 4: rf = _mm_fmadd_ss(xf, yf, zf); break;
      case 5: r = _mm_cvtss_sd(x, xf); break;
      case 6: n = _mm_cvttss_si32(xf); break;
      }
    unsigned flags = _mm_getcsr() & 0x3f;
    _mm_setcsr(0x1f80);
    printf("%s %d %d %d %llx %llx %llx %x\n", ops[op], width, round, flush, (unsigned long long)a,
           (unsigned long long)b, (unsigned long long)c, flags);
  }
  return 0;
}
