// The six kernels of the tutorial in OpenCL C, for machines that do not run HIP.
#define WIDTH 4

kernel void sum(global const int *in, global int *out) {
  int i = get_global_id(0);
  int total = 0;
  for (int k = 0; k <= WIDTH; k++)
    total += in[i * WIDTH + k];
  out[i] = total;
}

kernel void reverse(global const int *in, global int *out) {
  local int tile[128];
  int t = get_local_id(0), i = get_global_id(0);
  tile[t] = in[i];
  out[i] = tile[127 - t];
}

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

kernel void count(global const int *in, global int *out, int limit) {
  local int many;
  if (in[get_global_id(0)] > limit)
    atomic_inc(&many);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = many;
}

kernel void lengths(global const float *x, global const float *y, global float *out) {
  int i = get_global_id(0);
  float square = x[i] * x[i] - y[i] * y[i];
  out[i] = sqrt(square);
  barrier(CLK_GLOBAL_MEM_FENCE);
  float unit = out[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = out[i] / unit;
}

kernel void steps(global const int *in, global int *out) {
  int i = get_global_id(0), n = in[i], many = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    many++;
  }
  out[i] = many;
}
