// lds: variables in LDS of several sizes and alignments, each filled with a
// pattern of its own, so that a debugger can tell them apart.
#include "gpu.h"

struct Pair {
  int key;
  float weight;
};

KERNEL lds(const int *input, int *output) {
  __shared__ float scaled[64];
  __shared__ Pair pairs[64];
  __shared__ short halves[64];
  __shared__ double total;
  __shared__ int turn;
  int id = LOCAL_X;
  int value = input[GLOBAL_X];
  scaled[id] = value * 0.5f;
  pairs[id].key = value + 1000;
  pairs[id].weight = (float)id;
  halves[id] = (short)(value * 3);
  if (id == 0) {
    total = 12.25;
    turn = 7;
  }
  BARRIER();
  int other = 63 - id;
  float sum = scaled[other] + pairs[other].weight;
  output[GLOBAL_X] = (int)(sum * 2) + pairs[other].key + halves[other] + turn + (int)total;
}
