// interpreter: a loop around a switch that is a table of jumps: each lane runs a program of its own.
#include "gpu.h"

KERNEL interpreter(const unsigned char *code, int *output, int length, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  const unsigned char *pc = code + id * length, *end = pc + length;
  int a = id, b = 1;
  while (pc < end) {
    unsigned op = *pc++;
    switch (op % 10) {
    case 0: a += b; break;
    case 1: b = a ^ 0x55; break;
    case 2: a *= 3; break;
    case 3: b -= a; break;
    case 4: a = (int)((unsigned)a >> 3); break;
    case 5: if (a & 1) pc++; break;
    case 6: { int t = a; a = b; b = t; break; }
    case 7: a -= (int)op; break;
    case 8: if (b > 1000) { output[id] = b; return; } break;
    default: b += 17; break;
    }
  }
  output[id] = a + b * 31;
}
