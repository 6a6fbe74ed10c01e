// The table by which an ICD loader calls ("The OpenCL Extension Specification",
// cl_khr_icd): functions in the order in which they came into the API; those for
// other APIs' objects are not there.
#include "ocl.h"

static const struct {
  const char *name;
  void *function;
} ocl_extension_functions[] = {
    {"clIcdGetPlatformIDsKHR", clIcdGetPlatformIDsKHR},
    {"clCreateProgramWithILKHR", clCreateProgramWithIL},
    {"clGetKernelSubGroupInfoKHR", clGetKernelSubGroupInfo},
};

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char *name) {
  for (size_t i = 0; name && i < sizeof ocl_extension_functions / sizeof ocl_extension_functions[0]; i++)
    if (!strcmp(ocl_extension_functions[i].name, name)) return ocl_extension_functions[i].function;
  return NULL;
}

void *clGetExtensionFunctionAddress(const char *name) {
  return clGetExtensionFunctionAddressForPlatform(&ocl_platform, name);
}

void *const ocl_dispatch[] = {
    clGetPlatformIDs, clGetPlatformInfo, clGetDeviceIDs, clGetDeviceInfo, clCreateContext,
    clCreateContextFromType, clRetainContext, clReleaseContext, clGetContextInfo, clCreateCommandQueue,
    clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo, clSetCommandQueueProperty,
    clCreateBuffer, clCreateImage2D, clCreateImage3D, clRetainMemObject, clReleaseMemObject,
    clGetSupportedImageFormats, clGetMemObjectInfo, clGetImageInfo, clCreateSampler, clRetainSampler,
    clReleaseSampler, clGetSamplerInfo, clCreateProgramWithSource, clCreateProgramWithBinary,
    clRetainProgram, clReleaseProgram, clBuildProgram, clUnloadCompiler, clGetProgramInfo,
    clGetProgramBuildInfo, clCreateKernel, clCreateKernelsInProgram, clRetainKernel, clReleaseKernel,
    clSetKernelArg, clGetKernelInfo, clGetKernelWorkGroupInfo, clWaitForEvents, clGetEventInfo,
    clRetainEvent, clReleaseEvent, clGetEventProfilingInfo, clFlush, clFinish, clEnqueueReadBuffer,
    clEnqueueWriteBuffer, clEnqueueCopyBuffer, clEnqueueReadImage, clEnqueueWriteImage, clEnqueueCopyImage,
    clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage, clEnqueueMapBuffer, clEnqueueMapImage,
    clEnqueueUnmapMemObject, clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel, clEnqueueMarker,
    clEnqueueWaitForEvents, clEnqueueBarrier, clGetExtensionFunctionAddress, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, clSetEventCallback, clCreateSubBuffer,
    clSetMemObjectDestructorCallback, clCreateUserEvent, clSetUserEventStatus, clEnqueueReadBufferRect,
    clEnqueueWriteBufferRect, clEnqueueCopyBufferRect, NULL, NULL, NULL, NULL, clCreateSubDevices,
    clRetainDevice, clReleaseDevice, clCreateImage, clCreateProgramWithBuiltInKernels, clCompileProgram,
    clLinkProgram, clUnloadPlatformCompiler, clGetKernelArgInfo, clEnqueueFillBuffer, clEnqueueFillImage,
    clEnqueueMigrateMemObjects, clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList,
    clGetExtensionFunctionAddressForPlatform, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, clCreateCommandQueueWithProperties, clCreatePipe, clGetPipeInfo,
    clSVMAlloc, clSVMFree, clEnqueueSVMFree, clEnqueueSVMMemcpy, clEnqueueSVMMemFill, clEnqueueSVMMap,
    clEnqueueSVMUnmap, clCreateSamplerWithProperties, clSetKernelArgSVMPointer, clSetKernelExecInfo,
    clGetKernelSubGroupInfo, clCloneKernel, clCreateProgramWithIL, clEnqueueSVMMigrateMem,
    clGetDeviceAndHostTimer, clGetHostTimer, clGetKernelSubGroupInfo, clSetDefaultDeviceCommandQueue,
    clSetProgramReleaseCallback, clSetProgramSpecializationConstant, clCreateBufferWithProperties,
    clCreateImageWithProperties, clSetContextDestructorCallback,
};
