// Linking by the driver: PTX of several pieces, which the service makes one of.
//
// Source: "CUDA Driver API", "Module Management".
#include "hip.h"

typedef struct {
  char *name, *data;
  size_t size;
} link_piece;

typedef struct {
  link_piece *pieces;
  size_t count;
  char *file, *error_log;
  size_t error_room;
} link_state;

enum { LINK_PTX = 1, LINK_FAT_BINARY = 2, LINK_LIBRARY = 4 };

// link_options takes what a program wants to be told of errors.
static void link_options(link_state *l, unsigned n, const int *options, void **values) {
  enum { ERROR_LOG = 5, ERROR_LOG_SIZE = 6, INFO_LOG = 3 };
  for (unsigned i = 0; options && values && i < n; i++) {
    if (options[i] == ERROR_LOG) l->error_log = values[i];
    if (options[i] == ERROR_LOG_SIZE) l->error_room = (size_t)values[i];
    if (options[i] == INFO_LOG && values[i]) *(char *)values[i] = 0;
  }
  if (l->error_log && l->error_room) *l->error_log = 0;
}

int cuLinkCreate_v2(unsigned n, const int *options, void **values, link_state **out) {
  link_state *l = out ? calloc(1, sizeof *l) : NULL;
  if (!out) return hip_done(hipErrorInvalidValue);
  if (!l) return hip_done(hipErrorOutOfMemory);
  link_options(l, n, options, values);
  *out = l;
  return hipSuccess;
}

// link_failed puts a message where the program wants it, and says it if that is nowhere.
static int link_failed(link_state *l, const char *what, int size, int error) {
  if (l->error_log && l->error_room) snprintf(l->error_log, l->error_room, "%.*s", size, what);
  else dev_say("linking: %.*s", size, what);
  return hip_done(error);
}

int cuLinkAddData_v2(link_state *l, int kind, const void *data, size_t size, const char *name, unsigned n,
                     const int *options, void **values) {
  if (!l || !data || !size) return hip_done(hipErrorInvalidValue);
  link_options(l, n, options, values);
  if (kind != LINK_PTX && kind != LINK_FAT_BINARY) {
    static const char only[] = "only PTX can be linked, alone or in a fat binary";
    return link_failed(l, only, sizeof only - 1, hipErrorNotSupported);
  }
  link_piece *all = realloc(l->pieces, (l->count + 1) * sizeof *all);
  if (!all) return hip_done(hipErrorOutOfMemory);
  l->pieces = all;
  char made[32];
  snprintf(made, sizeof made, "input %zu", l->count + 1);
  if (!name || !*name) name = made;
  all[l->count++] = (link_piece){copied(name, strlen(name) + 1), copied(data, size), size};
  return hipSuccess;
}

int cuLinkAddFile_v2(link_state *l, int kind, const char *path, unsigned n, const int *options,
                     void **values) {
  if (!l || !path) return hip_done(hipErrorInvalidValue);
  // The device's own runtime library: kernels that launch others would need it.
  const char *base = strrchr(path, '/');
  if (kind == LINK_LIBRARY && !strncmp(base ? base + 1 : path, "libcudadevrt", strlen("libcudadevrt")))
    return hipSuccess;
  FILE *f = fopen(path, "rb");
  if (!f) return hip_done(hipErrorFileNotFound);
  long size = fseek(f, 0, SEEK_END) ? 0 : ftell(f);
  rewind(f);
  char *data = size > 0 ? malloc((size_t)size) : NULL;
  int ok = data && fread(data, 1, (size_t)size, f) == (size_t)size;
  fclose(f);
  int error = ok ? cuLinkAddData_v2(l, kind, data, (size_t)size, path, n, options, values)
                 : hip_done(hipErrorInvalidValue);
  free(data);
  return error;
}

int cuLinkComplete(link_state *l, void **out, size_t *size) {
  if (!l || !out) return hip_done(hipErrorInvalidValue);
  dev_lock();
  enum dev_status s = hip_device() ? DEV_GONE : DEV_DONE;
  int error = hipErrorInvalidKernelFile;
  if (s == DEV_DONE) {
    dev_begin();
    put_u64(l->count);
    for (size_t i = 0; i < l->count; i++) {
      put_text(l->pieces[i].name);
      put_bytes(l->pieces[i].data, l->pieces[i].size);
    }
    s = dev_request(OP_LINK);
  }
  if (s == DEV_DONE) {
    size_t n, length;
    int done = get_u64() == 1;
    const char *what = get_bytes(&n);
    if (!done) error = link_failed(l, what, (int)n, hipErrorInvalidKernelFile);
    const char *file = get_bytes(&length);
    if (done) {
      free(l->file);
      l->file = malloc(length + 1); // a text in memory ends with a 0
      if (!l->file) abort();
      memcpy(l->file, file, length);
      l->file[length] = 0;
      *out = l->file;
      if (size) *size = length + 1;
      error = hipSuccess;
    }
  } else if (s != DEV_GONE)
    error = link_failed(l, dev.message, (int)strlen(dev.message), hipErrorInvalidKernelFile);
  dev_unlock();
  return hip_done(error);
}

int cuLinkDestroy(link_state *l) {
  if (!l) return hip_done(hipErrorInvalidValue);
  for (size_t i = 0; i < l->count; i++) free(l->pieces[i].name), free(l->pieces[i].data);
  free(l->pieces), free(l->file), free(l);
  return hipSuccess;
}

extern __typeof__(cuLinkCreate_v2) cuLinkCreate __attribute__((alias("cuLinkCreate_v2")));
extern __typeof__(cuLinkAddData_v2) cuLinkAddData __attribute__((alias("cuLinkAddData_v2")));
extern __typeof__(cuLinkAddFile_v2) cuLinkAddFile __attribute__((alias("cuLinkAddFile_v2")));
