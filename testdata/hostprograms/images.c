// An OpenCL host program that prints what kernels and the host get from images of all kinds. Its argument is the
// file with the kernels of images.cl, or a module in SPIR-V or a binary of them; a second one prints all texels instead of sums. What it prints is
// compared with what another implementation made of it.
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  cl_uint order, type;
} cl_image_format;
typedef struct {
  cl_uint type;
  size_t width, height, depth, layers, row, slice;
  cl_uint levels, samples;
  cl_mem memory;
} cl_image_desc;
enum { READ_WRITE = 1, USE = 8, COPY = 32 };
enum { IMAGE_2D = 0x10F1, IMAGE_3D, IMAGE_2D_ARRAY, IMAGE_1D, IMAGE_1D_ARRAY, IMAGE_1D_BUFFER };
enum { R = 0x10B0, RGBA = 0x10B5, BGRA };
enum { SNORM_8 = 0x10D0, SNORM_16, UNORM_8, UNORM_16, SINT_8 = 0x10D7, SINT_16, SINT_32, UINT_8, UINT_16, UINT_32,
       HALF, FLOAT };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int e, const char *what, int line) {
  if (!e) return;
  printf("line %d: %s: error %d\n", line, what, e);
  exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)

enum { W = 5, H = 4, D = 3, MOST = 64 };

// start builds the kernels.
static void start(const char *name) {
  static char source[1 << 17];
  const char *text = source;
  cl_platform_id platform;
  cl_int e;
  FILE *f = fopen(name, "rb");
  if (!f) perror(name), exit(2);
  size_t size = fread(source, 1, sizeof source - 1, f);
  source[size] = 0;
  fclose(f);
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, -1u, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  CHECK(e);
  queue = clCreateCommandQueue(context, device, 0, &e);
  CHECK(e);
  if (strstr(name, ".spv")) program = clCreateProgramWithIL(context, source, size, &e);
  else if (strstr(name, ".cl")) program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
  else program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&text, NULL, &e);
  CHECK(e);
  CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL));
}

static cl_mem image(const cl_image_format *f, const cl_image_desc *d, cl_bitfield flags, void *host) {
  cl_int e;
  cl_mem m = clCreateImage(context, flags, f, d, host, &e);
  check(e, "clCreateImage", f->order << 16 | f->type);
  return m;
}

static cl_mem buffer(size_t size, void *host) {
  cl_int e;
  cl_mem m = clCreateBuffer(context, host ? COPY : 0, size, host, &e);
  CHECK(e);
  return m;
}

static void *sampler(cl_bool normalized, cl_uint addressing, cl_uint filter) {
  cl_int e;
  void *s = clCreateSampler(context, normalized, 0x1130 + addressing, 0x1140 + filter, &e);
  CHECK(e);
  return s;
}

// run launches a kernel of some work-items and prints some of the four numbers that each leaves.
static void run(const char *name, size_t items, cl_mem m, void *s, int are_floats, int numbers) {
  cl_int e;
  static float out[4 * 256];
  cl_kernel k = clCreateKernel(program, name, &e);
  CHECK(e);
  cl_mem b = buffer(16 * items, NULL);
  CHECK(clSetKernelArg(k, 0, sizeof b, &b));
  CHECK(clSetKernelArg(k, 1, sizeof m, &m));
  if (s) CHECK(clSetKernelArg(k, 2, sizeof s, &s));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, b, 1, 0, 16 * items, out, 0, NULL, NULL));
  for (size_t i = 0; i < 4 * items; i++) {
    if (i % 4 >= numbers) continue;
    if (are_floats) printf(" %.4f", out[i] + 0.0);
    else printf(" %d", ((int *)out)[i]);
    if (i % 32 == 31) printf("\n");
  }
  printf("\n");
  clReleaseMemObject(b);
  clReleaseKernel(k);
}

// formats reads and writes 2D images of all formats that every device has.
static void formats(void) {
  static const cl_uint orders[] = {R, RGBA, BGRA};
  static const unsigned char channels[] = {1, 4, 4}, bytes[] = {1, 2, 1, 2, 0, 0, 0, 1, 2, 4, 1, 2, 4, 2, 4};
  for (int o = 0; o < 3; o++)
    for (cl_uint type = SNORM_8; type <= FLOAT; type++) {
      if (type > UNORM_16 && type < SINT_8 || orders[o] == BGRA && type != UNORM_8 ||
          orders[o] == R && type == HALF)
        continue;
      unsigned char texels[W * H * 16];
      size_t n = W * H * channels[o] * bytes[type - SNORM_8];
      for (size_t i = 0; i < n; i++) texels[i] = i * 37 + 11;
      for (size_t i = 0; i < n && type == HALF; i++) texels[i] = i & 1 ? 0x38 + i % 5 : 0;
      for (size_t i = 0; i < n / 4 && type == FLOAT; i++) ((float *)texels)[i] = i * 0.5f - 3;
      cl_image_format f = {orders[o], type};
      cl_image_desc d = {IMAGE_2D, W, H};
      cl_mem m = image(&f, &d, COPY | READ_WRITE, texels), to = image(&f, &d, READ_WRITE, NULL);
      int is_int = type >= SINT_8 && type <= SINT_32, is_uint = type >= UINT_8 && type <= UINT_32;
      printf("format %x %x:\n", orders[o], type);
      run(is_int ? "all_i" : is_uint ? "all_ui" : "all_f", W * H, m, NULL, !is_int && !is_uint,
          orders[o] == R ? 3 : 4); // PoCL has 0 for the alpha of whole numbers
      // Written by a kernel, filled by the host, read back.
      cl_int e;
      cl_kernel k = clCreateKernel(program, is_int ? "put_i" : is_uint ? "put_ui" : "put_f", &e);
      CHECK(clSetKernelArg(k, 0, sizeof to, &to));
      size_t grid[2] = {W, H}, origin[3] = {1, 1, 0}, region[3] = {2, 3, 1}, zero[3] = {0}, whole[3] = {W, H, 1};
      CHECK(clEnqueueNDRangeKernel(queue, k, 2, NULL, grid, NULL, 0, NULL, NULL));
      float real[4] = {1, 0, -1, 2}; // the same however it is rounded
      int number[4] = {-3, 70000, 200, 5};
      CHECK(clEnqueueFillImage(queue, to, is_int || is_uint ? (void *)number : real, origin, region, 0, NULL, NULL));
      CHECK(clEnqueueReadImage(queue, to, 1, zero, whole, 0, 0, texels, 0, NULL, NULL));
      for (size_t i = 0; i < n; i++) printf("%02x%s", texels[i], i % 64 == 63 || i == n - 1 ? "\n" : "");
      clReleaseKernel(k);
      clReleaseMemObject(m);
      clReleaseMemObject(to);
    }
}

// samplers reads images of all shapes through all samplers, at whole and broken coordinates.
static void samplers(void) {
  static const struct {
    const char *kernel;
    cl_image_desc desc;
  } shapes[] = {
      {"one", {IMAGE_1D, W}},           {"plane", {IMAGE_2D, W, H}},
      {"space", {IMAGE_3D, W, H, D}},   {"lines", {IMAGE_1D_ARRAY, W, .layers = D}},
      {"planes", {IMAGE_2D_ARRAY, W, H, .layers = D}},
  };
  float texels[4 * W * H * D];
  for (int i = 0; i < 4 * W * H * D; i++) texels[i] = i * 7 % 64;
  cl_image_format f = {RGBA, FLOAT};
  for (int s = 0; s < 5; s++) {
    cl_mem m = image(&f, &shapes[s].desc, COPY, texels);
    for (int normalized = 0; normalized < 2; normalized++)
      for (int addressing = 1; addressing < (normalized ? 5 : 3); addressing++)
        for (int filter = 0; filter < 2; filter++) {
          void *p = sampler(normalized, addressing, filter);
          char name[32];
          printf("%s %d %d %d:\n", shapes[s].kernel, normalized, addressing, filter);
          snprintf(name, sizeof name, "%s_at", shapes[s].kernel);
          run(name, 16, m, p, 1, 4);
          if (!normalized && !filter) {
            snprintf(name, sizeof name, "%s_on", shapes[s].kernel);
            run(name, 16, m, p, 1, 4);
          }
          clReleaseSampler(p);
        }
    printf("%s:\n", shapes[s].kernel);
    char name[32];
    snprintf(name, sizeof name, "%s_size", shapes[s].kernel);
    run(name, 1, m, NULL, 0, 4);
    clReleaseMemObject(m);
  }
}

// commands moves boxes of texels between images, buffers and the program's memory.
static void commands(void) {
  enum { ROW = 48, SLICE = 240 };
  unsigned char own[SLICE * D], more[SLICE * D], got[SLICE * D];
  for (int i = 0; i < sizeof own; i++) own[i] = more[i] = i * 31;
  cl_image_format f = {RGBA, UINT_8};
  cl_image_desc d = {IMAGE_3D, W, H, D, .row = ROW, .slice = SLICE}, layers = {IMAGE_2D_ARRAY, W, H, .layers = D},
                line = {IMAGE_1D_BUFFER, W * H};
  cl_mem a = image(&f, &d, USE, own), b = image(&f, &layers, 0, NULL), c = buffer(4 * W * H * D, own);
  line.memory = c;
  cl_mem l = image(&f, &line, 0, NULL);
  printf("buffer:\n");
  run("row", W * H, l, NULL, 0, 4);
  size_t from[3] = {1, 0, 1}, to[3] = {0, 1, 0}, region[3] = {3, 2, 2}, zero[3] = {0}, all[3] = {W, H, D}, row, slice;
  unsigned clear[4] = {0};
  cl_int e;
  CHECK(clEnqueueFillImage(queue, b, clear, zero, all, 0, NULL, NULL));
  CHECK(clEnqueueCopyImage(queue, a, b, from, to, region, 0, NULL, NULL));
  CHECK(clEnqueueCopyBufferToImage(queue, c, a, 16, to, region, 0, NULL, NULL));
  CHECK(clEnqueueCopyImageToBuffer(queue, b, c, to, region, 32, 0, NULL, NULL));
  unsigned char *at = clEnqueueMapImage(queue, a, 1, 3, from, region, &row, &slice, 0, NULL, NULL, &e);
  CHECK(e);
  printf("map: %d %d %d:", (int)(at - own), (int)row, (int)slice);
  for (int i = 0; i < 12; i++) printf(" %d", at[i]);
  printf("\n");
  at[0] = 255;
  CHECK(clEnqueueUnmapMemObject(queue, a, at, 0, NULL, NULL));
  CHECK(clEnqueueWriteImage(queue, a, 1, zero, region, ROW, SLICE, more + 3, 0, NULL, NULL));
  cl_mem images[] = {a, b};
  for (int i = 0; i < 2; i++) {
    memset(got, 0, sizeof got);
    CHECK(clEnqueueReadImage(queue, images[i], 1, zero, all, 0, 0, got, 0, NULL, NULL));
    for (int k = 0; k < 4 * W * H * D; k++) printf("%d%s", got[k], k % 40 == 39 ? "\n" : " ");
  }
  CHECK(clEnqueueReadBuffer(queue, c, 1, 0, 4 * W * H * D, got, 0, NULL, NULL));
  for (int k = 0; k < 4 * W * H * D; k++) printf("%d%s", got[k], k % 40 == 39 ? "\n" : " ");
}

int main(int count, char **args) {
  if (count != 2) return printf("usage: images KERNELS\n"), 2;
  start(args[1]);
  formats();
  samplers();
  commands();
  return 0;
}
