// A Vulkan program for compute, by the loader's own functions: vulkan MODE SHADER.
//
//	plain    20 dispatches that share a buffer, the third by indirect sizes, one with a base; transfers,
//	         queries, a secondary command buffer, an event
//	queues   two queues that take turns by a timeline semaphore, begun by the host
//	pushed   push descriptors, by themselves and by a template, and binary semaphores
//	imported memory of the host's
//	fault    an access outside of the buffer, which loses the device; then another device
//	robust   the same with robustBufferAccess
//	printf   debugPrintfEXT
//	forever  the same dispatch again and again
//	drawing  what the device says of graphics and images, and what comes of them
//	floats   how the device computes floats
#include "vulkan_start.h"

static void plain(void) {
  enum { SIZES = 512, COPY = 1024, UPDATED = 2048, TIMES = 3072 };
  VkQueryPoolCreateInfo q = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP,
                             .queryCount = 2};
  VkQueryPool times;
  DO(vkCreateQueryPool(device, &q, NULL, &times));
  VkEventCreateInfo e = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  DO(vkCreateEvent(device, &e, NULL, &event));
  VkCommandBuffer second = begin(1);
  bind(second, N, 3, 0);
  vkCmdDispatch(second, N / GROUP, 1, 1);
  DO(vkEndCommandBuffer(second));
  VkCommandBuffer b = begin(0);
  uint32_t groups[3] = {N / GROUP, 1, 1};
  vkCmdResetQueryPool(b, times, 0, 2);
  vkCmdUpdateBuffer(b, buffer, SIZES, sizeof groups, groups);
  vkCmdUpdateBuffer(b, buffer, UPDATED, sizeof groups, groups);
  barrier(b);
  vkCmdWriteTimestamp(b, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, times, 0);
  for (int i = 0; i < 19; i++) {
    bind(b, N, 3, 0);
    if (i == 2) {
      vkCmdDispatchIndirect(b, buffer, SIZES);
    } else if (i == 4) { // in two parts
      vkCmdDispatch(b, 1, 1, 1);
      vkCmdDispatchBase(b, 1, 0, 0, N / GROUP - 1, 1, 1);
    } else {
      vkCmdDispatch(b, N / GROUP, 1, 1);
    }
    barrier(b);
  }
  vkCmdExecuteCommands(b, 1, &second);
  barrier(b);
  vkCmdSetEvent(b, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  VkBufferCopy part = {0, COPY, N * 4};
  vkCmdCopyBuffer(b, buffer, buffer, 1, &part);
  vkCmdFillBuffer(b, buffer, UPDATED + 4, 4, 7);
  vkCmdWriteTimestamp(b, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, 1);
  vkCmdCopyQueryPoolResults(b, times, 0, 2, buffer, TIMES, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  for (uint32_t i = 0; i < N; i++) data[i] = i;
  DO(finish(b));
  uint64_t at[2], copied[2];
  DO(vkGetQueryPoolResults(device, times, 0, 2, sizeof at, at, 8, VK_QUERY_RESULT_64_BIT));
  memcpy(copied, data + TIMES / 4, sizeof copied);
  int bad = memcmp(data, data + COPY / 4, N * 4) || data[UPDATED / 4] != 2 || data[UPDATED / 4 + 1] != 7 ||
            data[UPDATED / 4 + 2] != 1 || at[1] <= at[0] || memcmp(at, copied, sizeof at) ||
            vkGetEventStatus(device, event) != VK_EVENT_SET;
  printf("plain: %d wrong\n", bad + wrong(20));
  vkDestroyQueryPool(device, times, NULL);
  vkDestroyEvent(device, event, NULL);
}

static void take_turns(void) {
  enum { TURNS = 6 };
  VkSemaphoreTypeCreateInfo t = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL,
                                 VK_SEMAPHORE_TYPE_TIMELINE, 0};
  VkSemaphoreCreateInfo s = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &t};
  VkSemaphore clock;
  DO(vkCreateSemaphore(device, &s, NULL, &clock));
  for (uint32_t i = 0; i < N; i++) data[i] = i;
  for (uint64_t turn = 0; turn < TURNS; turn++) {
    VkCommandBuffer b = begin(0);
    bind(b, N, 3, 0);
    vkCmdDispatch(b, N / GROUP, 1, 1);
    DO(vkEndCommandBuffer(b));
    VkSemaphoreSubmitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, NULL, clock, 2 * turn + 1,
                                  VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSemaphoreSubmitInfo signal = wait;
    signal.value = turn + 1 == TURNS ? 100 : 2 * turn + 3;
    VkCommandBufferSubmitInfo c = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, b};
    VkSubmitInfo2 submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2, NULL, 0, 1, &wait, 1, &c, 1, &signal};
    DO(vkQueueSubmit2(queues[turn % 2], 1, &submit, VK_NULL_HANDLE));
  }
  uint64_t now, end = 100;
  DO(vkGetSemaphoreCounterValue(device, clock, &now));
  VkSemaphoreWaitInfo w = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, NULL, 0, 1, &clock, &end};
  VkResult early = vkWaitSemaphores(device, &w, 1000000);
  VkSemaphoreSignalInfo go = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, NULL, clock, 1};
  DO(vkSignalSemaphore(device, &go));
  DO(vkWaitSemaphores(device, &w, UINT64_MAX));
  DO(vkDeviceWaitIdle(device));
  printf("queues: %d wrong, %llu at first, %s\n", wrong(TURNS), (unsigned long long)now,
         early == VK_TIMEOUT ? "waits" : "does not wait");
  vkDestroySemaphore(device, clock, NULL);
}

static void push(void) {
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet w = write_of(&info);
  VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, sizeof info};
  VkDescriptorUpdateTemplateCreateInfo t = {VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO, NULL, 0, 1,
                                            &entry, VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
                                            VK_NULL_HANDLE, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0};
  VkDescriptorUpdateTemplate template;
  DO(vkCreateDescriptorUpdateTemplate(device, &t, NULL, &template));
  PFN_vkCmdPushDescriptorSetKHR plainly =
      (PFN_vkCmdPushDescriptorSetKHR)vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetKHR");
  PFN_vkCmdPushDescriptorSetWithTemplateKHR templated =
      (PFN_vkCmdPushDescriptorSetWithTemplateKHR)vkGetDeviceProcAddr(device,
                                                                     "vkCmdPushDescriptorSetWithTemplateKHR");
  VkSemaphoreCreateInfo s = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore done;
  DO(vkCreateSemaphore(device, &s, NULL, &done));
  for (uint32_t i = 0; i < N; i++) data[i] = i;
  for (int i = 0; i < 2; i++) {
    VkCommandBuffer b = begin(0);
    bind(b, N, 3, 0);
    if (i) templated(b, template, layout, 0, &info);
    else plainly(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &w);
    vkCmdDispatch(b, N / GROUP, 1, 1);
    DO(vkEndCommandBuffer(b));
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO, NULL, (uint32_t)i, &done, &stage, 1, &b,
                           (uint32_t)!i, &done};
    DO(vkQueueSubmit(queues[i], 1, &submit, VK_NULL_HANDLE));
  }
  DO(vkDeviceWaitIdle(device));
  printf("pushed: %d wrong\n", wrong(2));
  vkDestroySemaphore(device, done, NULL);
  vkDestroyDescriptorUpdateTemplate(device, template, NULL);
}

// float_controls counts the modes of three widths that a shader may ask for.
static void float_controls(void) {
  VkPhysicalDeviceFloatControlsProperties f = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
  VkPhysicalDeviceProperties2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &f};
  vkGetPhysicalDeviceProperties2(physical, &all);
  int n = 0;
  for (VkBool32 *b = &f.shaderSignedZeroInfNanPreserveFloat16; b <= &f.shaderRoundingModeRTZFloat64; b++) n += *b == 1;
  printf("floats: %d modes, independence %d and %d\n", n, f.denormBehaviorIndependence, f.roundingModeIndependence);
}

static void ask_for_graphics(void) {
  uint32_t n = 1;
  VkQueueFamilyProperties family;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, &family);
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(physical, &features);
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  VkFormatProperties format;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_R8G8B8A8_UNORM, &format);
  VkSamplerCreateInfo s = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler = VK_NULL_HANDLE;
  VkResult sampled = vkCreateSampler(device, &s, NULL, &sampler);
  vkDestroySampler(device, sampler, NULL);
  VkImageCreateInfo i = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  VkImage image = VK_NULL_HANDLE;
  VkResult imaged = vkCreateImage(device, &i, NULL, &image);
  vkDestroyImage(device, image, NULL);
  printf("drawing: %d %d %u %d; sampler %d, image %d\n", (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0,
         features.imageCubeArray, properties.limits.maxImageDimension2D, format.optimalTilingFeatures != 0, sampled,
         imaged);
}

static void all_of(const char *mode, const char *file) {
  int pushed = !strcmp(mode, "pushed");
  void *own = strcmp(mode, "imported") ? NULL : aligned_alloc(4096, 4096);
  open_device(!strcmp(mode, "robust"));
  make_buffer(own);
  make_pipeline(file, pushed);
  set = VK_NULL_HANDLE;
  descriptors = VK_NULL_HANDLE;
  if (!pushed) make_set();
  if (!strcmp(mode, "plain")) plain();
  if (!strcmp(mode, "queues")) take_turns();
  if (pushed) push();
  while (!strcmp(mode, "forever")) DO(once(N, 0));
  if (!strcmp(mode, "drawing")) ask_for_graphics();
  if (!strcmp(mode, "printf")) DO(once(N, 1));
  if (!strcmp(mode, "floats")) float_controls();
  if (own) {
    DO(once(N, 0));
    printf("imported: %d wrong, %s\n", wrong(1), own == data ? "the same" : "another");
  }
  if (!strcmp(mode, "robust")) {
    DO(once(2 * N, 0));
    printf("robust: %d wrong, behind is %u\n", wrong(1), data[N]);
  }
  if (!strcmp(mode, "fault")) {
    VkResult result = once(2 * N, 0);
    printf("fault: %d, then %d\n", result, vkQueueWaitIdle(queues[0]));
  }
  close_device();
  if (own) {
    data = own;
    printf("afterwards: %d wrong\n", wrong(1));
    free(own);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  open_instance();
  for (int i = 1; i + 1 < argc; i++) all_of(argv[i], argv[argc - 1]);
  vkDestroyInstance(instance, NULL);
  return 0;
}
