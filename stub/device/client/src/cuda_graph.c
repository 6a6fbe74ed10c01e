// Graphs and copies in three dimensions whose parameters are other structures in CUDA than in HIP.
#include "hip.h"

// node_kernel is cudaKernelNodeParams and CUDA_KERNEL_NODE_PARAMS, of which the second version goes on.
typedef struct {
  void *function;
  dim3 grid, block;
  unsigned shared;
  void **params, **extra;
  void *kernel, *context; // of the second version
} node_kernel;

// make_cuda_kernel is make_kernel for the runtime's parameters, whose functions are the host's.
static int make_cuda_kernel(hip_job *job, const node_kernel *p) {
  if (!p) return hipErrorInvalidValue;
  return make_kernel(job, &(kernel_params){.block = p->block, .extra = p->extra, .func = p->function, .grid = p->grid,
                                           .params = p->params, .shared = p->shared});
}

// make_driver_kernel is the same for the driver's, whose functions are the device's.
static int make_driver_kernel(hip_job *job, const node_kernel *p) {
  if (!p) return hipErrorInvalidValue;
  hip_kernel *k = p->function ? p->function : p->kernel;
  if (!k || (k->arg_count && !p->params && !p->extra)) return hipErrorInvalidValue;
  // Programs make nodes before they know how large the grid is, and say that before they launch the graph.
  dim3 some = {p->grid.x ? p->grid.x : 1, p->grid.y ? p->grid.y : 1, p->grid.z ? p->grid.z : 1};
  int error = hip_kernel_job(job, k, k, some, p->block, p->shared, p->params, p->extra);
  const unsigned grid[] = {p->grid.x, p->grid.y, p->grid.z};
  for (int i = 0; i < 3; i++) job->items[i] *= grid[i] != 0;
  return error;
}

// memory_copy is CUDA_MEMCPY3D.
typedef struct {
  size_t x, y, z, level;
  int kind;
  void *host, *device, *array, *reserved;
  size_t pitch, height;
} memory_side;

typedef struct {
  memory_side from, to;
  size_t width, height, depth;
} memory_copy;

// pitched says of a side of a copy where it is.
static int pitched(const memory_side *s, const memory_copy *c, hip_pitched *out) {
  enum { HOST = 1, ARRAY = 3 };
  if (s->kind == ARRAY) return hip_array_rows(s->array, out);
  *out = (hip_pitched){s->kind == HOST ? s->host : s->device, s->pitch ? s->pitch : c->width, c->width,
                       s->height ? s->height : c->height};
  return hipSuccess;
}

static int make_memory_copy(hip_job *job, const memory_copy *p) {
  if (!p) return hipErrorInvalidValue;
  hip_copy3d c = {.from_at = {p->from.x, p->from.y, p->from.z}, .to_at = {p->to.x, p->to.y, p->to.z},
                  .size = {p->width, p->height, p->depth}, .kind = DEFAULT};
  int error = pitched(&p->from, p, &c.from);
  if (!error) error = pitched(&p->to, p, &c.to);
  return error ? error : make_copy(job, &c);
}

int cuMemcpy3DAsync_v2(const memory_copy *p, hipStream_t s) {
  hip_job job = {.kind = JOB_COPY};
  int error = make_memory_copy(&job, p);
  return error ? hip_done(error) : hipMemcpy3DAsync(&job.copy, s);
}

int cuMemcpy3D_v2(const memory_copy *p) {
  hip_job job = {.kind = JOB_COPY};
  int error = make_memory_copy(&job, p);
  return error ? hip_done(error) : hipMemcpy3D(&job.copy);
}

// node_fill is cudaMemsetParams and CUDA_MEMSET_NODE_PARAMS.
typedef struct {
  void *to;
  size_t pitch;
  unsigned value, element;
  size_t width, height;
} node_fill;

static int make_cuda_fill(hip_job *job, const node_fill *p) {
  if (!p) return hipErrorInvalidValue;
  return make_fill(job, &(fill_params){p->to, p->element, p->height, p->pitch, p->value, p->width});
}

#define ADDS(name, JOB, make, types)                                                                  \
  int name(hip_node **out, hip_graph *g, hip_node *const *before, size_t n, UNWRAP types) {           \
    hip_job job = {.kind = JOB};                                                                      \
    int error = make(&job, p);                                                                        \
    if (!error) error = hip_graph_add(out, g, before, n, &job);                                       \
    free(job.arguments);                                                                              \
    return hip_done(error);                                                                           \
  }

ADDS(cudaGraphAddKernelNode, JOB_KERNEL, make_cuda_kernel, (const node_kernel *p))
SETS(cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams, JOB_KERNEL, make_cuda_kernel,
     (const node_kernel *p), (p))
ADDS(cuGraphAddKernelNode, JOB_KERNEL, make_driver_kernel, (const node_kernel *p))
SETS(cuGraphKernelNodeSetParams, cuGraphExecKernelNodeSetParams, JOB_KERNEL, make_driver_kernel,
     (const node_kernel *p), (p))
ADDS(cudaGraphAddMemsetNode, JOB_FILL, make_cuda_fill, (const node_fill *p))
SETS(cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, JOB_FILL, make_cuda_fill, (const node_fill *p),
     (p))
ADDS(cuGraphAddMemcpyNode, JOB_COPY, make_memory_copy, (const memory_copy *p, void *context))
SETS(cuGraphMemcpyNodeSetParams, cuda_exec_copy, JOB_COPY, make_memory_copy, (const memory_copy *p), (p))

int cuGraphExecMemcpyNodeSetParams(hip_graph *exec, hip_node *n, const memory_copy *p, void *context) {
  (void)context;
  return cuda_exec_copy(exec, n, p);
}

int cuGraphAddMemsetNode(hip_node **out, hip_graph *g, hip_node *const *before, size_t n, const node_fill *p,
                         void *context) {
  (void)context;
  return cudaGraphAddMemsetNode(out, g, before, n, p);
}

int cuGraphExecMemsetNodeSetParams(hip_graph *exec, hip_node *n, const node_fill *p, void *context) {
  (void)context;
  return cudaGraphExecMemsetNodeSetParams(exec, n, p);
}

int cudaGraphKernelNodeGetParams(hip_node *n, node_kernel *out) {
  kernel_params k;
  int error = out ? hipGraphKernelNodeGetParams(n, &k) : hip_done(hipErrorInvalidValue);
  if (error) return error;
  out->function = k.func;
  out->grid = k.grid;
  out->block = k.block;
  out->shared = k.shared;
  out->params = k.params;
  out->extra = NULL;
  return hipSuccess;
}

int cuGraphKernelNodeGetParams_v2(hip_node *n, node_kernel *out) {
  int error = cudaGraphKernelNodeGetParams(n, out);
  if (!error) out->kernel = out->context = NULL;
  return error;
}

int cudaGraphMemsetNodeGetParams(hip_node *n, node_fill *out) {
  fill_params f;
  int error = out ? hipGraphMemsetNodeGetParams(n, &f) : hip_done(hipErrorInvalidValue);
  if (!error) *out = (node_fill){f.to, f.pitch, f.value, f.element, f.width, f.height};
  return error;
}

// The driver's names of these, and of the forms of the first version.
#define OTHER(name, of) extern __typeof__(of) name __attribute__((alias(#of)));
OTHER(cuGraphAddKernelNode_v2, cuGraphAddKernelNode)
OTHER(cuGraphKernelNodeSetParams_v2, cuGraphKernelNodeSetParams)
OTHER(cuGraphExecKernelNodeSetParams_v2, cuGraphExecKernelNodeSetParams)
OTHER(cuGraphKernelNodeGetParams, cudaGraphKernelNodeGetParams)
OTHER(cuGraphMemsetNodeSetParams, cudaGraphMemsetNodeSetParams)
OTHER(cuGraphMemsetNodeGetParams, cudaGraphMemsetNodeGetParams)
OTHER(cuMemcpy3D, cuMemcpy3D_v2)
OTHER(cuMemcpy3DAsync, cuMemcpy3DAsync_v2)
