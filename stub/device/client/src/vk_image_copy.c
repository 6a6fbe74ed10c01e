// Copies of images: row by row, where these do not lie side by side.
#include "vk_command.h"

// A vk_part is a box of texels: where it begins, and how far apart its rows, slices and layers are.
struct vk_part {
  uint64_t at, row, slice, layer;
};

// vk_copy_box records the copy of a box of texels.
static void vk_copy_box(VkCommandBuffer b, struct vk_part from, struct vk_part to, uint64_t row,
                        uint32_t rows, uint32_t slices, uint32_t layers) {
  for (uint32_t l = 0; l < layers; l++)
    for (uint32_t z = 0; z < slices; z++) {
      uint64_t f = from.at + l * from.layer + z * from.slice, t = to.at + l * to.layer + z * to.slice;
      int whole = from.row == row && to.row == row;
      for (uint32_t y = 0; y < (whole ? 1 : rows); y++) {
        struct vk_command *c = vk_record(b, CMD_COPY);
        c->from = f + y * from.row;
        c->to = t + y * to.row;
        c->size = whole ? row * rows : row;
      }
    }
}

static struct vk_part vk_image_part(const struct vk_image *m, const VkImageSubresourceLayers *s,
                                    VkOffset3D o) {
  uint64_t layer = vk_level_at(m, m->levels), row = vk_row(m, s->mipLevel), slice = vk_slice(m, s->mipLevel);
  return (struct vk_part){m->address + s->baseArrayLayer * layer + vk_level_at(m, s->mipLevel) +
                              (uint64_t)o.z * slice + (uint64_t)o.y / vk_side(m->format) * row +
                              (uint64_t)o.x / vk_side(m->format) * vk_texel(m->format) * m->samples,
                          row, slice, layer};
}

// Of a buffer rows, and of an image slices, may be farther apart than the copy needs.
static void vk_copy_with_buffer(VkCommandBuffer b, struct vk_buffer *buffer, struct vk_image *whole,
                                int to_image, uint64_t at, uint32_t length, uint32_t height,
                                const VkImageSubresourceLayers *s, VkOffset3D o, VkExtent3D e) {
  struct vk_image part = vk_part_of(whole, s->aspectMask), *m = &part;
  uint64_t texel = vk_texel(m->format), row = vk_blocks(m->format, length ? length : e.width) * texel;
  uint64_t slice = row * vk_blocks(m->format, height ? height : e.height);
  struct vk_part image = vk_image_part(m, s, o), linear = {buffer->address + at, row, slice, slice * e.depth};
  vk_copy_box(b, to_image ? linear : image, to_image ? image : linear, vk_blocks(m->format, e.width) * texel,
              vk_blocks(m->format, e.height), e.depth, s->layerCount);
}

static void vk_copy_parts(VkCommandBuffer b, VkBuffer buffer, VkImage image, int to_image, uint32_t n,
                          const VkBufferImageCopy *p) {
  for (uint32_t i = 0; i < n; i++)
    vk_copy_with_buffer(b, VK_OBJECT(vk_buffer, buffer), VK_OBJECT(vk_image, image), to_image,
                        p[i].bufferOffset, p[i].bufferRowLength, p[i].bufferImageHeight,
                        &p[i].imageSubresource, p[i].imageOffset, p[i].imageExtent);
}

static void vk_copy_parts2(VkCommandBuffer b, VkBuffer buffer, VkImage image, int to_image, uint32_t n,
                           const VkBufferImageCopy2 *p) {
  for (uint32_t i = 0; i < n; i++)
    vk_copy_with_buffer(b, VK_OBJECT(vk_buffer, buffer), VK_OBJECT(vk_image, image), to_image,
                        p[i].bufferOffset, p[i].bufferRowLength, p[i].bufferImageHeight,
                        &p[i].imageSubresource, p[i].imageOffset, p[i].imageExtent);
}

void vkCmdCopyBufferToImage(VkCommandBuffer b, VkBuffer from, VkImage to, VkImageLayout l, uint32_t n,
                            const VkBufferImageCopy *p) {
  vk_copy_parts(b, from, to, 1, n, p);
}

void vkCmdCopyBufferToImage2(VkCommandBuffer b, const VkCopyBufferToImageInfo2 *info) {
  vk_copy_parts2(b, info->srcBuffer, info->dstImage, 1, info->regionCount, info->pRegions);
}

void vkCmdCopyImageToBuffer(VkCommandBuffer b, VkImage from, VkImageLayout l, VkBuffer to, uint32_t n,
                            const VkBufferImageCopy *p) {
  vk_copy_parts(b, to, from, 0, n, p);
}

void vkCmdCopyImageToBuffer2(VkCommandBuffer b, const VkCopyImageToBufferInfo2 *info) {
  vk_copy_parts2(b, info->dstBuffer, info->srcImage, 0, info->regionCount, info->pRegions);
}

// Layers of a plane may be slices of a volume.
static void vk_copy_pieces(VkCommandBuffer b, struct vk_image *from, struct vk_image *to,
                           const VkImageSubresourceLayers *fs, VkOffset3D fo,
                           const VkImageSubresourceLayers *ts, VkOffset3D where, VkExtent3D e) {
  struct vk_part f = vk_image_part(from, fs, fo), t = vk_image_part(to, ts, where);
  uint32_t layers = fs->layerCount, slices = e.depth;
  if (from->type != to->type) {
    if (from->type == VK_IMAGE_TYPE_3D) f.layer = f.slice;
    if (to->type == VK_IMAGE_TYPE_3D) t.layer = t.slice;
    layers = from->type == VK_IMAGE_TYPE_3D ? e.depth : fs->layerCount;
    slices = 1;
  }
  vk_copy_box(b, f, t, (uint64_t)vk_blocks(from->format, e.width) * vk_texel(from->format) * from->samples,
              vk_blocks(from->format, e.height), slices, layers);
}

// Depth and stencil may be copied together.
static void vk_copy_images(VkCommandBuffer b, struct vk_image *from, struct vk_image *to,
                           const VkImageSubresourceLayers *fs, VkOffset3D fo,
                           const VkImageSubresourceLayers *ts, VkOffset3D where, VkExtent3D e) {
  const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  VkImageAspectFlags first = fs->aspectMask, second = 0;
  if (first == both) first = VK_IMAGE_ASPECT_DEPTH_BIT, second = VK_IMAGE_ASPECT_STENCIL_BIT;
  for (int i = 0; i < (second ? 2 : 1); i++) {
    VkImageAspectFlags aspect = i ? second : first;
    struct vk_image f = vk_part_of(from, aspect), t = vk_part_of(to, second ? aspect : ts->aspectMask);
    vk_copy_pieces(b, &f, &t, fs, fo, ts, where, e);
  }
}

void vkCmdCopyImage(VkCommandBuffer b, VkImage from, VkImageLayout fl, VkImage to, VkImageLayout tl,
                    uint32_t n, const VkImageCopy *p) {
  for (uint32_t i = 0; i < n; i++)
    vk_copy_images(b, VK_OBJECT(vk_image, from), VK_OBJECT(vk_image, to), &p[i].srcSubresource,
                   p[i].srcOffset, &p[i].dstSubresource, p[i].dstOffset, p[i].extent);
}

void vkCmdCopyImage2(VkCommandBuffer b, const VkCopyImageInfo2 *info) {
  const VkImageCopy2 *p = info->pRegions;
  for (uint32_t i = 0; i < info->regionCount; i++)
    vk_copy_images(b, VK_OBJECT(vk_image, info->srcImage), VK_OBJECT(vk_image, info->dstImage),
                   &p[i].srcSubresource, p[i].srcOffset, &p[i].dstSubresource, p[i].dstOffset, p[i].extent);
}
