// Kernels that read texels to which something has been written, or nothing. It is a program of HIP's, too.
#ifdef __HIP__
#include "cuda_as_hip.h"
#else
#include <cuda_runtime.h>
#endif

const int W = 8;

__global__ void read_none(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}
__global__ void read_copied(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}
__global__ void read_below(float *out, cudaTextureObject_t t) { // in lane 3
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, threadIdx.x + 1.5f);
}
__global__ void between_rows(float *out, cudaTextureObject_t t, float y) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, y);
}
__global__ void write(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, threadIdx.x * 4, (int)blockIdx.x); }
__global__ void read_written(float *out, cudaSurfaceObject_t s) {
  out[threadIdx.x] = surf2Dread<float>(s, threadIdx.x * 4, (int)blockIdx.x);
}
__global__ void read_beside(float *out, cudaSurfaceObject_t s) { // in lane 7
  out[threadIdx.x] = surf2Dread<float>(s, threadIdx.x * 4, (int)blockIdx.x);
}

static cudaTextureObject_t textured(const cudaResourceDesc *r, cudaTextureFilterMode filter) {
  cudaTextureDesc d = {};
  for (auto &m : d.addressMode) m = cudaAddressModeClamp;
  d.filterMode = filter;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, r, &d, nullptr);
  return t;
}

int main() {
  static float zero[W * W];
  float *out;
  cudaArray_t a, b;
  cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
  cudaMalloc(&out, W * W * sizeof(float));
  cudaMallocArray(&a, &c, W, W, cudaArraySurfaceLoadStore);
  cudaMallocArray(&b, &c, W, W, cudaArraySurfaceLoadStore);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray, r.res.array.array = a;
  cudaTextureObject_t points = textured(&r, cudaFilterModePoint), lines = textured(&r, cudaFilterModeLinear);
  read_none<<<1, W>>>(out, points);
  cudaMemcpy2DToArray(a, 0, 0, zero, W * 4, W * 4, W / 2, cudaMemcpyHostToDevice);
  read_copied<<<1, W>>>(out, points);
  read_below<<<1, 4>>>(out, points);
  between_rows<<<1, W>>>(out, lines, W / 2 - 0.5f); // the row below has no part in it
  between_rows<<<1, W>>>(out, lines, W / 2);
  r.res.array.array = b;
  cudaSurfaceObject_t s = 0;
  cudaCreateSurfaceObject(&s, &r);
  write<<<W, W - 1>>>(s);
  read_written<<<W, W - 1>>>(out, s);
  read_beside<<<1, W>>>(out, s);
  return cudaMemcpy(zero, out, sizeof zero, cudaMemcpyDeviceToHost) != cudaSuccess;
}
