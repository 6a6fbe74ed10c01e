// Events, and commands that wait for them. The device does all work in the order
// in which it gets it, so that a command is handed over when all that it waits for
// has been: only user events hold commands back.
#include "ocl.h"

static pthread_cond_t ocl_changed = PTHREAD_COND_INITIALIZER;
static cl_command_queue ocl_queues;
static uint64_t ocl_numbers;

static cl_event ocl_new_event(cl_context c, cl_command_queue q, cl_uint type) {
  cl_event e = ocl_new(EVENT, sizeof *e);
  e->context = c;
  c->o.refs++;
  e->queue = q;
  if (q) q->o.refs++;
  e->type = type;
  e->status = q ? CL_QUEUED : CL_SUBMITTED;
  e->times[QUEUED] = ocl_now();
  return e;
}

static void ocl_release_queue(cl_command_queue q);
static void ocl_release_kernel(struct kernel *k);

static void ocl_release_event(cl_event e) {
  if (--e->o.refs) return;
  if (e->number) {
    dev_begin();
    put_u64(e->number);
    dev_request(OP_FORGET);
  }
  if (e->queue) ocl_release_queue(e->queue);
  ocl_release_context(e->context);
  ocl_free(e);
}

// ocl_record makes the device note when it comes here.
static uint64_t ocl_record(cl_command_queue q) {
  uint64_t number = ++ocl_numbers;
  dev_begin();
  put_u64(q->stream);
  put_u64(number);
  return dev_request(OP_RECORD) == DEV_DONE ? number : 0;
}

// ocl_poll brings an event's status up to date.
static void ocl_poll(cl_event e) {
  if (!e->issued || e->status <= CL_COMPLETE || !e->number) return;
  dev_begin();
  put_u64(e->number);
  if (dev_request(OP_QUERY) != DEV_DONE) {
    e->status = CL_OUT_OF_RESOURCES;
    return;
  }
  if (!get_u64()) return;
  e->times[ENDED] = get_u64();
  e->times[BEGAN] = get_u64();
  if (e->times[BEGAN] < e->times[SUBMITTED]) e->times[BEGAN] = e->times[SUBMITTED];
  if (e->times[ENDED] < e->times[BEGAN]) e->times[ENDED] = e->times[BEGAN];
  e->status = dev.condition ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
}

// ocl_done ends an event whose command has been done here and now.
static void ocl_done(cl_event e, cl_int status) {
  e->times[ENDED] = ocl_now();
  e->issued = 1;
  e->status = status;
}

// What is said of the order of commands to a service that wants to know. Markers of a queue whose order is
// free are a stream of their own: they come after what is before them, and nothing after them.
#define MARKS(q) ((q)->stream | 1ull << 62)

// is_loose reports whether commands of a queue are in no order by themselves.
static int is_loose(cl_command_queue q) { return (q->flags & CL_QUEUE_OUT_OF_ORDER) != 0; }

// ocl_before says what a command's next work comes after.
static void ocl_before(command *c) {
  if (!dev.ordered) return;
  cl_command_queue q = c->queue;
  enum dev_order order = is_loose(q) && c->event->type != CL_COMMAND_BARRIER ? ORDER_NEXT : ORDER_WORK;
  for (cl_uint i = 0; i < c->given; i++)
    if (c->waits[i]->ticket) dev_order(order, q->stream, 0, c->waits[i]->ticket);
  if (c->ticket) dev_order(order, q->stream, 0, c->ticket);
}

// ocl_handed takes the ticket of a work that was handed over, and gives the error.
static cl_int ocl_handed(command *c, enum dev_status s) {
  if (s == DEV_DONE) c->ticket = get_u64();
  return ocl_error(s);
}

// ocl_ends says what comes after a command that has been handed over.
static void ocl_ends(command *c) {
  if (!dev.ordered) return;
  cl_command_queue q = c->queue;
  int all = is_loose(q) && !c->given;
  if (!c->ticket && all && c->event->type == CL_COMMAND_MARKER) {
    dev_order(ORDER_STREAM, MARKS(q), q->stream, dev_so_far);
    c->ticket = dev_mark(MARKS(q));
  } else if (!c->ticket) {
    ocl_before(c);
    if (all && c->event->type == CL_COMMAND_BARRIER) dev_order(ORDER_BARRIER, q->stream, 0, 0);
    c->ticket = dev_mark(q->stream);
    if (c->event->type == CL_COMMAND_BARRIER) dev_order(ORDER_WORK, q->stream, 0, c->ticket);
  }
  c->event->ticket = c->ticket;
  if (c->moved) dev_moves(c->ticket, c->moved, c->size, c->moved == c->host);
}

static void ocl_run(command *c) {
  cl_event e = c->event;
  for (cl_uint i = 0; i < c->given; i++)
    if (c->waits[i]->status < 0) {
      ocl_done(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      return;
    }
  e->times[SUBMITTED] = ocl_now();
  cl_int status = c->run && !c->on_device ? ocl_settle() : CL_SUCCESS;
  e->times[BEGAN] = ocl_now();
  if (c->on_device) ocl_before(c);
  if (!status && c->run) status = c->run(c);
  if (!status) ocl_ends(c);
  if (status || ocl_settled) {
    ocl_done(e, status);
    return;
  }
  e->issued = 1;
  e->status = CL_SUBMITTED;
  if (!c->is_seen) return;
  e->number = ocl_record(c->queue);
  if (!e->number) e->status = CL_OUT_OF_RESOURCES;
}

static void ocl_drop(command *c) {
  for (cl_uint i = 0; i < c->wait_count; i++) ocl_release_event(c->waits[i]);
  ocl_release_event(c->event);
  if (c->memory) ocl_release_buffer(c->memory);
  if (c->other) ocl_release_buffer(c->other);
  if (c->kernel) ocl_release_kernel(c->kernel);
  for (cl_uint i = 0; i < c->used_count; i++) ocl_release_buffer(c->used[i]);
  free(c->used);
  free(c->waits);
  free(c->bytes);
  free(c);
}

// ocl_free_to_run reports whether all that a command waits for has been handed over.
static int ocl_free_to_run(command *c) {
  for (cl_uint i = 0; i < c->wait_count; i++)
    if (!c->waits[i]->issued) return 0;
  return 1;
}

// ocl_pump hands over what nothing holds back any more.
static void ocl_pump(void) {
  for (int moved = 1; moved;) {
    moved = 0;
    for (cl_command_queue q = ocl_queues; q; q = q->next) {
      for (command **at = &q->first; *at;) {
        command *c = *at;
        if (!ocl_free_to_run(c)) {
          if (!(q->flags & CL_QUEUE_OUT_OF_ORDER)) break;
          at = &c->next;
          continue;
        }
        *at = c->next;
        if (!c->next) q->last = at;
        ocl_run(c);
        if (q->barrier == c->event) q->barrier = NULL;
        ocl_drop(c);
        moved = 1;
        break; // lists may have changed
      }
      if (moved) break;
    }
  }
  pthread_cond_broadcast(&ocl_changed);
}

// ocl_await waits until an event is complete, and gives its status.
static cl_int ocl_await(cl_event e) {
  while (!e->issued) pthread_cond_wait(&ocl_changed, &dev_mutex);
  if (e->status > CL_COMPLETE) {
    if (e->number) dev_wait(WAIT_EVENT, e->number);
    ocl_poll(e);
  }
  if (e->ticket) dev_order(HOST_WORK, 0, 0, e->ticket);
  return e->status;
}

// wait_for makes a command wait for an event. There must be room.
static void wait_for(command *c, cl_event e) {
  e->o.refs++;
  c->waits[c->wait_count++] = e;
}

// set_waits makes a command wait for the events that the program gives and, in a queue whose order is free,
// for what it must not overtake: the latest barrier, and all that is before it if it is a marker or a
// barrier that is given no events.
static void set_waits(command *c, cl_uint type, cl_uint n, const cl_event *waits) {
  cl_command_queue q = c->queue;
  int is_free = (q->flags & CL_QUEUE_OUT_OF_ORDER) != 0;
  int ends = type == CL_COMMAND_MARKER || type == CL_COMMAND_BARRIER;
  command *before = is_free && ends && !n ? q->first : NULL;
  size_t room = n + 1;
  for (command *b = before; b; b = b->next) room++;
  c->waits = calloc(room, sizeof *c->waits);
  if (!c->waits) abort();
  while (c->wait_count < n) wait_for(c, waits[c->wait_count]);
  c->given = n;
  for (command *b = before; b; b = b->next) wait_for(c, b->event);
  if (is_free && q->barrier) wait_for(c, q->barrier);
  if (type == CL_COMMAND_BARRIER) q->barrier = c->event;
}

// ocl_enqueue takes a command, which it owns from here on. The events that it waits for are checked.
static cl_int ocl_enqueue(command *c, cl_uint type, cl_bool blocking, cl_uint n, const cl_event *waits,
                          cl_event *event) {
  cl_command_queue q = c->queue;
  c->event = ocl_new_event(q->context, q, type);
  if (c->memory) c->memory->o.refs++;
  if (c->other) c->other->o.refs++;
  cl_int error = CL_SUCCESS;
  if (!waits != !n) error = CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < n && !error; i++) {
    if (!IS(waits[i], EVENT)) error = CL_INVALID_EVENT_WAIT_LIST;
    else if (waits[i]->context != q->context) error = CL_INVALID_CONTEXT;
  }
  if (error) {
    ocl_drop(c);
    return error;
  }
  set_waits(c, type, n, waits);
  cl_event e = c->event;
  e->o.refs++;
  c->is_seen = event || blocking;
  *q->last = c;
  q->last = &c->next;
  ocl_pump();
  if (blocking) error = ocl_await(e);
  else if (e->issued && e->status < 0) error = e->status;
  if (event && !error) *event = e;
  else ocl_release_event(e);
  return error;
}

static command *ocl_command(cl_command_queue q, cl_int (*run)(command *)) {
  command *c = calloc(1, sizeof *c);
  if (!c) abort();
  c->queue = q;
  c->run = run;
  return c;
}

// device_command is ocl_command for what the device does.
static command *device_command(cl_command_queue q, cl_int (*run)(command *)) {
  command *c = ocl_command(q, run);
  c->on_device = 1;
  return c;
}

cl_event clCreateUserEvent(cl_context c, cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (error) *error = CL_SUCCESS;
  return ocl_new_event(c, NULL, CL_COMMAND_USER);
}

cl_int clSetUserEventStatus(cl_event e, cl_int status) {
  HELD;
  if (!IS(e, EVENT) || e->queue) return ocl_answer(CL_INVALID_EVENT);
  if (status > CL_COMPLETE) return ocl_answer(CL_INVALID_VALUE);
  if (e->issued) return ocl_answer(CL_INVALID_OPERATION);
  ocl_done(e, status);
  ocl_pump();
  return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint n, const cl_event *list) {
  HELD;
  if (!n || !list) return ocl_answer(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < n; i++) {
    if (!IS(list[i], EVENT)) return ocl_answer(CL_INVALID_EVENT);
    if (list[i]->context != list[0]->context) return ocl_answer(CL_INVALID_CONTEXT);
  }
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < n; i++)
    if (ocl_await(list[i]) < 0) error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return ocl_answer(error);
}

cl_int clGetEventInfo(cl_event e, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(e, EVENT)) return CL_INVALID_EVENT;
  switch (what) {
  case 0x11D0: ANSWER(cl_command_queue, e->queue);
  case 0x11D1: ANSWER(cl_uint, e->type);
  case 0x11D2: ANSWER(cl_uint, e->o.refs);
  case 0x11D3:
    ocl_poll(e);
    if (e->status <= CL_COMPLETE && e->ticket) dev_order(HOST_WORK, 0, 0, e->ticket);
    ANSWER(cl_int, e->status);
  case 0x11D4: ANSWER(cl_context, e->context);
  }
  return CL_INVALID_VALUE;
}

cl_int clGetEventProfilingInfo(cl_event e, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(e, EVENT)) return CL_INVALID_EVENT;
  ocl_poll(e);
  if (!e->queue || !(e->queue->flags & CL_QUEUE_PROFILING) || e->status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  if (what < 0x1280 || what > 0x1284) return CL_INVALID_VALUE;
  ANSWER(cl_ulong, e->times[what == 0x1284 ? ENDED : what - 0x1280]); // 0x1284 is COMPLETE
}

cl_int clRetainEvent(cl_event e) {
  HELD;
  if (!IS(e, EVENT)) return ocl_answer(CL_INVALID_EVENT);
  ocl_retained(e);
  return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event e) {
  HELD;
  if (!IS(e, EVENT)) return ocl_answer(CL_INVALID_EVENT);
  if (ocl_released(e)) return ocl_answer(CL_INVALID_EVENT);
  ocl_release_event(e);
  return CL_SUCCESS;
}

// A waiter is what the program wants called when an event has come as far as it says.
typedef struct waiter {
  struct waiter *next;
  cl_event event;
  cl_int status;
  void (*call)(cl_event, cl_int, void *);
  void *data;
} waiter;

static waiter *ocl_waiters, **ocl_last_waiter = &ocl_waiters;
static int ocl_caller_runs;

// next_waiter takes the first waiter out of the list whose event something will come of without the program;
// NULL if there is none.
static waiter *next_waiter(void) {
  for (waiter **at = &ocl_waiters; *at; at = &(*at)->next) {
    waiter *w = *at;
    if (!w->event->issued && w->event->status > w->status) continue;
    *at = w->next;
    if (!w->next) ocl_last_waiter = at;
    return w;
  }
  return NULL;
}

// ocl_caller calls waiters until there are none. It is a thread of its own.
static void *ocl_caller(void *nothing) {
  dev_lock();
  while (ocl_waiters) {
    waiter *w = next_waiter();
    if (!w) {
      pthread_cond_wait(&ocl_changed, &dev_mutex);
      continue;
    }
    cl_int status = w->event->status > w->status ? ocl_await(w->event) : w->event->status;
    dev_unlock();
    w->call(w->event, status < 0 ? status : w->status, w->data);
    dev_lock();
    ocl_release_event(w->event);
    free(w);
  }
  ocl_caller_runs = 0;
  dev_unlock();
  return NULL;
}

cl_int clSetEventCallback(cl_event e, cl_int status, void *call, void *data) {
  HELD;
  if (!IS(e, EVENT)) return ocl_answer(CL_INVALID_EVENT);
  if (!call || status < CL_COMPLETE || status > CL_SUBMITTED) return ocl_answer(CL_INVALID_VALUE);
  waiter *w = malloc(sizeof *w);
  if (!w) return ocl_answer(CL_OUT_OF_HOST_MEMORY);
  *w = (waiter){NULL, e, status, (void (*)(cl_event, cl_int, void *))call, data};
  pthread_t thread;
  if (!ocl_caller_runs && pthread_create(&thread, NULL, ocl_caller, NULL)) {
    free(w);
    return ocl_answer(CL_OUT_OF_HOST_MEMORY);
  }
  if (!ocl_caller_runs) pthread_detach(thread);
  ocl_caller_runs = 1;
  e->o.refs++;
  *ocl_last_waiter = w;
  ocl_last_waiter = &w->next;
  pthread_cond_broadcast(&ocl_changed);
  return CL_SUCCESS;
}

// ocl_forked makes a child forget what only its parent's device has.
static void ocl_forked(void) {
  pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
  ocl_changed = fresh;
  ocl_settled = 1;
  for (cl_command_queue q = ocl_queues; q; q = q->next)
    q->first = NULL, q->last = &q->first, q->barrier = NULL;
  ocl_waiters = NULL;
  ocl_last_waiter = &ocl_waiters;
  ocl_caller_runs = 0;
}

__attribute__((destructor)) static void ocl_leaving(void) {
  dev_left(CHECK_LEAK, "", "not released", "memory object");
}
