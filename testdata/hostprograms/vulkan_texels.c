// Arrays of texel buffers of Vulkan of which each invocation takes its own, by the loader's own functions: vulkan_texels
// SHADER, which is texels.comp.
#include "vulkan_pictures.h"

enum { BUFFERS = 4, TEXELS = N / BUFFERS };

static void open_texels(void) {
  float priority = 1;
  VkDeviceQueueCreateInfo q = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  VkPhysicalDeviceVulkan12Features f12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .descriptorIndexing = 1,
                                          .shaderUniformTexelBufferArrayNonUniformIndexing = 1,
                                          .shaderStorageTexelBufferArrayNonUniformIndexing = 1};
  VkPhysicalDeviceFeatures2 f = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f12};
  f.features.robustBufferAccess = 1;
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &f, .queueCreateInfoCount = 1, .pQueueCreateInfos = &q};
  DO(vkCreateDevice(physical, &info, NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queues[0]);
  VkCommandPoolCreateInfo p = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  DO(vkCreateCommandPool(device, &p, NULL, &pool));
}

// The two arrays: uniform texel buffers at binding 0, storage texel buffers at binding 1.
static const VkDescriptorType kinds[] = {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                         VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};

static void make_texels_set(const char *file) {
  VkDescriptorSetLayoutBinding bindings[2];
  VkDescriptorPoolSize sizes[2];
  for (uint32_t k = 0; k < 2; k++) {
    bindings[k] = (VkDescriptorSetLayoutBinding){k, kinds[k], BUFFERS, VK_SHADER_STAGE_COMPUTE_BIT};
    sizes[k] = (VkDescriptorPoolSize){kinds[k], BUFFERS};
  }
  VkDescriptorSetLayoutCreateInfo s = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 2, bindings};
  DO(vkCreateDescriptorSetLayout(device, &s, NULL, &set_layout));
  VkPipelineLayoutCreateInfo l = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout};
  DO(vkCreatePipelineLayout(device, &l, NULL, &layout));
  make_pipeline_of(file);
  VkDescriptorPoolCreateInfo p = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 2, sizes};
  DO(vkCreateDescriptorPool(device, &p, NULL, &descriptors));
  VkDescriptorSetAllocateInfo a = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, descriptors, 1, &set_layout};
  DO(vkAllocateDescriptorSets(device, &a, &set));
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  open_instance();
  open_texels();
  make_texels_set(argv[1]);
  const uint32_t apart = 256; // bytes between the buffers' texels
  VkDeviceMemory held;
  float *numbers;
  VkBuffer all = big_buffer(2 * BUFFERS * apart, &held, (void **)&numbers);
  VkBufferView views[2][BUFFERS];
  for (uint32_t k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < BUFFERS; i++) {
      VkBufferViewCreateInfo v = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, NULL, 0, all, VK_FORMAT_R32_SFLOAT,
                                  (k * BUFFERS + i) * apart, TEXELS * 4};
      DO(vkCreateBufferView(device, &v, NULL, &views[k][i]));
      for (uint32_t x = 0; x < apart / 4; x++) numbers[v.offset / 4 + x] = k ? -1 : (float)(100 * i + x);
    }
    VkWriteDescriptorSet w = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, k, 0, BUFFERS, kinds[k], NULL, NULL,
                              views[k]};
    vkUpdateDescriptorSets(device, 1, &w, 0, NULL);
  }
  VkCommandBuffer b = begin(0);
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(b, N / 32, 1, 1);
  DO(finish(b));
  int bad = 0;
  for (uint32_t i = 0; i < N; i++) { // what outside is: no color, and the alpha that the format has not
    uint32_t which = i * 3 % BUFFERS, x = i / BUFFERS;
    bad += numbers[(BUFFERS + 3 - which) * apart / 4 + x] != (float)(100 * which + x + 1000);
  }
  printf("texel buffers: %d wrong, behind is %g\n", bad, numbers[BUFFERS * apart / 4 + TEXELS]);
  for (uint32_t i = 0; i < 2 * BUFFERS; i++) vkDestroyBufferView(device, views[i / BUFFERS][i % BUFFERS], NULL);
  vkDestroyBuffer(device, all, NULL);
  vkFreeMemory(device, held, NULL);
  close_device();
  vkDestroyInstance(instance, NULL);
  return 0;
}
