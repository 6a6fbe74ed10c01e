// Descriptors: layouts, pools, sets, and the ways to write them. They are read when a command executes.
#include "vk_object.h"

static int vk_is_dynamic(uint32_t type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

static int vk_by_number(const void *a, const void *b) {
  const struct vk_binding *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

static struct vk_set_layout *vk_hold(struct vk_set_layout *l) {
  if (l) __atomic_fetch_add(&l->holders, 1, __ATOMIC_ACQ_REL);
  return l;
}

static void vk_release(struct vk_set_layout *l) {
  if (!l || __atomic_sub_fetch(&l->holders, 1, __ATOMIC_ACQ_REL)) return;
  for (uint32_t i = 0; i < l->count; i++) free(l->bindings[i].samplers);
  free(l->bindings);
  dev_drop(l);
}

VkResult vkCreateDescriptorSetLayout(VkDevice d, const VkDescriptorSetLayoutCreateInfo *info,
                                     const VkAllocationCallbacks *a, VkDescriptorSetLayout *out) {
  const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
      vk_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  struct vk_set_layout *l = vk_new(sizeof *l);
  l->holders = 1;
  l->count = info->bindingCount;
  l->bindings = vk_new((l->count + 1) * sizeof *l->bindings);
  for (uint32_t i = 0; i < l->count; i++) {
    const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
    l->bindings[i] = (struct vk_binding){b->binding, b->descriptorType, b->descriptorCount};
    int samples = b->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                  b->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (samples && b->pImmutableSamplers && b->descriptorCount)
      l->bindings[i].samplers = vk_copy(b->pImmutableSamplers, b->descriptorCount * sizeof(VkSampler));
    l->bindings[i].variable = flags && i < flags->bindingCount &&
                              flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
  }
  qsort(l->bindings, l->count, sizeof *l->bindings, vk_by_number);
  for (uint32_t i = 0; i < l->count; i++) {
    struct vk_binding *b = &l->bindings[i];
    b->first = l->descriptors;
    b->dynamic = l->dynamics;
    if (vk_is_dynamic(b->type)) l->dynamics += b->count;
    if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      l->inline_bytes += (b->count + VK_ALIGNMENT - 1) / VK_ALIGNMENT * VK_ALIGNMENT;
      l->descriptors++;
    } else l->descriptors += b->count;
  }
  *out = VK_HANDLE(l);
  return VK_SUCCESS;
}

void vkDestroyDescriptorSetLayout(VkDevice d, VkDescriptorSetLayout l, const VkAllocationCallbacks *a) {
  vk_forget(l);
  vk_release(VK_OBJECT(vk_set_layout, l));
}

void vkGetDescriptorSetLayoutSupport(VkDevice d, const VkDescriptorSetLayoutCreateInfo *info,
                                     VkDescriptorSetLayoutSupport *to) {
  enum { MOST = 1 << 20 };
  uint64_t n = 0;
  for (uint32_t i = 0; i < info->bindingCount; i++) n += info->pBindings[i].descriptorCount;
  to->supported = n <= MOST;
  VkDescriptorSetVariableDescriptorCountLayoutSupport *v =
      (void *)vk_find(to->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
  if (v) v->maxVariableDescriptorCount = MOST;
}

VkResult vkCreateDescriptorPool(VkDevice d, const VkDescriptorPoolCreateInfo *info,
                                const VkAllocationCallbacks *a, VkDescriptorPool *out) {
  struct vk_pool *p = vk_new(sizeof *p);
  p->most = info->maxSets;
  *out = VK_HANDLE(p);
  return VK_SUCCESS;
}

static void vk_free_set(struct vk_set *s) {
  if (s->inline_base) {
    dev_lock();
    dev_free(s->inline_base);
    dev_unlock();
  }
  vk_forget(VK_HANDLE(s));
  vk_release(s->layout);
  dev_drop(s);
}

VkResult vkResetDescriptorPool(VkDevice d, VkDescriptorPool handle, VkDescriptorPoolResetFlags f) {
  struct vk_pool *p = VK_OBJECT(vk_pool, handle);
  for (struct vk_set *s; (s = p->sets);) {
    p->sets = s->next;
    vk_free_set(s);
  }
  p->count = 0;
  return VK_SUCCESS;
}

void vkDestroyDescriptorPool(VkDevice d, VkDescriptorPool p, const VkAllocationCallbacks *a) {
  if (!p) return;
  vkResetDescriptorPool(d, p, 0);
  vk_forget(p);
  dev_drop(VK_OBJECT(vk_pool, p));
}

// vk_place_inline says where in their memory the inline uniform blocks of a set are.
static void vk_place_inline(struct vk_set *s) {
  uint64_t at = s->inline_base;
  for (uint32_t i = 0; i < s->layout->count; i++) {
    struct vk_binding *b = &s->layout->bindings[i];
    if (b->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) continue;
    s->all[b->first] = (struct vk_descriptor){b->type, 1, at, b->count};
    at += (b->count + VK_ALIGNMENT - 1) / VK_ALIGNMENT * VK_ALIGNMENT;
  }
}

static struct vk_set *vk_new_set(struct vk_set_layout *l, uint32_t variable) {
  uint32_t n = l->descriptors;
  if (l->count && l->bindings[l->count - 1].variable && variable < l->bindings[l->count - 1].count)
    n -= l->bindings[l->count - 1].count - variable;
  struct vk_set *s = vk_new(sizeof *s + (n + 1) * sizeof s->all[0]);
  s->layout = vk_hold(l);
  s->descriptors = n;
  for (uint32_t i = 0; i < l->count; i++) { // samplers that the layout has are there without a write
    const struct vk_binding *b = &l->bindings[i];
    for (uint32_t k = 0; b->samplers && b->type == VK_DESCRIPTOR_TYPE_SAMPLER && k < b->count; k++)
      if (b->first + k < n)
        s->all[b->first + k] =
            (struct vk_descriptor){b->type, 1, VK_OBJECT(vk_sampler, b->samplers[k])->address,
                                   sizeof(texel_sampler)};
  }
  return s;
}

VkResult vkAllocateDescriptorSets(VkDevice d, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *out) {
  struct vk_pool *p = VK_OBJECT(vk_pool, info->descriptorPool);
  const VkDescriptorSetVariableDescriptorCountAllocateInfo *v =
      vk_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  if (p->count + info->descriptorSetCount > p->most) {
    memset(out, 0, info->descriptorSetCount * sizeof *out);
    return VK_ERROR_OUT_OF_POOL_MEMORY;
  }
  for (uint32_t i = 0; i < info->descriptorSetCount; i++) out[i] = 0;
  for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
    struct vk_set_layout *l = VK_OBJECT(vk_set_layout, info->pSetLayouts[i]);
    struct vk_set *s = vk_new_set(l, v && i < v->descriptorSetCount ? v->pDescriptorCounts[i] : 0);
    if (l->inline_bytes) {
      enum dev_status status;
      dev_lock();
      s->inline_base = dev_alloc(l->inline_bytes, 0, RANGE_MEMORY, &status);
      dev_unlock();
      if (!s->inline_base) {
        vk_free_set(s);
        vkFreeDescriptorSets(d, info->descriptorPool, i, out);
        memset(out, 0, info->descriptorSetCount * sizeof *out);
        return status == DEV_GONE ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_OUT_OF_DEVICE_MEMORY;
      }
      vk_place_inline(s);
    }
    s->pool = p;
    s->next = p->sets;
    p->sets = s;
    p->count++;
    out[i] = VK_HANDLE(s);
  }
  return VK_SUCCESS;
}

VkResult vkFreeDescriptorSets(VkDevice d, VkDescriptorPool handle, uint32_t n, const VkDescriptorSet *sets) {
  struct vk_pool *p = VK_OBJECT(vk_pool, handle);
  for (uint32_t i = 0; i < n; i++) {
    for (struct vk_set **at = &p->sets; *at; at = &(*at)->next) {
      if (VK_HANDLE(*at) != sets[i]) continue;
      struct vk_set *s = *at;
      *at = s->next;
      vk_free_set(s);
      p->count--;
      break;
    }
  }
  return VK_SUCCESS;
}

// vk_fixed is the sampler that a layout has for a descriptor, or NULL.
static const struct vk_sampler *vk_fixed(const struct vk_set_layout *l, uint32_t descriptor) {
  for (uint32_t i = 0; i < l->count; i++) {
    const struct vk_binding *b = &l->bindings[i];
    if (b->samplers && descriptor >= b->first && descriptor - b->first < b->count)
      return VK_OBJECT(vk_sampler, b->samplers[descriptor - b->first]);
  }
  return NULL;
}

// vk_slot is where a set has a descriptor of a binding, NULL if it has none.
static struct vk_descriptor *vk_slot(struct vk_set *s, uint32_t binding, uint32_t element, uint32_t *left) {
  for (uint32_t i = 0; i < s->layout->count; i++) {
    struct vk_binding *b = &s->layout->bindings[i];
    if (b->number != binding) continue;
    if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) element = 0;
    if (b->first + element >= s->descriptors) return NULL;
    *left = s->descriptors - b->first - element;
    return &s->all[b->first + element];
  }
  return NULL;
}

// vk_write_one writes one descriptor, of whatever kind; the sampler may be the layout's.
static void vk_write_one(struct vk_descriptor *to, uint32_t type, const void *info,
                         const struct vk_sampler *fixed) {
  *to = (struct vk_descriptor){.type = type, .written = 1, .range = BLOCK};
  const VkDescriptorImageInfo *image = info;
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER: {
    const struct vk_sampler *s = fixed ? fixed : VK_OBJECT(vk_sampler, image->sampler);
    to->address = s ? s->address : 0;
    to->range = sizeof(texel_sampler);
    break;
  }
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: {
    const struct vk_sampler *s = fixed ? fixed : VK_OBJECT(vk_sampler, image->sampler);
    if (image->imageView)
      to->address = vk_paired(VK_OBJECT(vk_view, image->imageView),
                              type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? s : NULL);
    break;
  }
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: {
    struct vk_view *v = VK_OBJECT(vk_view, *(const VkBufferView *)info);
    if (v) to->address = vk_paired(v, NULL);
    break;
  }
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: {
    const VkDescriptorBufferInfo *i = info;
    struct vk_buffer *b = VK_OBJECT(vk_buffer, i->buffer);
    to->range = 0;
    if (!b) return;
    to->address = b->address + i->offset;
    to->range = i->range == VK_WHOLE_SIZE ? b->size - i->offset : i->range;
  }
  }
}

// vk_write writes descriptors one after the other, into the bindings that follow if one is full.
static void vk_write(struct vk_set *s, uint32_t binding, uint32_t element, uint32_t n, uint32_t type,
                     const void *info, size_t stride) {
  uint32_t left = 0;
  struct vk_descriptor *to = vk_slot(s, binding, element, &left);
  if (!to) return;
  if (type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    if (to->address && element + n <= to->range) memcpy((char *)dev_host(to->address) + element, info, n);
    return;
  }
  for (uint32_t i = 0; i < n && i < left; i++)
    vk_write_one(to + i, type, (const char *)info + i * stride,
                 vk_fixed(s->layout, (uint32_t)(to + i - s->all)));
}

static void vk_write_set(struct vk_set *s, const VkWriteDescriptorSet *w) {
  const void *info = w->pBufferInfo;
  size_t stride = sizeof *w->pBufferInfo;
  const VkWriteDescriptorSetInlineUniformBlock *block;
  switch (w->descriptorType) {
  case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
    block = vk_find(w->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    info = block ? block->pData : NULL;
    if (!info) return;
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    info = w->pTexelBufferView, stride = sizeof *w->pTexelBufferView;
    break;
  case VK_DESCRIPTOR_TYPE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    info = w->pImageInfo, stride = sizeof *w->pImageInfo;
    break;
  default:
    return;
  }
  vk_write(s, w->dstBinding, w->dstArrayElement, w->descriptorCount, w->descriptorType, info, stride);
}

void vkUpdateDescriptorSets(VkDevice d, uint32_t writes, const VkWriteDescriptorSet *w, uint32_t copies,
                            const VkCopyDescriptorSet *c) {
  for (uint32_t i = 0; i < writes; i++) vk_write_set(VK_OBJECT(vk_set, w[i].dstSet), &w[i]);
  for (uint32_t i = 0; i < copies; i++) {
    uint32_t room = 0, there = 0;
    struct vk_descriptor *from =
        vk_slot(VK_OBJECT(vk_set, c[i].srcSet), c[i].srcBinding, c[i].srcArrayElement, &there);
    struct vk_descriptor *to =
        vk_slot(VK_OBJECT(vk_set, c[i].dstSet), c[i].dstBinding, c[i].dstArrayElement, &room);
    if (!from || !to) continue;
    if (from->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      uint32_t n = c[i].descriptorCount;
      if (c[i].srcArrayElement + n <= from->range && c[i].dstArrayElement + n <= to->range)
        memmove((char *)dev_host(to->address) + c[i].dstArrayElement,
                (char *)dev_host(from->address) + c[i].srcArrayElement, n);
      continue;
    }
    for (uint32_t k = 0; k < c[i].descriptorCount && k < room && k < there; k++) to[k] = from[k];
  }
}

// Templates.

struct vk_template {
  uint32_t count;
  VkDescriptorUpdateTemplateEntry entries[];
};

VkResult vkCreateDescriptorUpdateTemplate(VkDevice d, const VkDescriptorUpdateTemplateCreateInfo *info,
                                          const VkAllocationCallbacks *a, VkDescriptorUpdateTemplate *out) {
  size_t size = info->descriptorUpdateEntryCount * sizeof info->pDescriptorUpdateEntries[0];
  struct vk_template *t = vk_new(sizeof *t + size);
  t->count = info->descriptorUpdateEntryCount;
  memcpy(t->entries, info->pDescriptorUpdateEntries, size);
  *out = VK_HANDLE(t);
  return VK_SUCCESS;
}

void vkDestroyDescriptorUpdateTemplate(VkDevice d, VkDescriptorUpdateTemplate t,
                                       const VkAllocationCallbacks *a) {
  vk_forget(t);
  dev_drop(VK_OBJECT(vk_template, t));
}

static void vk_write_template(struct vk_set *s, const struct vk_template *t, const void *data) {
  for (uint32_t i = 0; i < t->count; i++) {
    const VkDescriptorUpdateTemplateEntry *e = &t->entries[i];
    vk_write(s, e->dstBinding, e->dstArrayElement, e->descriptorCount, e->descriptorType,
             (const char *)data + e->offset, e->stride);
  }
}

void vkUpdateDescriptorSetWithTemplate(VkDevice d, VkDescriptorSet s, VkDescriptorUpdateTemplate t,
                                       const void *data) {
  vk_write_template(VK_OBJECT(vk_set, s), VK_OBJECT(vk_template, t), data);
}

VkResult vkCreatePipelineLayout(VkDevice d, const VkPipelineLayoutCreateInfo *info,
                                const VkAllocationCallbacks *a, VkPipelineLayout *out) {
  struct vk_layout *l = vk_new(sizeof *l);
  for (l->count = 0; l->count < info->setLayoutCount && l->count < VK_SETS; l->count++)
    l->sets[l->count] = vk_hold(VK_OBJECT(vk_set_layout, info->pSetLayouts[l->count]));
  *out = VK_HANDLE(l);
  return VK_SUCCESS;
}

void vkDestroyPipelineLayout(VkDevice d, VkPipelineLayout handle, const VkAllocationCallbacks *a) {
  struct vk_layout *l = VK_OBJECT(vk_layout, handle);
  if (!l) return;
  for (uint32_t i = 0; i < l->count; i++) vk_release(l->sets[i]);
  vk_forget(handle);
  dev_drop(l);
}
