// Memory pools of the HIP runtime API: memory that is allocated and freed in the order of
// a stream. All work is done in one order, so that pools differ by their accounts only.
#include "hip.h"

enum {
  POOL_RELEASE_THRESHOLD = 4,
  POOL_RESERVED,
  POOL_RESERVED_HIGH,
  POOL_USED,
  POOL_USED_HIGH,
  POOL_ATTRIBUTES
};

typedef struct hip_pool {
  uint64_t attributes[POOL_ATTRIBUTES]; // by the numbers of hipMemPoolAttr
  int access;                           // hipMemAccessFlags of the device
  size_t limit;                         // bytes, 0 for none
  struct hip_pool *next;
} hip_pool;

enum { READ_WRITE = 3 };
static hip_pool default_pool = {.attributes = {0, 1, 1, 1}, .access = READ_WRITE};
static hip_pool *current_pool = &default_pool;
static hip_pool *pools; // that the program made, under dev_lock

// is_pool reports whether a pool was not destroyed.
static int is_pool(const hip_pool *p) {
  if (p == &default_pool) return 1;
  dev_lock();
  const hip_pool *q = pools;
  while (q && q != p) q = q->next;
  dev_unlock();
  return q != NULL;
}

static void pool_takes(hip_pool *p, size_t size) {
  uint64_t *a = p->attributes;
  a[POOL_USED] += size;
  if (a[POOL_USED] > a[POOL_USED_HIGH]) a[POOL_USED_HIGH] = a[POOL_USED];
  if (a[POOL_USED] > a[POOL_RESERVED]) a[POOL_RESERVED] = a[POOL_USED];
  if (a[POOL_RESERVED] > a[POOL_RESERVED_HIGH]) a[POOL_RESERVED_HIGH] = a[POOL_RESERVED];
}

// pool_gives_memory notes that memory of a pool was freed.
static void pool_gives_memory(void *pool, size_t size) {
  uint64_t *a = ((hip_pool *)pool)->attributes;
  a[POOL_USED] -= size;
  if (a[POOL_RESERVED] > a[POOL_RELEASE_THRESHOLD])
    a[POOL_RESERVED] = a[POOL_USED] > a[POOL_RELEASE_THRESHOLD] ? a[POOL_USED] : a[POOL_RELEASE_THRESHOLD];
}

__attribute__((constructor)) static void know_pools(void) { pool_gives = pool_gives_memory; }

int hipMallocFromPoolAsync(void **out, size_t size, hip_pool *pool, hipStream_t s) {
  if (!out || !is_pool(pool)) return hip_done(hipErrorInvalidValue);
  if (!hip_is_stream(s)) return hip_done(hipErrorInvalidResourceHandle);
  *out = NULL;
  if (hip_capturing(s)) {
    hip_job job = {.kind = JOB_ALLOC};
    int error = graph_takes(&job.data, size);
    if (error) return error;
    *out = job.data;
    return hip_capture(s, &job);
  }
  if (pool->limit && size > pool->limit - pool->attributes[POOL_USED]) return hip_done(hipErrorOutOfMemory);
  int error = allocate(out, size, RANGE_DEVICE);
  if (error || !*out) return error;
  dev_lock();
  dev_range *r = dev_find((uintptr_t)*out);
  if (r) r->own = pool, pool_takes(pool, r->size);
  dev_unlock();
  return hipSuccess;
}

int hipMallocAsync(void **out, size_t size, hipStream_t s) {
  return hipMallocFromPoolAsync(out, size, current_pool, s);
}

int hipFreeAsync(void *p, hipStream_t s) {
  hip_job job = {.kind = JOB_FREE, .data = p};
  if (!p) return hip_done(hipErrorInvalidValue);
  if (!hip_is_stream(s)) return hip_done(hipErrorInvalidResourceHandle);
  if (!hip_capturing(s)) return hip_done(hip_do(s, &job));
  dev_lock();
  if (!memory_at((uintptr_t)p)) job.kind = JOB_EMPTY; // not a graph's: it may be launched again
  dev_unlock();
  return hip_capture(s, &job);
}

int hipDeviceGetDefaultMemPool(hip_pool **out, int device) {
  if (device || !out) return hip_done(device ? hipErrorInvalidDevice : hipErrorInvalidValue);
  *out = &default_pool;
  return hipSuccess;
}

int hipDeviceGetMemPool(hip_pool **out, int device) {
  int error = hipDeviceGetDefaultMemPool(out, device);
  if (!error) *out = current_pool;
  return error;
}

int hipDeviceSetMemPool(int device, hip_pool *pool) {
  if (device || !is_pool(pool)) return hip_done(device ? hipErrorInvalidDevice : hipErrorInvalidValue);
  current_pool = pool;
  return hipSuccess;
}

// pool_properties is struct hipMemPoolProps.
typedef struct {
  int allocation, handles, place, device;
  void *security;
  size_t limit;
} pool_properties;

int hipMemPoolCreate(hip_pool **out, const pool_properties *p) {
  enum { PINNED = 1, DEVICE = 1, DESCRIPTOR = 1 };
  if (!out || !p || p->allocation != PINNED || p->place != DEVICE || p->device)
    return hip_done(hipErrorInvalidValue);
  if (p->handles & ~DESCRIPTOR) return hip_done(hipErrorNotSupported);
  *out = calloc(1, sizeof **out);
  if (!*out) return hip_done(hipErrorOutOfMemory);
  dev_lock();
  **out = (hip_pool){.attributes = {0, 1, 1, 1}, .access = READ_WRITE, .limit = p->limit, .next = pools};
  pools = *out;
  dev_unlock();
  return hipSuccess;
}

// hipMemPoolDestroy: what was allocated from the pool stays until it is freed, and refers to it.
int hipMemPoolDestroy(hip_pool *p) {
  if (p == &default_pool || !is_pool(p)) return hip_done(hipErrorInvalidValue);
  if (current_pool == p) current_pool = &default_pool;
  dev_lock();
  hip_pool **at = &pools;
  while (*at != p) at = &(*at)->next;
  *at = p->next;
  dev_unlock();
  if (!p->attributes[POOL_USED]) free(p);
  return hipSuccess;
}

// attribute checks a number of hipMemPoolAttr and gives its size: the first are of type int.
static size_t attribute_size(hip_pool *p, int attribute, void *value) {
  if (!p || !value || attribute < 1 || attribute >= POOL_ATTRIBUTES) return 0;
  return attribute < POOL_RELEASE_THRESHOLD ? sizeof(int) : sizeof(uint64_t);
}

int hipMemPoolGetAttribute(hip_pool *p, int attribute, void *value) {
  size_t n = attribute_size(p, attribute, value);
  if (!n) return hip_done(hipErrorInvalidValue);
  memcpy(value, &p->attributes[attribute], n);
  return hipSuccess;
}

// hipMemPoolSetAttribute: of the accounts only the high-water marks can be set, to 0.
int hipMemPoolSetAttribute(hip_pool *p, int attribute, void *value) {
  size_t n = attribute_size(p, attribute, value);
  uint64_t v = 0;
  if (!n) return hip_done(hipErrorInvalidValue);
  memcpy(&v, value, n);
  int high = attribute == POOL_RESERVED_HIGH || attribute == POOL_USED_HIGH;
  if (attribute == POOL_RESERVED || attribute == POOL_USED || (high && v))
    return hip_done(hipErrorInvalidValue);
  p->attributes[attribute] = high ? p->attributes[attribute - 1] : v;
  return hipSuccess;
}

int hipMemPoolTrimTo(hip_pool *p, size_t keep) {
  if (!p) return hip_done(hipErrorInvalidValue);
  uint64_t *a = p->attributes, least = a[POOL_USED] > keep ? a[POOL_USED] : keep;
  if (a[POOL_RESERVED] > least) a[POOL_RESERVED] = least;
  return hipSuccess;
}

// A place is struct hipMemLocation: a kind, 1 for a device, and its number.
typedef struct {
  int kind, id;
} place;

// access_to is struct hipMemAccessDesc.
typedef struct {
  place at;
  int flags;
} access_to;

int hipMemPoolSetAccess(hip_pool *p, const access_to *list, size_t n) {
  if (!p || (n && !list)) return hip_done(hipErrorInvalidValue);
  for (size_t i = 0; i < n; i++) {
    if (list[i].at.kind != 1 || list[i].at.id) return hip_done(hipErrorInvalidDevice);
    p->access = list[i].flags;
  }
  return hipSuccess;
}

int hipMemPoolGetAccess(int *flags, hip_pool *p, const place *at) {
  if (!flags || !p || !at) return hip_done(hipErrorInvalidValue);
  if (at->kind != 1 || at->id) return hip_done(hipErrorInvalidDevice);
  *flags = p->access;
  return hipSuccess;
}
