// Kernels, their arguments and their launches.
#include "ocl.h"

static cl_kernel new_kernel(cl_program p, uint64_t index) {
  cl_kernel k = ocl_new(KERNEL, sizeof *k);
  k->program = p;
  p->o.refs++;
  p->kernels++;
  k->index = index;
  k->function = &p->functions[index];
  k->args = calloc(k->function->param_count + 1, sizeof *k->args);
  return k;
}

cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *error) {
  HELD;
  if (!IS(p, PROGRAM)) return ocl_fail(error, CL_INVALID_PROGRAM);
  if (!p->loaded) return ocl_fail(error, CL_INVALID_PROGRAM_EXECUTABLE);
  if (!name) return ocl_fail(error, CL_INVALID_VALUE);
  for (uint64_t i = 0; i < p->function_count; i++)
    if (!strcmp(p->functions[i].name, name)) {
      if (error) *error = CL_SUCCESS;
      return new_kernel(p, i);
    }
  return ocl_fail(error, CL_INVALID_KERNEL_NAME);
}

cl_int clCreateKernelsInProgram(cl_program p, cl_uint room, cl_kernel *list, cl_uint *count) {
  HELD;
  if (!IS(p, PROGRAM)) return ocl_answer(CL_INVALID_PROGRAM);
  if (!p->loaded) return ocl_answer(CL_INVALID_PROGRAM_EXECUTABLE);
  if (list && room < p->function_count) return ocl_answer(CL_INVALID_VALUE);
  for (uint64_t i = 0; list && i < p->function_count; i++) list[i] = new_kernel(p, i);
  if (count) *count = (cl_uint)p->function_count;
  return CL_SUCCESS;
}

cl_kernel clCloneKernel(cl_kernel k, cl_int *error) {
  HELD;
  if (!IS(k, KERNEL)) return ocl_fail(error, CL_INVALID_KERNEL);
  cl_kernel copy = new_kernel(k->program, k->index);
  for (uint64_t i = 0; i < k->function->param_count; i++) {
    copy->args[i] = k->args[i];
    if (!k->args[i].value) continue;
    copy->args[i].value = malloc(k->function->params[i].size);
    memcpy(copy->args[i].value, k->args[i].value, k->function->params[i].size);
  }
  if (error) *error = CL_SUCCESS;
  return copy;
}

cl_int clRetainKernel(cl_kernel k) {
  HELD;
  if (!IS(k, KERNEL)) return ocl_answer(CL_INVALID_KERNEL);
  ocl_retained(k);
  return CL_SUCCESS;
}

static void ocl_release_kernel(cl_kernel k) {
  if (--k->o.refs) return;
  for (uint64_t i = 0; i < k->function->param_count; i++) free(k->args[i].value);
  free(k->args);
  k->program->kernels--;
  ocl_release_program(k->program);
  ocl_free(k);
}

cl_int clReleaseKernel(cl_kernel k) {
  HELD;
  if (!IS(k, KERNEL)) return ocl_answer(CL_INVALID_KERNEL);
  if (ocl_released(k)) return ocl_answer(CL_INVALID_KERNEL);
  ocl_release_kernel(k);
  return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value) {
  HELD;
  if (!IS(k, KERNEL)) return ocl_answer(CL_INVALID_KERNEL);
  if (i >= k->function->param_count) return ocl_answer(CL_INVALID_ARG_INDEX);
  parameter *p = &k->function->params[i];
  argument *a = &k->args[i];
  switch (p->kind) {
  case ARG_GLOBAL: {
    if (size != sizeof(cl_mem)) return ocl_answer(CL_INVALID_ARG_SIZE);
    cl_mem m = value ? *(const cl_mem *)value : NULL;
    if (m && !IS(m, BUFFER)) return ocl_answer(CL_INVALID_MEM_OBJECT);
    a->memory = m;
    a->address = 0;
    break;
  }
  case ARG_IMAGE: {
    if (size != sizeof(cl_mem)) return ocl_answer(CL_INVALID_ARG_SIZE);
    cl_mem m = value ? *(const cl_mem *)value : NULL;
    if (!IS(m, IMAGE)) return ocl_answer(CL_INVALID_MEM_OBJECT);
    if ((m->flags & CL_MEM_READ_ONLY && *p->access && strcmp(p->access, "read_only")) ||
        (m->flags & CL_MEM_WRITE_ONLY && *p->access && strcmp(p->access, "write_only")))
      return ocl_answer(CL_INVALID_ARG_VALUE);
    a->memory = m;
    break;
  }
  case ARG_SAMPLER: {
    if (size != sizeof(cl_sampler)) return ocl_answer(CL_INVALID_ARG_SIZE);
    cl_sampler s = value ? *(const cl_sampler *)value : NULL;
    if (!IS(s, SAMPLER)) return ocl_answer(CL_INVALID_SAMPLER);
    a->address = ocl_sampler_bits(s);
    int generation = amd_generation(dev.processor);
    cl_int e = generation ? amd_sampler_argument(generation, a->address, &a->address) : CL_SUCCESS;
    if (e) return ocl_answer(e);
    break;
  }
  case ARG_LOCAL:
    if (value) return ocl_answer(CL_INVALID_ARG_VALUE);
    if (!size) return ocl_answer(CL_INVALID_ARG_SIZE);
    a->local = size;
    break;
  case ARG_VALUE:
    if (!value) return ocl_answer(CL_INVALID_ARG_VALUE);
    if (size != p->size) return ocl_answer(CL_INVALID_ARG_SIZE);
    if (!a->value) a->value = malloc(size ? size : 1);
    memcpy(a->value, value, size);
    break;
  default: return ocl_answer(CL_INVALID_ARG_VALUE);
  }
  a->set = 1;
  return CL_SUCCESS;
}

cl_int clSetKernelArgSVMPointer(cl_kernel k, cl_uint i, const void *pointer) {
  HELD;
  if (!IS(k, KERNEL)) return ocl_answer(CL_INVALID_KERNEL);
  if (i >= k->function->param_count) return ocl_answer(CL_INVALID_ARG_INDEX);
  if (k->function->params[i].kind != ARG_GLOBAL) return ocl_answer(CL_INVALID_ARG_VALUE);
  k->args[i].memory = NULL;
  k->args[i].address = (uintptr_t)pointer;
  k->args[i].set = 1;
  return CL_SUCCESS;
}

cl_int clSetKernelExecInfo(cl_kernel k, cl_uint what, size_t size, const void *value) {
  HELD;
  enum { SVM_PTRS = 0x11B6, SVM_FINE_GRAIN_SYSTEM };
  if (!IS(k, KERNEL)) return CL_INVALID_KERNEL;
  if (what != SVM_PTRS && what != SVM_FINE_GRAIN_SYSTEM) return CL_INVALID_VALUE;
  if (what == SVM_PTRS && !value && !size) return CL_SUCCESS; // none any more
  if (!value || !size || size % (what == SVM_PTRS ? sizeof(void *) : sizeof(cl_bool)))
    return CL_INVALID_VALUE;
  if (what == SVM_FINE_GRAIN_SYSTEM && *(const cl_bool *)value) return CL_INVALID_OPERATION;
  return CL_SUCCESS; // all shared virtual memory can be accessed anyway
}

cl_int clGetKernelInfo(cl_kernel k, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(k, KERNEL)) return CL_INVALID_KERNEL;
  switch (what) {
  case 0x1190: ANSWER_TEXT(k->function->name);
  case 0x1191: ANSWER(cl_uint, k->function->param_count);
  case 0x1192: ANSWER(cl_uint, k->o.refs);
  case 0x1193: ANSWER(cl_context, k->program->context);
  case 0x1194: ANSWER(cl_program, k->program);
  case 0x1195: ANSWER_TEXT(k->function->attributes);
  }
  return CL_INVALID_VALUE;
}

static size_t most_items(function *f) { return f->max_items ? f->max_items : GROUP_ITEMS; }

cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_uint what, size_t room, void *to,
                                size_t *needed) {
  HELD;
  if (!IS(k, KERNEL)) return CL_INVALID_KERNEL;
  if (d && !IS(d, DEVICE)) return CL_INVALID_DEVICE;
  function *f = k->function;
  size_t required[3] = {f->required[0], f->required[1], f->required[2]};
  uint64_t local = f->lds;
  for (uint64_t i = 0; i < f->param_count; i++) local += k->args[i].local;
  switch (what) {
  case 0x11B0: ANSWER(size_t, most_items(f));
  case 0x11B1: return ocl_info(required, sizeof required, room, to, needed);
  case 0x11B2: ANSWER(cl_ulong, local);
  case 0x11B3: ANSWER(size_t, f->wave ? f->wave : 64);
  case 0x11B4: ANSWER(cl_ulong, f->private_size);
  }
  return CL_INVALID_VALUE;
}

cl_int clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(k, KERNEL)) return CL_INVALID_KERNEL;
  if (i >= k->function->param_count) return CL_INVALID_ARG_INDEX;
  parameter *p = &k->function->params[i];
  if (!*p->name) return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
  switch (what) {
  case 0x1196: { // ADDRESS_QUALIFIER: global, local, constant, private
    static const char *const names[] = {"global", "local", "constant"};
    for (int n = 0; n < 3; n++)
      if (!strcmp(p->space, names[n])) ANSWER(cl_uint, 0x119B + n);
    ANSWER(cl_uint, p->kind == ARG_GLOBAL || p->kind == ARG_IMAGE ? 0x119B
                    : p->kind == ARG_LOCAL                        ? 0x119C
                                                                  : 0x119E);
  }
  case 0x1197: { // ACCESS_QUALIFIER
    static const char *const names[] = {"read_only", "write_only", "read_write"};
    for (int n = 0; n < 3; n++)
      if (!strcmp(p->access, names[n])) ANSWER(cl_uint, 0x11A0 + n);
    ANSWER(cl_uint, 0x11A3);
  }
  case 0x1198: ANSWER_TEXT(p->type);
  case 0x1199: ANSWER(cl_bitfield, p->qualifiers); // TYPE_QUALIFIER
  case 0x119A: ANSWER_TEXT(p->name);
  }
  return CL_INVALID_VALUE;
}

cl_int clGetKernelSubGroupInfo(cl_kernel k, cl_device_id d, cl_uint what, size_t size, const void *value,
                               size_t room, void *to, size_t *needed) {
  HELD;
  enum { MAX_SIZE = 0x2033, COUNT, LOCAL_SIZE = 0x11B8, MAX_COUNT, COMPILED };
  if (!IS(k, KERNEL)) return CL_INVALID_KERNEL;
  if (d && !IS(d, DEVICE)) return CL_INVALID_DEVICE;
  size_t wave = k->function->wave ? k->function->wave : 64, most = most_items(k->function), items = 1;
  size_t dims = what == LOCAL_SIZE ? room / sizeof(size_t) : size / sizeof(size_t);
  if ((what == MAX_SIZE || what == COUNT || what == LOCAL_SIZE) &&
      (!value || !size || size % sizeof(size_t) || (dims > 3 && (what != LOCAL_SIZE || to)) ||
       (what == LOCAL_SIZE && size != sizeof(size_t))))
    return CL_INVALID_VALUE;
  switch (what) {
  case MAX_SIZE: ANSWER(size_t, wave);
  case COUNT:
    for (size_t i = 0; i < dims; i++) items *= ((const size_t *)value)[i];
    ANSWER(size_t, (items + wave - 1) / wave);
  case LOCAL_SIZE: {
    size_t local[3] = {*(const size_t *)value * wave, 1, 1};
    if (!local[0] || local[0] > most) memset(local, 0, sizeof local);
    return ocl_info(local, (to ? dims : 1) * sizeof *local, room, to, needed);
  }
  case MAX_COUNT: ANSWER(size_t, (most + wave - 1) / wave);
  case COMPILED: ANSWER(size_t, 0);
  }
  return CL_INVALID_VALUE;
}

// choose_local chooses a workgroup: as many work-items as divide the grid, of a wave at most in all.
static void choose_local(function *f, cl_uint dims, const size_t *global, uint64_t local[3]) {
  uint64_t left = most_items(f);
  uint64_t wave = f->wave ? f->wave : 64;
  if (left > wave) left = wave;
  for (cl_uint d = 0; d < 3; d++) {
    local[d] = 1;
    if (d >= dims) continue;
    for (uint64_t n = left; n > 1; n--)
      if (global[d] % n == 0) {
        local[d] = n;
        break;
      }
    left /= local[d];
  }
}

// check_local checks a workgroup that the program gives.
static cl_int check_local(function *f, cl_uint dims, const size_t *global, const size_t *wanted,
                          uint64_t local[3]) {
  uint64_t items = 1;
  for (cl_uint d = 0; d < 3; d++) {
    local[d] = d < dims ? wanted[d] : 1;
    if (!local[d]) return CL_INVALID_WORK_GROUP_SIZE;
    if (local[d] > 1024) return CL_INVALID_WORK_ITEM_SIZE;
    if (d < dims && global[d] % local[d]) return CL_INVALID_WORK_GROUP_SIZE;
    if (f->required[d] && f->required[d] != local[d]) return CL_INVALID_WORK_GROUP_SIZE;
    items *= local[d];
  }
  return items > most_items(f) ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

// put_image gives what a kernel gets for an image.
static cl_int put_image(const parameter *p, const argument *a, uint64_t *address) {
  int generation = amd_generation(dev.processor);
  if (!IS(a->memory, IMAGE)) return CL_INVALID_KERNEL_ARGS;
  if (generation && !p->block) return amd_image_argument(generation, a->memory, address);
  *address = a->memory->image->description - (p->block ? IMAGE_BLOCK : 0);
  return CL_SUCCESS;
}

// put_args writes the arguments as they are now.
static cl_int put_args(cl_kernel k) {
  function *f = k->function;
  put_u64(f->param_count);
  for (uint64_t i = 0; i < f->param_count; i++) {
    argument *a = &k->args[i];
    parameter *p = &f->params[i];
    if (!a->set) {
      dev_because(0, 0, "argument %u of %s is not set", (unsigned)i, f->name);
      return CL_INVALID_KERNEL_ARGS;
    }
    uint64_t address = a->memory ? a->memory->addr : a->address;
    switch (p->kind) {
    case ARG_LOCAL:
      put_u64(1);
      put_bytes(&a->local, 8);
      break;
    case ARG_IMAGE: {
      cl_int e = put_image(p, a, &address);
      if (e) return e;
    }
    case ARG_SAMPLER: // falls through: an address too
    case ARG_GLOBAL:
      if (p->kind == ARG_GLOBAL && a->memory && !IS(a->memory, BUFFER)) return CL_INVALID_KERNEL_ARGS;
      put_u64(0);
      put_bytes(&address, p->size < 8 ? p->size : 8);
      break;
    default:
      put_u64(0);
      put_bytes(a->value, p->size);
    }
  }
  return CL_SUCCESS;
}

// keep_args keeps a kernel and the memory of its arguments while a launch waits for its turn.
static void keep_args(command *c, cl_kernel k) {
  c->kernel = k;
  k->o.refs++;
  c->used = calloc(k->function->param_count + 1, sizeof *c->used);
  if (!c->used) abort();
  for (uint64_t i = 0; i < k->function->param_count; i++)
    if (k->args[i].memory) c->used[c->used_count++] = k->args[i].memory, k->args[i].memory->o.refs++;
}

// args_there reports whether memory of arguments is there, and tells of such as the program has mapped to
// write to it.
static int args_there(cl_kernel k) {
  for (uint64_t i = 0; dev.checked & CHECK_API && i < k->function->param_count; i++) {
    cl_mem m = k->args[i].memory;
    if (!m) continue;
    if (!IS_MEMORY(m)) return 0;
    mapping *p = m->maps;
    while (p && !p->writes) p = p->next;
    char text[128];
    snprintf(text, sizeof text,
             "launches a kernel with what the program has mapped to write to it: argument %u", (unsigned)i);
    if (p) dev_wrong(CHECK_API, NULL, text, m->addr, m->size, NULL);
  }
  return 1;
}

static cl_int run_launch(command *c) {
  dev_begin();
  dev_reserve(&dev.out, c->byte_count);
  memcpy(dev.out.data + dev.out.size, c->bytes, c->byte_count);
  dev.out.size += c->byte_count;
  ocl_settled = 0;
  enum dev_status s = dev_request(OP_LAUNCH);
  if (s == DEV_BAD_LAUNCH) dev_say("%s", dev.message);
  cl_int e = ocl_handed(c, s);
  if (e && s != DEV_BAD_LAUNCH) ocl_settle(); // an earlier kernel has failed: that is said first
  return e;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
                              const size_t *global, const size_t *wanted, cl_uint n, const cl_event *waits,
                              cl_event *event) {
  HELD;
  if (!IS(q, QUEUE)) return ocl_answer(CL_INVALID_COMMAND_QUEUE);
  if (!IS(k, KERNEL)) return ocl_answer(CL_INVALID_KERNEL);
  if (k->program->context != q->context) return ocl_answer(CL_INVALID_CONTEXT);
  if (!dims || dims > 3) return ocl_answer(CL_INVALID_WORK_DIMENSION);
  if (!args_there(k)) return ocl_answer(CL_INVALID_MEM_OBJECT);
  function *f = k->function;
  uint64_t local[3];
  int empty = !global;
  for (cl_uint d = 0; d < dims && global; d++) {
    if (!global[d]) empty = 1;
    if (global[d] > UINT32_MAX) return ocl_answer(CL_INVALID_GLOBAL_WORK_SIZE);
    if (offset && offset[d] > UINT32_MAX - global[d]) return ocl_answer(CL_INVALID_GLOBAL_OFFSET);
  }
  if (empty)
    return ocl_answer(ocl_enqueue(ocl_command(q, NULL), CL_COMMAND_NDRANGE_KERNEL, 0, n, waits, event));
  size_t required[3] = {f->required[0], f->required[1], f->required[2]};
  if (!wanted && required[0]) wanted = required;
  if (wanted) {
    cl_int e = check_local(f, dims, global, wanted, local);
    if (e)
      dev_because(0, 0, "%zu work-items in a first dimension of groups of %zu, of %u dimensions", global[0],
                  wanted[0], dims);
    if (e) return ocl_answer(e);
  } else choose_local(f, dims, global, local);
  dev_begin();
  put_u64(q->stream);
  put_u64(k->program->module);
  put_u64(k->index);
  for (cl_uint d = 0; d < 3; d++) put_u64(d < dims ? global[d] : 1);
  for (cl_uint d = 0; d < 3; d++) put_u64(local[d]);
  for (cl_uint d = 0; d < 3; d++) put_u64(d < dims && offset ? offset[d] : 0);
  put_u64(0); // workgroup memory beyond the arguments'
  put_u64(1 << 20); // the printf buffer
  put_u64(dims << 8); // workgroups need not run at once
  cl_int e = put_args(k);
  if (e) return ocl_answer(e);
  command *c = device_command(q, run_launch);
  enum { HEADER = 8 };
  c->byte_count = dev.out.size - HEADER;
  c->bytes = malloc(c->byte_count);
  memcpy(c->bytes, dev.out.data + HEADER, c->byte_count);
  keep_args(c, k);
  return ocl_answer(ocl_enqueue(c, CL_COMMAND_NDRANGE_KERNEL, 0, n, waits, event));
}

cl_int clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint n, const cl_event *waits, cl_event *event) {
  size_t one = 1;
  return ocl_answer(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, &one, n, waits, event));
}

cl_int clEnqueueNativeKernel(cl_command_queue q, void (*call)(void *), void *args, size_t size,
                             cl_uint count, const cl_mem *list, const void **places, cl_uint n,
                             const cl_event *waits, cl_event *event) {
  static char said;
  return ocl_answer(ocl_missing("clEnqueueNativeKernel", &said, CL_INVALID_OPERATION));
}
