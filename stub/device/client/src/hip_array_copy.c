// Copies of arrays of the HIP runtime API.
#include "hip.h"

// between copies rows of bytes between two sides.
static int between(hip_array *to_array, hip_pitched to, size_t to_x, size_t to_y, hip_array *from_array,
                   hip_pitched from, size_t from_x, size_t from_y, size_t width, size_t height, int kind,
                   hipStream_t s, int waits) {
  hip_copy3d c = {.from = from, .from_at = {from_x, from_y, 0}, .to = to, .to_at = {to_x, to_y, 0},
                  .size = {width, height, 1}, .kind = kind};
  int error = hipSuccess;
  if (from_array) error = hip_array_rows(from_array, &c.from);
  if (!error && to_array) error = hip_array_rows(to_array, &c.to);
  if (error) return hip_done(error);
  return waits ? hipMemcpy3D(&c) : hipMemcpy3DAsync(&c, s);
}

static hip_pitched plain_rows(const void *p, size_t pitch) {
  return (hip_pitched){(void *)p, pitch, 0, 0};
}

int hipMemcpy2DToArray(hip_array *to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                       size_t height, int kind) {
  if (!to) return hip_done(hipErrorInvalidResourceHandle);
  return between(to, plain_rows(NULL, 0), x, y, NULL, plain_rows(from, pitch), 0, 0, width, height, kind,
                 NULL, 1);
}

int hipMemcpy2DToArrayAsync(hip_array *to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                            size_t height, int kind, hipStream_t s) {
  if (!to) return hip_done(hipErrorInvalidResourceHandle);
  return between(to, plain_rows(NULL, 0), x, y, NULL, plain_rows(from, pitch), 0, 0, width, height, kind, s,
                 0);
}

int hipMemcpy2DFromArray(void *to, size_t pitch, hip_array *from, size_t x, size_t y, size_t width,
                         size_t height, int kind) {
  if (!from) return hip_done(hipErrorInvalidResourceHandle);
  return between(NULL, plain_rows(to, pitch), 0, 0, from, plain_rows(NULL, 0), x, y, width, height, kind,
                 NULL, 1);
}

int hipMemcpy2DFromArrayAsync(void *to, size_t pitch, hip_array *from, size_t x, size_t y, size_t width,
                              size_t height, int kind, hipStream_t s) {
  if (!from) return hip_done(hipErrorInvalidResourceHandle);
  return between(NULL, plain_rows(to, pitch), 0, 0, from, plain_rows(NULL, 0), x, y, width, height, kind, s,
                 0);
}

int hipMemcpy2DArrayToArray(hip_array *to, size_t to_x, size_t to_y, hip_array *from, size_t from_x,
                            size_t from_y, size_t width, size_t height, int kind) {
  if (!to || !from) return hip_done(hipErrorInvalidResourceHandle);
  hip_pitched none = plain_rows(NULL, 0);
  return between(to, none, to_x, to_y, from, none, from_x, from_y, width, height, kind, NULL, 1);
}

// A flat_side is a side of a copy of bytes that are rows of an array one behind the other, or memory without
// rows.
typedef struct {
  hip_pitched rows; // xsize 0 says that there are none
  size_t at;        // bytes that come before the next
} flat_side;

// flat_next gives the next byte of a side, and takes of the number of bytes what goes beyond its row.
static unsigned char *flat_next(const flat_side *s, size_t *n) {
  unsigned char *p = s->rows.ptr;
  if (!s->rows.xsize) return p + s->at;
  size_t in = s->at % s->rows.xsize;
  if (*n > s->rows.xsize - in) *n = s->rows.xsize - in;
  return p + s->at / s->rows.xsize * s->rows.pitch + in;
}

// flat_array begins a side that is an array, at a byte of a row, of a copy of so many bytes.
static int flat_array(flat_side *s, hip_array *a, size_t x, size_t y, size_t size) {
  int error = a ? hip_array_rows(a, &s->rows) : hipErrorInvalidResourceHandle;
  s->at = y * s->rows.xsize + x;
  if (error) return error;
  size_t all = s->rows.xsize * s->rows.ysize;
  if (x > s->rows.xsize || s->at > all || size > all - s->at) return hipErrorInvalidValue;
  if (s->rows.pitch == s->rows.xsize) { // as if there were no rows
    s->rows.xsize = 0;
  }
  return hipSuccess;
}

static int flat_copy(flat_side to, flat_side from, size_t size, int kind) {
  while (size) {
    size_t n = size;
    flat_next(&to, &n); // whose row ends first
    unsigned char *source = flat_next(&from, &n);
    int error = hipMemcpy(flat_next(&to, &n), source, n, kind);
    if (error) return error;
    to.at += n, from.at += n, size -= n;
  }
  return hipSuccess;
}

// flat copies between an array, from a place in a row on, and memory.
static int flat(hip_array *a, size_t x, size_t y, void *p, size_t size, int to_array, int kind) {
  flat_side array, plain = {.rows = {.ptr = p}};
  int error = flat_array(&array, a, x, y, size);
  if (error) return hip_done(error);
  return to_array ? flat_copy(array, plain, size, kind) : flat_copy(plain, array, size, kind);
}

int hipMemcpyToArray(hip_array *to, size_t x, size_t y, const void *from, size_t size, int kind) {
  return flat(to, x, y, (void *)from, size, 1, kind);
}

int hipMemcpyFromArray(void *to, hip_array *from, size_t x, size_t y, size_t size, int kind) {
  return flat(from, x, y, to, size, 0, kind);
}

int hipMemcpyHtoA(hip_array *to, size_t at, const void *from, size_t size) {
  return flat(to, at, 0, (void *)from, size, 1, DEFAULT);
}

int hipMemcpyAtoH(void *to, hip_array *from, size_t at, size_t size) {
  return flat(from, at, 0, to, size, 0, DEFAULT);
}

int hipMemcpyDtoA(hip_array *to, size_t at, void *from, size_t size) {
  return flat(to, at, 0, from, size, 1, DEVICE_TO_DEVICE);
}

int hipMemcpyAtoD(void *to, hip_array *from, size_t at, size_t size) {
  return flat(from, at, 0, to, size, 0, DEVICE_TO_DEVICE);
}

int hipMemcpyAtoA(hip_array *to, size_t to_at, hip_array *from, size_t from_at, size_t size) {
  flat_side a, b;
  int error = flat_array(&a, to, to_at, 0, size);
  if (!error) error = flat_array(&b, from, from_at, 0, size);
  return error ? hip_done(error) : flat_copy(a, b, size, DEVICE_TO_DEVICE);
}

int hipMemcpyHtoAAsync(hip_array *to, size_t at, const void *from, size_t size, hipStream_t s) {
  return between(to, plain_rows(NULL, 0), at, 0, NULL, plain_rows(from, size), 0, 0, size, 1, DEFAULT, s, 0);
}

int hipMemcpyAtoHAsync(void *to, hip_array *from, size_t at, size_t size, hipStream_t s) {
  return between(NULL, plain_rows(to, size), 0, 0, from, plain_rows(NULL, 0), at, 0, size, 1, DEFAULT, s, 0);
}
