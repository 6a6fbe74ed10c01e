int mix_bits(int a, int b, __global const int *in) {
  for (int i = 0; i < 4; i++) {
    a = a * 31 + in[(b + i) & 63];
    b ^= a >> 3;
  }
  return a + b;
}

int fold_bits(int a, int n, __global const int *in) {
  int r = a;
  for (int i = 0; i < n; i++)
    r = mix_bits(r, i, in) ^ mix_bits(i, r, in);
  return r;
}

__kernel void subroutines(__global int *out, __global const int *in, int n) {
  int i = get_global_id(0);
  int x = fold_bits(in[i], n, in);
  int y = fold_bits(x, i & 3, in);
  if (i & 1)
    y = fold_bits(y, 2, in);
  out[i] = mix_bits(y, x, in);
}
