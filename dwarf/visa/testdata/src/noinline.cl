__attribute__((noinline)) int weigh(int x, int y) {
  int t = x * 3;
  return t + (y ^ x);
}

__kernel void noinline_call(__global int *out, __global const int *in) {
  int i = get_global_id(0);
  int before = in[i];
  int w = weigh(before, i);
  out[i] = w + before;
}
