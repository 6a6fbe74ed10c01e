// Memory of the program's own that the device is to have too: its pages become the heap's. Several pieces
// that are registered may lie in one page.
#include "hip.h"

// A registration is what the program has registered.
typedef struct registration {
  uint64_t at, size;
  unsigned flags;
  struct registration *next;
} registration;

static registration *registrations; // under dev_lock, as all of this

static uint64_t page_of(uint64_t addr) { return addr & ~(uint64_t)(DEV_PAGE_SIZE - 1); }

// intersecting finds a registration that has bytes of a range, or NULL.
static registration *intersecting(uint64_t from, uint64_t to) {
  registration *g = registrations;
  while (g && (g->at >= to || g->at + g->size <= from)) g = g->next;
  return g;
}

// share_pages makes pages the heap's: those from `from` on that are not yet, up to `to`. *end is where
// they end.
static int share_pages(uint64_t from, uint64_t to, uint64_t *end) {
  dev_range *r = dev_find(from);
  if (r) {
    *end = r->base + r->size;
    return r->kind == RANGE_REGISTERED ? hipSuccess : hipErrorHostMemoryAlreadyRegistered;
  }
  size_t i = range_index(from);
  if (i < dev.range_count && dev.ranges[i].base < to) to = dev.ranges[i].base;
  *end = to;
  dev_begin();
  put_u64(from);
  put_u64(to - from);
  int error = hip_error(dev_request(OP_SHARE));
  if (error) return error;
  unsigned char *shared = dev.heap + get_u64();
  memcpy(shared, (void *)(uintptr_t)from, to - from);
  void *moved = mremap(shared, 0, to - from, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)from);
  if (moved == MAP_FAILED) return hipErrorUnknown;
  dev_add(from, to - from, RANGE_REGISTERED);
  return hipSuccess;
}

// own_pages makes pages this process's own again, with what is in them.
static int own_pages(uint64_t base, uint64_t size) {
  void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return hipErrorOutOfMemory;
  memcpy(copy, (void *)(uintptr_t)base, size);
  mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)base);
  return hipSuccess;
}

// unshare_pages makes pages the program's own again.
static int unshare_pages(dev_range *r) {
  uint64_t base = r->base, size = r->size;
  int error = own_pages(base, size);
  if (error) return error;
  dev_begin();
  put_u64(base);
  dev_remove(r);
  return hip_error(dev_request(OP_UNSHARE));
}

// unshare_unused does so with the pages of a range of addresses that nothing is registered in any more.
static int unshare_unused(uint64_t from, uint64_t to) {
  int error = hipSuccess;
  while (from < to && !error) {
    dev_range *r = dev_find(from);
    if (!r) return hipSuccess;
    from = r->base + r->size;
    if (r->kind == RANGE_REGISTERED && !intersecting(r->base, from)) error = unshare_pages(r);
  }
  return error;
}

int hipHostRegister(void *p, size_t size, unsigned flags) {
  enum { FLAGS = 15 };
  uint64_t at = (uintptr_t)p, from = page_of(at), to = page_of(at + size + DEV_PAGE_SIZE - 1);
  if (!p || !size || flags > FLAGS || to <= from) return hip_done(hipErrorInvalidValue);
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error && dev_in_heap(from)) error = hipErrorHostMemoryAlreadyRegistered;
  for (uint64_t here = from; here < to && !error;) error = share_pages(here, to, &here);
  if (!error) {
    registration *g = malloc(sizeof *g);
    if (!g) abort();
    *g = (registration){at, size, flags, registrations};
    registrations = g;
  } else if (!dev_in_heap(from)) unshare_unused(from, to);
  dev_unlock();
  return hip_done(error);
}

int hipHostUnregister(void *p) {
  if (!p) return hip_done(hipErrorInvalidValue);
  int error = hipErrorHostMemoryNotRegistered;
  dev_lock();
  if (!hip_connect()) hip_idle();
  for (registration **at = &registrations; *at; at = &(*at)->next) {
    registration *g = *at;
    if (g->at != (uintptr_t)p) continue;
    *at = g->next;
    error = unshare_unused(page_of(g->at), g->at + g->size);
    free(g);
    break;
  }
  dev_unlock();
  return hip_done(error);
}

int hipHostGetFlags(unsigned *out, void *p) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  registration *g = intersecting((uintptr_t)p, (uintptr_t)p + 1);
  int pinned = r && (r->kind == RANGE_PINNED || g);
  unsigned flags = g ? g->flags : pinned ? r->flags : 0;
  dev_unlock();
  if (!out || !pinned) return hip_done(hipErrorInvalidValue);
  *out = flags;
  return hipSuccess;
}

// disown_registrations gives a child its own copy of what its parent has registered, as of all other memory.
static void disown_registrations(void) {
  for (registration *g; (g = registrations);) {
    registrations = g->next;
    uint64_t from = page_of(g->at);
    own_pages(from, page_of(g->at + g->size + DEV_PAGE_SIZE - 1) - from);
    free(g);
  }
}

// unregister_all gives all pages back to the program, before the device forgets them.
static void unregister_all(void) {
  for (registration *g; (g = registrations);) {
    registrations = g->next;
    unshare_unused(page_of(g->at), g->at + g->size);
    free(g);
  }
}
