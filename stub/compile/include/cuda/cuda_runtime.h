// The part of CUDA's runtime API that everyday programs use, for clang without NVIDIA's toolkit:
//
//   clang++-22 -x cuda -nocudainc -nocudalib -I stub/compile/include/cuda …
//
// docs/cuda/cuda.sh has all of the command. What kernels call (shuffles, atomic operations, functions of
// mathematics) clang's own headers have.
#pragma once
// By compilers of C++ alone, as for the parts of a program that are of the host, it gives types and functions of the API.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned cuuint32_t;
typedef unsigned long cuuint64_t;

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __CUDACC__ 1
#else
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define CUDA_VERSION 12030
#define CUDART_VERSION CUDA_VERSION
#define CUDARTAPI
#define CUDART_CB

// What kernels call: clang's headers. Functions of mathematics must be declared before the host's are.
#ifdef __CUDA__
#include "__clang_cuda_math_forward_declares.h"
#endif

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

// Vectors, with functions that make them.

#define CUDA_VECTORS(type, name, align)                                                                    \
  struct name##1 { type x; };                                                                             \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 { type x, y; };                               \
  struct name##3 { type x, y, z; };                                                                       \
  struct __attribute__((aligned(align))) name##4 { type x, y, z, w; };                                    \
  static inline __host__ __device__ name##1 make_##name##1(type x) { return {x}; }                        \
  static inline __host__ __device__ name##2 make_##name##2(type x, type y) { return {x, y}; }             \
  static inline __host__ __device__ name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }  \
  static inline __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) {              \
    return {x, y, z, w};                                                                                  \
  }
CUDA_VECTORS(signed char, char, 4)
CUDA_VECTORS(unsigned char, uchar, 4)
CUDA_VECTORS(short, short, 8)
CUDA_VECTORS(unsigned short, ushort, 8)
CUDA_VECTORS(int, int, 16)
CUDA_VECTORS(unsigned, uint, 16)
CUDA_VECTORS(long, long, 16)
CUDA_VECTORS(unsigned long, ulong, 16)
CUDA_VECTORS(long long, longlong, 16)
CUDA_VECTORS(unsigned long long, ulonglong, 16)
CUDA_VECTORS(float, float, 16)
CUDA_VECTORS(double, double, 16)
#undef CUDA_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __host__ __device__ operator uint3() const { return {x, y, z}; }
};

#ifdef __CUDA__
#include "__clang_cuda_builtin_vars.h"
#include "__clang_cuda_libdevice_declares.h"
#ifndef CUDA_LIBRARY_CALLS
#include "library_functions.h"
#endif
#include "__clang_cuda_device_functions.h"
#include "__clang_cuda_math.h"
#include "__clang_cuda_cmath.h"

// Forms for floats that clang's headers declare, and NVIDIA's define.
#define CUDA_FORM(T, name, parameters, ...) \
  static __inline__ __attribute__((always_inline, device)) T name parameters { return name##f(__VA_ARGS__); }
#define CUDA_FORM1(name) CUDA_FORM(float, name, (float x), x)
#define CUDA_FORM2(name) CUDA_FORM(float, name, (float x, float y), x, y)
CUDA_FORM1(acosh) CUDA_FORM1(asinh) CUDA_FORM1(atanh) CUDA_FORM1(cbrt) CUDA_FORM1(erf) CUDA_FORM1(erfc)
CUDA_FORM1(exp2) CUDA_FORM1(expm1) CUDA_FORM1(lgamma) CUDA_FORM1(log1p) CUDA_FORM1(log2) CUDA_FORM1(logb)
CUDA_FORM1(nearbyint) CUDA_FORM1(rint) CUDA_FORM1(round) CUDA_FORM1(tgamma) CUDA_FORM1(trunc)
CUDA_FORM2(copysign) CUDA_FORM2(fdim) CUDA_FORM2(fmax) CUDA_FORM2(fmin) CUDA_FORM2(hypot) CUDA_FORM2(nextafter)
CUDA_FORM2(remainder)
CUDA_FORM(float, fma, (float x, float y, float z), x, y, z)
CUDA_FORM(float, scalbn, (float x, int n), x, n)
CUDA_FORM(float, scalbln, (float x, long n), x, n)
CUDA_FORM(int, ilogb, (float x), x)
CUDA_FORM(long, lrint, (float x), x)
CUDA_FORM(long, lround, (float x), x)
CUDA_FORM(long long, llrint, (float x), x)
CUDA_FORM(long long, llround, (float x), x)
static __inline__ __device__ double nan(const char *) { return __builtin_nan(""); }
static __inline__ __device__ float nanf(const char *) { return __builtin_nanf(""); }
#undef CUDA_FORM2
#undef CUDA_FORM1
#undef CUDA_FORM

static inline __device__ unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
static inline __device__ unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
static inline __device__ unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
static inline __device__ unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
static inline __device__ size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(__attribute__((address_space(1))) const char *)p;
}
static inline __device__ size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(__attribute__((address_space(3))) const void *)p;
}
static inline __device__ size_t __cvta_generic_to_constant(const void *p) {
  return (size_t)(__attribute__((address_space(4))) const void *)p;
}
static inline __device__ size_t __cvta_generic_to_local(const void *p) {
  return (size_t)(__attribute__((address_space(5))) const void *)p;
}
static inline __device__ void *__cvta_constant_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(4))) void *)p;
}
static inline __device__ void *__cvta_local_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(5))) void *)p;
}
static inline __device__ void *__cvta_shared_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(3))) void *)p;
}
static inline __device__ void *__cvta_global_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(1))) void *)p;
}
#include "__clang_cuda_intrinsics.h"
#include "integer_functions.h"
static inline __device__ void __nanosleep(unsigned ns) { __asm__ volatile("nanosleep.u32 %0;" ::"r"(ns)); }

// The greater and the lesser of two numbers. Clang's headers have those of int on the device.
#define CUDA_EXTREMES(where, T, A, B)                                        \
  static inline where T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }  \
  static inline where T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }
#define CUDA_EXTREMES_OF(T) CUDA_EXTREMES(__host__ __device__, T, T, T)
#define CUDA_MIXED_EXTREMES(T, U) \
  CUDA_EXTREMES(__host__ __device__, T, T, U) CUDA_EXTREMES(__host__ __device__, T, U, T)
CUDA_EXTREMES(__host__, int, int, int)
CUDA_EXTREMES_OF(unsigned)
CUDA_EXTREMES_OF(long)
CUDA_EXTREMES_OF(unsigned long)
CUDA_EXTREMES_OF(long long)
CUDA_EXTREMES_OF(unsigned long long)
CUDA_MIXED_EXTREMES(unsigned, int)
CUDA_MIXED_EXTREMES(unsigned long, long)
CUDA_MIXED_EXTREMES(unsigned long long, long long)
CUDA_MIXED_EXTREMES(double, float)
// Of floats, one that is no number is neither.
#define CUDA_FLOAT_EXTREMES(T, suffix)                                              \
  static inline __host__ T max(T a, T b) { return __builtin_fmax##suffix(a, b); }   \
  static inline __host__ T min(T a, T b) { return __builtin_fmin##suffix(a, b); }   \
  static inline __device__ T max(T a, T b) { return __nv_fmax##suffix(a, b); }      \
  static inline __device__ T min(T a, T b) { return __nv_fmin##suffix(a, b); }
CUDA_FLOAT_EXTREMES(float, f)
CUDA_FLOAT_EXTREMES(double, )
#undef CUDA_FLOAT_EXTREMES
#undef CUDA_MIXED_EXTREMES
#undef CUDA_EXTREMES_OF
#undef CUDA_EXTREMES
#endif // __CUDA__

// Errors.

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorCudartUnloading = 4,
  cudaErrorProfilerDisabled = 5,
  cudaErrorProfilerNotInitialized = 6,
  cudaErrorProfilerAlreadyStarted = 7,
  cudaErrorProfilerAlreadyStopped = 8,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidHostPointer = 16,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidTexture = 18,
  cudaErrorInvalidTextureBinding = 19,
  cudaErrorInvalidChannelDescriptor = 20,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorAddressOfConstant = 22,
  cudaErrorTextureFetchFailed = 23,
  cudaErrorTextureNotBound = 24,
  cudaErrorSynchronizationError = 25,
  cudaErrorInvalidFilterSetting = 26,
  cudaErrorInvalidNormSetting = 27,
  cudaErrorMixedDeviceExecution = 28,
  cudaErrorNotYetImplemented = 31,
  cudaErrorMemoryValueTooLarge = 32,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidSurface = 37,
  cudaErrorDuplicateVariableName = 43,
  cudaErrorDuplicateTextureName = 44,
  cudaErrorDuplicateSurfaceName = 45,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorIncompatibleDriverContext = 49,
  cudaErrorMissingConfiguration = 52,
  cudaErrorPriorLaunchFailure = 53,
  cudaErrorLaunchMaxDepthExceeded = 65,
  cudaErrorLaunchFileScopedTex = 66,
  cudaErrorLaunchFileScopedSurf = 67,
  cudaErrorSyncDepthExceeded = 68,
  cudaErrorLaunchPendingCountExceeded = 69,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorStartupFailure = 127,
  cudaErrorInvalidKernelImage = 200,
  cudaErrorDeviceUninitialized = 201,
  cudaErrorMapBufferObjectFailed = 205,
  cudaErrorUnmapBufferObjectFailed = 206,
  cudaErrorArrayIsMapped = 207,
  cudaErrorAlreadyMapped = 208,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorAlreadyAcquired = 210,
  cudaErrorNotMapped = 211,
  cudaErrorECCUncorrectable = 214,
  cudaErrorUnsupportedLimit = 215,
  cudaErrorDeviceAlreadyInUse = 216,
  cudaErrorPeerAccessUnsupported = 217,
  cudaErrorInvalidPtx = 218,
  cudaErrorInvalidGraphicsContext = 219,
  cudaErrorNvlinkUncorrectable = 220,
  cudaErrorInvalidSource = 300,
  cudaErrorFileNotFound = 301,
  cudaErrorSharedObjectSymbolNotFound = 302,
  cudaErrorSharedObjectInitFailed = 303,
  cudaErrorOperatingSystem = 304,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalState = 401,
  cudaErrorSymbolNotFound = 500,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorPeerAccessNotEnabled = 705,
  cudaErrorSetOnActiveProcess = 708,
  cudaErrorContextIsDestroyed = 709,
  cudaErrorAssert = 710,
  cudaErrorTooManyPeers = 711,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715,
  cudaErrorMisalignedAddress = 716,
  cudaErrorInvalidAddressSpace = 717,
  cudaErrorInvalidPc = 718,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorGraphExecUpdateFailure = 910,
  cudaErrorInvalidClusterSize = 912,
  cudaErrorUnknown = 999,
  cudaErrorApiFailureBase = 10000
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaEventInterprocess 4
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceLmemResizeToMax 16
#define cudaDeviceMapHost 8

enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaComputeMode {
  cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
};
enum cudaLimit {
  cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize
};
enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp, missProp;
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference, cudaLaunchAttributeProgrammaticStreamSerialization,
  cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributePriority
};
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttrValue cudaLaunchAttributeValue
union cudaLaunchAttributeValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative, priority, programmaticStreamSerializationAllowed;
  struct { unsigned x, y, z; } clusterDim;
};
struct cudaLaunchAttribute {
  enum cudaLaunchAttributeID id;
  char pad[8 - sizeof(enum cudaLaunchAttributeID)];
  union cudaLaunchAttributeValue val;
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7, cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10, cudaDevAttrMaxPitch = 11, cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13, cudaDevAttrTextureAlignment = 14, cudaDevAttrGpuOverlap = 15,
  cudaDevAttrMultiProcessorCount = 16, cudaDevAttrKernelExecTimeout = 17, cudaDevAttrIntegrated = 18,
  cudaDevAttrCanMapHostMemory = 19, cudaDevAttrComputeMode = 20, cudaDevAttrMaxTexture1DWidth = 21,
  cudaDevAttrMaxTexture2DWidth = 22, cudaDevAttrMaxTexture2DHeight = 23, cudaDevAttrMaxTexture3DWidth = 24,
  cudaDevAttrMaxTexture3DHeight = 25, cudaDevAttrMaxTexture3DDepth = 26,
  cudaDevAttrMaxTexture2DLayeredWidth = 27, cudaDevAttrMaxTexture2DLayeredHeight = 28,
  cudaDevAttrMaxTexture2DLayeredLayers = 29, cudaDevAttrSurfaceAlignment = 30,
  cudaDevAttrConcurrentKernels = 31, cudaDevAttrEccEnabled = 32, cudaDevAttrPciBusId = 33,
  cudaDevAttrPciDeviceId = 34, cudaDevAttrTccDriver = 35, cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41, cudaDevAttrMaxTexture1DLayeredWidth = 42,
  cudaDevAttrMaxTexture1DLayeredLayers = 43, cudaDevAttrPciDomainId = 50,
  cudaDevAttrTexturePitchAlignment = 51, cudaDevAttrMaxTexture1DLinearWidth = 69,
  cudaDevAttrMaxTexture2DLinearWidth = 70, cudaDevAttrMaxTexture2DLinearHeight = 71,
  cudaDevAttrMaxTexture2DLinearPitch = 72, cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrStreamPrioritiesSupported = 78,
  cudaDevAttrGlobalL1CacheSupported = 79, cudaDevAttrLocalL1CacheSupported = 80,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83, cudaDevAttrIsMultiGpuBoard = 84, cudaDevAttrMultiGpuBoardGroupID = 85,
  cudaDevAttrHostNativeAtomicSupported = 86, cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
  cudaDevAttrPageableMemoryAccess = 88, cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrComputePreemptionSupported = 90, cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
  cudaDevAttrCooperativeLaunch = 95, cudaDevAttrCooperativeMultiDeviceLaunch = 96,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrCanFlushRemoteWrites = 98,
  cudaDevAttrHostRegisterSupported = 99, cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
  cudaDevAttrDirectManagedMemAccessFromHost = 101, cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMaxPersistingL2CacheSize = 108, cudaDevAttrMaxAccessPolicyWindowSize = 109,
  cudaDevAttrReservedSharedMemoryPerBlock = 111, cudaDevAttrMemoryPoolsSupported = 115,
  cudaDevAttrClusterLaunch = 120
};

typedef struct CUuuid_st { char bytes[16]; } CUuuid, cudaUUID_t;
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3],
      maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2],
      maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3],
      maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
      unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
      maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
      canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
      accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  char reserved[1032 - 728];
};

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  struct cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout, reserved[24];
};

struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

enum cudaGetDriverEntryPointFlags {
  cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream
};
enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound, cudaDriverEntryPointVersionNotSufficent
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};

extern "C" {
cudaError_t cudaGetLastError(void), cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t), *cudaGetErrorString(cudaError_t);
cudaError_t cudaGetDeviceCount(int *), cudaGetDevice(int *), cudaSetDevice(int), cudaSetDeviceFlags(unsigned);
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDriverGetVersion(int *), cudaRuntimeGetVersion(int *);
cudaError_t cudaDeviceSynchronize(void), cudaDeviceReset(void);
cudaError_t cudaDeviceGetLimit(size_t *, enum cudaLimit), cudaDeviceSetLimit(enum cudaLimit, size_t);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache), cudaDeviceGetCacheConfig(enum cudaFuncCache *);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *);
cudaError_t cudaGetDeviceFlags(unsigned *), cudaChooseDevice(int *, const struct cudaDeviceProp *);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int), cudaDeviceGetByPCIBusId(int *, const char *);
cudaError_t cudaThreadSynchronize(void), cudaThreadExit(void), cudaSetValidDevices(int *, int);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int), cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaMalloc(void **, size_t), cudaMallocHost(void **, size_t), cudaHostAlloc(void **, size_t, unsigned);
cudaError_t cudaMallocManaged(void **, size_t, unsigned), cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t), cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaGetDriverEntryPoint(const char *, void **, unsigned long long, cudaDriverEntryPointQueryResult * = 0);
cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult * = 0);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *, struct cudaExtent);
cudaError_t cudaFree(void *), cudaFreeHost(void *), cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaHostRegister(void *, size_t, unsigned), cudaHostUnregister(void *);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *, const void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaGetSymbolAddress(void **, const void *), cudaGetSymbolSize(size_t *, const void *);
cudaError_t cudaMemset(void *, int, size_t), cudaMemsetAsync(void *, int, size_t, cudaStream_t);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t);
cudaError_t cudaMemset3D(struct cudaPitchedPtr, int, struct cudaExtent);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t cudaHostGetFlags(unsigned *, void *);
cudaError_t cudaStreamCreate(cudaStream_t *), cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int), cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t), cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned *), cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamSetAttribute(cudaStream_t, enum cudaLaunchAttributeID, const union cudaLaunchAttributeValue *);
cudaError_t cudaStreamGetAttribute(cudaStream_t, enum cudaLaunchAttributeID, union cudaLaunchAttributeValue *);
cudaError_t cudaCtxResetPersistingL2Cache(void), cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t, unsigned);
cudaError_t cudaEventCreate(cudaEvent_t *), cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t), cudaEventRecord(cudaEvent_t, cudaStream_t), cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t), cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t), cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const struct cudaLaunchConfig_t *, const void *, void **);
cudaError_t cudaOccupancyMaxActiveClusters(int *, const void *, const struct cudaLaunchConfig_t *);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, const void *, const struct cudaLaunchConfig_t *);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *);
cudaError_t cudaFuncSetAttribute(const void *, enum cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, const void *, size_t, int);
cudaError_t cudaProfilerStart(void), cudaProfilerStop(void);

// What clang makes of kernel<<<grid, block, shared, stream>>>(…).
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, struct CUstream_st * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaSetupArgument(const void *, size_t, size_t), cudaLaunch(const void *);

#ifdef __CUDA__
// Functions of the device's runtime.
__device__ int vprintf(const char *, const char *);
__device__ void *malloc(size_t);
__device__ void free(void *);
__device__ __attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__device__ __attribute__((noreturn)) static inline void __assert_fail(const char *what, const char *file, unsigned line,
                                                                      const char *function) {
  __assertfail(what, file, line, function, sizeof(char));
}
__device__ int printf(const char *, ...);
#endif
}

// CUDA's headers include <assert.h>.
#if defined(__CUDA__) && !defined(assert) && defined(__CUDA_ARCH__)
#define assert(x) ((x) ? (void)0 : __assert_fail(#x, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

#define cudaGetDeviceProperties cudaGetDeviceProperties_v2

// Forms of functions for pointers of all types, and with values that need not be given.
template <class T> cudaError_t cudaMalloc(T **p, size_t n) { return cudaMalloc((void **)p, n); }
template <class T> cudaError_t cudaMallocHost(T **p, size_t n) { return cudaMallocHost((void **)p, n); }
template <class T> cudaError_t cudaHostAlloc(T **p, size_t n, unsigned f) { return cudaHostAlloc((void **)p, n, f); }
template <class T> cudaError_t cudaMallocManaged(T **p, size_t n, unsigned f = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)p, n, f);
}
template <class T> cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h) {
  return cudaMallocPitch((void **)p, pitch, w, h);
}
template <class T> cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t s) {
  return cudaMallocAsync((void **)p, n, s);
}
template <class T> cudaError_t cudaMemcpyToSymbol(const T &to, const void *from, size_t n, size_t at = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&to, from, n, at, kind);
}
template <class T> cudaError_t cudaMemcpyFromSymbol(void *to, const T &from, size_t n, size_t at = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&from, n, at, kind);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **p, const T &of) {
  return cudaGetSymbolAddress(p, (const void *)&of);
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *n, const T &of) {
  return cudaGetSymbolSize(n, (const void *)&of);
}
template <class T> cudaError_t cudaOccupancyMaxActiveClusters(int *n, T *f, const cudaLaunchConfig_t *c) {
  return cudaOccupancyMaxActiveClusters(n, (const void *)f, c);
}
template <class T> cudaError_t cudaOccupancyMaxPotentialClusterSize(int *n, T *f, const cudaLaunchConfig_t *c) {
  return cudaOccupancyMaxPotentialClusterSize(n, (const void *)f, c);
}
template <class T> cudaError_t cudaFuncSetAttribute(T *f, cudaFuncAttribute a, int value) {
  return cudaFuncSetAttribute((const void *)f, a, value);
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T *f, cudaFuncCache c) {
  return cudaFuncSetCacheConfig((const void *)f, c);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **p, void *of, unsigned flags = 0) {
  return cudaHostGetDevicePointer((void **)p, of, flags);
}
template <class T> cudaError_t cudaLaunchKernel(T *f, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                                cudaStream_t s = 0) {
  return cudaLaunchKernel((const void *)f, grid, block, args, shared, s);
}
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*f)(P...), A &&...args) {
  return [&](P... values) {
    void *all[] = {&values..., nullptr};
    return cudaLaunchKernelExC(c, (const void *)f, all);
  }((A &&)args...);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &to, const void *from, size_t n, size_t at = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t s = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&to, from, n, at, kind, s);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &from, size_t n, size_t at = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t s = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&from, n, at, kind, s);
}
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, T *f) {
  return cudaFuncGetAttributes(a, (const void *)f);
}
template <class T> cudaError_t cudaLaunchCooperativeKernel(T *f, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                                           cudaStream_t s = 0) {
  return cudaLaunchCooperativeKernel((const void *)f, grid, block, args, shared, s);
}
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, T *f, int block, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)f, block, shared);
}
template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *f, size_t shared = 0,
                                                                  int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, (const void *)f, shared, limit);
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, n, kind, 0);
}
static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t n) { return cudaMemsetAsync(to, value, n, 0); }
static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags) { return cudaEventCreateWithFlags(e, flags); }
static inline cudaError_t cudaEventRecord(cudaEvent_t e) { return cudaEventRecord(e, 0); }
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e) { return cudaStreamWaitEvent(s, e, 0); }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *e, cudaGraph_t g) {
  return cudaGraphInstantiate(e, g, 0);
}

#ifdef __CUDACC_RTC__
#include <cassert> // which NVRTC has without being asked
#endif
#include <new> // that of clang has new and delete of the device

#include "memory_functions.h"
#include "texture_functions.h"
#include "graph_functions.h"

#ifdef __CUDA__
#include "device_atomics.h"
#endif
