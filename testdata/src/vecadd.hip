// vecadd: the smallest useful kernel, one element per work-item.
#include "gpu.h"

KERNEL vecadd(const float *a, const float *b, float *c, int n) {
  int i = GLOBAL_X;
  if (i < n) {
    float sum = a[i] + b[i];
    c[i] = sum;
  }
}
