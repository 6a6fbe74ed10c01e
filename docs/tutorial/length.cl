// Lengths of the vectors (x, y), scaled so that the first is 1.
kernel void lengths(global const float *x, global const float *y, global float *out) {
  int i = get_global_id(0);
  float square = x[i] * x[i] - y[i] * y[i];
  out[i] = sqrt(square);
  barrier(CLK_GLOBAL_MEM_FENCE);
  float unit = out[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = out[i] / unit;
}
