// Functions of the HIP runtime API that are not served: each says so once and
// returns hipErrorNotSupported.
#include "hip.h"

#define MISSING(name)                         \
  int name(void) {                            \
    static char said;                         \
    return hip_missing(#name, &said);         \
  }

MISSING(__hipGetPCH)

MISSING(hipDestroyExternalMemory) MISSING(hipDestroyExternalSemaphore)
MISSING(hipDrvGraphAddMemcpyNode) MISSING(hipDrvGraphAddMemFreeNode)
MISSING(hipDrvGraphAddMemsetNode) MISSING(hipDrvGraphExecMemcpyNodeSetParams)
MISSING(hipDrvGraphExecMemsetNodeSetParams) MISSING(hipDrvGraphMemcpyNodeGetParams)
MISSING(hipDrvGraphMemcpyNodeSetParams) MISSING(hipDrvMemcpy3D) MISSING(hipDrvMemcpy3DAsync)
MISSING(hipEnableActivityCallback) MISSING(hipExternalMemoryGetMappedBuffer)
MISSING(hipExternalMemoryGetMappedMipmappedArray)

MISSING(hipGLGetDevices)
MISSING(hipGraphAddBatchMemOpNode) MISSING(hipGraphAddExternalSemaphoresSignalNode)
MISSING(hipGraphAddExternalSemaphoresWaitNode) MISSING(hipGraphAddNode)
MISSING(hipGraphBatchMemOpNodeGetParams) MISSING(hipGraphBatchMemOpNodeSetParams)
MISSING(hipGraphExecBatchMemOpNodeSetParams) MISSING(hipGraphExecExternalSemaphoresSignalNodeSetParams)
MISSING(hipGraphExecExternalSemaphoresWaitNodeSetParams) MISSING(hipGraphExecNodeSetParams)
MISSING(hipGraphExternalSemaphoresSignalNodeGetParams)
MISSING(hipGraphExternalSemaphoresSignalNodeSetParams) MISSING(hipGraphExternalSemaphoresWaitNodeGetParams)
MISSING(hipGraphExternalSemaphoresWaitNodeSetParams) MISSING(hipGraphicsGLRegisterBuffer)
MISSING(hipGraphicsGLRegisterImage) MISSING(hipGraphicsMapResources)
MISSING(hipGraphicsResourceGetMappedPointer) MISSING(hipGraphicsSubResourceGetMappedArray)
MISSING(hipGraphicsUnmapResources) MISSING(hipGraphicsUnregisterResource)
MISSING(hipGraphKernelNodeCopyAttributes) MISSING(hipGraphKernelNodeGetAttribute)
MISSING(hipGraphKernelNodeSetAttribute) MISSING(hipGraphNodeSetParams) MISSING(hipImportExternalMemory)
MISSING(hipImportExternalSemaphore) MISSING(hipInitActivityCallback) MISSING(hipIpcCloseMemHandle)
MISSING(hipIpcGetEventHandle) MISSING(hipIpcGetMemHandle) MISSING(hipIpcOpenEventHandle)
MISSING(hipIpcOpenMemHandle)

MISSING(hipMemcpy2DFromArray_spt)
MISSING(hipMemcpy2DToArray_spt)

MISSING(hipMemExportToShareableHandle)
MISSING(hipMemImportFromShareableHandle)
MISSING(hipMemMapArrayAsync) MISSING(hipMemPoolExportPointer)
MISSING(hipMemPoolExportToShareableHandle) MISSING(hipMemPoolImportFromShareableHandle)
MISSING(hipMemPoolImportPointer)

MISSING(hipModuleLaunchCooperativeKernelMultiDevice) MISSING(hipPointerSetAttribute)
MISSING(hipRegisterActivityCallback) MISSING(hipRegisterApiCallback) MISSING(hipRemoveActivityCallback)
MISSING(hipRemoveApiCallback) MISSING(hipSignalExternalSemaphoresAsync)

MISSING(hipWaitExternalSemaphoresAsync)
