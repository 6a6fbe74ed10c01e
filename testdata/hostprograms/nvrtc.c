// A host program that compiles kernels by NVRTC while it runs, linked with libnvrtc by the version of its symbols.
#include "expect.h"
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

typedef struct program *program;
int nvrtcCreateProgram(program *, const char *, const char *, int, const char **, const char **);
int nvrtcCompileProgram(program, int, const char **), nvrtcDestroyProgram(program *);
int nvrtcAddNameExpression(program, const char *), nvrtcGetLoweredName(program, const char *, const char **);
int nvrtcGetPTXSize(program, size_t *), nvrtcGetPTX(program, char *), nvrtcVersion(int *, int *);
int nvrtcGetProgramLogSize(program, size_t *), nvrtcGetProgramLog(program, char *);
int nvrtcGetNumSupportedArchs(int *), nvrtcGetSupportedArchs(int *);
const char *nvrtcGetErrorString(int);

static void *driver; // whose functions are found by name
#define CU(name, ...) OK(((int (*)())dlsym(driver, #name))(__VA_ARGS__))

static const char source[] = "#include \"twice.h\"\n"
                             "__constant__ int bias;\n"
                             "static __constant__ float own[2];\n"
                             "namespace n {\n"
                             "template <class T, int by> __global__ void scale(T *out, int count) {\n"
                             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i < count) out[i] = twice((T)i) * by + ADDED + (T)bias + (T)own[1];\n"
                             "}\n"
                             "}\n";
static const char *header = "template <class T> __device__ T twice(T v) { return v + v; }\n", *header_name = "twice.h";

static char *say(program p) {
  size_t n;
  OK(nvrtcGetProgramLogSize(p, &n));
  char *log = malloc(n);
  OK(nvrtcGetProgramLog(p, log));
  return log;
}

// A source includes what lies beside it, and in folders that are told from where the program works.
static void beside(void) {
  char folder[] = "/tmp/nvrtcXXXXXX", name[64], option[64], here[4096];
  if (!mkdtemp(folder) || !getcwd(here, sizeof here)) perror("mkdtemp"), exit(1);
  snprintf(name, sizeof name, "%s/beside.h", folder);
  FILE *f = fopen(name, "w");
  if (!f) perror(name), exit(1);
  fputs("__device__ int seven() { return 7; }\n", f);
  fclose(f);
  const char *text = "#include \"beside.h\"\nextern \"C\" __global__ void k(int *p) { *p = seven(); }";
  const char *relative[] = {"-I.", "--include-path=."};
  program p;
  snprintf(name, sizeof name, "%s/k.cu", folder);
  OK(nvrtcCreateProgram(&p, text, name, 0, NULL, NULL));
  OK(nvrtcCompileProgram(p, 0, NULL));
  OK(nvrtcDestroyProgram(&p));
  OK(chdir(folder));
  for (int i = 0; i < 2; i++) {
    OK(nvrtcCreateProgram(&p, text, "elsewhere/k.cu", 0, NULL, NULL));
    OK(nvrtcCompileProgram(p, 1, relative + i));
    OK(nvrtcDestroyProgram(&p));
  }
  OK(chdir(here));
  snprintf(name, sizeof name, "%s/beside.h", folder);
  unlink(name), rmdir(folder);
}

int main(void) {
  beside();
  int major, minor, n, archs[64];
  OK(nvrtcVersion(&major, &minor));
  OK(nvrtcGetNumSupportedArchs(&n));
  OK(nvrtcGetSupportedArchs(archs));
  program p;
  OK(nvrtcCreateProgram(&p, source, "scale.cu", 1, &header, &header_name));
  const char *name = "n::scale<float, 3>", *variable = "&bias", *lowered, *where;
  OK(nvrtcAddNameExpression(p, name));
  OK(nvrtcAddNameExpression(p, variable));
  const char *options[] = {"--gpu-architecture=compute_75", "-D", "ADDED=0.5f", "--std=c++17", "-default-device",
                           "--use_fast_math=false"};
  int error = nvrtcCompileProgram(p, 5, options);
  if (error) printf("%s: %s", nvrtcGetErrorString(error), say(p));
  OK(error);
  OK(nvrtcGetLoweredName(p, name, &lowered));
  OK(nvrtcGetLoweredName(p, variable, &where));
  printf("%s %s\n", lowered, where);
  size_t size;
  OK(nvrtcGetPTXSize(p, &size));
  char *ptx = malloc(size);
  OK(nvrtcGetPTX(p, ptx));
  if (strlen(ptx) + 1 != size || !strstr(ptx, ".target sm_75")) printf("this is no PTX of what was asked for\n");
  void *context, *module, *kernel;
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return printf("%s\n", dlerror()), 1;
  CU(cuInit, 0);
  CU(cuDevicePrimaryCtxRetain, &context, 0);
  CU(cuCtxSetCurrent, context);
  CU(cuModuleLoadData, &module, ptx);
  CU(cuModuleGetFunction, &kernel, module, lowered);
  unsigned long long out, at;
  CU(cuModuleGetGlobal_v2, &at, &size, module, where);
  int bias = 100, count = 40;
  CU(cuMemcpyHtoD_v2, at, &bias, sizeof bias);
  CU(cuModuleGetGlobal_v2, &at, &size, module, "own"); // which is static
  float own[] = {1, 0.25f};
  if (size != sizeof own) printf("own has %zu bytes\n", size);
  CU(cuMemcpyHtoD_v2, at, own, sizeof own);
  float values[40];
  CU(cuMemAlloc_v2, &out, sizeof values);
  void *arguments[] = {&out, &count};
  CU(cuLaunchKernel, kernel, 2, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
  CU(cuCtxSynchronize, );
  CU(cuMemcpyDtoH_v2, values, out, sizeof values);
  for (int i = 0; i < count; i++)
    if (values[i] != (float)(6 * i) + 100.75f) printf("[%d] is %g\n", i, values[i]);
  OK(nvrtcDestroyProgram(&p));

  OK(nvrtcCreateProgram(&p, "__global__ void wrong(int *p) { *p = nothing; }", NULL, 0, NULL, NULL));
  error = nvrtcCompileProgram(p, 0, NULL);
  char *log = say(p), *line = strstr(log, "error: ");
  printf("%s: %.*s\n", nvrtcGetErrorString(error), line ? (int)strcspn(line, "\n") : 0, line ? line : "");
  printf("%s\n", nvrtcGetErrorString(nvrtcGetPTXSize(p, &size)));
  const char *unknown[] = {"--speed=more"};
  error = nvrtcCompileProgram(p, 1, unknown);
  printf("%s: %s", nvrtcGetErrorString(error), say(p));
  OK(nvrtcDestroyProgram(&p));
  printf("nvrtc %d.%d: done\n", major, minor);
  return 0;
}
