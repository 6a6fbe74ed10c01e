// Maps: where a program itself reaches a buffer or an image. That is where the library has the device's
// memory; if the program has given memory of its own (CL_MEM_USE_HOST_PTR) it is there, and what is mapped
// is copied.
#include "ocl.h"

// run_map says that the program accesses what it maps, or has accessed it: by itself, until it unmaps it.
static cl_int run_map(command *c) {
  touch(c, (int)c->size, (const char *)c->from_host + box_at(c->origin, c->pitch, 0, 0),
        (dev_rows){c->region[0], c->region[1], c->pitch[0], c->region[2], c->pitch[1]});
  return CL_SUCCESS;
}

// map_command makes the command that copies a box between the device and the program's own memory, or only
// waits if they are the same.
static command *map_command(cl_command_queue q, cl_mem m, const mapping *p, int to_host, int copies) {
  if (!m->host || ocl_reach(m->host) == dev_host(m->addr)) copies = 0;
  command *c = ocl_command(q, copies ? run_rect : run_nothing);
  c->memory = m;
  memcpy(c->origin, p->origin, sizeof c->origin);
  memcpy(c->other_origin, p->origin, sizeof c->other_origin);
  memcpy(c->region, p->region, sizeof c->region);
  c->from_host = to_host ? dev_host(m->addr) : m->host;
  c->host = to_host ? m->host : dev_host(m->addr);
  if (m->image) {
    memcpy(c->pitch, to_host ? m->image->pitch : m->image->host_pitch, sizeof c->pitch);
    memcpy(c->other_pitch, to_host ? m->image->host_pitch : m->image->pitch, sizeof c->other_pitch);
  }
  if (!copies && (to_host || p->writes)) {
    c->run = run_map;
    c->from_host = dev_host(m->addr);
    if (m->image) memcpy(c->pitch, m->image->pitch, sizeof c->pitch);
    c->size = (uint64_t)p->writes;
  }
  return c;
}

// open_mapping opens a mapping to the program, or closes it, where somebody wants to know what the program
// accesses: else all that it maps is open to it.
static void open_mapping(cl_mem m, int open) {
  if (!dev.checked || m->host || m->is_shared) return;
  cl_mem all = m->parent ? m->parent : m;
  if (open ? !all->open++ : !--all->open) dev_open(all->addr, all->size, open);
}

// mapped_at is where the program finds a memory object.
static char *mapped_at(cl_mem m) {
  if (m->host) return m->host;
  return dev.checked ? (char *)(uintptr_t)m->addr : dev_host(m->addr);
}

// map maps a box, which is in the memory and is owned here.
static void *map(cl_command_queue q, cl_mem m, mapping *p, cl_uint type, cl_bool blocking, cl_bitfield flags,
                 cl_uint n, const cl_event *waits, cl_event *event, cl_int *error) {
  enum { READ = 1, WRITE = 2, INVALIDATE = 4 };
  cl_int e =
      flags & ~(cl_bitfield)(READ | WRITE | INVALIDATE) || (flags & INVALIDATE && flags & (READ | WRITE))
          ? CL_INVALID_VALUE
          : CL_SUCCESS;
  if (!e && flags & READ) e = host_may(m, CL_MEM_HOST_READ_ONLY);
  if (!e && flags & (WRITE | INVALIDATE)) e = host_may(m, CL_MEM_HOST_WRITE_ONLY);
  const size_t none[2] = {0}, *pitch = !m->image ? none : m->host ? m->image->host_pitch : m->image->pitch;
  p->at = mapped_at(m) + box_at(p->origin, pitch, 0, 0);
  p->writes = (flags & (WRITE | INVALIDATE)) != 0;
  if (!e) e = ocl_enqueue(map_command(q, m, p, 1, !(flags & INVALIDATE)), type, blocking, n, waits, event);
  if (e) {
    free(p);
    return ocl_fail(error, e);
  }
  p->next = m->maps;
  m->maps = p;
  open_mapping(m, 1);
  if (error) *error = CL_SUCCESS;
  return p->at;
}

static mapping *new_mapping(const size_t origin[3], const size_t region[3], size_t size) {
  mapping *p = calloc(1, sizeof *p);
  if (!p) abort();
  memcpy(p->origin, origin, sizeof p->origin);
  memcpy(p->region, region, sizeof p->region);
  p->origin[0] *= size;
  p->region[0] *= size;
  return p;
}

void *clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_bitfield flags, size_t offset,
                         size_t size, cl_uint n, const cl_event *waits, cl_event *event, cl_int *error) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_fail(error, CL_INVALID_COMMAND_QUEUE);
  if (!IS(m, BUFFER)) return ocl_fail(error, CL_INVALID_MEM_OBJECT);
  if (q->context != m->context) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (!size || !inside(m, offset, size)) return ocl_fail(error, CL_INVALID_VALUE);
  const size_t origin[3] = {offset}, region[3] = {size, 1, 1};
  return map(q, m, new_mapping(origin, region, 1), CL_COMMAND_MAP_BUFFER, blocking, flags, n, waits, event,
             error);
}

void *clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_bitfield flags,
                        const size_t *origin, const size_t *region, size_t *row, size_t *slice, cl_uint n,
                        const cl_event *waits, cl_event *event, cl_int *error) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_fail(error, CL_INVALID_COMMAND_QUEUE);
  if (!IS(m, IMAGE)) return ocl_fail(error, CL_INVALID_MEM_OBJECT);
  if (q->context != m->context) return ocl_fail(error, CL_INVALID_CONTEXT);
  struct image *i = m->image;
  int layered = i->extent[2] > 1 || i->object == IMAGE_1D_ARRAY || i->object == IMAGE_2D_ARRAY ||
                i->object == IMAGE_3D;
  if (!in_image(m, origin, region) || !row || (layered && !slice)) return ocl_fail(error, CL_INVALID_VALUE);
  void *at = map(q, m, new_mapping(origin, region, i->size), CL_COMMAND_MAP_IMAGE, blocking, flags, n, waits,
                 event, error);
  if (!at) return NULL;
  const size_t *pitch = m->host ? i->host_pitch : i->pitch;
  *row = pitch[0];
  if (slice) *slice = !layered ? 0 : i->object == IMAGE_1D_ARRAY ? pitch[0] : pitch[1];
  return at;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *at, cl_uint n, const cl_event *waits,
                               cl_event *event) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (!IS_MEMORY(m)) return ocl_answer(CL_INVALID_MEM_OBJECT);
  if (q->context != m->context) return ocl_answer(CL_INVALID_CONTEXT);
  mapping **place = &m->maps;
  while (*place && (*place)->at != at) place = &(*place)->next;
  mapping *p = *place;
  if (!p) {
    dev_because((uintptr_t)at, 0, "nothing of the memory object is mapped there");
    return ocl_answer(CL_INVALID_VALUE);
  }
  cl_int e =
      ocl_enqueue(map_command(q, m, p, 0, p->writes), CL_COMMAND_UNMAP_MEM_OBJECT, 0, n, waits, event);
  if (e) return ocl_answer(e);
  // The lock may have been given up for a while.
  for (place = &m->maps; *place && *place != p;) place = &(*place)->next;
  if (*place) {
    *place = p->next;
    free(p);
    open_mapping(m, 0);
  }
  return CL_SUCCESS;
}
