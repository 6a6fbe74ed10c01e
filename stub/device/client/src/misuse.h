// What the program does wrong by its calls, for a service that wants to know (exec --check=api, leak): calls
// that fail, handles of what is no more, copies whose source changes before they are done. transport.h
// includes it.
#pragma once

// A dev_told is another place that something wrong has to do with: "made".
typedef struct {
  const char *label;
  const dev_caller *at;
} dev_told;

enum { DEV_TOLD = 2 };

// dev_called_as gives the name by which a place in the program knows a function that has several; NULL if
// they have one each.
static const char *(*dev_called_as)(const char *name, uint64_t pc);

// dev_wrong tells of something wrong that a call does, and of the memory that it is about, if that has an
// address. called is what the function of the API is called, NULL if the name of what was called is known by
// itself.
static void dev_wrong(int check, const char *called, const char *what, uint64_t address, uint64_t size,
                      const dev_told *others) {
  if (!(dev.checked & check) || dev.fd < 0) return;
  dev_lock();
  dev_caller from = dev_from();
  if (!called) called = from.called ? from.called : "";
  if (dev_called_as) called = dev_called_as(called, from.pc);
  dev_begin();
  put_u64((uint64_t)check);
  put_bytes(called, strlen(called));
  put_bytes(what, strlen(what));
  put_u64(address);
  put_u64(size);
  put_place(&from);
  uint64_t n = 0;
  while (others && n < DEV_TOLD && others[n].label) n++;
  put_u64(n);
  for (uint64_t i = 0; i < n; i++) {
    put_bytes(others[i].label, strlen(others[i].label));
    put_place(others[i].at);
  }
  dev_request(OP_MISUSE);
  free(from.file);
  dev_unlock();
}

// Things are what the program has handles of. Of those that are no more it is remembered where they went,
// until another has their address; to that end their memory is kept for a while: dev_drop.

typedef struct dev_thing {
  uint64_t handle;
  const char *kind;
  dev_caller made, gone;
  int is_gone;
  struct dev_thing *next;
} dev_thing;

enum { DEV_THINGS = 4096, DEV_DROPPED = 16384 };
static dev_thing *dev_things[DEV_THINGS];

static dev_thing **dev_thing_slot(uint64_t handle) { return &dev_things[(handle >> 4) % DEV_THINGS]; }

static dev_thing *dev_thing_of(uint64_t handle) {
  dev_thing *t = *dev_thing_slot(handle);
  while (t && t->handle != handle) t = t->next;
  return t;
}

// dev_made says that there is a thing of a kind, which has a handle.
static void dev_made(const char *kind, uint64_t handle) {
  if (!(dev.checked & (CHECK_API | CHECK_LEAK)) || !handle) return;
  dev_lock();
  dev_thing *t = dev_thing_of(handle);
  if (!t) {
    if (!(t = calloc(1, sizeof *t))) abort();
    t->handle = handle;
    t->next = *dev_thing_slot(handle);
    *dev_thing_slot(handle) = t;
  }
  free(t->made.file), free(t->gone.file);
  t->kind = kind;
  t->is_gone = 0;
  t->made = dev_from();
  t->gone = (dev_caller){0};
  dev_unlock();
}

// dev_gone says that it is no more.
static void dev_gone(uint64_t handle) {
  if (!(dev.checked & (CHECK_API | CHECK_LEAK))) return;
  dev_lock();
  dev_thing *t = dev_thing_of(handle);
  if (t && !t->is_gone) {
    t->is_gone = 1;
    t->gone = dev_from();
  }
  dev_unlock();
}

// dev_a is the article before a word.
static const char *dev_a(const char *word) { return strchr("aeiou", *word) ? "an" : "a"; }

// dev_no_thing tells of a handle that is none of a kind; text is how that begins.
static void dev_no_thing(const char *called, const char *kind, uint64_t handle, const char *begin) {
  if (!(dev.checked & CHECK_API)) return;
  dev_lock();
  dev_thing *t = dev_thing_of(handle);
  char text[1200];
  if (!handle) snprintf(text, sizeof text, "%sno %s is given", begin, kind);
  else if (!t) snprintf(text, sizeof text, "%s%#llx is no %s", begin, (unsigned long long)handle, kind);
  else if (t->is_gone) snprintf(text, sizeof text, "%sthe %s is no more", begin, t->kind);
  else
    snprintf(text, sizeof text, "%sthe handle of %s %s is given for %s %s", begin, dev_a(t->kind), t->kind,
             dev_a(kind), kind);
  dev_told others[DEV_TOLD + 1] = {{t ? "made" : NULL, t ? &t->made : NULL},
                                   {t && t->is_gone ? "gone" : NULL, t ? &t->gone : NULL}};
  dev_wrong(CHECK_API, called, text, 0, 0, others);
  dev_unlock();
}

// dev_is_thing reports whether a handle is that of a thing of a kind, and tells of it if it is not. Where
// nobody wants to know it is.
static int dev_is_thing(const char *called, const char *kind, uint64_t handle) {
  if (!(dev.checked & CHECK_API)) return 1;
  dev_lock();
  dev_thing *t = dev_thing_of(handle);
  int is = t && !t->is_gone && !strcmp(t->kind, kind);
  if (!is) dev_no_thing(called, kind, handle, "uses what is not there: ");
  dev_unlock();
  return is;
}

// dev_drop frees the memory of a thing: at once, or if somebody wants to know of uses of what is gone when
// many others have followed.
static void dev_drop(void *p) {
  static void *dropped[DEV_DROPPED];
  static size_t next;
  if (dev.checked & CHECK_API) {
    dev_lock();
    void *oldest = dropped[next];
    dropped[next] = p;
    next = (next + 1) % DEV_DROPPED;
    dev_unlock();
    p = oldest;
  }
  free(p);
}

// dev_left tells of the things that the program leaves behind, but for those of a kind that is told of
// otherwise.
static void dev_left(int check, const char *called, const char *what, const char *but) {
  if (!(dev.checked & check) || dev.fd < 0) return;
  for (size_t i = 0; i < DEV_THINGS; i++)
    for (dev_thing *t = dev_things[i]; t; t = t->next) {
      if (t->is_gone || (but && !strcmp(t->kind, but))) continue;
      char text[256];
      snprintf(text, sizeof text, "%s: %s %s", what, dev_a(t->kind), t->kind);
      dev_told others[DEV_TOLD + 1] = {{"made", &t->made}};
      dev_wrong(check, called, text, 0, 0, others);
    }
}

// Why a call is about to fail, as far as that is known where it is noticed.
static _Thread_local struct {
  char text[512]; // "" for nothing
  uint64_t address, size;
  const char *kind; // of a handle, NULL if it is none
  uint64_t handle;
} dev_reason;

static void dev_because(uint64_t address, uint64_t size, const char *format, ...) {
  if (!(dev.checked & CHECK_API)) return;
  va_list list;
  va_start(list, format);
  vsnprintf(dev_reason.text, sizeof dev_reason.text, format, list);
  va_end(list);
  dev_reason.address = address;
  dev_reason.size = size;
}

// dev_because_of says that a handle is none of a kind.
static void dev_because_of(const char *kind, const void *handle) {
  dev_reason.kind = kind;
  dev_reason.handle = (uintptr_t)handle;
}

static void dev_forget_reason(void) {
  dev_reason.text[0] = 0;
  dev_reason.kind = NULL;
}

// dev_fails tells of a call that fails, with the error's name.
static void dev_fails(const char *called, const char *error) {
  if (!(dev.checked & CHECK_API)) return;
  char text[1024];
  if (dev_reason.kind) {
    snprintf(text, sizeof text, "fails with %s: ", error);
    dev_no_thing(called, dev_reason.kind, dev_reason.handle, text);
  } else {
    int why = dev_reason.text[0] != 0;
    snprintf(text, sizeof text, "fails with %s%s%s", error, why ? ": " : "", dev_reason.text);
    dev_wrong(CHECK_API, called, text, why ? dev_reason.address : 0, dev_reason.size, NULL);
  }
  dev_forget_reason();
}

// dev_has_host reports whether the program has memory at all of some addresses, so that a copy does not
// crash.
static int dev_has_host(const void *p, size_t size) {
  if (!(dev.checked & CHECK_API) || !size) return 1;
  uintptr_t from = (uintptr_t)p & ~(uintptr_t)(DEV_PAGE_SIZE - 1);
  return !msync((void *)from, (uintptr_t)p + size - from, MS_ASYNC) || errno != ENOMEM;
}

// Copies that the program need not wait for, of memory of its own: what that holds must stay until they are
// done.

typedef struct dev_pending {
  uint64_t ticket;
  const unsigned char *at;
  unsigned char *copy;
  size_t size;
  int writes;
  dev_caller from;
  struct dev_pending *next;
} dev_pending;

enum { DEV_MOST_PENDING = 1 << 24 }; // bytes that are remembered of one
static dev_pending *dev_pendings;

// dev_moves remembers a copy of or to the program's memory, by a ticket.
static void dev_moves(uint64_t ticket, const void *at, size_t size, int writes) {
  if (!(dev.checked & CHECK_API) || !ticket || dev_in_heap((uintptr_t)at) || !size || size > DEV_MOST_PENDING)
    return;
  dev_pending *p = calloc(1, sizeof *p);
  if (!p || !(p->copy = malloc(size))) abort();
  memcpy(p->copy, at, size);
  *p = (dev_pending){ticket, at, p->copy, size, writes, dev_from(), dev_pendings};
  dev_pendings = p;
}

static int dev_seen(uint64_t ticket);

// dev_arrived looks at the copies that the host has waited for, each once.
static void dev_arrived(void) {
  for (dev_pending **at = &dev_pendings, *p; (p = *at);) {
    if (!dev_seen(p->ticket)) {
      at = &p->next;
      continue;
    }
    *at = p->next;
    size_t i = 0;
    while (i < p->size && p->at[i] == p->copy[i]) i++;
    if (i < p->size) {
      dev_told others[DEV_TOLD + 1] = {{"copied", &p->from}};
      char text[256];
      snprintf(text, sizeof text,
               "the program has changed byte %zu of what a copy %s before it had waited for the copy", i,
               p->writes ? "writes to" : "reads from");
      dev_wrong(CHECK_API, "", text, (uintptr_t)p->at, p->size, others);
    }
    free(p->from.file), free(p->copy), free(p);
  }
}
