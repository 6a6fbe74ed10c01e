// Launches of kernels in all forms of the HIP runtime API, and what it tells of
// kernels.
#include "hip.h"

enum { MAX_PUSHED = 64 };
static _Thread_local struct {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
  uintptr_t from; // where the program does so
} pushed[MAX_PUSHED];
static _Thread_local int pushed_count;

int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
  if (pushed_count == MAX_PUSHED) return hip_done(hipErrorInvalidConfiguration);
  pushed[pushed_count].grid = grid;
  pushed[pushed_count].block = block;
  pushed[pushed_count].shared = shared;
  pushed[pushed_count].stream = stream;
  pushed[pushed_count].from = (uintptr_t)__builtin_return_address(0);
  pushed_count++;
  return hipSuccess;
}

int __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream) {
  if (pushed_count == 0) return hip_done(hipErrorMissingConfiguration);
  pushed_count--;
  *grid = pushed[pushed_count].grid;
  *block = pushed[pushed_count].block;
  *shared = pushed[pushed_count].shared;
  *stream = pushed[pushed_count].stream;
  dev_launching = pushed[pushed_count].from;
  return hipSuccess;
}

static int blocks_per_unit(hip_kernel *k, int block, size_t shared);

// launch hands a launch to the device. The kernel's arguments are pointers to each, or a block of bytes.
static int launch(hip_kernel *k, const uint64_t items[3], dim3 block, size_t shared, int form,
                  hipStream_t stream, void **args, const unsigned char *bytes, size_t size) {
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  for (int i = 0; i < 3; i++)
    if (!items[i] || items[i] > UINT32_MAX) return hipErrorInvalidConfiguration;
  if (!threads || threads > 1024) return hipErrorInvalidConfiguration;
  hip_order(stream);
  dev_begin();
  put_u64(stream->id);
  put_u64(k->module->id);
  put_u64(k->index);
  for (int i = 0; i < 3; i++) put_u64(items[i]);
  put_u64(block.x), put_u64(block.y), put_u64(block.z);
  put_u64(0), put_u64(0), put_u64(0);
  put_u64(shared);
  put_u64(0);
  put_u64((uint64_t)form);
  put_u64(k->arg_count);
  for (uint64_t i = 0; i < k->arg_count; i++) {
    const hip_arg *a = &k->args[i];
    static const unsigned char zeros[4096];
    const void *value = zeros;
    if (args) value = args[i];
    else if (bytes && a->offset + a->size <= size) value = bytes + a->offset;
    else if (a->size > sizeof zeros) return hipErrorInvalidValue;
    if (!value) return hipErrorInvalidValue;
    put_u64(0);
    put_bytes(value, a->size);
  }
  enum dev_status s = dev_request(OP_LAUNCH);
  if (s == DEV_DONE) hip_submitted(stream, get_u64());
  if (s == DEV_BAD_LAUNCH || s == DEV_FAILED) dev_say("%s", dev.message);
  return hip_error(s);
}

// What forms of a launch return where its sizes cannot be, as AMD's tests of the API have it.
typedef struct {
  int empty, block, shared;
} refusals;
static const refusals of_pointers = {hipErrorInvalidValue, hipErrorInvalidConfiguration, hipErrorOutOfMemory},
                      of_functions = {hipErrorInvalidValue, hipErrorInvalidValue, hipErrorInvalidValue},
                      of_cooperative = {hipErrorInvalidConfiguration, hipErrorInvalidConfiguration,
                                        hipErrorCooperativeLaunchTooLarge};

// refused says what is wrong with the sizes of a launch, 0 for nothing.
static int refused(const refusals *r, const uint64_t items[3], dim3 block, size_t shared) {
  enum { MOST = 1024 };
  dev_because(0, 0, "%llu x %llu x %llu threads in blocks of %u x %u x %u that share %zu bytes of memory",
              (unsigned long long)items[0], (unsigned long long)items[1], (unsigned long long)items[2],
              block.x, block.y, block.z, shared);
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (!items[0] || !items[1] || !items[2]) return r->empty;
  if (block.x > MOST || block.y > MOST || block.z > MOST || threads > MOST) return r->block;
  if (shared > LDS) return r->shared;
  dev_forget_reason();
  return hipSuccess;
}

// ITEMS is how many work-items a grid of workgroups has.
#define ITEMS(grid, block) \
  {(uint64_t)(grid).x * (block).x, (uint64_t)(grid).y * (block).y, (uint64_t)(grid).z * (block).z}

// block_of finds the block of bytes in a list of what follows what, and its size.
static const unsigned char *block_of(void **extra, size_t *size) {
  enum { BUFFER = 1, SIZE = 2, END = 3 };
  const unsigned char *bytes = NULL;
  for (void **e = extra; e && (uintptr_t)*e != END && *e; e += 2) {
    if ((uintptr_t)*e == BUFFER) bytes = e[1];
    if ((uintptr_t)*e == SIZE) *size = *(size_t *)e[1];
  }
  return bytes;
}

// pack_job makes a job of a launch. Its arguments are copied now.
static int pack_job(hip_job *job, hip_kernel *k, const uint64_t items[3], dim3 block, size_t shared,
                    void **args, const unsigned char *bytes, size_t size) {
  size_t end = 0;
  for (uint64_t i = 0; i < k->arg_count; i++)
    if (k->args[i].offset + k->args[i].size > end) end = k->args[i].offset + k->args[i].size;
  *job = (hip_job){.kind = JOB_KERNEL, .kernel = k, .block = block, .shared = shared, .size = end};
  memcpy(job->items, items, sizeof job->items);
  if (!(job->arguments = calloc(1, end + 1))) abort();
  if (!args && bytes) memcpy(job->arguments, bytes, size < end ? size : end);
  for (uint64_t i = 0; args && i < k->arg_count; i++) {
    if (!args[i]) return hipErrorInvalidValue;
    memcpy(job->arguments + k->args[i].offset, args[i], k->args[i].size);
  }
  return hipSuccess;
}

int hip_kernel_job(hip_job *job, hip_kernel *k, const void *function, dim3 grid, dim3 block, size_t shared,
                   void **args, void **extra) {
  uint64_t items[] = ITEMS(grid, block);
  size_t size = 0;
  const unsigned char *bytes = block_of(extra, &size);
  int error = items[0] && items[1] && items[2] ? pack_job(job, k, items, block, shared, args, bytes, size)
                                               : hipErrorInvalidConfiguration;
  job->function = function;
  return error;
}

static int run_kernel(const hip_job *j, hipStream_t s) {
  dev_lock();
  int error = launch(j->kernel, j->items, j->block, j->shared, j->form, hip_stream(s), NULL,
                     j->arguments, j->size);
  dev_unlock();
  return error;
}

HIP_WORK(JOB_KERNEL, .run = run_kernel)

// launch_in launches a kernel when its stream comes to it.
static int launch_in(hip_kernel *k, const void *function, const uint64_t items[3], dim3 block, size_t shared,
                     int form, hipStream_t stream, void **args, const unsigned char *bytes,
                     size_t size) {
  if (!is_stream(stream)) return dev_because_of("stream", stream), hipErrorContextIsDestroyed;
  int captured = hip_capturing(stream);
  stream = hip_stream(stream);
  if (!captured && !hip_held(stream))
    return launch(k, items, block, shared, form, stream, args, bytes, size);
  hip_job job;
  int error = pack_job(&job, k, items, block, shared, args, bytes, size);
  job.function = function;
  job.form = form;
  if (!error && captured) error = hip_capture(stream, &job);
  else if (!error) hip_enqueue(stream, &job, NULL);
  free(job.arguments);
  return error;
}

static int launch_groups(hip_kernel *k, const void *f, dim3 grid, dim3 block, size_t shared, int form,
                         hipStream_t stream, void **args) {
  uint64_t items[] = ITEMS(grid, block);
  int error = refused(form & HIP_TOGETHER ? &of_cooperative : &of_pointers, items, block, shared);
  return error ? error : launch_in(k, f, items, block, shared, form, stream, args, NULL, 0);
}

// hip_launch_symbol launches the kernel that a function of the host stands for.
int hip_launch_symbol(const void *f, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t stream,
                      int form) {
  dev_lock();
  hip_kernel *k;
  int error = find_kernel(f, &k);
  if (!error) error = launch_groups(k, f, grid, block, shared, form, stream, args);
  dev_unlock();
  hip_done(error);
  dev_launching = 0;
  return error;
}

int hipLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t stream) {
  return hip_launch_symbol(f, grid, block, args, shared, stream, 0);
}

// fits reports whether all workgroups of a cooperative launch can run at once.
static int fits(hip_kernel *k, uint64_t groups, dim3 block, size_t shared) {
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  return groups <= (uint64_t)hip_units() * (uint64_t)blocks_per_unit(k, (int)threads, shared);
}

int hipLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, unsigned shared,
                               hipStream_t stream) {
  dev_lock();
  hip_kernel *k;
  int error = find_kernel(f, &k);
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  if (!error && threads <= k->max_threads && !fits(k, (uint64_t)grid.x * grid.y * grid.z, block, shared))
    error = hipErrorCooperativeLaunchTooLarge;
  if (!error) error = launch_groups(k, f, grid, block, shared, HIP_TOGETHER, stream, args);
  dev_unlock();
  return hip_done(error);
}

int hipExtLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t stream,
                       hipEvent_t start, hipEvent_t stop, int flags) {
  (void)flags;
  if (start) hipEventRecord(start, stream);
  int error = hipLaunchKernel(f, grid, block, args, shared, stream);
  if (stop) hipEventRecord(stop, stream);
  return error;
}

// The older form: a configuration, arguments one by one, and the launch.
static _Thread_local unsigned char setup[4096];
static _Thread_local size_t setup_size;

int hipConfigureCall(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
  setup_size = 0;
  return __hipPushCallConfiguration(grid, block, shared, stream);
}

int hipSetupArgument(const void *arg, size_t size, size_t offset) {
  if (size > sizeof setup || offset > sizeof setup - size) return hip_done(hipErrorInvalidValue);
  memcpy(setup + offset, arg, size);
  if (offset + size > setup_size) setup_size = offset + size;
  return hipSuccess;
}

int hipLaunchByPtr(const void *f) {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
  int error = __hipPopCallConfiguration(&grid, &block, &shared, &stream);
  if (error) return error;
  dev_lock();
  hip_kernel *k;
  error = find_kernel(f, &k);
  uint64_t items[] = ITEMS(grid, block);
  if (!error) error = refused(&of_pointers, items, block, shared);
  if (!error) error = launch_in(k, f, items, block, shared, 0, stream, NULL, setup, setup_size);
  dev_unlock();
  return hip_done(error);
}

// launch_function launches with arguments as the module API has them: pointers,
// or a list of a block of bytes and its size.
static int launch_function(hip_kernel *k, const uint64_t items[3], dim3 block, unsigned shared, int form,
                           hipStream_t stream, void **params, void **extra) {
  size_t size = 0;
  const unsigned char *bytes = params ? NULL : block_of(extra, &size);
  if (!k) return hipErrorInvalidResourceHandle;
  if ((params && extra) || (extra && k->arg_count && !bytes)) return hipErrorInvalidValue;
  int error = refused(&of_functions, items, block, shared);
  if (error) return error;
  dev_lock();
  error = launch_in(k, k, items, block, shared, form, stream, params, bytes, size);
  dev_unlock();
  return error;
}

// hip_launch_function launches a function of a module.
int hip_launch_function(hipFunction_t f, dim3 grid, dim3 block, void **params, void **extra, unsigned shared,
                        hipStream_t stream, int form) {
  uint64_t items[] = ITEMS(grid, block);
  return hip_done(launch_function(f, items, block, shared, form, stream, params, extra));
}

int hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, hipStream_t stream, void **params, void **extra) {
  return hip_launch_function(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, params, extra, shared, stream, 0);
}

int hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                     unsigned by, unsigned bz, unsigned shared, hipStream_t stream,
                                     void **params) {
  uint64_t items[3] = {(uint64_t)gx * bx, (uint64_t)gy * by, (uint64_t)gz * bz};
  dim3 block = {bx, by, bz};
  if (f && !refused(&of_functions, items, block, shared) && !fits(f, (uint64_t)gx * gy * gz, block, shared))
    return hip_done(hipErrorCooperativeLaunchTooLarge);
  return hip_done(launch_function(f, items, (dim3){bx, by, bz}, shared, HIP_TOGETHER, stream, params, NULL));
}

int hipExtModuleLaunchKernel(hipFunction_t f, uint32_t ix, uint32_t iy, uint32_t iz, uint32_t bx,
                             uint32_t by, uint32_t bz, size_t shared, hipStream_t stream, void **params,
                             void **extra, hipEvent_t start, hipEvent_t stop, uint32_t flags) {
  (void)flags;
  uint64_t items[3] = {ix, iy, iz};
  if (start) hipEventRecord(start, stream);
  int error = launch_function(f, items, (dim3){bx, by, bz}, (unsigned)shared, 0, stream, params, extra);
  if (stop) hipEventRecord(stop, stream);
  return hip_done(error);
}

int hipHccModuleLaunchKernel(hipFunction_t f, uint32_t ix, uint32_t iy, uint32_t iz, uint32_t bx,
                             uint32_t by, uint32_t bz, size_t shared, hipStream_t stream, void **params,
                             void **extra, hipEvent_t start, hipEvent_t stop) {
  return hipExtModuleLaunchKernel(f, ix, iy, iz, bx, by, bz, shared, stream, params, extra, start, stop, 0);
}

// AMD's hip_ext.h declares the two outside of extern "C", so that programs of C++ ask for them by these
// names.
extern __typeof__(hipExtModuleLaunchKernel)
    _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j
    __attribute__((alias("hipExtModuleLaunchKernel")));
extern __typeof__(hipHccModuleLaunchKernel)
    _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_
    __attribute__((alias("hipHccModuleLaunchKernel")));

// What a kernel is.

int hipFuncGetAttributes(void *attributes, const void *f) {
  // struct hipFuncAttributes, by the offsets that its fields have.
  unsigned char *p = attributes;
  hip_kernel *k = NULL;
  int error = kernel_of(f, &k);
  if (error || !p) return hip_done(error ? error : hipErrorInvalidValue);
  memset(p, 0, 56);
  size_t local = k->scratch, shared = k->lds;
  int values[] = {k->most_shared, (int)k->max_threads, k->registers, k->carveout}, version = 90;
  memcpy(p, &version, sizeof version);
  memcpy(p + 40, &version, sizeof version);
  memcpy(p + 16, &local, 8);
  memcpy(p + 24, values, sizeof values);
  memcpy(p + 48, &shared, 8);
  return hipSuccess;
}

int hipFuncGetAttribute(int *value, int attribute, hipFunction_t k) {
  if (!value || !k) return hip_done(value ? hipErrorInvalidResourceHandle : hipErrorInvalidValue);
  const int values[] = {
      (int)k->max_threads, (int)k->lds, 0, (int)k->scratch, k->registers, k->capability ? k->capability : 90,
      90, 0, k->most_shared, k->carveout};
  if (attribute < 0 || attribute > 9) return hip_done(hipErrorInvalidValue);
  *value = values[attribute];
  return hipSuccess;
}

// hipFuncSetAttribute keeps what programs ask for. Each launch may have all the LDS that the kernel's own
// leaves, whether or not it was asked for.
int hipFuncSetAttribute(const void *f, int attribute, int value) {
  enum { MAX_DYNAMIC_SHARED = 8, PREFERRED_CARVEOUT };
  hip_kernel *k = NULL;
  int error = kernel_of(f, &k);
  if (error) return hip_done(error);
  // A share of memory is in hundredths, or -1 for any.
  int most = attribute == MAX_DYNAMIC_SHARED ? (int)(LDS - k->lds) : 100;
  int known = attribute == MAX_DYNAMIC_SHARED || attribute == PREFERRED_CARVEOUT;
  int fits = value <= most && value >= (attribute == PREFERRED_CARVEOUT ? -1 : 0);
  if (!known || !fits) return hip_done(hipErrorInvalidValue);
  *(attribute == MAX_DYNAMIC_SHARED ? &k->most_shared : &k->carveout) = value;
  return hipSuccess;
}

// blocks_per_unit is how many workgroups a compute unit has room for: four SIMD units with 8 waves each (16
// of 32 lanes) or as many as have registers, and as many as have LDS.
static int blocks_per_unit(hip_kernel *k, int block, size_t shared) {
  enum { SIMDS = 4, WAVES = 8 };
  int lanes = k->wave == 32 ? 32 : 64, waves = (block + lanes - 1) / lanes, most = WAVES * 64 / lanes;
  int each = hip_waves(lanes, k->registers > 0 ? k->registers : 1);
  int n = SIMDS * (each < most ? each : most) / (waves > 0 ? waves : 1);
  size_t lds = k->lds + shared;
  if (lds > 0 && LDS / lds < (size_t)n) n = (int)(LDS / lds);
  return n;
}

static int occupancy(int *blocks, hip_kernel *k, int block, size_t shared) {
  if (!blocks || block <= 0) return hipErrorInvalidValue;
  *blocks = (unsigned)block > k->max_threads ? 0 : blocks_per_unit(k, block, shared);
  return hipSuccess;
}

int hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int block, size_t shared) {
  hip_kernel *k = NULL;
  int error = kernel_of(f, &k);
  return hip_done(error ? error : occupancy(blocks, k, block, shared));
}

int hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int block,
                                                          size_t shared, unsigned flags) {
  if (flags > 1) return hip_done(hipErrorInvalidValue);
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, block, shared);
}

int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t k, int block,
                                                       size_t shared) {
  return hip_done(k ? occupancy(blocks, k, block, shared) : hipErrorInvalidValue);
}

int hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, hipFunction_t k, int block,
                                                                size_t shared, unsigned flags) {
  if (flags > 1) return hip_done(hipErrorInvalidValue);
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, k, block, shared);
}

static int best_block(int *grid, int *block, hip_kernel *k, size_t shared, int limit) {
  int size = (int)k->max_threads;
  if (!grid || !block) return hipErrorInvalidValue;
  if (limit > 0 && limit < size) size = limit;
  if (size > 256) size = 256;
  *block = size;
  *grid = hip_units() * blocks_per_unit(k, size, shared);
  return hipSuccess;
}

int hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *f, size_t shared, int limit) {
  hip_kernel *k = NULL;
  int error = kernel_of(f, &k);
  return hip_done(error ? error : best_block(grid, block, k, shared, limit));
}

int hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t k, size_t shared,
                                            int limit) {
  return hip_done(k ? best_block(grid, block, k, shared, limit) : hipErrorInvalidValue);
}

int hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, hipFunction_t k, size_t shared,
                                                     int limit, unsigned flags) {
  if (flags > 1) return hip_done(hipErrorInvalidValue);
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, k, shared, limit);
}
