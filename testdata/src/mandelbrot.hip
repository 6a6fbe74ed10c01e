// mandelbrot: how many steps each point of a rectangle takes to leave the
// circle of radius 2. The loop has two exits, and lanes leave it one by one.
// Multiplication and addition round separately (-ffp-contract=off).
#include "gpu.h"

KERNEL mandelbrot(int *steps, int width, int height, int limit, float left,
                  float top, float pitch) {
  int px = GLOBAL_X;
  int py = GLOBAL_Y;
  if (px >= width || py >= height)
    return;
  float cx = left + px * pitch;
  float cy = top - py * pitch;
  float zx = 0;
  float zy = 0;
  int step = 0;
  while (step < limit) {
    float xx = zx * zx;
    float yy = zy * zy;
    if (xx + yy > 4.0f)
      break;
    float xy = zx * zy;
    zx = xx - yy + cx;
    zy = 2.0f * xy + cy;
    step++;
  }
  steps[py * width + px] = step;
}
