// Reads arrays and memory by textures, and reads and writes arrays by surfaces, each against what the host computes
// of the same numbers. Prints what differs. It is a program of HIP's, too: AMD's processors have no border but black, and
// read nothing beyond the edges of surfaces; HIP's headers of some age gather another component than is asked for, and have
// no use for cubes.
#ifdef __HIP__
#include "cuda_as_hip.h"
enum { BORDER = 0, SURFACES_CLAMP = 0 };
typedef float2 two; // headers of some age write integers of less than 32 bits as floats
typedef float one;
#else
#include <cuda_runtime.h>
enum { BORDER = -5, SURFACES_CLAMP = 1 };
typedef ushort2 two;
typedef unsigned short one;
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static int failed;

#define CHECK(call)                                                                \
  do {                                                                             \
    cudaError_t error = (call);                                                    \
    if (error) printf("%s: %s\n", #call, cudaGetErrorString(error)), failed++;     \
  } while (0)

template <class T> static void same(const char *what, const std::vector<T> &got, const std::vector<T> &want) {
  int bad = 0;
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i] && !bad++) printf("%s: [%zu] is %g, want %g\n", what, i, (double)got[i], (double)want[i]);
  failed += bad != 0;
}

template <class T> static std::vector<T> out_of(const T *device, size_t n) {
  std::vector<T> v(n);
  CHECK(cudaMemcpy(v.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return v;
}

const int W = 12, H = 7, D = 5;

static float number(int x, int y, int z) { return (float)(x + 16 * y + 256 * z); }

__global__ void flat(float *out, cudaTextureObject_t t, float dx, float dy) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * W + x] = tex2D<float>(t, x + dx, y + dy);
}

__global__ void normalized(float *out, cudaTextureObject_t t) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * W + x] = tex2D<float>(t, (x + 0.5f) / W + 1, (y + 0.5f) / H - 1);
}

__global__ void bytes(float4 *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex1Dfetch<float4>(t, threadIdx.x);
}

__global__ void integers(int2 *out, cudaTextureObject_t t) { out[threadIdx.x] = tex1Dfetch<int2>(t, threadIdx.x); }

__global__ void volume(float *out, cudaTextureObject_t t) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  out[(z * H + y) * W + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}

__global__ void layers(float *out, cudaTextureObject_t t) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  out[(z * H + y) * W + x] = tex2DLayered<float>(t, x + 0.5f, y + 0.5f, z);
}

__global__ void cube(float *out, cudaTextureObject_t t) {
  const float d[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const float *v = d[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, v[0], v[1], v[2]);
}

__global__ void levels(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.01f, 0.01f, (float)threadIdx.x);
}

__global__ void gather(float4 *out, cudaTextureObject_t t) { *out = tex2Dgather<float4>(t, 3, 4); }

__global__ void turn(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  int x = threadIdx.x, y = blockIdx.x;
  two v = surf2Dread<two>(from, x * sizeof(two), y), w;
  w.x = v.y, w.y = v.x;
  surf2Dwrite(w, to, (W - 1 - x) * sizeof(two), H - 1 - y);
}

__global__ void edges(int *out, cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x - 2;
  surf1Dwrite(100 + x, s, x * (int)sizeof(int), cudaBoundaryModeZero);
  out[threadIdx.x] = surf1Dread<int>(s, x * (int)sizeof(int), cudaBoundaryModeClamp);
}

__global__ void wide(cudaSurfaceObject_t s) {
  float4 v = surf3Dread<float4>(s, threadIdx.x * sizeof(float4), 1, 1);
  v.x += v.w, v.y += 1;
  surf3Dwrite(v, s, threadIdx.x * sizeof(float4), 1, 1);
}

static cudaTextureObject_t textured(cudaResourceDesc r, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                   bool normalized, cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc d = {};
  for (auto &m : d.addressMode) m = mode;
  d.filterMode = filter, d.readMode = read, d.normalizedCoords = normalized;
  d.mipmapFilterMode = cudaFilterModePoint, d.maxMipmapLevelClamp = 20;
  d.borderColor[0] = -5;
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}

static cudaResourceDesc array_of(cudaArray_t a) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray, r.res.array.array = a;
  return r;
}

static void of_two_dimensions(float *device) {
  std::vector<float> host(W * H), want(W * H), edge(W * H), middle(W * H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      want[y * W + x] = host[y * W + x] = number(x, y, 0);
      edge[y * W + x] = x >= W - 2 ? BORDER : number(x + 2, y, 0);
      middle[y * W + x] = (number(x, y, 0) + number(std::min(x + 1, W - 1), y, 0)) / 2;
    }
  auto c = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  CHECK(cudaMallocArray(&a, &c, W, H));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, host.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
  auto t = textured(array_of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
  flat<<<H, W>>>(device, t, 0.25f, 0.75f);
  same("points of an array", out_of(device, W * H), want);
  auto lines = textured(array_of(a), cudaAddressModeClamp, cudaFilterModeLinear, false);
  flat<<<H, W>>>(device, lines, 1, 0.5f);
  same("between two points", out_of(device, W * H), middle);
  auto border = textured(array_of(a), cudaAddressModeBorder, cudaFilterModePoint, false);
  flat<<<H, W>>>(device, border, 2, 0);
  same("a border", out_of(device, W * H), edge);
  auto around = textured(array_of(a), cudaAddressModeWrap, cudaFilterModePoint, true);
  normalized<<<H, W>>>(device, around);
  same("normalized and wrapped", out_of(device, W * H), want);
#ifndef __HIP__
  gather<<<1, 1>>>((float4 *)device, t);
  same("four of an array", out_of(device, 4), {number(2, 4, 0), number(3, 4, 0), number(3, 3, 0), number(2, 3, 0)});

  cudaChannelFormatDesc is;
  cudaExtent e;
  unsigned flags = 7;
  CHECK(cudaArrayGetInfo(&is, &e, &flags, a));
  same("what an array is", {is.x, is.y, is.f == cudaChannelFormatKindFloat, (int)e.width, (int)e.height,
                            (int)e.depth, (int)flags}, std::vector<int>{32, 0, 1, W, H, 0, 0});
#endif
  std::vector<float> back(W * H);
  CHECK(cudaMemcpy2DFromArray(back.data(), W * sizeof(float), a, 0, 0, W * sizeof(float), H, cudaMemcpyDeviceToHost));
  same("copied back", back, host);
  for (auto x : {t, lines, border, around}) CHECK(cudaDestroyTextureObject(x));

  float *rows;
  size_t pitch;
  CHECK(cudaMallocPitch((void **)&rows, &pitch, W * sizeof(float), H));
  CHECK(cudaMemcpy2D(rows, pitch, host.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypePitch2D, r.res.pitch2D = {rows, c, (size_t)W, (size_t)H, pitch};
  auto pitched = textured(r, cudaAddressModeClamp, cudaFilterModePoint, false);
  flat<<<H, W>>>(device, pitched, 0.25f, 0.75f);
  same("rows of memory", out_of(device, W * H), want);
  CHECK(cudaDestroyTextureObject(pitched));
  if (cudaDestroyTextureObject(pitched) == cudaSuccess) printf("a texture was destroyed twice\n"), failed++;
  CHECK(cudaFree(rows));
  CHECK(cudaFreeArray(a));
}

static void of_memory(float *device) {
  std::vector<unsigned char> host(4 * 16);
  std::vector<float> want;
  for (size_t i = 0; i < host.size(); i++) {
    host[i] = (unsigned char)(i * 4);
    want.push_back((float)((double)host[i] / 255));
  }
  for (int i = 0; i < 8; i++) want.push_back(0); // two texels behind the end
  unsigned char *memory;
  CHECK(cudaMalloc(&memory, 256));
  CHECK(cudaMemcpy(memory, host.data(), host.size(), cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear, r.res.linear = {memory, cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned), host.size()};
  auto t = textured(r, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  bytes<<<1, 18>>>((float4 *)device, t);
  same("memory", out_of(device, 4 * 18), want);
  CHECK(cudaDestroyTextureObject(t));

  short shorts[] = {-1, 2, -300, 400, 32767, -32768};
  CHECK(cudaMemcpy(memory, shorts, sizeof shorts, cudaMemcpyHostToDevice));
  r.res.linear = {memory, cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSigned), sizeof shorts};
  t = textured(r, cudaAddressModeClamp, cudaFilterModePoint, false);
  integers<<<1, 3>>>((int2 *)device, t);
  same("integers", out_of((int *)device, 6), {-1, 2, -300, 400, 32767, -32768});
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFree(memory));
}

static cudaArray_t filled(cudaExtent e, unsigned flags, std::vector<float> &host) {
  auto c = cudaCreateChannelDesc<float>();
  host.clear();
  for (int z = 0; z < (int)e.depth; z++)
    for (int y = 0; y < (int)e.height; y++)
      for (int x = 0; x < (int)e.width; x++) host.push_back(number(x, y, z));
  cudaArray_t a;
  CHECK(cudaMalloc3DArray(&a, &c, e, flags));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host.data(), e.width * sizeof(float), e.width, e.height);
  p.dstArray = a, p.extent = e, p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  return a;
}

static void of_three_dimensions(float *device) {
  std::vector<float> host;
  auto e = make_cudaExtent(W, H, D);
  auto a = filled(e, 0, host);
  auto t = textured(array_of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
  volume<<<dim3(H, D), W>>>(device, t);
  same("a volume", out_of(device, W * H * D), host);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  a = filled(e, cudaArrayLayered, host);
  t = textured(array_of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
  layers<<<dim3(H, D), W>>>(device, t);
  same("layers", out_of(device, W * H * D), host);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

#ifndef __HIP__
  a = filled(make_cudaExtent(4, 4, 6), cudaArrayCubemap, host);
  t = textured(array_of(a), cudaAddressModeClamp, cudaFilterModePoint, true);
  cube<<<1, 6>>>(device, t);
  std::vector<float> want;
  for (int face = 0; face < 6; face++) want.push_back(number(2, 2, face));
  same("a cube", out_of(device, 6), want);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));
#endif
}

static void of_levels(float *device) {
  auto c = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t m;
  CHECK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(16, 16, 0), 5, 0));
  std::vector<float> want;
  for (unsigned l = 0; l < 5; l++) {
    cudaArray_t a;
    CHECK(cudaGetMipmappedArrayLevel(&a, m, l));
    int side = 16 >> l;
    std::vector<float> host(side * side, 10.f * l + 1);
    CHECK(cudaMemcpy2DToArray(a, 0, 0, host.data(), side * 4, side * 4, side, cudaMemcpyHostToDevice));
    want.push_back(10.f * l + 1);
  }
  want.push_back(41);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray, r.res.mipmap.mipmap = m;
  auto t = textured(r, cudaAddressModeClamp, cudaFilterModePoint, true);
  levels<<<1, 6>>>(device, t);
  same("levels", out_of(device, 6), want);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeMipmappedArray(m));
}

__global__ void words(unsigned *out, cudaTextureObject_t t) {
  out[blockIdx.x * 4 + threadIdx.x] = tex2D<unsigned>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

__global__ void texels(float *out, cudaTextureObject_t t) {
  out[blockIdx.x * 8 + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

static cudaTextureObject_t viewed(cudaArray_t a, cudaResourceViewFormat format, size_t width, size_t height, bool real) {
  auto r = array_of(a);
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  d.readMode = real ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  cudaResourceViewDesc v = {};
  v.format = format, v.width = width, v.height = height;
  cudaTextureObject_t t = 0;
  if (cudaCreateTextureObject(&t, &r, &d, &v) != cudaSuccess) return 0;
  return t;
}

// Elements of four bytes as words; and elements of two words as blocks that compress sixteen texels (BC4): two ends, and three
// bits for each texel, from the first row on.
static void of_views(unsigned *device) {
  auto c = cudaCreateChannelDesc<uchar4>();
  cudaArray_t a;
  CHECK(cudaMallocArray(&a, &c, 4, 3));
  std::vector<unsigned> host;
  for (unsigned i = 0; i < 12; i++) host.push_back(0x01020304 * (i + 3));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, host.data(), 16, 16, 3, cudaMemcpyHostToDevice));
  auto t = viewed(a, cudaResViewFormatUnsignedInt1, 4, 3, false);
  words<<<3, 4>>>(device, t);
  same("bytes as words", out_of(device, 12), host);
  if (viewed(a, cudaResViewFormatUnsignedInt2, 4, 3, false) || viewed(a, cudaResViewFormatUnsignedInt1, 8, 3, false) ||
      viewed(a, cudaResViewFormatUnsignedBlockCompressed4, 16, 12, true))
    printf("a view was made that does not fit\n"), failed++;
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

#ifndef __HIP__
  c = cudaCreateChannelDesc<uint2>();
  CHECK(cudaMallocArray(&a, &c, 2, 2));
  std::vector<unsigned long long> blocks;
  std::vector<float> want(64);
  for (unsigned long long b = 0; b < 4; b++) {
    unsigned long long ends[2] = {200 - 20 * b, 40 * b + 10}, bits = 0xfac688fac688ull >> b; // every index there is
    blocks.push_back(ends[0] | ends[1] << 8 | bits << 16);
    for (int i = 0; i < 16; i++) {
      int k = (int)(bits >> (3 * i) & 7);
      double first = (double)ends[0], last = (double)ends[1], x = k == 0 ? first : last;
      if (k > 1) x = first > last ? ((8 - k) * first + (k - 1) * last) / 7 : k < 6 ? ((6 - k) * first + (k - 1) * last) / 5 : k == 6 ? 0 : 255;
      want[(b / 2 * 4 + i / 4) * 8 + b % 2 * 4 + i % 4] = (float)(x / 255);
    }
  }
  CHECK(cudaMemcpy2DToArray(a, 0, 0, blocks.data(), 16, 16, 2, cudaMemcpyHostToDevice));
  t = viewed(a, cudaResViewFormatUnsignedBlockCompressed4, 8, 8, true);
  texels<<<8, 8>>>((float *)device, t);
  same("blocks", out_of((float *)device, 64), want);
  cudaResourceViewDesc v;
  CHECK(cudaGetTextureObjectResourceViewDesc(&v, t));
  if (v.format != cudaResViewFormatUnsignedBlockCompressed4 || v.width != 8) printf("the view is not as it was given\n"), failed++;
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));
#endif
}

static cudaSurfaceObject_t surfaced(cudaArray_t a) {
  auto r = array_of(a);
  cudaSurfaceObject_t s = 0;
  CHECK(cudaCreateSurfaceObject(&s, &r));
  return s;
}

static void of_surfaces(int *device) {
  auto c = cudaCreateChannelDesc<two>();
  cudaArray_t from, to;
  CHECK(cudaMallocArray(&from, &c, W, H, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&to, &c, W, H, cudaArraySurfaceLoadStore));
  std::vector<one> host, back(2 * W * H);
  for (int i = 0; i < 2 * W * H; i++) host.push_back((one)(i * 7));
  const int row = W * sizeof(two);
  CHECK(cudaMemcpy2DToArray(from, 0, 0, host.data(), row, row, H, cudaMemcpyHostToDevice));
  auto s = surfaced(from), d = surfaced(to);
  turn<<<H, W>>>(d, s);
  CHECK(cudaMemcpy2DFromArray(back.data(), row, to, 0, 0, row, H, cudaMemcpyDeviceToHost));
  std::reverse(host.begin(), host.end());
  same("turned", back, host);
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaDestroySurfaceObject(d));
  CHECK(cudaFreeArray(from));
  CHECK(cudaFreeArray(to));

  auto i = cudaCreateChannelDesc<int>();
  CHECK(cudaMallocArray(&from, &i, 8, 0, cudaArraySurfaceLoadStore));
  s = surfaced(from);
  edges<<<1, 12>>>(device, s);
  std::vector<int> want;
  for (int x = -2; x < 10; x++) want.push_back(x == std::min(std::max(x, 0), 7) || SURFACES_CLAMP ? 100 + std::min(std::max(x, 0), 7) : 0);
  same("edges", out_of(device, 12), want);
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(from));

  auto f = cudaCreateChannelDesc<float4>();
  CHECK(cudaMalloc3DArray(&from, &f, make_cudaExtent(3, 2, 2), cudaArraySurfaceLoadStore));
  std::vector<float> v(4 * 12), w(4 * 12);
  for (size_t k = 0; k < v.size(); k++) v[k] = (float)k;
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(v.data(), 48, 3, 2), p.dstArray = from, p.extent = make_cudaExtent(3, 2, 2);
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  s = surfaced(from);
  wide<<<1, 3>>>(s);
  cudaMemcpy3DParms q = {};
  q.srcArray = from, q.dstPtr = make_cudaPitchedPtr(w.data(), 48, 3, 2), q.extent = p.extent;
  q.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&q));
  for (int x = 0; x < 3; x++) {
    float *at = &v[4 * (3 * (1 + 2 * 1) + x)];
    at[0] += at[3], at[1] += 1;
  }
  same("texels of 16 bytes", w, v);
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(from));
}

int main() {
  float *device;
  CHECK(cudaMalloc(&device, W * H * D * sizeof(float)));
  of_two_dimensions(device);
  of_memory(device);
  of_three_dimensions(device);
  of_levels(device);
  of_surfaces((int *)device);
  of_views((unsigned *)device);
  cudaArray_t none = nullptr;
  cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  if (cudaMallocArray(&none, &three, 4, 4) == cudaSuccess) printf("an array of three components was made\n"), failed++;
  CHECK(cudaFree(device));
  printf(failed ? "%d wrong\n" : "textures: all right\n", failed);
  return failed != 0;
}
