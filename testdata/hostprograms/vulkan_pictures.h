// What the Vulkan programs of the tests that have images share, besides vulkan_start.h: mapped buffers, and pipelines
// of any layout.
#pragma once
#include "vulkan_start.h"

static VkBuffer big_buffer(VkDeviceSize size, VkDeviceMemory *in, void **at) {
  VkBufferCreateInfo b = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, NULL, 0, size,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                              VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer;
  DO(vkCreateBuffer(device, &b, NULL, &buffer));
  VkMemoryRequirements need;
  vkGetBufferMemoryRequirements(device, buffer, &need);
  VkPhysicalDeviceMemoryProperties m;
  vkGetPhysicalDeviceMemoryProperties(physical, &m);
  uint32_t type = 0;
  while (!(m.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)) type++;
  VkMemoryAllocateInfo a = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, need.size, type};
  DO(vkAllocateMemory(device, &a, NULL, in));
  DO(vkBindBufferMemory(device, buffer, *in, 0));
  DO(vkMapMemory(device, *in, 0, VK_WHOLE_SIZE, 0, at));
  return buffer;
}

// make_pipeline_of makes the pipeline of a shader, with the layout that is there.
static void make_pipeline_of(const char *file) {
  size_t size;
  void *code = contents(file, &size);
  VkShaderModuleCreateInfo m = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, size, code};
  VkShaderModule module;
  DO(vkCreateShaderModule(device, &m, NULL, &module));
  VkComputePipelineCreateInfo c = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, NULL, 0,
                                   {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0,
                                    VK_SHADER_STAGE_COMPUTE_BIT, module, "main"},
                                   layout};
  DO(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &c, NULL, &pipeline));
  vkDestroyShaderModule(device, module, NULL);
  free(code);
}
