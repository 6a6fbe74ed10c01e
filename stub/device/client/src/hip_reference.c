// References to textures and surfaces: variables of a module, which programs bind to arrays and memory. On
// the device such a variable is, in PTX, the block that says what there is (package simt/texel), and for
// AMD's processors a copy of the program's variable, in which the address of a texture object is.
//
// Sources: "CUDA Runtime API" of CUDA 11, "Texture Reference Management", "Surface Reference Management";
// "CUDA Driver API", the same; HIP's hip_texture_types.h.
#include "hip.h"

// reference_desc is textureReference.
typedef struct {
  int normalized;
#if !API_PORTABLE
  int normalized_floats;
#endif
  int filter, modes[3];
  channel_desc channels;
  int srgb;
  unsigned anisotropy;
  int mip_filter;
  float bias, least, most;
#if API_PORTABLE
  int no_trilinear, reserved[14];
#else
  uint64_t object;
  int components, format;
#endif
} reference_desc;

// A hip_reference is a reference of a module that the device has or may load.
typedef struct hip_reference {
  hip_module *module;
  char *name;           // of the device's variable
  reference_desc *desc; // the program's, which it knows the reference by; of surfaces only the address counts
  reference_desc own;   // … for programs that use the driver
  int surface, normalized_floats, bound;
  float border[4];
  resource_desc resource;
  size_t offset;   // bytes from where a texture of memory begins to what was bound
  uint64_t object; // of AMD's processors
  struct hip_reference *next;
} hip_reference;

enum {
  INVALID_TEXTURE = API_PORTABLE ? 18 : hipErrorInvalidValue,
  INVALID_BINDING = API_PORTABLE ? 19 : hipErrorInvalidValue,
  TEXTURE_ALIGN = 512, // what cuDeviceGetAttribute says
};

static hip_reference *references; // under dev_lock, as all of this

static hip_reference *reference_of(const void *desc) {
  hip_reference *x = references;
  while (x && x->desc != desc) x = x->next;
  return x;
}

static hip_reference *add_reference(hip_module *m, const char *name, void *desc, int surface) {
  hip_reference *x = calloc(1, sizeof *x);
  if (!x || !(x->name = strdup(name))) abort();
  x->module = m;
  x->desc = desc ? desc : &x->own;
  x->surface = surface;
  x->next = references;
  return references = x;
}

// forget_references forgets what a device has of a module's references; the driver's go with the module.
static void forget_references(hip_module *m) {
  for (hip_reference **at = &references; *at;) {
    hip_reference *x = *at;
    if (x->module == m) x->bound = 0, x->object = 0;
    if (x->module != m || x->desc != &x->own) {
      at = &x->next;
      continue;
    }
    *at = x->next;
    free(x->name);
    free(x);
  }
}

__attribute__((constructor)) static void know_modules(void) { module_goes = forget_references; }

static void register_reference(hip_module *m, void *desc, const char *name, int surface,
                               int normalized_floats) {
  dev_lock();
  hip_reference *x = reference_of(desc); // a library may have been loaded where another was
  if (!x) x = add_reference(m, name, desc, surface);
  else if (free(x->name), !(x->name = strdup(name))) abort();
  x->module = m, x->surface = surface, x->normalized_floats = normalized_floats, x->bound = 0;
  add_entry(desc, x->name, m);
  dev_unlock();
}

void __hipRegisterTexture(void **m, void *desc, char *h, char *name, int type, int normalized_floats,
                          int external) {
  (void)h, (void)type, (void)external;
  register_reference((hip_module *)m, desc, name, 0, normalized_floats);
}

void __hipRegisterSurface(void **m, void *desc, char *h, char *name, int type, int external) {
  (void)h, (void)type, (void)external;
  register_reference((hip_module *)m, desc, name, 1, 0);
}

static texture_desc texture_of(const hip_reference *x) {
  const reference_desc *d = x->desc;
  texture_desc t = {.filter = d->filter, .normalized_floats = x->normalized_floats, .srgb = d->srgb,
                    .normalized = d->normalized, .anisotropy = d->anisotropy, .mip_filter = d->mip_filter,
                    .bias = d->bias, .least = d->least, .most = d->most};
#if !API_PORTABLE
  t.normalized_floats = d->normalized_floats;
#endif
  memcpy(t.modes, d->modes, sizeof t.modes);
  memcpy(t.border, x->border, sizeof t.border);
  return t;
}

// write_reference tells the device what a reference is bound to.
static int write_reference(hip_reference *x) {
  int error = load_module(x->module);
  if (error) return error;
  hip_symbol *s = symbol_of(x->module, x->name);
  if (!s) return INVALID_TEXTURE;
  int generation = amd_generation(dev.processor);
  if (!API_PORTABLE && !generation) {
    static char said;
    return hip_missing(x->surface ? "a surface reference" : "a texture reference", &said);
  }
  amd_texture made = {0};
  texture_desc t = {0};
  if (!x->surface) t = texture_of(x);
  if ((error = image_block(&made.block.image, &x->resource, x->surface ? NULL : &t, NULL))) return error;
  if (!x->surface) sampler_block(&made.block.sampler, &t, x->resource.kind == RESOURCE_LINEAR);
  hip_idle(); // kernels that read what it was bound to
  if (API_PORTABLE) {
    if (s->size < sizeof made.block) return INVALID_TEXTURE;
    memcpy(dev_host(s->addr), &made.block, sizeof made.block);
    return hipSuccess;
  }
  if ((error = amd_texture_words(generation, &made, &x->resource, x->surface ? NULL : &t))) return error;
  enum dev_status status = DEV_DONE;
  if (!x->object) x->object = dev_alloc(sizeof made, 256, RANGE_DEVICE, &status);
  if (!x->object) return hip_error(status);
  memcpy(dev_host(x->object), &made, sizeof made);
#if !API_PORTABLE
  x->desc->object = x->object;
  if (s->size < sizeof *x->desc) return INVALID_TEXTURE;
  memcpy(dev_host(s->addr), x->desc, sizeof *x->desc);
#endif
  return hipSuccess;
}

// bind_reference binds a reference that the program has.
static int bind_reference(const void *desc, int surface, const resource_desc *r, size_t offset) {
  dev_lock();
  hip_reference *x = reference_of(desc);
  int error = hip_connect() ? hipErrorNoDevice : x && x->surface == surface ? hipSuccess : INVALID_TEXTURE;
  if (!error) {
    hip_reference old = *x;
    x->resource = *r, x->offset = offset, x->bound = 1;
    if ((error = write_reference(x)))
      x->resource = old.resource, x->offset = old.offset, x->bound = old.bound;
  }
  dev_unlock();
  return error;
}

// bind_memory binds one to memory, which begins at a multiple of TEXTURE_ALIGN from where it was allocated:
// how far before what is asked for, the program is told, or it is an error.
static int bind_memory(size_t *offset, const void *desc, resource_desc *r) {
  uintptr_t at = (uintptr_t)r->of.memory.at;
  dev_lock();
  dev_range *range = hip_connect() ? NULL : dev_find(at);
  size_t into = range ? at - range->base : 0, before = into % TEXTURE_ALIGN,
         left = range ? range->size - into : 0;
  dev_unlock();
  if (!range || (before && !offset)) return hipErrorInvalidValue;
  if (r->kind == RESOURCE_LINEAR)
    r->of.memory.size = (r->of.memory.size < left ? r->of.memory.size : left) + before;
  r->of.memory.at = (void *)(at - before);
  int error = bind_reference(desc, 0, r, before);
  if (!error && offset) *offset = before;
  return error;
}

static channel_desc channels_given(const reference_desc *d, const channel_desc *given) {
  static const channel_desc none;
  return given ? *given : d ? d->channels : none;
}

int hipBindTexture(size_t *offset, const reference_desc *d, const void *at, const channel_desc *c,
                   size_t size) {
  resource_desc r = {.kind = RESOURCE_LINEAR};
  r.of.memory.at = (void *)at, r.of.memory.channels = channels_given(d, c), r.of.memory.size = size;
  return hip_done(bind_memory(offset, d, &r));
}

int hipBindTexture2D(size_t *offset, const reference_desc *d, const void *at, const channel_desc *c,
                     size_t width, size_t height, size_t pitch) {
  resource_desc r = {.kind = RESOURCE_PITCHED};
  r.of.memory.at = (void *)at, r.of.memory.channels = channels_given(d, c);
  r.of.memory.size = width, r.of.memory.height = height, r.of.memory.pitch = pitch;
  return hip_done(bind_memory(offset, d, &r));
}

// bind_array binds one to an array or a mipmapped one.
static int bind_array(const void *desc, int surface, int kind, const hip_array *a) {
  resource_desc r = {.kind = kind};
  r.of.array = (hip_array *)a;
  if (!known_array(a)) return hipErrorInvalidResourceHandle;
  if (surface && !(a->flags & ARRAY_SURFACE)) return hipErrorInvalidValue;
  return bind_reference(desc, surface, &r, 0);
}

int hipBindTextureToArray(const reference_desc *d, const hip_array *a, const channel_desc *c) {
  (void)c; // the array's own
  return hip_done(bind_array(d, 0, RESOURCE_ARRAY, a));
}

int hipBindTextureToMipmappedArray(const reference_desc *d, const hip_array *a, const channel_desc *c) {
  (void)c;
  return hip_done(bind_array(d, 0, RESOURCE_MIPMAPPED, a));
}

int hipUnbindTexture(const reference_desc *d) {
  dev_lock();
  hip_reference *x = reference_of(d);
  if (x) x->bound = 0; // kernels still see what was bound
  dev_unlock();
  return hip_done(x ? hipSuccess : INVALID_TEXTURE);
}

int hipGetTextureAlignmentOffset(size_t *out, const reference_desc *d) {
  dev_lock();
  hip_reference *x = reference_of(d);
  if (x && out) *out = x->offset;
  int error = !x ? INVALID_TEXTURE : !x->bound ? INVALID_BINDING : out ? hipSuccess : hipErrorInvalidValue;
  dev_unlock();
  return hip_done(error);
}

int hipGetTextureReference(const reference_desc **out, const void *symbol) {
  dev_lock();
  hip_reference *x = reference_of(symbol);
  if (x && out) *out = x->desc;
  dev_unlock();
  return hip_done(x && out ? hipSuccess : INVALID_TEXTURE);
}

// The driver's. A reference keeps its settings, which count from the next of these calls on.

// module_reference finds or makes the reference of a module's variable.
static int module_reference(reference_desc **out, hipModule_t m, const char *name, int surface) {
  if (!out || !name) return hipErrorInvalidValue;
  if (!m) return hipErrorInvalidResourceHandle;
  dev_lock();
  hip_reference *x = symbol_of(m, name) ? references : NULL;
  int found = x != NULL;
  while (x && (x->module != m || x->surface != surface || strcmp(x->name, name))) x = x->next;
  if (found && !x) {
    enum { CLAMP = 1 };
    x = add_reference(m, name, NULL, surface);
    x->normalized_floats = API_PORTABLE;
    for (int i = 0; i < 3; i++) x->own.modes[i] = CLAMP;
  }
  dev_unlock();
  if (!x) return hipErrorNotFound;
  *out = x->desc;
  return hipSuccess;
}

int hipModuleGetTexRef(reference_desc **out, hipModule_t m, const char *name) {
  return hip_done(module_reference(out, m, name, 0));
}

// CHANGE does something to a reference, and tells the device what it has become.
#define CHANGE(x, d, statement)                                        \
  dev_lock();                                                          \
  hip_reference *x = reference_of(d);                                  \
  int error = x && !x->surface ? hipSuccess : hipErrorInvalidValue;    \
  if (!error) {                                                        \
    statement;                                                         \
    if (x->bound) error = write_reference(x);                          \
  }                                                                    \
  dev_unlock();                                                        \
  return hip_done(error)

int hipTexRefSetAddressMode(reference_desc *d, int dimension, int mode) {
  if (dimension < 0 || dimension > 2) return hip_done(hipErrorInvalidValue);
  CHANGE(x, d, d->modes[dimension] = mode);
}

int hipTexRefSetFilterMode(reference_desc *d, int mode) { CHANGE(x, d, d->filter = mode); }

int hipTexRefSetMipmapFilterMode(reference_desc *d, int mode) { CHANGE(x, d, d->mip_filter = mode); }

int hipTexRefSetMipmapLevelBias(reference_desc *d, float bias) { CHANGE(x, d, d->bias = bias); }

int hipTexRefSetMipmapLevelClamp(reference_desc *d, float least, float most) {
  CHANGE(x, d, (d->least = least, d->most = most));
}

int hipTexRefSetMaxAnisotropy(reference_desc *d, unsigned most) { CHANGE(x, d, d->anisotropy = most); }

int hipTexRefSetBorderColor(reference_desc *d, const float *color) {
  if (!color) return hip_done(hipErrorInvalidValue);
  CHANGE(x, d, memcpy(x->border, color, sizeof x->border));
}

// set_flags is of how numbers are read, and what coordinates are.
static void set_flags(hip_reference *x, unsigned flags) {
  x->normalized_floats = !(flags & TEXTURE_INTEGERS);
#if !API_PORTABLE
  x->desc->normalized_floats = x->normalized_floats;
#endif
  x->desc->normalized = (flags & TEXTURE_NORMALIZED) != 0;
  x->desc->srgb = (flags & TEXTURE_SRGB) != 0;
}

int hipTexRefSetFlags(reference_desc *d, unsigned flags) { CHANGE(x, d, set_flags(x, flags)); }

int hipTexRefSetFormat(reference_desc *d, int format, int components) {
  channel_desc c = channels_of(format, (unsigned)components);
  if (!array_element(&c)) return hip_done(hipErrorInvalidValue);
  CHANGE(x, d, d->channels = c);
}

int hipTexRefSetArray(reference_desc *d, const hip_array *a, unsigned flags) {
  (void)flags; // that the format is the array's
  return hip_done(bind_array(d, 0, RESOURCE_ARRAY, a));
}

int hipTexRefSetMipmappedArray(reference_desc *d, const hip_array *a, unsigned flags) {
  (void)flags;
  return hip_done(bind_array(d, 0, RESOURCE_MIPMAPPED, a));
}

int hipTexRefSetAddress(size_t *offset, reference_desc *d, void *at, size_t size) {
  return hipBindTexture(offset, d, at, NULL, size);
}

int hipTexRefSetAddress2D(reference_desc *d, const array_desc *a, void *at, size_t pitch) {
  if (!a) return hip_done(hipErrorInvalidValue);
  channel_desc c = channels_of(a->format, a->channels);
  return hipBindTexture2D(NULL, d, at, &c, a->width, a->height, pitch);
}

// ASK gives something of a reference.
#define ASK(x, d, ok, statement)                                                                   \
  dev_lock();                                                                                      \
  hip_reference *x = reference_of(d);                                                              \
  int error = x && (ok) ? hipSuccess : hipErrorInvalidValue;                                       \
  if (!error) {                                                                                    \
    statement;                                                                                     \
  }                                                                                                \
  dev_unlock();                                                                                    \
  return hip_done(error)

static int of_arrays(const hip_reference *x) {
  return x->resource.kind == RESOURCE_ARRAY || x->resource.kind == RESOURCE_MIPMAPPED;
}

int hipTexRefGetAddress(void **out, const reference_desc *d) {
  ASK(x, d, out && x->bound && !of_arrays(x), *out = (unsigned char *)x->resource.of.memory.at + x->offset);
}

int hipTexRefGetArray(hip_array **out, const reference_desc *d) {
  ASK(x, d, out && x->bound && of_arrays(x), *out = x->resource.of.array);
}

int hipTexRefGetMipMappedArray(hip_array **out, const reference_desc *d) { return hipTexRefGetArray(out, d); }

int hipTexRefGetAddressMode(int *out, const reference_desc *d, int i) {
  ASK(x, d, out && i >= 0 && i < 3, *out = d->modes[i]);
}

int hipTexRefGetFilterMode(int *out, const reference_desc *d) { ASK(x, d, out, *out = d->filter); }

int hipTexRefGetMipmapFilterMode(int *out, const reference_desc *d) { ASK(x, d, out, *out = d->mip_filter); }

int hipTexRefGetMipmapLevelBias(float *out, const reference_desc *d) { ASK(x, d, out, *out = d->bias); }

int hipTexRefGetMipmapLevelClamp(float *least, float *most, const reference_desc *d) {
  ASK(x, d, least && most, (*least = d->least, *most = d->most));
}

int hipTexRefGetMaxAnisotropy(int *out, const reference_desc *d) {
  ASK(x, d, out, *out = (int)d->anisotropy);
}

int hipTexRefGetBorderColor(float *out, const reference_desc *d) {
  ASK(x, d, out, memcpy(out, x->border, sizeof x->border));
}

int hipTexRefGetFlags(unsigned *out, const reference_desc *d) {
  ASK(x, d, out, {
    texture_desc t = texture_of(x);
    *out = flags_of(&t);
  });
}

int hipTexRefGetFormat(int *format, int *components, const reference_desc *d) {
  ASK(x, d, format || components, {
    if (format) *format = format_of(&d->channels);
    if (components) *components = (int)array_components(&d->channels);
  });
}
