__attribute__((noinline)) int inner(int x, __global const int *in) {
  int a = in[x & 7];
  return a * x + 1;
}

__attribute__((noinline)) int middle(int x, __global const int *in) {
  int keep = in[x] + x;
  int r = inner(x + 1, in);
  return r * keep;
}

__attribute__((noinline)) int outer(int x, __global const int *in) {
  int keep = in[x + 2] - x;
  int r = middle(x + 2, in);
  int s = inner(r & 15, in);
  return r + s * keep;
}

__kernel void nested(__global int *out, __global const int *in) {
  int i = get_global_id(0);
  int keep = in[i];
  out[i] = outer(i, in) + keep;
}
