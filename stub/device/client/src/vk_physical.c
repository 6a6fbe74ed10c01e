// What the device is: features, properties, limits, memory, queues. Each fact is in one list, by the name of
// the member of whatever struct a program asks by.
#include "vk_object.h"

static const VkExtensionProperties vk_device_extensions[] = {
    {"VK_KHR_8bit_storage", 1},
    {"VK_KHR_16bit_storage", 1},
    {"VK_KHR_bind_memory2", 1},
    {"VK_KHR_buffer_device_address", 1},
    {"VK_KHR_cooperative_matrix", 2},
    {"VK_KHR_copy_commands2", 1},
    {"VK_KHR_dedicated_allocation", 3},
    {"VK_KHR_descriptor_update_template", 1},
    {"VK_KHR_device_group", 4},
    {"VK_KHR_driver_properties", 1},
    {"VK_KHR_external_fence", 1},
    {"VK_KHR_external_memory", 1},
    {"VK_KHR_external_semaphore", 1},
    {"VK_KHR_get_memory_requirements2", 1},
    {"VK_KHR_image_format_list", 1},
    {"VK_KHR_maintenance1", 2},
    {"VK_KHR_maintenance2", 1},
    {"VK_KHR_maintenance3", 1},
    {"VK_KHR_maintenance4", 2},
    {"VK_KHR_pipeline_executable_properties", 1},
    {"VK_KHR_pipeline_library", 1},
    {"VK_KHR_push_descriptor", 2},
    {"VK_KHR_relaxed_block_layout", 1},
    {"VK_KHR_sampler_mirror_clamp_to_edge", 3},
    {"VK_KHR_sampler_ycbcr_conversion", 14},
    {"VK_KHR_shader_atomic_int64", 1},
    {"VK_KHR_shader_bfloat16", 1},
    {"VK_KHR_shader_float16_int8", 1},
    {"VK_KHR_shader_float_controls", 4},
    {"VK_KHR_shader_integer_dot_product", 1},
    {"VK_KHR_shader_non_semantic_info", 1},
    {"VK_KHR_shader_subgroup_extended_types", 1},
    {"VK_KHR_shader_subgroup_uniform_control_flow", 1},
    {"VK_KHR_spirv_1_4", 1},
    {"VK_KHR_storage_buffer_storage_class", 1},
    {"VK_KHR_synchronization2", 1},
    {"VK_KHR_timeline_semaphore", 2},
    {"VK_KHR_uniform_buffer_standard_layout", 1},
    {"VK_KHR_variable_pointers", 1},
    {"VK_KHR_vulkan_memory_model", 3},
    {"VK_KHR_workgroup_memory_explicit_layout", 1},
    {"VK_KHR_zero_initialize_workgroup_memory", 1},
    {"VK_EXT_4444_formats", 1},
    {"VK_EXT_descriptor_indexing", 2},
    {"VK_EXT_external_memory_host", 1},
    {"VK_EXT_host_query_reset", 1},
    {"VK_EXT_image_robustness", 1},
    {"VK_EXT_inline_uniform_block", 1},
    {"VK_EXT_memory_budget", 1},
    {"VK_EXT_pipeline_creation_cache_control", 3},
    {"VK_EXT_pipeline_creation_feedback", 1},
    {"VK_EXT_pipeline_robustness", 1},
    {"VK_EXT_private_data", 1},
    {"VK_EXT_robustness2", 1},
    {"VK_EXT_scalar_block_layout", 1},
    {"VK_EXT_shader_float8", 1},
    {"VK_EXT_shader_image_atomic_int64", 1},
    {"VK_EXT_shader_subgroup_ballot", 1},
    {"VK_EXT_shader_subgroup_vote", 1},
    {"VK_EXT_subgroup_size_control", 2},
    {"VK_EXT_tooling_info", 1},
    {"VK_EXT_ycbcr_2plane_444_formats", 1},
    {"VK_NV_cooperative_matrix2", 1},
    {"VK_VALVE_shader_mixed_float_dot_product", 1},
};

VkResult vkEnumerateDeviceExtensionProperties(VkPhysicalDevice d, const char *layer, uint32_t *count,
                                              VkExtensionProperties *to) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  return vk_list(count, to, vk_device_extensions,
                 sizeof vk_device_extensions / sizeof vk_device_extensions[0], sizeof *to);
}

// The features that there are, those of Vulkan 1.0 first.
static const char *const vk_features[] = {
    "robustBufferAccess", "shaderFloat64", "shaderInt64", "shaderInt16",
    "shaderUniformBufferArrayDynamicIndexing", "shaderStorageBufferArrayDynamicIndexing",
    "storageBuffer16BitAccess", "uniformAndStorageBuffer16BitAccess", "storagePushConstant16",
    "variablePointersStorageBuffer", "variablePointers", "storageBuffer8BitAccess",
    "uniformAndStorageBuffer8BitAccess", "storagePushConstant8", "shaderBufferInt64Atomics",
    "shaderSharedInt64Atomics", "shaderFloat16", "shaderInt8", "descriptorIndexing",
    "shaderUniformBufferArrayNonUniformIndexing", "shaderStorageBufferArrayNonUniformIndexing",
    "descriptorBindingUniformBufferUpdateAfterBind", "descriptorBindingStorageBufferUpdateAfterBind",
    "descriptorBindingUpdateUnusedWhilePending", "descriptorBindingPartiallyBound",
    "descriptorBindingVariableDescriptorCount", "runtimeDescriptorArray", "scalarBlockLayout",
    "uniformBufferStandardLayout", "shaderSubgroupExtendedTypes", "hostQueryReset", "timelineSemaphore",
    "bufferDeviceAddress", "vulkanMemoryModel", "vulkanMemoryModelDeviceScope",
    "vulkanMemoryModelAvailabilityVisibilityChains", "pipelineCreationCacheControl", "privateData",
    "subgroupSizeControl", "computeFullSubgroups", "synchronization2", "inlineUniformBlock",
    "descriptorBindingInlineUniformBlockUpdateAfterBind", "shaderZeroInitializeWorkgroupMemory",
    "shaderIntegerDotProduct", "maintenance4", "pipelineRobustness", "pipelineExecutableInfo",
    "robustBufferAccess2", "robustImageAccess2", "nullDescriptor", "shaderSubgroupUniformControlFlow",
    "shaderMixedFloatDotProductFloat16AccFloat32", "shaderImageGatherExtended",
    "shaderStorageImageExtendedFormats", "shaderStorageImageMultisample",
    "shaderStorageImageReadWithoutFormat", "shaderStorageImageWriteWithoutFormat",
    "shaderSampledImageArrayDynamicIndexing", "shaderStorageImageArrayDynamicIndexing", "imageCubeArray",
    "samplerMirrorClampToEdge", "shaderUniformTexelBufferArrayDynamicIndexing",
    "shaderStorageTexelBufferArrayDynamicIndexing", "shaderSampledImageArrayNonUniformIndexing",
    "shaderStorageImageArrayNonUniformIndexing", "shaderUniformTexelBufferArrayNonUniformIndexing",
    "shaderStorageTexelBufferArrayNonUniformIndexing", "descriptorBindingSampledImageUpdateAfterBind",
    "descriptorBindingStorageImageUpdateAfterBind", "descriptorBindingUniformTexelBufferUpdateAfterBind",
    "descriptorBindingStorageTexelBufferUpdateAfterBind", "robustImageAccess", "textureCompressionBC",
    "textureCompressionETC2", "cooperativeMatrix", "cooperativeMatrixRobustBufferAccess",
    "shaderBFloat16Type", "shaderBFloat16DotProduct", "shaderBFloat16CooperativeMatrix",
    "cooperativeMatrixWorkgroupScope", "cooperativeMatrixFlexibleDimensions", "cooperativeMatrixReductions",
    "cooperativeMatrixConversions", "cooperativeMatrixPerElementOperations",
    "cooperativeMatrixTensorAddressing", "cooperativeMatrixBlockLoads", "shaderFloat8",
    "shaderFloat8CooperativeMatrix", "workgroupMemoryExplicitLayout",
    "workgroupMemoryExplicitLayoutScalarBlockLayout", "workgroupMemoryExplicitLayout8BitAccess",
    "workgroupMemoryExplicitLayout16BitAccess", "subgroupBroadcastDynamicId", "samplerYcbcrConversion",
    "ycbcr2plane444Formats", "shaderImageInt64Atomics", "formatA4R4G4B4", "formatA4B4G4R4", };
// Structs of features that are newer than the registry.
#define VK_NEWER_FEATURE_STRUCTS(X)                                                                       \
  X(1000141000, "shaderBFloat16Type shaderBFloat16DotProduct shaderBFloat16CooperativeMatrix")            \
  X(1000506000, "cooperativeMatrix cooperativeMatrixRobustBufferAccess")                                  \
  X(1000567000, "shaderFloat8 shaderFloat8CooperativeMatrix")                                             \
  X(1000593000, "cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions "                    \
                "cooperativeMatrixReductions cooperativeMatrixConversions "                               \
                "cooperativeMatrixPerElementOperations cooperativeMatrixTensorAddressing "                \
                "cooperativeMatrixBlockLoads")                                                            \
  X(1000673000, "shaderMixedFloatDotProductFloat16AccFloat32 shaderMixedFloatDotProductFloat16AccFloat16 " \
                "shaderMixedFloatDotProductBFloat16Acc shaderMixedFloatDotProductFloat8AccFloat32")

// What programs ask of every device though they may not use it, such as WebGPU's implementations. It is
// claimed only if the user wants that; what is made of it fails all the same.
static const char *const vk_claimed_features[] = {
    "depthBiasClamp", "fragmentStoresAndAtomics", "fullDrawIndexUint32", "independentBlend",
    "sampleRateShading",
};

static int vk_claims(void) { return getenv("SIMTGDB_CLAIM_GRAPHICS") != NULL; }

static int vk_among(const char *name, const char *const *all, size_t count) {
  size_t n = strcspn(name, " ");
  for (size_t i = 0; i < count; i++)
    if (strlen(all[i]) == n && !memcmp(all[i], name, n)) return 1;
  return 0;
}

// vk_has reports whether there is a feature, whose name ends at a space or the end of a list.
static int vk_has(const char *name) {
  return vk_among(name, vk_features, sizeof vk_features / sizeof vk_features[0]) ||
         (vk_claims() &&
          vk_among(name, vk_claimed_features, sizeof vk_claimed_features / sizeof vk_claimed_features[0]));
}

// vk_each_feature goes through the members of a struct, which come after each other. It tells what there is,
// or, with ask, reports whether all that are asked for are there.
static int vk_each_feature(VkBool32 *members, const char *names, int ask) {
  for (int i = 0; *names; i++) {
    int has = vk_has(names);
    if (ask && members[i] && !has) return 0;
    if (!ask) members[i] = (VkBool32)has;
    names += strcspn(names, " ");
    names += *names == ' ';
  }
  return 1;
}

static const char *vk_feature_names(VkStructureType type) {
#define X(value, members) \
  if (type == value) return members;
  VK_FEATURE_STRUCTS(X)
  VK_NEWER_FEATURE_STRUCTS(X)
#undef X
  return NULL;
}

// vk_feature_chain does that for the structs of a chain.
static int vk_feature_chain(const void *chain, int ask) {
  for (const VkBaseOutStructure *s = chain; s; s = s->pNext) {
    const char *names = vk_feature_names(s->sType);
    if (names && !vk_each_feature((VkBool32 *)(s + 1), names, ask)) return 0;
  }
  return 1;
}

void vkGetPhysicalDeviceFeatures(VkPhysicalDevice d, VkPhysicalDeviceFeatures *to) {
  vk_each_feature((VkBool32 *)to, VK_CORE_FEATURES, 0);
}

void vkGetPhysicalDeviceFeatures2(VkPhysicalDevice d, VkPhysicalDeviceFeatures2 *to) {
  vkGetPhysicalDeviceFeatures(d, &to->features);
  vk_feature_chain(to->pNext, 0);
}

enum {
  // basic, vote, arithmetic, ballot, shuffle, relative shuffle, clustered, quad
  ALL_SUBGROUP_OPERATIONS = 0xff,
  MANY = 1 << 20,                 // descriptors
};

// Limits and properties by name; of an array all elements. What is not here is 0.
static const struct vk_known {
  const char *name;
  uint64_t value;
} vk_facts[] = {
    {"maxImageDimension1D", 16384},
    {"maxImageDimension2D", 16384},
    {"maxImageDimension3D", 2048},
    {"maxImageDimensionCube", 16384},
    {"maxImageArrayLayers", 2048},
    {"maxSamplerAllocationCount", 4000},
    {"maxPerStageDescriptorSamplers", 4000},
    {"maxPerStageDescriptorSampledImages", MANY},
    {"maxPerStageDescriptorStorageImages", MANY},
    {"maxDescriptorSetSamplers", 4000},
    {"maxDescriptorSetSampledImages", MANY},
    {"maxDescriptorSetStorageImages", MANY},
    {"maxTexelBufferElements", 1 << 27},
    {"minTexelBufferOffsetAlignment", VK_ALIGNMENT},
    {"sampledImageColorSampleCounts", 5},
    {"sampledImageIntegerSampleCounts", 1},
    {"storageImageSampleCounts", 1},
    {"maxTexelOffset", 2047},
    {"maxTexelGatherOffset", 2047},
    {"minTexelOffset", (uint32_t)-2048},
    {"minTexelGatherOffset", (uint32_t)-2048},
    {"maxUniformBufferRange", 1 << 27},
    {"maxStorageBufferRange", 0xffffffff},
    {"maxPushConstantsSize", VK_PUSH},
    {"maxMemoryAllocationCount", 1 << 20},
    {"maxBoundDescriptorSets", VK_SETS},
    {"maxPerStageDescriptorUniformBuffers", MANY},
    {"maxPerStageDescriptorStorageBuffers", MANY},
    {"maxPerStageResources", MANY},
    {"maxDescriptorSetUniformBuffers", MANY},
    {"maxDescriptorSetUniformBuffersDynamic", VK_DYNAMIC / 2},
    {"maxDescriptorSetStorageBuffers", MANY},
    {"maxDescriptorSetStorageBuffersDynamic", VK_DYNAMIC / 2},
    {"maxComputeSharedMemorySize", 64 << 10},
    {"maxComputeWorkGroupCount", 65535},
    {"maxComputeWorkGroupSize", 1024},
    {"maxComputeWorkGroupInvocations", 1024},
    {"minMemoryMapAlignment", 4096},
    {"minUniformBufferOffsetAlignment", VK_ALIGNMENT},
    {"minStorageBufferOffsetAlignment", VK_ALIGNMENT},
    {"timestampComputeAndGraphics", 1},
    {"discreteQueuePriorities", 2},
    {"optimalBufferCopyOffsetAlignment", 1},
    {"optimalBufferCopyRowPitchAlignment", 1},
    {"nonCoherentAtomSize", 1},
    {"maxPerSetDescriptors", MANY},
    {"maxMemoryAllocationSize", (uint64_t)16 << 30},
    {"maxBufferSize", (uint64_t)16 << 30},
    {"subgroupSize", 32},
    {"minSubgroupSize", 8},
    {"maxSubgroupSize", 64},
    {"maxComputeWorkgroupSubgroups", 128},
    {"requiredSubgroupSizeStages", VK_SHADER_STAGE_COMPUTE_BIT},
    {"subgroupSupportedStages", VK_SHADER_STAGE_COMPUTE_BIT},
    {"supportedStages", VK_SHADER_STAGE_COMPUTE_BIT},
    {"subgroupSupportedOperations", ALL_SUBGROUP_OPERATIONS},
    {"supportedOperations", ALL_SUBGROUP_OPERATIONS},
    {"subgroupQuadOperationsInAllStages", 1},
    {"quadOperationsInAllStages", 1},
    {"deviceNodeMask", 1},
    {"maxTimelineSemaphoreValueDifference", UINT64_MAX},
    {"minImportedHostPointerAlignment", DEV_PAGE_SIZE},
    {"maxPushDescriptors", 64},
    {"robustStorageBufferAccessSizeAlignment", 1},
    {"robustUniformBufferAccessSizeAlignment", 1},
    {"defaultRobustnessStorageBuffers", 1},
    {"defaultRobustnessUniformBuffers", 1},
    {"maxUpdateAfterBindDescriptorsInAllPools", MANY},
    {"maxPerStageDescriptorUpdateAfterBindUniformBuffers", MANY},
    {"maxPerStageDescriptorUpdateAfterBindStorageBuffers", MANY},
    {"maxPerStageUpdateAfterBindResources", MANY},
    {"maxPerStageDescriptorUpdateAfterBindSamplers", 4000},
    {"maxPerStageDescriptorUpdateAfterBindSampledImages", MANY},
    {"maxPerStageDescriptorUpdateAfterBindStorageImages", MANY},
    {"maxDescriptorSetUpdateAfterBindSamplers", 4000},
    {"maxDescriptorSetUpdateAfterBindSampledImages", MANY},
    {"maxDescriptorSetUpdateAfterBindStorageImages", MANY},
    {"shaderSampledImageArrayNonUniformIndexingNative", 1},
    {"shaderStorageImageArrayNonUniformIndexingNative", 1},
    {"maxDescriptorSetUpdateAfterBindUniformBuffers", MANY},
    {"maxDescriptorSetUpdateAfterBindUniformBuffersDynamic", VK_DYNAMIC / 2},
    {"maxDescriptorSetUpdateAfterBindStorageBuffers", MANY},
    {"maxDescriptorSetUpdateAfterBindStorageBuffersDynamic", VK_DYNAMIC / 2},
    {"shaderUniformBufferArrayNonUniformIndexingNative", 1},
    {"shaderStorageBufferArrayNonUniformIndexingNative", 1},
    {"robustBufferAccessUpdateAfterBind", 1},
    {"maxInlineUniformBlockSize", 4096},
    {"maxPerStageDescriptorInlineUniformBlocks", 16},
    {"maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks", 16},
    {"maxDescriptorSetInlineUniformBlocks", 16},
    {"maxDescriptorSetUpdateAfterBindInlineUniformBlocks", 16},
    {"maxInlineUniformTotalSize", 16 * 4096},
    {"shaderSignedZeroInfNanPreserveFloat16", 1},
    {"shaderSignedZeroInfNanPreserveFloat32", 1},
    {"shaderSignedZeroInfNanPreserveFloat64", 1},
    {"shaderDenormPreserveFloat16", 1},
    {"shaderDenormPreserveFloat32", 1},
    {"shaderDenormPreserveFloat64", 1},
    {"shaderRoundingModeRTEFloat16", 1},
    {"shaderRoundingModeRTEFloat32", 1},
    {"shaderRoundingModeRTEFloat64", 1},
    {"shaderDenormFlushToZeroFloat16", 1},
    {"shaderDenormFlushToZeroFloat32", 1},
    {"shaderDenormFlushToZeroFloat64", 1},
    {"shaderRoundingModeRTZFloat16", 1},
    {"shaderRoundingModeRTZFloat32", 1},
    {"shaderRoundingModeRTZFloat64", 1},
    {"denormBehaviorIndependence", 1}, // of all widths
    {"roundingModeIndependence", 1},
};

static const struct vk_known vk_claimed_facts[] = {
    {"maxFramebufferWidth", 16384},
    {"maxFramebufferHeight", 16384},
    {"maxFramebufferLayers", 2048},
    {"maxViewports", 16},
    {"maxColorAttachments", 8},
    {"maxFragmentOutputAttachments", 8},
    {"maxFragmentCombinedOutputResources", 128},
    {"maxVertexInputAttributes", 32},
    {"maxVertexInputBindings", 32},
    {"maxVertexInputAttributeOffset", 2047},
    {"maxVertexInputBindingStride", 2048},
    {"maxVertexOutputComponents", 128},
    {"maxFragmentInputComponents", 128},
    {"framebufferColorSampleCounts", 5},
    {"framebufferDepthSampleCounts", 5},
    {"framebufferStencilSampleCounts", 5},
    {"framebufferNoAttachmentsSampleCounts", 5},
    {"sampledImageDepthSampleCounts", 5},
    {"sampledImageStencilSampleCounts", 5},
};

static uint64_t vk_look_up(const char *name, const struct vk_known *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(all[i].name, name)) return all[i].value;
  return 0;
}

static void vk_fact(const char *name, void *to, size_t size, size_t whole) {
  uint64_t value = vk_look_up(name, vk_facts, sizeof vk_facts / sizeof vk_facts[0]);
  if (!value && vk_claims())
    value = vk_look_up(name, vk_claimed_facts, sizeof vk_claimed_facts / sizeof vk_claimed_facts[0]);
  if (!strncmp(name, "integerDotProduct", 17)) value = 1; // one instruction in the place of several
  if (size == 4 && value > UINT32_MAX) value = UINT32_MAX;
  for (size_t at = 0; at + size <= whole; at += size) memcpy((char *)to + at, &value, size);
}

static const uint8_t vk_uuid[VK_UUID_SIZE] = "simtgdb Vulkan 1";

void vkGetPhysicalDeviceProperties(VkPhysicalDevice d, VkPhysicalDeviceProperties *to) {
  memset(to, 0, sizeof *to);
  to->apiVersion = VULKAN_VERSION;
  to->driverVersion = 1;
  to->vendorID = 0x10000 + 0x53;
  to->deviceID = 1;
  to->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  snprintf(to->deviceName, sizeof to->deviceName, "simtgdb SPIR-V machine");
  memcpy(to->pipelineCacheUUID, vk_uuid, VK_UUID_SIZE);
  VkPhysicalDeviceLimits *l = &to->limits;
#define X(member)                                                                          \
  vk_fact(#member, &l->member, sizeof l->member % sizeof(uint32_t) == 0 && sizeof l->member == 8 ? 8 : 4, \
          sizeof l->member);
  VK_LIMITS(X)
#undef X
  l->timestampPeriod = 1;
  l->maxComputeWorkGroupSize[2] = 64;
  if (vk_claims()) {
    l->maxViewportDimensions[0] = l->maxViewportDimensions[1] = l->maxFramebufferWidth;
    l->viewportBoundsRange[0] = -32768, l->viewportBoundsRange[1] = 32767;
  }
}

void vkGetPhysicalDeviceProperties2(VkPhysicalDevice d, VkPhysicalDeviceProperties2 *to) {
  vkGetPhysicalDeviceProperties(d, &to->properties);
  for (VkBaseOutStructure *s = to->pNext; s; s = s->pNext) {
#define X(value, type, member)                                                    \
  if (s->sType == value) {                                                        \
    type *p = (type *)s;                                                          \
    vk_fact(#member, &p->member, sizeof p->member == 8 ? 8 : 4, sizeof p->member); \
  }
    VK_PROPERTY_MEMBERS(X)
#undef X
    // Of VK_KHR_cooperative_matrix and VK_NV_cooperative_matrix2, which are newer than the registry.
    enum { MATRIX_STAGES = 1000506002, TENSOR_LIMITS = 1000593002 };
    if (s->sType == MATRIX_STAGES) *(VkShaderStageFlags *)(s + 1) = VK_SHADER_STAGE_COMPUTE_BIT;
    if (s->sType == TENSOR_LIMITS) {
      struct {
        VkBaseOutStructure base;
        uint32_t largestGroup, largestDimension, reservedBytes;
      } *limits = (void *)s;
      limits->largestGroup = 1024, limits->largestDimension = 512, limits->reservedBytes = 0;
    }
    static const char name[] = "simtgdb", info[] = "a simulated machine for SPIR-V";
    static const VkConformanceVersion none;
    VkPhysicalDeviceDriverProperties *driver = (void *)s;
    VkPhysicalDeviceVulkan12Properties *twelve = (void *)s;
    VkPhysicalDeviceIDProperties *id = (void *)s;
    VkPhysicalDeviceVulkan11Properties *eleven = (void *)s;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) {
      strcpy(driver->driverName, name), strcpy(driver->driverInfo, info), driver->conformanceVersion = none;
    } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES) {
      strcpy(twelve->driverName, name), strcpy(twelve->driverInfo, info), twelve->conformanceVersion = none;
    } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES) {
      memcpy(id->deviceUUID, vk_uuid, VK_UUID_SIZE), memcpy(id->driverUUID, vk_uuid, VK_UUID_SIZE);
      memset(id->deviceLUID, 0, sizeof id->deviceLUID);
    } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
      memcpy(eleven->deviceUUID, vk_uuid, VK_UUID_SIZE), memcpy(eleven->driverUUID, vk_uuid, VK_UUID_SIZE);
      memset(eleven->deviceLUID, 0, sizeof eleven->deviceLUID);
    }
  }
}

// Memory: the device's own, the host's, and the device's that the host maps.
static const struct {
  unsigned flags, heap;
} vk_types[VK_TYPES] = {
    {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
    {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, 1},
    {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
         VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
     1},
    {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
     0},
};
static uint64_t vk_used[2]; // bytes of each heap that are allocated, under dev_lock

void vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice d, VkPhysicalDeviceMemoryProperties *to) {
  memset(to, 0, sizeof *to);
  to->memoryTypeCount = VK_TYPES;
  for (int i = 0; i < VK_TYPES; i++) {
    to->memoryTypes[i].propertyFlags = vk_types[i].flags;
    to->memoryTypes[i].heapIndex = vk_types[i].heap;
  }
  to->memoryHeapCount = 2;
  to->memoryHeaps[0].size = to->memoryHeaps[1].size = dev.memory;
  to->memoryHeaps[0].flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
}

void vkGetPhysicalDeviceMemoryProperties2(VkPhysicalDevice d, VkPhysicalDeviceMemoryProperties2 *to) {
  vkGetPhysicalDeviceMemoryProperties(d, &to->memoryProperties);
  VkPhysicalDeviceMemoryBudgetPropertiesEXT *b =
      (void *)vk_find(to->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  if (!b) return;
  memset(b->heapBudget, 0, sizeof b->heapBudget);
  memset(b->heapUsage, 0, sizeof b->heapUsage);
  dev_lock();
  for (int i = 0; i < 2; i++) {
    b->heapUsage[i] = vk_used[i];
    b->heapBudget[i] = dev.memory - vk_used[1 - i]; // the two are one
  }
  dev_unlock();
}

static void vk_family(uint32_t i, VkQueueFamilyProperties *to) {
  *to = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_TRANSFER_BIT | (i ? 0 : VK_QUEUE_COMPUTE_BIT) |
                                                (!i && vk_claims() ? VK_QUEUE_GRAPHICS_BIT : 0),
                                  .queueCount = VK_QUEUES,
                                  .timestampValidBits = 64,
                                  .minImageTransferGranularity = {1, 1, 1}};
}

void vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice d, uint32_t *count,
                                              VkQueueFamilyProperties *to) {
  VkQueueFamilyProperties all[VK_FAMILIES];
  for (uint32_t i = 0; i < VK_FAMILIES; i++) vk_family(i, &all[i]);
  vk_list(count, to, all, VK_FAMILIES, sizeof *to);
}

void vkGetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice d, uint32_t *count,
                                               VkQueueFamilyProperties2 *to) {
  if (!to || *count > VK_FAMILIES) *count = VK_FAMILIES;
  for (uint32_t i = 0; to && i < *count; i++) vk_family(i, &to[i].queueFamilyProperties);
}

// Formats: what there is of each is sampled, loaded, stored and copied; nothing is drawn. Claimed are all
// features of Vulkan 1.0 of each.

static int vk_is_depth(VkFormat f) { return f >= VK_FORMAT_D16_UNORM && f <= VK_FORMAT_D32_SFLOAT_S8_UINT; }

static void vk_format(VkFormat f, VkFormatProperties *to) {
  enum { EVERYTHING = 0x1fff };
  memset(to, 0, sizeof *to);
  if (vk_texel(f)) {
    VkFormatFeatureFlags image = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                 VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    VkFormatFeatureFlags buffer = 0;
    int atomic = f == VK_FORMAT_R32_UINT || f == VK_FORMAT_R32_SINT || f == VK_FORMAT_R64_UINT ||
                 f == VK_FORMAT_R64_SINT;
    if (vk_is_chroma(f)) {
      image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
               VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT | VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT |
               VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT;
    } else if (vk_side(f) > 1) {
      image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    } else if (!vk_is_depth(f)) {
      image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
      buffer = VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
    }
    if (atomic) {
      image |= VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
      buffer |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
    }
    to->optimalTilingFeatures = to->linearTilingFeatures = image;
    to->bufferFeatures = buffer;
  }
  if (!vk_claims()) return;
  to->optimalTilingFeatures |= EVERYTHING;
  to->linearTilingFeatures |= EVERYTHING;
  to->bufferFeatures |= EVERYTHING;
}

void vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice d, VkFormat f, VkFormatProperties *to) {
  vk_format(f, to);
}

void vkGetPhysicalDeviceFormatProperties2(VkPhysicalDevice d, VkFormat f, VkFormatProperties2 *to) {
  vk_format(f, &to->formatProperties);
  VkFormatProperties3 *three = (void *)vk_find(to->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  if (!three) return;
  three->linearTilingFeatures = to->formatProperties.linearTilingFeatures;
  three->optimalTilingFeatures = to->formatProperties.optimalTilingFeatures;
  three->bufferFeatures = to->formatProperties.bufferFeatures;
}

VkResult vkGetPhysicalDeviceImageFormatProperties(VkPhysicalDevice d, VkFormat f, VkImageType t,
                                                  VkImageTiling g, VkImageUsageFlags u, VkImageCreateFlags c,
                                                  VkImageFormatProperties *to) {
  const VkImageUsageFlags mine = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
  memset(to, 0, sizeof *to);
  int chroma = vk_is_chroma(f), sampled = chroma && !(c & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
  if (!vk_texel(f) || u & ~mine ||
      ((vk_is_depth(f) || sampled || vk_side(f) > 1) && u & VK_IMAGE_USAGE_STORAGE_BIT) ||
      (chroma && (t != VK_IMAGE_TYPE_2D || c & VK_IMAGE_CREATE_DISJOINT_BIT)))
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(d, &p);
  uint32_t side = p.limits.maxImageDimension2D, deep = p.limits.maxImageDimension3D;
  to->maxExtent = t == VK_IMAGE_TYPE_1D   ? (VkExtent3D){side, 1, 1}
                  : t == VK_IMAGE_TYPE_2D ? (VkExtent3D){side, side, 1}
                                          : (VkExtent3D){deep, deep, deep};
  to->maxMipLevels = t == VK_IMAGE_TYPE_3D ? 12 : 15;
  to->maxArrayLayers = t == VK_IMAGE_TYPE_3D ? 1 : p.limits.maxImageArrayLayers;
  if (chroma) to->maxMipLevels = to->maxArrayLayers = 1;
  to->sampleCounts = t == VK_IMAGE_TYPE_2D && !chroma && !(c & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) ? 5 : 1;
  to->maxResourceSize = (uint64_t)1 << 34;
  return VK_SUCCESS;
}

VkResult vkGetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice d,
                                                   const VkPhysicalDeviceImageFormatInfo2 *info,
                                                   VkImageFormatProperties2 *to) {
  VkSamplerYcbcrConversionImageFormatProperties *one =
      (void *)vk_find(to->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES);
  if (one) one->combinedImageSamplerDescriptorCount = 1;
  return vkGetPhysicalDeviceImageFormatProperties(d, info->format, info->type, info->tiling, info->usage,
                                                  info->flags, &to->imageFormatProperties);
}

void vkGetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice d, VkFormat f, VkImageType t,
                                                    VkSampleCountFlagBits s, VkImageUsageFlags u,
                                                    VkImageTiling g, uint32_t *count,
                                                    VkSparseImageFormatProperties *to) {
  *count = 0;
}

void vkGetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice d,
                                                     const VkPhysicalDeviceSparseImageFormatInfo2 *info,
                                                     uint32_t *count, VkSparseImageFormatProperties2 *to) {
  *count = 0;
}

// What can be exchanged with other APIs: pointers of the host.

void vkGetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice d,
                                                 const VkPhysicalDeviceExternalBufferInfo *info,
                                                 VkExternalBufferProperties *to) {
  memset(&to->externalMemoryProperties, 0, sizeof to->externalMemoryProperties);
  if (info->handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT) return;
  to->externalMemoryProperties.externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
  to->externalMemoryProperties.compatibleHandleTypes = info->handleType;
}

void vkGetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice d,
                                                const VkPhysicalDeviceExternalFenceInfo *info,
                                                VkExternalFenceProperties *to) {
  to->exportFromImportedHandleTypes = to->compatibleHandleTypes = to->externalFenceFeatures = 0;
}

void vkGetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice d,
                                                    const VkPhysicalDeviceExternalSemaphoreInfo *info,
                                                    VkExternalSemaphoreProperties *to) {
  to->exportFromImportedHandleTypes = to->compatibleHandleTypes = to->externalSemaphoreFeatures = 0;
}

VkResult vkGetPhysicalDeviceToolProperties(VkPhysicalDevice d, uint32_t *count,
                                           VkPhysicalDeviceToolProperties *to) {
  if (to && *count == 0) return VK_INCOMPLETE;
  *count = 1;
  if (!to) return VK_SUCCESS;
  snprintf(to->name, sizeof to->name, "simtgdb");
  snprintf(to->version, sizeof to->version, "1");
  to->purposes = VK_TOOL_PURPOSE_VALIDATION_BIT | VK_TOOL_PURPOSE_PROFILING_BIT;
  snprintf(to->description, sizeof to->description, "a debugger on a simulated machine");
  to->layer[0] = 0;
  return VK_SUCCESS;
}
