// In how many steps a number comes to 1: halved if it is even, else three times itself and one more.
kernel void steps(global const int *in, global int *out) {
  int i = get_global_id(0), n = in[i], many = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    many++;
  }
  out[i] = many;
}
