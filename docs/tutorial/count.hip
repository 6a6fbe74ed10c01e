// How many of the block's numbers are above a limit.
__global__ void count(const int *in, int *out, int limit) {
  __shared__ int many;
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > limit)
    atomicAdd(&many, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = many;
}
