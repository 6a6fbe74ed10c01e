// Runs cl_std of src/cl_std.cl on the first OpenCL device (PoCL) and writes what it computes: the expectations of
// the tests of OpenCL.std.
//   cc -O2 opencl.c -lOpenCL -o opencl && ./opencl ../src/cl_std.cl ../expect/cl_std
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, RESULTS = 96 };

int main(int argc, char **argv) {
    static char source[1 << 16], name[256], log[1 << 16];
    static float a[3 * LANES];
    static unsigned f[RESULTS * LANES], u[RESULTS * LANES];
    FILE *in = fopen(argv[1], "r");
    size_t n = fread(source, 1, sizeof source - 1, in);
    unsigned seed = 1;
    for (int i = 0; i < 3 * LANES; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = ((int)(seed >> 8) % 4000 - 2000) / 451.0f;
    }
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, 0);
    for (cl_uint k = 0, m; k < 4; k++) { // the platform that has a CPU
        cl_platform_id all[4];
        clGetPlatformIDs(4, all, &m);
        if (k < m && clGetDeviceIDs(all[k], CL_DEVICE_TYPE_CPU, 1, &device, 0) == CL_SUCCESS) break;
    }
    cl_int err;
    cl_context ctx = clCreateContext(0, 1, &device, 0, 0, &err);
    cl_command_queue q = clCreateCommandQueue(ctx, device, 0, &err);
    const char *text = source;
    cl_program p = clCreateProgramWithSource(ctx, 1, &text, &n, &err);
    if (clBuildProgram(p, 1, &device, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt", 0, 0)) {
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, 0);
        fprintf(stderr, "%s\n", log);
        return 1;
    }
    cl_kernel k = clCreateKernel(p, "cl_std", &err);
    void *host[] = {a, f, u};
    size_t sizes[] = {sizeof a, sizeof f, sizeof u};
    cl_mem mem[3];
    for (int i = 0; i < 3; i++) {
        mem[i] = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, sizes[i], host[i], &err);
        clSetKernelArg(k, i, sizeof mem[i], &mem[i]);
    }
    size_t lanes = LANES;
    if (clEnqueueNDRangeKernel(q, k, 1, 0, &lanes, 0, 0, 0, 0)) return 1;
    for (int i = 0; i < 3; i++) {
        clEnqueueReadBuffer(q, mem[i], CL_TRUE, 0, sizes[i], host[i], 0, 0, 0);
        snprintf(name, sizeof name, "%s.%c.bin", argv[2], "afu"[i]);
        FILE *out = fopen(name, "wb");
        fwrite(host[i], 1, sizes[i], out);
        fclose(out);
    }
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, 0);
    printf("%s\n", name);
    return 0;
}
