// Memory, buffers, and memory of the host's that is imported.
#include "vk_object.h"

// vk_import makes pages of the program's the device's, too.
static VkResult vk_import(uint64_t at, uint64_t size) {
  if (dev_find(at) || dev_in_heap(at)) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  dev_begin();
  put_u64(at);
  put_u64(size);
  if (dev_request(OP_SHARE) != DEV_DONE) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  unsigned char *shared = dev.heap + get_u64();
  memcpy(shared, (void *)(uintptr_t)at, size);
  void *moved = mremap(shared, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)at);
  if (moved == MAP_FAILED) return VK_ERROR_OUT_OF_HOST_MEMORY;
  dev_add(at, size, RANGE_IMPORTED);
  return VK_SUCCESS;
}

// vk_return makes them the program's alone again, with what is in them.
static void vk_return(struct vk_memory *m) {
  void *copy = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return;
  memcpy(copy, (void *)(uintptr_t)m->base, m->size);
  mremap(copy, m->size, m->size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)m->base);
  dev_begin();
  put_u64(m->base);
  dev_request(OP_UNSHARE);
  dev_range *r = dev_find(m->base);
  if (r) dev_remove(r);
}

VkResult vkAllocateMemory(VkDevice d, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *a,
                          VkDeviceMemory *out) {
  const VkImportMemoryHostPointerInfoEXT *import =
      vk_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  struct vk_memory *m = vk_new(sizeof *m);
  m->size = info->allocationSize;
  m->type = info->memoryTypeIndex;
  m->imported = import && import->pHostPointer;
  VkResult result = VK_SUCCESS;
  dev_lock();
  if (m->imported) {
    m->base = (uintptr_t)import->pHostPointer;
    result = vk_import(m->base, m->size);
  } else {
    enum dev_status s;
    m->base = dev_alloc(m->size, 0, RANGE_MEMORY, &s);
    if (!m->base) result = s == DEV_GONE ? VK_ERROR_DEVICE_LOST : VK_ERROR_OUT_OF_DEVICE_MEMORY;
    else if (!dev.checked && vk_types[m->type].flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
      dev_open(m->base, m->size, 1); // else while it is mapped
  }
  if (!result) vk_used[vk_types[m->type].heap] += m->size;
  dev_unlock();
  if (result) free(m);
  else *out = VK_HANDLE(m);
  return result;
}

void vkFreeMemory(VkDevice d, VkDeviceMemory handle, const VkAllocationCallbacks *a) {
  struct vk_memory *m = VK_OBJECT(vk_memory, handle);
  if (!m) return;
  dev_lock();
  if (m->imported) vk_return(m);
  else {
    dev_open(m->base, m->size, 0);
    dev_free(m->base);
  }
  vk_used[vk_types[m->type].heap] -= m->size;
  dev_unlock();
  vk_forget(handle);
  dev_drop(m);
}

// Memory is at the device's addresses in the program, too.
VkResult vkMapMemory(VkDevice d, VkDeviceMemory m, VkDeviceSize at, VkDeviceSize size, VkMemoryMapFlags flags,
                     void **to) {
  *to = (void *)(uintptr_t)(VK_OBJECT(vk_memory, m)->base + at);
  return VK_SUCCESS;
}

void vkUnmapMemory(VkDevice d, VkDeviceMemory m) {}
VkResult vkFlushMappedMemoryRanges(VkDevice d, uint32_t n, const VkMappedMemoryRange *r) {
  return VK_SUCCESS;
}
VkResult vkInvalidateMappedMemoryRanges(VkDevice d, uint32_t n, const VkMappedMemoryRange *r) {
  return VK_SUCCESS;
}

void vkGetDeviceMemoryCommitment(VkDevice d, VkDeviceMemory m, VkDeviceSize *to) {
  *to = VK_OBJECT(vk_memory, m)->size;
}

uint64_t vkGetDeviceMemoryOpaqueCaptureAddress(VkDevice d,
                                               const VkDeviceMemoryOpaqueCaptureAddressInfo *info) {
  return VK_OBJECT(vk_memory, info->memory)->base;
}

VkResult vkGetMemoryHostPointerPropertiesEXT(VkDevice d, VkExternalMemoryHandleTypeFlagBits type,
                                             const void *p, VkMemoryHostPointerPropertiesEXT *to) {
  if (type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  to->memoryTypeBits = 0;
  for (int i = 0; i < VK_TYPES; i++)
    if (vk_types[i].heap == 1) to->memoryTypeBits |= 1u << i;
  return VK_SUCCESS;
}

VkResult vkCreateBuffer(VkDevice d, const VkBufferCreateInfo *info, const VkAllocationCallbacks *a,
                        VkBuffer *out) {
  struct vk_buffer *b = vk_new(sizeof *b);
  b->size = info->size;
  *out = VK_HANDLE(b);
  return VK_SUCCESS;
}

void vkDestroyBuffer(VkDevice d, VkBuffer b, const VkAllocationCallbacks *a) {
  vk_forget(b);
  dev_drop(VK_OBJECT(vk_buffer, b));
}

static void vk_requirements(uint64_t size, VkMemoryRequirements *to) {
  *to = (VkMemoryRequirements){.size = (size + VK_ALIGNMENT - 1) & ~(uint64_t)(VK_ALIGNMENT - 1),
                               .alignment = VK_ALIGNMENT,
                               .memoryTypeBits = (1u << VK_TYPES) - 1};
}

static void vk_dedicated(void *chain) {
  VkMemoryDedicatedRequirements *r = (void *)vk_find(chain, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
  if (r) r->prefersDedicatedAllocation = r->requiresDedicatedAllocation = 0;
}

void vkGetBufferMemoryRequirements(VkDevice d, VkBuffer b, VkMemoryRequirements *to) {
  vk_requirements(VK_OBJECT(vk_buffer, b)->size, to);
}

void vkGetBufferMemoryRequirements2(VkDevice d, const VkBufferMemoryRequirementsInfo2 *info,
                                    VkMemoryRequirements2 *to) {
  vk_requirements(VK_OBJECT(vk_buffer, info->buffer)->size, &to->memoryRequirements);
  vk_dedicated(to->pNext);
}

void vkGetDeviceBufferMemoryRequirements(VkDevice d, const VkDeviceBufferMemoryRequirements *info,
                                         VkMemoryRequirements2 *to) {
  vk_requirements(info->pCreateInfo->size, &to->memoryRequirements);
  vk_dedicated(to->pNext);
}

VkResult vkBindBufferMemory(VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize at) {
  VK_OBJECT(vk_buffer, b)->address = VK_OBJECT(vk_memory, m)->base + at;
  return VK_SUCCESS;
}

VkResult vkBindBufferMemory2(VkDevice d, uint32_t n, const VkBindBufferMemoryInfo *all) {
  for (uint32_t i = 0; i < n; i++) vkBindBufferMemory(d, all[i].buffer, all[i].memory, all[i].memoryOffset);
  return VK_SUCCESS;
}

VkDeviceAddress vkGetBufferDeviceAddress(VkDevice d, const VkBufferDeviceAddressInfo *info) {
  return VK_OBJECT(vk_buffer, info->buffer)->address;
}

uint64_t vkGetBufferOpaqueCaptureAddress(VkDevice d, const VkBufferDeviceAddressInfo *info) {
  return VK_OBJECT(vk_buffer, info->buffer)->address;
}
