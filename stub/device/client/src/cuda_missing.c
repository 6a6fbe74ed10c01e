// Functions of CUDA's APIs that are not served: each says so once and returns cudaErrorNotSupported.
#include "hip.h"

#define MISSING(name)                         \
  int name(void) {                            \
    static char said;                         \
    return hip_missing(#name, &said);         \
  }

MISSING(cuArray3DCreate_v2) MISSING(cuArrayCreate_v2) MISSING(cuArrayDestroy) MISSING(cuGetExportTable)
MISSING(cuGraphAddKernelNode_v2) MISSING(cuGraphAddMemcpyNode) MISSING(cuGraphAddMemsetNode)
MISSING(cuGraphExecKernelNodeSetParams_v2) MISSING(cuGraphKernelNodeGetParams_v2) MISSING(cuIpcGetMemHandle)
MISSING(cuIpcOpenMemHandle_v2) MISSING(cuLinkAddData_v2) MISSING(cuLinkAddFile_v2) MISSING(cuLinkComplete)
MISSING(cuLinkCreate_v2) MISSING(cuLinkDestroy) MISSING(cuMemAddressFree) MISSING(cuMemAddressReserve)
MISSING(cuMemCreate) MISSING(cuMemGetAllocationGranularity) MISSING(cuMemMap) MISSING(cuMemRelease)
MISSING(cuMemSetAccess) MISSING(cuMemUnmap) MISSING(cuMemcpy3D_v2) MISSING(cuMemcpy3DAsync_v2)
MISSING(cuModuleGetSurfRef) MISSING(cuModuleGetTexRef) MISSING(cuSurfObjectCreate) MISSING(cuSurfObjectDestroy)
MISSING(cuTexObjectCreate) MISSING(cuTexObjectDestroy) MISSING(cudaArrayGetInfo) MISSING(cudaCreateSurfaceObject)
MISSING(cudaCreateTextureObject) MISSING(cudaDestroySurfaceObject) MISSING(cudaDestroyTextureObject)
MISSING(cudaFreeArray) MISSING(cudaGraphAddKernelNode) MISSING(cudaGraphAddMemcpyNode)
MISSING(cudaGraphAddMemsetNode) MISSING(cudaGraphKernelNodeGetParams) MISSING(cudaGraphKernelNodeSetParams)
MISSING(cudaIpcGetMemHandle) MISSING(cudaIpcOpenMemHandle) MISSING(cudaMalloc3DArray) MISSING(cudaMallocArray)
MISSING(cudaMemcpy2DFromArray) MISSING(cudaMemcpy2DToArray) MISSING(cudaMemcpyFromArray)
MISSING(cudaMemcpyToArray)
