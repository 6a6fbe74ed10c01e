// Functions of CUDA's driver API that HIP has not, or has with other parameters.
#include "hip.h"

// cuGetProcAddress finds a function by its name without a version: the form that programs of the version that
// is asked for would be compiled with, which for all that the library has is the latest.
int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status) {
  enum { FOUND, NOT_THERE };
  static const char *const forms[] = {"_v3", "_v2", ""};
  (void)version, (void)flags;
  if (!name || !out) return hip_done(hipErrorInvalidValue);
  *out = NULL;
  Dl_info here;
  void *library =
      dladdr((void *)cuGetProcAddress_v2, &here) ? dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
  for (size_t i = 0; library && !*out && i < sizeof forms / sizeof *forms; i++) {
    char full[256];
    if ((size_t)snprintf(full, sizeof full, "%s%s", name, forms[i]) < sizeof full && !strncmp(full, "cu", 2))
      *out = dlsym(library, full);
  }
  if (library) dlclose(library);
  if (status) *status = *out ? FOUND : NOT_THERE;
  return *out ? hipSuccess : hip_done(hipErrorNotFound);
}

int cuGetProcAddress(const char *name, void **out, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, out, version, flags, NULL);
}

int cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags, int *status) {
  int error = cuGetProcAddress_v2(name, out, 0, flags, status);
  return error == hipErrorNotFound && status ? hipSuccess : error;
}

int cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version, unsigned long long flags,
                                     int *status) {
  (void)version;
  return cudaGetDriverEntryPoint(name, out, flags, status);
}

// A context has no settings of its own: forms of cuCtxCreate that take some ignore them.
int cuCtxCreate_v3(void **out, void *affinity, int count, unsigned flags, int device) {
  (void)affinity, (void)count;
  return hipCtxCreate(out, flags, device);
}

int cuCtxCreate_v4(void **out, void *params, unsigned flags, int device) {
  (void)params;
  return hipCtxCreate(out, flags, device);
}

int cuCtxGetId(void *context, unsigned long long *out) {
  (void)context;
  if (out) *out = 1;
  return hip_done(out ? hipSuccess : hipErrorInvalidValue);
}

// Modules: libraries are modules, their kernels are functions, and modules are loaded when they are asked
// for.

int cuModuleGetLoadingMode(int *mode) {
  enum { EAGER = 1 };
  if (mode) *mode = EAGER;
  return hip_done(mode ? hipSuccess : hipErrorInvalidValue);
}

int cuModuleGetFunctionCount(unsigned *count, hipModule_t m) {
  if (!count || !m) return hip_done(hipErrorInvalidValue);
  *count = (unsigned)m->kernel_count;
  return hipSuccess;
}

int cuModuleEnumerateFunctions(hipFunction_t *out, unsigned room, hipModule_t m) {
  if (!out || !m) return hip_done(hipErrorInvalidValue);
  for (unsigned i = 0; i < room && i < m->kernel_count; i++) out[i] = &m->kernels[i];
  return hipSuccess;
}

int cuLibraryLoadData(hipModule_t *out, const void *image, int *options, void **values, unsigned n,
                      int *library_options, void **library_values, unsigned library_n) {
  (void)library_options, (void)library_values, (void)library_n;
  return hipModuleLoadDataEx(out, image, n, options, values);
}

int cuLibraryLoadFromFile(hipModule_t *out, const char *name, int *options, void **values, unsigned n,
                          int *library_options, void **library_values, unsigned library_n) {
  (void)options, (void)values, (void)n, (void)library_options, (void)library_values, (void)library_n;
  return hipModuleLoad(out, name);
}

int cuLibraryGetModule(hipModule_t *out, hipModule_t library) {
  if (out) *out = library;
  return hip_done(out && library ? hipSuccess : hipErrorInvalidValue);
}

int cuKernelGetFunction(hipFunction_t *out, hipFunction_t kernel) {
  if (out) *out = kernel;
  return hip_done(out && kernel ? hipSuccess : hipErrorInvalidValue);
}

int cuLibraryGetKernelCount(unsigned *count, hipModule_t library) {
  return cuModuleGetFunctionCount(count, library);
}

int cuFuncGetName(const char **out, hipFunction_t f) {
  if (!out || !f) return hip_done(hipErrorInvalidValue);
  *out = f->name;
  return hipSuccess;
}

int cuKernelGetName(const char **out, hipFunction_t f) { return cuFuncGetName(out, f); }

int cuFuncGetModule(hipModule_t *out, hipFunction_t f) {
  if (!out || !f) return hip_done(hipErrorInvalidValue);
  *out = f->module;
  return hipSuccess;
}

int cuFuncGetParamInfo(hipFunction_t f, size_t index, size_t *offset, size_t *size) {
  if (!f || index >= f->arg_count) return hip_done(hipErrorInvalidValue);
  if (offset) *offset = f->args[index].offset;
  if (size) *size = f->args[index].size;
  return hipSuccess;
}

// cuFuncSetAttribute keeps what programs ask for, as hipFuncSetAttribute does for a function of the host.
int cuFuncSetAttribute(hipFunction_t f, int attribute, int value) {
  enum { MAX_DYNAMIC_SHARED = 8, PREFERRED_CARVEOUT };
  if (!f) return hip_done(hipErrorInvalidResourceHandle);
  int most = attribute == MAX_DYNAMIC_SHARED ? (int)(LDS - f->lds) : 100;
  if (attribute > PREFERRED_CARVEOUT) return hipSuccess; // of clusters: any that can be had may be
  if (attribute < MAX_DYNAMIC_SHARED || value > most || value < -1) return hip_done(hipErrorInvalidValue);
  *(attribute == MAX_DYNAMIC_SHARED ? &f->most_shared : &f->carveout) = value;
  return hipSuccess;
}

// launch_attribute is CUlaunchAttribute: what it says, and for how much there is room.
typedef struct {
  int id, unused;
  unsigned char value[64];
} launch_attribute;

// launch_config is CUlaunchConfig.
typedef struct {
  unsigned grid[3], block[3], shared;
  hipStream_t stream;
  launch_attribute *attributes;
  unsigned count;
} launch_config;

// extended says what of a launch's attributes makes a difference, as the form of a launch: whether all
// workgroups run at once, and the cluster.
static int extended(const launch_attribute *all, unsigned count, const unsigned grid[3], int *form) {
  enum { COOPERATIVE = 2, CLUSTER = 4 };
  *form = 0;
  for (unsigned i = 0; all && i < count; i++) {
    unsigned n[3], size = 1;
    memcpy(n, all[i].value, sizeof n);
    if (all[i].id == COOPERATIVE && n[0]) *form |= HIP_TOGETHER;
    if (all[i].id != CLUSTER) continue;
    for (int d = 0; d < 3; d++) {
      if (!n[d] || n[d] > HIP_MOST_CLUSTER || (size *= n[d]) > HIP_MOST_CLUSTER || grid[d] % n[d]) {
        dev_because(0, 0, "clusters of %u x %u x %u of %u x %u x %u blocks", n[0], n[1], n[2], grid[0],
                    grid[1], grid[2]);
        return hipErrorInvalidClusterSize;
      }
      *form |= (int)(n[d] << (HIP_CLUSTER_AT + d * HIP_CLUSTER_BITS));
    }
  }
  return hipSuccess;
}

int cuLaunchKernelEx(const launch_config *c, hipFunction_t f, void **params, void **extra) {
  int form = 0, error = c ? extended(c->attributes, c->count, c->grid, &form) : hipErrorInvalidValue;
  if (error) return hip_done(error);
  const unsigned *g = c->grid, *b = c->block;
  if (form == HIP_TOGETHER)
    return hipModuleLaunchCooperativeKernel(f, g[0], g[1], g[2], b[0], b[1], b[2], c->shared, c->stream,
                                            params);
  return hip_launch_function(f, (dim3){g[0], g[1], g[2]}, (dim3){b[0], b[1], b[2]}, params, extra, c->shared,
                             c->stream, form);
}

// A cluster runs as a whole on the device, which has room for as many as it is asked about.
static int clusters(int *out, const launch_attribute *all, unsigned count, const unsigned grid[3]) {
  int form = 0, error = out ? extended(all, count, grid, &form) : hipErrorInvalidValue;
  if (!error) *out = hip_units();
  return hip_done(error);
}

int cuOccupancyMaxActiveClusters(int *out, hipFunction_t f, const launch_config *c) {
  if (!f || !c) return hip_done(hipErrorInvalidValue);
  return clusters(out, c->attributes, c->count, c->grid);
}

int cuOccupancyMaxPotentialClusterSize(int *out, hipFunction_t f, const launch_config *c) {
  enum { PORTABLE = 8 };
  if (!out || !f || !c) return hip_done(hipErrorInvalidValue);
  *out = PORTABLE;
  return hip_done(hipSuccess);
}

int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t f, size_t (*shared_of)(int),
                                     size_t shared, int limit) {
  if (shared_of) shared = shared_of(limit > 0 && limit < MAX_THREADS ? limit : MAX_THREADS);
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, f, shared, limit);
}

int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, hipFunction_t f,
                                              size_t (*shared_of)(int), size_t shared, int limit,
                                              unsigned flags) {
  (void)flags;
  return cuOccupancyMaxPotentialBlockSize(grid, block, f, shared_of, shared, limit);
}

int cuOccupancyAvailableDynamicSMemPerBlock(size_t *out, hipFunction_t f, int blocks, int block) {
  (void)block;
  if (!out || !f || blocks <= 0) return hip_done(hipErrorInvalidValue);
  *out = LDS / (size_t)blocks > f->lds ? LDS / (size_t)blocks - f->lds : 0;
  return hipSuccess;
}

// Copies between any two addresses, which say what they are.
int cuMemcpy(void *to, const void *from, size_t size) { return hipMemcpy(to, from, size, DEFAULT); }

int cuMemcpyAsync(void *to, const void *from, size_t size, hipStream_t s) {
  return hipMemcpyAsync(to, from, size, DEFAULT, s);
}

int cuMemcpyPeer(void *to, void *a, const void *from, void *b, size_t size) {
  (void)a, (void)b;
  return hipMemcpy(to, from, size, DEFAULT);
}

int cuMemcpyPeerAsync(void *to, void *a, const void *from, void *b, size_t size, hipStream_t s) {
  (void)a, (void)b;
  return hipMemcpyAsync(to, from, size, DEFAULT, s);
}

// fill_rows fills rows of elements.
static int fill_rows(void *to, size_t pitch, uint32_t value, unsigned element, size_t width, size_t height,
                     hipStream_t s) {
  return fill_in(s, (hip_fill){to, element, height, pitch, value, width, 1, 0});
}

#define FILL_2D(bits, type)                                                                                 \
  int cuMemsetD2D##bits##Async(void *to, size_t pitch, type value, size_t width, size_t height,             \
                               hipStream_t s) {                                                             \
    return fill_rows(to, pitch, (uint32_t)value, bits / 8, width, height, s);                               \
  }                                                                                                         \
  int cuMemsetD2D##bits##_v2(void *to, size_t pitch, type value, size_t width, size_t height) {             \
    return fill_rows(to, pitch, (uint32_t)value, bits / 8, width, height, NULL);                            \
  }
FILL_2D(8, unsigned char)
FILL_2D(16, unsigned short)
FILL_2D(32, unsigned)

// A stream waits for all bits of a value.
int cuStreamWaitValue32_v2(hipStream_t s, void *p, uint32_t value, unsigned flags) {
  return hipStreamWaitValue32(s, p, value, flags, UINT32_MAX);
}

int cuStreamWaitValue64_v2(hipStream_t s, void *p, uint64_t value, unsigned flags) {
  return hipStreamWaitValue64(s, p, value, flags, UINT64_MAX);
}

extern __typeof__(cuStreamWaitValue32_v2) cuStreamWaitValue32
    __attribute__((alias("cuStreamWaitValue32_v2")));
extern __typeof__(cuStreamWaitValue64_v2) cuStreamWaitValue64
    __attribute__((alias("cuStreamWaitValue64_v2")));

int cuStreamGetCtx(hipStream_t s, void **out) {
  (void)s;
  return hipCtxGetCurrent(out);
}

int cuStreamGetId(hipStream_t s, unsigned long long *out) {
  if (out) *out = (uintptr_t)s;
  return hip_done(out ? hipSuccess : hipErrorInvalidValue);
}

// Graphs.

int cudaGraphInstantiate(void **out, void *g, unsigned long long flags) {
  return hipGraphInstantiateWithFlags((struct hip_graph **)out, g, flags);
}

// graph_update is CUgraphExecUpdateResultInfo.
typedef struct {
  int result;
  void *node, *from;
} graph_update;

int cuGraphExecUpdate_v2(void *exec, void *g, graph_update *out) {
  graph_update u = {0};
  int error = hipGraphExecUpdate(exec, g, (struct hip_node **)&u.node, &u.result);
  if (out) *out = u;
  return error;
}

extern __typeof__(cuGraphExecUpdate_v2) cudaGraphExecUpdate __attribute__((alias("cuGraphExecUpdate_v2")));

// cuSurfObjectCreate is of the driver's description; HIP has none with it.
int cuSurfObjectCreate(uint64_t *out, const driver_resource *d) {
  resource_desc r;
  return hip_done(make_texture(out, of_driver(d, &r), NULL, NULL));
}

// Surface references, which HIP has not.

int cuModuleGetSurfRef(reference_desc **out, hipModule_t m, const char *name) {
  return hip_done(module_reference(out, m, name, 1));
}

int cuSurfRefSetArray(reference_desc *d, const hip_array *a, unsigned flags) {
  (void)flags;
  return hip_done(bind_array(d, 1, RESOURCE_ARRAY, a));
}

int cuSurfRefGetArray(hip_array **out, const reference_desc *d) { return hipTexRefGetArray(out, d); }
