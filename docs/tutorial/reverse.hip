// Each block reverses its 128 numbers.
__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  tile[t] = in[i];
  out[i] = tile[127 - t];
}
