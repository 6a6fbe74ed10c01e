// Memory of graphs, a part of the HIP runtime API. It is there as long as graphs refer to it, or the program
// has it: a graph that is launched gives it to the program, until a node or the program frees it.
#include "hip.h"

typedef struct hip_graph_memory {
  uint64_t at, size;
  int taken, references;
} hip_graph_memory;

static struct {
  uint64_t used, used_high, reserved, reserved_high;
} graph_memory; // bytes that the program has and had at most, by the numbers of cudaGraphMemAttributeType

static hip_graph_memory *memory_at(uint64_t at) {
  dev_range *r = hip_connect() ? NULL : dev_find(at);
  return r && r->kind == RANGE_GRAPH && r->base == at ? r->own : NULL;
}

// graph_takes makes memory for a graph.
static int graph_takes(void **out, size_t size) {
  int error = size ? allocate(out, size, RANGE_GRAPH) : hip_done(hipErrorInvalidValue);
  if (error) return error;
  hip_graph_memory *m = calloc(1, sizeof *m);
  if (!m) abort();
  dev_lock();
  dev_range *r = dev_find((uintptr_t)*out);
  *m = (hip_graph_memory){.at = r->base, .size = r->size};
  r->own = m;
  dev_unlock();
  return hipSuccess;
}

static void free_unused(hip_graph_memory *m) {
  if (m->taken || m->references) return;
  dev_free(m->at);
  free(m);
}

static void hold_memory(void *p) {
  dev_lock();
  hip_graph_memory *m = memory_at((uintptr_t)p);
  if (m) m->references++;
  dev_unlock();
}

static void drop_memory(void *p) {
  dev_lock();
  hip_graph_memory *m = memory_at((uintptr_t)p);
  if (m && m->references-- == 1) free_unused(m);
  dev_unlock();
}

static int has_memory(void *p) {
  dev_lock();
  hip_graph_memory *m = memory_at((uintptr_t)p);
  int has = m && m->taken;
  dev_unlock();
  return has;
}

// run_alloc gives the program memory of a graph that is launched.
static int run_alloc(const hip_job *j, hipStream_t s) {
  void *p = j->data;
  (void)s;
  dev_lock();
  hip_graph_memory *m = memory_at((uintptr_t)p);
  int error = m && !m->taken ? hipSuccess : hipErrorInvalidValue;
  if (!error) {
    m->taken = 1;
    graph_memory.used += m->size;
    if (graph_memory.used > graph_memory.used_high) graph_memory.used_high = graph_memory.used;
    if (graph_memory.used > graph_memory.reserved) graph_memory.reserved = graph_memory.used;
    if (graph_memory.reserved > graph_memory.reserved_high)
      graph_memory.reserved_high = graph_memory.reserved;
  } else dev_because((uintptr_t)p, 0, "a graph is launched again before its memory was freed");
  dev_unlock();
  return error;
}

static void keep_alloc(hip_job *j) { hold_memory(j->data); }
static void drop_alloc(hip_job *j) { drop_memory(j->data); }
HIP_WORK(JOB_ALLOC, .run = run_alloc, .keep = keep_alloc, .drop = drop_alloc)

// graph_gives_memory takes memory of a graph from the program. It wants dev_lock.
static int graph_gives_memory(uint64_t at) {
  hip_graph_memory *m = memory_at(at);
  if (!m || !m->taken) {
    dev_because(at, 0, "no graph that was launched has allocated it since it was freed");
    return hipErrorInvalidValue;
  }
  m->taken = 0;
  graph_memory.used -= m->size;
  free_unused(m);
  return hipSuccess;
}

__attribute__((constructor)) static void know_graphs(void) { graph_gives = graph_gives_memory; }

int hipDeviceGraphMemTrim(int device) {
  if (device) return hip_done(hipErrorInvalidDevice);
  graph_memory.reserved = graph_memory.used;
  return hipSuccess;
}

int hipDeviceGetGraphMemAttribute(int device, int attribute, void *out) {
  const uint64_t all[] = {graph_memory.used, graph_memory.used_high, graph_memory.reserved,
                          graph_memory.reserved_high};
  if (device) return hip_done(hipErrorInvalidDevice);
  if (!out || attribute < 0 || attribute >= (int)(sizeof all / sizeof *all))
    return hip_done(hipErrorInvalidValue);
  memcpy(out, &all[attribute], sizeof all[attribute]);
  return hipSuccess;
}

// hipDeviceSetGraphMemAttribute sets a high-water mark, to 0: that is, to what it is now.
int hipDeviceSetGraphMemAttribute(int device, int attribute, void *value) {
  enum { USED_HIGH = 1, RESERVED_HIGH = 3 };
  uint64_t v = 1;
  if (device) return hip_done(hipErrorInvalidDevice);
  if (value) memcpy(&v, value, sizeof v);
  if (v || (attribute != USED_HIGH && attribute != RESERVED_HIGH)) return hip_done(hipErrorInvalidValue);
  if (attribute == USED_HIGH) graph_memory.used_high = graph_memory.used;
  else graph_memory.reserved_high = graph_memory.reserved;
  return hipSuccess;
}
