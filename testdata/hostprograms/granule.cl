// Kernels of granule_hip.c and granule_opencl.c, which read colours of three floats as vectors of four.
kernel void sums(global const float *in, global float *out, int colours) {
  int g = get_global_id(0);
  float4 c = *(global const float4 *)(in + 3 * (g % colours));
  out[g] = c.x + c.y + c.z;
}

kernel void clear(global float *in, global float *out, int colours) {
  int g = get_global_id(0);
  if (g < colours) *(global float4 *)(in + 3 * g) = (float4)(0);
  out[g] = g;
}
