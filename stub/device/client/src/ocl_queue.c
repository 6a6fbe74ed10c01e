// Command queues, and the commands that move memory.
#include "ocl.h"

static uint64_t ocl_streams;

static cl_command_queue create_queue(cl_context c, cl_device_id d, cl_bitfield flags,
                                     const cl_ulong *properties, cl_int *error) {
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (!IS(d, DEVICE)) return ocl_fail(error, CL_INVALID_DEVICE);
  enum { CL_QUEUE_ON_DEVICE = 1 << 2, CL_QUEUE_ON_DEVICE_DEFAULT = 1 << 3 };
  const cl_bitfield host = CL_QUEUE_OUT_OF_ORDER | CL_QUEUE_PROFILING;
  const cl_bitfield on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  if (flags & ~(host | on_device)) return ocl_fail(error, CL_INVALID_VALUE);
  if (flags & on_device) return ocl_fail(error, CL_INVALID_QUEUE_PROPERTIES);
  cl_command_queue q = ocl_new(QUEUE, sizeof *q);
  q->context = c;
  c->o.refs++;
  q->flags = flags;
  if (properties) {
    while (properties[q->property_count]) q->property_count += 2;
    q->property_count++;
    q->properties = calloc(q->property_count, sizeof *properties);
    memcpy(q->properties, properties, q->property_count * sizeof *properties);
  }
  q->stream = ++ocl_streams;
  if (flags & CL_QUEUE_OUT_OF_ORDER) dev_order(ORDER_LOOSE, q->stream, 0, 0);
  q->last = &q->first;
  q->next = ocl_queues;
  ocl_queues = q;
  if (error) *error = CL_SUCCESS;
  return q;
}

cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_bitfield flags, cl_int *error) {
  HELD;
  return create_queue(c, d, flags, NULL, error);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d, const cl_ulong *properties,
                                                    cl_int *error) {
  HELD;
  enum { QUEUE_PROPERTIES = 0x1093, QUEUE_SIZE };
  cl_bitfield flags = 0;
  for (const cl_ulong *p = properties; p && *p; p += 2) {
    if (*p == QUEUE_SIZE) return ocl_fail(error, CL_INVALID_QUEUE_PROPERTIES); // of queues on the device
    if (*p != QUEUE_PROPERTIES) return ocl_fail(error, CL_INVALID_VALUE);
    flags = p[1];
  }
  return create_queue(c, d, flags, properties, error);
}

cl_int clRetainCommandQueue(cl_command_queue q) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  ocl_retained(q);
  return CL_SUCCESS;
}

static void ocl_release_queue(cl_command_queue q) {
  if (--q->o.refs) return;
  for (cl_command_queue *at = &ocl_queues; *at; at = &(*at)->next)
    if (*at == q) {
      *at = q->next;
      break;
    }
  ocl_release_context(q->context);
  free(q->properties);
  ocl_free(q);
}

cl_int clReleaseCommandQueue(cl_command_queue q) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (ocl_released(q)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (q->o.refs == 1) ocl_settle(); // what kernels print comes before the queue goes
  ocl_release_queue(q);
  return CL_SUCCESS;
}

cl_int clGetCommandQueueInfo(cl_command_queue q, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(q, QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  switch (what) {
  case 0x1090: ANSWER(cl_context, q->context);
  case 0x1091: ANSWER(cl_device_id, &ocl_device);
  case 0x1092: ANSWER(cl_uint, q->o.refs);
  case 0x1093: ANSWER(cl_bitfield, q->flags);
  case 0x1094: return CL_INVALID_COMMAND_QUEUE;  // SIZE, of queues on the device
  case 0x1095: ANSWER(cl_command_queue, NULL); // DEVICE_DEFAULT
  case 0x1098: return ocl_info(q->properties, q->property_count * sizeof *q->properties, room, to, needed);
  }
  return CL_INVALID_VALUE;
}

cl_int clSetCommandQueueProperty(cl_command_queue q, cl_bitfield flags, cl_bool on, cl_bitfield *old) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (old) *old = q->flags;
  q->flags = on ? q->flags | flags : q->flags & ~flags;
  return CL_SUCCESS;
}

cl_int clSetDefaultDeviceCommandQueue(cl_context c, cl_device_id d, cl_command_queue q) {
  return ocl_answer(CL_INVALID_OPERATION); // there are no queues on the device
}

cl_int clFlush(cl_command_queue q) {
  return ocl_answer(IS(q, QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE);
}

cl_int clFinish(cl_command_queue q) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  while (q->first) pthread_cond_wait(&ocl_changed, &dev_mutex);
  dev_order(HOST_STREAM, q->stream, 0, dev_so_far);
  if (q->flags & CL_QUEUE_OUT_OF_ORDER) dev_order(HOST_STREAM, MARKS(q), 0, dev_so_far);
  return ocl_answer(ocl_settle());
}

// Commands that move memory do so here.

// touch says that a command accesses memory that this library reaches, in rows.
static void touch(command *c, int writes, const void *at, dev_rows r) {
  if (!dev.ordered) return;
  uintptr_t a = (uintptr_t)at;
  if (a - (uintptr_t)dev.heap < dev.size) a = a - (uintptr_t)dev.heap + dev.base;
  ocl_before(c);
  uint64_t ticket = dev_touch(c->queue->stream, writes, a, r, 1);
  if (ticket) c->ticket = ticket;
}

static dev_rows one_row(size_t size) { return (dev_rows){size, 1, size, 1, size}; }

static cl_int run_read(command *c) {
  touch(c, 0, dev_host(c->from), one_row(c->size));
  memcpy(c->host, dev_host(c->from), c->size);
  c->moved = c->host;
  return CL_SUCCESS;
}

static cl_int run_write(command *c) {
  touch(c, 1, dev_host(c->to), one_row(c->size));
  memcpy(dev_host(c->to), c->from_host, c->size);
  c->moved = c->from_host;
  return CL_SUCCESS;
}

static cl_int run_copy(command *c) {
  dev_begin();
  put_u64(c->queue->stream);
  put_u64(c->to);
  put_u64(c->from);
  put_u64(c->size);
  ocl_settled = 0;
  return ocl_handed(c, dev_request(OP_COPY));
}

static cl_int run_fill(command *c) {
  dev_begin();
  put_u64(c->queue->stream);
  put_u64(c->to);
  put_bytes(c->bytes, c->byte_count);
  put_u64(c->size / c->byte_count);
  ocl_settled = 0;
  return ocl_handed(c, dev_request(OP_FILL));
}

// inside reports whether a range is a buffer's.
static int inside(cl_mem m, size_t offset, size_t size) {
  int is = offset <= m->size && size <= m->size - offset;
  if (!is)
    dev_because(m->addr, m->size, "%zu bytes from byte %zu on of a buffer of %zu bytes", size, offset,
                m->size);
  return is;
}

#define QUEUE_AND(q, m)                                              \
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);    \
  if (!IS(m, BUFFER)) return ocl_answer(CL_INVALID_MEM_OBJECT);      \
  if ((q)->context != (m)->context) return ocl_answer(CL_INVALID_CONTEXT)
#define QUEUE_AND_IMAGE(q, m)                                        \
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);    \
  if (!IS(m, IMAGE)) return ocl_answer(CL_INVALID_MEM_OBJECT);       \
  if ((q)->context != (m)->context) return ocl_answer(CL_INVALID_CONTEXT)

cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size,
                           void *host, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, m);
  if (!host || !size || !inside(m, offset, size)) return ocl_answer(CL_INVALID_VALUE);
  if (host_may(m, CL_MEM_HOST_READ_ONLY)) return ocl_answer(CL_INVALID_OPERATION);
  command *c = ocl_command(q, run_read);
  c->memory = m;
  c->host = ocl_reach(host);
  c->from = m->addr + offset;
  c->size = size;
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_READ_BUFFER, blocking, n, waits, event));
}

cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size,
                            const void *host, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, m);
  if (!host || !size || !inside(m, offset, size)) return ocl_answer(CL_INVALID_VALUE);
  if (host_may(m, CL_MEM_HOST_WRITE_ONLY)) return ocl_answer(CL_INVALID_OPERATION);
  command *c = ocl_command(q, run_write);
  c->memory = m;
  c->from_host = ocl_reach(host);
  c->to = m->addr + offset;
  c->size = size;
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_WRITE_BUFFER, blocking, n, waits, event));
}

cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                           size_t size, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, from);
  QUEUE_AND(q, to);
  if (!size || !inside(from, from_offset, size) || !inside(to, to_offset, size))
    return ocl_answer(CL_INVALID_VALUE);
  uint64_t a = from->addr + from_offset, b = to->addr + to_offset;
  if (a < b + size && b < a + size) return ocl_answer(CL_MEM_COPY_OVERLAP);
  command *c = device_command(q, run_copy);
  c->memory = from;
  c->other = to;
  c->from = a;
  c->to = b;
  c->size = size;
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_COPY_BUFFER, 0, n, waits, event));
}

// fill makes the command that fills memory with a pattern.
static command *fill(cl_command_queue q, uint64_t to, const void *pattern, size_t pattern_size,
                     size_t size) {
  command *c = device_command(q, run_fill);
  c->to = to;
  c->size = size;
  c->bytes = malloc(pattern_size);
  c->byte_count = pattern_size;
  memcpy(c->bytes, pattern, pattern_size);
  return c;
}

// is_pattern reports whether a pattern of so many bytes can fill a place.
static int is_pattern(const void *pattern, size_t pattern_size, uint64_t offset, size_t size) {
  return pattern && pattern_size && pattern_size <= 128 && !(pattern_size & (pattern_size - 1)) &&
         offset % pattern_size == 0 && size % pattern_size == 0;
}

cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_size,
                           size_t offset, size_t size, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, m);
  if (!is_pattern(pattern, pattern_size, offset, size) || !inside(m, offset, size))
    return ocl_answer(CL_INVALID_VALUE);
  command *c = fill(q, m->addr + offset, pattern, pattern_size, size);
  c->memory = m;
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_FILL_BUFFER, 0, n, waits, event));
}

// Boxes: rows of bytes at a pitch, and slices of rows at another.

static size_t box_at(const size_t origin[3], const size_t pitch[2], size_t y, size_t z) {
  return origin[0] + (origin[1] + y) * pitch[0] + (origin[2] + z) * pitch[1];
}

static cl_int run_rect(command *c) {
  char *to = c->host;
  const char *from = c->from_host;
  touch(c, 0, from + box_at(c->origin, c->pitch, 0, 0),
        (dev_rows){c->region[0], c->region[1], c->pitch[0], c->region[2], c->pitch[1]});
  touch(c, 1, to + box_at(c->other_origin, c->other_pitch, 0, 0),
        (dev_rows){c->region[0], c->region[1], c->other_pitch[0], c->region[2], c->other_pitch[1]});
  for (size_t z = 0; z < c->region[2]; z++)
    for (size_t y = 0; y < c->region[1]; y++)
      memmove(to + box_at(c->other_origin, c->other_pitch, y, z), from + box_at(c->origin, c->pitch, y, z),
              c->region[0]);
  return CL_SUCCESS;
}

// set_box fills in a box with its pitches, and reports whether they make sense; size is what holds it, or 0.
static int set_box(size_t origin[3], size_t pitch[2], const size_t *from, const size_t *region, size_t row,
                   size_t slice, size_t size) {
  memcpy(origin, from, 3 * sizeof *origin);
  pitch[0] = row ? row : region[0];
  pitch[1] = slice ? slice : pitch[0] * region[1];
  if (pitch[0] < region[0] || pitch[1] < pitch[0] * region[1] || pitch[1] % pitch[0]) return 0;
  return !size || box_at(origin, pitch, region[1] - 1, region[2] - 1) + region[0] <= size;
}

// rect makes the command that moves a box; the buffers may be NULL.
static cl_int rect(cl_command_queue q, cl_uint type, cl_bool blocking, cl_mem from_buffer, const void *from,
                   cl_mem to_buffer, void *to, const size_t *from_origin, const size_t *to_origin,
                   const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
                   cl_uint n, const cl_event *waits, cl_event *event) {
  if (!from || !to || !from_origin || !to_origin || !region || !region[0] || !region[1] || !region[2])
    return CL_INVALID_VALUE;
  command *c = ocl_command(q, run_rect);
  memcpy(c->region, region, sizeof c->region);
  if (!set_box(c->origin, c->pitch, from_origin, region, from_row, from_slice,
               from_buffer ? from_buffer->size : 0) ||
      !set_box(c->other_origin, c->other_pitch, to_origin, region, to_row, to_slice,
               to_buffer ? to_buffer->size : 0)) {
    free(c);
    return CL_INVALID_VALUE;
  }
  c->memory = from_buffer;
  c->other = to_buffer;
  c->from_host = from;
  c->host = to;
  return ocl_enqueue(c, type, blocking, n, waits, event);
}

cl_int clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                               const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                               size_t host_row, size_t host_slice, void *host, cl_uint n,
                               const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, m);
  if (host_may(m, CL_MEM_HOST_READ_ONLY)) return ocl_answer(CL_INVALID_OPERATION);
  return ocl_answer(rect(q, CL_COMMAND_READ_BUFFER_RECT, blocking, m, dev_host(m->addr), NULL,
                         ocl_reach(host), origin, host_origin, region, row, slice, host_row, host_slice, n,
                         waits, event));
}

cl_int clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                size_t host_row, size_t host_slice, const void *host, cl_uint n,
                                const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, m);
  if (host_may(m, CL_MEM_HOST_WRITE_ONLY)) return ocl_answer(CL_INVALID_OPERATION);
  return ocl_answer(rect(q, CL_COMMAND_WRITE_BUFFER_RECT, blocking, NULL, ocl_reach(host), m,
                         dev_host(m->addr), host_origin, origin, region, host_row, host_slice, row, slice, n,
                         waits, event));
}

cl_int clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
                               const size_t *to_origin, const size_t *region, size_t from_row,
                               size_t from_slice, size_t to_row, size_t to_slice, cl_uint n,
                               const cl_event *waits, cl_event *event) {
  HELD;
  QUEUE_AND(q, from);
  QUEUE_AND(q, to);
  return ocl_answer(rect(q, CL_COMMAND_COPY_BUFFER_RECT, 0, from, dev_host(from->addr), to,
                         dev_host(to->addr), from_origin, to_origin, region, from_row, from_slice, to_row,
                         to_slice, n, waits, event));
}

// Commands that only wait.

static cl_int only_wait(cl_command_queue q, cl_uint type, cl_uint n, const cl_event *waits,
                        cl_event *event) {
  if (!IS(q, QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  return ocl_enqueue(ocl_command(q, NULL), type, 0, n, waits, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  return ocl_answer(only_wait(q, CL_COMMAND_MARKER, n, waits, event));
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  return ocl_answer(only_wait(q, CL_COMMAND_BARRIER, n, waits, event));
}

cl_int clEnqueueMarker(cl_command_queue q, cl_event *event) {
  HELD;
  return ocl_answer(only_wait(q, CL_COMMAND_MARKER, 0, NULL, event));
}

cl_int clEnqueueBarrier(cl_command_queue q) {
  HELD;
  return ocl_answer(only_wait(q, CL_COMMAND_BARRIER, 0, NULL, NULL));
}

cl_int clEnqueueWaitForEvents(cl_command_queue q, cl_uint n, const cl_event *waits) {
  HELD;
  return ocl_answer(only_wait(q, CL_COMMAND_BARRIER, n, waits, NULL));
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint count, const cl_mem *list, cl_bitfield flags,
                                  cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  enum { TO_HOST = 1, UNDEFINED = 2 };
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (!count || !list || flags & ~(cl_bitfield)(TO_HOST | UNDEFINED)) return ocl_answer(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < count; i++) {
    if (!IS_MEMORY(list[i])) return ocl_answer(CL_INVALID_MEM_OBJECT);
    if (list[i]->context != q->context) return ocl_answer(CL_INVALID_CONTEXT);
  }
  return ocl_answer(only_wait(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, n, waits, event));
}

// Shared virtual memory: the same bytes on both sides, which only have to be waited for.

static cl_int run_nothing(command *c) { return CL_SUCCESS; }

static cl_int run_move(command *c) {
  touch(c, 0, c->from_host, one_row(c->size));
  touch(c, 1, c->host, one_row(c->size));
  memcpy(c->host, c->from_host, c->size);
  return CL_SUCCESS;
}

cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool blocking, void *to, const void *from, size_t size,
                          cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (!to || !from) return ocl_answer(CL_INVALID_VALUE);
  if ((char *)to < (char *)from + size && (char *)from < (char *)to + size)
    return ocl_answer(CL_MEM_COPY_OVERLAP);
  command *c = ocl_command(q, run_move);
  c->host = ocl_reach(to);
  c->from_host = ocl_reach(from);
  c->size = size;
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_SVM_MEMCPY, blocking, n, waits, event));
}

cl_int clEnqueueSVMMemFill(cl_command_queue q, void *to, const void *pattern, size_t pattern_size,
                           size_t size, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (!to || !is_pattern(pattern, pattern_size, (uintptr_t)to, size)) return ocl_answer(CL_INVALID_VALUE);
  command *c = fill(q, (uintptr_t)to, pattern, pattern_size, size);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_SVM_MEMFILL, 0, n, waits, event));
}

static cl_int shared(cl_command_queue q, cl_uint type, cl_bool blocking, const void *p, cl_uint n,
                     const cl_event *waits, cl_event *event) {
  if (!IS(q, QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!p) return CL_INVALID_VALUE;
  return ocl_enqueue(ocl_command(q, run_nothing), type, blocking, n, waits, event);
}

cl_int clEnqueueSVMMap(cl_command_queue q, cl_bool blocking, cl_bitfield flags, void *p, size_t size,
                       cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  return ocl_answer(shared(q, CL_COMMAND_SVM_MAP, blocking, p, n, waits, event));
}

cl_int clEnqueueSVMUnmap(cl_command_queue q, void *p, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  return ocl_answer(shared(q, CL_COMMAND_SVM_UNMAP, 0, p, n, waits, event));
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue q, cl_uint count, const void **list, const size_t *sizes,
                              cl_bitfield flags, cl_uint n, const cl_event *waits, cl_event *event) {
  HELD;
  for (cl_uint i = 0; list && i < count; i++)
    if (!dev_find((uintptr_t)list[i])) return ocl_answer(CL_INVALID_VALUE);
  return ocl_answer(shared(q, CL_COMMAND_SVM_MIGRATE_MEM, 0, count ? list : NULL, n, waits, event));
}

// run_free_shared frees, or has the program do it.
static cl_int run_free_shared(command *c) {
  void **list = (void **)c->bytes;
  size_t n = c->byte_count / sizeof *list;
  if (!c->free_shared)
    for (size_t i = 0; i < n; i++) ocl_free_shared(list[i]);
  else {
    dev_unlock();
    c->free_shared(c->queue, (cl_uint)n, list, c->host);
    dev_lock();
  }
  return CL_SUCCESS;
}

cl_int clEnqueueSVMFree(cl_command_queue q, cl_uint count, void **list,
                        void (*call)(cl_command_queue, cl_uint, void **, void *), void *data, cl_uint n,
                        const cl_event *waits, cl_event *event) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (!count != !list) return ocl_answer(CL_INVALID_VALUE);
  command *c = ocl_command(q, run_free_shared);
  c->free_shared = call;
  c->host = data;
  c->byte_count = count * sizeof *list;
  c->bytes = malloc(c->byte_count + 1);
  if (!c->bytes) abort();
  if (count) memcpy(c->bytes, list, c->byte_count);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_SVM_FREE, 0, n, waits, event));
}
