// Functions of CUDA's APIs that are not served: each says so once and returns cudaErrorNotSupported.
#include "hip.h"

#define MISSING(name)                         \
  int name(void) {                            \
    static char said;                         \
    return hip_missing(#name, &said);         \
  }

MISSING(cuGetExportTable)

MISSING(cuGraphKernelNodeSetAttribute) MISSING(cudaGraphKernelNodeSetAttribute)

MISSING(cuIpcGetMemHandle)
MISSING(cuIpcOpenMemHandle_v2)

MISSING(cudaIpcGetMemHandle) MISSING(cudaIpcOpenMemHandle)

