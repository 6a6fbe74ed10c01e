// early_return: a switch whose arms return from the middle, in a function and
// in the kernel itself. Arms fall through, share a label, and are left out.
#include "gpu.h"

__device__ NOINLINE int classify(unsigned value) {
  switch (value % 11) {
  case 0:
    return 100;
  case 1:
  case 2:
    if (value & 16)
      return 200;
    break;
  case 3:
    value += 7;
    // falls through
  case 4:
    return 300 + (int)(value & 15);
  case 7:
    for (int bit = 0; bit < 32; bit++)
      if (value >> bit & 1)
        return 400 + bit;
    return 432;
  case 9:
    return -1;
  default:
    break;
  }
  return (int)(value % 50);
}

KERNEL early_return(const unsigned *input, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int kind = classify(input[id]);
  switch (id & 3) {
  case 0:
    output[id] = kind;
    return;
  case 1:
    if (kind < 0)
      return;
    output[id] = kind * 2;
    return;
  case 2:
    kind ^= 0x55;
    break;
  }
  output[id] = kind + 1000;
}
