// Clearing images: a texel is made of what is given, and written wherever there is one.
#include "vk_command.h"

// vk_encode makes a texel of a color, of a format that is not compressed. It is 0 where that cannot be.
static int vk_encode(VkFormat format, const VkClearColorValue *c, unsigned char *to) {
  dev_lock();
  dev_begin();
  put_u64((uint64_t)format);
  for (int k = 0; k < 4; k++) put_u64(c->uint32[k]);
  uint64_t got = 0, size = vk_texel(format);
  const void *texel = dev_request(OP_TEXEL) == DEV_DONE ? get_bytes(&got) : NULL;
  if (texel && got == size) memcpy(to, texel, size);
  dev_unlock();
  return texel && got == size;
}

// vk_fill_image records that texels are written all over a range of an image.
static void vk_fill_image(VkCommandBuffer b, const struct vk_image *m, const unsigned char *texel,
                          const VkImageSubresourceRange *r) {
  uint32_t size = vk_texel(m->format), levels = vk_levels(m, r), layers = vk_layers(m, r);
  for (uint32_t k = 0; k < levels * layers; k++) {
    uint32_t level = r->baseMipLevel + k % levels;
    struct vk_command *c = vk_record(b, CMD_UPDATE);
    c->size = vk_slice(m, level) * vk_level_size(m, level).depth;
    c->to = m->address + (r->baseArrayLayer + k / levels) * vk_level_at(m, m->levels) + vk_level_at(m, level);
    unsigned char *all = c->object = vk_new(c->size);
    for (uint64_t at = 0; at < c->size; at += size) memcpy(all + at, texel, size);
  }
}

// vk_clear_image records that a range of an image becomes a color.
static void vk_clear_image(VkCommandBuffer b, const struct vk_image *m, const VkClearColorValue *color,
                           const VkImageSubresourceRange *r) {
  unsigned char texel[32];
  static int said;
  if (!vk_encode(m->format, color, texel)) vk_missing("a clear of an image of this format", &said);
  else vk_fill_image(b, m, texel, r);
}

void vkCmdClearColorImage(VkCommandBuffer b, VkImage handle, VkImageLayout l, const VkClearColorValue *color,
                          uint32_t n, const VkImageSubresourceRange *ranges) {
  for (uint32_t i = 0; i < n; i++) vk_clear_image(b, VK_OBJECT(vk_image, handle), color, &ranges[i]);
}

void vkCmdClearDepthStencilImage(VkCommandBuffer b, VkImage handle, VkImageLayout l,
                                 const VkClearDepthStencilValue *v, uint32_t n,
                                 const VkImageSubresourceRange *ranges) {
  static const VkImageAspectFlags aspects[] = {VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT};
  const VkClearColorValue values[] = {{.float32 = {v->depth}}, {.uint32 = {v->stencil}}};
  for (uint32_t i = 0; i < 2 * n; i++) {
    if (!(ranges[i / 2].aspectMask & aspects[i % 2])) continue;
    struct vk_image part = vk_part_of(VK_OBJECT(vk_image, handle), aspects[i % 2]);
    vk_clear_image(b, &part, &values[i % 2], &ranges[i / 2]);
  }
}
