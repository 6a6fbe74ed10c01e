// What kernels in OpenCL C are told of the device, and what compilers accept with a warning, in scenarios that
// hold for every implementation of OpenCL, but for attributes and conversions.
//
//   usage: opencl_language SCENARIO
#include "opencl_start.h"

static void build(const char *source) {
  cl_int e;
  program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  CHECK(e);
  CHECK(clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL));
}

// macros: the version, support of images, and each extension, as the device says.
static void macros(void) {
  char version[256], extensions[4096], source[16384], *at = source, *rest = extensions, *word;
  cl_int values[2], e;
  cl_uint images;
  int major, minor;
  CHECK(clGetDeviceInfo(device, 0x102F, sizeof version, version, NULL));
  CHECK(clGetDeviceInfo(device, 0x1016, sizeof images, &images, NULL));
  CHECK(clGetDeviceInfo(device, 0x1030, sizeof extensions, extensions, NULL));
  WANT(sscanf(version, "OpenCL %d.%d", &major, &minor) == 2);
  at += sprintf(at, "kernel void k(global int *p) {\n  p[0] = __OPENCL_VERSION__;\n  p[1] = -1;\n"
                    "#ifdef __IMAGE_SUPPORT__\n  p[1] = __IMAGE_SUPPORT__;\n#endif\n}\n");
  while ((word = strsep(&rest, " ")))
    if (*word) at += sprintf(at, "#ifndef %s\n#error %s\n#endif\n", word, word);
  build(source);
  cl_mem m = buffer(0, sizeof values, NULL);
  cl_kernel k = kernel("k");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  launch(k, 1, 1);
  CHECK(clEnqueueReadBuffer(queue, m, 1, 0, sizeof values, values, 0, NULL, NULL));
  WANT(values[0] == major * 100 + minor * 10);
  WANT(values[1] == (images ? 1 : -1));
}

// dims: get_work_dim is what the host has passed, whatever the sizes.
static void dims(void) {
  build("kernel void k(global uint *p) { p[0] = get_work_dim(); }");
  cl_mem m = buffer(0, 4, NULL);
  cl_kernel k = kernel("k");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  size_t one[3] = {1, 1, 1};
  for (cl_uint want = 1, got; want <= 3; want++) {
    CHECK(clEnqueueNDRangeKernel(queue, k, want, NULL, one, want == 2 ? one : NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, m, 1, 0, 4, &got, 0, NULL, NULL));
    WANT(got == want);
  }
}

// attributes: what the source says of a kernel.
static void attributes(void) {
  build("kernel __attribute__((vec_type_hint(float4), reqd_work_group_size(8, 4, 2))) void a(global int *p) {}\n"
        "kernel __attribute__((work_group_size_hint(16, 1, 1))) void b(global int *p) {}\n"
        "kernel void c(global int *p) {}\n");
  char text[256];
  CHECK(clGetKernelInfo(kernel("a"), 0x1195, sizeof text, text, NULL));
  WANT(strstr(text, "vec_type_hint(float4)") && strstr(text, "reqd_work_group_size(8,4,2)"));
  CHECK(clGetKernelInfo(kernel("b"), 0x1195, sizeof text, text, NULL));
  WANT(!strcmp(text, "work_group_size_hint(16,1,1)"));
  CHECK(clGetKernelInfo(kernel("c"), 0x1195, sizeof text, text, NULL));
  WANT(!*text);
}

// mistakes: pointers of other types are worth a warning; numbers and pointers for each other, too, if converts.
static void mistaken(int converts) {
  build(converts ?
        "kernel void k(global uint *p, global float *f) {\n"
        "  int n = f;\n"
        "  p[0] += 5;\n"
        "  p[1] = n == (int)(size_t)f;\n"
        "}\n" :
        "void add(global int *p, int n) { p[0] += n; }\n"
        "kernel void k(global uint *p, global float *f) {\n"
        "  global float *g = p;\n"
        "  add(p, 5);\n"
        "  p[1] = g == (global float *)p;\n"
        "}\n");
  cl_mem m = buffer(0, 8, NULL);
  cl_uint got[2] = {7};
  CHECK(clEnqueueWriteBuffer(queue, m, 1, 0, 8, got, 0, NULL, NULL));
  cl_kernel k = kernel("k");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  CHECK(clSetKernelArg(k, 1, sizeof m, &m));
  launch(k, 1, 1);
  CHECK(clEnqueueReadBuffer(queue, m, 1, 0, 8, got, 0, NULL, NULL));
  WANT(got[0] == 12 && got[1] == 1);
}

static void mistakes(void) { mistaken(0); }
static void conversions(void) { mistaken(1); }

int main(int count, char **args) {
  static const scenario all[] = {
      {"macros", macros}, {"dims", dims}, {"attributes", attributes}, {"mistakes", mistakes},
      {"conversions", conversions}};
  for (size_t i = 0; count == 2 && i < sizeof all / sizeof *all; i++)
    if (!strcmp(args[1], all[i].name)) {
      begin(0);
      all[i].run();
      printf("%s: done\n", args[1]);
      return 0;
    }
  return 2;
}
