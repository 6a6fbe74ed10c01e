// Each number becomes the mean of itself and its right neighbour.
__global__ void smooth(const float *in, float *out, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < n) {
    tile[t] = in[i];
    __syncthreads();
    if (t + 1 < 128 && i + 1 < n)
      out[i] = (tile[t] + tile[t + 1]) / 2;
  }
}
