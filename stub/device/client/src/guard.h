// Accesses of the program's own to memory that the device has too, for a service that wants to know of those
// that nothing orders with what the device does (exec --check=host). transport.h includes it.
//
// From when the device gets work to when the program has waited for all of it, such memory is closed to the
// program: an access faults, is told of, and is executed alone. What system calls access for the program
// faults likewise, and they fail.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include "access.h"

// A dev_area is memory that is open to the program, or was until the device got work.
typedef struct {
  uint64_t base, end;
  int closed;
  unsigned told; // accesses since it was closed
} dev_area;

enum { DEV_MOST_TOLD = 4096, DEV_STEPPED = 4 };
static dev_area *dev_areas;
static int dev_working; // the device has work that the program has not waited for
static size_t dev_area_count, dev_area_room;
static struct sigaction dev_before[2]; // what SIGSEGV and SIGTRAP did
static _Thread_local uint64_t dev_stepped[DEV_STEPPED]; // pages that are open for one instruction
static _Thread_local int dev_stepping;

static dev_area *dev_area_of(uint64_t addr) {
  for (size_t i = 0; i < dev_area_count; i++)
    if (addr - dev_areas[i].base < dev_areas[i].end - dev_areas[i].base) return &dev_areas[i];
  return NULL;
}

static void dev_protect(uint64_t base, uint64_t end, int open) {
  mprotect((void *)(uintptr_t)base, end - base, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

// dev_close_areas is called before the device gets work, dev_open_areas when the program has waited for all
// of it.
static void dev_close_areas(void) {
  dev_working = 1;
  for (size_t i = 0; i < dev_area_count; i++) {
    dev_area *a = &dev_areas[i];
    a->told = 0;
    if (!a->closed) dev_protect(a->base, a->end, 0);
    a->closed = 1;
  }
}

static void dev_open_areas(void) {
  dev_working = 0;
  for (size_t i = 0; i < dev_area_count; i++) {
    dev_area *a = &dev_areas[i];
    if (a->closed) dev_protect(a->base, a->end, 1);
    a->closed = 0;
  }
}

static void dev_forget_areas(void) { dev_area_count = 0, dev_working = 0; }

// dev_watch_area watches memory that is opened to the program, or does so no more.
static void dev_watch_area(uint64_t base, uint64_t end, int open) {
  if (!(dev.checked & CHECK_HOST)) return;
  size_t i = 0;
  while (i < dev_area_count && dev_areas[i].base != base) i++;
  if (!open) {
    if (i < dev_area_count) dev_areas[i] = dev_areas[--dev_area_count];
    return;
  }
  if (i == dev_area_count && dev_area_count == dev_area_room) {
    dev_area_room = dev_area_room * 2 + 64;
    if (!(dev_areas = realloc(dev_areas, dev_area_room * sizeof *dev_areas))) abort();
  }
  if (i == dev_area_count) dev_area_count++;
  dev_areas[i] = (dev_area){.base = base, .end = end, .closed = dev_working};
  if (dev_working) dev_protect(base, end, 0);
}

// dev_accessing finds the place in the program that accesses memory by itself: what a function of the C
// library does is done where that is called. pc is the instruction.
static dev_caller dev_accessing(uintptr_t pc) {
  dev_caller c = {0};
#ifdef __GLIBC__
  void *frames[32];
  Dl_info own, libc, at;
  int n = dladdr((void *)dev_accessing, &own) && dladdr((void *)printf, &libc) ? backtrace(frames, 32) : 0;
  for (int i = 0; i < n && !c.file; i++) {
    if (!dladdr(frames[i], &at) || !at.dli_fname || at.dli_fbase == own.dli_fbase ||
        at.dli_fbase == libc.dli_fbase)
      continue;
    c.file = realpath(strchr(at.dli_fname, '/') ? at.dli_fname : "/proc/self/exe", NULL);
    c.pc = (uint64_t)(uintptr_t)frames[i] + ((uintptr_t)frames[i] == pc); // places lie behind the instruction
    c.base = (uint64_t)(uintptr_t)at.dli_fbase;
  }
#endif
  return c;
}

static uintptr_t dev_pc_of(const ucontext_t *u) {
#if defined __x86_64__
  return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (uintptr_t)u->uc_mcontext.pc;
#else
  return 0;
#endif
}

// dev_tell_access tells of an access of the program's to some bytes.
static void dev_tell_access(uint64_t addr, uint64_t bytes, int writes, uintptr_t pc) {
  dev_lock();
  dev_caller c = dev_accessing(pc);
  dev_begin();
  uint64_t fields[] = {dev_host_stream, (uint64_t)writes, addr, bytes, 1, bytes, 1, bytes};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) put_u64(fields[i]);
  put_place(&c);
  dev_request(OP_TOUCH);
  free(c.file);
  dev_unlock();
}

// dev_tell_crash tells of an access to memory that is the device's alone.
static void dev_tell_crash(uint64_t addr, uintptr_t pc) {
  dev_lock();
  dev_caller c = dev_accessing(pc);
  dev_begin();
  put_u64(CHECK_API);
  put_bytes("", 0);
  const char *text = "the program itself accesses memory that is the device's alone";
  put_bytes(text, strlen(text));
  put_u64(addr);
  put_u64(1);
  put_place(&c);
  put_u64(0);
  dev_request(OP_MISUSE);
  free(c.file);
  dev_unlock();
}

// dev_pass_on does what a signal did before.
static void dev_pass_on(const struct sigaction *before, int sig, siginfo_t *info, void *context) {
  if (before->sa_flags & SA_SIGINFO) before->sa_sigaction(sig, info, context);
  else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) before->sa_handler(sig);
  else sigaction(sig, before, NULL); // the instruction is executed again
}

static void dev_on_fault(int sig, siginfo_t *info, void *context) {
  int error = errno;
  uint64_t addr = (uintptr_t)info->si_addr;
  ucontext_t *u = context;
  dev_area *a = dev_area_of(addr);
  if (!a) {
    if (dev.checked & CHECK_API && !dev_held && dev.fd >= 0 && dev_in_heap(addr) && info->si_code > 0)
      dev_tell_crash(addr, dev_pc_of(u));
    dev_pass_on(&dev_before[0], sig, info, context);
    errno = error;
    return;
  }
  uint64_t page = addr & ~(uint64_t)(DEV_PAGE_SIZE - 1);
  int step = 0, writes = 0;
#ifdef __x86_64__
  enum { WRITE = 2, TRAP_FLAG = 0x100 };
  writes = (u->uc_mcontext.gregs[REG_ERR] & WRITE) != 0;
  step = dev_stepping < DEV_STEPPED && a->told < DEV_MOST_TOLD;
#endif
  if (a->closed && !dev_held && dev.fd >= 0) {
    a->told++;
    // What lies in another page faults by itself, and of it is only known where it begins.
    uint64_t bytes = dev_stepping || !dev_pc_of(u) ? 1 : dev_access_bytes((const uint8_t *)dev_pc_of(u));
    uint64_t left = page + DEV_PAGE_SIZE - addr;
    dev_tell_access(addr, bytes < left ? bytes : left, writes, dev_pc_of(u));
  }
  dev_protect(page, page + DEV_PAGE_SIZE, 1);
  if (step) {
    dev_stepped[dev_stepping++] = page;
#ifdef __x86_64__
    u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
#endif
  }
  errno = error;
}

// dev_on_step closes again what one instruction was let access.
static void dev_on_step(int sig, siginfo_t *info, void *context) {
  if (!dev_stepping) {
    dev_pass_on(&dev_before[1], sig, info, context);
    return;
  }
  int error = errno;
  for (; dev_stepping > 0; dev_stepping--) {
    uint64_t page = dev_stepped[dev_stepping - 1];
    dev_area *a = dev_area_of(page);
    if (a && a->closed) dev_protect(page, page + DEV_PAGE_SIZE, 0);
  }
#ifdef __x86_64__
  enum { TRAP_FLAG = 0x100 };
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(long long)TRAP_FLAG;
#endif
  errno = error;
}

// dev_guard begins to look at accesses of the program's own, once in a process.
static void dev_guard(void) {
  static int guarded;
  if (!(dev.checked & (CHECK_API | CHECK_HOST)) || guarded) return;
  guarded = 1;
#ifdef __GLIBC__
  void *frame;
  backtrace(&frame, 1); // so that what it needs is loaded before a signal comes
#endif
  struct sigaction fault = {.sa_sigaction = dev_on_fault, .sa_flags = SA_SIGINFO},
                   step = {.sa_sigaction = dev_on_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &fault, &dev_before[0]);
  sigaction(SIGTRAP, &step, &dev_before[1]);
}
