// Boxes of a matrix, copied in bulk by tensor maps: the matrix turned over, tile by tile.
#include <cstdio>
#include <cudaTypedefs.h>
#include <cuda/barrier>
typedef cuda::barrier<cuda::thread_scope_block> barrier;
namespace cde = cuda::device::experimental;
enum { WIDE = 72, HIGH = 50, TILE = 32 }; // the last tiles of rows and columns lie partly outside

__global__ void turn(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ alignas(128) int in[TILE][TILE], out[TILE][TILE];
  __shared__ barrier come;
  if (threadIdx.x == 0) {
    init(&come, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&in, &from, blockIdx.x * TILE, blockIdx.y * TILE, come);
    token = cuda::device::barrier_arrive_tx(come, 1, sizeof in);
  } else {
    token = come.arrive();
  }
  come.wait(token);
  for (int y = 0; y < TILE; y++) out[threadIdx.x][y] = in[y][threadIdx.x];
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&to, blockIdx.y * TILE, blockIdx.x * TILE, &out);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

static CUresult matrix(PFN_cuTensorMapEncodeTiled make, CUtensorMap *map, int *at, cuuint64_t wide, cuuint64_t high,
                       cuuint32_t tile) {
  cuuint64_t size[] = {wide, high}, pitch[] = {wide * sizeof(int)};
  cuuint32_t box[] = {tile, tile}, step[] = {1, 1};
  return make(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, at, size, pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
              CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main() {
  void *found = nullptr;
  if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, nullptr) != cudaSuccess) return 1;
  PFN_cuTensorMapEncodeTiled make = (PFN_cuTensorMapEncodeTiled)found;
  static int in[HIGH][WIDE], out[WIDE][HIGH + 2];
  int *from, *to;
  cudaMalloc(&from, sizeof in), cudaMalloc(&to, sizeof out);
  for (int y = 0; y < HIGH; y++)
    for (int x = 0; x < WIDE; x++) in[y][x] = y * 1000 + x;
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  CUtensorMap first, second;
  printf("%d %d", matrix(make, &first, from, WIDE, HIGH, TILE), matrix(make, &second, to, HIGH + 2, WIDE, TILE));
  // What cannot be: a pitch that is no multiple of 16 bytes, a box of no elements, one too wide, a map out of its place.
  printf(", %d %d %d %d\n", matrix(make, &second, to, HIGH + 1, WIDE, TILE), matrix(make, &first, from, WIDE, HIGH, 0),
         matrix(make, &first, from, WIDE, HIGH, 512), matrix(make, (CUtensorMap *)((char *)&first + 8), from, WIDE, HIGH, 4));
  turn<<<dim3((WIDE + TILE - 1) / TILE, (HIGH + TILE - 1) / TILE), TILE>>>(first, second);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int x = 0; x < WIDE; x++)
    for (int y = 0; y < HIGH + 2; y++) wrong += out[x][y] != (y < HIGH ? in[y][x] : 0);
  printf("tiles: %d wrong\n", wrong);
}
