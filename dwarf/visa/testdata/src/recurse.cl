__attribute__((noinline)) int sum(int n, int acc, __global const int *in) {
  if (n <= 0)
    return acc;
  int mine = in[n];
  int rest = sum(n - 1, acc + n, in);
  return rest + mine * n;
}

__attribute__((noinline)) float scale(float x, float k) { return x * k + k; }

__kernel void recurse(__global int *out, __global float *f,
                      __global const int *in, int n) {
  int i = get_global_id(0);
  float k = f[i];
  out[i] = sum(n, i, in);
  f[i] = scale(k, 2.0f);
}
