// Instances, the device that there is, and how functions are found.
#include "vk_object.h"

static const VkExtensionProperties vk_instance_extensions[] = {
    {"VK_KHR_get_physical_device_properties2", 2}, {"VK_KHR_external_memory_capabilities", 1},
    {"VK_KHR_external_fence_capabilities", 1},     {"VK_KHR_external_semaphore_capabilities", 1},
    {"VK_KHR_device_group_creation", 1},           {"VK_EXT_debug_utils", 2},
};

VkResult vkEnumerateInstanceVersion(uint32_t *version) {
  *version = VULKAN_VERSION;
  return VK_SUCCESS;
}

VkResult vkEnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
                                                VkExtensionProperties *to) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  return vk_list(count, to, vk_instance_extensions,
                 sizeof vk_instance_extensions / sizeof vk_instance_extensions[0], sizeof *to);
}

VkResult vkEnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *to) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult vkCreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a, VkInstance *out) {
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    int known = 0;
    for (size_t k = 0; k < sizeof vk_instance_extensions / sizeof vk_instance_extensions[0]; k++)
      known |= !strcmp(info->ppEnabledExtensionNames[i], vk_instance_extensions[k].extensionName);
    if (!known) return VK_ERROR_EXTENSION_NOT_PRESENT;
  }
  dev_lock();
  int failed = dev_connect("Vulkan");
  dev_unlock();
  if (failed) return VK_ERROR_INCOMPATIBLE_DRIVER;
  struct VkInstance_T *i = vk_new(sizeof *i);
  i->magic = i->physical.magic = VK_LOADER_MAGIC;
  *out = i;
  return VK_SUCCESS;
}

void vkDestroyInstance(VkInstance i, const VkAllocationCallbacks *a) { free(i); }

VkResult vkEnumeratePhysicalDevices(VkInstance i, uint32_t *count, VkPhysicalDevice *to) {
  VkPhysicalDevice one = &i->physical;
  return vk_list(count, to, &one, 1, sizeof one);
}

VkResult vkEnumeratePhysicalDeviceGroups(VkInstance i, uint32_t *count, VkPhysicalDeviceGroupProperties *to) {
  if (to && *count > 0) {
    to->physicalDeviceCount = 1;
    to->physicalDevices[0] = &i->physical;
    to->subsetAllocation = 0;
  }
  if (to && *count == 0) return VK_INCOMPLETE;
  *count = 1;
  return VK_SUCCESS;
}

VkResult vkEnumerateDeviceLayerProperties(VkPhysicalDevice d, uint32_t *count, VkLayerProperties *to) {
  *count = 0;
  return VK_SUCCESS;
}

static PFN_vkVoidFunction vk_checking(const char *name);

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance i, const char *name) {
  PFN_vkVoidFunction checking = vk_checking(name);
  if (checking) return checking;
#define X(called, function)                                    \
  if (!strcmp(name, #called)) return (PFN_vkVoidFunction)function;
  VK_FUNCTIONS(X)
  VK_NEWER_FUNCTIONS(X)
#undef X
  return vk_absent(name);
}

PFN_vkVoidFunction vkGetDeviceProcAddr(VkDevice d, const char *name) {
  return vkGetInstanceProcAddr(NULL, name);
}

// What the loader asks for.

__attribute__((visibility("default"))) VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
  enum { NEWEST = 5 };
  if (*version > NEWEST) *version = NEWEST;
  return VK_SUCCESS;
}

__attribute__((visibility("default"))) PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance i,
                                                                                    const char *name) {
  return vkGetInstanceProcAddr(i, name);
}

__attribute__((visibility("default"))) PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance i,
                                                                                          const char *name) {
  int physical = !strncmp(name, "vkGetPhysicalDevice", 19) || !strncmp(name, "vkEnumerateDevice", 17) ||
                 !strcmp(name, "vkCreateDevice");
  return physical ? vkGetInstanceProcAddr(i, name) : NULL;
}
