// Arrays, textures and surfaces: types of the runtime, and what kernels call, made of PTX's instructions.
//
// Sources: "CUDA Runtime API", "Texture Object Management"; "CUDA C++ Programming Guide", "Texture Functions",
// "Surface Functions".
#pragma once

typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t, *cudaMipmappedArray_t;
typedef const struct cudaArray *cudaArray_const_t;

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
};
enum cudaResourceType {
  cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaResourceViewFormat {
  cudaResViewFormatNone, cudaResViewFormatUnsignedChar1, cudaResViewFormatUnsignedChar2,
  cudaResViewFormatUnsignedChar4, cudaResViewFormatSignedChar1, cudaResViewFormatSignedChar2,
  cudaResViewFormatSignedChar4, cudaResViewFormatUnsignedShort1, cudaResViewFormatUnsignedShort2,
  cudaResViewFormatUnsignedShort4, cudaResViewFormatSignedShort1, cudaResViewFormatSignedShort2,
  cudaResViewFormatSignedShort4, cudaResViewFormatUnsignedInt1, cudaResViewFormatUnsignedInt2,
  cudaResViewFormatUnsignedInt4, cudaResViewFormatSignedInt1, cudaResViewFormatSignedInt2,
  cudaResViewFormatSignedInt4, cudaResViewFormatHalf1, cudaResViewFormatHalf2, cudaResViewFormatHalf4,
  cudaResViewFormatFloat1, cudaResViewFormatFloat2, cudaResViewFormatFloat4,
  cudaResViewFormatUnsignedBlockCompressed1, cudaResViewFormatUnsignedBlockCompressed2,
  cudaResViewFormatUnsignedBlockCompressed3, cudaResViewFormatUnsignedBlockCompressed4,
  cudaResViewFormatSignedBlockCompressed4, cudaResViewFormatUnsignedBlockCompressed5,
  cudaResViewFormatSignedBlockCompressed5, cudaResViewFormatUnsignedBlockCompressed6H,
  cudaResViewFormatSignedBlockCompressed6H, cudaResViewFormatUnsignedBlockCompressed7
};

#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2DLayered 0xf2
#define cudaTextureTypeCubemapLayered 0xfc
#define cudaSurfaceType1D 1
#define cudaSurfaceType2D 2
#define cudaSurfaceType3D 3
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceTypeCubemapLayered 0xfc

struct cudaChannelFormatDesc {
  int x, y, z, w;
  enum cudaChannelFormatKind f;
};
struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct { cudaArray_t array; } array;
    struct { cudaMipmappedArray_t mipmap; } mipmap;
    struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
    struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    struct { int reserved[32]; } reserved;
  } res;
};
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
  enum cudaResourceViewFormat format;
  size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};

extern "C" {
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t, unsigned);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned,
                                     unsigned);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *, cudaMipmappedArray_t, unsigned);
cudaError_t cudaFreeArray(cudaArray_t), cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *, unsigned *, cudaArray_t);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *, cudaArray_const_t);
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, enum cudaChannelFormatKind);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                                     enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                  enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                     enum cudaMemcpyKind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *), cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *,
                                    const cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t), cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *, cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *);
}

static inline cudaError_t cudaMallocArray(cudaArray_t *a, const cudaChannelFormatDesc *c, size_t w, size_t h = 0) {
  return cudaMallocArray(a, c, w, h, 0);
}
static inline cudaError_t cudaMalloc3DArray(cudaArray_t *a, const cudaChannelFormatDesc *c, cudaExtent e) {
  return cudaMalloc3DArray(a, c, e, 0);
}
static inline __host__ cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
static inline __host__ cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
static inline __host__ cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) {
  return {p, pitch, x, y};
}

#ifdef __CUDA__
#define CUDA_DEVICE(...) __VA_ARGS__
#else
#define CUDA_DEVICE(...)
#endif

// What a type of texels is made of: its components are of 32 bits in registers.
template <class T> struct __cuda_texel;
#define CUDA_TEXEL(type, base, name, bits, kind, is_float, n, ...)                                          \
  template <> struct __cuda_texel<type> {                                                                   \
    enum { floats = is_float, components = n };                                                             \
    typedef name##4 four;                                                                                   \
    static inline __host__ cudaChannelFormatDesc channels() {                                               \
      return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, cudaChannelFormatKind##kind};     \
    }                                                                                                       \
    CUDA_DEVICE(static inline __device__ base part(unsigned v) {                                            \
      base value;                                                                                           \
      __builtin_memcpy(&value, &v, sizeof value);                                                           \
      return value;                                                                                         \
    })                                                                                                      \
    CUDA_DEVICE(static inline __device__ type of(const unsigned *r) { return __VA_ARGS__; })                \
  };
#define CUDA_TEXELS(base, name, bits, kind, is_float)                                                       \
  CUDA_TEXEL(base, base, name, bits, kind, is_float, 1, part(r[0]))                                         \
  CUDA_TEXEL(name##1, base, name, bits, kind, is_float, 1, {part(r[0])})                                    \
  CUDA_TEXEL(name##2, base, name, bits, kind, is_float, 2, {part(r[0]), part(r[1])})                        \
  CUDA_TEXEL(name##4, base, name, bits, kind, is_float, 4, {part(r[0]), part(r[1]), part(r[2]), part(r[3])})
CUDA_TEXELS(signed char, char, 8, Signed, 0)
CUDA_TEXELS(unsigned char, uchar, 8, Unsigned, 0)
CUDA_TEXELS(short, short, 16, Signed, 0)
CUDA_TEXELS(unsigned short, ushort, 16, Unsigned, 0)
CUDA_TEXELS(int, int, 32, Signed, 0)
CUDA_TEXELS(unsigned, uint, 32, Unsigned, 0)
CUDA_TEXELS(float, float, 32, Float, 1)
CUDA_TEXEL(char, char, char, 8, Signed, 0, 1, part(r[0]))

template <class T> static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return __cuda_texel<T>::channels();
}

#include "texture_references.h"

#ifdef __CUDA__
// CUDA_FETCH declares a function that fetches: the form of the instruction, the parameters, the operands behind the
// result's four, and what these are.
#define CUDA_FETCH(name, op, form, parameters, operands, ...)                                               \
  template <class T> static inline __device__ T name parameters {                                           \
    unsigned r[4];                                                                                          \
    float f[4];                                                                                             \
    if (__cuda_texel<T>::floats) {                                                                          \
      asm volatile(op ".v4.f32." form " {%0, %1, %2, %3}, " operands ";"                                    \
                   : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : __VA_ARGS__);                         \
      for (int i = 0; i < 4; i++) r[i] = __float_as_uint(f[i]);                                             \
    } else                                                                                                  \
      asm volatile(op ".v4.u32." form " {%0, %1, %2, %3}, " operands ";"                                    \
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : __VA_ARGS__);                         \
    return __cuda_texel<T>::of(r);                                                                          \
  }                                                                                                         \

CUDA_FETCH(tex1Dfetch, "tex.1d", "s32", (cudaTextureObject_t t, int x), "[%4, {%5}]", "l"(t), "r"(x))
CUDA_FETCH(tex1D, "tex.1d", "f32", (cudaTextureObject_t t, float x), "[%4, {%5}]", "l"(t), "f"(x))
CUDA_FETCH(tex2D, "tex.2d", "f32", (cudaTextureObject_t t, float x, float y), "[%4, {%5, %6}]", "l"(t), "f"(x), "f"(y))
CUDA_FETCH(tex3D, "tex.3d", "f32", (cudaTextureObject_t t, float x, float y, float z), "[%4, {%5, %6, %7, %7}]",
           "l"(t), "f"(x), "f"(y), "f"(z))
CUDA_FETCH(tex1DLayered, "tex.a1d", "f32", (cudaTextureObject_t t, float x, int layer), "[%4, {%5, %6}]", "l"(t),
           "r"(layer), "f"(x))
CUDA_FETCH(tex2DLayered, "tex.a2d", "f32", (cudaTextureObject_t t, float x, float y, int layer),
           "[%4, {%5, %6, %7, %7}]", "l"(t), "r"(layer), "f"(x), "f"(y))
CUDA_FETCH(texCubemap, "tex.cube", "f32", (cudaTextureObject_t t, float x, float y, float z), "[%4, {%5, %6, %7, %7}]",
           "l"(t), "f"(x), "f"(y), "f"(z))
CUDA_FETCH(texCubemapLayered, "tex.acube", "f32", (cudaTextureObject_t t, float x, float y, float z, int layer),
           "[%4, {%5, %6, %7, %8}]", "l"(t), "r"(layer), "f"(x), "f"(y), "f"(z))
CUDA_FETCH(tex1DLod, "tex.level.1d", "f32", (cudaTextureObject_t t, float x, float level), "[%4, {%5}], %6", "l"(t),
           "f"(x), "f"(level))
CUDA_FETCH(tex2DLod, "tex.level.2d", "f32", (cudaTextureObject_t t, float x, float y, float level),
           "[%4, {%5, %6}], %7", "l"(t), "f"(x), "f"(y), "f"(level))
CUDA_FETCH(tex3DLod, "tex.level.3d", "f32", (cudaTextureObject_t t, float x, float y, float z, float level),
           "[%4, {%5, %6, %7, %7}], %8", "l"(t), "f"(x), "f"(y), "f"(z), "f"(level))
CUDA_FETCH(tex2DLayeredLod, "tex.level.a2d", "f32", (cudaTextureObject_t t, float x, float y, int layer, float level),
           "[%4, {%5, %6, %7, %7}], %8", "l"(t), "r"(layer), "f"(x), "f"(y), "f"(level))
CUDA_FETCH(tex1DLayeredLod, "tex.level.a1d", "f32", (cudaTextureObject_t t, float x, int layer, float level),
           "[%4, {%5, %6}], %7", "l"(t), "r"(layer), "f"(x), "f"(level))
CUDA_FETCH(texCubemapLod, "tex.level.cube", "f32", (cudaTextureObject_t t, float x, float y, float z, float level),
           "[%4, {%5, %6, %7, %7}], %8", "l"(t), "f"(x), "f"(y), "f"(z), "f"(level))
CUDA_FETCH(tex1DGrad, "tex.grad.1d", "f32", (cudaTextureObject_t t, float x, float dx, float dy),
           "[%4, {%5}], {%6}, {%7}", "l"(t), "f"(x), "f"(dx), "f"(dy))
CUDA_FETCH(tex3DGrad, "tex.grad.3d", "f32", (cudaTextureObject_t t, float x, float y, float z, float4 dx, float4 dy),
           "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "l"(t), "f"(x), "f"(y), "f"(z),
           "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
CUDA_FETCH(tex2DGrad, "tex.grad.2d", "f32", (cudaTextureObject_t t, float x, float y, float2 dx, float2 dy),
           "[%4, {%5, %6}], {%7, %8}, {%9, %10}", "l"(t), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
CUDA_FETCH(__tex2Dgather0, "tld4.r.2d", "f32", (cudaTextureObject_t t, float x, float y), "[%4, {%5, %6}]", "l"(t),
           "f"(x), "f"(y))
CUDA_FETCH(__tex2Dgather1, "tld4.g.2d", "f32", (cudaTextureObject_t t, float x, float y), "[%4, {%5, %6}]", "l"(t),
           "f"(x), "f"(y))
CUDA_FETCH(__tex2Dgather2, "tld4.b.2d", "f32", (cudaTextureObject_t t, float x, float y), "[%4, {%5, %6}]", "l"(t),
           "f"(x), "f"(y))
CUDA_FETCH(__tex2Dgather3, "tld4.a.2d", "f32", (cudaTextureObject_t t, float x, float y), "[%4, {%5, %6}]", "l"(t),
           "f"(x), "f"(y))
template <class T> static inline __device__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
  switch (component) {
  case 1: return __tex2Dgather1<T>(t, x, y);
  case 2: return __tex2Dgather2<T>(t, x, y);
  case 3: return __tex2Dgather3<T>(t, x, y);
  }
  return __tex2Dgather0<T>(t, x, y);
}

// CUDA_FETCH_FORMS declares the forms of a function that have a pointer for its result, and a reference.
#define CUDA_FETCH_FORMS(name, arguments, ...)                                                              \
  template <class T> static inline __device__ void name(T *to, cudaTextureObject_t t, __VA_ARGS__) {        \
    *to = name<T> arguments;                                                                                \
  }                                                                                                         \
  template <class T, int D, cudaTextureReadMode M>                                                          \
  static inline __device__ __cuda_read<T, M> name(texture<T, D, M> reference, __VA_ARGS__) {                \
    cudaTextureObject_t t = __cuda_object(reference);                                                       \
    return name<__cuda_read<T, M>> arguments;                                                               \
  }
CUDA_FETCH_FORMS(tex1Dfetch, (t, x), int x)
CUDA_FETCH_FORMS(tex1D, (t, x), float x)
CUDA_FETCH_FORMS(tex2D, (t, x, y), float x, float y)
CUDA_FETCH_FORMS(tex3D, (t, x, y, z), float x, float y, float z)
CUDA_FETCH_FORMS(tex1DLayered, (t, x, layer), float x, int layer)
CUDA_FETCH_FORMS(tex2DLayered, (t, x, y, layer), float x, float y, int layer)
CUDA_FETCH_FORMS(texCubemap, (t, x, y, z), float x, float y, float z)
CUDA_FETCH_FORMS(texCubemapLayered, (t, x, y, z, layer), float x, float y, float z, int layer)
CUDA_FETCH_FORMS(tex1DLod, (t, x, level), float x, float level)
CUDA_FETCH_FORMS(tex2DLod, (t, x, y, level), float x, float y, float level)
CUDA_FETCH_FORMS(tex3DLod, (t, x, y, z, level), float x, float y, float z, float level)
CUDA_FETCH_FORMS(tex1DLayeredLod, (t, x, layer, level), float x, int layer, float level)
CUDA_FETCH_FORMS(tex2DLayeredLod, (t, x, y, layer, level), float x, float y, int layer, float level)
CUDA_FETCH_FORMS(texCubemapLod, (t, x, y, z, level), float x, float y, float z, float level)
CUDA_FETCH_FORMS(tex1DGrad, (t, x, dx, dy), float x, float dx, float dy)
CUDA_FETCH_FORMS(tex2DGrad, (t, x, y, dx, dy), float x, float y, float2 dx, float2 dy)
CUDA_FETCH_FORMS(tex3DGrad, (t, x, y, z, dx, dy), float x, float y, float z, float4 dx, float4 dy)

// Gathered are four numbers of one component.
template <class T, int D, cudaTextureReadMode M>
static inline __device__ __cuda_four<__cuda_read<T, M>> tex2Dgather(texture<T, D, M> t, float x, float y,
                                                                   int component = 0) {
  return tex2Dgather<__cuda_four<__cuda_read<T, M>>>(__cuda_object(t), x, y, component);
}

// Surfaces: x counts bytes, and a value lies there as in memory.
// CUDA_SULD loads, and CUDA_SUST stores, what has size bytes at v; place is the operand of the coordinates.
#define CUDA_SULD(geometry, edge, place, ...)                                                               \
  switch (size) {                                                                                           \
  case 1:                                                                                                   \
    asm volatile("suld.b." geometry ".b8." edge " %[h], [%[s], " place "];" : [h] "=h"(h) : __VA_ARGS__);   \
    *(unsigned char *)v = (unsigned char)h;                                                                 \
    break;                                                                                                  \
  case 2:                                                                                                   \
    asm volatile("suld.b." geometry ".b16." edge " %[h], [%[s], " place "];" : [h] "=h"(h) : __VA_ARGS__);  \
    *(unsigned short *)v = h;                                                                               \
    break;                                                                                                  \
  case 4:                                                                                                   \
    asm volatile("suld.b." geometry ".b32." edge " %[a], [%[s], " place "];"                                \
                 : [a] "=r"(w[0]) : __VA_ARGS__);                                                           \
    break;                                                                                                  \
  case 8:                                                                                                   \
    asm volatile("suld.b." geometry ".v2.b32." edge " {%[a], %[b]}, [%[s], " place "];"                     \
                 : [a] "=r"(w[0]), [b] "=r"(w[1]) : __VA_ARGS__);                                           \
    break;                                                                                                  \
  default:                                                                                                  \
    asm volatile("suld.b." geometry ".v4.b32." edge " {%[a], %[b], %[c], %[d]}, [%[s], " place "];"         \
                 : [a] "=r"(w[0]), [b] "=r"(w[1]), [c] "=r"(w[2]), [d] "=r"(w[3]) : __VA_ARGS__);           \
  }
#define CUDA_SUST(geometry, edge, place, ...)                                                               \
  switch (size) {                                                                                           \
  case 1:                                                                                                   \
    h = *(unsigned char *)v;                                                                                \
    asm volatile("sust.b." geometry ".b8." edge " [%[s], " place "], %[h];" ::[h] "h"(h), __VA_ARGS__);     \
    break;                                                                                                  \
  case 2:                                                                                                   \
    h = *(unsigned short *)v;                                                                               \
    asm volatile("sust.b." geometry ".b16." edge " [%[s], " place "], %[h];" ::[h] "h"(h), __VA_ARGS__);    \
    break;                                                                                                  \
  case 4:                                                                                                   \
    asm volatile("sust.b." geometry ".b32." edge " [%[s], " place "], %[a];" ::[a] "r"(w[0]), __VA_ARGS__); \
    break;                                                                                                  \
  case 8:                                                                                                   \
    asm volatile("sust.b." geometry ".v2.b32." edge " [%[s], " place "], {%[a], %[b]};"                     \
                 ::[a] "r"(w[0]), [b] "r"(w[1]), __VA_ARGS__);                                              \
    break;                                                                                                  \
  default:                                                                                                  \
    asm volatile("sust.b." geometry ".v4.b32." edge " [%[s], " place "], {%[a], %[b], %[c], %[d]};"         \
                 ::[a] "r"(w[0]), [b] "r"(w[1]), [c] "r"(w[2]), [d] "r"(w[3]), __VA_ARGS__);                \
  }
#define CUDA_EDGES(what, geometry, place, ...)                                                              \
  unsigned *w = (unsigned *)v;                                                                              \
  unsigned short h;                                                                                         \
  (void)w, (void)h;                                                                                         \
  if (mode == cudaBoundaryModeZero) {                                                                       \
    what(geometry, "zero", place, __VA_ARGS__)                                                              \
  } else if (mode == cudaBoundaryModeClamp) {                                                               \
    what(geometry, "clamp", place, __VA_ARGS__)                                                             \
  } else {                                                                                                  \
    what(geometry, "trap", place, __VA_ARGS__)                                                              \
  }

// CUDA_SURFACES declares the functions for a geometry: the parameters of a place, their names, the operand, and what
// is in it.
#define CUDA_UNPACK(...) __VA_ARGS__
#define CUDA_SURFACES(name, geometry, parameters, arguments, place, ...)                                    \
  template <int size> static inline __device__ void __##name##read(                                         \
      void *v, cudaSurfaceObject_t s, CUDA_UNPACK parameters, cudaSurfaceBoundaryMode mode) {               \
    CUDA_EDGES(CUDA_SULD, geometry, place, __VA_ARGS__)                                                     \
  }                                                                                                         \
  template <int size> static inline __device__ void __##name##write(                                        \
      void *v, cudaSurfaceObject_t s, CUDA_UNPACK parameters, cudaSurfaceBoundaryMode mode) {               \
    CUDA_EDGES(CUDA_SUST, geometry, place, __VA_ARGS__)                                                     \
  }                                                                                                         \
  template <class T> static inline __device__ T name##read(                                                 \
      cudaSurfaceObject_t s, CUDA_UNPACK parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    alignas(16) T v;                                                                                        \
    __##name##read<sizeof v>(&v, s, CUDA_UNPACK arguments, mode);                                           \
    return v;                                                                                               \
  }                                                                                                         \
  template <class T> static inline __device__ void name##read(                                              \
      T *to, cudaSurfaceObject_t s, CUDA_UNPACK parameters,                                                 \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                \
    *to = name##read<T>(s, CUDA_UNPACK arguments, mode);                                                    \
  }                                                                                                         \
  template <class T> static inline __device__ void name##write(                                             \
      T value, cudaSurfaceObject_t s, CUDA_UNPACK parameters,                                               \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                \
    alignas(16) T v = value;                                                                                \
    __##name##write<sizeof v>(&v, s, CUDA_UNPACK arguments, mode);                                          \
  }                                                                                                         \
  template <class T, class V, int D> static inline __device__ T name##read(                                 \
      surface<V, D> s, CUDA_UNPACK parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {       \
    return name##read<T>(__cuda_object(s), CUDA_UNPACK arguments, mode);                                    \
  }                                                                                                         \
  template <class T, class V, int D> static inline __device__ void name##read(                              \
      T *to, surface<V, D> s, CUDA_UNPACK parameters,                                                       \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                \
    *to = name##read<T>(__cuda_object(s), CUDA_UNPACK arguments, mode);                                     \
  }                                                                                                         \
  template <class T, class V, int D> static inline __device__ void name##write(                             \
      T value, surface<V, D> s, CUDA_UNPACK parameters,                                                     \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                \
    name##write<T>(value, __cuda_object(s), CUDA_UNPACK arguments, mode);                                   \
  }

CUDA_SURFACES(surf1D, "1d", (int x), (x), "{%[x]}", [s] "l"(s), [x] "r"(x))
CUDA_SURFACES(surf2D, "2d", (int x, int y), (x, y), "{%[x], %[y]}", [s] "l"(s), [x] "r"(x), [y] "r"(y))
CUDA_SURFACES(surf3D, "3d", (int x, int y, int z), (x, y, z), "{%[x], %[y], %[z], %[z]}", [s] "l"(s), [x] "r"(x),
              [y] "r"(y), [z] "r"(z))
CUDA_SURFACES(surf1DLayered, "a1d", (int x, int layer), (x, layer), "{%[l], %[x]}", [s] "l"(s), [x] "r"(x),
              [l] "r"(layer))
CUDA_SURFACES(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer), "{%[l], %[x], %[y], %[y]}",
              [s] "l"(s), [x] "r"(x), [y] "r"(y), [l] "r"(layer))
CUDA_SURFACES(surfCubemap, "a2d", (int x, int y, int face), (x, y, face), "{%[l], %[x], %[y], %[y]}", [s] "l"(s),
              [x] "r"(x), [y] "r"(y), [l] "r"(face))
CUDA_SURFACES(surfCubemapLayered, "a2d", (int x, int y, int face), (x, y, face), "{%[l], %[x], %[y], %[y]}", [s] "l"(s),
              [x] "r"(x), [y] "r"(y), [l] "r"(face))
#endif // __CUDA__
