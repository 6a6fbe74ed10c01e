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
  return make_kernel(job, &(kernel_params){.block = p->block, .extra = p->extra, .func = p->function,
                                           .grid = p->grid, .params = p->params, .shared = p->shared});
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
SETS(cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, JOB_FILL, make_cuda_fill,
     (const node_fill *p), (p))
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

// Conditions: a handle is where a value is in the device's memory, which kernels write to
// (cudaGraphSetConditional).

int cudaGraphConditionalHandleCreate(uint64_t *out, hip_graph *g, unsigned first, unsigned flags) {
  enum { ASSIGN = 1 };
  if (!out || !g || flags & ~ASSIGN) return hip_done(hipErrorInvalidValue);
  hip_condition *c = calloc(1, sizeof *c);
  if (!c) abort();
  c->first = first;
  c->assigned = flags & ASSIGN;
  dev_own = 1;
  int error = hipMalloc(&c->at, sizeof first);
  dev_own = 0;
  if (error) {
    free(c);
    return error;
  }
  keep_condition(g, c);
  *out = (uintptr_t)c->at;
  return hip_done(hipMemset(c->at, 0, sizeof first));
}

int cuGraphConditionalHandleCreate(uint64_t *out, hip_graph *g, void *context, unsigned first,
                                   unsigned flags) {
  (void)context;
  return cudaGraphConditionalHandleCreate(out, g, first, flags);
}

// conditional is cudaConditionalNodeParams.
typedef struct {
  uint64_t value;
  int type;
  unsigned count;
  hip_graph **bodies; // which the library writes
} conditional;

static int add_conditional(hip_node **out, hip_graph *g, hip_node *const *before, size_t n, conditional *p) {
  enum { IF, WHILE, SWITCH, TYPES, BODIES = 4096 };
  const unsigned most[TYPES] = {[IF] = 2, [WHILE] = 1, [SWITCH] = BODIES};
  if (p->type < IF || p->type >= TYPES || !p->count || p->count > most[p->type])
    return hip_done(hipErrorInvalidValue);
  dev_lock();
  int there = !hip_connect() && dev_find(p->value) != NULL;
  dev_unlock();
  if (!there) return hip_done(hipErrorInvalidValue);
  hip_job job = {.kind = JOB_CONDITION, .data = (void *)p->value, .compare = p->type, .body_count = p->count};
  if (!(job.bodies = calloc(p->count, sizeof *job.bodies))) abort();
  for (unsigned i = 0; i < p->count; i++) job.bodies[i] = new_graph();
  int error = hip_graph_add(out, g, before, n, &job);
  if (!error) p->bodies = (*out)->job.bodies;
  hip_drop_job(&job);
  return error;
}

// Nodes of any kind: cudaGraphNodeParams and CUgraphNodeParams.
typedef struct {
  int type, reserved[3];
  union {
    node_kernel kernel;
    struct {
      int flags, reserved;
      void *context;
      union {
        hip_copy3d runtime;
        memory_copy driver;
      };
    } copy;
    node_fill fill;
    host_params host;
    hip_graph *graph;
    hipEvent_t event;
    unsigned char memory[120];
    void *freed;
    conditional condition;
  };
} node_params;

enum {
  NODE_KERNEL, NODE_COPY, NODE_FILL, NODE_HOST, NODE_GRAPH, NODE_EMPTY, NODE_WAIT, NODE_RECORD,
  NODE_ALLOC = 10, NODE_FREE, NODE_CONDITION = 13
};

// make_node makes a job of parameters, of which those of kernels and copies are others in the driver's API.
static int make_node(hip_job *job, const node_params *p, int driver) {
  static const struct {
    int known, job;
  } jobs[] = {[NODE_KERNEL] = {1, JOB_KERNEL}, [NODE_COPY] = {1, JOB_COPY},   [NODE_FILL] = {1, JOB_FILL},
              [NODE_HOST] = {1, JOB_HOST},     [NODE_GRAPH] = {1, JOB_GRAPH}, [NODE_EMPTY] = {1, JOB_EMPTY},
              [NODE_WAIT] = {1, JOB_WAIT},     [NODE_RECORD] = {1, JOB_RECORD}, [NODE_FREE] = {1, JOB_FREE}};
  if (!p || p->type < 0 || p->type >= (int)(sizeof jobs / sizeof *jobs) || !jobs[p->type].known)
    return hipErrorInvalidValue;
  job->kind = jobs[p->type].job;
  switch (p->type) {
  case NODE_KERNEL: return driver ? make_driver_kernel(job, &p->kernel) : make_cuda_kernel(job, &p->kernel);
  case NODE_COPY: return driver ? make_memory_copy(job, &p->copy.driver) : make_copy(job, &p->copy.runtime);
  case NODE_FILL: return make_cuda_fill(job, &p->fill);
  case NODE_HOST: return make_host(job, &p->host);
  case NODE_GRAPH: return make_child(job, p->graph);
  case NODE_WAIT:
  case NODE_RECORD: return make_event(job, p->event);
  case NODE_FREE: return make_free(job, p->freed);
  }
  return hipSuccess;
}

static int add_any(hip_node **out, hip_graph *g, hip_node *const *before, size_t n, node_params *p,
                   int driver) {
  if (p && p->type == NODE_ALLOC) return hipGraphAddMemAllocNode(out, g, before, n, p->memory);
  if (p && p->type == NODE_CONDITION) return add_conditional(out, g, before, n, &p->condition);
  hip_job job = {0};
  int error = make_node(&job, p, driver);
  if (!error) error = hip_graph_add(out, g, before, n, &job);
  free(job.arguments);
  return hip_done(error);
}

static int set_any(hip_node *n, const node_params *p, int driver) {
  hip_job job = {0};
  int error = change(n, make_node(&job, p, driver), &job);
  free(job.arguments);
  return error;
}

// same_in finds a node's copy in an executable graph.
static hip_node *same_in(hip_graph *exec, hip_node *n) { return exec && n ? copy_in_graph(exec, n) : NULL; }

int cuGraphAddNode(hip_node **out, hip_graph *g, hip_node *const *before, size_t n, node_params *p) {
  return add_any(out, g, before, n, p, 1);
}

int cuGraphNodeSetParams(hip_node *n, const node_params *p) { return set_any(n, p, 1); }

int cuGraphExecNodeSetParams(hip_graph *exec, hip_node *n, const node_params *p) {
  return set_any(same_in(exec, n), p, 1);
}

// Data of edges, cudaGraphEdgeData, say nothing here.

int cuGraphAddNode_v2(hip_node **out, hip_graph *g, hip_node *const *before, const void *edges, size_t n,
                      node_params *p) {
  (void)edges;
  return add_any(out, g, before, n, p, 1);
}

// The runtime's functions have data of edges under their own names since CUDA 13, and as _v2 before. What is
// linked with libcudart.so.13 calls the former.

static int by_13(void) {
  static int known; // 1 for no, 2 for yes
  if (!known) {
    void *library = dlopen("libcudart.so.13", RTLD_LAZY | RTLD_NOLOAD);
    if (library) dlclose(library);
    known = library ? 2 : 1;
  }
  return known == 2;
}

int cudaGraphAddNode_v2(hip_node **out, hip_graph *g, hip_node *const *before, const void *edges, size_t n,
                        node_params *p) {
  (void)edges;
  return add_any(out, g, before, n, p, 0);
}

int cudaGraphAddNode(hip_node **out, hip_graph *g, hip_node *const *before, void *fourth, void *fifth,
                     node_params *p) {
  if (by_13()) return add_any(out, g, before, (size_t)fifth, p, 0);
  return add_any(out, g, before, (size_t)fourth, fifth, 0);
}

int cudaGraphNodeSetParams(hip_node *n, const node_params *p) { return set_any(n, p, 0); }

int cudaGraphExecNodeSetParams(hip_graph *exec, hip_node *n, const node_params *p) {
  return set_any(same_in(exec, n), p, 0);
}

// no_edges clears what is told of edges, cudaGraphEdgeData: none has anything.
static void no_edges(int error, void *edges, const size_t *n) {
  enum { EDGE = 8 };
  if (!error && edges && n) memset(edges, 0, *n * EDGE);
}

// DEPENDENCIES are functions that have two lists of nodes and how many there are; with data of edges before
// that.
#define DEPENDENCIES(Name)                                                                                   \
  int cuGraph##Name##_v2(hip_graph *g, hip_node *const *from, hip_node *const *to, const void *edges,        \
                         size_t n) {                                                                         \
    (void)edges;                                                                                             \
    return hipGraph##Name(g, from, to, n);                                                                   \
  }                                                                                                          \
  int cudaGraph##Name(hip_graph *g, hip_node *const *from, hip_node *const *to, size_t fourth,               \
                      size_t fifth) {                                                                        \
    return hipGraph##Name(g, from, to, by_13() ? fifth : fourth);                                            \
  }                                                                                                          \
  OTHER(cudaGraph##Name##_v2, cuGraph##Name##_v2)
DEPENDENCIES(AddDependencies)
DEPENDENCIES(RemoveDependencies)

int cuGraphGetEdges_v2(hip_graph *g, hip_node **from, hip_node **to, void *edges, size_t *n) {
  int error = hipGraphGetEdges(g, from, to, n);
  no_edges(error, from ? edges : NULL, n);
  return error;
}

int cudaGraphGetEdges(hip_graph *g, hip_node **from, hip_node **to, void *fourth, size_t *fifth) {
  return by_13() ? cuGraphGetEdges_v2(g, from, to, fourth, fifth) : hipGraphGetEdges(g, from, to, fourth);
}
OTHER(cudaGraphGetEdges_v2, cuGraphGetEdges_v2)

#define NEIGHBOURS(Name)                                                                                     \
  int cuGraphNode##Name##_v2(hip_node *node, hip_node **nodes, void *edges, size_t *n) {                     \
    int error = hipGraphNode##Name(node, nodes, n);                                                          \
    no_edges(error, nodes ? edges : NULL, n);                                                                \
    return error;                                                                                            \
  }                                                                                                          \
  int cudaGraphNode##Name(hip_node *node, hip_node **nodes, void *third, size_t *fourth) {                   \
    return by_13() ? cuGraphNode##Name##_v2(node, nodes, third, fourth)                                      \
                   : hipGraphNode##Name(node, nodes, third);                                                 \
  }                                                                                                          \
  OTHER(cudaGraphNode##Name##_v2, cuGraphNode##Name##_v2)
NEIGHBOURS(GetDependencies)
NEIGHBOURS(GetDependentNodes)

int cuStreamGetCaptureInfo_v3(hipStream_t s, int *status, unsigned long long *id, hip_graph **g,
                              hip_node *const **nodes, const void **edges, size_t *n) {
  if (edges) *edges = NULL;
  return hipStreamGetCaptureInfo_v2(s, status, id, g, nodes, n);
}

int cudaStreamGetCaptureInfo(hipStream_t s, int *status, unsigned long long *id, hip_graph **g,
                             hip_node *const **nodes, const void **edges, size_t *n) {
  return by_13() ? cuStreamGetCaptureInfo_v3(s, status, id, g, nodes, edges, n)
                 : hipStreamGetCaptureInfo(s, status, id);
}
OTHER(cudaStreamGetCaptureInfo_v3, cuStreamGetCaptureInfo_v3)

int cuStreamUpdateCaptureDependencies_v2(hipStream_t s, hip_node **nodes, const void *edges, size_t n,
                                         unsigned set) {
  (void)edges;
  return hipStreamUpdateCaptureDependencies(s, nodes, n, set);
}

int cudaStreamUpdateCaptureDependencies(hipStream_t s, hip_node **nodes, void *third, size_t fourth,
                                        unsigned fifth) {
  return hipStreamUpdateCaptureDependencies(s, nodes, by_13() ? fourth : (size_t)third,
                                            by_13() ? fifth : (unsigned)fourth);
}
OTHER(cudaStreamUpdateCaptureDependencies_v2, cuStreamUpdateCaptureDependencies_v2)
