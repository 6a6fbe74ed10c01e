// Shader modules and compute pipelines, each of which is a module of the device's with its constants.
#include "vk_object.h"

VkResult vkCreateShaderModule(VkDevice d, const VkShaderModuleCreateInfo *info,
                              const VkAllocationCallbacks *a, VkShaderModule *out) {
  struct vk_shader *s = vk_new(sizeof *s + info->codeSize);
  s->size = info->codeSize;
  memcpy(s->code, info->pCode, info->codeSize);
  *out = VK_HANDLE(s);
  return VK_SUCCESS;
}

void vkDestroyShaderModule(VkDevice d, VkShaderModule s, const VkAllocationCallbacks *a) {
  vk_forget(s);
  dev_drop(VK_OBJECT(vk_shader, s));
}

// vk_specialised reports whether code has a specialisation constant of a number (SPIR-V, OpDecorate SpecId).
static int vk_specialised(const uint32_t *code, size_t size, uint32_t id) {
  enum { HEADER = 5, DECORATE = 71, SPEC_ID = 1 };
  for (size_t at = HEADER, n = size / 4; at < n;) {
    uint32_t words = code[at] >> 16;
    if (!words || words > n - at) return 0;
    if ((code[at] & 0xffff) == DECORATE && words == 4 && code[at + 2] == SPEC_ID && code[at + 3] == id)
      return 1;
    at += words;
  }
  return 0;
}

// vk_load loads code and finds the entry point. It wants dev_lock.
static VkResult vk_load(struct vk_pipeline *p, const uint32_t *code, size_t size,
                        const VkSpecializationInfo *special) {
  dev_begin();
  put_bytes(code, size);
  uint64_t n = 0;
  for (uint32_t i = 0; special && i < special->mapEntryCount; i++)
    n += (uint64_t)vk_specialised(code, size, special->pMapEntries[i].constantID);
  put_u64(n);
  for (uint32_t i = 0; special && i < special->mapEntryCount; i++) {
    const VkSpecializationMapEntry *e = &special->pMapEntries[i];
    if (!vk_specialised(code, size, e->constantID)) continue;
    put_u64(e->constantID);
    put_bytes((const char *)special->pData + e->offset, e->size);
  }
  enum dev_status s = dev_request(OP_LOAD);
  if (s != DEV_DONE) {
    dev_say("a pipeline cannot be made: %s", dev.message);
    return s == DEV_NO_MEMORY ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_ERROR_UNKNOWN;
  }
  size_t length;
  p->module = get_u64();
  get_bytes(&length);
  uint64_t kernels = get_u64(), found = kernels;
  for (uint64_t k = 0; k < kernels && !dev.in.bad; k++) {
    const char *name = get_bytes(&length);
    int same = length == strlen(p->entry) && !memcmp(name, p->entry, length);
    get_u64();
    uint64_t lds = get_u64(), scratch = get_u64();
    for (int i = 0; i < 4; i++) get_u64();
    uint64_t x = get_u64(), y = get_u64(), z = get_u64();
    get_bytes(&length); // attributes
    for (uint64_t args = get_u64(); args > 0 && !dev.in.bad; args--) {
      for (int i = 0; i < 3; i++) get_u64();
      for (int i = 0; i < 4; i++) get_bytes(&length);
      get_u64();
    }
    if (!same) continue;
    found = p->kernel = k;
    p->lds = lds, p->scratch = scratch;
    p->size[0] = (uint32_t)x, p->size[1] = (uint32_t)y, p->size[2] = (uint32_t)z;
  }
  if (found < kernels) return VK_SUCCESS;
  dev_say("a pipeline cannot be made: its shader has no entry point %s", p->entry);
  return VK_ERROR_UNKNOWN;
}

// vk_unload takes a module from the device.
static void vk_unload(struct vk_pipeline *p) {
  dev_lock();
  dev_begin();
  put_u64(p->module);
  dev_request(OP_UNLOAD);
  dev_unlock();
}

// vk_robust reports whether accesses outside of buffers are to be harmless.
static int vk_robust(const struct VkDevice_T *d, const void *pipeline, const void *stage) {
  const VkPipelineRobustnessCreateInfoEXT *r =
      vk_find(stage, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  if (!r) r = vk_find(pipeline, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  if (!r) return d->robust;
  int some = 0, unsaid = 0;
  VkPipelineRobustnessBufferBehaviorEXT kinds[] = {r->storageBuffers, r->uniformBuffers};
  for (int i = 0; i < 2; i++) {
    unsaid |= kinds[i] == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    some |= kinds[i] > VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
  }
  return some || (unsaid && d->robust);
}

static VkResult vk_new_pipeline(struct VkDevice_T *d, const VkComputePipelineCreateInfo *info,
                                VkPipeline *out) {
  const VkPipelineShaderStageCreateInfo *stage = &info->stage;
  const VkShaderModuleCreateInfo *code = vk_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  struct vk_shader *s = VK_OBJECT(vk_shader, stage->module);
  if (!s && !code) return VK_PIPELINE_COMPILE_REQUIRED;
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *lanes =
      vk_find(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  struct vk_pipeline *p = vk_new(sizeof *p);
  p->subgroup = lanes ? lanes->requiredSubgroupSize : 32;
  p->robust = vk_robust(d, info->pNext, stage->pNext);
  p->entry = strdup(stage->pName);
  char name[VK_NAME] = "";
  if (s) vk_name(stage->module, name);
  p->shader_name = strdup(name);
  p->sets = VK_OBJECT(vk_layout, info->layout)->count;
  dev_lock();
  VkResult result =
      vk_load(p, s ? s->code : code->pCode, s ? s->size : code->codeSize, stage->pSpecializationInfo);
  dev_unlock();
  if (result) {
    free(p->entry), free(p->shader_name), free(p);
    return result;
  }
  VkPipelineCreationFeedbackCreateInfo *f =
      (void *)vk_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (f) {
    f->pPipelineCreationFeedback->flags = 0;
    for (uint32_t i = 0; i < f->pipelineStageCreationFeedbackCount; i++)
      f->pPipelineStageCreationFeedbacks[i].flags = 0;
  }
  *out = VK_HANDLE(p);
  return VK_SUCCESS;
}

VkResult vkCreateComputePipelines(VkDevice d, VkPipelineCache cache, uint32_t n,
                                  const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *a,
                                  VkPipeline *out) {
  VkResult result = VK_SUCCESS;
  int early = 0;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = 0;
    if (early) continue;
    VkResult one = vk_new_pipeline(d, &infos[i], &out[i]);
    if (one) result = one;
    early = one && infos[i].flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  }
  return result;
}

void vkDestroyPipeline(VkDevice d, VkPipeline handle, const VkAllocationCallbacks *a) {
  struct vk_pipeline *p = VK_OBJECT(vk_pipeline, handle);
  if (!p) return;
  vk_unload(p);
  vk_forget(handle);
  free(p->entry);
  free(p->shader_name);
  dev_drop(p);
}

// Caches hold nothing but their headers: there is nothing to compile.

VkResult vkCreatePipelineCache(VkDevice d, const VkPipelineCacheCreateInfo *info,
                               const VkAllocationCallbacks *a, VkPipelineCache *out) {
  *out = VK_HANDLE(vk_new(1));
  return VK_SUCCESS;
}

void vkDestroyPipelineCache(VkDevice d, VkPipelineCache c, const VkAllocationCallbacks *a) {
  vk_forget(c);
  dev_drop((void *)(uintptr_t)c);
}

VkResult vkMergePipelineCaches(VkDevice d, VkPipelineCache to, uint32_t n, const VkPipelineCache *from) {
  return VK_SUCCESS;
}

VkResult vkGetPipelineCacheData(VkDevice d, VkPipelineCache c, size_t *size, void *to) {
  VkPhysicalDeviceProperties p;
  vkGetPhysicalDeviceProperties(NULL, &p);
  VkPipelineCacheHeaderVersionOne header = {sizeof header, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, p.vendorID,
                                            p.deviceID};
  memcpy(header.pipelineCacheUUID, p.pipelineCacheUUID, VK_UUID_SIZE);
  size_t room = *size;
  *size = sizeof header;
  if (!to) return VK_SUCCESS;
  if (room < sizeof header) return *size = 0, VK_INCOMPLETE;
  memcpy(to, &header, sizeof header);
  return VK_SUCCESS;
}

VkResult vkGetPipelineExecutablePropertiesKHR(VkDevice d, const VkPipelineInfoKHR *info, uint32_t *count,
                                              VkPipelineExecutablePropertiesKHR *to) {
  struct vk_pipeline *p = VK_OBJECT(vk_pipeline, info->pipeline);
  if (to && *count == 0) return VK_INCOMPLETE;
  *count = 1;
  if (!to) return VK_SUCCESS;
  to->stages = VK_SHADER_STAGE_COMPUTE_BIT;
  to->subgroupSize = p->subgroup;
  snprintf(to->name, sizeof to->name, "%s", p->entry);
  snprintf(to->description, sizeof to->description, "shader %s", p->shader_name);
  return VK_SUCCESS;
}

VkResult vkGetPipelineExecutableStatisticsKHR(VkDevice d, const VkPipelineExecutableInfoKHR *info,
                                              uint32_t *count, VkPipelineExecutableStatisticKHR *to) {
  struct vk_pipeline *p = VK_OBJECT(vk_pipeline, info->pipeline);
  const struct {
    const char *name, *what;
    uint64_t value;
  } all[] = {{"Workgroup memory", "bytes of a workgroup's variables", p->lds},
             {"Private memory", "bytes of an invocation's variables", p->scratch}};
  enum { N = sizeof all / sizeof all[0] };
  uint32_t room = to ? *count : N;
  for (uint32_t i = 0; to && i < room && i < N; i++) {
    snprintf(to[i].name, sizeof to[i].name, "%s", all[i].name);
    snprintf(to[i].description, sizeof to[i].description, "%s", all[i].what);
    to[i].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
    to[i].value.u64 = all[i].value;
  }
  *count = room < N ? room : N;
  return room < N ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult
vkGetPipelineExecutableInternalRepresentationsKHR(VkDevice d, const VkPipelineExecutableInfoKHR *info,
                                                  uint32_t *count,
                                                  VkPipelineExecutableInternalRepresentationKHR *to) {
  *count = 0;
  return VK_SUCCESS;
}
