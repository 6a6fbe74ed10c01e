// Arrays of the HIP runtime API: memory of a shape that textures and surfaces read. Texels lie row by row,
// one level behind the other, one layer behind the other, as package simt/texel has it. Copies of them are
// copies of rows.
//
// Sources: "HIP Runtime API Reference", "Memory Management", "Texture Management"; "CUDA Runtime API",
// "cudaMalloc3DArray", "cudaMemcpy3D".
#include "amd_image.h"
#include "hip.h"

// channel_desc is hipChannelFormatDesc: the bits of four components, and what they are.
typedef struct {
  int bits[4], kind;
} channel_desc;
enum { CHANNEL_SIGNED, CHANNEL_UNSIGNED, CHANNEL_FLOAT };
enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBE = 4, ARRAY_GATHER = 8 };

// A hip_array is an array, the levels of a mipmapped one, or one of its levels.
typedef struct hip_array {
  uint64_t base; // of level 0
  size_t align;  // what rows begin at a multiple of
  channel_desc channels;
  size_t element;      // bytes
  hip_extent extent;   // as the program gave it: of a level, its own
  size_t layers, most; // how many layers, and levels of the whole
  unsigned flags;
  int level;                // of a mipmapped array
  struct hip_array *whole;  // whose level it is
  struct hip_array *levels; // that programs have asked for
  struct hip_array *next;
} hip_array;

static hip_array *arrays; // under dev_lock

static size_t least(size_t n) { return n ? n : 1; }

static size_t array_components(const channel_desc *c) {
  size_t n = 0;
  while (n < 4 && c->bits[n]) n++;
  return n;
}

// array_element is how many bytes an element has, 0 if there is no such.
static size_t array_element(const channel_desc *c) {
  size_t n = array_components(c);
  for (size_t i = 0; i < n; i++)
    if (c->bits[i] != c->bits[0]) return 0;
  if (n == 0 || n == 3 || c->kind < 0 || c->kind > CHANNEL_FLOAT) return 0;
  int bits = c->bits[0];
  if (bits != 32 && bits != 16 && (bits != 8 || c->kind == CHANNEL_FLOAT)) return 0;
  return n * (size_t)bits / 8;
}

// level_extent is the size of a level in elements; its depth is 1 where there are layers.
static hip_extent level_extent(const hip_array *a, int level) {
  hip_extent e = {least(a->extent.width >> level), least(a->extent.height >> level),
                  a->flags & (ARRAY_LAYERED | ARRAY_CUBE) ? 1 : least(a->extent.depth >> level)};
  return e;
}

// row_bytes is how far apart the rows of a level are.
static size_t row_bytes(const hip_array *a, int level) {
  size_t row = level_extent(a, level).width * a->element;
  return (row + a->align - 1) / a->align * a->align;
}

static size_t level_bytes(const hip_array *a, int level) {
  hip_extent e = level_extent(a, level);
  return row_bytes(a, level) * e.height * e.depth;
}

// level_at is where a level begins in its layer; behind the last is the size of a layer.
static size_t level_at(const hip_array *a, int level) {
  size_t at = 0;
  for (int i = 0; i < level; i++) at += level_bytes(a, i);
  return at;
}

// known_array reports whether an array is there.
static int known_array(const hip_array *a) {
  dev_lock();
  int found = 0;
  for (const hip_array *b = arrays; b && !found; b = b->next) {
    found = a == b;
    for (const hip_array *l = b->levels; l && !found; l = l->next) found = a == l;
  }
  dev_unlock();
  return a && found;
}

static int make_array(hip_array **out, const channel_desc *c, hip_extent e, unsigned levels, unsigned flags) {
  if (!out || !c) return hipErrorInvalidValue;
  *out = NULL;
  int layered = (flags & (ARRAY_LAYERED | ARRAY_CUBE)) != 0;
  hip_array a = {.channels = *c, .element = array_element(c), .extent = e, .flags = flags,
                 .most = least(levels)};
  a.layers = layered ? least(e.depth) : 1;
  enum { LINE = 1 << 17, SIDE = 1 << 16 };
  if (!a.element || !e.width || e.width > LINE || e.height > SIDE || e.depth > SIDE || a.most > 17 ||
      (flags & ARRAY_CUBE && (a.layers % 6 || e.width != e.height)))
    return hipErrorInvalidValue;
  enum dev_status s;
  dev_lock();
  int error = hip_device() ? hipErrorNoDevice : hipSuccess;
  int generation = amd_generation(dev.processor);
  a.align = generation ? (size_t)amd_rows(generation) : 1;
  if (!error) {
    dev_alone = 1;
    a.base = dev_alloc(level_at(&a, (int)a.most) * a.layers, 256, RANGE_DEVICE, &s);
    dev_alone = 0;
    error = hip_error(s);
  }
  hip_array *kept = error ? NULL : malloc(sizeof *kept);
  if (kept) {
    a.next = arrays;
    *kept = a;
    arrays = *out = kept;
  }
  dev_unlock();
  return kept || error ? error : hipErrorOutOfMemory;
}

static int drop_array(hip_array *a) {
  if (!a) return hipSuccess;
  if (!known_array(a) || a->whole) return hipErrorInvalidResourceHandle;
  dev_lock();
  hip_idle();
  hip_array **at = &arrays;
  while (*at && *at != a) at = &(*at)->next;
  if (*at) *at = a->next;
  int error = hip_error(dev_free(a->base));
  for (hip_array *l; (l = a->levels);) {
    a->levels = l->next;
    free(l);
  }
  free(a);
  dev_unlock();
  return error;
}

int hipMalloc3DArray(hip_array **out, const channel_desc *c, hip_extent e, unsigned flags) {
  return hip_done(make_array(out, c, e, 1, flags));
}

int hipMallocArray(hip_array **out, const channel_desc *c, size_t width, size_t height, unsigned flags) {
  return hipMalloc3DArray(out, c, (hip_extent){width, height, 0}, flags);
}

int hipMallocMipmappedArray(hip_array **out, const channel_desc *c, hip_extent e, unsigned levels,
                            unsigned flags) {
  return hip_done(make_array(out, c, e, levels, flags));
}

int hipFreeArray(hip_array *a) { return hip_done(drop_array(a)); }
int hipFreeMipmappedArray(hip_array *a) { return hip_done(drop_array(a)); }
int hipMipmappedArrayDestroy(hip_array *a) { return hip_done(drop_array(a)); }
int hipArrayDestroy(hip_array *a) { return hip_done(drop_array(a)); }

// hipGetMipmappedArrayLevel gives a level, which goes with the array.
int hipGetMipmappedArrayLevel(hip_array **out, hip_array *a, unsigned level) {
  if (!out || !known_array(a) || a->whole || level >= a->most) return hip_done(hipErrorInvalidValue);
  dev_lock();
  hip_array *l = a->levels;
  while (l && l->level != (int)level) l = l->next;
  if (!l && (l = malloc(sizeof *l))) {
    *l = *a;
    l->whole = a;
    l->level = (int)level;
    l->base = a->base + level_at(a, (int)level);
    hip_extent e = level_extent(a, (int)level), given = a->extent;
    l->extent = (hip_extent){e.width, given.height ? e.height : 0,
                             a->layers > 1 ? given.depth : given.depth ? e.depth : 0};
    l->levels = NULL;
    l->next = a->levels;
    a->levels = l;
  }
  *out = l;
  dev_unlock();
  return hip_done(l ? hipSuccess : hipErrorOutOfMemory);
}

int hipMipmappedArrayGetLevel(hip_array **out, hip_array *a, unsigned level) {
  return hipGetMipmappedArrayLevel(out, a, level);
}

int hipArrayGetInfo(channel_desc *c, hip_extent *e, unsigned *flags, hip_array *a) {
  if (!known_array(a)) return hip_done(hipErrorInvalidResourceHandle);
  if (c) *c = a->channels;
  if (e) *e = a->extent;
  if (flags) *flags = a->flags;
  return hipSuccess;
}

int hipGetChannelDesc(channel_desc *c, hip_array *a) { return hipArrayGetInfo(c, NULL, NULL, a); }

channel_desc hipCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (channel_desc){{x, y, z, w}, kind};
}

// The driver's descriptions of the same: HIP_ARRAY_DESCRIPTOR and HIP_ARRAY3D_DESCRIPTOR.
typedef struct {
  size_t width, height;
  int format;
  unsigned channels;
} array_desc;

typedef struct {
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
} array3d_desc;

// The driver's formats, in the order of these.
static const struct {
  int format, bits, kind;
} array_formats[] = {{1, 8, CHANNEL_UNSIGNED}, {2, 16, CHANNEL_UNSIGNED}, {3, 32, CHANNEL_UNSIGNED},
                     {8, 8, CHANNEL_SIGNED},   {9, 16, CHANNEL_SIGNED},   {10, 32, CHANNEL_SIGNED},
                     {16, 16, CHANNEL_FLOAT},  {32, 32, CHANNEL_FLOAT}};
enum { ARRAY_FORMATS = sizeof array_formats / sizeof array_formats[0] };

// channels_of is the same as a format with so many components; its elements have no bytes if there is none.
static channel_desc channels_of(int format, unsigned n) {
  channel_desc c = {{0, 0, 0, 0}, 0};
  for (int i = 0; i < ARRAY_FORMATS; i++)
    if (array_formats[i].format == format && n <= 4) {
      c.kind = array_formats[i].kind;
      for (unsigned k = 0; k < n; k++) c.bits[k] = array_formats[i].bits;
    }
  return c;
}

static int format_of(const channel_desc *c) {
  for (int i = 0; i < ARRAY_FORMATS; i++)
    if (array_formats[i].bits == c->bits[0] && array_formats[i].kind == c->kind)
      return array_formats[i].format;
  return 0;
}

int hipArray3DCreate(hip_array **out, const array3d_desc *d) {
  if (!d) return hip_done(hipErrorInvalidValue);
  channel_desc c = channels_of(d->format, d->channels);
  return hip_done(make_array(out, &c, (hip_extent){d->width, d->height, d->depth}, 1, d->flags));
}

int hipArrayCreate(hip_array **out, const array_desc *d) {
  if (!d) return hip_done(hipErrorInvalidValue);
  return hipArray3DCreate(out, &(array3d_desc){d->width, d->height, 0, d->format, d->channels, 0});
}

int hipMipmappedArrayCreate(hip_array **out, const array3d_desc *d, unsigned levels) {
  if (!d) return hip_done(hipErrorInvalidValue);
  channel_desc c = channels_of(d->format, d->channels);
  return hip_done(make_array(out, &c, (hip_extent){d->width, d->height, d->depth}, levels, d->flags));
}

int hipArray3DGetDescriptor(array3d_desc *d, hip_array *a) {
  if (!d || !known_array(a)) return hip_done(hipErrorInvalidValue);
  *d = (array3d_desc){a->extent.width,         a->extent.height,
                      a->extent.depth,         format_of(&a->channels),
                      (unsigned)array_components(&a->channels), a->flags};
  return hipSuccess;
}

int hipArrayGetDescriptor(array_desc *d, hip_array *a) {
  array3d_desc all;
  int error = d ? hipArray3DGetDescriptor(&all, a) : hip_done(hipErrorInvalidValue);
  if (!error) *d = (array_desc){all.width, all.height, all.format, all.channels};
  return error;
}

// Copies.

// hip_array_rows is a side of a copy that is an array: rows of its bytes, of which layers lie like slices. It
// reports whether that is so: layers of an array of several levels are farther apart.
int hip_array_rows(hip_array *a, hip_pitched *out) {
  static char said;
  if (!known_array(a)) return hipErrorInvalidResourceHandle;
  if (a->layers > 1 && a->most > 1) return hip_missing("a copy of a mipmapped array with layers", &said);
  hip_extent e = a->whole ? level_extent(a->whole, a->level) : level_extent(a, 0);
  *out = (hip_pitched){(void *)(uintptr_t)a->base, row_bytes(a->whole ? a->whole : a, a->level),
                       e.width * a->element, e.height};
  return hipSuccess;
}

// hip_array_copy makes what is given in bytes of a copy of arrays, which counts their elements.
int hip_array_copy(const hip_copy3d *p, hip_copy3d *c) {
  *c = *p;
  hip_array *from = p->from_array, *to = p->to_array;
  int error = hipSuccess;
  if (from && !(error = hip_array_rows(from, &c->from))) c->from_at.x *= from->element;
  if (!error && to && !(error = hip_array_rows(to, &c->to))) c->to_at.x *= to->element;
  if (!error && from && to && from->element != to->element) error = hipErrorInvalidValue;
  if (!error && (from || to)) c->size.width *= (from ? from : to)->element;
  c->from_array = c->to_array = NULL;
  return error;
}
