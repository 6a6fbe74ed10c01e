// In how many steps a number comes to 1: halved if it is even, else three times itself and one more.
__global__ void steps(const int *in, int *out) {
  int i = threadIdx.x, n = in[i], many = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    many++;
  }
  out[i] = many;
}
