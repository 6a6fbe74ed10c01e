// Functions of the HIP runtime API that others stand behind: peers that are not there, and what is asked
// by name.
#include "hip.h"

// There is one device: no other is its peer.

static int no_peer(int peer) {
  return hip_done(peer ? hipErrorInvalidDevice : hipErrorPeerAccessNotEnabled);
}

int hipDeviceDisablePeerAccess(int peer) { return no_peer(peer); }

int hipDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
  (void)value, (void)attribute, (void)from, (void)to;
  return hip_done(hipErrorInvalidDevice);
}

int hipExtGetLinkTypeAndHopCount(int a, int b, uint32_t *type, uint32_t *hops) {
  (void)a, (void)b, (void)type, (void)hops;
  return hip_done(hipErrorInvalidDevice);
}

int hipCtxEnablePeerAccess(void *context, unsigned flags) {
  (void)context, (void)flags;
  return hip_done(hipErrorPeerAccessUnsupported);
}

int hipCtxDisablePeerAccess(void *context) {
  (void)context;
  return hip_done(hipErrorPeerAccessNotEnabled);
}

int hipDevicePrimaryCtxReset(int device) {
  return device ? hip_done(hipErrorInvalidDevice) : hipDeviceReset();
}

// A launch on several devices is one on this.

typedef struct {
  void *function;
  dim3 grid, block;
  void **args;
  size_t shared;
  hipStream_t stream;
} device_launch; // struct hipLaunchParams

int hipLaunchCooperativeKernelMultiDevice(device_launch *list, int n, unsigned flags) {
  enum { FLAGS = 3 };
  if (!list || n != 1 || flags & ~FLAGS) return hip_done(hipErrorInvalidValue);
  return hipLaunchCooperativeKernel(list->function, list->grid, list->block, list->args,
                                    (unsigned)list->shared, list->stream);
}

int hipExtLaunchMultiKernelMultiDevice(device_launch *list, int n, unsigned flags) {
  return hipLaunchCooperativeKernelMultiDevice(list, n, flags);
}

// What is asked by name or by number.

int hip_init(void) { return hipInit(0); }
const char *hipGetCmdName(unsigned operation) { return (void)operation, ""; }

int hipGetStreamDeviceId(hipStream_t s) {
  (void)s;
  return 0;
}

const char *hipKernelNameRefByPtr(const void *function, hipStream_t s) {
  (void)s;
  hip_entry *e = entry_of(function);
  return e ? e->name : NULL;
}

int hipGetProcAddress(const char *name, void **out, int version, uint64_t flags, int *status) {
  (void)version, (void)flags;
  if (!name || !out) return hip_done(hipErrorInvalidValue);
  Dl_info here;
  void *library =
      dladdr((void *)hipGetProcAddress, &here) ? dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
  *out = library ? dlsym(library, name) : NULL;
  if (library) dlclose(library);
  if (status) *status = *out ? 0 : 1;
  return *out ? hipSuccess : hip_done(hipErrorInvalidValue);
}

int hipExtStreamGetCUMask(hipStream_t s, uint32_t n, uint32_t *mask) {
  (void)s;
  if (!mask || n * 32 < (uint32_t)hip_units()) return hip_done(hipErrorInvalidValue);
  for (uint32_t i = 0; i < n; i++) mask[i] = 0;
  for (int i = 0; i < hip_units(); i++) mask[i / 32] |= 1u << i % 32;
  return hipSuccess;
}

// hipPointerGetAttribute gives one attribute of a pointer, by the numbers of HIP's driver API.
int hipPointerGetAttribute(void *out, int attribute, void *p) {
  enum {
    CONTEXT = 1,
    MEMORY_TYPE,
    DEVICE_POINTER,
    HOST_POINTER,
    TOKENS,
    ALWAYS_WAITS,
    NUMBER,
    MANAGED,
    ORDINAL,
    OLD_HANDLES,
    START,
    SIZE,
    MAPPED,
    HANDLES,
    DIRECT,
    ACCESS,
    POOL
  };
  if (!out || !p) return hip_done(hipErrorInvalidValue);
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  dev_range found = r ? *r : (dev_range){0};
  dev_unlock();
  if (!r) return hip_done(hipErrorInvalidValue);
  int device = on_device(found.kind);
  unsigned type = device ? 2 : 1;
  switch (attribute) {
  case MEMORY_TYPE: memcpy(out, &type, sizeof type); break;
  case HOST_POINTER:
    if (device) return hip_done(hipErrorInvalidValue);
    // fallthrough
  case DEVICE_POINTER: memcpy(out, &p, sizeof p); break;
  case MANAGED: *(char *)out = found.kind == RANGE_MANAGED; break;
  case ORDINAL: memset(out, 0, sizeof(int)); break;
  case START: memcpy(out, &found.base, sizeof found.base); break;
  case NUMBER: // no address is given out again before all others have been
    found.base >>= 12;
    memcpy(out, &found.base, sizeof found.base);
    break;
  case ALWAYS_WAITS: *(char *)out = 0; break;
  case SIZE: memcpy(out, &found.size, sizeof found.size); break;
  case MAPPED: *(char *)out = 1; break;
  case TOKENS:
  case OLD_HANDLES:
  case HANDLES:
  case DIRECT:
  case ACCESS:
  case POOL: return hip_done(hipErrorNotSupported);
  default: return hip_done(hipErrorInvalidValue);
  }
  return hipSuccess;
}

int hipDrvPointerGetAttributes(unsigned n, const int *attributes, void **out, void *p) {
  if (!n || !attributes || !out || !p) return hip_done(hipErrorInvalidValue);
  int last = hip_last;
  for (unsigned i = 0; i < n; i++)
    if (hipPointerGetAttribute(out[i], attributes[i], p))
      hip_last = last; // an attribute that is not there stays
  return hipSuccess;
}
