// matmul: C = A * B for square row-major matrices whose side is a multiple of
// 16. Each workgroup of 16x16 makes one tile of C from tiles of A and B that
// it holds in LDS. Every step is one fma, in order of k.
#include "gpu.h"

#define TILE 16

KERNEL matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int col = LOCAL_X, row = LOCAL_Y;
  int x = GROUP_X * TILE + col;
  int y = GROUP_Y * TILE + row;
  float acc = 0;
  for (int base = 0; base < n; base += TILE) {
    tile_a[row][col] = a[y * n + base + col];
    tile_b[row][col] = b[(base + row) * n + x];
    BARRIER();
    for (int k = 0; k < TILE; k++)
      acc = __builtin_fmaf(tile_a[row][k], tile_b[k][col], acc);
    BARRIER();
  }
  c[y * n + x] = acc;
}
