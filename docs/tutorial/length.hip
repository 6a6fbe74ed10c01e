// Lengths of the vectors (x, y), scaled so that the first is 1.
__global__ void length(const float *x, const float *y, float *out) {
  int i = threadIdx.x;
  float square = x[i] * x[i] - y[i] * y[i];
  out[i] = sqrtf(square);
  __syncthreads();
  float unit = out[0];
  __syncthreads();
  out[i] = out[i] / unit;
}
