// Managed memory of the HIP runtime API. The host and the device share it, so that where it is to be, and
// who is to have it, makes no difference: what the program says about it is kept, to be asked for.
#include "hip.h"

enum { CPU = -1, NOWHERE = -2 };

// An advice is what the program has said about an allocation.
typedef struct {
  int read_mostly, preferred, by_cpu, by_device, prefetched, coarse;
} advice;

int hipMallocManaged(void **out, size_t size, unsigned flags) {
  enum { GLOBAL = 1, HOST = 2 };
  if (!size || (flags != GLOBAL && flags != HOST && flags)) return hip_done(hipErrorInvalidValue);
  return allocate(out, size, RANGE_MANAGED);
}

// advice_of is what was said about some memory, NULL if it is not managed. *error is that it is not all of
// one allocation. It wants dev_lock.
static advice *advice_of(const void *p, size_t size, int *error) {
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  int outside = r && size > r->base + r->size - (uintptr_t)p;
  *error = outside || (r && (r->kind == RANGE_DEVICE || r->kind == RANGE_VIRTUAL || r->kind == RANGE_GRAPH))
               ? hipErrorInvalidValue
               : hipSuccess;
  if (*error || !r || r->kind != RANGE_MANAGED) return NULL;
  if (!r->own) {
    if (!(r->own = calloc(1, sizeof(advice)))) abort();
    *(advice *)r->own = (advice){.preferred = NOWHERE, .prefetched = NOWHERE};
  }
  return r->own;
}

int hipMemAdvise(const void *p, size_t size, int what, int device) {
  enum {
    READ_MOSTLY = 1,
    NOT_READ_MOSTLY,
    PREFERRED,
    NOT_PREFERRED,
    ACCESSED_BY,
    NOT_ACCESSED_BY,
    COARSE = 100,
    FINE
  };
  int reads = what == READ_MOSTLY || what == NOT_READ_MOSTLY, error;
  if (!reads && device && device != CPU) return hip_done(hipErrorInvalidDevice);
  if (!p || !size || what < READ_MOSTLY || what > FINE || (what > NOT_ACCESSED_BY && what < COARSE))
    return hip_done(hipErrorInvalidValue);
  dev_lock();
  advice ignored, *a = advice_of(p, size, &error);
  if (!a) a = &ignored;
  int *accessed = device == CPU ? &a->by_cpu : &a->by_device;
  switch (what) {
  case READ_MOSTLY:
  case NOT_READ_MOSTLY: a->read_mostly = what == READ_MOSTLY; break;
  case PREFERRED: a->preferred = device; break;
  case NOT_PREFERRED: a->preferred = NOWHERE; break;
  case ACCESSED_BY:
  case NOT_ACCESSED_BY: *accessed = what == ACCESSED_BY; break;
  case COARSE:
  case FINE: a->coarse = what == COARSE; break;
  }
  dev_unlock();
  return hip_done(error);
}

int hipMemPrefetchAsync(const void *p, size_t size, int device, hipStream_t s) {
  int error;
  if (!p || !size) return hip_done(hipErrorInvalidValue);
  if (!hip_is_stream(s)) return hip_done(hipErrorContextIsDestroyed);
  if (device && device != CPU) return hip_done(hipErrorInvalidDevice);
  dev_lock();
  advice *a = advice_of(p, size, &error);
  if (a) a->prefetched = device;
  dev_unlock();
  return hip_done(error);
}

// range_attribute gives one attribute of managed memory.
static int range_attribute(void *out, size_t size, int attribute, const advice *a) {
  enum { READ_MOSTLY = 1, PREFERRED, ACCESSED_BY, PREFETCHED, COHERENCY = 100 };
  int value = 0, *list = out;
  size_t n = 0;
  if (!size || size % sizeof value || (attribute != ACCESSED_BY && size != sizeof value))
    return hipErrorInvalidValue;
  switch (attribute) {
  case READ_MOSTLY: value = a->read_mostly; break;
  case PREFERRED: value = a->preferred; break;
  case PREFETCHED: value = a->prefetched; break;
  case COHERENCY: value = a->coarse; break;
  case ACCESSED_BY:
    for (size_t i = 0; i < size / sizeof *list; i++) list[i] = NOWHERE;
    if (a->by_cpu) list[n++] = CPU;
    if (a->by_device && n < size / sizeof *list) list[n] = 0;
    return hipSuccess;
  default: return hipErrorInvalidValue;
  }
  memcpy(out, &value, sizeof value);
  return hipSuccess;
}

int hipMemRangeGetAttributes(void **out, size_t *sizes, int *attributes, size_t n, const void *p,
                             size_t size) {
  int error;
  if (!out || !sizes || !attributes || !n || !p || !size) return hip_done(hipErrorInvalidValue);
  dev_lock();
  const advice *a = advice_of(p, size, &error);
  if (!a) error = hipErrorInvalidValue;
  for (size_t i = 0; i < n && !error; i++)
    error = out[i] ? range_attribute(out[i], sizes[i], attributes[i], a) : hipErrorInvalidValue;
  dev_unlock();
  return hip_done(error);
}

int hipMemRangeGetAttribute(void *out, size_t out_size, int attribute, const void *p, size_t size) {
  return hipMemRangeGetAttributes(&out, &out_size, &attribute, 1, p, size);
}

int hipStreamAttachMemAsync(hipStream_t s, void *p, size_t size, unsigned flags) {
  enum { GLOBAL = 1, HOST = 2, SINGLE = 4 };
  int error;
  if (!p || (flags != GLOBAL && flags != HOST && flags != SINGLE)) return hip_done(hipErrorInvalidValue);
  if (!hip_is_stream(s)) return hip_done(hipErrorContextIsDestroyed);
  dev_lock();
  if (!advice_of(p, size, &error) && !error) error = hipErrorInvalidValue;
  dev_unlock();
  return hip_done(error);
}
