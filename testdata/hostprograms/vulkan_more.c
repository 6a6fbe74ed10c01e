// Pieces of Vulkan for compute that vulkan.c does not need, by the loader's own functions: vulkan_more SHADER.
// Each says what came of it; the tests have what is expected.
#include "vulkan_start.h"

static void *of_device(const char *called) { return (void *)vkGetDeviceProcAddr(device, called); }

static void dispatch(VkCommandBuffer b) {
  bind(b, N, 3, 0);
  vkCmdDispatch(b, N / GROUP, 1, 1);
  barrier(b);
}

static void count(void) {
  for (uint32_t i = 0; i < N; i++) data[i] = i;
}

// An offset when a set is bound.
static void dynamic(void) {
  enum { AT = 1024 };
  offset = AT;
  count();
  for (uint32_t i = 0; i < N; i++) data[AT / 4 + i] = 2 * i;
  VkCommandBuffer b = begin(0);
  dispatch(b);
  DO(finish(b));
  int bad = wrong(0);
  for (uint32_t i = 0; i < N; i++) bad += data[AT / 4 + i] != 6 * i + 1;
  printf("dynamic offset: %d wrong\n", bad);
  offset = 0;
}

// Template of a set that is not pushed, and a descriptor of nothing.
static void templates(void) {
  VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, kind, 0, sizeof(VkDescriptorBufferInfo)};
  VkDescriptorUpdateTemplateCreateInfo t = {VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                            .descriptorUpdateEntryCount = 1, .pDescriptorUpdateEntries = &entry,
                                            .descriptorSetLayout = set_layout};
  VkDescriptorUpdateTemplate template;
  DO(vkCreateDescriptorUpdateTemplate(device, &t, NULL, &template));
  VkDescriptorBufferInfo nothing = {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE}, all = {buffer, 0, N * 4};
  count();
  vkUpdateDescriptorSetWithTemplate(device, set, template, &nothing);
  VkCommandBuffer b = begin(0);
  dispatch(b);
  DO(finish(b));
  printf("nothing bound: %d wrong\n", wrong(0));
  vkUpdateDescriptorSetWithTemplate(device, set, template, &all);
  b = begin(0);
  dispatch(b);
  DO(finish(b));
  printf("template: %d wrong\n", wrong(1));
  vkDestroyDescriptorUpdateTemplate(device, template, NULL);
}

// A secondary command buffer that is executed twice by each of two primary ones.
static void secondary(void) {
  count();
  VkCommandBufferAllocateInfo a = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool,
                                   VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1};
  VkCommandBuffer second;
  DO(vkAllocateCommandBuffers(device, &a, &second));
  VkCommandBufferInheritanceInfo i = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL,
                                   VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &i};
  DO(vkBeginCommandBuffer(second, &info));
  dispatch(second);
  DO(vkEndCommandBuffer(second));
  for (int k = 0; k < 2; k++) {
    VkCommandBuffer b = begin(0);
    vkCmdExecuteCommands(b, 1, &second);
    vkCmdExecuteCommands(b, 1, &second);
    DO(finish(b));
  }
  printf("secondary: %d wrong\n", wrong(4));
}

// Queries that the host resets: none is available afterwards, then one.
static void queries(void) {
  VkQueryPoolCreateInfo q = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP,
                             .queryCount = 2};
  VkQueryPool times;
  DO(vkCreateQueryPool(device, &q, NULL, &times));
  vkResetQueryPool(device, times, 0, 2);
  uint32_t before[4] = {9, 9, 9, 9}, after[4] = {0, 9, 9, 9};
  const VkQueryResultFlags flags = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  VkResult early = vkGetQueryPoolResults(device, times, 0, 2, sizeof before, before, 8, flags);
  VkCommandBuffer b = begin(0);
  vkCmdWriteTimestamp2(b, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, times, 0);
  DO(finish(b));
  VkResult half = vkGetQueryPoolResults(device, times, 0, 2, sizeof after, after, 8, flags);
  VkResult one = vkGetQueryPoolResults(device, times, 0, 1, sizeof after, after, 8, 0);
  printf("queries: %d %u %u, %d %u %u, %d\n", early, before[1], before[3], half, after[1], after[3], one);
  vkResetQueryPool(device, times, 0, 1);
  printf("reset: %d\n", vkGetQueryPoolResults(device, times, 0, 1, sizeof after, after, 8, 0));
  vkDestroyQueryPool(device, times, NULL);
}

// An event that a queue waits for and the host sets.
static void events(void) {
  VkEventCreateInfo e = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  DO(vkCreateEvent(device, &e, NULL, &event));
  count();
  VkCommandBuffer b = begin(0);
  VkMemoryBarrier m = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  vkCmdWaitEvents(b, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 1, &m, 0, NULL, 0,
                  NULL);
  dispatch(b);
  vkCmdResetEvent(b, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  DO(vkEndCommandBuffer(b));
  VkFenceCreateInfo f = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  DO(vkCreateFence(device, &f, NULL, &fence));
  VkSubmitInfo s = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &b};
  DO(vkQueueSubmit(queues[0], 1, &s, fence));
  VkResult early = vkWaitForFences(device, 1, &fence, 1, 1000000);
  DO(vkSetEvent(device, event));
  DO(vkWaitForFences(device, 1, &fence, 1, UINT64_MAX));
  printf("events: %s, %d wrong, %s\n", early == VK_TIMEOUT ? "waits" : "does not wait", wrong(1),
         vkGetEventStatus(device, event) == VK_EVENT_RESET ? "reset" : "set");
  vkDestroyFence(device, fence, NULL);
  vkDestroyEvent(device, event, NULL);
}

// Timeline semaphores, of which any is waited for.
static void any(void) {
  VkSemaphoreTypeCreateInfo t = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL, VK_SEMAPHORE_TYPE_TIMELINE,
                                 5};
  VkSemaphoreCreateInfo s = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &t};
  VkSemaphore two[2];
  for (int i = 0; i < 2; i++) DO(vkCreateSemaphore(device, &s, NULL, &two[i]));
  uint64_t values[2] = {6, 5};
  VkSemaphoreWaitInfo w = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, NULL, VK_SEMAPHORE_WAIT_ANY_BIT, 2, two, values};
  VkResult one = vkWaitSemaphores(device, &w, 0);
  w.flags = 0;
  printf("semaphores: any %d, all %d\n", one, vkWaitSemaphores(device, &w, 0));
  for (int i = 0; i < 2; i++) vkDestroySemaphore(device, two[i], NULL);
}

// Data of the program's own with objects: 0 before it was set, and with another object at the same address.
static void private(void) {
  VkPrivateDataSlotCreateInfo p = {VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
  VkPrivateDataSlot slots[2];
  for (int i = 0; i < 2; i++) DO(vkCreatePrivateDataSlot(device, &p, NULL, &slots[i]));
  uint64_t got[4], stale = 0;
  vkGetPrivateData(device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, slots[0], &got[0]);
  DO(vkSetPrivateData(device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, slots[0], 7));
  vkGetPrivateData(device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, slots[0], &got[1]);
  vkGetPrivateData(device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, slots[1], &got[2]);
  vkGetPrivateData(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, slots[0], &got[3]);
  for (int i = 0; i < 64; i++) {
    VkFenceCreateInfo f = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    uint64_t value;
    DO(vkCreateFence(device, &f, NULL, &fence));
    vkGetPrivateData(device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, slots[0], &value);
    stale += value;
    DO(vkSetPrivateData(device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, slots[0], 1));
    vkDestroyFence(device, fence, NULL);
  }
  printf("private data: %d %d %d %d, %d stale\n", (int)got[0], (int)got[1], (int)got[2], (int)got[3], (int)stale);
  for (int i = 0; i < 2; i++) vkDestroyPrivateDataSlot(device, slots[i], NULL);
}

static void tools(void) {
  VkPhysicalDeviceToolProperties all[4];
  uint32_t n = 4;
  for (int i = 0; i < 4; i++)
    all[i] = (VkPhysicalDeviceToolProperties){VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES};
  DO(vkGetPhysicalDeviceToolProperties(physical, &n, all));
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(all[i].name, "simtgdb")) printf("tool: simtgdb\n");
}

// What is said of cooperative matrices of workgroups and any size, as VK_NV_cooperative_matrix2 has it.
static void tensors(void) {
  enum { FEATURES = 1000593000, SHAPE, LIMITS, HALF = 0, FLOAT = 1, WORKGROUP = 2 };
  struct shape {
    int type;
    void *next;
    uint32_t m, n, k;
    int a, b, c, result;
    VkBool32 saturating;
    int scope;
    uint32_t invocations;
  } all[100];
  struct {
    int type;
    void *next;
    uint32_t is[7];
  } features = {FEATURES}, limits = {LIMITS};
  VkPhysicalDeviceFeatures2 asked = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features};
  VkPhysicalDeviceProperties2 told = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceFeatures2(physical, &asked);
  vkGetPhysicalDeviceProperties2(physical, &told);
  VkResult (*list)(VkPhysicalDevice, uint32_t *, struct shape *) = (void *)vkGetInstanceProcAddr(
      instance, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
  uint32_t count = 100, few = 3, halves = 0, has = 0;
  for (int i = 0; i < 100; i++) all[i] = (struct shape){SHAPE};
  VkResult cut = list(physical, &few, all);
  DO(list(physical, &count, all));
  for (uint32_t i = 0; i < count; i++)
    halves += all[i].a == HALF && all[i].b == HALF && all[i].c == FLOAT && all[i].result == FLOAT &&
              all[i].m == 8 && all[i].n == 8 && all[i].k == 8 && all[i].scope == WORKGROUP &&
              (all[i].invocations == 128 || all[i].invocations == 256);
  for (int i = 0; i < 7; i++) has += features.is[i];
  printf("tensors: %u features, at most %u lanes and %u rows, %u of %u, %d, %u\n", has, limits.is[0], limits.is[1],
         few, count, cut, halves);
}

// What is said of cooperative matrices, as VK_KHR_cooperative_matrix has it: installed headers and layers may be
// older.
static void matrices(void) {
  enum { FEATURES = 1000506000, SHAPE = 1000506001, STAGES = 1000506002, HALF = 0, FLOAT = 1, SUBGROUP = 3 };
  struct shape {
    int type;
    void *next;
    uint32_t m, n, k;
    int a, b, c, result;
    VkBool32 saturating;
    int scope;
  } all[32];
  struct {
    int type;
    void *next;
    VkBool32 has[2];
  } features = {FEATURES}, stages = {STAGES};
  VkPhysicalDeviceFeatures2 asked = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features};
  VkPhysicalDeviceProperties2 told = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &stages};
  vkGetPhysicalDeviceFeatures2(physical, &asked);
  vkGetPhysicalDeviceProperties2(physical, &told);
  VkResult (*list)(VkPhysicalDevice, uint32_t *, struct shape *) =
      (void *)vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  uint32_t count, few = 3, halves = 0;
  for (int i = 0; i < 32; i++) all[i] = (struct shape){SHAPE};
  DO(list(physical, &count, NULL));
  VkResult cut = list(physical, &few, all);
  DO(list(physical, &count, all));
  for (uint32_t i = 0; i < count; i++)
    halves += all[i].a == HALF && all[i].b == HALF && all[i].c == FLOAT && all[i].result == FLOAT &&
              all[i].m == 16 && all[i].n == 16 && all[i].k == 16 && all[i].scope == SUBGROUP;
  printf("matrices: %u %u, stages %u, %u of %u, %d, %u\n", features.has[0], features.has[1], stages.has[0], few,
         count, cut, halves);
  tensors();
}

static void executable(void) {
  PFN_vkGetPipelineExecutablePropertiesKHR properties = of_device("vkGetPipelineExecutablePropertiesKHR");
  PFN_vkGetPipelineExecutableStatisticsKHR statistics = of_device("vkGetPipelineExecutableStatisticsKHR");
  VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, NULL, pipeline};
  VkPipelineExecutablePropertiesKHR one = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
  uint32_t n = 1, count;
  DO(properties(device, &info, &n, &one));
  VkPipelineExecutableInfoKHR which = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, NULL, pipeline, 0};
  DO(statistics(device, &which, &count, NULL));
  printf("executable: %s, subgroups of %u, %u numbers\n", one.name, one.subgroupSize, count);
}

static void cache(void) {
  VkPipelineCacheCreateInfo c = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache made;
  DO(vkCreatePipelineCache(device, &c, NULL, &made));
  size_t size = 0, less = 4;
  uint32_t header[64];
  DO(vkGetPipelineCacheData(device, made, &size, NULL));
  VkResult cut = vkGetPipelineCacheData(device, made, &less, header);
  DO(vkGetPipelineCacheData(device, made, &size, header));
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(physical, &p);
  printf("cache: %d, %d, %s\n", header[0] >= 32 && header[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE, cut,
         memcmp(header + 4, p.pipelineCacheUUID, VK_UUID_SIZE) ? "another's" : "ours");
  vkDestroyPipelineCache(device, made, NULL);
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) return 2;
  open_instance();
  if (argc == 3) {
    open_device(0);
    matrices();
    close_device();
    vkDestroyInstance(instance, NULL);
    for (int i = 0; i < 2; i++) { // with the last instance the loader closes the driver, and opens it again
      open_instance();
      open_device(0);
      make_buffer(NULL);
      close_device();
      vkDestroyInstance(instance, NULL);
    }
    printf("opened again\n");
    return 0;
  }
  open_device(0);
  make_buffer(NULL);
  kind = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  make_pipeline(argv[1], 0);
  make_set();
  dynamic();
  templates();
  secondary();
  queries();
  events();
  any();
  private();
  tools();
  executable();
  cache();
  close_device();
  vkDestroyInstance(instance, NULL);
  return 0;
}
