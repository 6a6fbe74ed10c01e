// Images of Vulkan for compute, by the loader's own functions: vulkan_images SHADER, which is halve.comp.
#include "vulkan_pictures.h"

enum { SIDE = 16, HALF = SIDE / 2, PICTURE = 0, COLORS = 1024, RESULT = 2048, MARKS = 3072 };

// A texel of the picture that is halved.
static uint32_t texel(int x, int y) { return (uint32_t)(16 * x | 16 * y << 8 | (x ^ y) << 16) | 0xff000000u; }

static VkImage make_image(int side, uint32_t levels, VkImageUsageFlags usage, VkDeviceMemory *in) {
  VkImageCreateInfo i = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
                         .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {(uint32_t)side, (uint32_t)side, 1},
                         .mipLevels = levels, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT, .usage = usage};
  VkImage image;
  DO(vkCreateImage(device, &i, NULL, &image));
  VkMemoryRequirements need;
  vkGetImageMemoryRequirements(device, image, &need);
  VkMemoryAllocateInfo a = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, need.size,
                            (uint32_t)__builtin_ctz(need.memoryTypeBits)};
  DO(vkAllocateMemory(device, &a, NULL, in));
  DO(vkBindImageMemory(device, image, *in, 0));
  return image;
}

static VkImageView view_of(VkImage image) {
  VkImageViewCreateInfo v = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image,
                             .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM,
                             .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
  VkImageView view;
  DO(vkCreateImageView(device, &v, NULL, &view));
  return view;
}

static VkSampler make_sampler(VkFilter filter, VkSamplerAddressMode mode) {
  VkSamplerCreateInfo s = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = filter, .minFilter = filter,
                           .addressModeU = mode, .addressModeV = mode, .addressModeW = mode,
                           .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
  VkSampler sampler;
  DO(vkCreateSampler(device, &s, NULL, &sampler));
  return sampler;
}

// settle makes images ready for anything.
static void settle(VkCommandBuffer b, VkImage *images, int n, VkImageLayout from) {
  for (int i = 0; i < n; i++) {
    VkImageMemoryBarrier m = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                              VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, from, VK_IMAGE_LAYOUT_GENERAL,
                              VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED, images[i],
                              {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
    vkCmdPipelineBarrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                         NULL, 1, &m);
  }
}

static void open_plain_device(void) {
  float priority = 1;
  VkDeviceQueueCreateInfo q = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
                               .pQueuePriorities = &priority};
  const char *extensions[] = {"VK_KHR_shader_non_semantic_info"};
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &q,
                             .enabledExtensionCount = 1, .ppEnabledExtensionNames = extensions};
  DO(vkCreateDevice(physical, &info, NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queues[0]);
  VkCommandPoolCreateInfo p = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  DO(vkCreateCommandPool(device, &p, NULL, &pool));
}

static void make_image_pipeline(const char *file, const VkSampler *fixed) {
  VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                              VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                              VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};
  VkDescriptorSetLayoutBinding bindings[6];
  VkDescriptorPoolSize sizes[6];
  for (uint32_t i = 0; i < 6; i++) {
    bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, i == 5 ? fixed : NULL};
    sizes[i] = (VkDescriptorPoolSize){types[i], 1};
  }
  VkDescriptorSetLayoutCreateInfo s = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 6, bindings};
  DO(vkCreateDescriptorSetLayout(device, &s, NULL, &set_layout));
  VkPipelineLayoutCreateInfo l = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout};
  DO(vkCreatePipelineLayout(device, &l, NULL, &layout));
  make_pipeline_of(file);
  VkDescriptorPoolCreateInfo p = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 6, sizes};
  DO(vkCreateDescriptorPool(device, &p, NULL, &descriptors));
  VkDescriptorSetAllocateInfo a = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, descriptors, 1, &set_layout};
  DO(vkAllocateDescriptorSets(device, &a, &set));
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  open_instance();
  open_plain_device();
  VkBufferCreateInfo bi = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096,
                           .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT};
  make_buffer(NULL);
  vkDestroyBuffer(device, buffer, NULL);
  DO(vkCreateBuffer(device, &bi, NULL, &buffer));
  DO(vkBindBufferMemory(device, buffer, memory, 0));
  for (int i = 0; i < SIDE * SIDE; i++) data[PICTURE / 4 + i] = texel(i % SIDE, i / SIDE);
  for (uint32_t i = 0; i < 4; i++) data[COLORS / 4 + i] = i << 16;
  memset(data + RESULT / 4, 0xaa, 2048);
  VkDeviceMemory memories[2];
  const VkImageUsageFlags copies = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImage images[] = {make_image(SIDE, 2, copies | VK_IMAGE_USAGE_SAMPLED_BIT, &memories[0]),
                      make_image(HALF, 1, copies | VK_IMAGE_USAGE_STORAGE_BIT, &memories[1])};
  VkImageView views[] = {view_of(images[0]), view_of(images[1])};
  VkSampler samplers[] = {make_sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE),
                          make_sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)};
  VkBufferViewCreateInfo vi = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, NULL, 0, buffer, VK_FORMAT_R8G8B8A8_UNORM,
                               COLORS, 16};
  VkBufferView colors;
  DO(vkCreateBufferView(device, &vi, NULL, &colors));
  make_image_pipeline(argv[1], &samplers[1]);
  VkDescriptorImageInfo pictures[] = {{samplers[0], views[0], VK_IMAGE_LAYOUT_GENERAL},
                                      {VK_NULL_HANDLE, views[1], VK_IMAGE_LAYOUT_GENERAL}};
  VkDescriptorBufferInfo marks = {buffer, MARKS, 32};
  VkWriteDescriptorSet writes[] = {
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, pictures},
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 1, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, pictures + 1},
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 2, 0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, NULL, NULL,
       &colors},
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 3, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &marks},
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 4, 0, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, pictures}};
  vkUpdateDescriptorSets(device, 5, writes, 0, NULL);
  VkCommandBuffer b = begin(0);
  VkImageSubresourceLayers layer = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  settle(b, images, 2, VK_IMAGE_LAYOUT_UNDEFINED);
  VkBufferImageCopy whole = {PICTURE, 0, 0, layer, {0, 0, 0}, {SIDE, SIDE, 1}};
  vkCmdCopyBufferToImage(b, buffer, images[0], VK_IMAGE_LAYOUT_GENERAL, 1, &whole);
  VkClearColorValue orange = {{1, 0.6f, 0.2f, 0.4f}};
  VkImageSubresourceRange second = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1};
  vkCmdClearColorImage(b, images[0], VK_IMAGE_LAYOUT_GENERAL, &orange, 1, &second);
  settle(b, images, 2, VK_IMAGE_LAYOUT_GENERAL);
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(b, 1, 1, 1);
  settle(b, images, 2, VK_IMAGE_LAYOUT_GENERAL);
  // Two rows of four texels, to every eighth texel of the buffer, then a corner of the first picture over another.
  VkBufferImageCopy part = {RESULT, 8, 0, layer, {4, 6, 0}, {4, 2, 1}};
  vkCmdCopyImageToBuffer(b, images[1], VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &part);
  VkImageCopy corner = {layer, {14, 15, 0}, layer, {0, 0, 0}, {2, 1, 1}};
  vkCmdCopyImage(b, images[0], VK_IMAGE_LAYOUT_GENERAL, images[1], VK_IMAGE_LAYOUT_GENERAL, 1, &corner);
  settle(b, images, 2, VK_IMAGE_LAYOUT_GENERAL);
  VkBufferImageCopy first = {RESULT + 512, 0, 0, layer, {0, 0, 0}, {3, 1, 1}};
  vkCmdCopyImageToBuffer(b, images[1], VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &first);
  DO(finish(b));
  const uint32_t *r = data + RESULT / 4;
  const float *m = (const float *)(data + MARKS / 4);
  printf("halved: %08x %08x %08x %08x, %08x, %08x\n", r[0], r[1], r[2], r[3], r[8], r[4]);
  printf("copied: %08x %08x %08x\n", r[128], r[129], r[130]);
  printf("second level: %.2f %.2f %.2f %.2f; border %.0f %.0f\n", m[0], m[1], m[2], m[3], m[4], m[7]);
  vkDestroyBufferView(device, colors, NULL);
  for (int i = 0; i < 2; i++) {
    vkDestroySampler(device, samplers[i], NULL);
    vkDestroyImageView(device, views[i], NULL);
    vkDestroyImage(device, images[i], NULL);
    vkFreeMemory(device, memories[i], NULL);
  }
  close_device();
  vkDestroyInstance(instance, NULL);
  return 0;
}
