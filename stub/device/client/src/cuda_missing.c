// Functions of CUDA's APIs that are not served: each says so once and returns cudaErrorNotSupported.
#include "hip.h"

#define MISSING(name)                         \
  int name(void) {                            \
    static char said;                         \
    return hip_missing(#name, &said);         \
  }

MISSING(cuArray3DCreate_v2) MISSING(cuArrayCreate_v2) MISSING(cuArrayDestroy) MISSING(cuGetExportTable)

MISSING(cuIpcGetMemHandle)
MISSING(cuIpcOpenMemHandle_v2) MISSING(cuLinkAddData_v2) MISSING(cuLinkAddFile_v2) MISSING(cuLinkComplete)
MISSING(cuLinkCreate_v2) MISSING(cuLinkDestroy)

MISSING(cuModuleGetSurfRef) MISSING(cuModuleGetTexRef) MISSING(cuSurfObjectCreate) MISSING(cuSurfObjectDestroy)
MISSING(cuTexObjectCreate) MISSING(cuTexObjectDestroy) MISSING(cudaArrayGetInfo) MISSING(cudaCreateSurfaceObject)
MISSING(cudaCreateTextureObject) MISSING(cudaDestroySurfaceObject) MISSING(cudaDestroyTextureObject)
MISSING(cudaFreeArray)

MISSING(cudaIpcGetMemHandle) MISSING(cudaIpcOpenMemHandle) MISSING(cudaMalloc3DArray) MISSING(cudaMallocArray)
MISSING(cudaMemcpy2DFromArray) MISSING(cudaMemcpy2DToArray) MISSING(cudaMemcpyFromArray)
MISSING(cudaMemcpyToArray)
