// Copies and fills of the HIP runtime API, and what is known of memory. The heap is shared,
// so the library copies by itself when the device has done what came before.
#include "hip.h"

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT, WITHOUT_KERNEL = 1024 };

// is_direction reports whether a number is a direction of copies.
static int is_direction(int kind) { return (kind >= 0 && kind <= DEFAULT) || kind == WITHOUT_KERNEL; }

// extent is how many bytes there are from the beginning of an allocation on. Mapped memory goes on into what
// is mapped behind it.
static uint64_t extent(const dev_range *r) {
  uint64_t size = r->size;
  const dev_range *end = dev.ranges + dev.range_count;
  for (const dev_range *n = r + 1; r->kind == RANGE_VIRTUAL && n < end && n->kind == RANGE_VIRTUAL &&
                                   n->base == r->base + size; n++)
    size += n->size;
  return size;
}

// reach checks size bytes at an address and gives where this library has them.
static int reach(const void *p, size_t size, int device, unsigned char **out) {
  dev_range *r = dev_find((uintptr_t)p);
  *out = dev_host((uintptr_t)p);
  if (r && r->kind == RANGE_REGISTERED) return hipSuccess; // the program has what is around it, too
  int ok = r ? size <= extent(r) - ((uintptr_t)p - r->base) : !device && !dev_in_heap((uintptr_t)p);
  if (!ok)
    dev_because((uintptr_t)p, size, "it accesses %zu bytes that are not all memory of the device's", size);
  else if (!r && !dev_has_host(p, size)) {
    dev_because((uintptr_t)p, size, "it accesses %zu bytes where the program has no memory", size);
    ok = 0;
  }
  return ok ? hipSuccess : hipErrorInvalidValue;
}

// misdirected tells of memory that is not where a copy is told that it is.
static void misdirected(const void *p, size_t size, int device, const char *which) {
  dev_range *r = dev_find((uintptr_t)p);
  if (device || !r || !on_device(r->kind) || opened(r->kind)) return;
  char text[128];
  snprintf(text, sizeof text, "is told that %s is the program's own memory, and it is the device's", which);
  dev_wrong(CHECK_API, NULL, text, (uintptr_t)p, size, NULL);
}

static unsigned char *row_of(const hip_pitched *p, size_t x, size_t y, size_t z) {
  return (unsigned char *)p->ptr + (z * p->ysize + y) * p->pitch + x;
}

// A span is rows of bytes in planes.
typedef struct {
  size_t width, height, depth;
} span;

// touch says that a copy or a fill accesses rows in a stream's place. It wants dev_lock.
static void touch(hipStream_t s, int writes, const void *at, size_t pitch, size_t plane, span n) {
  if (!dev.ordered) return;
  hip_order(s);
  dev_rows rows = {n.width, n.height, pitch, n.depth, plane};
  uint64_t ticket = dev_touch(s->id, writes, (uintptr_t)at, rows, 1);
  if (ticket) hip_submitted(s, ticket);
}

// copy copies rows. It waits first for what the stream has to do, so that it may be done at once.
static int copy(hipStream_t s, void *to, size_t to_pitch, size_t to_plane, const void *from,
                size_t from_pitch, size_t from_plane, span n, int kind) {
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (!n.width || !n.height || !n.depth) return hipSuccess;
  if (!to || !from) return hipErrorInvalidValue;
  if (n.height > 1 && (n.width > to_pitch || n.width > from_pitch)) return hipErrorInvalidPitchValue;
  size_t to_size = (n.depth - 1) * to_plane + (n.height - 1) * to_pitch + n.width;
  size_t from_size = (n.depth - 1) * from_plane + (n.height - 1) * from_pitch + n.width;
  unsigned char *d, *o;
  dev_lock();
  int error = hip_settle(hip_stream(s));
  if (!error) error = reach(to, to_size, kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE, &d);
  if (!error) error = reach(from, from_size, kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE, &o);
  if (!error && kind != DEFAULT && kind != WITHOUT_KERNEL) {
    misdirected(to, to_size, kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE, "what it copies to");
    misdirected(from, from_size, kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE, "what it copies from");
  }
  if (!error) {
    touch(hip_stream(s), 0, from, from_pitch, from_plane, n);
    touch(hip_stream(s), 1, to, to_pitch, to_plane, n);
  }
  dev_unlock();
  if (error) return error;
  for (size_t z = 0; z < n.depth; z++)
    for (size_t y = 0; y < n.height; y++)
      memmove(d + z * to_plane + y * to_pitch, o + z * from_plane + y * from_pitch, n.width);
  return hipSuccess;
}

// arrived is what a copy gives that the program waits for.
static int arrived(int error, hipStream_t s) {
  dev_lock();
  hip_waited(hip_stream(s));
  dev_unlock();
  return hip_done(error);
}

int hipMemcpy(void *to, const void *from, size_t size, int kind) {
  return arrived(copy(NULL, to, 0, 0, from, 0, 0, (span){size, 1, 1}, kind), NULL);
}

// rows describes a copy of rows of bytes.
static hip_copy3d rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height, int kind) {
  return (hip_copy3d){.from = {(void *)from, from_pitch, width, height},
                      .to = {to, to_pitch, width, height},
                      .size = {width, height, 1},
                      .kind = kind};
}

// known reports whether the device has what is at an address: other memory is the program's own, which it
// may use for something else as soon as a copy's function has returned.
static int known(const void *p) { return dev_in_heap((uintptr_t)p) || dev_find((uintptr_t)p); }

// keep_source makes what is copied the job's own.
static void keep_source(hip_job *job) {
  hip_copy3d *c = &job->copy;
  size_t w = c->size.width, h = c->size.height, d = c->size.depth, n = 0;
  unsigned char *rows = malloc(w * h * d + 1);
  if (!rows) abort();
  for (size_t z = 0; z < d; z++)
    for (size_t y = 0; y < h; y++, n += w)
      memcpy(rows + n, row_of(&c->from, c->from_at.x, c->from_at.y + y, c->from_at.z + z), w);
  job->arguments = rows;
  job->size = n;
  c->from = (hip_pitched){rows, w, w, h};
  memset(&c->from_at, 0, sizeof c->from_at);
}

// later puts a copy into its stream's queue. Like HIP's, it returns when the program's own memory is not
// needed any more. It wants dev_lock.
static int later(hipStream_t s, hip_job *job) {
  hip_copy3d *c = &job->copy;
  if (!is_direction(c->kind)) return hipErrorInvalidMemcpyDirection;
  if (!c->from.ptr || !c->to.ptr) return hipErrorInvalidValue;
  int read = !known(c->from.ptr), written = !known(c->to.ptr);
  if (read && !written) keep_source(job);
  hip_enqueue(s, job, NULL);
  free(job->arguments);
  if (written) {
    hip_settle(s);
    hip_waited(s);
  }
  return hipSuccess;
}

static int run_copy(const hip_copy3d *p, hipStream_t s) {
  span n = {p->size.width, p->size.height, p->size.depth};
  unsigned char *to = row_of(&p->to, p->to_at.x, p->to_at.y, p->to_at.z);
  unsigned char *from = row_of(&p->from, p->from_at.x, p->from_at.y, p->from_at.z);
  return copy(s, p->to.ptr ? to : NULL, p->to.pitch, p->to.pitch * p->to.ysize, p->from.ptr ? from : NULL,
              p->from.pitch, p->from.pitch * p->from.ysize, n, p->kind);
}

static int run_copy_job(const hip_job *j, hipStream_t s) { return run_copy(&j->copy, s); }

// keep_copy: what is copied is the job's own, if that is its arguments.
static void keep_copy(hip_job *j) {
  if (j->arguments) j->copy.from.ptr = j->arguments;
}

HIP_WORK(JOB_COPY, .run = run_copy_job, .keep = keep_copy)

// copy_in does a copy when its stream comes to it.
static int copy_in(hipStream_t s, hip_copy3d c) {
  hip_job job = {.kind = JOB_COPY, .copy = c};
  if (!hip_is_stream(s)) return hip_done(hipErrorContextIsDestroyed);
  if (hip_capturing(s)) return hip_capture(s, &job);
  dev_lock();
  int held = hip_held(hip_stream(s));
  int error = held ? later(hip_stream(s), &job) : hipSuccess;
  dev_unlock();
  if (held) return hip_done(error);
  error = run_copy(&c, s);
  // What goes to memory of the program's that is not pinned is there when the function returns.
  return known(c.to.ptr) ? hip_done(error) : arrived(error, s);
}

int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, hipStream_t s) {
  return copy_in(s, rows(to, size, from, size, size, 1, kind));
}

int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, hipStream_t s) {
  int error = hipMemcpyAsync(to, from, size, kind, s);
  return error || hip_capturing(s) ? error : hipStreamSynchronize(s);
}

int hipMemcpyHtoD(void *to, void *from, size_t size) { return hipMemcpy(to, from, size, HOST_TO_DEVICE); }
int hipMemcpyDtoH(void *to, void *from, size_t size) { return hipMemcpy(to, from, size, DEVICE_TO_HOST); }
int hipMemcpyDtoD(void *to, void *from, size_t size) { return hipMemcpy(to, from, size, DEVICE_TO_DEVICE); }

int hipMemcpyHtoDAsync(void *to, void *from, size_t size, hipStream_t s) {
  return hipMemcpyAsync(to, from, size, HOST_TO_DEVICE, s);
}

int hipMemcpyDtoHAsync(void *to, void *from, size_t size, hipStream_t s) {
  return hipMemcpyAsync(to, from, size, DEVICE_TO_HOST, s);
}

int hipMemcpyDtoDAsync(void *to, void *from, size_t size, hipStream_t s) {
  return hipMemcpyAsync(to, from, size, DEVICE_TO_DEVICE, s);
}

int hipMemcpyPeer(void *to, int a, const void *from, int b, size_t size) {
  if (a || b) return hip_done(hipErrorInvalidDevice);
  return hipMemcpy(to, from, size, DEVICE_TO_DEVICE);
}

int hipMemcpyPeerAsync(void *to, int a, const void *from, int b, size_t size, hipStream_t s) {
  if (a || b) return hip_done(hipErrorInvalidDevice);
  return hipMemcpyAsync(to, from, size, DEVICE_TO_DEVICE, s);
}

int hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                int kind) {
  return arrived(copy(NULL, to, to_pitch, 0, from, from_pitch, 0, (span){width, height, 1}, kind), NULL);
}

int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, hipStream_t s) {
  return copy_in(s, rows(to, to_pitch, from, from_pitch, width, height, kind));
}

// wrong3d gives the error for a copy that is not as it must be.
static int wrong3d(const hip_copy3d *p) {
  if (!p->from.ptr || !p->to.ptr) return hipErrorInvalidValue;
  if (p->from.pitch < p->from.xsize || p->to.pitch < p->to.xsize) return hipErrorInvalidPitchValue;
  size_t from = p->from_at.x + p->size.width, to = p->to_at.x + p->size.width;
  if (from < p->size.width || to < p->size.width || from > p->from.pitch || to > p->to.pitch)
    return hipErrorInvalidValue;
  return !is_direction(p->kind) ? hipErrorInvalidMemcpyDirection : hipSuccess;
}

// as_rows makes a copy of arrays one of rows, and gives the error for one that is not as it must be.
static int as_rows(const hip_copy3d *p, hip_copy3d *c) {
  int error = p ? hip_array_copy(p, c) : hipErrorInvalidValue;
  return error ? error : wrong3d(c);
}

int hipMemcpy3DAsync(const hip_copy3d *p, hipStream_t s) {
  hip_copy3d c;
  int error = as_rows(p, &c);
  return error ? hip_done(error) : copy_in(s, c);
}

int hipMemcpy3D(const hip_copy3d *p) {
  hip_copy3d c;
  int error = as_rows(p, &c);
  return arrived(error ? error : run_copy(&c, NULL), NULL);
}

// copy2d is struct hip_Memcpy2D.
typedef struct {
  size_t from_x, from_y;
  int from_type;
  const void *from_host;
  void *from_device;
  struct hip_array *from_array;
  size_t from_pitch, to_x, to_y;
  int to_type;
  void *to_host, *to_device;
  struct hip_array *to_array;
  size_t to_pitch, width, height;
} copy2d;

// param2d makes a copy of rows of what is described.
static int param2d(const copy2d *p, hip_copy3d *c) {
  if (!p) return hipErrorInvalidValue;
  *c = rows(p->to_device ? p->to_device : p->to_host, p->to_pitch,
            p->from_device ? p->from_device : p->from_host, p->from_pitch, p->width, p->height, DEFAULT);
  c->from_at.x = p->from_x, c->from_at.y = p->from_y;
  c->to_at.x = p->to_x, c->to_at.y = p->to_y;
  enum { ARRAY = 3 };
  int error = hipSuccess;
  if (p->from_type == ARRAY) error = hip_array_rows(p->from_array, &c->from);
  if (!error && p->to_type == ARRAY) error = hip_array_rows(p->to_array, &c->to);
  return error || (c->from.ptr && c->to.ptr) ? error : hipErrorInvalidValue;
}

int hipMemcpyParam2DAsync(const copy2d *p, hipStream_t s) {
  hip_copy3d c;
  int error = param2d(p, &c);
  return error ? hip_done(error) : copy_in(s, c);
}

int hipMemcpyParam2D(const copy2d *p) { return arrived(hipMemcpyParam2DAsync(p, NULL), NULL); }
int hipDrvMemcpy2DUnaligned(const copy2d *p) { return hipMemcpyParam2D(p); }

// Fills.

// fill writes a pattern of 1, 2 or 4 bytes into rows.
static int fill(hipStream_t s, void *to, size_t pitch, size_t plane, uint32_t value, size_t element,
                span n) {
  if (!n.width || !n.height || !n.depth) return hipSuccess;
  if (n.height > 1 && n.width > pitch) return hipErrorInvalidPitchValue;
  unsigned char *d;
  dev_lock();
  int error = hip_settle(hip_stream(s));
  if (!error) error = reach(to, (n.depth - 1) * plane + (n.height - 1) * pitch + n.width, 1, &d);
  if (!error) touch(hip_stream(s), 1, to, pitch, plane, n);
  dev_unlock();
  if (error) return error;
  for (size_t z = 0; z < n.depth; z++)
    for (size_t y = 0; y < n.height; y++) {
      unsigned char *row = d + z * plane + y * pitch;
      if (element == 1) memset(row, (int)value, n.width);
      else
        for (size_t x = 0; x + element <= n.width; x += element) memcpy(row + x, &value, element);
    }
  return hipSuccess;
}

static int run_fill(const hip_job *j, hipStream_t s) {
  const hip_fill *f = &j->fill;
  span n = {f->width * f->element, f->height, f->depth ? f->depth : 1};
  return fill(s, f->to, f->pitch, f->plane, f->value, f->element, n);
}
HIP_WORK(JOB_FILL, .run = run_fill)

// fill_in does a fill when its stream comes to it.
static int fill_in(hipStream_t s, hip_fill f) {
  hip_job job = {.kind = JOB_FILL, .fill = f};
  if (!hip_is_stream(s)) return hip_done(hipErrorContextIsDestroyed);
  return hip_capturing(s) ? hip_capture(s, &job) : hip_done(hip_do(s, &job));
}

// elements fills n elements.
static int elements(void *to, uint32_t value, unsigned element, size_t n, hipStream_t s) {
  return fill_in(s, (hip_fill){.to = to, .element = element, .height = 1, .value = value, .width = n});
}

int hipMemset(void *to, int value, size_t size) { return elements(to, (uint32_t)value, 1, size, NULL); }
int hipMemsetD8(void *to, unsigned char value, size_t n) { return elements(to, value, 1, n, NULL); }
int hipMemsetD16(void *to, unsigned short value, size_t n) { return elements(to, value, 2, n, NULL); }
int hipMemsetD32(void *to, int value, size_t n) { return elements(to, (uint32_t)value, 4, n, NULL); }

int hipMemsetAsync(void *to, int value, size_t size, hipStream_t s) {
  return elements(to, (uint32_t)value, 1, size, s);
}

int hipMemsetD8Async(void *to, unsigned char value, size_t n, hipStream_t s) {
  return elements(to, value, 1, n, s);
}

int hipMemsetD16Async(void *to, unsigned short value, size_t n, hipStream_t s) {
  return elements(to, value, 2, n, s);
}

int hipMemsetD32Async(void *to, int value, size_t n, hipStream_t s) {
  return elements(to, (uint32_t)value, 4, n, s);
}

int hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, hipStream_t s) {
  return fill_in(s, (hip_fill){to, 1, height, pitch, (unsigned)value, width, 1, 0});
}

int hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(to, pitch, value, width, height, NULL);
}

int hipMemset3DAsync(hip_pitched p, int value, hip_extent e, hipStream_t s) {
  size_t plane = p.pitch * p.ysize;
  return fill_in(s, (hip_fill){p.ptr, 1, e.height, p.pitch, (unsigned)value, e.width, e.depth, plane});
}

int hipMemset3D(hip_pitched p, int value, hip_extent e) { return hipMemset3DAsync(p, value, e, NULL); }

// What is known of memory.

int hipMemGetInfo(size_t *avail, size_t *total) {
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error) {
    dev_begin();
    error = hip_error(dev_request(OP_INFO));
    size_t all = get_u64(), left = get_u64();
    if (total) *total = all;
    if (avail) *avail = left;
  }
  dev_unlock();
  return hip_done(error);
}

int hipMemGetAddressRange(void **base, size_t *size, void *p) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  if (r && base) *base = (void *)(uintptr_t)r->base;
  if (r && size) *size = r->size;
  dev_unlock();
  return hip_done(r ? hipSuccess : hipErrorNotFound);
}

int hipMemPtrGetInfo(void *p, size_t *size) { return hipMemGetAddressRange(NULL, size, p); }

int hipPointerGetAttributes(void *attributes, const void *p) {
  // struct hipPointerAttribute_t, by offsets. Its kinds of memory were numbered
  // anew in version 6.
  static const unsigned old[] = {0, 1, 0, 1, 0, 1, 1}, now[] = {0, 2, 1, 3, 1, 2, 2};
  unsigned char *out = attributes;
  if (!out || !p) return hip_done(hipErrorInvalidValue);
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  int kind = r ? r->kind : 0;
  dev_unlock();
  int v6 = hip_version() >= 6;
  if (!kind && !v6) return hip_done(hipErrorInvalidValue);
  memset(out, 0, 32);
  unsigned type = v6 ? now[kind] : old[kind];
  int managed = kind == RANGE_MANAGED;
  memcpy(out, &type, 4);
  if (kind) memcpy(out + 8, &p, 8);
  if (!on_device(kind) && kind) memcpy(out + 16, &p, 8);
  memcpy(out + 24, &managed, 4);
  return hipSuccess;
}
