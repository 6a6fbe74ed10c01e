// vk_check.c for command buffers, queues and what they signal.
#include "vk_command.h"

static VkResult checked_vkAllocateCommandBuffers(VkDevice d, const VkCommandBufferAllocateInfo *info,
                                                 VkCommandBuffer *out) {
  if (!IS_THING("vkAllocateCommandBuffers", "command pool", info->commandPool)) return VK_ERROR_UNKNOWN;
  VkResult result = vkAllocateCommandBuffers(d, info, out);
  for (uint32_t i = 0; i < info->commandBufferCount && !result; i++) {
    vk_made_of("command buffer", VK_HANDLE(out[i]), NULL);
    vk_uses_of(VK_HANDLE(out[i]))->state = INITIAL;
  }
  return result;
}

static void checked_vkFreeCommandBuffers(VkDevice d, VkCommandPool p, uint32_t n,
                                         const VkCommandBuffer *all) {
  static const char called[] = "vkFreeCommandBuffers";
  for (uint32_t i = 0; i < n; i++) {
    if (!all[i] || !IS_THING(called, "command buffer", all[i])) continue;
    vk_not_idle(called, "frees", "command buffer", VK_HANDLE(all[i]));
    dev_gone(VK_HANDLE(all[i]));
    vkFreeCommandBuffers(d, p, 1, &all[i]);
  }
}

// vk_renew makes a command buffer what it was at first, or one that is recorded.
static void vk_renew(const char *called, VkCommandBuffer b, int state) {
  vk_not_idle(called, state == RECORDING ? "records anew" : "resets", "command buffer", VK_HANDLE(b));
  vk_uses *u = vk_uses_of(VK_HANDLE(b));
  u->state = state;
  u->count = 0;
}

static VkResult checked_vkResetCommandPool(VkDevice d, VkCommandPool p, VkCommandPoolResetFlags f) {
  static const char called[] = "vkResetCommandPool";
  if (!IS_THING(called, "command pool", p)) return VK_ERROR_UNKNOWN;
  for (VkCommandBuffer b = VK_OBJECT(vk_command_pool, p)->buffers; b; b = b->all)
    vk_renew(called, b, INITIAL);
  return vkResetCommandPool(d, p, f);
}

static VkResult checked_vkBeginCommandBuffer(VkCommandBuffer b, const VkCommandBufferBeginInfo *info) {
  static const char called[] = "vkBeginCommandBuffer";
  if (!IS_THING(called, "command buffer", b)) return VK_ERROR_UNKNOWN;
  if (vk_uses_of(VK_HANDLE(b))->state == RECORDING)
    vk_wrong(called, "begins a command buffer that is being recorded");
  vk_renew(called, b, RECORDING);
  vk_uses_of(VK_HANDLE(b))->flags = info->flags;
  return vkBeginCommandBuffer(b, info);
}

static VkResult checked_vkResetCommandBuffer(VkCommandBuffer b, VkCommandBufferResetFlags f) {
  if (!IS_THING("vkResetCommandBuffer", "command buffer", b)) return VK_ERROR_UNKNOWN;
  vk_renew("vkResetCommandBuffer", b, INITIAL);
  return vkResetCommandBuffer(b, f);
}

// vk_records reports whether a command buffer is there, and tells of one that is not being recorded.
static int vk_records(const char *called, VkCommandBuffer b) {
  if (!IS_THING(called, "command buffer", b)) return 0;
  if (vk_uses_of(VK_HANDLE(b))->state != RECORDING)
    vk_wrong(called, "records into a command buffer that was not begun");
  return 1;
}

static VkResult checked_vkEndCommandBuffer(VkCommandBuffer b) {
  if (!vk_records("vkEndCommandBuffer", b)) return VK_ERROR_UNKNOWN;
  vk_uses_of(VK_HANDLE(b))->state = EXECUTABLE;
  return vkEndCommandBuffer(b);
}

// vk_records_with does so for a command with a thing.
static int vk_records_with(const char *called, VkCommandBuffer b, const char *kind, uint64_t it) {
  if (!vk_records(called, b) || !IS_THING(called, kind, it)) return 0;
  vk_use(VK_HANDLE(b), it);
  return 1;
}

static void checked_vkCmdBindPipeline(VkCommandBuffer b, VkPipelineBindPoint point, VkPipeline p) {
  if (vk_records_with("vkCmdBindPipeline", b, "pipeline", p)) vkCmdBindPipeline(b, point, p);
}

static void checked_vkCmdBindDescriptorSets(VkCommandBuffer b, VkPipelineBindPoint point, VkPipelineLayout l,
                                            uint32_t first, uint32_t n, const VkDescriptorSet *sets,
                                            uint32_t count, const uint32_t *offsets) {
  static const char called[] = "vkCmdBindDescriptorSets";
  if (!vk_records(called, b) || !IS_THING(called, "pipeline layout", l)) return;
  for (uint32_t i = 0; i < n; i++)
    if (sets[i] && !vk_records_with(called, b, "descriptor set", sets[i])) return;
  const struct vk_layout *layout = VK_OBJECT(vk_layout, l);
  uint32_t dynamics = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (first + i >= layout->count) vk_says(called, "binds set %u, which the layout has not", first + i);
    if (sets[i]) dynamics += VK_OBJECT(vk_set, sets[i])->layout->dynamics;
  }
  if (dynamics != count)
    vk_says(called, "is given %u dynamic offsets for %u dynamic descriptors", count, dynamics);
  vkCmdBindDescriptorSets(b, point, l, first, n, sets, count, offsets);
}

// vk_dispatches looks at what is bound for a dispatch.
static int vk_dispatches(const char *called, VkCommandBuffer b, uint32_t x, uint32_t y, uint32_t z) {
  enum { MOST = 65535 };
  if (!vk_records(called, b)) return 0;
  if (!b->pipeline) {
    vk_wrong(called, "dispatches without a pipeline");
    return 0;
  }
  if (x > MOST || y > MOST || z > MOST)
    vk_says(called, "dispatches %u x %u x %u groups, of which there may be %u in a direction", x, y, z, MOST);
  for (uint32_t i = 0; i < b->pipeline->sets; i++)
    if (!b->sets[i].set)
      vk_says(called, "dispatches without descriptor set %u, which the pipeline's layout has", i);
  return 1;
}

static void checked_vkCmdDispatch(VkCommandBuffer b, uint32_t x, uint32_t y, uint32_t z) {
  if (vk_dispatches("vkCmdDispatch", b, x, y, z)) vkCmdDispatch(b, x, y, z);
}

static void checked_vkCmdDispatchBase(VkCommandBuffer b, uint32_t x0, uint32_t y0, uint32_t z0, uint32_t x,
                                      uint32_t y, uint32_t z) {
  if (vk_dispatches("vkCmdDispatchBase", b, x, y, z)) vkCmdDispatchBase(b, x0, y0, z0, x, y, z);
}

// vk_buffer_part looks at a part of a buffer that a command accesses.
static int vk_buffer_part(const char *called, VkCommandBuffer b, VkBuffer it, uint64_t at, uint64_t size,
                          uint32_t use, const char *to) {
  if (!vk_records_with(called, b, "buffer", it)) return 0;
  struct vk_buffer *buffer = VK_OBJECT(vk_buffer, it);
  if (!buffer->address) {
    vk_wrong(called, "accesses a buffer that has no memory");
    return 0;
  }
  if (!(vk_uses_of(it)->flags & use)) vk_says(called, "accesses a buffer that was not made to be %s", to);
  if (at > buffer->size || size > buffer->size - at) {
    char text[256];
    snprintf(text, sizeof text, "accesses %llu bytes from byte %llu on of a buffer of %llu bytes",
             (unsigned long long)size, (unsigned long long)at, (unsigned long long)buffer->size);
    dev_wrong(CHECK_API, called, text, buffer->address, buffer->size, NULL);
    return 0;
  }
  return 1;
}

static void checked_vkCmdDispatchIndirect(VkCommandBuffer b, VkBuffer it, VkDeviceSize at) {
  static const char called[] = "vkCmdDispatchIndirect";
  if (vk_buffer_part(called, b, it, at, 12, FOR_INDIRECT, "dispatched from") &&
      vk_dispatches(called, b, 1, 1, 1))
    vkCmdDispatchIndirect(b, it, at);
}

static void checked_vkCmdCopyBuffer(VkCommandBuffer b, VkBuffer from, VkBuffer to, uint32_t n,
                                    const VkBufferCopy *parts) {
  static const char called[] = "vkCmdCopyBuffer";
  for (uint32_t i = 0; i < n; i++)
    if (vk_buffer_part(called, b, from, parts[i].srcOffset, parts[i].size, FOR_COPY_FROM, "copied from") &&
        vk_buffer_part(called, b, to, parts[i].dstOffset, parts[i].size, FOR_COPY_TO, "copied to"))
      vkCmdCopyBuffer(b, from, to, 1, &parts[i]);
}

static void checked_vkCmdCopyBuffer2(VkCommandBuffer b, const VkCopyBufferInfo2 *info) {
  for (uint32_t i = 0; i < info->regionCount; i++) {
    VkBufferCopy part = {info->pRegions[i].srcOffset, info->pRegions[i].dstOffset, info->pRegions[i].size};
    checked_vkCmdCopyBuffer(b, info->srcBuffer, info->dstBuffer, 1, &part);
  }
}

static void checked_vkCmdFillBuffer(VkCommandBuffer b, VkBuffer to, VkDeviceSize at, VkDeviceSize size,
                                    uint32_t word) {
  static const char called[] = "vkCmdFillBuffer";
  if (at % 4 || (size != VK_WHOLE_SIZE && size % 4))
    vk_wrong(called, "fills what does not begin and end at a multiple of 4 bytes");
  if (vk_buffer_part(called, b, to, at, size == VK_WHOLE_SIZE ? 0 : size, FOR_COPY_TO, "copied to"))
    vkCmdFillBuffer(b, to, at, size, word);
}

static void checked_vkCmdUpdateBuffer(VkCommandBuffer b, VkBuffer to, VkDeviceSize at, VkDeviceSize size,
                                      const void *data) {
  static const char called[] = "vkCmdUpdateBuffer";
  enum { MOST = 65536 };
  if (at % 4 || size % 4 || size > MOST)
    vk_wrong(called, "writes more than 65,536 bytes, or not a multiple of 4");
  if (vk_buffer_part(called, b, to, at, size, FOR_COPY_TO, "copied to"))
    vkCmdUpdateBuffer(b, to, at, size, data);
}

static void checked_vkCmdExecuteCommands(VkCommandBuffer b, uint32_t n, const VkCommandBuffer *all) {
  static const char called[] = "vkCmdExecuteCommands";
  for (uint32_t i = 0; i < n; i++) {
    if (!vk_records_with(called, b, "command buffer", VK_HANDLE(all[i]))) continue;
    if (vk_uses_of(VK_HANDLE(all[i]))->state != EXECUTABLE)
      vk_wrong(called, "executes a command buffer that is not recorded");
    vkCmdExecuteCommands(b, 1, &all[i]);
  }
}

// Submissions.

// vk_submits looks at one command buffer that is submitted.
static int vk_submits(const char *called, VkCommandBuffer b) {
  if (!IS_THING(called, "command buffer", b)) return 0;
  vk_uses *u = vk_uses_of(VK_HANDLE(b));
  if (u->state != EXECUTABLE)
    vk_says(called, "submits a command buffer that is %s",
            u->state == RECORDING ? "not ended" : "not recorded");
  uint64_t gone = vk_find_use(VK_HANDLE(b), 0, 0);
  dev_thing *t = gone ? dev_thing_of(gone) : NULL;
  if (t) {
    char text[128];
    snprintf(text, sizeof text, "submits a command buffer that uses a %s that is no more", t->kind);
    dev_told others[DEV_TOLD + 1] = {{"made", &t->made}, {"gone", &t->gone}};
    dev_wrong(CHECK_API, called, text, 0, 0, others);
  }
  if (!(u->flags & SIMULTANEOUS)) vk_not_idle(called, "submits", "command buffer", VK_HANDLE(b));
  if (u->flags & ONE_TIME) u->state = INITIAL;
  return !gone && u->state != RECORDING;
}

// vk_submit_one submits one part of a submission, if that can be. It is not 0 if it cannot.
static int vk_submit_one(const char *called, VkQueue q, const VkSubmitInfo2 *s, VkFence fence) {
  int bad = 0;
  for (uint32_t i = 0; i < s->waitSemaphoreInfoCount; i++)
    bad |= !IS_THING(called, "semaphore", s->pWaitSemaphoreInfos[i].semaphore);
  for (uint32_t i = 0; i < s->signalSemaphoreInfoCount; i++)
    bad |= !IS_THING(called, "semaphore", s->pSignalSemaphoreInfos[i].semaphore);
  for (uint32_t i = 0; i < s->commandBufferInfoCount; i++)
    bad |= !vk_submits(called, s->pCommandBufferInfos[i].commandBuffer);
  if (bad) return 1;
  vk_submitted *one = vk_new(sizeof *one);
  one->queue = q;
  one->fence = fence;
  one->from = dev_from();
  one->info = *s;
  one->info.pWaitSemaphoreInfos =
      vk_copy(s->pWaitSemaphoreInfos, s->waitSemaphoreInfoCount * sizeof(VkSemaphoreSubmitInfo));
  one->info.pSignalSemaphoreInfos =
      vk_copy(s->pSignalSemaphoreInfos, s->signalSemaphoreInfoCount * sizeof(VkSemaphoreSubmitInfo));
  one->buffer_count = s->commandBufferInfoCount;
  one->buffers = vk_new((one->buffer_count + 1) * sizeof *one->buffers);
  for (uint32_t i = 0; i < one->buffer_count; i++)
    one->buffers[i] = VK_HANDLE(s->pCommandBufferInfos[i].commandBuffer);
  *vk_last_submitted = one;
  vk_last_submitted = &one->next;
  return 0;
}

static VkResult vk_submit(const char *called, VkQueue q, uint32_t n, const VkSubmitInfo2 *infos,
                          VkFence fence) {
  int bad = 0;
  dev_lock();
  if (fence && !IS_THING(called, "fence", fence)) bad = 1;
  else if (fence && VK_OBJECT(vk_fence, fence)->signalled)
    vk_wrong(called, "is given a fence that is signalled");
  else if (fence) vk_not_idle(called, "is given", "fence", fence);
  const VkSubmitInfo2 nothing = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  for (uint32_t i = 0; i < n && !bad; i++) bad = vk_submit_one(called, q, &infos[i], 0);
  if (fence && !bad) bad = vk_submit_one(called, q, &nothing, fence);
  dev_close_areas();
  dev_unlock();
  return bad ? VK_ERROR_UNKNOWN : vkQueueSubmit2(q, n, infos, fence);
}

static VkResult checked_vkQueueSubmit2(VkQueue q, uint32_t n, const VkSubmitInfo2 *infos, VkFence fence) {
  return vk_submit("vkQueueSubmit2", q, n, infos, fence);
}

static VkResult checked_vkQueueSubmit(VkQueue q, uint32_t n, const VkSubmitInfo *infos, VkFence fence) {
  VkSubmitInfo2 *all = vk_new((n + 1) * sizeof *all);
  for (uint32_t i = 0; i < n; i++) {
    const VkSubmitInfo *s = &infos[i];
    const VkTimelineSemaphoreSubmitInfo *t =
        vk_find(s->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    VkSemaphoreSubmitInfo *waits = vk_new((s->waitSemaphoreCount + 1) * sizeof *waits);
    VkSemaphoreSubmitInfo *signals = vk_new((s->signalSemaphoreCount + 1) * sizeof *signals);
    VkCommandBufferSubmitInfo *buffers = vk_new((s->commandBufferCount + 1) * sizeof *buffers);
    for (uint32_t k = 0; k < s->waitSemaphoreCount; k++) {
      waits[k].semaphore = s->pWaitSemaphores[k];
      if (t && k < t->waitSemaphoreValueCount) waits[k].value = t->pWaitSemaphoreValues[k];
    }
    for (uint32_t k = 0; k < s->signalSemaphoreCount; k++) {
      signals[k].semaphore = s->pSignalSemaphores[k];
      if (t && k < t->signalSemaphoreValueCount) signals[k].value = t->pSignalSemaphoreValues[k];
    }
    for (uint32_t k = 0; k < s->commandBufferCount; k++) buffers[k].commandBuffer = s->pCommandBuffers[k];
    all[i] = (VkSubmitInfo2){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                             .waitSemaphoreInfoCount = s->waitSemaphoreCount,
                             .pWaitSemaphoreInfos = waits,
                             .commandBufferInfoCount = s->commandBufferCount,
                             .pCommandBufferInfos = buffers,
                             .signalSemaphoreInfoCount = s->signalSemaphoreCount,
                             .pSignalSemaphoreInfos = signals};
  }
  VkResult result = vk_submit("vkQueueSubmit", q, n, all, fence);
  for (uint32_t i = 0; i < n; i++) {
    free((void *)all[i].pWaitSemaphoreInfos), free((void *)all[i].pSignalSemaphoreInfos);
    free((void *)all[i].pCommandBufferInfos);
  }
  free(all);
  return result;
}

// What the program waits for.

static int vk_submitted_with(uint64_t fence) {
  for (vk_submitted *s = vk_all_submitted; s; s = s->next)
    if (s->fence == fence) return 1;
  return 0;
}

static VkResult checked_vkWaitForFences(VkDevice d, uint32_t n, const VkFence *all, VkBool32 every,
                                        uint64_t timeout) {
  static const char called[] = "vkWaitForFences";
  for (uint32_t i = 0; i < n; i++) {
    if (!IS_THING(called, "fence", all[i])) return VK_ERROR_UNKNOWN;
    if (!VK_OBJECT(vk_fence, all[i])->signalled && !vk_submitted_with(all[i]) && every) {
      vk_wrong(called, "waits for a fence that nothing was submitted with");
      return VK_TIMEOUT;
    }
  }
  VkResult result = vkWaitForFences(d, n, all, every, timeout);
  dev_lock();
  for (uint32_t i = 0; i < n && !result; i++)
    if (VK_OBJECT(vk_fence, all[i])->signalled) vk_known_fence(all[i]);
  dev_unlock();
  return result;
}

static VkResult checked_vkGetFenceStatus(VkDevice d, VkFence f) {
  if (!IS_THING("vkGetFenceStatus", "fence", f)) return VK_ERROR_UNKNOWN;
  VkResult result = vkGetFenceStatus(d, f);
  dev_lock();
  if (!result) vk_known_fence(f);
  dev_unlock();
  return result;
}

static VkResult checked_vkResetFences(VkDevice d, uint32_t n, const VkFence *all) {
  for (uint32_t i = 0; i < n; i++) {
    if (!IS_THING("vkResetFences", "fence", all[i])) return VK_ERROR_UNKNOWN;
    vk_not_idle("vkResetFences", "resets", "fence", all[i]);
  }
  return vkResetFences(d, n, all);
}

static VkResult checked_vkWaitSemaphores(VkDevice d, const VkSemaphoreWaitInfo *info, uint64_t timeout) {
  for (uint32_t i = 0; i < info->semaphoreCount; i++)
    if (!IS_THING("vkWaitSemaphores", "semaphore", info->pSemaphores[i])) return VK_ERROR_UNKNOWN;
  VkResult result = vkWaitSemaphores(d, info, timeout);
  dev_lock();
  for (uint32_t i = 0; i < info->semaphoreCount && !result; i++)
    vk_known_signal(info->pSemaphores[i], VK_OBJECT(vk_semaphore, info->pSemaphores[i])->value);
  dev_unlock();
  return result;
}

static VkResult checked_vkGetSemaphoreCounterValue(VkDevice d, VkSemaphore s, uint64_t *to) {
  if (!IS_THING("vkGetSemaphoreCounterValue", "semaphore", s)) return VK_ERROR_UNKNOWN;
  VkResult result = vkGetSemaphoreCounterValue(d, s, to);
  dev_lock();
  if (!result) vk_known_signal(s, *to);
  dev_unlock();
  return result;
}

static VkResult checked_vkQueueWaitIdle(VkQueue q) {
  VkResult result = vkQueueWaitIdle(q);
  dev_lock();
  vk_known_up_to(q, NULL);
  dev_unlock();
  return result;
}

static VkResult checked_vkDeviceWaitIdle(VkDevice d) {
  VkResult result = vkDeviceWaitIdle(d);
  dev_lock();
  while (vk_all_submitted) vk_known_up_to(vk_all_submitted->queue, NULL);
  dev_unlock();
  return result;
}

static void checked_vkDestroyDevice(VkDevice d, const VkAllocationCallbacks *a) {
  if (!d) return;
  dev_lock();
  if (vk_all_submitted)
    vk_wrong("vkDestroyDevice", "destroys a device that has work which the program has not waited for");
  while (vk_all_submitted) vk_known_up_to(vk_all_submitted->queue, NULL);
  dev_left(CHECK_LEAK, "vkDestroyDevice", "not destroyed before its device", "memory");
  dev_unlock();
  vkDestroyDevice(d, a);
}

static const struct {
  const char *name;
  void *function;
} vk_checked[] = {
#define X(type, kind)                                                                                        \
  {"vkCreate" #type, checked_vkCreate##type}, {"vkDestroy" #type, checked_vkDestroy##type},
    VK_CHECKED_OBJECTS(X)
#undef X
#define ONE(name) {#name, checked_##name},
        ONE(vkAllocateMemory) ONE(vkFreeMemory) ONE(vkMapMemory) ONE(vkUnmapMemory)
            ONE(vkFlushMappedMemoryRanges) ONE(vkInvalidateMappedMemoryRanges) ONE(vkBindBufferMemory)
                ONE(vkBindBufferMemory2) ONE(vkBindImageMemory) ONE(vkAllocateDescriptorSets)
                    ONE(vkFreeDescriptorSets) ONE(vkResetDescriptorPool) ONE(vkUpdateDescriptorSets)
                        ONE(vkCreateComputePipelines) ONE(vkDestroyPipeline) ONE(vkAllocateCommandBuffers)
                            ONE(vkFreeCommandBuffers) ONE(vkResetCommandPool) ONE(vkBeginCommandBuffer)
                                ONE(vkResetCommandBuffer) ONE(vkEndCommandBuffer) ONE(vkCmdBindPipeline) ONE(
                                    vkCmdBindDescriptorSets) ONE(vkCmdDispatch) ONE(vkCmdDispatchBase)
                                    ONE(vkCmdDispatchIndirect) ONE(vkCmdCopyBuffer) ONE(vkCmdCopyBuffer2)
                                        ONE(vkCmdFillBuffer) ONE(vkCmdUpdateBuffer) ONE(vkCmdExecuteCommands)
                                            ONE(vkQueueSubmit) ONE(vkQueueSubmit2) ONE(vkWaitForFences)
                                                ONE(vkGetFenceStatus) ONE(vkResetFences) ONE(vkWaitSemaphores)
                                                    ONE(vkGetSemaphoreCounterValue) ONE(vkQueueWaitIdle)
                                                        ONE(vkDeviceWaitIdle) ONE(vkDestroyDevice)
#undef ONE
};

// vk_checking gives the function that looks at how one of a name is called, NULL if there is none or nobody
// wants to know.
static PFN_vkVoidFunction vk_checking(const char *name) {
  if (!dev.checked) return NULL;
  size_t length = strlen(name);
  if (length > 3 && !strcmp(name + length - 3, "KHR")) length -= 3; // functions that are in the API by now
  for (size_t i = 0; i < sizeof vk_checked / sizeof *vk_checked; i++)
    if (strlen(vk_checked[i].name) == length && !memcmp(vk_checked[i].name, name, length))
      return (PFN_vkVoidFunction)vk_checked[i].function;
  return NULL;
}
