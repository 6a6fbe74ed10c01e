// Fences, semaphores, events and queries, as the host sees them.
#include "vk_command.h"

static void vk_order(enum dev_order kind, uint64_t queue, struct vk_done after);
static void vk_heard(struct vk_done d);

VkResult vkCreateFence(VkDevice d, const VkFenceCreateInfo *info, const VkAllocationCallbacks *a,
                       VkFence *out) {
  struct vk_fence *f = vk_new(sizeof *f);
  f->signalled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
  *out = VK_HANDLE(f);
  return VK_SUCCESS;
}

void vkDestroyFence(VkDevice d, VkFence f, const VkAllocationCallbacks *a) {
  vk_forget(f);
  dev_drop(VK_OBJECT(vk_fence, f));
}

VkResult vkResetFences(VkDevice d, uint32_t n, const VkFence *all) {
  pthread_mutex_lock(&vk_mutex);
  for (uint32_t i = 0; i < n; i++) VK_OBJECT(vk_fence, all[i])->signalled = 0;
  pthread_mutex_unlock(&vk_mutex);
  return VK_SUCCESS;
}

// A program that asks again and again leaves the processor to the device meanwhile.
VkResult vkGetFenceStatus(VkDevice d, VkFence f) {
  enum { PAUSE = 100000 }; // nanoseconds
  pthread_mutex_lock(&vk_mutex);
  if (!VK_OBJECT(vk_fence, f)->signalled && !d->lost) vk_wait(vk_until(PAUSE));
  int signalled = VK_OBJECT(vk_fence, f)->signalled, lost = d->lost;
  pthread_mutex_unlock(&vk_mutex);
  if (signalled) vk_heard(VK_OBJECT(vk_fence, f)->done);
  return lost ? VK_ERROR_DEVICE_LOST : signalled ? VK_SUCCESS : VK_NOT_READY;
}

VkResult vkWaitForFences(VkDevice d, uint32_t n, const VkFence *all, VkBool32 every, uint64_t timeout) {
  uint64_t until = vk_until(timeout);
  VkResult result = VK_SUCCESS;
  pthread_mutex_lock(&vk_mutex);
  for (;;) {
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) done += (uint32_t)VK_OBJECT(vk_fence, all[i])->signalled;
    if (d->lost) result = VK_ERROR_DEVICE_LOST;
    if (d->lost || done == n || (!every && done)) break;
    if (!vk_wait(until)) {
      result = VK_TIMEOUT;
      break;
    }
  }
  pthread_mutex_unlock(&vk_mutex);
  for (uint32_t i = 0; i < n && dev.ordered; i++)
    if (VK_OBJECT(vk_fence, all[i])->signalled) vk_heard(VK_OBJECT(vk_fence, all[i])->done);
  return result;
}

VkResult vkCreateSemaphore(VkDevice d, const VkSemaphoreCreateInfo *info, const VkAllocationCallbacks *a,
                           VkSemaphore *out) {
  const VkSemaphoreTypeCreateInfo *t = vk_find(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  struct vk_semaphore *s = vk_new(sizeof *s);
  s->timeline = t && t->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
  s->value = s->timeline ? t->initialValue : 0;
  *out = VK_HANDLE(s);
  return VK_SUCCESS;
}

void vkDestroySemaphore(VkDevice d, VkSemaphore s, const VkAllocationCallbacks *a) {
  vk_forget(s);
  dev_drop(VK_OBJECT(vk_semaphore, s));
}

VkResult vkGetSemaphoreCounterValue(VkDevice d, VkSemaphore s, uint64_t *to) {
  pthread_mutex_lock(&vk_mutex);
  *to = VK_OBJECT(vk_semaphore, s)->value;
  int lost = d->lost;
  struct vk_done done = VK_OBJECT(vk_semaphore, s)->done;
  pthread_mutex_unlock(&vk_mutex);
  vk_heard(done);
  return lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult vkSignalSemaphore(VkDevice d, const VkSemaphoreSignalInfo *info) {
  pthread_mutex_lock(&vk_mutex);
  VK_OBJECT(vk_semaphore, info->semaphore)->value = info->value;
  pthread_cond_broadcast(&vk_changed);
  pthread_mutex_unlock(&vk_mutex);
  return VK_SUCCESS;
}

VkResult vkWaitSemaphores(VkDevice d, const VkSemaphoreWaitInfo *info, uint64_t timeout) {
  uint64_t until = vk_until(timeout);
  VkResult result = VK_SUCCESS;
  pthread_mutex_lock(&vk_mutex);
  for (;;) {
    uint32_t done = 0, n = info->semaphoreCount;
    for (uint32_t i = 0; i < n; i++)
      done += VK_OBJECT(vk_semaphore, info->pSemaphores[i])->value >= info->pValues[i];
    if (d->lost) result = VK_ERROR_DEVICE_LOST;
    if (d->lost || done == n || (done && info->flags & VK_SEMAPHORE_WAIT_ANY_BIT)) break;
    if (!vk_wait(until)) {
      result = VK_TIMEOUT;
      break;
    }
  }
  pthread_mutex_unlock(&vk_mutex);
  for (uint32_t i = 0; i < info->semaphoreCount && dev.ordered; i++)
    if (VK_OBJECT(vk_semaphore, info->pSemaphores[i])->value >= info->pValues[i])
      vk_heard(VK_OBJECT(vk_semaphore, info->pSemaphores[i])->done);
  return result;
}

VkResult vkCreateEvent(VkDevice d, const VkEventCreateInfo *info, const VkAllocationCallbacks *a,
                       VkEvent *out) {
  *out = VK_HANDLE(vk_new(sizeof(struct vk_event)));
  return VK_SUCCESS;
}

void vkDestroyEvent(VkDevice d, VkEvent e, const VkAllocationCallbacks *a) {
  vk_forget(e);
  dev_drop(VK_OBJECT(vk_event, e));
}

static VkResult vk_put_event(struct vk_event *e, int set) {
  pthread_mutex_lock(&vk_mutex);
  e->set = set;
  pthread_cond_broadcast(&vk_changed);
  pthread_mutex_unlock(&vk_mutex);
  return VK_SUCCESS;
}

VkResult vkSetEvent(VkDevice d, VkEvent e) { return vk_put_event(VK_OBJECT(vk_event, e), 1); }
VkResult vkResetEvent(VkDevice d, VkEvent e) { return vk_put_event(VK_OBJECT(vk_event, e), 0); }

VkResult vkGetEventStatus(VkDevice d, VkEvent e) {
  pthread_mutex_lock(&vk_mutex);
  int set = VK_OBJECT(vk_event, e)->set, lost = d->lost;
  pthread_mutex_unlock(&vk_mutex);
  if (set) vk_order(HOST_ALL, 0, (struct vk_done){0});
  return lost ? VK_ERROR_DEVICE_LOST : set ? VK_EVENT_SET : VK_EVENT_RESET;
}

VkResult vkCreateQueryPool(VkDevice d, const VkQueryPoolCreateInfo *info, const VkAllocationCallbacks *a,
                           VkQueryPool *out) {
  if (info->queryType != VK_QUERY_TYPE_TIMESTAMP) {
    static int said;
    return vk_missing("a pool of queries that are no timestamps", &said);
  }
  struct vk_query_pool *p = vk_new(sizeof *p + info->queryCount * sizeof p->all[0]);
  p->count = info->queryCount;
  *out = VK_HANDLE(p);
  return VK_SUCCESS;
}

void vkDestroyQueryPool(VkDevice d, VkQueryPool p, const VkAllocationCallbacks *a) {
  vk_forget(p);
  dev_drop(VK_OBJECT(vk_query_pool, p));
}

static void vk_reset_queries(struct vk_query_pool *p, uint32_t first, uint32_t n) {
  pthread_mutex_lock(&vk_mutex);
  for (uint32_t i = first; i < first + n && i < p->count; i++) p->all[i].value = p->all[i].available = 0;
  pthread_mutex_unlock(&vk_mutex);
}

void vkResetQueryPool(VkDevice d, VkQueryPool p, uint32_t first, uint32_t n) {
  vk_reset_queries(VK_OBJECT(vk_query_pool, p), first, n);
}

// vk_query_results writes results. It reports whether all were there. It wants vk_mutex.
static int vk_query_results(struct vk_query_pool *p, uint32_t first, uint32_t n, unsigned char *to,
                            uint64_t stride, VkQueryResultFlags flags) {
  int all = 1;
  size_t size = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  for (uint32_t i = 0; i < n && first + i < p->count; i++, to += stride) {
    uint64_t value = p->all[first + i].value, available = (uint64_t)p->all[first + i].available;
    all &= (int)available;
    if (available || flags & VK_QUERY_RESULT_PARTIAL_BIT) memcpy(to, &value, size);
    if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) memcpy(to + size, &available, size);
  }
  return all;
}

static int vk_queries_there(struct vk_query_pool *p, uint32_t first, uint32_t n) {
  for (uint32_t i = first; i < first + n && i < p->count; i++)
    if (!p->all[i].available) return 0;
  return 1;
}

VkResult vkGetQueryPoolResults(VkDevice d, VkQueryPool handle, uint32_t first, uint32_t n, size_t size,
                               void *to, VkDeviceSize stride, VkQueryResultFlags flags) {
  struct vk_query_pool *p = VK_OBJECT(vk_query_pool, handle);
  pthread_mutex_lock(&vk_mutex);
  while (flags & VK_QUERY_RESULT_WAIT_BIT && !d->lost && !vk_queries_there(p, first, n)) vk_wait(UINT64_MAX);
  int lost = d->lost, all = vk_query_results(p, first, n, to, stride, flags);
  pthread_mutex_unlock(&vk_mutex);
  return lost ? VK_ERROR_DEVICE_LOST : all ? VK_SUCCESS : VK_NOT_READY;
}
