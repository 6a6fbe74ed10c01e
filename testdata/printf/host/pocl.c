// Runs print_cl, which is on standard input, on PoCL with 3 workgroups of 70
// work-items, and prints what the kernel prints.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { Items = 210 };
static char source[1 << 16];

int main(void) {
  source[fread(source, 1, sizeof source - 1, stdin)] = 0;
  cl_platform_id platforms[8];
  cl_uint n = 0;
  clGetPlatformIDs(8, platforms, &n);
  for (cl_uint i = 0; i < n; i++) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (!strstr(name, "Portable"))
      continue;
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
      return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL))
      return 1;
    cl_kernel kernel = clCreateKernel(program, "print_cl", NULL);
    int in[Items], out[Items];
    for (int k = 0; k < Items; k++)
      in[k] = k;
    cl_mem input = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, NULL);
    cl_mem output = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL);
    clSetKernelArg(kernel, 0, sizeof input, &input);
    clSetKernelArg(kernel, 1, sizeof output, &output);
    size_t items = Items, group = 70;
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL) || clFinish(queue))
      return 1;
    return 0;
  }
  return 3;
}
