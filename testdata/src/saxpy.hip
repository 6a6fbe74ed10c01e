// saxpy: y = alpha * x + y with one rounding (fma). It is launched with a grid
// that is no multiple of the workgroup, so the last workgroup is partial, and
// with an n below the grid, so that some lanes of it have nothing to do.
#include "gpu.h"

KERNEL saxpy(int n, float alpha, const float *x, float *y) {
  int i = GLOBAL_X;
  if (i >= n)
    return;
  float xi = x[i];
  float yi = y[i];
  y[i] = __builtin_fmaf(alpha, xi, yi);
}
