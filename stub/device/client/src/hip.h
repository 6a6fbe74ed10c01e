// What the files of libamdhip64 share.
#pragma once

#include "transport.h"

// The files hip_….c are the body of two libraries, which differ in the names of functions and in the device
// that they take theirs for until they know, and in whether modules are for every device: libcuda.c says all
// that.
#ifndef API_PREFIX
#define API_PREFIX "hip"
#define API_PROCESSOR "gfx90a"
#define API_PORTABLE 0
#define API_LDS 0 // bytes of a workgroup at most, 0 if the processor says that
#endif

typedef struct {
  uint32_t x, y, z;
} dim3;

// A tail is where a stream or an event is in a graph that is captured: the nodes that
// what follows depends on, and the number of the capture, 0 for none.
typedef struct {
  uint64_t capture;
  struct hip_node **nodes;
  size_t count;
} hip_tail;

// A stream's work is handed to the device at once, but for what waits for the host: a function of the
// host, a value in memory, and all that comes after it. That lies in the stream's queue, which a thread of
// its own takes from; hip_queue.c says how.
typedef struct hip_stream {
  uint64_t id;
  unsigned flags;
  int priority;
  hip_tail tail;
  uint64_t ticket; // of its latest work that the device has
  uint64_t null_after, after_null; // up to where the null stream is known to come after it, and it after that
  struct hip_pending *first, **last;
  uint64_t entered, left; // how much has come into the queue so far, and how much of it is done
  int references, destroyed, has_thread;
  struct hip_stream *next; // of all streams
} *hipStream_t;

// A place is what has come into a stream's queue up to some time.
typedef struct {
  hipStream_t stream;
  uint64_t count;
} hip_place;

typedef struct hip_event {
  uint64_t id;
  int recorded, references;
  unsigned flags;
  uint64_t ticket; // of the record, if the device has it
  hip_place held;  // the record, if it came into a queue; no stream otherwise
  hip_tail tail;
} *hipEvent_t;

typedef struct {
  uint64_t kind, offset, size;
} hip_arg;

typedef struct hip_kernel {
  struct hip_module *module;
  uint64_t index;
  char *name;
  uint64_t arg_size, lds, scratch, arg_count;
  unsigned max_threads, wave;
  int registers;             // of each lane
  int capability;            // that it is compiled for, of CUDA; else 0
  int most_shared, carveout; // what hipFuncSetAttribute has set
  hip_arg *args;
} hip_kernel, *hipFunction_t;

typedef struct {
  char *name;
  uint64_t addr, size;
} hip_symbol;

// A variable of managed memory: the host's pointer to it, and the device's by name.
typedef struct hip_managed {
  void **pointer;
  const char *name;
  void *init; // its contents at first
  size_t size, align;
  struct hip_managed *next;
} hip_managed;

typedef struct hip_module {
  const unsigned char *image;
  size_t image_size;
  int own, loaded, error; // own: the image is this module's to free
  int gone;               // what it was registered with is not there any more
  uint64_t id, kernel_count, symbol_count;
  hip_kernel *kernels;
  hip_symbol *symbols;
  hip_managed *managed;
  struct hip_module *next;
} hip_module, *hipModule_t;

// A function or variable of the host that stands for one of the device.
typedef struct hip_entry {
  const void *host;
  const char *name;
  hip_module *module;
  hip_kernel *kernel;
  struct hip_entry *next;
} hip_entry;

// The kinds of allocation.
enum { RANGE_DEVICE = 1, RANGE_PINNED, RANGE_MANAGED, RANGE_REGISTERED, RANGE_SYMBOL, RANGE_VIRTUAL,
  RANGE_GRAPH };

// on_device reports whether memory is the device's alone.
static inline int on_device(int kind) {
  return kind == RANGE_DEVICE || kind == RANGE_SYMBOL || kind == RANGE_VIRTUAL || kind == RANGE_GRAPH;
}

// Errors, by the numbers that programs know.
enum {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorNotInitialized = 3,
  hipErrorInvalidConfiguration = 9,
  hipErrorInvalidPitchValue = 12,
  hipErrorInvalidSymbol = 13,
  hipErrorInvalidMemcpyDirection = 21,
  hipErrorMissingConfiguration = 52,
  hipErrorInvalidDeviceFunction = 98,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidImage = 200,
  hipErrorInvalidContext = 201,
  hipErrorNoBinaryForGpu = 209,
  hipErrorUnsupportedLimit = 215,
  hipErrorPeerAccessUnsupported = 217,
  hipErrorInvalidKernelFile = 218,
  hipErrorFileNotFound = 301,
  hipErrorInvalidResourceHandle = 400,
  hipErrorIllegalState = 401,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorIllegalAddress = 700,
  hipErrorPeerAccessNotEnabled = 705,
  hipErrorContextIsDestroyed = 709,
  hipErrorAssert = 710,
  hipErrorHostMemoryAlreadyRegistered = 712,
  hipErrorHostMemoryNotRegistered = 713,
  hipErrorLaunchFailure = 719,
  hipErrorCooperativeLaunchTooLarge = 720,
  hipErrorNotSupported = 801,
  hipErrorStreamCaptureUnsupported = 900,
  hipErrorStreamCaptureUnmatched = 903,
  hipErrorStreamCaptureImplicit = 906,
  hipErrorCapturedEvent = 907,
  hipErrorGraphExecUpdateFailure = 910,
  hipErrorInvalidClusterSize = 912, // of CUDA alone
  hipErrorUnknown = 999,
};

typedef struct {
  void *ptr;
  size_t pitch, xsize, ysize;
} hip_pitched;

typedef struct {
  size_t width, height, depth;
} hip_extent;

// hip_copy3d is struct hipMemcpy3DParms.
typedef struct {
  void *from_array;
  struct {
    size_t x, y, z;
  } from_at;
  hip_pitched from;
  void *to_array;
  struct {
    size_t x, y, z;
  } to_at;
  hip_pitched to;
  hip_extent size;
  int kind;
} hip_copy3d;

// hip_fill is struct hipMemsetParams, and what a fill in three dimensions has beside.
typedef struct {
  void *to;
  unsigned element;
  size_t height, pitch;
  unsigned value;
  size_t width; // elements
  size_t depth, plane;
} hip_fill;

// A job is what a stream does: now, or whenever the graph that captures it is launched.
enum {
  JOB_EMPTY,
  JOB_KERNEL,
  JOB_COPY,
  JOB_FILL,
  JOB_FREE,
  JOB_RECORD,
  JOB_WAIT,
  JOB_GRAPH,
  JOB_ALLOC, // memory of a graph's
  JOB_HOST, // from here on the host has to do something
  JOB_CALLBACK,
  JOB_AWAIT, // a value in memory
  JOB_WRITE, // a value to memory
  JOB_CONDITION, // graphs that depend on a value in memory
  JOB_KINDS
};
typedef struct {
  int kind;
  hip_kernel *kernel;
  const void *function; // of the host, that stands for the kernel
  uint64_t items[3];
  dim3 block;
  size_t shared, size;
  int form;                 // of a launch
  unsigned char *arguments; // of size bytes, the job's own; what is copied, if that is the job's own
  hip_copy3d copy;
  hip_fill fill;
  void (*call)(void *);
  void (*callback)(hipStream_t, int, void *);
  void *data; // of call and callback; where values are, what is allocated or freed
  hipEvent_t event;
  struct hip_graph *graph;
  uint64_t value, mask; // of size bytes
  int compare; // with a value; how graphs depend on one
  struct hip_graph **bodies; // of which one is launched
  size_t body_count;
} hip_job;

// The form of a launch: whether all workgroups run at once, and how many of them a cluster has in each
// direction, 0 for what the kernel says.
enum { HIP_TOGETHER = 1, HIP_CLUSTER_AT = 16, HIP_CLUSTER_BITS = 5, HIP_MOST_CLUSTER = 16 };
