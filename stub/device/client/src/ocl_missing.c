// What is not there: pipes, and objects of other APIs. Each function says so once, and returns the
// error that the API has for devices without them.
#include "ocl.h"

#define NO_CALL(name)                                                \
  cl_int name(void) {                                                \
    static char said;                                                \
    return ocl_missing(#name, &said, CL_INVALID_OPERATION);          \
  }

// What gives an object stores the error at a place of its own.
void *clCreatePipe(cl_context c, cl_bitfield f, cl_uint size, cl_uint packets, const void *properties,
                   cl_int *error) {
  static char said;
  return ocl_fail(error, ocl_missing("clCreatePipe", &said, CL_INVALID_OPERATION));
}

cl_int clGetPipeInfo(cl_mem m, cl_uint what, size_t room, void *to, size_t *needed) {
  return CL_INVALID_MEM_OBJECT; // none is a pipe
}

// Objects of other APIs: the functions are there for programs that name them, and
// give nothing.
#define NO_SHARING(name)                                             \
  void *name(void) {                                                 \
    static char said;                                                \
    ocl_missing(#name, &said, CL_INVALID_OPERATION);                 \
    return NULL;                                                     \
  }

NO_SHARING(clCreateFromGLBuffer)
NO_SHARING(clCreateFromGLTexture) NO_SHARING(clCreateFromGLTexture2D) NO_SHARING(clCreateFromGLTexture3D)
    NO_SHARING(clCreateFromGLRenderbuffer) NO_SHARING(clCreateEventFromGLsyncKHR)
        NO_SHARING(clCreateFromEGLImageKHR) NO_SHARING(clCreateEventFromEGLSyncKHR)
            NO_CALL(clGetGLObjectInfo) NO_CALL(clGetGLTextureInfo) NO_CALL(clEnqueueAcquireGLObjects)
                NO_CALL(clEnqueueReleaseGLObjects) NO_CALL(clGetGLContextInfoKHR)
                    NO_CALL(clEnqueueAcquireEGLObjectsKHR) NO_CALL(clEnqueueReleaseEGLObjectsKHR)
                        NO_CALL(clCreateSubDevicesEXT) NO_CALL(clRetainDeviceEXT) NO_CALL(clReleaseDeviceEXT)

                            cl_int
    clGetKernelSubGroupInfoKHR(cl_kernel k, cl_device_id d, cl_uint what, size_t size, const void *value,
                               size_t room, void *to, size_t *needed) {
  return clGetKernelSubGroupInfo(k, d, what, size, value, room, to, needed);
}
