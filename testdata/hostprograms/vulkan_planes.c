// Images of several planes by Vulkan: of luma and chroma, by a conversion to colors, and of depth and stencil; integers of
// 64 bits, and what clears leave in texels of all kinds. vulkan_planes SHADER, which is planes.comp, or vulkan_planes.
#include <math.h>

#include "vulkan_pictures.h"

enum { SIDE = 8, TEXELS = SIDE * SIDE, LUMA = 0, CHROMA = 64, DEPTH = 128, STENCIL = 384, MOST = 512, OUT = 1024, SIZE = 4096 };

static unsigned char *bytes;
static VkBuffer all;

static VkImage make(VkFormat format, VkImageUsageFlags usage, VkImageCreateFlags flags) {
  VkImageCreateInfo i = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, NULL, flags, VK_IMAGE_TYPE_2D, format, {SIDE, SIDE, 1}, 1, 1,
                         VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_TILING_OPTIMAL,
                         usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  VkImage image;
  DO(vkCreateImage(device, &i, NULL, &image));
  VkMemoryRequirements need;
  vkGetImageMemoryRequirements(device, image, &need);
  VkMemoryAllocateInfo a = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, need.size,
                            (uint32_t)__builtin_ctz(need.memoryTypeBits)};
  VkDeviceMemory in;
  DO(vkAllocateMemory(device, &a, NULL, &in));
  DO(vkBindImageMemory(device, image, in, 0));
  return image;
}

static VkImageView view(VkImage image, VkFormat format, VkImageAspectFlags aspect, const void *next) {
  VkImageViewCreateInfo v = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, next, 0, image, VK_IMAGE_VIEW_TYPE_2D, format, {0},
                             {aspect, 0, 1, 0, 1}};
  VkImageView made;
  DO(vkCreateImageView(device, &v, NULL, &made));
  return made;
}

static void settle(VkCommandBuffer b, VkImage image, VkImageAspectFlags aspect, VkImageLayout from) {
  VkImageMemoryBarrier m = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, from, VK_IMAGE_LAYOUT_GENERAL,
                            VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED, image, {aspect, 0, 1, 0, 1}};
  vkCmdPipelineBarrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &m);
}

static void fill(VkCommandBuffer b, VkImage image, VkImageAspectFlags aspect, uint32_t from, uint32_t side) {
  VkBufferImageCopy c = {from, 0, 0, {aspect, 0, 0, 1}, {0, 0, 0}, {side, side, 1}};
  vkCmdCopyBufferToImage(b, all, image, VK_IMAGE_LAYOUT_GENERAL, 1, &c);
}

// The color of a texel by BT.601 in the range of video, of which chroma lies at the first of two texels across, and
// between two down.
static void color(int x, int y, float want[3]) {
  double cu = (x + 0.5 + 0.5) / 2 - 0.5, cv = (y + 0.5) / 2 - 0.5, c[2];
  int i = (int)floor(cu), j = (int)floor(cv);
  for (int k = 0; k < 2; k++) {
    c[k] = 0;
    for (int n = 0; n < 4; n++) {
      int p = i + n % 2, q = j + n / 2;
      double weight = fabs(1 - n % 2 - (cu - i)) * fabs(1 - n / 2 - (cv - j));
      p = p < 0 ? 0 : p > 3 ? 3 : p, q = q < 0 ? 0 : q > 3 ? 3 : q;
      c[k] += weight * (bytes[CHROMA + 2 * (4 * q + p) + k] - 128) / 224;
    }
  }
  double luma = (bytes[LUMA + SIDE * y + x] - 16) / 219.;
  want[0] = (float)(luma + 1.402 * c[1]);
  want[1] = (float)(luma - 0.344136 * c[0] - 0.714136 * c[1]);
  want[2] = (float)(luma + 1.772 * c[0]);
}

static void planes(const char *file) {
  for (int i = 0; i < 128; i++) bytes[i] = (unsigned char)(i * 37 + i / 8 * 11);
  for (int i = 0; i < TEXELS; i++) {
    uint32_t depth = (uint32_t)i << 16 | 0xab;
    memcpy(bytes + DEPTH + 4 * i, &depth, 4);
    bytes[STENCIL + i] = (unsigned char)(3 * i);
  }
  VkSamplerYcbcrConversionCreateInfo ci = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO, NULL,
                                           VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601,
                                           VK_SAMPLER_YCBCR_RANGE_ITU_NARROW, {0}, VK_CHROMA_LOCATION_COSITED_EVEN,
                                           VK_CHROMA_LOCATION_MIDPOINT, VK_FILTER_LINEAR, VK_FALSE};
  VkSamplerYcbcrConversionInfo by = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO};
  DO(vkCreateSamplerYcbcrConversion(device, &ci, NULL, &by.conversion));
  VkSamplerCreateInfo si = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, &by, 0, VK_FILTER_LINEAR, VK_FILTER_LINEAR,
                            VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                            VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
  VkSampler sampler;
  DO(vkCreateSampler(device, &si, NULL, &sampler));
  VkImage picture = make(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
  VkImage depth = make(VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_USAGE_SAMPLED_BIT, 0);
  VkImage most = make(VK_FORMAT_R64_UINT, VK_IMAGE_USAGE_STORAGE_BIT, 0);
  VkDescriptorImageInfo views[] = {
      {sampler, view(picture, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, &by), VK_IMAGE_LAYOUT_GENERAL},
      {0, view(picture, VK_FORMAT_R8G8_UNORM, VK_IMAGE_ASPECT_PLANE_1_BIT, NULL), VK_IMAGE_LAYOUT_GENERAL},
      {0, view(depth, VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT, NULL), VK_IMAGE_LAYOUT_GENERAL},
      {0, view(depth, VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, NULL), VK_IMAGE_LAYOUT_GENERAL},
      {0, view(most, VK_FORMAT_R64_UINT, VK_IMAGE_ASPECT_COLOR_BIT, NULL), VK_IMAGE_LAYOUT_GENERAL}};
  VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                              VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                              VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  VkDescriptorSetLayoutBinding bindings[6];
  VkDescriptorPoolSize sizes[6];
  for (uint32_t i = 0; i < 6; i++) {
    bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, i ? NULL : &sampler};
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
  VkDescriptorBufferInfo out = {all, OUT, 2 * 16 * TEXELS};
  VkWriteDescriptorSet writes[6];
  for (uint32_t i = 0; i < 6; i++)
    writes[i] = (VkWriteDescriptorSet){VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, i, 0, 1, types[i],
                                       i < 5 ? views + i : NULL, i < 5 ? NULL : &out};
  vkUpdateDescriptorSets(device, 6, writes, 0, NULL);

  const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  VkCommandBuffer b = begin(0);
  settle(b, picture, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED);
  settle(b, depth, both, VK_IMAGE_LAYOUT_UNDEFINED);
  settle(b, most, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED);
  fill(b, picture, VK_IMAGE_ASPECT_PLANE_0_BIT, LUMA, SIDE);
  fill(b, picture, VK_IMAGE_ASPECT_PLANE_1_BIT, CHROMA, SIDE / 2);
  fill(b, depth, VK_IMAGE_ASPECT_DEPTH_BIT, DEPTH, SIDE);
  fill(b, depth, VK_IMAGE_ASPECT_STENCIL_BIT, STENCIL, SIDE);
  VkClearColorValue none = {{0}};
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(b, most, VK_IMAGE_LAYOUT_GENERAL, &none, 1, &range);
  settle(b, picture, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL);
  settle(b, depth, both, VK_IMAGE_LAYOUT_GENERAL);
  settle(b, most, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL);
  vkCmdBindPipeline(b, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(b, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(b, 1, 1, 1);
  settle(b, most, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL);
  VkBufferImageCopy c = {MOST, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
  vkCmdCopyImageToBuffer(b, most, VK_IMAGE_LAYOUT_GENERAL, all, 1, &c);
  DO(finish(b));

  const float *texels = (const float *)(bytes + OUT);
  int colors = 0, parts = 0;
  for (int i = 0; i < TEXELS; i++) {
    float want[3];
    color(i % SIDE, i / SIDE, want);
    for (int k = 0; k < 3; k++) colors += !(fabsf(texels[4 * i + k] - want[k]) < 1e-4f);
    const float *t = texels + 4 * (TEXELS + i);
    const unsigned char *at = bytes + CHROMA + 2 * (i / SIDE / 2 * 4 + i % SIDE / 2);
    parts += t[0] != at[0] / 255.f || t[1] != at[1] / 255.f || t[3] != 3 * i ||
             fabs(t[2] - (i << 16 | 0xab) / 16777215.) > 1e-7;
  }
  uint64_t v;
  memcpy(&v, bytes + MOST, 8);
  printf("planes: %d colors wrong, %d of parts; most %llx\n", colors, parts, (unsigned long long)v);
}

// clears prints the bytes that a clear leaves in a texel of each of some formats.
static void clears(void) {
  static const VkFormat formats[] = {
      VK_FORMAT_R5G6B5_UNORM_PACK16,       VK_FORMAT_B5G5R5A1_UNORM_PACK16,   VK_FORMAT_A1R5G5B5_UNORM_PACK16,
      VK_FORMAT_R4G4B4A4_UNORM_PACK16,     VK_FORMAT_A2R10G10B10_UNORM_PACK32, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
      VK_FORMAT_B10G11R11_UFLOAT_PACK32,   VK_FORMAT_E5B9G9R9_UFLOAT_PACK32,  VK_FORMAT_R8G8B8A8_SRGB,
      VK_FORMAT_B8G8R8A8_SRGB,             VK_FORMAT_R16G16B16A16_SFLOAT,     VK_FORMAT_R16G16_SNORM,
      VK_FORMAT_A4R4G4B4_UNORM_PACK16};
  const uint32_t at = MOST;
  VkClearColorValue color = {{0.7f, 0.3f, 0.9f, 0.45f}};
  VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    VkFormatProperties p;
    vkGetPhysicalDeviceFormatProperties(physical, formats[i], &p);
    memset(bytes + at, 0, 16);
    if (!(p.optimalTilingFeatures & VK_FORMAT_FEATURE_TRANSFER_DST_BIT)) {
      printf("format %d: none\n", formats[i]);
      continue;
    }
    VkImage image = make(formats[i], VK_IMAGE_USAGE_SAMPLED_BIT, 0);
    VkCommandBuffer b = begin(0);
    settle(b, image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED);
    vkCmdClearColorImage(b, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    settle(b, image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_GENERAL);
    VkBufferImageCopy c = {at, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {7, 7, 0}, {1, 1, 1}};
    vkCmdCopyImageToBuffer(b, image, VK_IMAGE_LAYOUT_GENERAL, all, 1, &c);
    DO(finish(b));
    uint64_t v;
    memcpy(&v, bytes + at, 8);
    printf("format %d: %llx\n", formats[i], (unsigned long long)v);
  }
  VkClearDepthStencilValue deep = {0.3f, 77};
  const VkFormat depths[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT_S8_UINT};
  for (int i = 0; i < 2; i++) {
    const VkImageAspectFlags aspects = i ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    VkImage image = make(depths[i], VK_IMAGE_USAGE_SAMPLED_BIT, 0);
    VkCommandBuffer b = begin(0);
    settle(b, image, aspects, VK_IMAGE_LAYOUT_UNDEFINED);
    VkImageSubresourceRange whole = {aspects, 0, 1, 0, 1};
    vkCmdClearDepthStencilImage(b, image, VK_IMAGE_LAYOUT_GENERAL, &deep, 1, &whole);
    settle(b, image, aspects, VK_IMAGE_LAYOUT_GENERAL);
    memset(bytes + at, 0, 16);
    for (uint32_t k = 0; k <= (uint32_t)i; k++) {
      VkBufferImageCopy c = {at + 4 * k, 0, 0, {k ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1},
                             {7, 7, 0}, {1, 1, 1}};
      vkCmdCopyImageToBuffer(b, image, VK_IMAGE_LAYOUT_GENERAL, all, 1, &c);
    }
    DO(finish(b));
    uint32_t v[2];
    memcpy(v, bytes + at, 8);
    printf("format %d: %x %x\n", depths[i], v[0], v[1]);
  }
}

static void open_device_for(int planes) {
  float priority = 1;
  VkDeviceQueueCreateInfo q = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT a = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, NULL, VK_TRUE};
  VkPhysicalDeviceVulkan11Features y = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &a,
                                        .samplerYcbcrConversion = VK_TRUE};
  VkPhysicalDeviceFeatures2 f = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &y, {.shaderInt64 = VK_TRUE}};
  const char *extensions[] = {"VK_EXT_4444_formats", "VK_EXT_shader_image_atomic_int64", "VK_KHR_shader_non_semantic_info"};
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, planes ? &f : NULL, .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &q, .enabledExtensionCount = planes ? 3 : 1,
                             .ppEnabledExtensionNames = extensions};
  DO(vkCreateDevice(physical, &info, NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queues[0]);
  VkCommandPoolCreateInfo p = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  DO(vkCreateCommandPool(device, &p, NULL, &pool));
}

int main(int argc, char **argv) {
  open_instance();
  open_device_for(argc > 1);
  VkDeviceMemory in;
  all = big_buffer(SIZE, &in, (void **)&bytes);
  if (argc > 1) planes(argv[1]);
  clears();
  return 0;
}
