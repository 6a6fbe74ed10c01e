// blur: vectors of OpenCL, an image with edges, weights in constant memory, two dimensions.
__constant float weights[3][3] = {{0.0625f, 0.125f, 0.0625f}, {0.125f, 0.25f, 0.125f}, {0.0625f, 0.125f, 0.0625f}};

__kernel void blur(__global const float4 *image, __global float4 *output, __constant int *shift, int width, int height) {
  int x = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  int y = __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y();
  if (x >= width || y >= height)
    return;
  float4 sum = (float4)(0.0f);
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int sx = x + dx + shift[0], sy = y + dy + shift[1];
      if (sx < 0 || sx >= width || sy < 0 || sy >= height)
        continue;
      sum += image[sy * width + sx] * weights[dy + 1][dx + 1];
    }
  output[y * width + x] = (float4)(sum.xyz, sum.w * 2.0f);
}
