// Programs: the service compiles sources, the device loads what comes of it.
#include "ocl.h"

enum { INPUT_SOURCE, INPUT_BITCODE };

static cl_program new_program(cl_context c) {
  cl_program p = ocl_new(PROGRAM, sizeof *p);
  p->context = c;
  c->o.refs++;
  p->state = BUILD_NONE;
  p->options = ocl_copy("");
  p->log = ocl_copy("");
  return p;
}

static void set_file(cl_program p, const void *data, size_t size) {
  free(p->file);
  p->file = malloc(size + 1);
  if (!p->file) abort();
  memcpy(p->file, data, size);
  p->file_size = size;
}

cl_program clCreateProgramWithSource(cl_context c, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (!count || !strings) return ocl_fail(error, CL_INVALID_VALUE);
  size_t total = 0;
  for (cl_uint i = 0; i < count; i++) {
    if (!strings[i]) return ocl_fail(error, CL_INVALID_VALUE);
    total += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
  }
  cl_program p = new_program(c);
  p->source = malloc(total + 1);
  if (!p->source) abort();
  size_t at = 0;
  for (cl_uint i = 0; i < count; i++) {
    size_t n = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    memcpy(p->source + at, strings[i], n);
    at += n;
  }
  p->source[at] = 0;
  if (error) *error = CL_SUCCESS;
  return p;
}

cl_program clCreateProgramWithIL(cl_context c, const void *il, size_t size, cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  uint32_t magic = 0;
  if (il && size >= 4) memcpy(&magic, il, 4);
  if (magic != 0x07230203 && magic != 0x03022307) return ocl_fail(error, CL_INVALID_VALUE);
  cl_program p = new_program(c);
  set_file(p, il, size);
  p->il = 1;
  if (error) *error = CL_SUCCESS;
  return p;
}

// What begins the bitcode of a library, before that of an object: a comment.
#define LIBRARY_MARK "; library\n"

static int starts(cl_program p, const char *mark) {
  return p->file_size > strlen(mark) && !memcmp(p->file, mark, strlen(mark));
}

cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *devices,
                                     const size_t *sizes, const unsigned char **files, cl_int *status,
                                     cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (!n || !devices || !sizes || !files || !files[0] || !sizes[0]) return ocl_fail(error, CL_INVALID_VALUE);
  // There is one device, which may be named once.
  if (n > 1 || !IS(devices[0], DEVICE)) return ocl_fail(error, CL_INVALID_DEVICE);
  cl_program p = new_program(c);
  set_file(p, files[0], sizes[0]);
  p->type = starts(p, LIBRARY_MARK) ? BINARY_LIBRARY : starts(p, "; Mo") ? BINARY_OBJECT : BINARY_EXECUTABLE;
  if (status) *status = CL_SUCCESS;
  if (error) *error = CL_SUCCESS;
  return p;
}

cl_program clCreateProgramWithBuiltInKernels(cl_context c, cl_uint n, const cl_device_id *devices,
                                             const char *names, cl_int *error) {
  return ocl_fail(error, CL_INVALID_VALUE); // there are none
}

static void forget_module(cl_program p) {
  if (p->loaded) {
    dev_begin();
    put_u64(p->module);
    dev_request(OP_UNLOAD);
  }
  p->loaded = 0;
  for (uint64_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (uint64_t k = 0; k < f->param_count; k++) {
      parameter *a = &f->params[k];
      free(a->name), free(a->type), free(a->space), free(a->access);
    }
    free(f->name), free(f->attributes), free(f->params);
  }
  free(p->functions);
  p->functions = NULL;
  p->function_count = 0;
}

cl_int clRetainProgram(cl_program p) {
  HELD;
  if (!IS(p, PROGRAM)) return ocl_answer(CL_INVALID_PROGRAM);
  ocl_retained(p);
  return CL_SUCCESS;
}

static void ocl_release_program(cl_program p) {
  if (--p->o.refs) return;
  forget_module(p);
  free(p->source), free(p->file), free(p->options), free(p->log), free(p->constants), free(p->object);
  ocl_release_context(p->context);
  ocl_free(p);
}

cl_int clReleaseProgram(cl_program p) {
  HELD;
  if (!IS(p, PROGRAM)) return ocl_answer(CL_INVALID_PROGRAM);
  if (ocl_released(p)) return ocl_answer(CL_INVALID_PROGRAM);
  ocl_release_program(p);
  return CL_SUCCESS;
}

cl_int clSetProgramReleaseCallback(cl_program p, void *call, void *data) {
  return ocl_answer(IS(p, PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM); // no program has destructors
}

static void set_log(cl_program p, const char *text, size_t n) {
  free(p->log);
  p->log = malloc(n + 1);
  if (!p->log) abort();
  memcpy(p->log, text, n);
  p->log[n] = 0;
}

// get_functions reads the kernels of a load's answer.
static void get_functions(cl_program p) {
  size_t n;
  p->module = get_u64();
  const char *processor = get_bytes(&n);
  snprintf(dev.processor, sizeof dev.processor, "%.*s", (int)n, processor);
  uint64_t count = get_u64();
  p->functions = calloc(count + 1, sizeof *p->functions);
  for (uint64_t i = 0; i < count && !dev.in.bad; i++) {
    function *f = &p->functions[p->function_count++];
    f->name = get_string();
    f->arg_size = get_u64();
    f->lds = get_u64();
    f->private_size = get_u64();
    f->max_items = get_u64();
    f->wave = get_u64();
    get_u64(); // registers
    get_u64(); // compute capability
    for (int d = 0; d < 3; d++) f->required[d] = get_u64();
    f->attributes = get_string();
    uint64_t params = get_u64();
    f->params = calloc(params + 1, sizeof *f->params);
    for (uint64_t k = 0; k < params && !dev.in.bad; k++) {
      parameter *a = &f->params[f->param_count++];
      a->kind = get_u64();
      if ((a->block = a->kind == ARG_IMAGE_BLOCK)) a->kind = ARG_IMAGE;
      a->offset = get_u64();
      a->size = get_u64();
      a->name = get_string();
      a->type = get_string();
      a->space = get_string();
      a->access = get_string();
      a->qualifiers = get_u64();
    }
  }
}

// load gives a program's file to the device.
static cl_int load(cl_program p) {
  dev_begin();
  put_lent(p->file, p->file_size);
  put_constants(p);
  enum dev_status s = dev_request(OP_LOAD);
  if (s != DEV_DONE) {
    set_log(p, dev.message, strlen(dev.message));
    return s == DEV_BAD_MODULE ? CL_INVALID_BINARY : ocl_error(s);
  }
  get_functions(p);
  p->loaded = 1;
  p->type = BINARY_EXECUTABLE;
  return CL_SUCCESS;
}

// put_options writes options, and the folder in which the program looks for files that they and the sources
// name.
static void put_options(const char *options) {
  char dir[4096];
  if (!getcwd(dir, sizeof dir)) {
    put_bytes(options, strlen(options));
    return;
  }
  char *all = malloc(strlen(options) + 2 * sizeof dir + 64), *at = all;
  if (!all) abort();
  at += sprintf(at, "%s \"-working-directory=", options);
  for (const char *c = dir; *c; c++) {
    if (*c == '"' || *c == '\\') *at++ = '\\';
    *at++ = *c;
  }
  strcpy(at, "\" -I.");
  put_bytes(all, strlen(all));
  free(all);
}

// bad_options is the error if it was for the options that something failed.
static cl_int bad_options(cl_int failure) {
  return failure == CL_LINK_PROGRAM_FAILURE      ? CL_INVALID_LINKER_OPTIONS
         : failure == CL_COMPILE_PROGRAM_FAILURE ? CL_INVALID_COMPILER_OPTIONS
                                                 : CL_INVALID_BUILD_OPTIONS;
}

// compile has inputs made into an executable, or an object that is to be linked.
static cl_int compile(cl_program p, int object, const char *options, cl_uint inputs, const cl_program *list,
                      cl_uint headers, const cl_program *header, const char **names, cl_int failure) {
  dev_begin();
  put_u64(object);
  put_options(options);
  put_u64(inputs);
  for (cl_uint i = 0; i < inputs; i++) {
    cl_program q = list[i];
    put_u64(q->source ? INPUT_SOURCE : INPUT_BITCODE);
    if (q->source) put_bytes(q->source, strlen(q->source));
    else put_bytes(q->file, q->file_size);
  }
  put_u64(headers);
  for (cl_uint i = 0; i < headers; i++) {
    put_bytes(names[i], strlen(names[i]));
    put_bytes(header[i]->source, strlen(header[i]->source));
  }
  enum dev_status s = dev_request(OP_BUILD);
  size_t n;
  if (s != DEV_DONE) {
    set_log(p, dev.message, strlen(dev.message));
    return s == DEV_UNSUPPORTED ? CL_INVALID_OPERATION : failure;
  }
  uint64_t ok = get_u64();
  const char *log = get_bytes(&n);
  set_log(p, log, n);
  const char *file = get_bytes(&n);
  if (!ok) return strstr(p->log, "error: unknown argument") ? bad_options(failure) : failure;
  set_file(p, file, n);
  p->type = object ? BINARY_OBJECT : BINARY_EXECUTABLE;
  return CL_SUCCESS;
}

// start begins a build of a program, and end notes how it went.
static cl_int start(cl_program p, const char *options) {
  if (p->kernels) return CL_INVALID_OPERATION;
  forget_module(p);
  free(p->options);
  p->options = ocl_copy(options);
  set_log(p, "", 0);
  p->type = BINARY_NONE;
  return CL_SUCCESS;
}

static cl_int end(cl_program p, cl_int error, void (*notify)(cl_program, void *), void *data) {
  p->state = error ? BUILD_ERROR : BUILD_SUCCESS;
  if (notify) {
    dev_unlock();
    notify(p, data);
    dev_lock();
  }
  return error;
}

static cl_int devices_are_ours(cl_uint n, const cl_device_id *devices) {
  if (!n != !devices) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; i++)
    if (!IS(devices[i], DEVICE)) return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
                      void (*notify)(cl_program, void *), void *data) {
  HELD;
  if (!IS(p, PROGRAM)) return ocl_answer(CL_INVALID_PROGRAM);
  if (!notify && data) return ocl_answer(CL_INVALID_VALUE);
  cl_int e = devices_are_ours(n, devices);
  int object = (p->type == BINARY_OBJECT || p->type == BINARY_LIBRARY) && !p->source && !p->il;
  if (!e) e = start(p, options);
  if (e) return ocl_answer(e);
  if (p->source || object) e = compile(p, 0, p->options, 1, &p, 0, NULL, NULL, CL_BUILD_PROGRAM_FAILURE);
  if (!e) e = load(p);
  if (e == CL_INVALID_BINARY && p->source) e = CL_BUILD_PROGRAM_FAILURE;
  return ocl_answer(end(p, e, notify, data));
}

cl_int clCompileProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
                        cl_uint headers, const cl_program *header, const char **names,
                        void (*notify)(cl_program, void *), void *data) {
  HELD;
  if (!IS(p, PROGRAM)) return ocl_answer(CL_INVALID_PROGRAM);
  if ((!notify && data) || !headers != !header || !headers != !names) return ocl_answer(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < headers; i++)
    if (!IS(header[i], PROGRAM) || !header[i]->source) return ocl_answer(CL_INVALID_PROGRAM);
  cl_int e = devices_are_ours(n, devices);
  if (!e && !p->source && !p->il) e = CL_INVALID_OPERATION;
  if (!e) e = start(p, options);
  if (e) return ocl_answer(e);
  if (p->il) { // there is nothing to do but to take its constants
    free(p->object);
    p->object = freeze(p);
    p->type = BINARY_OBJECT;
    return ocl_answer(end(p, CL_SUCCESS, notify, data));
  }
  return ocl_answer(end(p,
                        compile(p, 1, p->options, 1, &p, headers, header, names, CL_COMPILE_PROGRAM_FAILURE),
                        notify, data));
}

static void mark_library(cl_program p) {
  p->type = BINARY_LIBRARY;
  if (!starts(p, "; Mo")) return; // SPIR-V says so itself
  size_t n = strlen(LIBRARY_MARK);
  p->file = realloc(p->file, p->file_size + n + 1);
  if (!p->file) abort();
  memmove(p->file + n, p->file, p->file_size);
  memcpy(p->file, LIBRARY_MARK, n);
  p->file_size += n;
}

static int word_is(const char *word, size_t n, const char *text) {
  return strlen(text) == n && !memcmp(word, text, n);
}

// links reports whether options are those of a linker (OpenCL API, section "Linker Options"), or of a
// compiler, which many programs give to both.
static int links(const char *options) {
  static const char space[] = " \t\n";
  int value = 0; // of -D, -I or -x
  for (const char *c = options ? options : ""; *(c += strspn(c, space));) {
    const char *w = c;
    for (char quote = 0; *c && (quote || !strchr(space, *c)); c++)
      if (*c == '\\' && c[1]) c++;
      else if (quote ? *c == quote : *c == '"' || *c == '\'') quote = quote ? 0 : *c;
    if (*w == '"' || *w == '\'') w++;
    size_t n = c - w;
    int own = word_is(w, n, "-create-library") || word_is(w, n, "-enable-link-options");
    if (!value && !own && !(n > 1 && w[0] == '-' && strchr("DIWwgOfmxs", w[1])) && strncmp(w, "-cl-", 4))
      return 0;
    value = !value && n == 2 && strchr("DIx", w[1]);
  }
  return 1;
}

cl_program clLinkProgram(cl_context c, cl_uint n, const cl_device_id *devices, const char *options,
                         cl_uint inputs, const cl_program *list, void (*notify)(cl_program, void *),
                         void *data, cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (!inputs || !list || (!notify && data)) return ocl_fail(error, CL_INVALID_VALUE);
  cl_int e = devices_are_ours(n, devices);
  if (!e && !links(options)) e = CL_INVALID_LINKER_OPTIONS;
  cl_program *objects = calloc(inputs, sizeof *objects);
  for (cl_uint i = 0; i < inputs && !e; i++) {
    if (!IS(list[i], PROGRAM)) e = CL_INVALID_PROGRAM;
    else if (list[i]->type != BINARY_OBJECT && list[i]->type != BINARY_LIBRARY) e = CL_INVALID_OPERATION;
    if (e) break;
    objects[i] = ocl_new(PROGRAM, sizeof **objects); // what was compiled counts, not its source
    objects[i]->file = list[i]->object ? list[i]->object : list[i]->file;
    objects[i]->file_size = list[i]->file_size;
  }
  cl_program p = NULL;
  int library = options && strstr(options, "-create-library");
  if (!e) {
    p = new_program(c);
    start(p, options);
    e = compile(p, library, p->options, inputs, objects, 0, NULL, NULL, CL_LINK_PROGRAM_FAILURE);
    if (!e && library) mark_library(p);
    if (!e && !library) e = load(p);
    end(p, e, notify, data);
  }
  for (cl_uint i = 0; i < inputs; i++) free(objects[i]);
  free(objects);
  if (error) *error = e;
  return p;
}

cl_int clUnloadCompiler(void) { return CL_SUCCESS; }
cl_int clUnloadPlatformCompiler(cl_platform_id p) {
  return ocl_answer(IS(p, PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM);
}

static cl_int kernel_names(cl_program p, size_t room, void *to, size_t *needed) {
  if (!p->loaded) return CL_INVALID_PROGRAM_EXECUTABLE;
  size_t n = 1;
  for (uint64_t i = 0; i < p->function_count; i++) n += strlen(p->functions[i].name) + 1;
  char *all = calloc(1, n);
  for (uint64_t i = 0; i < p->function_count; i++) {
    if (i) strcat(all, ";");
    strcat(all, p->functions[i].name);
  }
  cl_int e = ocl_info(all, strlen(all) + 1, room, to, needed);
  free(all);
  return e;
}

cl_int clGetProgramInfo(cl_program p, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(p, PROGRAM)) return CL_INVALID_PROGRAM;
  switch (what) {
  case 0x1160: ANSWER(cl_uint, p->o.refs);
  case 0x1161: ANSWER(cl_context, p->context);
  case 0x1162: ANSWER(cl_uint, 1);
  case 0x1163: ANSWER(cl_device_id, &ocl_device);
  case 0x1164: ANSWER_TEXT(p->source ? p->source : "");
  case 0x1165: ANSWER(size_t, p->type ? p->file_size : 0);
  case 0x1166: { // BINARIES: an array of pointers to copy to
    unsigned char **list = to;
    if (needed) *needed = sizeof *list;
    if (!to) return CL_SUCCESS;
    if (room < sizeof *list) return CL_INVALID_VALUE;
    if (list[0] && p->type) memcpy(list[0], p->file, p->file_size);
    return CL_SUCCESS;
  }
  case 0x1167:
    if (!p->loaded) return CL_INVALID_PROGRAM_EXECUTABLE;
    ANSWER(size_t, p->function_count);
  case 0x1168: return kernel_names(p, room, to, needed);
  case 0x1169: return ocl_info(p->file, p->il ? p->file_size : 0, room, to, needed);
  case 0x116A: case 0x116B: ANSWER(cl_bool, 0); // SCOPE_GLOBAL_CTORS, DTORS
  }
  return CL_INVALID_VALUE;
}

cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_uint what, size_t room, void *to,
                             size_t *needed) {
  HELD;
  if (!IS(p, PROGRAM)) return CL_INVALID_PROGRAM;
  if (!IS(d, DEVICE)) return CL_INVALID_DEVICE;
  switch (what) {
  case 0x1181: ANSWER(cl_int, p->state);
  case 0x1182: ANSWER_TEXT(p->options);
  case 0x1183: ANSWER_TEXT(p->log);
  case 0x1184: ANSWER(cl_uint, p->type);
  case 0x1185: ANSWER(size_t, 0);
  }
  return CL_INVALID_VALUE;
}
