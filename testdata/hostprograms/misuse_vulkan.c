// Calls of Vulkan that are wrong, and such that are right: each way in a process, and so with a device, of its own. What
// is wrong is on the line that is marked with the way's name.
//   usage: PROGRAM SHADER WAY ...
#include "vulkan_start.h"
#include "ways.h"

static volatile uint32_t sink;

static VkBuffer small(VkBufferUsageFlags usage, VkDeviceMemory *to) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256, .usage = usage};
  VkBuffer b;
  VkMemoryRequirements need;
  DO(vkCreateBuffer(device, &info, NULL, &b));
  vkGetBufferMemoryRequirements(device, b, &need);
  VkMemoryAllocateInfo a = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, need.size, 0};
  if (to) DO(vkAllocateMemory(device, &a, NULL, to));
  if (to) DO(vkBindBufferMemory(device, b, *to, 0));
  return b;
}

static VkFence new_fence(void) {
  VkFenceCreateInfo f = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  DO(vkCreateFence(device, &f, NULL, &fence));
  return fence;
}

static VkCommandBuffer one(void) {
  VkCommandBuffer b = begin(0);
  bind(b, N, 3, 0);
  vkCmdDispatch(b, N / GROUP, 1, 1);
  DO(vkEndCommandBuffer(b));
  return b;
}

static VkSubmitInfo of(const VkCommandBuffer *b) {
  return (VkSubmitInfo){VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = b};
}

// start submits a dispatch that the program does not wait for.
static VkCommandBuffer start(VkFence fence) {
  VkCommandBuffer b = one();
  VkSubmitInfo s = of(&b);
  DO(vkQueueSubmit(queues[0], 1, &s, fence));
  return b;
}

static void bad_twice(void) {
  VkBuffer b = small(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
  vkDestroyBuffer(device, b, NULL);
  vkDestroyBuffer(device, b, NULL); // bad_twice
}
static void bad_bind_gone(void) {
  VkDeviceMemory m;
  VkBuffer b = small(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL), other = small(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &m);
  vkFreeMemory(device, m, NULL);
  vkBindBufferMemory(device, b, m, 0); // bad_bind_gone
  (void)other;
}
static void bad_bind_size(void) {
  VkBuffer b = small(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
  vkBindBufferMemory(device, b, memory, 4000); // bad_bind_size
}
static void bad_bind_twice(void) { vkBindBufferMemory(device, buffer, memory, 0); } // bad_bind_twice
static void bad_bind_alignment(void) {
  VkBuffer b = small(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
  vkBindBufferMemory(device, b, memory, 6); // bad_bind_alignment
}
static void bad_map_twice(void) {
  void *p;
  vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &p); // bad_map_twice
}
static void bad_map_range(void) {
  void *p;
  vkUnmapMemory(device, memory);
  vkMapMemory(device, memory, 0, 5000, 0, &p); // bad_map_range
}
static void bad_unmap(void) {
  vkUnmapMemory(device, memory);
  vkUnmapMemory(device, memory); // bad_unmap
}
static void bad_flush(void) {
  VkMappedMemoryRange r = {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, NULL, memory, 0, VK_WHOLE_SIZE};
  vkUnmapMemory(device, memory);
  vkFlushMappedMemoryRanges(device, 1, &r); // bad_flush
}
static void bad_after_unmap(void) {
  vkUnmapMemory(device, memory);
  data[3] = 1; // bad_after_unmap
}
static void bad_range(void) {
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet w = write_of(&info);
  info.offset = 64, info.range = 4096;
  vkUpdateDescriptorSets(device, 1, &w, 0, NULL); // bad_range
}
static void bad_descriptor_type(void) {
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet w = write_of(&info);
  w.dstBinding = 7;
  vkUpdateDescriptorSets(device, 1, &w, 0, NULL); // bad_descriptor_type
}
static void bad_usage(void) {
  VkDeviceMemory m;
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet w = write_of(&info);
  info.buffer = small(VK_BUFFER_USAGE_TRANSFER_SRC_BIT, &m), info.range = 256;
  vkUpdateDescriptorSets(device, 1, &w, 0, NULL); // bad_usage
}
static void bad_set_gone(void) {
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet w = write_of(&info);
  vkResetDescriptorPool(device, descriptors, 0);
  vkUpdateDescriptorSets(device, 1, &w, 0, NULL); // bad_set_gone
}
static void bad_copy(void) {
  VkDeviceMemory m;
  VkBufferCopy part = {0, 128, 256};
  VkBuffer to = small(VK_BUFFER_USAGE_TRANSFER_DST_BIT, &m);
  VkCommandBuffer b = begin(0);
  vkCmdCopyBuffer(b, buffer, to, 1, &part); // bad_copy
}
static void bad_fill(void) {
  VkCommandBuffer b = begin(0);
  vkCmdFillBuffer(b, buffer, 4092, 8, 0); // bad_fill
}
static void bad_unbound(void) {
  VkBuffer to = small(VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
  VkCommandBuffer b = begin(0);
  vkCmdFillBuffer(b, to, 0, 8, 0); // bad_unbound
}
static void bad_no_pipeline(void) {
  VkCommandBuffer b = begin(0);
  vkCmdDispatch(b, 1, 1, 1); // bad_no_pipeline
}
static void bad_no_set(void) {
  VkCommandBuffer b = begin(0);
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdDispatch(b, 1, 1, 1); // bad_no_set
}
static void bad_groups(void) {
  VkCommandBuffer b = begin(0);
  bind(b, N, 3, 0);
  vkCmdDispatch(b, 70000, 1, 1); // bad_groups
}
static void bad_pipeline(void) {
  VkCommandBuffer b = begin(0);
  vkDestroyPipeline(device, pipeline, NULL);
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline); // bad_pipeline
}
static void bad_not_begun(void) {
  VkCommandBuffer b = one();
  vkCmdFillBuffer(b, buffer, 0, 8, 0); // bad_not_begun
}
static void bad_not_ended(void) {
  VkCommandBuffer b = begin(0);
  VkSubmitInfo s = of(&b);
  vkQueueSubmit(queues[0], 1, &s, VK_NULL_HANDLE); // bad_not_ended
}
static void bad_submit_gone(void) {
  VkCommandBuffer b = one();
  VkSubmitInfo s = of(&b);
  vkDestroyBuffer(device, buffer, NULL);
  vkQueueSubmit(queues[0], 1, &s, VK_NULL_HANDLE); // bad_submit_gone
}
static void bad_submit_pending(void) {
  VkCommandBuffer b = start(VK_NULL_HANDLE);
  VkSubmitInfo s = of(&b);
  vkQueueSubmit(queues[0], 1, &s, VK_NULL_HANDLE); // bad_submit_pending
}
static void bad_destroy_pending(void) {
  start(VK_NULL_HANDLE);
  vkDestroyPipeline(device, pipeline, NULL); // bad_destroy_pending
}
static void bad_free_pending(void) {
  start(VK_NULL_HANDLE);
  vkFreeMemory(device, memory, NULL); // bad_free_pending
}
static void bad_reset_pending(void) {
  VkCommandBuffer b = start(VK_NULL_HANDLE);
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vkBeginCommandBuffer(b, &info); // bad_reset_pending
}
static void bad_fence_pending(void) {
  VkFence fence = new_fence();
  start(fence);
  vkResetFences(device, 1, &fence); // bad_fence_pending
}
static void bad_fence_signalled(void) {
  VkFence fence = new_fence();
  VkCommandBuffer b = one();
  VkSubmitInfo s = of(&b);
  start(fence);
  DO(vkWaitForFences(device, 1, &fence, 1, UINT64_MAX));
  vkQueueSubmit(queues[0], 1, &s, fence); // bad_fence_signalled
}
static void bad_fence_unused(void) {
  VkFence fence = new_fence();
  vkWaitForFences(device, 1, &fence, 1, UINT64_MAX); // bad_fence_unused
}

static void ok_all(void) {
  VkFence fence = new_fence();
  for (int i = 0; i < 3; i++) {
    VkCommandBuffer b = start(fence);
    DO(vkWaitForFences(device, 1, &fence, 1, UINT64_MAX));
    DO(vkResetFences(device, 1, &fence));
    vkFreeCommandBuffers(device, pool, 1, &b);
  }
  start(VK_NULL_HANDLE), start(fence);
  while (vkGetFenceStatus(device, fence)) continue;
  DO(vkResetCommandPool(device, pool, 0));
  start(VK_NULL_HANDLE);
  DO(vkQueueWaitIdle(queues[0]));
  vkDestroyFence(device, fence, NULL);
}
static void ok_semaphore(void) {
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore s;
  VkFence fence = new_fence();
  VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkCommandBuffer a = one(), b = one();
  DO(vkCreateSemaphore(device, &info, NULL, &s));
  VkSubmitInfo first = {VK_STRUCTURE_TYPE_SUBMIT_INFO, NULL, 0, NULL, NULL, 1, &a, 1, &s};
  VkSubmitInfo second = {VK_STRUCTURE_TYPE_SUBMIT_INFO, NULL, 1, &s, &all, 1, &b};
  DO(vkQueueSubmit(queues[0], 1, &first, VK_NULL_HANDLE));
  DO(vkQueueSubmit(queues[1], 1, &second, fence));
  DO(vkWaitForFences(device, 1, &fence, 1, UINT64_MAX));
  vkDestroySemaphore(device, s, NULL), vkDestroyFence(device, fence, NULL);
  vkFreeCommandBuffers(device, pool, 1, &a), vkFreeCommandBuffers(device, pool, 1, &b);
  close_device();
}

static void host_read(void) {
  start(VK_NULL_HANDLE);
  sink = data[5]; // host_read
  DO(vkDeviceWaitIdle(device));
}
static void host_write(void) {
  start(VK_NULL_HANDLE);
  data[5] = 1; // host_write
  DO(vkDeviceWaitIdle(device));
}
static void fine_fence(void) {
  VkFence fence = new_fence();
  for (int i = 0; i < N; i++) data[i] = 1;
  start(fence);
  DO(vkWaitForFences(device, 1, &fence, 1, UINT64_MAX));
  for (int i = 0; i < N; i++) sink = data[i];
}
static void fine_other(void) {
  start(VK_NULL_HANDLE);
  sink = data[N + 5]; // which the shader does not touch
  DO(vkDeviceWaitIdle(device));
  data[0] = data[1];
  start(VK_NULL_HANDLE);
  DO(vkQueueWaitIdle(queues[0]));
}

static const struct way ways[] = {
    WAY(bad_twice) WAY(bad_bind_gone) WAY(bad_bind_size) WAY(bad_bind_twice) WAY(bad_bind_alignment)
    WAY(bad_map_twice) WAY(bad_map_range) WAY(bad_unmap) WAY(bad_flush) WAY(bad_after_unmap) WAY(bad_range)
    WAY(bad_descriptor_type) WAY(bad_usage) WAY(bad_set_gone) WAY(bad_copy) WAY(bad_fill) WAY(bad_unbound)
    WAY(bad_no_pipeline) WAY(bad_no_set) WAY(bad_groups) WAY(bad_pipeline) WAY(bad_not_begun)
    WAY(bad_not_ended) WAY(bad_submit_gone) WAY(bad_submit_pending) WAY(bad_destroy_pending)
    WAY(bad_free_pending) WAY(bad_reset_pending) WAY(bad_fence_pending) WAY(bad_fence_signalled)
    WAY(bad_fence_unused) WAY(ok_all) WAY(ok_semaphore) WAY(host_read) WAY(host_write) WAY(fine_fence)
    WAY(fine_other)};

static void run(const char *shader, void (*way)(void)) {
  open_instance();
  open_device(0);
  make_buffer(NULL);
  make_pipeline(shader, 0);
  make_set();
  memset(data, 0, 4096);
  way();
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, run);
}
