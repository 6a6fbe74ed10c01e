// Each number becomes the mean of itself and its right neighbour.
kernel void smooth(global const float *in, global float *out, int n) {
  local float tile[128];
  int t = get_local_id(0), i = get_global_id(0);
  if (i < n) {
    tile[t] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t + 1 < 128 && i + 1 < n)
      out[i] = (tile[t] + tile[t + 1]) / 2;
  }
}
