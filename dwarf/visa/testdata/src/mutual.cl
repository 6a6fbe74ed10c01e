__attribute__((noinline)) int leaf(int x, __global const int *in) {
  return in[x & 15] * 3 - x;
}

__attribute__((noinline)) int step(int x, __global const int *in) {
  return leaf(x + 1, in) + leaf(x - 1, in);
}

int pong(int n, int acc, __global const int *in);

__attribute__((noinline)) int ping(int n, int acc, __global const int *in) {
  if (n <= 0)
    return acc;
  int mine = step(n, in);
  return pong(n - 1, acc ^ mine, in) + mine;
}

__attribute__((noinline)) int pong(int n, int acc, __global const int *in) {
  if (n <= 0)
    return step(acc, in);
  int mine = in[n];
  int more = leaf(mine, in);
  return ping(n - 1, acc + mine, in) * more - mine;
}

__kernel void mutual(__global int *out, __global const int *in, int n) {
  int i = get_global_id(0);
  out[i] = ping(n, i, in);
}
