// Addresses that are reserved, and memory that is mapped to them. Memory is at one place at a time; what it
// has in it stays with it from one to the next.
#include "hip.h"

// A hip_physical is memory without a place.
typedef struct hip_physical {
  uint64_t size;
  int handles;     // that the program has
  uint64_t at;     // where it is mapped, 0 for nowhere
  void *contents;  // what is in it meanwhile, NULL for zeros
  struct hip_physical *next;
} hip_physical;

static hip_physical *physical; // all of them; under dev_lock

// prop is struct hipMemAllocationProp, as far as it says anything.
typedef struct {
  int type, requested;
  struct {
    int type, id;
  } location;
  void *metadata;
  unsigned char flags[8];
} allocation_prop;

// access_desc is struct hipMemAccessDesc.
typedef struct {
  struct {
    int type, id;
  } location;
  int flags;
} access_desc;

enum { PINNED = 1, ON_DEVICE = 1, GRANULARITY = 2 << 20 };

static hip_physical *physical_of(void *handle) {
  hip_physical *p = physical;
  while (p && p != handle) p = p->next;
  return p;
}

// drop_physical forgets memory that nobody has any more.
static void drop_physical(hip_physical *p) {
  if (p->handles || p->at) return;
  for (hip_physical **at = &physical; *at; at = &(*at)->next)
    if (*at == p) {
      *at = p->next;
      break;
    }
  free(p->contents);
  free(p);
}

int hipMemGetAllocationGranularity(size_t *out, const allocation_prop *prop, int option) {
  if (!out || !prop || option < 0 || option > 1) return hip_done(hipErrorInvalidValue);
  *out = GRANULARITY;
  return hipSuccess;
}

int hipMemAddressReserve(void **out, size_t size, size_t align, void *wanted, unsigned long long flags) {
  (void)wanted; // a wish
  if (!out || !size || size % DEV_PAGE_SIZE || flags) return hip_done(hipErrorInvalidValue);
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error) {
    dev_begin();
    put_u64(size);
    put_u64(align ? align : GRANULARITY);
    error = hip_error(dev_request(OP_RESERVE));
    if (!error) *out = (void *)(uintptr_t)get_u64();
  }
  dev_unlock();
  return hip_done(error);
}

int hipMemCreate(void **out, size_t size, const allocation_prop *prop, unsigned long long flags) {
  if (!out || !prop || !size || size % GRANULARITY || flags || prop->type != PINNED ||
      prop->location.type != ON_DEVICE || prop->location.id)
    return hip_done(hipErrorInvalidValue);
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : size > dev.memory ? hipErrorOutOfMemory : hipSuccess;
  if (!error) {
    hip_physical *p = calloc(1, sizeof *p);
    if (!p) abort();
    *p = (hip_physical){.size = size, .handles = 1, .next = physical};
    physical = p;
    *out = p;
  }
  dev_unlock();
  return hip_done(error);
}

int hipMemRelease(void *handle) {
  dev_lock();
  hip_physical *p = physical_of(handle);
  if (p && p->handles) {
    p->handles--;
    drop_physical(p);
  }
  dev_unlock();
  return hip_done(p ? hipSuccess : hipErrorInvalidValue);
}

int hipMemMap(void *at, size_t size, size_t offset, void *handle, unsigned long long flags) {
  dev_lock();
  hip_physical *p = hip_connect() ? NULL : physical_of(handle);
  int error = p && at && p->size == size && !offset && !flags ? hipSuccess : hipErrorInvalidValue;
  if (!error && p->at) error = hipErrorNotSupported; // at two places at once
  if (!error) {
    dev_begin();
    put_u64((uintptr_t)at);
    put_u64(size);
    error = hip_error(dev_request(OP_MAP));
  }
  if (!error) {
    dev_add((uintptr_t)at, size, RANGE_VIRTUAL)->own = p;
    p->at = (uintptr_t)at;
    if (p->contents) memcpy(dev_host(p->at), p->contents, size);
    free(p->contents);
    p->contents = NULL;
    if (opened(RANGE_VIRTUAL)) dev_open(p->at, size, 1);
  }
  dev_unlock();
  return hip_done(error);
}

// unmap takes a range of mapped memory away. What the program may map again keeps what is in it.
static int unmap(dev_range *r) {
  hip_physical *p = r->own;
  if (opened(RANGE_VIRTUAL)) dev_open(r->base, r->size, 0);
  if (p->handles) {
    if (!(p->contents = malloc(p->size))) return hipErrorOutOfMemory;
    memcpy(p->contents, dev_host(r->base), p->size);
  }
  dev_begin();
  put_u64(r->base);
  put_u64(r->size);
  int error = hip_error(dev_request(OP_UNMAP));
  if (error) return error;
  dev_remove(r);
  p->at = 0;
  drop_physical(p);
  return hipSuccess;
}

// mapped_at finds the piece of mapped memory that begins at an address.
static dev_range *mapped_at(uint64_t at) {
  dev_range *r = dev_find(at);
  return r && r->kind == RANGE_VIRTUAL && r->base == at ? r : NULL;
}

int hipMemUnmap(void *at, size_t size) {
  uint64_t from = (uintptr_t)at, to = from + size;
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hip_idle();
  if (!error && !size) error = hipErrorInvalidValue;
  for (uint64_t here = from; here < to && !error;) { // whole pieces, side by side
    dev_range *r = mapped_at(here);
    error = r && r->size <= to - here ? hipSuccess : hipErrorInvalidValue;
    if (r) here += r->size;
  }
  while (from < to && !error) {
    dev_range *r = mapped_at(from);
    from += r->size;
    error = unmap(r);
  }
  dev_unlock();
  return hip_done(error);
}

int hipMemAddressFree(void *at, size_t size) {
  uint64_t from = (uintptr_t)at;
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hip_idle();
  for (size_t i = 0; i < dev.range_count && !error; i++) {
    const dev_range *r = &dev.ranges[i];
    if (r->kind == RANGE_VIRTUAL && r->base >= from && r->base - from < size) error = hipErrorInvalidValue;
  }
  if (!error) {
    dev_begin();
    put_u64(from);
    error = hip_error(dev_request(OP_UNRESERVE));
    if (error) error = hipErrorInvalidValue;
  }
  dev_unlock();
  return hip_done(error);
}

int hipMemSetAccess(void *at, size_t size, const access_desc *all, size_t count) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)at);
  int error = r && r->kind == RANGE_VIRTUAL && all && count ? hipSuccess : hipErrorInvalidValue;
  if (!error && size > extent(r) - ((uintptr_t)at - r->base)) error = hipErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++)
    if (all[i].location.type == ON_DEVICE && all[i].location.id) error = hipErrorInvalidDevice;
  dev_unlock();
  return hip_done(error);
}

int hipMemGetAccess(unsigned long long *out, const void *location, void *at) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)at);
  int mapped = r && r->kind == RANGE_VIRTUAL;
  dev_unlock();
  if (!out || !location || !mapped) return hip_done(hipErrorInvalidValue);
  *out = READ_WRITE;
  return hipSuccess;
}

int hipMemRetainAllocationHandle(void **out, void *at) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)at);
  hip_physical *p = r && r->kind == RANGE_VIRTUAL ? r->own : NULL;
  if (p && out) p->handles++;
  dev_unlock();
  if (!p || !out) return hip_done(hipErrorInvalidValue);
  *out = p;
  return hipSuccess;
}

int hipMemGetAllocationPropertiesFromHandle(allocation_prop *out, void *handle) {
  dev_lock();
  int there = physical_of(handle) != NULL;
  dev_unlock();
  if (!out || !there) return hip_done(hipErrorInvalidValue);
  *out = (allocation_prop){.type = PINNED, .location = {ON_DEVICE, 0}};
  return hipSuccess;
}

// forget_mapped forgets all of it, with the device.
static void forget_mapped(void) {
  for (hip_physical *p; (p = physical);) {
    physical = p->next;
    free(p->contents);
    free(p);
  }
}
