// Events of the HIP runtime API. The device notes when it comes to one, by the host's monotonic clock.
#include "hip.h"

#include <search.h>

static void *events; // all that were not destroyed, under dev_lock

static int by_address(const void *a, const void *b) { return (a > b) - (a < b); }

// is_event reports whether a handle is that of an event which was not destroyed. It wants dev_lock.
static int is_event(hipEvent_t e) { return tfind(e, &events, by_address) != NULL; }

// no_event gives the error for a handle that is no event's.
static int no_event(hipEvent_t e) {
  if (!e) return hip_done(hipErrorInvalidResourceHandle);
  dev_lock();
  int is = is_event(e);
  if (!is) dev_because_of("event", e);
  dev_unlock();
  return is ? hipSuccess : hip_done(hipErrorContextIsDestroyed);
}

enum { NO_TIMES = 2, BETWEEN_PROCESSES = 4 };

int hipEventCreateWithFlags(hipEvent_t *out, unsigned flags) {
  enum { BLOCKING = 1, NO_FENCE = 0x20000000, TO_DEVICE = 0x40000000 };
  const unsigned to_system = 0x80000000, releases = NO_FENCE | TO_DEVICE | to_system;
  const unsigned known = BLOCKING | NO_TIMES | BETWEEN_PROCESSES | releases, release = flags & releases;
  int processes = (flags & BETWEEN_PROCESSES) && !(flags & NO_TIMES),
      several = (release & (release - 1)) != 0;
  if (!out || processes || several || flags & ~known) return hip_done(hipErrorInvalidValue);
  hipEvent_t e = calloc(1, sizeof *e);
  if (!e) return hip_done(hipErrorOutOfMemory);
  e->id = new_id();
  e->flags = flags;
  e->references = 1;
  dev_lock();
  if (!tsearch(e, &events, by_address)) abort();
  dev_unlock();
  *out = e;
  dev_made("event", (uintptr_t)e);
  return hipSuccess;
}

int hipEventCreate(hipEvent_t *out) { return hipEventCreateWithFlags(out, 0); }

// record hands a record to the device. It wants dev_lock.
static int record(hipEvent_t e, hipStream_t s) {
  hip_order(s);
  dev_begin();
  put_u64(s->id);
  put_u64(e->id);
  int error = hip_error(dev_request(OP_RECORD));
  if (error) return error;
  e->recorded = 1;
  e->ticket = get_u64();
  hip_submitted(s, e->ticket);
  return hipSuccess;
}

// run_record records what lay in a stream's queue, unless the event was recorded again meanwhile.
static int run_record(const hip_job *j, hipStream_t s) {
  hipEvent_t e = j->event;
  dev_lock();
  int error = e->held.stream == s && e->held.count == s->left + 1 ? record(e, s) : hipSuccess;
  dev_unlock();
  return error;
}

int hipEventRecord(hipEvent_t e, hipStream_t s) {
  int none = no_event(e);
  if (none) return none;
  if (!hip_is_stream(s)) return hip_done(hipErrorContextIsDestroyed);
  if (hip_capturing(s)) return hip_capture_record(e, s);
  hip_job job = {.kind = JOB_RECORD, .event = e};
  dev_lock();
  e->tail.capture = 0;
  s = hip_stream(s);
  int error = hip_connect() ? hipErrorNoDevice : hipSuccess;
  if (!error && hip_held(s)) {
    hip_enqueue(s, &job, NULL);
    e->recorded = 1;
    hold(e, end_of(s));
  } else if (!error) {
    hold(e, (hip_place){0});
    error = record(e, s);
  }
  dev_unlock();
  return hip_done(error);
}

static int begin_record(const hip_job *j, hipStream_t s) { return hipEventRecord(j->event, s); }
HIP_WORK(JOB_RECORD, .begin = begin_record, .run = run_record)

int hipEventRecordWithFlags(hipEvent_t e, hipStream_t s, unsigned flags) {
  enum { EXTERNAL = 1 };
  return flags & ~EXTERNAL ? hip_done(hipErrorInvalidValue) : hipEventRecord(e, s);
}

// captured reports whether an event stands in a capture: it cannot be waited for.
static int captured(hipEvent_t e) { return recording_of(&e->tail) != NULL; }

int hipEventSynchronize(hipEvent_t e) {
  int none = no_event(e);
  if (none) return none;
  if (captured(e)) return hip_done(hipErrorCapturedEvent);
  if (!e->recorded) return hipSuccess;
  dev_lock();
  hip_await(e->held);
  int error = hip_await_ticket(e->ticket);
  dev_order(HOST_WORK, 0, 0, e->ticket);
  dev_unlock();
  return hip_done(error);
}

// reached asks whether an event was reached. It wants dev_lock.
static int reached(hipEvent_t e) {
  if (hip_behind(e->held)) return hipErrorNotReady;
  if (dev.finished < e->ticket) dev_poll(WAIT_NOTHING, 0, 0);
  if (dev.fd < 0) return hipErrorNoDevice;
  if (dev.finished >= e->ticket) dev_order(HOST_WORK, 0, 0, e->ticket);
  return dev.finished < e->ticket ? hipErrorNotReady : hip_error((enum dev_status)dev.condition);
}

int hipEventQuery(hipEvent_t e) {
  int none = no_event(e);
  if (none) return none;
  if (captured(e)) return hip_done(hipErrorCapturedEvent);
  if (!e->recorded) return hipSuccess;
  dev_lock();
  int error = reached(e);
  dev_unlock();
  return hip_done(error);
}

// time_of asks when an event was reached. It wants dev_lock.
static int time_of(hipEvent_t e, uint64_t *when) {
  int error = reached(e);
  if (error) return error;
  dev_begin();
  put_u64(e->id);
  error = hip_error(dev_request(OP_QUERY));
  if (error) return error;
  get_u64();
  *when = get_u64();
  return hipSuccess;
}

int hipEventElapsedTime(float *ms, hipEvent_t a, hipEvent_t b) {
  if (!ms) return hip_done(hipErrorInvalidValue);
  int none = no_event(a);
  if (!none) none = no_event(b);
  if (none) return none;
  if (!a->recorded || !b->recorded || (a->flags | b->flags) & NO_TIMES)
    return hip_done(hipErrorInvalidResourceHandle);
  uint64_t from = 0, to = 0;
  dev_lock();
  int error = time_of(a, &from);
  if (!error) error = time_of(b, &to);
  dev_unlock();
  if (!error) *ms = (float)((double)((int64_t)to - (int64_t)from) / 1e6);
  return hip_done(error);
}

int hipEventDestroy(hipEvent_t e) {
  int none = no_event(e);
  if (none) return none;
  dev_lock();
  dev_gone((uintptr_t)e);
  tdelete(e, &events, by_address);
  hip_drop_event(e);
  dev_unlock();
  return hipSuccess;
}
