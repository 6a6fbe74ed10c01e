// References to textures and surfaces: variables that a program binds to arrays and memory, which CUDA had before version 12.
//
// Sources: "CUDA Runtime API" of CUDA 11, "Texture Reference Management", "Surface Reference Management", "C++ API Routines".
#pragma once

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, __cudaReserved[14];
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

#ifdef __CUDA__
#define CUDA_TEXTURE __attribute__((device_builtin_texture_type))
#define CUDA_SURFACE __attribute__((device_builtin_surface_type))
#else
#define CUDA_TEXTURE
#define CUDA_SURFACE
#endif

// To kernels both are the addresses of what the host has bound them to.
template <class T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct CUDA_TEXTURE texture : public textureReference {
  __host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc desc)
      : textureReference{norm, filter, {address, address, address}, desc} {}
};
template <class T, int type = cudaSurfaceType1D> struct CUDA_SURFACE surface : public surfaceReference {
  __host__ surface() : surfaceReference{cudaCreateChannelDesc<T>()} {}
};
template <int type> struct CUDA_SURFACE surface<void, type> : public surfaceReference {
  __host__ surface() : surfaceReference{} {}
};

#define CUDA_WHOLE 0xffffffffu // all the memory that there is
extern "C" {
cudaError_t cudaBindTexture(size_t *, const struct textureReference *, const void *, const cudaChannelFormatDesc *,
                            size_t = CUDA_WHOLE);
cudaError_t cudaBindTexture2D(size_t *, const struct textureReference *, const void *, const cudaChannelFormatDesc *,
                              size_t, size_t, size_t);
cudaError_t cudaBindTextureToArray(const struct textureReference *, cudaArray_const_t, const cudaChannelFormatDesc *);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *, const struct cudaArray *,
                                            const cudaChannelFormatDesc *);
cudaError_t cudaUnbindTexture(const struct textureReference *);
cudaError_t cudaGetTextureAlignmentOffset(size_t *, const struct textureReference *);
cudaError_t cudaGetTextureReference(const struct textureReference **, const void *);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *, cudaArray_const_t, const cudaChannelFormatDesc *);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **, const void *);
}

#define CUDA_OF_TEXTURE template <class T, int D, enum cudaTextureReadMode M> static inline __host__ cudaError_t
CUDA_OF_TEXTURE cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *at,
                                const cudaChannelFormatDesc &c, size_t size = CUDA_WHOLE) {
  return cudaBindTexture(offset, &t, at, &c, size);
}
CUDA_OF_TEXTURE cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *at, size_t size = CUDA_WHOLE) {
  return cudaBindTexture(offset, &t, at, &t.channelDesc, size);
}
CUDA_OF_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t, const void *at,
                                  const cudaChannelFormatDesc &c, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &t, at, &c, width, height, pitch);
}
CUDA_OF_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t, const void *at, size_t width,
                                  size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &t, at, &t.channelDesc, width, height, pitch);
}
CUDA_OF_TEXTURE cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t a, const cudaChannelFormatDesc &c) {
  return cudaBindTextureToArray(&t, a, &c);
}
CUDA_OF_TEXTURE cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t a) {
  return cudaBindTextureToArray(&t, a, &t.channelDesc);
}
CUDA_OF_TEXTURE cudaBindTextureToMipmappedArray(const texture<T, D, M> &t, const struct cudaArray *a) {
  return cudaBindTextureToMipmappedArray(&t, a, &t.channelDesc);
}
CUDA_OF_TEXTURE cudaBindTextureToMipmappedArray(const texture<T, D, M> &t, const struct cudaArray *a,
                                                const cudaChannelFormatDesc &c) {
  return cudaBindTextureToMipmappedArray(&t, a, &c);
}
CUDA_OF_TEXTURE cudaUnbindTexture(const texture<T, D, M> &t) { return cudaUnbindTexture(&t); }
CUDA_OF_TEXTURE cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, D, M> &t) {
  return cudaGetTextureAlignmentOffset(offset, &t);
}
template <class T, int D> static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, D> &s,
                                                                                 cudaArray_const_t a) {
  return cudaBindSurfaceToArray(&s, a, &s.channelDesc);
}
template <class T, int D> static inline __host__ cudaError_t
cudaBindSurfaceToArray(const surface<T, D> &s, cudaArray_const_t a, const cudaChannelFormatDesc &c) {
  return cudaBindSurfaceToArray(&s, a, &c);
}

#ifdef __CUDA__
template <class T> static inline __device__ unsigned long long __cuda_object(T reference) {
  unsigned long long object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}

// What is read by a reference: texels, or numbers from 0 or -1 to 1; and four of such a component.
template <int n> struct __cuda_floats;
template <> struct __cuda_floats<1> { typedef float type; };
template <> struct __cuda_floats<2> { typedef float2 type; };
template <> struct __cuda_floats<4> { typedef float4 type; };
template <class T, int mode> struct __cuda_mode { typedef T type; };
template <class T> struct __cuda_mode<T, cudaReadModeNormalizedFloat> : __cuda_floats<__cuda_texel<T>::components> {};
template <class T, int mode> using __cuda_read = typename __cuda_mode<T, mode>::type;
template <class T> using __cuda_four = typename __cuda_texel<T>::four;
#endif
