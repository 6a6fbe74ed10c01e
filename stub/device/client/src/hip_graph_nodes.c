// The nodes of graphs by their kinds: how they are added, read and changed; and what
// graphs tell of their nodes.
#include "hip.h"

// node_in is the copy of a node that an executable graph has.
static hip_node *node_in(hip_graph *exec, hip_node *n, int kind) {
  hip_node *m = exec && n ? copy_in_graph(exec, n) : NULL;
  return m && m->job.kind == kind ? m : NULL;
}

// change gives a node another job of its kind.
static int change(hip_node *n, int error, const hip_job *job) {
  if (!error && (!n || n->job.kind != job->kind)) error = hipErrorInvalidValue;
  if (!error) replace_job(n, job);
  return hip_done(error);
}

// NODE makes what adds nodes of a kind, and what changes them in a graph and in an executable
// one. make is a function that makes a job of the parameters, in brackets by type and by name.
#define NODE(Name, JOB, make, types, names)                                              \
  int hipGraphAdd##Name(hip_node **out, hip_graph *g, hip_node *const *before, size_t n, \
                        UNWRAP types) {                                                  \
    hip_job job = {.kind = JOB};                                                         \
    int error = make(&job, UNWRAP names);                                                \
    if (!error) error = hip_graph_add(out, g, before, n, &job);                          \
    free(job.arguments);                                                                 \
    return hip_done(error);                                                              \
  }
#define SETS(Set, ExecSet, JOB, make, types, names)                               \
  int Set(hip_node *node, UNWRAP types) {                                         \
    hip_job job = {.kind = JOB};                                                  \
    int error = change(node, make(&job, UNWRAP names), &job);                     \
    free(job.arguments);                                                          \
    return error;                                                                 \
  }                                                                               \
  int ExecSet(hip_graph *exec, hip_node *node, UNWRAP types) {                    \
    hip_job job = {.kind = JOB};                                                  \
    int error = change(node_in(exec, node, JOB), make(&job, UNWRAP names), &job); \
    free(job.arguments);                                                          \
    return error;                                                                 \
  }
#define UNWRAP(...) __VA_ARGS__

// Kernels.

// kernel_params is struct hipKernelNodeParams.
typedef struct {
  dim3 block;
  void **extra, *func;
  dim3 grid;
  void **params;
  unsigned shared;
} kernel_params;

static int make_kernel(hip_job *job, const kernel_params *p) {
  if (!p) return hipErrorInvalidValue;
  hip_kernel *k = NULL;
  int error = kernel_of(p->func, &k);
  if (!error && k->arg_count && !p->params && !p->extra) error = hipErrorInvalidValue;
  return error ? error
               : hip_kernel_job(job, k, p->func, p->grid, p->block, p->shared, p->params, p->extra);
}

NODE(KernelNode, JOB_KERNEL, make_kernel, (const kernel_params *p), (p))
SETS(hipGraphKernelNodeSetParams, hipGraphExecKernelNodeSetParams, JOB_KERNEL, make_kernel,
     (const kernel_params *p), (p))

int hipGraphKernelNodeGetParams(hip_node *n, kernel_params *out) {
  if (!n || !out || n->job.kind != JOB_KERNEL) return hip_done(hipErrorInvalidValue);
  const hip_job *j = &n->job;
  uint64_t count = j->kernel->arg_count;
  if (!n->pointers && !(n->pointers = calloc(count + 1, sizeof *n->pointers))) abort();
  for (uint64_t i = 0; i < count; i++) n->pointers[i] = j->arguments + j->kernel->args[i].offset;
  *out = (kernel_params){.block = j->block,
                         .func = (void *)j->function,
                         .params = n->pointers,
                         .shared = (unsigned)j->shared};
  out->grid = (dim3){(uint32_t)(j->items[0] / j->block.x), (uint32_t)(j->items[1] / j->block.y),
                     (uint32_t)(j->items[2] / j->block.z)};
  return hipSuccess;
}

// Copies.

static int make_copy(hip_job *job, const hip_copy3d *p) {
  return p ? hip_array_copy(p, &job->copy) : hipErrorInvalidValue;
}

static int make_copy1d(hip_job *job, void *to, const void *from, size_t size, int kind) {
  unsigned char *where;
  job->copy = rows(to, size, from, size, size, 1, kind);
  if (!to || !from) return hipErrorInvalidValue;
  dev_lock();
  int error = reach(to, size, 0, &where);
  if (!error) error = reach(from, size, 0, &where);
  dev_unlock();
  return error;
}

static int make_copy_from(hip_job *job, void *to, const void *symbol, size_t size, size_t offset,
                          int kind) {
  void *from;
  int error = symbol_place(symbol, size, offset, kind, FROM_HOST, &from);
  return error ? error : make_copy1d(job, to, from, size, kind);
}

static int make_copy_to(hip_job *job, const void *symbol, const void *from, size_t size, size_t offset,
                        int kind) {
  void *to;
  int error = symbol_place(symbol, size, offset, kind, TO_HOST, &to);
  return error ? error : make_copy1d(job, to, from, size, kind);
}

NODE(MemcpyNode, JOB_COPY, make_copy, (const hip_copy3d *p), (p))
SETS(hipGraphMemcpyNodeSetParams, hipGraphExecMemcpyNodeSetParams, JOB_COPY, make_copy,
     (const hip_copy3d *p), (p))
NODE(MemcpyNode1D, JOB_COPY, make_copy1d, (void *to, const void *from, size_t size, int kind),
     (to, from, size, kind))
SETS(hipGraphMemcpyNodeSetParams1D, hipGraphExecMemcpyNodeSetParams1D, JOB_COPY, make_copy1d,
     (void *to, const void *from, size_t size, int kind), (to, from, size, kind))
NODE(MemcpyNodeFromSymbol, JOB_COPY, make_copy_from,
     (void *to, const void *symbol, size_t size, size_t offset, int kind),
     (to, symbol, size, offset, kind))
SETS(hipGraphMemcpyNodeSetParamsFromSymbol, hipGraphExecMemcpyNodeSetParamsFromSymbol, JOB_COPY,
     make_copy_from, (void *to, const void *symbol, size_t size, size_t offset, int kind),
     (to, symbol, size, offset, kind))
NODE(MemcpyNodeToSymbol, JOB_COPY, make_copy_to,
     (const void *symbol, const void *from, size_t size, size_t offset, int kind),
     (symbol, from, size, offset, kind))
SETS(hipGraphMemcpyNodeSetParamsToSymbol, hipGraphExecMemcpyNodeSetParamsToSymbol, JOB_COPY,
     make_copy_to, (const void *symbol, const void *from, size_t size, size_t offset, int kind),
     (symbol, from, size, offset, kind))

int hipGraphMemcpyNodeGetParams(hip_node *n, hip_copy3d *out) {
  if (!n || !out || n->job.kind != JOB_COPY) return hip_done(hipErrorInvalidValue);
  *out = n->job.copy;
  return hipSuccess;
}

// Fills.

// fill_params is struct hipMemsetParams: what a hip_fill begins with.
typedef struct {
  void *to;
  unsigned element;
  size_t height, pitch;
  unsigned value;
  size_t width;
} fill_params;

static int make_fill(hip_job *job, const fill_params *p) {
  if (!p || !p->to || (p->element != 1 && p->element != 2 && p->element != 4))
    return hipErrorInvalidValue;
  job->fill =
      (hip_fill){p->to, p->element, p->height ? p->height : 1, p->pitch, p->value, p->width, 1, 0};
  return hipSuccess;
}

NODE(MemsetNode, JOB_FILL, make_fill, (const fill_params *p), (p))
SETS(hipGraphMemsetNodeSetParams, hipGraphExecMemsetNodeSetParams, JOB_FILL, make_fill,
     (const fill_params *p), (p))

int hipGraphMemsetNodeGetParams(hip_node *n, fill_params *out) {
  if (!n || !out || n->job.kind != JOB_FILL) return hip_done(hipErrorInvalidValue);
  const hip_fill *f = &n->job.fill;
  *out = (fill_params){f->to, f->element, f->height, f->pitch, f->value, f->width};
  return hipSuccess;
}

// Functions of the host.

// host_params is struct hipHostNodeParams.
typedef struct {
  void (*call)(void *);
  void *data;
} host_params;

static int make_host(hip_job *job, const host_params *p) {
  if (!p || !p->call) return hipErrorInvalidValue;
  job->call = p->call;
  job->data = p->data;
  return hipSuccess;
}

NODE(HostNode, JOB_HOST, make_host, (const host_params *p), (p))
SETS(hipGraphHostNodeSetParams, hipGraphExecHostNodeSetParams, JOB_HOST, make_host,
     (const host_params *p), (p))

int hipGraphHostNodeGetParams(hip_node *n, host_params *out) {
  if (!n || !out || n->job.kind != JOB_HOST) return hip_done(hipErrorInvalidValue);
  *out = (host_params){n->job.call, n->job.data};
  return hipSuccess;
}

// Events.

static int make_event(hip_job *job, hipEvent_t e) {
  job->event = e;
  return e ? hipSuccess : hipErrorInvalidValue;
}

static int get_event(hip_node *n, int kind, hipEvent_t *out) {
  if (!n || !out || n->job.kind != kind) return hip_done(hipErrorInvalidValue);
  *out = n->job.event;
  return hipSuccess;
}

NODE(EventRecordNode, JOB_RECORD, make_event, (hipEvent_t e), (e))
NODE(EventWaitNode, JOB_WAIT, make_event, (hipEvent_t e), (e))
SETS(hipGraphEventRecordNodeSetEvent, hipGraphExecEventRecordNodeSetEvent, JOB_RECORD, make_event,
     (hipEvent_t e), (e))
SETS(hipGraphEventWaitNodeSetEvent, hipGraphExecEventWaitNodeSetEvent, JOB_WAIT, make_event,
     (hipEvent_t e), (e))
int hipGraphEventRecordNodeGetEvent(hip_node *n, hipEvent_t *out) {
  return get_event(n, JOB_RECORD, out);
}
int hipGraphEventWaitNodeGetEvent(hip_node *n, hipEvent_t *out) { return get_event(n, JOB_WAIT, out); }

// Graphs in graphs, and nodes that do nothing.

static int make_child(hip_job *job, hip_graph *g) {
  job->graph = g;
  return g && !sort(g) ? hipSuccess : hipErrorInvalidValue;
}

NODE(ChildGraphNode, JOB_GRAPH, make_child, (hip_graph * child), (child))

int hipGraphExecChildGraphNodeSetParams(hip_graph *exec, hip_node *node, hip_graph *child) {
  hip_job job = {.kind = JOB_GRAPH};
  return change(node_in(exec, node, JOB_GRAPH), make_child(&job, child), &job);
}

int hipGraphChildGraphNodeGetGraph(hip_node *n, hip_graph **out) {
  if (!n || !out || n->job.kind != JOB_GRAPH) return hip_done(hipErrorInvalidValue);
  *out = n->job.graph;
  return hipSuccess;
}

int hipGraphAddEmptyNode(hip_node **out, hip_graph *g, hip_node *const *before, size_t n) {
  hip_job job = {.kind = JOB_EMPTY};
  return hip_graph_add(out, g, before, n, &job);
}

// Memory: of struct hipMemAllocNodeParams two fields count.

static int make_alloc(hip_job *job, unsigned char *params) {
  enum { BYTES = 104, ADDRESS = 112 };
  size_t size;
  if (!params) return hipErrorInvalidValue;
  memcpy(&size, params + BYTES, sizeof size);
  int error = graph_takes(&job->data, size);
  if (!error) memcpy(params + ADDRESS, &job->data, sizeof job->data);
  return error;
}

static int make_free(hip_job *job, void *p) {
  dev_lock();
  int there = memory_at((uintptr_t)p) != NULL;
  dev_unlock();
  job->data = p;
  return there ? hipSuccess : hipErrorInvalidValue;
}

int hipGraphAddMemAllocNode(hip_node **out, hip_graph *g, hip_node *const *before, size_t n,
                            unsigned char *params) {
  hip_job job = {.kind = JOB_ALLOC};
  int error = make_alloc(&job, params);
  if (error) return hip_done(error);
  hold_memory(job.data);
  error = hip_graph_add(out, g, before, n, &job);
  drop_memory(job.data);
  return hip_done(error);
}

NODE(MemFreeNode, JOB_FREE, make_free, (void *p), (p))

int hipGraphMemAllocNodeGetParams(hip_node *n, unsigned char *params) {
  enum { POOL = 88, LOCATION = 8, BYTES = 104, ADDRESS = 112, SIZE = 120 };
  const int pinned = 1, on_device = 1;
  if (!n || !params || n->job.kind != JOB_ALLOC) return hip_done(hipErrorInvalidValue);
  dev_lock();
  const hip_graph_memory *m = memory_at((uintptr_t)n->job.data);
  uint64_t size = m ? m->size : 0;
  dev_unlock();
  memset(params, 0, SIZE);
  memcpy(params, &pinned, sizeof pinned);
  memcpy(params + LOCATION, &on_device, sizeof on_device);
  memcpy(params + BYTES, &size, sizeof size);
  memcpy(params + ADDRESS, &n->job.data, sizeof n->job.data);
  return hipSuccess;
}

int hipGraphMemFreeNodeGetParams(hip_node *n, void **out) {
  if (!n || !out || n->job.kind != JOB_FREE) return hip_done(hipErrorInvalidValue);
  *out = n->job.data;
  return hipSuccess;
}

// What graphs tell.

int hipGraphNodeGetType(hip_node *n, int *out) {
  // By the numbers of version 5, which version 6 has one lower.
  static const int types[] = {[JOB_EMPTY] = 6,  [JOB_KERNEL] = 1, [JOB_COPY] = 2,
                              [JOB_FILL] = 3,   [JOB_HOST] = 4,   [JOB_CALLBACK] = 4,
                              [JOB_RECORD] = 8, [JOB_WAIT] = 7,   [JOB_GRAPH] = 5,
                              [JOB_ALLOC] = 11, [JOB_FREE] = 12,  [JOB_CONDITION] = 14};
  if (!n || !out) return hip_done(hipErrorInvalidValue);
  *out = types[n->job.kind] - (hip_version() >= 6);
  return hipSuccess;
}

int hipGraphNodeSetEnabled(hip_graph *exec, hip_node *n, unsigned on) {
  hip_node *m = exec && n ? copy_in_graph(exec, n) : NULL;
  if (!m) return hip_done(hipErrorInvalidValue);
  m->disabled = !on;
  return hipSuccess;
}

int hipGraphNodeGetEnabled(hip_graph *exec, hip_node *n, unsigned *on) {
  hip_node *m = exec && n ? copy_in_graph(exec, n) : NULL;
  if (!m || !on) return hip_done(hipErrorInvalidValue);
  *on = !m->disabled;
  return hipSuccess;
}

int hipGraphNodeFindInClone(hip_node **out, hip_node *n, hip_graph *clone) {
  if (!out || !n || !clone) return hip_done(hipErrorInvalidValue);
  *out = copy_in_graph(clone, n);
  return hip_done(*out ? hipSuccess : hipErrorInvalidValue);
}

// A reply is a list that the program wants: without room for it, its length.
typedef struct {
  hip_node **nodes;
  size_t room, count;
} reply;

static void tell(reply *r, hip_node *n) {
  if (r->nodes && r->count < r->room) r->nodes[r->count] = n;
  r->count++;
}

// replied fills what is left of the room with nothing.
static int replied(reply *r, size_t *n) {
  for (size_t i = r->count; r->nodes && i < r->room; i++) r->nodes[i] = NULL;
  *n = r->nodes && r->count > r->room ? r->room : r->count;
  return hipSuccess;
}

int hipGraphGetNodes(hip_graph *g, hip_node **nodes, size_t *n) {
  if (!g || !n) return hip_done(hipErrorInvalidValue);
  reply r = {nodes, *n, 0};
  for (size_t i = 0; i < g->count; i++) tell(&r, g->nodes[i]);
  return replied(&r, n);
}

int hipGraphGetRootNodes(hip_graph *g, hip_node **nodes, size_t *n) {
  if (!g || !n) return hip_done(hipErrorInvalidValue);
  reply r = {nodes, *n, 0};
  for (size_t i = 0; i < g->count; i++)
    if (!g->nodes[i]->before_count) tell(&r, g->nodes[i]);
  return replied(&r, n);
}

int hipGraphNodeGetDependencies(hip_node *node, hip_node **nodes, size_t *n) {
  if (!node || !n) return hip_done(hipErrorInvalidValue);
  reply r = {nodes, *n, 0};
  for (size_t i = 0; i < node->before_count; i++) tell(&r, node->before[i]);
  return replied(&r, n);
}

static int depends(const hip_node *n, const hip_node *on) {
  for (size_t i = 0; i < n->before_count; i++)
    if (n->before[i] == on) return 1;
  return 0;
}

int hipGraphNodeGetDependentNodes(hip_node *node, hip_node **nodes, size_t *n) {
  if (!node || !n) return hip_done(hipErrorInvalidValue);
  reply r = {nodes, *n, 0};
  for (size_t i = 0; i < node->graph->count; i++)
    if (depends(node->graph->nodes[i], node)) tell(&r, node->graph->nodes[i]);
  return replied(&r, n);
}

int hipGraphGetEdges(hip_graph *g, hip_node **from, hip_node **to, size_t *n) {
  if (!g || !n || (!from) != (!to)) return hip_done(hipErrorInvalidValue);
  reply a = {from, *n, 0}, b = {to, *n, 0};
  for (size_t i = 0; i < g->count; i++)
    for (size_t k = 0; k < g->nodes[i]->before_count; k++) {
      tell(&a, g->nodes[i]->before[k]);
      tell(&b, g->nodes[i]);
    }
  replied(&b, n);
  *n = a.room;
  return replied(&a, n);
}

int hipGraphAddDependencies(hip_graph *g, hip_node *const *from, hip_node *const *to, size_t n) {
  if (!g || (n && (!from || !to))) return hip_done(hipErrorInvalidValue);
  for (size_t i = 0; i < n; i++) {
    if (!from[i] || !to[i] || from[i]->graph != g || to[i]->graph != g || from[i] == to[i] ||
        depends(to[i], from[i]))
      return hip_done(hipErrorInvalidValue);
    to[i]->before = realloc(to[i]->before, (to[i]->before_count + 1) * sizeof *to[i]->before);
    if (!to[i]->before) abort();
    to[i]->before[to[i]->before_count++] = from[i];
  }
  return hipSuccess;
}

static int forget_dependency(hip_node *n, const hip_node *on) {
  for (size_t i = 0; i < n->before_count; i++)
    if (n->before[i] == on) {
      memmove(n->before + i, n->before + i + 1, (--n->before_count - i) * sizeof *n->before);
      return 1;
    }
  return 0;
}

int hipGraphRemoveDependencies(hip_graph *g, hip_node *const *from, hip_node *const *to, size_t n) {
  if (!g || (n && (!from || !to))) return hip_done(hipErrorInvalidValue);
  for (size_t i = 0; i < n; i++)
    if (!to[i] || to[i]->graph != g || !forget_dependency(to[i], from[i]))
      return hip_done(hipErrorInvalidValue);
  return hipSuccess;
}

int hipGraphDestroyNode(hip_node *n) {
  if (!n) return hip_done(hipErrorInvalidValue);
  hip_graph *g = n->graph;
  size_t at = 0;
  for (size_t i = 0; i < g->count; i++) {
    forget_dependency(g->nodes[i], n);
    if (g->nodes[i] == n) at = i;
  }
  memmove(g->nodes + at, g->nodes + at + 1, (--g->count - at) * sizeof *g->nodes);
  drop_node(n);
  return hipSuccess;
}

int hipGraphDebugDotPrint(hip_graph *g, const char *path, unsigned flags) {
  (void)flags;
  FILE *f = g && path ? fopen(path, "w") : NULL;
  if (!f) return hip_done(hipErrorInvalidValue);
  static const char *const names[] = {
      [JOB_EMPTY] = "empty", [JOB_COPY] = "copy",      [JOB_FILL] = "fill",   [JOB_FREE] = "free",
      [JOB_ALLOC] = "alloc", [JOB_RECORD] = "record",  [JOB_WAIT] = "wait",   [JOB_GRAPH] = "graph",
      [JOB_HOST] = "host",   [JOB_CALLBACK] = "host",  [JOB_AWAIT] = "await", [JOB_WRITE] = "write",
      [JOB_CONDITION] = "condition"};
  fprintf(f, "digraph {\n");
  for (size_t i = 0; i < g->count; i++) {
    const hip_node *n = g->nodes[i];
    fprintf(f, "  n%zu [label=\"%s\"];\n", i,
            n->job.kind == JOB_KERNEL ? n->job.kernel->name : names[n->job.kind]);
    for (size_t k = 0; k < g->count; k++)
      if (depends(n, g->nodes[k])) fprintf(f, "  n%zu -> n%zu;\n", k, i);
  }
  fprintf(f, "}\n");
  return fclose(f) ? hip_done(hipErrorUnknown) : hipSuccess;
}
