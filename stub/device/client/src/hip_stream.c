// Streams and events of the HIP runtime API.
#include "hip.h"

static struct hip_recording *recording_of(const hip_tail *t);
static int hip_capture_record(hipEvent_t e, hipStream_t s);
static int hip_capture_wait(hipStream_t s, hipEvent_t e);
static int hip_capture_break(hipStream_t s);

static uint64_t next_id = 16; // of streams and events; small numbers are the default streams

static uint64_t new_id(void) { return __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED); }

static int create_stream(hipStream_t *out, unsigned flags, int priority) {
  if (!out) return hip_done(hipErrorInvalidValue);
  hipStream_t s = calloc(1, sizeof *s);
  if (!s) return hip_done(hipErrorOutOfMemory);
  s->id = new_id();
  s->flags = flags;
  s->priority = priority;
  *out = s;
  return hipSuccess;
}

int hipStreamCreate(hipStream_t *out) { return create_stream(out, 0, 0); }
int hipStreamCreateWithFlags(hipStream_t *out, unsigned flags) { return create_stream(out, flags, 0); }

int hipStreamCreateWithPriority(hipStream_t *out, unsigned flags, int priority) {
  return create_stream(out, flags, priority);
}

int hipExtStreamCreateWithCUMask(hipStream_t *out, uint32_t n, const uint32_t *mask) {
  (void)n, (void)mask;
  return create_stream(out, 0, 0);
}

// synchronize waits for what was submitted to a stream. Everything else was
// submitted in one order with it, so that no more is waited for than must be.
static int synchronize(int kind, uint64_t id) {
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hip_error(dev_wait(kind, id));
  dev_unlock();
  return hip_done(error);
}

int hipStreamSynchronize(hipStream_t s) {
  if (hip_capturing(s)) return hip_capture_break(s);
  uint64_t id = hip_stream_id(s);
  return synchronize(id ? WAIT_STREAM : WAIT_ALL, id); // the null stream waits for the others
}

int hipStreamDestroy(hipStream_t s) {
  if ((uintptr_t)s <= 2) return hip_done(hipErrorInvalidResourceHandle);
  int error = synchronize(WAIT_STREAM, s->id);
  free(s->tail.nodes);
  free(s);
  return error;
}

int hipStreamQuery(hipStream_t s) { return hipStreamSynchronize(s); }

// hipStreamWaitEvent: work is done in the order in which it is submitted.
int hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned flags) {
  (void)flags;
  if (!e) return hip_done(hipErrorInvalidResourceHandle);
  return recording_of(&e->tail) ? hip_capture_wait(s, e) : hipSuccess;
}

int hipStreamGetFlags(hipStream_t s, unsigned *flags) {
  if (!flags) return hip_done(hipErrorInvalidValue);
  *flags = (uintptr_t)s <= 2 ? 0 : s->flags;
  return hipSuccess;
}

int hipStreamGetPriority(hipStream_t s, int *priority) {
  if (!priority) return hip_done(hipErrorInvalidValue);
  *priority = (uintptr_t)s <= 2 ? 0 : s->priority;
  return hipSuccess;
}

int hipStreamGetDevice(hipStream_t s, int *device) {
  (void)s;
  *device = 0;
  return hipSuccess;
}

int hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 1;
  if (greatest) *greatest = -1;
  return hipSuccess;
}

int hipStreamAddCallback(hipStream_t s, void (*f)(hipStream_t, int, void *), void *data, unsigned flags) {
  (void)flags;
  if (hip_capturing(s)) {
    hip_job job = {.kind = JOB_CALLBACK, .callback = f, .data = data};
    return hip_capture(s, &job);
  }
  int error = hipStreamSynchronize(s);
  f(s, error, data);
  return error;
}

int hipLaunchHostFunc(hipStream_t s, void (*f)(void *), void *data) {
  if (!f) return hip_done(hipErrorInvalidValue);
  if (hip_capturing(s)) {
    hip_job job = {.kind = JOB_HOST, .call = f, .data = data};
    return hip_capture(s, &job);
  }
  int error = hipStreamSynchronize(s);
  if (!error) f(data);
  return error;
}

// write_value writes a value to memory when the stream comes to it.
static int write_value(hipStream_t s, void *p, const void *value, size_t size) {
  int error = hipStreamSynchronize(s);
  if (error) return error;
  dev_lock();
  int known = dev_find((uintptr_t)p) != NULL;
  if (known) memcpy(dev_host((uintptr_t)p), value, size);
  dev_unlock();
  return hip_done(known ? hipSuccess : hipErrorInvalidValue);
}

int hipStreamWriteValue32(hipStream_t s, void *p, uint32_t value, unsigned flags) {
  (void)flags;
  return write_value(s, p, &value, sizeof value);
}

int hipStreamWriteValue64(hipStream_t s, void *p, uint64_t value, unsigned flags) {
  (void)flags;
  return write_value(s, p, &value, sizeof value);
}

// Events.

int hipEventCreateWithFlags(hipEvent_t *out, unsigned flags) {
  if (!out) return hip_done(hipErrorInvalidValue);
  hipEvent_t e = calloc(1, sizeof *e);
  if (!e) return hip_done(hipErrorOutOfMemory);
  e->id = new_id();
  e->flags = flags;
  *out = e;
  return hipSuccess;
}

int hipEventCreate(hipEvent_t *out) { return hipEventCreateWithFlags(out, 0); }

int hipEventRecord(hipEvent_t e, hipStream_t s) {
  if (!e) return hip_done(hipErrorInvalidResourceHandle);
  if (hip_capturing(s)) return hip_capture_record(e, s);
  e->tail.capture = 0;
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error) {
    dev_begin();
    put_u64(hip_stream_id(s));
    put_u64(e->id);
    error = hip_error(dev_request(OP_RECORD));
    e->recorded = !error;
    hip_pending = 1;
  }
  dev_unlock();
  return hip_done(error);
}

int hipEventRecordWithFlags(hipEvent_t e, hipStream_t s, unsigned flags) {
  (void)flags;
  return hipEventRecord(e, s);
}

int hipEventSynchronize(hipEvent_t e) {
  if (!e) return hip_done(hipErrorInvalidResourceHandle);
  return e->recorded ? synchronize(WAIT_EVENT, e->id) : hipSuccess;
}

// reached asks whether an event was reached, and when. It wants dev_lock.
static int reached(hipEvent_t e, uint64_t *when) {
  dev_begin();
  put_u64(e->id);
  int error = hip_error(dev_request(OP_QUERY));
  if (error) return error;
  uint64_t done = get_u64();
  *when = get_u64();
  return done ? hipSuccess : hipErrorNotReady;
}

int hipEventQuery(hipEvent_t e) {
  if (!e) return hip_done(hipErrorInvalidResourceHandle);
  if (!e->recorded) return hipSuccess;
  uint64_t when;
  dev_lock();
  int error = reached(e, &when);
  dev_unlock();
  return hip_done(error);
}

int hipEventElapsedTime(float *ms, hipEvent_t a, hipEvent_t b) {
  if (!ms || !a || !b) return hip_done(hipErrorInvalidValue);
  if (!a->recorded || !b->recorded) return hip_done(hipErrorInvalidResourceHandle);
  uint64_t from = 0, to = 0;
  dev_lock();
  int error = reached(a, &from);
  if (!error) error = reached(b, &to);
  dev_unlock();
  if (!error) *ms = (float)((double)((int64_t)to - (int64_t)from) / 1e6);
  return hip_done(error);
}

int hipEventDestroy(hipEvent_t e) {
  if (!e) return hip_done(hipErrorInvalidResourceHandle);
  dev_lock();
  if (e->recorded) {
    dev_begin();
    put_u64(e->id);
    dev_request(OP_FORGET);
  }
  dev_unlock();
  free(e->tail.nodes);
  free(e);
  return hipSuccess;
}
