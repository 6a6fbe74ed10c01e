// Streams, and what they have yet to do. The device does all work in the order in which it gets it, so
// that work is handed to it when it is submitted, and streams and events need no more. Only what waits for
// the host cannot be: a function of the host, a value that is written to memory when the stream comes to
// it, or waited for; nor what comes after that, in its stream or by an event, or by the rules of the null
// stream. It lies in its stream's queue. A thread of the stream's, which is there as long as there is
// something in the queue, does the queue's jobs one after the other.
//
// Source: HIP's reference ("Stream management"): the null stream waits for what was submitted before to all
// streams but those that were made with hipStreamNonBlocking, and these wait for it.
#include "hip.h"

#include <signal.h>
#include <time.h>

enum { NON_BLOCKING = 1 };

// A pending is a job that lies in a queue, and what it waits for beside the jobs before it.
typedef struct hip_pending {
  hip_job job;
  hip_place *after;
  size_t after_count;
  struct hip_pending *next;
} hip_pending;

// hip_connect connects; 0 if there is a device.
static int hip_connect(void) { return dev_connect(API_PREFIX); }

// copied is a copy of size bytes.
static void *copied(const void *p, size_t size) {
  void *q = malloc(size ? size : 1);
  if (!q) abort();
  if (size) memcpy(q, p, size);
  return q;
}

// Under dev_lock.
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER; // a job of a queue was done
static size_t pending;                                  // jobs in all queues
static uint64_t last_ticket, blocking_ticket; // of all streams, of those that the null stream waits for
static int late;                              // an error of a job of a queue, which nobody was told of
static struct hip_stream null_stream = {.last = &null_stream.first, .references = 1};
static hipStream_t streams = &null_stream; // all

static _Thread_local hipStream_t here;   // whose job this thread does
static _Thread_local hipStream_t inside; // whose function of the host this thread calls
static _Thread_local hipStream_t mine;   // the thread's own default stream
static pthread_key_t at_exit;

static uint64_t next_id = 16; // of streams and events; small numbers are the default streams

static uint64_t new_id(void) { return __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED); }

// hip_new_stream makes a stream. It wants dev_lock.
hipStream_t hip_new_stream(unsigned flags, int priority) {
  hipStream_t s = calloc(1, sizeof *s);
  if (!s) abort();
  *s = (struct hip_stream){.id = new_id(), .flags = flags, .priority = priority, .references = 1};
  s->last = &s->first;
  s->next = null_stream.next;
  null_stream.next = s;
  return s;
}

static void drop_stream(hipStream_t s) {
  if (--s->references) return;
  hipStream_t *at = &streams;
  while (*at != s) at = &(*at)->next;
  *at = s->next;
  free(s->tail.nodes);
  dev_drop(s);
}

// hip_destroy_stream ends a stream as soon as its work is done. It wants dev_lock.
void hip_destroy_stream(hipStream_t s) {
  if (s->ticket && !(s->flags & NON_BLOCKING)) dev_order(ORDER_STREAM, null_stream.id, s->id, dev_so_far);
  s->destroyed = 1;
  drop_stream(s);
}

static void thread_ends(void *s) {
  dev_lock();
  hip_destroy_stream(s);
  dev_unlock();
}

static void make_key(void) { pthread_key_create(&at_exit, thread_ends); }

// own_stream is the thread's own default stream.
static hipStream_t own_stream(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (mine) return mine;
  pthread_once(&once, make_key);
  mine = hip_new_stream(0, 0);
  pthread_setspecific(at_exit, mine);
  return mine;
}

// hip_stream is the stream that a handle means: 0 and 1 are the null stream, 2 is the thread's own. It wants
// dev_lock.
hipStream_t hip_stream(hipStream_t s) {
  if ((uintptr_t)s <= 1) return &null_stream;
  return (uintptr_t)s == 2 ? own_stream() : s;
}

// is_stream reports whether a handle is that of a stream which was not destroyed. It wants dev_lock.
static int is_stream(hipStream_t s) {
  if ((uintptr_t)s <= 2) return 1;
  hipStream_t t = streams;
  while (t && t != s) t = t->next;
  return t && !t->destroyed;
}

int hip_is_stream(hipStream_t s) {
  if ((uintptr_t)s <= 2) return 1;
  dev_lock();
  int is = is_stream(s);
  if (!is) dev_because_of("stream", s);
  dev_unlock();
  return is;
}

// What has to be done before other work. All of this wants dev_lock.

static hip_place end_of(hipStream_t s) { return (hip_place){s, s->entered}; }

// hip_behind reports whether a stream has not yet come to a place.
int hip_behind(hip_place p) { return p.stream && p.stream->left < p.count; }

static int blocks(hipStream_t s) { return !(s->flags & NON_BLOCKING); }

// places_before lists what is in other queues that new work of a stream comes after, at most room places,
// and gives their number.
static size_t places_before(hipStream_t s, hip_place *list, size_t room) {
  size_t n = 0;
  if (!blocks(s)) return 0;
  for (hipStream_t t = s == &null_stream ? streams : &null_stream; t; t = t->next) {
    if (t != s && blocks(t) && hip_behind(end_of(t)) && n++ < room) list[n - 1] = end_of(t);
    if (s != &null_stream) break;
  }
  return n;
}

// hip_held reports whether new work of a stream has to wait in its queue.
int hip_held(hipStream_t s) {
  if (!pending || here == s) return 0;
  return s->first || places_before(s, NULL, 0) > 0;
}

// hip_order says what new work of a stream comes after by the rules of the null stream, to a service that
// wants to know. It comes before the request for that work.
void hip_order(hipStream_t s) {
  if (!dev.ordered || !blocks(s)) return;
  for (hipStream_t t = s == &null_stream ? streams : &null_stream; t; t = t->next) {
    uint64_t *said = s == &null_stream ? &t->null_after : &s->after_null;
    if (t != s && blocks(t) && t->ticket > *said) {
      dev_order(ORDER_STREAM, s->id, t->id, t->ticket);
      *said = t->ticket;
    }
    if (s != &null_stream) break;
  }
}

// hip_waited says that the host has waited for a stream.
void hip_waited(hipStream_t s) {
  if (!dev.ordered) return;
  if (s == &null_stream) hip_order(s);
  dev_order(HOST_STREAM, s->id, 0, dev_so_far);
}

// hip_submitted notes what the device got from a stream; hip_follow, what the stream comes after besides.
void hip_submitted(hipStream_t s, uint64_t ticket) {
  s->ticket = last_ticket = ticket;
  if (blocks(s)) blocking_ticket = ticket;
}

void hip_follow(hipStream_t s, uint64_t ticket) {
  if (ticket <= s->ticket) return;
  s->ticket = ticket;
  if (blocks(s) && ticket > blocking_ticket) blocking_ticket = ticket;
}

// ticket_before is the ticket of the last work of the device that new work of a stream comes after.
static uint64_t ticket_before(hipStream_t s) {
  if (s == &null_stream) return blocking_ticket;
  return blocks(s) && null_stream.ticket > s->ticket ? null_stream.ticket : s->ticket;
}

// hip_await waits until a stream has come to a place. A function of the host that is called for a stream
// does not wait for streams: they may wait for it.
void hip_await(hip_place p) {
  if (!hip_behind(p) || inside) return;
  p.stream->references++;
  while (hip_behind(p)) pthread_cond_wait(&moved, &dev_mutex);
  drop_stream(p.stream);
}

static void pause_for(long nanoseconds) { nanosleep(&(struct timespec){0, nanoseconds}, NULL); }

// hip_await_ticket waits until the device has done the work with a ticket, and gives its condition. Other
// threads get their turns meanwhile.
int hip_await_ticket(uint64_t ticket) {
  enum { SHORT = 100000, LONG = 5000000, TURN = 50000 };
  if (hip_connect()) return hipErrorNoDevice;
  while (dev.finished < ticket) {
    enum dev_status s = dev_poll(WAIT_TICKET, ticket, dev_is_wanted() ? SHORT : LONG);
    if (dev.fd < 0) return hip_error(s);
    if (dev.finished >= ticket) break;
    dev_unlock();
    if (dev_is_wanted()) pause_for(TURN);
    dev_lock();
  }
  return hip_error((enum dev_status)dev.condition);
}

static int told(int error) {
  if (error || !late) return error;
  error = late;
  late = hipSuccess;
  return error;
}

// hip_settle waits for everything that new work of a stream would come after.
int hip_settle(hipStream_t s) {
  while (hip_held(s) && !inside) {
    hip_place other;
    if (places_before(s, &other, 1)) hip_await(other);
    else hip_await(end_of(s));
  }
  return told(hip_await_ticket(ticket_before(s)));
}

// hip_settled is hipErrorNotReady where hip_settle would wait.
int hip_settled(hipStream_t s) {
  if (hip_connect()) return hipErrorNoDevice;
  uint64_t ticket = ticket_before(s);
  if (dev.finished < ticket) dev_poll(WAIT_NOTHING, 0, 0);
  if (hip_held(s) || dev.finished < ticket) return hipErrorNotReady;
  return told(hip_error((enum dev_status)dev.condition));
}

// next_behind is a stream that has not come to the place where it stood at a time; NULL if there is none.
static hipStream_t next_behind(void) {
  hipStream_t s = streams;
  while (s && !hip_behind(end_of(s))) s = s->next;
  return s;
}

// hip_idle waits until everything is done.
int hip_idle(void) {
  for (hipStream_t s; pending && !inside && (s = next_behind());) hip_await(end_of(s));
  int error = told(hip_await_ticket(last_ticket));
  dev_order(HOST_ALL, 0, 0, 0);
  return error;
}

// Queues.

// holds reports whether a value in memory is what a stream waits for.
static int holds(const hip_job *j) {
  enum { AT_LEAST, EQUAL, AND, NOR };
  void *p = dev_host((uintptr_t)j->data);
  uint64_t now = j->size == 4 ? __atomic_load_n((uint32_t *)p, __ATOMIC_ACQUIRE)
                              : __atomic_load_n((uint64_t *)p, __ATOMIC_ACQUIRE);
  now &= j->mask;
  switch (j->compare) {
  case AT_LEAST: return j->size == 4 ? (int32_t)(now - j->value) >= 0 : (int64_t)(now - j->value) >= 0;
  case EQUAL: return now == j->value;
  case AND: return (now & j->value) != 0;
  }
  return (~(now | j->value) & (j->size == 4 ? UINT32_MAX : UINT64_MAX)) != 0;
}

static int await_value(const hip_job *j, hipStream_t s) {
  enum { FIRST = 20000, LAST = 1000000 };
  dev_lock();
  int error = hip_await_ticket(ticket_before(s));
  dev_unlock();
  for (long t = FIRST; !error && !holds(j); t = t < LAST ? t * 2 : LAST) pause_for(t);
  dev_lock();
  dev_order(HOST_ALL, 0, 0, 0); // whoever wrote it, and what came before that
  dev_unlock();
  return error;
}

static int write_value(const hip_job *j, hipStream_t s) {
  dev_lock();
  int error = hip_await_ticket(ticket_before(s));
  void *p = dev_host((uintptr_t)j->data);
  if (!error) dev_touch(s->id, 2, (uintptr_t)j->data, (dev_rows){j->size, 1, j->size, 1, j->size}, 0);
  if (!error && j->size == 4) __atomic_store_n((uint32_t *)p, (uint32_t)j->value, __ATOMIC_RELEASE);
  if (!error && j->size == 8) __atomic_store_n((uint64_t *)p, j->value, __ATOMIC_RELEASE);
  dev_unlock();
  return error;
}

static int call_host(const hip_job *j, hipStream_t s) {
  dev_lock();
  int error = hip_await_ticket(ticket_before(s));
  hip_waited(s); // the program learns of it
  dev_unlock();
  hipStream_t outer = here;
  here = NULL, inside = s;
  if (j->kind == JOB_CALLBACK) j->callback(s == &null_stream ? NULL : s, error, j->data);
  else if (!error) j->call(j->data);
  here = outer, inside = NULL;
  return error;
}

// A hip_work is what is done with jobs of a kind. Where begin is there, it begins the job as the program
// does, by a function of the API; run does it, when its stream has come to it; keep makes what it refers to
// its own, and drop lets go of that.
typedef struct {
  int (*begin)(const hip_job *j, hipStream_t s);
  int (*run)(const hip_job *j, hipStream_t s);
  void (*keep)(hip_job *j);
  void (*drop)(hip_job *j);
} hip_work;

static hip_work works[JOB_KINDS] = {
    [JOB_HOST] = {.run = call_host},
    [JOB_CALLBACK] = {.run = call_host},
    [JOB_AWAIT] = {.run = await_value},
    [JOB_WRITE] = {.run = write_value},
};

// HIP_WORK says what is done with jobs of a kind of which another file knows.
#define HIP_WORK(kind, ...)                                                                                 \
  __attribute__((constructor)) static void work_of_##kind(void) { works[kind] = (hip_work){__VA_ARGS__}; }

// run does a job in the calling thread.
static int run(const hip_job *j, hipStream_t s) {
  return works[j->kind].run ? works[j->kind].run(j, s) : hipSuccess;
}

// hip_keep_job makes what a job refers to its own.
static void hip_keep_job(hip_job *j) {
  if (j->arguments) j->arguments = copied(j->arguments, j->size);
  if (works[j->kind].keep) works[j->kind].keep(j);
}

static void hip_drop_job(hip_job *j) {
  if (works[j->kind].drop) works[j->kind].drop(j);
  free(j->arguments);
}

// hold notes that an event's latest record lies in a queue, or that none does. It wants dev_lock.
static void hold(hipEvent_t e, hip_place p) {
  if (p.stream) p.stream->references++;
  if (e->held.stream) drop_stream(e->held.stream);
  e->held = p;
}

// hip_drop_event lets go of an event. It wants dev_lock.
static void hip_drop_event(hipEvent_t e) {
  if (--e->references) return;
  if (e->ticket && dev.fd >= 0) {
    dev_begin();
    put_u64(e->id);
    dev_request(OP_FORGET);
  }
  hold(e, (hip_place){0});
  free(e->tail.nodes);
  dev_drop(e);
}

static void drop_pending(hip_pending *p) {
  for (size_t i = 0; i < p->after_count; i++) drop_stream(p->after[i].stream);
  free(p->after);
  if (p->job.event) hip_drop_event(p->job.event);
  hip_drop_job(&p->job);
  free(p);
}

// do_next does the first job of a queue. It wants dev_lock.
static void do_next(hipStream_t s) {
  hip_pending *p = s->first;
  for (size_t i = 0; i < p->after_count; i++) {
    while (hip_behind(p->after[i])) pthread_cond_wait(&moved, &dev_mutex);
    hip_follow(s, p->after[i].stream->ticket);
    dev_order(ORDER_STREAM, s->id, p->after[i].stream->id, dev_so_far);
  }
  dev_unlock();
  here = s;
  int error = run(&p->job, s);
  here = NULL;
  dev_lock();
  if (error && !late && !dev.condition) late = error;
  s->first = p->next;
  if (!s->first) s->last = &s->first;
  s->left++;
  pending--;
  drop_pending(p);
  pthread_cond_broadcast(&moved);
}

static void *work_off(void *stream) {
  hipStream_t s = stream;
  dev_lock();
  while (s->first) do_next(s);
  s->has_thread = 0;
  drop_stream(s);
  dev_unlock();
  return NULL;
}

// start_thread makes a stream's thread, which gets none of the program's signals.
static void start_thread(hipStream_t s) {
  sigset_t all, old;
  pthread_t thread;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  if (pthread_create(&thread, &detached, work_off, s)) {
    dev_say("no thread for a stream: %s", strerror(errno));
    abort();
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&detached);
  s->has_thread = 1;
  s->references++;
}

// hip_enqueue puts a job into a stream's queue, where it waits for a place in another too, unless that is
// NULL. It wants dev_lock.
void hip_enqueue(hipStream_t s, const hip_job *job, const hip_place *also) {
  hip_pending *p = calloc(1, sizeof *p);
  size_t n = places_before(s, NULL, 0);
  hip_place *after = calloc(n + 1, sizeof *after);
  if (!p || !after) abort();
  places_before(s, after, n);
  if (also) after[n++] = *also;
  for (size_t i = 0; i < n; i++) after[i].stream->references++;
  *p = (hip_pending){.job = *job, .after = after, .after_count = n};
  hip_keep_job(&p->job);
  if (p->job.event) p->job.event->references++;
  *s->last = p;
  s->last = &p->next;
  s->entered++;
  pending++;
  if (!s->has_thread) start_thread(s);
}

// hip_do does a job when its stream comes to it: at once, if nothing is before it that waits for the host,
// and it does not do so itself.
int hip_do(hipStream_t s, const hip_job *job) {
  if (works[job->kind].begin) return works[job->kind].begin(job, s);
  int waits = job->kind >= JOB_HOST; // the last of the kinds do
  dev_lock();
  if (hip_connect()) {
    dev_unlock();
    return hipErrorNoDevice;
  }
  s = hip_stream(s);
  int queued = (waits && here != s) || hip_held(s);
  if (queued) hip_enqueue(s, job, NULL);
  dev_unlock();
  return queued ? hipSuccess : run(job, s);
}

// forget_queues makes a child forget what its parent's streams have to do.
static void forget_queues(void) {
  pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
  moved = fresh;
  pending = 0;
  last_ticket = blocking_ticket = 0;
  late = hipSuccess;
  here = inside = NULL;
  for (hipStream_t s = streams; s; s = s->next) {
    s->first = NULL;
    s->last = &s->first;
    s->left = s->entered;
    s->ticket = s->null_after = s->after_null = 0;
    s->has_thread = 0;
  }
}

// leaving waits for what the device has to do, so that what kernels print is not lost.
__attribute__((destructor)) static void leaving(void) {
  dev_left(CHECK_LEAK, "", "not destroyed", "module");
  if (dev.fd < 0 || (!pending && last_ticket <= dev.finished)) return;
  dev_lock();
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 2; // no longer for what may wait for a host that has gone
  while (pending && !inside && !pthread_cond_timedwait(&moved, &dev_mutex, &end)) continue;
  hip_await_ticket(last_ticket);
  dev_unlock();
}
