// Memory of the HIP runtime API: allocations, copies, fills. The heap is shared,
// so the library copies by itself when the device has done what came before.
#include "hip.h"

int hip_pending;

// idle waits until the device has done everything. It wants dev_lock.
static int idle(void) {
  if (hip_connect()) return hipErrorNoDevice;
  if (!hip_pending) return hip_error((enum dev_status)dev.condition);
  enum dev_status s = dev_wait(WAIT_ALL, 0);
  hip_pending = 0;
  return hip_error(s);
}

int hipDeviceSynchronize(void) {
  dev_lock();
  int error = idle();
  dev_unlock();
  return hip_done(error);
}

int hipCtxSynchronize(void) { return hipDeviceSynchronize(); }

// opened reports whether the program itself reaches memory of a kind: the device's, if it is to be as on
// machines where the host maps it.
static int opened(int kind) {
  static int all = -1;
  if (all < 0) all = getenv("SIMTGDB_HOST_ACCESS") != NULL;
  return kind != RANGE_DEVICE || all;
}

// allocate allocates memory of a kind. Pinned and managed memory is opened to the
// program.
static int allocate(void **out, size_t size, int kind) {
  if (!out) return hip_done(hipErrorInvalidValue);
  *out = NULL;
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error && size > 0) {
    enum dev_status s;
    uint64_t addr = dev_alloc(size, 256, kind, &s);
    error = hip_error(s);
    if (addr && opened(kind)) dev_open(addr, size, 1);
    *out = (void *)(uintptr_t)addr;
  }
  dev_unlock();
  return hip_done(error);
}

int hipMalloc(void **out, size_t size) { return allocate(out, size, RANGE_DEVICE); }

int hipExtMallocWithFlags(void **out, size_t size, unsigned flags) {
  (void)flags;
  return allocate(out, size, RANGE_DEVICE);
}

int hipMallocManaged(void **out, size_t size, unsigned flags) {
  (void)flags;
  return allocate(out, size, RANGE_MANAGED);
}

int hipHostMalloc(void **out, size_t size, unsigned flags) {
  (void)flags;
  return allocate(out, size, RANGE_PINNED);
}

int hipHostAlloc(void **out, size_t size, unsigned flags) { return hipHostMalloc(out, size, flags); }
int hipMallocHost(void **out, size_t size) { return hipHostMalloc(out, size, 0); }
int hipMemAllocHost(void **out, size_t size) { return hipHostMalloc(out, size, 0); }

// release frees what allocate made.
static int release(void *p) {
  if (!p) return hipSuccess;
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  int error = hipErrorInvalidValue;
  if (r && r->base == (uintptr_t)p && r->kind != RANGE_SYMBOL && r->kind != RANGE_REGISTERED) {
    idle();
    if (opened(r->kind)) dev_open(r->base, r->size, 0);
    if (r->kind == RANGE_DEVICE && r->own) hip_pool_gives(r->own, r->size);
    error = hip_error(dev_free(r->base));
  }
  dev_unlock();
  return hip_done(error);
}

int hipFree(void *p) { return release(p); }
int hipHostFree(void *p) { return release(p); }
int hipFreeHost(void *p) { return release(p); }

int hipMallocPitch(void **out, size_t *pitch, size_t width, size_t height) {
  enum { ALIGN = 256 };
  size_t row = (width + ALIGN - 1) / ALIGN * ALIGN;
  if (!pitch || (height && row > SIZE_MAX / height)) return hip_done(hipErrorInvalidValue);
  *pitch = row;
  return allocate(out, row * height, RANGE_DEVICE);
}

int hipMemAllocPitch(void **out, size_t *pitch, size_t width, size_t height, unsigned element) {
  (void)element;
  return hipMallocPitch(out, pitch, width, height);
}

int hipMalloc3D(hip_pitched *out, hip_extent e) {
  if (!out) return hip_done(hipErrorInvalidValue);
  int error = hipMallocPitch(&out->ptr, &out->pitch, e.width, e.height * e.depth);
  out->xsize = e.width;
  out->ysize = e.height;
  return error;
}

// Memory of the program's own that the device is to have too: its pages become
// the heap's.

int hipHostRegister(void *p, size_t size, unsigned flags) {
  (void)flags;
  uint64_t base = (uintptr_t)p & ~(uint64_t)(DEV_PAGE - 1);
  uint64_t end = ((uintptr_t)p + size + DEV_PAGE - 1) & ~(uint64_t)(DEV_PAGE - 1);
  if (!p || !size) return hip_done(hipErrorInvalidValue);
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error && (dev_in_heap(base) || dev_find(base) || dev_find(end - 1)))
    error = hipErrorHostMemoryAlreadyRegistered;
  if (!error) {
    dev_begin();
    put_u64(base);
    put_u64(end - base);
    error = hip_error(dev_request(OP_SHARE));
  }
  if (!error) {
    unsigned char *shared = dev.heap + get_u64();
    memcpy(shared, (void *)(uintptr_t)base, end - base);
    void *moved = mremap(shared, 0, end - base, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)base);
    if (moved == MAP_FAILED) error = hipErrorUnknown;
    else dev_add(base, end - base, RANGE_REGISTERED)->own = p;
  }
  dev_unlock();
  return hip_done(error);
}

int hipHostUnregister(void *p) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  int error = hipErrorHostMemoryNotRegistered;
  if (r && r->kind == RANGE_REGISTERED && r->own == p) {
    idle();
    uint64_t base = r->base, size = r->size;
    void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    error = hipErrorOutOfMemory;
    if (copy != MAP_FAILED) {
      memcpy(copy, (void *)(uintptr_t)base, size);
      mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)base);
      dev_begin();
      put_u64(base);
      error = hip_error(dev_request(OP_UNSHARE));
      dev_remove(r);
    }
  }
  dev_unlock();
  return hip_done(error);
}

int hipHostGetDevicePointer(void **out, void *p, unsigned flags) {
  (void)flags;
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  dev_unlock();
  if (!out || !r) return hip_done(hipErrorInvalidValue);
  *out = p;
  return hipSuccess;
}

int hipHostGetFlags(unsigned *out, void *p) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  dev_unlock();
  if (!out || !r) return hip_done(hipErrorInvalidValue);
  *out = 0;
  return hipSuccess;
}

// Copies.

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT };

// reach checks size bytes at an address and gives where this library has them.
static int reach(const void *p, size_t size, int device, unsigned char **out) {
  dev_range *r = dev_find((uintptr_t)p);
  *out = dev_host((uintptr_t)p);
  if (r) return (uintptr_t)p - r->base + size > r->size ? hipErrorInvalidValue : hipSuccess;
  return device || dev_in_heap((uintptr_t)p) ? hipErrorInvalidValue : hipSuccess;
}

// A span is rows of bytes in planes.
typedef struct {
  size_t width, height, depth;
} span;

// copy copies rows. It waits for the device first, so that it may be done at once.
static int copy(void *to, size_t to_pitch, size_t to_plane, const void *from, size_t from_pitch,
                size_t from_plane, span n, int kind) {
  if (kind < 0 || kind > DEFAULT) return hipErrorInvalidMemcpyDirection;
  if (!n.width || !n.height || !n.depth) return hipSuccess;
  if (!to || !from) return hipErrorInvalidValue;
  if (n.height > 1 && (n.width > to_pitch || n.width > from_pitch)) return hipErrorInvalidPitchValue;
  size_t to_size = (n.depth - 1) * to_plane + (n.height - 1) * to_pitch + n.width;
  size_t from_size = (n.depth - 1) * from_plane + (n.height - 1) * from_pitch + n.width;
  unsigned char *d, *s;
  dev_lock();
  int error = idle();
  if (!error) error = reach(to, to_size, kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE, &d);
  if (!error) error = reach(from, from_size, kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE, &s);
  dev_unlock();
  if (error) return error;
  for (size_t z = 0; z < n.depth; z++)
    for (size_t y = 0; y < n.height; y++)
      memmove(d + z * to_plane + y * to_pitch, s + z * from_plane + y * from_pitch, n.width);
  return hipSuccess;
}

int hipMemcpy(void *to, const void *from, size_t size, int kind) {
  return hip_done(copy(to, 0, 0, from, 0, 0, (span){size, 1, 1}, kind));
}

// rows describes a copy of rows of bytes.
static hip_copy3d rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height, int kind) {
  return (hip_copy3d){.from = {(void *)from, from_pitch, width, height}, .to = {to, to_pitch, width, height},
                      .size = {width, height, 1}, .kind = kind};
}

// copy_in does a copy when its stream comes to it.
static int copy_in(hipStream_t s, hip_copy3d c) {
  if (!hip_capturing(s)) return hip_done(hip_run_copy(&c));
  hip_job job = {.kind = JOB_COPY, .copy = c};
  return hip_capture(s, &job);
}

int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, hipStream_t s) {
  return copy_in(s, rows(to, size, from, size, size, 1, kind));
}

int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, hipStream_t s) {
  return hipMemcpyAsync(to, from, size, kind, s);
}

int hipMemcpyHtoD(void *to, void *from, size_t size) { return hipMemcpy(to, from, size, HOST_TO_DEVICE); }
int hipMemcpyDtoH(void *to, void *from, size_t size) { return hipMemcpy(to, from, size, DEVICE_TO_HOST); }
int hipMemcpyDtoD(void *to, void *from, size_t size) {
  return hipMemcpy(to, from, size, DEVICE_TO_DEVICE);
}

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

int hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                size_t height, int kind) {
  return hip_done(copy(to, to_pitch, 0, from, from_pitch, 0, (span){width, height, 1}, kind));
}

int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, hipStream_t s) {
  return copy_in(s, rows(to, to_pitch, from, from_pitch, width, height, kind));
}

int hip_run_copy(const hip_copy3d *p) {
  size_t to_plane = p->to.pitch * p->to.ysize, from_plane = p->from.pitch * p->from.ysize;
  unsigned char *to =
      (unsigned char *)p->to.ptr + p->to_at.z * to_plane + p->to_at.y * p->to.pitch + p->to_at.x;
  unsigned char *from = (unsigned char *)p->from.ptr + p->from_at.z * from_plane +
                        p->from_at.y * p->from.pitch + p->from_at.x;
  span n = {p->size.width, p->size.height, p->size.depth};
  return copy(p->to.ptr ? to : NULL, p->to.pitch, to_plane, p->from.ptr ? from : NULL, p->from.pitch,
              from_plane, n, p->kind);
}

int hipMemcpy3DAsync(const hip_copy3d *p, hipStream_t s) {
  static char said;
  if (!p) return hip_done(hipErrorInvalidValue);
  if (p->from_array || p->to_array) return hip_missing("hipMemcpy3D of an array", &said);
  return copy_in(s, *p);
}

int hipMemcpy3D(const hip_copy3d *p) { return hipMemcpy3DAsync(p, NULL); }

// copy2d is struct hip_Memcpy2D.
typedef struct {
  size_t from_x, from_y;
  int from_type;
  const void *from_host;
  void *from_device, *from_array;
  size_t from_pitch, to_x, to_y;
  int to_type;
  void *to_host, *to_device, *to_array;
  size_t to_pitch, width, height;
} copy2d;

int hipMemcpyParam2DAsync(const copy2d *p, hipStream_t s) {
  static char said;
  if (!p) return hip_done(hipErrorInvalidValue);
  if (p->from_array || p->to_array) return hip_missing("hipMemcpyParam2D of an array", &said);
  unsigned char *to = p->to_device ? p->to_device : p->to_host;
  const unsigned char *from = p->from_device ? p->from_device : p->from_host;
  if (!to || !from) return hip_done(hipErrorInvalidValue);
  return hipMemcpy2DAsync(to + p->to_y * p->to_pitch + p->to_x, p->to_pitch,
                          from + p->from_y * p->from_pitch + p->from_x, p->from_pitch, p->width, p->height,
                          DEFAULT, s);
}

int hipMemcpyParam2D(const copy2d *p) { return hipMemcpyParam2DAsync(p, NULL); }
int hipDrvMemcpy2DUnaligned(const copy2d *p) { return hipMemcpyParam2D(p); }

// Fills.

// fill writes a pattern of 1, 2 or 4 bytes into rows.
static int fill(void *to, size_t pitch, size_t plane, uint32_t value, size_t element, span n) {
  if (!n.width || !n.height || !n.depth) return hipSuccess;
  if (n.height > 1 && n.width > pitch) return hipErrorInvalidPitchValue;
  unsigned char *d;
  dev_lock();
  int error = idle();
  if (!error) error = reach(to, (n.depth - 1) * plane + (n.height - 1) * pitch + n.width, 1, &d);
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

int hip_run_fill(const hip_fill *f) {
  span n = {f->width * f->element, f->height, f->depth ? f->depth : 1};
  return fill(f->to, f->pitch, f->plane, f->value, f->element, n);
}

// fill_in does a fill when its stream comes to it.
static int fill_in(hipStream_t s, hip_fill f) {
  if (!hip_capturing(s)) return hip_done(hip_run_fill(&f));
  hip_job job = {.kind = JOB_FILL, .fill = f};
  return hip_capture(s, &job);
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
  static const unsigned old[] = {0, 1, 0, 1, 0, 1}, now[] = {0, 2, 1, 3, 1, 2};
  unsigned char *out = attributes;
  if (!out) return hip_done(hipErrorInvalidValue);
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
  if (kind != RANGE_DEVICE && kind != RANGE_SYMBOL && kind) memcpy(out + 16, &p, 8);
  memcpy(out + 24, &managed, 4);
  return hipSuccess;
}

int hipMemAdvise(const void *p, size_t size, int advice, int device) {
  (void)p, (void)size, (void)advice, (void)device;
  return hipSuccess;
}

int hipMemPrefetchAsync(const void *p, size_t size, int device, hipStream_t s) {
  (void)p, (void)size, (void)device, (void)s;
  return hipSuccess;
}

int hipStreamAttachMemAsync(hipStream_t s, void *p, size_t size, unsigned flags) {
  (void)s, (void)p, (void)size, (void)flags;
  return hipSuccess;
}

// leaving waits for what was submitted: what kernels print is not lost.
__attribute__((destructor)) static void leaving(void) {
  if (dev.fd < 0 || !hip_pending) return;
  dev_lock();
  idle();
  dev_unlock();
}
