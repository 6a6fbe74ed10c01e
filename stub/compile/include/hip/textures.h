// Textures and surfaces of HIP as kernels read and write them, by functions of the device libraries, and the vectors that
// texels are.
//
// Sources: "HIP API", "Texture and surface functions"; ROCm device libraries, ockl/src/image.cl.
#pragma once

#define __SIMTGDB_VECTORS(type, name)                                                     \
  typedef type name##1 __attribute__((ext_vector_type(1)));                               \
  typedef type name##2 __attribute__((ext_vector_type(2)));                               \
  typedef type name##4 __attribute__((ext_vector_type(4)));
__SIMTGDB_VECTORS(signed char, char) __SIMTGDB_VECTORS(unsigned char, uchar) __SIMTGDB_VECTORS(short, short)
__SIMTGDB_VECTORS(unsigned short, ushort) __SIMTGDB_VECTORS(int, int) __SIMTGDB_VECTORS(unsigned, uint)
__SIMTGDB_VECTORS(float, float)

typedef struct __hip_texture *hipTextureObject_t;
typedef struct __hip_surface *hipSurfaceObject_t;

#define __SIMTGDB_WORDS unsigned __attribute__((address_space(4))) *

// What a type of texels is: components of 32 bits in registers, of numbers that may be floats.
template <typename T> struct __simtgdb_texel { typedef T part; enum { parts = 1 }; };
#define __SIMTGDB_TEXEL(type, name)                                                       \
  template <> struct __simtgdb_texel<name##1> { typedef type part; enum { parts = 1 }; }; \
  template <> struct __simtgdb_texel<name##2> { typedef type part; enum { parts = 2 }; }; \
  template <> struct __simtgdb_texel<name##4> { typedef type part; enum { parts = 4 }; };
__SIMTGDB_TEXEL(signed char, char) __SIMTGDB_TEXEL(unsigned char, uchar) __SIMTGDB_TEXEL(short, short)
__SIMTGDB_TEXEL(unsigned short, ushort) __SIMTGDB_TEXEL(int, int) __SIMTGDB_TEXEL(unsigned, uint)
__SIMTGDB_TEXEL(float, float)
template <typename T> struct __simtgdb_number {
  __SIMTGDB_WORD T of(float v) { return (T)__builtin_bit_cast(int, v); }
  __SIMTGDB_WORD float as(T v) { return __builtin_bit_cast(float, (int)v); }
};
template <> struct __simtgdb_number<float> {
  __SIMTGDB_WORD float of(float v) { return v; }
  __SIMTGDB_WORD float as(float v) { return v; }
};
template <typename T> __SIMTGDB_WORD T __simtgdb_from(float4 v) {
  typedef typename __simtgdb_texel<T>::part part;
  union { T all; part parts[__simtgdb_texel<T>::parts]; } to;
  for (int i = 0; i < __simtgdb_texel<T>::parts; i++) to.parts[i] = __simtgdb_number<part>::of(v[i]);
  return to.all;
}
template <typename T> __SIMTGDB_WORD float4 __simtgdb_to(T v) {
  typedef typename __simtgdb_texel<T>::part part;
  union { T all; part parts[__simtgdb_texel<T>::parts]; } from = {v};
  float4 to = 0;
  for (int i = 0; i < __simtgdb_texel<T>::parts; i++) to[i] = __simtgdb_number<part>::as(from.parts[i]);
  return to;
}

// __SIMTGDB_SAMPLE declares a function of the libraries and the one of HIP by it: the parameters and the arguments of both,
// without the texture. A texture's sampler lies twelve words behind its image.
#define __SIMTGDB_LIST(...) __VA_ARGS__
#define __SIMTGDB_SAMPLE(name, ockl, types, parameters, ...)                              \
  extern "C" __device__ float4 ockl(__SIMTGDB_WORDS, __SIMTGDB_WORDS, __SIMTGDB_LIST types); \
  template <typename T> __SIMTGDB_WORD T name(hipTextureObject_t t, __SIMTGDB_LIST parameters) { \
    __SIMTGDB_WORDS i = (__SIMTGDB_WORDS)t;                                               \
    return __simtgdb_from<T>(ockl(i, i + 12, __VA_ARGS__));                               \
  }
extern "C" __device__ float4 __ockl_image_load_1Db(__SIMTGDB_WORDS, int);
template <typename T> __SIMTGDB_WORD T tex1Dfetch(hipTextureObject_t t, int x) {
  return __simtgdb_from<T>(__ockl_image_load_1Db((__SIMTGDB_WORDS)t, x));
}
__SIMTGDB_SAMPLE(tex1D, __ockl_image_sample_1D, (float), (float x), x)
__SIMTGDB_SAMPLE(tex2D, __ockl_image_sample_2D, (float2), (float x, float y), (float2){x, y})
__SIMTGDB_SAMPLE(tex3D, __ockl_image_sample_3D, (float4), (float x, float y, float z), (float4){x, y, z, 0})
__SIMTGDB_SAMPLE(tex1DLayered, __ockl_image_sample_1Da, (float2), (float x, int layer), (float2){x, (float)layer})
__SIMTGDB_SAMPLE(tex2DLayered, __ockl_image_sample_2Da, (float4), (float x, float y, int layer),
                 (float4){x, y, (float)layer, 0})
__SIMTGDB_SAMPLE(tex1DLod, __ockl_image_sample_lod_1D, (float, float), (float x, float level), x, level)
__SIMTGDB_SAMPLE(tex2DLod, __ockl_image_sample_lod_2D, (float2, float), (float x, float y, float level),
                 (float2){x, y}, level)
__SIMTGDB_SAMPLE(tex3DLod, __ockl_image_sample_lod_3D, (float4, float), (float x, float y, float z, float level),
                 (float4){x, y, z, 0}, level)
__SIMTGDB_SAMPLE(tex2DLayeredLod, __ockl_image_sample_lod_2Da, (float4, float),
                 (float x, float y, int layer, float level), (float4){x, y, (float)layer, 0}, level)
__SIMTGDB_SAMPLE(tex2DGrad, __ockl_image_sample_grad_2D, (float2, float2, float2), (float x, float y, float2 dx, float2 dy),
                 (float2){x, y}, dx, dy)
__SIMTGDB_SAMPLE(__simtgdb_gather0, __ockl_image_gather4r_2D, (float2), (float x, float y), (float2){x, y})
__SIMTGDB_SAMPLE(__simtgdb_gather1, __ockl_image_gather4g_2D, (float2), (float x, float y), (float2){x, y})
__SIMTGDB_SAMPLE(__simtgdb_gather2, __ockl_image_gather4b_2D, (float2), (float x, float y), (float2){x, y})
__SIMTGDB_SAMPLE(__simtgdb_gather3, __ockl_image_gather4a_2D, (float2), (float x, float y), (float2){x, y})
template <typename T> __SIMTGDB_WORD T tex2Dgather(hipTextureObject_t t, float x, float y, int component = 0) {
  switch (component) {
  case 1: return __simtgdb_gather1<T>(t, x, y);
  case 2: return __simtgdb_gather2<T>(t, x, y);
  case 3: return __simtgdb_gather3<T>(t, x, y);
  }
  return __simtgdb_gather0<T>(t, x, y);
}

// Surfaces: x counts bytes, and the libraries count texels, which are of the type that is read or written.
#define __SIMTGDB_SURFACE(name, ockl, type, parameters, ...)                              \
  extern "C" __device__ float4 __ockl_image_load_##ockl(__SIMTGDB_WORDS, type);           \
  extern "C" __device__ void __ockl_image_store_##ockl(__SIMTGDB_WORDS, type, float4);    \
  template <typename T> __SIMTGDB_WORD void name##read(T *to, hipSurfaceObject_t s, __SIMTGDB_LIST parameters) { \
    x /= (int)sizeof(T);                                                                  \
    *to = __simtgdb_from<T>(__ockl_image_load_##ockl((__SIMTGDB_WORDS)s, __VA_ARGS__));   \
  }                                                                                       \
  template <typename T> __SIMTGDB_WORD void name##write(T v, hipSurfaceObject_t s, __SIMTGDB_LIST parameters) { \
    x /= (int)sizeof(T);                                                                  \
    __ockl_image_store_##ockl((__SIMTGDB_WORDS)s, __VA_ARGS__, __simtgdb_to(v));          \
  }
__SIMTGDB_SURFACE(surf1D, 1D, int, (int x), x)
__SIMTGDB_SURFACE(surf2D, 2D, int2, (int x, int y), (int2){x, y})
__SIMTGDB_SURFACE(surf3D, 3D, int4, (int x, int y, int z), (int4){x, y, z, 0})
__SIMTGDB_SURFACE(surf1DLayered, 1Da, int2, (int x, int layer), (int2){x, layer})
__SIMTGDB_SURFACE(surf2DLayered, 2Da, int4, (int x, int y, int layer), (int4){x, y, layer, 0})
