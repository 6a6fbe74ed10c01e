// Graphs of the HIP runtime API: nodes and what they depend on, and streams whose work is captured into
// graphs. hip_graph_launch.c launches them, hip_graph_nodes.c has the kinds of nodes.
#include "hip.h"

typedef struct hip_node {
  hip_job job;
  struct hip_graph *graph;
  struct hip_node **before; // what it depends on
  size_t before_count;
  struct hip_node *from; // that it is a copy of
  int disabled, done;
  void **pointers; // to the kernel's arguments, for who asks
} hip_node;

typedef struct hip_object hip_object;

// A hip_condition is a value in the device's memory that decides whether graphs are launched.
typedef struct hip_condition {
  void *at;
  unsigned first; // its value when a graph is launched
  int assigned;   // it gets that
  int references;
} hip_condition;

typedef struct hip_graph {
  hip_node **nodes;
  size_t count;
  hip_object **objects; // that it holds references to
  size_t object_count;
  hip_condition **conditions;
  size_t condition_count;
  unsigned long long flags; // that it was instantiated with
} hip_graph;

enum { GRAPH_AUTO_FREE = 1 };

// grown is a list of pointers with room for one more.
static void *grown(void *list, size_t count) {
  if (count & (count - 1)) return list;
  list = realloc(list, (count ? 2 * count : 1) * sizeof(void *));
  if (!list) abort();
  return list;
}

// replace_job gives a node another job.
static void replace_job(hip_node *n, const hip_job *job) {
  hip_job fresh = *job;
  hip_keep_job(&fresh);
  hip_drop_job(&n->job);
  n->job = fresh;
  free(n->pointers);
  n->pointers = NULL;
}

static hip_node *add_node(hip_graph *g, hip_node *const *before, size_t count, const hip_job *job) {
  hip_node *n = calloc(1, sizeof *n);
  if (!n) abort();
  n->graph = g;
  n->job = *job;
  hip_keep_job(&n->job);
  n->before = copied(before, count * sizeof *before);
  n->before_count = count;
  g->nodes = grown(g->nodes, g->count);
  g->nodes[g->count++] = n;
  return n;
}

// hip_graph_add adds a node for a function of the API.
static int hip_graph_add(hip_node **out, hip_graph *g, hip_node *const *before, size_t count,
                         const hip_job *job) {
  if (!out || !g || (count && !before) || count > g->count) return hip_done(hipErrorInvalidValue);
  for (size_t i = 0; i < count; i++)
    if (!before[i] || before[i]->graph != g) return hip_done(hipErrorInvalidValue);
  *out = add_node(g, before, count, job);
  return hipSuccess;
}

static void drop_node(hip_node *n) {
  hip_drop_job(&n->job);
  free(n->before);
  free(n->pointers);
  free(n);
}

// copy_in_graph is the copy of a node that a graph has, or one of those that a condition chooses from.
static hip_node *copy_in_graph(const hip_graph *g, const hip_node *from) {
  hip_node *found = NULL;
  for (size_t i = 0; i < g->count && !found; i++) {
    const hip_job *j = &g->nodes[i]->job;
    if (g->nodes[i]->from == from) found = g->nodes[i];
    for (size_t k = 0; k < j->body_count && !found; k++) found = copy_in_graph(j->bodies[k], from);
  }
  return found;
}

static hip_graph *new_graph(void) {
  hip_graph *g = calloc(1, sizeof *g);
  if (!g) abort();
  return g;
}

// keep_condition gives a graph a value whose first one it assigns.
static void keep_condition(hip_graph *g, hip_condition *c) {
  g->conditions = grown(g->conditions, g->condition_count);
  g->conditions[g->condition_count++] = c;
  c->references++;
}

static void drop_condition(hip_condition *c) {
  if (--c->references) return;
  hipFree(c->at);
  free(c);
}

static hip_graph *clone_graph(const hip_graph *g) {
  hip_graph *c = new_graph();
  for (size_t i = 0; i < g->condition_count; i++) keep_condition(c, g->conditions[i]);
  for (size_t i = 0; i < g->count; i++) {
    const hip_node *n = g->nodes[i];
    hip_node *m = add_node(c, NULL, 0, &n->job);
    m->from = (hip_node *)n;
    m->disabled = n->disabled;
  }
  for (size_t i = 0; i < g->count; i++) {
    hip_node *m = c->nodes[i];
    free(m->before);
    m->before_count = g->nodes[i]->before_count;
    m->before = copied(g->nodes[i]->before, m->before_count * sizeof *m->before);
    for (size_t k = 0; k < m->before_count; k++) m->before[k] = copy_in_graph(c, m->before[k]);
  }
  return c;
}

int hipGraphCreate(hip_graph **out, unsigned flags) {
  if (!out || flags) return hip_done(hipErrorInvalidValue);
  *out = new_graph();
  return hipSuccess;
}

int hipGraphClone(hip_graph **out, const hip_graph *g) {
  if (!out || !g) return hip_done(hipErrorInvalidValue);
  *out = clone_graph(g);
  return hipSuccess;
}

// Objects of the program's own that graphs keep.

struct hip_object {
  void *data;
  void (*destroy)(void *);
  unsigned references;
};

int hipUserObjectCreate(hip_object **out, void *data, void (*destroy)(void *), unsigned references,
                        unsigned flags) {
  (void)flags;
  if (!out || !destroy || !references) return hip_done(hipErrorInvalidValue);
  hip_object o = {data, destroy, references};
  *out = copied(&o, sizeof o);
  return hipSuccess;
}

int hipUserObjectRetain(hip_object *o, unsigned n) {
  if (!o || !n) return hip_done(hipErrorInvalidValue);
  o->references += n;
  return hipSuccess;
}

int hipUserObjectRelease(hip_object *o, unsigned n) {
  if (!o || !n || n > o->references) return hip_done(hipErrorInvalidValue);
  if (o->references -= n) return hipSuccess;
  o->destroy(o->data);
  free(o);
  return hipSuccess;
}

int hipGraphRetainUserObject(hip_graph *g, hip_object *o, unsigned n, unsigned flags) {
  enum { MOVE = 1 };
  if (!g || !o || !n) return hip_done(hipErrorInvalidValue);
  if (!(flags & MOVE)) o->references += n;
  for (; n > 0; n--) {
    g->objects = grown(g->objects, g->object_count);
    g->objects[g->object_count++] = o;
  }
  return hipSuccess;
}

int hipGraphReleaseUserObject(hip_graph *g, hip_object *o, unsigned n) {
  if (!g || !o || !n) return hip_done(hipErrorInvalidValue);
  for (size_t i = 0; i < g->object_count && n > 0;) {
    if (g->objects[i] != o) {
      i++;
      continue;
    }
    g->objects[i] = g->objects[--g->object_count];
    hipUserObjectRelease(o, 1);
    n--;
  }
  return n ? hip_done(hipErrorInvalidValue) : hipSuccess;
}

static void drop_graph(hip_graph *g) {
  for (size_t i = 0; i < g->count; i++) drop_node(g->nodes[i]);
  for (size_t i = 0; i < g->object_count; i++) hipUserObjectRelease(g->objects[i], 1);
  for (size_t i = 0; i < g->condition_count; i++) drop_condition(g->conditions[i]);
  free(g->conditions);
  free(g->objects);
  free(g->nodes);
  free(g);
}

int hipGraphDestroy(hip_graph *g) {
  if (!g) return hip_done(hipErrorInvalidValue);
  drop_graph(g);
  return hipSuccess;
}

// Capture.

typedef struct hip_recording {
  uint64_t id;
  hip_graph *graph;
  hipStream_t origin;
  int given; // the graph is the program's
  int broken;
  struct hip_recording *next;
} hip_recording;

static hip_recording *recordings; // that have not ended
static pthread_mutex_t recordings_mutex = PTHREAD_MUTEX_INITIALIZER;

// recording_of is the capture that a stream or an event is part of, or NULL.
static hip_recording *recording_of(const hip_tail *t) {
  if (!t->capture) return NULL;
  pthread_mutex_lock(&recordings_mutex);
  hip_recording *r = recordings;
  while (r && r->id != t->capture) r = r->next;
  pthread_mutex_unlock(&recordings_mutex);
  return r;
}

static hipStream_t locked_stream(hipStream_t s) {
  dev_lock();
  s = hip_stream(s);
  dev_unlock();
  return s;
}

static hip_recording *recording(hipStream_t s) {
  if ((uintptr_t)s <= 1) return NULL;
  if ((uintptr_t)s == 2) s = mine;
  return s ? recording_of(&s->tail) : NULL;
}

int hip_capturing(hipStream_t s) { return recording(s) != NULL; }

// set_tail makes a stream or an event stand behind nodes of a capture.
static void set_tail(hip_tail *t, uint64_t capture, hip_node *const *nodes, size_t count) {
  hip_node **copy = copied(nodes, count * sizeof *nodes);
  free(t->nodes);
  *t = (hip_tail){capture, copy, count};
}

// hip_capture makes a job a node of the graph that a stream captures.
int hip_capture(hipStream_t s, const hip_job *job) {
  s = hip_stream(s);
  hip_recording *r = recording(s);
  hip_node *n = add_node(r->graph, s->tail.nodes, s->tail.count, job);
  set_tail(&s->tail, r->id, &n, 1);
  return hipSuccess;
}

// hip_capture_record makes an event stand where its stream does; hip_capture_wait makes a stream
// that waits for such an event part of the capture.
static int hip_capture_record(hipEvent_t e, hipStream_t s) {
  s = hip_stream(s);
  set_tail(&e->tail, s->tail.capture, s->tail.nodes, s->tail.count);
  return hipSuccess;
}

static int hip_capture_wait(hipStream_t s, hipEvent_t e) {
  if ((uintptr_t)s <= 1) return hip_done(hipErrorStreamCaptureUnsupported);
  s = locked_stream(s);
  size_t n = hip_capturing(s) ? s->tail.count : 0;
  hip_node **all = copied(e->tail.nodes, (e->tail.count + n) * sizeof *all + 1);
  memcpy(all, e->tail.nodes, e->tail.count * sizeof *all);
  if (n) memcpy(all + e->tail.count, s->tail.nodes, n * sizeof *all);
  set_tail(&s->tail, e->tail.capture, all, e->tail.count + n);
  free(all);
  return hipSuccess;
}

// hip_capture_break: a call that waits makes the capture invalid.
static int hip_capture_break(hipStream_t s) {
  recording(s)->broken = 1;
  return hip_done(hipErrorStreamCaptureUnsupported);
}

static int begin_capture(hipStream_t s, hip_graph *g) {
  if ((uintptr_t)s <= 1) return hip_done(hipErrorStreamCaptureUnsupported);
  s = locked_stream(s);
  if (hip_capturing(s)) return hip_done(hipErrorIllegalState);
  hip_recording *r = calloc(1, sizeof *r);
  if (!r) abort();
  r->id = new_id();
  r->graph = g ? g : new_graph();
  r->given = g != NULL;
  r->origin = s;
  set_tail(&s->tail, r->id, NULL, 0);
  pthread_mutex_lock(&recordings_mutex);
  r->next = recordings;
  recordings = r;
  pthread_mutex_unlock(&recordings_mutex);
  return hipSuccess;
}

int hipStreamBeginCapture(hipStream_t s, int mode) {
  (void)mode;
  return begin_capture(s, NULL);
}

int hipStreamBeginCaptureToGraph(hipStream_t s, hip_graph *g, hip_node *const *before, const void *data,
                                 size_t n, int mode) {
  (void)data, (void)mode;
  if (!g) return hip_done(hipErrorInvalidValue);
  int error = begin_capture(s, g);
  if (!error) set_tail(&s->tail, s->tail.capture, before, n);
  return error;
}

int hipStreamEndCapture(hipStream_t s, hip_graph **out) {
  hip_recording *r = recording(s);
  if (!out && !(r && r->given)) return hip_done(hipErrorInvalidValue);
  if (out) *out = NULL;
  if (!r) return hip_done(hipErrorIllegalState);
  if (r->origin != s) return hip_done(hipErrorStreamCaptureUnmatched);
  pthread_mutex_lock(&recordings_mutex);
  hip_recording **at = &recordings;
  while (*at != r) at = &(*at)->next;
  *at = r->next;
  pthread_mutex_unlock(&recordings_mutex);
  int broken = r->broken;
  enum { hipErrorStreamCaptureInvalidated = 901 };
  if (broken && !r->given)
    drop_graph(r->graph);
  else if (!broken && out)
    *out = r->graph;
  free(r);
  return broken ? hip_done(hipErrorStreamCaptureInvalidated) : hipSuccess;
}

int hipStreamGetCaptureInfo_v2(hipStream_t s, int *status, unsigned long long *id, hip_graph **g,
                               hip_node *const **nodes, size_t *count) {
  if (!status) return hip_done(hipErrorInvalidValue);
  if ((uintptr_t)s <= 1 && recordings) return hip_done(hipErrorStreamCaptureImplicit);
  hip_recording *r = recording(s);
  *status = !r ? 0 : r->broken ? 2 : 1;
  if (!r) return hipSuccess;
  if (id) *id = r->id;
  if (g) *g = r->graph;
  if (nodes) *nodes = s->tail.nodes;
  if (count) *count = s->tail.count;
  return hipSuccess;
}

int hipStreamGetCaptureInfo(hipStream_t s, int *status, unsigned long long *id) {
  return hipStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
}

int hipStreamIsCapturing(hipStream_t s, int *status) {
  return hipStreamGetCaptureInfo_v2(s, status, NULL, NULL, NULL, NULL);
}

int hipStreamUpdateCaptureDependencies(hipStream_t s, hip_node **nodes, size_t n, unsigned set) {
  if (!hip_capturing(s)) return hip_done(hipErrorIllegalState);
  if (n && !nodes) return hip_done(hipErrorInvalidValue);
  size_t old = set ? 0 : s->tail.count;
  hip_node **all = malloc((old + n) * sizeof *all + 1);
  if (!all) abort();
  if (old) memcpy(all, s->tail.nodes, old * sizeof *all);
  if (n) memcpy(all + old, nodes, n * sizeof *all);
  set_tail(&s->tail, s->tail.capture, all, old + n);
  free(all);
  return hipSuccess;
}

int hipThreadExchangeStreamCaptureMode(int *mode) {
  static _Thread_local int current;
  if (!mode) return hip_done(hipErrorInvalidValue);
  int old = current;
  current = *mode;
  *mode = old;
  return hipSuccess;
}
