// What clang makes of program.c's kernels in C: declarations of the runtime's
// functions, handles of kernels and variables, and their registration.
#include <stddef.h>
#include <stdint.h>

typedef int hipError_t;
typedef struct stream *hipStream_t;
typedef struct event *hipEvent_t;
typedef struct module *hipModule_t;
typedef struct function *hipFunction_t;
typedef struct {
  uint32_t x, y, z;
} dim3;

enum { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2 };

hipError_t hipMalloc(void **, size_t), hipFree(void *), hipHostMalloc(void **, size_t, unsigned),
    hipHostFree(void *);
hipError_t hipMallocManaged(void **, size_t, unsigned), hipHostRegister(void *, size_t, unsigned);
hipError_t hipHostUnregister(void *), hipIpcCloseMemHandle(void *);
hipError_t hipMemcpy(void *, const void *, size_t, int), hipMemset(void *, int, size_t);
hipError_t hipMemcpyAsync(void *, const void *, size_t, int, hipStream_t);
hipError_t hipMemsetAsync(void *, int, size_t, hipStream_t), hipDeviceSynchronize(void);
hipError_t hipMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
hipError_t hipMemcpyFromSymbol(void *, const void *, size_t, size_t, int);
hipError_t hipGetSymbolAddress(void **, const void *);
hipError_t hipStreamCreate(hipStream_t *), hipStreamDestroy(hipStream_t),
    hipStreamSynchronize(hipStream_t);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned), hipEventCreate(hipEvent_t *);
hipError_t hipEventRecord(hipEvent_t, hipStream_t), hipEventSynchronize(hipEvent_t),
    hipEventDestroy(hipEvent_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);
const char *hipGetErrorName(hipError_t);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, hipStream_t);
hipError_t hipModuleLoad(hipModule_t *, const char *), hipModuleUnload(hipModule_t);
hipError_t hipModuleGetFunction(hipFunction_t *, hipModule_t, const char *);
hipError_t hipModuleLaunchKernel(hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 unsigned, unsigned, hipStream_t, void **, void **);
void **__hipRegisterFatBinary(const void *);
void __hipRegisterFunction(void **, const void *, const char *, const char *, unsigned, void *, void *,
                           void *, void *, void *);
void __hipRegisterVar(void **, void *, const char *, const char *, int, size_t, int, int);
void __hipUnregisterFatBinary(void **);
void __hipRegisterManagedVar(void *, void **, void *, const char *, size_t, unsigned);

// The handles: their addresses are all that counts.
static char fill[16], scale[16], walk[16], check[16], beyond[16], say[16], race[16], remember[16],
    recall[16], bias[16], weights[16];
static int *counter, counter_at_first = 5;

#define COUNTER (*counter)
#define BIAS bias
#define WEIGHTS weights
#define POINTER(p) (void **)&p
#define ARGUMENT(a) &(__typeof__(a)){a}
#define LAUNCH(kernel, grid, block, stream, ...)                                                         \
  hipLaunchKernel(kernel, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, (void *[]){__VA_ARGS__}, 0, stream)
#define LAUNCH1(kernel, grid, block, stream, a) LAUNCH(kernel, grid, block, stream, ARGUMENT(a))
#define LAUNCH2(kernel, grid, block, stream, a, b)                                                       \
  LAUNCH(kernel, grid, block, stream, ARGUMENT(a), ARGUMENT(b))
#define LAUNCH3(kernel, grid, block, stream, a, b, c)                                                    \
  LAUNCH(kernel, grid, block, stream, ARGUMENT(a), ARGUMENT(b), ARGUMENT(c))

__asm__(".section .rodata\n.balign 4096\nkernels_bundle:\n.incbin \"" KERNELS "\"\n.previous\n");
extern const char kernels_bundle[];

static void **module;

__attribute__((destructor)) static void unregister_kernels(void) { __hipUnregisterFatBinary(module); }

__attribute__((constructor)) static void register_kernels(void) {
  static struct {
    uint32_t magic, version;
    const void *bundle;
    void *unused;
  } wrapper = {0x48495046, 1, 0, 0};
  wrapper.bundle = kernels_bundle;
  module = __hipRegisterFatBinary(&wrapper);
  static const struct {
    char *handle;
    const char *name;
  } kernels[] = {{fill, "fill"},   {scale, "scale"},       {walk, "walk"},
                 {check, "check"}, {beyond, "beyond"},     {say, "say"},
                 {race, "race"},   {remember, "remember"}, {recall, "recall"}};
  for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
    __hipRegisterFunction(module, kernels[i].handle, kernels[i].name, kernels[i].name, ~0u, 0, 0, 0, 0,
                          0);
  __hipRegisterVar(module, bias, "bias", "bias", 0, 4, 0, 0);
  __hipRegisterVar(module, weights, "weights", "weights", 0, 16, 1, 0);
  __hipRegisterManagedVar(module, (void **)&counter, &counter_at_first, "counter", 4, 4);
}
