// Images and samplers: memory of the device like buffers, with a description that kernels get the address
// of. The functions of OpenCL C that read it are openclc's (images.cl).
#include "amd_image.h"
#include "ocl.h"

enum {
  OBJECT_BUFFER = 0x10F0,
  IMAGE_2D,
  IMAGE_3D,
  IMAGE_2D_ARRAY,
  IMAGE_1D,
  IMAGE_1D_ARRAY,
  IMAGE_1D_BUFFER
};
enum {
  ORDER_R = 0x10B0,
  ORDER_A,
  ORDER_RG,
  ORDER_RA,
  ORDER_RGB,
  ORDER_RGBA,
  ORDER_BGRA,
  ORDER_ARGB,
  ORDER_INTENSITY,
  ORDER_LUMINANCE,
  ORDER_DEPTH = 0x10BD,
  ORDER_ABGR = 0x10C3
};
enum {
  SNORM_8 = 0x10D0,
  SNORM_16,
  UNORM_8,
  UNORM_16,
  UNORM_565,
  UNORM_555,
  UNORM_101010,
  SINT_8,
  SINT_16,
  SINT_32,
  UINT_8,
  UINT_16,
  UINT_32,
  HALF,
  FLOAT
};

#define BIT(type) (1u << ((type) - SNORM_8))
enum {
  BYTES = BIT(SNORM_8) | BIT(UNORM_8) | BIT(SINT_8) | BIT(UINT_8),
  REALS = BIT(SNORM_8) | BIT(SNORM_16) | BIT(UNORM_8) | BIT(UNORM_16) | BIT(HALF) | BIT(FLOAT),
  PLAIN = 0x7FFF & ~(BIT(UNORM_565) | BIT(UNORM_555) | BIT(UNORM_101010)),
  PACKED = 0x7FFF & ~PLAIN,
};

// The orders of channels, with the types that they can have.
static const struct {
  cl_uint order, channels, types;
} image_orders[] = {
    {ORDER_R, 1, PLAIN},         {ORDER_RG, 2, PLAIN},   {ORDER_RGBA, 4, PLAIN},
    {ORDER_A, 1, REALS},         {ORDER_RA, 2, REALS},   {ORDER_INTENSITY, 1, REALS},
    {ORDER_LUMINANCE, 1, REALS}, {ORDER_RGB, 1, PACKED}, {ORDER_BGRA, 4, BYTES},
    {ORDER_ARGB, 4, BYTES},      {ORDER_ABGR, 4, BYTES}, {ORDER_DEPTH, 1, BIT(UNORM_16) | BIT(FLOAT)},
};
enum { ORDERS = sizeof image_orders / sizeof image_orders[0] };

// The bytes of a channel, or of a texel of packed channels, by type.
static const unsigned char channel_bytes[] = {1, 2, 1, 2, 2, 2, 4, 1, 2, 4, 1, 2, 4, 2, 4};

// A cl_image_format, and a cl_image_desc.
typedef struct {
  cl_uint order, type;
} image_format;
typedef struct {
  cl_uint object;
  size_t width, height, depth, layers, row, slice;
  cl_uint levels, samples;
  cl_mem memory;
} image_desc;

// What kernels get, as images.cl reads it.
typedef struct {
  uint64_t texels;
  uint32_t order, type;
  int32_t width, height, depth, layers;
  uint64_t row, slice;
  uint32_t size;
  uint8_t outside[4]; // loaded to tell checkers of texels outside
} description;

// texel_size is the bytes of a texel of a format, 0 if there is no such format.
static size_t texel_size(const image_format *f) {
  if (f->type < SNORM_8 || f->type > FLOAT) return 0;
  for (int i = 0; i < ORDERS; i++)
    if (image_orders[i].order == f->order && image_orders[i].types & BIT(f->type))
      return image_orders[i].channels * channel_bytes[f->type - SNORM_8];
  return 0;
}

static size_t at_least_1(size_t n) { return n ? n : 1; }

// set_extent fills in what boxes are measured by: texels, rows and slices. It reports whether the sizes make
// sense.
static int set_extent(struct image *m, const image_desc *d) {
  m->extent[0] = d->width;
  m->extent[1] = m->extent[2] = 1;
  size_t most = d->object == IMAGE_1D_BUFFER ? LARGEST_IMAGE_BUFFER
                : d->object == IMAGE_3D      ? LARGEST_3D
                                             : LARGEST_SIDE;
  switch (d->object) {
  case IMAGE_1D:
  case IMAGE_1D_BUFFER: break;
  case IMAGE_1D_ARRAY: m->extent[1] = d->layers; break;
  case IMAGE_2D: m->extent[1] = d->height; break;
  case IMAGE_2D_ARRAY: m->extent[1] = d->height, m->extent[2] = d->layers; break;
  case IMAGE_3D: m->extent[1] = d->height, m->extent[2] = d->depth; break;
  }
  for (int i = 0; i < 3; i++)
    if (!m->extent[i] || m->extent[i] > most) return 0;
  return d->object != IMAGE_1D_ARRAY && d->object != IMAGE_2D_ARRAY || d->layers <= LARGEST_ARRAY;
}

// pitches are those of memory that a program gives for an image: 0 stands for rows that follow each other.
static int pitches(const struct image *m, size_t row, size_t slice, size_t pitch[2]) {
  size_t least = m->extent[0] * m->size;
  pitch[0] = row ? row : least;
  if (m->object == IMAGE_1D_ARRAY && slice) pitch[0] = slice; // its layers are rows
  pitch[1] = slice && m->object != IMAGE_1D_ARRAY ? slice : pitch[0] * m->extent[1];
  return pitch[0] >= least && pitch[1] >= pitch[0] * m->extent[1];
}

// copy_box copies a box of bytes between memories of different pitches.
static void copy_box(char *to, const size_t to_pitch[2], const char *from, const size_t from_pitch[2],
                     const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memmove(to + z * to_pitch[1] + y * to_pitch[0], from + z * from_pitch[1] + y * from_pitch[0],
              region[0]);
}

// told_pitches are what programs are told of how rows and slices lie: as they gave them, else side by side,
// however the processor has them.
static void told_pitches(struct image *i, const image_desc *d) {
  int given = d->memory || i->host_pitch[0], layers_are_rows = i->object == IMAGE_1D_ARRAY;
  int sliced = layers_are_rows || i->object == IMAGE_2D_ARRAY || i->object == IMAGE_3D;
  i->told_pitch[0] = given && d->row ? d->row : i->extent[0] * i->size;
  i->told_pitch[1] = i->told_pitch[0] * (layers_are_rows ? 1 : i->extent[1]);
  if (given && d->slice) i->told_pitch[1] = d->slice;
  if (!sliced) i->told_pitch[1] = 0;
}

// fill_image copies all of an image from memory of the program.
static void fill_image(cl_mem m, const void *host) {
  struct image *i = m->image;
  size_t region[3] = {i->extent[0] * i->size, i->extent[1], i->extent[2]};
  copy_box(dev_host(m->addr), i->pitch, host, i->host_pitch, region);
}

// texel_format is the number of the format (VkFormat) that has the channels of an image.
static uint32_t texel_format(const struct image *i) {
  enum { SNORM = 1, UINT = 4, SINT, REAL }; // behind the first of a family, which is UNORM
  static const struct {
    uint32_t bits, kind;
  } types[] = {{8, SNORM}, {16, SNORM}, {8, 0},     {16, 0},     {0, 4},     {0, 8},     {0, 58},   {8, SINT},
               {16, SINT}, {32, SINT},  {8, UINT},  {16, UINT},  {32, UINT}, {16, REAL}, {32, REAL}};
  uint32_t bits = types[i->type - SNORM_8].bits, kind = types[i->type - SNORM_8].kind;
  if (!bits) return kind; // packed
  uint32_t channels = (uint32_t)(i->size * 8 / bits);
  switch (bits) {
  case 8: return (channels == 1 ? 9 : channels == 2 ? 16 : 37) + kind;
  case 16: return (channels == 1 ? 70 : channels == 2 ? 77 : 91) + kind;
  }
  return (channels == 1 ? 98 : channels == 2 ? 101 : 107) + kind - UINT;
}

// texel_swizzle is which channel each of red, green, blue and alpha is: 4 is 0, and 5 is 1.
static const unsigned char *texel_swizzle(uint32_t order) {
  static const unsigned char all[][5] = {
      {ORDER_A - ORDER_R, 4, 4, 4, 0},         {ORDER_RG - ORDER_R, 0, 1, 4, 5},
      {ORDER_RA - ORDER_R, 0, 4, 4, 1},        {ORDER_RGB - ORDER_R, 0, 1, 2, 5},
      {ORDER_RGBA - ORDER_R, 0, 1, 2, 3},      {ORDER_BGRA - ORDER_R, 2, 1, 0, 3},
      {ORDER_ARGB - ORDER_R, 1, 2, 3, 0},      {ORDER_INTENSITY - ORDER_R, 0, 0, 0, 0},
      {ORDER_LUMINANCE - ORDER_R, 0, 0, 0, 5}, {ORDER_ABGR - ORDER_R, 3, 2, 1, 0}};
  static const unsigned char one[4] = {0, 4, 4, 5};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i][0] == order - ORDER_R) return all[i] + 1;
  return one;
}

// block_image writes what kernels in SPIR-V get, as package simt/texel reads it.
static void block_image(texel_image *to, cl_mem m, const image_desc *d) {
  struct image *i = m->image;
  int lines = i->object == IMAGE_1D || i->object == IMAGE_1D_ARRAY || i->object == IMAGE_1D_BUFFER;
  int volume = i->object == IMAGE_3D;
  int layered = i->object == IMAGE_1D_ARRAY || i->object == IMAGE_2D_ARRAY;
  uint32_t layers = layered ? (uint32_t)d->layers : 1;
  *to = (texel_image){.format = texel_format(i),
                      .shape = lines ? TEXEL_LINE : volume ? TEXEL_VOLUME : TEXEL_PLANE,
                      .size = {(uint32_t)i->extent[0], lines ? 1 : (uint32_t)i->extent[1],
                               volume ? (uint32_t)i->extent[2] : 1},
                      .layers = layers, .levels = 1, .samples = 1, .view_levels = 1, .view_layers = layers,
                      .order = (uint16_t)i->order, .type = (uint16_t)i->type, .address = m->addr,
                      .pitch = i->pitch[0], .slice = i->object == IMAGE_1D_ARRAY ? i->pitch[0] : i->pitch[1]};
  memcpy(to->swizzle, texel_swizzle(i->order), sizeof to->swizzle);
}

static cl_int describe_image(cl_mem m, const image_desc *d) {
  struct image *i = m->image;
  cl_int e;
  uint64_t at = ocl_allocate(IMAGE_DESCRIPTOR + IMAGE_BLOCK + sizeof(description), OF_BUFFER, &e);
  if (e) return e;
  memset(dev_host(at), 0, IMAGE_DESCRIPTOR + IMAGE_BLOCK);
  block_image(dev_host(at + IMAGE_DESCRIPTOR), m, d);
  i->description = at + IMAGE_DESCRIPTOR + IMAGE_BLOCK;
  *(description *)dev_host(i->description) = (description){
      m->addr,     i->order,    i->type, i->extent[0], i->extent[1], i->extent[2], at_least_1(d->layers),
      i->pitch[0], i->pitch[1], i->size};
  return CL_SUCCESS;
}

// image_memory gives an image memory of its own, or a buffer's.
static cl_int image_memory(cl_mem m, const image_desc *d, void *host) {
  struct image *i = m->image;
  size_t least = i->extent[0] * i->size;
  i->pitch[0] = least;
  if (d->memory) {
    if (d->row) i->pitch[0] = d->row;
    i->pitch[1] = i->pitch[0] * i->extent[1];
    if (i->pitch[0] < least || i->pitch[1] > d->memory->size) return CL_INVALID_IMAGE_SIZE;
    m->parent = d->memory;
    m->parent->o.refs++;
    m->addr = m->parent->addr;
    m->size = i->pitch[1];
    if (m->parent->host) m->host = m->parent->host, memcpy(i->host_pitch, i->pitch, sizeof i->pitch);
    return CL_SUCCESS;
  }
  if (amd_generation(dev.processor)) { // whose rows begin at multiples of bytes
    size_t rows = (size_t)amd_rows(amd_generation(dev.processor));
    i->pitch[0] = (i->pitch[0] + rows - 1) / rows * rows;
  }
  i->pitch[1] = i->pitch[0] * i->extent[1];
  m->size = i->pitch[1] * i->extent[2];
  cl_int e;
  m->addr = ocl_allocate(m->size, OF_BUFFER, &e);
  if (e) return e;
  if (host) fill_image(m, ocl_reach(host));
  if (m->flags & CL_MEM_USE_HOST_PTR) m->host = host;
  return CL_SUCCESS;
}

// amd_lacks reports whether AMD's processors have no images of a kind and an order: packed texels of three
// components are not read from memory like a buffer's, and of one order kernels are not told by the device
// libraries.
static int amd_lacks(cl_uint order, cl_uint kind) {
  return ((kind == IMAGE_1D_BUFFER && order == ORDER_RGB) || order == ORDER_ABGR) &&
         amd_generation(dev.processor);
}

cl_mem clCreateImageWithProperties(cl_context c, const cl_properties *properties, cl_bitfield flags,
                                   const image_format *format, const image_desc *d, void *host,
                                   cl_int *error) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_fail(error, CL_INVALID_CONTEXT);
  if (properties && *properties) return ocl_fail(error, CL_INVALID_PROPERTY);
  if (!format) return ocl_fail(error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  if (!d || d->object < IMAGE_2D || d->object > IMAGE_1D_BUFFER || d->levels || d->samples)
    return ocl_fail(error, CL_INVALID_IMAGE_DESCRIPTOR);
  if (d->memory && !IS(d->memory, BUFFER) ||
      !d->memory != (d->object != IMAGE_1D_BUFFER) && d->object != IMAGE_2D)
    return ocl_fail(error, CL_INVALID_IMAGE_DESCRIPTOR);
  cl_int e = memory_flags(flags, d->memory);
  if (e) return ocl_fail(error, e);
  if (!host != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return ocl_fail(error, CL_INVALID_HOST_PTR);
  struct image m = {
      .order = format->order, .type = format->type, .object = d->object, .size = texel_size(format)};
  if (!m.size || amd_lacks(m.order, m.object)) return ocl_fail(error, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  if (!set_extent(&m, d)) return ocl_fail(error, CL_INVALID_IMAGE_SIZE);
  if (host && !pitches(&m, d->row, d->slice, m.host_pitch))
    return ocl_fail(error, CL_INVALID_IMAGE_DESCRIPTOR);
  told_pitches(&m, d);
  cl_mem i = ocl_new(IMAGE, sizeof *i);
  i->context = c;
  c->o.refs++;
  i->image = malloc(sizeof m);
  *i->image = m;
  i->flags = whole_flags(flags, d->memory);
  if (properties) i->property_count = 1, i->properties = calloc(1, sizeof *i->properties);
  e = image_memory(i, d, host);
  if (!e) e = describe_image(i, d);
  if (e) {
    ocl_release_buffer(i);
    return ocl_fail(error, e);
  }
  if (error) *error = CL_SUCCESS;
  return i;
}

cl_mem clCreateImage(cl_context c, cl_bitfield flags, const image_format *format, const image_desc *d,
                     void *host, cl_int *error) {
  return clCreateImageWithProperties(c, NULL, flags, format, d, host, error);
}

cl_mem clCreateImage2D(cl_context c, cl_bitfield flags, const image_format *format, size_t width,
                       size_t height, size_t row, void *host, cl_int *error) {
  image_desc d = {IMAGE_2D, width, height, .row = row};
  return clCreateImage(c, flags, format, &d, host, error);
}

cl_mem clCreateImage3D(cl_context c, cl_bitfield flags, const image_format *format, size_t width,
                       size_t height, size_t depth, size_t row, size_t slice, void *host, cl_int *error) {
  image_desc d = {IMAGE_3D, width, height, depth, .row = row, .slice = slice};
  return clCreateImage(c, flags, format, &d, host, error);
}

cl_int clGetSupportedImageFormats(cl_context c, cl_bitfield flags, cl_uint kind, cl_uint room,
                                  image_format *list, cl_uint *count) {
  if (!IS(c, CONTEXT)) return ocl_answer(CL_INVALID_CONTEXT);
  if (kind < IMAGE_2D || kind > IMAGE_1D_BUFFER || list && !room) return ocl_answer(CL_INVALID_VALUE);
  cl_uint n = 0;
  for (int i = 0; i < ORDERS; i++) {
    if (image_orders[i].order == ORDER_DEPTH && kind != IMAGE_2D && kind != IMAGE_2D_ARRAY) continue;
    if (amd_lacks(image_orders[i].order, kind)) continue;
    for (cl_uint type = SNORM_8; type <= FLOAT; type++) {
      if (!(image_orders[i].types & BIT(type))) continue;
      if (list && n < room) list[n] = (image_format){image_orders[i].order, type};
      n++;
    }
  }
  if (count) *count = n;
  return CL_SUCCESS;
}

cl_int clGetImageInfo(cl_mem m, cl_uint what, size_t room, void *to, size_t *needed) {
  HELD;
  if (!IS(m, IMAGE)) return CL_INVALID_MEM_OBJECT;
  struct image *i = m->image;
  int plane = i->object != IMAGE_1D && i->object != IMAGE_1D_ARRAY && i->object != IMAGE_1D_BUFFER;
  int array = i->object == IMAGE_2D_ARRAY || i->object == IMAGE_1D_ARRAY;
  switch (what) {
  case 0x1110: {
    image_format f = {i->order, i->type};
    return ocl_info(&f, sizeof f, room, to, needed);
  }
  case 0x1111: ANSWER(size_t, i->size);
  case 0x1112: ANSWER(size_t, i->told_pitch[0]);
  case 0x1113: ANSWER(size_t, i->told_pitch[1]);
  case 0x1114: ANSWER(size_t, i->extent[0]);
  case 0x1115: ANSWER(size_t, plane ? i->extent[1] : 0);
  case 0x1116: ANSWER(size_t, i->object == IMAGE_3D ? i->extent[2] : 0);
  case 0x1117: ANSWER(size_t, array ? i->extent[i->object == IMAGE_2D_ARRAY ? 2 : 1] : 0);
  case 0x1118: ANSWER(cl_mem, m->parent);
  case 0x1119:
  case 0x111A: ANSWER(cl_uint, 0); // NUM_MIP_LEVELS, NUM_SAMPLES
  }
  return CL_INVALID_VALUE;
}
