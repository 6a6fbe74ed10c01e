// Texture and surface objects: an array, or memory, and how it is read. To kernels an object is the address
// of a block that says all that (package simt/texel), which PTX's instructions take, or of descriptors for
// AMD's, with that block behind.
//
// Sources: "CUDA Runtime API", "Texture Object Management"; "CUDA Driver API", the same; "CUDA C++
// Programming Guide", "Texture Fetching".
#include "amd_image.h"
#include "hip.h"

// resource_desc is hipResourceDesc.
typedef struct {
  int kind;
  union {
    struct hip_array *array;
    struct {
      void *at;
      channel_desc channels;
      size_t size, height, pitch; // bytes; of two dimensions elements
    } memory;
    int room[32]; // that CUDA's has
  } of;
} resource_desc;
enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCHED };

// texture_desc is hipTextureDesc.
typedef struct {
  int modes[3], filter, normalized_floats, srgb;
  float border[4];
  int normalized;
  unsigned anisotropy;
  int mip_filter;
  float bias, least, most;
  int no_trilinear, seamless; // which HIP's has not
} texture_desc;

enum { TEXTURE_DESC_SIZE = API_PORTABLE ? sizeof(texture_desc) : offsetof(texture_desc, no_trilinear) };

// view_desc is hipResourceViewDesc.
typedef struct {
  int format;
  size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
} view_desc;

// A texture is an object that is there.
typedef struct hip_texture {
  uint64_t address;
  resource_desc resource;
  texture_desc texture;
  view_desc view;
  int has_view, surface;
  struct hip_texture *next;
} hip_texture;

static hip_texture *textures; // under dev_lock

// texel_format is the number of a format (VkFormat): how many components of how many bits, read as what.
static int texel_format(const channel_desc *c, int normalized_floats, int srgb) {
  static const struct {
    int bits, components, first;
  } families[] = {{8, 1, 9},   {8, 2, 16},  {8, 4, 37},   {16, 1, 70},  {16, 2, 77},
                  {16, 4, 91}, {32, 1, 98}, {32, 2, 101}, {32, 4, 107}};
  // by 16 and 8 bits; of 32 bits there is no more than the last three
  enum { UNORM, SNORM, UINT = 4, SINT, FLOAT };
  enum { SRGB = 6 };
  int kind = c->kind == CHANNEL_FLOAT ? FLOAT : c->kind == CHANNEL_SIGNED ? SINT : UINT;
  if (normalized_floats && kind != FLOAT && c->bits[0] < 32) kind = kind == SINT ? SNORM : UNORM;
  if (srgb && c->bits[0] == 8 && kind == UNORM) kind = SRGB;
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
    if (families[i].bits == c->bits[0] && (size_t)families[i].components == array_components(c))
      return families[i].first + (c->bits[0] == 32 ? kind - UINT : kind);
  return 0;
}

// View formats, numbered as the runtimes do: of 8, 16 and 32 bits, without and with a sign, then floats of 16
// and of 32, each of one, two and four components; then the blocks that compress four by four texels.
enum { VIEW_NONE, VIEW_PLAIN, VIEW_BLOCKS = 0x19, VIEW_LAST = 0x22 };

// view_channels are the channels that a plain view format has.
static channel_desc view_channels(int format) {
  static const struct {
    int bits, kind;
  } families[] = {{8, CHANNEL_UNSIGNED},  {8, CHANNEL_SIGNED},  {16, CHANNEL_UNSIGNED}, {16, CHANNEL_SIGNED},
                  {32, CHANNEL_UNSIGNED}, {32, CHANNEL_SIGNED}, {16, CHANNEL_FLOAT},    {32, CHANNEL_FLOAT}};
  int n = (format - VIEW_PLAIN) / 3, components = 1 << (format - VIEW_PLAIN) % 3;
  channel_desc c = {{0, 0, 0, 0}, families[n].kind};
  for (int i = 0; i < components; i++) c.bits[i] = families[n].bits;
  return c;
}

// A view_blocks is a format of blocks: its number (VkFormat), whether the next is the same as sRGB, and the
// words of a block.
static const struct {
  uint8_t format, has_srgb, words;
} view_blocks[] = {{133, 1, 2}, {135, 1, 4}, {137, 1, 4}, {139, 0, 2}, {140, 0, 2},
                   {141, 0, 4}, {142, 0, 4}, {143, 0, 4}, {144, 0, 4}, {145, 1, 4}};

// view_as makes an image of an array one of a view's format, and reports whether there is one: elements must
// have as many bytes, and blocks be what words of 32 bits are, of which the view says that there are four by
// four times as many texels.
static int view_as(texel_image *m, const channel_desc *c, const texture_desc *t, const view_desc *v) {
  enum { SIDE = 4 };
  int blocks = v->format >= VIEW_BLOCKS, flat = m->shape == TEXEL_LINE;
  uint32_t side = blocks ? SIDE : 1, height = flat ? 1 : m->size[1] * side;
  if (v->format < VIEW_NONE || v->format > VIEW_LAST || v->width != m->size[0] * side ||
      (v->height != height && !(flat && !v->height)) || (v->depth && v->depth != m->size[2]))
    return 0;
  if (v->format == VIEW_NONE) return 1;
  if (!blocks) {
    channel_desc as = view_channels(v->format);
    m->format = (uint32_t)texel_format(&as, t && t->normalized_floats, t && t->srgb);
    return array_element(&as) == array_element(c);
  }
  int n = v->format - VIEW_BLOCKS;
  if (flat || c->kind != CHANNEL_UNSIGNED || c->bits[0] != 32 || array_components(c) != view_blocks[n].words)
    return 0;
  // each must have as many blocks as the array has elements
  for (uint32_t level = 0; level < m->levels; level++)
    for (int i = 0; i < 2; i++)
      if (least(m->size[i] >> level) != (least(m->size[i] * side >> level) + side - 1) / side) return 0;
  m->size[0] *= side, m->size[1] *= side;
  m->format = view_blocks[n].format + (view_blocks[n].has_srgb && t && t->srgb ? 1u : 0u);
  return 1;
}

// channel_numbers are the order and the type of the channels of a format, as OpenCL numbers them.
static void channel_numbers(texel_image *to, const channel_desc *c, int normalized_floats) {
  enum { SNORM = 0x10D0, UNORM = 0x10D2, SINT = 0x10D7, UINT = 0x10DA, HALF = 0x10DD, R = 0x10B0,
    RG = 0x10B2, RGBA = 0x10B5 };
  int by = c->bits[0] == 8 ? 0 : c->bits[0] == 16 ? 1 : 2, as_real = normalized_floats && by < 2;
  int type = c->kind == CHANNEL_FLOAT    ? HALF + by - 1
             : c->kind == CHANNEL_SIGNED ? (as_real ? SNORM : SINT) + by
                                         : (as_real ? UNORM : UINT) + by;
  size_t n = array_components(c);
  to->order = n == 1 ? R : n == 2 ? RG : RGBA;
  to->type = (uint16_t)type;
}

// sampler_block writes how a texture is sampled: the mode of each coordinate is the program's, but for
// coordinates that count texels, which are clamped instead of wrapped or mirrored.
static void sampler_block(texel_sampler *to, const texture_desc *t, int outside_is_zero) {
  static const uint32_t modes[] = {0, 2, 1, 3}; // wrap, clamp, mirror, border
  enum { CLAMP = 2, BORDER = 3 };
  uint32_t filter = (uint32_t)t->filter;
  *to = (texel_sampler){.mag = filter, .min = filter, .mip = (uint32_t)t->mip_filter,
                        .compare = TEXEL_NO_COMPARISON, .unnormalized = !t->normalized, .bias = t->bias,
                        .least = t->least, .most = t->most,
                        .conversion = API_PORTABLE && !t->seamless ? TEXEL_FACES_APART : 0};
  for (int i = 0; i < 3; i++) {
    uint32_t mode = modes[t->modes[i] & 3];
    if (!t->normalized && mode != BORDER) mode = CLAMP;
    to->modes[i] = outside_is_zero ? BORDER : mode;
  }
  if (!outside_is_zero) memcpy(to->border, t->border, sizeof t->border);
}

// image_block writes what is read, and gives the error if that cannot be.
static int image_block(texel_image *to, const resource_desc *r, const texture_desc *t, const view_desc *v) {
  const channel_desc *c = &r->of.memory.channels;
  uint32_t size[3] = {1, 1, 1}, layers = 1, levels = 1, first_level = 0, shape = TEXEL_LINE;
  uint64_t address = (uintptr_t)r->of.memory.at, pitch = 0;
  if (r->kind == RESOURCE_LINEAR || r->kind == RESOURCE_PITCHED) {
    size_t element = array_element(c);
    if (!element || !address) return hipErrorInvalidValue;
    size[0] = (uint32_t)(r->kind == RESOURCE_LINEAR ? r->of.memory.size / element : r->of.memory.size);
    if (r->kind == RESOURCE_PITCHED) {
      size[1] = (uint32_t)r->of.memory.height, pitch = r->of.memory.pitch, shape = TEXEL_PLANE;
      if (pitch < size[0] * element) return hipErrorInvalidPitchValue;
    }
    unsigned char *where;
    uint64_t bytes =
        r->kind == RESOURCE_LINEAR ? r->of.memory.size : pitch * (size[1] - 1) + size[0] * element;
    if (!size[0] || !size[1] || reach((void *)(uintptr_t)address, bytes, 1, &where))
      return hipErrorInvalidValue;
  } else {
    const hip_array *a = r->of.array, *whole = a->whole ? a->whole : a;
    c = &a->channels;
    size[0] = (uint32_t)whole->extent.width, size[1] = (uint32_t)least(whole->extent.height);
    size[2] = a->flags & (ARRAY_LAYERED | ARRAY_CUBE) ? 1 : (uint32_t)least(whole->extent.depth);
    layers = (uint32_t)a->layers, levels = (uint32_t)whole->most, first_level = (uint32_t)a->level;
    address = whole->base;
    if (levels == 1) pitch = row_bytes(whole, 0);
    shape = a->flags & ARRAY_CUBE                                ? TEXEL_CUBE
            : whole->extent.depth && !(a->flags & ARRAY_LAYERED) ? TEXEL_VOLUME
            : whole->extent.height                               ? TEXEL_PLANE
                                                                 : TEXEL_LINE;
  }
  uint32_t view_levels = r->kind == RESOURCE_MIPMAPPED ? levels : 1, first_layer = 0, view_layers = layers;
  if (v) {
    if (r->kind != RESOURCE_ARRAY && r->kind != RESOURCE_MIPMAPPED) return hipErrorInvalidValue;
    if (v->last_level < v->first_level || v->last_level >= view_levels || v->last_layer < v->first_layer ||
        v->last_layer >= layers)
      return hipErrorInvalidValue;
    first_level += v->first_level, view_levels = v->last_level - v->first_level + 1;
    if (layers > 1) first_layer = v->first_layer, view_layers = v->last_layer - v->first_layer + 1;
  }
  int format = texel_format(c, t && t->normalized_floats, t && t->srgb);
  if (!format) return hipErrorInvalidValue;
  *to = (texel_image){.format = (uint32_t)format, .shape = shape, .size = {size[0], size[1], size[2]},
                      .layers = layers, .levels = levels, .samples = 1, .first_level = first_level,
                      .view_levels = view_levels, .first_layer = first_layer, .view_layers = view_layers,
                      .swizzle = {0, 1, 2, 3}, .address = address, .pitch = pitch,
                      .align = 1};
  if (r->kind != RESOURCE_LINEAR && r->kind != RESOURCE_PITCHED) to->align = r->of.array->align;
  channel_desc seen = *c;
  if (v && !view_as(to, c, t, v)) return hipErrorInvalidValue;
  if (v && v->format > VIEW_NONE && v->format < VIEW_BLOCKS) seen = view_channels(v->format);
  static const uint8_t shown[5][4] = {{0}, {0, 4, 4, 5}, {0, 1, 4, 5}, {0, 1, 2, 5}, {0, 1, 2, 3}};
  if (!API_PORTABLE) {
    memcpy(to->swizzle, shown[array_components(&seen)], sizeof to->swizzle);
    channel_numbers(to, &seen, t && t->normalized_floats);
  }
  return hipSuccess;
}

// amd_texture_words writes the descriptors of a texture or a surface, and gives the error if there are none
// of it: lines of memory are read like buffers.
static int amd_texture_words(int generation, amd_texture *to, const resource_desc *r, const texture_desc *t) {
  const texel_image *m = &to->block.image;
  int of_array = r->kind == RESOURCE_ARRAY || r->kind == RESOURCE_MIPMAPPED;
  size_t element = of_array ? r->of.array->element : array_element(&r->of.memory.channels);
  if (t) amd_sampler(generation, to->sampler, &to->block.sampler, m->view_levels > 1);
  if (r->kind == RESOURCE_LINEAR) {
    amd_buffer(generation, to->image, m, (uint32_t)element, amd_format_of(m->format));
    return hipSuccess;
  }
  // the device libraries' functions have places on faces from 0 on, processors from 1 on
  if (m->shape == TEXEL_CUBE) {
    static char said;
    return hip_missing("a texture of a cube", &said);
  }
  int layered = of_array && r->of.array->flags & ARRAY_LAYERED;
  return amd_image(generation, to->image, m, (uint32_t)element, layered) ? hipSuccess : hipErrorInvalidValue;
}

// make_texture makes an object; a surface if t is NULL.
static int make_texture(uint64_t *out, const resource_desc *r, const texture_desc *t, const view_desc *v) {
  amd_texture made = {0};
  texel_block *block = &made.block;
  if (!out || !r) return hipErrorInvalidValue;
  int arrays_alone = r->kind == RESOURCE_ARRAY || r->kind == RESOURCE_MIPMAPPED;
  if (r->kind < 0 || r->kind > RESOURCE_PITCHED || (!t && r->kind != RESOURCE_ARRAY))
    return hipErrorInvalidValue;
  if (arrays_alone && !known_array(r->of.array)) return hipErrorInvalidResourceHandle;
  if (!t && !(r->of.array->flags & ARRAY_SURFACE)) return hipErrorInvalidValue;
  enum dev_status s;
  dev_lock();
  int error = hip_connect() ? hipErrorNoDevice : image_block(&block->image, r, t, v);
  if (!error && t) sampler_block(&block->sampler, t, r->kind == RESOURCE_LINEAR);
  int generation = amd_generation(dev.processor);
  if (!error && generation) error = amd_texture_words(generation, &made, r, t);
  hip_texture *x = error ? NULL : calloc(1, sizeof *x);
  if (x) {
    x->address = dev_alloc(sizeof made, 256, RANGE_DEVICE, &s);
    error = hip_error(s);
  }
  if (x && !error) {
    if (generation) memcpy(dev_host(x->address), &made, sizeof made);
    else memcpy(dev_host(x->address), block, sizeof *block);
    x->resource = *r;
    if (t) memcpy(&x->texture, t, TEXTURE_DESC_SIZE);
    if (v) x->view = *v;
    x->has_view = v != NULL, x->surface = !t;
    x->next = textures;
    textures = x;
    *out = x->address;
  }
  dev_unlock();
  if (error) free(x);
  return x || error ? error : hipErrorOutOfMemory;
}

// find_texture wants dev_lock.
static hip_texture **find_texture(uint64_t object, int surface) {
  hip_texture **at = &textures;
  while (*at && ((*at)->address != object || (*at)->surface != surface)) at = &(*at)->next;
  return at;
}

static int drop_texture(uint64_t object, int surface) {
  if (!object) return hipSuccess;
  dev_lock();
  hip_texture **at = find_texture(object, surface), *x = *at;
  int error = hipErrorInvalidValue;
  if (x) {
    hip_idle(); // kernels that read it
    *at = x->next;
    error = hip_error(dev_free(x->address));
    free(x);
  }
  dev_unlock();
  return error;
}

// described copies what a texture was made of.
static int described(uint64_t object, resource_desc *r, texture_desc *t, view_desc *v) {
  dev_lock();
  hip_texture *x = *find_texture(object, 0);
  int error = x && !(v && !x->has_view) ? hipSuccess : hipErrorInvalidValue;
  // HIP's description ends where what it describes does.
  size_t size = API_PORTABLE ? sizeof *r : offsetof(resource_desc, of) + sizeof r->of.memory;
  if (!error && r) memcpy(r, &x->resource, size);
  if (!error && t) memcpy(t, &x->texture, TEXTURE_DESC_SIZE);
  if (!error && v) *v = x->view;
  dev_unlock();
  return error;
}

// read_resource reads a description of HIP's or CUDA's, of which one is shorter.
static const resource_desc *read_resource(const resource_desc *given, resource_desc *room) {
  if (!given) return NULL;
  memset(room, 0, sizeof *room);
  memcpy(room, given, offsetof(resource_desc, of) + sizeof room->of.memory);
  return room;
}

// unreadable says of a device whose kernels have no instructions for textures that it has none.
static int unreadable(const char *name, char *said) {
  dev_lock();
  int error = hip_device() ? hipErrorNoDevice : hipSuccess,
      readable = API_PORTABLE || amd_generation(dev.processor);
  dev_unlock();
  if (error) return hip_done(error);
  return readable ? hipSuccess : hip_missing(name, said);
}

int hipCreateTextureObject(uint64_t *out, const resource_desc *r, const texture_desc *t, const view_desc *v) {
  static char said;
  resource_desc all;
  if (!t) return hip_done(hipErrorInvalidValue);
  int error = unreadable("hipCreateTextureObject", &said);
  return error ? error : hip_done(make_texture(out, read_resource(r, &all), t, v));
}

int hipDestroyTextureObject(uint64_t object) { return hip_done(drop_texture(object, 0)); }

int hipCreateSurfaceObject(uint64_t *out, const resource_desc *r) {
  static char said;
  resource_desc all;
  int error = unreadable("hipCreateSurfaceObject", &said);
  return error ? error : hip_done(make_texture(out, read_resource(r, &all), NULL, NULL));
}

int hipDestroySurfaceObject(uint64_t object) { return hip_done(drop_texture(object, 1)); }

#if !API_PORTABLE
// HIP's headers of some age declare these two as functions of C++, and its library has them under those
// names.
int _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc(uint64_t *out, const resource_desc *r) {
  return hipCreateSurfaceObject(out, r);
}

int _Z23hipDestroySurfaceObjectP13__hip_surface(uint64_t object) { return hipDestroySurfaceObject(object); }
#endif

int hipGetTextureObjectResourceDesc(resource_desc *out, uint64_t object) {
  return hip_done(out ? described(object, out, NULL, NULL) : hipErrorInvalidValue);
}

int hipGetTextureObjectTextureDesc(texture_desc *out, uint64_t object) {
  return hip_done(out ? described(object, NULL, out, NULL) : hipErrorInvalidValue);
}

int hipGetTextureObjectResourceViewDesc(view_desc *out, uint64_t object) {
  return hip_done(out ? described(object, NULL, NULL, out) : hipErrorInvalidValue);
}

// The driver's descriptions of the same: HIP_RESOURCE_DESC and HIP_TEXTURE_DESC.
typedef struct {
  int kind;
  union {
    struct hip_array *array;
    struct {
      void *at;
      int format;
      unsigned channels;
      size_t size, height, pitch;
    } memory;
  } of;
} driver_resource;

typedef struct {
  int modes[3], filter;
  unsigned flags, anisotropy;
  int mip_filter;
  float bias, least, most, border[4];
} driver_texture;
enum { TEXTURE_INTEGERS = 1, TEXTURE_NORMALIZED = 2, TEXTURE_SRGB = 0x10, TEXTURE_SEAMLESS = 0x40 };

static const resource_desc *of_driver(const driver_resource *d, resource_desc *r) {
  if (!d) return NULL;
  memset(r, 0, sizeof *r);
  r->kind = d->kind;
  if (d->kind == RESOURCE_ARRAY || d->kind == RESOURCE_MIPMAPPED) {
    r->of.array = d->of.array;
    return r;
  }
  r->of.memory.at = d->of.memory.at;
  r->of.memory.channels = channels_of(d->of.memory.format, d->of.memory.channels);
  r->of.memory.size = d->of.memory.size;
  r->of.memory.height = d->of.memory.height;
  r->of.memory.pitch = d->of.memory.pitch;
  return r;
}

int hipTexObjectCreate(uint64_t *out, const driver_resource *d, const driver_texture *t, const view_desc *v) {
  static char said;
  resource_desc r;
  int error = unreadable("hipTexObjectCreate", &said);
  if (error || !t) return error ? error : hip_done(hipErrorInvalidValue);
  texture_desc as = {.filter = t->filter, .normalized_floats = !(t->flags & TEXTURE_INTEGERS),
                     .srgb = (t->flags & TEXTURE_SRGB) != 0,
                     .normalized = (t->flags & TEXTURE_NORMALIZED) != 0,
                     .anisotropy = t->anisotropy, .mip_filter = t->mip_filter, .bias = t->bias,
                     .least = t->least, .most = t->most, .seamless = (t->flags & TEXTURE_SEAMLESS) != 0};
  memcpy(as.modes, t->modes, sizeof as.modes);
  memcpy(as.border, t->border, sizeof as.border);
  return hip_done(make_texture(out, of_driver(d, &r), &as, v));
}

int hipTexObjectDestroy(uint64_t object) { return hipDestroyTextureObject(object); }

int hipTexObjectGetResourceDesc(driver_resource *out, uint64_t object) {
  resource_desc r;
  int error = out ? described(object, &r, NULL, NULL) : hipErrorInvalidValue;
  if (error) return hip_done(error);
  *out = (driver_resource){.kind = r.kind};
  if (r.kind == RESOURCE_ARRAY || r.kind == RESOURCE_MIPMAPPED) {
    out->of.array = r.of.array;
    return hipSuccess;
  }
  out->of.memory.at = r.of.memory.at;
  out->of.memory.format = format_of(&r.of.memory.channels);
  out->of.memory.channels = (unsigned)array_components(&r.of.memory.channels);
  out->of.memory.size = r.of.memory.size;
  out->of.memory.height = r.of.memory.height;
  out->of.memory.pitch = r.of.memory.pitch;
  return hipSuccess;
}

// flags_of is how numbers are read and what coordinates are.
static unsigned flags_of(const texture_desc *t) {
  return (t->normalized_floats ? 0u : TEXTURE_INTEGERS) | (t->normalized ? TEXTURE_NORMALIZED : 0u) |
         (t->srgb ? TEXTURE_SRGB : 0u) | (API_PORTABLE && t->seamless ? TEXTURE_SEAMLESS : 0u);
}

int hipTexObjectGetTextureDesc(driver_texture *out, uint64_t object) {
  texture_desc t;
  int error = out ? described(object, NULL, &t, NULL) : hipErrorInvalidValue;
  if (error) return hip_done(error);
  *out = (driver_texture){.filter = t.filter, .anisotropy = t.anisotropy, .mip_filter = t.mip_filter,
                          .bias = t.bias, .least = t.least, .most = t.most};
  out->flags = flags_of(&t);
  memcpy(out->modes, t.modes, sizeof t.modes);
  memcpy(out->border, t.border, sizeof t.border);
  return hipSuccess;
}

int hipTexObjectGetResourceViewDesc(view_desc *out, uint64_t object) {
  return hipGetTextureObjectResourceViewDesc(out, object);
}
