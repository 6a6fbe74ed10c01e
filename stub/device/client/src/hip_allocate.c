// Allocations of the HIP runtime API.
#include "hip.h"

int hipDeviceSynchronize(void) {
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hip_idle();
  dev_unlock();
  return hip_done(error);
}

int hipCtxSynchronize(void) { return hipDeviceSynchronize(); }

// opened reports whether the program itself reaches memory of a kind: the device's, if it is to be as on
// machines where the host maps it.
static int opened(int kind) {
  static int all = -1;
  if (all < 0) all = getenv("SIMTGDB_HOST_ACCESS") != NULL;
  return (kind != RANGE_DEVICE && kind != RANGE_GRAPH) || all;
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
    dev_alone = !opened(kind);
    uint64_t addr = dev_alloc(size, 256, kind, &s);
    dev_alone = 0;
    error = hip_error(s);
    if (addr && opened(kind)) dev_open(addr, size, 1);
    *out = (void *)(uintptr_t)addr;
  }
  dev_unlock();
  return hip_done(error);
}

int hipMalloc(void **out, size_t size) { return allocate(out, size, RANGE_DEVICE); }

int hipExtMallocWithFlags(void **out, size_t size, unsigned flags) {
  enum { FINE_GRAINED = 1, SIGNAL = 2, UNCACHED = 3, CONTIGUOUS = 4 };
  if (flags > CONTIGUOUS || (flags == SIGNAL && size != 8)) return hip_done(hipErrorInvalidValue);
  return allocate(out, size, flags == SIGNAL ? RANGE_PINNED : RANGE_DEVICE);
}

// keep_flags notes the flags that memory was allocated with.
static int keep_flags(int error, void *const *at, unsigned flags) {
  if (error || !*at) return error;
  dev_lock();
  dev_range *r = dev_find((uintptr_t)*at);
  if (r) r->flags = flags;
  dev_unlock();
  return error;
}

int hipHostMalloc(void **out, size_t size, unsigned flags) {
  enum { COHERENT = 0x40000000 };
  const unsigned both = 3u * COHERENT; // coherent and not
  if ((flags & both) == both) return hip_done(hipErrorInvalidValue);
  return keep_flags(allocate(out, size, RANGE_PINNED), out, flags);
}

int hipHostAlloc(void **out, size_t size, unsigned flags) {
  enum { FLAGS = 7 };
  return flags & ~FLAGS ? hip_done(hipErrorInvalidValue) : hipHostMalloc(out, size, flags);
}

int hipExtHostAlloc(void **out, size_t size, unsigned flags) { return hipHostMalloc(out, size, flags); }
int hipMallocHost(void **out, size_t size) { return hipHostMalloc(out, size, 0); }
int hipMemAllocHost(void **out, size_t size) { return hipHostMalloc(out, size, 0); }

// allocation finds what allocate made.
static dev_range *allocation(void *p) {
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  return r && r->base == (uintptr_t)p && r->kind != RANGE_SYMBOL && r->kind != RANGE_REGISTERED &&
                 r->kind != RANGE_VIRTUAL
             ? r
             : NULL;
}

// graph_gives and pool_gives are told of memory that is freed and is a graph's or a pool's:
// hip_graph_memory.c, hip_pool.c.
static int (*graph_gives)(uint64_t at);
static void (*pool_gives)(void *pool, size_t size);

// release frees what allocate made, after what a stream has to do or, if it is NULL, after everything.
static int release(void *p, hipStream_t s) {
  if (!p) return hipSuccess;
  dev_lock();
  int error = hipErrorInvalidValue;
  if (allocation(p)) s ? hip_settle(hip_stream(s)) : hip_idle();
  dev_range *r = allocation(p); // the table may have changed
  if (r && r->kind == RANGE_GRAPH) {
    error = graph_gives(r->base);
  } else if (r) {
    if (opened(r->kind)) dev_open(r->base, r->size, 0);
    if (r->kind == RANGE_DEVICE && r->own) pool_gives(r->own, r->size);
    if (r->kind == RANGE_MANAGED) free(r->own);
    error = hip_error(dev_free(r->base));
  } else dev_because((uintptr_t)p, 0, "nothing that was allocated begins there");
  dev_unlock();
  return hip_done(error);
}

static int run_free(const hip_job *j, hipStream_t s) { return release(j->data, s); }
HIP_WORK(JOB_FREE, .run = run_free)

int hipFree(void *p) { return release(p, NULL); }
int hipHostFree(void *p) { return release(p, NULL); }
int hipFreeHost(void *p) { return release(p, NULL); }

int hipMallocPitch(void **out, size_t *pitch, size_t width, size_t height) {
  enum { ALIGN = 256 };
  if (!out || !pitch || width > SIZE_MAX - ALIGN) return hip_done(hipErrorInvalidValue);
  *out = NULL;
  if (!width || !height) return hipSuccess;
  size_t row = (width + ALIGN - 1) / ALIGN * ALIGN;
  if (row > SIZE_MAX / height) return hip_done(hipErrorOutOfMemory);
  *pitch = row;
  return allocate(out, row * height, RANGE_DEVICE);
}

int hipMemAllocPitch(void **out, size_t *pitch, size_t width, size_t height, unsigned element) {
  if (element != 4 && element != 8 && element != 16) return hip_done(hipErrorInvalidValue);
  return hipMallocPitch(out, pitch, width, height);
}

int hipMalloc3D(hip_pitched *out, hip_extent e) {
  if (!out || (e.depth && e.height > SIZE_MAX / e.depth)) return hip_done(hipErrorInvalidValue);
  size_t pitch = 0;
  int error = hipMallocPitch(&out->ptr, &pitch, e.width, e.height * e.depth);
  if (error) return error;
  out->pitch = pitch;
  out->xsize = e.width;
  out->ysize = e.height;
  return hipSuccess;
}

int hipHostGetDevicePointer(void **out, void *p, unsigned flags) {
  if (!out || flags) return hip_done(hipErrorInvalidValue);
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  dev_unlock();
  if (!r) return hip_done(hipErrorInvalidValue);
  *out = p;
  return hipSuccess;
}
