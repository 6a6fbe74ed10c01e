// What cuda_textures.cu and texture_references.cu take of CUDA, by HIP's names.
#pragma once
#include <hip/hip_runtime.h>

#define cudaAddressModeBorder hipAddressModeBorder
#define cudaAddressModeClamp hipAddressModeClamp
#define cudaAddressModeWrap hipAddressModeWrap
#define cudaArrayCubemap hipArrayCubemap
#define cudaArrayLayered hipArrayLayered
#define cudaArraySurfaceLoadStore hipArraySurfaceLoadStore
#define cudaArray_t hipArray_t
#define cudaBindTexture hipBindTexture
#define cudaBindTexture2D hipBindTexture2D
#define cudaBindTextureToArray hipBindTextureToArray
#define cudaBoundaryModeClamp hipBoundaryModeClamp
#define cudaBoundaryModeZero hipBoundaryModeZero
#define cudaChannelFormatDesc hipChannelFormatDesc
#define cudaChannelFormatKindFloat hipChannelFormatKindFloat
#define cudaChannelFormatKindSigned hipChannelFormatKindSigned
#define cudaChannelFormatKindUnsigned hipChannelFormatKindUnsigned
#define cudaCreateChannelDesc hipCreateChannelDesc
#define cudaCreateSurfaceObject hipCreateSurfaceObject
#define cudaCreateTextureObject hipCreateTextureObject
#define cudaDestroySurfaceObject hipDestroySurfaceObject
#define cudaDestroyTextureObject hipDestroyTextureObject
#define cudaError_t hipError_t
#define cudaExtent hipExtent
#define cudaFilterModeLinear hipFilterModeLinear
#define cudaFilterModePoint hipFilterModePoint
#define cudaFree hipFree
#define cudaFreeArray hipFreeArray
#define cudaFreeMipmappedArray hipFreeMipmappedArray
#define cudaGetErrorString hipGetErrorString
#define cudaGetMipmappedArrayLevel hipGetMipmappedArrayLevel
#define cudaGetTextureAlignmentOffset hipGetTextureAlignmentOffset
#define cudaMalloc hipMalloc
#define cudaMalloc3DArray hipMalloc3DArray
#define cudaMallocArray hipMallocArray
#define cudaMallocMipmappedArray hipMallocMipmappedArray
#define cudaMallocPitch hipMallocPitch
#define cudaMemcpy hipMemcpy
#define cudaMemcpy2D hipMemcpy2D
#define cudaMemcpy2DFromArray hipMemcpy2DFromArray
#define cudaMemcpy2DToArray hipMemcpy2DToArray
#define cudaMemcpy3D hipMemcpy3D
#define cudaMemcpy3DParms hipMemcpy3DParms
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMipmappedArray_t hipMipmappedArray_t
#define cudaReadModeElementType hipReadModeElementType
#define cudaReadModeNormalizedFloat hipReadModeNormalizedFloat
#define cudaResViewFormatUnsignedBlockCompressed4 hipResViewFormatUnsignedBlockCompressed4
#define cudaResViewFormatUnsignedInt1 hipResViewFormatUnsignedInt1
#define cudaResViewFormatUnsignedInt2 hipResViewFormatUnsignedInt2
#define cudaResourceDesc hipResourceDesc
#define cudaResourceTypeArray hipResourceTypeArray
#define cudaResourceTypeLinear hipResourceTypeLinear
#define cudaResourceTypeMipmappedArray hipResourceTypeMipmappedArray
#define cudaResourceTypePitch2D hipResourceTypePitch2D
#define cudaResourceViewDesc hipResourceViewDesc
#define cudaResourceViewFormat hipResourceViewFormat
#define cudaSuccess hipSuccess
#define cudaSurfaceObject_t hipSurfaceObject_t
#define cudaTextureAddressMode hipTextureAddressMode
#define cudaTextureDesc hipTextureDesc
#define cudaTextureFilterMode hipTextureFilterMode
#define cudaTextureObject_t hipTextureObject_t
#define cudaTextureReadMode hipTextureReadMode
#define cudaTextureType2DLayered hipTextureType2DLayered
#define cudaUnbindTexture hipUnbindTexture
#define make_cudaExtent make_hipExtent
#define make_cudaPitchedPtr make_hipPitchedPtr

// HIP's functions for surfaces give what they read by a pointer.
template <class T> __device__ T surf1Dread(hipSurfaceObject_t s, int x, int mode = hipBoundaryModeZero) {
  T v;
  surf1Dread(&v, s, x, mode);
  return v;
}

template <class T> __device__ T surf2Dread(hipSurfaceObject_t s, int x, int y) {
  T v;
  surf2Dread(&v, s, x, y);
  return v;
}

template <class T> __device__ T surf3Dread(hipSurfaceObject_t s, int x, int y, int z) {
  T v;
  surf3Dread(&v, s, x, y, z);
  return v;
}
