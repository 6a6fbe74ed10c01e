// Launches of graphs, a part of the HIP runtime API.
//
// All work is done in one order: a graph is launched by doing the jobs of its nodes, each
// after those that it depends on, in the order in which they were added.
#include "hip.h"

// next_node is the first node that has not been done and depends on none that has not.
static hip_node *next_node(hip_graph *g) {
  for (size_t i = 0; i < g->count; i++) {
    hip_node *n = g->nodes[i];
    size_t k = 0;
    while (k < n->before_count && n->before[k]->done) k++;
    if (!n->done && k == n->before_count) return n;
  }
  return NULL;
}

// sort puts nodes in the order in which they are launched, also those of graphs that a condition chooses
// from. It is 0 unless they depend on each other in a circle.
static int sort(hip_graph *g) {
  for (size_t i = 0; i < g->count; i++)
    for (size_t k = 0; k < g->nodes[i]->job.body_count; k++)
      if (sort(g->nodes[i]->job.bodies[k])) return 1;
  for (size_t i = 0; i < g->count; i++) g->nodes[i]->done = 0;
  hip_node **order = copied(g->nodes, g->count * sizeof *order);
  size_t n = 0;
  for (hip_node *next; (next = next_node(g)) != NULL; next->done = 1) order[n++] = next;
  int circle = n < g->count;
  if (circle)
    free(order);
  else
    free(g->nodes), g->nodes = order;
  return circle;
}

// run_graph does the jobs of a graph when a stream comes to them.
static int run_graph(hip_graph *g, hipStream_t s) {
  int error = hipSuccess;
  for (size_t i = 0; i < g->condition_count && !error; i++) {
    const hip_condition *c = g->conditions[i];
    hip_job job = {.kind = JOB_FILL, .fill = {c->at, sizeof c->first, 1, sizeof c->first, c->first, 1, 1, 0}};
    if (c->assigned) error = hip_do(s, &job);
  }
  for (size_t i = 0; i < g->count && !error; i++) {
    const hip_node *n = g->nodes[i];
    hip_job before = {.kind = JOB_FREE, .data = n->job.data};
    if (n->disabled) continue;
    if (n->job.kind == JOB_ALLOC && g->flags & GRAPH_AUTO_FREE && has_memory(n->job.data))
      error = hip_do(s, &before);
    if (!error) error = hip_do(s, &n->job);
  }
  return error;
}

static int begin_graph(const hip_job *j, hipStream_t s) { return run_graph(j->graph, s); }
static void keep_graph(hip_job *j) { j->graph = clone_graph(j->graph); }
static void drop_job_graph(hip_job *j) { drop_graph(j->graph); }
HIP_WORK(JOB_GRAPH, .begin = begin_graph, .keep = keep_graph, .drop = drop_job_graph)

// run_condition launches the graph that a value in memory asks for, if there is one; in a loop, as long as it
// does.
static int run_condition(const hip_job *j, hipStream_t s) {
  enum { IF, WHILE };
  for (;;) {
    dev_lock();
    int error = hip_await_ticket(ticket_before(s));
    uint32_t value = error ? 0 : __atomic_load_n((uint32_t *)dev_host((uintptr_t)j->data), __ATOMIC_ACQUIRE);
    dev_unlock();
    size_t body = j->compare == IF || j->compare == WHILE ? !value : value; // of an else the second
    if (error || body >= j->body_count) return error;
    error = run_graph(j->bodies[body], s);
    if (error || j->compare != WHILE) return error;
  }
}

static void keep_bodies(hip_job *j) {
  j->bodies = copied(j->bodies, j->body_count * sizeof *j->bodies);
  for (size_t i = 0; i < j->body_count; i++) j->bodies[i] = clone_graph(j->bodies[i]);
}

static void drop_bodies(hip_job *j) {
  for (size_t i = 0; i < j->body_count; i++) drop_graph(j->bodies[i]);
  free(j->bodies);
}

HIP_WORK(JOB_CONDITION, .run = run_condition, .keep = keep_bodies, .drop = drop_bodies)

int hipGraphInstantiate(hip_graph **out, const hip_graph *g, hip_node **bad, char *text, size_t size) {
  if (!out || !g) return hip_done(hipErrorInvalidValue);
  hip_graph *exec = clone_graph(g);
  if (bad) *bad = NULL;
  if (text && size) *text = 0;
  if (sort(exec)) {
    drop_graph(exec);
    if (text && size) snprintf(text, size, "the graph's nodes depend on each other in a circle");
    return hip_done(hipErrorInvalidValue);
  }
  *out = exec;
  return hipSuccess;
}

int hipGraphInstantiateWithFlags(hip_graph **out, const hip_graph *g, unsigned long long flags) {
  int error = hipGraphInstantiate(out, g, NULL, NULL, 0);
  if (!error) (*out)->flags = flags;
  return error;
}

// instantiate_params is struct hipGraphInstantiateParams.
typedef struct {
  hip_node *bad;
  unsigned long long flags;
  int result;
  hipStream_t stream;
} instantiate_params;

int hipGraphInstantiateWithParams(hip_graph **out, const hip_graph *g, instantiate_params *params) {
  if (!params) return hip_done(hipErrorInvalidValue);
  int error = hipGraphInstantiate(out, g, &params->bad, NULL, 0);
  if (!error) (*out)->flags = params->flags;
  params->result = error ? 1 : 0;
  return error;
}

int hipGraphUpload(hip_graph *exec, hipStream_t s) {
  (void)s;
  return exec ? hipSuccess : hip_done(hipErrorInvalidValue);
}

int hipGraphLaunch(hip_graph *exec, hipStream_t s) {
  if (!exec) return hip_done(hipErrorInvalidValue);
  if (!hip_capturing(s)) return hip_done(run_graph(exec, s));
  hip_job job = {.kind = JOB_GRAPH, .graph = exec};
  return hip_capture(s, &job);
}

int hipGraphExecDestroy(hip_graph *exec) { return hipGraphDestroy(exec); }

int hipGraphExecGetFlags(hip_graph *exec, unsigned long long *flags) {
  if (!exec || !flags) return hip_done(hipErrorInvalidValue);
  *flags = exec->flags;
  return hipSuccess;
}

// hipGraphExecUpdate takes the jobs of another graph of the same shape.
int hipGraphExecUpdate(hip_graph *exec, const hip_graph *g, hip_node **bad, int *result) {
  if (!exec || !g || !bad || !result) return hip_done(hipErrorInvalidValue);
  hip_graph *fresh = clone_graph(g);
  int same = !sort(fresh) && fresh->count == exec->count;
  *bad = NULL;
  for (size_t i = 0; same && i < exec->count; i++) {
    hip_node *a = exec->nodes[i], *b = fresh->nodes[i];
    same = a->job.kind == b->job.kind && a->before_count == b->before_count;
    if (!same) *bad = b->from;
  }
  for (size_t i = 0; same && i < exec->count; i++) replace_job(exec->nodes[i], &fresh->nodes[i]->job);
  drop_graph(fresh);
  enum { CHANGED_TOPOLOGY = 2 };
  *result = same ? 0 : CHANGED_TOPOLOGY;
  return same ? hipSuccess : hip_done(hipErrorGraphExecUpdateFailure);
}
