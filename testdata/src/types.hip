// types: the narrow types and the odd ones: char, short, half, bit-fields,
// bool, vectors of them, 32-bit division and remainder, float division and
// square root, conversions among them.
#include "gpu.h"

typedef _Float16 half;
typedef half half2 __attribute__((ext_vector_type(2)));
typedef unsigned char uchar4 __attribute__((ext_vector_type(4)));
typedef unsigned short ushort2 __attribute__((ext_vector_type(2)));

struct Packed {
  unsigned kind : 5;
  int offset : 7;
  unsigned length : 12;
  int bias : 8;
};

#define INTS 11
#define FLOATS 6
#define HALVES 8

KERNEL types(const unsigned *input, const signed char *bytes,
             const short *shorts, const half *halves, Packed *fields, int *ints,
             float *floats, half *half_out, signed char *byte_out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  unsigned u = input[id];
  int s = (int)u;
  signed char c = bytes[id];
  short h = shorts[id];
  int divisor = h | 1;

  int *i = ints + id * INTS;
  i[0] = s / divisor;
  i[1] = s % divisor;
  i[2] = (int)(u / (unsigned)(c | 256));
  i[3] = (int)(u % (unsigned)(c & 127 | 1));
  i[4] = s / 10 + (int)(u % 7);
  i[5] = c * h;
  i[6] = (short)(h << 3) + (unsigned char)(c + 200);
  i[7] = __builtin_popcount(u) + __builtin_clz(u | 1) * 64;
  uchar4 quad = *(const uchar4 *)&input[id];
  quad = quad + (uchar4){1, 2, 3, 4};
  i[8] = quad.x * 1000000 + quad.y * 10000 + quad.z * 100 + quad.w;
  ushort2 pair = {(unsigned short)h, (unsigned short)s};
  pair = pair * pair + (ushort2){5, 65531};
  i[9] = pair.x ^ pair.y << 4;
  bool odd = (u & 1) != 0, negative = c < 0;
  i[10] = odd != negative ? 1 : odd ? 2 : 3;

  float f = (float)s, g = (float)h + 0.5f;
  float *r = floats + id * FLOATS;
  r[0] = f / g;
  r[1] = __builtin_sqrtf((float)u);
  r[2] = (float)(unsigned char)c * 0.25f - g;
  r[3] = (float)(int)(g * 0.125f);
  r[4] = (float)halves[id];
  r[5] = __builtin_fminf(f, g) + __builtin_fmaxf(g, 3.0f);

  half a = halves[id], b = halves[n - 1 - id];
  half *o = half_out + id * HALVES;
  o[0] = a + b;
  o[1] = a * b;
  o[2] = a - b * (half)2;
  o[3] = (half)g;
  o[4] = (half)(h >> 4);
  half2 v = {a, b}, w = {b, (half)0.5f};
  v = __builtin_elementwise_fma(v, w, v) - w;
  o[5] = v.x;
  o[6] = v.y;
  o[7] = a < b ? a : -b;

  Packed *p = &fields[id];
  p->kind = p->kind + 3;
  p->offset = p->offset * 2 - 1;
  p->length = p->length ^ (unsigned)c;
  p->bias = p->bias >> 1;
  byte_out[id] = (signed char)(c / 3 - h);
}
