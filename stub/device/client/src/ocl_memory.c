// Buffers, sub-buffers and shared virtual memory.
#include "ocl.h"

// Kinds of allocation in the table of transport.h.
enum { OF_BUFFER, SHARED_VIRTUAL };
enum { ALIGNMENT = 128 };

// ocl_settled is nonzero once the device has done all that it was given and has told what came of it.
static int ocl_settled = 1;

// ocl_settle waits for the device, so that its memory is what commands have left.
static cl_int ocl_settle(void) {
  if (dev.fd < 0) return CL_OUT_OF_RESOURCES; // it is the device of a parent, or has gone
  if (ocl_settled && !dev.ordered) return dev.condition ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  cl_int e = ocl_error(dev_wait(WAIT_ALL, 0));
  ocl_settled = 1;
  return e;
}

// shared_bytes is how much shared virtual memory there is from an address on.
static size_t shared_bytes(const void *p) {
  dev_range *r = dev_find((uintptr_t)p);
  return r && r->kind == SHARED_VIRTUAL ? r->base + r->size - (uintptr_t)p : 0;
}

// ocl_reach is where this library reaches memory that may be the device's.
static void *ocl_reach(const void *p) { return dev_host((uintptr_t)p); }

static uint64_t ocl_allocate(size_t size, int kind, cl_int *error) {
  enum dev_status s;
  uint64_t addr = dev_alloc(size, ALIGNMENT, kind, &s);
  *error = ocl_error(s);
  return addr;
}

// several reports whether more than one bit is set.
static int several(cl_bitfield flags) { return (flags & (flags - 1)) != 0; }

// memory_flags checks the flags of memory that a program creates, which may have a parent.
static cl_int memory_flags(cl_bitfield flags, cl_mem parent) {
  cl_bitfield known = CL_MEM_ACCESS | CL_MEM_HOST_ACCESS | CL_MEM_OF_HOST | CL_MEM_KERNEL_READ_AND_WRITE |
                      CL_MEM_PERSISTENT_AMD;
  if (flags & ~known || several(flags & CL_MEM_ACCESS) || several(flags & CL_MEM_HOST_ACCESS))
    return CL_INVALID_VALUE;
  if (flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR))
    return CL_INVALID_VALUE;
  if (!parent) return CL_SUCCESS;
  cl_bitfield of = parent->flags;
  if (flags & CL_MEM_OF_HOST || (of & CL_MEM_WRITE_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) ||
      (of & CL_MEM_READ_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) ||
      (of & CL_MEM_HOST_WRITE_ONLY && flags & CL_MEM_HOST_READ_ONLY) ||
      (of & CL_MEM_HOST_READ_ONLY && flags & CL_MEM_HOST_WRITE_ONLY) ||
      (of & CL_MEM_HOST_NO_ACCESS && flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)))
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

// whole_flags are flags with what they leave unsaid: a parent's, or what is so by itself.
static cl_bitfield whole_flags(cl_bitfield flags, cl_mem parent) {
  cl_bitfield of = parent ? parent->flags : CL_MEM_READ_WRITE;
  if (!(flags & CL_MEM_ACCESS)) flags |= of & CL_MEM_ACCESS;
  if (!(flags & CL_MEM_HOST_ACCESS)) flags |= of & CL_MEM_HOST_ACCESS;
  return flags | (of & CL_MEM_OF_HOST);
}

// host_may is the error of a command by which the host reads or writes memory that is not for that: what it
// does is the flag of memory for nothing else.
static cl_int host_may(cl_mem m, cl_bitfield what) {
  cl_bitfield limits = m->flags & CL_MEM_HOST_ACCESS;
  return !limits || limits == what ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_mem clCreateBufferWithProperties(cl_context c, const cl_properties *properties, cl_bitfield flags,
                                    size_t size, void *host, cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (properties && *properties) return ocl_fail(error, CL_INVALID_PROPERTY);
  cl_int e = memory_flags(flags, NULL);
  if (e) return ocl_fail(error, e);
  if (!size || size > LARGEST_BUFFER) return ocl_fail(error, CL_INVALID_BUFFER_SIZE);
  if (!host != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return ocl_fail(error, CL_INVALID_HOST_PTR);
  // A buffer of shared virtual memory is that memory.
  int is_shared = flags & CL_MEM_USE_HOST_PTR && shared_bytes(host);
  if (is_shared && size > shared_bytes(host)) return ocl_fail(error, CL_INVALID_BUFFER_SIZE);
  uint64_t addr = is_shared ? (uintptr_t)host : ocl_allocate(size, OF_BUFFER, &e);
  if (e) return ocl_fail(error, e);
  cl_mem m = ocl_new(BUFFER, sizeof *m);
  m->context = c;
  c->o.refs++;
  m->flags = whole_flags(flags, NULL);
  m->size = size;
  m->addr = addr;
  if (properties) m->property_count = 1, m->properties = calloc(1, sizeof *m->properties);
  if (flags & CL_MEM_USE_HOST_PTR) m->host = host;
  m->is_shared = is_shared;
  if (host && !is_shared) memcpy(dev_host(addr), ocl_reach(host), size);
  if (error) *error = CL_SUCCESS;
  return m;
}

cl_mem clCreateBuffer(cl_context c, cl_bitfield flags, size_t size, void *host, cl_int *error) {
  return clCreateBufferWithProperties(c, NULL, flags, size, host, error);
}

cl_mem clCreateSubBuffer(cl_mem parent, cl_bitfield flags, cl_uint type, const void *info, cl_int *error) {
  HELD;
  if (!IS(parent, BUFFER) || parent->parent) return ocl_fail(error, CL_INVALID_MEM_OBJECT);
  const size_t *region = info; // cl_buffer_region: origin and size
  enum { CREATE_REGION = 0x1220 };
  if (type != CREATE_REGION || !region) return ocl_fail(error, CL_INVALID_VALUE);
  size_t origin = region[0], size = region[1];
  if (!size) return ocl_fail(error, CL_INVALID_BUFFER_SIZE);
  if (origin > parent->size || size > parent->size - origin) return ocl_fail(error, CL_INVALID_VALUE);
  cl_int e = memory_flags(flags, parent);
  if (e) return ocl_fail(error, e);
  if (origin % ALIGNMENT) return ocl_fail(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  cl_mem m = ocl_new(BUFFER, sizeof *m);
  m->context = parent->context;
  m->context->o.refs++;
  m->parent = parent;
  parent->o.refs++;
  m->flags = whole_flags(flags, parent);
  m->is_shared = parent->is_shared;
  m->size = size;
  m->origin = origin;
  m->addr = parent->addr + origin;
  if (parent->host) m->host = (char *)parent->host + origin;
  if (error) *error = CL_SUCCESS;
  return m;
}

cl_int clRetainMemObject(cl_mem m) {
  HELD;
  if (!IS_MEMORY(m)) return ocl_answer(CL_INVALID_MEM_OBJECT);
  ocl_retained(m);
  return CL_SUCCESS;
}

// ocl_release_buffer lets go of a buffer or an image; the lock is held.
static void ocl_release_buffer(cl_mem m) {
  if (--m->o.refs) return;
  ocl_call_back(&m->on_release, m);
  if (m->open) dev_open(m->addr, m->size, 0);
  if (m->parent) ocl_release_buffer(m->parent);
  else if (m->addr && !m->is_shared) dev_free(m->addr);
  if (m->image && m->image->description) dev_free(m->image->description - IMAGE_BLOCK - IMAGE_DESCRIPTOR);
  free(m->image);
  ocl_release_context(m->context);
  free(m->properties);
  for (mapping *p = m->maps, *next; p; p = next) next = p->next, free(p);
  ocl_free(m);
}

cl_int clReleaseMemObject(cl_mem m) {
  HELD;
  if (!IS_MEMORY(m)) return ocl_answer(CL_INVALID_MEM_OBJECT);
  if (ocl_released(m)) return ocl_answer(CL_INVALID_MEM_OBJECT);
  ocl_release_buffer(m);
  return CL_SUCCESS;
}

cl_int clSetMemObjectDestructorCallback(cl_mem m, void *call, void *data) {
  HELD;
  return ocl_answer(IS_MEMORY(m) ? ocl_register(&m->on_release, call, data) : CL_INVALID_MEM_OBJECT);
}

cl_int clGetMemObjectInfo(cl_mem m, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS_MEMORY(m)) return CL_INVALID_MEM_OBJECT;
  cl_uint maps = 0;
  for (mapping *p = m->maps; p; p = p->next) maps++;
  switch (what) {
  case 0x1100: ANSWER(cl_uint, m->image ? m->image->object : 0x10F0); // TYPE
  case 0x1101: ANSWER(cl_bitfield, m->flags);
  case 0x1102: ANSWER(size_t, m->size);
  case 0x1103: ANSWER(void *, m->host);
  case 0x1104: ANSWER(cl_uint, maps);
  case 0x1105: ANSWER(cl_uint, m->o.refs);
  case 0x1106: ANSWER(cl_context, m->context);
  case 0x1107: ANSWER(cl_mem, m->parent);
  case 0x1108: ANSWER(size_t, m->origin);
  case 0x1109: ANSWER(cl_bool, m->is_shared); // USES_SVM_POINTER
  case 0x110A: return ocl_info(m->properties, m->property_count * sizeof *m->properties, room, to, needed);
  }
  return CL_INVALID_VALUE;
}

void *clSVMAlloc(cl_context c, cl_bitfield flags, size_t size, cl_uint align) {
  HELD;
  enum { FINE_GRAIN = 1 << 10, ATOMICS = 1 << 11, PAGE_ALIGN = 4096 };
  if (!IS(c, CONTEXT) || !size || size > LARGEST_BUFFER || flags & (FINE_GRAIN | ATOMICS) ||
      align & (align - 1))
    return NULL;
  enum dev_status s;
  // Pages of its own: the program itself can access it.
  uint64_t addr = dev_alloc(size, PAGE_ALIGN, SHARED_VIRTUAL, &s);
  if (s != DEV_DONE || dev_open(addr, size, 1)) return NULL;
  return (void *)(uintptr_t)addr;
}

// ocl_free_shared frees shared virtual memory; the lock is held.
static void ocl_free_shared(void *p) {
  dev_range *r = dev_find((uintptr_t)p);
  if (!r || r->kind != SHARED_VIRTUAL || r->base != (uintptr_t)p) return;
  dev_open(r->base, r->size, 0);
  dev_free(r->base);
}

void clSVMFree(cl_context c, void *p) {
  HELD;
  if (p) ocl_free_shared(p);
}
