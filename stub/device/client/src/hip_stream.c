// Streams of the HIP runtime API: hip_queue.c has what lies behind them. hip_event.c has events.
#include "hip.h"

static struct hip_recording *recording_of(const hip_tail *t);
static int hip_capture_record(hipEvent_t e, hipStream_t s);
static int hip_capture_wait(hipStream_t s, hipEvent_t e);
static int hip_capture_break(hipStream_t s);
static int no_event(hipEvent_t e);

enum { LEAST_PRIORITY = 1, GREATEST_PRIORITY = -1 };

static int create_stream(hipStream_t *out, unsigned flags, int priority) {
  if (!out || flags > NON_BLOCKING) return hip_done(hipErrorInvalidValue);
  if (priority > LEAST_PRIORITY) priority = LEAST_PRIORITY;
  if (priority < GREATEST_PRIORITY) priority = GREATEST_PRIORITY;
  dev_lock();
  *out = hip_new_stream(flags, priority);
  dev_made("stream", (uintptr_t)*out);
  dev_unlock();
  return hipSuccess;
}

int hipStreamCreate(hipStream_t *out) { return create_stream(out, 0, 0); }
int hipStreamCreateWithFlags(hipStream_t *out, unsigned flags) { return create_stream(out, flags, 0); }

int hipStreamCreateWithPriority(hipStream_t *out, unsigned flags, int priority) {
  return create_stream(out, flags, priority);
}

int hipExtStreamCreateWithCUMask(hipStream_t *out, uint32_t n, const uint32_t *mask) {
  if (!out) return hip_done(hipErrorInvalidResourceHandle);
  if (!n || !mask) return hip_done(hipErrorInvalidValue);
  return create_stream(out, 0, 0);
}

// wrong gives the error for a handle that is no stream's, or one that must not wait.
static int wrong(hipStream_t s, int waits) {
  if (!hip_is_stream(s)) return hip_done(hipErrorContextIsDestroyed);
  return waits && hip_capturing(s) ? hip_capture_break(s) : hipSuccess;
}

int hipStreamSynchronize(hipStream_t s) {
  int error = wrong(s, 1);
  if (error) return error;
  dev_lock();
  error = hip_settle(hip_stream(s));
  hip_waited(hip_stream(s));
  dev_unlock();
  return hip_done(error);
}

int hipStreamQuery(hipStream_t s) {
  int error = wrong(s, 1);
  if (error) return error;
  dev_lock();
  error = hip_settled(hip_stream(s));
  if (!error) hip_waited(hip_stream(s));
  dev_unlock();
  return hip_done(error);
}

// hipStreamDestroy: what the stream has yet to do is done.
int hipStreamDestroy(hipStream_t s) {
  if ((uintptr_t)s <= 2) return hip_done(hipErrorInvalidResourceHandle);
  int error = wrong(s, 0);
  if (error) return error;
  dev_lock();
  dev_gone((uintptr_t)s);
  hip_destroy_stream(s);
  dev_unlock();
  return hipSuccess;
}

// hipStreamWaitEvent: the device does its work in the order in which it gets it, so that what it has of
// the event's comes before what it will get of the stream's.
int hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned flags) {
  if (!e || !hip_is_stream(s)) return hip_done(hipErrorInvalidResourceHandle);
  if (dev.checked & CHECK_API && no_event(e)) return hipErrorInvalidResourceHandle;
  if (recording_of(&e->tail)) return hip_capture_wait(s, e);
  if (flags) return hip_done(hipErrorInvalidValue);
  if (hip_capturing(s)) {
    hip_job job = {.kind = JOB_WAIT, .event = e};
    return hip_capture(s, &job);
  }
  hip_job nothing = {.kind = JOB_EMPTY};
  dev_lock();
  s = hip_stream(s);
  if (hip_behind(e->held)) hip_enqueue(s, &nothing, &e->held);
  else {
    hip_follow(s, e->ticket);
    if (e->ticket) dev_order(ORDER_WORK, s->id, 0, e->ticket);
  }
  dev_unlock();
  return hipSuccess;
}

static int begin_wait(const hip_job *j, hipStream_t s) { return hipStreamWaitEvent(s, j->event, 0); }
HIP_WORK(JOB_WAIT, .begin = begin_wait)

int hipStreamGetFlags(hipStream_t s, unsigned *flags) {
  if (!flags) return hip_done(hipErrorInvalidValue);
  int error = wrong(s, 0);
  if (!error) *flags = (uintptr_t)s <= 2 ? 0 : s->flags;
  return error;
}

int hipStreamGetPriority(hipStream_t s, int *priority) {
  if (!priority) return hip_done(hipErrorInvalidValue);
  int error = wrong(s, 0);
  if (!error) *priority = (uintptr_t)s <= 2 ? 0 : s->priority;
  return error;
}

int hipStreamGetDevice(hipStream_t s, int *device) {
  if (!device) return hip_done(hipErrorInvalidValue);
  int error = wrong(s, 0);
  if (!error) *device = 0;
  return error;
}

int hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = LEAST_PRIORITY;
  if (greatest) *greatest = GREATEST_PRIORITY;
  return hipSuccess;
}

// do_in does a job when its stream comes to it, or makes it a node of the graph that the stream captures.
static int do_in(hipStream_t s, const hip_job *job) {
  int error = wrong(s, 0);
  if (error) return error;
  return hip_capturing(s) ? hip_capture(s, job) : hip_done(hip_do(s, job));
}

int hipStreamAddCallback(hipStream_t s, void (*f)(hipStream_t, int, void *), void *data, unsigned flags) {
  if (!f || flags) return hip_done(hipErrorInvalidValue);
  hip_job job = {.kind = JOB_CALLBACK, .callback = f, .data = data};
  return do_in(s, &job);
}

int hipLaunchHostFunc(hipStream_t s, void (*f)(void *), void *data) {
  if (!f) return hip_done(hipErrorInvalidValue);
  hip_job job = {.kind = JOB_HOST, .call = f, .data = data};
  return do_in(s, &job);
}

// value_job makes a job of a value in memory.
static int value_job(hip_job *job, void *p, uint64_t value, size_t size) {
  dev_lock();
  dev_range *r = hip_connect() ? NULL : dev_find((uintptr_t)p);
  int known = r && size <= r->base + r->size - (uintptr_t)p && (uintptr_t)p % size == 0;
  dev_unlock();
  job->data = p;
  job->value = value;
  job->size = size;
  return known ? hipSuccess : hip_done(hipErrorInvalidValue);
}

static int write_in(hipStream_t s, void *p, uint64_t value, size_t size) {
  hip_job job = {.kind = JOB_WRITE};
  int error = value_job(&job, p, value, size);
  return error ? error : do_in(s, &job);
}

static int wait_in(hipStream_t s, void *p, uint64_t value, unsigned compare, uint64_t mask, size_t size) {
  enum { COMPARISONS = 4 };
  hip_job job = {.kind = JOB_AWAIT, .compare = (int)compare, .mask = mask};
  if (compare >= COMPARISONS) return hip_done(hipErrorInvalidValue);
  int error = value_job(&job, p, value, size);
  return error ? error : do_in(s, &job);
}

int hipStreamWriteValue32(hipStream_t s, void *p, uint32_t value, unsigned flags) {
  (void)flags;
  return write_in(s, p, value, sizeof value);
}

int hipStreamWriteValue64(hipStream_t s, void *p, uint64_t value, unsigned flags) {
  (void)flags;
  return write_in(s, p, value, sizeof value);
}

int hipStreamWaitValue32(hipStream_t s, void *p, uint32_t value, unsigned flags, uint32_t mask) {
  return wait_in(s, p, value, flags, mask, sizeof value);
}

int hipStreamWaitValue64(hipStream_t s, void *p, uint64_t value, unsigned flags, uint64_t mask) {
  return wait_in(s, p, value, flags, mask, sizeof value);
}

// value_operation is union hipStreamBatchMemOpParams.
typedef union {
  int kind;
  struct {
    int kind;
    void *address;
    uint64_t value; // of 4 bytes or 8
    unsigned flags;
  } value;
  uint64_t room[6];
} value_operation;

int hipStreamBatchMemOp(hipStream_t s, unsigned n, const value_operation *list, unsigned flags) {
  enum { WAIT32 = 1, WRITE32, FLUSH, WAIT64, WRITE64, BARRIER, MOST = 256 };
  if (!n || n > MOST || !list || flags) return hip_done(hipErrorInvalidValue);
  int error = hipSuccess;
  for (unsigned i = 0; i < n && !error; i++) {
    const value_operation *o = &list[i];
    uint32_t value = (uint32_t)o->value.value;
    switch (o->kind) {
    case WAIT32: error = hipStreamWaitValue32(s, o->value.address, value, o->value.flags, ~0u); break;
    case WAIT64:
      error = hipStreamWaitValue64(s, o->value.address, o->value.value, o->value.flags, ~0ull);
      break;
    case WRITE32: error = hipStreamWriteValue32(s, o->value.address, value, 0); break;
    case WRITE64: error = hipStreamWriteValue64(s, o->value.address, o->value.value, 0); break;
    case FLUSH:
    case BARRIER: break; // all is in order
    default: error = hip_done(hipErrorInvalidValue);
    }
  }
  return error;
}
