// digits: numbers to text and back, in arrays of the lane's own, with a switch and signed characters.
#include "look.h"

__device__ NOINLINE int format(char *to, int value, int base) {
  char reversed[34];
  int count = 0, length = 0;
  bool minus = value < 0;
  unsigned rest = minus ? 0u - (unsigned)value : (unsigned)value;
  do {
    unsigned digit = rest % (unsigned)base;
    reversed[count++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    rest /= (unsigned)base;
  } while (rest);
  if (minus)
    to[length++] = '-';
  while (count)
    to[length++] = reversed[--count];
  to[length] = 0;
  return length;
}

__device__ NOINLINE int parse(const char *text, int base) {
  int sign = 1, value = 0;
  for (;; text++) {
    char c = *text;
    switch (c) {
    case '-':
      sign = -1;
      continue;
    case 0:
      return sign * value;
    default:
      value = value * base + (c <= '9' ? c - '0' : c - 'a' + 10);
    }
  }
}

KERNEL digits(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  char text[40] = {};
  int base = 2 + id % 15;
  int length = format(text, (int)in[id] >> (id % 20), base);
  signed char first = text[0];
  unsigned sum = 0;
  for (int i = 0; i < length; i++)
    sum = sum * 31 + (unsigned char)text[i];
  int back = parse(text, base);
  look(id);
  out[4 * id] = (unsigned)length;
  out[4 * id + 1] = sum;
  out[4 * id + 2] = (unsigned)back;
  out[4 * id + 3] = (unsigned)first;
}
