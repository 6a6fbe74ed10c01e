// Formats of blocks of Vulkan, by the loader's own functions: vulkan_blocks SHADER [FILE [blit]], which is blocks.comp.
// For each format that the device can sample, random blocks are copied into an image, and a shader gives its texels, or
// the image is copied into one of floats: shaders of SwiftShader's get zeros. It writes a FILE of formats, how many blocks
// there are, the blocks and the texels as floats, and prints sums of the texels.
#include "vulkan_pictures.h"

enum { BLOCKS = 56, ACROSS = 8, SIDE = 4, TEXELS = BLOCKS * SIDE * SIDE, FIRST = 131, LAST = 156 };

static const VkExtent3D whole = {ACROSS * SIDE, BLOCKS / ACROSS * SIDE, 1};

static uint32_t seed = 1;
static uint32_t next(void) { return seed = seed * 1664525 + 1013904223, seed >> 8 & 0xff; }

// fill makes random blocks, of every mode of BC6H and BC7.
static void fill(unsigned char *b, VkFormat f, int size) {
  static const unsigned char modes[] = {0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31};
  for (int i = 0; i < BLOCKS * size; i++) b[i] = (unsigned char)next();
  for (int i = 0; i < BLOCKS; i++) {
    unsigned char *first = b + i * size;
    if (f == 143 || f == 144) {
      unsigned char m = modes[i % sizeof modes];
      *first = (unsigned char)(m < 2 ? (*first & ~3) | m : (*first & ~31) | m);
    }
    if (f == 145 || f == 146) *first = (unsigned char)((*first << 1 | 1) << i % 8);
  }
}

static int block_bytes(VkFormat f) {
  return f <= 134 || f == 139 || f == 140 || f >= 147 && f <= 150 || f == 153 || f == 154 ? 8 : 16;
}

static void settle(VkCommandBuffer b, VkImage image, VkImageLayout from) {
  VkImageMemoryBarrier m = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                            VK_ACCESS_MEMORY_READ_BIT, from, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_IGNORED,
                            VK_QUEUE_FAMILY_IGNORED, image, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  vkCmdPipelineBarrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL,
                       1, &m);
}

static void open_blocks(void) {
  float priority = 1;
  VkDeviceQueueCreateInfo q = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  VkPhysicalDeviceFeatures has, f = {0};
  vkGetPhysicalDeviceFeatures(physical, &has);
  f.textureCompressionBC = has.textureCompressionBC;
  f.textureCompressionETC2 = has.textureCompressionETC2;
  printf("BC: %u, ETC2: %u\n", f.textureCompressionBC, f.textureCompressionETC2);
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &q,
                             .pEnabledFeatures = &f};
  DO(vkCreateDevice(physical, &info, NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queues[0]);
  VkCommandPoolCreateInfo p = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  DO(vkCreateCommandPool(device, &p, NULL, &pool));
}

static void make_blocks_pipeline(const char *file) {
  VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT},
                                             {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT}};
  VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
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

static VkImage make_image(VkFormat f, VkImageUsageFlags usage, VkDeviceMemory *in) {
  VkImageCreateInfo i = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = f,
                         .extent = whole, .mipLevels = 1, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                         .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
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

// shade has a shader write the texels of an image.
static void shade(VkCommandBuffer b, VkFormat f, VkImage image, VkBuffer to, VkImageView *view) {
  VkImageViewCreateInfo v = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image, .viewType = VK_IMAGE_VIEW_TYPE_2D,
                             .format = f, .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  DO(vkCreateImageView(device, &v, NULL, view));
  VkDescriptorImageInfo picture = {VK_NULL_HANDLE, *view, VK_IMAGE_LAYOUT_GENERAL};
  VkDescriptorBufferInfo result = {to, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet writes[] = {
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &picture},
      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 1, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &result}};
  vkUpdateDescriptorSets(device, 2, writes, 0, NULL);
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(b, TEXELS / 64, 1, 1);
}

// texels gives what a shader, or a copy with conversion, gets of an image of blocks.
static void texels(VkFormat f, VkBuffer from, VkBuffer to, int blit) {
  VkDeviceMemory in[2];
  VkImage image = make_image(f, VK_IMAGE_USAGE_SAMPLED_BIT, &in[0]), floats = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkImageSubresourceLayers layer = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkBufferImageCopy all = {0, 0, 0, layer, {0, 0, 0}, whole};
  VkCommandBuffer b = begin(0);
  settle(b, image, VK_IMAGE_LAYOUT_UNDEFINED);
  vkCmdCopyBufferToImage(b, from, image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
  settle(b, image, VK_IMAGE_LAYOUT_GENERAL);
  if (blit) {
    floats = make_image(VK_FORMAT_R32G32B32A32_SFLOAT, 0, &in[1]);
    settle(b, floats, VK_IMAGE_LAYOUT_UNDEFINED);
    VkOffset3D end = {(int32_t)whole.width, (int32_t)whole.height, 1};
    VkImageBlit same = {layer, {{0, 0, 0}, end}, layer, {{0, 0, 0}, end}};
    vkCmdBlitImage(b, image, VK_IMAGE_LAYOUT_GENERAL, floats, VK_IMAGE_LAYOUT_GENERAL, 1, &same, VK_FILTER_NEAREST);
    settle(b, floats, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyImageToBuffer(b, floats, VK_IMAGE_LAYOUT_GENERAL, to, 1, &all);
  } else {
    shade(b, f, image, to, &view);
  }
  DO(finish(b));
  if (view) vkDestroyImageView(device, view, NULL);
  vkDestroyImage(device, image, NULL);
  vkFreeMemory(device, in[0], NULL);
  if (!floats) return;
  vkDestroyImage(device, floats, NULL);
  vkFreeMemory(device, in[1], NULL);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  FILE *file = argc > 2 ? fopen(argv[2], "wb") : NULL;
  open_instance();
  open_blocks();
  make_blocks_pipeline(argv[1]);
  VkDeviceMemory memories[2];
  void *blocks, *out;
  VkBuffer from = big_buffer(BLOCKS * 16, &memories[0], &blocks), to = big_buffer(TEXELS * 16, &memories[1], &out);
  for (uint32_t f = FIRST; f <= LAST; f++) {
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, (VkFormat)f, &p);
    if (!(p.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) continue;
    uint32_t size = (uint32_t)block_bytes((VkFormat)f), head[] = {f, BLOCKS};
    seed = f;
    fill(blocks, (VkFormat)f, (int)size);
    texels((VkFormat)f, from, to, argc > 3);
    double sums[4] = {0};
    for (int i = 0; i < TEXELS * 4; i++) sums[i % 4] += ((float *)out)[i];
    printf("%u: %.4g %.4g %.4g %.4g\n", f, sums[0], sums[1], sums[2], sums[3]);
    if (file) {
      fwrite(head, sizeof head, 1, file);
      fwrite(blocks, size, BLOCKS, file);
      fwrite(out, 16, TEXELS, file);
    }
  }
  return file ? fclose(file) : 0;
}
