// What is not there: images, samplers and pipes. Each says so once, and returns the
// error that the API has for devices without them.
#include "ocl.h"

#define NO_CALL(name)                                                \
  cl_int name(void) {                                                \
    static char said;                                                \
    return ocl_missing(#name, &said, CL_INVALID_OPERATION);          \
  }

// Functions that give an object store the error at a place of their own.
#define NO_IMAGE(name, parameters, error)                            \
  void *name parameters {                                            \
    static char said;                                                \
    return ocl_fail(error, ocl_missing(#name, &said, CL_INVALID_OPERATION)); \
  }

NO_IMAGE(clCreateImage2D, (cl_context c, cl_bitfield f, const void *format, size_t w, size_t h, size_t row,
         void *p, cl_int *e), e)
NO_IMAGE(clCreateImage3D, (cl_context c, cl_bitfield f, const void *format, size_t w, size_t h, size_t d,
         size_t row, size_t slice, void *p, cl_int *e), e)
NO_IMAGE(clCreateImage, (cl_context c, cl_bitfield f, const void *format, const void *desc, void *p,
         cl_int *e), e)
NO_IMAGE(clCreateImageWithProperties, (cl_context c, const void *props, cl_bitfield f, const void *format,
         const void *desc, void *p, cl_int *e), e)
NO_IMAGE(clCreateSampler, (cl_context c, cl_bool normalized, cl_uint address, cl_uint filter, cl_int *e), e)
NO_IMAGE(clCreateSamplerWithProperties, (cl_context c, const void *props, cl_int *e), e)
NO_IMAGE(clCreatePipe, (cl_context c, cl_bitfield f, cl_uint size, cl_uint packets, const void *props,
         cl_int *e), e)
NO_IMAGE(clEnqueueMapImage, (cl_command_queue q, cl_mem m, cl_bool b, cl_bitfield f, const size_t *o,
         const size_t *r, size_t *row, size_t *slice, cl_uint n, const cl_event *w, cl_event *ev, cl_int *e), e)

NO_CALL(clRetainSampler)
NO_CALL(clReleaseSampler)
NO_CALL(clGetSamplerInfo)
NO_CALL(clGetImageInfo)
NO_CALL(clEnqueueReadImage)
NO_CALL(clEnqueueWriteImage)
NO_CALL(clEnqueueCopyImage)
NO_CALL(clEnqueueCopyImageToBuffer)
NO_CALL(clEnqueueCopyBufferToImage)
NO_CALL(clEnqueueFillImage)
NO_CALL(clGetPipeInfo)
NO_CALL(clSetProgramSpecializationConstant)

cl_int clGetSupportedImageFormats(cl_context c, cl_bitfield flags, cl_uint type, cl_uint room, void *list,
                                  cl_uint *count) {
  if (!IS(c, CONTEXT)) return CL_INVALID_CONTEXT;
  if (count) *count = 0;
  return CL_SUCCESS;
}

// Objects of other APIs: the functions are there for programs that name them, and
// give nothing.
#define NO_SHARING(name)                                             \
  void *name(void) {                                                 \
    static char said;                                                \
    ocl_missing(#name, &said, CL_INVALID_OPERATION);                 \
    return NULL;                                                     \
  }

NO_SHARING(clCreateFromGLBuffer) NO_SHARING(clCreateFromGLTexture) NO_SHARING(clCreateFromGLTexture2D)
NO_SHARING(clCreateFromGLTexture3D) NO_SHARING(clCreateFromGLRenderbuffer) NO_SHARING(clCreateEventFromGLsyncKHR)
NO_SHARING(clCreateFromEGLImageKHR) NO_SHARING(clCreateEventFromEGLSyncKHR)
NO_CALL(clGetGLObjectInfo) NO_CALL(clGetGLTextureInfo) NO_CALL(clEnqueueAcquireGLObjects)
NO_CALL(clEnqueueReleaseGLObjects) NO_CALL(clGetGLContextInfoKHR) NO_CALL(clEnqueueAcquireEGLObjectsKHR)
NO_CALL(clEnqueueReleaseEGLObjectsKHR) NO_CALL(clCreateSubDevicesEXT) NO_CALL(clRetainDeviceEXT)
NO_CALL(clReleaseDeviceEXT)

cl_int clGetKernelSubGroupInfoKHR(cl_kernel k, cl_device_id d, cl_uint what, size_t size, const void *value,
                                  size_t room, void *to, size_t *needed) {
  return clGetKernelSubGroupInfo(k, d, what, size, value, room, to, needed);
}
