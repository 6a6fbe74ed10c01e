// Errors of the HIP runtime API: their names, the last one of each thread, and what the service answers as
// one of them.
//
// The files hip_….c are one unit of compilation, in the order of libamdhip64.c: each uses those before it
// alone, since hip.h declares types and no function.
//
// Source: HIP's API reference ("HIP Runtime API Reference"), "Error Handling".
#include "hip.h"

static _Thread_local int hip_last; // the last error of the thread

// What errors are called.

int hipGetLastError(void) {
  int error = hip_last;
  hip_last = hipSuccess;
  return error;
}

int hipPeekAtLastError(void) { return hip_last; }
int hipExtGetLastError(void) { return hipGetLastError(); }

static const struct {
  int error;
  const char *name, *text;
} errors[] = {
    {0, "hipSuccess", "no error"},
    {1, "hipErrorInvalidValue", "invalid argument"},
    {2, "hipErrorOutOfMemory", "out of memory"},
    {3, "hipErrorNotInitialized", "initialization error"},
    {4, "hipErrorDeinitialized", "the runtime is shutting down"},
    {5, "hipErrorProfilerDisabled", "the profiler is off"},
    {6, "hipErrorProfilerNotInitialized", "the profiler has not been initialized"},
    {7, "hipErrorProfilerAlreadyStarted", "the profiler runs already"},
    {8, "hipErrorProfilerAlreadyStopped", "the profiler does not run"},
    {9, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "hipErrorInvalidSymbol", "invalid device symbol"},
    {17, "hipErrorInvalidDevicePointer", "no such device pointer"},
    {21, "hipErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {35, "hipErrorInsufficientDriver", "the driver is older than the runtime"},
    {52, "hipErrorMissingConfiguration", "__global__ function call is not configured"},
    {53, "hipErrorPriorLaunchFailure", "an earlier launch failed"},
    {98, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {100, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {101, "hipErrorInvalidDevice", "invalid device ordinal"},
    {200, "hipErrorInvalidImage", "device kernel image is invalid"},
    {201, "hipErrorInvalidContext", "invalid device context"},
    {202, "hipErrorContextAlreadyCurrent", "the context is current already"},
    {205, "hipErrorMapFailed", "mapping failed"},
    {206, "hipErrorUnmapFailed", "unmapping failed"},
    {207, "hipErrorArrayIsMapped", "the array is mapped"},
    {208, "hipErrorAlreadyMapped", "the resource is mapped already"},
    {209, "hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"},
    {210, "hipErrorAlreadyAcquired", "the resource is acquired already"},
    {211, "hipErrorNotMapped", "the resource is not mapped"},
    {212, "hipErrorNotMappedAsArray", "the resource is not mapped as an array"},
    {213, "hipErrorNotMappedAsPointer", "the resource is not mapped as a pointer"},
    {214, "hipErrorECCNotCorrectable", "an ECC error that cannot be corrected"},
    {215, "hipErrorUnsupportedLimit", "no such limit"},
    {216, "hipErrorContextAlreadyInUse", "the context is in use"},
    {217, "hipErrorPeerAccessUnsupported", "peer access is not supported between these two devices"},
    {218, "hipErrorInvalidKernelFile", "no valid kernel file"},
    {219, "hipErrorInvalidGraphicsContext", "no valid graphics context"},
    {300, "hipErrorInvalidSource", "no valid source"},
    {301, "hipErrorFileNotFound", "file not found"},
    {302, "hipErrorSharedObjectSymbolNotFound", "a shared object lacks a symbol"},
    {303, "hipErrorSharedObjectInitFailed", "a shared object could not be initialized"},
    {304, "hipErrorOperatingSystem", "an error of the operating system"},
    {400, "hipErrorInvalidHandle", "invalid resource handle"},
    {401, "hipErrorIllegalState", "not possible in this state"},
    {500, "hipErrorNotFound", "named symbol not found"},
    {600, "hipErrorNotReady", "device not ready"},
    {700, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "hipErrorLaunchOutOfResources", "too few resources for the launch"},
    {702, "hipErrorLaunchTimeOut", "the launch took too long"},
    {704, "hipErrorPeerAccessAlreadyEnabled", "access to the peer is enabled already"},
    {705, "hipErrorPeerAccessNotEnabled", "access to the peer has not been enabled"},
    {708, "hipErrorSetOnActiveProcess", "too late: the device is in use"},
    {709, "hipErrorContextIsDestroyed", "the context was destroyed"},
    {710, "hipErrorAssert", "device-side assert triggered"},
    {712, "hipErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {713, "hipErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {719, "hipErrorLaunchFailure", "unspecified launch failure"},
    {720, "hipErrorCooperativeLaunchTooLarge", "too many workgroups for a cooperative launch"},
    {801, "hipErrorNotSupported", "operation not supported"},
    {900, "hipErrorStreamCaptureUnsupported", "not possible while a stream is captured"},
    {901, "hipErrorStreamCaptureInvalidated", "the capture became invalid"},
    {902, "hipErrorStreamCaptureMerge", "two captures would become one"},
    {903, "hipErrorStreamCaptureUnmatched", "the capture did not begin in this stream"},
    {904, "hipErrorStreamCaptureUnjoined", "a stream did not come back to the capture"},
    {905, "hipErrorStreamCaptureIsolation", "a dependency leads out of the capture"},
    {906, "hipErrorStreamCaptureImplicit", "the legacy stream depends on the capture"},
    {907, "hipErrorCapturedEvent", "the event was captured"},
    {908, "hipErrorStreamCaptureWrongThread", "the capture began in another thread"},
    {910, "hipErrorGraphExecUpdateFailure", "the graph's shape is another"},
    {912, "hipErrorInvalidClusterSize", "the cluster is too large, or the grid is no multiple of it"},
    {999, "hipErrorUnknown", "unknown error"},
    {1052, "hipErrorRuntimeMemory", "an error of the runtime's memory"},
    {1053, "hipErrorRuntimeOther", "another error of the runtime"},
};

const char *hipGetErrorName(int error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return errors[i].name;
  return "hipErrorUnknown";
}

const char *hipGetErrorString(int error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return errors[i].text;
  return "unknown error";
}

int hipDrvGetErrorName(int error, const char **out) {
  *out = hipGetErrorName(error);
  return hipSuccess;
}

int hipDrvGetErrorString(int error, const char **out) {
  *out = hipGetErrorString(error);
  return hipSuccess;
}

// What functions return.

// hip_tell tells of a call that fails, but for functions that programs ask what there is, what is said when
// it happens first, and what the device is in no condition to do any more, since a kernel has failed.
static void hip_tell(int error) {
  if (!(dev.checked & CHECK_API) || error == hipErrorNotSupported || dev.condition) return;
  dev_caller c = dev_from();
  free(c.file);
  if (c.called &&
      (strstr(c.called, "PointerGet") || strstr(c.called, "ProcAddress") || strstr(c.called, "Peer")))
    return;
  char name[64] = API_PREFIX;
  snprintf(name, sizeof name, API_PREFIX "%s", hipGetErrorName(error) + strlen("hip"));
  dev_fails(NULL, name);
}

int hip_done(int error) {
  if (error != hipSuccess && error != hipErrorNotReady) {
    hip_last = error;
    hip_tell(error);
  }
  dev_forget_reason();
  return error;
}

int hip_error(enum dev_status s) {
  static const struct {
    enum dev_status status;
    int error;
  } table[] = {
      {DEV_DONE, hipSuccess},
      {DEV_INVALID, hipErrorInvalidValue},
      {DEV_NO_MEMORY, hipErrorOutOfMemory},
      {DEV_NOT_FOUND, hipErrorInvalidValue},
      {DEV_BAD_MODULE, hipErrorNoBinaryForGpu},
      {DEV_BAD_LAUNCH, hipErrorInvalidConfiguration},
      {DEV_FAULTED, hipErrorIllegalAddress},
      {DEV_ASSERTED, hipErrorAssert},
      {DEV_TRAPPED, hipErrorLaunchFailure},
      {DEV_UNSUPPORTED, hipErrorNotSupported},
      {DEV_FAILED, hipErrorLaunchFailure},
      {DEV_WRONG_PROTOCOL, hipErrorUnknown},
      {DEV_GONE, hipErrorNoDevice},
  };
  if (s > DEV_DONE && s < DEV_FAULTED && !dev_reason.text[0]) dev_because(0, 0, "%s", dev.message);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].status == s) return table[i].error;
  return hipErrorUnknown;
}

// hip_missing says once that a function is not served.
int hip_missing(const char *name, char *said) {
  if (!__atomic_test_and_set(said, __ATOMIC_RELAXED))
    dev_say("%s is not there: it returns " API_PREFIX "ErrorNotSupported", name);
  return hip_done(hipErrorNotSupported);
}
