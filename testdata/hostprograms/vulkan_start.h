// What the Vulkan programs of the tests share: a device, a buffer of numbers, a pipeline of scale.comp.
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
static VkDescriptorType kind = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; // of the buffer's descriptor
static uint32_t offset;                                             // of the buffer, if that is dynamic

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
  VkPhysicalDeviceRobustness2FeaturesEXT r2 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                                               .nullDescriptor = 1};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR e = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, &r2, 1};
  VkPhysicalDeviceVulkan13Features f13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &e,
                                          .synchronization2 = 1, .privateData = 1};
  VkPhysicalDeviceVulkan12Features f12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &f13,
                                          .timelineSemaphore = 1, .hostQueryReset = 1};
  VkPhysicalDeviceFeatures2 f = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f12};
  f.features.robustBufferAccess = (VkBool32)robust;
  const char *extensions[] = {"VK_KHR_push_descriptor", "VK_EXT_external_memory_host",
                              "VK_KHR_shader_non_semantic_info", "VK_EXT_robustness2",
                              "VK_KHR_pipeline_executable_properties"};
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &f, .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &q, .enabledExtensionCount = 5,
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
  VkDescriptorSetLayoutBinding binding = {0, kind, 1, VK_SHADER_STAGE_COMPUTE_BIT};
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
                                   VK_PIPELINE_CREATE_DISPATCH_BASE_BIT |
                                       VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
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
                                kind, NULL, info};
}

static void make_set(void) {
  VkDescriptorPoolSize size = {kind, 1};
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
  if (set)
    vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set,
                            kind == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, &offset);
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

static VkResult once(uint32_t n, uint32_t noisy) {
  for (uint32_t i = 0; i < N; i++) data[i] = i;
  VkCommandBuffer b = begin(0);
  bind(b, n, 3, noisy);
  vkCmdDispatch(b, n / GROUP, 1, 1);
  return finish(b);
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

static void open_instance(void) {
  VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  const char *extensions[] = {"VK_EXT_debug_utils"};
  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
                               .enabledExtensionCount = 1, .ppEnabledExtensionNames = extensions};
  DO(vkCreateInstance(&info, NULL, &instance));
  uint32_t n = 1;
  DO(vkEnumeratePhysicalDevices(instance, &n, &physical));
}
