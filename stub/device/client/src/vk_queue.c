// Queues, each with a thread that executes what is submitted: it waits for semaphores, hands commands to the
// device, which does them in order, waits for it, and signals.
#include "vk_command.h"

struct vk_signal {
  struct vk_semaphore *semaphore;
  uint64_t value;
};

// A batch is a part of a submission.
struct vk_batch {
  struct vk_signal *waits, *signals;
  uint32_t wait_count, signal_count, buffer_count;
  VkCommandBuffer *buffers;
  struct vk_fence *fence;
  uint64_t asked; // the ticket of a mark of when it was submitted
  struct vk_batch *next;
};

struct VkQueue_T {
  uintptr_t magic;
  struct VkDevice_T *device;
  pthread_t thread;
  struct vk_batch *first, **last; // under vk_mutex, as busy
  int busy;
  uint64_t id;
  uint64_t ticket; // of the latest work; the thread's own
};

// vk_order says something of the order of work.
static void vk_order(enum dev_order kind, uint64_t queue, struct vk_done after) {
  if (!dev.ordered || (kind != ORDER_BARRIER && kind != HOST_ALL && !after.queue)) return;
  dev_lock();
  dev_order(kind, queue, after.queue, after.ticket);
  dev_unlock();
}

// vk_heard says that the host has seen what a queue has signalled.
static void vk_heard(struct vk_done d) {
  vk_order(HOST_STREAM, d.queue, d);
}

// vk_touch says that this library accesses memory in a queue's place.
static void vk_touch(VkQueue q, int writes, uint64_t at, uint64_t size) {
  dev_lock();
  uint64_t ticket = dev_touch(q->id, writes, at, (dev_rows){size, 1, size, 1, size}, 0);
  if (ticket) q->ticket = ticket;
  dev_unlock();
}

// vk_refused makes the device lost for a request that was refused. It is 0 if it was not.
static int vk_refused(struct VkDevice_T *d, enum dev_status s) {
  if (s == DEV_DONE) return 0;
  if (!dev.condition && s != DEV_GONE) dev_say("the device is lost: %s", dev.message);
  vk_lose(d);
  return 1;
}

// vk_finish waits until the device has done what the queue has given it. It is 0 if nothing went wrong.
static int vk_finish(VkQueue q) {
  enum { SLICE = 1000000 }; // nanoseconds, for which others wait who want something of the device
  for (;;) {
    dev_lock();
    enum dev_status s = dev_poll(WAIT_TICKET, q->ticket, SLICE);
    int done = dev.finished >= q->ticket;
    dev_unlock();
    if (s != DEV_DONE) {
      vk_lose(q->device);
      return 1;
    }
    if (done) return 0;
    if (dev_is_wanted()) sched_yield();
  }
}

// vk_put_set puts the bindings of a set into a request.
static uint64_t vk_put_set(uint32_t number, const struct vk_bound *bound, const uint32_t *offsets) {
  uint64_t n = 0;
  struct vk_set *s = bound->set;
  for (uint32_t i = 0; i < s->layout->count; i++) {
    struct vk_binding *b = &s->layout->bindings[i];
    uint32_t count = b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : b->count;
    for (uint32_t k = 0; k < count && b->first + k < s->descriptors; k++) {
      const struct vk_descriptor *d = &s->all[b->first + k];
      if (!d->written) continue;
      uint64_t address = d->address;
      if (vk_is_dynamic(b->type) && address) address += offsets[bound->dynamic + b->dynamic + k];
      int storage = b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                    b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
      uint64_t fields[] = {number, b->number, k, !storage, address, address ? d->range : 0};
      for (int f = 0; f < 6; f++) put_u64(fields[f]);
      n++;
    }
  }
  return n;
}

static int vk_run_dispatch(VkQueue q, struct vk_dispatch *d) {
  struct vk_pipeline *p = d->pipeline;
  if (d->indirect) {
    if (vk_finish(q)) return 1;
    memcpy(d->groups, dev_host(d->indirect), sizeof d->groups);
  }
  if (!p || !d->groups[0] || !d->groups[1] || !d->groups[2]) return 0;
  char name[VK_NAME];
  vk_name(VK_HANDLE(p), name);
  if (!*name) snprintf(name, sizeof name, "%s", p->shader_name);
  dev_lock();
  dev_begin();
  put_u64(q->id);
  put_u64(p->module);
  put_u64(p->kernel);
  for (int i = 0; i < 3; i++) put_u64(d->groups[i]);
  for (int i = 0; i < 3; i++) put_u64(d->first[i]);
  put_u64(p->subgroup);
  put_u64((uint64_t)p->robust);
  put_bytes(name, strlen(name));
  put_bytes(d->push, VK_PUSH);
  size_t at = dev.out.size;
  put_u64(0);
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->sets; i++)
    if (d->sets[i].set) n += vk_put_set(i, &d->sets[i], d->offsets);
  memcpy(dev.out.data + at, &n, 8);
  enum dev_status s = dev_request(OP_DISPATCH);
  if (s == DEV_DONE) q->ticket = get_u64();
  dev_unlock();
  if (s == DEV_FAULTED || s == DEV_ASSERTED || s == DEV_TRAPPED || s == DEV_FAILED) return vk_finish(q);
  return vk_refused(q->device, s);
}

static int vk_run_transfer(VkQueue q, struct vk_command *c) {
  if (!c->size) return 0;
  dev_lock();
  dev_begin();
  put_u64(q->id);
  put_u64(c->to);
  if (c->kind == CMD_COPY) {
    put_u64(c->from);
    put_u64(c->size);
  } else {
    put_bytes(&c->word, sizeof c->word);
    put_u64(c->size);
  }
  enum dev_status s = dev_request(c->kind == CMD_COPY ? OP_COPY : OP_FILL);
  if (s == DEV_DONE) q->ticket = get_u64();
  dev_unlock();
  return vk_refused(q->device, s);
}

static int vk_run(VkQueue q, VkCommandBuffer b);

// vk_run_query does what is done with queries, in its turn.
static int vk_run_query(VkQueue q, struct vk_command *c) {
  struct vk_query_pool *p = c->object;
  if (vk_finish(q)) return 1;
  if (c->kind == CMD_RESET_QUERIES) {
    vk_reset_queries(p, c->first, c->count);
    return 0;
  }
  uint64_t size = c->flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  if (c->kind == CMD_COPY_QUERIES && c->count) vk_touch(q, 1, c->to, (c->count - 1) * c->stride + size);
  pthread_mutex_lock(&vk_mutex);
  if (c->kind == CMD_COPY_QUERIES) {
    vk_query_results(p, c->first, c->count, dev_host(c->to), c->stride, c->flags);
  } else if (c->first < p->count) {
    p->all[c->first].value = vk_now();
    p->all[c->first].available = 1;
    pthread_cond_broadcast(&vk_changed);
  }
  pthread_mutex_unlock(&vk_mutex);
  return 0;
}

// vk_run_event sets, resets or waits for an event.
static int vk_run_event(VkQueue q, struct vk_command *c) {
  struct vk_event *e = c->object;
  if (vk_finish(q)) return 1;
  if (c->kind == CMD_EVENT) {
    vk_put_event(e, (int)c->word);
    return 0;
  }
  pthread_mutex_lock(&vk_mutex);
  while (!e->set && !q->device->lost && !q->device->ending) vk_wait(UINT64_MAX);
  pthread_mutex_unlock(&vk_mutex);
  vk_order(HOST_ALL, 0, (struct vk_done){0}); // whoever has set it, and what came before that
  return 0;
}

static int vk_run_command(VkQueue q, struct vk_command *c) {
  switch (c->kind) {
  case CMD_DISPATCH: return vk_run_dispatch(q, c->object);
  case CMD_COPY:
  case CMD_FILL: return vk_run_transfer(q, c);
  case CMD_EXECUTE: return vk_run(q, c->object);
  case CMD_UPDATE:
    if (vk_finish(q)) return 1;
    vk_touch(q, 1, c->to, c->size);
    memcpy(dev_host(c->to), c->object, c->size);
    return 0;
  case CMD_BARRIER: vk_order(ORDER_BARRIER, q->id, (struct vk_done){0}); return 0;
  case CMD_EVENT:
  case CMD_WAIT_EVENT: return vk_run_event(q, c);
  default: return vk_run_query(q, c);
  }
}

// vk_run executes a command buffer. It is not 0 if the device was lost.
static int vk_run(VkQueue q, VkCommandBuffer b) {
  for (struct vk_command *c = b->commands; c; c = c->next)
    if (vk_run_command(q, c)) return 1;
  return 0;
}

static void vk_free_batch(struct vk_batch *b) {
  free(b->waits);
  free(b->signals);
  free(b->buffers);
  free(b);
}

// vk_await waits for the semaphores of a batch. It is not 0 if they do not come any more.
static int vk_await(VkQueue q, struct vk_batch *b) {
  struct VkDevice_T *d = q->device;
  pthread_mutex_lock(&vk_mutex);
  for (uint32_t i = 0; i < b->wait_count; i++) {
    struct vk_signal *w = &b->waits[i];
    uint64_t value = w->semaphore->timeline ? w->value : 1;
    while (w->semaphore->value < value && !d->lost && !d->ending) vk_wait(UINT64_MAX);
    if (!w->semaphore->timeline) w->semaphore->value = 0;
  }
  int over = d->lost || d->ending;
  pthread_mutex_unlock(&vk_mutex);
  for (uint32_t i = 0; i < b->wait_count && !over; i++)
    vk_order(ORDER_STREAM, q->id, b->waits[i].semaphore->done);
  return over;
}

static void *vk_work(void *queue) {
  VkQueue q = queue;
  pthread_mutex_lock(&vk_mutex);
  while (!q->device->ending) {
    struct vk_batch *b = q->first;
    if (!b) {
      vk_wait(UINT64_MAX);
      continue;
    }
    pthread_mutex_unlock(&vk_mutex);
    if (b->asked) vk_order(ORDER_WORK, q->id, (struct vk_done){q->id, b->asked});
    int over = vk_await(q, b);
    for (uint32_t i = 0; i < b->buffer_count && !over; i++) over = vk_run(q, b->buffers[i]);
    if (!over) vk_finish(q);
    pthread_mutex_lock(&vk_mutex);
    // Who has been told that the device is lost waits no longer, and may have destroyed what would be
    // signalled.
    int lost = q->device->lost;
    struct vk_done done = {q->id, q->ticket};
    for (uint32_t i = 0; i < b->signal_count && !lost; i++) {
      b->signals[i].semaphore->value = b->signals[i].semaphore->timeline ? b->signals[i].value : 1;
      b->signals[i].semaphore->done = done;
    }
    if (b->fence && !lost) b->fence->signalled = 1, b->fence->done = done;
    if (!(q->first = b->next)) q->last = &q->first;
    vk_free_batch(b);
    pthread_cond_broadcast(&vk_changed);
  }
  pthread_mutex_unlock(&vk_mutex);
  return NULL;
}

static VkQueue vk_new_queue(struct VkDevice_T *d) {
  VkQueue q = vk_new(sizeof *q);
  static uint64_t number;
  q->magic = VK_LOADER_MAGIC;
  q->device = d;
  q->last = &q->first;
  dev_lock();
  q->id = ++number;
  dev_order(ORDER_LOOSE, q->id, 0, 0);
  dev_order(ORDER_APART, q->id, 0, 0);
  dev_unlock();
  sigset_t all, before; // signals are for the program's threads
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&q->thread, NULL, vk_work, q);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!failed) return q;
  free(q);
  return NULL;
}

static void vk_free_queue(VkQueue q) {
  if (!q) return;
  pthread_join(q->thread, NULL);
  for (struct vk_batch *b; (b = q->first);) {
    q->first = b->next;
    vk_free_batch(b);
  }
  free(q);
}

// vk_add adds batches to a queue.
static VkResult vk_add(VkQueue q, struct vk_batch *all) {
  if (dev.ordered && all) {
    dev_lock();
    all->asked = dev_mark(dev_host_stream);
    dev_unlock();
  }
  pthread_mutex_lock(&vk_mutex);
  int lost = q->device->lost;
  if (!lost) {
    *q->last = all;
    while (*q->last) q->last = &(*q->last)->next;
    pthread_cond_broadcast(&vk_changed);
  }
  pthread_mutex_unlock(&vk_mutex);
  for (struct vk_batch *next; lost && all; all = next) {
    next = all->next;
    vk_free_batch(all);
  }
  return lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static struct vk_batch *vk_new_batch(uint32_t waits, uint32_t buffers, uint32_t signals) {
  struct vk_batch *b = vk_new(sizeof *b);
  b->wait_count = waits, b->buffer_count = buffers, b->signal_count = signals;
  b->waits = vk_new((waits + 1) * sizeof *b->waits);
  b->signals = vk_new((signals + 1) * sizeof *b->signals);
  b->buffers = vk_new((buffers + 1) * sizeof *b->buffers);
  return b;
}

VkResult vkQueueSubmit2(VkQueue q, uint32_t n, const VkSubmitInfo2 *infos, VkFence fence) {
  struct vk_batch *all = NULL, **last = &all;
  for (uint32_t i = 0; i < n; i++) {
    const VkSubmitInfo2 *s = &infos[i];
    struct vk_batch *b = *last = vk_new_batch(s->waitSemaphoreInfoCount, s->commandBufferInfoCount,
                                              s->signalSemaphoreInfoCount);
    last = &b->next;
    for (uint32_t k = 0; k < b->wait_count; k++)
      b->waits[k] = (struct vk_signal){VK_OBJECT(vk_semaphore, s->pWaitSemaphoreInfos[k].semaphore),
                                       s->pWaitSemaphoreInfos[k].value};
    for (uint32_t k = 0; k < b->signal_count; k++)
      b->signals[k] = (struct vk_signal){VK_OBJECT(vk_semaphore, s->pSignalSemaphoreInfos[k].semaphore),
                                         s->pSignalSemaphoreInfos[k].value};
    for (uint32_t k = 0; k < b->buffer_count; k++) b->buffers[k] = s->pCommandBufferInfos[k].commandBuffer;
  }
  if (fence) {
    *last = vk_new_batch(0, 0, 0);
    (*last)->fence = VK_OBJECT(vk_fence, fence);
  }
  return vk_add(q, all);
}

VkResult vkQueueSubmit(VkQueue q, uint32_t n, const VkSubmitInfo *infos, VkFence fence) {
  struct vk_batch *all = NULL, **last = &all;
  for (uint32_t i = 0; i < n; i++) {
    const VkSubmitInfo *s = &infos[i];
    const VkTimelineSemaphoreSubmitInfo *t =
        vk_find(s->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    struct vk_batch *b = *last =
        vk_new_batch(s->waitSemaphoreCount, s->commandBufferCount, s->signalSemaphoreCount);
    last = &b->next;
    for (uint32_t k = 0; k < b->wait_count; k++)
      b->waits[k] =
          (struct vk_signal){VK_OBJECT(vk_semaphore, s->pWaitSemaphores[k]),
                             t && k < t->waitSemaphoreValueCount ? t->pWaitSemaphoreValues[k] : 0};
    for (uint32_t k = 0; k < b->signal_count; k++)
      b->signals[k] =
          (struct vk_signal){VK_OBJECT(vk_semaphore, s->pSignalSemaphores[k]),
                             t && k < t->signalSemaphoreValueCount ? t->pSignalSemaphoreValues[k] : 0};
    memcpy(b->buffers, s->pCommandBuffers, b->buffer_count * sizeof *b->buffers);
  }
  if (fence) {
    *last = vk_new_batch(0, 0, 0);
    (*last)->fence = VK_OBJECT(vk_fence, fence);
  }
  return vk_add(q, all);
}

VkResult vkQueueWaitIdle(VkQueue q) {
  pthread_mutex_lock(&vk_mutex);
  while (q->first && !q->device->lost) vk_wait(UINT64_MAX);
  int lost = q->device->lost;
  pthread_mutex_unlock(&vk_mutex);
  vk_heard((struct vk_done){q->id, dev_so_far});
  return lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void vkQueueBeginDebugUtilsLabelEXT(VkQueue q, const VkDebugUtilsLabelEXT *l) {}
void vkQueueEndDebugUtilsLabelEXT(VkQueue q) {}
void vkQueueInsertDebugUtilsLabelEXT(VkQueue q, const VkDebugUtilsLabelEXT *l) {}
