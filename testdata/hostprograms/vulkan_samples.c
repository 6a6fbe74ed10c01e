// Random samples of images of several shapes, by Vulkan: vulkan_samples FOLDER FILE COUNT, of which the folder has the
// shaders of samples.comp, each by its name. For each image, address mode and filter FILE has COUNT places and the COUNT samples there.
#include "vulkan_pictures.h"

enum { IMAGES = 13, MODES = 5, FILTERS = 4 };

static uint32_t seed;
static uint32_t next(void) { return seed = seed * 1664525 + 1013904223, seed >> 8; }
static float unit(void) { return (float)next() / 16777216.f; }

static const struct {
  const char *shader;
  VkImageType type;
  VkImageViewType view;
  VkExtent3D size;
  uint32_t levels, layers;
  VkFormat format;
} kinds[IMAGES] = {
    {"sampler2D", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {16, 12, 1}, 4, 1, VK_FORMAT_R8G8B8A8_UNORM},
    {"sampler2D", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {13, 7, 1}, 3, 1, VK_FORMAT_R32G32B32A32_SFLOAT},
    {"sampler3D", VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, {8, 6, 5}, 3, 1, VK_FORMAT_R8G8B8A8_UNORM},
    {"samplerCube", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, {8, 8, 1}, 3, 6, VK_FORMAT_R8G8B8A8_UNORM},
    {"sampler2DArray", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {8, 6, 1}, 2, 5, VK_FORMAT_R8G8B8A8_SRGB},
    {"sampler2DShadow", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {8, 8, 1}, 2, 1, VK_FORMAT_D32_SFLOAT},
    {"gather", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {13, 7, 1}, 1, 1, VK_FORMAT_R8G8B8A8_UNORM},
    {"gatherOffset", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {13, 7, 1}, 1, 1, VK_FORMAT_R32G32B32A32_SFLOAT},
    {"gatherCompare", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {8, 8, 1}, 1, 1, VK_FORMAT_D32_SFLOAT},
    {"offset", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {16, 12, 1}, 4, 1, VK_FORMAT_R32G32B32A32_SFLOAT},
    {"gradient", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {16, 16, 1}, 4, 1, VK_FORMAT_R32G32B32A32_SFLOAT},
    {"projection", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {16, 12, 1}, 1, 1, VK_FORMAT_R32G32B32A32_SFLOAT},
    {"fetch", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {16, 12, 1}, 4, 1, VK_FORMAT_R32G32B32A32_SFLOAT},
};

static void settle(VkCommandBuffer b, VkImage image, VkImageLayout from, VkImageAspectFlags aspect) {
  VkImageMemoryBarrier m = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                            VK_ACCESS_MEMORY_READ_BIT, from, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_IGNORED,
                            VK_QUEUE_FAMILY_IGNORED, image,
                            {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  vkCmdPipelineBarrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL,
                       1, &m);
}

static void open_sampling(void) {
  float priority = 1;
  VkDeviceQueueCreateInfo q = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  VkPhysicalDeviceVulkan12Features f = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .samplerMirrorClampToEdge = 1};
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &f, .queueCreateInfoCount = 1, .pQueueCreateInfos = &q};
  DO(vkCreateDevice(physical, &info, NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queues[0]);
  VkCommandPoolCreateInfo p = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  DO(vkCreateCommandPool(device, &p, NULL, &pool));
  VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                              VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  VkDescriptorSetLayoutBinding bindings[3];
  VkDescriptorPoolSize sizes[3];
  for (uint32_t i = 0; i < 3; i++) {
    bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT};
    sizes[i] = (VkDescriptorPoolSize){types[i], 1};
  }
  VkDescriptorSetLayoutCreateInfo s = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 3, bindings};
  DO(vkCreateDescriptorSetLayout(device, &s, NULL, &set_layout));
  VkPipelineLayoutCreateInfo l = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout};
  DO(vkCreatePipelineLayout(device, &l, NULL, &layout));
  VkDescriptorPoolCreateInfo d = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 3, sizes};
  DO(vkCreateDescriptorPool(device, &d, NULL, &descriptors));
  VkDescriptorSetAllocateInfo a = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, descriptors, 1, &set_layout};
  DO(vkAllocateDescriptorSets(device, &a, &set));
}

static void make_sampling_pipeline(const char *folder, const char *shader) {
  char file[1024];
  snprintf(file, sizeof file, "%s/%s.spv", folder, shader);
  make_pipeline_of(file);
}

static uint32_t half_of(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

// filled makes an image with random texels in all levels.
static VkImageView filled(int k, VkBuffer from, void *texels) {
  int depth = kinds[k].format == VK_FORMAT_D32_SFLOAT, wide = kinds[k].format == VK_FORMAT_R32G32B32A32_SFLOAT;
  VkImageAspectFlags aspect = depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageCreateInfo i = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = kinds[k].type, .format = kinds[k].format,
                         .flags = kinds[k].view == VK_IMAGE_VIEW_TYPE_CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                         .extent = kinds[k].size, .mipLevels = kinds[k].levels, .arrayLayers = kinds[k].layers,
                         .samples = VK_SAMPLE_COUNT_1_BIT,
                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  VkImage image;
  DO(vkCreateImage(device, &i, NULL, &image));
  VkMemoryRequirements need;
  vkGetImageMemoryRequirements(device, image, &need);
  VkMemoryAllocateInfo a = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, need.size,
                            (uint32_t)__builtin_ctz(need.memoryTypeBits)};
  VkDeviceMemory in;
  DO(vkAllocateMemory(device, &a, NULL, &in));
  DO(vkBindImageMemory(device, image, in, 0));
  VkImageViewCreateInfo v = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image, .viewType = kinds[k].view,
                             .format = kinds[k].format,
                             .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  VkImageView view;
  DO(vkCreateImageView(device, &v, NULL, &view));
  seed = 100 + (uint32_t)k;
  for (int n = 0; n < 1 << 14; n++) {
    if (wide || depth) ((float *)texels)[n] = unit();
    else ((uint32_t *)texels)[n] = next() << 8 ^ next();
  }
  VkCommandBuffer b = begin(0);
  settle(b, image, VK_IMAGE_LAYOUT_UNDEFINED, aspect);
  VkDeviceSize at = 0;
  for (uint32_t n = 0; n < kinds[k].levels; n++) {
    VkExtent3D e = {half_of(i.extent.width, n), half_of(i.extent.height, n), half_of(i.extent.depth, n)};
    VkBufferImageCopy whole = {at, 0, 0, {aspect, n, 0, i.arrayLayers}, {0, 0, 0}, e};
    vkCmdCopyBufferToImage(b, from, image, VK_IMAGE_LAYOUT_GENERAL, 1, &whole);
    at += (VkDeviceSize)e.width * e.height * e.depth * i.arrayLayers * (wide ? 16 : 4);
  }
  settle(b, image, VK_IMAGE_LAYOUT_GENERAL, aspect);
  DO(finish(b));
  return view;
}

static VkSampler sampler(int mode, int filter, int compares) {
  VkSamplerCreateInfo s = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = (VkFilter)(filter & 1),
                           .minFilter = (VkFilter)(filter & 1), .mipmapMode = (VkSamplerMipmapMode)(filter >> 1),
                           .addressModeU = (VkSamplerAddressMode)mode, .addressModeV = (VkSamplerAddressMode)mode,
                           .addressModeW = (VkSamplerAddressMode)mode, .maxLod = VK_LOD_CLAMP_NONE,
                           .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, .compareEnable = (VkBool32)compares,
                           .compareOp = VK_COMPARE_OP_LESS};
  VkSampler made;
  DO(vkCreateSampler(device, &s, NULL, &made));
  return made;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  FILE *file = fopen(argv[2], "wb");
  uint32_t count = (uint32_t)atoi(argv[3]);
  if (!file || count % 50) return 2;
  open_instance();
  open_sampling();
  void *texels, *out, *at;
  VkDeviceMemory memories[3];
  VkBuffer from = big_buffer(1 << 16, &memories[0], &texels), to = big_buffer(count * 16, &memories[1], &out);
  VkBuffer by = big_buffer(count * 16, &memories[2], &at);
  for (int k = 0; k < IMAGES; k++) {
    make_sampling_pipeline(argv[1], kinds[k].shader);
    VkImageView view = filled(k, from, texels);
    int layered = kinds[k].view == VK_IMAGE_VIEW_TYPE_2D_ARRAY, compares = kinds[k].format == VK_FORMAT_D32_SFLOAT;
    for (int n = 0; n < MODES * FILTERS; n++) {
      for (uint32_t i = 0; i < count; i++) {
        float *place = (float *)at + 4 * i;
        for (int d = 0; d < 3; d++) place[d] = unit() * 3 - 1;
        if (layered) place[2] = unit() * 6 - 0.5f;
        if (compares) place[2] = unit();
        place[3] = unit() * (float)kinds[k].levels - 0.5f;
      }
      VkDescriptorImageInfo picture = {sampler(n / FILTERS, n % FILTERS, compares), view, VK_IMAGE_LAYOUT_GENERAL};
      VkDescriptorBufferInfo buffers[] = {{to, 0, VK_WHOLE_SIZE}, {by, 0, VK_WHOLE_SIZE}};
      VkWriteDescriptorSet w[] = {
          {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &picture},
          {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 1, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, buffers}};
      vkUpdateDescriptorSets(device, 2, w, 0, NULL);
      VkCommandBuffer b = begin(0);
      vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
      vkCmdDispatch(b, count / 50, 1, 1);
      DO(finish(b));
      fwrite(at, 16, count, file);
      fwrite(out, 16, count, file);
    }
  }
  return fclose(file);
}
