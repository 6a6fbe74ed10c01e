// Recording of commands. Barriers are nothing but for who wants to know what they order: the device does
// everything in order.
#include "vk_command.h"

static struct vk_command *vk_record(VkCommandBuffer b, enum vk_kind kind) {
  struct vk_command *c = vk_new(sizeof *c);
  c->kind = kind;
  *b->last = c;
  b->last = &c->next;
  return c;
}

static void vk_clear(VkCommandBuffer b) {
  for (struct vk_command *c; (c = b->commands);) {
    b->commands = c->next;
    if (c->kind == CMD_DISPATCH || c->kind == CMD_UPDATE) free(c->object);
    free(c);
  }
  for (struct vk_set *s; (s = b->pushed);) {
    b->pushed = s->next;
    vk_free_set(s);
  }
  b->last = &b->commands;
  b->pipeline = NULL;
  memset(b->sets, 0, sizeof b->sets);
  memset(b->push, 0, sizeof b->push);
}

VkResult vkCreateCommandPool(VkDevice d, const VkCommandPoolCreateInfo *info, const VkAllocationCallbacks *a,
                             VkCommandPool *out) {
  *out = VK_HANDLE(vk_new(sizeof(struct vk_command_pool)));
  return VK_SUCCESS;
}

static void vk_free_buffer(VkCommandBuffer b) {
  for (VkCommandBuffer *at = &b->pool->buffers; *at; at = &(*at)->all) {
    if (*at != b) continue;
    *at = b->all;
    break;
  }
  vk_clear(b);
  vk_forget(VK_HANDLE(b));
  dev_drop(b);
}

void vkDestroyCommandPool(VkDevice d, VkCommandPool handle, const VkAllocationCallbacks *a) {
  struct vk_command_pool *p = VK_OBJECT(vk_command_pool, handle);
  if (!p) return;
  while (p->buffers) vk_free_buffer(p->buffers);
  vk_forget(handle);
  dev_drop(p);
}

VkResult vkResetCommandPool(VkDevice d, VkCommandPool p, VkCommandPoolResetFlags f) {
  for (VkCommandBuffer b = VK_OBJECT(vk_command_pool, p)->buffers; b; b = b->all) vk_clear(b);
  return VK_SUCCESS;
}

void vkTrimCommandPool(VkDevice d, VkCommandPool p, VkCommandPoolTrimFlags f) {}

VkResult vkAllocateCommandBuffers(VkDevice d, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *out) {
  struct vk_command_pool *p = VK_OBJECT(vk_command_pool, info->commandPool);
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    VkCommandBuffer b = vk_new(sizeof *b);
    b->magic = VK_LOADER_MAGIC;
    b->pool = p;
    b->all = p->buffers;
    b->last = &b->commands;
    p->buffers = out[i] = b;
  }
  return VK_SUCCESS;
}

void vkFreeCommandBuffers(VkDevice d, VkCommandPool p, uint32_t n, const VkCommandBuffer *all) {
  for (uint32_t i = 0; i < n; i++)
    if (all[i]) vk_free_buffer(all[i]);
}

VkResult vkBeginCommandBuffer(VkCommandBuffer b, const VkCommandBufferBeginInfo *info) {
  vk_clear(b);
  return VK_SUCCESS;
}

VkResult vkEndCommandBuffer(VkCommandBuffer b) { return VK_SUCCESS; }

VkResult vkResetCommandBuffer(VkCommandBuffer b, VkCommandBufferResetFlags f) {
  vk_clear(b);
  return VK_SUCCESS;
}

void vkCmdExecuteCommands(VkCommandBuffer b, uint32_t n, const VkCommandBuffer *all) {
  for (uint32_t i = 0; i < n; i++) vk_record(b, CMD_EXECUTE)->object = all[i];
}

// What is bound.

void vkCmdBindPipeline(VkCommandBuffer b, VkPipelineBindPoint point, VkPipeline p) {
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) b->pipeline = VK_OBJECT(vk_pipeline, p);
}

void vkCmdBindDescriptorSets(VkCommandBuffer b, VkPipelineBindPoint point, VkPipelineLayout l, uint32_t first,
                             uint32_t n, const VkDescriptorSet *sets, uint32_t count,
                             const uint32_t *offsets) {
  if (point != VK_PIPELINE_BIND_POINT_COMPUTE) return;
  for (uint32_t i = 0; i < n && first + i < VK_SETS; i++) {
    struct vk_set *s = VK_OBJECT(vk_set, sets[i]);
    b->sets[first + i] = (struct vk_bound){s, (first + i) * VK_DYNAMIC};
    for (uint32_t k = 0; s && k < s->layout->dynamics && k < VK_DYNAMIC && count > 0; k++, count--)
      b->offsets[(first + i) * VK_DYNAMIC + k] = *offsets++;
  }
}

void vkCmdPushConstants(VkCommandBuffer b, VkPipelineLayout l, VkShaderStageFlags stages, uint32_t at,
                        uint32_t size, const void *values) {
  if (at <= VK_PUSH && size <= VK_PUSH - at) memcpy(b->push + at, values, size);
}

// vk_pushed is a set for what is pushed, with what was pushed before.
static struct vk_set *vk_pushed(VkCommandBuffer b, struct vk_layout *l, uint32_t number) {
  if (number >= l->count || number >= VK_SETS) return NULL;
  struct vk_set *before = b->sets[number].set, *s = vk_new_set(l->sets[number], 0);
  if (before && !before->pool && before->layout == s->layout)
    memcpy(s->all, before->all, s->descriptors * sizeof s->all[0]);
  s->next = b->pushed;
  b->pushed = s;
  b->sets[number] = (struct vk_bound){s, number * VK_DYNAMIC};
  return s;
}

void vkCmdPushDescriptorSetKHR(VkCommandBuffer b, VkPipelineBindPoint point, VkPipelineLayout l,
                               uint32_t number, uint32_t n, const VkWriteDescriptorSet *writes) {
  struct vk_set *s = vk_pushed(b, VK_OBJECT(vk_layout, l), number);
  for (uint32_t i = 0; s && i < n; i++) vk_write_set(s, &writes[i]);
}

void vkCmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer b, VkDescriptorUpdateTemplate t,
                                           VkPipelineLayout l, uint32_t number, const void *data) {
  struct vk_set *s = vk_pushed(b, VK_OBJECT(vk_layout, l), number);
  if (s) vk_write_template(s, VK_OBJECT(vk_template, t), data);
}

// Dispatches.

static struct vk_dispatch *vk_dispatch(VkCommandBuffer b) {
  struct vk_dispatch *d = vk_new(sizeof *d + sizeof b->offsets);
  d->pipeline = b->pipeline;
  memcpy(d->push, b->push, VK_PUSH);
  memcpy(d->sets, b->sets, sizeof d->sets);
  d->offset_count = sizeof b->offsets / sizeof b->offsets[0];
  memcpy(d->offsets, b->offsets, sizeof b->offsets);
  vk_record(b, CMD_DISPATCH)->object = d;
  return d;
}

void vkCmdDispatchBase(VkCommandBuffer b, uint32_t x0, uint32_t y0, uint32_t z0, uint32_t x, uint32_t y,
                       uint32_t z) {
  struct vk_dispatch *d = vk_dispatch(b);
  d->first[0] = x0, d->first[1] = y0, d->first[2] = z0;
  d->groups[0] = x, d->groups[1] = y, d->groups[2] = z;
}

void vkCmdDispatch(VkCommandBuffer b, uint32_t x, uint32_t y, uint32_t z) {
  vkCmdDispatchBase(b, 0, 0, 0, x, y, z);
}

void vkCmdDispatchIndirect(VkCommandBuffer b, VkBuffer buffer, VkDeviceSize at) {
  vk_dispatch(b)->indirect = VK_OBJECT(vk_buffer, buffer)->address + at;
}

// Transfers.

static void vk_copy_part(VkCommandBuffer b, struct vk_buffer *from, struct vk_buffer *to, uint64_t from_at,
                         uint64_t to_at, uint64_t size) {
  struct vk_command *c = vk_record(b, CMD_COPY);
  c->from = from->address + from_at;
  c->to = to->address + to_at;
  c->size = size;
}

void vkCmdCopyBuffer(VkCommandBuffer b, VkBuffer from, VkBuffer to, uint32_t n, const VkBufferCopy *parts) {
  for (uint32_t i = 0; i < n; i++)
    vk_copy_part(b, VK_OBJECT(vk_buffer, from), VK_OBJECT(vk_buffer, to), parts[i].srcOffset,
                 parts[i].dstOffset, parts[i].size);
}

void vkCmdCopyBuffer2(VkCommandBuffer b, const VkCopyBufferInfo2 *info) {
  for (uint32_t i = 0; i < info->regionCount; i++)
    vk_copy_part(b, VK_OBJECT(vk_buffer, info->srcBuffer), VK_OBJECT(vk_buffer, info->dstBuffer),
                 info->pRegions[i].srcOffset, info->pRegions[i].dstOffset, info->pRegions[i].size);
}

void vkCmdFillBuffer(VkCommandBuffer b, VkBuffer to, VkDeviceSize at, VkDeviceSize size, uint32_t word) {
  struct vk_buffer *buffer = VK_OBJECT(vk_buffer, to);
  struct vk_command *c = vk_record(b, CMD_FILL);
  c->to = buffer->address + at;
  c->size = (size == VK_WHOLE_SIZE ? buffer->size - at : size) / 4;
  c->word = word;
}

void vkCmdUpdateBuffer(VkCommandBuffer b, VkBuffer to, VkDeviceSize at, VkDeviceSize size, const void *data) {
  struct vk_command *c = vk_record(b, CMD_UPDATE);
  c->to = VK_OBJECT(vk_buffer, to)->address + at;
  c->size = size;
  c->object = vk_copy(data, size);
}

// Synchronization, events and queries.

void vkCmdPipelineBarrier(VkCommandBuffer b, VkPipelineStageFlags from, VkPipelineStageFlags to,
                          VkDependencyFlags f, uint32_t memories, const VkMemoryBarrier *m, uint32_t buffers,
                          const VkBufferMemoryBarrier *p, uint32_t images, const VkImageMemoryBarrier *i) {
  if (dev.ordered) vk_record(b, CMD_BARRIER);
}
void vkCmdPipelineBarrier2(VkCommandBuffer b, const VkDependencyInfo *info) {
  if (dev.ordered) vk_record(b, CMD_BARRIER);
}

static void vk_event_command(VkCommandBuffer b, VkEvent e, int set) {
  struct vk_command *c = vk_record(b, CMD_EVENT);
  c->object = (void *)(uintptr_t)e;
  c->word = (uint32_t)set;
}

void vkCmdSetEvent(VkCommandBuffer b, VkEvent e, VkPipelineStageFlags s) { vk_event_command(b, e, 1); }
void vkCmdSetEvent2(VkCommandBuffer b, VkEvent e, const VkDependencyInfo *i) { vk_event_command(b, e, 1); }
void vkCmdResetEvent(VkCommandBuffer b, VkEvent e, VkPipelineStageFlags s) { vk_event_command(b, e, 0); }
void vkCmdResetEvent2(VkCommandBuffer b, VkEvent e, VkPipelineStageFlags2 s) { vk_event_command(b, e, 0); }

void vkCmdWaitEvents2(VkCommandBuffer b, uint32_t n, const VkEvent *events, const VkDependencyInfo *infos) {
  for (uint32_t i = 0; i < n; i++) vk_record(b, CMD_WAIT_EVENT)->object = (void *)(uintptr_t)events[i];
}

void vkCmdWaitEvents(VkCommandBuffer b, uint32_t n, const VkEvent *events, VkPipelineStageFlags from,
                     VkPipelineStageFlags to, uint32_t memories, const VkMemoryBarrier *m, uint32_t buffers,
                     const VkBufferMemoryBarrier *p, uint32_t images, const VkImageMemoryBarrier *i) {
  vkCmdWaitEvents2(b, n, events, NULL);
}

void vkCmdWriteTimestamp2(VkCommandBuffer b, VkPipelineStageFlags2 stage, VkQueryPool p, uint32_t i) {
  struct vk_command *c = vk_record(b, CMD_TIMESTAMP);
  c->object = VK_OBJECT(vk_query_pool, p);
  c->first = i;
}

void vkCmdWriteTimestamp(VkCommandBuffer b, VkPipelineStageFlagBits stage, VkQueryPool p, uint32_t i) {
  vkCmdWriteTimestamp2(b, 0, p, i);
}

void vkCmdResetQueryPool(VkCommandBuffer b, VkQueryPool p, uint32_t first, uint32_t n) {
  struct vk_command *c = vk_record(b, CMD_RESET_QUERIES);
  c->object = VK_OBJECT(vk_query_pool, p);
  c->first = first;
  c->count = n;
}

void vkCmdCopyQueryPoolResults(VkCommandBuffer b, VkQueryPool p, uint32_t first, uint32_t n, VkBuffer to,
                               VkDeviceSize at, VkDeviceSize stride, VkQueryResultFlags flags) {
  struct vk_command *c = vk_record(b, CMD_COPY_QUERIES);
  c->object = VK_OBJECT(vk_query_pool, p);
  c->first = first;
  c->count = n;
  c->to = VK_OBJECT(vk_buffer, to)->address + at;
  c->stride = stride;
  c->flags = flags;
}

void vkCmdSetDeviceMask(VkCommandBuffer b, uint32_t mask) {}

// Labels are for tools that show the order of commands.
void vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer b, const VkDebugUtilsLabelEXT *l) {}
void vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer b) {}
void vkCmdInsertDebugUtilsLabelEXT(VkCommandBuffer b, const VkDebugUtilsLabelEXT *l) {}
