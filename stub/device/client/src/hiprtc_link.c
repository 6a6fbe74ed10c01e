// Linking by hiprtc: code objects of several pieces of LLVM's bitcode or assembly, which clang makes.
#include "hip.h"

typedef struct {
  char *data;
  size_t size;
} rtc_piece;

typedef struct rtc_link {
  rtc_piece *pieces;
  size_t count;
  char *options, *code;
} rtc_link;

enum { RTC_BITCODE = 100 };

int hiprtcLinkCreate(unsigned n, const int *options, void **values, rtc_link **out) {
  enum { EXTRA_OPTIONS = 10000, EXTRA_COUNT };
  if (!out || (n && (!options || !values))) return HIPRTC_ERROR_INVALID_INPUT;
  rtc_link *l = calloc(1, sizeof *l);
  if (!l) return HIPRTC_ERROR_OUT_OF_MEMORY;
  const char **words = NULL;
  size_t count = 0, size = 1;
  for (unsigned i = 0; i < n; i++) {
    if (options[i] == EXTRA_OPTIONS) words = values[i];
    if (options[i] == EXTRA_COUNT) count = (size_t)values[i];
  }
  for (size_t i = 0; words && i < count; i++) size += strlen(words[i]) + 1;
  if (!(l->options = calloc(1, size))) abort();
  for (size_t i = 0; words && i < count; i++) strcat(strcat(l->options, words[i]), " ");
  *out = l;
  return HIPRTC_SUCCESS;
}

int hiprtcLinkAddData(rtc_link *l, int kind, const void *data, size_t size, const char *name, unsigned n,
                      const int *options, void **values) {
  (void)name, (void)n, (void)options, (void)values;
  if (!l || !data || !size) return HIPRTC_ERROR_INVALID_INPUT;
  if (kind != RTC_BITCODE) {
    dev_say("hiprtc links bitcode, not input of kind %d", kind);
    return HIPRTC_ERROR_INVALID_INPUT;
  }
  l->pieces = realloc(l->pieces, (l->count + 1) * sizeof *l->pieces);
  if (!l->pieces) abort();
  l->pieces[l->count++] = (rtc_piece){copied(data, size), size};
  return HIPRTC_SUCCESS;
}

int hiprtcLinkAddFile(rtc_link *l, int kind, const char *path, unsigned n, const int *options,
                      void **values) {
  if (!l || !path) return HIPRTC_ERROR_INVALID_INPUT;
  FILE *f = fopen(path, "rb");
  if (!f) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
  long size = fseek(f, 0, SEEK_END) ? 0 : ftell(f);
  rewind(f);
  char *data = size > 0 ? malloc((size_t)size) : NULL;
  int ok = data && fread(data, 1, (size_t)size, f) == (size_t)size, error = HIPRTC_ERROR_INVALID_INPUT;
  fclose(f);
  if (ok) error = hiprtcLinkAddData(l, kind, data, (size_t)size, path, n, options, values);
  free(data);
  return error;
}

int hiprtcLinkComplete(rtc_link *l, void **out, size_t *size) {
  if (!l || !out || !size || !l->count) return HIPRTC_ERROR_INVALID_INPUT;
  dev_lock();
  enum dev_status s = hip_device() ? DEV_GONE : DEV_DONE;
  int error = HIPRTC_ERROR_LINKING;
  if (s == DEV_DONE) {
    dev_begin();
    put_u64(0); // a file to load
    put_text(l->options);
    put_u64(l->count);
    for (size_t i = 0; i < l->count; i++) {
      put_u64(1);
      put_bytes(l->pieces[i].data, l->pieces[i].size);
    }
    put_u64(0); // headers
    s = dev_request(OP_BUILD);
  }
  if (s == DEV_DONE) {
    size_t n;
    int done = get_u64() == 1;
    const char *text = get_bytes(&n);
    if (!done) dev_say("hiprtc cannot link: %.*s", (int)n, text);
    const char *code = get_bytes(size);
    free(l->code);
    *out = l->code = copied(code, *size);
    if (done) error = HIPRTC_SUCCESS;
  } else if (s != DEV_GONE) dev_say("hiprtc: %s", dev.message);
  dev_unlock();
  return error;
}

int hiprtcLinkDestroy(rtc_link *l) {
  if (!l) return HIPRTC_ERROR_INVALID_INPUT;
  for (size_t i = 0; i < l->count; i++) free(l->pieces[i].data);
  free(l->pieces), free(l->options), free(l->code);
  free(l);
  return HIPRTC_SUCCESS;
}
