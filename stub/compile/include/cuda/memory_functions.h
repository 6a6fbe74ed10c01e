// Where memory lies, pools of it, and memory of other processes: a part of the runtime's API.
#pragma once

#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaHostRegisterPortable 1
#define cudaHostRegisterIoMemory 4
#define cudaHostRegisterReadOnly 8
#define cudaIpcMemLazyEnablePeerAccess 1

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
  cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost, cudaMemLocationTypeHostNuma,
  cudaMemLocationTypeHostNumaCurrent
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType {
  cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1, cudaMemHandleTypeWin32 = 2
};
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1, cudaMemAccessFlagsProtReadWrite = 3
};
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic,
  cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
  cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported, cudaDevP2PAttrNativeAtomicSupported,
  cudaDevP2PAttrCudaArrayAccessSupported
};
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
struct cudaMemLocation {
  enum cudaMemLocationType type;
  int id;
};
struct cudaMemAccessDesc {
  struct cudaMemLocation location;
  enum cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
  enum cudaMemAllocationType allocType;
  enum cudaMemAllocationHandleType handleTypes;
  struct cudaMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
typedef struct cudaIpcMemHandle_st { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st { char reserved[64]; } cudaIpcEventHandle_t;

extern "C" {
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int), cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const struct cudaMemPoolProps *), cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const struct cudaMemAccessDesc *, size_t);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *, cudaMemPool_t, struct cudaMemLocation *);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t);
cudaError_t cudaDeviceDisablePeerAccess(int), cudaDeviceGetP2PAttribute(int *, enum cudaDeviceP2PAttr, int, int);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *), cudaIpcCloseMemHandle(void *);
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned);
}

// The forms of CUDA 13, by places instead of numbers of devices.
static inline int cudaDeviceOf(cudaMemLocation l) {
  return l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, cudaMemLocation to, unsigned, cudaStream_t s = 0) {
  return cudaMemPrefetchAsync(p, n, cudaDeviceOf(to), s);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device) {
  return cudaMemPrefetchAsync(p, n, device, 0);
}
static inline cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise what, cudaMemLocation of) {
  return cudaMemAdvise(p, n, what, cudaDeviceOf(of));
}
template <class T> cudaError_t cudaMallocFromPoolAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t s) {
  return cudaMallocFromPoolAsync((void **)p, n, pool, s);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, T *p, size_t n = 0, unsigned flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(s, (void *)p, n, flags);
}
