// hash: rotations, byte permutations and logic of three inputs: rounds of a mixing function over a message.
#include "gpu.h"

__device__ unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

KERNEL hash(const unsigned *message, unsigned *digest, int words, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int i = 0; i < words; i++) {
    unsigned w = message[(id * 7 + i) % words];
    unsigned f = (b & c) | (~b & d);
    unsigned g = b ^ c ^ d;
    a = b + rotate(a + f + w + 0x5a827999u, 7);
    d = c ^ rotate(d + g + (unsigned)id, 12 + i % 3);
    c = __builtin_bswap32(c) + (a >> 3 & 0x1fffff);
    b = __builtin_bitreverse32(b) - (unsigned)__builtin_popcount(a) * 0x9e3779b9u;
    unsigned t = a;
    a = d; d = c; c = b; b = t;
  }
  digest[4 * id] = a;
  digest[4 * id + 1] = b;
  digest[4 * id + 2] = c;
  digest[4 * id + 3] = d;
}
