__kernel void reduce(__global int *out, __global const int *in) {
  __local int part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (int step = 32; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step)
      part[l] += part[l + step];
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
