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
//	drawing  what the device says of graphics and images, and what comes of them
//	floats   how the device computes floats
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define DO(call)                                                        \
  do {                                                                  \
    VkResult result = call;                                             \
    if (result) {                                                       \
      printf("%s gives %d\n", #call, result);                           \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

enum { N = 64, GROUP = 32 };

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queues[2];
static VkBuffer buffer;
static VkDeviceMemory memory;
static uint32_t *data;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkDescriptorPool descriptors;
static VkDescriptorSet set;
static VkCommandPool pool;

static void *contents(const char *name, size_t *size) {
  FILE *f = fopen(name, "rb");
  if (!f) exit(2);
  void *to = malloc(1 << 20);
  *size = fread(to, 1, 1 << 20, f);
  fclose(f);
  return to;
}

static void open_device(int robust) {
  float priorities[2] = {1, 1};
  VkDeviceQueueCreateInfo q = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 2,
                               .pQueuePriorities = priorities};
  VkPhysicalDeviceVulkan13Features f13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                          .synchronization2 = 1};
  VkPhysicalDeviceVulkan12Features f12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &f13,
                                          .timelineSemaphore = 1, .hostQueryReset = 1};
  VkPhysicalDeviceFeatures2 f = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f12};
  f.features.robustBufferAccess = (VkBool32)robust;
  const char *extensions[] = {"VK_KHR_push_descriptor", "VK_EXT_external_memory_host",
                              "VK_KHR_shader_non_semantic_info"};
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &f, .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &q, .enabledExtensionCount = 3,
                             .ppEnabledExtensionNames = extensions};
  DO(vkCreateDevice(physical, &info, NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queues[0]);
  vkGetDeviceQueue(device, 0, 1, &queues[1]);
  VkCommandPoolCreateInfo p = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  DO(vkCreateCommandPool(device, &p, NULL, &pool));
}

static void make_buffer(void *import) {
  VkExternalMemoryBufferCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                               .handleTypes =
                                                   VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
  VkBufferCreateInfo b = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, import ? &external : NULL, .size = 4096,
                          .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                   VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
  DO(vkCreateBuffer(device, &b, NULL, &buffer));
  VkMemoryRequirements need;
  vkGetBufferMemoryRequirements(device, buffer, &need);
  VkPhysicalDeviceMemoryProperties m;
  vkGetPhysicalDeviceMemoryProperties(physical, &m);
  uint32_t type = 0;
  while (!(m.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)) type++;
  VkImportMemoryHostPointerInfoEXT from = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
                                           .handleType =
                                               VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
                                           .pHostPointer = import};
  VkMemoryAllocateInfo a = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, import ? &from : NULL, need.size, type};
  DO(vkAllocateMemory(device, &a, NULL, &memory));
  DO(vkBindBufferMemory(device, buffer, memory, 0));
  DO(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&data));
}

static void name(VkObjectType type, uint64_t handle, const char *text) {
  VkDebugUtilsObjectNameInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, type, handle,
                                        text};
  PFN_vkSetDebugUtilsObjectNameEXT set_name =
      (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(instance, "vkSetDebugUtilsObjectNameEXT");
  if (set_name) set_name(device, &info);
}

static void make_pipeline(const char *file, int pushed) {
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo s = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL,
                                       pushed ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0, 1,
                                       &binding};
  DO(vkCreateDescriptorSetLayout(device, &s, NULL, &set_layout));
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 12};
  VkPipelineLayoutCreateInfo l = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout, 1,
                                  &range};
  DO(vkCreatePipelineLayout(device, &l, NULL, &layout));
  size_t size;
  void *code = contents(file, &size);
  VkShaderModuleCreateInfo m = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, size, code};
  VkShaderModule module;
  DO(vkCreateShaderModule(device, &m, NULL, &module));
  VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {9, 0, 4}};
  uint32_t values[] = {GROUP, 1};
  VkSpecializationInfo special = {2, entries, sizeof values, values};
  VkComputePipelineCreateInfo c = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, NULL,
                                   VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
                                   {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0,
                                    VK_SHADER_STAGE_COMPUTE_BIT, module, "main", &special},
                                   layout};
  DO(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &c, NULL, &pipeline));
  vkDestroyShaderModule(device, module, NULL);
  name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, "scaling");
  free(code);
}

static VkWriteDescriptorSet write_of(VkDescriptorBufferInfo *info) {
  *info = (VkDescriptorBufferInfo){buffer, 0, N * 4};
  return (VkWriteDescriptorSet){VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 0, 0, 1,
                                VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, info};
}

static void make_set(void) {
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo p = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
  DO(vkCreateDescriptorPool(device, &p, NULL, &descriptors));
  VkDescriptorSetAllocateInfo a = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, descriptors, 1,
                                   &set_layout};
  DO(vkAllocateDescriptorSets(device, &a, &set));
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet w = write_of(&info);
  vkUpdateDescriptorSets(device, 1, &w, 0, NULL);
}

static VkCommandBuffer begin(int secondary) {
  VkCommandBufferAllocateInfo a = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool,
                                   secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                   1};
  VkCommandBuffer b;
  DO(vkAllocateCommandBuffers(device, &a, &b));
  VkCommandBufferInheritanceInfo i = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .pInheritanceInfo = &i};
  DO(vkBeginCommandBuffer(b, &info));
  return b;
}

static void bind(VkCommandBuffer b, uint32_t n, uint32_t factor, uint32_t noisy) {
  uint32_t params[3] = {n, factor, noisy};
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (set) vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdPushConstants(b, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof params, params);
}

static void barrier(VkCommandBuffer b) {
  VkMemoryBarrier2 m = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                        VK_ACCESS_2_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                        VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
  VkDependencyInfo d = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &m};
  vkCmdPipelineBarrier2(b, &d);
}

static VkResult finish(VkCommandBuffer b) {
  DO(vkEndCommandBuffer(b));
  VkSubmitInfo s = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &b};
  VkFenceCreateInfo f = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  DO(vkCreateFence(device, &f, NULL, &fence));
  DO(vkQueueSubmit(queues[0], 1, &s, fence));
  VkResult result = vkWaitForFences(device, 1, &fence, 1, UINT64_MAX);
  vkDestroyFence(device, fence, NULL);
  return result;
}

// wrong counts elements that are not what so many scalings by 3 make of the index.
static int wrong(int times) {
  int n = 0;
  for (uint32_t i = 0; i < N; i++) {
    uint32_t v = i;
    for (int k = 0; k < times; k++) v = v * 3 + 1;
    n += data[i] != v;
  }
  return n;
}

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

static VkResult once(uint32_t n, uint32_t noisy) {
  for (uint32_t i = 0; i < N; i++) data[i] = i;
  VkCommandBuffer b = begin(0);
  bind(b, n, 3, noisy);
  vkCmdDispatch(b, n / GROUP, 1, 1);
  return finish(b);
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

static void close_device(void) {
  vkDestroyPipeline(device, pipeline, NULL);
  vkDestroyPipelineLayout(device, layout, NULL);
  vkDestroyDescriptorSetLayout(device, set_layout, NULL);
  vkDestroyDescriptorPool(device, descriptors, NULL);
  vkDestroyBuffer(device, buffer, NULL);
  vkFreeMemory(device, memory, NULL);
  vkDestroyCommandPool(device, pool, NULL);
  vkDestroyDevice(device, NULL);
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
  VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  const char *extensions[] = {"VK_EXT_debug_utils"};
  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
                               .enabledExtensionCount = 1, .ppEnabledExtensionNames = extensions};
  DO(vkCreateInstance(&info, NULL, &instance));
  uint32_t n = 1;
  DO(vkEnumeratePhysicalDevices(instance, &n, &physical));
  for (int i = 1; i + 1 < argc; i++) all_of(argv[i], argv[argc - 1]);
  vkDestroyInstance(instance, NULL);
  return 0;
}
