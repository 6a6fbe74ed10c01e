// Runs the kernels of bench.cl on the first OpenCL device that is a CPU (PoCL): for each the median time of RUNS
// runs and of the processors' time that they took, in seconds, and a hash (FNV-1a, 64 bits) of what the last buffer
// holds.
//   cc -O2 opencl.c -lOpenCL -o opencl && ./opencl ../bench.cl RUNS
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 512, PICTURE = 1024, HASHES = 65536, MANY = 1 << 20, TAPS = 16 };

static const struct program {
    const char *name;
    int dims;
    size_t global, local;
    int inputs[2];    // floats in each of the buffers before the last
    int output;       // dwords of the last
    int numbers[2], n;
} programs[] = {
    {"matmul", 2, SIDE, 16, {SIDE * SIDE, SIDE * SIDE}, SIDE * SIDE, {SIDE}, 1},
    {"mandelbrot", 2, PICTURE, 16, {0}, PICTURE * PICTURE, {PICTURE, 256}, 2},
    {"hash", 1, HASHES, 256, {0}, HASHES, {256}, 1},
    {"vecadd", 1, MANY, 256, {MANY, MANY}, MANY},
    {"fir", 1, MANY, 256, {MANY + TAPS - 1, TAPS}, MANY},
};

static int by_time(const void *a, const void *b) {
    double x = *(double *)a, y = *(double *)b;
    return (x > y) - (x < y);
}

static void check(cl_int err, const char *what) {
    if (err) {
        fprintf(stderr, "%s: error %d\n", what, err);
        exit(1);
    }
}

static cl_mem input(cl_context ctx, int floats, int which) {
    float *f = malloc(floats * sizeof *f);
    for (int i = 0; i < floats; i++)
        f[i] = (float)(i % (251 + 6 * which)) * 0.5f - 60.0f;
    cl_int err;
    cl_mem m = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, floats * sizeof *f, f, &err);
    check(err, "clCreateBuffer");
    free(f);
    return m;
}

// The system counts what other threads have taken when they give up their processors.
static clock_t processor_time(void) {
    nanosleep(&(struct timespec){0, 1000000}, 0);
    return clock();
}

static void run(cl_context ctx, cl_command_queue q, cl_program p, const struct program *b, int runs) {
    cl_int err;
    cl_kernel k = clCreateKernel(p, b->name, &err);
    check(err, b->name);
    int arg = 0;
    for (int i = 0; i < 2 && b->inputs[i]; i++) {
        cl_mem m = input(ctx, b->inputs[i], i);
        check(clSetKernelArg(k, arg++, sizeof m, &m), "clSetKernelArg");
    }
    cl_mem out = clCreateBuffer(ctx, 0, b->output * 4, 0, &err);
    check(err, "clCreateBuffer");
    check(clSetKernelArg(k, arg++, sizeof out, &out), "clSetKernelArg");
    for (int i = 0; i < b->n; i++)
        check(clSetKernelArg(k, arg++, 4, &b->numbers[i]), "clSetKernelArg");
    size_t global[2] = {b->global, b->global}, local[2] = {b->local, b->local};
    double *times = malloc(runs * sizeof *times), *cpu = malloc(runs * sizeof *cpu);
    for (int i = -1; i < runs; i++) { // the first compiles
        struct timespec from, to;
        clock_t spent = processor_time();
        clock_gettime(CLOCK_MONOTONIC, &from);
        check(clEnqueueNDRangeKernel(q, k, b->dims, 0, global, local, 0, 0, 0), "clEnqueueNDRangeKernel");
        check(clFinish(q), "clFinish");
        clock_gettime(CLOCK_MONOTONIC, &to);
        if (i < 0) continue;
        cpu[i] = (double)(processor_time() - spent) / CLOCKS_PER_SEC;
        times[i] = (to.tv_sec - from.tv_sec) + 1e-9 * (to.tv_nsec - from.tv_nsec);
    }
    qsort(times, runs, sizeof *times, by_time);
    qsort(cpu, runs, sizeof *cpu, by_time);
    unsigned char *bytes = malloc(b->output * 4);
    check(clEnqueueReadBuffer(q, out, CL_TRUE, 0, b->output * 4, bytes, 0, 0, 0), "clEnqueueReadBuffer");
    uint64_t hash = 0xcbf29ce484222325;
    for (int i = 0; i < b->output * 4; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    printf("%s %.9f %.9f %016llx\n", b->name, times[runs / 2], cpu[runs / 2], (unsigned long long)hash);
    free(times);
    free(cpu);
    free(bytes);
}

int main(int argc, char **argv) {
    static char source[1 << 16], log[1 << 16];
    if (argc != 3) return fprintf(stderr, "usage: %s bench.cl RUNS\n", argv[0]), 2;
    FILE *in = fopen(argv[1], "r");
    if (!in) return perror(argv[1]), 1;
    size_t n = fread(source, 1, sizeof source - 1, in);
    cl_uint count = 0;
    cl_platform_id all[8];
    cl_device_id device = 0;
    clGetPlatformIDs(8, all, &count);
    for (cl_uint i = 0; i < count && !device; i++)
        if (clGetDeviceIDs(all[i], CL_DEVICE_TYPE_CPU, 1, &device, 0)) device = 0;
    if (!device) return fprintf(stderr, "no OpenCL device is a CPU\n"), 1;
    cl_int err;
    cl_context ctx = clCreateContext(0, 1, &device, 0, 0, &err);
    check(err, "clCreateContext");
    cl_command_queue q = clCreateCommandQueue(ctx, device, 0, &err);
    check(err, "clCreateCommandQueue");
    const char *text = source;
    cl_program p = clCreateProgramWithSource(ctx, 1, &text, &n, &err);
    if (clBuildProgram(p, 1, &device, "-cl-std=CL1.2", 0, 0)) {
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, 0);
        fprintf(stderr, "%s\n", log);
        return 1;
    }
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        run(ctx, q, p, &programs[i], atoi(argv[2]));
    return 0;
}
