// Each thread adds WIDTH numbers that lie side by side.
#define WIDTH 4

__global__ void sum(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 0;
  for (int k = 0; k <= WIDTH; k++)
    total += in[i * WIDTH + k];
  out[i] = total;
}
