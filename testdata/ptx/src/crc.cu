// crc: a table in constant memory, bytes of words, and the same without the table.
#include "look.h"

struct Table {
  unsigned entry[16];
};
__constant__ Table table = {{0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158,
                             0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4,
                             0xa00ae278, 0xbdbdf21c}};

KERNEL crc(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  unsigned c = ~0u, slow = ~0u;
  for (int i = 0; i < 8; i++) {
    unsigned char byte = (unsigned char)(in[(id + i / 4) % n] >> (i % 4 * 8));
    c ^= byte;
    c = table.entry[c & 15] ^ c >> 4;
    c = table.entry[c & 15] ^ c >> 4;
    slow ^= byte;
    for (int bit = 0; bit < 8; bit++)
      slow = slow & 1 ? slow >> 1 ^ 0xedb88320u : slow >> 1;
    if (i == id % 8)
      look(id);
  }
  out[2 * id] = ~c;
  out[2 * id + 1] = ~slow;
}
