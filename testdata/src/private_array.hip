// private_array: arrays that each lane has for itself, indexed by data, so
// that the index differs from lane to lane. The small one may live in
// registers when optimised; the large one stays in scratch memory.
#include "gpu.h"

KERNEL private_array(const unsigned *input, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int small[8];
  for (int k = 0; k < 8; k++)
    small[k] = k * id;
  short table[100];
  for (int k = 0; k < 100; k++)
    table[k] = (short)(k * 7 - id);
  unsigned state = input[id];
  for (int round = 0; round < 12; round++) {
    int slot = state % 8;
    int entry = state / 8 % 100;
    small[slot] += table[entry];
    table[(entry + slot) % 100] ^= (short)state;
    state = state * 1664525u + 1013904223u;
  }
  unsigned check = 0;
  for (int k = 0; k < 8; k++)
    check = check * 31 + (unsigned)small[k];
  output[2 * id] = (int)check;
  output[2 * id + 1] = table[state % 100];
}
