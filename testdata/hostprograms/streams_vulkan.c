// Dispatches and transfers that something orders or nothing does, each way in a process, and so with a device, of its
// own: streams_vulkan SHADER WAY ...
#include "vulkan_start.h"
#include "ways.h"

// once_more records a dispatch that changes all of the buffer.
static void once_more(VkCommandBuffer b) {
  bind(b, N, 3, 0);
  vkCmdDispatch(b, N / GROUP, 1, 1);
}

static VkCommandBuffer one(void) {
  VkCommandBuffer b = begin(0);
  once_more(b);
  DO(vkEndCommandBuffer(b));
  return b;
}

static VkSemaphore semaphore(int timeline) {
  VkSemaphoreTypeCreateInfo t = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL, VK_SEMAPHORE_TYPE_TIMELINE, 0};
  VkSemaphoreCreateInfo s = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, timeline ? &t : NULL};
  VkSemaphore made;
  DO(vkCreateSemaphore(device, &s, NULL, &made));
  return made;
}

static void submit(VkQueue q, VkCommandBuffer b, VkSemaphore wait, VkSemaphore signal, VkFence fence) {
  VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo s = {VK_STRUCTURE_TYPE_SUBMIT_INFO, NULL, wait != NULL, &wait, &all, 1, &b, signal != NULL, &signal};
  DO(vkQueueSubmit(q, 1, &s, fence));
}

static void idle(void) { DO(vkDeviceWaitIdle(device)); }

// What is done by each name. Those that begin with "no_" have a race.
static void no_barrier(void) {
  VkCommandBuffer b = begin(0);
  once_more(b), once_more(b);
  finish(b);
}
static void by_barrier(void) {
  VkCommandBuffer b = begin(0);
  once_more(b), barrier(b), once_more(b);
  finish(b);
}
static void no_later_barrier(void) {
  VkCommandBuffer b = begin(0);
  once_more(b), barrier(b), once_more(b), once_more(b);
  finish(b);
}
static void no_submission(void) {
  submit(queues[0], one(), NULL, NULL, NULL), submit(queues[0], one(), NULL, NULL, NULL), idle();
}
static void by_barrier_before(void) {
  VkCommandBuffer b = begin(0);
  barrier(b), once_more(b);
  DO(vkEndCommandBuffer(b));
  submit(queues[0], one(), NULL, NULL, NULL), submit(queues[0], b, NULL, NULL, NULL), idle();
}
static void no_queue(void) {
  submit(queues[0], one(), NULL, NULL, NULL), submit(queues[1], one(), NULL, NULL, NULL), idle();
}
static void by_fence(void) {
  for (int i = 0; i < 2; i++) {
    VkCommandBuffer b = begin(0);
    once_more(b);
    finish(b);
  }
}
static void no_fence(void) {
  VkFenceCreateInfo f = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  DO(vkCreateFence(device, &f, NULL, &fence));
  submit(queues[0], one(), NULL, NULL, fence), submit(queues[1], one(), NULL, NULL, NULL), idle();
}
static void by_semaphore(void) {
  VkSemaphore s = semaphore(0);
  submit(queues[0], one(), NULL, s, NULL), submit(queues[1], one(), s, NULL, NULL), idle();
}
static void by_same_queue(void) {
  VkSemaphore s = semaphore(0);
  submit(queues[0], one(), NULL, s, NULL), submit(queues[0], one(), s, NULL, NULL), idle();
}
static void by_idle(void) {
  submit(queues[0], one(), NULL, NULL, NULL), vkQueueWaitIdle(queues[0]);
  submit(queues[1], one(), NULL, NULL, NULL), idle();
}
static void no_other_idle(void) {
  submit(queues[0], one(), NULL, NULL, NULL), vkQueueWaitIdle(queues[1]);
  submit(queues[1], one(), NULL, NULL, NULL), idle();
}
static void no_fill(void) {
  VkCommandBuffer b = begin(0);
  vkCmdFillBuffer(b, buffer, 0, 4, 7), once_more(b);
  finish(b);
}
static void no_update(void) {
  VkCommandBuffer b = begin(0);
  uint32_t word = 7;
  once_more(b), vkCmdUpdateBuffer(b, buffer, 4, 4, &word);
  finish(b);
}
static void by_update(void) {
  VkCommandBuffer b = begin(0);
  uint32_t word = 7;
  once_more(b), vkCmdUpdateBuffer(b, buffer, N * 4, 4, &word), barrier(b), vkCmdFillBuffer(b, buffer, 0, 4, 7);
  finish(b);
}

static const struct way ways[] = {
    WAY(no_barrier) WAY(by_barrier) WAY(no_later_barrier) WAY(no_submission) WAY(by_barrier_before)
    WAY(no_queue) WAY(by_fence) WAY(no_fence) WAY(by_semaphore) WAY(by_same_queue) WAY(by_idle)
    WAY(no_other_idle) WAY(no_fill) WAY(no_update) WAY(by_update)};

static void run(const char *shader, void (*way)(void)) {
  open_instance();
  open_device(0);
  make_buffer(NULL);
  make_pipeline(shader, 0);
  make_set();
  way();
  close_device();
  vkDestroyInstance(instance, NULL);
}

int main(int argc, char **argv) {
  return run_ways(ways, sizeof ways / sizeof *ways, argc, argv, run);
}
