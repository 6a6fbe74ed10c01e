__kernel void add(__global const float *a, __global const float *b,
                  __global float *out, float k) {
  size_t i = get_global_id(0);
  float x = a[i] * k;
  out[i] = x + b[i];
}
