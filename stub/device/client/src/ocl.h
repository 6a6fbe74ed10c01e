// What the files of libOpenCL share: the types and numbers of the OpenCL API
// ("The OpenCL Specification" 3.0), written down here since users need not have
// its headers, and the objects behind its handles.
#pragma once
#include "transport.h"

#include <time.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef intptr_t cl_properties; // of contexts, queues and the like

// Errors.
enum {
  CL_SUCCESS = 0,
  CL_DEVICE_NOT_FOUND = -1,
  CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
  CL_OUT_OF_RESOURCES = -5,
  CL_OUT_OF_HOST_MEMORY = -6,
  CL_PROFILING_INFO_NOT_AVAILABLE = -7,
  CL_MEM_COPY_OVERLAP = -8,
  CL_IMAGE_FORMAT_MISMATCH = -9,
  CL_IMAGE_FORMAT_NOT_SUPPORTED = -10,
  CL_BUILD_PROGRAM_FAILURE = -11,
  CL_MISALIGNED_SUB_BUFFER_OFFSET = -13,
  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
  CL_COMPILE_PROGRAM_FAILURE = -15,
  CL_LINK_PROGRAM_FAILURE = -17,
  CL_DEVICE_PARTITION_FAILED = -18,
  CL_KERNEL_ARG_INFO_NOT_AVAILABLE = -19,
  CL_INVALID_VALUE = -30,
  CL_INVALID_DEVICE_TYPE = -31,
  CL_INVALID_PLATFORM = -32,
  CL_INVALID_DEVICE = -33,
  CL_INVALID_CONTEXT = -34,
  CL_INVALID_QUEUE_PROPERTIES = -35,
  CL_INVALID_COMMAND_QUEUE = -36,
  CL_INVALID_HOST_PTR = -37,
  CL_INVALID_MEM_OBJECT = -38,
  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR = -39,
  CL_INVALID_IMAGE_SIZE = -40,
  CL_INVALID_SAMPLER = -41,
  CL_INVALID_BINARY = -42,
  CL_INVALID_BUILD_OPTIONS = -43,
  CL_INVALID_PROGRAM = -44,
  CL_INVALID_PROGRAM_EXECUTABLE = -45,
  CL_INVALID_KERNEL_NAME = -46,
  CL_INVALID_KERNEL = -48,
  CL_INVALID_ARG_INDEX = -49,
  CL_INVALID_ARG_VALUE = -50,
  CL_INVALID_ARG_SIZE = -51,
  CL_INVALID_KERNEL_ARGS = -52,
  CL_INVALID_WORK_DIMENSION = -53,
  CL_INVALID_WORK_GROUP_SIZE = -54,
  CL_INVALID_WORK_ITEM_SIZE = -55,
  CL_INVALID_GLOBAL_OFFSET = -56,
  CL_INVALID_EVENT_WAIT_LIST = -57,
  CL_INVALID_EVENT = -58,
  CL_INVALID_OPERATION = -59,
  CL_INVALID_BUFFER_SIZE = -61,
  CL_INVALID_GLOBAL_WORK_SIZE = -63,
  CL_INVALID_PROPERTY = -64,
  CL_INVALID_IMAGE_DESCRIPTOR = -65,
  CL_INVALID_COMPILER_OPTIONS = -66,
  CL_INVALID_LINKER_OPTIONS = -67,
  CL_INVALID_SPEC_ID = -71,
  CL_PLATFORM_NOT_FOUND_KHR = -1001,
};

// The status of an event; less than 0 is an error.
enum { CL_COMPLETE, CL_RUNNING, CL_SUBMITTED, CL_QUEUED };

enum {
  CL_MEM_READ_WRITE = 1 << 0,
  CL_MEM_WRITE_ONLY = 1 << 1,
  CL_MEM_READ_ONLY = 1 << 2,
  CL_MEM_USE_HOST_PTR = 1 << 3,
  CL_MEM_ALLOC_HOST_PTR = 1 << 4,
  CL_MEM_COPY_HOST_PTR = 1 << 5,
  CL_MEM_PERSISTENT_AMD = 1 << 6, // where the memory should be, which makes no difference here
  CL_MEM_HOST_WRITE_ONLY = 1 << 7,
  CL_MEM_HOST_READ_ONLY = 1 << 8,
  CL_MEM_HOST_NO_ACCESS = 1 << 9,
  CL_MEM_KERNEL_READ_AND_WRITE = 1 << 12,
  CL_MEM_ACCESS = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
  CL_MEM_HOST_ACCESS = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
  CL_MEM_OF_HOST = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
  CL_QUEUE_OUT_OF_ORDER = 1 << 0,
  CL_QUEUE_PROFILING = 1 << 1,
};

// The largest images.
enum { LARGEST_SIDE = 16384, LARGEST_3D = 2048, LARGEST_ARRAY = 2048, LARGEST_IMAGE_BUFFER = 1 << 27 };

// Commands.
enum {
  CL_COMMAND_NDRANGE_KERNEL = 0x11F0,
  CL_COMMAND_TASK,
  CL_COMMAND_NATIVE_KERNEL,
  CL_COMMAND_READ_BUFFER,
  CL_COMMAND_WRITE_BUFFER,
  CL_COMMAND_COPY_BUFFER,
  CL_COMMAND_READ_IMAGE,
  CL_COMMAND_WRITE_IMAGE,
  CL_COMMAND_COPY_IMAGE,
  CL_COMMAND_COPY_IMAGE_TO_BUFFER,
  CL_COMMAND_COPY_BUFFER_TO_IMAGE,
  CL_COMMAND_MAP_BUFFER,
  CL_COMMAND_MAP_IMAGE,
  CL_COMMAND_UNMAP_MEM_OBJECT = 0x11FD,
  CL_COMMAND_MARKER = 0x11FE,
  CL_COMMAND_READ_BUFFER_RECT = 0x1201,
  CL_COMMAND_WRITE_BUFFER_RECT,
  CL_COMMAND_COPY_BUFFER_RECT,
  CL_COMMAND_USER,
  CL_COMMAND_BARRIER,
  CL_COMMAND_MIGRATE_MEM_OBJECTS,
  CL_COMMAND_FILL_BUFFER,
  CL_COMMAND_FILL_IMAGE,
  CL_COMMAND_SVM_FREE = 0x1209,
  CL_COMMAND_SVM_MEMCPY,
  CL_COMMAND_SVM_MEMFILL,
  CL_COMMAND_SVM_MAP,
  CL_COMMAND_SVM_UNMAP,
  CL_COMMAND_SVM_MIGRATE_MEM,
};

// The first field of every object is the table that an ICD loader calls by.
enum kind { PLATFORM = 0x51a7, DEVICE, CONTEXT, QUEUE, BUFFER, PROGRAM, KERNEL, EVENT, IMAGE, SAMPLER };
typedef struct {
  void *const *dispatch;
  enum kind kind;
  int refs;
  int users; // of refs those that are the program's
} object;

typedef struct platform {
  object o;
} *cl_platform_id, *cl_device_id; // there is one of each

// A callback of any kind, kept until its time comes.
typedef struct callback {
  void (*call)(void *object, void *data);
  void *data;
  struct callback *next;
} callback;

typedef struct context {
  object o;
  cl_properties *properties;
  size_t property_count; // with the 0 at the end
  callback *on_release;
} *cl_context;

struct command;
typedef struct queue {
  object o;
  cl_context context;
  cl_bitfield flags;
  cl_ulong *properties;
  size_t property_count;
  uint64_t stream;
  struct command *first, **last; // commands that wait for events
  struct event *barrier;         // the latest that waits, which what follows waits for where order is free
  struct queue *next;            // of all queues
} *cl_command_queue;

// What an image is besides memory. Before its description lies a block for kernels in SPIR-V, and before that
// the descriptor for AMD's processors.
enum { IMAGE_BLOCK = 128, IMAGE_DESCRIPTOR = 64 };
struct image {
  cl_uint object, order, type; // CL_MEM_OBJECT_*, and the format of its channels
  size_t size;                 // bytes of a texel
  size_t extent[3];            // texels, rows and slices; layers are rows, or slices
  size_t pitch[2];             // bytes from row to row and from slice to slice, on the device
  size_t told_pitch[2];        // as programs are told
  size_t host_pitch[2];        // and in the program's own memory, of CL_MEM_USE_HOST_PTR
  uint64_t description;        // the address of what kernels get; kernels in SPIR-V get what lies before it
};

// A mapping is a box of memory that the program has mapped, in bytes, rows and slices.
typedef struct mapping {
  struct mapping *next;
  void *at;
  int writes;
  size_t origin[3], region[3];
} mapping;

typedef struct buffer {
  object o;
  cl_context context;
  cl_bitfield flags;
  size_t size, origin;
  uint64_t addr;
  void *host; // the program's, of CL_MEM_USE_HOST_PTR
  struct buffer *parent;
  struct image *image; // or NULL
  mapping *maps;
  size_t open; // mappings of it, or of parts of it, that are open to the program: see open_mapping
  int is_shared; // its memory is the program's shared virtual memory
  callback *on_release;
  cl_properties *properties;
  size_t property_count;
} *cl_mem;

typedef struct sampler {
  object o;
  cl_context context;
  cl_uint normalized, addressing, filter;
  cl_ulong *properties;
  size_t property_count;
} *cl_sampler;

// Argument kinds, as the protocol numbers them.
enum { ARG_VALUE, ARG_GLOBAL, ARG_LOCAL, ARG_IMAGE, ARG_SAMPLER, ARG_OTHER, ARG_IMAGE_BLOCK };
typedef struct {
  uint64_t kind, offset, size;
  int block; // of an image: the kernel is in SPIR-V
  char *name, *type, *space, *access;
  uint64_t qualifiers; // as the API has them
} parameter;

typedef struct {
  char *name, *attributes;
  uint64_t arg_size, lds, private_size, max_items, wave, required[3];
  uint64_t param_count;
  parameter *params;
} function;

// A constant is the value that a specialization constant of a module is to have.
typedef struct {
  cl_uint number;
  size_t size;
  unsigned char value[8];
} constant;

typedef struct program {
  object o;
  cl_context context;
  char *source;           // or NULL
  unsigned char *file;    // an executable, SPIR-V, or bitcode that compiling made
  size_t file_size;
  int il;                 // file is what the program was given, to be loaded as it is
  unsigned char *object;  // of such a program that was compiled: with its constants, to be linked
  int state;              // of the build: CL_BUILD_SUCCESS and so on
  int type;               // of the binary
  char *options, *log;
  int loaded;
  uint64_t module;
  uint64_t function_count;
  function *functions;
  int kernels; // that there are
  constant *constants; // that are set
  size_t constant_count;
} *cl_program;
enum { BUILD_SUCCESS, BUILD_NONE = -1, BUILD_ERROR = -2 };
enum { BINARY_NONE, BINARY_OBJECT, BINARY_LIBRARY, BINARY_EXECUTABLE = 4 };

typedef struct {
  int set;
  uint64_t local;   // bytes of workgroup memory
  cl_mem memory;    // whose address is the value
  uint64_t address; // of shared virtual memory; of a sampler its properties
  unsigned char *value;
} argument;

typedef struct kernel {
  object o;
  cl_program program;
  uint64_t index;
  function *function;
  argument *args;
} *cl_kernel;

typedef struct event {
  object o;
  cl_context context;
  cl_command_queue queue; // NULL for a user event
  cl_uint type;
  cl_int status;
  int issued;      // the device has the command, or it has failed
  uint64_t number; // of the device's event; 0 for none
  uint64_t ticket; // of its command's work; 0 for none
  cl_ulong times[4]; // when it was queued and submitted, and when it began and ended
} *cl_event;
enum { QUEUED, SUBMITTED, BEGAN, ENDED };

// A command that waits for its turn, and what it does then.
typedef struct command {
  struct command *next;
  cl_command_queue queue;
  cl_event event;
  cl_event *waits;
  cl_uint wait_count, given; // the first are those that the program gave
  // What it does when all that came before has been done or, if it is on the device, has been handed over.
  cl_int (*run)(struct command *);
  int on_device;
  int is_seen; // its event is the program's too
  struct kernel *kernel; // and the memory of its arguments, which stay while the command waits
  cl_mem *used;
  cl_uint used_count;
  uint64_t ticket; // of the latest work that it was
  // What run needs: of memory, two places with a size,
  void *host;
  const void *from_host;
  uint64_t to, from, size;
  const void *moved; // memory of the program's that it has read or written, size bytes
  cl_mem memory, other;
  unsigned char *bytes; // a pattern, the request of a launch, or pointers
  size_t byte_count;
  void (*free_shared)(cl_command_queue, cl_uint, void **, void *);
  // or two boxes.
  size_t origin[3], other_origin[3], region[3], pitch[2], other_pitch[2];
} command;

// The largest buffer, and allocation of shared virtual memory.
#define LARGEST_BUFFER (dev.memory / 4)

// Every function of the API holds the lock; HELD ends with its block.
static void ocl_unlock(int *held) { dev_unlock(); }
static int ocl_lock(void) {
  dev_lock();
  if (dev_held == 1) dev_forget_reason();
  return 0;
}
#define HELD __attribute__((cleanup(ocl_unlock), unused)) int held_ = ocl_lock()

extern void *const ocl_dispatch[];
static struct platform ocl_platform, ocl_device;

static const char *const ocl_kinds[] = {"platform", "device", "context", "command queue", "memory object",
                                        "program",  "kernel", "event",   "memory object", "sampler"};

static void *ocl_new(enum kind kind, size_t size) {
  object *o = calloc(1, size);
  if (!o) abort();
  o->dispatch = ocl_dispatch;
  o->kind = kind;
  o->refs = o->users = 1;
  dev_made(ocl_kinds[kind - PLATFORM], (uintptr_t)o);
  return o;
}

// ocl_free frees an object that nobody refers to any more.
static void ocl_free(void *p) {
  dev_gone((uintptr_t)p);
  ((object *)p)->kind = 0;
  dev_drop(p);
}

// IS reports whether a handle is that of an object of a kind.
static int ocl_is(const void *p, enum kind k, enum kind or) {
  int is = p && (((object *)p)->kind == k || ((object *)p)->kind == or);
  if (!is) dev_because_of(ocl_kinds[k - PLATFORM], p);
  return is;
}
#define IS(p, k) ocl_is(p, k, k)
#define IS_MEMORY(p) ocl_is(p, BUFFER, IMAGE)

// What programs retain and release is theirs; ocl_released reports whether it was not: then nothing is to be
// released.
static void ocl_retained(void *p) {
  ((object *)p)->refs++;
  ((object *)p)->users++;
}

static int ocl_released(void *p) {
  if (--((object *)p)->users >= 0 || !(dev.checked & CHECK_API)) return 0;
  ((object *)p)->users = 0;
  dev_because(0, 0, "the program has released the %s as often as it has retained it",
              ocl_kinds[((object *)p)->kind - PLATFORM]);
  return 1;
}

// Names of errors, for who wants to know of calls that fail.
static const char *ocl_error_name(cl_int e) {
  static _Thread_local char number[24];
#define NAME(x) case x: return #x;
  switch (e) {
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    NAME(CL_OUT_OF_RESOURCES) NAME(CL_OUT_OF_HOST_MEMORY) NAME(CL_MEM_COPY_OVERLAP) NAME(
        CL_IMAGE_FORMAT_MISMATCH) NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED) NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        NAME(CL_INVALID_VALUE) NAME(CL_INVALID_CONTEXT) NAME(CL_INVALID_QUEUE_PROPERTIES)
            NAME(CL_INVALID_COMMAND_QUEUE) NAME(CL_INVALID_HOST_PTR) NAME(CL_INVALID_MEM_OBJECT)
                NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) NAME(CL_INVALID_IMAGE_SIZE) NAME(CL_INVALID_SAMPLER)
                    NAME(CL_INVALID_BINARY) NAME(CL_INVALID_BUILD_OPTIONS) NAME(CL_INVALID_PROGRAM)
                        NAME(CL_INVALID_PROGRAM_EXECUTABLE) NAME(CL_INVALID_KERNEL_NAME)
                            NAME(CL_INVALID_KERNEL) NAME(CL_INVALID_ARG_INDEX) NAME(CL_INVALID_ARG_VALUE)
                                NAME(CL_INVALID_ARG_SIZE) NAME(CL_INVALID_KERNEL_ARGS)
                                    NAME(CL_INVALID_WORK_DIMENSION) NAME(CL_INVALID_WORK_GROUP_SIZE)
                                        NAME(CL_INVALID_WORK_ITEM_SIZE) NAME(CL_INVALID_GLOBAL_OFFSET)
                                            NAME(CL_INVALID_EVENT_WAIT_LIST) NAME(CL_INVALID_EVENT)
                                                NAME(CL_INVALID_OPERATION) NAME(CL_INVALID_BUFFER_SIZE)
                                                    NAME(CL_INVALID_GLOBAL_WORK_SIZE)
                                                        NAME(CL_INVALID_PROPERTY)
                                                            NAME(CL_INVALID_IMAGE_DESCRIPTOR)
  }
#undef NAME
  snprintf(number, sizeof number, "%d", e);
  return number;
}

// ocl_answer is what a function of the API returns. It tells of errors that are the program's, and not those
// of sources that do not compile, of events whose end the program has said, or of a device that can do
// nothing any more.
static cl_int ocl_answer(cl_int e) {
  int other = e == CL_BUILD_PROGRAM_FAILURE || e == CL_COMPILE_PROGRAM_FAILURE ||
              e == CL_LINK_PROGRAM_FAILURE || e == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (e < 0 && !other && !dev.condition && dev.checked & CHECK_API) dev_fails(NULL, ocl_error_name(e));
  return e;
}

// ocl_fail stores an error where a function that gives an object wants it.
static cl_int ocl_answer(cl_int e);

static void *ocl_fail(cl_int *where, cl_int error) {
  ocl_answer(error);
  if (where) *where = error;
  return NULL;
}

// ocl_info answers a query: the value is copied if there is room for it.
static cl_int ocl_info(const void *value, size_t size, size_t room, void *to, size_t *needed) {
  if (to) {
    if (room < size) return CL_INVALID_VALUE;
    if (size) memcpy(to, value, size);
  }
  if (needed) *needed = size;
  return CL_SUCCESS;
}
#define ANSWER(type, v)                                        \
  do {                                                         \
    type value_ = (type)(v);                                   \
    return ocl_info(&value_, sizeof value_, room, to, needed); \
  } while (0)
#define ANSWER_TEXT(s)                                         \
  do {                                                         \
    const char *text_ = (s);                                   \
    return ocl_info(text_, strlen(text_) + 1, room, to, needed); \
  } while (0)

static char *ocl_copy(const char *s) {
  char *copy = strdup(s ? s : "");
  if (!copy) abort();
  return copy;
}

// ocl_now is the time of the clock that events are timed by, the service's too.
static cl_ulong ocl_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (cl_ulong)t.tv_sec * 1000000000 + (cl_ulong)t.tv_nsec;
}

static void ocl_call_back(callback **list, void *o) {
  while (*list) { // the last that was registered is called first
    callback *c = *list;
    *list = c->next;
    dev_unlock();
    c->call(o, c->data);
    dev_lock();
    free(c);
  }
}

static cl_int ocl_register(callback **list, void *call, void *data) {
  if (!call) return CL_INVALID_VALUE;
  callback *c = malloc(sizeof *c);
  if (!c) return CL_OUT_OF_HOST_MEMORY;
  *c = (callback){(void (*)(void *, void *))call, data, *list};
  *list = c;
  return CL_SUCCESS;
}

// ocl_missing says once that a function is not there.
static cl_int ocl_missing(const char *name, char *said, cl_int error) {
  if (!*said) dev_say("%s is not there: it returns %d", name, error);
  *said = 1;
  return error;
}

static cl_int ocl_error(enum dev_status s) {
  switch (s) {
  case DEV_DONE: return CL_SUCCESS;
  case DEV_NO_MEMORY: return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  case DEV_INVALID: return CL_INVALID_VALUE;
  case DEV_BAD_LAUNCH: return CL_INVALID_KERNEL_ARGS;
  case DEV_BAD_MODULE: return CL_INVALID_BINARY;
  default: return CL_OUT_OF_RESOURCES;
  }
}
