// Copies to and from variables of modules, a part of the HIP runtime API.
#include "hip.h"

enum { FROM_HOST = 1, TO_HOST = 2 };

// symbol_place checks an access to a variable, in a direction that is not the wrong one.
static int symbol_place(const void *symbol, size_t count, size_t offset, int kind, int wrong, void **place) {
  enum { LAST = 4, NO_KERNEL = 1024 };
  uint64_t addr = 0, size = 0;
  int known = (kind > 0 && kind <= LAST) || kind == NO_KERNEL;
  if (!known || kind == wrong) return hipErrorInvalidMemcpyDirection;
  dev_lock();
  int error = find_variable(symbol, &addr, &size);
  dev_unlock();
  if (error) return error;
  if (offset > size || count > size - offset) return hipErrorInvalidValue;
  *place = (void *)(uintptr_t)(addr + offset);
  return hipSuccess;
}

int hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t count, size_t offset, int kind,
                           hipStream_t s) {
  void *place;
  int error = symbol_place(symbol, count, offset, kind, TO_HOST, &place);
  return error ? hip_done(error) : hipMemcpyAsync(place, from, count, kind, s);
}

int hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count, size_t offset, int kind,
                             hipStream_t s) {
  void *place;
  int error = symbol_place(symbol, count, offset, kind, FROM_HOST, &place);
  return error ? hip_done(error) : hipMemcpyAsync(to, place, count, kind, s);
}

int hipMemcpyToSymbol(const void *symbol, const void *from, size_t count, size_t offset, int kind) {
  void *place;
  int error = symbol_place(symbol, count, offset, kind, TO_HOST, &place);
  return error ? hip_done(error) : hipMemcpy(place, from, count, kind);
}

int hipMemcpyFromSymbol(void *to, const void *symbol, size_t count, size_t offset, int kind) {
  void *place;
  int error = symbol_place(symbol, count, offset, kind, FROM_HOST, &place);
  return error ? hip_done(error) : hipMemcpy(to, place, count, kind);
}
