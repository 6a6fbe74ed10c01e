// Functions of Vulkan that look at how they are called first, for a service that wants to know what the
// program does wrong (exec --check=api, leak). They take the places of the others, which trust the program;
// what is not here is not looked at.
//
// Sources: the Vulkan specification's lists of valid usage; the Vulkan loader's interface to drivers, for
// which functions these are called by.
#include "vk_command.h"

// What something uses that must be there when it is executed: command buffers what was recorded, sets what is
// written in them, buffers their memory. Under dev_lock, as all here.
typedef struct vk_uses {
  uint64_t user, *all;
  size_t count, room;
  int state;      // of a command buffer
  uint32_t flags; // with which it was begun, or of a buffer what it is for
  struct vk_uses *next;
} vk_uses;

enum { INITIAL, RECORDING, EXECUTABLE };
enum { ONE_TIME = 1, SIMULTANEOUS = 4, FOR_COPY_FROM = 1, FOR_COPY_TO = 2, FOR_UNIFORM = 0x10,
  FOR_STORAGE = 0x20, FOR_INDIRECT = 0x100 };
static vk_uses *vk_users[VK_BUCKETS];

static vk_uses *vk_uses_of(uint64_t user) {
  vk_uses **at = &vk_users[(user >> 4) % VK_BUCKETS];
  for (vk_uses *u = *at; u; u = u->next)
    if (u->user == user) return u;
  vk_uses *u = vk_new(sizeof *u);
  u->user = user;
  u->next = *at;
  return *at = u;
}

static void vk_use(uint64_t user, uint64_t what) {
  vk_uses *u = vk_uses_of(user);
  if (!what) return;
  for (size_t i = 0; i < u->count; i++)
    if (u->all[i] == what) return;
  if (u->count == u->room) {
    u->room = u->room * 2 + 8;
    if (!(u->all = realloc(u->all, u->room * sizeof *u->all))) abort();
  }
  u->all[u->count++] = what;
}

// vk_find_use finds a thing that something uses, itself or by what it uses: one that is gone if what is 0.
static uint64_t vk_find_use(uint64_t user, uint64_t what, int depth) {
  enum { DEEPEST = 6 };
  if (what && user == what) return what;
  if (!what) {
    dev_thing *t = dev_thing_of(user);
    if (t && t->is_gone) return user;
  }
  vk_uses *u = vk_uses_of(user);
  for (size_t i = 0; i < u->count && depth < DEEPEST; i++) {
    uint64_t found = vk_find_use(u->all[i], what, depth + 1);
    if (found) return found;
  }
  return 0;
}

// What was submitted and the program does not know the end of.
typedef struct vk_submitted {
  VkQueue queue;
  uint64_t *buffers, fence;
  uint32_t buffer_count;
  VkSubmitInfo2 info; // with copies of its lists of semaphores
  dev_caller from;
  struct vk_submitted *next; // of those after it
} vk_submitted;
static vk_submitted *vk_all_submitted, **vk_last_submitted = &vk_all_submitted;

static void vk_is_known(vk_submitted *s);

// vk_known_up_to forgets what a queue has done up to a submission, of which the program knows now, and what
// that waited for.
static void vk_known_up_to(VkQueue q, const vk_submitted *last) {
  for (vk_submitted **at = &vk_all_submitted, *s; (s = *at);) {
    int is_last = s == last;
    if (s->queue != q) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    vk_is_known(s);
    if (is_last) break;
    at = &vk_all_submitted; // others may have gone
  }
  vk_last_submitted = &vk_all_submitted;
  while (*vk_last_submitted) vk_last_submitted = &(*vk_last_submitted)->next;
}

// vk_signals reports whether a submission signals a semaphore with a value that is at least so high.
static int vk_signals(const vk_submitted *s, uint64_t semaphore, uint64_t value) {
  for (uint32_t i = 0; i < s->info.signalSemaphoreInfoCount; i++) {
    const VkSemaphoreSubmitInfo *g = &s->info.pSignalSemaphoreInfos[i];
    int timeline = VK_OBJECT(vk_semaphore, semaphore)->timeline;
    if (g->semaphore == semaphore && (!timeline || g->value <= value)) return 1;
  }
  return 0;
}

// vk_known_signal forgets what came before a semaphore had a value.
static void vk_known_signal(uint64_t semaphore, uint64_t value) {
  vk_submitted *found = NULL;
  for (vk_submitted *s = vk_all_submitted; s; s = s->next)
    if (vk_signals(s, semaphore, value)) found = s;
  if (found) vk_known_up_to(found->queue, found);
}

static void vk_is_known(vk_submitted *s) {
  for (uint32_t i = 0; i < s->info.waitSemaphoreInfoCount; i++)
    vk_known_signal(s->info.pWaitSemaphoreInfos[i].semaphore, s->info.pWaitSemaphoreInfos[i].value);
  free((void *)s->info.pWaitSemaphoreInfos), free((void *)s->info.pSignalSemaphoreInfos);
  free(s->buffers), free(s->from.file), free(s);
}

static void vk_known_fence(uint64_t fence) {
  for (vk_submitted *s = vk_all_submitted; s; s = s->next)
    if (s->fence == fence) {
      vk_known_up_to(s->queue, s);
      return;
    }
}

// vk_in_use finds a submission that uses something, of which the program does not know that it is over.
static vk_submitted *vk_in_use(uint64_t what) {
  for (vk_submitted *s = vk_all_submitted; s; s = s->next) {
    if (s->fence == what) return s;
    for (uint32_t i = 0; i < s->info.waitSemaphoreInfoCount; i++)
      if (s->info.pWaitSemaphoreInfos[i].semaphore == what) return s;
    for (uint32_t i = 0; i < s->info.signalSemaphoreInfoCount; i++)
      if (s->info.pSignalSemaphoreInfos[i].semaphore == what) return s;
    for (uint32_t i = 0; i < s->buffer_count; i++)
      if (vk_find_use(s->buffers[i], what, 0)) return s;
  }
  return NULL;
}

// vk_wrong tells of something wrong; vk_says formats it.
static void vk_wrong(const char *called, const char *text) { dev_wrong(CHECK_API, called, text, 0, 0, NULL); }

__attribute__((format(printf, 2, 3))) static void vk_says(const char *called, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  vk_wrong(called, text);
}

// vk_not_idle tells of something that is changed or destroyed while the device may use it.
static void vk_not_idle(const char *called, const char *does, const char *kind, uint64_t what) {
  dev_lock();
  vk_submitted *s = vk_in_use(what);
  if (s) {
    char text[256];
    snprintf(text, sizeof text, "%s a %s that a submission uses which the program has not waited for", does,
             kind);
    dev_told others[DEV_TOLD + 1] = {{"submitted", &s->from}};
    dev_wrong(CHECK_API, called, text, 0, 0, others);
  }
  dev_unlock();
}

#define IS_THING(called, kind, handle) dev_is_thing(called, kind, (uint64_t)(uintptr_t)(handle))

// Objects that are made and destroyed by functions of one form.
#define VK_CHECKED_OBJECTS(X)                                                                                \
  X(Image, "image") X(ImageView, "image view") X(BufferView, "buffer view") X(Sampler, "sampler")            \
  X(DescriptorSetLayout, "layout of sets") X(PipelineLayout, "pipeline layout")                              \
  X(ShaderModule, "shader module") X(Fence, "fence") X(Semaphore, "semaphore") X(Event, "event")             \
  X(QueryPool, "query pool") X(DescriptorUpdateTemplate, "update template")                                  \
  X(PipelineCache, "pipeline cache") X(Buffer, "buffer") X(DescriptorPool, "descriptor pool")                \
  X(CommandPool, "command pool")

static void vk_made_of(const char *kind, uint64_t handle, const void *info) {
  dev_lock();
  dev_made(kind, handle);
  vk_uses *u = vk_uses_of(handle);
  u->count = 0;
  u->flags = !strcmp(kind, "buffer") ? ((const VkBufferCreateInfo *)info)->usage : 0;
  dev_unlock();
}

// vk_children_gone says that what belongs to a pool goes with it.
static void vk_children_gone(const char *kind, uint64_t pool) {
  if (!strcmp(kind, "descriptor pool"))
    for (struct vk_set *s = VK_OBJECT(vk_pool, pool)->sets; s; s = s->next) dev_gone(VK_HANDLE(s));
  if (!strcmp(kind, "command pool"))
    for (VkCommandBuffer b = VK_OBJECT(vk_command_pool, pool)->buffers; b; b = b->all) {
      vk_not_idle("vkDestroyCommandPool", "frees", "command buffer", VK_HANDLE(b));
      dev_gone(VK_HANDLE(b));
    }
}

#define X(type, kind)                                                                                        \
  static VkResult checked_vkCreate##type(VkDevice d, const Vk##type##CreateInfo *info,                       \
                                         const VkAllocationCallbacks *a, Vk##type *out) {                    \
    VkResult result = vkCreate##type(d, info, a, out);                                                       \
    if (!result) vk_made_of(kind, *out, info);                                                               \
    return result;                                                                                           \
  }                                                                                                          \
  static void checked_vkDestroy##type(VkDevice d, Vk##type it, const VkAllocationCallbacks *a) {             \
    if (!it || !dev_is_thing("vkDestroy" #type, kind, it)) return;                                           \
    vk_not_idle("vkDestroy" #type, "destroys", kind, it);                                                    \
    vk_children_gone(kind, it);                                                                              \
    dev_gone(it);                                                                                            \
    vkDestroy##type(d, it, a);                                                                               \
  }
VK_CHECKED_OBJECTS(X)
#undef X

// Memory.

static VkResult checked_vkAllocateMemory(VkDevice d, const VkMemoryAllocateInfo *info,
                                         const VkAllocationCallbacks *a, VkDeviceMemory *out) {
  VkResult result = vkAllocateMemory(d, info, a, out);
  if (!result) vk_made_of("memory", *out, info);
  return result;
}

static void checked_vkFreeMemory(VkDevice d, VkDeviceMemory m, const VkAllocationCallbacks *a) {
  if (!m || !IS_THING("vkFreeMemory", "memory", m)) return;
  vk_not_idle("vkFreeMemory", "frees", "memory", m);
  dev_gone(m);
  vkFreeMemory(d, m, a);
}

static VkResult checked_vkMapMemory(VkDevice d, VkDeviceMemory handle, VkDeviceSize at, VkDeviceSize size,
                                    VkMemoryMapFlags flags, void **to) {
  static const char called[] = "vkMapMemory";
  struct vk_memory *m = VK_OBJECT(vk_memory, handle);
  if (!IS_THING(called, "memory", handle)) return VK_ERROR_MEMORY_MAP_FAILED;
  vk_uses *u = vk_uses_of(handle);
  if (u->state) vk_wrong(called, "maps memory that is mapped");
  if (!(vk_types[m->type].flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)) {
    vk_wrong(called, "maps memory of a type that the host does not see");
    return VK_ERROR_MEMORY_MAP_FAILED;
  }
  if (at >= m->size || (size != VK_WHOLE_SIZE && size > m->size - at))
    vk_says(called, "maps %llu bytes from byte %llu on of memory of %llu bytes", (unsigned long long)size,
            (unsigned long long)at, (unsigned long long)m->size);
  dev_lock();
  u->state = 1;
  if (!m->imported) dev_open(m->base, m->size, 1);
  dev_unlock();
  return vkMapMemory(d, handle, at, size, flags, to);
}

static void checked_vkUnmapMemory(VkDevice d, VkDeviceMemory handle) {
  struct vk_memory *m = VK_OBJECT(vk_memory, handle);
  if (!IS_THING("vkUnmapMemory", "memory", handle)) return;
  dev_lock();
  vk_uses *u = vk_uses_of(handle);
  int mapped = u->state;
  u->state = 0;
  if (mapped && !m->imported) dev_open(m->base, m->size, 0);
  dev_unlock();
  if (!mapped) vk_wrong("vkUnmapMemory", "unmaps memory that is not mapped");
}

static int vk_ranges(const char *called, uint32_t n, const VkMappedMemoryRange *r) {
  for (uint32_t i = 0; i < n; i++) {
    if (!IS_THING(called, "memory", r[i].memory)) return 0;
    struct vk_memory *m = VK_OBJECT(vk_memory, r[i].memory);
    if (!vk_uses_of(r[i].memory)->state) vk_wrong(called, "is given memory that is not mapped");
    else if (r[i].offset > m->size || (r[i].size != VK_WHOLE_SIZE && r[i].size > m->size - r[i].offset))
      vk_wrong(called, "is given a range that leaves the memory");
  }
  return 1;
}

static VkResult checked_vkFlushMappedMemoryRanges(VkDevice d, uint32_t n, const VkMappedMemoryRange *r) {
  return vk_ranges("vkFlushMappedMemoryRanges", n, r) ? VK_SUCCESS : VK_ERROR_UNKNOWN;
}
static VkResult checked_vkInvalidateMappedMemoryRanges(VkDevice d, uint32_t n, const VkMappedMemoryRange *r) {
  return vk_ranges("vkInvalidateMappedMemoryRanges", n, r) ? VK_SUCCESS : VK_ERROR_UNKNOWN;
}

// vk_binds looks at what is bound to memory.
static int vk_binds(const char *called, const char *kind, uint64_t it, uint64_t memory, uint64_t at,
                    VkMemoryRequirements need) {
  if (!IS_THING(called, "memory", memory)) return 0;
  struct vk_memory *m = VK_OBJECT(vk_memory, memory);
  if (vk_uses_of(it)->count) vk_says(called, "binds a %s that has memory", kind);
  if (at % need.alignment)
    vk_says(called, "binds a %s at byte %llu, which is no multiple of %llu", kind, (unsigned long long)at,
            (unsigned long long)need.alignment);
  if (at > m->size || need.size > m->size - at) {
    char text[256];
    snprintf(text, sizeof text, "binds a %s of %llu bytes at byte %llu of memory of %llu bytes", kind,
             (unsigned long long)need.size, (unsigned long long)at, (unsigned long long)m->size);
    dev_wrong(CHECK_API, called, text, m->base, m->size, NULL);
  }
  vk_use(it, memory);
  return 1;
}

static VkResult checked_vkBindBufferMemory(VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize at) {
  static const char called[] = "vkBindBufferMemory";
  VkMemoryRequirements need;
  if (!IS_THING(called, "buffer", b)) return VK_ERROR_UNKNOWN;
  vkGetBufferMemoryRequirements(d, b, &need);
  return vk_binds(called, "buffer", b, m, at, need) ? vkBindBufferMemory(d, b, m, at) : VK_ERROR_UNKNOWN;
}

static VkResult checked_vkBindBufferMemory2(VkDevice d, uint32_t n, const VkBindBufferMemoryInfo *all) {
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < n && !result; i++)
    result = checked_vkBindBufferMemory(d, all[i].buffer, all[i].memory, all[i].memoryOffset);
  return result;
}

static VkResult checked_vkBindImageMemory(VkDevice d, VkImage i, VkDeviceMemory m, VkDeviceSize at) {
  static const char called[] = "vkBindImageMemory";
  VkMemoryRequirements need;
  if (!IS_THING(called, "image", i)) return VK_ERROR_UNKNOWN;
  vkGetImageMemoryRequirements(d, i, &need);
  return vk_binds(called, "image", i, m, at, need) ? vkBindImageMemory(d, i, m, at) : VK_ERROR_UNKNOWN;
}

// Descriptors.

static VkResult checked_vkAllocateDescriptorSets(VkDevice d, const VkDescriptorSetAllocateInfo *info,
                                                 VkDescriptorSet *out) {
  static const char called[] = "vkAllocateDescriptorSets";
  if (!IS_THING(called, "descriptor pool", info->descriptorPool)) return VK_ERROR_UNKNOWN;
  for (uint32_t i = 0; i < info->descriptorSetCount; i++)
    if (!IS_THING(called, "layout of sets", info->pSetLayouts[i])) return VK_ERROR_UNKNOWN;
  VkResult result = vkAllocateDescriptorSets(d, info, out);
  for (uint32_t i = 0; i < info->descriptorSetCount && !result; i++)
    vk_made_of("descriptor set", out[i], info);
  return result;
}

static VkResult checked_vkFreeDescriptorSets(VkDevice d, VkDescriptorPool p, uint32_t n,
                                             const VkDescriptorSet *sets) {
  static const char called[] = "vkFreeDescriptorSets";
  if (!IS_THING(called, "descriptor pool", p)) return VK_ERROR_UNKNOWN;
  for (uint32_t i = 0; i < n; i++) {
    if (!sets[i] || !IS_THING(called, "descriptor set", sets[i])) continue;
    vk_not_idle(called, "frees", "descriptor set", sets[i]);
    dev_gone(sets[i]);
    vkFreeDescriptorSets(d, p, 1, &sets[i]);
  }
  return VK_SUCCESS;
}

static VkResult checked_vkResetDescriptorPool(VkDevice d, VkDescriptorPool p, VkDescriptorPoolResetFlags f) {
  if (!IS_THING("vkResetDescriptorPool", "descriptor pool", p)) return VK_ERROR_UNKNOWN;
  for (struct vk_set *s = VK_OBJECT(vk_pool, p)->sets; s; s = s->next) {
    vk_not_idle("vkResetDescriptorPool", "frees", "descriptor set", VK_HANDLE(s));
    dev_gone(VK_HANDLE(s));
  }
  return vkResetDescriptorPool(d, p, f);
}

static const struct vk_binding *vk_binding_of(const struct vk_set_layout *l, uint32_t number) {
  for (uint32_t i = 0; i < l->count; i++)
    if (l->bindings[i].number == number) return &l->bindings[i];
  return NULL;
}

// vk_writes looks at a write to a set. It reports whether that can be made.
static int vk_writes(const char *called, const VkWriteDescriptorSet *w) {
  if (!IS_THING(called, "descriptor set", w->dstSet)) return 0;
  const struct vk_binding *b = vk_binding_of(VK_OBJECT(vk_set, w->dstSet)->layout, w->dstBinding);
  if (!b) vk_says(called, "writes binding %u, which the set's layout has not", w->dstBinding);
  else if (b->type != w->descriptorType)
    vk_says(called, "writes a descriptor of type %u to binding %u, which is of type %u", w->descriptorType,
            w->dstBinding, b->type);
  int storage = w->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                w->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  int uniform = w->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                w->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  for (uint32_t i = 0; (storage || uniform) && i < w->descriptorCount; i++) {
    const VkDescriptorBufferInfo *info = &w->pBufferInfo[i];
    if (!info->buffer) continue;
    if (!IS_THING(called, "buffer", info->buffer)) return 0;
    struct vk_buffer *buffer = VK_OBJECT(vk_buffer, info->buffer);
    if (!buffer->address) vk_wrong(called, "writes a buffer that has no memory");
    if (info->offset >= buffer->size ||
        (info->range != VK_WHOLE_SIZE && info->range > buffer->size - info->offset)) {
      char text[256];
      snprintf(text, sizeof text,
               "writes a range of %llu bytes from byte %llu on of a buffer of %llu bytes to binding %u",
               (unsigned long long)info->range, (unsigned long long)info->offset,
               (unsigned long long)buffer->size, w->dstBinding);
      dev_wrong(CHECK_API, called, text, buffer->address, buffer->size, NULL);
    }
    if (!(vk_uses_of(info->buffer)->flags & (storage ? FOR_STORAGE : FOR_UNIFORM)))
      vk_says(called, "writes a buffer that was not made to be a %s buffer", storage ? "storage" : "uniform");
    vk_use(w->dstSet, info->buffer);
  }
  return 1;
}

static void checked_vkUpdateDescriptorSets(VkDevice d, uint32_t writes, const VkWriteDescriptorSet *w,
                                           uint32_t copies, const VkCopyDescriptorSet *c) {
  static const char called[] = "vkUpdateDescriptorSets";
  for (uint32_t i = 0; i < writes; i++)
    if (vk_writes(called, &w[i])) vkUpdateDescriptorSets(d, 1, &w[i], 0, NULL);
  for (uint32_t i = 0; i < copies; i++) {
    if (!IS_THING(called, "descriptor set", c[i].srcSet) || !IS_THING(called, "descriptor set", c[i].dstSet))
      continue;
    vk_uses *from = vk_uses_of(c[i].srcSet);
    for (size_t k = 0; k < from->count; k++) vk_use(c[i].dstSet, from->all[k]);
    vkUpdateDescriptorSets(d, 0, NULL, 1, &c[i]);
  }
}

// Pipelines.

static VkResult checked_vkCreateComputePipelines(VkDevice d, VkPipelineCache cache, uint32_t n,
                                                 const VkComputePipelineCreateInfo *infos,
                                                 const VkAllocationCallbacks *a, VkPipeline *out) {
  static const char called[] = "vkCreateComputePipelines";
  for (uint32_t i = 0; i < n; i++)
    if (!IS_THING(called, "pipeline layout", infos[i].layout) ||
        (infos[i].stage.module && !IS_THING(called, "shader module", infos[i].stage.module)))
      return VK_ERROR_UNKNOWN;
  VkResult result = vkCreateComputePipelines(d, cache, n, infos, a, out);
  for (uint32_t i = 0; i < n; i++)
    if (out[i]) vk_made_of("pipeline", out[i], NULL);
  return result;
}

static void checked_vkDestroyPipeline(VkDevice d, VkPipeline p, const VkAllocationCallbacks *a) {
  if (!p || !IS_THING("vkDestroyPipeline", "pipeline", p)) return;
  vk_not_idle("vkDestroyPipeline", "destroys", "pipeline", p);
  dev_gone(p);
  vkDestroyPipeline(d, p, a);
}
