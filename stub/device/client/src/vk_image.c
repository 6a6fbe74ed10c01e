// Images, their views, samplers, and copies. An image's texels lie row by row, one level behind the other,
// one layer behind the other: as package simt/texel has it, whose blocks say to the machine what a view and a
// sampler are.
#include "texel.h"
#include "vk_command.h"

struct vk_image {
  uint64_t address;
  VkImageType type;
  VkFormat format;
  VkExtent3D extent;
  uint32_t levels, layers, samples;
};

static uint32_t vk_least(uint32_t a) { return a ? a : 1; }

static VkExtent3D vk_level_size(const struct vk_image *m, uint32_t level) {
  return (VkExtent3D){vk_least(m->extent.width >> level), vk_least(m->extent.height >> level),
                      vk_least(m->extent.depth >> level)};
}

static uint64_t vk_row(const struct vk_image *m, uint32_t level) {
  return (uint64_t)vk_blocks(m->format, vk_level_size(m, level).width) * vk_texel(m->format) * m->samples;
}

static uint64_t vk_slice(const struct vk_image *m, uint32_t level) {
  return vk_row(m, level) * vk_blocks(m->format, vk_level_size(m, level).height);
}

// vk_level_at is where a level begins in its layer; behind the last is the size of a layer.
static uint64_t vk_level_at(const struct vk_image *m, uint32_t level) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < level; i++) at += vk_slice(m, i) * vk_level_size(m, i).depth;
  return at;
}

// vk_levels and vk_layers are how many a range has, which may be all that are left.
static uint32_t vk_levels(const struct vk_image *m, const VkImageSubresourceRange *r) {
  return r->levelCount == VK_REMAINING_MIP_LEVELS ? m->levels - r->baseMipLevel : r->levelCount;
}

static uint32_t vk_layers(const struct vk_image *m, const VkImageSubresourceRange *r) {
  return r->layerCount == VK_REMAINING_ARRAY_LAYERS ? m->layers - r->baseArrayLayer : r->layerCount;
}

static uint64_t vk_piece_size(const struct vk_image *m) { return vk_level_at(m, m->levels) * m->layers; }

// vk_part_of is the plane of an image that an aspect means, as an image of its own, or the image.
static struct vk_image vk_part_of(const struct vk_image *m, VkImageAspectFlags aspect) {
  struct vk_plane planes[3];
  struct vk_image out = *m;
  int n = vk_planes(m->format, planes);
  if (!n || aspect & VK_IMAGE_ASPECT_COLOR_BIT) return out;
  int which = aspect & (VK_IMAGE_ASPECT_STENCIL_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT) ? 1
              : aspect & VK_IMAGE_ASPECT_PLANE_2_BIT                               ? 2
                                                                                   : 0;
  for (int i = 0; i <= which && i < n; i++) {
    if (i) out.address += vk_piece_size(&out);
    out.format = planes[i].format;
    out.extent.width = planes[i].narrow ? (m->extent.width + 1) / 2 : m->extent.width;
    out.extent.height = planes[i].low ? (m->extent.height + 1) / 2 : m->extent.height;
  }
  return out;
}

static uint64_t vk_image_size(const struct vk_image *m) {
  struct vk_plane planes[3];
  int n = vk_planes(m->format, planes);
  if (!n) return vk_piece_size(m);
  struct vk_image last = vk_part_of(m, n == 3 ? VK_IMAGE_ASPECT_PLANE_2_BIT : VK_IMAGE_ASPECT_PLANE_1_BIT);
  return last.address - m->address + vk_piece_size(&last);
}

static struct vk_image vk_described(const VkImageCreateInfo *i) {
  return (struct vk_image){0, i->imageType, i->format, i->extent, i->mipLevels, i->arrayLayers, i->samples};
}

VkResult vkCreateImage(VkDevice d, const VkImageCreateInfo *info, const VkAllocationCallbacks *a,
                       VkImage *out) {
  if (!vk_texel(info->format)) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (vk_is_chroma(info->format) &&
      (info->mipLevels > 1 || info->arrayLayers > 1 || info->imageType != VK_IMAGE_TYPE_2D))
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  struct vk_image *m = vk_new(sizeof *m);
  *m = vk_described(info);
  *out = VK_HANDLE(m);
  return VK_SUCCESS;
}

void vkDestroyImage(VkDevice d, VkImage m, const VkAllocationCallbacks *a) {
  vk_forget(m);
  dev_drop(VK_OBJECT(vk_image, m));
}

void vkGetImageMemoryRequirements(VkDevice d, VkImage m, VkMemoryRequirements *to) {
  vk_requirements(vk_image_size(VK_OBJECT(vk_image, m)), to);
}

void vkGetImageMemoryRequirements2(VkDevice d, const VkImageMemoryRequirementsInfo2 *info,
                                   VkMemoryRequirements2 *to) {
  vkGetImageMemoryRequirements(d, info->image, &to->memoryRequirements);
  vk_dedicated(to->pNext);
}

void vkGetDeviceImageMemoryRequirements(VkDevice d, const VkDeviceImageMemoryRequirements *info,
                                        VkMemoryRequirements2 *to) {
  struct vk_image m = vk_described(info->pCreateInfo);
  vk_requirements(vk_image_size(&m), &to->memoryRequirements);
  vk_dedicated(to->pNext);
}

VkResult vkBindImageMemory(VkDevice d, VkImage m, VkDeviceMemory memory, VkDeviceSize at) {
  VK_OBJECT(vk_image, m)->address = VK_OBJECT(vk_memory, memory)->base + at;
  return VK_SUCCESS;
}

VkResult vkBindImageMemory2(VkDevice d, uint32_t n, const VkBindImageMemoryInfo *all) {
  for (uint32_t i = 0; i < n; i++) vkBindImageMemory(d, all[i].image, all[i].memory, all[i].memoryOffset);
  return VK_SUCCESS;
}

void vkGetImageSubresourceLayout(VkDevice d, VkImage handle, const VkImageSubresource *s,
                                 VkSubresourceLayout *to) {
  const struct vk_image *whole = VK_OBJECT(vk_image, handle);
  struct vk_image part = vk_part_of(whole, s->aspectMask), *m = &part;
  *to =
      (VkSubresourceLayout){.offset = m->address - whole->address +
                                      s->arrayLayer * vk_level_at(m, m->levels) + vk_level_at(m, s->mipLevel),
                            .size = vk_slice(m, s->mipLevel) * vk_level_size(m, s->mipLevel).depth,
                            .rowPitch = vk_row(m, s->mipLevel),
                            .arrayPitch = vk_level_at(m, m->levels),
                            .depthPitch = vk_slice(m, s->mipLevel)};
}

// Blocks. An image's is followed by a sampler's, so that both are one for a combined descriptor.

enum { BLOCK = sizeof(texel_block) };

struct vk_sampler {
  texel_sampler block;
  uint64_t address; // of a block in the device's memory
};

// A pair is a view with a sampler, in the device's memory.
struct vk_pair {
  texel_sampler sampler;
  uint64_t address;
  struct vk_pair *next;
};

struct vk_view {
  texel_image block;
  struct vk_pair *pairs; // under dev_lock
};

// A conversion says what samplers make of luma and chroma, as package simt/texel has it.
struct vk_conversion {
  uint32_t bits;
  VkComponentMapping components;
};

VkResult vkCreateSamplerYcbcrConversion(VkDevice d, const VkSamplerYcbcrConversionCreateInfo *i,
                                        const VkAllocationCallbacks *a, VkSamplerYcbcrConversion *out) {
  struct vk_conversion *c = vk_new(sizeof *c);
  c->bits = 1u | (uint32_t)i->ycbcrModel << 1 |
            (uint32_t)(i->ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW) << 4 |
            (uint32_t)(i->xChromaOffset == VK_CHROMA_LOCATION_MIDPOINT) << 5 |
            (uint32_t)(i->yChromaOffset == VK_CHROMA_LOCATION_MIDPOINT) << 6;
  c->components = i->components;
  *out = VK_HANDLE(c);
  return VK_SUCCESS;
}

void vkDestroySamplerYcbcrConversion(VkDevice d, VkSamplerYcbcrConversion c, const VkAllocationCallbacks *a) {
  vk_forget(c);
  dev_drop(VK_OBJECT(vk_conversion, c));
}

// vk_block puts a block into the device's memory. It is 0 if there is none.
static uint64_t vk_block(const texel_image *image, const texel_sampler *sampler) {
  enum dev_status s;
  uint64_t at = dev_alloc(BLOCK, 0, RANGE_MEMORY, &s);
  if (!at) return 0;
  texel_block *block = dev_host(at);
  if (image) block->image = *image;
  if (sampler) *(image ? &block->sampler : (texel_sampler *)block) = *sampler;
  return at;
}

static uint64_t vk_paired(struct vk_view *v, const struct vk_sampler *s) {
  static const texel_sampler none;
  const texel_sampler *sampler = s ? &s->block : &none;
  dev_lock();
  struct vk_pair *p = v->pairs;
  while (p && memcmp(&p->sampler, sampler, sizeof *sampler)) p = p->next;
  if (!p) {
    p = vk_new(sizeof *p);
    p->sampler = *sampler;
    p->address = vk_block(&v->block, sampler);
    p->next = v->pairs;
    v->pairs = p;
  }
  dev_unlock();
  return p->address;
}

static void vk_free_view(uint64_t handle) {
  struct vk_view *v = VK_OBJECT(vk_view, handle);
  if (!v) return;
  dev_lock();
  for (struct vk_pair *p; (p = v->pairs);) {
    v->pairs = p->next;
    if (p->address) dev_free(p->address);
    free(p);
  }
  dev_unlock();
  vk_forget(handle);
  dev_drop(v);
}

static unsigned char vk_swizzle(VkComponentSwizzle s, unsigned char same) {
  switch (s) {
  case VK_COMPONENT_SWIZZLE_ZERO: return 4;
  case VK_COMPONENT_SWIZZLE_ONE: return 5;
  case VK_COMPONENT_SWIZZLE_IDENTITY: return same;
  default: return (unsigned char)(s - VK_COMPONENT_SWIZZLE_R);
  }
}

VkResult vkCreateImageView(VkDevice d, const VkImageViewCreateInfo *info, const VkAllocationCallbacks *a,
                           VkImageView *out) {
  static const uint32_t shapes[] = {TEXEL_LINE, TEXEL_PLANE, TEXEL_VOLUME, TEXEL_CUBE,
                                    TEXEL_LINE, TEXEL_PLANE, TEXEL_CUBE};
  const VkImageSubresourceRange *r = &info->subresourceRange;
  struct vk_image part = vk_part_of(VK_OBJECT(vk_image, info->image), r->aspectMask), *m = &part;
  struct vk_plane planes[3];
  int is_part = m->format != info->format && vk_planes(info->format, planes) && !vk_is_chroma(info->format);
  struct vk_view *v = vk_new(sizeof *v);
  uint32_t levels = vk_levels(m, r), layers = vk_layers(m, r);
  v->block = (texel_image){.format = is_part ? m->format : info->format, .shape = shapes[info->viewType],
                           .size = {m->extent.width, m->extent.height, m->extent.depth}, .layers = m->layers,
                           .levels = m->levels, .samples = m->samples, .first_level = r->baseMipLevel,
                           .view_levels = levels, .first_layer = r->baseArrayLayer, .view_layers = layers,
                           .address = m->address};
  const VkComponentMapping *c = &info->components;
  const VkSamplerYcbcrConversionInfo *by =
      vk_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
  if (by) c = &VK_OBJECT(vk_conversion, by->conversion)->components;
  const VkComponentSwizzle s[] = {c->r, c->g, c->b, c->a};
  for (int i = 0; i < 4; i++) v->block.swizzle[i] = vk_swizzle(s[i], (unsigned char)i);
  *out = VK_HANDLE(v);
  return VK_SUCCESS;
}

void vkDestroyImageView(VkDevice d, VkImageView v, const VkAllocationCallbacks *a) { vk_free_view(v); }

VkResult vkCreateBufferView(VkDevice d, const VkBufferViewCreateInfo *info, const VkAllocationCallbacks *a,
                            VkBufferView *out) {
  struct vk_buffer *b = VK_OBJECT(vk_buffer, info->buffer);
  uint32_t texel = vk_texel(info->format);
  if (!texel) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  uint64_t size = info->range == VK_WHOLE_SIZE ? b->size - info->offset : info->range;
  uint64_t at = b->address + info->offset;
  struct vk_view *v = vk_new(sizeof *v);
  v->block = (texel_image){.format = info->format, .shape = TEXEL_LINE,
                           .size = {(uint32_t)(size / texel), 1, 1}, .layers = 1, .levels = 1,
                           .samples = 1, .view_levels = 1, .view_layers = 1,
                           .swizzle = {0, 1, 2, 3}, .address = at};
  *out = VK_HANDLE(v);
  return VK_SUCCESS;
}

void vkDestroyBufferView(VkDevice d, VkBufferView v, const VkAllocationCallbacks *a) { vk_free_view(v); }

VkResult vkCreateSampler(VkDevice d, const VkSamplerCreateInfo *i, const VkAllocationCallbacks *a,
                         VkSampler *out) {
  struct vk_sampler *s = vk_new(sizeof *s);
  s->block = (texel_sampler){.mag = i->magFilter, .min = i->minFilter, .mip = i->mipmapMode,
                             .modes = {i->addressModeU, i->addressModeV, i->addressModeW},
                             .compare = i->compareEnable ? (uint32_t)i->compareOp : TEXEL_NO_COMPARISON,
                             .unnormalized = i->unnormalizedCoordinates, .bias = i->mipLodBias,
                             .least = i->minLod, .most = i->maxLod};
  const VkSamplerYcbcrConversionInfo *by = vk_find(i->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
  if (by) s->block.conversion = VK_OBJECT(vk_conversion, by->conversion)->bits;
  int white = i->borderColor == VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE ||
              i->borderColor == VK_BORDER_COLOR_INT_OPAQUE_WHITE;
  int clear = i->borderColor == VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK ||
              i->borderColor == VK_BORDER_COLOR_INT_TRANSPARENT_BLACK;
  for (int k = 0; k < 4; k++) s->block.border[k] = (float)(white || (k == 3 && !clear));
  dev_lock();
  s->address = vk_block(NULL, &s->block);
  dev_unlock();
  if (!s->address) {
    free(s);
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  *out = VK_HANDLE(s);
  return VK_SUCCESS;
}

void vkDestroySampler(VkDevice d, VkSampler handle, const VkAllocationCallbacks *a) {
  struct vk_sampler *s = VK_OBJECT(vk_sampler, handle);
  if (!s) return;
  dev_lock();
  dev_free(s->address);
  dev_unlock();
  vk_forget(handle);
  free(s);
}
