// What the files of the Vulkan driver share: objects, and what finds them again. vk.h has Vulkan's own
// declarations, as far as they are used.
#pragma once

#include "transport.h"
#include "vk.h"
#include "vk_tables.h"

#include <time.h>

// Handles are addresses of objects. Those of what functions are dispatched by begin with a word for the
// loader ("Architecture of the Vulkan Loader Interfaces", Loader and Driver Interface).
#define VK_OBJECT(type, handle) ((struct type *)(uintptr_t)(handle))
#define VK_HANDLE(pointer) ((uint64_t)(uintptr_t)(pointer))
enum { VK_LOADER_MAGIC = 0x01CDC0DE, VULKAN_VERSION = 1 << 22 | 3 << 12 | 239 };

enum {
  VK_SETS = 8,        // descriptor sets that are bound at a time
  VK_PUSH = 256,      // bytes of push constants
  VK_FAMILIES = 2,    // of queues: for compute and transfers, and for transfers
  VK_QUEUES = 4,      // of a family
  VK_DYNAMIC = 64,    // dynamic offsets of a set
  VK_TYPES = 4,       // of memory
  VK_ALIGNMENT = 16,  // of buffers, and of what is bound of them
  RANGE_MEMORY = 1,   // kinds of dev_range
  RANGE_IMPORTED = 2,
};

struct VkPhysicalDevice_T {
  uintptr_t magic;
};

struct VkInstance_T {
  uintptr_t magic;
  struct VkPhysicalDevice_T physical;
};

// A device. vk_mutex guards what changes.
struct VkDevice_T {
  uintptr_t magic;
  int lost, ending, robust;
  struct VkQueue_T *queues[VK_FAMILIES][VK_QUEUES];
};

struct vk_memory {
  uint64_t base, size;
  unsigned type;
  int imported;
};

struct vk_buffer {
  uint64_t size, address;
};

struct vk_binding {
  uint32_t number, type, count, first, dynamic; // first: in the set, dynamic: of the set's dynamic offsets
  int variable;
  uint64_t *samplers; // that the layout has, or NULL
};

// A layout of sets lives while the program, layouts of pipelines and sets have it.
struct vk_set_layout {
  int holders; // by atomics
  uint32_t count, descriptors, dynamics, inline_bytes;
  struct vk_binding *bindings; // by number
};

// A descriptor is what is bound: no bytes if nothing is, in spite of `written`.
struct vk_descriptor {
  uint32_t type;
  int written;
  uint64_t address, range;
};

struct vk_set {
  struct vk_set_layout *layout;
  struct vk_pool *pool;
  struct vk_set *next;
  uint64_t inline_base; // memory of inline uniform blocks, 0 if there are none
  uint32_t descriptors;
  struct vk_descriptor all[];
};

struct vk_pool {
  struct vk_set *sets;
  uint32_t count, most;
};

struct vk_layout {
  uint32_t count;
  struct vk_set_layout *sets[VK_SETS];
};

struct vk_shader {
  size_t size;
  uint32_t code[];
};

struct vk_pipeline {
  uint64_t module, kernel, lds, scratch;
  uint32_t size[3], subgroup;
  int robust;
  char *entry, *shader_name; // of the shader, "" if it has none
  uint32_t sets;             // of its layout
};

// What a queue had done when it signalled, for a service that wants to know of the order of work.
struct vk_done {
  uint64_t queue, ticket; // 0 if the host has signalled
};

struct vk_semaphore {
  int timeline;
  uint64_t value; // of a binary one 0 or 1
  struct vk_done done;
};

struct vk_fence {
  int signalled;
  struct vk_done done;
};

struct vk_event {
  int set;
};

struct vk_query_pool {
  uint32_t count;
  struct {
    uint64_t value;
    int available;
  } all[];
};

static pthread_mutex_t vk_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t vk_changed = PTHREAD_COND_INITIALIZER; // anything that somebody may wait for

static void *vk_new(size_t size) {
  void *p = calloc(1, size);
  if (!p) {
    dev_say("out of memory");
    abort();
  }
  return p;
}

static void *vk_copy(const void *from, size_t size) {
  void *p = vk_new(size ? size : 1);
  if (size) memcpy(p, from, size);
  return p;
}

// vk_find finds a struct in a chain, or NULL.
static const void *vk_find(const void *chain, VkStructureType type) {
  const VkBaseInStructure *s = chain;
  while (s && s->sType != type) s = s->pNext;
  return s;
}

// vk_list gives a list as the API gives lists: their number, or as many as there is room for.
static VkResult vk_list(uint32_t *count, void *to, const void *from, uint32_t n, size_t size) {
  if (!to) {
    *count = n;
    return VK_SUCCESS;
  }
  uint32_t room = *count < n ? *count : n;
  memcpy(to, from, room * size);
  *count = room;
  return room < n ? VK_INCOMPLETE : VK_SUCCESS;
}

static uint64_t vk_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// vk_wait waits until something has changed, or a time by vk_now has come. It wants vk_mutex. It is 0 if the
// time has come.
static int vk_wait(uint64_t until) {
  if (until == UINT64_MAX) return pthread_cond_wait(&vk_changed, &vk_mutex), 1;
  uint64_t now = vk_now();
  if (now >= until) return 0;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  uint64_t left = until - now + (uint64_t)t.tv_nsec;
  t.tv_sec += (time_t)(left / 1000000000u);
  t.tv_nsec = (long)(left % 1000000000u);
  pthread_cond_timedwait(&vk_changed, &vk_mutex, &t);
  return 1;
}

// vk_until is the time that so many nanoseconds from now are at.
static uint64_t vk_until(uint64_t nanoseconds) {
  uint64_t now = vk_now();
  return nanoseconds > UINT64_MAX - now ? UINT64_MAX : now + nanoseconds;
}

// vk_lose makes a device lost: what it waits for comes no more.
static void vk_lose(struct VkDevice_T *d) {
  pthread_mutex_lock(&vk_mutex);
  d->lost = 1;
  pthread_cond_broadcast(&vk_changed);
  pthread_mutex_unlock(&vk_mutex);
}

// Data that programs attach to objects: names, and private data, by object and slot (0 for names).
struct vk_attached {
  uint64_t object, slot, value; // a name is an address
  struct vk_attached *next;
};
enum { VK_BUCKETS = 1024 };
static struct vk_attached *vk_attachments[VK_BUCKETS]; // under vk_mutex

static struct vk_attached **vk_bucket(uint64_t object) { return &vk_attachments[(object >> 4) % VK_BUCKETS]; }

static struct vk_attached *vk_attached(uint64_t object, uint64_t slot, int make) {
  struct vk_attached **at = vk_bucket(object);
  for (struct vk_attached *a = *at; a; a = a->next)
    if (a->object == object && a->slot == slot) return a;
  if (!make) return NULL;
  struct vk_attached *a = vk_new(sizeof *a);
  *a = (struct vk_attached){object, slot, 0, *at};
  return *at = a;
}

// vk_detach frees what is attached to an object, or by a slot, in a bucket.
static void vk_detach(struct vk_attached **at, uint64_t object, uint64_t slot) {
  for (struct vk_attached *a; (a = *at);) {
    if (a->object != object && (!slot || a->slot != slot)) {
      at = &a->next;
      continue;
    }
    *at = a->next;
    if (!a->slot) free((void *)(uintptr_t)a->value);
    free(a);
  }
}

enum { VK_NAME = 256 }; // bytes of a name

// vk_name writes what the program calls an object, or "".
static void vk_name(uint64_t object, char to[VK_NAME]) {
  pthread_mutex_lock(&vk_mutex);
  struct vk_attached *a = vk_attached(object, 0, 0);
  snprintf(to, VK_NAME, "%s", a && a->value ? (const char *)(uintptr_t)a->value : "");
  pthread_mutex_unlock(&vk_mutex);
}

// vk_forget forgets what is attached to an object that goes: another may get its address.
static void vk_forget(uint64_t object) {
  pthread_mutex_lock(&vk_mutex);
  vk_detach(vk_bucket(object), object, 0);
  pthread_mutex_unlock(&vk_mutex);
}
