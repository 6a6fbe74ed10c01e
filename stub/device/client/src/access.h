// How many bytes an instruction of the program's accesses, as far as its code says.
#pragma once

#include <stdint.h>

#ifdef __x86_64__
// dev_vector_bytes is of an instruction of SSE, AVX or AVX-512 in the map of 0x0f: pp is its mandatory prefix
// (none, 66, f3, f2), whole the size of a vector, word that of a general register.
static unsigned dev_vector_bytes(uint8_t op, unsigned pp, unsigned whole, unsigned word) {
  enum { NONE, P66, PF3, PF2 };
  unsigned one = pp == PF3 ? 4 : pp == PF2 ? 8 : whole;
  switch (op) {
  case 0x10: case 0x11: case 0x51: case 0x58: case 0x59: case 0x5c: case 0x5d: case 0x5e: case 0x5f:
    return one;
  case 0x2a: return pp == PF3 || pp == PF2 ? word : 8;
  case 0x2c: case 0x2d: return pp == PF3 ? 4 : 8;
  case 0x2e: case 0x2f: return pp == P66 ? 8 : 4;
  case 0x5a: return pp == PF3 ? 4 : pp == NONE ? whole / 2 : pp == PF2 ? 8 : whole;
  case 0x12: case 0x16: return pp == PF3 ? whole : 8;
  case 0x13: case 0x17: case 0xd6: return 8;
  case 0x6e: return word;
  case 0x7e: return pp == PF3 ? 8 : word;
  case 0x6f: case 0x7f: case 0xe7: return pp == NONE ? 8 : whole;
  case 0x14: case 0x15: case 0x28: case 0x29: case 0x2b: case 0x50: case 0x54: case 0x55: case 0x56:
  case 0x57: case 0x70: case 0xc6: return whole;
  }
  return (op >= 0x60 && op <= 0x6d) || (op >= 0x74 && op <= 0x76) || op >= 0xd0 ? whole : 1;
}

// dev_x87_bytes is of an instruction of the x87 with a memory operand, by its first byte and the number
// behind that.
static unsigned dev_x87_bytes(uint8_t op, unsigned number) {
  static const uint8_t bytes[8][8] = {{4, 4, 4, 4, 4, 4, 4, 4}, {4, 1, 4, 4, 28, 2, 28, 2},
                                      {4, 4, 4, 4, 4, 4, 4, 4}, {4, 4, 4, 4, 1, 10, 1, 10},
                                      {8, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 108, 1, 108, 2},
                                      {2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 10, 8, 10, 8}};
  return bytes[op & 7][number];
}

// dev_integer_bytes is of any other instruction in the map of 0x0f; 0 if it is none of those.
static unsigned dev_integer_bytes(uint8_t op, unsigned word) {
  switch (op) {
  case 0xb6: case 0xbe: case 0xb0: case 0xc0: return 1;
  case 0xb7: case 0xbf: return 2;
  case 0xa3: case 0xa4: case 0xa5: case 0xab: case 0xac: case 0xad: case 0xaf: case 0xb1: case 0xb3:
  case 0xb8: case 0xba:
  case 0xbb: case 0xbc: case 0xbd: case 0xc1: case 0xc3: return word;
  case 0xc7: return word == 8 ? 16 : 8;
  }
  if (op >= 0x40 && op <= 0x4f) return word;
  return op >= 0x90 && op <= 0x9f;
}

// dev_access_bytes is how many bytes an instruction accesses; 1 if that is not known. Of one that is repeated
// it is those of one time, since it is interrupted in between.
static unsigned dev_access_bytes(const uint8_t *p) {
  unsigned narrow = 0, repeat = 0, wide = 0;
  for (;; p++) {
    if (*p == 0x66) narrow = 1;
    else if (*p == 0xf3) repeat = 2;
    else if (*p == 0xf2) repeat = 3;
    else if (*p != 0x26 && *p != 0x2e && *p != 0x36 && *p != 0x3e && *p != 0x64 && *p != 0x65 && *p != 0x67 &&
             *p != 0xf0)
      break;
  }
  if (*p == 0xc5) return dev_vector_bytes(p[2], p[1] & 3, 16u << (p[1] >> 2 & 1), 4);
  if (*p == 0xc4 && (p[1] & 31) == 1)
    return dev_vector_bytes(p[3], p[2] & 3, 16u << (p[2] >> 2 & 1), p[2] >> 7 ? 8 : 4);
  if (*p == 0x62 && (p[1] & 7) == 1 && !(p[3] >> 4 & 1) && !(p[3] & 7)) // no broadcast, no mask
    return dev_vector_bytes(p[4], p[2] & 3, 16u << (p[3] >> 5 & 3), p[2] >> 7 ? 8 : 4);
  if (*p == 0xc4 || *p == 0x62) return 1;
  if ((*p & 0xf0) == 0x40) wide = *p++ >> 3 & 1;
  unsigned word = wide ? 8 : narrow ? 2 : 4;
  if (*p == 0x0f) {
    if (p[1] == 0x38 || p[1] == 0x3a) return p[2] == 0xf0 && p[1] == 0x38 ? word : 1;
    unsigned n = dev_integer_bytes(p[1], word);
    return n ? n : dev_vector_bytes(p[1], repeat ? repeat : narrow, 16, wide ? 8 : 4);
  }
  if (*p < 0x40) return (*p & 7) == 0 || (*p & 7) == 2 ? 1 : word; // arithmetic
  if (*p >= 0xd8 && *p <= 0xdf) return dev_x87_bytes(*p, p[1] >> 3 & 7);
  switch (*p) {
  case 0x63: return 4;
  case 0x80: case 0x84: case 0x86: case 0x88: case 0x8a: case 0xa4: case 0xa6: case 0xaa: case 0xac:
  case 0xae: case 0xc0:
  case 0xc6: case 0xd0: case 0xd2: case 0xf6: case 0xfe: return 1;
  case 0x69: case 0x6b: case 0x81: case 0x83: case 0x85: case 0x87: case 0x89: case 0x8b: case 0xa5:
  case 0xa7: case 0xab:
  case 0xad: case 0xaf: case 0xc1: case 0xc7: case 0xd1: case 0xd3: case 0xf7: return word;
  case 0xff: return word == 4 && (p[1] >> 3 & 7) >= 2 ? 8 : word; // calls, jumps and pushes
  }
  return 1;
}
#else
static unsigned dev_access_bytes(const uint8_t *p) {
  (void)p;
  return 1;
}
#endif
