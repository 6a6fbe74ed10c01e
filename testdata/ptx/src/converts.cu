// converts: conversions among all widths, signed and unsigned, and of floating-point numbers, within their ranges.
#include "look.h"

enum Kind : unsigned char { SMALL, MIDDLE, LARGE };

KERNEL converts(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  unsigned word = in[id];
  signed char c = (signed char)word;
  unsigned char uc = (unsigned char)(word >> 8);
  short s = (short)(word >> 3);
  unsigned short us = (unsigned short)(word >> 5);
  long long wide = (long long)c * us - s;
  unsigned long long bits = (unsigned long long)wide >> 3;
  float f = (float)wide / 7.0f;
  double d = (double)bits * 0.5 + c;
  float narrow = (float)d;
  int whole = (int)f;
  unsigned uwhole = (unsigned)(f < 0 ? -f : f);
  long long lwhole = (long long)(f * 1024.0f);
  bool odd = word & 1;
  Kind kind = word % 3 == 0 ? SMALL : word % 3 == 1 ? MIDDLE : LARGE;
  short cut = (short)whole;
  look(id);
  unsigned *o = out + 8 * id;
  o[0] = (unsigned)wide;
  o[1] = (unsigned)(bits >> 32);
  o[2] = __builtin_bit_cast(unsigned, f);
  o[3] = (unsigned)(__builtin_bit_cast(unsigned long long, d) >> 20);
  o[4] = __builtin_bit_cast(unsigned, narrow);
  o[5] = (unsigned)whole + uwhole * 3;
  o[6] = (unsigned)lwhole;
  o[7] = (unsigned)(odd + 2 * kind) + (unsigned)cut * 8 + uc;
}
