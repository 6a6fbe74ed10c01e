// The functions of Vulkan 1.0 to 1.3 that the driver has not: they are for what draws, and some for images.
#include "vk_object.h"

// What is not there says so once, by the API's own means. Objects that cannot be made are not destroyed
// either.
static VkResult vk_missing(const char *name, int *said) {
  if (strncmp(name, "vkDestroy", 9) && !__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
    dev_say("%s is not there: the device is for compute", name);
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

#define X(called, function)               \
  static VkResult absent_##called(void) { \
    static int said;                      \
    return vk_missing(#called, &said);    \
  }
VK_ABSENT_FUNCTIONS(X)
#undef X

static PFN_vkVoidFunction vk_absent(const char *name) {
#define X(called, function) \
  if (!strcmp(name, #called)) return (PFN_vkVoidFunction)absent_##called;
  VK_ABSENT_FUNCTIONS(X)
#undef X
  return NULL;
}

VkResult vkCreateGraphicsPipelines(VkDevice d, VkPipelineCache c, uint32_t n,
                                   const VkGraphicsPipelineCreateInfo *i, const VkAllocationCallbacks *a,
                                   VkPipeline *out) {
  static int said;
  memset(out, 0, n * sizeof *out);
  return vk_missing("vkCreateGraphicsPipelines", &said);
}
