// Reads memory and arrays by references to textures, and arrays by references to surfaces, each against what the host
// computes of the same numbers. Prints what differs. It is a program of HIP's, too, which has no references to surfaces.
#ifdef __HIP__
#include "cuda_as_hip.h"
#define LOCAL // clang gives the variable no name for the host
#else
#define LOCAL static
#include <cuda_runtime.h>
#include <cuda.h>
#endif

#include <cstdio>
#include <vector>

static int failed;

#define CHECK(call)                                                            \
  do {                                                                         \
    int error = (int)(call);                                                   \
    if (error) printf("%s: %d\n", #call, error), failed++;                     \
  } while (0)

template <class T> static void same(const char *what, const T *device, const std::vector<T> &want) {
  std::vector<T> got(want.size());
  CHECK(cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i] && !bad++) printf("%s: [%zu] is %g, want %g\n", what, i, (double)got[i], (double)want[i]);
  failed += bad != 0;
}

const int N = 300, W = 16, H = 8; // powers of two, of which there are exact parts

texture<float, 1, cudaReadModeElementType> line;
LOCAL texture<int2, 1, cudaReadModeElementType> pairs;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float, 2> plane(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<float, cudaTextureType2DLayered> stack;

__global__ void lines(float *out, int first) { out[threadIdx.x] = tex1Dfetch(line, first + (int)threadIdx.x); }

__global__ void sums(int *out) {
  int2 v = tex1Dfetch(pairs, threadIdx.x);
  out[threadIdx.x] = v.x + v.y;
}

__global__ void grey(float *out) {
  out[blockIdx.x * W + threadIdx.x] = tex2D(bytes, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

__global__ void between(float *out, float dx) {
  out[blockIdx.x * W + threadIdx.x] = tex2D(plane, (threadIdx.x + dx) / W, (blockIdx.x + 0.5f) / H);
}

__global__ void layer(float *out, int i) {
  out[blockIdx.x * W + threadIdx.x] = tex2DLayered(stack, threadIdx.x + 0.5f, blockIdx.x + 0.5f, i);
}

static void of_memory(float *out) {
  std::vector<float> v(N);
  for (int i = 0; i < N; i++) v[i] = 3 * i;
  float *memory;
  CHECK(cudaMalloc(&memory, N * sizeof(float)));
  CHECK(cudaMemcpy(memory, v.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  size_t offset = 1;
  CHECK(cudaBindTexture(&offset, line, memory, N * sizeof(float)));
  if (offset) printf("the beginning of memory has the offset %zu\n", offset), failed++;
  lines<<<1, N>>>(out, 0);
  same("a line", out, v);
  lines<<<1, 4>>>(out, N - 2); // what is outside is 0
  same("its end", out, std::vector<float>{v[N - 2], v[N - 1], 0, 0});
  // Bound anew while a kernel may run that was launched before.
  CHECK(cudaBindTexture(&offset, line, memory + 130, cudaCreateChannelDesc<float>(), 8 * sizeof(float)));
  size_t asked = 0;
  CHECK(cudaGetTextureAlignmentOffset(&asked, &line));
  if (offset != 2 * sizeof(float) || asked != offset) printf("offsets %zu, %zu\n", offset, asked), failed++;
  lines<<<1, 9>>>(out, (int)(offset / sizeof(float)));
  same("a part", out, std::vector<float>{v[130], v[131], v[132], v[133], v[134], v[135], v[136], v[137], 0});
  if (cudaBindTexture(nullptr, line, memory + 130, 32) == cudaSuccess) printf("an offset was not wanted\n"), failed++;
  CHECK(cudaUnbindTexture(line));

  std::vector<int> w(2 * N), sum(N);
  for (int i = 0; i < 2 * N; i++) w[i] = i * i;
  for (int i = 0; i < N; i++) sum[i] = w[2 * i] + w[2 * i + 1];
  int *words;
  CHECK(cudaMalloc(&words, 2 * N * sizeof(int)));
  CHECK(cudaMemcpy(words, w.data(), 2 * N * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture(nullptr, pairs, words)); // all of it
  sums<<<1, N>>>((int *)out);
  same("pairs", (int *)out, sum);
  CHECK(cudaFree(words));
  CHECK(cudaFree(memory));
}

static void of_rows(float *out) {
  std::vector<unsigned char> v(W * H);
  std::vector<float> want(W * H);
  for (int i = 0; i < W * H; i++) v[i] = (unsigned char)(3 * i), want[i] = (float)v[i] / 255;
  unsigned char *memory;
  size_t pitch, offset;
  CHECK(cudaMallocPitch((void **)&memory, &pitch, W, H));
  CHECK(cudaMemcpy2D(memory, pitch, v.data(), W, W, H, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(&offset, bytes, memory, cudaCreateChannelDesc<unsigned char>(), W, H, pitch));
  grey<<<H, W>>>(out);
  same("bytes as numbers", out, want);
  CHECK(cudaFree(memory));
}

static void of_arrays(float *out) {
  std::vector<float> v(W * H), middle(W * H);
  for (int i = 0; i < W * H; i++) v[i] = 4 * i;
  for (int i = 0; i < W * H; i++) middle[i] = (v[i] + v[i / W * W + (i + 1) % W]) / 2;
  cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
  cudaArray_t a, b;
  CHECK(cudaMallocArray(&a, &c, W, H));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, v.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
  CHECK(cudaBindTextureToArray(plane, a, c));
  between<<<H, W>>>(out, 1);
  same("between two", out, middle);
  plane.filterMode = cudaFilterModePoint; // counts from the next time that it is bound
  CHECK(cudaBindTextureToArray(plane, a));
  between<<<H, W>>>(out, 0.5f);
  same("points", out, v);

  CHECK(cudaMalloc3DArray(&b, &c, make_cudaExtent(W, H, 2), cudaArrayLayered));
  cudaMemcpy3DParms p = {};
  std::vector<float> two(v);
  two.insert(two.end(), middle.begin(), middle.end());
  p.srcPtr = make_cudaPitchedPtr(two.data(), W * 4, W, H), p.dstArray = b;
  p.extent = make_cudaExtent(W, H, 2), p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  CHECK(cudaBindTextureToArray(stack, b, c));
  layer<<<H, W>>>(out, 1);
  same("a layer", out, middle);
  CHECK(cudaFreeArray(a));
  CHECK(cudaFreeArray(b));
}

#ifndef __HIP__
surface<void, 2> page;

__global__ void mirror() {
  int x = threadIdx.x, y = blockIdx.x;
  float v = surf2Dread<float>(page, x * 4, y), w = surf2Dread<float>(page, (W - 1 - x) * 4, y);
  if (x < W / 2) surf2Dwrite(w, page, x * 4, y), surf2Dwrite(v, page, (W - 1 - x) * 4, y);
}

static void of_surfaces() {
  std::vector<float> v(W * H), want(W * H);
  for (int i = 0; i < W * H; i++) v[i] = i;
  for (int i = 0; i < W * H; i++) want[i] = v[i / W * W + W - 1 - i % W];
  cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  CHECK(cudaMallocArray(&a, &c, W, H, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, v.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
  CHECK(cudaBindSurfaceToArray(page, a));
  mirror<<<H, W>>>();
  CHECK(cudaMemcpy2DFromArray(v.data(), W * 4, a, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
  if (v != want) printf("the mirrored surface is wrong\n"), failed++;
  CHECK(cudaFreeArray(a));
}

// The driver's functions, and textures in the space that PTX had for them first.
static const char kernel[] = R"(.version 7.0
.target sm_70
.address_size 64
.global .texref t;
.tex .u32 old;
.visible .entry k(.param .u64 out) {
  .reg .b64 %p; .reg .f32 %f<6>; .reg .b32 %r<6>; .reg .u64 %o;
  ld.param.u64 %p, [out];
  mov.u32 %r1, %tid.x;
  cvt.rn.f32.u32 %f1, %r1;
  mov.f32 %f2, 0f3F000000;
  tex.2d.v4.f32.f32 {%f1, %f3, %f4, %f5}, [t, {%f1, %f2}];
  tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [old, {%r1}];
  cvt.rn.f32.s32 %f2, %r2;
  add.f32 %f1, %f1, %f2;
  mul.wide.u32 %o, %r1, 4;
  add.u64 %p, %p, %o;
  st.global.f32 [%p], %f1;
  ret;
})";

static void of_driver(float *out) {
  CUmodule m;
  CUfunction f;
  CUtexref t, old, none;
  CUarray a;
  CHECK(cuModuleLoadData(&m, kernel));
  CHECK(cuModuleGetFunction(&f, m, "k"));
  CHECK(cuModuleGetTexRef(&t, m, "t"));
  CHECK(cuModuleGetTexRef(&old, m, "old"));
  if (cuModuleGetTexRef(&none, m, "k") == CUDA_SUCCESS) printf("a kernel is a texture\n"), failed++;
  CUDA_ARRAY_DESCRIPTOR d = {4, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CHECK(cuArrayCreate(&a, &d));
  unsigned char v[4] = {0, 51, 102, 255};
  CHECK(cuMemcpyHtoA(a, 0, v, 4));
  CHECK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
  CHECK(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_CLAMP));
  CHECK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
  int words[4] = {10, 20, 30, 40}, components = 0;
  CUdeviceptr at;
  CHECK(cuMemAlloc(&at, sizeof words));
  CHECK(cuMemcpyHtoD(at, words, sizeof words));
  CHECK(cuTexRefSetFormat(old, CU_AD_FORMAT_SIGNED_INT32, 1));
  CHECK(cuTexRefSetFlags(old, CU_TRSF_READ_AS_INTEGER));
  CHECK(cuTexRefSetAddress(nullptr, old, at, sizeof words));
  CUarray_format format;
  CHECK(cuTexRefGetFormat(&format, &components, old));
  if (format != CU_AD_FORMAT_SIGNED_INT32 || components != 1) printf("format %d, %d\n", format, components), failed++;
  void *args[] = {&out};
  CHECK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, nullptr, args, nullptr));
  same("the driver's", out, std::vector<float>{10, 20 + (float)0.1, 30 + (float)0.3, 40 + (float)0.7});
  CHECK(cuMemFree(at));
  CHECK(cuArrayDestroy(a));
  CHECK(cuModuleUnload(m));
}
#endif

int main() {
  float *out;
  CHECK(cudaMalloc(&out, N * sizeof(float)));
  of_memory(out);
  of_rows(out);
  of_arrays(out);
#ifndef __HIP__
  of_surfaces();
  of_driver(out);
#endif
  CHECK(cudaFree(out));
  printf(failed ? "%d wrong\n" : "references: all right\n", failed);
  return failed != 0;
}
