// Random samples of images by OpenCL: opencl_samples FILE COUNT. For each format, address mode, filter and kind of coordinates
// FILE has COUNT samples, four numbers each. Formats of integers are read at the nearest texel alone.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 13, HEIGHT = 7, MOST = 16384 };

static uint32_t seed;
static uint32_t next(void) { return seed = seed * 1664525 + 1013904223, seed >> 8; }
static float unit(void) { return (float)next() / 16777216.f; }

static const char source[] =
    "kernel void real(read_only image2d_t m, sampler_t s, global const float2 *at, global float4 *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = read_imagef(m, s, at[i]);\n"
    "}\n"
    "kernel void whole(read_only image2d_t m, sampler_t s, global const float2 *at, global float4 *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = convert_float4(read_imagei(m, s, at[i]));\n"
    "}\n"
    "kernel void unsigned_whole(read_only image2d_t m, sampler_t s, global const float2 *at, global float4 *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = convert_float4(read_imageui(m, s, at[i]));\n"
    "}\n";

static const struct {
  cl_image_format format;
  int bytes, kernel; // 0: real, 1: integers, 2: those without a sign
} formats[] = {
    {{CL_RGBA, CL_UNORM_INT8}, 4, 0},    {{CL_RGBA, CL_SNORM_INT8}, 4, 0},    {{CL_RGBA, CL_UNORM_INT16}, 8, 0},
    {{CL_RGBA, CL_SNORM_INT16}, 8, 0},   {{CL_RGBA, CL_HALF_FLOAT}, 8, 0},    {{CL_RGBA, CL_FLOAT}, 16, 0},
    {{CL_R, CL_FLOAT}, 4, 0},            {{CL_R, CL_UNORM_INT8}, 1, 0},       {{CL_BGRA, CL_UNORM_INT8}, 4, 0},
    {{CL_RGBA, CL_SIGNED_INT8}, 4, 1},   {{CL_RGBA, CL_SIGNED_INT16}, 8, 1},  {{CL_RGBA, CL_SIGNED_INT32}, 16, 1},
    {{CL_RGBA, CL_UNSIGNED_INT8}, 4, 2}, {{CL_RGBA, CL_UNSIGNED_INT16}, 8, 2}, {{CL_R, CL_UNSIGNED_INT32}, 4, 2}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                           CL_ADDRESS_MIRRORED_REPEAT};

#define DO(call)                                          \
  do {                                                    \
    cl_int error = (call);                                \
    if (error) {                                          \
      fprintf(stderr, "%s: error %d\n", #call, error);    \
      exit(1);                                            \
    }                                                     \
  } while (0)

// texels are random; floats are numbers of -1 to 1, halves of all exponents but the largest.
static void texels(int f, unsigned char *to) {
  seed = 500 + (uint32_t)f;
  int n = WIDTH * HEIGHT * formats[f].bytes;
  for (int i = 0; i < n; i++) to[i] = (unsigned char)next();
  if (formats[f].format.image_channel_data_type == CL_FLOAT)
    for (int i = 0; i < n / 4; i++) ((float *)to)[i] = 2 * unit() - 1;
  if (formats[f].format.image_channel_data_type == CL_HALF_FLOAT)
    for (int i = 0; i < n / 2; i++) ((unsigned short *)to)[i] &= 0xBBFF;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  FILE *file = fopen(argv[1], "wb");
  size_t count = (size_t)atoi(argv[2]);
  if (!file || !count || count > MOST) return 2;
  cl_platform_id platform;
  cl_device_id device;
  DO(clGetPlatformIDs(1, &platform, NULL));
  DO(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_int e;
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  DO(e);
  cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
  DO(e);
  const char *text = source;
  cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, &e);
  DO(e);
  DO(clBuildProgram(p, 1, &device, "", NULL, NULL));
  cl_kernel kernels[3] = {clCreateKernel(p, "real", NULL), clCreateKernel(p, "whole", NULL),
                          clCreateKernel(p, "unsigned_whole", NULL)};
  cl_mem at = clCreateBuffer(c, CL_MEM_READ_ONLY, count * 8, NULL, &e);
  DO(e);
  cl_mem out = clCreateBuffer(c, CL_MEM_WRITE_ONLY, count * 16, NULL, &e);
  DO(e);
  static float places[2 * MOST], back[4 * MOST];
  static unsigned char bytes[WIDTH * HEIGHT * 16];
  for (int f = 0; f < FORMATS; f++) {
    texels(f, bytes);
    cl_image_desc d = {CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT};
    cl_mem m = clCreateImage(c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &formats[f].format, &d, bytes, &e);
    DO(e);
    cl_kernel k = kernels[formats[f].kernel];
    for (int n = 0; n < 4 * 2 * 2; n++) {
      int mode = n / 4, linear = n / 2 % 2, normalized = n % 2;
      if (mode > 1 && !normalized || linear && formats[f].kernel) continue;
      cl_filter_mode filter = linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
      cl_sampler s = clCreateSampler(c, (cl_bool)normalized, modes[mode], filter, &e);
      DO(e);
      for (size_t i = 0; i < count; i++) {
        places[2 * i] = (unit() * 3 - 1) * (normalized ? 1 : WIDTH);
        places[2 * i + 1] = (unit() * 3 - 1) * (normalized ? 1 : HEIGHT);
      }
      DO(clEnqueueWriteBuffer(q, at, CL_TRUE, 0, count * 8, places, 0, NULL, NULL));
      DO(clSetKernelArg(k, 0, sizeof m, &m));
      DO(clSetKernelArg(k, 1, sizeof s, &s));
      DO(clSetKernelArg(k, 2, sizeof at, &at));
      DO(clSetKernelArg(k, 3, sizeof out, &out));
      DO(clEnqueueNDRangeKernel(q, k, 1, NULL, &count, NULL, 0, NULL, NULL));
      DO(clEnqueueReadBuffer(q, out, CL_TRUE, 0, count * 16, back, 0, NULL, NULL));
      fwrite(back, 16, count, file);
      DO(clReleaseSampler(s));
    }
    DO(clReleaseMemObject(m));
  }
  return fclose(file);
}
