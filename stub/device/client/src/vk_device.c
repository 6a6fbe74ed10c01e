// Devices, names and private data of objects.
#include "vk_command.h"

static int vk_devices; // that there are, under vk_mutex

static int vk_asks_robust(const VkDeviceCreateInfo *info) {
  const VkPhysicalDeviceFeatures2 *f = vk_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  return (info->pEnabledFeatures && info->pEnabledFeatures->robustBufferAccess) ||
         (f && f->features.robustBufferAccess);
}

static VkResult vk_check_device(const VkDeviceCreateInfo *info) {
  const VkPhysicalDeviceFeatures2 *f = vk_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  if ((info->pEnabledFeatures && !vk_each_feature((VkBool32 *)info->pEnabledFeatures, VK_CORE_FEATURES, 1)) ||
      (f && !vk_each_feature((VkBool32 *)&f->features, VK_CORE_FEATURES, 1)) ||
      !vk_feature_chain(info->pNext, 1))
    return VK_ERROR_FEATURE_NOT_PRESENT;
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    int known = 0;
    for (size_t k = 0; k < sizeof vk_device_extensions / sizeof vk_device_extensions[0]; k++)
      known |= !strcmp(info->ppEnabledExtensionNames[i], vk_device_extensions[k].extensionName);
    if (!known) return VK_ERROR_EXTENSION_NOT_PRESENT;
  }
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
    if (info->pQueueCreateInfos[i].queueFamilyIndex >= VK_FAMILIES ||
        info->pQueueCreateInfos[i].queueCount > VK_QUEUES)
      return VK_ERROR_INITIALIZATION_FAILED;
  return VK_SUCCESS;
}

void vkDestroyDevice(VkDevice d, const VkAllocationCallbacks *a) {
  if (!d) return;
  pthread_mutex_lock(&vk_mutex);
  d->ending = 1;
  int reset = --vk_devices == 0 && d->lost;
  pthread_cond_broadcast(&vk_changed);
  pthread_mutex_unlock(&vk_mutex);
  for (int i = 0; i < VK_FAMILIES * VK_QUEUES; i++) vk_free_queue(d->queues[i / VK_QUEUES][i % VK_QUEUES]);
  if (reset) { // so that the next one begins anew
    dev_lock();
    dev_begin();
    dev_request(OP_RESET);
    while (dev.range_count > 0) dev_remove(&dev.ranges[dev.range_count - 1]);
    dev.condition = 0;
    vk_used[0] = vk_used[1] = 0;
    dev_unlock();
  }
  free(d);
}

VkResult vkCreateDevice(VkPhysicalDevice p, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *a,
                        VkDevice *out) {
  VkResult result = vk_check_device(info);
  if (result) return result;
  VkDevice d = vk_new(sizeof *d);
  d->magic = VK_LOADER_MAGIC;
  d->robust = vk_asks_robust(info);
  pthread_mutex_lock(&vk_mutex);
  vk_devices++;
  pthread_mutex_unlock(&vk_mutex);
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
    const VkDeviceQueueCreateInfo *q = &info->pQueueCreateInfos[i];
    for (uint32_t k = 0; k < q->queueCount; k++) {
      VkQueue *to = &d->queues[q->queueFamilyIndex][k];
      if (*to || (*to = vk_new_queue(d))) continue;
      vkDestroyDevice(d, NULL);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  *out = d;
  return VK_SUCCESS;
}

void vkGetDeviceQueue(VkDevice d, uint32_t family, uint32_t i, VkQueue *out) { *out = d->queues[family][i]; }

void vkGetDeviceQueue2(VkDevice d, const VkDeviceQueueInfo2 *info, VkQueue *out) {
  *out = info->flags ? NULL : d->queues[info->queueFamilyIndex][info->queueIndex];
}

VkResult vkDeviceWaitIdle(VkDevice d) {
  VkResult result = VK_SUCCESS;
  for (int i = 0; i < VK_FAMILIES * VK_QUEUES; i++) {
    VkQueue q = d->queues[i / VK_QUEUES][i % VK_QUEUES];
    if (q && vkQueueWaitIdle(q)) result = VK_ERROR_DEVICE_LOST;
  }
  return result;
}

void vkGetDeviceGroupPeerMemoryFeatures(VkDevice d, uint32_t heap, uint32_t local, uint32_t remote,
                                        VkPeerMemoryFeatureFlags *to) {
  *to = 0;
}

VkResult vkSetDebugUtilsObjectNameEXT(VkDevice d, const VkDebugUtilsObjectNameInfoEXT *info) {
  pthread_mutex_lock(&vk_mutex);
  const char *name = info->pObjectName;
  struct vk_attached *a = vk_attached(info->objectHandle, 0, name && *name);
  if (a) {
    free((void *)(uintptr_t)a->value);
    a->value = name && *name ? VK_HANDLE(strdup(name)) : 0;
  }
  pthread_mutex_unlock(&vk_mutex);
  return VK_SUCCESS;
}

VkResult vkSetDebugUtilsObjectTagEXT(VkDevice d, const VkDebugUtilsObjectTagInfoEXT *info) {
  return VK_SUCCESS;
}

VkResult vkCreatePrivateDataSlot(VkDevice d, const VkPrivateDataSlotCreateInfo *info,
                                 const VkAllocationCallbacks *a, VkPrivateDataSlot *out) {
  *out = VK_HANDLE(vk_new(1));
  return VK_SUCCESS;
}

void vkDestroyPrivateDataSlot(VkDevice d, VkPrivateDataSlot s, const VkAllocationCallbacks *a) {
  if (!s) return;
  pthread_mutex_lock(&vk_mutex);
  for (int i = 0; i < VK_BUCKETS; i++) vk_detach(&vk_attachments[i], s, s);
  pthread_mutex_unlock(&vk_mutex);
  free((void *)(uintptr_t)s);
}

VkResult vkSetPrivateData(VkDevice d, VkObjectType type, uint64_t object, VkPrivateDataSlot slot,
                          uint64_t value) {
  pthread_mutex_lock(&vk_mutex);
  vk_attached(object, slot, 1)->value = value;
  pthread_mutex_unlock(&vk_mutex);
  return VK_SUCCESS;
}

void vkGetPrivateData(VkDevice d, VkObjectType type, uint64_t object, VkPrivateDataSlot slot, uint64_t *to) {
  pthread_mutex_lock(&vk_mutex);
  struct vk_attached *a = vk_attached(object, slot, 0);
  *to = a ? a->value : 0;
  pthread_mutex_unlock(&vk_mutex);
}
