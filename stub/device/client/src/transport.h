// The client's side of the device service's protocol (Go package device has its
// description): connecting, messages, the shared heap, the table of allocations,
// and what kernels printed. Libraries include it; it needs nothing but libc.
//
// dev_lock guards everything here. Functions that begin with dev_ want it held.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#ifdef __GLIBC__
#include <execinfo.h>
#endif
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "protocol.h"

// A buffer is a message that is written, or one that is read from `at` on.
typedef struct {
  unsigned char *data;
  size_t size, room, at;
  int bad; // a field was not there
  const void *lent; // bytes that are sent from where they are, before those from lent_at on
  size_t lent_size, lent_at;
} dev_buffer;

// An allocation of the device's memory.
typedef struct {
  uint64_t base, size;
  int kind; // the library's own, as what follows
  unsigned flags;
  void *own;
} dev_range;

// The thread that has the lock may take it again, to tell of what the program does wrong.
#define DEV_MUTEX_AT_FIRST PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
static pthread_mutex_t dev_mutex = DEV_MUTEX_AT_FIRST;
static struct {
  int fd;    // -1: not connected
  int tried; // a connection was tried by this process
  uint64_t base, size, memory;
  unsigned char *heap; // the whole heap; programs reach what was opened to them at its address
  char processor[64];
  int ordered; // the service wants to know what orders work
  int checked; // and what it wants to know besides: CHECK_…
  dev_buffer out, in;
  dev_range *ranges; // by address
  size_t range_count, range_room;
  uint64_t condition; // of the device, as it was last known
  uint64_t finished;  // the ticket up to which it has done all work, likewise
  char message[4096]; // what the last refusal said
} dev = {.fd = -1};

static int dev_wanted; // threads that want the lock and do not have it

static _Thread_local int dev_held; // how often this thread has the lock

static void dev_lock(void) {
  __atomic_add_fetch(&dev_wanted, 1, __ATOMIC_RELAXED);
  pthread_mutex_lock(&dev_mutex);
  __atomic_sub_fetch(&dev_wanted, 1, __ATOMIC_RELAXED);
  dev_held++;
}

// dev_is_wanted reports whether other threads wait for the lock.
static int dev_is_wanted(void) { return __atomic_load_n(&dev_wanted, __ATOMIC_RELAXED) > 0; }
static void dev_unlock(void) {
  dev_held--;
  pthread_mutex_unlock(&dev_mutex);
}

static void dev_say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "simtgdb: ");
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

// Fields of messages.

static void dev_reserve(dev_buffer *b, size_t more) {
  if (b->size + more <= b->room) return;
  size_t room = (b->size + more) * 2 + 256;
  unsigned char *data = realloc(b->data, room);
  if (!data) {
    dev_say("out of memory");
    abort();
  }
  b->data = data;
  b->room = room;
}

static void put_u64(uint64_t v) {
  dev_reserve(&dev.out, 8);
  memcpy(dev.out.data + dev.out.size, &v, 8); // hosts are little-endian
  dev.out.size += 8;
}

static void put_bytes(const void *p, size_t n) {
  put_u64(n);
  size_t padded = (n + 7) & ~(size_t)7;
  dev_reserve(&dev.out, padded);
  if (n) memcpy(dev.out.data + dev.out.size, p, n);
  memset(dev.out.data + dev.out.size + n, 0, padded - n);
  dev.out.size += padded;
}

// put_lent is put_bytes of what stays where it is until the request has been made. Modules of libraries have
// hundreds of megabytes. A request has one of these at most.
static void put_lent(const void *p, size_t n) {
  put_u64(n);
  dev.out.lent = p;
  dev.out.lent_size = n;
  dev.out.lent_at = dev.out.size;
  const size_t padding = -n & 7;
  dev_reserve(&dev.out, padding);
  memset(dev.out.data + dev.out.size, 0, padding);
  dev.out.size += padding;
}

static uint64_t get_u64(void) {
  uint64_t v = 0;
  if (dev.in.size - dev.in.at < 8) {
    dev.in.bad = 1;
    return 0;
  }
  memcpy(&v, dev.in.data + dev.in.at, 8);
  dev.in.at += 8;
  return v;
}

// get_bytes gives a string in place: it is good until the next request.
static const char *get_bytes(size_t *size) {
  uint64_t n = get_u64(), padded = (n + 7) & ~(uint64_t)7;
  *size = 0;
  if (n > dev.in.size || padded > dev.in.size - dev.in.at) {
    dev.in.bad = 1;
    return "";
  }
  const char *p = (const char *)dev.in.data + dev.in.at;
  dev.in.at += padded;
  *size = n;
  return p;
}

// get_string copies a string.
static char *get_string(void) {
  size_t n;
  const char *p = get_bytes(&n);
  char *copy = malloc(n + 1);
  if (!copy) abort();
  memcpy(copy, p, n);
  copy[n] = 0;
  return copy;
}

// Messages.

static void dev_close(void) {
  if (dev.fd >= 0) close(dev.fd);
  dev.fd = -1;
}

static int dev_send(const void *p, size_t n) {
  while (n > 0) {
    ssize_t done = send(dev.fd, p, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -1;
    p = (const char *)p + done;
    n -= (size_t)done;
  }
  return 0;
}

// dev_receive fills p. If fd is not NULL it takes a descriptor that comes along.
static int dev_receive(void *p, size_t n, int *fd) {
  while (n > 0) {
    struct iovec part = {p, n};
    union {
      struct cmsghdr header;
      char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd) {
      m.msg_control = &control;
      m.msg_controllen = sizeof control;
    }
    ssize_t done = recvmsg(dev.fd, &m, MSG_CMSG_CLOEXEC);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -1;
    struct cmsghdr *c = fd ? CMSG_FIRSTHDR(&m) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
      memcpy(fd, CMSG_DATA(c), sizeof *fd);
      fd = NULL;
    }
    p = (char *)p + done;
    n -= (size_t)done;
  }
  return 0;
}

// dev_begin starts a request; put_… adds its fields.
static void dev_begin(void) {
  dev.out.size = dev.out.lent_size = dev.out.lent_at = 0;
  put_u64(0); // the header
}

// dev_send_out sends the request.
static int dev_send_out(void) {
  const dev_buffer *b = &dev.out;
  return dev_send(b->data, b->lent_at) || dev_send(b->lent, b->lent_size) ||
         dev_send(b->data + b->lent_at, b->size - b->lent_at);
}

// dev_exchange sends the request and receives its answer, whose fields get_… take.
static enum dev_status dev_exchange(enum dev_op op, int *fd) {
  if (dev.fd < 0) return DEV_GONE;
  uint32_t length = (uint32_t)(dev.out.size + dev.out.lent_size - 8);
  uint16_t number = (uint16_t)op, status = 0;
  memcpy(dev.out.data, &length, 4);
  memcpy(dev.out.data + 4, &number, 2);
  memcpy(dev.out.data + 6, &status, 2);
  unsigned char header[8];
  if (dev_send_out() || dev_receive(header, 8, fd)) goto gone;
  memcpy(&length, header, 4);
  memcpy(&status, header + 6, 2);
  dev.in.size = dev.in.at = 0;
  dev.in.bad = 0;
  dev_reserve(&dev.in, length);
  if (dev_receive(dev.in.data, length, NULL)) goto gone;
  dev.in.size = length;
  if (status != DEV_DONE) {
    size_t n;
    const char *text = get_bytes(&n);
    snprintf(dev.message, sizeof dev.message, "%.*s", (int)n, text);
  }
  return (enum dev_status)status;
gone:
  dev_close();
  dev_say("the device service has gone");
  return DEV_GONE;
}

static void dev_close_areas(void);

static enum dev_status dev_request(enum dev_op op) {
  if (op == OP_LAUNCH || op == OP_DISPATCH || op == OP_COPY || op == OP_FILL) dev_close_areas();
  return dev_exchange(op, NULL);
}

static void (*dev_on_fork)(void); // is called in a child, by a library that has something to forget

static void dev_forget_areas(void);

// dev_forked makes a child forget its parent's device: it gets one of its own.
static void dev_forked(void) {
  dev_close();
  dev.tried = 0;
  dev.range_count = 0;
  dev.condition = dev.finished = 0;
  dev_wanted = 0;
  dev_forget_areas();
  dev_held = 0;
  if (dev.heap) munmap(dev.heap, dev.size), munmap((void *)dev.base, dev.size);
  dev.heap = NULL;
  pthread_mutex_t fresh = DEV_MUTEX_AT_FIRST;
  dev_mutex = fresh;
  if (dev_on_fork) dev_on_fork();
}

// dev_map maps the heap twice: whole, for this library, and at its own address,
// where nothing can be accessed yet: a host program that uses a pointer of the
// device by itself crashes, as it does where the device has its own memory.
static int dev_map(int fd) {
  dev.heap = mmap(NULL, dev.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (dev.heap == MAP_FAILED) {
    dev.heap = NULL;
    errno = ENOMEM;
    return -1;
  }
  void *at = (void *)(uintptr_t)dev.base;
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
  void *got = mmap(at, dev.size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
  if (got != at) {
    if (got != MAP_FAILED) munmap(got, dev.size);
    munmap(dev.heap, dev.size);
    dev.heap = NULL;
    errno = EEXIST;
    return -1;
  }
  madvise(dev.heap, dev.size, MADV_DONTDUMP);
  madvise(at, dev.size, MADV_DONTDUMP);
  return 0;
}

// dev_hello connects to the service, with a heap of a number among those of this process. It is -1 if there
// is no service, and 1 if the place of the heap is taken.
static int dev_hello(const char *client, uint64_t number) {
  const char *name = getenv("SIMTGDB_DEVICE");
  struct sockaddr_un addr = {.sun_family = AF_UNIX};
  if (!name || name[0] != '@' || strlen(name) >= sizeof addr.sun_path) return -1;
  dev.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (dev.fd < 0) return -1;
  memcpy(addr.sun_path, name, strlen(name));
  addr.sun_path[0] = 0; // the abstract namespace
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
  if (connect(dev.fd, (struct sockaddr *)&addr, length)) {
    dev_say("cannot connect to the device service: %s", strerror(errno));
    dev_close();
    return -1;
  }
  dev_begin();
  put_u64(DEV_VERSION);
  put_bytes(client, strlen(client));
  put_u64(number);
  int fd = -1;
  enum dev_status s = dev_exchange(OP_HELLO, &fd);
  if (s != DEV_DONE) {
    if (s != DEV_GONE) dev_say("the device service refuses: %s", dev.message);
    dev_close();
    return -1;
  }
  get_u64();
  dev.base = get_u64();
  dev.size = get_u64();
  dev.memory = get_u64();
  size_t n;
  const char *processor = get_bytes(&n);
  snprintf(dev.processor, sizeof dev.processor, "%.*s", (int)n, processor);
  uint64_t wants = get_u64();
  dev.ordered = (wants & CHECK_ORDER) != 0;
  dev.checked = (int)(wants & (CHECK_API | CHECK_HOST | CHECK_LEAK));
  int failed = dev_map(fd), reason = errno;
  close(fd);
  if (!failed) return 0;
  dev_close();
  if (reason == EEXIST) return 1;
  dev_say("cannot map the device's memory at %#llx: %s", (unsigned long long)dev.base, strerror(reason));
  return -1;
}

// dev_connect connects this process, once. It is 0 if there is a device.
static void dev_guard(void);

static int dev_connect(const char *client) {
  if (dev.fd >= 0) return 0;
  if (dev.tried) return -1;
  dev.tried = 1;
  static int once;
  if (!once) pthread_atfork(NULL, NULL, dev_forked);
  once = 1;
  enum { MOST = 8 };
  int result = 1;
  for (uint64_t number = 0; result == 1 && number < MOST; number++) result = dev_hello(client, number);
  if (!result) dev_guard();
  if (result == 1)
    dev_say("there is no room for the device's memory near %#llx", (unsigned long long)dev.base);
  return result;
}

// The table of allocations.

// range_index is where a range that begins at or after an address is, or would be.
static size_t range_index(uint64_t addr) {
  size_t lo = 0, hi = dev.range_count;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (dev.ranges[mid].base < addr) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// dev_find finds the allocation that has an address, or NULL.
static dev_range *dev_find(uint64_t addr) {
  size_t i = range_index(addr + 1);
  if (i == 0) return NULL;
  dev_range *r = &dev.ranges[i - 1];
  return addr - r->base < (r->size ? r->size : 1) ? r : NULL;
}

// dev_add enters an allocation. The pointer is good until the table changes.
static dev_range *dev_add(uint64_t base, uint64_t size, int kind) {
  if (dev.range_count == dev.range_room) {
    dev.range_room = dev.range_room * 2 + 64;
    dev.ranges = realloc(dev.ranges, dev.range_room * sizeof *dev.ranges);
    if (!dev.ranges) abort();
  }
  size_t i = range_index(base);
  memmove(dev.ranges + i + 1, dev.ranges + i, (dev.range_count - i) * sizeof *dev.ranges);
  dev.range_count++;
  dev.ranges[i] = (dev_range){.base = base, .size = size, .kind = kind};
  return &dev.ranges[i];
}

static void dev_remove(dev_range *r) {
  size_t i = (size_t)(r - dev.ranges);
  dev.range_count--;
  memmove(r, r + 1, (dev.range_count - i) * sizeof *r);
}

// dev_in_heap reports whether addresses are the heap's.
static int dev_in_heap(uint64_t addr) { return addr - dev.base < dev.size; }

// dev_host is where this library reaches an address: the heap by its own mapping.
static void *dev_host(uint64_t addr) {
  return dev_in_heap(addr) ? dev.heap + (addr - dev.base) : (void *)(uintptr_t)addr;
}

// A dev_caller is a place in the program, or in a library of others: where its call of this library returns
// to.
typedef struct {
  char *file; // NULL if it is not known
  uint64_t pc, base;
  uint64_t outer; // where the function returns to that calls, if that is in the same file; else 0
  const char *called; // the function of this library that it calls, NULL if it is not known
} dev_caller;

static _Thread_local uintptr_t dev_launching; // where the program says that it launches a kernel, or 0

// dev_from finds the place that the program has called from. The file is the caller's to free.
static dev_caller dev_from(void) {
  dev_caller c = {0};
#ifdef __GLIBC__
  void *frames[32];
  Dl_info own, at;
  int n = dladdr((void *)dev_from, &own) ? backtrace(frames, 32) : 0;
  for (int i = 0; i < n; i++) {
    if (!dladdr(frames[i], &at) || !at.dli_fname) continue;
    if (at.dli_fbase == own.dli_fbase) {
      c.called = at.dli_sname;
      continue;
    }
    if (strstr(at.dli_fname, "/libOpenCL.so") || strstr(at.dli_fname, "/libvulkan.so")) continue; // loaders
    void *place = dev_launching ? (void *)dev_launching : frames[i];
    if (place != frames[i] && (!dladdr(place, &at) || !at.dli_fname)) break;
    c.file = realpath(strchr(at.dli_fname, '/') ? at.dli_fname : "/proc/self/exe", NULL);
    c.pc = (uint64_t)(uintptr_t)place;
    c.base = (uint64_t)(uintptr_t)at.dli_fbase;
    if (place == frames[i] && i + 1 < n && dladdr(frames[i + 1], &own) && own.dli_fbase == at.dli_fbase)
      c.outer = (uint64_t)(uintptr_t)frames[i + 1];
    break;
  }
#endif
  return c;
}

static void put_place(const dev_caller *c) {
  int known = c && c->file;
  put_bytes(known ? c->file : "", known ? strlen(c->file) : 0);
  put_u64(known ? c->pc : 0);
  put_u64(known ? c->base : 0);
  put_u64(known ? c->outer : 0);
}

// put_caller says where the program, or a library of others, has called this one: the file, where that call
// returns to, and where the file begins in memory.
static void put_caller(void) {
  dev_caller c = dev_from();
  put_place(&c);
  free(c.file);
}

// dev_host_stream is of marks of what the host has waited for, and of its accesses.
static const uint64_t dev_host_stream = 1ull << 63;

#include "misuse.h"
#include "guard.h"

// dev_open lets the program itself access an allocation, or no more.
static int dev_open(uint64_t base, uint64_t size, int open) {
  uint64_t end = (base + size + DEV_PAGE_SIZE - 1) & ~(uint64_t)(DEV_PAGE_SIZE - 1);
  int failed = mprotect((void *)(uintptr_t)base, end - base, open ? PROT_READ | PROT_WRITE : PROT_NONE);
  if (!failed) dev_watch_area(base, end, open);
  return failed;
}

// dev_own says that what is allocated now is the library's own, not the program's.
static int dev_own;

// dev_alone says that the program cannot write by itself to what is allocated now, and that this library
// tells what it writes there.
static int dev_alone;

// dev_alloc allocates memory of the device; 0 and a status if there is none.
static uint64_t dev_alloc(uint64_t size, uint64_t align, int kind, enum dev_status *status) {
  dev_begin();
  put_u64(size);
  put_u64(align);
  put_u64((uint64_t)(dev_own | dev_alone << 1));
  put_caller();
  *status = dev_request(OP_ALLOC);
  if (*status != DEV_DONE) return 0;
  uint64_t addr = get_u64();
  dev_add(addr, size, kind);
  return addr;
}

// dev_free frees what begins at an address.
static enum dev_status dev_free(uint64_t addr) {
  dev_range *r = dev_find(addr);
  if (!r || r->base != addr) return DEV_NOT_FOUND;
  dev_begin();
  put_u64(addr);
  put_caller();
  enum dev_status s = dev_request(OP_FREE);
  if (s == DEV_DONE) dev_remove(r);
  return s;
}

static const uint64_t dev_so_far = UINT64_MAX; // the ticket of what was submitted so far

// dev_say_order says it. The answer is whether the host has waited for all, or for what ORDER_SEEN asks.
static int dev_say_order(enum dev_order kind, uint64_t stream, uint64_t other, uint64_t ticket) {
  dev_begin();
  put_u64((uint64_t)kind);
  put_u64(stream);
  put_u64(other);
  put_u64(ticket);
  return dev_request(OP_ORDER) == DEV_DONE && get_u64();
}

static int dev_seen(uint64_t ticket) { return dev_say_order(ORDER_SEEN, 0, 0, ticket); }

static void dev_order(enum dev_order kind, uint64_t stream, uint64_t other, uint64_t ticket) {
  if (!dev.ordered || dev.fd < 0) return;
  int waited = kind == HOST_STREAM || kind == HOST_WORK || kind == HOST_ALL;
  if (dev_say_order(kind, stream, other, ticket) && waited) dev_open_areas();
  if (dev_pendings && waited) dev_arrived();
}

// A dev_rows is rows of bytes at a pitch, in planes.
typedef struct {
  size_t width, height, pitch, depth, plane;
} dev_rows;

// dev_mark makes a work of a stream's that does nothing, for others to wait for. It gives the ticket, or 0.
static uint64_t dev_mark(uint64_t stream) {
  if (!dev.ordered || dev.fd < 0) return 0;
  dev_begin();
  put_u64(stream);
  for (int i = 0; i < 7; i++) put_u64(0);
  return dev_request(OP_TOUCH) == DEV_DONE ? get_u64() : 0;
}

// dev_touch says that this library accesses memory in a stream's place; called, that a function does so that
// the program has called. It gives the ticket, or 0 if nobody wants to know or the memory is not the
// device's.
static uint64_t dev_touch(uint64_t stream, int writes, uint64_t at, dev_rows r, int called) {
  if (!dev.ordered || dev.fd < 0 || !(dev_in_heap(at) || dev_find(at))) return 0;
  dev_begin();
  uint64_t fields[] = {stream, (uint64_t)writes, at, r.width, r.height, r.pitch, r.depth, r.plane};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) put_u64(fields[i]);
  if (called) put_caller();
  if (stream != dev_host_stream) dev_close_areas();
  return dev_request(OP_TOUCH) == DEV_DONE ? get_u64() : 0;
}

// dev_poll waits for some nanoseconds at most, 0 for any time, and prints what kernels have printed
// meanwhile. What went wrong on the device is said once; its condition is the answer.
static enum dev_status dev_poll(int kind, uint64_t id, uint64_t limit) {
  for (;;) {
    dev_begin();
    put_u64((uint64_t)kind);
    put_u64(id);
    put_u64(limit);
    enum dev_status s = dev_request(OP_WAIT);
    if (s != DEV_DONE) return s;
    uint64_t finished = get_u64();
    if (finished > dev.finished) dev.finished = finished;
    uint64_t condition = get_u64();
    size_t n;
    const char *what = get_bytes(&n);
    int length = (int)n;
    uint64_t count = get_u64();
    for (; count > 0 && !dev.in.bad; count--) {
      FILE *to = get_u64() ? stderr : stdout;
      const char *text = get_bytes(&n);
      fwrite(text, 1, n, to);
    }
    uint64_t more = get_u64();
    if (condition && !dev.condition) {
      fflush(stdout);
      dev_say("%.*s", length, what);
    }
    dev.condition = condition;
    if (!more) return (enum dev_status)condition;
    kind = WAIT_NOTHING;
  }
}

static enum dev_status dev_wait(int kind, uint64_t id) { return dev_poll(kind, id, 0); }
