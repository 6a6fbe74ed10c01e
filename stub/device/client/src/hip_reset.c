// What makes a device new: hipDeviceReset, and fork for the child.
#include "hip.h"

// hipDeviceReset makes the device new; what was registered is loaded again.
int hipDeviceReset(void) {
  dev_lock();
  int error = hipErrorNoDevice;
  if (!hip_connect()) {
    hip_idle();
    unregister_all();
    forget_mapped();
    dev_begin();
    error = hip_error(dev_request(OP_RESET));
    mprotect((void *)(uintptr_t)dev.base, dev.size, PROT_NONE);
    dev.range_count = 0;
    dev.condition = 0;
    for (hip_module *m = modules; m; m = m->next) unload_module(m);
  }
  dev_unlock();
  return hip_done(error);
}

// hip_forked forgets what the parent's device has: it is loaded again.
static void hip_forked(void) {
  disown_registrations();
  forget_queues();
  for (hip_module *m = modules; m; m = m->next) unload_module(m);
}

__attribute__((constructor)) static void await_forks(void) { dev_on_fork = hip_forked; }
